"""Comparisons of two rankers against scipy's other ways, brute force and simulation."""

import itertools
import json
import tracemalloc
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import expected_within
from scipy import stats

from helpers.datasets import manual_scores, manual_search
from helpers.metrics import ndcg
from helpers.significance import compare, holm, interval, queries_needed

shares = st.integers(0, 8).map(lambda eighths: eighths / 8)  # with ties
pairs = st.integers(2, 8).flatmap(
    lambda n: st.tuples(*[st.lists(shares, min_size=n, max_size=n)] * 2)
)


@pytest.fixture(name="found", scope="module")
def _found():
    grades, scores = manual_search().grades, manual_scores()
    names = "BM25", "TF-IDF", "name words"
    return {n: ndcg(grades, scores[n], k=10, per_query=True) for n in names}


# --- compare --------------------------------------------------------------------------


@given(pairs)
def test_compare_is_scipys_paired_test_beside_every_flip_of_the_signs(pair):
    a, b = pair
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare(a, b)
    assert found.means == pytest.approx((np.mean(a), np.mean(b)))
    assert found.n == len(a)
    counts = [sum(x > y for x, y in zip(a, b, strict=True)), sum(map(float.__lt__, a, b))]
    assert [found.wins, found.losses] == counts
    assert found.wins + found.losses + found.ties == found.n

    differences = np.subtract(a, b)
    flips = [np.dot(signs, differences) for signs in itertools.product([1, -1], repeat=len(a))]
    as_far = np.abs(flips) >= abs(differences.sum()) - 1e-9
    assert found.permutation_p == pytest.approx(as_far.mean())

    assert found.sd == pytest.approx(np.std(differences, ddof=1))
    if found.sd:
        test = stats.ttest_rel(a, b)
        assert found.t_p == pytest.approx(test.pvalue)
        assert (found.low, found.high) == pytest.approx(test.confidence_interval(0.95))
    else:
        assert found.low == found.high == found.difference
        assert found.t_p == (found.difference == 0)


@given(pairs)
def test_who_comes_first_turns_every_sign(pair):
    one, other = compare(*pair), compare(*pair[::-1])
    assert (one.difference, one.low, one.high) == pytest.approx(
        (-other.difference, -other.high, -other.low)
    )
    assert (one.wins, one.losses, one.ties) == (other.losses, other.wins, other.ties)
    assert one.t_p == pytest.approx(other.t_p)
    assert one.permutation_p == pytest.approx(other.permutation_p)


@given(pairs)
def test_dicts_are_paired_by_their_ids_and_lists_by_their_places(pair):
    a, b = (dict(enumerate(values)) for values in pair)
    assert repr(compare(a, b)) == repr(compare(*pair))
    backwards = dict(reversed(b.items()))
    assert repr(compare(a, backwards)) == repr(compare(*pair))


def test_on_many_queries_both_tests_agree_and_pairing_pays(found):
    seen = compare(found["BM25"], found["TF-IDF"])
    again = compare(found["BM25"], found["TF-IDF"])
    assert repr(seen) == repr(again), "the flips are drawn alike each time"
    assert seen.t_p == pytest.approx(seen.permutation_p, abs=0.001)
    assert seen.t_p < 0.05 < stats.ttest_ind(found["BM25"], found["TF-IDF"]).pvalue
    resampled = interval(found["BM25"] - found["TF-IDF"])
    assert (seen.low, seen.high) == pytest.approx(resampled[1:], abs=0.002)


@pytest.mark.parametrize("n", [14, 40, 300])
def test_random_flips_come_near_the_t_test_where_it_is_exact(n):
    """Its differences are normal."""
    found = compare(np.random.default_rng(n).normal(0.2, 1, size=n), np.zeros(n))
    assert found.permutation_p == pytest.approx(found.t_p, abs=0.02)
    assert 0 < found.permutation_p < 1


def test_a_million_queries_take_no_flips_and_no_memory():
    drawn = np.random.default_rng(0).normal(0.001, 0.1, size=1_000_000)
    found = compare(drawn, np.zeros(len(drawn)))
    assert found.permutation_p is None
    assert "flips" not in repr(found)
    assert found.t_p < 0.001
    tracemalloc.start()
    with expected_within(20, "Flips of 2,000 queries"):
        assert compare(drawn[:2_000], np.zeros(2_000)).permutation_p > 0
    assert tracemalloc.get_traced_memory()[1] < 100e6
    tracemalloc.stop()


