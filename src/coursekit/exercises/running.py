"""Calling a reader's function safely, and reading what it returns."""

import contextlib
import copy
import io
import math
import numbers
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from types import FunctionType
from typing import NamedTuple

import numpy as np

SECONDS = 5  # for all calls of one check together
LINES, COLUMNS = 20, 200  # that are shown of what a program prints
PARTS, LETTERS = 12, 300  # that are shown of a value
TOO_MANY = 1000  # numbers: no exercise asks for as many
NUMBER = numbers.Real | np.bool_ | Decimal


class TooSlow(BaseException):
    """A program ran longer than it may. No `except Exception` of its own stops it."""


class Run(NamedTuple):
    """What one call gave: its `value` as it came, and as numbers.

    `numbers` is None if the value is no number, nor a list of numbers; `unchanged` says whether
    the arguments are as they were; `printed` holds the first lines of what it printed.
    """

    value: object
    numbers: list | None
    error: BaseException | None
    unchanged: bool
    printed: str


def calls(function, inputs):
    """Call a reader's function on one input after the other, until the time is over.

    Gives fewer runs than inputs if one took too long; the error of the last is then `TooSlow`.
    """
    runs, end = [], time.monotonic() + SECONDS
    for args in inputs:
        runs.append(call(function, args, max(end - time.monotonic(), 0.01)))
        if isinstance(runs[-1].error, TooSlow):
            break
    return runs


def call(function, args, seconds=SECONDS):
    """Call a reader's function on copies of the arguments; keep whatever it raises or prints.

    Only KeyboardInterrupt comes through, so that an interrupt by the reader still stops the
    cell.
    """
    given, printed, start = copy.deepcopy(args), _FirstLines(), time.monotonic()
    value, values, error = None, None, None
    with (
        contextlib.redirect_stdout(printed),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        exchanged([vars(np), getattr(function, "__globals__", {})], FILLED),
    ):
        warnings.simplefilter("ignore")
        clock = _start_clock(seconds)
        try:
            value = function(*given)
            values = as_list(value)  # within try: an odd kind of number may raise anything
        except KeyboardInterrupt:
            raise
        except BaseException as raised:  # noqa: BLE001 - it may raise anything
            error = raised
        finally:
            _stop_clock(clock)
    if clock is not None and time.monotonic() - start >= seconds:
        error = TooSlow()  # even if the program caught it, as SQLite does
    unchanged = error is not None or equal_args(given, args)
    return Run(value, values, error, unchanged, printed.cut())


class _FirstLines(io.StringIO):
    """A place to print to that keeps the beginning only, however much is printed."""

    def write(self, text):
        if self.tell() <= LINES * COLUMNS:
            super().write(text[: LINES * COLUMNS])
        return len(text)

    def cut(self):
        """Return what was printed; a last line says so if that is not all."""
        lines = self.getvalue().splitlines()
        shown = [shorten(line, COLUMNS) for line in lines[:LINES]]
        if len(lines) > LINES or self.tell() > LINES * COLUMNS:
            shown.append(f"… and more. At most {LINES} lines are shown.")
        return "\n".join(shown)


def _start_clock(seconds):
    """Raise `TooSlow` in the program once the time is over; None where there is no timer."""
    main = threading.current_thread() is threading.main_thread()
    if not (main and hasattr(signal, "setitimer")):
        return None
    before = signal.signal(signal.SIGALRM, _raise_too_slow) or signal.SIG_DFL, sys.gettrace()
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.005)  # again and again after that
    return before


def _stop_clock(before):
    """Stop the timer, and put its handler back as it was."""
    if before is not None:
        handler, trace = before
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.settrace(trace)
        signal.signal(signal.SIGALRM, handler)


def _raise_too_slow(_signal, frame):
    if frame.f_code not in PUT_BACK:
        # A program may catch every error; then each of its next lines raises again.
        sys.settrace(_raise_again)
        frame.f_trace = _raise_again
        raise TooSlow


def _raise_again(frame, event, _arg):
    if event != "exception" and frame.f_code not in PUT_BACK:
        raise TooSlow
    return _raise_again


PUT_BACK = (call.__code__, _stop_clock.__code__)  # these must run to their end


