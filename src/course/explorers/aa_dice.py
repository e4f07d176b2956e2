"""The A/A dice, the explorer of notebook *significance*: equal rankers, told apart by luck alone.

On each query the two differ by a normal draw with mean 0, independent of the other queries: the
truth is 0, and nothing belongs together as the manual's modules do. A roll is the mean over
the queries of one comparison, and the rolls of a state are the same ones each time.
"""

import functools
from math import erf, sqrt
from typing import NamedTuple

import numpy as np

from course.explorers.formulas import equation, fraction, name, number
from coursekit.explorers.declaration import Action, Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.marks import beside, box, horizontal
from helpers.numbers import rounded, signed
from helpers.style import BLUE, INK, PALE_BLUE, VERMILLION, frame, scatter

QUERIES = (50, 100, 200, 500, 1000)
# Standard deviations of the differences, in hundredths, and who differs so on the manual.
ALIKE = {4: "BM25 and BM25 rounded", 12: "BM25 and TF-IDF", 25: "BM25 and name words"}
ROLLS = 100
SMALL = 0.01  # what people take for a result
WIDTH = 1.96  # of a 95% band, in standard errors
TOP = 0.1  # of the axis: beyond every roll
TICKS = (-0.1, -0.05, 0, 0.05, 0.1)


class Rolled(NamedTuple):
    """Comparisons of two equal rankers: their differences, and where most would lie.

    The `pair` differs so on the manual. The `band` holds 95% of all comparisons, on each side
    of 0; `beyond` is the share of all that differ by more than 0.01.
    """

    queries: int
    sd: float
    pair: str
    differences: list
    band: float
    beyond: float

    @property
    def is_beyond(self):
        """Whether each of the differences is larger than 0.01, on either side."""
        return [abs(d) > SMALL for d in self.differences]

    @property
    def n_outside(self):
        """How many of the differences lie outside the band."""
        return sum(abs(d) > self.band for d in self.differences)


@functools.cache
def all_rolls(queries, hundredths):
    """Return the differences of 100 comparisons, in their order."""
    rng = np.random.default_rng([hundredths, queries])
    drawn = rng.normal(0, hundredths / 100, size=(ROLLS, queries))
    return rounded(drawn.mean(axis=1), 4)


def view(queries, alike, rolls):
    """Return the first `rolls`, 1 to 100, of the comparisons on so many queries.

    `alike` is the standard deviation of the differences in hundredths: 4, 12 or 25.
    """
    sd = alike / 100
    error = sd / sqrt(queries)
    beyond = 1 - erf(SMALL / error / sqrt(2))
    rolled = all_rolls(queries, alike)[:rolls]
    found = Rolled(queries, sd, ALIKE[alike], rolled, WIDTH * error, beyond)
    root = f"<msqrt>{number(queries)}</msqrt>"
    formula = equation(
        name("band"),
        "=",
        number(WIDTH, 2),
        "·",
        fraction(number(sd, 2), root),
        "=",
        number(found.band),
    )
    return View(_dots(found), formula, touch={"x": "rolls"})


# --- what is drawn ----------------------------------------------------------------------


def _dots(found):
    """Draw each comparison as a dot, the band behind, and lines at 0.01 on either side."""
    drawn = rounded(found.differences, 3)  # finer than a pixel
    shown = list(zip(drawn, found.is_beyond, strict=True))
    places, traces = list(range(1, len(shown) + 1)), []
    for is_beyond, color, symbol in ((True, VERMILLION, "square"), (False, BLUE, "circle")):
        y = [d if far == is_beyond else None for d, far in shown]
        marker = dict(color=color, symbol=symbol, size=9, line=dict(color="white", width=1))
        traces.append(scatter(places, y, marker=marker, hover="comparison %{x}: %{y:+.3f}"))
    lines = [
        horizontal(y, color=INK, width=width, dash=dash)
        for y, width, dash in ((0, 1, "solid"), (SMALL, 2, "dash"), (-SMALL, 2, "dash"))
    ]
    edges = rounded([-found.band, found.band])
    band = box((0, 1), edges, fill=PALE_BLUE, xref="x domain", yref="y")
    words = [f"±{found.band:.4f}: 95%", f"±{SMALL}"]
    place = dict(x=1, xref="x domain", xshift=6, yref="y", align="left")
    layout = dict(
        shapes=[band, *lines],
        annotations=beside(words, [found.band, SMALL], 0.022, -TOP, TOP, **place),
        xaxis=dict(title_text="comparison of two equal rankers", range=[0, ROLLS + 1]),
        yaxis=dict(
            title_text="difference of means",
            range=[-TOP, TOP],
            tickvals=list(TICKS),
            ticktext=[signed(tick, 2, plus=True) for tick in TICKS],
        ),
    )
    return frame(
        (traces, layout),
        title=_finding(found),
        sentence=_sentence(found),
        table=_table(found),
        margin=dict(l=80, r=124),
        legend=False,
    )


def _finding(found):
    n, far = len(found.differences), sum(found.is_beyond)
    if n == 1:
        [only] = found.differences
        ahead = "first" if only > 0 else "second"
        return f"Of two equal rankers the {ahead} is ahead by {abs(only):.4f}"
    return f"{far} of {n} comparisons of equal rankers end up beyond ±{SMALL}"


def _sentence(found):
    return (
        f"With {found.queries:,} independent queries and sd {found.sd:.2f}, as between "
        f"{found.pair}, 95% of all comparisons lie within ±{found.band:.4f}, {found.beyond:.0%} "
        f"beyond ±{SMALL}. Here {found.n_outside} of {len(found.differences)} lie outside the "
        "band."
    )


def _table(found):
    return ("what", "number"), [
        ["independent queries", f"{found.queries:,}"],
        ["sd of the differences", f"{found.sd:.2f}"],
        ["a large difference, from", f"±{SMALL}"],
        ["standard errors to each side", f"{WIDTH}"],
        ["the band holds", "95%"],
        ["its edges", f"±{found.band:.4f}"],
        [f"beyond ±{SMALL} in the long run", f"{found.beyond:.0%}"],
        ["comparisons so far", len(found.differences)],
        [f"of them beyond ±{SMALL}", sum(found.is_beyond)],
        ["of them outside the band", found.n_outside],
        ["the last of them", signed(found.differences[-1], plus=True)],
        ["the true difference", 0],
    ]


@explorer
def aa_dice():
    """Return the explorer "How far apart do two equal rankers end up?".

    Returns
    -------
    Explorer
        With controls ``queries``, ``alike`` and ``rolls``.

    Notes
    -----
    Taught in notebook *significance*.
    """
    controls = {
        "queries": OneOf("Queries", {f"{n:,}": n for n in QUERIES}, 50),
        "alike": OneOf("sd of the differences", {f"{sd / 100}": sd for sd in ALIKE}, 12),
        "rolls": Whole("Comparisons", 1, ROLLS, ROLLS),
    }
    presets = {
        "200 queries": dict(queries=200, alike=12, rolls=ROLLS),
        "Less alike": dict(queries=50, alike=25, rolls=ROLLS),
        "1,000 queries": dict(queries=1000, alike=12, rolls=ROLLS),
    }
    actions = {
        "Roll once": Action(_once, "Add one comparison; after the last one, start over"),
        "× 100": Action(lambda _values: dict(rolls=ROLLS), "Roll 100 times"),
    }
    question = "How far apart do two equal rankers end up?"
    tried = {"rolls": (1, 2, 7)}
    return Declaration(question, view, controls, presets, actions=actions, tried=tried)


def _once(values):
    return dict(rolls=values["rolls"] % ROLLS + 1)
