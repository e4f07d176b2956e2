"""Climb mean NDCG itself: coordinate ascent for a linear scorer.

Sorting leaves no gradient to follow, so the search changes one weight, evaluates, and
keeps what is better (Metzler and Croft, 2007). How it chooses the steps is in `moves`.
Taught in notebook *climb*.
"""

from typing import NamedTuple

import numpy as np

from ndcglib.metrics.checks import SAME_VALUE, check_choice, check_count, check_whole
from ndcglib.tuning.moves import METHODS, Climber
from ndcglib.tuning.objective import Linear, as_validation
from ndcglib.tuning.progress import as_progress
from ndcglib.tuning.starts import spreads, start_weights

PASSES = 100
MOST_RESTARTS = 10_000  # more would not end
# Beside the seed, so that data made with the same seed do not draw the same numbers:
# a search would then begin at the very weights that generated them.
STREAM = 11


class Row(NamedTuple):
    """One line of the history: where the search was after a pass.

    Attributes
    ----------
    run : int
        0 for the first start, 1 and up for the restarts.
    number : int
        How many passes this run had made; 0 is its start.
    w : ndarray of shape (n_features,)
        The best weights of the run so far, of length 1.
    train : float
        Their mean NDCG on the data that is climbed. It never falls within a run.
    validation : float or None
        Their mean NDCG on the validation data, if there is any.
    evaluations : int
        How often the metric had been computed on the training data, in all runs.
    """

    run: int
    number: int
    w: np.ndarray
    train: float
    validation: float | None
    evaluations: int


class Climb(NamedTuple):
    """What `climb` found.

    Attributes
    ----------
    w : ndarray of shape (n_features,)
        The weights chosen, of length 1: only their direction matters.
    train : float
        Their mean NDCG on the data that was climbed.
    validation : float or None
        Their mean NDCG on the validation data. They were chosen by it, so it flatters
        them: report what they reach on a third set.
    history : tuple of Row
        A row for each start and each pass.
    evaluations : int
        How often the metric was computed on the training data.
    interrupted : bool
        Whether the search was stopped from outside (Ctrl-C, or "Interrupt kernel").
    """

    w: np.ndarray
    train: float
    validation: float | None
    history: tuple[Row, ...]
    evaluations: int
    interrupted: bool


def climb(
    X,
    y,
    query=None,
    *,
    method="rosenbrock",
    k=None,
    gain="linear",
    start="least squares",
    restarts=0,
    passes=PASSES,
    seed=0,
    validation=None,
    progress=False,
):
    """Search the weights of a linear scorer for the highest mean NDCG.

    Parameters
    ----------
    X : array-like of shape (n_queries, n_docs, n_features)
        Features; with `query`, a long table of shape (n_rows, n_features).
    y : array-like of shape (n_queries, n_docs), or (n_rows,)
        Relevance grades.
    query : array-like of shape (n_rows,), optional
        The query of each row, for queries of unequal length: integers or strings, all
        of one kind.
    method : {"rosenbrock", "step", "exact"}, default="rosenbrock"
        "rosenbrock": a step that helps is taken and doubled, one that does not is
        turned round and halved. "step": a step up and a step down; halved after a pass
        in which nothing helps. "exact": the best step of the whole staircase.
    k : int, optional
        Ranks that count; all by default.
    gain : {"linear", "exponential"}, mapping or callable, default="linear"
        What a grade is worth; see `gain_values`.
    start : {"least squares", "zeros", "random"} or array-like of shape (n_features,)
        Where the search begins.
    restarts : int, default=0
        How many more searches begin at random weights, 10,000 at most.
    passes : int, default=100
        The most passes over all weights, for each start. Most searches end sooner.
    seed : int, default=0
        The luck of the random starts, which nothing else shares, not even data that
        were made with the same seed.
    validation : tuple (X, y) or (X, y, query), optional
        Other queries. If given, the weights after the pass that does best there are
        chosen; otherwise those that do best on the training data.
    progress : bool or callable, default=False
        True shows a bar if the search takes more than a second. A function is called
        with each `Row`.

    Returns
    -------
    Climb
        Never worse on the training data than the start. A `KeyboardInterrupt` ends
        the search with the best so far.

    Raises
    ------
    TypeError, ValueError
        For data that does not fit or is not finite, and for options that are not
        among those above; the message names the argument.

    Notes
    -----
    A feature that is constant within every query cannot rank and gets weight 0. Steps
    are measured by the spread of the feature, so its unit does not matter. Where
    dividing by the exact length would break ties by rounding, w is divided by a power
    of two instead, which breaks none. Nor does it matter how far from 0 a feature is:
    a timestamp counts from the earliest of its query. Taught in notebook *climb*.

    Source: coordinate ascent on the metric is that of Metzler and Croft, Information
    Retrieval 10(3):257-274, 2007; the default rule that of Rosenbrock, The Computer
    Journal 3(3):175-184, 1960.

    Examples
    --------
    >>> found = climb([[[1, 0], [0, 1], [1, 1]]], [[0, 1, 2]], start=[1, 0])
    >>> found.train
    1.0
    """
    check_choice(method, "method", METHODS)
    passes = check_count(passes, "passes")
    restarts = check_whole(restarts, "restarts", 0, MOST_RESTARTS)
    rng = np.random.default_rng([check_whole(seed, "seed", 0), STREAM])
    train = Linear(X, y, query, k=k, gain=gain)
    held_out = as_validation(validation, train, k, gain)
    spread = spreads(train)
    starts = [start_weights(train, start, spread, rng)]
    starts += [start_weights(train, "random", spread, rng) for _ in range(restarts)]
    watch = as_progress(progress, passes * len(starts))
    log = _Log(train, held_out, watch)
    try:
        for w in starts:
            climber = Climber(train, w, spread)
            log.start(climber)
            _run(METHODS[method], climber, log, passes)
    except KeyboardInterrupt:
        if not log.rows:  # not even the start was evaluated
            raise
        return log.result(interrupted=True)
    finally:
        watch.close()
    return log.result(interrupted=False)


