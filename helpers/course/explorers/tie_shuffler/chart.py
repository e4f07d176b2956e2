"""The chart of notebook *ties*: one list with tied scores, and what its orders score."""

import textwrap
from typing import NamedTuple

from helpers.figures.marks import UPRIGHT, beside, box, cutoff_marks, hatching, note
from helpers.figures.numbers import cells, rounded
from helpers.figures.style import (
    BLUE,
    GRAY,
    GREEN,
    IDEAL,
    INK,
    ON_THE_RIGHT,
    PALE_BLUE,
    PURPLE,
    VERMILLION,
    frame,
    scatter,
    side_by_side,
)

FEW_BARS = 8  # so many have room for names and numbers; more show their grades only
LABEL_LETTERS = 17  # of a line beside the right panel
LABEL_LINE = 0.11  # its height, in heights of the panel
SHARED, OWN = "/", ""  # the pattern of a bar says it without color


class RankedList(NamedTuple):
    """A list under one convention for ties, called `name`, rank by rank; `k` ranks count.

    `contributions` are what the ranks add to the DCG; `groups` the first and last rank of each
    group of equal scores, from 1, where a document without a tie is a group of one; `shared`
    says whether a tied group shares its ranks: each then adds the mean gain x its discount.
    `top`, the most that one rank can add in any order, sets the scale. `draw` is the number of
    the draw, where this is a random order.
    """

    name: str
    ndcg: float
    k: int
    ids: list
    grades: list
    contributions: list
    groups: list
    shared: bool
    top: float
    draw: int | None = None

    @property
    def tied(self):
        """First and last rank of each group that has more than one document."""
        return [(first, last) for first, last in self.groups if first < last]


class Outcomes(NamedTuple):
    """NDCG of one list under each convention, and of the random orders so far."""

    file: float
    reversed: float
    best: float
    worst: float
    average: float
    draws: list
    mean: float | None  # of the draws; None without any
    standard_error: float | None  # of this mean; None below two draws
    running: tuple  # numbers of draws, and the mean of so many

    @property
    def matter(self):
        """Whether one order scores another value than another, to three digits."""
        return f"{self.best:.3f}" != f"{self.worst:.3f}"

    @property
    def hidden(self):
        """Whether only the list shown may tell its value: nothing is drawn yet."""
        return self.matter and not len(self.draws)


def tied_orders(ranked, outcomes, *, remark=""):
    """Show a list with tied scores, and the NDCG of its random orders.

    Left: what each rank adds to the DCG; tied groups stand in a dashed frame, and hatched bars
    share the mean gain of their group. Right: a dot for each random order, their mean so far,
    and the conventions as lines; before the first draw only the one on the left, for a reader
    who has bet what they give. `remark` is a sentence to say first, for instance how the scores
    were rounded.
    """
    axes = side_by_side(0.54, gap=0.14)
    axes["xaxis"] |= _rank_axis(ranked)
    axes["yaxis"] |= dict(title_text="contribution", range=[0, 1.35 * ranked.top])
    axes["xaxis2"] |= dict(title_text="random draw", range=[0, _last_draw(outcomes)])
    axes["yaxis2"] |= dict(title_text=f"NDCG@{ranked.k}", range=rounded(_range(outcomes)))
    marks = _cutoff(ranked)
    layout = dict(
        shapes=[*_frames(ranked), *marks["shapes"], _possible(outcomes)],
        annotations=[*_names(ranked), *marks["annotations"], *_values(ranked, outcomes)],
        **axes,
    )
    return frame(
        ([_bars(ranked), *_right_panel(ranked, outcomes)], layout),
        title=_finding(ranked, outcomes),
        sentence=_sentence(ranked, outcomes, remark),
        table=_table(ranked, outcomes),
        margin=dict(r=142),
        legend_at=dict(x=1.2, xanchor="right", font_size=14),
    )


# --- left: the list -------------------------------------------------------------------


def _bars(ranked):
    values = rounded(ranked.contributions)
    few = len(values) <= FEW_BARS
    patterns = [SHARED if ranked.shared and first < last else OWN for first, last in _of(ranked)]
    return dict(
        type="bar",
        x=list(range(1, len(values) + 1)),
        y=values,
        name="contribution",
        showlegend=False,
        marker=dict(
            color=[PALE_BLUE if pattern == SHARED else BLUE for pattern in patterns],
            line=dict(color=BLUE, width=[1.5 if value else 0 for value in values]),
            pattern=hatching(patterns, BLUE),
        ),
        text=[_short(value) for value in values] if few else None,
        textfont=dict(size=14, color=INK),
        **UPRIGHT,
        hovertemplate="rank %{x}: %{y:.4f}<extra></extra>",
    )


def _short(value):
    return "0" if value == 0 else f"{value:.3f}"