def test_sums_in_another_order_are_ties():
    found = compare([0.1 + 0.2, 0.5, 0.7], [0.3, 0.5, 0.1 + 0.6])
    assert (found.wins, found.losses, found.ties) == (0, 0, 3)
    assert (found.difference, found.sd, found.t_p, found.permutation_p) == (0, 0, 1, 1)
    assert "have the same mean" in repr(found)
    assert len(found.table()) == 10, "a row of 0 is a row"


def test_with_five_queries_no_flips_are_significant_and_with_six_they_are():
    assert compare([1, 0.9, 0.8, 1, 0.9], [0] * 5).permutation_p == 2 / 2**5 > 0.05
    assert compare([1, 0.9, 0.8, 1, 0.9, 0.7], [0] * 6).permutation_p == 2 / 2**6 < 0.05


@pytest.mark.parametrize(
    ("a", "b", "sentence"),
    [
        ([0.8, 0.7, 0.9], [0.5, 0.5, 0.5], "A is ahead of B by 0.3000 on 3 queries; the 95%"
         " interval of the difference, +0.0516 to +0.5484, does not contain 0."),
        ([0.5, 0.5, 0.5], [0.8, 0.7, 0.9], "A is behind B by 0.3000 on 3 queries; the 95%"
         " interval of the difference, -0.5484 to -0.0516, does not contain 0."),
        ([0.8, 0.2], [0.5, 0.3], "A is ahead of B by 0.1000 on 2 queries; the 95% interval of"
         " the difference, -2.4412 to +2.6412, contains 0: these queries do not say which is"
         " better."),
    ],
)  # fmt: skip
def test_the_sentence_is_in_the_text_and_in_the_html(a, b, sentence):
    found = compare(a, b, names=("A", "B"))
    assert found.sentence == sentence
    assert repr(found).endswith(sentence)
    page = found._repr_html_()
    assert page.endswith(f"<p>{sentence}</p>")
    for label, _ in found.table():
        assert f"<td>{label}</td>" in page
        assert label in repr(found)


def test_small_p_values_are_not_zero():
    found = compare(np.arange(50.0) + 50, np.arange(50.0) % 2)
    assert dict(found.table())["p, paired t-test"] == "below 0.0001"
    assert dict(found.table())["p, 9,999 sign flips"] == "0.0002"


def test_what_is_in_a_comparison_can_be_stored():
    found = compare({"q1": 0.5, "q2": 0.25}, {"q1": 0.25, "q2": np.float32(0.5)})
    assert json.loads(json.dumps(vars(found)))["n"] == 2


HALF = [0.5, 0.25, 0.75]


@pytest.mark.parametrize(
    ("a", "b", "error", "message"),
    [
        (HALF, HALF[:2], ValueError, "got 3 and 2 values; let both rankers answer the same"),
        ([], [], ValueError, "a must be one flat row, got shape .0,.; give one number for each"),
        ({}, {}, ValueError, "a must be one flat row, got shape .0,.; give one number for each"),
        ([0.5], [0.25], ValueError, "at least two queries, got 1: one difference has no spread"),
        (0.5, 0.25, ValueError, "a must be one flat row, got shape ..;"),
        ([HALF], [HALF], ValueError, "a must be one flat row, got shape .1, 3.;"),
        ([HALF, [1.0]], HALF, TypeError, "a must be one flat row, got rows of unequal length"),
        (HALF, [0.5, float("nan"), 1], ValueError, "b must be finite, got nan at index 1; put"),
        ([0.5, float("inf"), 1], HALF, ValueError, "a must be finite, got inf at index 1; put"),
        ({"q1": 1, "q9": float("nan")}, {"q9": 1, "q1": 1}, ValueError, "got nan at query 'q9'"),
        (HALF, ["a", "b", "c"], TypeError, "b must hold real numbers, got .'a', 'b', 'c'.; give"),
        (HALF, [0.5, None, 1], TypeError, "b must hold real numbers, got .0.5, None, 1."),
        (iter(HALF), HALF, TypeError, "a must hold real numbers, got <list_iterator"),
        (HALF, np.ma.masked_less(HALF, 0.3), ValueError, "b must not be masked; leave the masked"),
        (dict(enumerate(HALF)), HALF, TypeError, "both be lists or both be dicts by query id, "
         "got dict and list"),
        ({"q1": 1, "q2": 1}, {"q1": 1, "q3": 1}, ValueError, "b lacks 1 of 2: 'q2'; let both"),
        ({"q1": 1}, {"q1": 1, "q3": 1}, ValueError, "a lacks 1 of 2: 'q3'; let both"),
        (dict.fromkeys(range(9), 1), {0: 1}, ValueError, "b lacks 8 of 9: 1, 2, 3, 4, 5, …; let"),
        ({1: 1, 2: 1}, {"1": 1, "2": 1}, ValueError, "b lacks 2 of 2: 1, 2; let"),
    ],
)  # fmt: skip
def test_what_cannot_be_paired_is_refused_in_words(a, b, error, message):
    with pytest.raises(error, match=message):
        compare(a, b)


