"""Slide k, the explorer of notebook *cutoff*: DCG@k, IDCG@k and NDCG@k together."""

from typing import NamedTuple

import numpy as np

from course.explorers.formulas import equation, fraction, name, number
from coursekit.explorers.declaration import Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.breakdown import Curves, cutoff_curves
from helpers.marks import box, note, vertical
from helpers.numbers import cells, rounded
from helpers.style import (
    BLUE,
    IDEAL,
    ON_THE_RIGHT,
    PALE_BLUE,
    PALE_GRAY,
    YOURS,
    frame,
    line,
    side_by_side,
)
from ndcglib.metrics.checks import SAME_VALUE

POOLS = {"the list that came back": "list", "everything judged": "judged"}
ASKED = "#F3F3F3"  # the ground of what is not told yet
ARROWS = {"rises": "triangle-up", "falls": "triangle-down", "stays": "triangle-right"}


class Example(NamedTuple):
    """Grades of a list in rank order, and of judged documents it does not hold."""

    listed: tuple
    missed: tuple


EXAMPLES = {
    "zigzag": Example((3, 0, 3, 2, 0, 2, 3, 0), (3, 2)),
    "missed": Example((1, 0, 0), (3, 3, 3)),
}


class Cut(NamedTuple):
    """One ranking, cut at k: grades by rank, its own and the ideal's, and the curves.

    `added` is what each rank adds to its DCG.
    """

    k: int
    grades: tuple
    ideal: tuple
    added: list
    curves: Curves

    @property
    def last(self):
        """The cutoff after which nothing comes."""
        return len(self.grades)

    def step(self, k):
        """Return what NDCG does from k - 1 to k: it "rises", "falls" or "stays"."""
        before, after = self.curves.ndcg[k - 2 : k]
        if abs(after - before) <= SAME_VALUE:
            return "stays"
        return "rises" if after > before else "falls"


class SlideK:
    """One ranking, cut at k, measured against one of two ideals."""

    def __init__(self, examples):
        self.examples = examples
        self.cuts = {
            (key, pool): self._whole(example, pool)
            for key, example in examples.items()
            for pool in POOLS.values()
        }

    @staticmethod
    def _whole(example, pool):
        judged = example.listed + (example.missed if pool == "judged" else ())
        ideal = tuple(sorted(judged, reverse=True))
        curves = cutoff_curves(example.listed, ranked=True, pool=judged)
        added = np.diff(curves.dcg, prepend=0).tolist()
        return Cut(len(example.listed), example.listed, ideal, added, curves)

    def view(self, k, pool, example):
        """Return the curves up to the cutoff `k`, 1 to the number of documents listed.

        What comes next is a question, which the next k answers. The ideal is built from the
        `pool`, "list" or "judged"; `example` is a key of the examples.
        """
        cut = self.cuts[example, pool]._replace(k=k)
        dcg, idcg, ndcg = (column[k - 1] for column in cut.curves[1:])
        formula = equation(
            name(f"NDCG@{k}"),
            "=",
            fraction(name(f"DCG@{k}"), name(f"IDCG@{k}")),
            "=",
            fraction(number(dcg), number(idcg)),
            "=" if round(dcg, 4) / round(idcg, 4) == round(ndcg, 4) else "≈",
            number(ndcg),
        )
        return View(_up_to_k(cut), formula, touch={"x": "k", "x2": "k"})

    def fit(self, values):
        """End the slider where the list of the example ends."""
        return {"k": {"max": len(self.examples[values["example"]].listed)}}


# --- what is drawn ----------------------------------------------------------------------


def _up_to_k(cut):
    """Draw DCG and NDCG up to k, the ideal to its end, the grades below, and a "?" at k + 1.

    The bars are what each rank adds to DCG: pale where k does not count it yet.
    """
    k, curves = cut.k, cut.curves
    ndcg = line(curves.k[:k], curves.ndcg[:k], "NDCG@k", YOURS, width=4, **ON_THE_RIGHT)
    if k > 1:  # the last step has an arrow, up, down or on
        before = [YOURS.symbol] * (k - 1)
        ndcg["marker"] |= dict(symbol=[*before, ARROWS[cut.step(k)]], size=[9] * (k - 1) + [18])
        ndcg["marker"] |= dict(
            opacity=1, line=dict(width=0)
        )  # plotly draws markers of several sizes pale
    traces = [
        line(curves.k[:k], curves.dcg[:k], "this ranking", YOURS, width=4),
        dict(ndcg, showlegend=False),
        line(curves.k, curves.idcg, "ideal: IDCG@k", IDEAL, width=2),
        _added(cut),
    ]
    axes = side_by_side()
    for axis in ("xaxis", "xaxis2"):
        axes[axis] |= dict(
            title_text="cutoff k, and the <b>grade</b> at that rank",
            tickvals=curves.k,
            ticktext=[f"{k}<br><b>{grade}</b>" for k, grade in enumerate(cut.grades, start=1)],
            range=[0.5, cut.last + 0.5],
        )
    axes["yaxis"] |= dict(title_text="DCG@k", range=[0, round(1.06 * curves.idcg[-1], 6)])
    axes["yaxis2"] |= dict(title_text="NDCG@k", range=[0, 1.06])
    marks = dict(shapes=[vertical(k, panel, layer="below") for panel in ("", "2")])
    if k < cut.last:
        place = dict(xref="x2", yref="y2 domain")  # at no value of its own
        marks["annotations"] = [note("<b>?</b>", size=28, x=k + 1, y=0.5, **place)]
        marks["shapes"].append(box((k + 0.6, k + 1.4), (0, 1), fill=ASKED, **place))
    return frame(
        (traces, axes | marks), title=_finding(cut), sentence=_sentence(cut), table=_table(cut)
    )


