"""The exact staircase against brute force, with every kind of tie."""

import itertools
import tracemalloc
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ndcglib.metrics import ndcg, random_ndcg
from ndcglib.tuning import (
    Objective,
    climb,
    exact_line_search,
    linear_scores,
    score_staircase,
    staircase,
    staircases,
)
from ndcglib.tuning.objective import Linear
from ndcglib.tuning.staircases import Staircase, sweep_all

TOLERANCE = 1e-12


def problem(seed, n_queries=12, n_docs=6, n_features=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_queries, n_docs, n_features))
    return X, rng.integers(0, 4, (n_queries, n_docs)), rng.normal(size=n_features)


@st.composite
def small_problems(draw):
    """Features from a few whole numbers: ties, twins and many lines through one point."""
    n_queries, n_docs = draw(st.integers(1, 3)), draw(st.integers(1, 6))
    few = st.integers(-2, 2)
    X = draw(hnp.arrays(int, (n_queries, n_docs, 2), elements=few)).astype(float)
    y = draw(hnp.arrays(int, (n_queries, n_docs), elements=st.integers(0, 3)))
    w, direction = draw(hnp.arrays(int, 2, elements=few)), draw(hnp.arrays(int, 2, elements=few))
    return X, y, w, direction, draw(st.integers(1, 7))


def exact_ranks(X, w, direction, t):
    """Scores without any rounding, as ranks: equal where they are equal."""
    line = [Fraction(int(a)) + t * Fraction(int(b)) for a, b in zip(w, direction, strict=True)]
    ranks = []
    for query in X:
        scores = [sum(a * Fraction(int(x)) for a, x in zip(line, d, strict=True)) for d in query]
        ranks.append([sorted(set(scores)).index(s) for s in scores])
    return np.array(ranks)


def all_crossings(X, w, direction):
    """Each place where two lines of a query meet, without rounding."""
    found = set()
    for query in X.astype(int):
        lines = [
            (sum(int(a) * x for a, x in zip(w, d, strict=True)),
             sum(int(b) * x for b, x in zip(direction, d, strict=True)))
            for d in query.tolist()
        ]  # fmt: skip
        for i, (height, slope) in enumerate(lines):
            for other_height, other_slope in lines[:i]:
                if slope != other_slope:
                    found.add(Fraction(height - other_height, other_slope - slope))
    return sorted(found)


@settings(max_examples=150, deadline=None)
@given(small_problems())
def test_every_step_and_every_breakpoint_equal_exact_arithmetic(case):
    X, y, w, direction, k = case
    steps = staircase(X, y, w, direction, k=k)
    crossings = all_crossings(X, w, direction)
    assert steps.breakpoints == pytest.approx([float(t) for t in crossings], abs=TOLERANCE)
    ends = [Fraction(-100), *crossings, Fraction(100)]
    between = [(a + b) / 2 for a, b in itertools.pairwise(ends)]
    for places, values in ((between, steps.values), (crossings, steps.at)):
        expected = [ndcg(y, exact_ranks(X, w, direction, t), k=k) for t in places]
        assert values == pytest.approx(expected, abs=TOLERANCE)


OFFSETS = [0, 1e3, 1e5, -1e8, 1.7e9]  # 1.7e9: the seconds since 1970 of a day in 2023


@settings(max_examples=150, deadline=None)
@given(small_problems(), st.lists(st.sampled_from(OFFSETS), min_size=6, max_size=6))
def test_an_offset_within_a_query_changes_nothing(case, offsets):
    """Weights in tenths: as floats their sums round, in the digits that an offset leaves."""
    X, y, w, _, k = case
    crossings = all_crossings(X, w, [0, 10])
    far = X + np.array(offsets).reshape(3, 1, 2)[: len(X)]  # other queries, other offsets
    for features in (X, far):
        steps = staircase(features, y, w / 10, 1, k=k)
        assert steps.breakpoints == pytest.approx([float(t) for t in crossings], abs=1e-9)
        values = [
            ndcg(y, exact_ranks(X, w, [0, 10], t), k=k)
            for t in (
                (a + b) / 2
                for a, b in itertools.pairwise([-Fraction(99), *crossings, Fraction(99)])
            )
        ]
        assert steps.values == pytest.approx(values, abs=TOLERANCE)
    assume(0 not in crossings)  # there `w` itself ties documents, and what rounding decides counts
    plain, found = (exact_line_search(x, y, w / 10, 1, k=k) for x in (X, far))
    assert (found.t, found.ndcg) == pytest.approx((plain.t, plain.ndcg), abs=1e-9)


