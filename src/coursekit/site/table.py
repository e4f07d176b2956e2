"""All states of an explorer in one small table, from which a page takes out any of them.

States are alike: what is the same in all is written once, what differs becomes a column that
says which of its different values each state has. Texts are taken apart into pieces, and these
into their words and their numbers. Most columns follow from a few others, from where one
control stands, say: such a column is written as what follows from what. ``static/table.js``
reads the table.
"""

import functools
import itertools
import json
import re

import numpy as np

PIECES = re.compile(r"(?:(?<=</t[dhr]>)|(?<=<wbr>)|(?<=</mfrac>)|(?<=[,.;:)] ))(?!\Z)")
NUMBER = re.compile(r"([0-9]+(?:\.[0-9]+)?)")
ABSENT = -1  # in a column, for a state that has no such part
FIRST_LETTER = ord("#")  # of a column, as text: number 0
SHORTER = 0.7  # what a column that follows may have of the length of one that does not
MOST_BASES = 5  # columns besides the controls from which others follow
SAMPLE, LEAST = 60, 0.05  # of columns; and the part of them that must follow from a base


def pack(states, values):
    """Return a table of states, each any JSON value, as a JSON value.

    Parameters
    ----------
    states : list
    values : list of list
        For each state, the values of the controls that lead to it.

    Returns
    -------
    dict
        ``tree`` says how a state is put together: ``["=", value]`` where all agree,
        ``["|", values, column]`` where each has one of some values, ``["{", keys, parts]`` for
        objects, ``["[", parts, length]`` for lists and ``["c", parts, length]`` for texts in
        pieces, with the tree of the length, ``["t", words, numbers]`` for texts that differ in
        numbers, ``["?", column, trees]`` where they have one of some forms. ``columns`` are
        texts, with a letter for each state, or ``{"of": …, "map": …}``: the letter stands in
        `map` where the columns of `of`, each with its number of letters, together point to.
        The first columns are those of the controls, whose values are in ``values``.
    """
    columns, controls = _Columns(len(states)), list(zip(*values, strict=True))
    columns.arrays += [np.array(_codes(control)[1]) for control in controls]
    tree = _fold(dict(enumerate(states)), columns)
    written = _written(columns.arrays, range(len(controls)))
    order = _order(written, len(controls))
    place = {column: place for place, column in enumerate(order)}
    return {
        "values": [_codes(control)[0] for control in controls],
        "columns": [_renumbered_of(written[column], place) for column in order],
        "tree": _renumbered(tree, place),
    }


class _Columns:
    """Columns of `n` states, each kept once."""

    def __init__(self, n):
        self.n, self.arrays, self.known = n, [], {}

    def add(self, codes):
        """Return the place of a column, given as a dict from state to number."""
        array = np.full(self.n, ABSENT)
        array[list(codes)] = list(codes.values())
        place = self.known.setdefault(array.tobytes(), len(self.arrays))
        if place == len(self.arrays):
            self.arrays.append(array)
        return place


# --- the tree -----------------------------------------------------------------------------


def _fold(states, columns):
    """Return the tree of some states, by their place among all; add its columns."""
    values = list(states.values())
    # Unlike values are seen at once; like ones are written out, since 1 and True are equal.
    if all(value == values[0] for value in values) and len(set(map(_key, values))) == 1:
        return ["=", values[0]]
    forms = {}
    for i, state in states.items():
        forms.setdefault(_form(state), {})[i] = state
    if len(forms) == 1:
        return _alike(states, columns)
    if len(forms) > len(states) / 4:
        return _choice(states, columns)
    which = {i: number for number, group in enumerate(forms.values()) for i in group}
    return ["?", columns.add(which), [_fold(group, columns) for group in forms.values()]]


def _form(state):
    """Return what states have in common that can be folded part by part."""
    if isinstance(state, dict):
        return "{", *state
    if isinstance(state, list):
        return ("[",)
    return _form_of_text(state) if isinstance(state, str) else ("|",)


@functools.lru_cache(2**16)  # many states say the same
def _form_of_text(text):
    return ("c",) if PIECES.search(text) else ("t", *NUMBER.split(text)[::2])


def _alike(states, columns):
    """Return the tree of states of one form."""
    kind, *form = _form(next(iter(states.values())))
    if kind == "{":
        parts = [{i: state[key] for i, state in states.items()} for key in form]
        return ["{", form, [_fold(part, columns) for part in parts]]
    if kind == "[":
        return _list(kind, states, columns)
    if kind == "c":
        return _list(kind, {i: PIECES.split(text) for i, text in states.items()}, columns)
    if kind == "t" and len(form) > 1:
        found = {i: NUMBER.findall(text) for i, text in states.items()}
        numbers = [{i: held[place] for i, held in found.items()} for place in range(len(form) - 1)]
        return ["t", form, [_choice(number, columns) for number in numbers]]
    return _choice(states, columns)


