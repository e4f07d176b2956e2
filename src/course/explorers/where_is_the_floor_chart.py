"""The chart of notebook *floors*: all orders of a list, and the levels to compare NDCG with."""

from html import escape
from typing import NamedTuple

import numpy as np

from course.figures.piles import have_a_dot_each
from helpers.marks import HALF_WHITE, box, dot, no_order_here, note, unreachable, vertical
from helpers.numbers import rounded, signed
from helpers.style import (
    BLUE,
    DARK_VERMILLION,
    GREEN,
    IDEAL,
    PALE_GRAY,
    PURPLE,
    VERMILLION,
    Look,
    frame,
    scatter,
)
from ndcglib.metrics.checks import SAME_VALUE
from ndcglib.metrics.permutations import Orders

# A guide that goes around: from this NDCG on a ranking earns this word.
GUIDE = ((0, "poor"), (0.4, "fair"), (0.6, "good"), (0.8, "excellent"))
FLOOR = Look(PURPLE, "longdash", "line-ew")
RANDOM, RANDOM_GROUND, HALF_WIDE = GREEN, "#DCEBE3", 5  # a band: yours may lie in it
YOURS = Look(VERMILLION, "solid", "line-ew")
TICKS = {0: "0", 0.2: "0.2", 0.4: "0.4", 0.6: "0.6", 0.8: "0.8", 1: "1<br>ideal"}
# Heights, in heights of the panel: a row for each label, so that none covers another. Yours, which
# lies over the random level, begins below it.
GUIDE_ROW, RANDOM_ROW, YOURS_ROW, NEAR_ROW, FLOOR_ROW = 0.905, 0.855, 0.76, 0.665, 0.57
TALLEST = 0.475
ROOM_BESIDE = 0.155  # width of a short label, in NDCG
ROOM_INSIDE = 0.22  # width of the words in the empty region
MOST_COUNTED = 5040
WIDE = 0.02  # the place of a dot, in NDCG: a stage makes the dots as large as there is room
TOGETHER = "\N{NO-BREAK SPACE}"
FEW = 6  # piles with their share above


class Bar(NamedTuple):
    """The orders of one NDCG, or of a bin: their share below your value, and from it on."""

    label: str
    left: float
    right: float
    worse: float
    reached: float

    @property
    def share(self):
        """Of all orders."""
        return self.worse + self.reached

    @property
    def middle(self):
        """Between its ends, in NDCG."""
        return (self.left + self.right) / 2


class Near(NamedTuple):
    """The order next to yours, and others in its bar: their first k grades, and their NDCG."""

    orders: list
    more: bool

    @property
    def words(self):
        """The orders, as they are to be written."""
        written = [grades for grades, _ in self.orders]
        if self.more:
            written.append("…")
        near = "orders near it" if len(written) > 1 else "an order near it"
        return f"{near}: {' · '.join(written)}"


class Levels(NamedTuple):
    """One list, all its orders, and the levels that an NDCG is compared with.

    `grades` are as they are to be written; `bars` hold the orders, for each NDCG or in bins;
    `near` are orders near your value; `worst` and `random` are the NDCG of the worst order, and of
    a random one on average; `yours` is the NDCG to judge, `corrected` and `minmax` the same
    chance-corrected and between worst and best.
    """

    grades: str
    k: int
    orders: Orders
    bars: list
    near: Near
    worst: float
    random: float
    yours: float
    corrected: float
    minmax: float


def floor(levels):
    """Show all orders as dots, with floor, random level, yours and the ideal.

    Dots of one value stand in a pile; where there are many values, those in a bin 0.02 wide.
    Blue is what reaches your value, so the blue dots say how often a shuffle scores as well.
    """
    has_all = have_a_dot_each(levels.orders)
    n_dots = levels.orders.total if has_all else 100
    piles = _piles(levels.bars, n_dots)
    tallest = max(below + reached for _, below, reached in piles)
    top = round(tallest / TALLEST, 6)
    drawn = [_band(levels.random, RANDOM_ROW), *_guide(levels), *_levels(levels)]
    if levels.worst >= ROOM_INSIDE:
        middle = round(levels.worst / 2, 6), tallest / 2
        drawn.append(no_order_here(*middle, xref="x", yref="y"))
    if len(levels.bars) <= FEW:
        drawn += [_above(*pile, top) for pile in piles]
    dots = "a dot for each order" if has_all else "100 dots for the orders"
    layout = dict(
        shapes=[part for part in drawn if "type" in part],
        annotations=[part for part in drawn if "text" in part],
        xaxis=dict(
            title_text=f"NDCG@{levels.k}: {dots} of {levels.grades}",
            range=[-0.008, 1.008],
            tickvals=list(TICKS),
            ticktext=list(TICKS.values()),
        ),
        yaxis=dict(range=[0, top], visible=False),
    )
    nothing = [unreachable((0, levels.worst), (0, tallest))]
    traces = [*(nothing if levels.worst > 0 else []), *_dots(piles)]
    return frame(
        (traces, layout),
        title=_finding(levels),
        sentence=_sentence(levels),
        table=_table(levels),
        legend=False,
        margin=dict(l=24, b=92),
    )


