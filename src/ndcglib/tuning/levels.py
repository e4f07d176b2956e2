"""What a result must be compared with, and how sure the comparison is.

An NDCG means little alone: how far is it above a random ranking, above least squares,
below the truth? And would other queries have said the same? Taught in notebooks *held_out*,
*baselines* and *surrogates*.
"""

from typing import NamedTuple

import numpy as np

from ndcglib.metrics import gain_values, ndcg, random_ndcg
from ndcglib.metrics.checks import as_table, check_no_overflow
from ndcglib.metrics.gains import refuse_negative
from ndcglib.significance import interval
from ndcglib.tuning.fitting import least_squares
from ndcglib.tuning.lists import as_lists
from ndcglib.tuning.objective import Linear, as_part, as_vector


class Limits(NamedTuple):
    """Between which numbers the mean NDCG of some queries lies.

    Attributes
    ----------
    queries : int
    empty : int
        In how many of them nothing has a gain: each order scores 0.
    undecided : int
        In how many all documents have the same gain, the empty ones included: each
        order scores the same.
    random : float
        The exact mean of a random ranking.
    ceiling : float
        The mean of the perfect order, by the grades themselves: 1 less the share of
        the empty queries.
    """

    queries: int
    empty: int
    undecided: int
    random: float
    ceiling: float


def limits(y, *, k=None, gain="linear"):
    """Return how far down and up a mean NDCG can go, and how many queries cannot move it.

    Parameters
    ----------
    y : array-like of shape (n_queries, n_docs)
        Relevance grades.
    k, gain
        As in `ndcg`.

    Returns
    -------
    Limits

    Raises
    ------
    TypeError, ValueError
        As `ndcg`.

    Notes
    -----
    Taught in notebooks *baselines* and *surrogates*.

    Examples
    --------
    >>> limits([[2, 1, 0], [0, 0, 0], [1, 1, 1], [3, 0, 0]], k=1)
    Limits(queries=4, empty=1, undecided=2, random=0.4583333333333333, ceiling=0.75)
    """
    gains = gain_values(as_table(y, "y"), gain, name="y")
    refuse_negative(gains, gain, "y")
    with np.errstate(over="ignore"):  # said in words
        check_no_overflow(gains.sum(axis=1), "y")
    return Limits(
        queries=len(gains),
        empty=int((gains.max(axis=1) == 0).sum()),
        undecided=int((np.ptp(gains, axis=1) == 0).sum()),
        random=random_ndcg(gains, k=k),
        ceiling=ndcg(gains, gains, k=k),
    )


def baselines(train, test, *, k=None, gain="linear", weights=None, groups=None, **chosen):
    """Return the mean NDCG on the test queries of what every result must beat.

    Parameters
    ----------
    train, test : tuple (X, y)
        Training data, for least squares; the queries that are reported.
    k, gain
        As in `ndcg`.
    weights : array-like of shape (n_features,), optional
        The weights that generated the data, if they are known.
    groups : array-like of shape (n_queries,), optional
        Which test queries belong together, as in `interval`: the intervals are by group.
    **chosen : array-like of shape (n_features,)
        More weights to report, by name.

    Returns
    -------
    dict of str to ndcglib.significance.Level
        "random" and "perfect order", the levels of `Limits`; "least squares", with an
        intercept, fitted to `train`; "generating weights", if given; and `chosen`. The
        highest mean comes first.

    Raises
    ------
    TypeError, ValueError
        If the data or the weights do not fit.

    Notes
    -----
    Taught in notebooks *baselines* and *surrogates*.

    Examples
    --------
    >>> data = [[[0.0], [1.0]], [[2.0], [1.0]]], [[0, 1], [1, 0]]
    >>> list(baselines(data, data, mine=[1.0]))
    ['least squares', 'mine', 'perfect order', 'random']
    """
    as_lists(*as_part(train, "train")[:2], "train ")
    linear = Linear(*as_part(test, "test"), k=k, gain=gain, name="test ")
    n_features = len(linear.columns)
    rows = {"random": np.zeros(n_features), "least squares": least_squares(*train[:2])[0]}
    if weights is not None:
        rows["generating weights"] = weights
    rows |= chosen
    scored = {n: linear.scores(as_vector(w, n_features, n)) for n, w in rows.items()}
    scored["perfect order"] = gain_values(linear.grades, gain, name="y")
    levels = {name: interval(linear.per_query(scores), groups) for name, scores in scored.items()}
    return dict(sorted(levels.items(), key=lambda row: -round(row[1].mean, 9)))
