"""The ascent: never down, never below its start, the same for every unit and machine."""

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ndcglib.datasets.synthetic import ranking_data, textbook_data
from ndcglib.metrics import ndcg, ndcg_long, random_ndcg
from ndcglib.tuning import (
    ascent,
    baselines,
    climb,
    least_squares,
    limits,
    linear_scores,
    progress,
)
from ndcglib.tuning.moves import METHODS, Climber
from ndcglib.tuning.objective import Linear

TOLERANCE = 1e-12
STARTS = ["least squares", "zeros", "random", [0.3, -1.0, 0.2, 0.0, 2.0, 0.1]]


@pytest.fixture(name="data", scope="module")
def _data():
    return ranking_data(120, 8, truth="mixed", noise=0.5, seed=3)


def check_climb(found, X, y, start=None, **options):
    """What holds for every climb."""
    for w, value in ((found.w, found.train), *((r.w, r.train) for r in found.history)):
        again = ndcg(y, linear_scores(X, w), **options)
        assert value == pytest.approx(again, abs=TOLERANCE)
    for _, rows in itertools.groupby(found.history, key=lambda row: row.run):
        rows = list(rows)
        assert [row.number for row in rows] == list(range(len(rows)))
        assert (np.diff([row.train for row in rows]) >= 0).all()
    assert found.train >= found.history[0].train
    if start is not None:
        assert found.train >= ndcg(y, linear_scores(X, start), **options) - TOLERANCE
    counts = [row.evaluations for row in found.history]
    assert counts == sorted(counts)
    assert found.evaluations >= counts[-1]
    assert not found.interrupted


@pytest.mark.parametrize("start", STARTS, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_monotone_and_never_below_the_start(data, method, start):
    X, y, _ = data.train
    found = climb(X, y, method=method, start=start, k=5, restarts=1)
    check_climb(found, X, y, start if isinstance(start, list) else None, k=5)
    assert np.linalg.norm(found.w) == pytest.approx(1)
    assert found.train > random_ndcg(y, k=5) + 0.1
    assert {row.run for row in found.history} == {0, 1}


few = st.integers(-2, 2)


@settings(max_examples=60, deadline=None)
@given(
    hnp.arrays(int, (3, 4, 2), elements=few),
    hnp.arrays(int, (3, 4), elements=st.integers(0, 2)),
    hnp.arrays(int, 2, elements=few),
    st.sampled_from(list(METHODS)),
    st.one_of(st.none(), st.integers(1, 5)),
    st.sampled_from(["linear", "exponential"]),
)
def test_ties_everywhere(X, y, start, method, k, gain):
    options = dict(k=k, gain=gain)
    found = climb(X, y, method=method, start=start, passes=8, **options)
    useful = (np.ptp(X, axis=1) > 0).any(axis=0)
    check_climb(found, X, y, np.where(useful, start, 0), **options)


def test_dividing_by_the_length_breaks_no_tie():
    """Divided by its length, 5, w would order the documents otherwise, by rounding alone."""
    X, y, start = np.array([[[4.0, 0.0], [0.0, 3.0]]]), [[1, 0]], np.array([3.0, 4.0])
    assert ndcg(y, linear_scores(X, start / 5)) < ndcg(y, linear_scores(X, start))
    first = climb(X, y, start=start).history[0]
    assert first.train == ndcg(y, linear_scores(X, start))
    assert first.w.tolist() == [0.375, 0.5]


def test_what_is_only_as_good_is_not_taken(data):
    linear = Linear(*data.train, k=5)
    climber = Climber(linear, np.ones(6), np.ones(6))
    here = climber.point
    assert not climber.take(here._replace(w=2 * here.w, value=here.value + 1e-13))
    assert climber.point is here
    assert climber.take(here._replace(value=here.value + 1e-11))


def test_a_row_never_falls_even_if_rounding_does(data, monkeypatch):
    original, calls = ascent._Log._directed, []

    def worse_at_last(self, point):
        w, value = original(self, point)
        calls.append(1)
        return (w, value) if len(calls) < 4 else (-w, value - 0.2)

    monkeypatch.setattr(ascent._Log, "_directed", worse_at_last)
    found = climb(*data.train, k=5, start="random")
    rows = found.history
    assert len(rows) > 5
    assert rows[-1].train == rows[2].train == found.train
    assert rows[-1].w.tolist() == rows[2].w.tolist()


@pytest.mark.parametrize("method", METHODS)
def test_no_step_of_any_method_is_left_that_helps(method):
    """At the end of the exact search no weight has a better place; the others come near."""
    data = ranking_data(60, 6, 3, seed=5)
    X, y, _ = data.train
    found = climb(X, y, method=method, k=3, start="random")
    grid = np.linspace(-3, 3, 601)
    for j in range(3):
        line = [ndcg(y, linear_scores(X, found.w) + t * X[..., j], k=3) for t in grid]
        assert max(line) <= found.train + (TOLERANCE if method == "exact" else 0.01)


def test_a_random_start_knows_nothing_of_data_made_with_the_same_seed():
    for seed in range(5):
        data = ranking_data(20, 5, 4, seed=seed)
        start = climb(*data.train, start="random", seed=seed).history[0].w
        truth = data.weights / np.linalg.norm(data.weights)
        assert abs(start @ truth) < 0.99


@pytest.mark.parametrize("method", METHODS)
def test_same_seed_same_result(data, method):
    one, other = (
        climb(*data.train, method=method, start="random", restarts=1, seed=8, k=5)
        for _ in range(2)
    )
    assert one.train == other.train
    assert one.w.tolist() == other.w.tolist()
    assert [r.train for r in one.history] == [r.train for r in other.history]
    third = climb(*data.train, method=method, start="random", seed=9, k=5)
    assert third.history[0].w.tolist() != one.history[0].w.tolist()


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("rosenbrock", [0.8297, 0.8358]),
        ("step", [0.8224, 0.8343]),
        ("exact", [0.8316, 0.8355]),
    ],
)
def test_another_machine_prints_the_same(method, expected):
    """Stored on one processor and compared on all."""
    data = textbook_data(100, seed=0)
    found = climb(*data.train, method=method, k=5, start="random", validation=data.validation)
    assert [round(value, 4) for value in (found.train, found.validation)] == expected