def _added(cut):
    counted = [k <= cut.k for k in cut.curves.k]
    edges = [BLUE if each else PALE_GRAY for each in counted]
    return dict(
        type="bar",
        x=cut.curves.k,
        y=rounded(cut.added),
        name="what a rank adds",
        width=0.5,
        marker=dict(
            color=[PALE_BLUE if each else "white" for each in counted],
            line=dict(color=edges, width=1.5),
        ),
        hovertemplate="rank %{x} adds %{y:.4f}<extra></extra>",
    )


def _finding(cut):
    if cut.k == cut.last:
        steps = {k: cut.step(k) for k in cut.curves.k[1:]}
        falls = " and at ".join(str(k) for k, step in steps.items() if step == "falls")
        never = "falls" if "rises" in steps.values() else "changes"
        where = f"falls at {falls}" if falls else f"never {never}"
        return f"k = {cut.k}, the whole curve: NDCG {where}"
    then = cut.grades[cut.k]
    if cut.k == 1:
        ways = "stay or fall" if cut.curves.ndcg[0] > 1 - SAME_VALUE else "rise or fall"
        return f"k = 1: grade {then} is next. Will NDCG {ways}? Drag to see"
    return f"k = {cut.k}: NDCG {cut.step(cut.k)}. Grade {then} is next. Rise or fall? Drag to see"


def _sentence(cut):
    """Say the grades behind the last step and the next one; the formula has the numbers."""
    last = f", so NDCG {_does(cut)}" if cut.k > 1 else ""
    text = f"{_grades_at(cut, cut.k, 'this list')}{last}."
    return text if cut.k == cut.last else f"{text} {_grades_at(cut, cut.k + 1, 'it')}."


def _grades_at(cut, k, whose):
    ours, best = cut.grades[k - 1], cut.ideal[k - 1]
    return f"At rank {k} {whose} has grade {ours} and the ideal order {best}"


def _does(cut):
    step = cut.step(cut.k)
    return "stays the same" if step == "stays" else step


def _table(cut):
    """Return the header and the rows: what is asked is not told below k."""
    hidden = [None] * (cut.last - cut.k)
    dcg, ndcg = (column[: cut.k] + hidden for column in (cut.curves.dcg, cut.curves.ndcg))
    ideal = cut.ideal[: cut.last]
    numbers = (cut.added, dcg, cut.curves.idcg, ndcg)
    by_k = zip(cut.curves.k, cut.grades, ideal, *numbers, strict=True)
    rows = [[k, own, best, *cells(values)] for k, own, best, *values in by_k]
    header = ("k", "grade", "grade in the ideal", "added by the rank")
    return (*header, "DCG@k", "IDCG@k", "NDCG@k"), rows


@explorer
def slide_k():
    """Return the explorer "What happens to NDCG@k when k grows?".

    Returns
    -------
    Explorer
        With controls ``example``, ``k`` and ``pool``.

    Notes
    -----
    Taught in notebook *cutoff*. It begins at k = 1, where NDCG of the first list is 1.
    """
    controls = {
        "example": OneOf("Grades", {_label(e): key for key, e in EXAMPLES.items()}, "zigzag"),
        "k": Whole("Cutoff k", 1, len(EXAMPLES["zigzag"].listed), value=1),
        "pool": OneOf("Ideal from", POOLS, "list"),
    }
    presets = {
        "k = 2": dict(example="zigzag", k=2, pool="list"),
        "Whole curve": dict(example="zigzag", k=8, pool="list"),
        "Missed 3s": dict(example="missed", k=3, pool="list"),
    }
    model = SlideK(EXAMPLES)
    question = "What happens to NDCG@k when k grows?"
    return Declaration(question, model.view, controls, presets, model.fit)


def _label(example):
    listed, missed = (", ".join(map(str, part)) for part in example)
    return f"{listed} (not found: {missed})"
