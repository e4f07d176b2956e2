"""`dcg`, `idcg`, `ndcg`, and the levels that a score must be compared with.

Taught in notebook 02; notebook 07 builds the same from nothing, and notebook 09
shows why a score means little without its random level beside it.
"""

import numpy as np

from helpers.metrics import kernel
from helpers.metrics.checks import (
    as_table,
    as_weights,
    check_empty,
    check_k,
    check_no_overflow,
    check_same_shape,
    check_ties,
)
from helpers.metrics.discounts import discount_weights
from helpers.metrics.gains import apply_gain


def dcg(
    y_true,
    y_score,
    *,
    k=None,
    log_base=2,
    sample_weight=None,
    gain="linear",
    discount="log",
    ties="average",
    per_query=False,
):
    """Discounted cumulative gain of documents ranked by their scores.

    Parameters
    ----------
    y_true : array-like of shape (n_docs,) or (n_queries, n_docs)
        Relevance grades.
    y_score : array-like of the same shape
        Scores; the highest is rank 1. Only their order counts.
    k : int, optional
        Ranks that count; all by default. A k above n_docs is clipped to it.
    log_base : float, default=2
        Base of the log discount, above 1.
    sample_weight : array-like of shape (n_queries,), optional
        Weights of the queries in the mean.
    gain : {"linear", "exponential"}, mapping or callable, default="linear"
        What a grade is worth; see `gain_values`.
    discount : {"log", "reciprocal", "2002"} or callable, default="log"
        What a rank is worth; see `discount_weights`.
    ties : {"average", "stable", "best", "worst"}, default="average"
        What equal scores do: average over all orders (as scikit-learn), keep the
        order of the input, or take the best or worst order. Two scores are equal
        when they are equal in the dtype they came in.
    per_query : bool, default=False
        Return one value for each query instead of their mean.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with `per_query`
        In units of gain.

    Raises
    ------
    TypeError, ValueError
        For input that is not finite, not numeric or does not fit; the message
        names the argument, what came and what is allowed.

    Notes
    -----
    The defaults equal `sklearn.metrics.dcg_score` (version 1.9). Taught in
    notebook 02; ties in notebook 08.

    Examples
    --------
    >>> dcg([3, 0, 2], [0.9, 0.5, 0.1])
    4.0
    """
    y_true, y_score = as_table(y_true, "y_true"), as_table(y_score, "y_score")
    check_same_shape(y_true, y_score)
    check_ties(ties)
    weights = as_weights(sample_weight, len(y_true), per_query)
    y_true, gain = _custom_gains_first(y_true, gain)
    sums = _dcg_rows(y_true, y_score, k, gain, discount, log_base, ties)
    return sums if per_query else _mean(sums, weights)


def idcg(
    y_true,
    *,
    k=None,
    log_base=2,
    sample_weight=None,
    gain="linear",
    discount="log",
    per_query=False,
):
    """DCG of the ideal order, largest gain first: the best that is possible.

    Parameters
    ----------
    y_true : array-like of shape (n_docs,) or (n_queries, n_docs)
        Relevance grades of everything that could have been ranked.
    k, log_base, sample_weight, gain, discount, per_query
        As in `dcg`.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with `per_query`

    Raises
    ------
    TypeError, ValueError
        As `dcg`.

    Notes
    -----
    Taught in notebook 02; what belongs into `y_true` in notebook 04.

    Examples
    --------
    >>> idcg([2, 0, 3])
    4.261859507142915
    """
    y_true = as_table(y_true, "y_true")
    weights = as_weights(sample_weight, len(y_true), per_query)
    y_true, gain = _custom_gains_first(y_true, gain)
    sums = _idcg_rows(y_true, k, gain, discount, log_base)
    return sums if per_query else _mean(sums, weights)


