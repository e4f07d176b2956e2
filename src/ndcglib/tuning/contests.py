"""Several rankers, each judged where it was trained and on queries that it has never seen.

A mean NDCG on fresh queries says little without a random order, the perfect order and the
number of queries that no ranker can win. The table of a contest always has them. Taught in
notebooks *held_out*, *regression* and *surrogates*.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ndcglib.metrics import ndcg
from ndcglib.metrics.checks import (
    as_flat,
    as_list,
    brief,
    check_choice,
    check_count,
    check_entries,
    check_flag,
    check_text,
)
from ndcglib.significance import Level, interval
from ndcglib.tables import text_table
from ndcglib.tuning.levels import limits
from ndcglib.tuning.objective import Linear, as_part, as_vector, linear_scores


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
    check_flag(levels, "levels")
    check_entries(weights, "weights")
    parts = [
        Linear(*as_part(part, name.strip()), k=k, gain=gain, name=name)
        for part, name in ((train, "train "), (test, "test "))
    ]
    found = {}
    for name, w in weights.items():
        values = [part.at(as_vector(w, len(part.columns), f"weights[{name!r}]")) for part in parts]
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
    TypeError, ValueError
        If there are no runs, or one is not two finite numbers.

    Notes
    -----
    Taught in notebook *held_out*.

    Examples
    --------
    >>> best_in_training([(0.5, 0.75), (0.75, 0.5)])
    Best(train=0.75, test=0.5, place=2)
    """
    runs = as_runs(runs, "runs")
    train, test = max(runs)
    return Best(train, test, 1 + sum(other > test for _, other in runs))


