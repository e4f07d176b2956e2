"""Draw your discount, the explorer of notebook *discount*: your weights beside the conventions."""

from html import escape
from types import MappingProxyType

import numpy as np

from course.explorers.formulas import equation, fraction, name, number, relation
from course.explorers.own_discount_chart import (
    YOURS,
    Compared,
    agreement_dots,
    weighted_list,
)
from coursekit.explorers.declaration import Declaration, OneOf, Text
from coursekit.explorers.explorer import explorer
from coursekit.widgets.pad import HIGHEST, RANKS, read_weights, weights_text
from coursekit.widgets.view import View
from ndcglib.metrics import dcg, idcg
from ndcglib.metrics.discounts import relative_weights
from ndcglib.metrics.pairs import random_pairs, winners


def _geometric(ranks):
    return 0.8 ** (ranks - 1)


# What the buttons say, and the discount as `weights_of` takes it.
CONVENTIONS = MappingProxyType(
    {
        "log": ("1 / log2(rank + 1)", "log"),
        "reciprocal": ("1 / rank", "reciprocal"),
        "geometric": ("0.8^(rank − 1)", _geometric),
        "rule-2002": ("2002 rule, base 2", "2002"),
    }
)
EXPLAINED = {"rule-2002": "2002 rule: ranks 1, 2 keep all"}  # on the pad, where there is room
SHOWN = {"one ranking": "ranking", "many pairs": "pairs"}
RANKING = (2, 3, 1, 3, 0, 0, 0, 0, 0, 0)
SHUFFLED = (3, 3, 2, 2, 1, 1, 0, 0, 0, 0)
N_PAIRS = 2000
STRAIGHT = "100 90 80 70 60 50 40 30 20 10"


def in_hundredths(discount):
    """Return the weights of ten ranks as the text that a pad takes, rank 1 being 100.

    Rounded to whole numbers, so in general not quite the discount.
    """
    rounded = np.floor(HIGHEST * relative_weights(discount, RANKS) + 0.5)
    return weights_text(rounded.astype(int).tolist())


# ---------------------------------------------------------------- the model


