"""What does one more tree bring?, the explorer of notebook *trees*: curves of boosting.

The curves are stored, `one_more_tree.json`: the program of *lambdamart* fits them, and
`python benchmarks/lambdamart.py --write curves` writes them.
"""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from course.explorers.formulas import equation, minus, name, number
from course.explorers.one_more_tree_chart import Curves, growing
from coursekit.explorers.declaration import Declaration, OneOf
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.numbers import signed

STORED = Path(__file__).with_suffix(".json")
METRIC = "NDCG@5"
TRUTHS = {"mixed": "mixed truth", "linear": "linear truth", "shop": "the shop"}
LEARNERS = {
    "lambdas": ("LambdaMART", "LambdaMART"),
    "squared": ("squared", "trees on the squared error"),
    "centered": ("centered", "trees on the centered error"),
}
BASE = "least squares"


class Stored(NamedTuple):
    """What was fitted: the numbers of trees, and the curves and levels of each data set."""

    trees: list
    data: dict


@cache
def stored():
    """Read the curves."""
    return Stored(**json.loads(STORED.read_text(encoding="utf-8")))


class OneMoreTree:
    """Boosting on several data sets, in training and on fresh queries."""

    def __init__(self, found):
        self.found = found

    def view(self, data, learner, trees):
        """Return the curves of a learner (of `LEARNERS`) with one number of trees marked."""
        made, at = self.found.data[data], self.found.trees.index(trees)
        train, fresh = made["curves"][learner]
        where, who = TRUTHS[data], LEARNERS[learner][1]
        curves = Curves(where, who, self.found.trees, train, fresh, made["levels"])
        lead = _shown(fresh[at]) - _shown(made["levels"][BASE][1])
        rows = [(f"fresh, ahead of {BASE}", None, signed(lead))]
        return View(growing(curves, at=at, metric=METRIC, base=BASE), _formula(curves, at), rows)


def _shown(value):
    """Return a number with the digits that are shown, so that differences fit."""
    return round(value, 4)


def _formula(curves, at):
    """Return what is between the fresh queries and least squares."""
    fresh, line = _shown(curves.fresh[at]), _shown(curves.levels[BASE][1])
    words = minus(name("fresh"), name(BASE))
    lead = f"<mn>{signed(fresh - line)}</mn>"
    return equation(words, "=", minus(number(fresh), number(line)), "=", lead)


# --- the explorer ---------------------------------------------------------------------


@explorer
def one_more_tree():
    """Return the explorer "What does one more tree bring?".

    Returns
    -------
    Explorer
        With controls ``data`` (mixed or linear truth of `ranking_data`, or the shop of
        `shop_data`), ``learner`` and ``trees``.

    Notes
    -----
    Taught in notebook *trees*. 240 queries for training and 400 fresh ones, seed 0; NDCG@5
    is the mean over the queries, and a query without a relevant document counts 0. It begins
    where the next trees are too many.
    """
    found = stored()
    controls = {
        "data": OneOf("Data", {key: key for key in TRUTHS}, "linear"),
        "learner": OneOf(
            "Learner", {shown: key for key, (shown, _) in LEARNERS.items()}, "squared"
        ),
        "trees": OneOf("Trees", {f"{n}": n for n in found.trees}, 100),
    }
    presets = {
        "One more": dict(data="linear", learner="squared", trees=300),
        "LambdaMART": dict(data="linear", learner="lambdas", trees=300),
        "The shop": dict(data="shop", learner="squared", trees=100),
        "Centered": dict(data="shop", learner="centered", trees=100),
    }
    question = "What does one more tree bring?"
    return Declaration(question, OneMoreTree(found).view, controls, presets)
