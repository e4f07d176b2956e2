"""The exact staircase: mean NDCG along a line, every step of it.

Move the weights along a line, w + t * direction. The score of each document is then
a straight line in t, and an order can change only where two lines of one query cross.
Between two crossings nothing moves, so mean NDCG is a staircase with a finite number
of steps. One sweep from left to right finds them all: at each crossing one document
falls a rank and one rises a rank.

The idea is Och's (ACL 2003), for machine translation. Taught in notebook *staircase*.
"""

from typing import NamedTuple

import numpy as np

from ndcglib.metrics.checks import SAME_VALUE, as_array, as_one_query, check_whole
from ndcglib.tuning.objective import Linear, Objective, as_vector

# How far rounding may have moved a score, relative to the largest of its query: each of
# the sums behind it rounds by 1e-16. Crossings that this could exchange are one place.
ROUNDING = 1e-13
# A block of queries: so many pairs take some 20 MB, and so few documents can be
# numbered in 16 bits, which sort fastest.
PAIRS_AT_ONCE = 2**17
DOCS_AT_ONCE = 2**16
# Bytes at the peak, measured: for each pair of the largest query, for each crossing of all.
PAIR_BYTES, CROSSING_BYTES = 70, 220
MOST_BYTES = 2e9


class Staircase(NamedTuple):
    """Mean NDCG along a line: constant between neighboring breakpoints.

    Attributes
    ----------
    breakpoints : ndarray of shape (n,)
        Where two documents of a query tie, rising.
    values : ndarray of shape (n + 1,)
        Mean NDCG left of the first breakpoint, between each two, right of the last.
    at : ndarray of shape (n,)
        Mean NDCG at each breakpoint, ties averaged.
    """

    breakpoints: np.ndarray
    values: np.ndarray
    at: np.ndarray

    def value(self, t):
        """Return the mean NDCG at `t`: a number or an array of them."""
        position = np.searchsorted(self.breakpoints, t)
        between = self.values[position]
        if len(self.breakpoints) == 0:
            return between
        nearest = np.minimum(position, len(self.breakpoints) - 1)
        return np.where(self.breakpoints[nearest] == t, self.at[nearest], between)[()]

    def pieces(self):
        """Return (low, high, value) of each piece from left to right, infinite at the ends."""
        ends = [-np.inf, *self.breakpoints.tolist(), np.inf]
        return list(zip(ends, ends[1:], self.values.tolist(), strict=False))

    def visible(self):
        """Return the same staircase without the breakpoints where nothing changes.

        Most crossings change nothing: both documents stand below rank k, or their
        grades are equal.
        """
        left, right = self.values[:-1], self.values[1:]
        changes = np.abs(right - left) > SAME_VALUE
        changes |= np.abs(self.at - left) > SAME_VALUE
        kept = np.append(True, changes)
        return Staircase(self.breakpoints[changes], self.values[kept], self.at[changes])

    def best(self):
        """Return (low, high, value) of the best step; low and high may be infinite.

        Of several that are equally good, the leftmost.
        """
        steps = self.visible()
        # Not argmax: the first of equals must be the same on every machine.
        best = int(np.flatnonzero(steps.values >= steps.values.max() - SAME_VALUE)[0])
        ends = np.concatenate(([-np.inf], steps.breakpoints, [np.inf]))
        return float(ends[best]), float(ends[best + 1]), float(steps.values[best])

    def best_middle(self, reach=1.0):
        """Return a t well inside the best step: its middle.

        A step without an end has no middle. There t lies beyond the last breakpoint
        by half the distance from the first to the last, or by `reach` if there is
        only one; without any breakpoint it is 0.
        """
        low, high, _ = self.best()
        if np.isfinite(low) and np.isfinite(high):
            return low + (high - low) / 2
        ends = self.visible().breakpoints
        if len(ends) == 0:
            return 0.0
        beyond = (ends[-1] - ends[0]) / 2 or reach
        return float(high - beyond if np.isfinite(high) else low + beyond)


class LineSearch(NamedTuple):
    """What `exact_line_search` found.

    Attributes
    ----------
    t : float
        The step; 0 if none improves.
    w : ndarray of shape (n_features,)
        The weights after the step.
    ndcg : float
        Their mean NDCG, evaluated with ties averaged.
    staircase : Staircase
    """

    t: float
    w: np.ndarray
    ndcg: float
    staircase: Staircase