# --- the orders -----------------------------------------------------------------------


def _piles(bars, n_dots):
    """Return each bar with its dots below your value, and from it on."""
    shares = [share for bar in bars for share in (bar.worse, bar.reached)]
    ends = np.floor(n_dots * np.cumsum([0, *shares]) + 0.5 + SAME_VALUE).astype(int)
    counts = np.diff(ends).tolist()
    return list(zip(bars, counts[::2], counts[1::2], strict=True))


def _dots(piles):
    """Return the dots below your value, and those that reach it, which stand on them."""
    looks = {"worse": PALE_GRAY, "reached": BLUE}
    traces = []
    for name, color in looks.items():
        levels = [
            (bar, level)
            for bar, below, reached in piles
            for level in (range(below) if name == "worse" else range(below, below + reached))
        ]
        traces.append(
            scatter(
                rounded(bar.middle for bar, _ in levels),
                [level + 0.5 for _, level in levels],
                name,
                marker=dict(color=color, size=9, line=dict(color="white", width=1)),
                meta=dict(wide=WIDE),
            )
        )
    return [trace for trace in traces if trace["x"]]


def _above(bar, below, reached, top):
    """Write the share of a pile above it."""
    y = (below + reached) / top + 0.01
    place = dict(xref="x", yref="y domain", yanchor="bottom", bgcolor=HALF_WHITE)
    return note(_percent(bar.share), x=round(bar.middle, 6), y=round(y, 4), **place)


# --- the levels: shapes and their labels, as plotly takes them -------------------------


def _guide(levels):
    """Write the guide's words, and the share of the orders that earns each."""
    drawn = []
    for i, (low, high, word, share) in enumerate(_verdicts(levels)):
        drawn.append(_box(low, high, GUIDE_ROW, 1, "#E3E3E3" if i % 2 else "#F2F2F2"))
        text = f"{word} {share}"
        if i == 0:
            text = f"a guide’s label: {word}, {share}{TOGETHER}of{TOGETHER}orders"
        middle = (low + high) / 2, (GUIDE_ROW + 1) / 2
        drawn.append(_label(text, *middle, "center", size=14))
    return drawn


def _verdicts(levels):
    """Return where each word begins and ends, the word, and the share of the orders."""
    ends = [*(low for low, _ in GUIDE[1:]), 1]
    reach = [*(levels.orders.share_of(low) for low, _ in GUIDE), 0]
    return [
        (low, ends[i], word, f"{max(reach[i] - reach[i + 1], 0):.1%}")
        for i, (low, word) in enumerate(GUIDE)
    ]


def _box(left, right, bottom, top, color):
    edge = dict(color="#BBBBBB", width=1)
    place = dict(xref="x", yref="y domain")
    part = box(rounded([left, right]), (bottom, top), fill=color, line=edge, **place)
    return part | dict(layer="above")  # over the strokes


def _levels(levels):
    """Return a line for each level up to its label."""
    worst, random, yours = levels.worst, levels.random, levels.yours
    reach = escape(_percent(levels.orders.share_of(yours)))
    well = f"{_colored(f'yours {yours:.2f}')}: {dot(BLUE, f' {reach} reach it')}"
    side = "left" if yours < 0.5 else "right"
    floor_side = "right" if worst >= ROOM_BESIDE else "left"
    random_side = "left" if random + ROOM_BESIDE <= 1 else "right"
    at_floor, at_random = f"floor <b>{worst:.4f}</b>", f"random <b>{random:.4f}</b>"
    return [
        *_level(worst, FLOOR_ROW, at_floor, floor_side, FLOOR, 3),
        _beside(at_random, random, RANDOM_ROW, random_side),
        *_level(yours, YOURS_ROW, well, side, YOURS, 3, name="yours"),
        _beside(levels.near.words, yours, NEAR_ROW, side),
        _line(1, FLOOR_ROW, IDEAL, 2),
    ]


