"""Who imports what: the table of CONTRIBUTING.md, held; and every docstring's examples."""

import ast
import doctest
import importlib
import re
import sys
from pathlib import Path

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from course.explorers import CALLS
from coursekit.authoring.write import code_cells, read

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("helpers", "ndcglib", "coursekit", "course")
FOLDERS = (ROOT / "helpers", ROOT / "src")
FILES = sorted(path for folder in FOLDERS for path in folder.rglob("*.py"))
TEXTS = sorted(ROOT.glob("src/course/exercises/content/*/[1-9]*.md"))
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BANNED = ["pandas", "plotly.express"]


def allowed():
    """Return the table of the guide: package → what it may import."""
    [table] = re.findall(r"```text\npackage +may import\n(.*?)```", GUIDE, re.DOTALL)
    return {line.split()[0]: set(line.split()[1:]) for line in table.splitlines()}


ALLOWED = allowed()


def dotted(path):
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removeprefix("src.").removesuffix(".__init__")


def is_within(name, package):
    return name == package or name.startswith(package + ".")


def package_of(name):
    """Return the package of the table that a module is in; of other packages the first name."""
    return max((p for p in ALLOWED if is_within(name, p)), key=len, default=name.split(".")[0])


def imported(source):
    """Return the dotted names that Python source imports."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import hides its direction"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def python_of(path):
    """Return a module; of an exercise's text the Python that its answers are checked with."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return text
    return "".join(re.findall(r"## Checked with\n+```python\n(.*?)```", text, re.DOTALL))


def edges():
    """Return (package, what it imports) → the modules that do."""
    found = {}
    for path in [*FILES, *TEXTS]:
        package = package_of(dotted(path))
        for name in imported(python_of(path)):
            other = package_of(name)
            if other != package and other not in sys.stdlib_module_names:
                found.setdefault((package, other), set()).add(dotted(path))
    return found


def test_every_module_is_in_a_package_of_the_table():
    assert {package_of(dotted(path)) for path in FILES} == set(ALLOWED)


def test_imports_are_those_of_the_table():
    """A new edge fails, and so does one that nobody needs any more."""
    found = {package: set() for package in ALLOWED}
    for package, other in edges():
        found[package].add(other)
    assert found == ALLOWED


def test_the_table_has_no_circle():
    left = {package: needs & set(ALLOWED) for package, needs in ALLOWED.items()}
    while free := [package for package, needs in left.items() if not needs & set(left)]:
        for package in free:
            del left[package]
    assert not left


def rooms_of(package):
    """Return the rooms that a package of the table imports from, beside its own."""
    needed = {name.split(".")[0] for name in ALLOWED[package]}
    return needed & set(ROOMS) - {package.split(".")[0]}


def test_the_library_knows_neither_plots_nor_engine():
    assert all(rooms_of(name) == set() for name in ALLOWED if is_within(name, "ndcglib"))


def test_the_engine_knows_nothing_of_ndcg():
    assert all(rooms_of(name) == set() for name in ALLOWED if is_within(name, "coursekit"))


def test_no_explorer_imports_another():
    """What belongs to an explorer begins with its name."""
    folder = "course.explorers."
    for path in FILES:
        name = dotted(path)
        if not name.startswith(folder):
            continue
        names = {n.removeprefix(folder).split(".")[0] for n in imported(path.read_text("utf-8"))
                 if n.startswith(folder)}  # fmt: skip
        others = set(map(explorer_of, names - {"formulas", "listed", "ranked_docs"}))
        assert others <= {explorer_of(name.removeprefix(folder).split(".")[0])}, name


def explorer_of(module):
    """Return the explorer whose name a module begins with; None if there is none."""
    return next((name for name in CALLS if f"{module}_".startswith(f"{name}_")), None)


@pytest.mark.parametrize("path", [*FILES, *NOTEBOOKS], ids=lambda path: path.name)
def test_nothing_imports_pandas(path):
    if path.suffix == ".py":
        names = imported(path.read_text(encoding="utf-8"))
    else:
        to_python = TransformerManager().transform_cell  # %magics and !commands
        cells = code_cells(read(path))
        cells = [c for c in cells if "raises-exception" not in c.metadata.get("tags", [])]
        names = {name for cell in cells for name in imported(to_python(cell.source))}
        assert names, "every notebook imports something in its setup cell"
    assert [name for name in names if any(is_within(name, banned) for banned in BANNED)] == []


WITH_EXAMPLES = [p for p in FILES if re.search("^ *>>> ", p.read_text("utf-8"), re.MULTILINE)]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=dotted)
def test_the_examples_of_the_docstrings(path):
    result = doctest.testmod(importlib.import_module(dotted(path)))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import plotly.express as px", {"plotly.express"}),
        ("from plotly import express", {"plotly.express"}),
        ("def f():\n    import pandas", {"pandas"}),
    ],
)
def test_imports_are_found(source, names):
    assert imported(source) == names
