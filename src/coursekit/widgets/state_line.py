"""The state line: where the controls of an explorer stand, in one line of text.

``slide-k: example=zigzag k=2 pool=list`` can be copied into a chat and pasted into
the same explorer on another machine. Whole numbers, True, False and None stand as in
Python, single words as they are, any other text in double quotes, as in JSON.
"""

import json
import re

import traitlets

from coursekit.widgets.part import STATIC, Part, module

WORDS = {"True": True, "False": False, "None": None}
NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
WHOLE = re.compile(r"-?[0-9]{1,15}")
PAIR = re.compile(r'([A-Za-z_][A-Za-z0-9_]*)=("(?:[^"\\]|\\.)*"|[^\s"]+)(?:\s+|$)')
SHOWN = 40  # letters of a bad line that a message repeats


def write_state(name, values):
    """Return the state line of an explorer from the values of its controls.

    Raises a TypeError if a value is not text, a whole number, a bool or None.
    """
    return " ".join([f"{name}:", *(f"{key}={_written(key, v)}" for key, v in values.items())])


def _written(key, value):
    if value is None or isinstance(value, (bool, int)):
        return repr(value)
    if not isinstance(value, str):
        raise TypeError(f"{key} must be text, a whole number, a bool or None, got {value!r}")
    is_bare = BARE.fullmatch(value) and value not in WORDS
    return value if is_bare else json.dumps(value, ensure_ascii=False)


def read_state(text):
    """Return the name of the explorer and the values of its controls; outer spaces do not matter.

    Raises a ValueError, which says what came and what is allowed, if it is not a state line.
    """
    name, colon, rest = text.strip().partition(":")
    if not (colon and NAME.fullmatch(name)):
        raise ValueError(
            f"a state line begins with the name of an explorer and a colon, got {_short(text)}"
        )
    values, rest = {}, rest.strip()
    while rest:
        pair = PAIR.match(rest)
        if not pair:
            raise ValueError(f"after the name come pairs such as k=2, got {_short(rest)}")
        key, value = pair.groups()
        if key in values:
            raise ValueError(f"{key} stands twice in the line")
        values[key] = _read(key, value)
        rest = rest[pair.end() :]
    return name, values


def _read(key, text):
    if text in WORDS:
        return WORDS[text]
    if BARE.fullmatch(text):
        return text
    if WHOLE.fullmatch(text):
        return int(text)
    try:
        return json.loads(text) if text.startswith('"') else _refuse(key, text)
    except json.JSONDecodeError:
        return _refuse(key, text)


def _refuse(key, text):
    raise ValueError(
        f'{key} must be a whole number, a word, or text in "straight quotes", got {_short(text)}'
    )


def _short(text):
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")


class Restorable:
    """What a widget inherits that has a declaration, ``values`` and ``set``: its state line."""

    @property
    def name(self):
        """What the state line calls the explorer."""
        return self.declaration.name

    @property
    def state(self):
        """Where the controls stand, as one line of text."""
        return write_state(self.name, self.values)

    def states(self):
        """Yield the values of each state; see `Declaration.states`."""
        return self.declaration.states()

    def restore(self, text):
        """Show what a state line, of the same kind of explorer, says, with one redraw.

        If it is no such line, nothing changes, and a ValueError says what came and what is
        allowed.
        """
        name, values = read_state(text)
        if name not in (self.name, *self.declaration.was):
            raise ValueError(f"this is {self.name}, the line is of {name}")
        self.declaration.refuse_unknown(values)
        needed = self.declaration.controls
        missing = [control for control in needed if control not in values]
        if missing:
            raise ValueError(f"{missing[0]} is missing; {self.name} needs {', '.join(needed)}")
        self.set(**values)


class StateLine(Part):
    """A field with the state line, to copy and to paste into.

    What is typed there comes as the message ``{"restore": text}``; `trouble` says what is wrong
    with what was typed last, and is empty if nothing is.
    """

    _esm = module(STATIC / "state.js")
    _css = STATIC / "state.css"

    line = traitlets.Unicode().tag(sync=True)
    trouble = traitlets.Unicode().tag(sync=True)