class OwnDiscount:
    """One discount beside the conventions: on one ranking, and on many pairs of orders.

    `ranking` is ten grades in rank order, the first above 0; `n_pairs` pairs of random orders of
    the ten grades `shuffled` are drawn by `seed`.
    """

    def __init__(self, ranking, shuffled, n_pairs, *, seed=0):
        self.ranking, self.shuffled = list(ranking), list(shuffled)
        first, second = random_pairs(shuffled, n_pairs, seed=seed)
        # With linear gain a DCG is a sum over the ranks, and so is the difference of two.
        self.gained = (first - second).astype(float)
        self.curves, self.values, self.sizes, self.verdicts = {}, {}, {}, {}
        for text, discount in CONVENTIONS.values():
            self._measure(text, relative_weights(discount, RANKS))

    def _measure(self, text, weights):
        """Keep what a convention says: it is the same in every state."""
        reached, ideal = self._sums(weights)
        differences = self._differences(weights)
        self.curves[text] = weights
        self.values[text] = reached / ideal
        self.sizes[text] = np.abs(differences)
        self.verdicts[text] = winners(differences)

    def _sums(self, weights):
        """Return DCG and IDCG of the ranking."""
        rule = dict(discount=lambda _ranks: weights)
        return dcg(self.ranking, range(RANKS, 0, -1), **rule), idcg(self.ranking, **rule)

    def _differences(self, weights):
        """Return the difference of NDCG of each pair."""
        return self.gained @ weights / idcg(self.shuffled, discount=lambda _ranks: weights)

    def view(self, weights, beside, shows):
        """Return your discount, ten numbers as `DiscountPad` holds them, beside the conventions.

        `beside` is the one it is compared with, on the "ranking" or on the "pairs".
        """
        yours = np.array(read_weights(weights)) / HIGHEST
        curves = {YOURS: yours, **self.curves}
        text = CONVENTIONS[beside][0]
        if shows == "ranking":
            return self._one_ranking(yours, curves, text)
        return self._many_pairs(yours, curves, text)

    def _one_ranking(self, yours, curves, beside):
        reached, ideal = self._sums(yours)
        values = {YOURS: reached / ideal, **self.values}
        formula = equation(
            name("NDCG"),
            "=",
            fraction(name("DCG"), name("IDCG")),
            "=",
            fraction(number(reached), number(ideal)),
            relation(reached / ideal),
            number(reached / ideal),
        )
        terms = {one: np.array(self.ranking) * weights for one, weights in curves.items()}
        shares = {one: (parts / parts.sum()).tolist() for one, parts in terms.items()}
        figure = weighted_list(self.ranking, terms, shares, values, curves, beside=beside)
        return View(figure, formula, [("DCG", round(reached, 4)), ("IDCG", round(ideal, 4))])

    def _many_pairs(self, yours, curves, beside):
        verdicts = winners(self._differences(yours))
        compared = {text: self._compared(verdicts, text) for text in self.curves}
        equal = int((verdicts == 0).sum())
        figure = agreement_dots(compared, curves, equal=equal, beside=beside)
        one = compared[beside]
        formula = equation(
            name("agreement"),
            "=",
            fraction(f"<mn>{one.same:,}</mn>", f"<mn>{one.total:,}</mn>"),
            relation(one.same / one.total, 3),
            f"<mn>{escape(one.percent)}</mn>",
        )
        return View(figure, formula, [("pairs", one.total)])

    def _compared(self, verdicts, text):
        """Return how verdicts compare with those of a convention."""
        same = verdicts == self.verdicts[text]
        sizes = self.sizes[text]
        return Compared(int(same.sum()), len(same), _median(sizes[~same]), _median(sizes[same]))


def _median(sizes):
    return round(float(np.median(sizes)), 6) if len(sizes) else None


# ---------------------------------------------------------------- the explorer


def _on_the_pad(values):
    """Show the convention of comparison behind the reader's curve, and the grades of the list."""
    beside = values["beside"]
    text, discount = CONVENTIONS[beside]
    ghost = [round(HIGHEST * w, 4) for w in relative_weights(discount, RANKS).tolist()]
    grades = list(RANKING) if values["shows"] == "ranking" else []
    return {
        "weights": {
            "ghost": ghost,
            "ghost_name": EXPLAINED.get(beside, text),
            "grades": grades,
        }
    }


@explorer
def own_discount():
    """Return the explorer "What if you draw the discount yourself?".

    Returns
    -------
    Explorer
        With controls ``weights`` (ten whole numbers in one text), ``beside`` (the
        convention to compare with) and ``shows`` (one ranking, or many pairs).

    Notes
    -----
    Taught in notebook *discount*. The buttons "log2" and "1 / rank" draw these discounts as
    well as whole numbers up to 100 can: what you see is NDCG of the rounded weights.
    """
    named = {text: key for key, (text, _) in CONVENTIONS.items()}
    presets = {
        "log2": dict(weights=in_hundredths("log")),
        "1 / rank": dict(weights=in_hundredths("reciprocal")),
        "Top 3 only": dict(weights=in_hundredths(lambda ranks: (ranks <= 3).astype(float))),
        "All equal": dict(weights=in_hundredths(np.ones_like)),
    }
    controls = {
        "weights": Text("Your discount: the weight of each rank", STRAIGHT),
        "beside": OneOf("Compare with", named, "log"),
        "shows": OneOf("Show", SHOWN, "ranking"),
    }
    model = OwnDiscount(RANKING, SHUFFLED, N_PAIRS)
    tried = {"weights": tuple(values["weights"] for values in presets.values())}
    question = "What if you draw the discount yourself?"
    return Declaration(question, model.view, controls, presets, _on_the_pad, tried=tried)
