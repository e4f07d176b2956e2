"""NDCG for queries of unequal length, from one long table.

Real queries have 5 candidates or 5,000. In a long table each row is one document
of one query; that is what a search log or a database gives. First used in
notebook 04; notebook 14 takes it to a billion rows.
"""

from collections.abc import Mapping

import numpy as np

from helpers.metrics.checks import as_table, as_weights, check_empty
from helpers.metrics.scores import ndcg, settle_empty


def ndcg_long(
    query,
    relevance,
    score,
    *,
    sample_weight=None,
    pool=None,
    empty=0.0,
    per_query=False,
    **options,
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
    sample_weight : mapping of query to weight, optional
    pool : mapping of query to grades, optional
        For each query the grades of everything judged; see `ndcg`.
    empty : {0, 1, nan, "skip"}, default=0
        The value of a query without gain; see `ndcg`.
    per_query : bool, default=False
        Return a dict of query to NDCG, in sorted order, instead of the mean.
    **options
        `k`, `gain`, `discount`, `log_base` and `ties`, as in `ndcg`.

    Returns
    -------
    float, or dict with `per_query`

    Raises
    ------
    TypeError, ValueError
        As `ndcg`; also if the columns differ in length, or if `sample_weight` or
        `pool` does not name exactly the queries of the table.

    Examples
    --------
    >>> ndcg_long(["a", "b", "b"], [1, 0, 2], [0.3, 0.1, 0.2])
    1.0
    """
    check_empty(empty, per_query)
    queries, rows_of = _split(query, relevance, score)
    relevance, score = np.asarray(relevance), np.asarray(score)
    if sample_weight is not None:
        sample_weight = _per_query_list(sample_weight, queries, "sample_weight")
    weights = as_weights(sample_weight, len(queries), per_query)
    pools = None if pool is None else _per_query_list(pool, queries, "pool")
    for query_id, grades in zip(queries.tolist(), pools or (), strict=False):
        as_table(grades, f"pool[{query_id!r}]")
    values = np.empty(len(queries))
    for same_length in _by_length(rows_of):
        rows = np.array([rows_of[i] for i in same_length])
        chosen = None if pools is None else [pools[i] for i in same_length]
        values[same_length] = ndcg(
            relevance[rows], score[rows], pool=chosen, empty=np.nan, per_query=True, **options
        )
    values = settle_empty(values, weights, empty, per_query)
    return dict(zip(queries.tolist(), values.tolist(), strict=True)) if per_query else values


def _split(query, relevance, score):
    """Return the sorted query ids and, for each, the rows it has."""
    as_table(relevance, "relevance")
    as_table(score, "score")
    query = _as_ids(query)
    shapes = [np.shape(column) for column in (query, relevance, score)]
    if len(set(shapes)) > 1 or len(shapes[0]) != 1:
        raise ValueError(
            "query, relevance and score must be columns of one length, got shapes "
            f"{shapes[0]}, {shapes[1]} and {shapes[2]}"
        )
    queries, position = np.unique(query, return_inverse=True)
    # Stable, so that the rows of a query stay in the order of the table.
    order = np.argsort(position, kind="stable")
    ends = np.cumsum(np.bincount(position))
    return queries, np.split(order, ends[:-1])


def _as_ids(query):
    """Return the query ids as integers or as strings; a mix of both is refused."""
    array = np.asarray(query)
    if array is query and array.dtype.kind in "iuUST":
        return array  # an array of one kind: no need to look at each row of a long table
    texts = sum(isinstance(q, str) for q in query)
    mixed = 0 < texts < len(query)
    if mixed or (array.dtype.kind not in "iuUST" and texts == 0):
        raise TypeError(
            f"query must hold integers or strings, all of one kind, got dtype {array.dtype}"
        )
    return array.astype(str) if texts else array


def _by_length(rows_of):
    """Yield the positions of the queries that have the same number of rows.

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
    known = queries.tolist()
    if set(mapping) != set(known):
        odd = sorted(set(mapping) ^ set(known), key=str)[0]
        raise ValueError(
            f"{name} must name exactly the queries of the table; {odd!r} is only in one of the two"
        )
    return [mapping[q] for q in known]
