"""NDCG for queries of unequal length, from one long table.

Real queries have 5 candidates or 5,000. In a long table each row is one document
of one query; that is what a search log or a database gives. First used in
notebook *files*.
"""

from collections.abc import Mapping

import numpy as np

from ndcglib.metrics.checks import (
    as_query_ids,
    as_table,
    as_weights,
    brief,
    check_empty,
    check_no_overflow,
    check_ties,
)
from ndcglib.metrics.gains import apply_gain, gains_of_query, refuse_negative
from ndcglib.metrics.scores import as_pool, ratios, settle_empty, sums_and_ideals


def ndcg_long(
    query,
    relevance,
    score,
    *,
    k=None,
    sample_weight=None,
    gain="linear",
    discount="log",
    log_base=2,
    ties="average",
    pool=None,
    empty=0.0,
    per_query=False,
):
    """Mean NDCG over the queries of a long table.

    Parameters
    ----------
    query : array-like of shape (n_rows,)
        Which query the row belongs to: integers or strings, in any order.
    relevance : array-like of shape (n_rows,)
        Relevance grades.
    score : array-like of shape (n_rows,)
        Scores; within a query the highest is rank 1.
    k, gain, discount, log_base, ties
        As in `ndcg`.
    sample_weight : mapping of query to weight, optional
    pool : mapping of query to grades, optional
        For each query the grades of everything judged; see `ndcg`.
    empty : {0, 1, nan, "skip"}, default=0
        The value of a query without gain; see `ndcg`.
    per_query : bool, default=False
        Return a dict of query to NDCG, in sorted order, instead of the mean.

    Returns
    -------
    float, or dict with `per_query`

    Raises
    ------
    TypeError, ValueError
        As `ndcg`, with the query in the message where one is at fault; also if the
        columns differ in length, if the queries are of several kinds (1 and "1"
        would become one query), or if `sample_weight` or `pool` does not name
        exactly the queries of the table.

    Examples
    --------
    >>> ndcg_long(["a", "b", "b"], [1, 0, 2], [0.3, 0.1, 0.2])
    1.0
    """
    check_empty(empty, per_query)
    check_ties(ties)
    queries, rows_of, relevance, score = _split(query, relevance, score)
    if sample_weight is not None:
        sample_weight = _per_query_list(sample_weight, queries, "sample_weight")
    weights = as_weights(sample_weight, len(queries), per_query)
    if pool is not None:
        pool = _per_query_list(pool, queries, "pool")
        pool = [as_pool(p, f"pool[{brief(q)}]") for q, p in zip(queries, pool, strict=True)]
    gains, pools = _gains(queries, rows_of, relevance, pool, gain)
    sums, ideals = np.empty(len(queries)), np.empty(len(queries))
    for same_length in by_length(rows_of):
        rows = np.array([rows_of[i] for i in same_length])
        chosen = None if pools is None else [pools[i] for i in same_length]
        sums[same_length], ideals[same_length] = sums_and_ideals(
            gains[rows], score[rows], chosen, k, "linear", discount, log_base, ties
        )
    for i in np.flatnonzero(~(np.isfinite(sums) & np.isfinite(ideals))):
        check_no_overflow([sums[i], ideals[i]], _relevance_of(queries[i]))
    values = settle_empty(ratios(sums, ideals), weights, empty, per_query)
    return dict(zip(queries, values.tolist(), strict=True)) if per_query else values


def _split(query, relevance, score):
    """Return the sorted query ids, the rows of each, and the two columns as arrays."""

    def query_of(index):
        row, ids = index[-1], as_query_ids(query)
        return f", query {brief(ids[row].item())}" if row < ids.size else ""

    as_table(relevance, "relevance", query_of)
    as_table(score, "score", query_of)
    query, relevance, score = as_query_ids(query), np.asarray(relevance), np.asarray(score)
    if not query.shape == relevance.shape == score.shape or query.ndim != 1:
        raise ValueError(
            "query, relevance and score must be columns of one length, got shapes "
            f"{query.shape}, {relevance.shape} and {score.shape}"
        )
    return *rows_of_queries(query), relevance, score


def rows_of_queries(query):
    """Return the distinct queries, sorted, and of each its rows in the order of the table."""
    queries, position = np.unique(query, return_inverse=True)
    order = np.argsort(position, kind="stable")
    return queries.tolist(), np.split(order, np.cumsum(np.bincount(position))[:-1])


def _gains(queries, rows_of, relevance, pools, gain):
    """Return the gain of each row, and of each query's pool where there are pools."""
    if pools is None and not callable(gain):
        try:
            gains = apply_gain(relevance, gain, "relevance")
            refuse_negative(gains, gain, "relevance")
        except (TypeError, ValueError):
            pass  # a query is at fault: found below, and named
        else:
            return gains, None
    gains, judged = np.empty(len(relevance)), []
    for i, (q, rows) in enumerate(zip(queries, rows_of, strict=True)):
        name, listed = _relevance_of(q), relevance[rows]
        if pools is None:
            gains[rows] = apply_gain(listed, gain, name)
            refuse_negative(gains[rows], gain, name)
        else:
            gains[rows], of_pool = gains_of_query(
                listed, pools[i], gain, name, f"pool[{brief(q)}]"
            )
            judged.append(of_pool)
    return gains, None if pools is None else judged


def _relevance_of(query):
    return f"relevance of query {brief(query)}"


def by_length(rows_of):
    """Yield the positions of the queries that have the same number of rows, fewest first.

    Queries of one length form a rectangle, and `ndcg` takes a rectangle at once.
    """
    lengths = np.array([len(rows) for rows in rows_of])
    for length in np.unique(lengths):
        yield np.flatnonzero(lengths == length)


def _per_query_list(mapping, queries, name):
    if not isinstance(mapping, Mapping):
        raise TypeError(
            f"{name} must map each query to its value, such as {{'q1': ...}}, "
            f"got {type(mapping).__name__}"
        )
    if set(mapping) != set(queries):
        odd = brief(sorted(set(mapping) ^ set(queries), key=str)[0])
        raise ValueError(
            f"{name} must name exactly the queries of the table; {odd} is only in one of the two"
        )
    return [mapping[q] for q in queries]
