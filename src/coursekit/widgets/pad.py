"""The pad of notebook *discount*: ten weights to draw, none above the one before it."""

import traitlets

from coursekit.widgets.part import STATIC, Part, module

RANKS = 10
HIGHEST = 100  # weights are whole numbers up to this, so that a line of text can hold them


class Weights(traitlets.Unicode):
    """A trait of ten whole numbers in one text, none above the one before it."""

    def validate(self, obj, value):
        """Return the numbers with one space between; refuse anything else in words."""
        return weights_text(read_weights(value))


def read_weights(text):
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


def weights_text(weights):
    """Return weights as the text that a pad holds."""
    return " ".join(str(weight) for weight in weights)


class DiscountPad(Part):
    """A curve to draw: the weight of each of ten ranks, one slider for each.

    By mouse, pen or finger a curve is drawn across; each point is a native slider for the
    keyboard. No rank may weigh more than an earlier one: who lifts one lifts those before it as
    well, who lowers one lowers those after it. `value` is ten whole numbers from 0 to 100, the
    first above 0, such as "100 63 50 43 39 36 33 32 30 29"; `ghost` are ten weights of the curve
    behind, on the same scale, called `ghost_name`; `grades` are those of a list, if one is shown.
    """

    _esm = module(STATIC / "discount_pad.js")
    _css = STATIC / "discount_pad.css"

    label = traitlets.Unicode().tag(sync=True)
    value = Weights("100 90 80 70 60 50 40 30 20 10").tag(sync=True)
    ghost = traitlets.List(traitlets.Float()).tag(sync=True)
    ghost_name = traitlets.Unicode().tag(sync=True)
    grades = traitlets.List(traitlets.Int()).tag(sync=True)
