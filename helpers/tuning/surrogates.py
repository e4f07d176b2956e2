"""Losses that a gradient can follow, instead of NDCG, which has none.

Each takes the scores of all queries and returns the loss and its gradient: what a
small change of each score would do. Every query counts the same, however many
documents it has. Taught in notebook 12.
"""

import numpy as np

from helpers.metrics import kernel
from helpers.metrics.checks import as_table, check_same_shape
from helpers.tuning.objective import Objective


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
    Taught in notebook 12.

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
    The loss of RankNet (Burges et al., ICML 2005). Taught in notebook 12.

    Examples
    --------
    >>> loss, gradient = pairwise_loss([2, 0], [0, 0])
    >>> round(loss, 4), gradient
    (0.6931, array([[-0.5,  0.5]]))
    """
    y_true, y_score = _tables(y_true, y_score)
    return _in_blocks(y_true, y_score, lambda rows: mean_pairs(y_true[rows]))


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
    Burges, Ragno and Le, NIPS 2006. Taught in notebook 12.

    Examples
    --------
    >>> loss, gradient = lambdarank_loss([1, 0], [0, 1])
    >>> round(loss, 4), gradient.round(4)
    (0.4847, array([[-0.2698,  0.2698]]))
    """
    y_true, y_score = _tables(y_true, y_score)
    if pair_weights is not None:
        shape = (*y_true.shape, y_true.shape[1])
        if np.shape(pair_weights) != shape:
            raise ValueError(f"pair_weights must have shape {shape}, got {np.shape(pair_weights)}")
        better = y_true[:, :, None] > y_true[:, None, :]
        return _in_blocks(y_true, y_score, lambda rows: pair_weights[rows] * better[rows])
    objective = Objective(y_true, k=k, gain=gain)

    def weighted(rows):
        better = y_true[rows, :, None] > y_true[rows, None, :]
        return better * swap_values(objective.gains[rows], y_score[rows], objective.weights)

    return _in_blocks(y_true, y_score, weighted)


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
    over the ideal DCG. Taught in notebook 12.

    Examples
    --------
    >>> lambda_weights([1, 0], [0, 1]).round(4)
    array([[[0.    , 0.3691],
            [0.3691, 0.    ]]])
    """
    y_true, y_score = _tables(y_true, y_score)
    objective = Objective(y_true, k=k, gain=gain)
    return swap_values(objective.gains, y_score, objective.weights)


def swap_values(gains, scores, weights):
    """Do what `lambda_weights` does, with gains divided by the ideal DCG before."""
    order = np.argsort(-scores, axis=1, kind="stable")
    discounts = np.empty(scores.shape)
    np.put_along_axis(discounts, order, np.broadcast_to(weights, scores.shape), axis=1)
    gain_gap = gains[:, :, None] - gains[:, None, :]
    discount_gap = discounts[:, :, None] - discounts[:, None, :]
    return np.abs(gain_gap * discount_gap)


def mean_pairs(grades):
    """Return 1 over the number of unequal pairs of the query where i is better than j."""
    better = grades[:, :, None] > grades[:, None, :]
    n_pairs = better.sum(axis=(1, 2), keepdims=True)
    return better / np.maximum(n_pairs, 1)


def _tables(y_true, y_score):
    y_true, y_score = as_table(y_true, "y_true"), as_table(y_score, "y_score")
    check_same_shape(y_true, y_score)
    return y_true.astype(float), y_score.astype(float)


def _in_blocks(y_true, y_score, weights_of):
    """Sum the weighted logistic loss of pairs over blocks of queries; see `pairwise_loss`."""
    n_queries, n_docs = y_true.shape
    total, gradient = 0.0, np.empty(y_true.shape)
    for rows in kernel.blocks(n_queries, n_docs**2):
        loss, gradient[rows] = _logistic(y_score[rows], weights_of(rows))
        total += loss
    return float(total / n_queries), gradient / n_queries


def _logistic(scores, pair_weights):
    """Return the sum of weight * log(1 + exp(-(s_i - s_j))), and its gradient."""
    ahead = scores[:, :, None] - scores[:, None, :]
    # exp of a negative number never overflows; the rest of the loss is linear.
    small = np.exp(-np.abs(ahead))
    loss = (pair_weights * (np.log1p(small) + np.maximum(-ahead, 0))).sum()
    # What pushes i up and j down: 1 if i is far behind, 0 if it is far ahead.
    push = pair_weights * (np.where(ahead < 0, 1.0, small) / (1 + small))
    return loss, push.sum(axis=1) - push.sum(axis=2)
