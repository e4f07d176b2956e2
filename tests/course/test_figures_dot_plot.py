"""The figures with a row for each number: means with their intervals, and groups."""

import numpy as np
import pytest
from stage import as_plotly_checks, as_sent, in_plotly

from course.figures import describe, dot_plot, group_dots
from helpers.style import BLUE, GRAY
from ndcglib.significance import interval

LEVELS = {"random": (0.25, 0.2, 0.3), "mine": (0.5, 0.4, 0.625), "perfect order": (1, 1, 1)}
AHEAD = {"BM25": (0.084, 0.046, 0.122), "all equal": (-0.001, -0.013, 0.017)}
SHARES = {"1 / rank": 0.0142, "line": 0.1966, "log2": 0.0}


def figure(rows=LEVELS, **options):
    return dot_plot(rows, title="Far from the ceiling", measure="NDCG@5", **options)


def ends(drawn):
    """Return where each interval begins and ends, from the top."""
    _, *lines = in_plotly(drawn).data
    assert [set(line.y) for line in lines] == [{place} for place in range(len(lines))]
    return [line.x for line in lines]


@pytest.mark.parametrize("rows", [LEVELS, AHEAD])
def test_dots_are_means_and_lines_are_intervals(rows):
    drawn = figure(rows)
    assert list(in_plotly(drawn).data[0].x) == [mean for mean, _, _ in rows.values()]
    for found, (_, low, high) in zip(ends(drawn), rows.values(), strict=True):
        assert found == pytest.approx((low, high))
    assert list(in_plotly(drawn).layout.yaxis.ticktext) == list(rows)
    top, bottom = in_plotly(drawn).layout.yaxis.range[::-1]
    assert top < in_plotly(drawn).data[0].y[0] < in_plotly(drawn).data[0].y[-1] < bottom


def test_numbers_alone_have_no_line():
    drawn = figure(SHARES, digits=".1%")
    assert ends(drawn) == []
    words = describe(drawn)
    assert words.header == ["name", "NDCG@5"]
    assert words.rows == [["1 / rank", "1.4%"], ["line", "19.7%"], ["log2", "0.0%"]]
    assert words.sentence == "NDCG@5: 1 / rank 1.4%; line 19.7%; log2 0.0%."


def test_a_number_alone_may_stand_among_intervals():
    drawn = figure({"truth": 0.058} | AHEAD, digits=".3f", through=["truth"])
    assert [set(line.y) for line in in_plotly(drawn).data[1:]] == [{1}, {2}]
    words = describe(drawn)
    assert words.rows[0] == ["truth", "0.058", None, None]
    assert "<td>0.058</td>" in words._repr_html_()


@pytest.mark.parametrize("rows", [LEVELS, AHEAD, SHARES])
def test_zero_is_on_the_axis_and_has_a_line(rows):
    drawn = figure(rows)
    low, high = in_plotly(drawn).layout.xaxis.range
    assert low < 0 < high
    assert all(low < end < high for pair in ends(drawn) for end in pair)
    assert all(low < dot < high for dot in in_plotly(drawn).data[0].x)
    assert [shape.x0 for shape in in_plotly(drawn).layout.shapes] == [0]


def test_rows_to_compare_with_are_gray_with_a_line_and_zero_may_be_off_the_axis():
    drawn = figure(through=["perfect order", "random"])
    assert [(s.x0, s.x1, s.line.dash) for s in in_plotly(drawn).layout.shapes] == [
        (0.25, 0.25, "dot"),
        (1, 1, "dot"),
    ]
    dots, *lines = in_plotly(drawn).data
    assert dots.marker.color == (GRAY, BLUE, GRAY)
    assert [line.line.color for line in lines] == [GRAY, BLUE, GRAY]
    low, high = in_plotly(drawn).layout.xaxis.range
    assert 0 < low < 0.2
    assert high > 1


def test_numbers_of_intervals_stand_in_a_column():
    """Behind its interval a mean would be read as the interval's end."""
    drawn = figure(AHEAD, digits=".3f")
    notes = in_plotly(drawn).layout.annotations
    assert [note.text for note in notes] == ["<b>0.084</b>", "<b>−0.001</b>", "mean"]
    assert [(note.xref, note.x) for note in notes] == 3 * [("x domain", 1)]
    words = describe(drawn)
    assert words.rows[1] == ["all equal", "−0.001", "−0.013", "0.017"]
    assert words.sentence.endswith("; all equal −0.001 (−0.013 to 0.017).")


def test_zero_has_no_sign():
    assert describe(figure({"a": -0.00001})).rows == [["a", "0.0000"]]


def test_it_takes_what_interval_returns():
    found = interval([0.1, 0.2, 0.3, 0.4])
    assert ends(figure({"a": found}))[0] == pytest.approx(found[1:], abs=1e-5)


@pytest.mark.parametrize("rows", [LEVELS, AHEAD, SHARES, {"all": 0}])
def test_plotly_takes_it_as_it_is(rows):
    drawn = figure(rows, through=list(rows)[:1])
    assert as_plotly_checks(drawn) == as_sent(drawn)


def test_names_are_no_html():
    assert in_plotly(figure({"<b>": 1})).layout.yaxis.ticktext[0] == "&lt;b&gt;"


