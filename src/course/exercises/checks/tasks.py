"""What the functions to write are tried on, by exercise: probes, and a model with switches.

Where there is no model, the solution in the exercise's text says what is right.
"""

from dataclasses import replace

import numpy as np

from course.exercises.checks.probes import (
    AWKWARD,
    AWKWARD_BATCH,
    BATCH,
    RANKED,
    SCORED,
    TIED,
    UNSORTED,
    as_arrays,
    of_batch_mean,
    of_ranked,
)
from course.exercises.task import Edge, Task
from ndcglib.conventions.method import RIGHT, Method, evaluate_batch, evaluate_list, quotient
from ndcglib.metrics import ndcg

RUNS = (  # a run, its judgments, and k
    ({"a": {"x": 0.9, "y": 0.8}, "b": {"z": 0.5}}, {"a": {"x": 1, "y": 3}, "b": {"z": 0}}, 2),
    (
        {"c": {"x": 0.2, "y": 0.8, "z": 0.5}, "d": {"x": 0.1, "y": 0.3}},
        {"c": {"x": 3, "w": 2, "z": 1}, "d": {"y": 2}},
        2,
    ),
    ({"e": {"x": 0.4}, "f": {"x": 0.1, "y": 0.7}}, {"e": {"w": 0}, "f": {"x": 2, "y": 1}}, 1),
    (  # three queries, and an ideal of 1
        {"g": {"x": 0.6, "y": 0.2}, "h": {"z": 0.3, "w": 0.9, "x": 0.5}, "i": {"v": 0.4}},
        {"g": {"y": 1}, "h": {"z": 2, "x": 1}, "i": {"v": 0}},
        2,
    ),
)
PARTLY_ANSWERED = (
    ({"a": {"x": 0.9, "y": 0.8}}, {"a": {"x": 1, "y": 3}, "b": {"z": 2}}, 2),
    (
        {"c": {"x": 0.2, "y": 0.8, "z": 0.5}, "d": {"x": 0.1, "y": 0.3}},
        {"c": {"x": 3, "w": 2, "z": 1}, "d": {"y": 2}, "e": {"x": 1}, "f": {"x": 0}},
        3,
    ),
    ({"g": {"x": 0.1, "y": 0.7}}, {"g": {"x": 2, "y": 1}, "h": {"x": 1}, "i": {"y": 1}}, 1),
    (  # an answered query with nothing relevant, and an ideal of 1
        {"j": {"x": 0.9}, "k": {"y": 0.5, "z": 0.6, "w": 0.1}, "l": {"x": 0.2, "y": 0.4}},
        {"j": {"x": 0}, "k": {"y": 3, "w": 2, "v": 1}, "l": {"x": 1}, "m": {"z": 2}},
        2,
    ),
)
PAIRED = as_arrays(  # the NDCG of two rankers, query by query
    (
        ([0.9, 0.2, 0.5, 0.7], [0.8, 0.1, 0.45, 0.4]),
        ([0.3, 0.6, 0.1, 0.9, 1.0], [0.5, 0.4, 0.2, 1.0, 0.7]),
        ([0.0, 1.0, 0.25], [0.5, 0.9, 0.75]),
    )
)
# Rows of a table: query, relevance, score. Ties that their order does not decide, in no order.
JUDGED = (
    ([(1, 1, 0.5), (2, 1, 0.5), (1, 0, 0.5), (1, 3, 0.5), (2, 2, 0.7), (1, 1, 0.2)],),
    ([(7, 3, 0.9), (7, 2, 0.1), (7, 3, 0.1), (5, 1, 0.3), (5, 0, 0.3), (5, 3, 0.3), (7, 0, 0.1)],),
    ([(4, 1, 2), (4, 0, 2), (4, 1, 3), (4, 3, 2), (4, 5, 1), (4, 4, 1), (4, 0, 0)],),
)
FAULTY = (
    ([(1, 3, 0.5), (1, None, 0.4), (1, 0, 0.3), (2, 1, None), (2, -1, 0.2), (2, 0, None)],),
    ([(1, -2, 0.1), (2, None, None), (3, 0, 0.0), (3, 2, 0.0)],),
    ([(1, 1, None), (1, None, 0.2), (1, -1, 0.3), (1, 0, -0.4), (2, 4, 0.1), (2, 7, 2.5)],),
)
DCG, STEEP = Method(result="DCG"), Method(gain="exponential")
ONE_QUERY, SEVERAL = as_arrays((*SCORED, *AWKWARD)), as_arrays((*BATCH, AWKWARD_BATCH))
OF_RANKED = ("gain", "discount", "cutoff", "pool", "result")
OF_SCORED = ("gain", "discount", "order", "cutoff", "pool", "result", "rounding")
OF_SEVERAL = ("gain", "order", "cutoff", "pool", "result", "batch")


