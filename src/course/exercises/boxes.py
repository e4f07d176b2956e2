"""Numbers typed by hand: boxes, faded examples, and slips to match with their numbers."""

import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal

from course.exercises.mistakes import ended, explain, in_words, is_close, named, same
from coursekit.exercises.base import STILL_BLANK, Exercise
from coursekit.exercises.blank import is_blank
from coursekit.exercises.outcome import Outcome
from coursekit.exercises.running import brief, shorten
from ndcglib.conventions.method import RIGHT, Method, evaluate_list, first_terms

DECIMALS = 4
LEAST = 0.6 * 10**-DECIMALS  # two numbers are the same to four decimals
# What a box says; the pages of the site say the same (`course.site`).
SAYS = {
    "no number": "`{name}` should be a number; {kind}.",
    "several": "these are several. Decimals stand behind a point: 0.5, not 0,5",
    "not finite": "`{name}` is {given}: somewhere you divide by 0.",
    "short": "`{name}` is right to {decimals} decimals. Give 4: two rankings can differ by less "
    "than you have cut off.",
    "too short": "`{name}`: right to {places}, which is too few to tell. Give 4.",
    "cut off": "`{name}`: the last digits were cut off, and not rounded. Give 4 decimals.",
    "close": "`{name}`: very close, but some digits were lost on the way. Keep all to the last "
    "step.",
    "wrong": "`{name}` is not {given}. {what}",
    "some pairs": "More than one pair of slips leads there, so we do not guess. ",
    "again": "Go through the computation once more, one step at a time, and write down each.",
}
BEGINS = {
    "DCG": "The first term, that of rank 1, is {first}.",
    "IDCG": "In the ideal order the first term, that of rank 1, is {best}.",
    "NDCG": "The first term, that of rank 1, is {first} above the line and {best} below it.",
}
REST_BLANK = f"Right so far. {STILL_BLANK}"
GO_ON = "Go on from there, one term at a time, and write down each."
NEAR = 2e-4  # relative, below 1 absolute: a wrong number that lost digits on the way
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

    @property
    def also_right(self):
        """What comes of the right method if its discounts are taken with four decimals."""
        return self.value(replace(self.method, rounding="weights to 4"))

    @property
    def begins(self):
        """What the sum begins with, in words; nothing if that would tell the right number."""
        first, best = first_terms(self.value, self.method)
        if not self.switches or any(abs(x - self.right) < NEAR for x in (first, best)):
            return SAYS["again"]
        words = BEGINS[self.method.result].format(first=brief(first), best=brief(best))
        return f"{words} {GO_ON}"

    def judge(self, given):
        """Return the outcome of a number; "correct" without a word for a full answer."""
        if isinstance(given, bool) or not isinstance(given, numbers.Real | Decimal):
            return self._says("wrong shape", "no number", kind=_kind(given))
        given = _within_floats(given)
        if not math.isfinite(given):
            return self._says("wrong", "not finite", given=given)
        decimals, given = self._decimals(given), float(given)
        if self._is_right(given, decimals):
            return self._right(given, decimals)
        return self._name(given, decimals)

    def _says(self, verdict, key, **words):
        return Outcome(verdict, SAYS[key].format(name=self.name, **words))

    def _decimals(self, given):
        """Return how many decimals were typed: 0.0120 arrives as 0.012, and 0.30 as 0.3."""
        typed = typed_decimals(given)
        more = (d for d in (2, DECIMALS) if abs(given - round(self.right, d)) < 1e-9)
        return max([typed, *more]) if typed else 0

    def _is_right(self, given, decimals):
        if decimals >= DECIMALS:
            return min(abs(given - x) for x in (self.right, self.also_right)) <= LEAST
        rounded = round(self.right, decimals)
        exact = abs(self.right - rounded) < 1e-9
        enough = decimals >= 2 and abs(self.right) > 0.1  # 0.01 could be many numbers
        return abs(given - rounded) < 1e-9 and (exact or enough)

    def _right(self, given, decimals):
        exact = abs(self.right - round(self.right, decimals)) < 1e-9
        if decimals >= DECIMALS or exact:
            return Outcome("correct", "")
        return self._says("correct", "short", decimals=decimals)

    def _name(self, given, decimals):
        """Return the outcome of a wrong number: first what it is exactly, then nearly."""
        rounded = 1 < decimals < DECIMALS  # 5.68 may stand for 5.6848; 0.5 is taken as exact
        tolerance = 0.6 * 10**-decimals if rounded else LEAST
        return (
            self._named(given, LEAST)
            or (self._shortened(given, decimals) if 0 < decimals < DECIMALS else None)
            or (self._named(given, tolerance) if rounded else None)
            or self._nearly(given, tolerance)
            or self._unnamed(given)
        )

    def _named(self, given, tolerance):
        nearest = min(self.slips, key=lambda slip: abs(given - slip), default=math.inf)
        if abs(given - nearest) <= tolerance:
            return Outcome("named", f"`{self.name}`: {ended(self.slips[nearest])}")
        found = self._explained(given, 1, tolerance)
        return Outcome("named", f"`{self.name}`: {in_words(found)}") if found else None

    def _shortened(self, given, decimals):
        if abs(given - round(self.right, decimals)) < 1e-9:
            places = "one decimal" if decimals == 1 else f"{decimals} decimals"
            return self._says("almost", "too short", places=places)
        if decimals > 1 and self._is_cut_off(given, decimals):
            return self._says("almost", "cut off")
        return None

    def _nearly(self, given, tolerance):
        if is_close(given, self.right) or abs(given - self.right) <= tolerance:
            return self._says("almost", "close")
        near = (slip for slip in self.slips if abs(given - slip) <= NEAR * max(1, abs(slip)))
        nearest = min(near, key=lambda slip: abs(given - slip), default=None)
        if nearest is None:
            return None
        return Outcome("named", f"`{self.name}`: {ended(self.slips[nearest])}")

    def _unnamed(self, given):
        # What is only near a number fits many pairs of mistakes by chance.
        found = self._explained(given, 2, LEAST)
        if named(found):
            return Outcome("named", f"`{self.name}`: {in_words(found)}")
        what = (SAYS["some pairs"] if found else "") + self.begins
        return self._says("wrong", "wrong", given=f"{given:g}", what=what)

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
        return SAYS["several"]
    if isinstance(given, str):
        return f"it is the text {brief(given)}. Leave out the quotes"
    return f"it is {brief(given)}"


def ranked(grades, k=None):
    """Return what a method gives for grades in rank order, as the value of a `Box`."""
    scores = range(len(grades), 0, -1)
    return lambda method: evaluate_list(method, grades, scores, k)


def scored(y_true, y_score, k=None):
    """Return what a method gives for grades and scores, as the value of a `Box`."""
    return lambda method: evaluate_list(method, y_true, y_score, k)


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
        return Outcome("not attempted", REST_BLANK.format(names="`, `".join(blank)))


@dataclass(kw_only=True, eq=False)
class Matching(Exercise):
    """Numbers to match with what led to them: the answer is a dict from number to letter.

    `causes` maps a letter to what happened, and the number that it gives.
    """

    causes: dict
    says = (
        "{right} of {wanted} are right. {number} does not come from {letter} ({words}): that "
        "gives {gives}."
    )

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
        said = self.says.format(
            right=right,
            wanted=len(wanted),
            number=wrong[0],
            letter=letter,
            words=words,
            gives=number,
        )
        return Outcome("named", said)
