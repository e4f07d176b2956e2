"""DCG and NDCG of one query, as the notebooks let you write them: start reading here.

Each line stands in notebook *gain_discounted* or *your_own_ndcg* as it stands here, but for
the two that join them; a test holds that. Nothing is checked and nothing is fast.
`ndcglib.metrics.ndcg` checks its input, takes many queries, other gains, discounts, tie
rules and a pool, and sums in the fast `kernel`. With its defaults it is held equal to this
file, and this file to the formula of notebook *ties*, by tests with random lists.
"""

from math import log2

import numpy as np


def my_dcg(grades):
    """Return the DCG of grades in rank order: each divided by log2(rank + 1)."""
    total = 0
    for rank, grade in enumerate(grades, start=1):
        total += grade / log2(rank + 1)
    return total


def shared(grades, scores):
    """Return for each document the mean grade of those with its score.

    Over all orders of tied documents each stands on each of their ranks equally often,
    so on average each rank of the group earns this mean. Notebook *ties* derives it.
    """
    distinct, group = np.unique(scores, return_inverse=True)
    mean = np.bincount(group, weights=grades) / np.bincount(group)
    return mean[group]


def dcg(grades, scores, k=None):
    """Return the DCG of documents ranked by falling score, ties averaged, cut at k.

    Parameters
    ----------
    grades, scores : ndarray of shape (n_docs,)
    k : int, optional
        Ranks that count; all by default.
    """
    order = np.argsort(-scores, kind="stable")
    return my_dcg(shared(grades, scores)[order][:k])


def ndcg(grades, scores, k=None):
    """Return the DCG divided by that of the best order; 0.0 if nothing is relevant."""
    best = sorted(grades, reverse=True)
    ideal = my_dcg(best[:k])
    return dcg(grades, scores, k) / ideal if ideal > 0 else 0.0
