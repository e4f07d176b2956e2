"""The staircase charts of notebook *climb*, against NDCG computed anew at each place."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stage import in_plotly

from course.figures.staircases import DOCUMENTS, crossing_lines, place_text, staircase
from coursekit.figure import describe
from ndcglib.metrics import ndcg
from ndcglib.tuning import Staircase, score_staircase
from ndcglib.tuning import staircase as staircase_of
from ndcglib.tuning.steps import between

GRADES, SCORES = [3, 2, 3, 0, 1, 2], [0.10, 0.20, 0.30, 0.95, 0.80, 0.70]
OF_C = score_staircase(GRADES, SCORES, 2)
LINES = ([0.1, 0.9, 0.4, 0.6], [1, -0.4, 0.1, -0.05], [3, 0, 2, 1])


def ndcg_of_c(t):
    return ndcg(GRADES, [*SCORES[:2], t, *SCORES[3:]])


def many_steps(n_queries=200, n_docs=8, seed=0):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n_queries, n_docs, 2)), rng.integers(0, 4, (n_queries, n_docs))
    return staircase_of(X, y, [1, 0], 1, k=5)


def trace(figure, name):
    return next(trace for trace in in_plotly(figure).data if trace.name == name)


def drawn_value(line, t):
    """What a staircase drawn "hv" shows at t, which is on no breakpoint."""
    return line.y[int(np.searchsorted(line.x, t)) - 1]


# --- places in words ------------------------------------------------------------------


def test_place_text():
    assert place_text(0.4) == "0.400"
    assert place_text(-1) == "−1.000"
    assert place_text(-0.0001) == "0.000"
    assert place_text(0.55, 0.5503) == "0.5500"
    assert place_text(0.5503, 0.55) == "0.5503"
    assert place_text(0.1, digits=5) == "0.10000"
    assert place_text(0, -0.00002) == "0.00000"
    assert place_text(-0.00002, 0) == "−0.00002"
    assert place_text(0.5, 0.5) == "0.500000000"  # digits end


@given(st.floats(-5, 5), st.floats(-5, 5))
def test_two_places_are_told_apart(one, other):
    if abs(one - other) > 1e-8:
        assert place_text(one, other) != place_text(other, one)
    assert float(place_text(one, other).replace("−", "-")) == pytest.approx(one, abs=5.001e-4)


# --- the part between two places ------------------------------------------------------


def test_only_what_changes_ndcg_is_a_step():
    """C passes A, of the same grade, at 0.1: a breakpoint where nothing changes."""
    assert 0.1 in OF_C.breakpoints
    steps = between(OF_C, -0.1, 1.1)
    assert steps.edges == [-0.1, 0.2, 0.7, 0.8, 0.95, 1.1]
    middles = [(a + b) / 2 for a, b in itertools.pairwise(steps.edges)]
    assert steps.values == pytest.approx([ndcg_of_c(t) for t in middles])
    assert steps.ties == pytest.approx([ndcg_of_c(t) for t in steps.edges[1:-1]])
    assert steps.best == 4


def test_ends_on_a_breakpoint_are_no_jump():
    steps = between(OF_C, 0.2, 0.8)
    assert steps.edges == [0.2, 0.7, 0.8]
    assert steps.values == pytest.approx([ndcg_of_c(0.5), ndcg_of_c(0.75)])


def test_of_equal_steps_the_leftmost_is_best():
    steps = between(Staircase(np.arange(3.0), np.array([0.2, 0.8, 0.5, 0.8]), np.zeros(3)), -1, 3)
    assert steps.best == 1


# --- a staircase alone ----------------------------------------------------------------


def test_few_steps_are_drawn_whole():
    figure = staircase(OF_C, -0.1, 1.1, at=0.412, x_title="score of C")
    line = trace(figure, "mean NDCG")
    assert line.line.shape == "hv"
    assert list(line.x) == [-0.1, 0.2, 0.7, 0.8, 0.95, 1.1]
    for t in (0, 0.15, 0.3, 0.699, 0.701, 0.9, 1.05):
        assert drawn_value(line, t) == pytest.approx(ndcg_of_c(t), abs=1e-6)
    ties = trace(figure, "on a tie")
    assert list(ties.x) == [0.2, 0.7, 0.8, 0.95]
    assert list(ties.y) == pytest.approx([ndcg_of_c(t) for t in ties.x], abs=1e-6)
    assert ties.marker.color == "white"
    best = trace(figure, "best step")
    assert (best.x[0], best.x[-1]) == (0.95, 1.1)
    assert set(best.y) == {round(ndcg_of_c(1), 6)}
    assert best.line.width > 2 * line.line.width
    dot = trace(figure, "at 0.412")
    assert (dot.x, dot.y) == ((0.412,), (round(ndcg_of_c(0.412), 6),))
    (mark,) = in_plotly(figure).layout.shapes
    assert (mark.x0, mark.x1) == (0.412, 0.412)
    assert in_plotly(figure).layout.xaxis.title.text == "score of C"
    assert in_plotly(figure).layout.xaxis.range == (-0.1, 1.1)


def test_the_words_of_a_staircase():
    figure = staircase(OF_C, -0.1, 1.1, at=0.412)
    values = [ndcg_of_c(t) for t in (0, 0.5, 0.75, 0.9, 1)]
    assert in_plotly(figure).layout.title.text == (
        f"NDCG has 5 steps between −0.1 and 1.1; best {values[-1]:.4f}"
    )
    words = describe(figure)
    assert words.sentence == (
        f"Mean NDCG has 5 steps between −0.1 and 1.1, each of them flat. The lowest is "
        f"{values[0]:.4f}, the best {values[-1]:.4f}, from 0.950 on. "
        f"At 0.412 it is {values[1]:.4f}."
    )
    assert words.rows[0] == ["marked", "at 0.412", round(values[1], 4)]
    assert words.rows[1] == ["step", "up to 0.200", round(values[0], 4)]
    assert words.rows[2] == ["tie", "at 0.200", round(ndcg_of_c(0.2), 4)]
    assert words.rows[3] == ["step", "from 0.200 to 0.700", round(values[1], 4)]
    assert words.rows[-1] == ["step", "from 0.950 on", round(values[-1], 4)]
    assert len(words.rows) == 1 + 5 + 4


def test_without_a_jump_and_with_one():
    flat = staircase(OF_C, 0.3, 0.6)
    assert (
        in_plotly(flat).layout.title.text
        == f"No jump between 0.3 and 0.6: NDCG is {ndcg_of_c(0.5):.4f}"
    )
    assert "1 step between 0.3 and 0.6" in describe(flat).sentence
    assert describe(flat).rows == [["step", "everywhere", round(ndcg_of_c(0.5), 4)]]
    assert "on a tie" not in [t.name for t in in_plotly(flat).data]
    once = staircase(OF_C, 0.3, 0.75)
    assert in_plotly(once).layout.title.text.startswith("NDCG has 2 steps between 0.3 and 0.75;")
    low, high = in_plotly(once).layout.yaxis.range
    assert low < ndcg_of_c(0.5) < ndcg_of_c(0.74) < high


def test_a_mark_on_a_tie_is_its_average():
    figure = staircase(OF_C, -0.1, 1.1, at=0.7)
    assert trace(figure, "at 0.7").y == (round(ndcg_of_c(0.7), 6),)
    assert trace(figure, "at 0.7").y[0] not in trace(figure, "mean NDCG").y


def test_of_several_marks_the_first_has_a_line_to_compare_with():
    marked = (0.75, 0.5, 1)
    figure = staircase(OF_C, -0.1, 1.1, at=marked)
    values = [round(ndcg_of_c(t), 6) for t in marked]
    dots = [trace(figure, f"at {t}") for t in ("0.75", "0.5", "1")]
    assert [dot.y[0] for dot in dots] == values
    assert len({dot.marker.symbol for dot in dots}) == 3
    *through, level = in_plotly(figure).layout.shapes
    assert [mark.x0 for mark in through] == list(marked)
    assert level.y0 == level.y1 == values[0]
    told = ", at ".join(f"{t:.3f} it is {v:.4f}" for t, v in zip(marked, values, strict=True))
    assert describe(figure).sentence.endswith(f" At {told}.")
    assert [row[0] for row in describe(figure).rows[:4]] == ["marked"] * 3 + ["step"]
    for places in ((0, 0.1, 0.2, 0.3), ()):
        with pytest.raises(ValueError, match=f"at must hold 1 to 3 places, got {len(places)}"):
            staircase(OF_C, -0.1, 1.1, at=places)


def test_very_many_steps_are_thinned_and_none_is_invented():
    steps = many_steps()
    figure = staircase(steps, -4, 4)
    line = trace(figure, "mean NDCG")
    whole = between(steps, -4, 4)
    assert len(whole.values) > 2000
    assert 300 <= len(line.x) <= 605
    assert list(line.x) == sorted(line.x)
    # Each point drawn begins a step, at its own place and with its own value.
    real = {round(x, 6): round(y, 6) for x, y in zip(whole.edges, whole.values, strict=False)}
    for x, y in zip(line.x[:-1], line.y[:-1], strict=True):
        assert real[x] == y
    assert max(line.y) == round(max(whole.values), 6)
    assert min(line.y) == round(min(whole.values), 6)
    # The drawn curve is within what its column of the range holds.
    for t in np.linspace(-3.9, 3.9, 200):
        near = between(steps, t - 8 / 300, t + 8 / 300).values
        assert min(near) - 1e-6 <= drawn_value(line, t) <= max(near) + 1e-6
    assert "on a tie" not in [t.name for t in in_plotly(figure).data]
    best = trace(figure, "best step")
    low, high, value = steps.best()
    assert best.x[0] == pytest.approx(low, abs=1e-6)
    assert best.x[-1] == pytest.approx(high, abs=1e-6)
    assert best.y[0] == round(value, 6)
    assert best.marker.size[1] > 0  # a step too narrow to see has a marker
    rows = describe(figure).rows
    assert len(rows) == 12
    values = sorted(whole.values, reverse=True)
    assert [row[2] for row in rows[:10]] == [round(v, 4) for v in values[:10]]
    assert rows[10][0] == f"{len(values) - 11:,} more steps, all between"
    assert rows[11][2] == round(values[-1], 4)
    assert in_plotly(figure).layout.title.text.startswith(
        f"NDCG has {len(values):,} steps between"
    )
    assert len(in_plotly(figure).to_json()) < 25_000


def test_a_thinned_curve_reaches_from_end_to_end():
    """Though the first and the last step are neither lowest nor highest of their column."""
    values = np.array([0.5, 0.4, 0.6] * 300 + [0.5])
    steps = Staircase(np.arange(1.0, 901), values, values[1:])
    line = trace(staircase(steps, 0, 901), "mean NDCG")
    assert (line.x[0], line.y[0]) == (0, 0.5)
    assert (line.x[-1], line.y[-1]) == (901, 0.5)


@pytest.mark.parametrize("jumps", [12, 13])
def test_ties_are_drawn_up_to_twelve(jumps):
    values = np.arange(jumps + 1) / 20
    steps = Staircase(np.arange(jumps) * 1.0, values, (values[1:] + values[:-1]) / 2)
    names = [trace.name for trace in in_plotly(staircase(steps, -1, jumps)).data]
    assert ("on a tie" in names) == (jumps == 12)


@pytest.mark.parametrize("n", [40, 41])
def test_the_table_is_whole_up_to_forty_steps(n):
    values = np.arange(n) / 50
    steps = Staircase(np.arange(n - 1) * 1.0, values, (values[1:] + values[:-1]) / 2)
    rows = describe(staircase(steps, -1, n)).rows
    assert len(rows) == (2 * n - 1 if n == 40 else 12)


@pytest.mark.parametrize("width", [1e-2, 1e-4, 1e-6])
def test_a_zoom_tells_the_places_apart(width):
    edges = 0.1 + width * np.array([0.2, 0.4, 0.6])
    steps = Staircase(edges, np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.15, 0.25, 0.35]))
    figure = staircase(steps, 0.1, 0.1 + width, at=0.1 + width / 2)
    drawn = np.array(trace(figure, "mean NDCG").x)
    assert (drawn - 0.1) / width == pytest.approx([0, 0.2, 0.4, 0.6, 1], abs=0.01)
    places = [row[1] for row in describe(figure).rows if row[0] in ("tie", "marked")]
    assert len(set(places)) == 4


@given(st.integers(0, 50), st.floats(-2, 1.5), st.floats(0.01, 2))
@settings(deadline=None, max_examples=25)
def test_what_is_drawn_is_ndcg(seed, low, width):
    """At any place, the curve has the NDCG of the scores there."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(3, 4, 2)), rng.integers(0, 4, (3, 4))
    figure = staircase(staircase_of(X, y, [1, 0], 1), low, low + width)
    line = trace(figure, "mean NDCG")
    for t in low + width * rng.random(5):
        if np.abs(np.array(line.x) - t).min() > 1e-5:
            expected = ndcg(y, X[..., 0] + t * X[..., 1])
            assert drawn_value(line, t) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (([1, 2], 0, 1), {}, TypeError, "steps must be a Staircase, .* got .1, 2."),
        ((OF_C, 2, 1), {}, ValueError, "low must be below high, got low=2 and high=1"),
        ((OF_C, 0, True), {}, TypeError, "high must be a finite number, got True"),
        (
            (OF_C, 0, 1),
            {"at": 1.2},
            ValueError,
            "at must be a finite number from 0.0 to 1.0, the ends shown, got 1.2",
        ),
    ],
)
def test_staircases_that_are_none(arguments, options, error, message):
    with pytest.raises(error, match=message):
        staircase(*arguments, **options)