def ndcg(
    y_true,
    y_score,
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
    """DCG divided by the ideal DCG: how close a ranking is to the best one.

    Parameters
    ----------
    y_true, y_score, k, sample_weight, gain, discount, log_base, ties
        As in `dcg`. No gain may be negative.
    pool : array-like of shape (n_judged,), or one such for each query, optional
        Grades of everything that was judged for the query, found or not. The
        ideal is then built from the pool; by default from `y_true`.
    empty : {0, 1, nan, "skip"}, default=0
        The value of a query without any gain, where DCG and IDCG are both 0. A
        convention: scikit-learn says 0, LightGBM 1. "skip" leaves the query out
        of the mean.
    per_query : bool, default=False
        Return one value for each query instead of their mean.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with `per_query`
        Between 0 and 1, up to rounding (a few 1e-16).

    Raises
    ------
    TypeError, ValueError
        As `dcg`; also if a gain is negative, if the pool lacks documents that
        the list holds, or if "skip" leaves no query.

    Notes
    -----
    The defaults equal `sklearn.metrics.ndcg_score` (version 1.9), with one
    exception: a single document is fine here (NDCG 1 if it has any gain), while
    scikit-learn refuses it. Taught in notebook 02; the pool in notebook 04.

    Examples
    --------
    >>> round(ndcg([3, 0, 2], [0.9, 0.5, 0.1]), 4)
    0.9386
    """
    y_true, y_score = as_table(y_true, "y_true"), as_table(y_score, "y_score")
    check_same_shape(y_true, y_score)
    check_ties(ties)
    check_empty(empty, per_query)
    weights = as_weights(sample_weight, len(y_true), per_query)
    pools = None if pool is None else as_pools(pool, len(y_true), gain)
    y_true, gain = _custom_gains_first(y_true, gain)
    _refuse_negative_gains(y_true, gain)
    if pools is None:
        ideals = _idcg_rows(y_true, k, gain, discount, log_base)
    else:
        ideals = _pool_rows(pools, apply_gain(y_true, gain, "y_true"), k, discount, log_base)
    sums = _dcg_rows(y_true, y_score, k, gain, discount, log_base, ties)
    return _normalize(sums, ideals, weights, empty, per_query)


def random_dcg(y_true, **options):
    """Return the expected DCG of a uniformly random ranking, exactly.

    A random ranking is what a model without any opinion gives: all scores equal,
    averaged over all orders. So this is ``dcg`` of a constant model. Each rank
    then earns the mean gain: mean(gain) times the sum of the weights.

    Parameters
    ----------
    y_true : array-like of shape (n_docs,) or (n_queries, n_docs)
    **options
        As in `dcg`, except `ties`.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with ``per_query=True``

    Raises
    ------
    TypeError, ValueError
        As `dcg`.

    Notes
    -----
    Taught in notebook 09.

    Examples
    --------
    >>> round(random_dcg([3, 2, 3, 0, 1]), 4)
    5.3072
    """
    return dcg(y_true, _no_opinion(y_true), ties="average", **options)


def random_ndcg(y_true, **options):
    """Return the expected NDCG of a uniformly random ranking, exactly.

    Parameters
    ----------
    y_true : array-like of shape (n_docs,) or (n_queries, n_docs)
    **options
        As in `ndcg`, except `ties`.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with ``per_query=True``

    Raises
    ------
    TypeError, ValueError
        As `ndcg`.

    Notes
    -----
    Taught in notebook 09.

    Examples
    --------
    >>> round(random_ndcg([3, 2, 3, 0, 1]), 4)
    0.8393
    """
    return ndcg(y_true, _no_opinion(y_true), ties="average", **options)


def worst_ndcg(y_true, **options):
    """Return the NDCG of the worst order: the floor that no ranking falls below.

    Parameters
    ----------
    y_true : array-like of shape (n_docs,) or (n_queries, n_docs)
    **options
        As in `ndcg`, except `ties`.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with ``per_query=True``

    Raises
    ------
    TypeError, ValueError
        As `ndcg`.

    Notes
    -----
    Taught in notebook 09.

    Examples
    --------
    >>> round(worst_ndcg([3, 2, 3, 0, 1]), 4)
    0.6458
    """
    return ndcg(y_true, _no_opinion(y_true), ties="worst", **options)


def _no_opinion(y_true):
    """Return the scores of a model that cannot tell any two documents apart."""
    return np.zeros(as_table(y_true, "y_true").shape)


def _custom_gains_first(y_true, gain):
    """Apply a table or a function once, to all grades; what is left is linear.

    The named gains look at one grade at a time and are applied block by block, to
    save memory. A function may look at all of them.
    """
    if isinstance(gain, str):
        return y_true, gain
    return apply_gain(y_true, gain, "y_true"), "linear"


def _dcg_rows(y_true, y_score, k, gain, discount, log_base, ties):
    """Return the DCG of each query, block by block."""
    n_queries, n_docs = y_true.shape
    depth = check_k(k, n_docs)
    weights = np.zeros(n_docs)
    weights[:depth] = discount_weights(depth, discount=discount, log_base=log_base)
    sums = np.empty(n_queries)
    with np.errstate(over="ignore", invalid="ignore"):  # told below, in words
        for rows in kernel.blocks(n_queries, n_docs):
            gains = apply_gain(y_true[rows], gain, "y_true")
            if ties == "average":
                sums[rows] = kernel.tie_averaged(y_score[rows], gains, weights)
            else:
                sums[rows] = kernel.ordered(y_score[rows], gains, weights, ties)
    check_no_overflow(sums)
    return sums


def _idcg_rows(y_true, k, gain, discount, log_base):
    """Return the ideal DCG of each query, block by block."""
    n_queries, n_docs = y_true.shape
    depth = check_k(k, n_docs)
    weights = discount_weights(depth, discount=discount, log_base=log_base)
    sums = np.empty(n_queries)
    with np.errstate(over="ignore", invalid="ignore"):
        for rows in kernel.blocks(n_queries, n_docs):
            gains = apply_gain(y_true[rows], gain, "y_true")
            sums[rows] = kernel.ideal(gains, weights, depth)
    check_no_overflow(sums)
    return sums


def _pool_rows(pools, listed, k, discount, log_base):
    """Return the ideal DCG of each query's pool of gains; pools may differ in size."""
    for i, (judged, in_list) in enumerate(zip(pools, listed, strict=True)):
        _check_pool_holds(judged, in_list, i)
    return np.array([_idcg_rows(p[None, :], k, "linear", discount, log_base)[0] for p in pools])


def as_pools(pool, n_queries, gain="linear"):
    """Return the gains of each query's pool, a flat array for each; see `ndcg`."""
    if not isinstance(pool, (list, tuple, np.ndarray)) or len(pool) == 0:
        raise ValueError(f"pool must be a list of grades, or one for each query, got {pool!r}")
    is_flat = not np.iterable(pool[0])
    if len(pool) != n_queries and not (is_flat and n_queries == 1):
        raise ValueError(
            f"pool must hold one list of grades for each of {n_queries} queries, got {len(pool)}"
        )
    if is_flat and n_queries > 1:
        raise ValueError(f"pool must hold a list of grades for each query, got {pool[0]!r}")
    lists = [pool] if is_flat else pool
    return [_one_pool(grades, f"pool[{i}]", gain) for i, grades in enumerate(lists)]


def _one_pool(grades, name, gain):
    table = as_table(grades, name)
    if len(table) != 1 or np.ndim(grades) != 1:
        raise ValueError(f"{name} must be a flat list of grades, got shape {np.shape(grades)}")
    return apply_gain(table[0], gain, name)


def _check_pool_holds(judged, listed, i):
    """Raise unless the best of the pool is at least the best of the list, rank by rank."""
    if judged.min() < 0:
        raise ValueError(f"pool[{i}] must not give negative gains, got {judged.min()}")
    listed = np.sort(listed)[::-1]
    best = np.zeros(max(len(judged), len(listed)))
    best[: len(judged)] = np.sort(judged)[::-1]
    if (best[: len(listed)] < listed).any():
        raise ValueError(
            f"pool[{i}] must hold the grades of everything judged, those in the list included, "
            "but the list holds documents that the pool lacks; NDCG could exceed 1"
        )


def _refuse_negative_gains(y_true, gain):
    if gain == "linear" and y_true.min() < 0:  # the exponential gain has a stricter check
        raise ValueError(
            f"y_true must not give negative gains, got {y_true.min()}: NDCG would have no lower "
            "bound; shift the grades so that the lowest is 0, or ask for dcg"
        )


def _normalize(sums, ideals, weights, empty, per_query):
    """Divide; a query without gain has no ratio, so it is NaN until it is settled."""
    values = np.full(len(sums), np.nan)
    np.divide(sums, ideals, out=values, where=ideals > 0)
    return settle_empty(values, weights, empty, per_query)


def settle_empty(values, weights, empty, per_query):
    """Give empty queries (NaN) their value, or leave them out; then take the mean."""
    is_empty = np.isnan(values)
    if isinstance(empty, str):
        if is_empty.all():
            raise ValueError("empty='skip' leaves no query: every one of them is without gain")
        kept = None if weights is None else weights[~is_empty]
        if kept is not None and not kept.any():
            raise ValueError("empty='skip' leaves only queries of sample_weight 0")
        return _mean(values[~is_empty], kept)
    values = np.where(is_empty, float(empty), values)
    return values if per_query else _mean(values, weights)


def _mean(values, weights):
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.average(values, weights=weights)
    if np.isfinite(values).all():  # an empty query may be NaN, and so may its mean
        check_no_overflow(mean)
    return float(mean)
