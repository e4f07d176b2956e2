"""Who was judged: the pool that judges read, and how much of a page they never saw.

Taught in notebook *pool*: a ranker in the pool plays at home.
"""

import numpy as np

from ndcglib.metrics import kernel
from ndcglib.metrics.checks import as_array, as_list, as_table, check_count, check_k


def depth_pool(rankings, depth):
    """Return which documents are judged, if judges read the top of some rankings.

    Shared tasks make test collections like this: the pool of a query is the union of the
    first `depth` documents of each ranking.

    Parameters
    ----------
    rankings : sequence of array-like, each of shape (n_docs,) or (n_queries, n_docs)
        The scores of each ranker for the same documents, at least one ranker. Tied
        documents stay in the order of the input.
    depth : int
        How many ranks the judges read of each ranking, at least 1; of a shorter list all.

    Returns
    -------
    ndarray of bool, shape (n_queries, n_docs)
        Whether the document is in the pool.

    Raises
    ------
    TypeError, ValueError
        If there is no ranking, if they differ in shape, hold what is no finite number, or if
        `depth` is not a positive integer.

    Notes
    -----
    Taught in notebook *pool*. Source: the introduction of Fröbe, Gienapp, Potthast and Hagen,
    "Bootstrapped nDCG estimation in the presence of unjudged documents", ECIR 2023.

    Examples
    --------
    >>> depth_pool([[0.9, 0.5, 0.1], [0.1, 0.2, 0.3]], depth=1).tolist()
    [[True, False, True]]
    """
    rankings = as_list(rankings, "rankings", "the scores of each ranker")
    tables = [as_table(scores, f"rankings[{i}]") for i, scores in enumerate(rankings)]
    if not tables:
        raise ValueError("rankings must hold the scores of at least one ranker, got none")
    shapes = [table.shape for table in tables]
    if len(set(shapes)) > 1:
        raise ValueError(f"rankings must score the same documents, got the shapes {shapes}")
    judged = np.zeros(shapes[0], dtype=bool)
    for table in tables:
        np.put_along_axis(judged, _top(table, check_count(depth, "depth")), True, axis=1)
    return judged


def unjudged_at_k(judged, y_score, k):
    """Return which share of the first k documents nobody judged, the mean over the queries.

    Parameters
    ----------
    judged : array-like of bool, shape (n_docs,) or (n_queries, n_docs)
        Whether each document was judged, as `depth_pool` returns it.
    y_score : array-like, of the same shape
        Scores of the ranker; the highest is rank 1, tied documents stay in the order of
        the input.
    k : int
        How many ranks are shown, at least 1.

    Returns
    -------
    float
        From 0, all of them were judged, to 1.

    Raises
    ------
    TypeError, ValueError
        If `judged` is not a table of True and False, the shapes differ, or `k` is not a
        positive integer.

    Notes
    -----
    Taught in notebook *pool*: it belongs beside each NDCG@k of an incomplete pool. The
    ranks that it looks at are those of the page that was shown, while NDCG averages over ties.

    Examples
    --------
    >>> unjudged_at_k([True, False, True], [0.1, 0.9, 0.5], k=2)
    0.5
    """
    scores, judged = as_table(y_score, "y_score"), np.atleast_2d(as_array(judged, "judged"))
    if judged.dtype != bool:
        raise TypeError(f"judged must hold True and False, got {judged.dtype}")
    if judged.shape != scores.shape:
        raise ValueError(
            f"judged and y_score must have the same shape, got {judged.shape} and {scores.shape}"
        )
    top = _top(scores, check_k(check_count(k, "k"), scores.shape[1]))
    return float(np.take_along_axis(~judged, top, axis=1).mean())


def _top(scores, k):
    """Return the places of the k highest scores of each query; of equal ones the first."""
    return kernel.rank_order(scores, None, "stable")[:, ::-1][:, :k]
