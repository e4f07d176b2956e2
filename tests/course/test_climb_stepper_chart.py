"""The charts of a climb, of notebook *climb*: whole climbs, and the parts of one pass."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from stage import in_plotly

from course.explorers.climb_stepper_chart import Doc, Moment, ascent_step
from course.figures.climb_curves import climb_curves
from coursekit.figure import describe
from ndcglib.datasets import ranking_data
from ndcglib.tuning import Limits, Row, climb
from ndcglib.tuning.ascent import best_row
from ndcglib.tuning.moves import moved_weights, unit

METHODS = ("step", "rosenbrock", "exact")


@pytest.fixture(name="found", scope="module")
def _found():
    data = ranking_data(60, 8, 5, noise=1.0, seed=4)
    return {
        method: climb(
            *data.train,
            method=method,
            k=5,
            start="random",
            restarts=1,
            validation=data.validation,
            progress=False,
        )
        for method in METHODS
    }


@pytest.fixture(name="histories", scope="module")
def _histories(found):
    return {name: first_run(each) for name, each in found.items()}


def first_run(found):
    return [row for row in found.history if row.run == 0]


def history_of(train, validation, w=None):
    """Return rows of one run from their values alone."""
    validation = validation or [None] * len(train)
    w = w or [np.array([0.6, 0.8])] * len(train)
    parts = zip(itertools.count(), w, train, validation, strict=False)
    return [Row(0, i, each, t, v, 10 * i + 2) for i, each, t, v in parts]


def title(figure):
    return in_plotly(figure).layout.title.text.replace("<br>", " ")


def named(figure, name):
    return [trace for trace in in_plotly(figure).data if trace.name == name]


# --- what a history says --------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("method", METHODS)
def test_best_pass_is_what_climb_chooses(method, seed):
    data = ranking_data(40, 6, 4, noise=1.0, seed=seed)
    found = climb(
        *data.train, method=method, start="random", validation=data.validation, progress=False
    )
    row = best_row(found.history)
    assert row.validation == found.validation == max(r.validation for r in found.history)
    assert (row.w == found.w).all()


def test_of_equals_the_first_is_best():
    assert best_row(history_of([0.1, 0.2, 0.3], [0.5, 0.6, 0.6])).number == 1
    assert best_row(history_of([0.1, 0.2, 0.3], [0.5, 0.6, 0.6 + 1e-15])).number == 1
    assert best_row(history_of([0.1], [0.5])).number == 0


WEIGHT = st.floats(0.1, 1).flatmap(lambda x: st.sampled_from([x, -x]))


@given(st.lists(WEIGHT, min_size=5, max_size=8), st.data())
def test_moved_finds_the_weights_that_were_changed(start, data):
    """Up to half of the weights, less one: the others are then the largest group."""
    start = np.array(start)
    most = (len(start) - 1) // 2
    chosen = data.draw(st.sets(st.integers(0, len(start) - 1), max_size=most))
    after = start.copy()
    for i in chosen:
        after[i] += data.draw(st.floats(0.01, 1))
    assume(np.linalg.norm(after) > 0.01)
    expected = [i in chosen for i in range(len(start))]
    assert moved_weights(unit(start), unit(after)) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([0, 0, 0], [0, 1, 0], [False, True, False]),  # from zeros
        ([0, 1, 0], [0, 0.8, 0.6], [False, False, True]),  # one that kept its sign
        ([0, 0.8, 0.6], [0, 1, 0], [False, False, True]),  # one that went back to 0
        ([0.6, 0.8], [0.6, 0.8], [False, False]),
        ([0, 0], [0, 0], [False, False]),
        ([0.6, 0.8], [0.8, 0.6], [True, True]),  # which of the two cannot be told
        ([0.6, 0.8], [-0.6, 0.8], [True, False]),  # nothing but a step turns a sign
        ([1.0], [-1.0], [True]),
        ([0.5, 0.5, 0.5, 0.5], [-0.5, -0.5, -0.5, 0.5], [True, True, True, False]),
    ],
)
def test_moved_at_its_edges(before, after, expected):
    assert moved_weights(before, after) == expected


def test_moved_in_a_real_search():
    """Where a step search moved a weight, that weight left the proportion of the rest."""
    data = ranking_data(60, 8, 6, noise=1.0, seed=1)
    found = climb(*data.train, method="step", start="random", progress=False)
    seen = 0
    for before, after in itertools.pairwise(found.history):
        marks = moved_weights(before.w, after.w)
        assert any(marks) == (not np.array_equal(before.w, after.w))
        if 0 < sum(marks) < 5:
            still = ~np.array(marks)
            ratio = after.w[still] / before.w[still]
            assert np.ptp(ratio) < 1e-9
            assert (np.abs(after.w / before.w - ratio[0])[marks] > 1e-9).all()
            seen += 1
    assert seen >= 3


def test_unit():
    assert unit([3, 4]).tolist() == [0.6, 0.8]
    assert unit([0, 0]).tolist() == [0, 0]


# --- a whole climb --------------------------------------------------------------------


def test_the_curves_are_the_history_and_the_star_stands_on_the_best_pass(histories):
    for rows in histories.values():
        figure = climb_curves(rows, k=5)
        train, held, star = in_plotly(figure).data
        assert train.x == held.x == tuple(range(len(rows)))
        assert train.y == pytest.approx([row.train for row in rows], abs=1e-6)
        assert held.y == pytest.approx([row.validation for row in rows], abs=1e-6)
        assert (train.line.dash, held.line.dash) == ("solid", "dash")
        assert held.marker.symbol == f"{train.marker.symbol}-open"
        values = [row.validation for row in rows]
        assert star.x == (int(np.argmax(values)),)
        assert star.y == pytest.approx([max(values)], abs=1e-6)
        assert [trace.name for trace in in_plotly(figure).data] == [
            *("training", "validation", "best on validation")
        ]
        low, high = in_plotly(figure).layout.yaxis.range
        assert low < min(train.y + held.y) < max(train.y + held.y) < high
        assert in_plotly(figure).layout.yaxis.title.text == "mean NDCG@5"
        assert in_plotly(climb_curves(rows)).layout.yaxis.title.text == "mean NDCG"


@pytest.mark.parametrize(
    ("train", "validation", "expected"),
    [
        (
            [0.5, 0.6, 0.7],
            [0.5, 0.8, 0.6],
            "Validation is best at pass 1 (0.8000); training climbs on to 0.7000",
        ),
        (
            [0.5, 0.6, 0.7],
            [0.5, 0.6, 0.8],
            "Validation is best at pass 2 (0.8000), where training also ends, at 0.7000",
        ),
        (
            [0.5, 0.7, 0.7],
            [0.5, 0.8, 0.8],
            "Validation is best at pass 1 (0.8000), where training also ends, at 0.7000",
        ),
        ([0.5, 0.7], None, "Training climbs from 0.5000 to 0.7000 in 1 pass"),
        ([0.5, 0.6, 0.7], None, "Training climbs from 0.5000 to 0.7000 in 2 passes"),
    ],
)
def test_the_finding_of_a_climb(train, validation, expected):
    figure = climb_curves(history_of(train, validation))
    assert title(figure) == expected
    assert max(map(len, in_plotly(figure).layout.title.text.split("<br>"))) <= 72


def test_the_words_and_the_table(histories):
    for name, rows in histories.items():
        words, best = describe(climb_curves(rows, name=name)), best_row(rows)
        assert words.sentence == (
            f"{name}: {len(rows) - 1} passes, training from {rows[0].train:.4f} to "
            f"{rows[-1].train:.4f}; validation from {rows[0].validation:.4f} to "
            f"{rows[-1].validation:.4f}, best {best.validation:.4f} at pass {best.number}."
        )
        assert words.rows == [
            [name, row.number, f"{row.train:.4f}", f"{row.validation:.4f}", row.evaluations]
            for row in rows
        ]
    plain = describe(climb_curves(history_of([0.5, 0.7], None), name="mine"))
    assert plain.rows[1] == ["mine", 1, "0.7000", None, 12]
    assert plain.sentence == "mine: 1 pass, training from 0.5000 to 0.7000."


def test_the_two_lines_have_their_names_at_their_ends(histories):
    for rows in histories.values():
        notes = in_plotly(climb_curves(rows)).layout.annotations
        assert [note.text for note in notes] == ["training", "validation<br>(star: best)"]
        ends = (rows[-1].train, rows[-1].validation)
        assert (notes[0].y > notes[1].y) == (ends[0] > ends[1])
    assert not in_plotly(climb_curves(history_of([0.5, 0.7], None))).layout.annotations


@pytest.mark.parametrize("last", [0, 1, 10, 11, 20, 21, 100, 500, 3000])
def test_ticks_of_passes_have_room(last):
    axis = in_plotly(climb_curves(history_of([0.5] * (last + 1), None))).layout.xaxis
    assert len(axis.tickvals) <= 11
    assert axis.tickvals[0] == 0
    assert axis.range[0] < 0
    assert axis.range[1] > last


def test_what_is_not_one_run_is_refused(found):
    with pytest.raises(TypeError, match=r"must be rows of ndcglib.tuning, got int"):
        climb_curves(3)
    with pytest.raises(TypeError, match=r"must be rows of ndcglib.tuning, got list"):
        climb_curves([1, 2])
    with pytest.raises(ValueError, match=r"must be one run, got runs \[0, 1\]; choose one"):
        climb_curves(found["step"].history)


# --- one pass -------------------------------------------------------------------------


def moment_of(history, moved):
    weights, docs = [row.w.tolist() for row in history], [Doc("A", 1, 0.5, 1, 1)]
    best, known = best_row(history), weights[0]
    levels = {"training": Limits(8, 2, 3, 0.3, 0.75), "validation": Limits(4, 1, 1, 0.25, 0.75)}
    return Moment(history, best, 1, 2, weights, known, moved, "query 1", docs, 0.9, 0.8, levels)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([0.5, 0.5], [0.6, 0.45], "Pass 1: training up 0.1000, validation down 0.0500"),
        ([0.5, 0.5], [0.50004, 0.5], "Pass 1: training up under 0.0001, validation unchanged"),
        (
            [0.5, 0.5],
            [0.6, 0.6],
            "Pass 1, best so far: training up 0.1000, validation up 0.1000",
        ),
        # As a reader subtracts the numbers shown: 0.5001 − 0.4999, though it is 0.0001.
        ([0.49994, 0.5], [0.50006, 0.49], "Pass 1: training up 0.0002, validation down 0.0100"),
    ],
)
def test_the_finding_of_a_pass(before, after, expected):
    history = history_of(*map(list, zip(before, after, strict=True)))
    assert title(ascent_step(moment_of(history, [True, False]))) == expected


def test_a_pass_that_changes_nothing():
    figure = ascent_step(moment_of(history_of([0.5, 0.5], [0.4, 0.4]), [False, False]))
    assert title(figure) == "Pass 1 changes nothing, because it finds no move that helps"
    assert "none moved" in [note.text for note in in_plotly(figure).layout.annotations]
    said = describe(figure).sentence
    assert "training 0.5000 (random 0.3000, ceiling 0.7500)" in said
    assert "validation 0.4000 (0.2500 and 0.7500; best" in said
    assert said.endswith("→ 0.9000, none moved.")