@pytest.mark.parametrize("offset", OFFSETS)
def test_the_line_search_reaches_the_best_of_all_orders_on_the_line(offset):
    for seed in range(200):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 5, (1, 6, 2)).astype(float), rng.integers(0, 4, (1, 6))
        w = rng.integers(1, 9, 2)
        found = exact_line_search(X + np.array([0, offset]), y, w / 10, 1)
        crossings = all_crossings(X, w, [0, 10])
        ends = [Fraction(-99), *crossings, Fraction(99)]
        between = [(a + b) / 2 for a, b in itertools.pairwise(ends)]
        reached = [ndcg(y, exact_ranks(X, w, [0, 10], t)) for t in (0, *between)]
        assert found.ndcg == pytest.approx(max(reached), abs=TOLERANCE)


def test_scores_of_one_document_are_told_apart_far_from_zero():
    scores = 1.7e9 + np.array([0.0, 1e-3, 2e-3])
    assert score_staircase([3, 2, 1], scores, 0).breakpoints.tolist() == scores[1:].tolist()


def test_gain_and_direction_are_passed_on():
    X, y, w = problem(8)
    direction = np.array([1.0, -2.0, 0.5])
    steps = staircase(X, y, w, direction, k=2, gain="exponential")
    for t in (-3.1, 0.0, 0.7, 12.0):
        expected = ndcg(y, X @ (w + t * direction), k=2, gain="exponential")
        assert steps.value(t) == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("pairs_at_once", [1, 40, 10**6])
def test_blocks_join_without_a_seam(monkeypatch, pairs_at_once):
    X, y, w = problem(9, n_queries=30)
    X[3], y[3] = X[20], y[20]  # the same breakpoints in two blocks
    expected = staircase(X, y, w, 2, k=4)
    monkeypatch.setattr(staircases, "PAIRS_AT_ONCE", pairs_at_once)
    found = staircase(X, y, w, 2, k=4)
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, abs=TOLERANCE)


@pytest.mark.parametrize("seed", range(5))
def test_documents_without_gain_may_be_left_out_of_the_search(seed):
    X, y, w = problem(seed, n_docs=9)
    X = X.round()  # ties and twins
    y *= np.random.default_rng(seed).random(y.shape) < 0.2
    linear = Linear(X, y, k=4)
    tables = linear.tables(linear.scores(w), linear.near[0])
    seen, every = sweep_all(tables, unseen=False), sweep_all(tables)
    assert len(seen.breakpoints) < len(every.breakpoints)
    for one, other in zip(seen.visible(), every.visible(), strict=True):
        assert one == pytest.approx(other, abs=TOLERANCE)


