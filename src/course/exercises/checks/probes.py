"""The inputs on which the programs of several exercises are tried; each tells mistakes apart."""

from dataclasses import replace

import numpy as np

from course.exercises.task import Edge
from ndcglib.conventions.method import RIGHT, evaluate_list


def as_arrays(probes):
    """Return probes with their lists turned into arrays."""
    return tuple(
        tuple(np.array(part) if isinstance(part, list) else part for part in probe)
        for probe in probes
    )


# Grades and scores by document, and k.
SCORED = (
    ([2, 3, 2, 1, 0, 3], [0.4, 0.3, 0.5, 0.1, 0.6, 0.2], 4),
    ([3, 2, 3, 0, 1, 2], [0.2, 0.9, 0.5, 0.8, 0.1, 0.6], 3),
    ([0, 1, 3, 0, 2], [0.7, 0.1, 0.3, 0.9, 0.5], 5),
    ([1, 0, 2, 0, 3, 1], [0.1, 0.3, 0.2, 0.6, 0.5, 0.4], 3),
)
# Grades in rank order, and k.
RANKED = (
    ([0, 2, 2, 3, 3, 1], 4),
    ([2, 0, 2, 3, 3, 1], 3),
    ([0, 0, 2, 3, 1], 5),
    ([0, 3, 1, 0, 2, 1], 3),
    ([2, 3, 1], 3),
    ([1, 0], 2),  # an ideal of 1
)
# With ties: three tied documents, which k cuts or not, and groups at both ends. No tie may stand
# in an order that is worth what the best, the worst or the average order is worth.
TIED = (
    ([2, 1, 0, 3, 1], [0.9, 0.5, 0.5, 0.5, 0.1], 5),
    ([2, 1, 0, 3, 1], [0.9, 0.5, 0.5, 0.5, 0.1], 3),
    ([1, 2, 0, 3, 0], [0.9, 0.5, 0.5, 0.5, 0.1], 2),
    ([0, 3, 1, 2, 2, 0, 1], [4, 4, 3, 2, 2, 2, 2], 5),
)
# With ties, and in an input order that is not that of the scores.
UNSORTED = (
    ([0, 1, 2, 3, 0], [0.2, 0.52, 0.9, 0.52, 0.52], 4),
    ([2, 0, 2, 1, 1, 3], [-1.2, 0.28, -0.3, -0.3, 0.3, -0.3], 4),
    ([1, 0, 2, 0, 1, 3, 0, 2, 1, 0, 3, 0, 1, 2, 0, 0, 1, 3], 6 * [0.3, 0.7, 0.5], 12),
)
# Negative scores and a tie of two equal grades, which is worth the same in any order; one grade.
AWKWARD = (
    ([1, 2, 0, 2, 3], [-0.5, 0.25, -2.0, 0.25, -1.0], 3),
    ([2, 2, 2], [0.3, -0.1, 0.2], 2),
    ([1, 0], [0.4, 0.1], 2),  # an ideal of 1
)
# Several queries at once.
BATCH = (
    (
        [[2, 3, 2, 1, 0, 3], [3, 2, 3, 0, 1, 2], [0, 0, 1, 0, 2, 0]],
        [
            [0.4, 0.3, 0.5, 0.1, 0.6, 0.2],
            [0.21, 0.91, 0.51, 0.81, 0.11, 0.61],
            [0.65, 0.55, 0.45, 0.35, 0.25, 0.15],
        ],
        4,
    ),
    (
        [[0, 1, 3, 0, 2], [3, 3, 1, 0, 0]],
        [[0.7, 0.1, 0.3, 0.9, 0.5], [0.15, 0.25, 0.35, 0.45, 0.55]],
        3,
    ),
)
AWKWARD_BATCH = ([[1, 2, 0, 2], [2, 2, 2, 2]], [[-0.5, 0.25, -2.0, 0.25], [0.3, -0.1, 0.2, -3]], 3)
# As arrays: one query, and several at once.
ONE_QUERY, SEVERAL = as_arrays((*SCORED, *AWKWARD)), as_arrays((*BATCH, AWKWARD_BATCH))
# Rows of a table: query, relevance, score. Ties that their order does not decide, in no order.
JUDGED = (
    ([(1, 1, 0.5), (2, 1, 0.5), (1, 0, 0.5), (1, 3, 0.5), (2, 2, 0.7), (1, 1, 0.2)],),
    ([(7, 3, 0.9), (7, 2, 0.1), (7, 3, 0.1), (5, 1, 0.3), (5, 0, 0.3), (5, 3, 0.3), (7, 0, 0.1)],),
    ([(4, 1, 2), (4, 0, 2), (4, 1, 3), (4, 3, 2), (4, 5, 1), (4, 4, 1), (4, 0, 0)],),
)


def of_ranked(method, grades, k=None):
    """Return what a method gives for grades in rank order."""
    return evaluate_list(method, grades, range(len(grades), 0, -1), k)


def equal_scores(method=RIGHT, several=False):
    """Return the special case of equal scores: in the order of the input, or averaged."""
    query = [2, 1, 0, 3, 1], [0.9, 0.5, 0.5, 0.5, 0.1]
    args = [[part, part] for part in query] if several else query
    return Edge(
        (*map(np.array, args), 3),
        "Here scores are equal. Keep them in the order of the input, as "
        '`np.argsort(-scores, kind="stable")` does, or average over their orders. '
        "`np.argsort(scores)[::-1]` turns them around, `sorted(zip(scores, grades))` lets the "
        "grades decide, and a sort that is not stable may do anything.",
        also=(replace(method, ties="stable"),),
    )
