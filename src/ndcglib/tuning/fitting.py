"""Fit a linear scorer to a loss, and watch what NDCG does meanwhile.

`least_squares`, `pointwise_logistic` and `pairwise_logistic` go straight to the minimum;
`fit` walks there step by step, down the gradient, and notes loss and NDCG of each epoch.
Taught in notebooks *regression* and *surrogates*.
"""

from typing import NamedTuple

import numpy as np

from ndcglib.metrics.checks import all_finite, as_number, check_choice, check_flag, check_whole
from ndcglib.tuning.lists import as_lists
from ndcglib.tuning.objective import Linear, add_up, as_validation
from ndcglib.tuning.starts import fit_plane
from ndcglib.tuning.surrogates import lambdarank_loss, logistic, pairwise_loss, squared_loss

LOSSES = ("squared", "pairwise", "lambdarank")
MOST_EPOCHS = 100_000  # more would not end
MOST_STEPS = 200  # of the minimizer


class Epoch(NamedTuple):
    """One step down the gradient, or the start.

    Attributes
    ----------
    number : int
        0 is the start, before any step.
    w : ndarray of shape (n_features,)
    b : float
        The intercept; it cannot change a ranking.
    loss : float
        On the training data.
    train : float
        Mean NDCG on the training data.
    validation : float or None
        Mean NDCG on the validation data, if there is any.
    """

    number: int
    w: np.ndarray
    b: float
    loss: float
    train: float
    validation: float | None


class Fit(NamedTuple):
    """What `fit` found.

    Attributes
    ----------
    w : ndarray of shape (n_features,)
        The weights of the last epoch.
    b : float
    history : tuple of Epoch
    """

    w: np.ndarray
    b: float
    history: tuple[Epoch, ...]


def least_squares(X, y, *, intercept=True, center=False):
    """Fit grades by least squares, in closed form: pointwise.

    Parameters
    ----------
    X : array-like of shape (n_queries, n_docs, n_features)
    y : array-like of shape (n_queries, n_docs)
    intercept : bool, default=True
        Without one the plane must go through the origin, and the weights have to make
        up for it.
    center : bool, default=False
        Take the mean of its query from each feature and each grade first. Then only
        differences within a query count, which is all that a ranking needs.

    Returns
    -------
    w : ndarray of shape (n_features,)
        Of all that fit equally well, the shortest.
    b : float
        0 without an intercept, and with `center`.

    Raises
    ------
    TypeError, ValueError
        If X and y do not fit or are not finite.

    Notes
    -----
    Taught in notebook *regression*.

    Examples
    --------
    >>> w, b = least_squares([[[0.0], [1.0], [2.0]]], [[1, 2, 3]])
    >>> w.round(6), round(b, 6)
    (array([1.]), 1.0)
    """
    check_flag(intercept, "intercept")
    check_flag(center, "center")
    as_lists(X, y)
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    if center:
        X, y = X - X.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    rows = X.reshape(-1, X.shape[-1])
    return fit_plane(rows, y.ravel(), intercept=intercept and not center)


def pointwise_logistic(X, y):
    """Fit the logistic loss of each document, relevant or not: pointwise, no pairs.

    Parameters
    ----------
    X : array-like of shape (n_queries, n_docs, n_features)
    y : array-like of shape (n_queries, n_docs)
        A document is relevant if its grade is above 0.

    Returns
    -------
    w : ndarray of shape (n_features,)
        There is an intercept in the fit; it cannot change a ranking and is left out.

    Raises
    ------
    TypeError, ValueError
        If X and y do not fit or are not finite.

    Notes
    -----
    It is scikit-learn's `LogisticRegression` without a penalty. Taught in notebook
    *regression*.

    Examples
    --------
    >>> w = pointwise_logistic([[[0.0], [1.0], [2.0], [3.0]]], [[0, 2, 0, 3]])
    >>> bool(w[0] > 0)
    True
    """
    lists = as_lists(X, y)
    scale, side = _scales(lists.columns), np.where(lists.grades > 0, 1.0, -1.0)

    def loss_of(w):
        scores = add_up(lists.columns, w[:-1] / scale) + w[-1]
        loss, push = logistic(side * scores, 1 / side.size)
        by_weight = _by_weight(lists.columns, -side * push) / scale
        return loss, np.append(by_weight, -(side * push).sum())

    return _lowest(loss_of, len(scale) + 1)[:-1] / scale


