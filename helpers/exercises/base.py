"""What all exercises share: a prompt, a start, hints, a solution, and three verbs."""

import textwrap
from dataclasses import dataclass, field

from IPython.display import Markdown, display

from helpers.exercises.blank import is_blank
from helpers.exercises.outcome import Outcome


@dataclass(frozen=True)
class Wrong:
    """A wrong answer that people give, for the tests.

    Attributes
    ----------
    answer : str
        Code that takes the place of the start.
    says : str
        Part of the message it must get.
    """

    answer: str
    says: str


@dataclass(kw_only=True, eq=False)
class Exercise:
    """One exercise, whole: the notebook's cells and the engine's answers come from here.

    Attributes
    ----------
    name : str
        The id of its cell in the notebook.
    title, prompt : str
        What the reader is asked, in markdown.
    start : str
        The code that the reader finds, with blanks.
    given : str
        Code that the notebook has run before.
    names : tuple of str
        The variables that are checked.
    hints : tuple of str
        From a nudge to nearly all.
    worked : str
        Code that takes the place of the start and is right.
    because : str
        What `solution` says below the code.
    notice : str
        One thing to notice, for those who got it right.
    wrong : tuple of Wrong
        Wrong answers with their messages.
    attempts : int
        How often it was tried since the kernel started. Kept in memory only.
    """

    name: str
    title: str
    prompt: str
    start: str
    names: tuple
    hints: tuple
    worked: str
    because: str
    notice: str
    wrong: tuple
    given: str = ""
    attempts: int = field(default=0, init=False)
    hints_shown: int = field(default=0, init=False)

    def check(self, *answers):
        """Show what is to be said about an answer."""
        display(self.grade(*answers))

    def hint(self):
        """Show one hint more than last time."""
        self.hints_shown = min(self.hints_shown + 1, len(self.hints))
        shown = self.hints[: self.hints_shown]
        lines = [f"**Hint {i} of {len(self.hints)}.** {h}" for i, h in enumerate(shown, start=1)]
        display(Markdown("\n\n".join(lines)))

    def solution(self):
        """Show one way to do it, and why it is right."""
        display(Markdown(f"**One solution**\n\n```python\n{self.worked}\n```\n\n{self.because}"))

    def grade(self, *answers):
        """Return the outcome of an answer and count the attempt.

        Raises
        ------
        TypeError
            If it is not given as many answers as the exercise has names.
        """
        if len(answers) != len(self.names):
            wanted = ", ".join(self.names)
            raise TypeError(f"check() takes {len(self.names)} ({wanted}), got {len(answers)}")
        outcome = self._outcome(answers)
        if outcome.verdict == "not attempted":
            return outcome
        self.attempts += 1
        return outcome if outcome.passed else self._with_offer(outcome)

    def _outcome(self, answers):
        blank = [name for name, a in zip(self.names, answers, strict=True) if is_blank(a)]
        if len(blank) == len(answers):
            return self.not_attempted()
        return self.judge_partly(answers, blank) if blank else self.judge(*answers)

    def judge_partly(self, answers, blank):
        """Return the outcome where some of the answers are blank; `blank` names them."""
        still = ", ".join(f"`{name}`" for name in blank)
        return Outcome("not attempted", f"Still blank: {still}.")

    def not_attempted(self):
        """Return the neutral outcome of an exercise that was left as it is."""
        return Outcome("not attempted", "Replace the blank, `____`, and run this cell again.")

    def judge(self, *answers):
        """Return the outcome of an answer that is no blank. Each kind has its own."""
        raise NotImplementedError

    def _with_offer(self, outcome):
        if self.attempts < 2:
            return outcome
        offer = "`hint()` gives a nudge" if self.hints_shown < len(self.hints) else ""
        if self.attempts >= 4 or not offer:
            offer = f"{offer}; `solution()` shows one way".removeprefix("; ")
        return outcome._replace(message=f"{outcome.message}\n\nAttempt {self.attempts}: {offer}.")

    def cell(self, number, answer=None):
        """Return the code of its cell in a notebook.

        Parameters
        ----------
        number : int
            Its place among the exercises of the notebook.
        answer : str, optional
            What stands in the place of the start.
        """
        answer = self.start if answer is None else answer
        ends_in_a_function = answer.splitlines()[-1].startswith(" ")
        q, gap = f"q{number}", "\n\n\n" if ends_in_a_function else "\n\n"
        check = f'{q} = exercise("{self.name}")\n{q}.check({", ".join(self.names)})'
        return f"{answer}{gap}{check}\n# {q}.hint()\n# {q}.solution()"

    def question(self, number):
        """Return the markdown above its cell."""
        return f"**{number}. {self.title}.** {self.prompt}"


def block(text):
    """Return a text that was indented with the code around it."""
    return textwrap.dedent(text).strip("\n")
