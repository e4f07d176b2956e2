"""The charts of the explorer that lets you draw a discount: yours beside four others."""

from html import escape
from typing import NamedTuple

from helpers.figures.marks import OUTSIDE, hatching
from helpers.figures.numbers import by_row, cells, joined, rounded
from helpers.figures.style import BLUE, GRAY, INK, VERMILLION, frame, scatter

YOURS = "your discount"
BAR = 0.38  # thickness, of the room of one row
LIFT = 0.05  # of a name above its bar
NAMES = dict(size=16, color=INK)
NUMBERS = dict(size=17, color=INK)


class Compared(NamedTuple):
    """How the verdicts of your discount and of another compare, over pairs of orders.

    They agree on `same` of `total` pairs. `apart` and `alike` are the median difference of NDCG,
    by the other, of the pairs on which they part, and on which they agree; None if there is
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


def ndcg_bars(values, curves, *, grades, beside):
    """Show the NDCG of one ranking, `grades` in rank order, under your discount and under others.

    `values` and `curves` map the names, yours first, to the NDCG and to the weights of ranks 1,
    2, …; `beside` is the name that yours is compared with.
    """
    listed = " ".join(map(str, grades))
    numbers = {name: f"{value:.4f}" for name, value in values.items()}
    layout = _layout(f"NDCG of {listed}", len(values), tickformat=".1f")
    lines = [f"Your discount gives {numbers[YOURS]},", f"{beside} gives {numbers[beside]}"]
    rows = [*_weights(curves), ["NDCG", *cells(values.values())]]
    return _framed(
        (_bars(values, numbers, beside), layout),
        lines=lines,
        sentence=f"NDCG of {listed}: {joined(values)}.",
        table=(("rank", *curves), rows),
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


# --- the chart ------------------------------------------------------------------------


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


def _framed(figure, *, lines, sentence, table):
    """Finish a chart that is half as wide as others: a short line is a whole one."""
    return frame(
        figure,
        title=[escape(one) for one in lines],
        sentence=sentence,
        table=table,
        legend=False,
        margin=dict(l=14, r=78, t=8 + 26 * (1 + len(lines)), b=56),
    )


# --- the words ------------------------------------------------------------------------


def _weights(curves):
    """Return a row for each rank with its weight in each curve."""
    return by_row(range(1, 1 + len(curves[YOURS])), *curves.values())


def _verdicts_in_words(one, beside, equal):
    agree = f"Same verdict as {beside} on {one.same:,} of {one.total:,} pairs."
    calls = f" Yours calls {equal:,} equal." if equal else ""
    if one.apart is None:
        return f"{agree} They part on none.{calls}"
    alike = "" if one.alike is None else f", by {one.alike:.4f} where they agree"
    apart = f"differs by {one.apart:.4f} (median) where the two part{alike}"
    return f"{agree} Its NDCG {apart}.{calls}"


def _verdict_rows(compared, equal):
    rows = [
        ["same verdict as yours", None, *(one.percent for one in compared.values())],
        ["pairs with the same verdict", None, *(one.same for one in compared.values())],
        ["median difference where they part", None, *(one.apart for one in compared.values())],
        ["median difference where they agree", None, *(one.alike for one in compared.values())],
        ["pairs that yours calls equal", equal, *(None for _ in compared)],
    ]
    return rows
