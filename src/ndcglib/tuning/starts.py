"""Where a search begins: least squares, zeros, at random, or weights of your own."""

import numpy as np

from ndcglib.tuning.objective import as_vector
from wording import nearest

STARTS = ("least squares", "zeros", "random")


def spreads(linear):
    """Return the mean range of each feature within a query; 0 where it cannot rank.

    The unit of a step: a feature in meters and the same in millimeters are then
    searched alike. What is constant within every query moves all its documents
    together, and so no document past another.

    Parameters
    ----------
    linear : Linear

    Returns
    -------
    ndarray of shape (n_features,)
    """
    return np.array([_mean_range(linear.tables(column)) for column in linear.columns])


def _mean_range(tables):
    return float(np.concatenate([np.ptp(table, axis=1) for table, _ in tables]).mean())


def start_weights(linear, start, spread, rng):
    """Return the first weights of a search.

    Parameters
    ----------
    linear : Linear
    start : {"least squares", "zeros", "random"} or array-like of shape (n_features,)
    spread : ndarray of shape (n_features,)
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of shape (n_features,)
        With 0 for a feature that cannot rank.

    Raises
    ------
    TypeError, ValueError
        If `start` is neither a name nor one finite number for each feature.
    """
    useful = spread > 0
    if not isinstance(start, str):
        return np.where(useful, as_vector(start, len(spread), "start"), 0.0)
    if start not in STARTS:
        names = ", ".join(map(repr, STARTS))
        raise ValueError(
            f"start must be one of {names} or an array of weights, got {start!r}"
            f"{nearest(start, STARTS)}"
        )
    if start == "least squares":
        return np.where(useful, _least_squares(linear), 0.0)
    if start == "zeros":
        return np.zeros(len(spread))
    draws = rng.normal(size=len(spread))
    return np.divide(draws, spread, out=np.zeros(len(spread)), where=useful)


def _least_squares(linear):
    """Return the weights that predict the grades best, with an intercept."""
    return fit_plane(linear.columns.T, linear.grades)[0]


def fit_plane(features, target, *, intercept=True):
    """Return the weights and the intercept of least squares, in closed form.

    Parameters
    ----------
    features : ndarray of shape (n_rows, n_features)
    target : ndarray of shape (n_rows,)
    intercept : bool, default=True

    Returns
    -------
    w : ndarray of shape (n_features,)
        Of all that fit equally well, the shortest: twice the same feature shares.
    b : float
        0 without an intercept.
    """
    if not intercept:
        return np.linalg.lstsq(features, target)[0], 0.0
    # A plane with an intercept goes through the means; around them it needs none.
    center, level = features.mean(axis=0), target.mean()
    w = np.linalg.lstsq(features - center, target - level)[0]
    return w, float(level - center @ w)