def staircase(X, y, w, direction, *, k=None, gain="linear"):
    """Return the mean NDCG of the weights w + t * direction for every t, exactly.

    Parameters
    ----------
    X : array-like of shape (n_queries, n_docs, n_features)
        Features.
    y : array-like of shape (n_queries, n_docs)
        Relevance grades.
    w : array-like of shape (n_features,)
        Weights at t = 0.
    direction : int or array-like of shape (n_features,)
        One feature, counted from 0, whose weight alone moves; or any direction.
    k, gain
        As in `ndcg`.

    Returns
    -------
    Staircase

    Raises
    ------
    TypeError, ValueError
        If X, y, w and direction do not fit, or as `ndcg`; if there are so many
        crossings that they would need more than 2 GB.

    Notes
    -----
    n documents have up to n (n - 1) / 2 crossings in each query: 400 queries of 12
    documents up to 26,400. Lines of equal slope never cross. Crossings that rounding
    may have exchanged count as one. Taught in notebook *staircase*.

    Examples
    --------
    >>> steps = staircase([[[1, 0], [0, 1]]], [[0, 1]], [1, 0], 1)
    >>> steps.breakpoints, steps.values.round(4), steps.at.round(4)
    (array([1.]), array([0.6309, 1.    ]), array([0.8155]))
    """
    linear = Linear(X, y, k=k, gain=gain)
    start, slope = _line(linear, w, direction)
    return sweep_all(linear.tables(linear.scores(start), linear.scores(slope)))


def exact_line_search(X, y, w, direction, *, k=None, gain="linear"):
    """Take the best step along a line: the middle of the staircase's highest step.

    Parameters
    ----------
    X, y, w, direction, k, gain
        As in `staircase`.

    Returns
    -------
    LineSearch
        With t = 0 if no step improves on `w` by more than 1e-12.

    Raises
    ------
    TypeError, ValueError
        As `staircase`.

    Notes
    -----
    The middle, because that is farthest from the crossings on both sides. The value
    is evaluated again at that point. Taught in notebook *staircase*.

    Examples
    --------
    >>> found = exact_line_search([[[1, 0], [0, 1]]], [[0, 1]], [1, 0], 1)
    >>> found.t, found.ndcg
    (2.0, 1.0)
    """
    linear = Linear(X, y, k=k, gain=gain)
    start, slope = _line(linear, w, direction)
    steps = sweep_all(linear.tables(linear.scores(start), linear.scores(slope)))
    t = steps.best_middle()
    before, after = linear.at(start), linear.at(start + t * slope)
    if after > before + SAME_VALUE:
        return LineSearch(t, start + t * slope, after, steps)
    return LineSearch(0.0, start, before, steps)


def score_staircase(y_true, y_score, document, *, k=None, gain="linear"):
    """Return the NDCG of one query while the score of one document is swept.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_docs,)
        Grades and scores of one query.
    document : int
        The document, counted from 0, whose score moves. Its own score in `y_score`
        does not matter.
    k, gain
        As in `ndcg`.

    Returns
    -------
    Staircase
        Its breakpoints are the scores of the other documents.

    Raises
    ------
    TypeError, ValueError
        If `document` is not one of the query's, or as `ndcg`.

    Notes
    -----
    Taught in notebook *staircase*.

    Examples
    --------
    >>> steps = score_staircase([3, 0, 2], [0.4, 0.9, 0.1], 0)
    >>> steps.breakpoints, steps.values.round(4)
    (array([0.1, 0.9]), array([0.648 , 0.6788, 0.9386]))
    """
    grades, scores = as_one_query(y_true, y_score)
    document = check_whole(document, "document", 0, len(grades) - 1)
    start, slope = scores.astype(float), np.zeros(len(grades))
    start[document], slope[document] = 0.0, 1.0
    table = start[None, :], slope[None, :], Objective(grades, k=k, gain=gain)
    return sweep_all([table], rounding=0.0)  # no sum has rounded these scores


def _line(linear, w, direction):
    """Return the start and the direction of a line, both as weights."""
    n_features = len(linear.columns)
    start = as_vector(w, n_features, "w")
    if as_array(direction, "direction").ndim > 0:
        return start, as_vector(direction, n_features, "direction")
    slope = np.zeros(n_features)
    slope[check_whole(direction, "direction", 0, n_features - 1)] = 1.0
    return start, slope