@contextlib.contextmanager
def exchanged(spaces, pairs):
    """Let names mean something else for a while: for each pair what is there, and what is to be.

    The names are in `spaces`, such as ``vars(math)`` or the globals of a function.
    """
    found = [
        (space, name, old, new)
        for space in spaces
        for name, value in list(space.items())
        for old, new in pairs
        if value is old
    ]
    try:
        for space, name, _, new in found:
            space[name] = new
        yield
    finally:
        for space, name, old, _ in found:
            space[name] = old


def _filled(empty):
    """Return an `np.empty` that shows what it is: its numbers are never 0 by luck."""

    def filled(*args, **options):
        array = empty(*args, **options)
        if array.dtype.kind in "iufc":
            array.fill(77)
        return array

    return filled


FILLED = tuple((empty, _filled(empty)) for empty in (np.empty, np.empty_like))


def equal_args(some, others):
    """Tell whether two tuples of arguments hold the same."""
    return all(
        a is b or (type(a) is type(b) and np.array_equal(np.asarray(a), np.asarray(b)))
        for a, b in zip(some, others, strict=True)
    )


def is_row(value):
    """Tell whether a value is a list, a tuple or an array with one axis."""
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1)


def as_list(value):
    """Return a number, or a list of numbers, as a list of floats; None if it is neither."""
    if np.ma.isMaskedArray(value) and not np.ma.is_masked(value):
        value = value.data
    if type(value) is np.ndarray and value.ndim <= 1 and value.dtype.kind in "biufO":
        value = value[:TOO_MANY].tolist() if value.ndim else value.item()
    parts = value if isinstance(value, list | tuple) else [value]
    if len(parts) >= TOO_MANY:
        return None
    return [_as_float(p) for p in parts] if all(isinstance(p, NUMBER) for p in parts) else None


def _as_float(number):
    try:
        return float(number)
    except OverflowError:  # a whole number larger than any float
        return math.copysign(math.inf, number)


def plain(value):
    """Return a number of NumPy as one of Python, also inside of lists, tuples and dicts."""
    if isinstance(value, np.generic | np.ndarray) and value.ndim == 0:
        return value if np.ma.is_masked(value) else value.item()
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value)) if type(value) in (list, tuple) else value
    if type(value) is dict:
        return {plain(key): plain(part) for key, part in value.items()}
    return value


def listed(value):
    """Return an array, or an iterator that could be read only once, as a list of plain numbers.

    A Fraction or a Decimal becomes a float, in which all metrics are computed.
    """
    if isinstance(value, np.ndarray):
        value = value.tolist()
    elif isinstance(value, Iterator):
        value = list(value)
    if isinstance(value, list | tuple):
        return [listed(part) for part in value]
    return float(value) if isinstance(value, Fraction | Decimal) else value


def brief(value):
    """Return a value as short text: numbers to four decimals, the first parts of what is long."""
    value = plain(value) if isinstance(value, np.generic | np.ndarray) else value
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        brackets = "()" if isinstance(value, tuple) else "[]"
        return _in_brief(value, map(brief, value[:PARTS]), brackets)
    if isinstance(value, dict):
        pairs = (f"{brief(key)}: {brief(part)}" for key, part in islice(value.items(), PARTS))
        return _in_brief(value, pairs, "{}")
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, NUMBER):
        return _digits(value)
    if isinstance(value, FunctionType):
        return f"`{value.__name__}`"
    if isinstance(value, str):
        return repr(shorten(value, 60))
    name = type(value).__name__
    return shorten(f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}")


def _in_brief(value, parts, brackets):
    """Return the first parts of a value between brackets; of a long one, how many there are."""
    more = len(value) > PARTS
    text = f"{brackets[0]}{', '.join(parts)}{', …' if more else ''}{brackets[1]}"
    return shorten(text) + (f" ({len(value)} in all)" if more else "")


def _digits(number):
    as_float = _as_float(number)
    if as_float and not 1e-4 <= abs(as_float) < 1e9:
        return f"{as_float:.4g}"
    whole = isinstance(number, numbers.Integral)
    return str(number) if whole else f"{as_float:.4f}".rstrip("0").rstrip(".")


def shorten(text, most=LETTERS):
    """Return a text, cut where it is longer than `most` letters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def in_short(error):
    """Return an error as its type and, if it has one, its message."""
    try:
        said = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - a reader's exception may raise when it is printed
        said = ""
    return shorten(": ".join(filter(None, [type(error).__name__, said])))
