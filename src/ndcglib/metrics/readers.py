"""Precision, RBP, RR, ERR and AP: readers who stop elsewhere than that of DCG.

The first two give each rank a weight, so they are DCG with another discount. RR and ERR stop
where they are satisfied, so what stands above a document counts too (`_cascade`). AP stops at
a relevant document and looks back. A document is relevant if its grade is above 0, as in
notebook *order*. Taught in notebook *readers*.

Ties are averaged over all their orders in closed form: for precision, RR and AP after McSherry
and Najork (2008), for ERR in the same way (`_stops_of_a_tie`).
"""

import numpy as np

from ndcglib.metrics import kernel
from ndcglib.metrics.checks import (
    as_number,
    as_pair,
    brief,
    check_count,
    check_empty,
    check_flag,
    check_k,
    check_ties,
)
from ndcglib.metrics.gains import apply_gain
from ndcglib.metrics.scores import dcg, gains_and_pools, ratios, settle_empty


def precision_at_k(y_true, y_score=None, *, k, ranked=False, ties="average", per_query=False):
    """Share of the first k ranks that show something relevant: a reader who reads them all.

    Parameters
    ----------
    y_true, y_score, ranked, ties, per_query
        As in `ndcglib.metrics.dcg`.
    k : int
        Ranks that are read. Beyond the end of a list there is nothing relevant, so one
        relevant document alone has P@5 = 0.2.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with `per_query`

    Raises
    ------
    TypeError, ValueError
        As `dcg`.

    Notes
    -----
    Taught in notebooks *order* and *readers*.

    Examples
    --------
    >>> precision_at_k([3, 0, 2], ranked=True, k=2)
    0.5
    """
    y_true, y_score = as_pair(y_true, y_score, ranked)
    rules = dict(k=check_count(k, "k"), discount=np.ones_like, ties=ties, per_query=per_query)
    return dcg(y_true > 0, y_score, **rules) / rules["k"]


def rbp(
    y_true,
    y_score=None,
    *,
    max_grade,
    p=0.8,
    gain="linear",
    ranked=False,
    k=None,
    ties="average",
    per_query=False,
):
    """Rank-biased precision: a reader who goes on to the next rank with a chance of p.

    Parameters
    ----------
    y_true, y_score, ranked, k, ties, per_query
        As in `ndcglib.metrics.dcg`.
    max_grade : float
        The highest grade of the scale; its gain counts as 1.
    p : float, default=0.8
        Patience, at least 0 and below 1.
    gain : {"linear", "exponential"}, default="linear"
        The grade, or 2^grade − 1, divided by that of `max_grade`.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with `per_query`
        Gain for each rank read: (1 − p) · Σ p^(rank − 1) · gain, at most 1.

    Raises
    ------
    TypeError, ValueError
        As `dcg`; also if `p`, `max_grade` or a grade is out of its range.

    Notes
    -----
    Moffat and Zobel (2008). ir-measures knows gains of 0 and 1 only: ``RBP(p=0.8, rel=2)``
    takes grades from 2 on for relevant. Taught in notebook *readers*.

    Examples
    --------
    >>> rbp([3, 0, 0], ranked=True, max_grade=3, p=0.5)
    0.5
    """
    p = as_number(p, "p", " of at least 0 and below 1", lambda p: 0 <= p < 1)
    y_true, y_score = as_pair(y_true, y_score, ranked)
    _check_grades(y_true, max_grade)
    [highest] = apply_gain(np.array([max_grade]), gain, "max_grade")
    gains = apply_gain(y_true, gain, "y_true") / highest

    def weight(rank):
        return (1 - p) * p ** (rank - 1)

    return dcg(gains, y_score, k=k, discount=weight, ties=ties, per_query=per_query)


def reciprocal_rank(
    y_true, y_score=None, *, ranked=False, k=None, ties="average", per_query=False
):
    """1 over the rank of the first relevant document: a reader whom one is enough.

    Parameters
    ----------
    y_true, y_score, ranked, k, ties, per_query
        As in `ndcglib.metrics.dcg`.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with `per_query`
        0 where the first k ranks show nothing relevant; else from 1/k to 1.

    Raises
    ------
    TypeError, ValueError
        As `dcg`.

    Notes
    -----
    Its mean over queries is called MRR. Taught in notebooks *order* and *readers*.

    Examples
    --------
    >>> reciprocal_rank([0, 2, 1], ranked=True)
    0.5
    >>> reciprocal_rank([0, 1], [0.7, 0.7])  # 1 or 1/2
    0.75
    """
    y_true, y_score = as_pair(y_true, y_score, ranked)
    return _cascade((y_true > 0).astype(float), y_score, k, ties, per_query)


def err(y_true, y_score=None, *, max_grade, ranked=False, k=None, ties="average", per_query=False):
    """Reciprocal rank, expected: a reader stops at a document the likelier, the better it is.

    Parameters
    ----------
    y_true, y_score, ranked, k, ties, per_query
        As in `ndcglib.metrics.dcg`.
    max_grade : float
        The highest grade of the scale: a document satisfies the reader with the chance
        (2^grade − 1) / 2^max_grade.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with `per_query`
        The mean of 1 / rank where the reader is satisfied, 0 where that never happens.

    Raises
    ------
    TypeError, ValueError
        As `dcg`; also if `max_grade` or a grade is out of its range.

    Notes
    -----
    Chapelle et al. (2009). gdeval, and with it ir-measures, always takes 4 for `max_grade`.
    Taught in notebook *readers*.

    Examples
    --------
    >>> err([3, 0], ranked=True, max_grade=3)
    0.875
    """
    y_true, y_score = as_pair(y_true, y_score, ranked)
    _check_grades(y_true, max_grade)
    [highest] = apply_gain(np.array([max_grade]), "exponential", "max_grade")
    chances = apply_gain(y_true, "exponential", "y_true") / (highest + 1)
    return _cascade(chances, y_score, k, ties, per_query)


