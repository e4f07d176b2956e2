"""Every order of a list, and NDCG measured from a level that is not zero.

Taught in notebook *floors*: what NDCG a shuffle reaches depends on the grades alone, so
the same 0.84 is good on one query and below chance on the next.
"""

import math
from typing import NamedTuple

import numpy as np

from ndcglib.metrics import kernel
from ndcglib.metrics.checks import SAME_VALUE, as_flat, as_number, as_weights, check_empty
from ndcglib.metrics.gains import apply_gain, refuse_negative
from ndcglib.metrics.scores import idcg, ndcg, random_ndcg, settle_empty, worst_ndcg

MOST_LISTED = math.factorial(7)  # distinct orders, so seven documents are always exact
MOST_DOCUMENTS = 100  # beyond, even a few distinct orders take long to list
DRAWN = 20_000  # orders, where there are too many to list


class Orders(NamedTuple):
    """NDCG of the orders of one list, each with its probability in a fair shuffle.

    Attributes
    ----------
    ndcg, probability : ndarray of shape (n_orders,)
        One entry for each distinct order, or for each order that was drawn.
    exact : bool
        Whether these are all orders; otherwise a sample of them.
    total : int
        n! orders of n documents, or how many were drawn.
    """

    ndcg: np.ndarray
    probability: np.ndarray
    exact: bool
    total: int

    def share_of(self, low):
        """Return the probability that a shuffle reaches an NDCG of `low`.

        Raises
        ------
        TypeError, ValueError
            If `low` is not a finite number.
        """
        low = as_number(low, "low")
        return float(self.probability[self.ndcg >= low - SAME_VALUE].sum())

    def levels(self):
        """Return the distinct values of NDCG, rising, and the probability of each."""
        order = np.argsort(self.ndcg, kind="stable")
        rising = self.ndcg[order]
        opens = np.flatnonzero(np.append(True, np.diff(rising) > SAME_VALUE))
        return rising[opens], np.add.reduceat(self.probability[order], opens)


def all_orders(grades, k=None, gain="linear"):
    """Return the NDCG of every order of a list: exactly, or from a sample.

    Documents of equal gain can be exchanged without a trace. So n! orders look
    like n! / (m1! m2! …) distinct ones, with m1, m2, … documents of each gain, and
    each of these is as likely as any other. Up to 5040 = 7! distinct orders are
    listed: those of any seven documents, and of longer lists, up to 100, whose
    gains repeat. Beyond, 20,000 orders are drawn, the same ones each time.

    Parameters
    ----------
    grades : array-like of shape (n_docs,)
        One list, in any order; at least one grade with a gain above 0.
    k : int, optional
        Ranks that count; all by default. A k above n_docs is clipped to it.
    gain : {"linear", "exponential"}, mapping or callable, default="linear"
        What a grade is worth; see `gain_values`.

    Returns
    -------
    Orders
        `Orders.exact` says whether all orders are there.

    Raises
    ------
    TypeError, ValueError
        If `grades` is not one list of real numbers, gives a negative gain or no
        gain at all, or if k or gain do not fit.

    Notes
    -----
    Taught in notebook *floors*. The mean of the exact values is `random_ndcg`, their
    least is `worst_ndcg`, and their largest is 1.

    Examples
    --------
    >>> orders = all_orders([3, 3, 2, 1, 0])
    >>> orders.total, len(orders.ndcg), orders.exact
    (120, 60, True)
    >>> round(120 * orders.share_of(0.8))
    76
    """
    gains = _gains_of_one_list(grades, gain)
    if idcg(gains, k=k) <= 0:
        raise ValueError(
            "grades must give a gain above 0 somewhere, got none: every order would be 0/0"
        )
    values = np.concatenate([_in_rank_order(rows, k) for rows in _orders(gains)])
    exact = _is_short(gains)
    total = math.factorial(len(gains)) if exact else DRAWN
    return Orders(values, np.full(len(values), 1 / len(values)), exact, total)


def order_rows(grades):
    """Return the orders whose NDCG `all_orders` gives for linear gain, in the same sequence.

    Parameters
    ----------
    grades : array-like of shape (n_docs,)
        One list, as for `all_orders`.

    Returns
    -------
    ndarray of shape (n_orders, n_docs)
        In each row the grades of one order, from rank 1 on.

    Notes
    -----
    Shown by the explorer of notebook *floors*.

    Examples
    --------
    >>> order_rows([2, 0, 0])
    array([[0., 0., 2.],
           [0., 2., 0.],
           [2., 0., 0.]])
    """
    return np.concatenate(list(_orders(_gains_of_one_list(grades, "linear"))))


def _gains_of_one_list(grades, gain):
    gains = apply_gain(as_flat(grades, "grades"), gain, "grades")
    refuse_negative(gains, gain, "grades")
    return gains


def _count_distinct(gains):
    """Return n! / (m1! m2! …): choose the ranks of each gain among those still free."""
    free, orders = len(gains), 1
    for size in np.unique(gains, return_counts=True)[1].tolist():
        orders *= math.comb(free, size)
        free -= size
    return orders


