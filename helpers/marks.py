"""Marks that figures share: words, lines and boxes, as plotly takes them.

Each is a plain dict, which plotly takes faster than an object of its own.
"""

from helpers.labels import apart
from helpers.numbers import rounded
from helpers.style import GRAY, INK, scatter

# Numbers on bars: outside, of one size, and never cut off.
OUTSIDE = dict(textposition="outside", constraintext="none", cliponaxis=False)
UPRIGHT = dict(textangle=0, **OUTSIDE)
HALF_WHITE = "rgba(255,255,255,0.8)"
NOWHERE = "#F0F0F0"  # the ground where nothing can be
STEPS = (1, 2, 5, 10, 20, 50)  # between ticks


def note(text, *, size=15, color=INK, **place):
    """Return some words of a layout."""
    return dict(text=text, showarrow=False, font=dict(size=size, color=color), **place)


def beside(texts, places, line_height, low=0.0, high=1.0, **place):
    """Return labels beside a panel, each near its place along it and none over another.

    Lines of a text are parted by <br>; `line_height` is that of one, in the units of the places,
    whose room ends at `low` and `high`; `place` is what else plotly is told of each label.
    """
    heights = [line_height * (1 + text.count("<br>")) for text in texts]
    middles = apart(places, heights, low, high)
    side = dict(xanchor="left", yanchor="middle") | place
    return [note(text, y=round(y, 6), **side) for text, y in zip(texts, middles, strict=True)]


def vertical(x, panel="", *, y0=0, y1=1, color=GRAY, width=2, dash="dot", **options):
    """Return a line through a panel, from one share of its height up to another."""
    place = dict(xref=f"x{panel}", yref=f"y{panel} domain", x0=x, x1=x, y0=y0, y1=y1)
    return dict(type="line", line=dict(color=color, width=width, dash=dash), **place, **options)


def horizontal(y, panel="", *, color=GRAY, width=2, dash="dot", **options):
    """Return a line across a panel, from its left to its right."""
    place = dict(xref=f"x{panel} domain", yref=f"y{panel}", x0=0, x1=1, y0=y, y1=y)
    return dict(type="line", line=dict(color=color, width=width, dash=dash), **place, **options)


def box(x, y, *, fill=None, line=None, **place):
    """Return a rectangle from x[0] to x[1] and from y[0] to y[1]."""
    (x0, x1), (y0, y1) = x, y
    shape = dict(type="rect", x0=x0, x1=x1, y0=y0, y1=y1, line=line or dict(width=0), **place)
    return shape | (dict(fillcolor=fill, layer="below") if fill else {})


def unreachable(x, y, **axes):
    """Return a trace that fills a rectangle, given as that of a box: nothing can be there."""
    (x0, x1), (y0, y1) = rounded(x), y
    corners = [x0, x0, x1, x1], [y0, y1, y1, y0]
    look = dict(line=dict(width=0), fill="toself", fillcolor=NOWHERE)
    return scatter(*corners, **look, **axes)


def dot(color, words=""):
    """Return a dot as a key in a text, with words in its color."""
    return f'<span style="color:{color}">●{words}</span>'


def no_order_here(x, y, **place):
    """Return the words for the middle of what `unreachable` fills below the floor of a list."""
    look = dict(xanchor="center", yanchor="middle")
    return note("no order<br>can be here", x=x, y=y, **look, **place)


def hatching(shape, color):
    """Return thin strokes on bars, where a shape is given; they say it without color."""
    return dict(shape=shape, fgcolor=color, size=8, solidity=0.18, fgopacity=1)


def cutoff_marks(x, label, panels=("",)):
    """Return the cutoff as a gray line with its name, as shapes and annotations of a layout.

    Of the panels "" is the first, "2" the second.
    """
    corner = dict(x=x, xanchor="left", y=1, yanchor="top", bgcolor=HALF_WHITE)
    return dict(
        shapes=[vertical(x, panel) for panel in panels],
        annotations=[
            note(label, color="#555555", xref=f"x{panel}", yref=f"y{panel} domain", **corner)
            for panel in panels
        ],
    )


def tick_step(top, most):
    """Return the whole step that makes at most so many ticks up to the top."""
    return next((step for step in STEPS if top <= most * step), 10**9)
