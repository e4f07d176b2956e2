"""Mean NDCG@k of a linear scorer: what the search climbs.

A search evaluates the same queries thousands of times. What depends on the grades
alone is therefore computed once, and a change of one weight adds one column to the
scores instead of multiplying all features again. Taught in notebook *climb*.
"""

import numpy as np

from ndcglib.metrics import discount_weights, gain_values, idcg, kernel
from ndcglib.metrics.checks import as_table, check_k
from ndcglib.metrics.gains import refuse_negative
from ndcglib.tuning.lists import as_features, by_length, without_offsets


class Objective:
    """Mean NDCG@k of a table of scores, ties averaged, for grades that stay the same.

    Parameters
    ----------
    y : array-like of shape (n_queries, n_docs)
        Relevance grades.
    k : int, optional
        Ranks that count; all by default. A k above n_docs is clipped to it.
    gain : {"linear", "exponential"}, mapping or callable, default="linear"
        What a grade is worth; see `gain_values`. No gain may be negative.

    Attributes
    ----------
    gains : ndarray of shape (n_queries, n_docs)
        Each gain divided by its query's ideal DCG: their DCG is NDCG. A query without
        any gain has zeros, and so NDCG 0, as in scikit-learn.
    weights : ndarray of shape (n_docs,)
        The weight of each rank, 0 beyond k.

    Raises
    ------
    TypeError, ValueError
        As `ndcg`.

    Notes
    -----
    Equals `ndcg` with its defaults. Taught in notebook *climb*.

    Examples
    --------
    >>> objective = Objective([[3, 0, 2]])
    >>> round(objective(np.array([[0.9, 0.5, 0.1]])), 4)
    0.9386
    """

    def __init__(self, y, *, k=None, gain="linear"):
        grades = as_table(y, "y")
        gains = gain_values(grades, gain, name="y")
        refuse_negative(gains, gain, "y")
        ideals = idcg(gains, k=k, per_query=True)[:, None]
        self.gains = np.divide(gains, ideals, out=np.zeros(gains.shape), where=ideals > 0)
        depth = check_k(k, gains.shape[1])
        self.weights = np.zeros(gains.shape[1])
        self.weights[:depth] = discount_weights(depth)

    def per_query(self, scores):
        """Return the NDCG of each query, shape (n_queries,)."""
        values = np.empty(len(scores))
        for rows in kernel.blocks(*scores.shape):
            values[rows] = kernel.tie_averaged(scores[rows], self.gains[rows], self.weights)
        return values

    def __call__(self, scores):
        """Return the mean NDCG of scores of shape (n_queries, n_docs), unchecked."""
        return float(self.per_query(scores).mean())


class Linear:
    """Mean NDCG@k as a function of the weights of a linear scorer.

    Parameters
    ----------
    X, y, query
        As in `by_length`.
    k, gain
        As in `Objective`.
    name : str, default=""
        What the messages put before X and y.

    Attributes
    ----------
    columns : ndarray of shape (n_features, n_rows)
        The features as they came, one query after the other, shorter ones first.
    near : ndarray of shape (n_features, n_rows)
        The same, with large offsets taken away; see `without_offsets`. What ranks.
    grades : ndarray of shape (n_rows,)
    evaluations : int
        How often the metric was computed.
    """

    def __init__(self, X, y, query=None, *, k=None, gain="linear", name=""):
        groups = by_length(X, y, query, name)
        self.columns = _flat([group.columns for group in groups])
        self.near = _flat([without_offsets(group.columns) for group in groups])
        self.grades = _flat([group.grades for group in groups])
        self._objectives = [Objective(group.grades, k=k, gain=gain) for group in groups]
        self.evaluations = 0

    def tables(self, *flat):
        """Return what each group of queries of one length has of flat arrays.

        Returns
        -------
        list of tuple
            For each group its part of each array, of shape (n_queries, n_docs), and
            then its `Objective`.
        """
        parts, end = [], 0
        for objective in self._objectives:
            shape = objective.gains.shape
            rows = slice(end, end + objective.gains.size)
            end = rows.stop
            parts.append((*(array[rows].reshape(shape) for array in flat), objective))
        return parts

    def scores(self, w):
        """Return the scores X @ w, shape (n_rows,), up to a constant of each query."""
        return add_up(self.near, w)

    def per_query(self, scores):
        """Return the NDCG of each query, shape (n_queries,)."""
        return np.concatenate([goal.per_query(table) for table, goal in self.tables(scores)])

    def value(self, scores):
        """Return the mean NDCG of some scores, and count it."""
        self.evaluations += 1
        return float(self.per_query(scores).mean())

    def at(self, w):
        """Return the mean NDCG of the weights w."""
        return self.value(self.scores(w))


def as_part(part, name):
    """Return a tuple (X, y) or (X, y, query); refuse anything else."""
    if not isinstance(part, (tuple, list)) or len(part) not in (2, 3):
        raise TypeError(
            f"{name} must be a tuple (X, y) or (X, y, query), "
            f"got {type(part).__name__}; give features and grades together"
        )
    return part


def as_validation(validation, train, k, gain):
    """Return validation data as a `Linear` like that of the training data, None if none came.

    Parameters
    ----------
    validation : tuple (X, y) or (X, y, query), or None
    train : Linear
        Of the training data: validation needs the same features.
    k, gain
        As in `Objective`.

    Returns
    -------
    Linear or None

    Raises
    ------
    TypeError, ValueError
        If it is no such tuple, or its data do not fit.
    """
    if validation is None:
        return None
    held_out = Linear(*as_part(validation, "validation"), k=k, gain=gain, name="validation ")
    if len(held_out.columns) != len(train.columns):
        raise ValueError(
            f"validation X must have the {len(train.columns)} features of X, "
            f"got {len(held_out.columns)}"
        )
    return held_out


def linear_scores(X, w):
    """Return X @ w, one feature after the other.

    Documents with equal features get equal scores, to the last bit: a tie. A matrix
    product may add up in another order for one row than for the next, and then a tie
    is broken by rounding, in a way that depends on the machine.

    Parameters
    ----------
    X : array-like of shape (n_queries, n_docs, n_features)
    w : array-like of shape (n_features,)

    Returns
    -------
    ndarray of shape (n_queries, n_docs)

    Raises
    ------
    TypeError, ValueError
        If X or w are not finite numbers of these shapes.

    Notes
    -----
    Taught in notebook *climb*.

    Examples
    --------
    >>> linear_scores([[[1, 0], [2, 3]]], [1, 10])
    array([[ 1., 32.]])
    """
    X = as_features(X, 3, "X")
    return add_up(np.moveaxis(X, -1, 0), as_vector(w, X.shape[-1], "w"))


def add_up(columns, w):
    """Return the sum of w[j] * columns[j], in the shape of a column."""
    total = np.zeros(columns.shape[1:])
    for weight, column in zip(w, columns, strict=True):
        total += weight * column
    return total


def _flat(groups):
    """Join what groups of queries have, document after document, along the last axis."""
    whole = groups[0].ndim - 2
    flat = [group.reshape(*group.shape[:whole], -1) for group in groups]
    return flat[0] if len(flat) == 1 else np.concatenate(flat, axis=-1)


def as_vector(values, n_features, name):
    """Return one finite number for each feature, as floats."""
    vector = as_table(values, name)
    if np.shape(values) != (n_features,):
        raise ValueError(
            f"{name} must have one number for each feature, shape ({n_features},), "
            f"got {np.shape(values)}"
        )
    return vector[0].astype(float)
