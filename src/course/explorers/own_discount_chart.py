"""The charts of the explorer that lets you draw a discount: yours beside four others."""

import re
from html import escape
from typing import NamedTuple

from helpers.marks import box, hatching, note
from helpers.numbers import by_row, cells, rounded, with_and
from helpers.style import (
    BLUE,
    DARK_VERMILLION,
    GRAY,
    INK,
    ON_THE_RIGHT,
    VERMILLION,
    frame,
    scatter,
)

YOURS = "your discount"
GHOST, OWN = 0.8, 0.4  # thickness of the bars of a list, of the room of one rank
LIST, VALUES = [0.6, 1], [0, 0.49]  # panels, in shares of the height
ROOM = 1.18  # of the longest bar that there can be: your shares stand in a column at the right
SCALES = 0.5, 1.0  # where the axis of the shares may end
STARTS = 0.5, 0.0  # where that of the verdicts may start
LOWEST, MIDDLE, HIGHEST = (
    0.64,
    0.83,
    1.02,
)  # rank 1 alone gives the list an NDCG of 2/3, no discount less
# The first tick of an axis says what it shows, so that its name takes no height.
VALUE_TICKS = dict(tickvals=[0.7, 0.8, 0.9, 1], ticktext=["NDCG 0.7", "0.8", "0.9", "1"])
ROUND = [-7, 7], [-7, 7]
SIDES = "middle left", "middle right"
RAISED = re.compile(r"\^\((.*?)\)")
SPACE = "\N{NO-BREAK SPACE}" * 2  # between a mark and its number


class Compared(NamedTuple):
    """How the verdicts of your discount and of another compare, over pairs of orders.

    They agree on `same` of `total` pairs. `apart` and `alike` are the median difference of NDCG,
    by the other, of the pairs on which they disagree, and on which they agree; None if there is
    none.
    """

    same: int
    total: int
    apart: float | None
    alike: float | None

    @property
    def percent(self):
        """The share of pairs on which they agree; "100.0%" only if it is all of them."""
        text = f"{self.same / self.total:.1%}"
        rounded = {"100.0%": "> 99.9%", "0.0%": "< 0.1%"}
        return text if self.same in (0, self.total) else rounded.get(text, text)


def weighted_list(grades, terms, shares, values, curves, *, beside):
    """Show each rank's share of the DCG of a list, `grades` in rank order, and its NDCG.

    `terms`, `shares`, `values` and `curves` map the names of discounts, yours first, to the terms
    of the DCG, to their shares of it, to the NDCG, and to the weights of the ranks. The shares of
    `beside` are drawn behind yours. Ranks without a gain have no row.
    """
    ranks = [rank for rank, grade in enumerate(grades, start=1) if grade > 0]
    own, other = (_at(ranks, shares[name]) for name in (YOURS, beside))
    end = next(end for end in SCALES if max(*own, *other) <= end)
    ndcg = values[YOURS]
    # What moves while you draw is no trace, and stands last: so it is drawn quickly.
    layout = _list_axes(grades, ranks, values, end) | dict(
        shapes=[*(_own_share(*at) for at in zip(ranks, own, strict=True)), _own_value(ndcg)],
        annotations=[
            _heading(),
            *map(_share, ranks, own),
            _own_number(ndcg),
        ],
    )
    rows = [
        *_weights(curves),
        *_term_rows(ranks, terms, shares),
        ["NDCG", *cells(values.values())],
    ]
    return _framed(
        ([_ghost_shares(ranks, other, beside), _values(values, beside)], layout),
        lines=[f"Your NDCG is {values[YOURS]:.4f}"],
        sentence=_list_in_words(values, _at(ranks, grades), own),
        table=(("rank", *curves), rows),
        below=34,
    )