def sweep_all(tables, *, rounding=ROUNDING, unseen=True):
    """Return the staircase of the mean over several tables, unchecked.

    Parameters
    ----------
    tables : list of tuple (scores, slopes, objective)
        Two arrays of shape (n_queries, n_docs), for the scores ``scores + t * slopes``,
        and an `Objective`.
    rounding : float, default=1e-13
        How exact the scores are, relative to the largest of their query.
    unseen : bool, default=True
        Whether to list the crossings of two documents without gain as well. No value
        changes there, and where few documents have a gain they are nearly all.

    Returns
    -------
    Staircase

    Raises
    ------
    ValueError
        If it would need more than 2 GB.
    """
    _check_memory([objective.gains for _, _, objective in tables], unseen)
    parts, n_queries = [], sum(len(scores) for scores, _, _ in tables)
    for scores, slopes, objective in tables:
        n_docs = scores.shape[1]
        step = max(1, min(DOCS_AT_ONCE // n_docs, 2 * PAIRS_AT_ONCE // n_docs**2))
        for first in range(0, len(scores), step):
            block = (x[first : first + step] for x in (scores, slopes, objective.gains))
            parts.append(_sweep_block(*block, objective.weights, rounding, unseen))
    start = sum(part[0] for part in parts)
    times, blur, at, change = (np.concatenate([part[i] for part in parts]) for i in (1, 2, 3, 4))
    if len(parts) > 1:
        order, place, times, _ = _merge(times, blur)
        at, change = (np.bincount(place, x[order], len(times)) for x in (at, change))
    values = start + np.concatenate(([0.0], np.cumsum(change)))
    return Staircase(times, values / n_queries, (values[:-1] + at) / n_queries)


def _check_memory(tables, unseen):
    """Refuse, before any of it is spent, what would need too much memory."""
    largest = crossings = 0
    for gains in tables:
        pairs = gains.shape[1] * (gains.shape[1] - 1) // 2
        without = 0 if unseen else (gains == 0).sum(axis=1)
        largest = max(largest, pairs)
        crossings += len(gains) * pairs - int(np.sum(without * (without - 1) // 2))
    needed = PAIR_BYTES * largest + CROSSING_BYTES * crossings
    if needed > MOST_BYTES:
        raise ValueError(
            f"the staircase of these queries has up to {crossings:,} crossings and would need "
            f"about {needed / 1e9:.1f} GB, more than {MOST_BYTES / 1e9:.0f} GB; keep the most "
            "promising documents of each query, or fewer queries, or climb with "
            "method='rosenbrock' or 'step', which need no staircase"
        )


def _sweep_block(scores, slopes, gains, weights, rounding, unseen):
    """Sweep a few queries.

    Returns
    -------
    start : float
        The sum of NDCG at the far left.
    times, blur : ndarray of shape (n,)
        The breakpoints, and how far rounding may have moved each.
    at, change : ndarray of shape (n,)
        What the sum gains at the breakpoint, and right of it, over left of it.
    """
    one, other = _pairs(*scores.shape)
    height, steepest = (rounding * np.abs(x).max(axis=1) for x in (scores, slopes))
    scores, slopes, gains = scores.ravel(), slopes.ravel(), gains.ravel()
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        closing = slopes[other] - slopes[one]
        times = (scores[one] - scores[other]) / closing
        by_query = np.abs(times).reshape(len(height), -1)
        blur = (by_query * steepest[:, None] + height[:, None]).ravel() / np.abs(closing)
    meet = np.isfinite(times)
    # Of two lines that cross, the one that falls behind is above at the far left. Of two that
    # never cross it is the higher one, and of twins, which tie for every t, the first.
    lead = np.where(meet, slopes[other] > slopes[one], scores[one] >= scores[other])
    twins = ~meet & (scores[one] == scores[other])
    left = _far_left(gains, np.where(lead, other, one), one[twins], other[twins])
    start = left.gains @ weights[left.ranks]

    if not unseen:
        meet &= (left.gains[one] > 0) | (left.gains[other] > 0)
    order, place, times, blur = _merge(times[meet], blur[meet])
    if len(times) == 0:
        return start, times, times, times, times
    faller = np.where(lead, one, other)[meet][order]
    riser = np.where(lead, other, one)[meet][order]
    at, change = _earned(left, weights, *_visits(place, faller, riser))
    at, change = (np.bincount(*earned, len(times)) for earned in (at, change))
    return start, times, blur, at, change


class _FarLeft(NamedTuple):
    """What each document begins with: its rank from 0, its gain, its twins on both sides."""

    ranks: np.ndarray
    gains: np.ndarray
    twins_above: np.ndarray
    twins_below: np.ndarray


def _far_left(gains, lower, one, other):
    """Rank the documents at the far left.

    Parameters
    ----------
    gains : ndarray of shape (n,)
    lower : ndarray of shape (n_pairs,)
        The lower document of each pair.
    one, other : ndarray of shape (n_twins,)
        Pairs of twins, the first of which is above.
    """
    above, below = np.bincount(other, minlength=len(gains)), np.bincount(one, minlength=len(gains))
    if len(one) > 0:
        # Each gets the mean gain of its twins: which stands first is then the same.
        total = gains + np.bincount(one, gains[other], len(gains))
        total += np.bincount(other, gains[one], len(gains))
        gains = total / (1 + above + below)
    return _FarLeft(np.bincount(lower, minlength=len(gains)), gains, above, below)


def _earned(left, weights, place, document, down, up):
    """Return what each visit adds to the sum: (place, at it), (place, right of it).

    What crosses at one place ties there, with the twins of each. `first` and `end` are
    the ranks of the tied group, of which each member earns the mean.
    """
    before = _ranks_before(left.ranks, document, down - up)
    first = before - up - left.twins_above[document]
    end = before + down + left.twins_below[document] + 1
    running = np.concatenate(([0.0], np.cumsum(weights)))
    tied = (running[end] - running[first]) / (end - first)
    gains, weight = left.gains[document], weights[before]
    after = weights[before + down - up]
    return (place, gains * (tied - weight)), (place, gains * (after - weight))


def _pairs(n_queries, n_docs):
    """Return both documents of each pair within a query, the earlier one first."""
    one, other = np.triu_indices(n_docs, k=1)
    query = np.arange(0, n_queries * n_docs, n_docs)[:, None]
    return (query + one).ravel(), (query + other).ravel()


def _merge(times, blur):
    """Sort times; those that only rounding separates become one place.

    Returns
    -------
    order : ndarray of shape (n,)
    place : ndarray of shape (n,)
        For each time in that order, where it is in `places`.
    places, blur : ndarray of shape (n_places,)
    """
    order = np.argsort(times)
    rising, blur = times[order], blur[order]
    opens = np.ones(len(times), dtype=bool)
    opens[1:] = np.diff(rising) > blur[1:] + blur[:-1]
    return order, np.cumsum(opens) - 1, rising[opens], blur[opens]


def _visits(place, faller, riser):
    """Count, for each document and each place, the lines that pass it there.

    Returns
    -------
    place, document, down, up : ndarray of shape (n_visits,)
        By document, and from left to right within a document.
    """
    document = np.column_stack((faller, riser)).ravel()
    place = np.repeat(place, 2)
    # Stable, so that each document keeps its places in order; NumPy sorts short
    # integers by counting, many times faster than long ones.
    order = np.argsort(document.astype(np.min_scalar_type(document.max())), kind="stable")
    document, place, down = document[order], place[order], (order % 2 == 0).astype(np.intp)
    opens = np.ones(len(order), dtype=bool)
    opens[1:] = (document[1:] != document[:-1]) | (place[1:] != place[:-1])
    if opens.all():
        return place, document, down, 1 - down
    first = np.flatnonzero(opens)
    down = np.add.reduceat(down, first)
    lines = np.diff(first, append=len(order))
    return place[first], document[first], down, lines - down


def _ranks_before(ranks, document, change):
    """Return the rank, counted from 0, of each visit's document just left of it."""
    moved = np.cumsum(change)  # by all documents so far
    moved -= change
    opens = np.flatnonzero(np.append(True, document[1:] != document[:-1]))
    offset = ranks[document[opens]] - moved[opens]
    return moved + np.repeat(offset, np.diff(opens, append=len(document)))
