"""Every order of a list, against brute force; NDCG measured from a random or worst order."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ndcglib.metrics import (
    all_orders,
    corrected_ndcg,
    minmax_ndcg,
    ndcg,
    permutations,
    random_ndcg,
    worst_ndcg,
)
from ndcglib.metrics.permutations import MOST_LISTED, Orders, order_rows, rescale

FIVE = [3, 3, 2, 1, 0]
LONG = [3, 3, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0]
LISTS = {
    "five": FIVE,
    "all different": [4, 3, 2, 1, 0],
    "six": [0, 2, 1, 2, 0, 2],
    "seven": [3, 2, 2, 1, 1, 0, 0],
    "seven different": [6, 0, 5, 1, 4, 2, 3],
    "fractions": [0.5, 0.25, 0.25, 2],
    "all equal": [2, 2, 2],
    "one": [3],
}
GAINS = st.sampled_from(["linear", "exponential", {g: 2 * g for g in range(7)}, np.sqrt])
GRADES = st.lists(st.integers(0, 4), min_size=1, max_size=6).filter(any)


def by_brute_force(grades, k, gain="linear"):
    """NDCG of all n! orders, equal ones as often as they come."""
    places = range(len(grades), 0, -1)
    return sorted(ndcg(order, places, k=k, gain=gain) for order in itertools.permutations(grades))


def spelled_out(found):
    """The same n! values, from the distinct ones and their probabilities."""
    times = np.rint(found.probability * found.total).astype(int)
    assert times / found.total == pytest.approx(found.probability, abs=1e-12)
    return sorted(np.repeat(found.ndcg, times))


# --- all of them ----------------------------------------------------------------------


@pytest.mark.parametrize("k", [None, 1, 3])
@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("name", [name for name, grades in LISTS.items() if len(grades) < 7])
def test_each_order_with_its_probability(name, k, gain):
    found = all_orders(LISTS[name], k, gain)
    assert (found.exact, found.total) == (True, math.factorial(len(LISTS[name])))
    assert found.probability.sum() == pytest.approx(1, abs=1e-12)
    assert spelled_out(found) == pytest.approx(by_brute_force(LISTS[name], k, gain), abs=1e-12)


@pytest.mark.parametrize("name", ["seven", "seven different"])
def test_seven_documents_are_listed(name):
    found = all_orders(LISTS[name], 4)
    distinct = set(itertools.permutations(LISTS[name]))
    assert (len(found.ndcg), found.total, found.exact) == (len(distinct), 5040, True)
    places = np.broadcast_to(np.arange(7, 0, -1), (len(distinct), 7))
    expected = ndcg(np.array(list(distinct)), places, k=4, per_query=True)
    assert np.sort(found.ndcg) == pytest.approx(np.sort(expected), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(GRADES, st.none() | st.integers(1, 7), GAINS)
def test_any_list(grades, k, gain):
    """In whatever order its grades come; mean and least are the closed forms."""
    found = all_orders(grades, k, gain)
    assert found.ndcg.tolist() == all_orders(sorted(grades), k, gain).ndcg.tolist()
    assert len(found.ndcg) == len(set(itertools.permutations(grades)))
    options = dict(k=k, gain=gain)
    assert found.ndcg.mean() == pytest.approx(random_ndcg(grades, **options), abs=1e-12)
    assert found.ndcg.min() == pytest.approx(worst_ndcg(grades, **options), abs=1e-12)
    assert found.ndcg.max() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("low", [float("nan"), "0.8", None, True])
def test_a_share_is_of_a_number(low):
    with pytest.raises((TypeError, ValueError), match="low must be a finite number, got"):
        all_orders([2, 1, 0]).share_of(low)


def test_long_lists_with_few_distinct_orders_are_exact():
    found = all_orders([0, 0, 1, *[0] * 7])
    assert (found.exact, found.total) == (True, math.factorial(10))
    assert np.sort(found.ndcg)[::-1] == pytest.approx(1 / np.log2(np.arange(2, 12)), abs=1e-12)


def test_the_limit_is_seven_different_documents():
    assert MOST_LISTED == 5040
    assert all_orders(range(1, 8)).exact
    assert not all_orders(range(1, 9)).exact
    assert all_orders([1] * 2 + [0] * 98).exact  # 4950 distinct orders
    assert not all_orders([1] + [0] * 100).exact


# --- a sample -------------------------------------------------------------------------


def test_a_sample_is_close_and_says_so():
    found = all_orders(LONG, 5)
    assert (found.exact, found.total, len(found.ndcg)) == (False, 20_000, 20_000)
    assert found.probability.sum() == pytest.approx(1, abs=1e-9)
    error = found.ndcg.std() / 20_000**0.5
    assert 0 < abs(found.ndcg.mean() - random_ndcg(LONG, k=5)) < 5 * error
    assert worst_ndcg(LONG, k=5) - 1e-12 <= found.ndcg.min() <= found.ndcg.max() <= 1 + 1e-12


def test_a_sample_of_a_list_that_could_be_counted(monkeypatch):
    exact = all_orders(FIVE)
    monkeypatch.setattr(permutations, "MOST_LISTED", 1)
    sample = all_orders(FIVE)
    assert not sample.exact
    values, shares = sample.levels()
    assert values == pytest.approx(exact.levels()[0], abs=1e-9)
    assert shares == pytest.approx(exact.levels()[1], abs=0.009)  # five standard errors at most


def test_the_same_orders_are_drawn_each_time():
    one = all_orders(LONG).ndcg
    np.random.seed(5)  # noqa: NPY002, RUF100
    assert all_orders(LONG).ndcg.tolist() == one.tolist()


def test_blocks_do_not_change_the_luck(monkeypatch):
    monkeypatch.setattr(permutations, "DRAWN", 100)
    whole = all_orders(LONG).ndcg
    monkeypatch.setattr("ndcglib.metrics.kernel.BLOCK_DOCS", 84)  # seven orders at a time
    assert all_orders(LONG).ndcg == pytest.approx(whole, abs=1e-15)


def test_a_very_long_list_is_drawn_at_once(monkeypatch):
    monkeypatch.setattr(permutations, "DRAWN", 20)
    found = all_orders(np.arange(20_000), 10)
    assert found.ndcg.shape == (20,)
    assert found.ndcg.mean() == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("grades", [*LISTS.values(), LONG], ids=[*LISTS, "long"])
def test_each_row_is_the_order_of_its_value(grades):
    rows = order_rows(grades)
    assert (np.sort(rows, axis=1) == np.sort(grades)).all()
    for k in (1, len(grades)):
        found = all_orders(grades, k).ndcg
        assert ndcg(rows, ranked=True, k=k, per_query=True).tolist() == found.tolist()


# --- what Orders tells ----------------------------------------------------------------


def test_levels_merge_what_is_equal_but_for_rounding():
    made = Orders(np.array([0.5, 1, 0.5 + 1e-13]), np.array([0.2, 0.3, 0.5]), True, 3)
    values, shares = made.levels()
    assert values == pytest.approx([0.5, 1])
    assert shares == pytest.approx([0.7, 0.3])


def test_levels_of_a_cut_list():
    values, shares = all_orders([1, 0, 0, 0], 2).levels()
    assert values == pytest.approx([0, 1 / math.log2(3), 1])
    assert shares == pytest.approx([0.5, 0.25, 0.25])


def test_share_counts_the_value_itself():
    found = all_orders([1, 0, 0, 0])
    for low, share in [(0, 1), (1 / math.log2(3), 0.5), (0.64, 0.25), (1, 0.25), (1.01, 0)]:
        assert found.share_of(low) == pytest.approx(share)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([[1, 0], [0, 1]],), ValueError, r"grades must be one flat list, got shape \(2, 2\)"),
        (([0, 0],), ValueError, "grades must give a gain above 0 somewhere"),
        (([1, -1],), ValueError, "grades must not give negative gains, got -1"),
    ],
)
def test_errors_name_the_argument(arguments, error, message):
    with pytest.raises(error, match=message):
        all_orders(*arguments)


# --- measured from chance, and from the worst -----------------------------------------


def scores_of(order):
    return list(range(len(order), 0, -1))


@settings(max_examples=60, deadline=None)
@given(GRADES, st.integers(1, 7), st.sampled_from(["linear", "exponential"]))
def test_over_all_orders(grades, k, gain):
    assume(len(set(grades)) > 1)
    rows = np.array(sorted(set(itertools.permutations(grades))))
    places = np.broadcast_to(scores_of(grades), rows.shape)
    each = dict(k=k, gain=gain, per_query=True)
    plain = ndcg(rows, places, **each)
    corrected, minmax = corrected_ndcg(rows, places, **each), minmax_ndcg(rows, places, **each)
    assert corrected.mean() == pytest.approx(0, abs=1e-12)
    assert corrected.max() == pytest.approx(1, abs=1e-12)
    assert minmax.min() == pytest.approx(0, abs=1e-12)
    assert minmax.max() == pytest.approx(1, abs=1e-12)
    random, worst = random_ndcg(rows[0], k=k, gain=gain), worst_ndcg(rows[0], k=k, gain=gain)
    assert corrected == pytest.approx((plain - random) / (1 - random), abs=1e-12)
    assert minmax == pytest.approx((plain - worst) / (1 - worst), abs=1e-12)


@pytest.mark.parametrize("grades", [FIVE, LONG, [1, 0], [1, *[0] * 9]])
def test_ideal_random_and_worst(grades):
    ideal, rising = sorted(grades), list(range(len(grades)))
    for function in (corrected_ndcg, minmax_ndcg):
        assert function(ideal, rising) == pytest.approx(1)
    assert corrected_ndcg(grades, [0] * len(grades)) == pytest.approx(0, abs=1e-12)
    assert minmax_ndcg(ideal[::-1], rising) == pytest.approx(0, abs=1e-12)
    assert corrected_ndcg(ideal[::-1], rising) < 0


@pytest.mark.parametrize("function", [corrected_ndcg, minmax_ndcg])
@pytest.mark.parametrize("grades", [[2, 2, 2], [3], [0, 0]])
def test_nothing_to_win_is_nan_unless_said_otherwise(function, grades):
    scores = scores_of(grades)
    assert math.isnan(function(grades, scores))
    assert function(grades, scores, empty=0) == 0
    assert function(grades, scores, empty=1) == 1
    with pytest.raises(ValueError, match="empty='skip' leaves no query: in each, all orders"):
        function(grades, scores, empty="skip")


@pytest.mark.parametrize("function", [corrected_ndcg, minmax_ndcg])
def test_the_mean_is_taken_of_the_rescaled_queries(function):
    grades = [[3, 2, 0], [0, 1, 1], [2, 2, 2], [0, 0, 0]]
    scores = [[1, 2, 3], [3, 1, 2], [1, 2, 3], [1, 2, 3]]
    each = function(grades, scores, per_query=True)
    one_by_one = [function(g, s) for g, s in zip(grades, scores, strict=True)]
    assert each == pytest.approx(one_by_one, nan_ok=True)
    assert np.isnan(each).tolist() == [False, False, True, True]
    assert math.isnan(function(grades, scores))
    assert function(grades, scores, empty="skip") == pytest.approx(each[:2].mean())
    weights = [1, 3, 5, 7]
    weighted = (each[0] + 3 * each[1]) / 4
    found = function(grades, scores, empty="skip", sample_weight=weights)
    assert found == pytest.approx(weighted)
    found = function(grades, scores, empty=0, sample_weight=weights)
    assert found == pytest.approx(weighted / 4)


def test_with_a_pool_the_best_of_the_list_is_minmax_one():
    listed, pool = [1, 0, 0], [3, 3, 3, 1, 0, 0]
    assert minmax_ndcg(listed, [3, 2, 1], pool=pool) == pytest.approx(1)
    assert corrected_ndcg(listed, [3, 2, 1], pool=pool) < 0.2
    value, random = ndcg(listed, [3, 2, 1], pool=pool), random_ndcg(listed, pool=pool)
    expected = (value - random) / (1 - random)
    assert corrected_ndcg(listed, [3, 2, 1], pool=pool) == pytest.approx(expected)


def test_ties_are_those_of_ndcg():
    grades, scores = [0, 1, 2], [1, 1, 1]
    for function in (corrected_ndcg, minmax_ndcg):
        low, middle, high = (
            function(grades, scores, ties=t) for t in ("worst", "average", "best")
        )
        assert low < middle < high == 1
    assert minmax_ndcg(grades, scores, ties="worst") == pytest.approx(0, abs=1e-12)


def test_rescale():
    assert rescale(0.75, 0.5, 1) == 0.5
    assert rescale(np.array([0.5, 1]), np.array([0.5, 0]), 1).tolist() == [0, 1]
    assert math.isnan(rescale(1, 1 - 1e-15, 1))
    with np.errstate(all="raise"):
        assert np.isnan(rescale(np.array([np.nan, 1]), np.array([np.nan, 1]), 1)).all()