def agreement_dots(compared, curves, *, equal, beside):
    """Show on how many pairs of orders your discount and others name the same winner.

    `curves` maps the names, yours first, to the weights of ranks 1, 2, …; `compared` has the
    others. `equal` pairs are equal to your discount; `beside` is the name that yours is compared
    with.
    """
    shares = {name: one.same / one.total for name, one in compared.items()}
    numbers = [f"<b>{escape(one.percent)}</b>" for one in compared.values()]
    # Near 100% differences are small.
    start = next(start for start in STARTS if min(shares.values()) >= start)
    layout = dict(
        xaxis=dict(title_text="same verdict as yours", **verdict_axis(start)),
        yaxis=_rows(map(typeset, shares)),
    )
    rows = range(1, 1 + len(shares))
    lines = [
        f"Your discount and {beside}",
        f"agree on {compared[beside].percent} of {compared[beside].total:,} pairs",
    ]
    return _framed(
        ([_marks(shares, rows, numbers, beside, "verdicts", (start + 1) / 2)], layout),
        lines=lines,
        sentence=_verdicts_in_words(compared[beside], beside, equal),
        table=(("rank", *curves), [*_weights(curves), *_verdict_rows(compared, equal)]),
    )


def typeset(name):
    """Return the name of a discount as plotly writes it, set as on the buttons."""
    return RAISED.sub(r"<sup>\1</sup>", escape(name)).replace("log2", "log<sub>2</sub>")


# --- the list -------------------------------------------------------------------------


def _at(ranks, values):
    return [values[rank - 1] for rank in ranks]


def _term_rows(ranks, terms, shares):
    """Return a row with each term, then one with each share, in the discounts' columns."""
    rows = [[f"term of rank {rank}", *cells(_column(terms, rank))] for rank in ranks]
    for rank in ranks:
        rows.append([f"share of rank {rank}", *(f"{x:.1%}" for x in _column(shares, rank))])
    return rows


def _column(named, rank):
    return [values[rank - 1] for values in named.values()]


def share_axis(end):
    """Return the axis of shares up to `end`: which is another one seldom, while you draw."""
    place = dict(range=[0, round(ROOM * end, 6)], tickvals=[0, end / 2])
    return place | dict(ticktext=["0% of DCG", f"{end / 2:.0%}"])


def _list_axes(grades, ranks, values, end):
    rows = [f"{rank}. grade {grades[rank - 1]}" for rank in ranks]
    names = [f"<b>{name}</b>" if name == YOURS else typeset(name) for name in values]
    return dict(
        xaxis=share_axis(end) | dict(side="top"),
        yaxis=_rows(rows) | dict(domain=LIST),
        xaxis2=dict(anchor="y2", range=[LOWEST, HIGHEST]) | VALUE_TICKS,
        # Without a line: it does not begin at 0, as that of the bars above it does.
        yaxis2=_rows(names) | dict(anchor="x2", domain=VALUES, showline=False),
    )


def _ghost_shares(ranks, shares, name):
    """Return wide, open bars: yours are thinner, and stand in them."""
    return dict(
        type="bar",
        x=rounded(shares),
        y=ranks,
        name="beside",
        orientation="h",
        width=GHOST,
        marker=dict(
            color="white",
            line=dict(color=BLUE, width=1.5),
            pattern=hatching("/", BLUE),
        ),
        customdata=[escape(name)] * len(ranks),
        hovertemplate="%{customdata}: %{x:.1%}<extra></extra>",
    )


def _own_share(rank, share):
    place = [0, round(share, 6)], [rank - OWN / 2, rank + OWN / 2]
    return box(*place, fill=VERMILLION) | {"layer": "above"}


def _share(rank, share):
    """Write your share apart from the bars: at the end of one it would be that of the longer."""
    place = dict(x=1, xref="x domain", xanchor="right", y=rank, yref="y", yanchor="middle")
    return note(f"<b>{share:.1%}</b>", color=DARK_VERMILLION, **place)


def _heading():
    """Say whose the numbers are; what the bars are is said above the pad."""
    place = dict(x=1, xref="x domain", xanchor="right", y=1, yref="y domain", yanchor="bottom")
    return note("<b>yours</b>", color=DARK_VERMILLION, **place)


def _values(values, beside):
    """Return a mark for the NDCG under each of the others, with its number."""
    others = {name: value for name, value in values.items() if name != YOURS}
    numbers = [f"{value:.4f}" for value in others.values()]
    rows = range(2, 2 + len(others))
    return _marks(others, rows, numbers, beside, "NDCG", MIDDLE) | ON_THE_RIGHT


def _own_value(ndcg):
    pixels = dict(xsizemode="pixel", ysizemode="pixel", xanchor=round(ndcg, 6), yanchor=1)
    dot = box(*ROUND, fill=VERMILLION, xref="x2", yref="y2", **pixels)
    return dot | dict(type="circle", layer="above")


