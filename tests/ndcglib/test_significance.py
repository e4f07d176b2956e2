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

from ndcglib.datasets import manual_scores, manual_search
from ndcglib.metrics import ndcg
from ndcglib.significance import compare, holm, interval, queries_needed

shares = st.integers(0, 8).map(lambda eighths: eighths / 8)  # with ties
pairs = (
    st.integers(2, 8)
    .flatmap(lambda n: st.tuples(*[st.lists(shares, min_size=n, max_size=n)] * 2))
    .filter(lambda pair: np.ptp(np.subtract(*pair)) > 0)
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
    test = stats.ttest_rel(a, b)
    assert found.t_p == pytest.approx(test.pvalue)
    assert (found.low, found.high) == pytest.approx(test.confidence_interval(0.95))


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
    resampled = stats.bootstrap((found["BM25"] - found["TF-IDF"],), np.mean, rng=0, batch=999)
    assert (seen.low, seen.high) == pytest.approx(resampled.confidence_interval, abs=0.002)


@pytest.mark.parametrize("n", [14, 40, 300])
def test_random_flips_come_near_the_t_test_where_it_is_exact(n):
    """It is exact for these: normal differences."""
    found = compare(np.random.default_rng(n).normal(0.2, 1, size=n), np.zeros(n))
    assert found.permutation_p == pytest.approx(found.t_p, abs=0.02)
    assert 0 < found.permutation_p < 1


@pytest.mark.full
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
    found = compare([0.1 + 0.2, 0.5, 0.7, 0.5], [0.3, 0.5, 0.1 + 0.6, 0.25])
    assert (found.wins, found.losses, found.ties) == (1, 0, 3)
    with pytest.raises(ValueError, match="a − b is 0 on all 3 queries: without spread"):
        compare([0.1 + 0.2, 0.5, 0.7], [0.3, 0.5, 0.1 + 0.6])


def test_no_sentence_contradicts_its_own_numbers():
    found = compare([1e-5, 2e-5, 1.1e-5, 1.4e-5], [0] * 4)
    assert found.sentence.endswith(
        "by 1e-05 on 4 queries; the 95% interval of the difference, +7e-06 to +2e-05, does not "
        "contain 0."
    )
    assert dict(found.table())["difference"] == "+1e-05"


# --- queries that belong together -------------------------------------------------------

modules = pytest.mark.parametrize(
    ("one", "other"), [("BM25", "TF-IDF"), ("TF-IDF", "name words"), ("BM25", "name words")]
)


@given(pairs)
def test_a_group_for_each_query_is_the_paired_t_test(pair):
    alone = compare(*pair)
    found = compare(*pair, groups=[f"query {i}" for i in range(len(pair[0]))])
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))
    assert found.t_p == pytest.approx(alone.t_p)
    assert found.permutation_p == pytest.approx(alone.permutation_p)
    assert found.queries_needed == pytest.approx(alone.queries_needed, abs=1)
    assert (found.n_groups, found.largest_group) == (found.n, 1)
    assert found.design_effect == pytest.approx(1)


@given(pairs, st.data())
def test_signs_are_flipped_by_whole_groups(pair, data):
    n = len(pair[0])
    groups = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    difference = np.subtract(*pair)
    try:
        found = compare(*pair, groups=groups)
    except ValueError as error:
        assert "two at least" in str(error) or "whichever of the groups" in str(error)  # noqa: PT017
        return
    labels = sorted(set(groups))
    flips = [
        sum(
            sign * difference[np.array(groups) == label].sum()
            for sign, label in zip(signs, labels, strict=True)
        )
        for signs in itertools.product([1, -1], repeat=len(labels))
    ]
    as_far = np.abs(flips) >= abs(difference.sum()) - 1e-9
    assert found.permutation_p == pytest.approx(as_far.mean())
    assert (found.n_groups, found.largest_group) == (len(labels), max(map(groups.count, labels)))


