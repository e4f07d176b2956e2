"""Which page wins?, the explorer of notebook *readers*: three pages, six readers."""

from itertools import combinations, product

import numpy as np

from course.explorers.formulas import equation, fraction, minus, name, number, relation
from course.explorers.page_readers_chart import Curves, Turn, Verdicts, verdict_chart
from coursekit.explorers.declaration import Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from ndcglib.metrics import (
    average_precision,
    err,
    gain_values,
    ndcg,
    precision_at_k,
    rbp,
    reciprocal_rank,
)
from ndcglib.metrics.checks import SAME_VALUE

GAINS = {"grade": "linear", "2^grade − 1": "exponential"}
HIGHEST = 3  # grade of the scale
STEP = 0.05  # of patience, from 0.05 to 0.95
N_STEPS = 19
ROOT = 1e-9  # to which a root is exact
# Three pages A, B and C in rank order, and below them the grades of everything judged.
SETS = {
    "great, good, fair": (
        ((3, 0, 0, 0, 0), (2, 2, 0, 0, 0), (0, 1, 1, 1, 1)),
        (3, 2, 2, 1, 1, 1, 1),
    ),
    "one set, three orders": (
        ((2, 3, 1, 0, 0), (3, 2, 1, 0, 0), (3, 0, 1, 2, 0)),
        (3, 2, 1),
    ),
    "great, but below": (
        ((1, 0, 0, 0, 0), (0, 3, 3, 3, 3), (2, 0, 0, 0, 3)),
        (3, 3, 3, 3, 2, 1),
    ),
}


class PageReaders:
    """Three pages under RBP at every patience, and under five metrics that have none."""

    def __init__(self, sets):
        self.sets = sets
        states = product(sets, GAINS.values())
        self._known = {(key, gain): self._whole(key, gain) for key, gain in states}

    def _whole(self, key, gain):
        """Return all that does not depend on where the patience stands."""
        pages, judged = self.sets[key]
        k, pools, each = len(pages[0]), [judged] * len(pages), dict(ranked=True, per_query=True)
        values = {
            "NDCG@5": ndcg(pages, k=k, pool=pools, gain=gain, **each),
            "ERR": err(pages, max_grade=HIGHEST, **each),
            "RR": reciprocal_rank(pages, **each),
            "AP": average_precision(pages, pool=pools, **each),
            "P@5": precision_at_k(pages, k=k, **each),
        }
        steps = [round(STEP * i, 2) for i in range(1, N_STEPS + 1)]
        curves = [rbp(pages, max_grade=HIGHEST, p=p, gain=gain, **each) for p in steps]
        [highest] = gain_values([HIGHEST], gain)
        turns = _turns(gain_values(pages, gain) / highest)
        return values, Curves(steps, np.transpose(curves)), turns

    def view(self, pages, gain, p):
        """Return the three `pages`, a key of the sets, for a reader of patience `p` / 20."""
        values, curves, turns = self._known[pages, gain]
        grades = self.sets[pages][0]
        [highest] = gain_values([HIGHEST], gain)
        values = {"RBP": curves.scores[:, p - 1]} | values
        verdicts = Verdicts(
            grades=grades,
            gains=gain_values(grades, gain).tolist(),
            highest=float(highest),
            weights=[curves.steps[p - 1] ** rank for rank in range(len(grades[0]))],
            curves=curves,
            turns=turns,
            values={metric: of_pages.tolist() for metric, of_pages in values.items()},
            winners={metric: best_pages(of_pages) for metric, of_pages in values.items()},
        )
        formula = _formula(verdicts, verdicts.winners["RBP"][0])
        return View(verdict_chart(verdicts), formula, touch={"x2": "p"})


def best_pages(values):
    """Return which pages have the highest value: two sums of the same terms are equal."""
    return np.flatnonzero(values >= np.max(values) - SAME_VALUE).tolist()


def _turns(gains):
    """Return where RBP changes its winner: two pages are level, and none is better.

    Up to the factor 1 − p RBP is a polynomial of p, and so is the difference of two pages.
    """
    found = []
    for one, other in combinations(range(len(gains)), 2):
        for root in np.roots((gains[one] - gains[other])[::-1]):
            p = float(root.real)
            sums = gains @ p ** np.arange(gains.shape[1])
            is_top = sums[one] >= sums.max() - ROOT
            if abs(root.imag) < ROOT and ROOT < p < 1 - ROOT and is_top:
                found.append(Turn(p, float((1 - p) * sums[one]), (one, other)))
    return sorted(found)


def _formula(verdicts, page):
    """Return RBP of a page as the sum of its gains times the weights of their ranks."""
    patience, highest = number(verdicts.patience, 2), number(verdicts.highest)
    terms = [
        _weighted(patience, power, number(gain))
        for power, gain in enumerate(verdicts.gains[page])
        if gain > 0
    ]
    read = fraction("<mo>+</mo>".join(terms), highest)
    leaves = f"<mo>(</mo>{minus(number(1), patience)}<mo>)</mo>"
    value = verdicts.values["RBP"][page]
    whose = name(f"RBP({verdicts.names[page]})")
    return equation(whose, "=", leaves, "×", read, relation(value), number(value))


def _weighted(patience, power, gain):
    """Return a gain times a power of the patience, which is left out where it is 1."""
    weight = patience if power == 1 else f"<msup>{patience}<mn>{power}</mn></msup>"
    return gain if power == 0 else f"{weight}<mo>·</mo>{gain}"


@explorer
def page_readers():
    """Return the explorer "Which page wins?".

    Returns
    -------
    Explorer
        With controls ``pages``, ``gain`` and ``p``, the patience in steps of 0.05.

    Notes
    -----
    Taught in notebook *readers*. RBP reads with the patience p; the metrics beside it have none.
    """
    first, *_ = SETS
    controls = {
        "pages": OneOf("Pages", {key: key for key in SETS}, first, listed=True),
        "gain": OneOf("Gain", GAINS, "linear"),
        "p": Whole("Patience p", 1, N_STEPS, value=16, unit=STEP, digits=2),
    }
    presets = {"A = B": dict(pages=first, gain="linear", p=10)}
    return Declaration("Which page wins?", PageReaders(SETS).view, controls, presets)