def _of(ranked):
    """Return for each rank the group it lies in."""
    return [group for group in ranked.groups for _ in range(group[0], group[1] + 1)]


def _rank_axis(ranked):
    """Write below each rank its document; below a shared group its mean grade."""
    few = len(ranked.ids) <= FEW_BARS
    label = _named if few else _graded
    groups = ranked.groups if ranked.shared else [(i + 1, i + 1) for i in range(len(ranked.ids))]
    mean = " (tied: the mean)" if ranked.shared and ranked.tied else ""
    what = "documents and grades, rank by rank" if few else f"grades, rank by rank{mean}"
    return dict(
        tickvals=[(first + last) / 2 for first, last in groups],
        ticktext=[label(ranked, first, last) for first, last in groups],
        tickangle=0,
        tickfont_size=15,
        range=[0.4, len(ranked.ids) + 0.6],
        title_text=what,
        title_font_size=15,
    )


def _graded(ranked, first, last):
    return f"{sum(ranked.grades[first - 1 : last]) / (last - first + 1):.3g}"


def _named(ranked, first, last):
    mean = "mean " if first < last else ""
    names = ", ".join(ranked.ids[first - 1 : last])
    return f"{names}<br>{mean}{_graded(ranked, first, last)}"


def _frames(ranked):
    """Return a frame for each tied group, over its ranks."""
    look = dict(fill="#F2F2F2", line=dict(color=GRAY, width=1.5, dash="dash"))
    place = dict(xref="x", yref="y domain")
    return [
        box((first - 0.45, last + 0.45), (0, 1), **look, **place) for first, last in ranked.tied
    ]


def _names(ranked):
    """Name the frames, and say above the panel what it shows."""
    size = 15 if len(ranked.ids) <= FEW_BARS else 13
    top = dict(xref="x", y=1, yref="y domain", yanchor="top")
    tied = [note("tied", size=size, x=(first + last) / 2, **top) for first, last in ranked.tied]
    corner = dict(x=0, xref="x domain", xanchor="left", y=1, yref="y domain", yanchor="bottom")
    value = f"NDCG@{ranked.k} <b>{ranked.ndcg:.3f}</b>"
    return [*tied, note(f"{ranked.name}: {value}", size=16, yshift=6, **corner)]


def _cutoff(ranked):
    """Mark the cutoff, its name below those of the frames; nothing where all ranks count."""
    if ranked.k == len(ranked.ids):
        return dict(shapes=[], annotations=[])
    return cutoff_marks(ranked.k + 0.5, f"k = {ranked.k}", yshift=-22)


# --- right: the orders ----------------------------------------------------------------


def _right_panel(ranked, outcomes):
    """Return the traces, the average above the dots and the mean that comes near it."""
    traces = [
        _level("reversed file order", outcomes.reversed, outcomes, PURPLE, "longdash", 1.5),
        _level("file order", outcomes.file, outcomes, GREEN, "dashdot", 1.5),
        _dots(outcomes),
        _running_mean(outcomes),
        _level("average of all orders", outcomes.average, outcomes, IDEAL.color, IDEAL.dash, 2.5),
        *_ring(ranked, outcomes),
    ]
    others = {"reversed file order", "file order", "average of all orders"} - {ranked.name}
    return [trace for trace in traces if not (outcomes.hidden and trace["name"] in others)]


def _level(name, value, outcomes, color, dash, width):
    return scatter(
        [0, _last_draw(outcomes)],
        rounded([value] * 2),
        name,
        **ON_THE_RIGHT,
        showlegend=False,
        line=dict(color=color, dash=dash, width=width),
        hover=f"{name}: %{{y:.4f}}",
    )


def _last_draw(outcomes):
    """Return where the panel ends: with few draws there is room for ten."""
    return 1.03 * max(10, len(outcomes.draws))


def _dots(outcomes):
    many = len(outcomes.draws) > 200
    return dict(
        type="scatter",
        **ON_THE_RIGHT,
        x0=1,  # and so on: the numbers of 2000 draws need not be sent
        dx=1,
        y=rounded(outcomes.draws, 4) or [None],  # for the legend
        name="one random order",
        mode="markers",
        marker=dict(color=BLUE, size=5 if many else 7, opacity=0.4 if many else 0.8),
        hovertemplate="draw %{x}: %{y:.4f}<extra></extra>",
    )


def _running_mean(outcomes):
    counts, means = outcomes.running
    return scatter(
        counts or [None],
        means or [None],
        "their mean so far",
        **ON_THE_RIGHT,
        line=dict(color=VERMILLION, width=3),
        hover="mean of %{x}: %{y:.4f}",
    )


