"""The charts of the explorer that lets you draw a discount: yours beside four others."""

from html import escape
from typing import NamedTuple

from helpers.marks import OUTSIDE, box, hatching, note
from helpers.numbers import by_row, cells, rounded, with_and
from helpers.style import BLUE, GRAY, INK, VERMILLION, frame, scatter

YOURS = "your discount"
GHOST, OWN = 0.76, 0.4  # thickness of the bars of a list, of the room of one rank
DATA = dict(xref="x", yref="y")  # of a note
ROOM = 1.18  # of the longest bar that there can be: the share stands at its end
BAR = 0.38  # thickness, of the room of one row
LIFT = 0.05  # of a name above its bar
NAMES = dict(size=16, color=INK)
NUMBERS = dict(size=17, color=INK)


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
    """Show what each rank of a list, `grades` in rank order, brings, and its share of the whole.

    `terms`, `shares`, `values` and `curves` map the names of discounts, yours first, to the terms
    of the DCG, to their shares of it, to the NDCG, and to the weights of the ranks. The terms of
    `beside` are drawn behind yours. Where a grade is 0 there is no bar, and the values have room.
    """
    ranks = [rank for rank, grade in enumerate(grades, start=1) if grade > 0]
    own, other = (_at(ranks, terms[name]) for name in (YOURS, beside))
    parts, end = _at(ranks, shares[YOURS]), ROOM * max(grades)
    marks = dict(
        shapes=[_own_term(*at) for at in zip(ranks, own, strict=True)],
        annotations=[
            *map(_share, ranks, map(max, own, other), parts),
            _board(values, beside, end, len(grades) + 0.5),
        ],
    )
    rows = [
        *_weights(curves),
        *_term_rows(ranks, terms, shares),
        ["NDCG", *cells(values.values())],
    ]
    return _framed(
        ([_ghost_terms(ranks, other, beside)], marks | _list_axes(grades, end)),
        lines=[f"Your NDCG is {values[YOURS]:.4f}"],  # the others stand in the list
        sentence=_list_in_words(values, _at(ranks, grades), parts),
        table=(("rank", *curves), rows),
        left=100,
        right=14,
    )


def agreement_bars(compared, curves, *, equal, beside):
    """Show on how many pairs of orders your discount and others name the same winner.

    `curves` maps the names, yours first, to the weights of ranks 1, 2, …; `compared` has the
    others. `equal` pairs are equal to your discount; `beside` is the name that yours is compared
    with.
    """
    shares = {name: one.same / one.total for name, one in compared.items()}
    percents = {name: one.percent for name, one in compared.items()}
    total = compared[beside].total
    layout = _layout("same verdict as yours", len(shares), tickformat=".0%")
    lines = [f"Your discount and {beside}", f"agree on {percents[beside]} of {total:,} pairs"]
    return _framed(
        (_bars(shares, percents, beside), layout),
        lines=lines,
        sentence=_verdicts_in_words(compared[beside], beside, equal),
        table=(("rank", *curves), [*_weights(curves), *_verdict_rows(compared, equal)]),
    )


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


def _list_axes(grades, end):
    ranks = list(range(1, len(grades) + 1))
    return dict(
        xaxis=dict(title_text="gain × weight; share of DCG in %", range=[0, end], dtick=1),
        yaxis=dict(
            range=[len(grades) + 0.6, 0.4],
            tickvals=ranks,
            ticktext=[f"{rank}. grade {grade}" for rank, grade in zip(ranks, grades, strict=True)],
            ticks="",
            showgrid=False,
            automargin=False,  # plotly would keep the room when the pairs follow, without labels
        ),
    )


def _ghost_terms(ranks, terms, name):
    """Return wide, open bars: yours are thinner, and stand in them."""
    return dict(
        type="bar",
        x=rounded(terms),
        y=ranks,
        name="beside",
        orientation="h",
        width=GHOST,
        marker=dict(
            color="white",
            line=dict(color=VERMILLION, width=1.5),
            pattern=hatching("/", VERMILLION),
        ),
        customdata=[escape(name)] * len(ranks),
        hovertemplate="%{customdata}: %{x:.4f}<extra></extra>",
    )


def _own_term(rank, term):
    """Return your bar as a shape: what moves while you draw is no trace, and quick."""
    place = [0, round(term, 6)], [rank - OWN / 2, rank + OWN / 2]
    return box(*place, fill=BLUE) | {"layer": "above"}


def _share(rank, end, share):
    place = dict(x=round(end, 6), y=rank, xanchor="left", yanchor="middle", xshift=4, **DATA)
    return note(f"<b>{share:.0%}</b>", size=16, **place)


def _board(values, beside, end, low):
    """Return the NDCG of all, as lines that end in their numbers, and whose bar is whose."""
    marks = {YOURS: " ■", beside: " □"}
    lines = [f"{escape(n)}{marks.get(n, '')} <b>{v:.4f}</b>" for n, v in values.items()]
    text = "<br>".join(lines).replace(YOURS, "NDCG, yours")
    corner = dict(x=end, xanchor="right", y=low, yanchor="bottom", align="right")
    return note(text, **corner, **DATA)


# --- the bars -------------------------------------------------------------------------


class Bar(NamedTuple):
    """One row: the name of a discount, its value, and how the value is written."""

    row: int
    name: str
    value: float
    number: str


def _bars(values, numbers, beside):
    """Return the bars, yours, the one beside it and the others, and their names.

    The names stand above, not to the left: the chart stands beside the curve that is
    drawn, and long names would leave the bars half of its width.
    """
    bars = [Bar(i, name, value, numbers[name]) for i, (name, value) in enumerate(values.items())]
    yours = [bar for bar in bars if bar.name == YOURS]
    other = [bar for bar in bars if bar.name == beside]
    rest = [bar for bar in bars if bar.name not in (YOURS, beside)]
    return [
        _pile(yours, "yours", BLUE, BLUE),
        _pile(other, "beside", "white", VERMILLION, "/"),
        _pile(rest, "others", "#D9D9D9", GRAY),
        _names(bars),
    ]


def _pile(bars, name, fill, edge, shape=""):
    return dict(
        type="bar",
        x=rounded(bar.value for bar in bars),
        y=[bar.row for bar in bars],
        name=name,
        orientation="h",
        width=BAR,
        marker=dict(color=fill, line=dict(color=edge, width=1.5), pattern=hatching(shape, edge)),
        text=[f"<b>{escape(bar.number)}</b>" for bar in bars],
        textfont=NUMBERS,
        **OUTSIDE,
        customdata=[escape(bar.name) for bar in bars],
        hovertemplate="%{customdata}: %{text}<extra></extra>",
    )


def _names(bars):
    return scatter(
        [0] * len(bars),
        rounded([bar.row - BAR / 2 - LIFT for bar in bars], 3),
        "names",
        text=[escape(bar.name) for bar in bars],
        textposition="top right",
        textfont=NAMES,
        cliponaxis=False,
    )


def _layout(label, n_rows, *, tickformat):
    return dict(
        barmode="overlay",
        xaxis=dict(title_text=label, range=[0, 1], dtick=0.2, tickformat=tickformat),
        # The first row on top, with room above it for its name.
        yaxis=dict(visible=False, range=[n_rows - 0.6, -0.75]),
    )


def _framed(figure, *, lines, sentence, table, left=14, right=78):
    """Finish a chart that is half as wide as others: a short line is a whole one."""
    return frame(
        figure,
        title=[escape(one) for one in lines],
        sentence=sentence,
        table=table,
        legend=False,
        margin=dict(l=left, r=right, t=8 + 26 * (1 + len(lines)), b=56),
    )


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
