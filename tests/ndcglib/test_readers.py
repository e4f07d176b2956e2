"""Precision, RBP, RR, ERR and AP against ir-measures, scikit-learn and all orders of ties."""

import itertools
import json
import math
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, label_ranking_average_precision_score

from ndcglib.metrics import (
    average_precision,
    dcg,
    err,
    precision_at_k,
    rbp,
    reciprocal_rank,
)

PEER = json.loads(
    (Path(__file__).parents[2] / "tools" / "peers/user_models.json").read_text(encoding="utf-8")
)
PATIENCE = (0.5, 0.8, 0.95)
HIGHEST = 4
SCALED = (rbp, err)  # they need to know the highest grade


def metrics(k, max_grade=HIGHEST):
    """Each metric with its cutoff."""
    return {
        "P": partial(precision_at_k, k=k),
        "RBP": partial(rbp, max_grade=max_grade, k=k),
        "RBP, 2^grade − 1": partial(rbp, max_grade=max_grade, gain="exponential", p=0.5, k=k),
        "RR": partial(reciprocal_rank, k=k),
        "ERR": partial(err, max_grade=max_grade, k=k),
        "AP": partial(average_precision, k=k),
    }


# --- other libraries ------------------------------------------------------------------


def ours(name):
    """The metric that ir-measures calls so, as a function of one of its queries."""
    what, _, k = name.partition("@")
    k = int(k) if k else None
    return {
        "P": lambda q: precision_at_k(q["grades"], q["scores"], k=k),
        "RR": lambda q: reciprocal_rank(q["grades"], q["scores"], k=k),
        "ERR": lambda q: err(q["grades"], q["scores"], k=k, max_grade=4),
        "AP": lambda q: average_precision(
            q["grades"], q["scores"], k=k, pool=q["grades"] + q["missed"]
        ),
    }[what]


@pytest.mark.parametrize("name", [name for name in PEER["values"] if "RBP" not in name])
def test_equal_to_ir_measures(name):
    digits = 5 if name.startswith("ERR") else 9  # as many as gdeval prints
    compared = 0
    for query, theirs in zip(PEER["queries"], PEER["values"][name], strict=True):
        if theirs is None:  # gdeval is silent on queries without anything relevant
            assert not any(query["grades"] + query["missed"])
            theirs = 0
        assert ours(name)(query) == pytest.approx(theirs, abs=0.51 * 10**-digits)
        compared += 1
    assert compared == 60


def of_ir_measures(p, rel):
    return PEER["values"][f"RBP({f'p={p},' if p != 0.8 else ''}rel={rel})"]


@pytest.mark.parametrize("p", PATIENCE)
def test_rbp_equals_ir_measures(p):
    """Of grades up to 4, a quarter of the grade is the mean over the four ways to cut them."""
    of_cuts = np.array([of_ir_measures(p, rel) for rel in range(1, HIGHEST + 1)])
    for i, query in enumerate(PEER["queries"]):
        grades, scores = np.array(query["grades"]), query["scores"]
        found = rbp(grades, scores, p=p, max_grade=HIGHEST)
        assert found == pytest.approx(of_cuts[:, i].mean(), abs=1e-8)
        binary = rbp(grades >= 2, scores, p=p, max_grade=1)
        assert binary == pytest.approx(of_cuts[1, i], abs=1e-8)


def test_average_precision_equals_scikit_learn_where_nothing_ties():
    rng = np.random.default_rng(0)
    y_true, y_score = rng.integers(0, 2, (40, 12)), rng.permuted([np.arange(12)] * 40, axis=1)
    found = average_precision(y_true, y_score, per_query=True, empty=math.nan)
    there = y_true.any(axis=1)
    for i in np.flatnonzero(there):
        theirs = average_precision_score(y_true[i], y_score[i])
        assert found[i] == pytest.approx(theirs, abs=1e-12)
    rows = label_ranking_average_precision_score(y_true[there], y_score[there])
    assert average_precision(y_true[there], y_score[there]) == pytest.approx(rows, abs=1e-12)


def test_scikit_learn_reads_a_tie_at_once():
    """What the docstring says of it: each of the tied gets the precision at the group's end."""
    assert average_precision_score([1, 0], [0.7, 0.7]) == 0.5
    assert average_precision([1, 0], [0.7, 0.7]) == 0.75