def _ring(ranked, outcomes):
    """Return a ring around the last dot, where that order is the list on the left."""
    if ranked.draw is None:
        return []
    return [
        scatter(
            [ranked.draw],
            rounded([outcomes.draws[ranked.draw - 1]]),
            ranked.name,
            **ON_THE_RIGHT,
            showlegend=False,
            marker=dict(color=INK, symbol="circle-open", size=15, line=dict(width=2.5)),
            cliponaxis=False,
            hover="%{y:.4f}",
        )
    ]


def _possible(outcomes):
    """Shade what is possible."""
    look = dict(fill="#F2F2F2", line=dict(color=GRAY, width=1))
    values = rounded([outcomes.worst, outcomes.best])
    return box((0, 1), values, **look, xref="x2 domain", yref="y2")


def _values(ranked, outcomes):
    """Write the value of each line beside it."""
    low, high = _range(outcomes)
    values, texts = zip(*_labels(ranked, outcomes), strict=True)
    edge = dict(x=1, xref="x2 domain", xshift=4, yref="y2", align="left", size=14)
    return beside(texts, values, LABEL_LINE * (high - low), low, high, **edge)


def _range(outcomes):
    """Return the values the right panel spans: all that are possible, and some room."""
    middle = (outcomes.best + outcomes.worst) / 2
    half = max(0.6 * (outcomes.best - outcomes.worst), 0.1)
    return max(middle - half, -0.04), min(middle + half, 1.04)


def _labels(ranked, outcomes):
    """Return (value, text), the highest first; equal ones, to three digits, are one."""
    if outcomes.hidden:
        return [(ranked.ndcg, _label(f"{ranked.ndcg:.3f}", [ranked.name]))]
    if not outcomes.matter:
        return [(outcomes.average, f"<b>{outcomes.average:.3f}</b> every order")]
    named = {
        "best": outcomes.best,
        "file\N{NO-BREAK SPACE}order": outcomes.file,
        "average": outcomes.average,
        "reversed": outcomes.reversed,
        "worst": outcomes.worst,
    }
    merged = {}
    for name in sorted(named, key=named.get, reverse=True):
        merged.setdefault(f"{named[name]:.3f}", []).append(name)
    return [(named[names[0]], _label(text, names)) for text, names in merged.items()]


def _label(text, names):
    lines = textwrap.wrap(f"{text} {', '.join(names)}", LABEL_LETTERS)
    return "<br>".join(lines).replace(text, f"<b>{text}</b>", 1)


# --- the words ------------------------------------------------------------------------


def _finding(ranked, outcomes):
    average, n = f"{outcomes.average:.3f}", len(outcomes.draws)
    if not ranked.tied:
        return f"No two scores are equal: NDCG@{ranked.k} is {average} whatever the file order"
    if not outcomes.matter:
        return f"Here the ties change nothing: every order gives {average}"
    if n == 0:
        shown = ranked.name[0].upper() + ranked.name[1:]
        return f"{shown}: NDCG@{ranked.k} is {ranked.ndcg:.3f}; no random order drawn yet"
    if n == 1:
        return f"1 random order gives {outcomes.mean:.3f}; all orders average {average}"
    return (
        f"{n} random orders: mean {outcomes.mean:.3f}, "
        f"standard error {outcomes.standard_error:.4f}; all orders: {average}"
    )


def _sentence(ranked, outcomes, remark):
    parts = [f"Shown: {ranked.name}, NDCG@{ranked.k} = {ranked.ndcg:.4f}."]
    if outcomes.hidden:
        parts.append("No random order is drawn yet.")
    else:
        parts.append(
            f"File order {outcomes.file:.4f}, reversed {outcomes.reversed:.4f}; "
            f"best {outcomes.best:.4f}, worst {outcomes.worst:.4f}; "
            f"all orders average {outcomes.average:.4f}."
        )
    if len(outcomes.draws) == 1:
        parts.append(f"1 random order gives {outcomes.mean:.4f}.")
    elif len(outcomes.draws):
        parts.append(
            f"{len(outcomes.draws)} random orders average {outcomes.mean:.4f} "
            f"(standard error {outcomes.standard_error:.4f})."
        )
    return " ".join([remark, *parts] if remark else parts)


def _table(ranked, outcomes):
    rows = [
        ["file order", outcomes.file, None],
        ["reversed file order", outcomes.reversed, None],
        ["best order", outcomes.best, None],
        ["worst order", outcomes.worst, None],
        ["average of all orders", outcomes.average, None],
    ]
    if outcomes.hidden:
        rows = [row for row in rows if row[0] == ranked.name]
    n = len(outcomes.draws)
    if n:
        name = "1 random order" if n == 1 else f"mean of {n} random orders"
        rows.append([name, outcomes.mean, outcomes.standard_error])
    return ("orders", f"NDCG@{ranked.k}", "standard error"), [
        [name, *cells(values)] for name, *values in rows
    ]
