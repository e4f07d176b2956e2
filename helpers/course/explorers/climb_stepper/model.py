"""What does each pass change?, the explorer of notebook 11: a climb, pass by pass."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from helpers.course.explorers.climb_stepper.chart import Listed, Moment, ascent_step
from helpers.course.explorers.explorer import Explorer
from helpers.course.explorers.formulas import GAP, equation, name, number
from helpers.course.widgets.controls import Choice, Slider
from helpers.course.widgets.view import View
from helpers.datasets import ranking_data
from helpers.metrics import ndcg
from helpers.metrics.checks import check_count
from helpers.tuning import Climb, climb, linear_scores
from helpers.tuning.ascent import best_row
from helpers.tuning.lists import as_lists
from helpers.tuning.objective import as_vector

METHODS = {"step": "step", "Rosenbrock": "rosenbrock", "exact": "exact"}
CUTOFF = 5
SEED = 3
MOST_RUNS = 4
MOST_LISTS = 4
MOST_DOCUMENTS = 15
MOST_FEATURES = 20
LONGEST_NAME = 12  # letters of a feature, so that the weights keep their room


class Ranked(NamedTuple):
    """What the weights of one pass make of all lists."""

    scores: list
    ndcg: list


class Ascent:
    """Climbs, and what each of their passes makes of a few lists.

    Parameters
    ----------
    runs, lists, k, gain, weights, features
        As in `climb_stepper`.
    """

    def __init__(self, runs, lists, *, k=None, gain="linear", weights=None, features=None):
        X, y = _checked_lists(lists)
        n_features = X.shape[-1]
        self.k = None if k is None else check_count(k, "k", " or None")
        self.grades = y.tolist()
        self.weights = _checked_weights(weights, n_features)
        self.features = _checked_features(features, n_features)
        self.starts = {}
        self.histories = {}
        self.ranked = {}
        for key, found in _checked_runs(runs, n_features).items():
            self.starts[key] = 1 + found.history[-1].run
            rows = [row for row in found.history if row.run == 0]
            self.histories[key] = rows
            self.ranked[key] = [_ranked(X, y, row.w, self.k, gain) for row in rows]

    def last(self, run):
        """Return the number of the last pass of a run."""
        return self.histories[run][-1].number

    def view(self, run, number, query):
        """Return one pass of a run, with the list of one query.

        Parameters
        ----------
        run : str
            A key of the runs.
        number : int
            The pass, from 0, the start, to the last of the run.
        query : int
            1 for the first of the lists.
        """
        history = self.histories[run]
        moment = Moment(
            history,
            number,
            self.k,
            self.features,
            self.weights,
            self._listed(run, number, query - 1),
            self.starts[run],
        )
        return View(ascent_step(moment), _formula(moment))

    def _listed(self, run, number, i):
        now = self.ranked[run][number]
        before = self.ranked[run][number - 1] if number else None
        return Listed(
            f"query {i + 1}",
            self.grades[i],
            now.scores[i],
            before.scores[i] if before else None,
            now.ndcg[i],
            before.ndcg[i] if before else None,
        )


def _ranked(X, y, w, k, gain):
    scores = linear_scores(X, w)
    values = ndcg(y, scores, k=k, gain=gain, per_query=True)
    return Ranked(scores.tolist(), values.tolist())


def _formula(moment):
    """Return mean NDCG before and after the pass, and the evaluations so far."""
    now, before = moment.now, moment.before
    parts = []
    for word, was, is_now in (
        ("training", before.train, now.train),
        ("validation", before.validation, now.validation),
    ):
        parts += [name(f"{word}:"), "<mspace width='0.4em'/>"]
        parts += [_value(was), "→"] if moment.number else []
        parts += [_value(is_now), GAP]
    noun = "evaluation" if now.evaluations == 1 else "evaluations"
    return equation(*parts, number(now.evaluations), name(f"\u00a0{noun}"))


def _value(value):
    return f"<mn>{value:.4f}</mn>"  # 1 with its digits too: beside it stand others


# --- the explorer ---------------------------------------------------------------------


class AscentExplorer(Explorer):
    """What does each pass change?; the slider ends with the run."""

    def _adapt(self):
        run = self.controls["run"].value
        self.controls["number"].max = self.model.last(run)  # which takes the value along


def climb_stepper(runs=None, lists=None, *, k=None, gain="linear", weights=None, features=None):
    """Return the explorer "What does each pass change?".

    Parameters
    ----------
    runs : dict of str to Climb, optional
        One to four climbs by name, made with ``validation=…``. Of a climb with
        restarts only the first run is shown. By default three methods on made-up
        data, from the same random start.
    lists : tuple (X, y), optional
        One to four queries whose lists are shown, each with something relevant:
        features of shape (n_queries, n_docs, n_features) and grades, with 2 to 15
        documents. Needed with `runs`.
    k, gain
        As they were in the climbs.
    weights : array-like of shape (n_features,), optional
        The weights that generated the data, to be drawn beside those of the climb.
    features : sequence of str, optional
        A name for each feature, of at most 12 letters; by default x1, x2 and so on.

    Returns
    -------
    Explorer
        With controls ``run``, ``number`` (the pass) and ``query`` (1 for the first
        list).

    Raises
    ------
    TypeError, ValueError
        If the runs are no climbs with validation values, or something does not fit to
        them; the message says what came and what is allowed.

    Notes
    -----
    Taught in notebook 11. It begins at the start of the first run.
    """
    if runs is None:
        _refuse_without_runs(lists=lists, k=k, weights=weights, features=features)
        if gain != "linear":
            raise ValueError(f"gain goes with runs, got gain={gain!r} and no runs")
        model = _default_model()
    else:
        model = Ascent(runs, lists, k=k, gain=gain, weights=weights, features=features)
    first, history = next(iter(model.histories.items()))
    start = dict(run=first, number=0, query=1)
    presets = {
        "Best pass": start | dict(number=best_row(history).number),
        "Last pass": start | dict(number=model.last(first)),
    }
    queries = {f"query {i}": i for i in range(1, len(model.grades) + 1)}
    controls = {
        "run": Choice("Method", {key: key for key in model.histories}, first),
        "number": Slider(label="Pass", min=0, max=model.last(first), value=0),
        "query": Choice("List of", queries, 1),
    }
    return AscentExplorer("What does each pass change?", model, controls, presets)


def _default_model():
    """Climb 60 queries by three methods, from one start; list three validation queries."""
    data = ranking_data(100, 12, 10, noise=1.0, seed=SEED)
    runs = {
        name: climb(
            *data.train,
            method=method,
            k=CUTOFF,
            start="random",
            seed=SEED,
            validation=data.validation,
            progress=False,
        )
        for name, method in METHODS.items()
    }
    X, y, _ = data.validation
    some = y.any(axis=1).nonzero()[0][:3]
    return Ascent(runs, (X[some], y[some]), k=CUTOFF, weights=data.weights)


# --- checks ---------------------------------------------------------------------------


def _refuse_without_runs(**given):
    for key, value in given.items():
        if value is not None:
            raise ValueError(f"{key} goes with runs, got {key} and no runs; give both")


def _checked_lists(lists):
    """Return features and grades of the lists as arrays, or raise."""
    if not isinstance(lists, (tuple, list)) or len(lists) != 2:
        raise TypeError(
            f"lists must be a tuple (X, y) of a few queries, got {type(lists).__name__}; "
            "for instance (X[:3], y[:3]) of the validation queries"
        )
    X, y = lists
    grades = as_lists(X, y, name="lists ").grades
    n_queries, n_docs = grades.shape
    if n_queries > MOST_LISTS or not 2 <= n_docs <= MOST_DOCUMENTS:
        raise ValueError(
            f"lists must hold 1 to {MOST_LISTS} queries of 2 to {MOST_DOCUMENTS} documents, "
            f"got {n_queries} of {n_docs}"
        )
    if grades.min() < 0:
        raise ValueError(f"lists y must hold grades of at least 0, got {grades.min()}")
    empty = [i + 1 for i, row in enumerate(grades) if not row.any()]
    if empty:
        raise ValueError(
            f"lists must hold something relevant in each query, got none in query {empty[0]}; "
            "choose another"
        )
    return np.asarray(X, dtype=float), grades


def _checked_runs(runs, n_features):
    if not isinstance(runs, Mapping):
        raise TypeError(f"runs must be a dict of name to Climb, got {type(runs).__name__}")
    if not 1 <= len(runs) <= MOST_RUNS:
        raise ValueError(f"runs must be 1 to {MOST_RUNS}, got {len(runs)}")
    for key, found in runs.items():
        _check_run(key, found, n_features)
    return runs


def _check_run(key, found, n_features):
    if not isinstance(key, str) or not key.strip():
        raise TypeError(f"the name of a run must be text, got {key!r}")
    if not isinstance(found, Climb):
        raise TypeError(f"runs[{key!r}] must be a Climb, got {type(found).__name__}")
    if any(row.validation is None for row in found.history):
        raise ValueError(
            f"runs[{key!r}] has no validation values; make it with climb(…, validation=(X, y))"
        )
    if len(found.w) != n_features:
        raise ValueError(
            f"lists X must have the {len(found.w)} features of runs[{key!r}], got {n_features}"
        )


def _checked_weights(weights, n_features):
    if weights is None:
        return None
    weights = as_vector(weights, n_features, "weights")
    if not weights.any():
        raise ValueError("weights must not be all 0: they have no direction")
    return weights


def _checked_features(features, n_features):
    if n_features > MOST_FEATURES:
        raise ValueError(f"there may be at most {MOST_FEATURES} features, got {n_features}")
    if features is None:
        return [f"x{i}" for i in range(1, n_features + 1)]
    names = list(features) if not isinstance(features, str) else [features]
    if len(names) != n_features or len(set(names)) < n_features:
        raise ValueError(f"features must be {n_features} different names, got {features!r}")
    for each in names:
        if not isinstance(each, str) or not 1 <= len(each.strip()) <= LONGEST_NAME:
            raise ValueError(
                f"a name in features must have 1 to {LONGEST_NAME} letters, got {each!r}"
            )
    return names
