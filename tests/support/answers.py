"""What readers answer, from `answers.md`."""

from pathlib import Path
from typing import NamedTuple

from course.exercises import CATALOG
from course.exercises.texts import changed
from coursekit.exercises.base import Exercise
from coursekit.text import read_text


class Answer(NamedTuple):
    """An answer to an exercise, as code, with its verdict and a part of what it must be told."""

    ex: Exercise
    source: str
    verdict: str
    says: str


def read_answers():
    """Yield the answers; a change (diff) is one of the solution."""
    for part in read_text(Path(__file__).with_suffix(".md")).sections("##")[1:]:
        ex, verdict, says = CATALOG.all[part.name], "", ""
        for block in part.blocks():
            if block.name == "diff":
                for change in block.separated():
                    yield Answer(ex, changed(ex.worked, change), verdict, says)
            elif block.name:
                yield Answer(ex, block.text, verdict, says)
            elif block.text.startswith("- "):
                needed = "- `x = 1` → named: a part of the message"
                for answer in block.items(r"- `(.+)` → ([a-z ]+): (.+)", needed):
                    yield Answer(ex, *answer)
            else:
                verdict, _, says = block.text.partition(": ")
                verdict = verdict.rstrip(":")


ANSWERS = list(read_answers())
