"""Draw your discount, the explorer of notebook 06: your weights beside the conventions."""

from html import escape
from types import MappingProxyType

import ipywidgets
import numpy as np
import traitlets

from helpers.course.explorers.explorer import Explorer
from helpers.course.explorers.formulas import equation, fraction, name, number
from helpers.course.explorers.own_discount.chart import YOURS, Compared, agreement_bars, ndcg_bars
from helpers.course.widgets.controls import Choice
from helpers.course.widgets.part import STATIC, Part, module
from helpers.course.widgets.view import View
from helpers.metrics import dcg, idcg
from helpers.metrics.discounts import relative_weights
from helpers.metrics.pairs import random_pairs, winners

RANKS = 10
HIGHEST = 100  # weights are whole numbers up to this, so that a line of text can hold them


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
SHOWN = {"one ranking": "ranking", "many pairs": "pairs"}
RANKING = (2, 3, 1, 3, 0, 0, 0, 0, 0, 0)
SHUFFLED = (3, 3, 2, 2, 1, 1, 0, 0, 0, 0)
N_PAIRS = 2000

# ---------------------------------------------------------------- the pad


class Weights(traitlets.Unicode):
    """A trait of ten whole numbers in one text, none above the one before it."""

    def validate(self, obj, value):
        """Return the numbers with one space between; refuse anything else in words."""
        return _as_text(_read(value))


def _read(text):
    """Return ten weights from their text; refuse what is no discount."""
    if not isinstance(text, str):
        raise traitlets.TraitError(
            f"weights must be a text of {RANKS} whole numbers, got {text!r}"
        )
    words = text.split()
    if len(words) != RANKS:
        raise traitlets.TraitError(f"weights must be {RANKS} whole numbers, got {len(words)}")
    weights = [_one_weight(word, rank) for rank, word in enumerate(words, start=1)]
    for rank in range(2, RANKS + 1):
        if weights[rank - 1] > weights[rank - 2]:
            raise traitlets.TraitError(
                f"weights must not rise with the rank, but rank {rank} weighs "
                f"{weights[rank - 1]} and rank {rank - 1} weighs {weights[rank - 2]}"
            )
    if weights[0] == 0:
        raise traitlets.TraitError("weights must give rank 1 a weight from 1 on, got 0")
    return weights


def _one_weight(word, rank):
    is_whole = word.isascii() and word.isdecimal() and len(word) <= 9
    if not is_whole or int(word) > HIGHEST:
        raise traitlets.TraitError(
            f"weights must be whole numbers from 0 to {HIGHEST}, got {word[:20]} for rank {rank}"
        )
    return int(word)


def _as_text(weights):
    return " ".join(str(weight) for weight in weights)


def in_hundredths(discount):
    """Return the weights of ten ranks as the text that a pad takes, rank 1 being 100.

    Parameters
    ----------
    discount : discount
        As `helpers.figures.discount_curves.weights_of` takes it.

    Returns
    -------
    str
        Rounded to whole numbers, so in general not quite the discount.
    """
    rounded = np.floor(HIGHEST * relative_weights(discount, RANKS) + 0.5)
    return _as_text(rounded.astype(int).tolist())


class DiscountPad(Part):
    """A curve to draw: the weight of each of ten ranks, one slider for each.

    By mouse, pen or finger a curve is drawn across; each point is a native slider for
    the keyboard. No rank may weigh more than an earlier one: who lifts one lifts those
    before it as well, who lowers one lowers those after it.

    Attributes
    ----------
    label : str
        The name of the group.
    value : str
        Ten whole numbers from 0 to 100, the first above 0, such as
        "100 63 50 43 39 36 33 32 30 29".
    ghost : list of float
        Ten weights of the curve behind, on the same scale.
    ghost_name : str
        What that curve is called.
    """

    _esm = module("elements.js", "discount_pad.js")
    _css = STATIC / "discount_pad.css"

    label = traitlets.Unicode().tag(sync=True)
    value = Weights("100 90 80 70 60 50 40 30 20 10").tag(sync=True)
    ghost = traitlets.List(traitlets.Float()).tag(sync=True)
    ghost_name = traitlets.Unicode().tag(sync=True)


