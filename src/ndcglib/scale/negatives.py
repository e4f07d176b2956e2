"""NDCG of one relevant document among sampled negatives: its mean over all samples, exactly.

Taught in notebook *samples*: such a number may order two rankers the other way round.
"""

from functools import lru_cache

import numpy as np

from ndcglib.metrics import discount_weights
from ndcglib.metrics.checks import (
    as_pair,
    brief,
    check_count,
    check_flag,
    check_k,
    check_size,
)
from ndcglib.metrics.gains import refuse_negative


def sampled_ndcg(y_true, y_score, n_sampled, *, k=None, per_query=False):
    """Return the NDCG of one relevant document among sampled negatives, without sampling.

    Each relevant document of a query is ranked alone among `n_sampled` of its negatives, the
    documents that are not relevant, drawn without replacement. Its NDCG is the discount of its
    rank, or 0 beyond rank k. This is its mean over all samples, then over the relevant documents
    of the query, and then over the queries.

    Parameters
    ----------
    y_true : array-like of shape (n_docs,) or (n_queries, n_docs)
        Relevant is what has a grade above 0. Each query needs a relevant document and a negative.
    y_score : array-like of the same shape
        Higher is better. Of equal scores each order is as likely.
    n_sampled : int or None
        How many negatives are drawn; None for all that a query has.
    k : int, optional
        Ranks that count; all by default.
    per_query : bool, default=False
        Return one value for each query instead of their mean.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with `per_query`

    Raises
    ------
    TypeError, ValueError
        If `y_true` and `y_score` are not finite numbers of one shape, if a grade is negative, if a
        query has nothing relevant or fewer than `n_sampled` negatives, or if `k` does not fit.

    Notes
    -----
    How many of the negatives above a document are drawn follows the hypergeometric distribution.
    Krichene and Rendle, "On Sampled Metrics for Item Recommendation", KDD 2020, show that such
    a metric may order rankers otherwise than the one without sampling; with a single negative
    it is the AUC, up to a shift and a factor. Taught in notebook *samples*.

    Examples
    --------
    >>> ranked = [0, 0, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1]
    >>> [round(sampled_ndcg(*ranked, n), 4) for n in (1, 2, 5)]
    [0.8524, 0.7286, 0.5]
    """
    y_true, y_score = as_pair(y_true, y_score)
    refuse_negative(y_true, "linear", "y_true")
    n = None if n_sampled is None else check_count(n_sampled, "n_sampled", " or None")
    k = check_k(k, y_true.shape[1])
    check_flag(per_query, "per_query")
    relevant = y_true > 0
    negatives = (~relevant).sum(axis=1)
    _check_both(relevant.sum(axis=1), "relevant document")
    _check_both(negatives, "negative")
    if n is not None and n > negatives.min():
        raise ValueError(
            f"n_sampled must be at most {negatives.min()}, the negatives of query "
            f"{negatives.argmin()}, or None for all, got {brief(n_sampled)}"
        )
    found = zip(y_score, relevant, strict=True)
    values = np.array(
        [_mean_of_links(scores[~is_one], scores[is_one], n, k) for scores, is_one in found]
    )
    return values if per_query else float(values.mean())


def _check_both(counts, what):
    if not counts.all():
        raise ValueError(
            f"y_true must have a {what} in each query, query {counts.argmin()} has none; "
            "leave such queries out"
        )


def _mean_of_links(negatives, links, n, k):
    """Return the mean over the links of one query; a tied link may have several ranks."""
    rising, m = np.sort(negatives), len(negatives)
    above = m - np.searchsorted(rising, links, side="right")
    tied = m - np.searchsorted(rising, links, side="left") - above
    sums = _sums_of_worth(m, m if n is None else n, k)
    return ((sums[above + tied + 1] - sums[above]) / (tied + 1)).mean()


@lru_cache(maxsize=256)
def _sums_of_worth(m, n, k):
    """Return 0, and the running sums of what a link is worth with 0, 1, … m negatives above."""
    weights = discount_weights(min(k, n + 1))
    if n == m:  # all are drawn
        worth = np.zeros(m + 1)
        worth[: len(weights)] = weights
    else:
        check_size(m + 1, "the negatives of a query", len(weights), "ranks")
        worth = _chances(m, n, len(weights)) @ weights
    return np.append(0, np.cumsum(worth))


def _chances(m, n, most):
    """Return the chance that 0, 1, … of those above are drawn, a row for each number above."""
    logs = np.append(0, np.cumsum(np.log(np.arange(1, m + 1))))  # of the factorials
    above, drawn = np.arange(m + 1)[:, np.newaxis], np.arange(most)
    below, rest = m - above, n - drawn
    can_be = (drawn <= above) & (rest <= below)

    def ways(n, k):
        n, k = (np.where(can_be, one, 0) for one in (n, k))
        return logs[n] - logs[k] - logs[n - k]

    every = logs[m] - logs[n] - logs[m - n]
    return np.where(can_be, np.exp(ways(above, drawn) + ways(below, rest) - every), 0)
