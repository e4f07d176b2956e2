"""The bets of the course: every wrong answer is a belief that people hold.

Each notebook's bets are one text in `content`. Each reply speaks to one answer. The full
refutation, with its numbers, stands in the notebook, where code produces them.
"""

import re
from pathlib import Path
from typing import NamedTuple

from helpers.course.text import read_text


class Answer(NamedTuple):
    """One answer to choose, and what its reader is told."""

    text: str
    reply: str


class BetText(NamedTuple):
    """A question, its answers by letter, the letter that is right, and words for instructors."""

    question: str
    answers: dict
    right: str
    instructor: str

    def reply(self, letter):
        """Return what the reader who chose `letter` is told."""
        verdict = "Right" if letter == self.right else "Not so"
        answer = self.answers[letter]
        return f"You bet {letter}: {answer.text} {verdict}. {answer.reply}"


def read_bets(path):
    """Return the bets of a text, by name.

    Raises
    ------
    TextError
        If something is missing or not as it should be; it names file and line.
    """
    return {part.name: _read_bet(part) for part in read_text(path).sections("##")[1:]}


def _read_bet(part):
    """Return a bet: a question, answers with replies, "Right: A", and words for instructors."""
    bet, *notes = part.sections("###")
    if len(notes) != 1:
        raise part.error(f"the bet {part.name!r} needs one part ### For instructors: 4 minutes")
    question, *lines, last = bet.text.split("\n\n")
    needed = "a question, then **A.** an answer, and below it > its reply; at last Right: A"
    found = [re.fullmatch(r"\*\*([A-Z])\.\*\* (.+)\n> (.+)", line) for line in lines]
    answers = {match[1]: Answer(match[2], match[3]) for match in found if match}
    right = last.removeprefix("Right: ")
    if right not in answers or not all(found):
        raise part.error(f"the bet {part.name!r} needs {needed}")
    folded = f"<summary>{notes[0].name}</summary>\n\n{notes[0].text}\n\n"
    return BetText(question, answers, right, f"<details>\n{folded}</details>")


CONTENT = Path(__file__).parent / "content"
BETS = {
    name: bet for path in sorted(CONTENT.glob("*.md")) for name, bet in read_bets(path).items()
}