# --- ties: all orders, one by one -----------------------------------------------------


def every_order(y_true, y_score):
    """Yield the grades by rank in each order that the scores allow, all as likely."""
    groups = [
        [grade for grade, score in zip(y_true, y_score, strict=True) if score == level]
        for level in sorted(set(y_score), reverse=True)
    ]
    for parts in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield list(itertools.chain(*parts))


GRADES = st.lists(st.integers(0, HIGHEST), min_size=1, max_size=7)


@settings(deadline=None, max_examples=60, derandomize=True)
@given(grades=GRADES, data=st.data(), k=st.integers(1, 8))
def test_ties_are_averaged_over_all_orders(grades, data, k):
    same = st.lists(st.integers(0, 2), min_size=len(grades), max_size=len(grades))
    scores = data.draw(same)
    orders = list(every_order(grades, scores))
    for name, metric in metrics(k).items():
        values = [metric(order, ranked=True) for order in orders]
        assert metric(grades, scores) == pytest.approx(np.mean(values), abs=1e-12), name
        assert metric(grades, scores, ties="best") == pytest.approx(max(values), abs=1e-12), name
        assert metric(grades, scores, ties="worst") == pytest.approx(min(values), abs=1e-12), name
        by_file = sorted(range(len(grades)), key=lambda i: -scores[i])
        stable = metric([grades[i] for i in by_file], ranked=True)
        assert metric(grades, scores, ties="stable") == pytest.approx(stable, abs=1e-12), name


def test_a_tied_pool_is_averaged_too():
    grades, scores, pool = [1, 0, 2, 0], [0, 0, 0, 1], [1, 2, 3, 0]
    orders = every_order(grades, scores)
    expected = np.mean([average_precision(order, ranked=True, pool=pool) for order in orders])
    assert average_precision(grades, scores, pool=pool) == pytest.approx(expected, abs=1e-12)


def test_a_long_tie_is_stable():
    """Of 500 tied documents, 5 relevant: the chance that the first is at a rank, by binomials."""
    n, relevant = 500, 5
    first_at = [math.comb(n - r, relevant - 1) / math.comb(n, relevant) for r in range(1, n + 1)]
    expected = sum(chance / rank for rank, chance in enumerate(first_at, start=1))
    grades = [1] * relevant + [0] * (n - relevant)
    assert reciprocal_rank(grades, [0] * n) == pytest.approx(expected, rel=1e-12)
    assert average_precision(grades, [0] * n, k=n) == pytest.approx(
        np.mean([(1 + (r - 1) * (relevant - 1) / (n - 1)) / r for r in range(1, n + 1)])
    )
    mixed = np.arange(n) % (HIGHEST + 1)
    assert 0 < err(mixed, [0] * n, max_grade=HIGHEST) < 1


# --- what they are --------------------------------------------------------------------

PAGES = {"A": [3, 0, 0, 0, 0], "B": [2, 2, 0, 0, 0], "C": [0, 1, 1, 1, 1]}
THERE = [3, 2, 2, 1, 1, 1, 1]


def test_three_pages():
    """The fact sheet of the notebook, each number by hand."""
    found = {
        "P": {name: precision_at_k(page, ranked=True, k=5) for name, page in PAGES.items()},
        "RR": {name: reciprocal_rank(page, ranked=True) for name, page in PAGES.items()},
        "AP": {name: average_precision(p, ranked=True, pool=THERE) for name, p in PAGES.items()},
        "ERR": {name: err(page, ranked=True, max_grade=3) for name, page in PAGES.items()},
    }
    expected = {
        "P": (1 / 5, 2 / 5, 4 / 5),
        "RR": (1, 1, 1 / 2),
        "AP": (1 / 7, 2 / 7, (1 / 2 + 2 / 3 + 3 / 4 + 4 / 5) / 7),
        "ERR": (7 / 8, 3 / 8 + 5 / 8 * 3 / 8 / 2, None),
    }
    for name, values in expected.items():
        for value, own in zip(values, found[name].values(), strict=True):
            assert value is None or own == pytest.approx(value), name
    assert max(found["ERR"].values()) == found["ERR"]["A"]


