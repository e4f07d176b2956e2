"""Where is the floor?, the explorer of notebook *floors*: one NDCG among all orders."""

import math

import numpy as np

from course.explorers.formulas import equation, fraction, minus, name, number
from course.explorers.where_is_the_floor_chart import Bar, Levels, Near, floor
from coursekit.explorers.declaration import Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.numbers import signed
from ndcglib.metrics import all_orders, random_ndcg, worst_ndcg
from ndcglib.metrics.checks import SAME_VALUE
from ndcglib.metrics.permutations import order_rows, rescale

LABELS = {
    "3 3 2 1 0": (3, 3, 2, 1, 0),
    "1 of 10": (1,) + (0,) * 9,
    "8 of 10": (1,) * 8 + (0,) * 2,
    "12 mixed": (3, 3, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0),
}
WORDS = {"1 of 10": "one of ten", "8 of 10": "eight of ten"}  # as the text has them
FEW_VALUES = 30  # so many get a stem each; more are counted in bins
BINS = 50
STEM = 0.009  # width, in NDCG
MOST_EXAMPLES, MOST_GRADES = 3, 15  # of orders in a bar, and in all of them together


class WhereIsTheFloor:
    """What NDCG the orders of a list of grades reach, and one NDCG among them.

    Each list has at least two different grades: else all orders score the same.
    """

    def __init__(self, labels):
        self.labels = labels
        self._known, self._rows = {}, {}

    def distribution(self, labels, k):
        """Return the orders, the floor and the random level; each is made once."""
        if (labels, k) not in self._known:
            grades = self.labels[labels]
            levels = worst_ndcg(grades, k=k), random_ndcg(grades, k=k)
            self._known[labels, k] = (all_orders(grades, k), *levels)
        return self._known[labels, k]

    def rows(self, labels):
        """Return the grades of each of these orders; they are made once, for all k."""
        if labels not in self._rows:
            self._rows[labels] = order_rows(self.labels[labels]).astype(int)
        return self._rows[labels]

    def view(self, labels, k, yours):
        """Return all orders of a list, cut at `k`, with your NDCG among them.

        `yours` is in hundredths, from the floor to 100.
        """
        orders, worst, random = self.distribution(labels, k)
        value = yours / 100
        place, bars = _bars(orders, worst, value)
        levels = Levels(
            grades=" ".join(map(str, self.labels[labels])),
            k=k,
            orders=orders,
            bars=[bar for bar in bars if bar.share > 0],
            near=_near(orders, self.rows(labels)[:, :k], value, place),
            worst=worst,
            random=random,
            yours=value,
            corrected=float(rescale(value, random, 1)),
            minmax=float(rescale(value, worst, 1)),
        )
        reach = round(orders.share_of(value) * orders.total)
        counts = [("orders that reach yours, counted", f"{reach:,}")]
        rows = counts if orders.exact else ()
        return View(floor(levels), _formula(levels), rows, touch={"x": "yours"})

    def fit(self, values):
        """End k with the list, and begin your NDCG at the floor."""
        labels = values["labels"]
        last = len(self.labels[labels])
        worst = self.distribution(labels, min(values["k"], last))[1]
        return {"k": {"max": last}, "yours": {"min": math.ceil(100 * worst)}}


def _bars(orders, worst, yours):
    """Return the bar of each order, and the bars: a stem for each NDCG, or bins if too many."""
    values = orders.levels()[0]
    if len(values) <= FEW_VALUES:
        place = np.searchsorted(values, orders.ndcg - SAME_VALUE)
        places = [(f"{x:.4f}", x - STEM / 2, x + STEM / 2) for x in values.tolist()]
    else:
        place = np.floor((orders.ndcg + SAME_VALUE) * BINS).astype(int)
        place = np.minimum(place, BINS - 1)  # 1 belongs to the last bin
        places = [_bin(i, worst) for i in range(BINS)]
    reach = orders.ndcg >= yours - SAME_VALUE
    shares = (
        np.bincount(place, orders.probability * which, minlength=len(places)).tolist()
        for which in (~reach, reach)
    )
    return place, [Bar(*at, *parts) for at, *parts in zip(places, *shares, strict=True)]


def _near(orders, tops, yours, place):
    """Return the order next to yours and others in its bar, the nearest first."""
    gap = np.abs(orders.ndcg - yours).round(9)
    inside = np.flatnonzero(place == place[gap.argmin()])
    inside = inside[np.argsort(gap[inside], kind="stable")]
    most = max(min(MOST_EXAMPLES, MOST_GRADES // tops.shape[1]), 1)
    found = {}
    for grades, value in zip(tops[inside].tolist(), orders.ndcg[inside].tolist(), strict=True):
        found.setdefault(" ".join(map(str, grades)), value)
        if len(found) > most:
            break
    return Near(list(found.items())[:most], len(found) > most)


def _bin(i, worst):
    """Return label and ends of a bin; the lowest begins at the floor, not below it."""
    left, right = max(i / BINS, worst), (i + 1) / BINS
    start = f"{left:.4f}" if left == worst else f"{left:.2f}"
    return f"{start} to {right:.2f}", left, right


def _formula(levels):
    yours, random = number(levels.yours, digits=2), number(levels.random)
    return equation(
        name("chance-corrected"),
        "=",
        fraction(minus(name("yours"), name("random")), minus(number(1), name("random"))),
        "=",
        fraction(minus(yours, random), minus(number(1), random)),
        "≈",  # the random level is rounded here, it was not before
        f"<mn>{signed(levels.corrected, 3)}</mn>",
    )


@explorer
def where_is_the_floor():
    """Return the explorer "Where is the floor?".

    Returns
    -------
    Explorer
        With controls ``labels``, ``k`` and ``yours`` (an NDCG in hundredths).

    Notes
    -----
    Taught in notebook *floors*. Your NDCG stays where it is when the grades change: the
    same number is another achievement. It cannot be below the floor, so where the
    floor is higher it is raised.
    """
    grades = {WORDS.get(label, label): label for label in LABELS}
    controls = {
        "labels": OneOf("Grades", grades, "3 3 2 1 0"),
        "k": Whole("Cutoff k", 1, 5, value=5),
        "yours": Whole("Your NDCG", 0, 100, 84, unit=0.01, digits=2),
    }
    presets = {
        "One of ten": dict(labels="1 of 10", k=10, yours=84),
        "Eight of ten": dict(labels="8 of 10", k=10, yours=84),
    }
    model = WhereIsTheFloor(LABELS)
    question = "Where is the floor?"
    tried = {"yours": (65, 84, 90, 99)}
    return Declaration(
        question, model.view, controls, presets, model.fit, tried=tried, was=("floor",)
    )
