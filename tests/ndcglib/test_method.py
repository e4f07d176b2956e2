"""NDCG of one list under any switch: against `ndcglib.metrics`, and number by number."""

import math
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcglib.conventions import SWITCHES, Convention, evaluate
from ndcglib.conventions.method import (
    RIGHT,
    VALUES,
    Method,
    evaluate_batch,
    evaluate_list,
    halves,
)
from ndcglib.metrics import dcg, idcg, ndcg

QUERIES = st.integers(1, 8).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 4), min_size=n, max_size=n),
        st.lists(st.integers(0, 3), min_size=n, max_size=n),
        st.integers(1, 10),
    )
)
ONE = [2, 3, 2, 1, 0, 3], [0.4, 0.3, 0.5, 0.1, 0.6, 0.2], 4
SEVERAL = (
    [[2, 3, 2, 1, 0, 3], [3, 2, 3, 0, 1, 2], [0, 0, 1, 0, 2, 0]],
    [[0.4, 0.3, 0.5, 0.1, 0.6, 0.2], [0.2, 0.9, 0.5, 0.8, 0.1, 0.6], [6, 5, 4, 3, 2, 1]],
)
GAINS = {"linear": "linear", "exponential": "exponential", "binary": lambda g: (g > 0) * 1.0}
of_the_library = (
    st.sampled_from(sorted(GAINS)),
    st.sampled_from(["log", "reciprocal", "2002"]),
    st.sampled_from(["average", "stable", "best", "worst"]),
)


def of_a_run(convention, y_true, y_score, k):
    """Return what a convention gives for one query."""
    docs = [f"D{i}" for i in range(len(y_true))]
    run, qrels = (dict(zip(docs, some, strict=True)) for some in (y_score, y_true))
    return evaluate(convention, {"q": run}, {"q": qrels}, k)


@given(QUERIES, *of_the_library)
@settings(max_examples=300, deadline=None)
def test_what_the_library_knows_is_the_same_in_a_method_and_in_a_convention(
    query, gain, discount, ties
):
    rules = dict(discount=discount, ties=ties)
    y_true, y_score, k = query
    options = dict(k=k, gain=GAINS[gain], discount=discount)
    wanted = {
        "DCG": dcg(y_true, y_score, ties=ties, **options),
        "IDCG": idcg(y_true, **options),
        "NDCG": ndcg(y_true, y_score, ties=ties, **options),
    }
    for result, value in wanted.items():
        given_ = evaluate_list(Method(gain=gain, result=result, **rules), *query)
        assert given_ == pytest.approx(value, abs=1e-12)
    told = of_a_run(Convention(gain=gain, **rules), *query)
    assert told == pytest.approx(wanted["NDCG"], abs=1e-12)


# With pool="top k" a tie at k is cut in the order of the file: there only "stable" is one list.
SHARED = [
    dict(gain=gain, ties=ties, cutoff=cutoff)
    for gain in ("linear", "judged")
    for ties in ("average", "stable", "reversed", "best", "worst")
    for cutoff in ("both", "none")
] + [dict(ties="stable", pool="top k")]


@given(QUERIES)
@settings(max_examples=50, deadline=None)
def test_a_value_means_the_same_in_a_method_and_in_a_convention(query):
    for rules in SHARED:
        told = of_a_run(Convention(**rules), *query)
        found = evaluate_list(Method(empty=0.0, **rules), *query)
        assert found == pytest.approx(told, abs=1e-12), rules


def test_of_a_cut_dcg_and_a_whole_ideal_both_say_the_same():
    for query in zip(*SEVERAL, (2, 3, 5), strict=True):
        told = of_a_run(Convention(cutoff="dcg"), *query)
        assert evaluate_list(Method(pool="not cut"), *query) == pytest.approx(told, abs=1e-12)


@pytest.mark.parametrize("switch", VALUES)
def test_a_value_that_there_is_not_is_no_default(switch):
    with pytest.raises(ValueError, match=f"{switch} must be one of .*, got 'file order'"):
        Method(**{switch: "file order"})


# Of a list with its scores there is nothing else; a run has more: what was judged, and ids.
OF_A_RUN = {
    "ties": {"id descending", "id ascending", "no rule"},
    "pool": {"judged"},
    "cutoff": {"dcg"},
}


