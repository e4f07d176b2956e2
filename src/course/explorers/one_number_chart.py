"""The chart of the explorer of notebook *staircase*: one number moves, and a list with it."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from course.explorers.ranked_docs import bars, brackets, rank_axes, rank_rows
from course.figures.staircases import (
    best_step,
    now_mark,
    place_text,
    room,
    stairs,
    step_rows,
    step_text,
    tie_marks,
)
from helpers.marks import vertical
from helpers.numbers import cells, counted, rounded, with_and
from helpers.style import (
    BLUE,
    INK,
    PALE_BLUE,
    VERMILLION,
    Look,
    frame,
    scatter,
    side_by_side,
)
from ndcglib.tuning.staircases import Staircase
from ndcglib.tuning.steps import between

ON_THE_OTHER_AXIS = dict(xaxis="x", yaxis="y3")  # of the left panel
MSE = Look(VERMILLION, "dot", "square-open")


class ErrorCurve(NamedTuple):
    """The mean squared error (MSE) along the same line, and its minimum.

    `target` is what the scores are compared with, such as "grade / 3".
    """

    places: list
    values: list
    lowest_at: float
    lowest: float
    target: str


@dataclass(frozen=True)
class Sweep:
    """One number that moves from `low` to `high`, and what NDCG and MSE do meanwhile.

    `name` is what moves as a title says it, "C" or "weight", `axis` the same as an axis says it.
    The staircase is without breakpoints that change nothing; `metric` is such as "NDCG@5", the
    mean over `n_queries`; the list is that of the first.
    """

    name: str
    axis: str
    low: float
    high: float
    staircase: Staircase
    error: ErrorCurve
    metric: str
    n_queries: int

    @cached_property
    def steps(self):
        """The steps between the ends of the range."""
        return between(self.staircase, self.low, self.high)

    @property
    def y_title(self):
        """What the axis of NDCG says."""
        return f"mean {self.metric}" if self.n_queries > 1 else self.metric

    @property
    def whose(self):
        """Whose list is beside the staircase, where it is of several queries."""
        return f"query 1 of {self.n_queries}" if self.n_queries > 1 else ""

    @cached_property
    def ndcg_at_lowest(self):
        """NDCG where MSE is least."""
        return float(self.staircase.value(self.error.lowest_at))


# --- the explorer: a staircase, and the list at one place of it ------------------------


def sweep_chart(sweep, ranked, t, *, error=None):
    """Show the staircase with the place `t` marked, and the list in its order there.

    With `error`, the MSE at `t`, the whole curve of MSE is drawn, on an axis of its own.
    """
    steps, now = sweep.steps, float(sweep.staircase.value(t))
    traces = [stairs(steps, sweep.metric), *tie_marks(steps), best_step(steps)]
    if error is not None:
        traces += _error_curve(sweep.error)
    fills = [BLUE if letter == ranked.moved else PALE_BLUE for letter in ranked.letters]
    traces += [now_mark(t, now, "now"), bars(ranked, fills)]
    shapes, annotations = brackets(ranked)
    layout = dict(
        shapes=[vertical(t, color=INK), *shapes],
        annotations=annotations,
        **_axes(sweep, ranked, error),
    )
    return frame(
        (traces, layout),
        title=_title(sweep, ranked, t, now, error),
        sentence=_words(sweep, ranked, now, error),
        table=_table(sweep, ranked, t, now, error),
        legend_at=dict(bgcolor="rgba(255,255,255,0)"),  # or it would hide the top of the MSE axis
    )


def _error_curve(error):
    """Return MSE and its minimum, on the axis at the right of the left panel."""
    curve = scatter(
        error.places,
        error.values,
        "MSE, right axis",
        line=dict(color=MSE.color, dash=MSE.dash, width=3),
        **ON_THE_OTHER_AXIS,
        hover="%{x}: MSE %{y:.4f}",
    )
    least = scatter(
        rounded([error.lowest_at]),
        rounded([error.lowest]),
        "MSE's minimum",
        # Around the dot at the present place, which may be the same: its axis is drawn on top.
        marker=dict(symbol=MSE.symbol, size=21, color=MSE.color, line=dict(width=3)),
        **ON_THE_OTHER_AXIS,
        hover="least MSE %{y:.4f}, at %{x}",
    )
    return [curve, least]


def _axes(sweep, ranked, error):
    axes = side_by_side(0.64, gap=0.08 if error is None else 0.19)
    axes["xaxis"] |= dict(title_text=sweep.axis, range=[sweep.low, sweep.high])
    axes["yaxis"] |= dict(title_text=sweep.y_title, range=room(sweep.steps), nticks=8)
    places, grades = rank_axes(ranked, sweep.whose)
    axes["xaxis2"] |= places
    axes["yaxis2"] |= grades
    if error is not None:
        axes["yaxis3"] = dict(
            anchor="x",
            overlaying="y",
            side="right",
            title=dict(text=f"MSE to {sweep.error.target}", font=dict(color=MSE.color)),
            tickfont=dict(color=MSE.color),
            range=_error_room(sweep.error),
            tickmode="auto",  # round numbers, not those across from the ticks of NDCG
            nticks=8,
            showgrid=False,
        )
    return axes


def _error_room(error):
    """Return the range of MSE; its minimum stands well above the floor."""
    low, high = error.lowest, max(error.values)
    return rounded([low - 0.15 * (high - low), high + 0.1 * (high - low)])


# --- its words ------------------------------------------------------------------------


def _title(sweep, ranked, t, now, error):
    """Return two lines in every state, or the panels would change their height on a tie."""
    here, metric = place_text(t), sweep.metric
    if error is not None:
        best, least = max(sweep.steps.values), sweep.ndcg_at_lowest
        return (
            f"{metric} {now:.4f} at {sweep.name} = {here},",
            f"{least:.4f} at MSE's minimum, best {best:.4f}",
        )
    subject = sweep.name[0].upper() + sweep.name[1:]
    edges = sweep.staircase.breakpoints
    i = int(np.searchsorted(edges, t))
    left, right = sweep.staircase.values[i : i + 2] if i < len(edges) else (now, now)
    if i < len(edges) and edges[i] == t:
        others = ranked.tied_with_moved
        tie = f"a tie with {with_and(others)}" if others else "a tie"
        return (
            f"{subject} at {here}, {tie}: {metric} {now:.4f};",
            f"below it {left:.4f}, above it {right:.4f}",
        )
    return f"{subject} at {here}: {metric} {now:.4f},", _next_jump(edges, i, t, right)


def _next_jump(edges, i, t, right):
    """Say how far NDCG stays flat, for a place between the jumps i − 1 and i."""
    if len(edges) == 0:
        return "flat everywhere"
    if i == len(edges):
        return f"flat from {place_text(edges[-1], t)} on"
    return f"flat until {place_text(edges[i], t)}, then {right:.4f}"


def _words(sweep, ranked, now, error):
    steps = sweep.steps
    best = f"{max(steps.values):.4f}, {step_text(steps)}"
    squared = (
        ""
        if error is None
        else f" MSE is {error:.4f}; the least, {sweep.error.lowest:.4f}, is at "
        f"{place_text(sweep.error.lowest_at)}."
    )
    n_steps = counted(len(steps.values), "step", "steps")
    if sweep.n_queries > 1:
        return (
            f"Query 1 has the order {ranked.words}. Mean {sweep.metric} has {n_steps}; here it "
            f"is {now:.4f}, on the best one {best}.{squared}"
        )
    return (
        f"The order {ranked.words} has {sweep.metric} {now:.4f}. "
        f"Of {n_steps}, the best is {best}.{squared}"
    )


def _table(sweep, ranked, t, now, error):
    least = sweep.error
    rows = [["now", f"at {place_text(t)}", *cells([now, error])]]
    if error is not None:
        place = f"at {place_text(least.lowest_at)}"
        rows.append(["MSE's minimum", place, *cells([sweep.ndcg_at_lowest, least.lowest])])
    best = max(sweep.steps.values)
    rows.append(["best step", step_text(sweep.steps), *cells([best, None])])
    for rank, letter, grade, score in rank_rows(ranked):
        words = f"{letter}, grade {grade:g}, score {place_text(score)}"
        rows.append([f"rank {rank}", words, None, None])
    rows += [[*row, None] for row in step_rows(sweep.steps)]
    return ("what", sweep.axis, sweep.metric, f"MSE to {least.target}"), rows
