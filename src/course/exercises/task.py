"""What a program must do, and how a program that does not is told its mistake."""

import copy
import functools
import math
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from course.exercises.mistakes import ZERO_LOG, explain, in_words, is_close, named, same
from coursekit.exercises.outcome import Outcome
from coursekit.exercises.reading import blanks_in, draws, used_in_place
from coursekit.exercises.running import (
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
from ndcglib.conventions.method import RIGHT, Method, first_terms

TOLERANCE = 1e-6
BY_DRAWS = 0.05  # from the right number, by a mean over few draws
LIKE_THE_IDEAL = (
    "It gives 1 on every try: list and ideal are the same to it. Either the list was sorted by "
    "the grades, as the ideal is, or the ideal was not sorted at all. (`x.sort()` changes the "
    "list itself, `sorted(x)` makes a new one.)"
)
CHECKS_ITSELF = (
    "(Your program also calls scikit-learn while it runs. We let scikit-learn say something else, "
    "and your numbers stayed the same: they are your own. Once you trust the program, move the "
    "comparison out of it, into a test.)"
)
AT_RANDOM = (
    "Close on every try, but never equal: your program draws at random, and a mean over draws "
    "only comes near the value. Compute the value itself."
)
# What a program may compare itself with, but not hand on.
LIBRARY = {
    "sklearn.metrics": ("ndcg_score", "dcg_score"),
    "ndcglib.metrics": ("ndcg", "dcg", "idcg", "random_ndcg", "worst_ndcg"),
}


class Edge(NamedTuple):
    """A special case, tried once the ordinary ones are right.

    `also` lists methods whose value is accepted besides the right one.
    """

    args: tuple
    says: str
    also: tuple = ()


class WrongProgram(NamedTuple):
    """A wrong program that people write, and what it means."""

    source: str
    says: str


@dataclass(frozen=True, kw_only=True)
class Task:
    """A function that is run on probes; none of its right values is printed."""

    probes: tuple  # arguments of the calls that decide
    # compute(method, *args): what a Method returns for a probe, a number or a list. None:
    # there is no such model, and the solution itself says what is right.
    compute: Callable | None = None
    method: Method = RIGHT  # the right one
    switches: tuple = ()  # those that may be wrong
    edges: tuple = ()  # tried last; who fails here is almost done
    called: dict = field(default_factory=dict)  # words for arguments that are functions
    may_ask: bool = False  # whether it is meant to use what scikit-learn says
    # allowed(*args): whether a reader may be given these, for the tests, which vary the probes.
    # None: whatever the solution has a number for.
    allowed: Callable | None = None
    name: str = ""  # of the function, for messages
    parameters: str = ""  # the same, separated by ", "
    given: str = ""  # what the page has run before
    solution: str = ""
    # Tried before the switches; the first that gives the same on every probe is the mistake.
    wrong: tuple = ()

    def judge(self, function):
        """Run a function on the probes and return what is to be said.

        The right values are computed after all calls.
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
        return as_list(self.value_of(self.method, args))

    def value_of(self, method, args):
        """Return what a method gives for some arguments; without a model, what is right."""
        args = copy.deepcopy(args)
        return self.compute(method, *args) if self.compute else self.program(self.solution)(*args)

    @property
    def gives_rows(self):
        """Whether a list is asked for, and not one number."""
        return is_row(self.value_of(self.method, self.probes[0]))

    def shown(self, args):
        """Return a call in words."""
        names = self.parameters.split(", ")
        words = [self.called[arg] if callable(arg) else brief(arg) for arg in args]
        pairs = (f"{name} = {word}" for name, word in zip(names, words, strict=True))
        return f"`{self.name}` with {', '.join(pairs)}"

    def program(self, source):
        """Return the function of this task that some source defines."""
        return names_after(source, self.given)[self.name]

    def _stopped(self, inputs, runs):
        if not isinstance(runs[-1].error, TooSlow):
            return None
        last = inputs[len(runs) - 1]
        words = (
            f"After {SECONDS} seconds {self.shown(last)} was still running, so it was stopped. "
            "Does every loop, and every query, come to an end?"
        )
        return Outcome("endless", words, printed=self._printed(last, runs[-1]))

    def _judged(self, function, inputs, all_runs):
        runs = all_runs[: len(self.probes)]
        wanted = [self.right(args) for args in self.probes]
        rows = self.gives_rows
        if all(is_row(run.value) == rows for run in runs) and same_lists(numbers(runs), wanted):
            return self._right(function, inputs, all_runs)
        wrong = next((wrong for wrong in self.wrong if self._does(wrong, runs)), None)
        if wrong:
            return Outcome("named", wrong.says)
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

    def _does(self, wrong, runs):
        """Tell whether a wrong program does the same as the reader's on every probe."""
        program = self.program(wrong.source)
        pairs = zip(self.probes, runs, strict=True)
        return all(_alike(call(program, args), run) for args, run in pairs)

    def _right(self, function, inputs, runs):
        """Return what is to be said about a program that is right on the ordinary probes."""
        package, own = (None, True) if self.may_ask else whom_it_asks(function, inputs, runs)
        if not own:
            words = f"While it ran, your function called `{package}`: that is what we compare it"
            return Outcome("named", f"{words} with. Write the computation yourself.")
        if not all(run.unchanged for run in runs):
            return Outcome(
                "almost",
                "The numbers are right, but your function changes what it is given: `sort()`, "
                "`+=` and `x[i] = …` work on the caller's own data. Work on a copy.",
            )
        at_edges = zip(self.edges, runs[len(self.probes) :], strict=True)
        said = (self._edge(*pair, compares=bool(package)) for pair in at_edges)
        right = Outcome("correct", CHECKS_ITSELF if package else "")
        return next(filter(None, said), right)

    def _edge(self, edge, run, compares):
        accepted = [as_list(self.value_of(m, edge.args)) for m in (self.method, *edge.also)]
        if compares and (isinstance(run.error, AssertionError) or _is_of_library(run.error)):
            return None  # scikit-learn need not agree in a special case, and may refuse it
        if run.error is None and any(same(run.numbers or [], a, TOLERANCE) for a in accepted):
            return None
        came = f"raised {in_short(run.error)}" if run.error else f"gave {brief(run.value)}"
        words = f"{edge.says} {self.shown(edge.args)} {came}."
        return Outcome("almost", words, printed=self._printed(edge.args, run))

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
        rows = self.gives_rows
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
        if draws(function) and np.allclose(seen, flat(wanted), rtol=0, atol=BY_DRAWS):
            return Outcome("named", AT_RANDOM)
        if all(map(is_close, seen, flat(wanted))):
            words = (
                "Very close on every try, but digits were lost on the way, by `round` or in an "
                "array of few digits. Return all of them; round only what you print."
            )
            return Outcome("almost", words)
        return self._unnamed(runs, given, wanted, guesses=found)

    def _begins(self, args):
        """Return what the sums for one query begin with, in words; nothing for other tasks."""
        if "cutoff" not in self.switches or np.ndim(args[0]) > 1:
            return ""
        terms = first_terms(lambda method: self.value_of(method, args), self.method)
        first, best = map(brief, terms)
        if self.method.result == "DCG":
            return f" (the first term, that of rank 1, is {first})"
        return f" (the first term, that of rank 1, is {first} above the line and {best} below it)"

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

    def _explained(self, given, probes, at_most=2):
        def fits(method):
            """Tell whether a method gives the same, with or without the guard of an ideal of 0."""
            for args, seen in zip(probes, given, strict=True):
                found = as_list(self.value_of(method, args))
                guarded = [0.0 if number == math.inf else number for number in found]
                if not same(found, seen, TOLERANCE) and not same(guarded, seen, TOLERANCE):
                    return False
            return True

        return explain(fits, self.method, self.switches, at_most=at_most)

    def _unnamed(self, runs, given, wanted, guesses):
        right = [same(g, w, TOLERANCE) for g, w in zip(given, wanted, strict=True)]
        first = right.index(False)
        args, run = self.probes[first], runs[first]
        why = (
            "More than one pair of slips would explain this, so we do not guess. "
            if guesses
            else ""
        )
        words = (
            f"{sum(right)} of {len(right)} tries are right. {self.shown(args)} gave "
            f"{brief(run.value)}, and that is not right.\n\n{why}Do this input by "
            f"hand{self._begins(args)}, and print what your function has after each step."
        )
        return Outcome("wrong", words, printed=self._printed(args, run))


@functools.cache
def names_after(source, given=""):
    """Return what is defined, by name, once some source has run after other source."""
    scope = {"__name__": "exercise"}
    exec(compile(given, "<page>", "exec"), scope)
    exec(compile(source, "<program>", "exec"), scope)
    return scope


def _returns_none(method):
    return (
        f"`{method}()` changes the list itself and returns `None`. Call it on a line of its own, "
        "and use the list afterwards."
    )


def _is_of_library(error):
    """Tell whether it was scikit-learn that raised an error."""
    frames = [frame for frame, _ in traceback.walk_tb(getattr(error, "__traceback__", None))]
    return bool(frames) and frames[-1].f_globals.get("__name__", "").startswith("sklearn")


def _alike(run, other):
    """Tell whether two calls gave the same, or stopped with the same error."""
    if run.error is not None or other.error is not None:
        both = run.error is not None and other.error is not None
        return both and in_short(run.error) == in_short(other.error)
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


def whom_it_asks(function, inputs, runs):
    """Return which package a program asks while it runs, or None; and if its numbers are its own.

    The program runs once more while the package says something else. If its numbers are
    others then, it hands on what it hears.
    """
    modules = {name: sys.modules[name] for name in LIBRARY if name in sys.modules}
    asked = []

    def off(package, honest):
        def other(*args, **options):
            asked.append(package.split(".")[0])
            return honest(*args, **options) + 0.01

        return honest, other

    pairs = [off(p, getattr(module, n)) for p, module in modules.items() for n in LIBRARY[p]]
    spaces = [getattr(function, "__globals__", {}), *map(vars, modules.values())]
    with exchanged(spaces, pairs):
        others = calls(function, inputs)
    own = all(
        other.numbers is None or repr(other.numbers) == repr(run.numbers)
        for run, other in zip(runs, others, strict=False)
    )
    return (asked[0], own) if asked else (None, True)


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