def test_a_value_of_a_convention_is_one_of_a_method_or_of_a_run():
    shared = SWITCHES.keys() & VALUES.keys()
    assert shared == {"gain", "discount", "ties", "pool", "cutoff"}
    for switch in shared:
        assert set(SWITCHES[switch][1]) - set(VALUES[switch]) == OF_A_RUN.get(switch, set())


def test_every_switch_but_empty_has_its_values():
    assert {field.name for field in fields(Method)} - {"empty"} == set(VALUES)


@pytest.mark.parametrize("k", [1, 4, 6])
def test_the_batch_is_right_where_no_switch_is_wrong(k):
    options = dict(k=k, per_query=True)
    wanted = ndcg(*SEVERAL, **options)
    assert evaluate_batch(RIGHT, *SEVERAL, k) == pytest.approx(wanted, abs=1e-12)
    totals, ideals = halves(RIGHT, *SEVERAL, k)
    assert totals == pytest.approx(dcg(*SEVERAL, **options), abs=1e-12)
    assert ideals == pytest.approx(idcg(SEVERAL[0], **options), abs=1e-12)


def test_what_counts_where_the_ideal_is_0():
    nothing = [0, 0], [0.2, 0.1]
    values = [evaluate_list(Method(empty=empty), *nothing) for empty in (None, 0.0, 1.0)]
    assert values == [0, 0, 1]
    upside_down = Method(pool="ascending")
    assert evaluate_list(upside_down, [0, 1], [0.2, 0.1], 1) == 0
    assert evaluate_list(upside_down, [0, 1], [0.1, 0.2], 1) == math.inf
    assert evaluate_list(replace(upside_down, empty=0.0), [0, 1], [0.1, 0.2], 1) == 0


F1 = """
discount: natural log 0.5262, log10 0.5262, log2(r + 2) 0.6010, 2002 0.5764, reciprocal 0.4265
discount: 1/(r + 1) 0.5196, multiplied 0.8620, none 0.7000, log2(r) + 1 0.4669, // 0.6000
gain: exponential 0.4510, 2^rel 0.5348, binary 0.6096
order: ascending 0.7779, input order 0.7882, by label 1.0, argsort twice 0.8029
order: arguments swapped 0.6761
pool: top k 0.6754, ascending 1.4260, not cut 0.4977, unsorted 0.6676
cutoff: none 0.7101, k - 1 0.3838, k + 1 0.6602
result: IDCG / DCG 1.9005, DCG 3.5539, / sum of gains 0.3231, / k 0.8885
rounding: parts to 2 0.5259
"""
THREE_TIED = [2, 3, 0, 0, 1], [0.9, 0.5, 0.5, 0.5, 0.1]
TIES = {  # by k; the average rank is 3.88685 / 4.76186
    5: dict(best=0.8987, worst=0.7726, middle=0.8357, dense=0.9225, average=0.8292)
    | {"stable": 0.8987, "minimum rank": 0.8987, "average rank": 0.8162},
    3: {"dropped at k": 0.4200, "average": 0.6575},
    2: {"dropped at k": 0.4693, "average": 0.6173},
}


@pytest.mark.parametrize("line", F1.strip().splitlines())
def test_each_mistake_prints_its_own_number(line):
    switch, _, values = line.partition(": ")
    for value, number in (part.rsplit(" ", 1) for part in values.split(", ")):
        assert round(evaluate_list(Method(**{switch: value}), *ONE), 4) == float(number), value


@pytest.mark.parametrize("k", TIES)
def test_each_tie_rule_prints_its_own_number(k):
    for ties, number in TIES[k].items():
        assert round(evaluate_list(Method(ties=ties), *THREE_TIED, k), 4) == number


def test_dividing_by_the_logarithm_of_one_is_no_number():
    assert math.isnan(evaluate_list(Method(discount="log2(r)"), *ONE))


def test_a_group_that_ends_at_k_is_not_cut():
    assert evaluate_list(Method(ties="dropped at k"), *THREE_TIED, 4) == evaluate_list(
        RIGHT, *THREE_TIED, 4
    )