# --- lines that cross -----------------------------------------------------------------


def value_at(lines, t, k=None):
    intercepts, slopes, grades = (np.array(column, dtype=float) for column in lines)
    return ndcg(grades, intercepts + t * slopes, k=k)


def crossings_of(lines, low, high):
    """Where two lines cross between the ends, by solving for each pair."""
    pairs = itertools.combinations(zip(*lines[:2], strict=True), 2)
    meets = [(a - c) / (d - b) for (a, b), (c, d) in pairs if b != d]
    return sorted(t for t in meets if low < t < high)


def marks(figure):
    return {name: trace(figure, name) for name in ("NDCG changes", "NDCG stays")}


def test_crossings_stand_over_the_steps():
    figure = crossing_lines(*LINES, -1, 2)
    places = crossings_of(LINES, -1, 2)
    assert in_plotly(figure).layout.title.text == "Lines cross at 6 places; NDCG changes at 6 of 6"
    changing = marks(figure)["NDCG changes"]
    assert list(changing.x) == pytest.approx(places, abs=1e-6)
    *through, level = in_plotly(figure).layout.shapes
    assert [mark.x0 for mark in through] == pytest.approx(places, abs=1e-6)
    assert all(mark.yref == "paper" and (mark.y0, mark.y1) == (0, 1) for mark in through)
    assert all(mark.x0 == mark.x1 for mark in through)
    check_level(figure, level, LINES[2])
    stairs = trace(figure, "NDCG")
    assert stairs.yaxis == "y2"
    assert list(stairs.x[1:-1]) == pytest.approx(places, abs=1e-6)
    for t in (-0.5, 0.4, 0.5, 0.7, 0.9, 1.2, 1.7):
        assert drawn_value(stairs, t) == pytest.approx(value_at(LINES, t), abs=1e-6)
    # One axis of t for both panels, and one above the other.
    assert {trace.xaxis for trace in in_plotly(figure).data} <= {None, "x"}
    assert in_plotly(figure).layout.yaxis.domain[0] > in_plotly(figure).layout.yaxis2.domain[1]
    assert in_plotly(figure).layout.xaxis.range == (-1, 2)