def _own_number(ndcg):
    """Write your NDCG on the side of its mark where there is room."""
    side = dict(xanchor="left", xshift=12) if ndcg < MIDDLE else dict(xanchor="right", xshift=-12)
    place = dict(x=round(ndcg, 6), xref="x2", y=1, yref="y2", yanchor="middle")
    return note(f"<b>{ndcg:.4f}</b>", **place, **side)


# --- the dots -------------------------------------------------------------------------


def verdict_axis(start):
    """Return the axis from `start`, with room for a mark at each end."""
    ticks, room = [start, (start + 1) / 2, 1], 0.06 * (1 - start)
    ends = [round(start - room, 6), round(1 + room, 6)]
    return dict(range=ends, tickvals=ticks, ticktext=[f"{share:.0%}" for share in ticks])


def _marks(values, rows, numbers, beside, name, middle):
    """Return an open square for the one beside yours, diamonds for the others, with their numbers.

    A number stands to the right of its mark, and from the `middle` of the axis on to the left.
    """
    looks = [("square-open", BLUE) if one == beside else ("diamond", GRAY) for one in values]
    symbols, colors = map(list, zip(*looks, strict=True))
    edge = dict(width=2, color=colors)
    on_the_right = [value < middle for value in values.values()]
    return scatter(
        rounded(values.values()),
        list(rows),
        name,
        # plotly draws marks of several colors pale, and with an edge of its own
        marker=dict(symbol=symbols, color=colors, size=12, opacity=1, line=edge),
        text=[
            f"{SPACE}{number}" if is_right else f"{number}{SPACE}"
            for number, is_right in zip(numbers, on_the_right, strict=True)
        ],
        textposition=[SIDES[is_right] for is_right in on_the_right],
        textfont=dict(size=15, color=INK),
        cliponaxis=False,
    )


def _rows(names):
    """Return an axis with a name for each row, the first on top."""
    names = list(names)
    # plotly would keep the room of longer names when others follow
    look = dict(ticks="", automargin=False, showgrid=False, tickfont=dict(size=15))
    look["ticklabelstandoff"] = 5  # between the name of a row and what stands in it
    places = list(range(1, len(names) + 1))
    return dict(range=[len(names) + 0.6, 0.4], tickvals=places, ticktext=names, **look)


def _framed(figure, *, lines, sentence, table, below=56):
    """Finish a chart that is half as wide as others, with a smaller title."""
    chart = frame(
        figure,
        title=[escape(one) for one in lines],
        sentence=sentence,
        table=table,
        legend=False,
        margin=dict(l=150, r=14, t=14 + 26 * (1 + len(lines)), b=below),
    )
    title = chart.layout["title"] | dict(font=dict(size=18))
    return chart._replace(layout=chart.layout | dict(title=title))


# --- the words ------------------------------------------------------------------------


def _weights(curves):
    """Return a row for each rank with its weight in each curve."""
    return by_row(range(1, 1 + len(curves[YOURS])), *curves.values())


def _list_in_words(values, grades, shares):
    listed = " ".join(map(str, grades))
    brought = f"{with_and(f'{100 * share:.0f}' for share in shares)}%"
    others = [f"{name}: {value:.4f}" for name, value in values.items() if name != YOURS]
    ndcg = "; ".join([f"{YOURS} {values[YOURS]:.4f}", *others])
    return f"NDCG: {ndcg}. Grades {listed} bring {brought} of DCG."


def _verdicts_in_words(one, beside, equal):
    agree = f"Same verdict as {beside} on {one.same:,} of {one.total:,} pairs."
    calls = f" Yours calls {equal:,} equal." if equal else ""
    if one.apart is None:
        return f"{agree} They disagree on none.{calls}"
    alike = "" if one.alike is None else f", by {one.alike:.4f} where they agree"
    apart = f"differs by {one.apart:.4f} (median) where they disagree{alike}"
    return f"{agree} Its NDCG {apart}.{calls}"


def _verdict_rows(compared, equal):
    rows = [
        ["same verdict as yours", None, *(one.percent for one in compared.values())],
        ["pairs with the same verdict", None, *(one.same for one in compared.values())],
        ["median difference where they disagree", None, *(one.apart for one in compared.values())],
        ["median difference where they agree", None, *(one.alike for one in compared.values())],
        ["pairs that yours calls equal", equal, *(None for _ in compared)],
    ]
    return rows
