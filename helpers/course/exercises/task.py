"""What a program must do, and how a program that does not is told its mistake."""

import copy
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from helpers.course.exercises.method import RIGHT, Method
from helpers.course.exercises.mistakes import (
    LIKE_THE_IDEAL,
    ZERO_LOG,
    explain,
    in_words,
    is_close,
    named,
    same,
)
from helpers.course.exercises.outcome import Outcome
from helpers.course.exercises.reading import blanks_in, used_in_place
from helpers.course.exercises.running import (
    SECONDS,
    TooSlow,
    as_list,
    brief,
    call,
    calls,
    exchanged,
    in_short,
    is_row,
)

TOLERANCE = 1e-6
CHECKS_ITSELF = (
    "(Your program also calls scikit-learn while it runs. We let scikit-learn say something else, "
    "and your numbers stayed the same: they are your own. Once you trust the program, move the "
    "comparison out of it, into a test.)"
)


class Edge(NamedTuple):
    """A special case, tried once the ordinary ones are right.

    `also` lists methods whose value is accepted besides the right one.
    """

    args: tuple
    says: str
    also: tuple = ()


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
        fetch the answer instead of computing it. It may compare itself with scikit-learn.
    called : dict
        Words for arguments that are functions.
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
    called: dict = field(default_factory=dict)

    def judge(self, function):
        """Run a function on the probes and return what is to be said.

        The right values are computed after all calls. A program that enters the course's
        own code while it runs, or hands on what scikit-learn says, is refused.
        """
        if not callable(function):
            words = f"`{self.name}` should be a function; it is {brief(function)}."
            advice = f"Give its name without parentheses: `{self.name}`, not `{self.name}(…)`."
            return Outcome("wrong shape", f"{words} {advice}")
        blanks = blanks_in(function)
        if blanks:
            what = ", ".join(f"`{name}`" for name in blanks)
            return Outcome("not attempted", f"There is still a blank, `____`, in {what}.")
        inputs = [*self.probes, *(edge.args for edge in self.edges)]
        runs = calls(function, inputs)
        outcome = self._stopped(inputs, runs) or self._judged(function, inputs, runs)
        return outcome if outcome.printed else outcome._replace(printed=self._first(inputs, runs))

    def right(self, args):
        """Return the right value for some arguments as a list of numbers."""
        return self._computed(self.method, args)

    def shown(self, args):
        """Return a call in words."""
        names = self.parameters.split(", ")
        words = [self.called[arg] if callable(arg) else brief(arg) for arg in args]
        pairs = (f"{name} = {word}" for name, word in zip(names, words, strict=True))
        return f"`{self.name}` with {', '.join(pairs)}"

    def _computed(self, method, args):
        return as_list(self.compute(method, *copy.deepcopy(args)))

    def _stopped(self, inputs, runs):
        if not isinstance(runs[-1].error, TooSlow):
            return None
        last = inputs[len(runs) - 1]
        words = (
            f"After {SECONDS} seconds {self.shown(last)} was still running, so it was stopped. "
            "Does every loop come to an end?"
        )
        return Outcome("endless", words, printed=self._printed(last, runs[-1]))

    def _judged(self, function, inputs, runs):
        package = self._entered(runs)
        checks_itself = package == "sklearn" and only_compares(function, inputs, runs)
        if package and not checks_itself:
            return Outcome(
                "named",
                f"While it ran, your function called `{package}`: that is what we compare it "
                "with. Write the computation yourself.",
            )
        at_edges, runs = runs[len(self.probes) :], runs[: len(self.probes)]
        wanted = [self.right(args) for args in self.probes]
        rows = self._gives_rows()
        if all(is_row(run.value) == rows for run in runs) and same_lists(numbers(runs), wanted):
            remark = CHECKS_ITSELF if checks_itself else ""
            return self._edge(runs, at_edges, checks_itself) or Outcome("correct", remark)
        slip = self._slip(runs)
        if slip:
            return Outcome("named", slip.says)
        return (
            self._crash(function, runs)
            or self._shape(function, runs, wanted)
            or self._value(function, runs, wanted)
        )

    def _printed(self, args, run):
        return f"{self.shown(args)} printed:\n{run.printed}" if run.printed.strip() else ""

    def _first(self, inputs, runs):
        """Return what the first call printed that printed anything."""
        return next(filter(None, map(self._printed, inputs, runs)), "")

    def _entered(self, runs):
        """Return the package that a program entered though it is closed to it, or None."""
        entered = sorted(module + "." for run in runs for module in run.entered)
        found = (p for p in self.closed for module in entered if module.startswith(p + "."))
        return next(found, None)

    def _gives_rows(self):
        return is_row(self.compute(self.method, *copy.deepcopy(self.probes[0])))

    def _crash(self, function, runs):
        for args, run in zip(self.probes, runs, strict=True):
            if run.error is None:
                continue
            words = f"{self.shown(args)} raised {in_short(run.error)}."
            method = "NoneType" in in_short(run.error) and used_in_place(function)
            if method:
                words += f"\n\nLikely: {_returns_none(method)}"
            elif isinstance(run.error, ArithmeticError | ValueError) and log_of_one(
                function, args
            ):
                words += f"\n\nLikely: {ZERO_LOG}."
            return Outcome("crashed", words, printed=self._printed(args, run))
        return None

    def _shape(self, function, runs, wanted):
        rows = self._gives_rows()
        for args, run, right in zip(self.probes, runs, wanted, strict=True):
            given, printed = run.numbers, self._printed(args, run)
            if run.value is None:
                method = used_in_place(function)
                why = _returns_none(method) if method else "Did you forget `return`?"
                words = f"{self.shown(args)} gave `None`. {why}"
                return Outcome("no return", words, printed=printed)
            if given is None or len(given) != len(right) or is_row(run.value) != rows:
                if given is not None and self._explained([given], [args]):
                    continue  # one number for many queries may be a mistake with a name
                count = "1 number" if len(right) == 1 else f"{len(right)} numbers"
                what = f"a list (or array) of {count}" if rows else "one number"
                words = f"{self.shown(args)} should give {what}; it gave {brief(run.value)}."
                return Outcome("wrong shape", words, printed=printed)
        return None

    def _value(self, function, runs, wanted):
        given = numbers(runs)
        seen = flat(given)
        for digits in (1, 2, 3):
            if same_lists(given, [[round(number, digits) for number in w] for w in wanted]):
                places = "one decimal" if digits == 1 else f"{digits} decimals"
                words = f"Right, but rounded to {places}. Return all digits; round what you print."
                return Outcome("almost", words)
        if not all(map(math.isfinite, seen)):
            return self._not_finite(function, runs, given)
        if len(seen) > 1 and max(seen) - min(seen) <= TOLERANCE:
            return self._constant(seen[0])
        found = self._explained(given, self.probes)
        if named(found):
            return Outcome("named", in_words(found))
        if all(map(is_close, seen, flat(wanted))):
            words = (
                "Very close on every try, but digits were lost on the way, by `round` or in an "
                "array of few digits. Return all of them; round only what you print."
            )
            return Outcome("almost", words)
        return self._unnamed(runs, given, wanted, guesses=found)

    def _not_finite(self, function, runs, given):
        """Return what is to be said about nan and infinity: a name only if it is sure."""
        first = next(i for i, some in enumerate(given) if not all(map(math.isfinite, some)))
        args, run = self.probes[first], runs[first]
        if log_of_one(function, args):
            return Outcome("named", in_words([[ZERO_LOG]]))
        found = self._explained(given, self.probes, at_most=1)
        if found and any(map(math.isfinite, flat(given))):
            return Outcome("named", in_words(found))
        words = (
            f"{self.shown(args)} gave {brief(run.value)}: somewhere it divides by 0. Print each "
            "divisor before you divide."
        )
        return Outcome("wrong", words, printed=self._printed(args, run))

    def _constant(self, number):
        if self.method.result == "NDCG" and abs(number - 1) <= TOLERANCE:
            return Outcome("named", LIKE_THE_IDEAL)
        words = f"It gives {brief(number)} on every try, whatever it is given."
        return Outcome("wrong", f"{words} Print what your function has after each step.")

    def _slip(self, runs):
        """Return the slip that does the same as a program on every probe, or None."""
        for slip in self.slips:
            theirs = [call(slip.program, args) for args in self.probes]
            if all(map(_alike, theirs, runs)):
                return slip
        return None

    def _explained(self, given, probes, at_most=2):
        def computed(method):
            """Return what a method gives, up to the first probe on which it gives another."""
            values = []
            for args, some in zip(probes, given, strict=True):
                values += (part := self._computed(method, args))
                if not same(part, some, TOLERANCE):
                    break
            return values

        return explain(
            flat(given),
            computed,
            self.method,
            self.switches,
            at_most=at_most,
            tolerance=TOLERANCE,
        )

    def _unnamed(self, runs, given, wanted, guesses):
        fits = [same(g, w, TOLERANCE) for g, w in zip(given, wanted, strict=True)]
        first = fits.index(False)
        args, run = self.probes[first], runs[first]
        if guesses:
            why = "More than one pair of slips would explain this, so we do not guess"
        else:
            also = ", nor two of them together" if self.switches else ""
            why = f"No slip that we know explains this{also}"
        words = (
            f"{sum(fits)} of {len(fits)} tries are right. {self.shown(args)} gave "
            f"{brief(run.value)}, and that is not right.\n\n{why}. Do this input by hand, and "
            "print what your function has after each step."
        )
        return Outcome("wrong", words, printed=self._printed(args, run))

    def _edge(self, runs, at_edges, checks_itself):
        if not all(run.unchanged for run in [*runs, *at_edges]):
            return Outcome(
                "almost",
                "The numbers are right, but your function changes what it is given: `sort()`, "
                "`+=` and `x[i] = …` work on the caller's own data. Work on a copy.",
            )
        for edge, run in zip(self.edges, at_edges, strict=True):
            accepted = [self._computed(m, edge.args) for m in (self.method, *edge.also)]
            if run.error is not None:
                if checks_itself and isinstance(run.error, AssertionError):
                    continue  # scikit-learn need not agree in a special case
                came = f"raised {in_short(run.error)}"
            elif any(same(run.numbers or [], right, TOLERANCE) for right in accepted):
                continue
            else:
                came = f"gave {brief(run.value)}"
            words = f"{edge.says} {self.shown(edge.args)} {came}."
            return Outcome("almost", words, printed=self._printed(edge.args, run))
        return None


