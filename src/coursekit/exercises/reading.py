"""What can be told from a reader's function without running it.

Whether it still holds a blank, whether it is the program the reader was given, and
whether it hands on what `sort()` returns.
"""

import dis
from itertools import pairwise
from types import CodeType, FunctionType, ModuleType

RANDOM = {"random", "default_rng", "shuffle", "permutation", "permuted", "RandomState"}
IN_PLACE = ("sort", "reverse", "append", "extend", "insert")


def blanks_in(function):
    """Return the names of functions that still hold a blank: this one and those it calls."""
    return sorted(f.__name__ for f in called_from(function) if "____" in names_in(f.__code__))


def draws(function):
    """Tell whether a function, or one that it calls, draws at random."""
    return any(RANDOM & names_in(f.__code__) for f in called_from(function))


def names_in(code):
    """Return the global names and attributes that a piece of code mentions."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= names_in(constant)
    return names


def called_from(function):
    """Return a function and the reader's functions that it may call, in any number of steps.

    The latter are those defined in the same place, found by their names.
    """
    home = getattr(function, "__module__", None)
    found, waiting = [], [function]
    while waiting:
        current = waiting.pop()
        if isinstance(current, FunctionType) and current not in found:
            found.append(current)
            named = [current.__globals__.get(name) for name in names_in(current.__code__)]
            waiting += [value for value in named if getattr(value, "__module__", None) == home]
    return found


def used_in_place(function):
    """Return a method that changes a list and returns None, if its result is used; else None."""
    for f in called_from(function):
        method = None
        for before, step in pairwise(dis.get_instructions(f.__code__)):
            if step.opname in ("LOAD_METHOD", "LOAD_ATTR") and step.argval in IN_PLACE:
                of_module = isinstance(f.__globals__.get(before.argval), ModuleType)  # np.sort
                method = None if of_module else step.argval
            elif method and before.opname.startswith("CALL"):
                if step.opname != "POP_TOP":
                    return method
                method = None
    return None


def fingerprint(code):
    """Return what makes two pieces of code the same program, wherever they stand."""
    parts = [fingerprint(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, tuple(parts)


def functions_in(source):
    """Return the fingerprints of the functions at the top level of some source, by name."""
    constants = compile(source, "<start>", "exec").co_consts
    return {c.co_name: fingerprint(c) for c in constants if isinstance(c, CodeType)}