def check_level(figure, level, grades):
    """A dashed line where all orders are on average, in the panel of NDCG, and its name."""
    orders = [ndcg(order, ranked=True) for order in itertools.permutations(grades)]
    assert level.y0 == level.y1 == pytest.approx(np.mean(orders), abs=1e-6)
    assert (level.yref, level.line.dash) == ("y2", "dash")
    low, high = in_plotly(figure).layout.yaxis2.range
    assert low <= level.y0 <= high
    name = in_plotly(figure).layout.annotations[-1]
    assert (name.text, name.y, name.yref) == ("random<br>order", level.y0, "y2")
    assert describe(figure).sentence.endswith(f" A random order gets {level.y0:.4f}.")


def test_each_document_is_a_line_with_its_name():
    figure = crossing_lines(*LINES, -1, 2)
    for letter, a, b in zip("ABCD", *LINES[:2], strict=True):
        line = trace(figure, letter)
        assert list(line.x) == [-1, 2]
        assert list(line.y) == pytest.approx([a - b, a + 2 * b], abs=1e-6)
    looks = [(trace(figure, x).line.dash, trace(figure, x).marker.symbol) for x in "ABCD"]
    assert len(set(looks)) == 4
    names = in_plotly(figure).layout.annotations[:-1]  # the last one is that of a random order
    labels = [note.text for note in names]
    assert labels == [
        "<b>A</b> grade 3",
        "<b>B</b> grade 0",
        "<b>C</b> grade 2",
        "<b>D</b> grade 1",
    ]
    heights = [note.y for note in names]
    ends = [a + 2 * b for a, b in zip(*LINES[:2], strict=True)]
    assert np.argsort(heights).tolist() == np.argsort(ends).tolist()
    assert heights[0] == pytest.approx(ends[0])  # far from the others: at its line
    assert len({look.symbol for look in DOCUMENTS}) == 6
    assert len({look.dash for look in DOCUMENTS}) == 6