def equal_scores(method=RIGHT, several=False):
    """Return the special case of equal scores: in the order of the input, or averaged."""
    query = [2, 1, 0, 3, 1], [0.9, 0.5, 0.5, 0.5, 0.1]
    args = [[part, part] for part in query] if several else query
    return Edge(
        (*map(np.array, args), 3),
        "Here scores are equal. Keep them in the order of the input, as "
        '`np.argsort(-scores, kind="stable")` does, or average over their orders. '
        "`np.argsort(scores)[::-1]` turns them round, `sorted(zip(scores, grades))` lets the "
        "grades decide, and a sort that is not stable may do anything.",
        also=(replace(method, ties="stable"),),
    )


def of_each_grade(method, grades):
    """Return the gain that a method has for each grade."""
    return [evaluate_list(method, [int(g)], [0]) for g in grades]


def of_pooled(method, ranked_grades, k, pool):
    """Return NDCG@k with the ideal from a pool, as a method that is right elsewhere has it."""
    total = of_ranked(replace(method, result="DCG"), ranked_grades, k)
    return quotient(total, of_ranked(replace(method, result="IDCG"), pool, k))


def of_constant(method, grades, k):
    """Return what a method makes of a model that gives every document the same score."""
    return evaluate_list(method, grades, [0] * len(grades), k)


# ------------------------------------------------------------ a check that can fail


def _implementation(values):
    """Return a program that gives these values; none can be told from another by its name."""

    def implementation(y_true, y_score, k):
        return values(ndcg(y_true, y_score, k=k, per_query=True), y_true, y_score, k)

    return implementation


def _with_exponential_gain(_right, y_true, y_score, k):
    return ndcg(y_true, y_score, k=k, gain="exponential", per_query=True)


def _nan_for_empty(_right, y_true, y_score, k):
    return ndcg(y_true, y_score, k=k, empty=float("nan"), per_query=True)


# A rounding error of its own keeps even a right program from being equal to scikit-learn.
IMPLEMENTATIONS = {
    _implementation(lambda right, *_: right * (1 + 1e-15)): "a right program",
    _implementation(lambda right, *_: right * (1 - 1e-15)): "another right program",
    _implementation(lambda right, *_: right + 9e-10): "one that is off by 9e-10 everywhere",
    _implementation(_with_exponential_gain): "one with exponential gain",
    _implementation(lambda right, *_: right[::-1]): "the right values at the wrong queries",
    _implementation(lambda right, *_: right.round(2)): "one that rounds to two decimals",
    _implementation(lambda right, *_: right.round(6)): "one that rounds to six decimals",
    _implementation(_nan_for_empty): "one with nan where nothing is relevant",
    _implementation(lambda right, *_: right - [0, 2e-9, 0]): "one that is off by 2e-9 once",
    _implementation(lambda right, *_: right + 2e-9): "one that is off by 2e-9 everywhere",
    _implementation(lambda right, *_: right + 1.1e-9): "one that is off by 1.1e-9 everywhere",
}
TABLE = as_arrays(
    [([[2, 3, 2, 1], [3, 2, 0, 1], [0, 0, 0, 0]], [[4, 3, 2, 1], [1, 2, 4, 3], [4, 3, 2, 1]], 3)]
)[0]

# ------------------------------------------------------------ rows of values to search