def as_runs(runs, name, least=1):
    """Return what some runs reach, on training and on test, as tuples of two floats."""
    found = [
        tuple(as_flat(run, f"{name}[{i}]").tolist())
        for i, run in enumerate(as_list(runs, name, "pairs of numbers, training and test"))
    ]
    if len(found) < least:
        raise ValueError(f"{name} must hold at least {least}, got {len(found)}")
    if odd := [run for run in found if len(run) != 2]:
        raise ValueError(f"{name} must hold pairs of numbers, training and test, got {odd[0]}")
    return found


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
    TypeError, ValueError
        If there are no results, if they are not of the same rankers, or if `against` is not
        one of them.

    Notes
    -----
    Taught in notebook *held_out*.

    Examples
    --------
    >>> results = [{"a": (0.5, 0.25), "b": (0.5, 0.75)}, {"a": (1.0, 0.75), "b": (0.5, 0.5)}]
    >>> contest_rows(results, "b")
    [['a', 0.75, 0.5, '1 of 2'], ['b', 0.5, 0.625, '']]
    """
    results = as_list(results, "results", "dicts, one for each data set")
    if not results:
        raise ValueError("results must hold at least one data set, got none")
    for i, result in enumerate(results):
        check_entries(result, f"results[{i}]")
        if result.keys() != results[0].keys():
            raise ValueError(
                f"results must be of the same rankers, got {', '.join(map(str, results[0]))} and "
                f"{', '.join(map(str, result))}"
            )
        as_runs(result.values(), f"results[{i}]")
    check_choice(against, "against", results[0])
    rows = []
    for name in results[0]:
        trained, fresh = np.mean([result[name] for result in results], axis=0)
        ahead = sum(result[name][1] > result[against][1] for result in results)
        won = "" if name == against else f"{ahead} of {len(results)}"
        rows.append([name, float(trained), float(fresh), won])
    return rows


class Contest(NamedTuple):
    """What ways to train reach on several data sets; printed, it is a table.

    Attributes
    ----------
    scores : dict of str to ndarray of shape (n_sets, 2)
        Mean NDCG on the training and on the fresh queries of each data set. First
        "random order", then the ways, last "perfect order"; before that "generating
        weights", if the data know them.
    fresh : list of ndcglib.tuning.Limits
        Of the fresh queries of each data set.
    k : int or None
    against : str or None
        The ranker that `leads` are over.
    leads : dict of str to ndcglib.significance.Level
        By how much each way, and "generating weights", is ahead of `against` on fresh
        queries: the mean and its 95% interval. Several data sets are made independently of
        each other, so each counts as one observation; of a single one each query does, or
        each group where its test has groups.
    """

    scores: dict
    fresh: list
    k: int | None
    against: str | None = None
    leads: Mapping[str, Level] = MappingProxyType({})

    def __str__(self):
        metric = "NDCG" if self.k is None else f"NDCG@{self.k}"
        sets = "1 data set" if len(self.fresh) == 1 else f"{len(self.fresh)} data sets"
        header = [f"{metric}, {sets}", "training", "fresh"]
        rows = [[name, *values.mean(axis=0).tolist()] for name, values in self.scores.items()]
        if self.against:
            header.append(f"ahead of {self.against}, 95%")
            rows = [[*row, _band(self.leads.get(row[0]))] for row in rows]
        table = text_table(header, rows, digits=3)
        queries, empty, undecided = np.sum([found[:3] for found in self.fresh], axis=0)
        alike = f"{undecided - empty} more have one grade only"
        return f"{table}\n{empty} of {queries:,} fresh queries are empty, {alike}"


def contest(data, ways, *, k=None, n_train=None, against=None):
    """Train in several ways on each data set, and measure all on the same queries.

    Parameters
    ----------
    data : sequence of ndcglib.datasets.RankingData
        With queries of one length. The fresh queries are those of their tests.
    ways : dict of str to callable
        Each takes X and y of the training queries and returns weights (n_features,).
    k : int, optional
        As in `ndcg`. Gains are linear, ties averaged, and an empty query counts 0.
    n_train : int, optional
        Only the first so many training queries are trained on and measured.
    against : str, optional
        One of the ways, or "generating weights": the table then has, for each other, the
        95% interval of its lead over it on fresh queries; see `Contest.leads`.

    Returns
    -------
    Contest

    Raises
    ------
    TypeError, ValueError
        If there is no data set, if the data or the weights do not fit, or if `against` is
        not among the rankers.

    Notes
    -----
    Taught in notebook *regression*.

    Examples
    --------
    >>> from ndcglib.datasets import ranking_data
    >>> print(contest([ranking_data(10, seed=1)], {"first feature": lambda X, y: np.eye(6)[0]}))
      NDCG, 1 data set  training  fresh
          random order     0.677  0.781
         first feature     0.655  0.727
    generating weights     0.992  0.995
         perfect order     1.000  1.000
    0 of 2 fresh queries are empty, 0 more have one grade only
    """
    data = _data_sets(data)
    check_entries(ways, "ways")
    for name, way in ways.items():
        if not callable(way):
            raise TypeError(f"ways[{name!r}] must be a function of X and y, got {brief(way)}")
    if against is not None:
        check_text(against, "against")
    k = None if k is None else check_count(k, "k", " or None")
    n_train = None if n_train is None else check_count(n_train, "n_train", " or None")
    trains = [(made.train.X[:n_train], made.train.y[:n_train]) for made in data]
    weights = [_trained(*pair, ways) for pair in zip(data, trains, strict=True)]
    if against is not None:
        check_choice(against, "against", weights[0])
    rows = [_one_set(*each, k) for each in zip(data, trains, weights, strict=True)]
    scores = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    leads = {} if against is None else _leads(data, weights, scores, k, against)
    return Contest(scores, [limits(made.test.y, k=k) for made in data], k, against, leads)


def _data_sets(data):
    """Return the data sets as a list; refuse what holds none, and one that is not in a list."""
    if isinstance(data, tuple) and hasattr(data, "train"):
        raise TypeError("data must be a list of data sets, got a single one; write [data]")
    data = as_list(data, "data", "data sets")
    if not data:
        raise ValueError("data must be at least one data set, got none")
    for made in data:
        if not hasattr(made, "train"):
            raise TypeError(
                "data must hold data sets, as ndcglib.datasets makes them, "
                f"got {type(made).__name__}"
            )
    return data


def _trained(made, train, ways):
    """Return the weights that each way finds, and those that generated the data, if known."""
    found = {name: way(*train) for name, way in ways.items()}
    return found if made.weights is None else found | {"generating weights": made.weights}


def _one_set(made, train, weights, k):
    """Return the NDCG of each ranker on the training and on the fresh queries of a data set."""
    reached = on_both(train, made.test, weights, k=k, levels=True)
    return {"random order": reached.pop("random order"), **reached}


def _leads(data, weights, scores, k, against):
    """Return the `Level` of each lead over one ranker: over data sets, or over queries of one."""
    values, groups = {name: scores[name][:, 1] for name in weights[0]}, None
    if len(data) == 1:
        groups, (X, y, _) = data[0].test_groups, data[0].test
        found = weights[0].items()
        values = {name: ndcg(y, linear_scores(X, w), k=k, per_query=True) for name, w in found}
    others = {name: row for name, row in values.items() if name != against}
    return {name: interval(row - values[against], groups) for name, row in others.items()}


def _band(lead):
    """Return the ends of an interval with their signs, nothing for a ranker without a lead."""
    return "" if lead is None else f"{lead.low:+.3f} to {lead.high:+.3f}"
