"""Numbers typed by hand: boxes, faded examples, and slips to match with their numbers."""

import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np

from helpers.course.exercises.base import Exercise
from helpers.course.exercises.blank import is_blank
from helpers.course.exercises.method import RIGHT, Method, evaluate
from helpers.course.exercises.mistakes import ended, explain, in_words, is_close, named, same
from helpers.course.exercises.outcome import Outcome
from helpers.course.exercises.running import brief, shorten

DECIMALS = 4
# Mistakes that no pencil makes.
ONLY_IN_CODE = ("//", "xor", "worst k", "from the scores")


@dataclass(frozen=True)
class Box:
    """One number to find; `value` maps a `Method` to what the method gives here.

    `name` is its variable, `method` the right one, `switches` are those that may be wrong, and
    `slips` are other wrong numbers that people find, with what happened.
    """

    value: Callable
    name: str = ""
    method: Method = RIGHT
    switches: tuple = ()
    slips: dict = field(default_factory=dict)

    @property
    def right(self):
        """The number that is asked for."""
        return self.value(self.method)

    def judge(self, given):
        """Return the outcome of a number; "correct" without a word for a full answer."""
        if isinstance(given, np.ndarray) and given.ndim == 0:
            given = given.item()
        if isinstance(given, bool | np.bool_) or not isinstance(given, numbers.Real | Decimal):
            return Outcome("wrong shape", f"`{self.name}` should be a number; {_kind(given)}.")
        given = _within_floats(given)
        if not math.isfinite(given):
            return Outcome("wrong", f"`{self.name}` is {given}: somewhere you divide by 0.")
        decimals, given = typed_decimals(given), float(given)
        if self._is_right(given, decimals):
            return Outcome("correct", self._word_on_rounding(given, decimals))
        return self._name(given, decimals)

    def _is_right(self, given, decimals):
        if decimals >= DECIMALS or self._is_full(given):
            return abs(given - self.right) <= 0.6 * 10**-DECIMALS
        rounded = round(self.right, decimals)
        exact = abs(self.right - rounded) < 1e-9
        enough = decimals >= 2 and abs(self.right) > 0.1  # 0.01 could be many numbers
        return abs(given - rounded) < 1e-9 and (exact or enough)

    def _is_full(self, given):
        """Tell whether all digits are there: 0.0120 arrives as 0.012."""
        return abs(given - round(self.right, DECIMALS)) < 1e-9

    def _word_on_rounding(self, given, decimals):
        exact = abs(self.right - round(self.right, decimals)) < 1e-9
        if decimals >= DECIMALS or exact or self._is_full(given):
            return ""
        return (
            f"`{self.name}` is right to {decimals} decimals. Give {DECIMALS}: two rankings can "
            "differ by less than you have cut off."
        )

    def _name(self, given, decimals):
        # A whole number is meant as it stands; 5.68 may be anything that rounds to it.
        tolerance = 0.6 * 10 ** -(decimals if 0 < decimals < DECIMALS else DECIMALS)
        if 0 < decimals < DECIMALS and abs(given - round(self.right, decimals)) < 1e-9:
            places = "one decimal" if decimals == 1 else f"{decimals} decimals"
            words = f"right to {places}, which is too few to tell. Give {DECIMALS}"
            return Outcome("almost", f"`{self.name}`: {words}.")
        if 1 < decimals < DECIMALS and self._is_cut_off(given, decimals):
            words = f"the last digits were cut off, and not rounded. Give {DECIMALS} decimals"
            return Outcome("almost", f"`{self.name}`: {words}.")
        nearest = min(self.slips, key=lambda slip: abs(given - slip), default=math.inf)
        if abs(given - nearest) <= tolerance:
            return Outcome("named", f"`{self.name}`: {ended(self.slips[nearest])}")
        found = self._explained(given, 1, tolerance)
        if found:
            return Outcome("named", f"`{self.name}`: {in_words(found)}")
        if is_close(given, self.right) or abs(given - self.right) <= tolerance:
            words = "very close, but some digits were lost on the way. Keep all to the last step"
            return Outcome("almost", f"`{self.name}`: {words}.")
        # What is only near a number fits many pairs of mistakes by chance.
        found = self._explained(given, 2, 0.6 * 10**-DECIMALS)
        if named(found):
            return Outcome("named", f"`{self.name}`: {in_words(found)}")
        if found:
            why = "More than one pair of slips leads there, so we do not guess"
        else:
            also = ", nor two of them together" if self.switches else ""
            why = f"No slip that we know leads there{also}"
        words = (
            f"`{self.name}` is not {given:g}. {why}. Go through the computation once more, one "
            "step at a time, and write down each."
        )
        return Outcome("wrong", words)

    def _is_cut_off(self, given, decimals):
        kept = math.trunc(round(self.right * 10**decimals, 6))
        return abs(given - kept / 10**decimals) < 1e-9

    def _explained(self, given, at_most, tolerance):
        def fits(method):
            return same([self.value(method)], [given], tolerance)

        return explain(fits, self.method, self.switches, at_most=at_most, skip=ONLY_IN_CODE)


