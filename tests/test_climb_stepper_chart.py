"""The charts of a climb, of notebook 11: whole climbs, and the parts of one pass."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers.course.explorers.climb_stepper.chart import (
    Listed,
    Moment,
    ascent_step,
    in_order,
)
from helpers.datasets import ranking_data
from helpers.figures.climb_curves import climb_curves
from helpers.figures.describe import describe
from helpers.figures.numbers import signed
from helpers.ranking import ranks
from helpers.tuning import Row, climb
from helpers.tuning.ascent import best_row
from helpers.tuning.moves import moved_weights, unit

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
    return figure.layout.title.text.replace("<br>", " ")


def named(figure, name):
    return [trace for trace in figure.data if trace.name == name]


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


@given(st.lists(st.integers(0, 5), min_size=1, max_size=15))
def test_ranks_against_the_sorted_list(scores):
    falling = sorted(scores, reverse=True)
    n = len(scores)
    expected = [(1 + falling.index(s), n - falling[::-1].index(s)) for s in scores]
    assert ranks(scores) == expected


def test_unit():
    assert unit([3, 4]).tolist() == [0.6, 0.8]
    assert unit([0, 0]).tolist() == [0, 0]


def test_signed():
    assert [signed(v) for v in (0.5, -0.5, -0.00001)] == ["0.5000", "−0.5000", "0.0000"]


# --- a whole climb --------------------------------------------------------------------


def test_the_curves_are_the_history_and_the_star_stands_on_the_best_pass(histories):
    for rows in histories.values():
        figure = climb_curves(rows, k=5)
        train, held, star = figure.data
        assert train.x == held.x == tuple(range(len(rows)))
        assert train.y == pytest.approx([row.train for row in rows], abs=1e-6)
        assert held.y == pytest.approx([row.validation for row in rows], abs=1e-6)
        assert (train.line.dash, held.line.dash) == ("solid", "dash")
        assert held.marker.symbol == f"{train.marker.symbol}-open"
        values = [row.validation for row in rows]
        assert star.x == (int(np.argmax(values)),)
        assert star.y == pytest.approx([max(values)], abs=1e-6)
        assert [trace.name for trace in figure.data] == [
            *("training", "validation", "best on validation")
        ]
        low, high = figure.layout.yaxis.range
        assert low < min(train.y + held.y) < max(train.y + held.y) < high
        assert figure.layout.yaxis.title.text == "mean NDCG@5"
        assert climb_curves(rows).layout.yaxis.title.text == "mean NDCG"


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
            "Validation is best at pass 2 (0.8000), where training ends too, at 0.7000",
        ),
        (
            [0.5, 0.7, 0.7],
            [0.5, 0.8, 0.8],
            "Validation is best at pass 1 (0.8000), where training ends too, at 0.7000",
        ),
        ([0.5, 0.7], None, "Training climbs from 0.5000 to 0.7000 in 1 pass"),
        ([0.5, 0.6, 0.7], None, "Training climbs from 0.5000 to 0.7000 in 2 passes"),
    ],
)
def test_the_finding_of_a_climb(train, validation, expected):
    figure = climb_curves(history_of(train, validation))
    assert title(figure) == expected
    assert max(map(len, figure.layout.title.text.split("<br>"))) <= 72


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


@pytest.mark.parametrize("last", [0, 1, 10, 11, 20, 21, 100, 500, 3000])
def test_ticks_of_passes_have_room(last):
    axis = climb_curves(history_of([0.5] * (last + 1), None)).layout.xaxis
    assert len(axis.tickvals) <= 11
    assert axis.tickvals[0] == 0
    assert axis.range[0] < 0
    assert axis.range[1] > last


def test_what_is_not_one_run_is_refused(found):
    with pytest.raises(TypeError, match=r"must be rows of helpers.tuning, got int"):
        climb_curves(3)
    with pytest.raises(TypeError, match=r"must be rows of helpers.tuning, got list"):
        climb_curves([1, 2])
    with pytest.raises(ValueError, match=r"must be one run, got runs \[0, 1\]; choose one"):
        climb_curves(found["step"].history)


# --- one pass -------------------------------------------------------------------------


def moment_of(number=1, *, scores=(3, 2, 1), before=(1, 2, 3), k=2, n=2, grades=None, **options):
    w = [np.array([0.6, 0.8] + [0.0] * (n - 2)), np.array([-0.6, 0.8] + [0.0] * (n - 2))]
    history = history_of([0.5, 0.6], [0.5, 0.45], w)
    grades = list(range(len(scores))) if grades is None else grades
    listed = Listed("query 1", grades, list(scores), list(before) if number else None, 0.9, 0.8)
    features = [f"x{i + 1}" for i in range(n)]
    values = dict(features=features, weights=None, listed=listed) | options
    return Moment(history, number, k, **values)


def test_letters_walk_with_their_documents():
    listed = Listed("q", [0, 3, 1, 2], [0.1, 0.9, 0.5, 0.5], [0.9, 0.1, 0.5, 0.4], 1, 1)
    places = in_order(listed)
    assert [(p.letter, p.grade, p.rank_text) for p in places] == [
        ("B", 3, "1"),
        ("C", 1, "2–3"),
        ("D", 2, "2–3"),
        ("A", 0, "4"),
    ]
    assert [p.text for p in places] == ["B ▲3", "C ▼0.5", "D ▲0.5", "A ▼3"]
    assert [p.text for p in in_order(listed._replace(before=None))] == list("BCDA")


SCORES = st.lists(st.integers(0, 4), min_size=2, max_size=15)


@given(SCORES, st.data())
def test_changes_of_rank_sum_to_zero(scores, data):
    n = len(scores)
    before = data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    places = in_order(Listed("q", [1] * n, scores, before, 1, 1))
    assert sum(place.change for place in places) == 0
    assert sorted(place.letter for place in places) == [chr(65 + i) for i in range(n)]
    assert [place.score for place in places] == sorted(scores, reverse=True)
    assert all(abs(place.change) <= n - 1 for place in places)


def test_ties_are_hatched_and_bars_beyond_k_white():
    figure = ascent_step(moment_of(scores=[3, 2, 2, 1], before=[1, 2, 2, 3], k=3))
    bars = figure.data[-1]
    assert bars.marker.pattern.shape == ("", "/", "/", "")
    assert bars.marker.color == ("#0072B2", "#0072B2", "#0072B2", "white")
    assert figure.layout.yaxis3.ticktext == ("1", "2–3", "2–3", "4")


@pytest.mark.parametrize("k", [None, 3, 4])
def test_without_ranks_beyond_k_there_is_no_cutoff(k):
    figure = ascent_step(moment_of(k=k))
    assert all(shape.xref != "x3 domain" for shape in figure.layout.shapes)
    assert figure.data[-1].marker.color == ("#0072B2",) * 3
    assert figure.layout.yaxis.title.text == ("mean NDCG" if k is None else f"mean NDCG@{k}")


def test_a_cutoff_stands_below_rank_k():
    figure = ascent_step(moment_of(k=2))
    (line,) = (shape for shape in figure.layout.shapes if shape.xref == "x3 domain")
    assert line.y0 == line.y1 == 2.5
    assert [n.y for n in figure.layout.annotations if n.text == "k = 2"] == [2.5]


def test_long_lists_are_cut_and_say_so():
    figure = ascent_step(moment_of(scores=range(15), before=range(15), k=13))
    assert len(figure.data[-1].x) == 12
    assert figure.layout.xaxis3.title.text == "grade, top 12 of 15"
    assert "k = 13" not in [note.text for note in figure.layout.annotations]
    names = [row[0] for row in describe(figure).rows]
    assert sum(name.startswith("rank of document") for name in names) == 15
    twelve = ascent_step(moment_of(scores=range(12), before=range(12), k=5))
    assert twelve.layout.xaxis3.title.text == "grade, by rank"


def test_many_features_are_not_all_named():
    figure = ascent_step(moment_of(n=20))
    assert figure.layout.yaxis2.ticktext == tuple(f"x{i}" for i in range(1, 21, 2))
    assert len(figure.data[3].x) == 20
    twelve = ascent_step(moment_of(n=12))
    assert len(twelve.layout.yaxis2.ticktext) == 12


@pytest.mark.parametrize("letters", [1, 3, 8, 12])
def test_names_of_features_have_room(letters):
    figure = ascent_step(moment_of(features=["w" * letters, "v"]))
    left, middle = figure.layout.xaxis.domain[1], figure.layout.xaxis2.domain
    # 14 px of text, about 0.56 em a letter, in a chart that is about 740 px wide
    assert middle[0] - left >= 0.56 * 14 * letters / 740
    assert left > 0.34
    assert middle[1] - middle[0] > 0.14
    assert figure.layout.xaxis3.domain[0] > middle[1]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([0.5, 0.5], [0.6, 0.45], "Pass 1: training up 0.1000, validation down 0.0500"),
        ([0.5, 0.5], [0.50004, 0.5], "Pass 1: training up under 0.0001, validation unchanged"),
        (
            [0.5, 0.5],
            [0.6, 0.6],
            "Pass 1, best on validation: training up 0.1000, validation up 0.1000",
        ),
        # As a reader subtracts the numbers shown: 0.5001 − 0.4999, though it is 0.0001.
        ([0.49994, 0.5], [0.50006, 0.49], "Pass 1: training up 0.0002, validation down 0.0100"),
    ],
)
def test_the_finding_of_a_pass(before, after, expected):
    history = history_of(*map(list, zip(before, after, strict=True)))
    history[1] = history[1]._replace(w=np.array([1.0, 0.0]))
    moment = moment_of()
    moment = Moment(history, 1, 2, moment.features, None, moment.listed)
    assert title(ascent_step(moment)) == expected


def test_a_pass_that_changes_nothing():
    history = history_of([0.5, 0.5], [0.4, 0.4])
    moment = moment_of(before=(3, 2, 1))
    figure = ascent_step(Moment(history, 1, 2, moment.features, None, moment.listed))
    assert title(figure) == "Pass 1 changes nothing: it finds no step that helps"
    assert "none moved" in [note.text for note in figure.layout.annotations]
    assert describe(figure).sentence.endswith("to 0.9000, no document moved.")


def test_the_start():
    figure = ascent_step(moment_of(0))
    assert title(figure) == "Start: mean NDCG@2 0.5000 on training, 0.5000 on validation"
    assert "at the start" in [note.text for note in figure.layout.annotations]
    assert describe(figure).sentence.endswith(" Query 1: 0.9000.")
    assert all(row[1] is None for row in describe(figure).rows)
    assert re.search("[▲▼–]", "".join(figure.data[-1].text)) is None


def test_starts_that_are_not_shown_are_named():
    assert "Pass 1 of 1, start 1 of 3: " in describe(ascent_step(moment_of(starts=3))).sentence
    assert "start 1" not in describe(ascent_step(moment_of())).sentence


def test_names_in_the_panels_are_no_markup():
    figure = ascent_step(moment_of(features=["<b>", "a&b"]))
    assert figure.layout.yaxis2.ticktext == ("&lt;b&gt;", "a&amp;b")


def test_the_figure_keeps_to_the_style():
    figure = ascent_step(moment_of(weights=np.array([1.0, 1.0])))
    assert figure == ascent_step(moment_of(weights=np.array([1.0, 1.0])))
    words = describe(figure)
    assert {len(row) for row in words.rows} == {len(words.header)} == {4}
    assert figure.layout.xaxis2.title.text == "weight (◇ generating)"
    assert ascent_step(moment_of()).layout.xaxis2.title.text == "weight"
    titles = [figure.layout[axis].title.text for axis in ("xaxis", "yaxis", "xaxis2", "xaxis3")]
    assert all(titles)
