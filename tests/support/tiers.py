"""Which tests a push leaves to `make test-all`, and what brings them back.

The marker `full` names a test of the second tier. It has the names of explorers, or they are
among its parameters: a push runs it where the files of one of these are not as `visited.json`
knows them from the last `make test-all`. A missing entry is a change, so no clone, branch or
merge leaves out what nobody has seen; neither git nor a network is asked.
"""

import ast
import functools
import hashlib
import json
import sys
from pathlib import Path

import pytest

import course
from course import explorers
from coursekit import widgets

VISITED = Path(__file__).parent / "visited.json"
DRAWING = ("course.explorers", "course.figures", "coursekit", "helpers")
STATIC = tuple(Path(one.__path__[0]) for one in (widgets, course))


def few(names, *kept):
    """Return parameters of which a push runs only those that are kept."""
    names = list(names)
    assert set(kept) <= set(names), "what is kept must be there"
    full = pytest.mark.full
    return [name if name in kept else pytest.param(name, marks=full) for name in names]


def in_a_push(item, changed):
    """Say whether a push runs a test, where the files of some explorers have changed."""
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    marks = list(item.iter_markers("full"))
    named = {one for one in parameters if isinstance(one, str)}
    named.update(*(mark.args for mark in marks))
    return bool(named & changed) or not marks


def changed():
    """Return the explorers whose files are not those of the last visit to all."""
    known = json.loads(VISITED.read_text(encoding="utf-8")) if VISITED.exists() else {}
    return {name for name, digest in digests().items() if known.get(name) != digest}


def digests():
    """Return a digest of what draws an explorer, its data and all files, by its name."""
    return {name: _digest(make) for name, make in explorers.EXPLORERS.items()}


def _digest(make):
    data = [getattr(make, "args", ()), getattr(make, "keywords", {})]
    digest = hashlib.sha256(repr(data).encode())
    for file in files_of(make):
        digest.update(f"{file.name} {file.stat().st_size}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def files_of(make):
    """Return the files that draw an explorer: what it imports, scripts and styles."""
    found, left = {}, [getattr(make, "func", make).__module__]
    while left:
        name = left.pop()
        if name.startswith(DRAWING) and name in sys.modules and name not in found:
            found[name] = Path(sys.modules[name].__file__)
            left += _imported(found[name])
    static = (
        file for folder in STATIC for kind in ("js", "css") for file in folder.rglob(f"*.{kind}")
    )
    return sorted({*found.values(), *static})


@functools.cache
def _imported(file):
    found = []
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


if __name__ == "__main__":
    VISITED.write_text(json.dumps(digests(), indent=1) + "\n", encoding="utf-8")
