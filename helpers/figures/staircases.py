"""The charts of notebook 11: NDCG along a line is a staircase, with no slope to follow."""

import math
from itertools import combinations
from numbers import Real
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from helpers.figures.labels import apart
from helpers.figures.style import (
    BLACK,
    BLUE,
    GRAY,
    GREEN,
    INK,
    MANY_POINTS,
    OTHERS,
    Look,
    frame,
    line,
    metric_name,
)
from helpers.metrics.checks import SAME_VALUE, as_table
from helpers.tuning.staircases import Staircase
from helpers.tuning.staircases import staircase as staircase_of

LETTERS = "ABCDEFGH"
COLUMNS = 300  # of a chart with too many steps: each shows two of them
MOST_DRAWN = 2 * COLUMNS
MOST_LISTED = 40  # steps in a table; of more the best
BEST_LISTED = 10
DIGITS = 3  # of a place on the line, where that is enough
MOST_DIGITS = 9
DOCUMENTS = (*OTHERS, Look(BLACK, "5px,3px", "cross"))  # of one query
FEWEST_LINES = 3
LABEL_GAP = 0.1  # between the labels of two lines, in heights of the panel
BEST = Look(GREEN, "solid", "diamond")


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
        If `steps` is no staircase, or the ends are not two finite numbers that rise.
    """
    if not isinstance(steps, Staircase):
        raise TypeError(
            f"steps must be a Staircase, as helpers.tuning.staircase returns it, got "
            f"{type(steps).__name__}"
        )
    low, high = _check_range(low, high)
    seen = steps.visible()
    first = int(np.searchsorted(seen.breakpoints, low, side="right"))
    last = int(np.searchsorted(seen.breakpoints, high, side="left"))
    edges = [low, *seen.breakpoints[first:last].tolist(), high]
    return Steps(edges, seen.values[first : last + 1].tolist(), seen.at[first:last].tolist())


def place_text(t, other=None, digits=DIGITS):
    """Write a place on the line, with digits enough to tell it from another one."""
    if other is not None:
        while digits < MOST_DIGITS and _fixed(t, digits) == _fixed(other, digits):
            digits += 1
    return _fixed(t, digits)


def _fixed(t, digits):
    """Write a number with a true minus, and zero without one."""
    text = f"{t:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", "−")


# --- a staircase alone ----------------------------------------------------------------


def staircase(steps, low, high, *, at=None, x_title="t", title=None):
    """Show mean NDCG along a line, from `low` to `high`: flat steps, and jumps between.

    Up to 12 jumps have an open circle each: the NDCG on the breakpoint itself, where
    documents tie. Of more than 600 steps some are drawn: the range is cut into 300
    columns of equal width, and each column keeps its lowest and its highest step. So
    each point drawn is a step that exists, with its own NDCG and at its own place, and
    the best and the worst step are always among them.

    Parameters
    ----------
    steps : helpers.tuning.Staircase
    low, high : float
        The ends of the part to show.
    at : float, optional
        A place to mark.
    x_title : str, default="t"
        What moves.
    title : str, optional
        The finding; by default how often NDCG jumps, and its best step.

    Returns
    -------
    go.Figure

    Raises
    ------
    TypeError, ValueError
        If `steps` is no staircase, the ends are not two finite numbers that rise, or
        `at` is not between them.

    Notes
    -----
    Taught in notebook 11.
    """
    shown = between(steps, low, high)
    traces = [stairs(shown, "mean NDCG"), *tie_marks(shown), best_step(shown)]
    now = None
    if at is not None:
        at = _check_number(at, "at")
        if not low <= at <= high:
            raise ValueError(f"at must be from {low} to {high}, the ends shown, got {at}")
        now = float(steps.value(at))
        traces.append(now_mark(at, now, f"at {_end_text(at, shown.digits)}"))
    layout = dict(
        xaxis=dict(title_text=x_title, range=[shown.edges[0], shown.edges[-1]]),
        yaxis=dict(title_text="mean NDCG", range=room(shown)),
        shapes=[] if at is None else [now_line(at)],
    )
    return frame(
        go.Figure(traces, layout),
        title=title or _count(shown),
        sentence=_in_words(shown, at, now),
        table=_table(shown, at, now),
    )


def stairs(steps, name):
    """Return the staircase: right from each point, then up or down to the next."""
    kept = _thinned(steps)
    few = len(steps.ties) <= MANY_POINTS
    values = [steps.values[i] for i in kept]
    return go.Scatter(
        x=steps.drawn([*(steps.edges[i] for i in kept), steps.edges[-1]]),
        y=rounded([*values, values[-1]]),
        name=name,
        mode="lines",
        line=dict(color=BLUE, width=4 if few else 2, shape="hv"),
        hovertemplate="from %{x}: NDCG %{y:.4f}<extra></extra>",
    )


def _thinned(steps):
    """Return the numbers of the steps to draw, in order; see `staircase`."""
    n = len(steps.values)
    if n <= MOST_DRAWN:
        return range(n)
    edges, values = np.array(steps.edges), np.array(steps.values)
    column = (edges[:-1] - edges[0]) / (edges[-1] - edges[0]) * COLUMNS
    starts = np.flatnonzero(np.diff(np.floor(column), prepend=-1))
    kept = {0, n - 1}
    for first, end in zip(starts, [*starts[1:], n], strict=True):
        inside = values[first:end]
        kept |= {first + inside.argmin(), first + inside.argmax()}
    return sorted(int(i) for i in kept)


def tie_marks(steps):
    """Return an open circle on each breakpoint, where they are few."""
    if not 0 < len(steps.ties) <= MANY_POINTS:
        return []
    circle = dict(symbol="circle", size=9, color="white", line=dict(color=BLUE, width=2.5))
    return [
        go.Scatter(
            x=steps.drawn(steps.edges[1:-1]),
            y=rounded(steps.ties),
            name="on a tie",
            mode="markers",
            marker=circle,
            hovertemplate="tie at %{x}: NDCG %{y:.4f}<extra></extra>",
        )
    ]


def best_step(steps):
    """Return the best step, thick; a diamond shows it where it is too narrow to see."""
    i = steps.best
    left, right = steps.edges[i], steps.edges[i + 1]
    value = steps.values[i]
    return go.Scatter(
        x=steps.drawn([left, (left + right) / 2, right]),
        y=rounded([value] * 3),
        name="best step",
        mode="lines+markers",
        line=dict(color=BEST.color, width=9),
        marker=dict(symbol=BEST.symbol, size=[0, 15, 0], color=BEST.color, opacity=1),
        hovertemplate=f"best step: NDCG {value:.4f}<extra></extra>",
    )


def now_mark(t, value, name):
    """Return the dot at the place that is marked."""
    ring = dict(color="white", width=2)
    return go.Scatter(
        x=rounded([t]),
        y=rounded([value]),
        name=name,
        mode="markers",
        marker=dict(symbol="circle", size=15, color=INK, line=ring),
        cliponaxis=False,
        hovertemplate=f"{name}: NDCG {value:.4f}<extra></extra>",
    )


def now_line(t):
    """Return the line through the dot, over the whole height of the panel."""
    look = dict(color=INK, width=2, dash="dot")
    return dict(type="line", xref="x", yref="y domain", x0=t, x1=t, y0=0, y1=1, line=look)


def room(steps):
    """Return the range of NDCG, with some air above and below."""
    low, high = min(steps.values + steps.ties), max(steps.values + steps.ties)
    air = 0.08 * (high - low) or 0.05
    return [round(low - air, 6), round(high + air, 6)]


def rounded(values):
    """Return numbers with the six digits that are drawn."""
    return [round(value, 6) for value in values]


def _count(steps):
    n, value = len(steps.ties), max(steps.values)
    if n == 0:
        return f"No jump {_range_text(steps)}: NDCG is {value:.4f}"
    jumps = "once" if n == 1 else f"{n:,} times"
    return f"NDCG jumps {jumps} {_range_text(steps)}; best step {value:.4f}"


def _range_text(steps):
    low, high = (_end_text(end, steps.digits) for end in (steps.edges[0], steps.edges[-1]))
    return f"between {low} and {high}"


def _end_text(end, digits):
    """Write an end of the range: −4, not −4.000."""
    text = place_text(end, digits=digits)
    return text.rstrip("0").rstrip(".")


def _in_words(steps, at, now):
    values = steps.values
    where = "" if at is None else f" At {place_text(at, digits=steps.digits)} it is {now:.4f}."
    return (
        f"Mean NDCG has {count_steps(len(values))} {_range_text(steps)}, each of them flat. "
        f"The lowest is {min(values):.4f}, the best {max(values):.4f}, {step_text(steps)}.{where}"
    )


def count_steps(n):
    """Write how many steps there are."""
    return "1 step" if n == 1 else f"{n:,} steps"


def step_text(steps, i=None):
    """Write where a step is; by default the best one. A step at an end goes on there."""
    i = steps.best if i is None else i
    ends = steps.edges[i : i + 2]
    left, right = (place_text(*pair, steps.digits) for pair in (ends, ends[::-1]))
    if len(steps.values) == 1:
        return "everywhere"
    if i == 0:
        return f"up to {right}"
    return f"from {left} on" if i == len(steps.values) - 1 else f"from {left} to {right}"


def _table(steps, at, now):
    marked = "" if at is None else f"at {place_text(at, digits=steps.digits)}"
    rows = [] if at is None else [["marked", marked, round(now, 4)]]
    return ("what", "t", "NDCG"), rows + step_rows(steps)


def step_rows(steps):
    """Return every step and every tie from left to right; of many steps the best."""
    n = len(steps.values)
    if n > MOST_LISTED:
        ranked = sorted(range(n), key=lambda i: (-steps.values[i], i))[:BEST_LISTED]
        best = [_step_row(steps, i, f"step {i + 1} of {n}") for i in ranked]
        worst = min(range(n), key=lambda i: steps.values[i])
        left_out = [f"{n - BEST_LISTED - 1:,} more steps, all between", None, None]
        return [*best, left_out, _step_row(steps, worst, f"step {worst + 1} of {n}")]
    rows = []
    for i in range(n):
        rows.append(_step_row(steps, i, "step"))
        if i < n - 1:
            place = place_text(steps.edges[i + 1], digits=steps.digits)
            rows.append(["tie", f"at {place}", round(steps.ties[i], 4)])
    return rows


def _step_row(steps, i, what):
    return [what, step_text(steps, i), round(steps.values[i], 4)]


# --- the scores of one query, and its NDCG --------------------------------------------


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


def crossing_lines(intercepts, slopes, grades, low, high, *, title=None, k=None):
    """Show the scores of one query as lines, and below them its NDCG as a staircase.

    The score of a document is ``intercept + slope * t``. Where two lines cross, two
    documents change ranks, and only there can NDCG change: a filled diamond if it
    does, an open circle if not.

    Parameters
    ----------
    intercepts, slopes, grades : array-like of shape (n_docs,)
        Of 3 to 6 documents, which are named A, B, C and so on.
    low, high : float
        The ends of t.
    title : str, optional
        The finding; by default how many crossings there are and how many matter.
    k : int, optional
        Ranks that count; all by default.

    Returns
    -------
    go.Figure

    Raises
    ------
    TypeError, ValueError
        If there are too few or too many documents, the three do not fit, no grade is
        above 0, or the ends are not two finite numbers that rise.

    Notes
    -----
    Taught in notebook 11.
    """
    lines = _check_lines(intercepts, slopes, grades)
    low, high = _check_range(low, high)
    X = np.column_stack(lines[:2])[None]
    steps = staircase_of(X, [lines[2]], [1, 0], 1, k=k)
    found = _crossings(lines, steps, low, high)
    metric = metric_name(k)
    shown = between(steps, low, high)
    below = [stairs(shown, metric), *tie_marks(shown)]
    for trace in below:
        trace.update(yaxis="y2", showlegend=False)
    traces = [*_score_lines(lines, low, high), *_crossing_marks(lines, found), *below]
    layout = _stacked(shown, metric) | dict(
        shapes=[_through_both(crossing.t) for crossing in found if crossing.changes],
        annotations=_line_labels(lines, low, high),
    )
    return frame(
        go.Figure(traces, layout),
        title=title or _crossings_text(found, metric),
        sentence=_crossings_in_words(found, shown, metric),
        table=_crossings_table(found, metric),
        height=560,
        margin=dict(r=120),
    )


def _crossings(lines, steps, low, high):
    """Return every place between the ends where lines cross."""
    intercepts, slopes, _ = lines
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
    return found


def _score_lines(lines, low, high):
    unclipped = dict(showlegend=False, cliponaxis=False)  # the markers stand at the ends
    return [
        line([low, high], [a + b * low, a + b * high], LETTERS[i], look, **unclipped)
        for i, (a, b, look) in enumerate(zip(*lines[:2], DOCUMENTS, strict=False))
    ]


def _crossing_marks(lines, found):
    """Return the crossings on the lines: filled where NDCG changes, open where not."""
    filled = dict(symbol="diamond", size=13, color=INK)
    ring = dict(symbol="circle", size=11, color="white", line=dict(color=GRAY, width=2.5))
    kinds = [(True, "NDCG changes", filled), (False, "NDCG stays", ring)]
    return [_marks(lines, [c for c in found if c.changes == does], *rest) for does, *rest in kinds]


def _marks(lines, found, name, marker):
    intercepts, slopes, _ = lines
    points = [(c.t, intercepts[i] + slopes[i] * c.t) for c in found for i, _ in c.pairs]
    return go.Scatter(
        x=rounded([t for t, _ in points]),
        y=rounded([score for _, score in points]),
        name=name,
        mode="markers",
        marker=marker,
        hovertemplate=f"crossing at t = %{{x}}: {name}<extra></extra>",
    )


def _stacked(steps, metric):
    """Return the axes of two panels, one above the other, that share t."""
    return dict(
        xaxis=dict(anchor="y2", title_text="t", range=[steps.edges[0], steps.edges[-1]]),
        yaxis=dict(anchor="x", domain=[0.46, 1], title_text="score"),
        yaxis2=dict(anchor="x", domain=[0, 0.36], title_text=metric, range=room(steps)),
    )


def _through_both(t):
    look = dict(color=GRAY, width=2, dash="dot")
    return dict(
        type="line", layer="below", xref="x", yref="paper", x0=t, x1=t, y0=0, y1=1, line=look
    )


def _line_labels(lines, low, high):
    """Return letter and grade of each line at its right end, apart from each other."""
    intercepts, slopes, grades = lines
    ends = [[a + b * t for a, b in zip(intercepts, slopes, strict=True)] for t in (low, high)]
    bottom, top = min(map(min, ends)), max(map(max, ends))
    gap = LABEL_GAP * (top - bottom)
    heights = apart(ends[1], [gap] * len(ends[1]), low=-math.inf, high=math.inf)
    place = dict(xref="paper", x=1, xanchor="left", xshift=10, yref="y", yanchor="middle")
    return [
        dict(
            text=f"<b>{LETTERS[i]}</b> grade {grade:g}",
            y=round(height, 6),
            showarrow=False,
            font=dict(size=16, color=look.color),
            **place,
        )
        for i, (height, grade, look) in enumerate(zip(heights, grades, DOCUMENTS, strict=False))
    ]


def _crossings_text(found, metric):
    changing = sum(crossing.changes for crossing in found)
    if not found:
        return f"No lines cross here: {metric} stays the same"
    places = "1 place" if len(found) == 1 else f"{len(found)} places"
    return f"Lines cross at {places}; at {changing} of {len(found)} {metric} changes"


def _crossings_in_words(found, steps, metric):
    quiet = [place_text(c.t) for c in found if not c.changes]
    loud = [place_text(c.t) for c in found if c.changes]
    parts = [
        f"{metric} changes where lines cross at t = {', '.join(loud)}." if loud else "",
        f"It stays where they cross at t = {', '.join(quiet)}." if quiet else "",
        _best_in_words(steps, metric),
    ]
    return " ".join(part for part in parts if part)


def _best_in_words(steps, metric):
    n, best = len(steps.values), max(steps.values)
    if n == 1:
        return f"{metric} is {best:.4f} all along."
    return f"The best of its {count_steps(n)}, {best:.4f}, is {step_text(steps)}."


def _crossings_table(found, metric):
    header = ("t", "who cross", f"{metric} before", "on the tie", "after", "changes")
    rows = [
        [
            place_text(c.t),
            ", ".join(f"{LETTERS[i]} and {LETTERS[j]}" for i, j in c.pairs),
            *(round(value, 4) for value in (c.left, c.at, c.right)),
            "yes" if c.changes else "no",
        ]
        for c in found
    ]
    return header, rows


# --- checks ---------------------------------------------------------------------------


def _check_number(value, name):
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, got {value!r}")
    if not np.isfinite(value):
        raise ValueError(f"{name} must be a finite number, got {value}")
    return float(value)


def _check_range(low, high):
    low, high = _check_number(low, "low"), _check_number(high, "high")
    if not low < high:
        raise ValueError(f"low must be below high, got low={low:g} and high={high:g}")
    return low, high


def _check_lines(intercepts, slopes, grades):
    """Return three lists of numbers, one number for each document, or raise."""
    named = dict(intercepts=intercepts, slopes=slopes, grades=grades)
    lines = [_check_column(values, name) for name, values in named.items()]
    lengths = {name: len(column) for name, column in zip(named, lines, strict=True)}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"each document needs an intercept, a slope and a grade, got {lengths}")
    if not FEWEST_LINES <= len(lines[0]) <= len(DOCUMENTS):
        raise ValueError(
            f"grades must be of {FEWEST_LINES} to {len(DOCUMENTS)} documents, so that each line "
            f"can be told from the others, got {len(lines[0])}"
        )
    if min(lines[2]) < 0 or max(lines[2]) <= 0:
        raise ValueError(
            f"grades must be 0 or more, and above 0 somewhere, got {lines[2]}: "
            "without a relevant document NDCG is 0/0"
        )
    return lines


def _check_column(values, name):
    table = as_table(values, name)
    if np.ndim(values) != 1:
        raise ValueError(f"{name} must be of one query, shape (n_docs,), got {np.shape(values)}")
    return table[0].astype(float).tolist()
