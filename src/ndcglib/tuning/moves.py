"""Three ways to search one weight after the other; a pass tries every weight once.

Each is a generator that moves a `Climber`: it yields after each pass, and ends when
another pass cannot help. Taught in notebook *climb*.
"""

from typing import NamedTuple

import numpy as np

from ndcglib.metrics.checks import SAME_VALUE
from ndcglib.tuning.staircases import sweep_all

FIRST_STEP = 0.5  # of the length of w, each feature measured by its spread
SMALLEST_STEP = 0.002


class Point(NamedTuple):
    """Weights, their scores and their mean NDCG: replaced together, never in part."""

    w: np.ndarray
    scores: np.ndarray
    value: float


class Climber:
    """A point, and how it moves along one weight.

    Parameters
    ----------
    linear : Linear
        What is climbed.
    w : ndarray of shape (n_features,)
        The start.
    spread : ndarray of shape (n_features,)
        How far each feature spreads; 0 where its weight cannot matter.
    """

    def __init__(self, linear, w, spread):
        self.linear = linear
        self.spread = spread
        self.features = np.flatnonzero(spread > 0)
        scores = linear.scores(w)
        self.point = Point(w, scores, linear.value(scores))

    def length(self):
        """Return the length of w with each feature measured by its spread; 1 for zeros.

        Only the direction of w matters, so a step is long or short beside w.
        """
        return float(np.linalg.norm(self.point.w * self.spread)) or 1.0

    def moved(self, feature, step):
        """Return the point that is `step` away along one weight."""
        w = self.point.w.copy()
        w[feature] += step
        scores = self.point.scores + step * self.linear.near[feature]
        return Point(w, scores, self.linear.value(scores))

    def take(self, point):
        """Go to the point if it is better; return whether it is."""
        better = point.value > self.point.value + SAME_VALUE
        if better:
            self.point = point
        return better


def step_search(climber):
    """Try a step up and a step down on each weight; take the better one if it helps.

    After a pass in which nothing helps, the step is halved. Stopping there instead, as
    one may be tempted to, only shows that *this* step is too long.
    """
    stride = FIRST_STEP
    while stride >= SMALLEST_STEP:
        length, helped = climber.length(), False
        for feature in climber.features:
            step = stride * length / climber.spread[feature]
            up, down = climber.moved(feature, step), climber.moved(feature, -step)
            helped |= climber.take(down if down.value > up.value + SAME_VALUE else up)
        if not helped:
            stride /= 2
        yield


def rosenbrock(climber):
    """Make one step on each weight: doubled if it helps, turned round and halved if not.

    Each weight learns its own step. Rosenbrock (The Computer Journal 3, 1960) trebles
    and halves, and turns the axes as well, which is left out here.
    """
    strides = np.full(len(climber.spread), FIRST_STEP, dtype=float)
    while (np.abs(strides[climber.features]) >= SMALLEST_STEP).any():
        length = climber.length()
        for feature in climber.features:
            step = strides[feature] * length / climber.spread[feature]
            helped = climber.take(climber.moved(feature, step))
            strides[feature] *= 2 if helped else -0.5
        yield


def exact_search(climber):
    """Move each weight to the middle of the highest step of its staircase."""
    helped = True
    while helped:
        helped = False
        for feature in climber.features:
            linear = climber.linear
            tables = linear.tables(climber.point.scores, linear.near[feature])
            steps = sweep_all(tables, unseen=False)
            t = steps.best_middle(reach=climber.length() / climber.spread[feature])
            helped |= climber.take(climber.moved(feature, t))
        yield


METHODS = {"rosenbrock": rosenbrock, "step": step_search, "exact": exact_search}


def moved_weights(before, after):
    """Return which weights a pass has moved.

    Only the direction of the weights is kept, so a step on one of them changes the
    length of all. Those that were left alone keep their proportions to each other.

    Parameters
    ----------
    before, after : array-like of shape (n_features,)

    Returns
    -------
    list of bool
        The fewest weights that must have moved. Where that cannot be told, as when
        the proportion of two weights has changed, all that may have moved.

    Notes
    -----
    Taught in notebook *climb*.

    Examples
    --------
    >>> moved_weights([0.6, 0.8, 0.0], [0.36, 0.48, 0.8])
    [False, False, True]
    """
    before, after = np.asarray(before, dtype=float), np.asarray(after, dtype=float)
    alone = (before == 0) & (after == 0)
    ratio = np.divide(after, before, out=np.zeros(before.shape), where=before != 0)
    same = np.isclose(ratio[:, None], ratio, rtol=1e-9, atol=0)
    size = np.where(ratio > 0, same.sum(axis=0), 0)  # of the group with this ratio
    largest = size == max(size.max(), 1)
    if largest.sum() == size.max():  # one group, not several of this size
        alone |= largest
    return (~alone).tolist()


def unit(w):
    """Return weights scaled to length 1; zeros stay zeros.

    Parameters
    ----------
    w : array-like of shape (n_features,)

    Returns
    -------
    ndarray of shape (n_features,)
    """
    w = np.asarray(w, dtype=float)
    return w / (np.linalg.norm(w) or 1.0)