@modules
def test_by_group_is_as_wide_as_drawing_whole_groups_again(found, one, other):
    """The cluster bootstrap draws modules; by query the interval is far narrower."""
    groups, difference = manual_search().modules, found[one] - found[other]
    parts = [difference[groups == module] for module in dict.fromkeys(groups)]
    rng = np.random.default_rng(0)
    drawn = [
        np.concatenate([parts[i] for i in rng.integers(len(parts), size=len(parts))]).mean()
        for _ in range(4000)
    ]
    grouped = compare(found[one], found[other], groups=groups)
    error = (grouped.high - grouped.low) / 2 / stats.t.ppf(0.975, len(parts) - 1)
    assert error == pytest.approx(np.std(drawn), rel=0.15)
    alone = compare(found[one], found[other])
    assert grouped.high - grouped.low > 1.25 * (alone.high - alone.low)
    assert grouped.queries_needed > 1.4 * alone.queries_needed


def test_by_group_the_interval_holds_the_truth_where_by_query_it_does_not():
    """Simulated groups of the manual's sizes, in which a third of the variance is the group's."""
    sizes = np.unique(manual_search().modules, return_counts=True)[1]
    groups = np.repeat(np.arange(len(sizes)), sizes)
    rng, holds = np.random.default_rng(0), []
    for _ in range(500):
        of_group = rng.normal(0, 0.3**0.5, size=len(sizes))[groups]
        values = of_group + rng.normal(0, 0.7**0.5, size=len(groups))
        found = interval(values, groups), interval(values)
        holds.append([level.low <= 0 <= level.high for level in found])
    by_group, by_query = np.mean(holds, axis=0)
    assert by_group == pytest.approx(0.93, abs=0.03)
    assert by_query < 0.7


def test_dicts_take_their_groups_by_id():
    a, b = ({"q1": x, "q2": 0.5, "q3": x / 4} for x in (1.0, 0.25))
    labels = {"q3": "y", "q2": "x", "q1": "x", "more": "z"}
    assert repr(compare(a, b, groups=labels)) == repr(
        compare(list(a.values()), list(b.values()), groups=["x", "x", "y"])
    )
    assert interval(a, labels) == interval(list(a.values()), ["x", "x", "y"])


def test_few_groups_or_a_very_large_one_bring_a_warning():
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 40))
    few, large = (
        compare(a, b, groups=np.arange(40) % 5),
        compare(a, b, groups=[*range(29), *[99] * 11]),
    )
    many = compare(a, b, groups=np.arange(40) % 10)
    assert few.warning == "Do not rely on this interval: there are fewer than 10 groups."
    assert large.warning == "Do not rely on this interval: one group has 11 of the 40 queries."
    assert many.warning == compare(a, b).warning == ""
    for found in (few, large):
        assert found.sentence.endswith(found.warning)
    assert "on 40 queries in 10 groups; the 95%" in many.sentence
    rows = dict(many.table())
    assert (rows["groups"], rows["queries of the largest group"]) == (10, 4)
    assert {
        "95% interval, by group",
        "design effect",
        "p, 1,024 sign flips of whole groups",
    } <= set(rows)


@pytest.mark.parametrize(
    ("groups", "error", "message"),
    [
        (["x", "y"], ValueError, "a label for each of the 3 queries, got shape .2,."),
        (["x"] * 3, ValueError, "groups must be two at least, got 'x' for every query: one group"),
        (["x", None, "y"], TypeError, "groups must hold integers or strings, .* 'x' and None"),
        ([0.5, 1.5, 2.5], TypeError, "groups must hold integers or strings, all of one kind"),
        ({0: "x", 1: "y", 2: "y"}, TypeError, "groups are a dict by query id, but the values are"),
    ],
)
def test_groups_that_do_not_fit_are_refused(groups, error, message):
    for call in (lambda: compare(HALF, [0, 0, 0], groups=groups), lambda: interval(HALF, groups)):
        with pytest.raises(error, match=message):
            call()