@pytest.mark.parametrize("p", [0, 0.2, 0.49, 0.5, 0.51, 0.8, 0.99])
def test_patience_of_one_half_is_where_rbp_changes_its_mind(p):
    one, two = (rbp(PAGES[name], ranked=True, max_grade=3, p=p) for name in "AB")
    assert one == pytest.approx(1 - p)
    assert two == pytest.approx((1 - p) * (1 + p) * 2 / 3)
    assert np.sign(round(one - two, 12)) == np.sign(0.5 - p)


def test_limits():
    """With p → 1 a reader reads all; with p = 0 the first rank; ERR of 0s and 1s is damped."""
    grades = [1, 0, 1, 1, 0]
    assert rbp(grades, ranked=True, max_grade=1, p=0) == 1
    almost = 1 - 1e-9
    whole = rbp(grades, ranked=True, max_grade=1, p=almost) / (1 - almost)
    assert whole == pytest.approx(dcg(grades, ranked=True, discount=np.ones_like), rel=1e-6)
    for metric in metrics(5, max_grade=3).values():
        assert metric([0] * 5, ranked=True) == 0
    sure = err([50, 0, 50], ranked=True, max_grade=50)  # as good as certain to stop
    assert sure == pytest.approx(reciprocal_rank([50, 0, 50], ranked=True))


def test_a_cutoff_drops_what_is_below():
    grades = [0, 2, 1, 3, 0, 1]
    for name in metrics(1):
        values = [metrics(k)[name](grades, ranked=True) for k in range(1, 7)]
        assert values[0] == 0
        if name != "P":
            assert values == sorted(values)
            past = metrics(99)[name](grades, ranked=True)
            assert past == metrics(None)[name](grades, ranked=True) == values[-1]
    assert precision_at_k(grades, ranked=True, k=60) == pytest.approx(4 / 60)


def test_one_value_for_each_query():
    rng = np.random.default_rng(1)
    y_true, y_score = rng.integers(0, 5, (9, 6)), rng.integers(0, 3, (9, 6))
    for name, metric in metrics(4).items():
        each = metric(y_true, y_score, per_query=True)
        alone = [metric(y, s) for y, s in zip(y_true, y_score, strict=True)]
        assert each == pytest.approx(alone, abs=1e-12), name
        assert metric(y_true, y_score) == pytest.approx(np.mean(alone), abs=1e-12), name


def test_empty_queries():
    y_true, y_score = [[0, 0], [1, 0]], [[1, 2], [2, 1]]
    assert average_precision(y_true, y_score) == 0.5
    assert average_precision(y_true, y_score, empty="skip") == 1
    assert average_precision(y_true, y_score, empty=1) == 1


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: precision_at_k([1], [1], k=None), "k must be a positive integer, got None"),
        (lambda: precision_at_k([1], [1], k=0), "k must be a positive integer, got 0"),
        (
            lambda: rbp([1], [1], max_grade=3, p=1),
            "p must be a finite number of at least 0 and below 1",
        ),
        (lambda: rbp([1], [1], max_grade=3, p="0.8"), "p must be a finite number of at least 0"),
        (lambda: rbp([4], [1], max_grade=3), r"from 0 to max_grade=3, got 4 to 4"),
        (lambda: err([-1, 2], [1, 2], max_grade=3), r"from 0 to max_grade=3, got -1 to 2"),
        (lambda: err([0, 0], [1, 2], max_grade=0), "max_grade must be .* the highest grade"),
        (
            lambda: rbp([1], [1], max_grade=3, gain="binary"),
            "gain must be 'linear', 'exponential'",
        ),
        (lambda: err([1, 0], [1, 2], max_grade=3, ties="luck"), "ties must be one of average"),
        (lambda: reciprocal_rank([1, 0]), "y_score is missing"),
        (lambda: average_precision([1, 1], ranked=True, pool=[1]), "the pool lacks"),
        (lambda: average_precision([1, 1], ranked=True, empty=2), "empty must be 0, 1, nan"),
    ],
)
def test_refusals(call, says):
    with pytest.raises((TypeError, ValueError), match=says):
        call()