def test_crossings_below_the_cutoff_change_nothing():
    lines = [[0.9, 0.8, 0.3, 0.1], [0, 0, 0, 0.5], [3, 2, 1, 0]]
    figure = crossing_lines(*lines, 0, 1, k=2)
    assert (
        in_plotly(figure).layout.title.text == "Lines cross at 1 place; NDCG@2 changes at 0 of 1"
    )
    found = marks(figure)
    assert list(found["NDCG stays"].x) == [0.4]
    assert list(found["NDCG changes"].x) == []
    assert found["NDCG stays"].marker.symbol != found["NDCG changes"].marker.symbol
    assert len(in_plotly(figure).layout.shapes) == 1  # the level
    assert describe(figure).rows[0][-1] == "no"
    assert describe(figure).sentence.startswith("It stays where they cross at t = 0.400.")
    assert in_plotly(figure).layout.yaxis2.title.text == "NDCG@2"
    whole = crossing_lines(*lines, 0, 1)
    assert in_plotly(whole).layout.title.text == "Lines cross at 1 place; NDCG changes at 1 of 1"


def test_three_lines_through_one_point_cross_at_one_place():
    figure = crossing_lines([0, 1, 2, 9], [2, 0, -2, 0], [1, 0, 2, 3], -1, 2)
    assert in_plotly(figure).layout.title.text == "Lines cross at 1 place; NDCG changes at 1 of 1"
    (row,) = describe(figure).rows
    lines = ([0, 1, 2, 9], [2, 0, -2, 0], [1, 0, 2, 3])
    values = [value_at(lines, t) for t in (0.4, 0.5, 0.6)]
    assert row == [
        "0.500", "A and B, A and C, B and C", *(round(v, 4) for v in values), "yes",
    ]  # fmt: skip
    assert set(marks(figure)["NDCG changes"].y) == {1}


