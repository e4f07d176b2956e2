"""The picture of *All 120 orders*: a dot for each order, the levels as lines."""

from typing import NamedTuple

from helpers.marks import box, dot, no_order_here, note, unreachable, vertical
from helpers.numbers import rounded
from helpers.style import (
    BLACK,
    BLUE,
    GRAY,
    GREEN,
    INK,
    ON_THE_RIGHT,
    PALE_BLUE,
    PALE_GRAY,
    PURPLE,
    VERMILLION,
    frame,
    side_by_side,
)

LOOKS = {
    "random": (GREEN, "dot"),
    "pinned": (BLACK, "dash"),
    "yours": (VERMILLION, "solid"),
    "floor": (PURPLE, "longdash"),
}
DOTS = {"lower": (PALE_GRAY, 8), "reaching": (BLUE, 8), "yours": (VERMILLION, 11)}
ROW = 0.085  # height of a label, in heights of the panel
TOP = 1 - len(LOOKS) * ROW  # of the highest dot
SHARE, GAP = 0.24, 0.05  # of the list, and between it and the dots
LONGEST = 17  # letters of a title that fit into the list
WIDE = 0.25  # of what lies below the floor, to have words in it
FEW = 6  # distinct values whose orders are counted above their piles


class Survey(NamedTuple):
    """All orders of a list at one cutoff, gain and discount.

    `rows` are the list: title, grade, and whether it ties with the row above. `dots` are the NDCG
    of the orders with their levels in a pile, `mine` which of them the list allows: one, or
    several where scores are tied; `levels` the values with a line, by name; `reaching` which of
    the orders score at least as well; `values` the distinct NDCG, falling, with the number of
    their orders and one of them, as grades.
    """

    rows: list
    k: int
    dots: list
    mine: list
    levels: dict
    reaching: list
    values: list

    @property
    def reach(self):
        """How many orders score at least as well."""
        return sum(self.reaching)


def order_dots(survey, sentence):
    """Show the list, and each order as a dot: yours orange, blue what scores at least as well."""
    tallest = max(level for _, level in survey.dots) + 1
    names = [
        "yours" if is_mine else "reaching" if is_reaching else "lower"
        for is_mine, is_reaching in zip(survey.mine, survey.reaching, strict=True)
    ]
    floor = survey.levels["floor"]
    traces = [unreachable((0, floor), (0, tallest), **ON_THE_RIGHT)]
    for name, (color, size) in DOTS.items():
        dots = [dot for dot, group in zip(survey.dots, names, strict=True) if group == name]
        marker = dict(color=color, size=size, line=dict(color="white", width=1))
        places = dict(x=rounded(x for x, _ in dots), y=[level + 0.5 for _, level in dots])
        look = dict(type="scatter", mode="markers", name=name, marker=marker, meta="pile")
        traces.append(look | places | ON_THE_RIGHT)
    mine = [level for (_, level), own in zip(survey.dots, survey.mine, strict=True) if own]
    start = (mine[0] + 0.5) * TOP / tallest if len(mine) == 1 else 0  # in its dot
    lines, names = _levels(survey.levels, round(start, 4))
    if floor > WIDE:
        place = dict(xref="x2", yref="y2 domain")
        names.append(no_order_here(round(floor / 2, 6), TOP / 2, **place))
    boxes, words = _list(survey)
    layout = side_by_side(SHARE, GAP) | dict(
        shapes=[*boxes, *lines],
        annotations=[*words, *names, *_counts(survey, tallest)],
    )
    n = len(survey.rows)
    layout["xaxis"] |= dict(range=[0, 1], visible=False)
    layout["yaxis"] |= dict(range=[n + 0.5, 0.5], visible=False)
    layout["xaxis2"] |= dict(
        title_text=f"NDCG@{survey.k}: {dot(BLUE)} no worse, {dot(PALE_GRAY)} worse; "
        "1 is the ideal",
        range=[-0.02, 1.02],
        dtick=0.2,
    )
    layout["yaxis2"] |= dict(range=[0, tallest / TOP], visible=False)
    return frame(
        (traces, layout),
        title=f"{survey.reach} of {len(survey.dots)} orders score at least as well as this one",
        sentence=sentence,
        table=_table(survey),
        legend=False,
        margin=dict(l=24, t=72),
    )


def _levels(levels, start):
    """Return a line up to its name for each level, the highest first; yours begins at a height."""
    lines, names = [], []
    for row, (name, value) in enumerate(levels.items()):
        (color, dash), y, x = LOOKS[name], 1 - (row + 0.5) * ROW, round(value, 6)
        ends = dict(y0=start if name == "yours" else 0, y1=y + ROW / 2)
        lines.append(vertical(x, "2", color=color, dash=dash, width=2.5, **ends))
        side = dict(xanchor="right", xshift=-5) if value > 0.6 else dict(xanchor="left", xshift=5)
        place = dict(x=x, y=round(y, 4), xref="x2", yref="y2 domain", bgcolor="white")
        names.append(note(f"{name} <b>{value:.4f}</b>", yanchor="middle", **place, **side))
    return lines, names


def _list(survey):
    """Return the rows of the list, each with a bar for its grade, and its words."""
    boxes, words = [], []
    most = max(grade for _, grade, _ in survey.rows)
    for rank, (title, grade, is_tied) in enumerate(survey.rows, start=1):
        high = (rank - 0.4, rank + 0.4)
        boxes.append(box((0, grade / most), high, fill=PALE_BLUE))
        boxes.append(box((0, 1), high, line=dict(color=GRAY, width=1)))
        if is_tied:
            boxes.append(box((0, 0.02), (rank - 1, rank), line=dict(color=BLUE, width=5)))
        short = title if len(title) <= LONGEST else f"{title[: LONGEST - 1].rstrip()}…"
        middle = dict(y=rank, xref="x", yref="y", yanchor="middle")
        words.append(note(f"{rank}. {short}", x=0.05, xanchor="left", **middle))
        words.append(note(f"<b>{grade}</b>", x=0.96, xanchor="right", **middle))
    if survey.k < len(survey.rows):
        place = dict(x0=-0.04, x1=1.04, y0=survey.k + 0.5, y1=survey.k + 0.5)
        boxes.append(dict(type="line", line=dict(color=INK, width=2, dash="dot"), **place))
    words.append(note("grade", x=0.96, xanchor="right", y=1, yref="y domain", yanchor="bottom"))
    return boxes, words


def _counts(survey, tallest):
    """Return how many orders there are of each value, above their pile, where values are few."""
    if len(survey.values) > FEW:
        return []
    place = dict(xref="x2", yref="y2", yanchor="bottom", bgcolor="white")
    return [note(str(n), x=value, y=n + 0.02 * tallest, **place) for value, n, _ in survey.values]


def _table(survey):
    levels = [[name, round(value, 4), None] for name, value in survey.levels.items()]
    counts = [
        ["orders that score at least as well", None, survey.reach],
        ["all orders", None, len(survey.dots)],
    ]
    values = [[f"such as {order}", round(value, 4), n] for value, n, order in survey.values]
    return ("what", f"NDCG@{survey.k}", "orders"), [*levels, *counts, *values]
