"""A part of a staircase, as it is drawn and listed; and where the lines of one query cross.

Taught in notebook *staircase*.
"""

import math
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ndcglib.metrics.checks import SAME_VALUE, as_number, check_kind
from ndcglib.tuning.staircases import Staircase, staircase

COLUMNS = 300  # of a chart with too many steps: each shows two of them
MOST_DRAWN = 2 * COLUMNS
DIGITS = 3  # of a place on the line, where that is enough
MOST_DIGITS = 9


class Steps(NamedTuple):
    """The part of a staircase between two places, without breakpoints that change nothing.

    Attributes
    ----------
    edges : list of float
        Where the first step begins, each step ends, and the last one ends.
    values : list of float
        NDCG of each step.
    ties : list of float
        NDCG on each edge but the first and the last, ties averaged.
    """

    edges: list
    values: list
    ties: list

    @property
    def digits(self):
        """How many decimals tell the steps apart, mostly: the closer, the more."""
        width = self.edges[-1] - self.edges[0]
        return min(max(DIGITS, DIGITS - math.floor(math.log10(width))), MOST_DIGITS)

    def drawn(self, places):
        """Return places with the digits that are drawn: six, or more where steps are narrow."""
        return [round(t, self.digits + DIGITS) for t in places]

    @property
    def best(self):
        """The number of the best step; of equals the leftmost."""
        top = max(self.values) - SAME_VALUE
        return next(i for i, value in enumerate(self.values) if value >= top)

    def thinned(self):
        """Return the numbers of the steps to draw, in order.

        Of more than 600 steps each of 300 columns of equal width keeps its lowest and
        its highest step, so the best and the worst are among them.
        """
        n = len(self.values)
        if n <= MOST_DRAWN:
            return range(n)
        edges, values = np.array(self.edges), np.array(self.values)
        column = (edges[:-1] - edges[0]) / (edges[-1] - edges[0]) * COLUMNS
        starts = np.flatnonzero(np.diff(np.floor(column), prepend=-1))
        kept = {0, n - 1}
        for first, end in zip(starts, [*starts[1:], n], strict=True):
            inside = values[first:end]
            kept |= {first + inside.argmin(), first + inside.argmax()}
        return sorted(int(i) for i in kept)


def between(steps, low, high):
    """Return the steps of a staircase from `low` to `high`.

    Parameters
    ----------
    steps : Staircase
    low, high : float

    Returns
    -------
    Steps

    Raises
    ------
    TypeError, ValueError
        If `steps` is not a staircase, or the ends are not two finite numbers that rise.
    """
    check_kind(steps, "steps", Staircase, "ndcglib.tuning.staircase")
    low, high = _check_range(low, high)
    seen = steps.visible()
    first = int(np.searchsorted(seen.breakpoints, low, side="right"))
    last = int(np.searchsorted(seen.breakpoints, high, side="left"))
    edges = [low, *seen.breakpoints[first:last].tolist(), high]
    return Steps(edges, seen.values[first : last + 1].tolist(), seen.at[first:last].tolist())


class Crossing(NamedTuple):
    """Where lines of one query cross.

    Attributes
    ----------
    t : float
    pairs : list of (int, int)
        The documents that cross there.
    left, at, right : float
        NDCG before, on and after it.
    """

    t: float
    pairs: list
    left: float
    at: float
    right: float

    @property
    def changes(self):
        """Whether NDCG is another on it or after it."""
        return max(abs(value - self.left) for value in (self.at, self.right)) > SAME_VALUE


def crossings(intercepts, slopes, grades, low, high, k=None):
    """Return where the lines of one query cross, and the staircase of its NDCG.

    Parameters
    ----------
    intercepts, slopes, grades : sequence of float
        Of each document; its score is ``intercept + slope * t``.
    low, high : float
        The ends of t.
    k : int, optional
        Ranks that count; all by default.

    Returns
    -------
    found : list of Crossing
        Every place between the ends, rising.
    steps : Steps
    """
    low, high = _check_range(low, high)
    steps = staircase(np.column_stack((intercepts, slopes))[None], [grades], [1, 0], 1, k=k)
    pairs = [(i, j) for i, j in combinations(range(len(slopes)), 2) if slopes[i] != slopes[j]]
    meets = [(intercepts[i] - intercepts[j]) / (slopes[j] - slopes[i]) for i, j in pairs]
    found = []
    for n, t in enumerate(steps.breakpoints.tolist()):
        if low < t < high:
            # Three lines through one point meet there up to rounding.
            near = 1e-9 * max(1.0, abs(t))
            here = [p for p, meet in zip(pairs, meets, strict=True) if abs(meet - t) <= near]
            around = (float(v) for v in (steps.values[n], steps.at[n], steps.values[n + 1]))
            found.append(Crossing(t, here, *around))
    return found, between(steps, low, high)


def _check_range(low, high):
    low, high = as_number(low, "low"), as_number(high, "high")
    if not low < high:
        raise ValueError(f"low must be below high, got low={low:g} and high={high:g}")
    return low, high
