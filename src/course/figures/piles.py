"""A pile of dots for each of several lists: the NDCG of their orders, and what reaches a value."""

from html import escape
from typing import NamedTuple

import numpy as np

from helpers.marks import box, no_order_here, note, unreachable, vertical
from helpers.numbers import rounded
from helpers.style import BLUE, GREEN, INK, PALE_GRAY, VERMILLION, frame, scatter, words_checked
from ndcglib.metrics.checks import SAME_VALUE, as_number, brief, check_entries
from ndcglib.metrics.permutations import Orders

MOST_LISTS = 4
MOST_DOTS = 120  # of a list, one for each order; where there are more orders, a dot for 1 in 100
DOT = 9  # pixels across, with its rim
WIDE = 0.0115  # of a dot, in NDCG, where a figure is as wide as on the pages
ABOVE, BELOW = 4, 5.4  # room for a name and for the random level, in dots
THIN = 0.12  # of the axis below a pile, half of its height in dots
AROUND = 132  # pixels above and below the piles
PLACE = dict(xref="x", yref="y")
INSIDE = 0.2  # of what lies below the floor, to have words in it


class Pile(NamedTuple):
    """The orders of one list, as dots.

    `below` and `reached` are the dots on either side of the marked value, each as its middle, in
    NDCG, and its level in a stack, from 0; `share` says how many of all orders reach the value.
    """

    name: str
    below: list
    reached: list
    share: str
    worst: float
    average: float


@words_checked
def order_piles(orders, *, title, marked):
    """Show for each list where its orders lie from 0 to 1, as dots, and which reach a value.

    Parameters
    ----------
    orders : dict of str to Orders
        Name of a list to its orders, as `all_orders` returns them; at most 4. The first
        stands on top.
    title : str
        The finding.
    marked : float
        A value from 0 to 1 to compare all of them with: a line goes through the piles, and
        the orders that reach it are blue.

    Returns
    -------
    Chart
        With a dot for each order where no list has more than 120 of them, and else with a
        dot for each hundredth part of them.

    Raises
    ------
    TypeError, ValueError
        If there is no list, one of them is not of `all_orders`, or `marked` is outside.

    Notes
    -----
    Taught in notebooks *gain_discounted* and *floors*. Dots for equal parts of a distribution
    can be counted: Kay, Kola, Hullman and Munson (CHI 2016, doi 10.1145/2858036.2858558).
    """
    check_entries(orders, "orders", MOST_LISTS)
    for name, found in orders.items():
        if not isinstance(found, Orders):
            raise TypeError(
                f"orders[{name!r}] must be the orders of a list, all_orders(grades), "
                f"got {brief(found)}"
            )
    marked = abs(as_number(marked, "marked", " from 0 to 1", lambda value: 0 <= value <= 1))
    has_all = all(map(have_a_dot_each, orders.values()))
    piles = [_pile(name, found, has_all, marked) for name, found in orders.items()]
    heights = [ABOVE + BELOW + 1 + max(y for _, y in pile.below + pile.reached) for pile in piles]
    bottoms = np.cumsum([0, *heights[:0:-1]])[::-1].tolist()
    parts = [_drawn(pile, *at) for pile, *at in zip(piles, bottoms, heights, strict=True)]
    shapes, words = ([mark for part in parts for mark in part[i]] for i in (1, 2))
    layout = dict(
        shapes=[
            *shapes,
            vertical(round(marked, 6), color=VERMILLION, dash="solid", layer="below"),
        ],
        annotations=[*words, _number(marked)],
        xaxis=dict(
            title_text=f"NDCG; a dot is {'one order' if has_all else 'one order in a hundred'}",
            range=[-0.02, 1.04],
            dtick=0.2,
        ),
        yaxis=dict(range=[0, sum(heights)], visible=False),
    )
    return frame(
        ([trace for part in parts for trace in part[0]], layout),
        title=title,
        sentence=_sentence(piles, marked),
        table=(
            ("list", "floor", "random level", f"orders that reach {marked:.4g}"),
            [[p.name, f"{p.worst:.4f}", f"{p.average:.4f}", p.share] for p in piles],
        ),
        height=round(AROUND + DOT * sum(heights)),
        legend=False,
        margin=dict(l=24),
    )