def typed_decimals(number):
    """Return how many decimals a number was given with."""
    if isinstance(number, numbers.Integral):
        return 0
    return max(0, -Decimal(repr(float(number))).as_tuple().exponent)


def _within_floats(number):
    """Return a number as it is, or infinity if no float is as large."""
    try:
        float(number)
    except OverflowError:
        return math.inf
    return number


def _kind(given):
    if isinstance(given, tuple):
        return "these are several. Decimals stand behind a point: 0.5, not 0,5"
    if isinstance(given, str):
        return f"it is the text {brief(given)}. Leave out the quotes"
    return f"it is {brief(given)}"


def ranked(grades, k=None):
    """Return what a method gives for grades in rank order, as the value of a `Box`."""
    scores = range(len(grades), 0, -1)
    return lambda method: evaluate(method, grades, scores, k)


def scored(y_true, y_score, k=None):
    """Return what a method gives for grades and scores, as the value of a `Box`."""
    return lambda method: evaluate(method, y_true, y_score, k)


@dataclass(kw_only=True, eq=False)
class Boxes(Exercise):
    """Numbers, one for each of `boxes`, checked in order; with several, a faded example."""

    boxes: tuple

    def judge(self, *answers):
        """Return the outcome of the first number that is not right."""
        outcomes = [b.judge(a) for b, a in zip(self.boxes, answers, strict=True)]
        wrong = next((outcome for outcome in outcomes if not outcome.passed), None)
        remarks = [outcome.message for outcome in outcomes]
        return wrong or Outcome("correct", "\n\n".join(filter(None, [self.notice, *remarks])))

    def judge_partly(self, answers, blank):
        """Return what is wrong with the numbers that are there; else, which are missing."""
        given = [pair for pair in zip(self.boxes, answers, strict=True) if not is_blank(pair[1])]
        for box, answer in given:
            outcome = box.judge(answer)
            if not outcome.passed:
                return outcome
        missing = super().judge_partly(answers, blank)
        return missing._replace(message=f"Right so far. {missing.message}")


@dataclass(kw_only=True, eq=False)
class Matching(Exercise):
    """Numbers to match with what led to them: the answer is a dict from number to letter.

    `causes` maps a letter to what happened, and the number that it gives.
    """

    causes: dict

    def judge(self, answer):
        """Return the outcome; a wrong pair is told what its letter really gives."""
        wanted = {number: letter for letter, (_, number) in self.causes.items()}
        if not isinstance(answer, dict) or set(answer) != set(wanted):
            listed = ", ".join(map(str, sorted(wanted)))
            return Outcome("wrong shape", f"Keep the dict with its numbers: {listed}.")
        answer = {number: str(letter).strip().upper() for number, letter in answer.items()}
        unknown = [a for a in answer.values() if a not in self.causes]
        if unknown:
            letters = ", ".join(self.causes)
            words = f"{shorten(unknown[0], 20)!r} is not a letter of the list: {letters}."
            return Outcome("wrong shape", words)
        wrong = [number for number, letter in answer.items() if letter != wanted[number]]
        if not wrong:
            return Outcome("correct", self.notice)
        letter = answer[wrong[0]]
        words, number = self.causes[letter]
        right = len(wanted) - len(wrong)
        return Outcome(
            "named",
            f"{right} of {len(wanted)} are right. {wrong[0]} does not come from {letter} "
            f"({words}): that gives {number}.",
        )
