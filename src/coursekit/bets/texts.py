"""The texts of bets: every wrong answer is a belief that people hold.

Each notebook's bets are one text. Each reply speaks to one answer. The full refutation, with
its numbers, stands in the notebook, where code produces them.
"""

import re
from typing import NamedTuple

from coursekit.bets.drawn import Drawn, read_drawn
from coursekit.text import Part, read_text


class Answer(NamedTuple):
    """One answer to choose, and what its reader is told."""

    text: str
    reply: str


class BetText(NamedTuple):
    """A bet: a question, its answers by letter, the right letter, and words for instructors.

    `drawn` is the question as a table, None if it has none.
    """

    name: str
    question: str
    drawn: Drawn | None
    answers: dict
    right: str
    instructor: Part

    @property
    def parted(self):
        """What comes before the sentence that asks ("" if nothing does), and that sentence."""
        *before, asked = re.split(r"(?<=[.?!]) ", self.question)
        return " ".join(before), asked

    def table(self, *, is_answered=False):
        """Return the question as a table in a box of HTML, with what it asks if `is_answered`."""
        if not self.drawn:
            return ""
        return f'<div class="ndcg-is-drawn">{self.drawn.html(is_answered=is_answered)}</div>'

    def reply(self, letter):
        """Return what the reader who chose `letter` is told."""
        verdict = "Right" if letter == self.right else "Not so"
        answer = self.answers[letter]
        return f"You bet {letter}: {answer.text} {verdict}. {answer.reply}"

    def remark(self):
        """Return question and answers, and what the instructor wants to know, as Markdown."""
        answers = " · ".join(f"**{letter}** {a.text}" for letter, a in self.answers.items())
        minutes = self.instructor.name.removeprefix("For instructors: ")
        head = f"**{self.question}** ({minutes}; {self.right} is right)"
        return f"{head}\n\n{answers}\n\n{self.instructor.text}"

    def for_the_room(self, number):
        """Return a question with its number and all its replies, as Markdown."""
        answers = " · ".join(f"{letter} {answer.text}" for letter, answer in self.answers.items())
        lines = [f"**{number}. {self.question} {answers}**", ""]
        lines += [f"Right: **{self.right}**. {self.answers[self.right].reply}"]
        wrong = {letter: a for letter, a in self.answers.items() if letter != self.right}
        lines += [f"- {letter}: {answer.reply}" for letter, answer in wrong.items()]
        return "\n".join([*lines, self.instructor.text])


def read_bets(path):
    """Return the bets of a text, by name; a TextError names the file and line of what is wrong."""
    return {part.name: _read_bet(part) for part in read_text(path).sections("##")[1:]}


def _read_bet(part):
    """Return a bet: a question, answers with replies, "Right: A", and words for instructors."""
    bet, *notes = part.sections("###")
    if len(notes) != 1:
        raise part.error(f"the bet {part.name!r} needs one part ### For instructors: 4 minutes")
    question, *lines, last = bet.separated()
    drawn = read_drawn(lines.pop(0)) if lines and lines[0].text.startswith("|") else None
    question, *lines, last = (one.text for one in (question, *lines, last))
    needed = "a question, then **A.** an answer, and below it > its reply; at last Right: A"
    found = [re.fullmatch(r"\*\*([A-Z])\.\*\* (.+)\n> (.+)", line) for line in lines]
    answers = {match[1]: Answer(match[2], match[3]) for match in found if match}
    right = last.removeprefix("Right: ")
    if right not in answers or not all(found):
        raise part.error(f"the bet {part.name!r} needs {needed}")
    return BetText(part.name, question, drawn, answers, right, notes[0])


class Bets:
    """The bets of a course: a folder with a text for each notebook, and `questions` for a room.

    Attributes
    ----------
    by_notebook : dict of str to dict
        The bets of each notebook, `BetText` by name.
    questions : dict of str to BetText
        In no notebook.
    """

    def __init__(self, folder, questions):
        self.by_notebook = {path.stem: read_bets(path) for path in sorted(folder.glob("*.md"))}
        self.questions = read_bets(questions)

    @property
    def all(self):
        """The bets of all notebooks, by name."""
        return {name: bet for bets in self.by_notebook.values() for name, bet in bets.items()}

    def remarks(self, notebook):
        """Return the words for instructors about each bet of a notebook, as Markdown."""
        return [bet.remark() for bet in self.by_notebook.get(notebook, {}).values()]

    @property
    def asked(self):
        """What a room can vote on: the questions, and the bets of each notebook."""
        return {"questions": self.questions, **self.by_notebook}