def _returns_none(method):
    return (
        f"`{method}()` changes the list itself and returns `None`. Call it on a line of its own, "
        "and use the list afterwards."
    )


def _alike(run, other):
    """Tell whether two calls gave the same, or stopped with the same error."""
    if run.error is not None and other.error is not None:
        return in_short(run.error) == in_short(other.error)
    if run.error is not None or other.error is not None:
        return False
    given = run.numbers, other.numbers
    return None not in given and same(*given, TOLERANCE)


def log_of_one(function, args):
    """Tell whether a program that fails gets through once no logarithm of it is 0."""

    def lifted(log):
        return lambda x, *base: log(np.maximum(x, 1), *base) + 0.25 * (np.asarray(x) <= 1)

    logs = [getattr(m, name) for m in (math, np) for name in ("log", "log2", "log10")]
    spaces = [vars(math), vars(np), getattr(function, "__globals__", {})]
    with exchanged(spaces, [(log, lifted(log)) for log in logs]):
        run = call(function, args)
    return run.numbers is not None and all(map(math.isfinite, run.numbers))


def only_compares(function, inputs, runs):
    """Tell whether a program gives the same, or objects, when scikit-learn's DCG is another.

    It has called scikit-learn; so it either compares itself, or hands on what it heard.
    """
    space = vars(sys.modules.get("sklearn.metrics._ranking", object))
    honest = space.get("_dcg_sample_scores")  # all of its DCG and NDCG goes through this

    def off(*args, **options):
        return honest(*args, **options) + 0.01

    with exchanged([space], [(honest, off)]):
        others = calls(function, inputs)
    return honest is not None and all(
        other.numbers is None or repr(other.numbers) == repr(run.numbers)
        for run, other in zip(runs, others, strict=False)
    )


def numbers(runs):
    """Return what each call gave as numbers."""
    return [run.numbers for run in runs]


def same_lists(some, others):
    """Tell whether two lists of lists of numbers agree, list by list."""
    pairs = zip(some, others, strict=True)
    return all(a is not None and same(a, b, TOLERANCE) for a, b in pairs)


def flat(lists):
    """Return the numbers of several lists in one."""
    return [number for numbers in lists for number in numbers]