@pytest.mark.parametrize(
    ("rows", "through", "says"),
    [
        ({}, [], "1 to 40 entries, got 0"),
        ({"a": (0.1, 0.2)}, [], r"rows\['a'\] must be one number, or mean, low and high"),
        ({"a": (0.1, 0.2, 0.4)}, [], "mean, low and high"),
        ({"a": (0.5, 0.2, 0.4)}, [], "mean, low and high"),
        ({"a": float("nan")}, [], "must be finite, got nan"),
        ({"a": 1}, ["b"], "through must name rows, 'a', got 'b'"),
    ],
)
def test_bad_input_is_refused(rows, through, says):
    with pytest.raises(ValueError, match=says):
        figure(rows, through=through)


# --- groups ---------------------------------------------------------------------------

AHEAD_BY, USERS = [0.4, 0.2, -0.1, 0.0, -0.3, -0.2], ["Ann", "Ann", "Bob", "Cyd", "Bob", "Bob"]


def by_user(values=AHEAD_BY, groups=USERS):
    return group_dots(values, groups, measure="new − old")


def test_a_dot_is_the_mean_of_its_group_and_its_area_the_number_of_queries():
    drawn = by_user()
    [dots] = in_plotly(drawn).data
    assert list(dots.x) == pytest.approx([0.3, 0, -0.2])
    areas = [size**2 for size in dots.marker.size]
    assert [area / areas[2] for area in areas] == pytest.approx([2 / 3, 1 / 3, 1], abs=0.01)
    assert list(in_plotly(drawn).layout.yaxis.ticktext) == ["Ann, 2", "Cyd, 1", "Bob, 3"]


def test_the_words_of_groups_are_their_numbers():
    words = describe(by_user())
    assert words.header == ["group", "queries", "mean of new − old"]
    assert words.rows == [["Ann", 2, 0.3], ["Cyd", 1, 0.0], ["Bob", 3, -0.2]]
    assert "above 0 in 1 of 3 groups" in words.sentence
    assert "highest Ann +0.300 (2 queries), lowest Bob −0.200 (3 queries)" in words.sentence
    assert "largest Bob −0.200 (3 queries)." in words.sentence


def test_the_groups_that_are_named_have_their_numbers_toward_zero():
    drawn = by_user()
    notes = in_plotly(drawn).layout.annotations
    assert [note.text for note in notes] == ["<b>+0.300</b>", "<b>−0.200</b>"]
    assert [note.xanchor for note in notes] == ["right", "left"]
    assert [note.y for note in notes] == [0, 2]
    radius = [in_plotly(drawn).data[0].marker.size[row] / 2 for row in (0, 2)]
    shifts = [-notes[0].xshift, notes[1].xshift]
    assert all(shift > half for shift, half in zip(shifts, radius, strict=True))


def test_the_number_of_a_dot_near_zero_is_not_on_its_line():
    """Nor is the one unsaid that brings most: many queries, not the highest mean."""
    values, groups = [0.4, 0.1, 0.1, 0.1, 0.1, 0.1, *[-0.02] * 6, -0.4], list("abbbbbccccccd")
    drawn = group_dots(values, groups, measure="new − old")
    notes = in_plotly(drawn).layout.annotations
    assert [note.text for note in notes] == [
        "<b>+0.400</b>",
        "<b>+0.100</b>",
        "<b>−0.020</b>",
        "<b>−0.400</b>",
    ]
    assert [note.xanchor for note in notes] == ["right", "left", "right", "left"]
    assert "largest sum b +0.100 (5 queries)." in describe(drawn).sentence


def test_an_axis_begins_near_intervals_that_are_far_from_zero():
    """Not where rows are differences, numbers alone, or as near to 0 as they are wide."""
    start = {}
    for name, rows, digits in (
        ("levels", {"a": (0.6, 0.5, 0.7), "b": (0.55, 0.45, 0.6)}, ".2f"),
        ("leads", {"a": (0.6, 0.5, 0.7)}, "+.2f"),
        ("alone", {"a": 0.6, "b": 0.5}, ".2f"),
        ("near", {"a": (0.2, 0.1, 0.3)}, ".2f"),
    ):
        layout = in_plotly(figure(rows, digits=digits)).layout
        start[name] = layout.xaxis.range[0], len(layout.shapes)
    assert start.pop("levels") == (pytest.approx(0.44), 0)
    assert all(low < 0 and lines == 1 for low, lines in start.values()), start


def test_labels_of_groups_may_be_numbers():
    assert [row[0] for row in describe(by_user([1, 2, 3], [7, 7, 5])).rows] == ["5", "7"]


@pytest.mark.parametrize(
    ("values", "groups", "said"),
    [
        ([0.1, 0.2], ["a"], r"got shapes \(2,\) and \(1,\)"),
        ([[0.1]], ["a"], "one flat list"),
        ([], np.array([], dtype=str), "values holds no query"),
        ([0.1, float("nan")], ["a", "b"], "must be finite"),
        ([0.1] * 41, list(range(41)), "1 to 40"),
    ],
)
def test_groups_that_do_not_fit_are_refused(values, groups, said):
    with pytest.raises(ValueError, match=said):
        by_user(values, groups)


def test_plotly_takes_the_dots_of_groups_as_they_are():
    assert as_plotly_checks(by_user()) == as_sent(by_user())
