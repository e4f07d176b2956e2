"""Odd objects, once: every argument of every public function of metrics refuses its own.

`ODD` has the odd objects of each argument, with the error that they must get; `CALLS` says
which function takes which of these arguments. What only one function refuses stands in the
tests of that function.
"""

import math

import numpy as np
import pytest

from helpers.breakdown import breakdown, cutoff_curves
from ndcglib.metrics import (
    all_orders,
    average_precision,
    corrected_ndcg,
    dcg,
    discount_weights,
    err,
    gain_values,
    idcg,
    minmax_ndcg,
    ndcg,
    ndcg_differences,
    ndcg_long,
    random_ndcg,
    random_pairs,
    rbp,
    reciprocal_rank,
    verdicts,
    worst_ndcg,
)

NAN, INF = math.nan, math.inf
HUGE = "x" * 1_000_000
TABLE = [
    ([3, NAN, 0], ValueError, r"must be finite, got nan at index .*; put a number"),
    ([0.1, INF, 0], ValueError, "must be finite, got inf"),
    ([3, INF, NAN], ValueError, "must be finite, got inf"),  # the first of them
    (["a", "b", "c"], TypeError, "must hold real numbers, got dtype <U1"),
    ([0.3, None, 0.1], TypeError, "must hold real numbers, got dtype object"),
    ([1j, 0, 0], TypeError, "must hold real numbers, got dtype complex"),
    (np.ma.array([3, 2, 0], mask=[0, 1, 0]), ValueError, "must not be masked"),
    ([np.ma.array([3, 2, 0], mask=[0, 1, 0])], ValueError, "must not be masked"),
    (([1, 2, 0], np.ma.array([3, 2, 0], mask=[0, 1, 0])), ValueError, "must not be masked"),
    (5, ValueError, r"must have shape \(n_docs,\) or \(n_queries, n_docs\), got \(\)"),
    ([], ValueError, "holds no query or no document"),
    (np.empty((0, 3)), ValueError, r"holds no query or no document, got shape \(0, 3\)"),
    ([[1, 2], [3]], TypeError, "must be a rectangle of numbers, .*ndcg_long"),
]
COUNT = [
    (0, ValueError, "must be a positive integer.*, got 0"),
    (-1, ValueError, "must be a positive integer.*, got -1"),
    (2.5, TypeError, "must be a positive integer.*, got 2.5"),
    (True, TypeError, "must be a positive integer.*, got True"),
    (HUGE, TypeError, "must be a positive integer.*, got 'xxx"),
]
ODD = {
    **dict.fromkeys(("y_true", "y_score", "relevance", "score", "grades"), TABLE),
    **dict.fromkeys(("first", "second"), TABLE),
    **dict.fromkeys(("n_ranks", "n_pairs", "k_max"), COUNT),
    "k": [(odd, error, f"{says[:26]} or None.*") for odd, error, says in COUNT],
    "seed": [(odd, ValueError, "must be a whole number at least 0") for odd in (-1, "x", 0.5)],
    "log_base": [
        (2j, TypeError, "must be a finite number above 1, got 2j"),
        (HUGE, TypeError, "must be a finite number above 1, got 'xxx"),
        (1, ValueError, "must be a finite number above 1, got 1"),
        (0.5, ValueError, "must be a finite number above 1, got 0.5"),
        (NAN, ValueError, "must be .*, got nan"),
        (INF, ValueError, "must be a finite number above 1, got inf"),
        (np.float32(INF), ValueError, "must be a finite .*, got .*inf"),
        (10**400, ValueError, "must be a finite number above 1"),
    ],
    "gain": [
        (HUGE, ValueError, "must be .*got 'xxx"),
        (3, TypeError, "must be .*got int"),
        (dict.fromkeys(range(4, 10**5), 1), ValueError, "the table has no entry for grade"),
        ({0: 0, 2: 3}, ValueError, r"the table has no entry for grade 3; it has \[0, 2\]"),
        ({"0": 1, 0: 2, 2: 1}, ValueError, r"no entry for grade 3; it has \['0', 0, 2\]"),
        ({0: 0, 2: HUGE, 3: 1}, TypeError, "the table must give a number"),
        (lambda y: 1 if y > 1 else 0, TypeError, "must take an array"),
        (lambda y: int(HUGE), TypeError, "must take an array"),
        (lambda y: y * 1j, TypeError, "must return real numbers, got dtype complex"),
        (lambda y: y / 0.0, ValueError, "must return finite numbers"),
        (lambda y: y[0], ValueError, "must return one gain for each grade"),
    ],
    "discount": [
        (HUGE, ValueError, "must be .*got 'xxx"),
        (3, TypeError, "must be .*got int"),
        (lambda r: r, ValueError, "must not rise.*rank 2 weighs more"),
        (lambda r: -r, ValueError, "must return finite weights"),
        (lambda r: 1.0, ValueError, "must return one weight for each"),
        (lambda r: 1 / math.log2(r), TypeError, "must take an array"),
        (lambda r: ["a"] * len(r), TypeError, "must return real numbers"),
    ],
    "ties": [
        (HUGE, ValueError, "must be one of average, .*got 'xxx"),
        (np.array(["best"]), ValueError, "must be one of"),
    ],
    "per_query": [
        (odd, TypeError, "must be True or False, got ") for odd in ("no", 1, None, [], HUGE)
    ],
    "sample_weight": [
        (2, ValueError, r"must have shape \(1,\).*got 2"),
        ([1, 2], ValueError, r"must have shape \(1,\).*\(2,\)"),
        ([-1], ValueError, "must not be negative, got -1"),
        ([0], ValueError, "must not be all zero"),
        ([NAN], ValueError, "must be finite.*put a number"),
        ([INF], ValueError, "must .* what it belongs to"),
    ],
    "empty": [
        (2, ValueError, "must be 0, 1, nan or 'skip', got 2"),
        (HUGE, ValueError, "must be 0, 1, nan or 'skip', got 'xxx"),
        (None, ValueError, "must be 0, 1, nan or 'skip', got None"),
    ],
    "pool": [
        (np.array(3), ValueError, r"must be a list of grades, .* got array\(3\)"),
        (dict.fromkeys(range(10**5), 1), ValueError, "must be a list of grades, .* got "),
        ([], ValueError, r"must be a list of grades, .* got \[\]"),
        (3, ValueError, "must be a list of grades, .* got 3"),
        ("320", ValueError, "must be a list of grades, .* got '320'"),
        ([[3, 2, 0], [1]], ValueError, "must hold one list .* 1 queries, got 2"),
        ([[[3, 2, 0], [9, 9, 9]]], ValueError, "must be a flat list of grades"),
        ([3], ValueError, "must hold the grades of everything judged"),
        ([3, 2, NAN], ValueError, "must be finite"),
        ([3, 2, 0, -1], ValueError, "must not give negative gains"),
    ],
}
LISTED = dict(y_true=[3, 2, 0], y_score=[0.3, 0.2, 0.1])
BY_RANK = ["k", "gain", "discount", "log_base"]
MEAN = ["sample_weight", "per_query"]
RULES = [*BY_RANK, "ties", "pool"]
LONG = dict(query=["a"] * 3, relevance=[3, 2, 0], score=[0.3, 0.2, 0.1])
PAIR = dict(first=[3, 2, 0], second=[0, 2, 3])
CALLS = {
    dcg: (LISTED, [*BY_RANK, "ties", *MEAN]),
    idcg: ({"y_true": [3, 2, 0]}, [*BY_RANK, *MEAN]),
    ndcg: (LISTED, [*RULES, *MEAN, "empty"]),
    random_ndcg: ({"y_true": [3, 2, 0]}, [*BY_RANK, "pool", *MEAN, "empty"]),
    worst_ndcg: ({"y_true": [3, 2, 0]}, [*BY_RANK, "pool", *MEAN, "empty"]),
    corrected_ndcg: (LISTED, [*RULES, *MEAN, "empty"]),
    minmax_ndcg: (LISTED, [*RULES, *MEAN, "empty"]),
    ndcg_long: (LONG, [*BY_RANK, "ties", "empty", "per_query"]),
    rbp: (LISTED | {"max_grade": 3}, ["k", "ties", "per_query"]),
    reciprocal_rank: (LISTED, ["k", "ties", "per_query"]),
    err: (LISTED | {"max_grade": 3}, ["k", "ties", "per_query"]),
    average_precision: (LISTED, ["k", "ties", "empty", "per_query"]),
    all_orders: ({"grades": [3, 2, 0]}, ["k", "gain"]),
    random_pairs: (dict(grades=[3, 2, 0], n_pairs=2, seed=0), ["n_pairs", "seed"]),
    ndcg_differences: (PAIR, BY_RANK),
    verdicts: (PAIR, BY_RANK),
    discount_weights: ({"n_ranks": 3}, ["discount", "log_base"]),
    gain_values: ({"grades": [3, 2, 0]}, ["gain"]),
    breakdown: (LISTED, RULES),
    cutoff_curves: (LISTED, ["k_max", "gain", "discount", "log_base", "ties", "pool"]),
}
OWN_WORDS = {(gain_values, "grades")}  # takes any shape; see test_metrics


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("function", CALLS, ids=lambda function: function.__name__)
def test_odd_objects_are_refused_by_name(function):
    usual, options = CALLS[function]
    function(**usual)
    for name in {*usual, *options} & ODD.keys():
        for odd, error, says in [] if (function, name) in OWN_WORDS else ODD[name]:
            with pytest.raises(error, match=rf"^{name}(\[0\])?:? .*{says}") as caught:
                function(**{**usual, name: odd})
            assert len(str(caught.value)) < 1600  # twenty lines of eighty letters
