"""One problem of a drill: drawn from its number, and refused where it would teach nothing."""

import math
import zlib
from dataclasses import dataclass
from itertools import combinations

from course.drills.by_hand import Quotient, names
from course.drills.dice import Dice
from course.drills.texts import Drill

TRIES = 5000
HAND = names()
LENIENT = 4  # in one problem of so many a slip may lead to the right answer, as in real data


@dataclass(frozen=True)
class Problem:
    """Problem `no` of a drill, the same for everybody.

    `slips` maps what is said to the wrong number that it is said to; `steps` are the lines of
    the worked solution, the last of which ends with the answer.
    """

    drill: Drill
    no: int
    asked: str
    answer: float
    slips: dict
    steps: tuple

    @property
    def kind(self):
        """What is asked for."""
        return self.drill.kind

    @property
    def title(self):
        """Which problem it is, for a reader."""
        return f"{self.drill.title}, No. {self.no}"

    @property
    def result(self):
        """The answer as a key prints it."""
        return self.kind.written(self.answer)

    @property
    def tolerance(self):
        """How far a right number may be from the answer."""
        return self.kind.right * self.kind.unit(self.answer)


def problem(drill, no):
    """Return problem `no` of a drill.

    Raises a RuntimeError if no draw is good, which a test of the drill finds.
    """
    scope = draw(drill, no)
    answer = answer_in(drill, scope)
    slips = {
        slip.says.filled(scope): float(value)
        for slip, value in _wrong_in(drill, scope)
        if _is_apart(drill.kind, answer, value, answer)
    }
    return Problem(
        drill=drill,
        no=no,
        asked="\n\n".join(paragraph.filled(scope) for paragraph in drill.asked),
        answer=answer,
        slips=slips,
        steps=tuple(_lines(drill, scope)),
    )


def draw(drill, no, refused=None):
    """Return the names of the first good draw of a problem, with their values.

    `refused` is a list that gets the reasons why draws before it were not good.
    """
    dice = Dice(zlib.crc32(drill.name.encode()), no)
    for _ in range(TRIES):
        scope = {**HAND, "dice": dice}
        reason = _reason(drill, no, scope)
        if not reason:
            return scope
        if refused is not None:
            refused.append(reason)
    raise RuntimeError(f"{drill.name}, No. {no}: no good draw in {TRIES} tries")


def answer_in(drill, scope, digits=15):
    """Return the answer for a draw, with discounts rounded to some digits."""
    return eval(drill.steps[-1].value, {**scope, **names(digits)})


def _reason(drill, no, scope):
    """Draw into `scope`; return why this makes no good problem, or an empty text."""
    try:
        exec(drill.draw, scope)
    except AssertionError:
        return "not instructive"
    kind, answer = drill.kind, answer_in(drill, scope)
    if not math.isfinite(answer):
        return "no number"

    def are_apart(a, b):
        return _is_apart(kind, answer, a, b)

    if kind.decimals and not all(are_apart(answer, x) for x in (0, 1, *_floats_in(scope))):
        return "gives nothing to compute"
    possible = [value for _, value in _wrong_in(drill, scope)]
    slips = [value for value in possible if are_apart(value, answer)]
    if len(slips) < len(possible) and no % LENIENT:
        return "a slip leads to the answer"
    if not all(are_apart(a, b) for a, b in combinations(slips, 2)):
        return "two slips lead to one number"
    return "" if len(slips) > 1 else "few slips"


def _is_apart(kind, answer, a, b):
    """Tell whether a judge can tell two numbers apart, where the answer is such."""
    return abs(a - b) >= kind.apart * kind.unit(answer)


def _floats_in(scope):
    """Yield the numbers with decimals that were drawn, alone or in a list."""
    for value in scope.values():
        several = value if isinstance(value, list) else [value]
        yield from (x for x in several if isinstance(x, float))


def _wrong_in(drill, scope):
    """Return pairs of a slip that can come about in a draw, and its wrong number."""
    found = ((slip, eval(slip.value, scope)) for slip in drill.slips)
    return [(slip, x) for slip, x in found if x is not None and math.isfinite(x)]


def _lines(drill, scope):
    """Yield the lines of the solution; the value of an expression ends its line."""
    for words, code in drill.steps:
        text = words.filled(scope)
        value = eval(code, scope) if code else None
        if isinstance(value, Quotient):
            yield from [text] if text else []
            yield from value.lines()
        else:
            yield text + ("" if value is None else drill.kind.written(value))
