"""Claims to break by a counterexample, and open questions with a rubric."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from coursekit.exercises.base import Exercise
from coursekit.exercises.outcome import Outcome
from coursekit.exercises.running import listed

FEW_WORDS = 12
# Letters of scripts that put no space between words: Thai to Burmese, Khmer, and East Asian.
UNSPACED = "\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
WORD = rf"[{UNSPACED}]{{1,2}}|[^\s{UNSPACED}]+"  # two of those letters count as a word


@dataclass(kw_only=True, eq=False)
class Claim(Exercise):
    """A claim to break; any counterexample is right.

    `shape` maps the answers to what is wrong with their form, and `objection` to why they do not
    break the claim; an empty text if nothing is wrong.

    Where the answers are few, so that a page can look up what is said to them, `choices` has for
    each answer the letters or digits of which it may consist; it is as long as that of the
    solution. A page judges answers together, or `in_turn`: each beside the others of the solution.
    """

    shape: Callable
    objection: Callable
    choices: tuple = ()
    in_turn: bool = False

    def judge(self, *answers):
        """Return the objection, if there is one."""
        answers = [listed(answer) for answer in answers]
        try:
            problem = self.shape(*answers)
            words = "" if problem else self.objection(*answers)
        except Exception:  # noqa: BLE001 - a reader's object may raise anything
            names = " and ".join(f"`{name}`" for name in self.names)
            problem = (
                f"{names} could not be read. Give a list of numbers, without quotes, such as "
                "[3, 2, 1]."
            )
        if problem:
            return Outcome("wrong shape", problem)
        return Outcome("named", words) if words else Outcome("correct", self.notice)


def orders_of(grades, *names):
    """Return the shape of a claim whose answers, variables `names`, are orders of `grades`."""
    listed = ", ".join(map(str, grades))

    def shape(*answers):
        for name, answer in zip(names, answers, strict=True):
            if sorted(answer) != sorted(grades):
                return f"`{name}` should hold the grades {listed}, each once and in any order."
        return ""

    return shape


@dataclass(kw_only=True, eq=False)
class OpenQuestion(Exercise):
    """A question without one right answer: a text to write, then a rubric to compare with.

    Each point of the rubric comes with words of which one would be in a text that speaks of it.
    """

    is_long = True
    rubric: tuple

    def judge(self, text):
        """Return the rubric, and which of its points the text does not seem to touch."""
        if not isinstance(text, str):
            return Outcome("wrong shape", "Write your answer as a text between quotes.")
        n_words = len(re.findall(WORD, text))
        if n_words < FEW_WORDS:
            count = "one word" if n_words == 1 else f"{n_words} words"
            words = f"That is {count}. Write at least a sentence on each part."
            return Outcome("wrong shape", words)
        lower = text.lower()
        missed = [point for point, words in self.rubric if not any(w in lower for w in words)]
        points = "\n\n".join(f"{i}. {p}" for i, (p, _) in enumerate(self.rubric, start=1))
        return Outcome("open", self.remark(len(missed), f"`{self.q}.solution()`"), folded=points)

    def remark(self, missed, solution):
        """Return what is said beside the rubric, if a number of its points seem missed.

        `solution` is how a reader calls that verb.
        """
        n_points = len(self.rubric)
        remark = (
            "Nobody can grade this for you: read your text beside the rubric, point by point; "
            f"{solution} shows model answers."
        )
        if missed:
            remark += (
                f" A search for words found nothing on {missed} of {n_points} points. It "
                "may be wrong."
            )
        return f"{remark}\n\n{self.notice}"
