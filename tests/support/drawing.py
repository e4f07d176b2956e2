"""Inputs that are like the probes of an exercise: other numbers and sizes, in the same form.

`test_mutants.py` tries on them whatever passes the probes. They keep what the probes have in
common: lists of one length stay of one length, whole numbers stay whole, and numbers with a point
are equal only where they were equal.
"""

from collections import Counter

import numpy as np

from course.exercises.boxes import typed_decimals

MORE = 2  # parts than a list of the probe has, at most
LEFT_OUT = 0.25  # of the keys of a dict
TRIES = 50  # to draw a number that no other was replaced by


def like(probes, rng):
    """Return the arguments of a call that are like one of the probes."""
    known = {}
    for probe in probes:
        for place, leaf in leaves(probe):
            known.setdefault(place, []).append(leaf)
    return _Drawing(known, rng).of(probes[rng.integers(len(probes))])


def leaves(value, place=()):
    """Yield each number of a value after its place; all parts of a list are in one place."""
    match value:
        case np.ndarray():
            yield from leaves(value.tolist(), place)
        case dict():
            for part in value.values():
                yield from leaves(part, (*place, "of a dict"))
        case list():
            for part in value:
                yield from leaves(part, (*place, "of a list"))
        case tuple():
            for i, part in enumerate(value):
                yield from leaves(part, (*place, i))
        case _:
            yield place, value


class _Drawing:
    """The drawing of one input; `known` has what the probes hold, by its place."""

    def __init__(self, known, rng):
        self.known, self.rng = known, rng
        self.is_signed = rng.random() < 0.5  # whether numbers with a point may be below 0
        self.new = {}  # by place: what replaces what
        self.parts = {}  # by length of a list: which of its parts are taken
        self.is_left_out = {}  # by key of a dict

    def of(self, value, place=(), copy=0):
        """Return something like a value; `copy` counts how often it was taken before."""
        match value:
            case np.ndarray():
                return np.array(self.of(value.tolist(), place), dtype=value.dtype)
            case dict():
                keys = [key for key in value if not self.leaves_out(key)] or [*value]
                return {key: self.of(value[key], (*place, "of a dict"), copy) for key in keys}
            case list():
                taken = self.taken(len(value))
                return [self.of(value[i], (*place, "of a list"), copy) for i, copy in taken]
            case tuple():
                return tuple(self.of(part, (*place, i), copy) for i, part in enumerate(value))
        new, key = self.new.setdefault(place, {}), (value, copy * isinstance(value, float))
        for _ in range(TRIES):
            if key not in new or list(new.values()).count(new[key]) > 1:
                new[key] = self.number(self.known[place])
        return new[key] * 1.0 if isinstance(new[key], float) else new[key]  # no object twice

    def leaves_out(self, key):
        """Tell whether a key is left out, of all dicts that have it."""
        return self.is_left_out.setdefault(key, self.rng.random() < LEFT_OUT)

    def taken(self, length):
        """Return which parts of the lists of one length are taken, and how often before.

        Some inputs hold a part twice: as it is, or with other numbers in the place of those with
        a point.
        """
        if length not in self.parts:
            size = int(self.rng.integers(1, length + MORE + 1)) if length else 0
            order = self.rng.permutation(length)[:size]
            if self.rng.random() < 0.5:
                order = self.rng.integers(length, size=size)
            as_it_is, seen = self.rng.random() < 0.5, Counter()
            self.parts[length] = []
            for i in order.tolist():
                self.parts[length].append((i, 0 if as_it_is else seen[i]))
                seen[i] += 1
        return self.parts[length]

    def number(self, known):
        """Return a number of the kinds that the probes have in a place, or what else they have."""
        picked = known[self.rng.integers(len(known))]
        same = [value for value in known if type(value) is type(picked)]
        if type(picked) is int:
            return int(self.rng.integers(min(same), max(same) + 2))
        if type(picked) is float and self.rng.random() < 0.5:
            most = max(map(abs, same))
            least = -most if self.is_signed else min(same)
            return round(self.rng.uniform(least, most), max(map(typed_decimals, same)))
        return picked
