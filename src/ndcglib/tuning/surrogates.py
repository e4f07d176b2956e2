"""Losses that a gradient can follow, instead of NDCG, which has none.

Each takes the scores of all queries and returns the loss and its gradient: what a
small change of each score would do. Every query counts the same, however many
documents it has. Taught in notebooks *regression* and *surrogates*.
"""

from typing import NamedTuple

import numpy as np

from ndcglib.metrics import kernel
from ndcglib.metrics.checks import as_array, as_flat, as_table, check_same_shape
from ndcglib.tuning.objective import Objective


def squared_loss(y_true, y_score):
    """Return the mean squared error of scores as predictions of the grades: pointwise.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_docs,) or (n_queries, n_docs)
        Grades and scores.

    Returns
    -------
    loss : float
    gradient : ndarray of shape (n_queries, n_docs)
        The derivative of the loss by each score.

    Raises
    ------
    TypeError, ValueError
        If they are not finite numbers of one shape.

    Notes
    -----
    Taught in notebook *regression*.

    Examples
    --------
    >>> squared_loss([2, 0], [1, 0])
    (0.5, array([[-1.,  0.]]))
    """
    y_true, y_score = _tables(y_true, y_score)
    error = y_score - y_true
    return float((error**2).mean()), 2 * error / error.size


def pairwise_loss(y_true, y_score):
    """Return the logistic loss of all pairs of unequal grade: pairwise.

    For each pair of a better and a worse document it is ``log(1 + exp(-(s_better -
    s_worse)))``: about 0 if the better one is far ahead, and growing with the distance
    if it is behind. Mean over the pairs of a query, then over the queries; a query
    without such a pair counts 0.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_docs,) or (n_queries, n_docs)

    Returns
    -------
    loss : float
    gradient : ndarray of shape (n_queries, n_docs)

    Raises
    ------
    TypeError, ValueError
        If they are not finite numbers of one shape.

    Notes
    -----
    The loss of RankNet (Burges et al., ICML 2005). Taught in notebook *regression*.

    Examples
    --------
    >>> loss, gradient = pairwise_loss([2, 0], [0, 0])
    >>> round(loss, 4), gradient
    (0.6931, array([[-0.5,  0.5]]))
    """
    y_true, y_score = _tables(y_true, y_score)
    return _in_blocks(y_true, y_score, lambda pairs: pairs.better / pairs.number())


def lambdarank_loss(y_true, y_score, *, k=None, gain="linear", pair_weights=None):
    """Return the logistic loss of pairs, each weighted by what its swap is worth.

    A pair counts |change of NDCG@k| if its two documents swapped ranks: much near the
    top, nothing if both are beyond k.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_docs,) or (n_queries, n_docs)
    k, gain
        As in `ndcg`.
    pair_weights : ndarray of shape (n_queries, n_docs, n_docs), optional
        What each pair counts; by default `lambda_weights` of these scores.

    Returns
    -------
    loss : float
        Mean over the queries of the sum over their pairs.
    gradient : ndarray of shape (n_queries, n_docs)
        Of the loss with the weights held fixed. The weights change with the ranks, so
        that a falling loss is not promised: the gradient is the method, not the loss.

    Raises
    ------
    TypeError, ValueError
        As `lambda_weights`; also if `pair_weights` has another shape.

    Notes
    -----
    Burges, Ragno and Le, NIPS 2006. Taught in notebook *surrogates*.

    Examples
    --------
    >>> loss, gradient = lambdarank_loss([1, 0], [0, 1])
    >>> round(loss, 4), gradient.round(4)
    (0.4847, array([[-0.2698,  0.2698]]))
    """
    y_true, y_score = _tables(y_true, y_score)
    if pair_weights is not None:
        shape = (*y_true.shape, y_true.shape[1])
        pair_weights = as_array(pair_weights, "pair_weights")
        if pair_weights.shape != shape:
            raise ValueError(f"pair_weights must have shape {shape}, got {pair_weights.shape}")
        as_table(pair_weights.reshape(len(pair_weights), -1), "pair_weights")
        return _in_blocks(y_true, y_score, lambda pairs: pairs.better * pairs.pick(pair_weights))
    objective = Objective(y_true, k=k, gain=gain)
    gains, discounts = objective.gains, rank_discounts(y_score, objective.weights)

    def worth(pairs):
        return pairs.better * np.abs(pairs.gaps(gains) * pairs.gaps(discounts))

    return _in_blocks(y_true, y_score, worth)


def lambda_weights(y_true, y_score, *, k=None, gain="linear"):
    """Return how much NDCG@k changes if two documents swap ranks, for every pair.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_docs,) or (n_queries, n_docs)
    k, gain
        As in `ndcg`.

    Returns
    -------
    ndarray of shape (n_queries, n_docs, n_docs)
        [q, i, j] is the absolute change if i and j of query q swap. Symmetric. Tied
        documents are taken in the order of the input: a swap needs two ranks.

    Raises
    ------
    TypeError, ValueError
        As `ndcg`.

    Notes
    -----
    Two gains change places, so it is ``|gain_i - gain_j| * |discount_i - discount_j|``
    over the ideal DCG. Taught in notebook *surrogates*.

    Examples
    --------
    >>> lambda_weights([1, 0], [0, 1]).round(4)
    array([[[0.    , 0.3691],
            [0.3691, 0.    ]]])
    """
    y_true, y_score = _tables(y_true, y_score)
    objective = Objective(y_true, k=k, gain=gain)
    gains, discounts = objective.gains, rank_discounts(y_score, objective.weights)
    gain_gap = gains[:, :, None] - gains[:, None, :]
    return np.abs(gain_gap * (discounts[:, :, None] - discounts[:, None, :]))


