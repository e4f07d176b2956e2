"""Training against test: which run is best, and where it lands on fresh queries."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stage import in_plotly

from course import figures

RUNS = [(0.75, 0.71), (0.80, 0.72), (0.78, 0.74), (0.79, 0.70)]
MARKS = {"least squares": (0.76, 0.75), "truth": (0.74, 0.76)}
VALUES = st.floats(0, 1)


def ends(trace):
    """Return the value on the training and on the test queries of each line of a trace."""
    assert trace.x == (0, 1, None) * (len(trace.x) // 3)
    return list(zip(trace.y[::3], trace.y[1::3], strict=True))


def test_every_run_and_every_mark_is_drawn_and_listed():
    figure = figures.train_against_test(RUNS, MARKS, k=5)
    drawn = in_plotly(figure)
    assert {trace.name: ends(trace) for trace in drawn.data} == {
        "other runs": [(0.79, 0.70), (0.78, 0.74), (0.75, 0.71)],
        "best in training": [(0.80, 0.72)],
        "least squares": [(0.76, 0.75)],
        "truth": [(0.74, 0.76)],
    }
    words = figures.describe(figure)
    assert len(words.rows) == len(RUNS) + len(MARKS)
    assert words.rows[0] == ["run", 0.80, 0.72]
    assert "0.8000 there and 0.7200 on the test" in words.sentence
    assert "least squares: 0.7600 and 0.7500." in words.sentence
    assert drawn.layout.title.text == "The best of 4 runs in training is number 2 on the test"
    assert "NDCG@5" in drawn.layout.yaxis.title.text
    assert drawn.data[-1].name == "best in training"  # last, so that no other mark covers it
    low, high = drawn.layout.yaxis.range
    assert all(low < value < high for trace in drawn.data for run in ends(trace) for value in run)


def test_names_stand_at_the_ends_of_their_lines():
    notes = in_plotly(figures.train_against_test(RUNS, MARKS)).layout.annotations
    names = [note.text for note in sorted(notes, key=lambda note: -note.y)]
    assert names == [
        "truth<br>0.7400 → <b>0.7600</b>",
        "least squares<br>0.7600 → <b>0.7500</b>",
        "best in training<br>0.8000 → <b>0.7200</b>",
        "3 other runs",
    ]


def test_no_two_kinds_of_lines_look_alike():
    marks = {str(i): (0.1 * i, 0.2) for i in range(4)}
    figure = in_plotly(figures.train_against_test(RUNS, marks))
    looks = [(trace.line.color, trace.line.dash) for trace in figure.data]
    assert len(set(looks)) == len(looks)
    assert "@" not in figure.layout.yaxis.title.text


@settings(deadline=None)
@given(st.lists(st.tuples(VALUES, VALUES), min_size=2, max_size=9, unique_by=lambda run: run[0]))
def test_the_place_counts_who_is_better_on_the_test(runs):
    ranked = sorted((test for _, test in runs), reverse=True)
    best = max(runs)[1]
    title = in_plotly(figures.train_against_test(runs, {})).layout.title.text.replace("<br>", " ")
    assert title.endswith(f"is number {1 + ranked.index(best)} on the test")


@pytest.mark.parametrize(
    ("runs", "marks", "message"),
    [
        (RUNS[:1], {}, "runs must hold at least 2, got 1"),
        (RUNS, {str(i): (0, 0) for i in range(5)}, "marks must hold 0 to 4 entries, got 5"),
    ],
)
def test_what_cannot_be_drawn_is_refused(runs, marks, message):
    with pytest.raises(ValueError, match=message):
        figures.train_against_test(runs, marks)