def _colored(words):
    """Write words in the color of yours, darker than its line, so that they can be read."""
    return f'<span style="color:{DARK_VERMILLION}"><b>{words}</b></span>'


def _level(x, row, text, anchor, look, width, **named):
    return [_line(x, row, look, width, **named), _beside(text, x, row, anchor)]


def _band(x, row):
    place = dict(xref="x", xsizemode="pixel", xanchor=round(x, 6), yref="y domain")
    width, height = (-HALF_WIDE, HALF_WIDE), (0, row + 0.04)
    return box(width, height, fill=RANDOM_GROUND, line=dict(color=RANDOM, width=1.5), **place)


def _line(x, row, look, width, **named):
    stroke = dict(color=look.color, dash=look.dash, width=width)
    return vertical(round(x, 6), y1=row + 0.04, **stroke, **named)


def _beside(text, x, row, anchor):
    shift = 12 if anchor == "left" else -12
    return _label(text, x, row, anchor, xshift=shift, bgcolor=HALF_WHITE)


def _label(text, x, y, anchor, **options):
    place = dict(xref="x", yref="y domain", xanchor=anchor, yanchor="middle")
    return note(text, x=round(x, 6), y=round(y, 4), **place, **options)


# --- the words ------------------------------------------------------------------------


def _finding(levels):
    lowest = f"{levels.worst:.4f}" if levels.worst > 0 else "0"
    return f"A random order averages {levels.random:.4f}; the lowest scores {lowest}"


def _sentence(levels):
    verdict = " (below chance)" if levels.corrected < 0 else ""
    return (
        f"NDCG@{levels.k}: floor {levels.worst:.4f}, random level {levels.random:.4f}. "
        f"Of {_basis(levels.orders)}, {_count(levels.orders, levels.yours)} reach your "
        f"{levels.yours:.2f}: {signed(levels.corrected, 3)} chance-corrected{verdict}, "
        f"{signed(levels.minmax, 3)} min-max."
    )


def _basis(orders):
    """Say of what the shares are: of all orders, or of a sample."""
    if orders.exact:
        return f"all {orders.total:,} orders ({len(orders.ndcg):,} distinct)"
    error = f"{98 / orders.total**0.5:.1f}"  # 1.96 standard errors of a half, in percent
    return f"{orders.total:,} sampled orders (±{error} points)"


def _count(orders, low):
    """Write how many orders reach an NDCG; the share alone where they are very many."""
    share = orders.share_of(low)
    many = orders.total > MOST_COUNTED
    percent = _percent(share)
    return percent if many else f"{round(share * orders.total):,} ({percent})"


def _percent(share):
    """Write a share; what is above 0 is not 0.0%."""
    return "<0.1%" if 0 < share < 0.0005 else f"{share:.1%}"


def _table(levels):
    reach = _percent(levels.orders.share_of(levels.yours))
    closed = "" if levels.orders.exact else "; floor and average are exact"
    rows = [
        ["grades", levels.grades, None],
        ["shares", f"of {_basis(levels.orders)}{closed}", None],
        ["the worst order: the floor", f"{levels.worst:.4f}", None],
        ["a random order, on average", f"{levels.random:.4f}", None],
        ["the ideal order", "1.0000", None],
        ["yours", f"{levels.yours:.2f}", None],
        ["yours, chance-corrected", signed(levels.corrected, 3), None],
        ["yours, min-max", signed(levels.minmax, 3), None],
        ["orders that reach yours", f"{levels.yours:.2f} to 1", reach],
    ]
    for low, high, word, share in _verdicts(levels):
        rows.append([f"orders that the guide calls {word}", f"{low:g} to {high:g}", share])
    rows += [[f"next to yours: {o}", f"{ndcg:.4f}", None] for o, ndcg in levels.near.orders]
    rows += [["orders", bar.label, f"{bar.share:.1%}"] for bar in levels.bars]
    return ("what", f"NDCG@{levels.k}", "share of orders"), rows