class PairLoss(NamedTuple):
    """A pair of a better and a worse document of one query, and what it costs.

    Attributes
    ----------
    better, worse : int or float
        The two grades.
    ahead : float
        By how much the better one's score is higher.
    loss : float
        ``log(1 + exp(-ahead))``.
    swap : float
        How much NDCG changes if the two swap ranks.
    """

    better: int | float
    worse: int | float
    ahead: float
    loss: float
    swap: float


def pair_losses(y_true, y_score, *, k=None, gain="linear"):
    """Return the pairs that `pairwise_loss` averages and `lambdarank_loss` adds up.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_docs,)
        Grades and scores of one query.
    k, gain
        As in `ndcg`.

    Returns
    -------
    list of PairLoss
        By the place of the better document in the list, then of the worse one.

    Raises
    ------
    TypeError, ValueError
        As `lambda_weights`; also if there is more than one query.

    Notes
    -----
    Taught in notebook *surrogates*.

    Examples
    --------
    >>> [pair] = pair_losses([1, 0], [0.0, 1.0])
    >>> pair.ahead, round(pair.loss, 4), round(pair.swap, 4)
    (-1.0, 1.3133, 0.3691)
    """
    what = "one query, a flat row"
    grades, scores = as_flat(y_true, "y_true", what), as_flat(y_score, "y_score", what)
    [swaps] = lambda_weights(grades, scores, k=k, gain=gain)
    scores = scores.astype(float)
    pairs = np.argwhere(grades[:, None] > grades)
    return [_pair_loss(grades[pair], scores[pair], swaps[tuple(pair)]) for pair in pairs]


def _pair_loss(grades, scores, swap):
    ahead = scores[0] - scores[1]
    loss, _ = logistic(ahead, 1.0)
    return PairLoss(*grades.tolist(), float(ahead), float(loss), float(swap))


def rank_discounts(scores, weights):
    """Return the discount of each document at its rank; tied ones in the order of the input.

    Parameters
    ----------
    scores : ndarray of shape (n_queries, n_docs)
    weights : ndarray of shape (n_docs,)
        The discount of each rank.

    Returns
    -------
    ndarray of shape (n_queries, n_docs)
    """
    order = np.argsort(-scores, axis=1, kind="stable")
    discounts = np.empty(scores.shape)
    np.put_along_axis(discounts, order, np.broadcast_to(weights, scores.shape), axis=1)
    return discounts


class Pairs:
    """The pairs of some queries in which the first document has the higher grade.

    The documents of each query are sorted by grade, so that those that can be first
    stand in front. Often few are relevant, and then most of all pairs need not be
    looked at: they join two documents of the lowest grade.

    Attributes
    ----------
    better : ndarray of bool, shape (n_queries, n_first, n_docs)
        Whether the pair is one: two documents of equal grade are not.
    """

    def __init__(self, y_true, rows):
        grades = y_true[rows]
        self._rows = rows
        self._order = np.argsort(-grades, axis=1, kind="stable")
        can_be_first = grades > grades.min(axis=1, keepdims=True)
        self._n_first = int(can_be_first.sum(axis=1).max())
        self.better = self.gaps(y_true) > 0

    def number(self):
        """Return how many pairs each query has, 1 if it has none: (n_queries, 1, 1)."""
        return np.maximum(self.better.sum(axis=(1, 2), keepdims=True), 1)

    def gaps(self, table):
        """Return first minus second of a table (n_queries, n_docs), for each pair."""
        ordered = np.take_along_axis(table[self._rows], self._order, axis=1)
        return ordered[:, : self._n_first, None] - ordered[:, None, :]

    def pick(self, table):
        """Return the values of a table of all pairs, (n_queries, n_docs, n_docs)."""
        first, second = self._order[:, : self._n_first, None], self._order[:, None, :]
        return np.take_along_axis(np.take_along_axis(table[self._rows], first, 1), second, 2)

    def add_up(self, pushes):
        """Return what each document gets: pushes up as first, down as second."""
        total = -pushes.sum(axis=1)
        total[:, : self._n_first] += pushes.sum(axis=2)
        gathered = np.empty(total.shape)
        np.put_along_axis(gathered, self._order, total, axis=1)
        return gathered


def _tables(y_true, y_score):
    y_true, y_score = as_table(y_true, "y_true"), as_table(y_score, "y_score")
    check_same_shape(y_true, y_score)
    return y_true.astype(float), y_score.astype(float)


def _in_blocks(y_true, y_score, weights_of):
    """Sum the weighted logistic loss of pairs over blocks of queries; see `pairwise_loss`."""
    n_queries, n_docs = y_true.shape
    total, gradient = 0.0, np.empty(y_true.shape)
    for rows in kernel.blocks(n_queries, n_docs**2):
        pairs = Pairs(y_true, rows)
        loss, push = logistic(pairs.gaps(y_score), weights_of(pairs))
        gradient[rows] = -pairs.add_up(push)
        total += loss
    return float(total / n_queries), gradient / n_queries


def logistic(ahead, counts):
    """Return the sum of counts * log(1 + exp(-ahead)), and how hard each summand pushes."""
    # exp of a negative number never overflows; the rest of the loss is linear.
    small = np.exp(-np.abs(ahead))
    loss = (counts * (np.log1p(small) + np.maximum(-ahead, 0))).sum()
    # 1 if the better document is far behind, 0 if it is far ahead.
    return loss, counts * (np.where(ahead < 0, 1.0, small) / (1 + small))