def have_a_dot_each(orders):
    """Return whether each of these orders is drawn as a dot, or each hundredth part of them."""
    return orders.exact and orders.total <= MOST_DOTS


def _pile(name, orders, has_all, marked):
    """Return the orders of a list as dots: all of them, or one for each hundredth part."""
    values, shares = orders.levels()
    n_dots = orders.total if has_all else 100
    middles = (np.arange(n_dots) + 0.5) / n_dots
    dots = values[np.searchsorted(np.cumsum(shares) - SAME_VALUE, middles)]
    first = int(np.searchsorted(dots, marked - SAME_VALUE))
    return Pile(
        name=str(name),
        below=_stacked(dots[:first].tolist()),
        reached=_stacked(dots[first:].tolist()),
        share=f"{n_dots - first} of {n_dots}" if has_all else _percent(orders.share_of(marked)),
        worst=float(values[0]),
        average=float(values @ shares),
    )


def _percent(share):
    return f"{100 * share:.3g}%"


def _stacked(values):
    """Return where each dot stands: those within a dot's width of the lowest are one stack."""
    places = []
    while len(places) < len(values):
        rest = values[len(places) :]
        stack = [value for value in rest if value < rest[0] + WIDE]
        middle = (stack[0] + stack[-1]) / 2
        places += [(middle, level) for level in range(len(stack))]
    return places


def _drawn(pile, bottom, height):
    """Return the dots of a pile, the shapes and the words that belong to it."""
    base = bottom + BELOW
    floor, top = round(pile.worst - WIDE / 2, 6), bottom + height - ABOVE
    has_words = pile.worst > INSIDE
    groups = ((pile.below, PALE_GRAY), (pile.reached, BLUE))
    traces = [unreachable((0, floor), (base + THIN, top))] if has_words else []
    traces += [
        scatter(
            rounded(x for x, _ in places),
            [base + level + 0.5 for _, level in places],
            marker=dict(size=DOT, color=color, line=dict(color="white", width=1)),
            meta="pile",
        )
        for places, color in groups
        if places
    ]
    at_average = dict(x=[round(pile.average, 6)], y=[base - 0.8])
    traces.append(scatter(**at_average, marker=dict(symbol="triangle-up", size=11, color=GREEN)))
    random = f"random <b>{pile.average:.3f}</b>"
    words = [
        _beside(f"<b>{escape(pile.name)}</b>: {pile.share} reach the line", 0, top + 2.2),
        _beside(random, pile.average, base - 3.2, "center", bgcolor="white"),
    ]
    if has_words:
        words.append(no_order_here(round(floor / 2, 6), round((base + top) / 2, 4), **PLACE))
    axis = box((0, 1), (base - THIN, base + THIN), fill=INK, **PLACE)
    return traces, [axis], words


def _beside(text, x, y, anchor="left", **look):
    look |= dict(xanchor=anchor, yanchor="middle")
    return note(text, x=round(x, 6), y=round(y, 4), **PLACE, **look)


def _number(marked):
    """Return the number of the line, on its side that has room."""
    side = dict(xanchor="right", xshift=-6) if marked > 0.5 else dict(xanchor="left", xshift=6)
    place = dict(x=round(marked, 6), xref="x", y=1, yref="y domain", yanchor="top")
    return note(f"<b>{marked:.4g}</b>", **place, **side)


def _sentence(piles, marked):
    said = "; ".join(
        f"{pile.name} {pile.share} (floor {pile.worst:.3f}, random level {pile.average:.3f})"
        for pile in piles
    )
    return f"Orders that reach the line at {marked:.4g}: {said}."
