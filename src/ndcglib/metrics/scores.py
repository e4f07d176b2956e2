"""`dcg`, `idcg`, `ndcg`, and the levels that a score must be compared with.

Taught in notebook *gain_discounted*; notebook *your_own_ndcg* builds the same from nothing,
and notebook *floors* shows why a score means little without its random level beside it.
"""

import functools

import numpy as np

from ndcglib.metrics import kernel
from ndcglib.metrics.checks import (
    as_flat,
    as_pair,
    as_table,
    as_weights,
    brief,
    check_empty,
    check_k,
    check_no_overflow,
    check_ties,
)
from ndcglib.metrics.discounts import discount_weights
from ndcglib.metrics.gains import apply_gain, gains_of_query, refuse_negative


def dcg(
    y_true,
    y_score=None,
    *,
    ranked=False,
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
    ranked : bool, default=False
        True says that `y_true` stands in rank order, rank 1 first; then there are no
        scores to give.
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
    notebook *gain_discounted*; ties in notebook *ties*.

    Examples
    --------
    >>> dcg([3, 0, 2], [0.9, 0.5, 0.1])
    4.0
    >>> dcg([3, 0, 2], ranked=True)
    4.0
    """
    y_true, y_score = as_pair(y_true, y_score, ranked)
    check_ties(ties)
    weights = as_weights(sample_weight, len(y_true), per_query)
    y_true, gain = _custom_gains_first(y_true, gain)
    [sums] = _sums(y_true, k, gain, discount, log_base, _by_scores(y_score, ties))
    return _settle_sums(sums, weights, per_query)


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
    Taught in notebook *gain_discounted*; what belongs into `y_true` in notebook *pool*.

    Examples
    --------
    >>> idcg([2, 0, 3])
    4.261859507142915
    """
    y_true = as_table(y_true, "y_true")
    weights = as_weights(sample_weight, len(y_true), per_query)
    y_true, gain = _custom_gains_first(y_true, gain)
    [sums] = _sums(y_true, k, gain, discount, log_base, _best)
    return _settle_sums(sums, weights, per_query)


def ndcg(
    y_true,
    y_score=None,
    *,
    ranked=False,
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
    y_true, y_score, ranked, k, sample_weight, gain, discount, log_base, ties
        As in `dcg`. No gain may be negative. With a pool, a gain function gets the
        grades of the list and behind them those of the pool.
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
        Between 0 and 1, up to rounding: above 1 by a few 1e-16, by 1e-14 at most
        where a list has 100,000 documents.

    Raises
    ------
    TypeError, ValueError
        As `dcg`; also if a gain is negative, if the pool lacks documents that
        the list holds, or if "skip" leaves no query.

    Notes
    -----
    The defaults equal `sklearn.metrics.ndcg_score` (version 1.9), with two
    exceptions. A single document is fine here (NDCG 1 if it has any gain), while
    scikit-learn refuses it. And scores of an unsigned dtype are ranked as they are:
    scikit-learn negates them, 0 stays 0 and comes out on top, so it gives the list
    of the grades 1, 0 with scores 0, 1 the value 1.0 instead of 0.6309. Taught in
    notebook *gain_discounted*; the pool in notebook *pool*.

    Examples
    --------
    >>> round(ndcg([3, 0, 2], [0.9, 0.5, 0.1]), 4)
    0.9386
    """
    y_true, y_score = as_pair(y_true, y_score, ranked)
    check_ties(ties)
    check_empty(empty, per_query)
    weights = as_weights(sample_weight, len(y_true), per_query)
    if pool is None:
        y_true, rest = _custom_gains_first(y_true, gain)
        pools = None
    else:
        y_true, pools = gains_and_pools(y_true, pool, gain)
        rest = "linear"
    if rest == "linear":  # the exponential gain has a check of its own
        refuse_negative(y_true, gain, "y_true")
    both = sums_and_ideals(y_true, y_score, pools, k, rest, discount, log_base, ties)
    check_no_overflow(both)
    return settle_empty(ratios(*both), weights, empty, per_query)


def random_ndcg(y_true, **options):
    """Return the expected NDCG of a uniformly random ranking, exactly.

    A random ranking is what a model without any opinion gives: all scores equal,
    averaged over all orders. So this is ``ndcg`` of a constant model. Each rank
    then earns the mean gain: its DCG is mean(gain) times the sum of the weights.

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
    Taught in notebook *floors*.

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
    Taught in notebook *floors*.

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
    """Apply a table or a function before all else; what is left is linear.

    The named gains are applied block by block, to save memory.
    """
    if isinstance(gain, str):
        return y_true, gain
    return apply_gain(y_true, gain, "y_true"), "linear"


# Kept, because a call with short lists would spend a tenth of its time on them.
_named_weights = functools.lru_cache(maxsize=4)(discount_weights)


def _sums(y_true, k, gain, discount, log_base, *tasks):
    """Return what each task makes of the gains of each query, block by block.

    Parameters
    ----------
    *tasks : callable
        Takes the slice of queries, their gains and the weights of the ranks that
        count; returns a number for each query.

    Returns
    -------
    ndarray of shape (n_tasks, n_queries)
    """
    n_queries, n_docs = y_true.shape
    known = isinstance(discount, str) and isinstance(log_base, int)
    weigh = _named_weights if known else discount_weights
    weights = weigh(check_k(k, n_docs), discount=discount, log_base=log_base)
    sums = np.empty((len(tasks), n_queries))
    with np.errstate(over="ignore", invalid="ignore"):  # said in words below
        for rows in kernel.blocks(n_queries, n_docs):
            gains = apply_gain(y_true[rows], gain, "y_true")
            for into, task in zip(sums, tasks, strict=True):
                into[rows] = task(rows, gains, weights)
    return sums


def _by_scores(y_score, ties):
    """Return the task that sums gains in the order of the scores."""
    if ties == "average":
        return lambda rows, gains, weights: kernel.tie_averaged(y_score[rows], gains, weights)
    return lambda rows, gains, weights: kernel.ordered(y_score[rows], gains, weights, ties)


def _best(_rows, gains, weights):
    return kernel.ideal(gains, weights)


def _ideals_of_pools(pools, k, discount, log_base):
    """Return the ideal DCG of each query's pool of gains; pools may differ in size."""
    return np.array(
        [_sums(pool[None, :], k, "linear", discount, log_base, _best)[0, 0] for pool in pools]
    )


def sums_and_ideals(y_true, y_score, pools, k, gain, discount, log_base, ties):
    """Return DCG and ideal DCG of each query, shape (2, n_queries); `pools` are gains, or None."""
    rules, in_order = (k, gain, discount, log_base), _by_scores(y_score, ties)
    if pools is None:
        return _sums(y_true, *rules, in_order, _best)
    [sums] = _sums(y_true, *rules, in_order)
    return np.array([sums, _ideals_of_pools(pools, k, discount, log_base)])


def gains_and_pools(y_true, pool, gain):
    """Return the gains of the lists, (n_queries, n_docs), and of each query's pool.

    Without a pool (None) the second is None, too.
    """
    if pool is None:
        return apply_gain(y_true, gain, "y_true"), None
    pools = _as_pools(pool, len(y_true))
    pairs = [
        gains_of_query(row, judged, gain, "y_true", f"pool[{i}]")
        for i, (row, judged) in enumerate(zip(y_true, pools, strict=True))
    ]
    return np.array([listed for listed, _ in pairs]), [judged for _, judged in pairs]


def _as_pools(pool, n_queries):
    """Return the grades of each query's pool, a flat array for each; see `ndcg`."""
    if hasattr(pool, "__array__") and not isinstance(pool, np.ndarray):
        pool = np.asarray(pool)  # a pandas Series, say: by position, its index plays no part
    if not isinstance(pool, (list, tuple, np.ndarray)) or not np.iterable(pool) or len(pool) == 0:
        raise ValueError(
            f"pool must be a list of grades, or one for each query, got {brief(pool)}"
        )
    is_flat = not np.iterable(pool[0])
    if len(pool) != n_queries and not (is_flat and n_queries == 1):
        raise ValueError(
            f"pool must hold one list of grades for each of {n_queries} queries, got {len(pool)}"
        )
    if is_flat and n_queries > 1:
        raise ValueError(f"pool must hold a list of grades for each query, got {brief(pool[0])}")
    lists = [pool] if is_flat else pool
    return [as_pool(grades, f"pool[{i}]") for i, grades in enumerate(lists)]


def as_pool(grades, name):
    """Return the grades of one query's pool as a flat array; refuse a table."""
    return as_flat(grades, name, "a flat list of grades")


def ratios(sums, ideals):
    """Divide; a query without gain has no ratio: 0 / 0 is NaN, until it is settled."""
    with np.errstate(invalid="ignore"):
        return sums / ideals


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
    np.copyto(values, empty, where=is_empty)
    return values if per_query else _mean(values, weights)


def _mean(values, weights):
    if weights is None:  # np.average gives the same, in ten times the time for few queries
        return float(np.add.reduce(values) / len(values))
    return float(np.average(values, weights=weights))


def _settle_sums(sums, weights, per_query):
    """Refuse sums, and a mean, that left float64; return them, or their mean."""
    check_no_overflow(sums)
    if per_query:
        return sums
    with np.errstate(over="ignore"):
        mean = _mean(sums, weights)
    check_no_overflow(mean)
    return mean
