"""What all exercises share: a prompt, a start, hints, a solution, and three verbs."""

from dataclasses import dataclass, field
from typing import ClassVar

from IPython.display import Markdown, display

from coursekit.exercises.blank import is_blank
from coursekit.exercises.outcome import Outcome
from coursekit.exercises.running import in_short, plain, shorten

MOST_LETTERS = 1500  # of a message: less than a screen
STILL_BLANK = "Still blank: `{names}`."
SOLVED = "**All exercises of this notebook are solved.** One line to keep from it:"
HELP = {"hint": "{hint} gives a nudge", "solution": "{solution} shows one way"}


@dataclass(kw_only=True, eq=False)
class Exercise:
    """One exercise, whole: the notebook's cells and the engine's answers come from here."""

    name: str  # the id of its cell in the notebook
    title: str
    prompt: str  # what the reader is asked, in markdown
    start: str  # the code that the reader finds, with blanks
    names: tuple  # the variables that are checked
    hints: tuple  # from a nudge to nearly all
    worked: str  # code that takes the place of the start and is right
    because: str  # what `solution` says below the code
    notice: str  # one thing to notice, for those who got it right
    given: str = ""  # code that the notebook has run before
    on_page: str = ""  # the same on a page of the site, where only arithmetic is understood
    below: str = ""  # code below the check, such as the print of a program to be fixed
    is_long: ClassVar[bool] = False  # a program or a design takes longer than a number
    number: int = 1  # its place in the notebook, where its variable is q1, q2, …
    # How often it was tried since the kernel started; kept in memory only.
    attempts: int = field(default=0, init=False)
    hints_shown: int = field(default=0, init=False)
    is_solved: bool = field(default=False, init=False)

    @property
    def q(self):
        """The variable that holds it in its notebook."""
        return f"q{self.number}"

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

        Whatever the answer is or does, there is an outcome; only an interrupt by the
        reader, a KeyboardInterrupt, goes through.
        """
        try:
            outcome = self._outcome([plain(answer) for answer in answers])
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a reader's object may raise anything
            words = f"Your answer could not be read: it raised {in_short(error)}."
            outcome = Outcome("wrong shape", words)
        outcome = outcome._replace(message=shorten(outcome.message, MOST_LETTERS))
        if outcome.verdict == "not attempted":
            return outcome
        self.attempts += 1
        self.is_solved |= outcome.passed
        return outcome if outcome.passed else self.with_offer(outcome)

    def _outcome(self, answers):
        if len(answers) != len(self.names):
            wanted = "one answer" if len(self.names) == 1 else f"{len(self.names)} answers"
            call = f"{self.q}.check({', '.join(self.names)})"
            words = f"`check` looks at {wanted}, and it got {len(answers) or 'none'}: `{call}`."
            return Outcome("wrong shape", words)
        blank = [name for name, a in zip(self.names, answers, strict=True) if is_blank(a)]
        if len(blank) == len(answers):
            return self.not_attempted()
        return self.judge_partly(answers, blank) if blank else self.judge(*answers)

    def judge_partly(self, answers, blank):
        """Return the outcome where some of the answers are blank; `blank` names them."""
        return Outcome("not attempted", STILL_BLANK.format(names="`, `".join(blank)))

    def not_attempted(self):
        """Return the neutral outcome of an exercise that was left as it is."""
        return Outcome("not attempted", "Replace the blank, `____`, and run this cell again.")

    def judge(self, *answers):
        """Return the outcome of an answer that is no blank. Each kind has its own."""
        raise NotImplementedError

    def with_offer(self, outcome):
        """Return an outcome that was not passed; from the second attempt on it offers help."""
        if self.attempts < 2:
            return outcome
        verbs = ["hint"] if self.hints_shown < len(self.hints) else []
        if self.attempts >= 4 or not verbs:
            verbs.append("solution")
        called = {verb: f"`{self.q}.{verb}()`" for verb in verbs}
        return outcome._replace(message=f"{outcome.message}\n\n{offer(self.attempts, called)}")

    def cell(self, number, answer=None):
        """Return the code of its cell, exercise `number` there; `answer` replaces the start."""
        answer = self.start if answer is None else answer
        ends_in_a_function = answer.splitlines()[-1].startswith(" ")
        q, gap = f"q{number}", "\n\n\n" if ends_in_a_function else "\n\n"
        check = f'{q} = exercise("{self.name}")\n{q}.check({", ".join(self.names)})'
        below = f"\n\n{self.below}" if self.below else ""
        return f"{answer}{gap}{check}\n# {q}.hint()\n# {q}.solution(){below}"

    def question(self, number):
        """Return the markdown above its cell."""
        return f"**{number}. {self.title}.** {self.prompt}"


def offer(attempts, called):
    """Return an offer of help; `called` says how a reader calls each verb that is offered."""
    offers = (HELP[verb].format(**called) for verb in called)
    return f"Attempt {attempts}: {'; '.join(offers)}."


class Handle:
    """What a notebook holds of an exercise: three verbs, and nothing to peek at.

    `together` are all exercises of the notebook. Whoever has just solved the last of them is
    shown `line`, to keep.
    """

    __slots__ = ("_exercise", "_line", "_together")

    def __init__(self, exercise, together, line):
        self._exercise, self._together, self._line = exercise, together, line

    def check(self, *answers):
        """Say whether your answer is right; if it is not, what happened."""
        was_solved = self._exercise.is_solved
        self._exercise.check(*answers)
        if not was_solved and all(one.is_solved for one in self._together):
            display(Markdown(f"{SOLVED}\n\n{self._line}"))

    def hint(self):
        """Show a hint; called again, one more."""
        self._exercise.hint()

    def solution(self):
        """Show one way to do it, and why it is right."""
        self._exercise.solution()

    def __dir__(self):
        return ["check", "hint", "solution"]

    def __repr__(self):
        ex = self._exercise
        return (
            f"Exercise {ex.number}, {ex.title}: {ex.q}.check({', '.join(ex.names)}) looks at your "
            f"answer, {ex.q}.hint() gives a hint, {ex.q}.solution() shows one way"
        )