HILLS = (
    [0.30, 0.31, 0.35, 0.36, 0.40, 0.46, 0.52, 0.55, 0.60, 0.63, 0.61, 0.58],
    [0.20, 0.25, 0.45, 0.44, 0.43, 0.41, 0.48, 0.59, 0.52, 0.50, 0.65, 0.66, 0.64, 0.62, 0.1, 0.1],
    [0.50, 0.52, 0.51, 0.70, 0.30, 0.45, 0.44, 0.43, 0.56, 0.57, 0.58, 0.55, 0.54, 0.53, 0.2, 0.1],
    [0.10, 0.20, 0.30, 0.40, 0.50, 0.60, 0.70, 0.80, 0.90, 0.80, 0.70, 0.60, 0.50, 0.40, 0.3, 0.2],
    [0.48, 0.82, 0.10, 0.81, 0.85, 0.41, 0.63, 0.25, 0.17, 0.16, 0.78, 0.37, 0.9, 0.4, 0.73, 0.2],
)

TASKS = {
    "my-dcg": Task(
        probes=tuple((grades,) for grades, _ in RANKED),
        compute=of_ranked,
        method=DCG,
        switches=("gain", "discount", "cutoff", "result", "rounding"),
    ),
    "my-ndcg-at-k": Task(probes=RANKED, compute=of_ranked, switches=(*OF_RANKED, "rounding")),
    "ideal-from-the-top": Task(probes=RANKED, compute=of_ranked, switches=OF_RANKED),
    "order-the-lines": Task(
        probes=(
            ([3, 0, 1], 2, [1, 3, 3, 0, 0, 2]),
            ([0, 2, 2, 3], 3, [2, 0, 3, 2, 3, 3]),
            ([1, 0, 0], 3, [0, 1, 3, 0, 3, 3]),
        ),
        compute=of_pooled,
        switches=("pool",),
    ),
    "own-gain": Task(
        probes=as_arrays((([0, 1, 2, 3],), ([3, -1, 2, 0, 1],), ([-1, 0, 1],), ([2, 2, -1, 3],)))
    ),
    "half-a-gain": Task(probes=RANKED, compute=of_ranked, method=STEEP, switches=OF_RANKED),
    "right-at-rank-one": Task(probes=RANKED, compute=of_ranked, switches=OF_RANKED),
    "ndcg-one": Task(
        probes=ONE_QUERY, compute=evaluate_list, switches=OF_SCORED, edges=(equal_scores(),)
    ),
    "exponential-gains": Task(
        probes=((np.array([0, 1, 2, 3, 4]),), (np.array([5, 0, 2]),)),
        compute=of_each_grade,
        method=Method(gain="exponential", result="DCG"),
        switches=("gain",),
    ),
    "check-that-can-fail": Task(
        probes=tuple(
            (implementation, *TABLE)
            for implementation in sorted(IMPLEMENTATIONS, key=IMPLEMENTATIONS.get)
        ),
        called=IMPLEMENTATIONS,
        may_ask=True,
    ),
    "patient-one": Task(
        probes=ONE_QUERY, compute=evaluate_list, switches=OF_SCORED, edges=(equal_scores(),)
    ),
    "patient-two": Task(
        probes=ONE_QUERY,
        compute=evaluate_list,
        method=DCG,
        switches=("gain", "discount", "order", "cutoff", "result"),
        edges=(equal_scores(DCG),),
    ),
    "patient-three": Task(
        probes=ONE_QUERY,
        compute=evaluate_list,
        method=STEEP,
        switches=OF_SCORED,
        edges=(equal_scores(STEEP),),
    ),
    "patient-four": Task(
        probes=ONE_QUERY, compute=evaluate_list, switches=OF_SCORED, edges=(equal_scores(),)
    ),
    "patient-five": Task(
        probes=SEVERAL,
        compute=evaluate_batch,
        switches=OF_SEVERAL,
        edges=(equal_scores(several=True),),
    ),
    "patient-six": Task(
        probes=SEVERAL,
        compute=of_batch_mean,
        switches=OF_SEVERAL,
        edges=(equal_scores(several=True),),
    ),
    "tie-averaged-dcg": Task(
        probes=as_arrays((*TIED, *UNSORTED)),
        compute=evaluate_list,
        method=DCG,
        switches=("ties", "gain", "discount", "order", "cutoff", "result"),
    ),
    "sorted-tuples": Task(
        probes=(*TIED, *UNSORTED),
        compute=evaluate_list,
        method=Method(ties="stable"),
        switches=("ties", "order", "pool", "cutoff", "result"),
    ),
    "broken-evaluation": Task(probes=RUNS),
    "unpaired-test": Task(probes=PAIRED),
    "random-level-code": Task(
        probes=as_arrays((([1, 3, 0, 3, 2], 5), ([0, 2, 0, 1, 3, 0], 3), ([1, 0, 0, 2], 1))),
        compute=of_constant,
        switches=OF_RANKED,
    ),
    "all-crossings": Task(
        probes=(
            ([3, 2, 1], [0, 2, 1]),
            ([3, 2, 1, 0], [0, 2, 1, 4]),
            ([1.0, 4.0, 2.5, 0.5], [2.0, -1.0, 0.5, 2.0]),
            ([1, 1, 3], [0, 2, 1]),
            # Slopes that are equal, but not one object; negative ones beside their opposites.
            ([-2.0, 1.5, -0.5, 3.0, -1.0, 2.5], [-1.5, 1.5, float("-1.5"), 1.0, 0.0, 2.0]),
            ([-1.0, -2.5, 2.0, 0.5], [0.0, 1.0, 1.5, -1.5]),
        )
    ),
    "shorter-step": Task(
        probes=(
            (HILLS[0], 0, 8),
            (HILLS[1], 15, 8),
            (HILLS[2], 15, 4),
            (HILLS[3], 2, 5),
            (HILLS[2], 4, 7),
            (HILLS[4], 11, 11),
            ([0.9, 0.3, 0.2, 0.5], 2, 2),  # to the first place
            ([0.6, 0.5, 0.3, 0.4, 0.7], 1, 2),  # a step beyond it
            ([0.9, 0.1, 0.2, 0.5, 0.3], 3, 8),  # a step too long for either side
        )
    ),
    "k-of-your-own": Task(
        probes=(
            (
                {1: [1, -1], 3: [0, 1], 4: [1, 0]},
                [[[3, 4], [0, 0], [2, 2], [3, 1]], [[0, 1], [2, 1], [4, 2], [3, 3]]],
                [[0, 2, 0, 0], [2, 1, 1, 2]],
                1,
            ),
            (
                {4: [1, 0], 2: [1, -1], 1: [-1, 1]},
                [[[0, 3], [3, 2], [2, 4], [0, 3]], [[1, 0], [2, 4], [3, 3], [3, 3]]],
                [[2, 0, 3, 1], [2, 1, 0, 3]],
                2,
            ),
            (
                {3: [1, -1], 2: [0, 1], 4: [1, 1], 1: [1, 0]},
                [[[1, 2], [2, 0], [4, 1], [0, 3]], [[3, 4], [4, 0], [0, 0], [1, 0]]],
                [[2, 0, 0, 1], [0, 3, 0, 1]],
                2,
            ),
            (  # two values that one decimal does not tell apart
                {3: [-1, 1], 2: [0, 2], 1: [2, 0]},
                [[[2, 2], [3, 2], [3, 4]], [[3, 1], [2, 2], [0, 0]], [[3, 2], [1, 3], [2, 4]]],
                [[2, 3, 2], [1, 1, 3], [2, 0, 3]],
                4,
            ),
        ),
        may_ask=True,
    ),
    "answered-only": Task(probes=PARTLY_ANSWERED),
    "port-the-gain": Task(probes=JUDGED),
    "wrong-window": Task(probes=JUDGED),
    "null-first": Task(probes=FAULTY),
    "push": Task(
        probes=(
            ([3, 1, 0], [0.0, 1.0, 0.5]),
            ([2, 0, 2, 1], [0.3, -0.2, 1.5, 0.9]),
            ([0, 1], [2.0, -1.0]),
            ([2, 3, 1], [0.42, 0.68, -0.17]),
        )
    ),
    "within-the-query": Task(
        probes=(
            ([[1.0, 2.0, 3.0], [11.0, 13.0, 12.0]],),
            ([[0.5, 2.0], [4.0, 1.0], [9.0, 2.5]],),
            ([[5.0, 1.0, 0.0, 2.0], [7.0, 7.5, 6.0, 3.0]],),
            ([[-3.0, 1.0, -4.5], [2.0, -1.0, 0.5]],),
        )
    ),
}