def _distinct_orders(gains):
    """Return each distinct order once, as rows, built rank by rank.

    Every row that is begun goes on in as many ways as it has gains left.
    """
    values, counts = np.unique(gains, return_counts=True)
    orders, left = np.empty((1, 0)), counts[None, :]
    for _ in gains:
        row, chosen = np.nonzero(left)
        orders = np.column_stack([orders[row], values[chosen]])
        left = left[row]
        left[np.arange(len(row)), chosen] -= 1
    return orders


def _is_short(gains):
    """Say whether the distinct orders are few enough to be listed."""
    return len(gains) <= MOST_DOCUMENTS and _count_distinct(gains) <= MOST_LISTED


def _orders(gains):
    """Yield all distinct orders, or blocks of random ones: documents sorted by luck."""
    if _is_short(gains):
        yield _distinct_orders(gains)
        return
    generator = np.random.default_rng(0)
    for rows in kernel.blocks(DRAWN, len(gains)):  # so that a long list fits in memory
        luck = generator.random((len(range(DRAWN)[rows]), len(gains)))
        yield gains[np.argsort(luck, axis=1)]


def _in_rank_order(gains, k):
    """Return the NDCG of rows whose first column stands on rank 1."""
    return ndcg(gains, ranked=True, k=k, per_query=True)


def corrected_ndcg(
    y_true,
    y_score,
    *,
    ties="average",
    sample_weight=None,
    empty=float("nan"),
    per_query=False,
    **options,
):
    """Return the chance-corrected NDCG: 0 is a random order, 1 the ideal.

    (NDCG - random) / (1 - random), for each query by itself, then the mean. Below
    0 a ranking is worse than a shuffle; over all orders of a list the mean is 0.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_docs,) or (n_queries, n_docs)
    ties, sample_weight, per_query
        As in `ndcg`.
    empty : {nan, 0, 1, "skip"}, default=nan
        The value of a query that no ranking can win or lose, because it holds one
        document, equal gains or no gain: there the ratio is 0/0. By default it is
        nan, and so is the mean; "skip" leaves such queries out.
    **options
        k, log_base, gain, discount and pool, as in `ndcg`.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with ``per_query=True``

    Raises
    ------
    TypeError, ValueError
        As `ndcg`; also if "skip" leaves no query.

    Notes
    -----
    Taught in notebook *floors*. The form is that of scikit-learn's
    `adjusted_rand_score`: (value - expected) / (largest - expected).

    Examples
    --------
    >>> eight_of_ten, scores = [1, 0, 1, 0, 1, 1, 1, 1, 1, 1], range(10, 0, -1)
    >>> round(ndcg(eight_of_ten, scores), 4)
    0.8807
    >>> round(corrected_ndcg(eight_of_ten, scores), 4)
    -0.4799
    """
    each = dict(options, per_query=True, empty=float("nan"))
    value = ndcg(y_true, y_score, ties=ties, **each)
    corrected = rescale(value, random_ndcg(y_true, **each), 1)
    return _settle(corrected, sample_weight, empty, per_query)


def minmax_ndcg(
    y_true,
    y_score,
    *,
    ties="average",
    sample_weight=None,
    empty=float("nan"),
    per_query=False,
    **options,
):
    """Return the min-max NDCG: 0 is the worst order, 1 the best.

    (NDCG - worst) / (best - worst), for each query by itself, then the mean.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_docs,) or (n_queries, n_docs)
    ties, sample_weight, empty, per_query
        As in `corrected_ndcg`.
    **options
        k, log_base, gain, discount and pool, as in `ndcg`.

    Returns
    -------
    float, or ndarray of shape (n_queries,) with ``per_query=True``

    Raises
    ------
    TypeError, ValueError
        As `corrected_ndcg`.

    Notes
    -----
    Taught in notebook *floors*. Gienapp, Fröbe, Hagen and Potthast (CIKM 2020, doi
    10.1145/3340531.3412123) propose it for judgments with negative grades. The
    best order scores 1, unless a `pool` holds what the list lacks.

    Examples
    --------
    >>> minmax_ndcg([0, 1, 2, 3, 3], [5, 4, 3, 2, 1])
    0.0
    """
    each = dict(options, per_query=True, empty=float("nan"))
    value = ndcg(y_true, y_score, ties=ties, **each)
    no_opinion = np.zeros(np.shape(y_true))
    best = ndcg(y_true, no_opinion, ties="best", **each)
    scaled = rescale(value, worst_ndcg(y_true, **each), best)
    return _settle(scaled, sample_weight, empty, per_query)


def rescale(value, zero, one):
    """Return where `value` lies on a scale from `zero` to `one`: nan where they meet.

    Parameters
    ----------
    value, zero, one : float or ndarray of one shape

    Returns
    -------
    ndarray
    """
    room = np.asarray(one - zero, dtype=float)
    apart = np.full(room.shape, np.nan)
    return np.divide(value - zero, room, out=apart, where=room > SAME_VALUE)


def _settle(values, sample_weight, empty, per_query):
    """Give queries that are 0/0 their value, or leave them out; then take the mean."""
    check_empty(empty, per_query)
    weights = as_weights(sample_weight, len(values), per_query)
    if isinstance(empty, str) and np.isnan(values).all():
        raise ValueError("empty='skip' leaves no query: in each, all orders score the same")
    return settle_empty(values, weights, empty, per_query)
