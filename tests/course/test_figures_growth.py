"""Curves over sizes: what is missing is not drawn, and all else is drawn and listed."""

import pytest
from stage import in_plotly

from course import figures

SECONDS = {"one": [0.02, 0.2, 2.5], "two": [0.5, 4.0, None]}
MEMORY = {"one": [100.0, 150.0, 900.0], "two": [50.0, 80.0, None]}


def test_both_panels_hold_their_curves():
    panels = {"CPU seconds": SECONDS, "MB": MEMORY}
    figure = figures.growth([10, 100, 1000], panels, x_title="rows", title="Slower")
    drawn = [(t.name, t.xaxis, list(t.x), list(t.y)) for t in in_plotly(figure).data]
    assert drawn == [
        ("one", None, [10, 100, 1000], SECONDS["one"]),
        ("two", None, [10, 100], [0.5, 4.0]),
        ("one", "x2", [10, 100, 1000], MEMORY["one"]),
        ("two", "x2", [10, 100], [50.0, 80.0]),
    ]
    assert [
        in_plotly(figure).layout[axis].type for axis in ("xaxis", "xaxis2", "yaxis", "yaxis2")
    ] == ["log"] * 4
    assert list(in_plotly(figure).layout.yaxis.ticktext) == ["0.01", "0.1", "1", "10"]
    assert list(in_plotly(figure).layout.yaxis2.range) == [1, 3.2]
    words = figures.describe(figure)
    assert words.header == ["rows", *(f"{a}, {b}" for b in panels for a in ("one", "two"))]
    assert words.rows[0] == ["10", 0.02, 0.5, 100.0, 50.0]
    assert words.rows[2] == ["1,000", 2.5, None, 900.0, None]
    assert "two 0.5 to 4 at 100." in words.sentence


def test_one_panel():
    figure = figures.growth(
        [100, 200], {"±": {"one": [1.0, 0.5]}}, x_title="queries", title="Less"
    )
    assert len(in_plotly(figure).data) == 1
    assert list(in_plotly(figure).layout.xaxis.ticktext) == ["10²", "200"]
    assert "xaxis2" not in in_plotly(figure).layout


@pytest.mark.parametrize(
    ("panels", "says"),
    [
        ({"s": {"one": [1.0]}}, "'one' must have a value for each of 2 sizes, got 1"),
        (
            {"s": {str(i): [1, 2] for i in range(6)}},
            r"panels\['s'\] must hold 1 to 5 entries, got 6",
        ),
        ({}, "panels must hold 1 to 2 entries, got 0"),
    ],
)
def test_what_does_not_fit_is_refused(panels, says):
    with pytest.raises(ValueError, match=says):
        figures.growth([1, 2], panels, x_title="rows", title="It grows")
