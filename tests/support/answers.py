"""What readers answer: from `answers.md`, from the texts of the exercises, and by their kind."""

from pathlib import Path
from typing import NamedTuple

from course.exercises import CATALOG
from course.exercises.boxes import LEAST, ONLY_IN_CODE, Boxes, Matching
from course.exercises.mistakes import turned
from course.exercises.programs import Function, Parsons
from course.exercises.texts import changed
from coursekit.exercises.base import Exercise
from coursekit.exercises.claims import OpenQuestion
from coursekit.text import read_text


class Answer(NamedTuple):
    """An answer to an exercise, as code, with its verdict and a part of what it must be told."""

    ex: Exercise
    source: str
    verdict: str
    says: str


def answers_in(part, ex):
    """Yield the answers in a section; a change (diff) is one of the solution."""
    verdict, says = "", ""
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


def tried_answers(ex):
    """Yield the answers that the exercise's own text has under "Tried answers"."""
    [path] = CATALOG.folder.glob(f"*/{ex.number}-{ex.name}.md")
    for part in read_text(path).sections("##"):
        if part.name == "Tried answers":
            yield from answers_in(part, ex)


def wrong_answers(ex):
    """Return wrong answers that follow from an exercise's own text, with what they are told."""
    wrong = [Answer(ex, *answer) for answer in of_kind(ex)]
    return wrong + [answer for answer in tried_answers(ex) if answer.verdict != "correct"]


def of_kind(ex):
    """Yield source, verdict and message of wrong answers, as the kind of exercise has them."""
    match ex:
        case Function():
            yield from ((wrong.source, "named", wrong.says) for wrong in ex.task.wrong)
        case Boxes():
            for box in ex.boxes:
                for number, says in wrong_numbers(box).items():
                    values = [float(number if b is box else b.right) for b in ex.boxes]
                    yield f"{', '.join(ex.names)} = {str(values)[1:-1]}", "named", says
        case Matching():
            [name], numbers = ex.names, [number for _, number in ex.causes.values()]
            for letter in ex.causes:
                source = f"{name} = dict.fromkeys({numbers}, {letter!r})"
                yield source, "named", f"1 of {len(numbers)} are right"
            yield f"{name} = {{}}", "wrong shape", "Keep the dict with its numbers"
        case Parsons():
            [name], wanted = ex.names, len(ex.lines) - len(ex.decoys)
            yield f"{name} = ''", "named", f"The program has {wanted} more lines."
            for letter, why in ex.decoys.items():
                says = f"Line {letter} does not belong here: {why}."
                yield f"{name} = {letter!r}", "named", says
        case OpenQuestion():
            yield f'{ex.names[0]} = "Too short"', "wrong shape", "Write at least a sentence"
            yield f"{ex.names[0]} = 5", "wrong shape", "between quotes"


def wrong_numbers(box):
    """Return wrong numbers with a part of what each is told: by the text, or by its switches."""
    found = dict(box.slips)
    for [text], method in turned(box.method, box.switches, 1, ONLY_IN_CODE):
        value = box.value(method)
        is_new = all(abs(value - number) > LEAST for number in found)
        if is_new and box.judge(value).verdict == "named":
            found[value] = text[1:]
    return found


WRONG = {name: wrong_answers(ex) for name, ex in CATALOG.all.items()}
ANSWERS = [
    answer
    for part in read_text(Path(__file__).with_suffix(".md")).sections("##")[1:]
    for answer in answers_in(part, CATALOG.all[part.name])
]
ANSWERS += [answer for ex in CATALOG.all.values() for answer in tried_answers(ex)]
