"""Several ways to train on the same data, and the table that compares them.

A mean NDCG on fresh queries says little without a random order, the perfect order and the
number of queries that no ranker can win. The table of a contest always has them. Taught in
notebook *surrogates*.
"""

from typing import NamedTuple

import numpy as np

from helpers.metrics import ndcg
from helpers.tables import text_table
from helpers.tuning.levels import limits
from helpers.tuning.objective import Linear, as_vector


class Contest(NamedTuple):
    """What ways to train reach on several data sets; printed, it is a table.

    Attributes
    ----------
    scores : dict of str to ndarray of shape (n_sets, 2)
        Mean NDCG on the training and on the fresh queries of each data set. First
        "random order", then the ways, last "perfect order"; before that "generating
        weights", if the data know them.
    fresh : list of helpers.tuning.Limits
        Of the fresh queries of each data set.
    k : int or None
    """

    scores: dict
    fresh: list
    k: int | None

    def __str__(self):
        metric = "NDCG" if self.k is None else f"NDCG@{self.k}"
        sets = "1 data set" if len(self.fresh) == 1 else f"{len(self.fresh)} data sets"
        rows = [[name, *values.mean(axis=0).tolist()] for name, values in self.scores.items()]
        table = text_table((f"{metric}, {sets}", "training", "fresh"), rows, digits=3)
        queries, empty, undecided = np.sum([found[:3] for found in self.fresh], axis=0)
        alike = f"{undecided - empty} more have one grade only"
        return f"{table}\n{empty} of {queries:,} fresh queries are empty, {alike}"


def contest(data, ways, *, k=None, n_train=None):
    """Train in several ways on each data set, and measure all on the same queries.

    Parameters
    ----------
    data : sequence of helpers.datasets.RankingData
        With queries of one length. The fresh queries are those of their tests.
    ways : dict of str to callable
        Each takes X and y of the training queries and returns weights (n_features,).
    k : int, optional
        As in `ndcg`. Gains are linear, ties averaged, and an empty query counts 0.
    n_train : int, optional
        Only the first so many training queries are trained on and measured.

    Returns
    -------
    Contest

    Raises
    ------
    TypeError, ValueError
        If there is no data set, or the data or the weights do not fit.

    Notes
    -----
    Taught in notebook *surrogates*.

    Examples
    --------
    >>> from helpers.datasets import ranking_data
    >>> print(contest([ranking_data(10, seed=1)], {"first feature": lambda X, y: np.eye(6)[0]}))
      NDCG, 1 data set  training  fresh
          random order     0.677  0.781
         first feature     0.655  0.727
    generating weights     0.992  0.995
         perfect order     1.000  1.000
    0 of 2 fresh queries are empty, 0 more have one grade only
    """
    if not data:
        raise ValueError("data must be at least one data set, got none")
    rows = [_one_set(made, ways, k, n_train) for made in data]
    scores = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return Contest(scores, [limits(made.test.y, k=k) for made in data], k)


def _one_set(made, ways, k, n_train):
    """Return the NDCG of each way on the training and on the fresh queries of a data set."""
    train = made.train.X[:n_train], made.train.y[:n_train]
    found = {name: way(*train) for name, way in ways.items()}
    if made.weights is not None:
        found["generating weights"] = made.weights
    parts = [Linear(*part, k=k) for part in (train, made.test)]
    n_features = len(parts[0].columns)
    reached = {"random order": [part.at(np.zeros(n_features)) for part in parts]}
    for name, w in found.items():
        reached[name] = [part.at(as_vector(w, n_features, name)) for part in parts]
    return reached | {"perfect order": [ndcg(y, y, k=k) for y in (train[1], made.test.y)]}
