"""Features and grades of many queries, as arrays that the search can use.

A list is the documents of one query. Queries of one length form a rectangle; queries
of unequal length come as a long table and become one rectangle for each length.
"""

import math
from typing import NamedTuple

import numpy as np

from ndcglib.metrics import long_table
from ndcglib.metrics.checks import all_finite, as_array, as_query_ids, as_table


class Lists(NamedTuple):
    """Features and grades, a row for each query.

    Attributes
    ----------
    columns : ndarray of float, shape (n_features, n_queries, n_docs)
        Feature first: the search changes one weight at a time and so reads one column.
    grades : ndarray of shape (n_queries, n_docs)
    """

    columns: np.ndarray
    grades: np.ndarray


def as_lists(X, y, name=""):
    """Check the features and grades of queries of one length.

    Parameters
    ----------
    X : array-like of shape (n_queries, n_docs, n_features)
        Features.
    y : array-like of shape (n_queries, n_docs)
        Relevance grades.
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
    X, grades = _checked(X, y, 3, name)
    return Lists(np.ascontiguousarray(np.moveaxis(X, -1, 0)), grades)


def by_length(X, y, query=None, name=""):
    """Check features and grades; put queries of one length together.

    So a long query costs what its own documents cost, and the short ones are not
    padded to its length.

    Parameters
    ----------
    X, y, name
        As in `as_lists`. With `query`, X is a long table of shape (n_rows, n_features)
        and y has the shape (n_rows,).
    query : array-like of shape (n_rows,), optional
        Which query each row belongs to: integers or strings.

    Returns
    -------
    list of Lists
        One for each length, the shortest first; in each, queries in sorted order.

    Raises
    ------
    TypeError, ValueError
        As `as_lists`; also if `query` does not name a query for each row.
    """
    if query is None:
        return [as_lists(X, y, name)]
    X, grades = _checked(X, y, 2, name)
    rows_of = _rows_of_queries(query, grades[0], name)
    tables = (np.array([rows_of[i] for i in same]) for same in long_table.by_length(rows_of))
    return [Lists(np.ascontiguousarray(X.T[:, rows]), grades[0][rows]) for rows in tables]


def without_offsets(columns):
    """Take from each feature of each query its lowest value, where that is far from 0.

    Neither an order nor a difference within the query changes, and a sum of what is
    left rounds far less: timestamps around 1.7e9 leave a score nine digits fewer for
    everything else. Only values within a factor of two of each other are moved: then
    the subtraction is exact (Sterbenz), and what is left elsewhere has no large offset.

    Parameters
    ----------
    columns : ndarray of shape (n_features, n_queries, n_docs)

    Returns
    -------
    ndarray of the same shape
        `columns` itself if nothing is far from 0.
    """
    low, high = columns.min(axis=2), columns.max(axis=2)
    far = ((low > 0) & (high / 2 <= low)) | ((high < 0) & (low / 2 >= high))
    return columns - np.where(far, low, 0.0)[:, :, None] if far.any() else columns


def _checked(X, y, n_dims, name):
    X = as_features(X, n_dims, f"{name}X")
    grades = as_table(y, f"{name}y")
    if np.shape(y) != X.shape[:-1]:
        raise ValueError(
            f"{name}y must hold one grade for each document of {name}X, shape {X.shape[:-1]}, "
            f"got {np.shape(y)}"
        )
    return X, grades


def as_features(X, n_dims, name):
    """Return features as floats; refuse any that are not finite or lack a dimension."""
    wanted = "(n_queries, n_docs, n_features)" if n_dims == 3 else "(n_rows, n_features)"
    array = as_array(
        X, name, f", not the shape {wanted}; give a long table and a query for each row"
    )
    if array.ndim != n_dims:
        hint = "; for a long table, give `query` as well" if array.ndim == 2 else ""
        raise ValueError(f"{name} must have shape {wanted}, got {array.shape}{hint}")
    if n_dims == 3 and array.dtype.kind == "f" and not all_finite(array):
        query = int(np.argwhere(~np.isfinite(array))[0][0])
        as_table(array[query], f"{name}[{query}]")  # says where
    as_table(array.reshape(len(array), math.prod(array.shape[1:])), name)
    return array.astype(float, copy=False)


def _rows_of_queries(query, grades, name):
    """Return the rows of each query, in the order of the table; queries sorted."""
    query = as_query_ids(query, f"{name}query")
    if query.shape != grades.shape:
        raise ValueError(
            f"{name}query must name the query of each row, shape {grades.shape}, got {query.shape}"
        )
    return long_table.rows_of_queries(query)[1]