@pytest.mark.parametrize("method", METHODS)
def test_an_offset_of_a_feature_does_not_matter(data, method):
    X, y, _ = data.train
    X = (X * 2.0**20).round() / 2.0**20  # so that adding a timestamp rounds nothing
    when = 1.7e9 + np.arange(len(X)).reshape(-1, 1)
    far = X.copy()
    far[..., 1] += when
    one, other = (climb(x, y, method=method, k=5, start=STARTS[-1]) for x in (X, far))
    assert other.train == pytest.approx(one.train, abs=TOLERANCE)
    assert other.w == pytest.approx(one.w, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_the_unit_of_a_feature_does_not_matter(data, method):
    X, y, _ = data.train
    units = 2.0 ** np.array([10, -7, 3, 0, 1, -2])  # powers of two: not one rounding differs
    one = climb(X, y, method=method, k=5, start="random")
    other = climb(X * units, y, method=method, k=5, start="random")
    assert other.train == pytest.approx(one.train, abs=TOLERANCE)
    direction = other.w * units
    assert direction / np.linalg.norm(direction) == pytest.approx(one.w, abs=1e-9)


@pytest.mark.parametrize("factor", [2.0**10, 2.0**-7])
def test_the_unit_does_not_matter_beyond_the_only_breakpoint(factor):
    """The best step has no end there: how far to go follows from the weights and their units."""
    X, y, units = np.array([[[1.0, 0.0], [0.0, 1.0]]]), [[0, 1]], np.array([factor, 1])
    one = climb(X, y, method="exact", start=[1, 0.5])
    other = climb(X * units, y, method="exact", start=[1 / factor, 0.5])
    direction = other.w * units
    assert direction / np.linalg.norm(direction) == pytest.approx(one.w, abs=1e-12)


def test_the_length_of_the_start_does_not_matter(data):
    X, y, _ = data.train
    start = np.array(STARTS[-1])
    one, other = (climb(X, y, k=5, start=factor * start) for factor in (1, 1024))
    assert other.w == pytest.approx(one.w, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_feature_that_cannot_rank_gets_weight_0(method):
    data = ranking_data(80, 7, 8, truth="mixed", seed=1)
    X, y, _ = data.train
    assert data.kinds[3] == "query"
    assert data.kinds[7] == "constant"
    found = climb(X, y, method=method, k=5)
    assert found.w[3] == found.w[7] == 0
    without = climb(X[..., [0, 1, 2, 4, 5, 6]], y, method=method, k=5, start="zeros")
    with_them = climb(X, y, method=method, k=5, start="zeros")
    assert with_them.train == without.train


def test_copies_share_least_squares_and_do_no_harm():
    data = ranking_data(80, 7, 8, truth="mixed", seed=1)
    X, y, _ = data.train
    assert (X[..., 6] == X[..., 0]).all()
    start = climb(X, y).history[0].w
    assert start[0] == pytest.approx(start[6])


@pytest.mark.parametrize("method", METHODS)
def test_nothing_to_find(method):
    flat = np.ones((3, 4, 2))
    found = climb(flat, np.eye(3, 4), method=method)
    assert found.w.tolist() == [0, 0]
    assert found.train == pytest.approx(random_ndcg(np.eye(3, 4)))
    empty = climb(np.random.default_rng(0).normal(size=(3, 4, 2)), np.zeros((3, 4)), method=method)
    assert empty.train == 0
    one_document = climb(np.ones((2, 1, 1)), [[1], [2]], method=method)
    assert one_document.train == 1


def test_validation_chooses(data):
    found = climb(*data.train, k=5, validation=data.validation, start="random", restarts=2)
    X, y, _ = data.validation
    assert found.validation == pytest.approx(ndcg(y, linear_scores(X, found.w), k=5))
    least = found.history[0].train
    allowed = [row.validation for row in found.history if row.train >= least]
    assert found.validation >= max(allowed) - TOLERANCE
    assert found.train >= least
    alone = climb(*data.train, k=5, start="random", restarts=2)
    assert alone.validation is None
    assert alone.train == max(row.train for row in alone.history)
    assert found.train <= alone.train


def test_validation_never_chooses_what_trains_worse_than_the_start(data):
    X, y, _ = data.train
    contrary = X, 3 - y
    found = climb(X, y, k=5, validation=contrary, restarts=3)
    first = found.history[0]
    best = max(row.validation for row in found.history)
    assert best > found.validation  # a random start would please this validation best
    assert found.train >= first.train


def test_queries_of_unequal_length():
    data = ranking_data(60, 6, ragged=True, seed=2)
    found = climb(*data.train, k=4, validation=data.validation, method="exact", passes=3)
    for (X, y, query), value in ((data.train, found.train), (data.validation, found.validation)):
        scores = linear_scores(X[None], found.w)[0]
        assert value == pytest.approx(ndcg_long(query, y, scores, k=4), abs=TOLERANCE)


def test_one_long_query_does_not_make_the_others_long():
    rng = np.random.default_rng(0)
    lengths = [*rng.integers(2, 9, 200), 3000]
    query = np.repeat(np.arange(201), lengths)
    X, y = rng.random((len(query), 2)), rng.integers(0, 3, len(query))
    tracemalloc.start()
    found = climb(X, y, query, k=5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    scores = linear_scores(X[None], found.w)[0]
    assert found.train == pytest.approx(ndcg_long(query, y, scores, k=5), abs=TOLERANCE)
    assert peak < 20 * X.nbytes  # padded to the longest: over 200 times


def test_passes_end_the_search(data):
    found = climb(*data.train, start="random", passes=2, restarts=1)
    assert [(row.run, row.number) for row in found.history] == [
        (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)
    ]  # fmt: skip


# --- progress and interrupt -----------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("after", [1, 3])
def test_interrupt_keeps_the_best(data, method, after):
    seen = []

    def watch(row):
        seen.append(row)
        if len(seen) == after:
            raise KeyboardInterrupt

    X, y, _ = data.train
    found = climb(X, y, method=method, k=5, start="random", progress=watch)
    assert found.interrupted
    assert len(found.history) == after
    assert found.train == max(row.train for row in seen)
    assert found.train == pytest.approx(ndcg(y, linear_scores(X, found.w), k=5), abs=TOLERANCE)
    full = climb(X, y, method=method, k=5, start="random")
    assert found.train == full.history[after - 1].train


@pytest.mark.parametrize("evaluation", [9, 14, 40])
def test_interrupt_in_the_middle_of_a_pass_keeps_what_it_found(data, monkeypatch, evaluation):
    original, best, calls = Linear.value, [], []

    def counted(self, scores):
        calls.append(1)
        if len(calls) == evaluation:
            raise KeyboardInterrupt
        best.append(original(self, scores))
        return best[-1]

    monkeypatch.setattr(Linear, "value", counted)
    found = climb(*data.train, k=5, start="random")
    assert found.interrupted
    assert found.train == pytest.approx(max(best[: evaluation - 1]), abs=TOLERANCE)
    assert len(calls) <= evaluation + 1


def test_interrupt_before_the_start_is_passed_on(data, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Linear, "value", interrupted)
    with pytest.raises(KeyboardInterrupt):
        climb(*data.train)


@pytest.mark.parametrize("asked", [dict(progress=True), {}])
def test_a_short_search_shows_no_bar_and_nor_does_one_unasked(data, capsys, monkeypatch, asked):
    if not asked:
        monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    climb(*data.train, passes=2, **asked)
    captured = capsys.readouterr()
    assert captured.out == captured.err == ""


def test_a_long_search_shows_a_bar_and_takes_it_away(data, capsys, monkeypatch):
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    found = climb(*data.train, passes=2, progress=True)
    assert "pass" in capsys.readouterr().err
    assert len(found.history) == 3


def test_the_bar_goes_away_however_the_search_ends(data, monkeypatch):
    closed = []

    class Watched(progress.Silent):
        def __call__(self, row):
            if row.number == 2:
                raise self.end

        def close(self):
            closed.append(1)

    monkeypatch.setattr(progress, "Bar", lambda total: Watched())
    Watched.end = KeyboardInterrupt
    assert climb(*data.train, progress=True).interrupted
    Watched.end = RuntimeError
    with pytest.raises(RuntimeError):
        climb(*data.train, progress=True)
    assert len(closed) == 2


# --- messages -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (dict(method="newton"), "method must be one of 'rosenbrock', 'step', 'exact', got 'newt"),
        (dict(start="ones"), "start must be one of 'least squares', 'zeros', 'random' or an arr"),
        (dict(start=[1.0]), r"start must have one number for each feature, shape \(6,\)"),
        (dict(start=[np.inf] * 6), "start must be finite, got inf at index .*; put a number"),
        (dict(passes=0), "passes must be a positive integer, got 0"),
        (dict(restarts=-1), "restarts must be a whole number from 0 to 10000, got -1"),
        (dict(restarts=10**30), "restarts must be a whole number from 0 to 10000, got 1000"),
        (dict(progress="yes"), "progress must be True, False or a function, got 'yes'"),
        (dict(validation=3), r"validation must be a tuple \(X, y\) or \(X, y, query\), got int"),
        (dict(validation=(np.ones((2, 3, 4)), np.ones((2, 3)))), "must have the 6 features of X"),
        (dict(validation=(np.ones((2, 3, 6)), np.ones((2, 2)))), "validation y must hold one gr"),
    ],
)
def test_errors_say_what_came_and_what_is_allowed(data, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        climb(*data.train, **options)


def test_a_query_for_each_row():
    with pytest.raises(ValueError, match=r"query must name the query of each row, shape \(3,\)"):
        climb(np.ones((3, 2)), [1, 2, 3], [1, 2])
    with pytest.raises(TypeError, match="query must hold integers or strings, all of one ki"):
        climb(np.ones((3, 2)), [1, 2, 3], [1, "1", 2])
    with pytest.raises(ValueError, match=r"X must have shape \(n_rows, n_features\), got \(1, 3"):
        climb(np.ones((1, 3, 2)), [1, 2, 3], [1, 2, 3])


# --- baselines ------------------------------------------------------------------------


def test_baselines(data):
    rows = baselines(data.train, data.test, k=5, weights=data.weights, mine=np.eye(6)[0])
    X, y, _ = data.test
    w, _ = least_squares(*data.train[:2])
    expected = {
        "random": random_ndcg(y, k=5),
        "least squares": ndcg(y, linear_scores(X, w), k=5),
        "generating weights": ndcg(y, linear_scores(X, data.weights), k=5),
        "mine": ndcg(y, X[..., 0], k=5),
        "perfect order": ndcg(y, y, k=5),
    }
    assert {name: row.mean for name, row in rows.items()} == pytest.approx(expected)
    assert list(rows) == sorted(expected, key=expected.get, reverse=True)
    assert all(row.low < row.mean < row.high for row in rows.values())


def test_intervals_of_baselines_are_by_group(data):
    """Each query twice, the two as a group: the intervals are those of each query once."""
    X, y, _ = data.test
    twice = np.tile(X, (2, 1, 1)), np.tile(y, (2, 1))
    once = baselines(data.train, (X, y), k=5, mine=np.eye(6)[0])
    pairs = baselines(
        data.train, twice, k=5, mine=np.eye(6)[0], groups=np.tile(np.arange(len(y)), 2)
    )
    for name, level in once.items():
        assert pairs[name] == pytest.approx(level)


@pytest.mark.parametrize("gain", ["linear", "exponential", {0: 1, 1: 1, 2: 0, 3: 4}])
def test_limits_are_what_no_ranking_leaves(gain):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 4, (60, 4)) * rng.integers(0, 2, (60, 1))
    y[5], y[6], y[7] = 1, 3, 2
    found = limits(y, k=2, gain=gain)
    orders = [
        ndcg(y, np.broadcast_to(order, y.shape), k=2, gain=gain, per_query=True)
        for order in itertools.permutations(range(4))
    ]
    best, worst = np.max(orders, axis=0), np.min(orders, axis=0)
    assert (found.queries, found.empty) == (60, (best == 0).sum())
    assert found.undecided == np.isclose(best, worst).sum() > found.empty
    assert found.random == pytest.approx(np.mean(orders))
    assert found.ceiling == pytest.approx(best.mean())