def test_too_many_crossings_are_refused_before_they_cost_memory():
    X, y = np.random.default_rng(0).random((1, 4000, 1)), np.zeros((1, 4000))
    tracemalloc.start()
    with pytest.raises(
        ValueError, match=r"up to 7,998,000 crossings and would need about 2\.3 GB"
    ):
        staircase(X, y, [1.0], 0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10e6
    # Of 4,000 documents one is relevant: the search needs its 3,999 crossings alone.
    y[0, 7] = 1
    with pytest.raises(ValueError, match=r"promising documents.*method='rosenbrock' or 'step'"):
        exact_line_search(X, y, [1.0], 0)
    assert climb(X[:, :1000], y[:, :1000], method="exact", start=[1.0], passes=1).train > 0


def test_the_memory_that_is_announced_is_what_it_takes():
    X, y = np.random.default_rng(0).random((1, 1000, 2)), np.arange(1000) % 4
    tracemalloc.start()
    staircase(X, y[None, :], [1.0, 1.0], 0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    announced = 999 * 500 * (staircases.PAIR_BYTES + staircases.CROSSING_BYTES)
    assert 0.6 * announced < peak < 1.1 * announced


def test_lines_that_only_rounding_keeps_apart_cross_at_one_place():
    rng = np.random.default_rng(0)
    slopes = rng.normal(size=(3, 6))
    X = np.stack((1.0 - 0.3 * slopes, slopes), axis=-1)  # all heights are 1 at t = 0.3
    y = rng.integers(0, 4, (3, 6))
    steps = staircase(X, y, [1.0, 0.0], 1)
    assert steps.breakpoints == pytest.approx([0.3], abs=TOLERANCE)
    assert steps.at == pytest.approx([random_ndcg(y)], abs=TOLERANCE)


def test_a_feature_of_the_query_has_no_step():
    X, y, w = problem(11)
    X[..., 1] = X[:, :1, 1]
    steps = staircase(X, y, w, 1)
    assert len(steps.breakpoints) == 0
    assert steps.values == pytest.approx([ndcg(y, X @ w)], abs=TOLERANCE)
    assert steps.value(3.0) == steps.values[0]
    assert steps.best() == (-np.inf, np.inf, steps.values[0])
    assert steps.best_middle() == 0.0


def test_lines_that_meet_beyond_all_floats_do_not_meet():
    X = np.array([[[1e308, 0.0], [-1e308, 1e-300]]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        steps = staircase(X, [[1, 0]], [0.9, 0.0], 1)
    assert len(steps.breakpoints) == 0
    assert steps.values.tolist() == [1.0]


def test_visible_keeps_the_function():
    X, y, w = problem(12)
    steps = staircase(X, y, w, 0, k=1)
    visible = steps.visible()
    assert 0 < len(visible.breakpoints) < len(steps.breakpoints)
    places = np.concatenate((steps.breakpoints, steps.breakpoints + 1e-6, [-99.0, 99.0]))
    assert visible.value(places) == pytest.approx(steps.value(places), abs=TOLERANCE)


def test_pieces_lead_from_end_to_end():
    steps = score_staircase([3, 0, 2], [0.4, 0.9, 0.1], 0)
    places = [(-np.inf, 0.1, 0.0), (0.1, 0.9, 0.5), (0.9, np.inf, 1.0)]
    values = [ndcg([3, 0, 2], [at, 0.9, 0.1]) for *_, at in places]
    assert [piece[:2] for piece in steps.pieces()] == [place[:2] for place in places]
    assert [piece[2] for piece in steps.pieces()] == pytest.approx(values)


def test_visible_keeps_a_breakpoint_that_only_ties():
    steps = Staircase(np.array([0.0, 1.0]), np.full(3, 0.5), np.array([0.5, 0.4]))
    assert steps.visible().breakpoints.tolist() == [1.0]


def test_value_at_one_place_is_a_number():
    steps = Staircase(np.array([0.0]), np.array([0.2, 0.6]), np.array([0.4]))
    assert [float(steps.value(t)) for t in (-1, 0, 1)] == [0.2, 0.4, 0.6]
    assert steps.value(np.array([-1, 0])).tolist() == [0.2, 0.4]


def test_best_is_the_leftmost_of_equals_and_its_middle_is_inside():
    steps = Staircase(np.array([0.0, 1.0, 2.0, 4.0]), np.array([0.1, 0.5, 0.2, 0.5 + 1e-15, 0.3]),
                      np.array([0.3, 0.35, 0.35, 0.4]))  # fmt: skip
    assert steps.best()[:2] == (0.0, 1.0)
    assert steps.best_middle() == 0.5


@pytest.mark.parametrize(("values", "expected"), [([0.9, 0.5, 0.2], -0.5), ([0.1, 0.2, 0.9], 1.5)])
def test_a_step_without_end_is_entered_beyond_the_last_breakpoint(values, expected):
    steps = Staircase(np.array([0.0, 1.0]), np.array(values), np.array([0.5, 0.5]))
    assert steps.best_middle() == expected
    one = Staircase(np.array([2.0]), np.array([0.1, 0.9]), np.array([0.5]))
    assert one.best_middle(reach=3.0) == 5.0


# --- the line search ------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_line_search_beats_a_fine_grid_and_tells_the_truth(seed):
    X, y, w = problem(20 + seed)
    found = exact_line_search(X, y, w, 1, k=3)
    grid = np.linspace(-30, 30, 3001)
    scores = linear_scores(X, w)
    best = max(ndcg(y, scores + t * X[..., 1], k=3) for t in grid)
    assert found.ndcg >= best - TOLERANCE
    assert found.ndcg == pytest.approx(ndcg(y, linear_scores(X, found.w), k=3), abs=TOLERANCE)
    assert found.w == pytest.approx(w + found.t * np.array([0, 1, 0]))
    again = exact_line_search(X, y, found.w, 1, k=3)
    assert again.t == 0
    assert (again.w == found.w).all()


# --- one document ---------------------------------------------------------------------


@pytest.mark.parametrize("k", [None, 2])
@pytest.mark.parametrize("document", range(5))
def test_the_score_of_one_document(document, k):
    y, scores = np.array([3, 0, 2, 1, 0]), np.array([0.4, 0.9, 0.1, 0.4, 0.2])
    steps = score_staircase(y, scores, document, k=k)
    others = np.delete(scores, document)
    assert steps.breakpoints.tolist() == sorted(set(others.tolist()))
    for t in (*steps.breakpoints, *(steps.breakpoints + 0.01), -5.0, 5.0):
        moved = scores.copy()
        moved[document] = t
        assert steps.value(t) == pytest.approx(ndcg(y, moved, k=k), abs=TOLERANCE)


# --- the objective --------------------------------------------------------------------


@pytest.mark.parametrize("gain", ["linear", "exponential", {0: 0, 1: 5, 2: 6, 3: 9}, np.sqrt])
@pytest.mark.parametrize("k", [None, 1, 4, 50])
def test_objective_equals_ndcg(k, gain):
    rng = np.random.default_rng(3)
    y, scores = rng.integers(0, 4, (20, 7)), rng.integers(0, 5, (20, 7)).astype(float)
    y[4] = 0
    objective = Objective(y, k=k, gain=gain)
    each = ndcg(y, scores, k=k, gain=gain, per_query=True)
    assert objective.per_query(scores) == pytest.approx(each, abs=TOLERANCE)
    assert objective(scores) == pytest.approx(each.mean(), abs=TOLERANCE)


def test_equal_documents_tie_to_the_last_bit():
    rng = np.random.default_rng(4)
    X, w = rng.normal(size=(50, 13, 11)), rng.normal(size=11)
    X[:, 7:] = X[:, :6]
    scores = linear_scores(X, w)
    assert (scores[:, 7:] == scores[:, :6]).all()
    assert scores == pytest.approx(X @ w)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (dict(X=[[1.0, 2.0]]), r"X must have shape \(n_queries, n_docs, n_features\).*`query`"),
        (dict(X=[[[1.0], [2.0, 3.0]]]), "rows of unequal length"),
        (
            dict(X=[[[1.0, 2.0], [0.0, np.nan]]]),
            r"X\[0\] must be finite, got nan at index \(1, 1\); put a number",
        ),
        (dict(y=[[1, 2, 3]]), r"one grade for each document of X, shape \(1, 2\), got \(1, 3\)"),
        (dict(w=[1.0]), r"w must have one number for each feature, shape \(2,\), got \(1,\)"),
        (dict(direction=2), "direction must be a whole number from 0 to 1, got 2"),
        (dict(direction=[1.0]), r"direction must have one number for each feature"),
    ],
)
def test_errors_say_what_came_and_what_is_allowed(change, message):
    given_ = dict(X=[[[1.0, 2.0], [0.0, 1.0]]], y=[[1, 0]], w=[1.0, 0.0], direction=0) | change
    with pytest.raises((TypeError, ValueError), match=message):
        staircase(**given_)


def test_queries_of_unequal_length():
    rng = np.random.default_rng(5)
    query = np.repeat([3, 1, 2], [4, 2, 5])
    X, y, w = rng.normal(size=(11, 2)), rng.integers(1, 4, 11), rng.normal(size=2)
    linear = Linear(X, y, query, k=3, gain={1: 1, 2: 5, 3: 7})
    each = [
        ndcg(y[query == q], X[query == q] @ w, k=3, gain={1: 1, 2: 5, 3: 7}) for q in (1, 2, 3)
    ]
    by_size = [each[0], each[2], each[1]]
    assert linear.per_query(linear.scores(w)) == pytest.approx(by_size, abs=TOLERANCE)
    steps = sweep_all(linear.tables(linear.scores(w), linear.near[0]))
    for t in (-2.2, 0.0, 0.3, 5.0):
        assert steps.value(t) == pytest.approx(linear.at(w + np.array([t, 0])), abs=TOLERANCE)
    assert len(steps.breakpoints) == 1 + 6 + 10