def _run(search, climber, log, passes):
    """Make passes until none helps; on an interrupt, keep what the last one had found."""
    try:
        for made, _ in enumerate(search(climber), start=1):
            log.add(climber)
            if made == passes:
                break
    except KeyboardInterrupt:
        log.add_unfinished(climber)
        raise


class _Log:
    """The history, and the choice from it."""

    def __init__(self, train, held_out, watch):
        self.train, self.held_out, self.watch = train, held_out, watch
        self.rows = []

    def start(self, climber):
        """Note where a run begins."""
        run = self.rows[-1].run + 1 if self.rows else 0
        self._append(run, 0, *self._directed(climber.point))

    def add(self, climber):
        """Note the best of the run so far, and tell who watches."""
        last = self.rows[-1]
        w, value = self._directed(climber.point)
        if value <= last.train:
            w, value = last.w, last.train
        self._append(last.run, last.number + 1, w, value)

    def add_unfinished(self, climber):
        """Note what a pass had found before it was interrupted, if anything."""
        last = self.rows[-1]
        w, value = self._directed(climber.point)
        if value > last.train + SAME_VALUE:
            self._append(last.run, last.number + 1, w, value, watch=False)

    def _append(self, run, number, w, value, watch=True):
        held_out = None if self.held_out is None else self.held_out.at(w)
        row = Row(run, number, w, value, held_out, self.train.evaluations)
        self.rows.append(row)
        if watch:
            self.watch(row)

    def _directed(self, point):
        """Return the direction of w and its mean NDCG, evaluated from w itself."""
        length = float(np.linalg.norm(point.w))
        if length == 0:
            return point.w, point.value
        unit = point.w / length
        value = self.train.at(unit)
        if value >= point.value - SAME_VALUE:
            return unit, value
        # Rounding has broken ties. A power of two only changes the exponent, so that
        # all scores that were equal are equal still.
        exact = point.w / 2.0 ** np.ceil(np.log2(length))
        return exact, self.train.at(exact)

    def result(self, interrupted):
        """Choose by validation if there is any; of equals, the first."""
        least = self.rows[0].train
        fair = [row for row in self.rows if row.train >= least]
        best = best_row(fair)
        return Climb(
            best.w,
            best.train,
            best.validation,
            tuple(self.rows),
            self.train.evaluations,
            interrupted,
        )


def best_row(rows):
    """Return the row that does best on validation, or on the training data; of equals the first.

    Parameters
    ----------
    rows : sequence of Row

    Returns
    -------
    Row
    """
    best = rows[0]
    for row in rows[1:]:
        if _merit(row) > _merit(best) + SAME_VALUE:
            best = row
    return best


def _merit(row):
    return row.train if row.validation is None else row.validation