def test_groups_that_do_not_fit_dicts_or_have_no_spread_are_refused():
    half = dict(enumerate(HALF))
    with pytest.raises(ValueError, match="groups lack 1 of 3 queries: 2; give each"):
        interval(half, {0: "x", 1: "y"})
    with pytest.raises(TypeError, match="groups must be a dict, too, of id to label, got list"):
        interval(half, ["x", "y", "y"])
    with pytest.raises(ValueError, match="stays the same whichever of the groups is left out"):
        interval([1, -1, -1, 1], list("aabb"))


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
        ([HALF, [1.0]], HALF, TypeError, "got rows of unequal length; give one number for each"),
        ([0.5, 0.5], [0.4, 0.4], ValueError, "a − b is 0.1 on all 2 queries: without spread"),
        ([1e300, 0], [0, 0], ValueError, "a must be metrics, at most 1e.100, got 1e.300; divide"),
        (HALF, [0.5, float("nan"), 1], ValueError, "b must be finite, got nan at index 1; put"),
        ([0.5, float("inf"), 1], HALF, ValueError, "a must be finite, got inf at index 1; put"),
        ({"q1": 1, "q9": float("nan")}, {"q9": 1, "q1": 1}, ValueError, "got nan at query 'q9'"),
        (HALF, ["a", "b", "c"], TypeError, "b must hold real numbers, got .'a', 'b', 'c'.; give"),
        (HALF, [0.5, None, 1], TypeError, "b must hold real numbers, got .0.5, None, 1."),
        (iter(HALF), HALF, TypeError, "a must hold real numbers, got <list_iterator"),
        (HALF, np.ma.masked_less(HALF, 0.3), ValueError, "b must not be masked; leave the masked"),
        (HALF, [0.5, np.ma.masked, 1], ValueError, "b must not be masked; leave the masked"),
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
    assert near.queries_needed == pytest.approx(1063, rel=0.1), "another manual, another number"
    assert far.queries_needed == pytest.approx(4761, rel=0.1)
    assert queries_needed(0.11617, 0.01) == 1062
    assert queries_needed(0, 0.01) == 2
    assert queries_needed(0.11617, 0.01, design_effect=1.5) == 1593


@pytest.mark.parametrize(("sd", "difference"), [(0.12, 0.02), (0.25, 0.05), (0.05, 0.07)])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_with_that_many_queries_the_test_finds_the_difference_that_often(sd, difference, power):
    n = queries_needed(sd, difference, power)
    rng = np.random.default_rng(0)
    drawn = rng.normal(difference, sd, size=(4000, n))
    hits = stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05
    fewer = stats.ttest_1samp(drawn[:, 1:], 0, axis=1).pvalue < 0.05
    assert hits.mean() > power - 0.02
    assert fewer.mean() < power + 0.02


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 0.01), "sd must be a finite number of at least 0, got -1"),
        ((float("nan"), 0.01), "sd must be a finite number of at least 0, got nan"),
        ((None, 0.01), "sd must be a finite number of at least 0, got None"),
        ((0.1, "0.01"), "difference must be a finite number, got '0.01'"),
        ((0.1, 0), "difference must not be 0: no number of queries tells"),
        ((0.1, float("inf")), "difference must be a finite"),
        ((0.1, 0.01, 0.8, 0), "design_effect must be a finite number above 0, got 0"),
        ((0.1, 0.01, 1), "power must be a finite number between 0 and 1, got 1"),
        ((0.1, 0.01, 80), "power must be a finite number between 0 and 1, got 80"),
    ],
)
def test_queries_needed_refuses(arguments, message):
    names = "sd", "difference", "power", "design_effect"
    with pytest.raises((TypeError, ValueError), match=message):
        queries_needed(**dict(zip(names, arguments, strict=False)))


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


def test_interval_is_scipys_for_one_mean():
    values = np.random.default_rng(0).normal(size=30)
    assert interval(values)[1:] == pytest.approx(
        stats.ttest_1samp(values, 0).confidence_interval(0.95)
    )
    assert interval(values).mean == pytest.approx(values.mean())
    assert interval([0.5] * 3) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[1.0, 2.0]], "values must be one flat row"),
        ([0.5], "at least two queries, got 1: one has no spread"),
        ([1e308] * 3, "values must be metrics, at most 1e.100, got 1e.308"),
    ],
)
def test_interval_refuses(values, message):
    with pytest.raises(ValueError, match=message):
        interval(values)