# --- how many queries -----------------------------------------------------------------


def test_queries_needed_for_the_real_rankers(found):
    near = compare(found["BM25"], found["TF-IDF"])
    far = compare(found["BM25"], found["name words"])
    assert near.queries_needed == queries_needed(near.sd, 0.01) == queries_needed(near.sd, -0.01)
    assert near.queries_needed == pytest.approx(1061, rel=0.1), "another manual, another number"
    assert far.queries_needed == pytest.approx(4759, rel=0.1)
    assert queries_needed(0.11617, 0.01) == 1060
    assert queries_needed(0, 0.01) == 2


@pytest.mark.parametrize(("sd", "difference"), [(0.12, 0.02), (0.25, 0.05)])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_with_that_many_queries_the_test_finds_the_difference_that_often(sd, difference, power):
    n = queries_needed(sd, difference, power)
    rng = np.random.default_rng(0)
    drawn = rng.normal(difference, sd, size=(4000, n))
    hits = stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05
    assert hits.mean() == pytest.approx(power, abs=0.02)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 0.01), "sd must be a finite number, at least 0, got -1"),
        ((float("nan"), 0.01), "sd must be a finite number"),
        ((0.1, 0), "difference must be .* other than 0, got 0; no number of queries tells"),
        ((0.1, float("inf")), "difference must be a finite"),
        ((0.1, 0.01, 1), "power must lie between 0 and 1, got 1"),
        ((0.1, 0.01, 80), "power must lie between 0 and 1, got 80"),
    ],
)
def test_queries_needed_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        queries_needed(*arguments)


# --- several tests --------------------------------------------------------------------

chances = st.lists(st.integers(0, 40).map(lambda n: n / 40), min_size=1, max_size=6)


@given(chances)
def test_holm_rejects_what_the_step_down_rule_rejects(p_values):
    """Holm's own words: go up the list while each p times those left stays below the level."""
    adjusted = holm(p_values)
    for level in {0.05, 0.5, *adjusted.tolist()} - {1}:
        left, rejected = sorted(p_values), []
        while left and left[0] * len(left) <= level + 1e-12:
            rejected.append(left.pop(0))
        assert sorted(np.array(p_values)[adjusted <= level + 1e-12]) == rejected
    assert len(adjusted) == len(p_values)
    assert (adjusted >= p_values).all()
    assert (adjusted <= 1).all()


def test_holm_holds_the_share_of_false_alarms():
    p_values = np.random.default_rng(0).random((2000, 10))
    alarms = [(holm(row) <= 0.05).any() for row in p_values]
    assert np.mean(alarms) == pytest.approx(0.05, abs=0.015)
    assert (p_values <= 0.05).any(axis=1).mean() == pytest.approx(1 - 0.95**10, abs=0.03)


@pytest.mark.parametrize("p_values", [[0.5, 1.5], [-0.1], [], [[0.1, 0.2]], [0.1, float("nan")]])
def test_holm_refuses(p_values):
    with pytest.raises(ValueError, match="p_values must"):
        holm(p_values)


# --- one mean -------------------------------------------------------------------------


def test_interval_has_the_width_of_the_standard_error():
    values = np.random.default_rng(0).normal(size=400)
    mean, low, high = interval(values)
    error = values.std() / 20
    assert mean == pytest.approx(values.mean())
    assert low == pytest.approx(mean - 1.96 * error, abs=0.15 * error)
    assert high == pytest.approx(mean + 1.96 * error, abs=0.15 * error)
    assert interval(values) == (mean, low, high)
    with pytest.raises(ValueError, match="values must be one flat row"):
        interval([[1.0, 2.0]])
