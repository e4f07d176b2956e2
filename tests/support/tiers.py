"""Which tests a push leaves to `make test-all`, and what brings them back.

The marker `full` names a test of the second tier. It has the names of explorers or of `PARTS`, or
they are among its parameters: a push runs it where the files of one of these are not as
`visited.json` knows them from the last `make test-all`. A missing entry is a change, so no clone,
branch or merge leaves out what nobody has seen; neither git nor a network is asked.
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
from coursekit import vote, widgets
from coursekit.explorers import explorer
from coursekit.vote import command

VISITED = Path(__file__).parent / "visited.json"
LOCK = Path(__file__).parents[2] / "requirements-dev.lock"
DRAWING = ("course.explorers", "course.figures", "coursekit", "helpers")
STATIC = (widgets, course)  # packages whose scripts and styles draw an explorer
# What is not one explorer: what all of them have from the engine, and the vote.
PARTS = {"engine": (explorer, (widgets,)), "vote": (command, (vote,))}


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
    """Return the explorers and parts whose files are not those of the last visit to all."""
    known = json.loads(VISITED.read_text(encoding="utf-8")) if VISITED.exists() else {}
    return {name for name, digest in digests().items() if known.get(name) != digest}


def digests():
    """Return a digest of what draws an explorer or a part, its data and all files, by its name."""
    found = {}
    for name, make in explorers.EXPLORERS.items():
        data = [getattr(make, "args", ()), getattr(make, "keywords", {})]
        module = sys.modules[getattr(make, "func", make).__module__]
        found[name] = _digest(repr(data), files_of(module, STATIC))
    return found | {name: _digest("", files_of(*part)) for name, part in PARTS.items()}


def _digest(data, files):
    digest = hashlib.sha256(data.encode())
    for file in files:
        digest.update(f"{file.name} {file.stat().st_size}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def files_of(module, static):
    """Return what a module imports, scripts and styles of some packages, and the list of packages.

    A new plotly or JupyterLab draws everything anew.
    """
    found, left = {}, [module.__name__]
    while left:
        name = left.pop()
        if name.startswith(DRAWING) and name in sys.modules and name not in found:
            found[name] = Path(sys.modules[name].__file__)
            left += _imported(found[name])
    folders = [Path(one.__path__[0]) for one in static]
    kinds = ("*.js", "*.css", "*.html")
    drawn = {file for folder in folders for kind in kinds for file in folder.rglob(kind)}
    return sorted({LOCK, *found.values(), *drawn})


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