def test_a_notch_is_a_change():
    """Lines that touch in a point: NDCG is another there, and the same on both sides."""
    lines = ([0.0, 0.5, 1.0], [1, 0, -1], [1, 0, 1])
    figure = crossing_lines(*lines, 0, 1)
    assert value_at(lines, 0.4) == pytest.approx(value_at(lines, 0.6))
    assert value_at(lines, 0.5) < value_at(lines, 0.4)
    assert "at 1 of 1" in in_plotly(figure).layout.title.text


def test_lines_that_never_cross():
    figure = crossing_lines([1, 2, 3], [1, 1, 1], [0, 1, 2], 0, 1)
    assert in_plotly(figure).layout.title.text == "No lines cross here: NDCG stays the same"
    assert describe(figure).rows == []
    assert describe(figure).sentence.startswith("NDCG is 1.0000 all along. A random order gets ")


SMALL = st.integers(-8, 8)


@given(
    st.lists(st.tuples(SMALL, SMALL, st.integers(0, 3)), min_size=3, max_size=6),
    st.sampled_from([None, 1, 2]),
)
@settings(deadline=None, max_examples=60)
def test_every_crossing_and_what_it_does(documents, k):
    lines = [list(column) for column in zip(*documents, strict=True)]
    if max(lines[2]) == 0:
        return
    low, high = -3.1, 3.3
    figure = crossing_lines(*lines, low, high, k=k)
    places = sorted({round(t, 9) for t in crossings_of(lines, low, high)})
    rows = describe(figure).rows
    assert len(rows) == len(places)
    gaps = np.diff([low, *places, high])
    near = min(gaps.min() / 3, 1e-3)
    for t, row in zip(places, rows, strict=True):
        around = [value_at(lines, t - near, k), value_at(lines, t + near, k)]
        assert [row[2], row[4]] == pytest.approx(around, abs=6e-5)
        pairs = [
            f"{'ABCDEF'[i]} and {'ABCDEF'[j]}"
            for i, j in itertools.combinations(range(len(documents)), 2)
            if lines[1][i] != lines[1][j]
            and abs((lines[0][i] - lines[0][j]) + t * (lines[1][i] - lines[1][j])) < 1e-6
        ]
        assert row[1] == ", ".join(pairs)
        if abs(around[0] - around[1]) > 1e-9:
            assert row[5] == "yes"
    changing = sum(row[5] == "yes" for row in rows)
    if rows:
        assert f"changes at {changing} of {len(rows)}" in in_plotly(figure).layout.title.text
    assert len(in_plotly(figure).layout.shapes) == changing + 1  # the level


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([1, 2], [0, 1], [1, 0], 0, 1), ValueError, "3 to 6 documents need .*got .* 2"),
        (
            ([1, 2, 3], [0, 1], [1, 0, 0], 0, 1),
            ValueError,
            "need an intercept, a slope and a grade each, got .*'slopes': 2",
        ),
        (([1, 2, 3], [0, 1, 2], [0, 0, 0], 0, 1), ValueError, "grades must be 0 or more, and"),
        (
            ([[1, 2, 3]], [0, 1, 2], [1, 0, 0], 0, 1),
            ValueError,
            r"of one query, .* got shape \(1, 3\)",
        ),
    ],
)
def test_lines_that_do_not_fit(arguments, error, message):
    with pytest.raises(error, match=message):
        crossing_lines(*arguments)
