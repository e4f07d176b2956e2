"""Features and grades of many queries, as arrays that the search can use.

A list is the documents of one query. Queries of one length form a rectangle; queries
of unequal length come as a long table and are padded here.
"""

from typing import NamedTuple

import numpy as np

from helpers.metrics.checks import as_table


class Lists(NamedTuple):
    """Features and grades, a row for each query.

    Attributes
    ----------
    columns : ndarray of float, shape (n_features, n_queries, n_docs)
        Feature first: the search changes one weight at a time and so reads one column.
    grades : ndarray of shape (n_queries, n_docs)
    real : ndarray of bool, shape (n_queries, n_docs), or None
        False where a document is padding; None where there is none.
    """

    columns: np.ndarray
    grades: np.ndarray
    real: np.ndarray | None


def as_lists(X, y, query=None, name=""):
    """Check features and grades; pad queries of unequal length.

    Parameters
    ----------
    X : array-like of shape (n_queries, n_docs, n_features)
        Features. With `query`, a long table of shape (n_rows, n_features).
    y : array-like of shape (n_queries, n_docs), or (n_rows,)
        Relevance grades.
    query : array-like of shape (n_rows,), optional
        Which query each row belongs to.
    name : str, default=""
        What the messages put before X and y, such as "validation ".

    Returns
    -------
    Lists

    Raises
    ------
    TypeError
        If X or y do not hold real numbers.
    ValueError
        If a number is not finite, or if the shapes do not fit.
    """
    X = as_features(X, 3 if query is None else 2, f"{name}X")
    grades = as_table(y, f"{name}y")
    if np.shape(y) != X.shape[:-1]:
        raise ValueError(
            f"{name}y must hold one grade for each document of {name}X, shape {X.shape[:-1]}, "
            f"got {np.shape(y)}"
        )
    if query is None:
        return Lists(np.ascontiguousarray(np.moveaxis(X, -1, 0)), grades, None)
    return _padded(X, grades[0], query, name)


def as_features(X, n_dims, name):
    """Return features as floats; refuse any that are not finite or lack a dimension."""
    wanted = "(n_queries, n_docs, n_features)" if n_dims == 3 else "(n_rows, n_features)"
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise TypeError(
            f"{name} must have shape {wanted}, got rows of unequal length; "
            "give a long table and a query for each row"
        ) from error
    if array.ndim != n_dims:
        hint = "; for a long table, give `query` as well" if array.ndim == 2 else ""
        raise ValueError(f"{name} must have shape {wanted}, got {array.shape}{hint}")
    as_table(array.reshape(len(array), -1), name)
    return array.astype(float, copy=False)


def _padded(X, grades, query, name):
    """Fill queries up to the longest, so that they form a rectangle."""
    query = np.asarray(query)
    if query.shape != grades.shape:
        raise ValueError(
            f"{name}query must name the query of each row, shape {grades.shape}, got {query.shape}"
        )
    _, position = np.unique(query, return_inverse=True)
    order = np.argsort(position, kind="stable")
    lengths = np.bincount(position)
    real = np.arange(lengths.max()) < lengths[:, None]
    columns = np.zeros((X.shape[1], *real.shape))
    columns[:, real] = X[order].T
    # Padding repeats a grade of its query, so that any table of gains knows it.
    first = np.cumsum(lengths) - lengths
    filled = np.repeat(grades[order][first][:, None], lengths.max(), axis=1)
    filled[real] = grades[order]
    return Lists(columns, filled, None if real.all() else real)
