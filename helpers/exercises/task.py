"""What a program must do, and how a program that does not is told its mistake."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from helpers.exercises.method import RIGHT, Method
from helpers.exercises.mistakes import MISTAKES, explain, in_words, is_close, same
from helpers.exercises.outcome import Outcome
from helpers.exercises.reading import blanks_in
from helpers.exercises.running import as_list, brief, call

TOLERANCE = 1e-6


class Edge(NamedTuple):
    """An input at the rim, tried once the ordinary ones are right."""

    args: tuple
    says: str


class Slip(NamedTuple):
    """A wrong program that the switches do not describe, and what it means."""

    program: Callable
    says: str


@dataclass(frozen=True, kw_only=True)
class Task:
    """A function that is run on probes; none of its right values is printed.

    Attributes
    ----------
    name, parameters : str
        Of the function, for messages; parameters separated by ", ".
    probes : tuple of tuple
        Arguments of the calls that decide.
    compute : callable
        ``compute(method, *args)``: what a `Method` returns for a probe, a number or a list.
    method : Method
        The right one.
    switches : tuple of str
        Which switches may be wrong.
    edges : tuple of Edge
        Tried last; who fails here is almost done.
    slips : tuple of Slip
        Wrong programs with a name of their own, tried before the switches.
    closed : tuple of str
        Packages and modules that a program may not enter while it runs: it would
        fetch the answer instead of computing it.
    """

    name: str
    parameters: str
    probes: tuple
    compute: Callable
    method: Method = RIGHT
    switches: tuple = ()
    edges: tuple = ()
    slips: tuple = ()
    closed: tuple = ("helpers", "sklearn")

    def judge(self, function):
        """Run a function on the probes and return what is to be said.

        The right values are computed after all calls, and a program that enters the
        course's own code while it runs is refused.
        """
        if not callable(function):
            return Outcome(
                "wrong shape",
                f"`{self.name}` should be a function, it is of type {type(function).__name__}. "
                f"Give its name without parentheses: `check({self.name})`.",
            )
        blanks = blanks_in(function)
        if blanks:
            what = ", ".join(f"`{name}`" for name in blanks)
            return Outcome("not attempted", f"There is still a blank, `____`, in {what}.")
        runs = [call(function, args) for args in self.probes]
        rim = [call(function, edge.args) for edge in self.edges]
        borrowed = self._borrowed([*runs, *rim])
        if borrowed:
            return Outcome(
                "named",
                f"While it ran, your function called `{borrowed}`: that is what we compare it "
                "with. Write the computation yourself.",
            )
        wanted = [self.right(args) for args in self.probes]
        return (
            self._crash(runs)
            or self._shape(runs, wanted)
            or self._value(runs, wanted)
            or self._rim(runs, rim)
            or Outcome("correct", "")
        )

    def right(self, args):
        """Return the right value for some arguments as a list of numbers."""
        return self._computed(self.method, args)

    def shown(self, args):
        """Return a call in words."""
        names = self.parameters.split(", ")
        pairs = (f"{name} = {brief(arg)}" for name, arg in zip(names, args, strict=True))
        return f"`{self.name}` with {', '.join(pairs)}"

    def _computed(self, method, args):
        return as_list(self.compute(method, *copy.deepcopy(args)))

    def _borrowed(self, runs):
        """Return the package that a program entered though it is closed to it, or None."""
        entered = sorted(module + "." for run in runs for module in run.entered)
        found = (p for p in self.closed for module in entered if module.startswith(p + "."))
        return next(found, None)

    def _crash(self, runs):
        for args, run in zip(self.probes, runs, strict=True):
            if run.error is None:
                continue
            words = f"{self.shown(args)} raised {in_short(run.error)}."
            if "discount" in self.switches and is_log_of_one(run.error):
                words += f"\n\nLikely: {MISTAKES['discount']['log2(r)']}."
            return Outcome("crashed", words)
        return None

    def _shape(self, runs, wanted):
        if self._slip([run.numbers for run in runs]):
            return None  # more or fewer numbers may be a slip with a name
        for args, run, right in zip(self.probes, runs, wanted, strict=True):
            if run.value is None:
                words = f"{self.shown(args)} gave `None`. Did you forget `return`?"
                return Outcome("no return", words)
            given = run.numbers
            if given is None or len(given) != len(right):
                if given is not None and self._explained([given], [args]):
                    continue  # one number for many queries may be a mistake with a name
                what = "one number" if len(right) == 1 else f"{len(right)} numbers in a row"
                words = f"{self.shown(args)} should give {what}; it gave {brief(run.value)}."
                return Outcome("wrong shape", words)
        return None

    def _value(self, runs, wanted):
        given = [run.numbers for run in runs]
        if same_lists(given, wanted):
            return None
        slip = self._slip(given)
        if slip:
            return Outcome("named", slip.says)
        found = self._explained(given, self.probes)
        if found:
            return Outcome("named", in_words(found))
        if all(map(is_close, flat(given), flat(wanted))):
            words = (
                "Very close on every try, but digits were lost on the way, by `round` or in an "
                "array of few digits. Return all of them; round only what you print."
            )
            return Outcome("almost", words)
        return Outcome("wrong", self._unnamed(runs, given, wanted))

    def _slip(self, given):
        """Return the slip that gives the same numbers on every probe, or None."""
        if None in given:
            return None
        for slip in self.slips:
            values = [as_list(slip.program(*copy.deepcopy(args))) for args in self.probes]
            if same_lists(values, given):
                return slip
        return None

    def _explained(self, given, probes):
        return explain(
            flat(given),
            lambda method: flat(self._computed(method, args) for args in probes),
            self.method,
            self.switches,
            tolerance=TOLERANCE,
        )

    def _unnamed(self, runs, given, wanted):
        fits = [same(g, w, TOLERANCE) for g, w in zip(given, wanted, strict=True)]
        first = fits.index(False)
        return (
            f"{sum(fits)} of {len(fits)} tries are right. {self.shown(self.probes[first])} gave "
            f"{brief(runs[first].value)}, and that is not it.\n\nNo slip that we know explains "
            f"this{', nor two of them together' if self.switches else ''}. Do this input by hand, "
            "and print what your function has after each step."
        )

    def _rim(self, runs, rim):
        if not all(run.unchanged for run in [*runs, *rim]):
            return Outcome(
                "almost",
                "The numbers are right, but your function changes what it is given: `sort()`, "
                "`+=` and `x[i] = …` work on the caller's own data. Work on a copy.",
            )
        for edge, run in zip(self.edges, rim, strict=True):
            if run.error is not None:
                came = f"raised {in_short(run.error)}"
            elif same(run.numbers or [], self.right(edge.args), TOLERANCE):
                continue
            else:
                came = f"gave {brief(run.value)}"
            return Outcome("almost", f"{edge.says} {self.shown(edge.args)} {came}.")
        return None


def in_short(error):
    """Return an error as its type and, if it has one, its message."""
    return ": ".join(filter(None, [type(error).__name__, str(error)]))


def is_log_of_one(error):
    """Tell whether an error is what a division by log2(1), or log2(0), leads to."""
    signs = ("NaN", "infinity", "math domain", "positive input")  # as Python and NumPy have it
    return isinstance(error, ZeroDivisionError) or any(sign in str(error) for sign in signs)


def same_lists(some, others):
    """Tell whether two lists of lists of numbers agree, list by list."""
    return all(same(a, b, TOLERANCE) for a, b in zip(some, others, strict=True))


def flat(lists):
    """Return the numbers of several lists in one."""
    return [number for numbers in lists for number in numbers]
