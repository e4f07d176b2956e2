"""The chart of the explorer *two weights*: an arrow that turns, and NDCG all the way round.

In the disc the documents of a query lie in the plane of their two features. Weights are an arrow
in the same plane, and the scores put the documents in the order in which they lie along it. NDCG
is on a ring of its own around the disc, so that no document is taken for a value of NDCG.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from course.explorers.ranked_docs import bars, brackets, rank_axes, rank_rows
from course.figures.staircases import BEST, LETTERS
from helpers.marks import note
from helpers.numbers import cells, counted, rounded, signed, with_and
from helpers.style import (
    BLUE,
    GRAY,
    INK,
    MANY_POINTS,
    PALE_BLUE,
    PALE_GRAY,
    frame,
    scatter,
    side_by_side,
)
from ndcglib.metrics.checks import SAME_VALUE

FLOOR = 0.5  # the NDCG where the ring begins
DISC = 0.62  # how far the axes of the documents go from the middle
INNER, OUTER = 0.68, 1.0  # radius of the circles of the floor and of 1
PLANE = 0.5  # radius that holds all documents
BESIDE = 1.06  # radius of labels
BACK = 0.06  # how far the line of the arrow goes back behind the last document
SIDE = 1.06  # half the height of the panel
ENDS = -1.1, 1.42  # of its width: beside the ring the best step is named
ARC = 3  # degrees between points of an arc, at most
CIRCLE = 6  # and of a whole circle, which is sent with every turn: round to a fifth of a pixel
DIGITS = 5  # of a place in the plane: finer than a pixel
TURN = 360  # degrees
AWAY, TIP, HALF_WIDE = 0.1, 0.035, 0.035  # of the arrows at the thumb: way to it, and size
RING = "#F4F4F4"
REACHED = "#DCEAF4"
SHADES = {0: "#FFFFFF", 1: PALE_BLUE, 2: "#7FB8D8", 3: BLUE}  # by grade


@dataclass(frozen=True)
class Wheel:
    """Mean NDCG of every direction of two weights, in degrees, and the first query's documents.

    `edges` rise within one turn; ``values[i]`` is the NDCG from ``edges[i - 1]`` to ``edges[i]``,
    the first comes again behind the last edge. `points` are the two features of each document.
    """

    edges: list
    values: list
    random: float
    points: list
    grades: list
    n_queries: int

    @property
    def metric(self):
        """What is on the wheel."""
        return "NDCG" if self.n_queries == 1 else "mean NDCG"

    @property
    def whose(self):
        """Whose documents are drawn, where it is the wheel of several queries."""
        return "" if self.n_queries == 1 else f"query 1 of {self.n_queries}"

    @cached_property
    def steps(self):
        """Each step as (from, to, NDCG), the one that holds 0° first."""
        ends = [*self.edges, self.edges[0] + TURN]
        values = [*self.values[1:], self.values[0]]
        found = list(zip(ends, ends[1:], values, strict=False))
        return sorted(found, key=lambda step: step[1] if step[1] > 0 else step[1] + TURN)

    @property
    def has_few_steps(self):
        """Whether each step can be seen, and is listed."""
        return len(self.steps) <= MANY_POINTS

    @cached_property
    def best(self):
        """The best step; of equals the first."""
        top = max(value for *_, value in self.steps)
        return next(step for step in self.steps if step[2] > top - SAME_VALUE)

    @cached_property
    def centered(self):
        """The documents around the middle of all, none farther away than there is room."""
        points = np.array(self.points, dtype=float)
        around = points - (points.max(axis=0) + points.min(axis=0)) / 2
        return PLANE * around / np.hypot(*around.T).max()

    @cached_property
    def rim(self):
        """The rim of the wheel: an arc for each step."""
        arcs = [_arc(radius(value), start, end) for start, end, value in self.steps]
        x, y = (list(chain(*parts)) for parts in zip(*arcs, strict=True))
        return [*x, x[0]], [*y, y[0]]


def radius(value):
    """Return how far from the middle an NDCG is drawn."""
    return INNER + (OUTER - INNER) * (value - FLOOR) / (1 - FLOOR)


def _arc(r, start, end, step=ARC):
    angles = np.radians(np.linspace(start, end, max(2, math.ceil((end - start) / step) + 1)))
    return rounded(r * np.cos(angles), DIGITS), rounded(r * np.sin(angles), DIGITS)


def wheel_chart(wheel, docs, direction, arrow, now):
    """Show the wheel with an arrow as long as its NDCG, `now`, and the order that it makes."""
    traces = [*_rim(wheel), _disc(), *_arrow(wheel, arrow, now), *_documents(wheel)]
    traces.append(bars(docs, [SHADES[round(grade)] for grade in docs.grades]))
    shapes, annotations = brackets(docs)
    labels = [*_labels(wheel), *annotations]
    layout = dict(shapes=[_ring(), *shapes], annotations=labels, **_axes(wheel, docs))
    return frame(
        (traces, layout),
        title=_title(wheel, docs, direction, now),
        sentence=_words(wheel, docs, arrow, now),
        table=_table(wheel, docs, direction, now),
        legend=False,
        margin=dict(l=16, t=70, b=16),
    )


def _axes(wheel, docs):
    axes = side_by_side(0.67, gap=0.08)
    axes["xaxis"] |= dict(range=[*ENDS], visible=False)
    # A right angle is to look like one.
    axes["yaxis"] |= dict(range=[-SIDE, SIDE], visible=False, scaleanchor="x")
    places, grades = rank_axes(docs, wheel.whose)
    axes["xaxis2"] |= places
    axes["yaxis2"] |= dict(domain=[0.22, 1], **grades)
    return axes


def _ring():
    """Return the ground of the ring, up to NDCG 1."""
    place = dict(xref="x", yref="y", x0=-OUTER, x1=OUTER, y0=-OUTER, y1=OUTER, layer="below")
    return dict(type="circle", line=dict(color=GRAY, width=1), fillcolor=RING, **place)


def _labels(wheel):
    """Return what the disc and the ring are, the ring's ends, and names beside the ring."""
    place = dict(xref="x", yref="y")
    under = dict(x=0, bgcolor="white", borderpad=0, **place)
    # The lower end is named inside its circle, where no rim is.
    ends = (FLOOR, (DISC + INNER) / 2), (1, OUTER)
    scale = [note(f"NDCG {end:g}", size=13, y=-r, **under) for end, r in ends]
    above = dict(xref="x domain", x=0, xanchor="left", yref="y domain", y=1, yanchor="bottom")
    whose = " of query 1" if wheel.whose else ""
    inside = f"<b>inside:</b> documents{whose}, words →, links ↑"
    ring = f"<b>ring:</b> {wheel.metric}, dotted: random order"
    key = note(f"{inside}; {ring}", size=14, align="left", **above)
    start, end, _ = wheel.best
    middle = math.radians((start + end) / 2)
    x, y = (round(BESIDE * way(middle), 6) for way in (math.cos, math.sin))
    best = note("best step", color=BEST.color, x=x, xanchor="left", y=y, **place)
    return [*scale, key, best]