def average_precision(
    y_true,
    y_score=None,
    *,
    ranked=False,
    k=None,
    ties="average",
    pool=None,
    empty=0.0,
    per_query=False,
):
    """Precision at each relevant document of the list, summed and divided by all there are.

    Parameters
    ----------
    y_true, y_score, ranked, k, ties, pool, empty, per_query
        As in `ndcglib.metrics.ndcg`. The pool says how many relevant documents there are;
        a query is empty if there is none.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with `per_query`

    Raises
    ------
    TypeError, ValueError
        As `ndcg`.

    Notes
    -----
    With a cutoff the divisor stays, as in trec_eval and ir-measures.
    `sklearn.metrics.average_precision_score` treats ties in another way: it reads a tied group
    at once, so each of its documents gets the precision at the end of the group. Taught in
    notebooks *order* and *readers*.

    Examples
    --------
    >>> average_precision([1, 0, 2], ranked=True, pool=[2, 1, 1, 0])
    0.5555555555555555
    """
    y_true, y_score = as_pair(y_true, y_score, ranked)
    check_empty(empty, per_query)
    relevant, pools = gains_and_pools(y_true, pool, lambda grades: grades > 0)
    there = relevant.sum(axis=1) if pools is None else np.array([p.sum() for p in pools])
    relevant, start, end = _in_rank_order(relevant, y_score, ties)
    k = check_k(k, relevant.shape[1])
    # Of a tied group at ranks start + 1 to end each member is relevant with the same chance.
    # If the one at a rank is, the others of the group stand above it in equal measure.
    sums = np.cumsum(np.pad(relevant, ((0, 0), (1, 0))), axis=1)
    above = np.take_along_axis(sums, start, axis=1)
    inside, size = np.take_along_axis(sums, end, axis=1) - above, end - start
    ranks = np.arange(1, relevant.shape[1] + 1)
    hits = above + 1 + (ranks - start - 1) * (inside - 1) / np.maximum(size - 1, 1)
    terms = inside / size * hits / ranks
    return settle_empty(ratios(terms[:, :k].sum(axis=1), there), None, empty, per_query)


def _check_grades(y_true, max_grade):
    """Raise ValueError unless every grade lies on the scale from 0 to `max_grade`."""
    as_number(max_grade, "max_grade", " above 0, the highest grade of the scale", lambda g: g > 0)
    if y_true.min() < 0 or y_true.max() > max_grade:
        raise ValueError(
            f"y_true must hold grades from 0 to max_grade={brief(max_grade)}, got "
            f"{y_true.min()} to {y_true.max()}; name the highest grade of the scale, and count "
            "negative grades as 0"
        )


def _in_rank_order(values, y_score, ties):
    """Return values by rank, and for each rank where its tied group starts and ends.

    The group holds the ranks start + 1 to end; where a rule breaks the ties, one rank.
    """
    check_ties(ties)
    rule = "stable" if ties == "average" else ties
    order = kernel.rank_order(y_score, values, rule)[:, ::-1]
    ranked = np.take_along_axis(values, order, axis=1)
    opens = np.ones((len(values), values.shape[1] + 1), dtype=bool)  # and one behind the last
    if ties == "average":
        scores = np.take_along_axis(y_score, order, axis=1)
        opens[:, 1:-1] = scores[:, 1:] != scores[:, :-1]
    places = np.broadcast_to(np.arange(opens.shape[1]), opens.shape)
    start = np.maximum.accumulate(np.where(opens, places, 0), axis=1)[:, :-1]
    after = np.where(opens, places, places[0, -1])[:, :0:-1]
    return ranked, start, np.minimum.accumulate(after, axis=1)[:, ::-1]


def _cascade(satisfies, y_score, k, ties, per_query):
    """Return the mean of 1 / rank where a reader stops whom documents satisfy with a chance."""
    check_flag(per_query, "per_query")
    satisfies, start, end = _in_rank_order(satisfies, y_score, ties)
    k = check_k(k, satisfies.shape[1])
    stops = satisfies[:, :k].copy()  # the chance to stop at a rank, for those who come to it
    start, end = start[:, :k], end[:, :k]
    for query, first in np.argwhere((start == np.arange(k)) & (end > start + 1)).tolist():
        group = satisfies[query, first : end[query, first]]
        if (group != group[0]).any():
            cut = stops[query, first : end[query, first]]
            cut[:] = _stops_of_a_tie(group, len(cut))
    comes = np.cumprod(np.pad(1 - stops, ((0, 0), (1, 0)), constant_values=1), axis=1)[:, :-1]
    values = (comes * stops / np.arange(1, k + 1)).sum(axis=1)
    return values if per_query else float(values.mean())


def _stops_of_a_tie(satisfies, n_ranks):
    """Return the chance to stop at the first ranks of a tied group, over all of its orders.

    The first j of the group leave a reader unsatisfied with the mean of the products of j
    chances: an elementary symmetric mean. It grows by one document at a time: among n + 1 the
    new one is one of the first j with the chance j / (n + 1).
    """
    ranks = np.arange(1, n_ranks + 1)
    leaves = np.zeros(n_ranks + 1)
    leaves[0] = 1
    for n, chance in enumerate(1 - satisfies):
        with_it, without = ranks * chance * leaves[:-1], (n + 1 - ranks) * leaves[1:]
        leaves[1:] = (with_it + without) / (n + 1)
    come, leave = leaves[:-1], leaves[1:]
    return 1 - np.divide(leave, come, out=np.zeros_like(come), where=come > 0)
