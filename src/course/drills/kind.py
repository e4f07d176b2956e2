"""What a problem asks for: how near is right, and how its numbers are written."""

import re
from dataclasses import dataclass

APART = 0.003  # two numbers that a judge must tell apart


@dataclass(frozen=True)
class Kind:
    """How near to the answer is right, and how far apart answer and slips must be.

    Where `relative`, both are shares of the answer.
    """

    right: float
    apart: float
    relative: bool = False

    @property
    def decimals(self):
        """Whether decimals are asked for, and not a whole number."""
        return self.apart < 1 and not self.relative

    def unit(self, answer):
        """Return what `right` and `apart` are measured in, for an answer."""
        return abs(answer) if self.relative else 1

    def written(self, number):
        """Return a number as a solution and a key print it."""
        return shown(number, ":.4f" if self.decimals else ":.0f")


# By what the last sentence of a text says.
ASKED = {
    "three decimals": Kind(right=0.001, apart=APART),
    "Round up to a whole number": Kind(right=0.01, apart=0.025, relative=True),
    "whole number": Kind(right=0.4, apart=1),
}


def asked_by(sentence):
    """Return the kind that a sentence asks for, or None."""
    return next((kind for words, kind in ASKED.items() if words in sentence), None)


def shown(value, spec=None):
    """Return a value as a text shows it: numbers in a list with commas, a minus as a minus."""
    if isinstance(value, list):
        return ", ".join(shown(one, spec) for one in value)
    if isinstance(value, str):
        return value
    text = format(value, (spec or ":g")[1:])
    return re.sub(r"^-(?=[0.]*$)", "", text).replace("-", "−")