def _rim(wheel):
    start, end, value = wheel.best
    rim = dict(color=BLUE, width=3 if wheel.has_few_steps else 2)
    best = dict(color=BEST.color, width=8)
    dotted = dict(color=GRAY, width=2, dash="dot")
    return [
        scatter(*wheel.rim, wheel.metric, line=rim, fill="toself", fillcolor=REACHED),
        scatter(*_arc(radius(value), start, end), "best step", line=best),
        scatter(*_arc(radius(wheel.random), 0, TURN, CIRCLE), "random order", line=dotted),
    ]


def _disc():
    """Return the disc, which ends where the ring begins, with its two axes."""
    x, y = _arc(INNER, 0, TURN, CIRCLE)
    x = [*x, None, -DISC, DISC, None, 0, 0]
    y = [*y, None, 0, 0, None, -DISC, DISC]
    line = dict(color=GRAY, width=1)
    return scatter(x, y, "documents", line=line, fill="toself", fillcolor="white")


def _arrow(wheel, arrow, now):
    """Return the arrow, as long as its NDCG, and where each document lies along it."""
    feet = np.outer(wheel.centered @ arrow, arrow)
    x, y = (
        [part for pair in zip(points, ends, strict=True) for part in (*rounded(pair), None)]
        for points, ends in zip(wheel.centered.T, feet.T, strict=True)
    )
    behind = min(0, (wheel.centered @ arrow).min()) - BACK
    line = np.array([behind * arrow, radius(now) * arrow])
    dots = dict(size=9, color=_fills(wheel), line=dict(color=BLUE, width=1.5))
    thumb = dict(size=18, color=INK, line=dict(color="white", width=2))
    head = dict(symbol="arrow", angleref="previous", size=[0, 18], color=INK, opacity=1)
    head |= dict(standoff=9)  # its tip is at the thumb, by which it is turned
    return [
        scatter(x, y, line=dict(color=PALE_GRAY, width=1.5, dash="dot")),
        scatter(*map(rounded, line.T), "now", line=dict(color=INK, width=3), marker=head),
        scatter(*map(rounded, feet.T), marker=dots),
        *_ways(line[1]),
        scatter(*([end] for end in rounded(line[1])), marker=thumb),
    ]