def _list(kind, states, columns):
    """Return the tree of lists, which may be of different lengths."""
    lengths = {i: len(state) for i, state in states.items()}
    parts = [
        {i: state[place] for i, state in states.items() if place < len(state)}
        for place in range(max(lengths.values()))
    ]
    return [kind, [_fold(part, columns) for part in parts], _choice(lengths, columns)]


def _choice(states, columns):
    values, codes = _codes(states.values())
    if len(values) == 1:
        return ["=", values[0]]
    return ["|", values, columns.add(dict(zip(states, codes, strict=True)))]


def _codes(values):
    """Return the different values, in the order in which they come, and which each is."""
    keys = [_key(value) for value in values]
    different = dict(zip(keys, values, strict=True))
    number = {key: i for i, key in enumerate(different)}
    return list(different.values()), [number[key] for key in keys]


def _key(value):
    """Return what a JSON value is known by: to Python, 1 and True are the same."""
    if isinstance(value, list | dict):
        return json.dumps(value, sort_keys=True)
    return type(value), value


# --- the columns --------------------------------------------------------------------------


def _written(columns, controls):
    """Return the columns as the table has them."""
    sets = [of for size in controls[1:] for of in itertools.combinations(controls, size)]
    keys = {of: _joint([columns[i] for i in of]) for of in sets}
    written = {i: _letters(columns[i]) for i in controls}
    free = range(len(controls), len(columns))
    for _ in range(MOST_BASES + 1):
        follow = _following({i: columns[i] for i in free}, keys)
        for i, (of, map_) in follow.items():
            sizes = [[place, int(columns[place].max()) + 1] for place in of]
            written[i] = {"of": sizes, "map": _letters(map_)}
        free = [i for i in free if i not in written]
        base = _best_base({i: columns[i] for i in free}, keys)
        if base is None:
            break
        written[base] = _letters(columns[base])
        free.remove(base)
        keys |= {(*of, base): _joint([key, columns[base]]) for of, key in keys.items()}
    written |= {i: _letters(_filled(columns[i])) for i in free}
    return [written[i] for i in range(len(columns))]


def _following(columns, keys):
    """Return, for each column that follows from a key, the shortest such key and its map."""
    found = {}
    for of, key in sorted(keys.items(), key=lambda pair: pair[1].max()):
        if key.max() < SHORTER * len(key):
            rest = {i: column for i, column in columns.items() if i not in found}
            maps = {i: _map(key, column) for i, column in rest.items()}
            found |= {i: (of, map_) for i, map_ in maps.items() if map_ is not None}
    return found


def _best_base(free, keys):
    """Return the column from which, with a key, most of the others follow; None if few do."""
    some = dict(list(free.items())[:: max(len(free) // SAMPLE, 1)])

    def worth(i):
        more = {of: _joint([key, free[i]]) for of, key in keys.items()}
        return sum(1 - len(map_) / len(free[i]) for _, map_ in _following(some, more).values())

    whole = [i for i, column in free.items() if ABSENT not in column]
    best = max(whole, key=worth, default=None)
    return None if best is None or worth(best) <= LEAST * len(some) else best


def _joint(columns):
    """Return one column in place of several; the last one changes fastest."""
    joint = np.zeros_like(columns[0])
    for column in columns:
        joint = joint * (column.max() + 1) + column
    return joint


def _map(key, column):
    """Return the number of a column for each number of a key, None if it does not follow."""
    there = column != ABSENT
    map_ = np.zeros(key.max() + 1, dtype=int)
    map_[key[there]] = column[there]
    return map_ if (map_[key[there]] == column[there]).all() else None


def _filled(column):
    """Return a column with the number before it where there is none: no state asks for it."""
    places = np.where(column == ABSENT, 0, np.arange(len(column)))
    return np.maximum(column[np.maximum.accumulate(places)], 0)


def _order(written, n_controls):
    """Return the columns as they pack best, those alike together, after the controls'."""

    def letters(i):
        return written[i] if isinstance(written[i], str) else written[i]["map"]

    rest = range(n_controls, len(written))
    alike = sorted(rest, key=lambda i: (len(letters(i)), letters(i)))
    return [*range(n_controls), *alike]


def _renumbered_of(column, place):
    if isinstance(column, str):
        return column
    return column | {"of": [[place[i], size] for i, size in column["of"]]}


def _renumbered(tree, place):
    """Return a tree with other numbers of its columns."""
    kind, one, *other = tree
    if kind == "=":
        return tree
    if kind == "|":
        return [kind, one, place[other[0]]]
    if kind == "?":
        return [kind, place[one], [_renumbered(part, place) for part in other[0]]]
    if kind in "{t":
        return [kind, one, [_renumbered(part, place) for part in other[0]]]
    return [kind, [_renumbered(part, place) for part in one], _renumbered(other[0], place)]


def _letters(numbers):
    """Return numbers as a text, a letter for each: packed, two thirds of their digits."""
    return "".join(chr(FIRST_LETTER + number) for number in numbers.tolist())
