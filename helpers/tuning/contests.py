"""Several rankers, each judged where it was trained and on queries that it has never seen.

Taught in notebook *held_out*.
"""

from typing import NamedTuple

import numpy as np

from helpers.tuning.levels import limits
from helpers.tuning.objective import Linear, as_vector


class Best(NamedTuple):
    """The run that is best in training.

    Attributes
    ----------
    train, test : float
        Its mean NDCG on the training and on the test queries.
    place : int
        1 if no run is better on the test.
    """

    train: float
    test: float
    place: int


def on_both(train, test, weights, *, k=None, gain="linear", levels=False):
    """Return the mean NDCG of linear scorers on the training and on the test queries.

    Parameters
    ----------
    train, test : tuple (X, y) or (X, y, query)
        The queries that the weights were chosen on, and others.
    weights : dict of str to array-like of shape (n_features,)
        The weights of each ranker, by its name.
    k, gain
        As in `ndcg`.
    levels : bool, default=False
        Whether to add "random order", the exact level, and "perfect order", which is
        below 1 where queries are empty. For queries of equal length.

    Returns
    -------
    dict of str to (float, float)
        Training and test, in the order of `weights`, and then the levels.

    Raises
    ------
    TypeError, ValueError
        If the data or the weights do not fit.

    Notes
    -----
    Taught in notebook *held_out*.

    Examples
    --------
    >>> train, test = ([[[0], [1]]], [[0, 1]]), ([[[0], [1]]], [[1, 0]])
    >>> both = on_both(train, test, {"up": [1], "down": [-1]})
    >>> {name: [round(value, 4) for value in pair] for name, pair in both.items()}
    {'up': [1.0, 0.6309], 'down': [0.6309, 1.0]}
    """
    parts = [
        Linear(*part, k=k, gain=gain, name=name)
        for part, name in ((train, "training "), (test, "test "))
    ]
    found = {}
    for name, w in weights.items():
        values = [part.at(as_vector(w, len(part.columns), name)) for part in parts]
        found[name] = tuple(values)
    if levels:
        both = [limits(part[1], k=k, gain=gain) for part in (train, test)]
        found["random order"] = tuple(one.random for one in both)
        found["perfect order"] = tuple(one.ceiling for one in both)
    return found


def best_in_training(runs):
    """Return the run that one would choose, and which place it has on the test.

    Parameters
    ----------
    runs : sequence of (float, float)
        Mean NDCG on the training and on the test queries.

    Returns
    -------
    Best
        Of equals in training the one that is better on the test.

    Raises
    ------
    ValueError
        If there are no runs.

    Notes
    -----
    Taught in notebook *held_out*.

    Examples
    --------
    >>> best_in_training([(0.5, 0.75), (0.75, 0.5)])
    Best(train=0.75, test=0.5, place=2)
    """
    if not len(runs):
        raise ValueError("runs must hold at least one run, got none")
    train, test = max(runs)
    return Best(train, test, 1 + sum(other > test for _, other in runs))


def contest_rows(results, against):
    """Return a row for each ranker: its means over several data sets, and how often it won.

    Parameters
    ----------
    results : sequence of dict of str to (float, float)
        One for each data set, as `on_both` returns it; all with the same rankers.
    against : str
        The ranker that the others are compared with, on the test queries.

    Returns
    -------
    list of [str, float, float, str]
        Name, mean on training, mean on test, and in how many data sets it was ahead.

    Raises
    ------
    ValueError
        If there are no results, or `against` is not one of the rankers.

    Notes
    -----
    Taught in notebook *held_out*.

    Examples
    --------
    >>> results = [{"a": (0.5, 0.25), "b": (0.5, 0.75)}, {"a": (1.0, 0.75), "b": (0.5, 0.5)}]
    >>> contest_rows(results, "b")
    [['a', 0.75, 0.5, '1 of 2'], ['b', 0.5, 0.625, '']]
    """
    results = list(results)
    if not results:
        raise ValueError("results must hold at least one data set, got none")
    if against not in results[0]:
        names = ", ".join(map(repr, results[0]))
        raise ValueError(f"against must be one of {names}, got {against!r}")
    rows = []
    for name in results[0]:
        trained, fresh = np.mean([result[name] for result in results], axis=0)
        ahead = sum(result[name][1] > result[against][1] for result in results)
        won = "" if name == against else f"{ahead} of {len(results)}"
        rows.append([name, float(trained), float(fresh), won])
    return rows