def pairwise_logistic(X, y):
    """Fit the logistic loss of all pairs: pairwise.

    Parameters
    ----------
    X : array-like of shape (n_queries, n_docs, n_features)
    y : array-like of shape (n_queries, n_docs)

    Returns
    -------
    w : ndarray of shape (n_features,)
        There is no intercept: it cancels in every pair.

    Raises
    ------
    TypeError, ValueError
        If X and y do not fit or are not finite.

    Notes
    -----
    The loss is convex, so its minimum does not depend on the start. If some weights
    rank all pairs correctly, there is none: longer is always better, and the tolerance
    of the minimizer ends it, or its step number 200. Taught in notebook *regression*.

    Examples
    --------
    >>> w = pairwise_logistic([[[0.0], [1.0], [2.0], [3.0]]], [[0, 2, 1, 3]])
    >>> bool(w[0] > 0)
    True
    """
    lists = as_lists(X, y)
    scale = _scales(lists.columns)

    def loss_of(w):
        loss, gradient = pairwise_loss(lists.grades, add_up(lists.columns, w / scale))
        return loss, _by_weight(lists.columns, gradient) / scale

    return _lowest(loss_of, len(scale)) / scale


def fit(
    X,
    y,
    loss,
    *,
    epochs=50,
    rate=1.0,
    intercept=True,
    k=None,
    gain="linear",
    validation=None,
):
    """Walk down the gradient of a loss from w = 0, and note loss and NDCG of each epoch.

    Parameters
    ----------
    X : array-like of shape (n_queries, n_docs, n_features)
    y : array-like of shape (n_queries, n_docs)
    loss : {"squared", "pairwise", "lambdarank"}
        `squared_loss`, `pairwise_loss` or `lambdarank_loss`.
    epochs : int, default=50
        How many steps, 100,000 at most; each uses all queries.
    rate : float, default=1.0
        How far along the gradient a step goes, above 0, each feature measured by its
        standard deviation. Too far, and the loss grows.
    intercept : bool, default=True
        Whether the squared loss has an intercept. In the others it cancels.
    k, gain
        As in `ndcg`: for the NDCG that is noted, and for LambdaRank's weights.
    validation : tuple (X, y) or (X, y, query), optional
        Other queries whose NDCG is noted.

    Returns
    -------
    Fit

    Raises
    ------
    TypeError, ValueError
        If the data do not fit or an option is not among those above; if the loss
        leaves the range of floats, because the rate is too high.

    Notes
    -----
    There is no luck in it. Taught in notebook *surrogates*.

    Examples
    --------
    >>> found = fit([[[0.0], [1.0], [2.0]]], [[0, 1, 2]], "pairwise", epochs=3)
    >>> [round(epoch.loss, 4) for epoch in found.history]
    [0.6931, 0.2512, 0.1687, 0.1297]
    """
    check_choice(loss, "loss", LOSSES)
    check_flag(intercept, "intercept")
    epochs = check_whole(epochs, "epochs", 0, MOST_EPOCHS)
    rate = as_number(rate, "rate", " above 0", lambda rate: rate > 0)
    train, lists = Linear(X, y, k=k, gain=gain), as_lists(X, y)
    held_out = as_validation(validation, train, k, gain)
    scale = _scales(lists.columns)
    w, b, history = np.zeros(len(scale)), 0.0, []
    for number in range(epochs + 1):
        with np.errstate(over="ignore", invalid="ignore"):  # told below, in words
            scores = add_up(lists.columns, w) + b
            value = np.inf
            if all_finite(scores):
                value, by_score = _loss(loss, lists.grades, scores, k, gain)
        if not np.isfinite(value):
            raise ValueError(f"rate must be lower than {rate}: the loss left the range of floats")
        ndcg = None if held_out is None else held_out.at(w)
        history.append(Epoch(number, w, b, value, train.at(w), ndcg))
        if number < epochs:
            w = w - rate * _by_weight(lists.columns, by_score) / scale**2
            if loss == "squared" and intercept:
                b -= rate * by_score.sum()
    return Fit(w, float(b), tuple(history))


def _lowest(loss_of, n_weights):
    """Return where a loss, given with its gradient, is lowest, from weights that are all 0."""
    # Here, not above: who only climbs need not wait for scipy's minimizers to load.
    from scipy.optimize import minimize

    options = dict(maxiter=MOST_STEPS)
    start = np.zeros(n_weights)
    return minimize(loss_of, start, jac=True, method="L-BFGS-B", options=options).x


def _loss(loss, grades, scores, k, gain):
    """Return the loss, and its gradient by the scores."""
    if loss == "squared":
        return squared_loss(grades, scores)
    if loss == "pairwise":
        return pairwise_loss(grades, scores)
    return lambdarank_loss(grades, scores, k=k, gain=gain)


def _by_weight(columns, by_score):
    """Return the gradient by the weights: each score is a sum of weight times feature."""
    return np.array([(column * by_score).sum() for column in columns])


def _scales(columns):
    """Return the standard deviation of each feature, 1 for a constant one."""
    deviations = np.array([column.std() for column in columns])
    return np.where(deviations > 0, deviations, 1.0)
