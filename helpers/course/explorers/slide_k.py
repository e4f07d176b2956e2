"""Slide k, the explorer of notebook *cutoff*: DCG@k, IDCG@k and NDCG@k together."""

from typing import NamedTuple

from helpers.breakdown import cutoff_curves
from helpers.course.explorers.declaration import Declaration, OneOf, Whole
from helpers.course.explorers.explorer import explorer
from helpers.course.explorers.formulas import equation, fraction, name, number
from helpers.course.widgets.view import View
from helpers.figures import cutoffs

POOLS = {"the list that came back": "list", "everything judged": "judged"}


class Example(NamedTuple):
    """Grades of a list in rank order, and of judged documents it does not hold."""

    listed: tuple
    missed: tuple


EXAMPLES = {
    "zigzag": Example((3, 0, 3, 2, 0, 2, 3, 0), (3, 2)),
    "missed": Example((1, 0, 0), (3, 3, 3)),
}


class SlideK:
    """One ranking, cut at k, measured against one of two ideals."""

    def __init__(self, examples):
        self.examples = examples
        self.curves = {
            (key, pool): self._curves(example, pool)
            for key, example in examples.items()
            for pool in POOLS.values()
        }

    @staticmethod
    def _curves(example, pool):
        scores = range(len(example.listed), 0, -1)
        judged = example.listed + example.missed if pool == "judged" else None
        return cutoff_curves(example.listed, scores, pool=judged)

    def view(self, k, pool, example):
        """Return the curves with the cutoff `k` marked, 1 to the number of documents listed.

        The ideal is built from the `pool`, "list" or "judged"; `example` is a key of the
        examples.
        """
        curves = self.curves[example, pool]
        dcg, idcg, ndcg = (column[k - 1] for column in curves[1:])
        title = f"k = {k}: DCG {dcg:.4f}, IDCG {idcg:.4f}, NDCG {ndcg:.4f}"
        formula = equation(
            name(f"NDCG@{k}"),
            "=",
            fraction(name(f"DCG@{k}"), name(f"IDCG@{k}")),
            "=",
            fraction(number(dcg), number(idcg)),
            "≈",  # the two are rounded here, NDCG was computed before
            number(ndcg),
        )
        return View(cutoffs({"this ranking": curves}, k=k, title=title), formula)

    def fit(self, values):
        """End the slider where the list of the example ends."""
        return {"k": {"max": len(self.examples[values["example"]].listed)}}


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
        "NDCG falls": dict(example="zigzag", k=2, pool="list"),
        "Missed 3s": dict(example="missed", k=3, pool="list"),
    }
    model = SlideK(EXAMPLES)
    question = "What happens to NDCG@k when k grows?"
    return Declaration(question, model.view, controls, presets, model.fit)


def _label(example):
    listed, missed = (", ".join(map(str, part)) for part in example)
    return f"{listed} | missed: {missed}"
