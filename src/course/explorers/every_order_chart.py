"""The picture of *All 120 orders*: a dot for each order, the levels as lines."""

from typing import NamedTuple

from helpers.marks import note, vertical
from helpers.numbers import rounded
from helpers.style import BLACK, GREEN, PURPLE, VERMILLION, frame

LOOKS = {
    "yours": (VERMILLION, "solid"),
    "pinned": (BLACK, "dash"),
    "random": (GREEN, "dot"),
    "floor": (PURPLE, "longdash"),
}
ROW = 0.085  # height of a label, in heights of the panel
TOP = 1 - len(LOOKS) * ROW  # of the highest dot


class Survey(NamedTuple):
    """All orders of a list at one cutoff, gain and discount.

    `dots` are the NDCG of the orders with their levels in a pile, `mine` which of them the
    list allows: one, or several where scores are tied; `levels` the values with a line, by name;
    `reach` how many orders score at least as well; `values` the distinct NDCG, falling, with the
    number of their orders and one of them, as grades.
    """

    k: int
    dots: list
    mine: list
    levels: dict
    reach: int
    values: list


def order_dots(survey, sentence):
    """Show each order as a dot on the scale of NDCG, those that are yours in orange."""
    tallest = max(level for _, level in survey.dots) + 1
    groups = {"orders": ("#9CC4DE", False, 8), "yours": (VERMILLION, True, 11)}
    traces = []
    for name, (color, wanted, size) in groups.items():
        pairs = zip(survey.dots, survey.mine, strict=True)
        dots = [dot for dot, is_mine in pairs if is_mine == wanted]
        marker = dict(color=color, size=size, line=dict(color="white", width=1))
        places = dict(x=rounded(x for x, _ in dots), y=[level + 0.5 for _, level in dots])
        traces.append(dict(type="scatter", mode="markers", name=name, marker=marker, **places))
    lines, names = [], []
    for row, (name, value) in enumerate(survey.levels.items()):
        (color, dash), y = LOOKS[name], 1 - (row + 0.5) * ROW
        lines.append(vertical(round(value, 6), color=color, dash=dash, width=2.5))
        side = dict(xanchor="right", xshift=-5) if value > 0.6 else dict(xanchor="left", xshift=5)
        text = f"{name} <b>{value:.4f}</b>"
        place = dict(x=round(value, 6), y=round(y, 4), xref="x", yref="y domain")
        names.append(note(text, yanchor="middle", **place, **side))
    layout = dict(
        shapes=lines,
        annotations=names,
        xaxis=dict(
            title_text=f"NDCG@{survey.k} of each order; 1 is the ideal",
            range=[-0.02, 1.02],
            dtick=0.2,
        ),
        yaxis=dict(range=[0, tallest / TOP], visible=False),
    )
    return frame(
        (traces, layout),
        title=f"{survey.reach} of {len(survey.dots)} orders score at least as well as this one",
        sentence=sentence,
        table=_table(survey),
        legend=False,
    )


def _table(survey):
    levels = [[name, round(value, 4), None] for name, value in survey.levels.items()]
    counts = [
        ["orders that score at least as well", None, survey.reach],
        ["all orders", None, len(survey.dots)],
    ]
    values = [[f"such as {order}", round(value, 4), n] for value, n, order in survey.values]
    return ("what", f"NDCG@{survey.k}", "orders"), [*levels, *counts, *values]
