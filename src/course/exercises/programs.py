"""Exercises whose answer is a program: to write, to fix, or to put together from lines."""

from dataclasses import dataclass
from types import FunctionType

from course.exercises.task import Task
from coursekit.exercises.base import Exercise
from coursekit.exercises.outcome import Outcome
from coursekit.exercises.reading import fingerprint, functions_in
from coursekit.exercises.running import listed

UNKNOWN = "There is no line {letter}."


@dataclass(kw_only=True, eq=False)
class Function(Exercise):
    """A function to write, or a wrong one to fix; `task` is what it must do."""

    is_long = True

    task: Task

    def judge(self, function):
        """Return the outcome of a function; the program it started as is no attempt."""
        if self._is_the_start(function):
            words = f"`{self.task.name}` still does what it did when you found it. Fix it."
            return Outcome("not attempted", words)
        outcome = self.task.judge(function)
        if not outcome.passed:
            return outcome
        remarks = "\n\n".join(filter(None, [self.notice, outcome.message]))
        return outcome._replace(message=remarks)

    def _is_the_start(self, function):
        if "____" in self.start or not isinstance(function, FunctionType):
            return False
        return fingerprint(function.__code__) == functions_in(self.start)[self.task.name]


@dataclass(kw_only=True, eq=False)
class Parsons(Exercise):
    """Lines of a program to put in order; some do not belong. The answer is a text, "CADB".

    `lines` maps a letter to a line with its indentation, `decoys` to why that line does not
    belong. Any order that does the `task` is right.
    """

    is_long = True
    lines: dict
    decoys: dict
    task: Task

    def judge(self, order):
        """Put the lines together, run them, and return what is to be said."""
        order = listed(order)
        if isinstance(order, list):
            order = "".join(map(str, order))
        if not isinstance(order, str):
            words = 'Write the letters as one text between quotes, such as "BAC".'
            return Outcome("wrong shape", words)
        letters = [c for c in order.upper() if c.isalnum()]
        return self._unfit(letters) or self._run(letters)

    def _unfit(self, letters):
        for letter in letters:
            if letter not in self.lines:
                return Outcome("wrong shape", UNKNOWN.format(letter=letter))
            if letters.count(letter) > 1:
                return Outcome("wrong shape", f"Line {letter} stands there twice.")
        decoy = next((c for c in letters if c in self.decoys), None)
        if decoy:
            words = f"Line {decoy} does not belong here: {self.decoys[decoy]}."
            return Outcome("named", words)
        missing = len(self.lines) - len(self.decoys) - len(letters)
        if missing:
            lines = "line" if missing == 1 else "lines"
            words = f"The program has {missing} more {lines}."
            return Outcome("named", words)
        return None

    def _run(self, letters):
        try:
            program = self.task.program("\n".join(self.lines[c] for c in letters))
        except SyntaxError as error:
            words = (
                f"Python cannot read the lines in this order: {error.msg}. Which line is first?"
            )
            return Outcome("named", words)
        outcome = self.task.judge(program)
        if outcome.passed:
            return Outcome("correct", self.notice)
        if outcome.verdict == "crashed" and "UnboundLocalError" in outcome.message:
            words = "A line uses a name before another line has given it a value."
            return Outcome("named", f"{words}\n\n{outcome.message}")
        return outcome