def _ways(thumb):
    """Return an arrow on each side of the thumb, which says that it goes around."""
    r, start = np.hypot(*thumb), math.atan2(thumb[1], thumb[0])
    x, y = [], []
    for side in (-1, 1):
        # From one end over the tip to the other, as (radius, way around)
        ends = np.array([(r - HALF_WIDE, AWAY), (r, AWAY + TIP), (r + HALF_WIDE, AWAY)])
        angles = start + side * ends[:, 1] / r
        x += [*rounded(ends[:, 0] * np.cos(angles), DIGITS), None]
        y += [*rounded(ends[:, 0] * np.sin(angles), DIGITS), None]
    strokes = dict(color="white", width=6), dict(color=INK, width=2)  # seen on the rim, too
    return [scatter(x, y, line=line) for line in strokes]


def _documents(wheel):
    letters = list(LETTERS[: len(wheel.grades)])
    look = dict(size=25, color=_fills(wheel), line=dict(color=BLUE, width=1.5))
    colors = ["white" if round(grade) == max(SHADES) else INK for grade in wheel.grades]
    words = dict(text=letters, textfont=dict(size=15, color=colors), textposition="middle center")
    x, y = map(rounded, wheel.centered.T)
    return [scatter(x, y, marker=look, **words)]


def _fills(wheel):
    return [SHADES[round(grade)] for grade in wheel.grades]


# --- its words ------------------------------------------------------------------------


def _title(wheel, docs, direction, now):
    best = wheel.best[2]
    tied = [with_and(docs.letters[first - 1 : last]) for first, last in docs.ties]
    if tied and wheel.n_queries == 1:
        return f"At {direction}° a tie of {tied[0]}: NDCG {now:.4f}"
    if now > best - SAME_VALUE:
        return f"At {direction}°: {wheel.metric} {now:.4f}, the best there is"
    return f"At {direction}°: {wheel.metric} {now:.4f}; the best step has {best:.4f}"


def _words(wheel, docs, arrow, now):
    start, end, value = wheel.best
    n_steps = counted(len(wheel.steps), "step", "steps")
    pair = " and ".join(signed(weight, 2) for weight in arrow)
    whose = wheel.whose and f" in {wheel.whose}"
    return (
        f"Weights {pair} make the order {docs.words}{whose}: {wheel.metric} {now:.4f}. Of "
        f"{n_steps}, the best, {value:.4f}, is from {start:.1f}° to {end:.1f}°."
    )


def _table(wheel, docs, direction, now):
    start, end, value = wheel.best
    rows = [
        ["now", f"{direction}°", *cells([now])],
        ["random order", None, *cells([wheel.random])],
        ["best step", f"{start:.1f}° to {end:.1f}°", *cells([value])],
        ["all steps", len(wheel.steps), None],
    ]
    rows += [
        [f"rank {rank}", f"{letter}, grade {grade:g}, score {signed(score, 3)}", None]
        for rank, letter, grade, score in rank_rows(docs)
    ]
    if wheel.has_few_steps:
        rows += [
            ["step", f"{start:.1f}° to {end:.1f}°", *cells([value])]
            for start, end, value in wheel.steps
        ]
    return ("what", "direction", wheel.metric), rows
