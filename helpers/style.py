"""Colors, fonts and the frame that every figure of the course shares.

Blue and vermillion are Okabe and Ito's. Green, purple and the gray of a fifth series are
chosen so that any two of the five stay apart for readers with each of three kinds of color
vision, in light and in hue, and each has at least 3:1 against white. Color never stands
alone: each role has its own dash and marker.
"""

import functools
import textwrap
from typing import NamedTuple

from coursekit.figure import Chart
from helpers.numbers import rounded
from ndcglib.metrics.checks import check_count, check_text

INK = "#222222"
GRID = "#E3E3E3"
GRAY = "#767676"  # lines and marks that only help to read
PALE_GRAY = "#949494"  # as pale as can be told from white
BLUE = "#0072B2"
PALE_BLUE = "#CFE5F2"
VERMILLION = "#D55E00"
DARK_VERMILLION = "#A33F00"  # of words, which need more contrast than marks
GREEN = "#0C5C3C"
PURPLE = "#B51C79"
BLACK = "#000000"

FONT = "Open Sans, Segoe UI, Helvetica, Arial, DejaVu Sans, sans-serif"
TITLE_CHARACTERS = 62
WORDS = frozenset(("title", "measure", "metric", "name", "x_title"))  # arguments that are text
MANY_POINTS = 12
TOGETHER = "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"


class Look(NamedTuple):
    """How one series is drawn, so that it can be told apart without color."""

    color: str
    dash: str
    symbol: str


YOURS = Look(BLUE, "solid", "circle")
IDEAL = Look(BLACK, "dash", "")  # bare: marks on its dashes look like a mistake
OTHERS = (
    Look(BLUE, "solid", "circle"),
    Look(VERMILLION, "dot", "square"),
    Look(GREEN, "dashdot", "diamond"),
    Look(PURPLE, "longdash", "triangle-up"),
    Look("#86909B", "longdashdot", "x"),
)

ON_THE_RIGHT = dict(xaxis="x2", yaxis="y2")  # of a trace


@functools.cache
def _template():
    """Return the course's template: one small dict instead of plotly's 6.5 kB."""
    axis = dict(
        showline=True,
        linecolor=INK,
        ticks="outside",
        tickcolor=INK,
        gridcolor=GRID,
        zeroline=False,
        automargin=True,
        title=dict(standoff=12, font=dict(size=16)),
    )
    return dict(
        layout=dict(
            font=dict(family=FONT, size=16, color=INK),
            title=dict(x=0, xref="container", xanchor="left", font=dict(size=20, weight=600)),
            colorway=[look.color for look in OTHERS],
            paper_bgcolor="white",
            plot_bgcolor="white",
            hoverlabel=dict(font=dict(size=16)),
            xaxis={**axis, "showgrid": False},
            yaxis=axis,
        )
    )


def frame(figure, *, title, sentence, table, height=440, legend=True, legend_at=None, margin=None):
    """Return traces and layout as a chart: with a title, a place for a legend, words.

    The sentence says the numbers; the table is (header, rows). The title is the finding in
    words, or its lines where a chart is narrow; `legend_at` and `margin` are what is different
    from a legend above on the left, and from the usual room.
    """
    lines = _balanced(title) if isinstance(title, str) else list(title)
    head = 18 + 26 * len(lines)
    legend_room = 36 if legend else 12
    header, rows = table
    above = dict(orientation="h", x=0, y=1, yanchor="bottom", xanchor="left")
    traces, layout = figure
    layout = {key: part for key, part in layout.items() if part != []} | {
        "height": height,
        "showlegend": legend,
        "title": dict(
            text="<br>".join(lines), y=1 - 38 / height, yref="container", yanchor="bottom"
        ),
        "legend": above | (legend_at or {}),
        "margin": dict(l=64, r=24, t=head + legend_room, b=64) | (margin or {}),
    }
    layout = {key: _written_out(part) for key, part in layout.items()}
    layout["template"] = _template()
    return Chart(traces, layout, sentence, list(header), list(map(list, rows)))


def _balanced(title):
    """Return the lines of a title, as few as can be and of nearly one length.

    No line ends within an equation such as k = 1.
    """
    lines = _wrapped(title, TITLE_CHARACTERS)
    if len(lines) < 2:
        return lines
    widths = range(len(title) // len(lines), TITLE_CHARACTERS + 1)
    tries = (_wrapped(title, width) for width in widths)
    return next(found for found in tries if len(found) == len(lines))


def _wrapped(title, width):
    kept = title.replace(" = ", TOGETHER)
    return [line.replace(TOGETHER, " = ") for line in textwrap.wrap(kept, width)]


def words_checked(draw):
    """Return a function that draws, with those of its arguments checked that are text."""

    @functools.wraps(draw)
    def checked(*args, **options):
        for name in WORDS & options.keys():
            if options[name] is not None or (draw.__kwdefaults__ or {}).get(name, "") is not None:
                check_text(options[name], name)
        return draw(*args, **options)

    return checked


def _written_out(part):
    """Write out short names such as `title_text`, as plotly's checks would."""
    if not isinstance(part, dict):
        return part
    whole = {}
    for key, value in part.items():
        name, _, rest = key.partition("_")
        whole[name] = {**whole.get(name, {}), **_written_out({rest: value})} if rest else value
    return whole


def metric_name(k):
    """Return what the metric is called, with its cutoff if there is one."""
    return "NDCG" if k is None else f"NDCG@{check_count(k, 'k', ' or None')}"


def side_by_side(share=0.5, gap=0.12):
    """Return the axes of two panels, the left one with this share of the width."""
    left = (1 - gap) * share
    return dict(
        xaxis=dict(anchor="y", domain=[0, left]),
        yaxis=dict(anchor="x"),
        xaxis2=dict(anchor="y2", domain=[left + gap, 1]),
        yaxis2=dict(anchor="x2"),
    )


def scatter(x, y, name=None, *, hover="", **options):
    """Return points, a line or words, as plotly takes a trace: its mode is what has a look.

    `hover` is said of a point under the mouse, by default nothing; the options are ``line``,
    ``marker`` or ``text``, and what else plotly is told.
    """
    modes = dict(line="lines", marker="markers", text="text")
    mode = "+".join(mode for look, mode in modes.items() if look in options)
    told = dict(hovertemplate=f"{hover}<extra></extra>") if hover else dict(hoverinfo="skip")
    named = {} if name is None else dict(name=name)
    return dict(type="scatter", x=x, y=y, **named, mode=mode, **options, **told)


def slopes(pairs, name, **options):
    """Return a line for each pair of values, from 0 to 1, as one trace with gaps."""
    y = [value for pair in pairs for value in (*pair, None)]
    return scatter([0, 1, None] * len(pairs), y, name, **options)


def line(x, y, name, look, **options):
    """Return one curve with markers in the given look; plain lists keep it readable.

    Long curves get small markers, so that they do not cover each other.
    """
    size = 9 if len(x) <= MANY_POINTS else 6
    marker = dict(symbol=look.symbol, size=size, color=look.color)
    return dict(
        type="scatter",
        x=list(x),
        y=rounded(y),
        name=name,
        mode="lines+markers" if look.symbol else "lines",
        line=dict(color=look.color, dash=look.dash, width=options.pop("width", 3)),
        **(dict(marker=marker) if look.symbol else {}),
        **options,
    )


def rank_ticks(n):
    """Return all of 1 to n where they are few, else 1, 5, 10 and so on."""
    step = 5 if n <= 50 else 10 * (1 + n // 200)
    return [i for i in range(1, n + 1) if n <= MANY_POINTS or i == 1 or i % step == 0]
