"""One problem of a drill: drawn from its number, and refused where it would teach nothing."""

import math
import zlib
from dataclasses import dataclass
from itertools import combinations

from course.drills.by_hand import Quotient, names
from course.drills.dice import Dice
from course.drills.texts import Drill, shown

TRIES = 5000
APART = 0.003  # two numbers that a judge must tell apart
LENIENT = 4  # in one problem of so many a slip may lead to the right answer, as in real data


@dataclass(frozen=True)
class Kind:
    """What is asked for: how near is right, and how far apart answer and slips must be.

    Where `relative`, both are shares of the answer.
    """

    right: float
    apart: float
    relative: bool = False

    @property
    def decimals(self):
        """Whether decimals are asked for, and not a whole number."""
        return self.apart < 1 and not self.relative


DECIMALS = Kind(right=0.001, apart=APART)
WHOLE = Kind(right=0.4, apart=1)
ABOUT = Kind(right=0.01, apart=0.025, relative=True)
ASKED = {"three decimals": DECIMALS, "Round up to a whole number": ABOUT, "whole number": WHOLE}


@dataclass(frozen=True)
class Problem:
    """Problem `no` of a drill, the same for everybody.

    `slips` maps what is said to the wrong number that it is said to; `steps` are the lines of
    the worked solution, the last of which ends with the answer.
    """

    drill: Drill
    no: int
    asked: str
    kind: Kind
    answer: float
    slips: dict
    steps: tuple

    @property
    def result(self):
        """The answer as a key prints it."""
        return shown(self.answer, ":.4f" if self.kind.decimals else ":.0f")


def problem(drill, no):
    """Return problem `no` of a drill.

    Raises a RuntimeError if no draw is good, which a test of the drill finds.
    """
    scope = draw(drill, no)
    return Problem(
        drill=drill,
        no=no,
        asked="\n\n".join(paragraph.filled(scope) for paragraph in drill.asked),
        kind=kind_of(drill),
        answer=answer_in(drill, scope),
        slips=slips_in(drill, scope),
        steps=tuple(_lines(drill, scope)),
    )


def draw(drill, no, refused=None):
    """Return the names of the first good draw of a problem, with their values.

    `refused` is a list that gets the reasons why draws before it were not good.
    """
    dice = Dice(zlib.crc32(drill.name.encode()), no)
    for _ in range(TRIES):
        scope = {**names(), "dice": dice}
        reason = _reason(drill, no, scope)
        if not reason:
            return scope
        if refused is not None:
            refused.append(reason)
    raise RuntimeError(f"{drill.name}, No. {no}: no good draw in {TRIES} tries")


def answer_in(drill, scope, digits=15):
    """Return the answer for a draw, with discounts rounded to some digits."""
    return eval(drill.steps[-1].value, {**scope, **names(digits)})


def slips_in(drill, scope):
    """Return the wrong numbers of a draw, by what is said to them; where the answer is, none."""
    answer, kind = answer_in(drill, scope), kind_of(drill)
    found = {}
    for slip in drill.slips:
        value = eval(slip.value, dict(scope))
        if value is not None and math.isfinite(value):
            found[slip.says.filled(scope)] = float(value)
    apart = kind.apart * (answer if kind.relative else 1)
    return {says: value for says, value in found.items() if abs(value - answer) >= apart}


def kind_of(drill):
    """Return what is asked for; the last sentence of a text says it."""
    last = drill.asked[-1].words.rsplit(". ", 1)[-1]
    return next(kind for words, kind in ASKED.items() if words in last)


def _reason(drill, no, scope):
    """Draw into `scope`; return why this makes no good problem, or an empty text."""
    try:
        exec(drill.draw, scope)
    except AssertionError:
        return "not instructive"
    kind, answer = kind_of(drill), answer_in(drill, scope)
    if not math.isfinite(answer):
        return "no number"
    apart = kind.apart * (answer if kind.relative else 1)
    given = {x for value in scope.values() if isinstance(value, list) for x in value}
    given |= {value for value in scope.values() if isinstance(value, float)}
    tells = [0, 1, *(x for x in given if isinstance(x, float))] if kind.decimals else []
    if any(abs(answer - x) < apart for x in tells):
        return "gives nothing to compute"
    possible = [eval(slip.value, dict(scope)) for slip in drill.slips]
    possible = [value for value in possible if value is not None and math.isfinite(value)]
    slips = [value for value in possible if abs(value - answer) >= apart]
    if len(slips) < len(possible) and no % LENIENT:
        return "a slip leads to the answer"
    if any(abs(a - b) < apart for a, b in combinations(slips, 2)):
        return "two slips lead to one number"
    return "" if len(slips) > 1 else "few slips"


def _lines(drill, scope):
    """Yield the lines of the solution; the value of an expression ends its line."""
    for words, code in drill.steps:
        text = words.filled(scope)
        value = eval(code, dict(scope)) if code else None
        if isinstance(value, Quotient):
            yield from [text] if text else []
            yield from value.lines()
        elif value is None:
            yield text
        else:
            yield text + shown(value, ":.4f" if kind_of(drill).decimals else ":.0f")
