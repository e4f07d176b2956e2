"""Calling a reader's function safely, and reading what it returns."""

import contextlib
import copy
import io
import numbers
import sys
import warnings
from types import FunctionType
from typing import NamedTuple

import numpy as np


class Run(NamedTuple):
    """What one call gave.

    Attributes
    ----------
    value : object
        As it came.
    numbers : list of float or None
        The value as numbers; None if it is no number, nor numbers in one row.
    error : BaseException or None
        What it raised.
    unchanged : bool
        Whether the arguments are as they were.
    entered : set of str
        The modules whose Python code ran meanwhile.
    """

    value: object
    numbers: list | None
    error: BaseException | None
    unchanged: bool
    entered: set


def call(function, args):
    """Call a reader's function on copies of the arguments; keep whatever it raises."""
    given, entered = copy.deepcopy(args), set()
    value, values, error = None, None, None

    def watch(frame, event, _arg):
        module = str(frame.f_globals.get("__name__"))
        if event == "call" and module != __name__:
            entered.add(module)

    with (
        contextlib.redirect_stdout(io.StringIO()),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
    ):
        warnings.simplefilter("ignore")
        before = sys.getprofile()
        sys.setprofile(watch)
        try:
            value = function(*given)
            values = as_list(value)  # here, so that an odd kind of number is watched, too
        except (Exception, SystemExit) as raised:  # noqa: BLE001 - it may raise anything
            error = raised
        finally:
            sys.setprofile(before)
    unchanged = error is not None or equal_args(given, args)
    return Run(value, values, error, unchanged, entered)


def equal_args(some, others):
    """Tell whether two tuples of arguments hold the same."""
    return all(
        a is b or (type(a) is type(b) and np.array_equal(np.asarray(a), np.asarray(b)))
        for a, b in zip(some, others, strict=True)
    )


def as_list(value):
    """Return a number, or numbers in one row, as a list of floats; None if it is neither."""
    if isinstance(value, numbers.Real | np.bool_):
        return [float(value)]
    if isinstance(value, list | tuple):
        parts = [as_list(part) for part in value if isinstance(part, numbers.Real | np.bool_)]
        return [part[0] for part in parts] if len(parts) == len(value) else None
    if type(value) is np.ndarray and value.ndim <= 1 and value.dtype.kind in "biuf":
        return [float(v) for v in np.atleast_1d(value)]
    return None


def brief(value):
    """Return a value as short text, with numbers to four decimals."""
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, numbers.Integral):
        return str(value)
    if isinstance(value, numbers.Real):
        return f"{float(value):.4f}".rstrip("0").rstrip(".")
    if isinstance(value, np.ndarray):
        return brief(value.tolist())
    if isinstance(value, list | tuple):
        return f"[{', '.join(brief(part) for part in value)}]"
    if isinstance(value, FunctionType):
        return f"`{value.__name__}`"
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else f"{value[:57]}…")
    return f"something of type {type(value).__name__}"