# ---------------------------------------------------------------- the model


class OwnDiscount:
    """One discount beside the conventions: on one ranking, and on many pairs of orders.

    Parameters
    ----------
    ranking : sequence of int
        Ten grades in rank order.
    shuffled : sequence of int
        Ten grades, of which the pairs are random orders.
    n_pairs : int
    seed : int, default=0
        The luck of these orders.
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
        """Return your discount beside the conventions.

        Parameters
        ----------
        weights : str
            Ten whole numbers, as `DiscountPad` holds them.
        beside : str
            A key of the conventions: the one that yours is compared with.
        shows : {"ranking", "pairs"}
        """
        yours = np.array(_read(weights)) / HIGHEST
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
            "≈",
            number(reached / ideal),
        )
        return View(ndcg_bars(values, curves, grades=self.ranking, beside=beside), formula)

    def _many_pairs(self, yours, curves, beside):
        verdicts = winners(self._differences(yours))
        compared = {text: self._compared(verdicts, text) for text in self.curves}
        equal = int((verdicts == 0).sum())
        figure = agreement_bars(compared, curves, equal=equal, beside=beside)
        one = compared[beside]
        formula = equation(
            name("agreement"),
            "=",
            fraction(f"<mn>{one.same:,}</mn>", f"<mn>{one.total:,}</mn>"),
            "≈",
            f"<mn>{escape(one.percent)}</mn>",
        )
        return View(figure, formula)

    def _compared(self, verdicts, text):
        """Return how verdicts compare with those of a convention."""
        same = verdicts == self.verdicts[text]
        sizes = self.sizes[text]
        return Compared(int(same.sum()), len(same), _median(sizes[~same]), _median(sizes[same]))


def _median(sizes):
    return round(float(np.median(sizes)), 6) if len(sizes) else None


# ---------------------------------------------------------------- the explorer


class OwnDiscountExplorer(Explorer):
    """Draw your discount; the pad stands beside the stage, where the eye can hold both."""

    def __init__(self, question, model, controls, presets):
        super().__init__(question, model, controls, presets)
        heading, buttons, row, stage, state_line = self.children
        pad, *row.children = controls.values()
        drawn = ipywidgets.Box([pad, stage]).add_class("ndcg-beside")
        self.children = [heading, buttons, row, drawn, state_line]

    def _adapt(self):
        text, discount = CONVENTIONS[self.values["beside"]]
        pad = self.controls["weights"]
        with pad.hold_sync():
            pad.ghost = [round(HIGHEST * w, 4) for w in relative_weights(discount, RANKS).tolist()]
            pad.ghost_name = text


def own_discount():
    """Return the explorer "What if you draw the discount yourself?".

    Returns
    -------
    Explorer
        With controls ``weights`` (ten whole numbers in one text), ``beside`` (the
        convention to compare with) and ``shows`` (one ranking, or many pairs).

    Notes
    -----
    Taught in notebook 06. The buttons "log2" and "1 / rank" draw these discounts as
    well as whole numbers up to 100 can: what you see is NDCG of the rounded weights.
    """
    named = {text: key for key, (text, _) in CONVENTIONS.items()}
    controls = {
        "weights": DiscountPad(label="Your discount: the weight of each rank"),
        "beside": Choice("Compare with", named, "log"),
        "shows": Choice("Show", SHOWN, "ranking"),
    }
    presets = {
        "log2": dict(weights=in_hundredths("log")),
        "1 / rank": dict(weights=in_hundredths("reciprocal")),
        "Top 3 only": dict(weights=in_hundredths(lambda ranks: (ranks <= 3).astype(float))),
        "All equal": dict(weights=in_hundredths(np.ones_like)),
    }
    model = OwnDiscount(RANKING, SHUFFLED, N_PAIRS)
    question = "What if you draw the discount yourself?"
    return OwnDiscountExplorer(question, model, controls, presets)
