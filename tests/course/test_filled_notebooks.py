"""Every notebook with its exercises as found, answered wrongly, and solved.

A kernel runs the exercises and the cells they need; each is answered wrongly and, with
all names put back, rightly: no cell may raise, and every check must say so. Nothing below
an exercise uses its answer, so that one run is enough for both, and what no exercise needs
runs as nbval runs it.
"""

import copy
import symtable
from pathlib import Path

import pytest
from answers import WRONG
from nbformat.v4 import new_code_cell
from notebook_rules import chapter

from course.exercises import CATALOG
from coursekit.authoring.write import cleared, code_cells, execute, read
from coursekit.exercises.base import SOLVED
from coursekit.exercises.outcome import HEADINGS

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
NAMES = list(CATALOG.by_notebook)


def exercise_cells(nb):
    return [cell for cell in nb.cells if "exercise" in cell.metadata.get("tags", [])]


KEEP = "_kept = dict(globals())"
PUT_BACK = """for _name in [name for name in globals() if name not in _kept and name[0] != "_"]:
    del globals()[_name]
globals().update(_kept)"""


def needed(nb):
    """Return the exercise cells, and those that set a name that one of them needs."""
    kept, names = [], set()
    for cell in reversed(code_cells(nb)):
        sources = [cell.source]
        if "exercise" in cell.metadata.get("tags", []):
            ex = CATALOG.all[cell.id]
            sources = [
                ex.cell(ex.number, answer) for answer in (ex.worked, WRONG[ex.name][0].source)
            ]
        sets, uses = (set().union(*found) for found in zip(*map(names_of, sources), strict=True))
        if len(sources) == 2 or sets & names:
            kept.append(cell)
            names |= uses
    return kept[::-1]


def filled(nb):
    """Return a copy of what exercises need, and of them, each wrong and solved."""
    nb = cleared(copy.deepcopy(nb))
    cells = []
    for cell in needed(nb):
        if "exercise" in cell.metadata.get("tags", []):
            ex = CATALOG.all[cell.id]
            wrong = copy.deepcopy(cell)
            wrong.id = f"{cell.id}-wrong"
            wrong.source = ex.cell(ex.number, WRONG[ex.name][0].source)
            cell.source = ex.cell(ex.number, ex.worked)
            cells += [new_code_cell(KEEP), wrong, new_code_cell(PUT_BACK)]
        cells.append(cell)
    nb.cells = cells
    return nb


def outcome(cell):
    """Return what a check says, in one line: all that a cell displays but the line to keep."""
    shown = [
        one.data["text/plain"]
        for one in cell.outputs
        if one.output_type == "display_data" and "text/markdown" not in one.data
    ]
    assert len(shown) == 1, f"{cell.id} shows {len(shown)} outcomes"
    return " ".join(shown[0].split())


def verdict(cell):
    return outcome(cell).split(".")[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_notebook_has_the_exercises_of_its_texts_and_none_is_attempted(name):
    cells = exercise_cells(read(chapter(name)))
    assert [cell.id for cell in cells] == [ex.name for ex in CATALOG.by_notebook[name]]
    assert [ex.number for ex in CATALOG.by_notebook[name]] == list(range(1, len(cells) + 1))
    assert {verdict(cell) for cell in cells} == {HEADINGS["not attempted"]}


def test_no_other_notebook_has_exercises():
    others = [p for p in sorted(NOTEBOOKS.glob("*.ipynb")) if p.stem[3:] not in NAMES]
    assert others
    assert [p.name for p in others if exercise_cells(read(p))] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_solution_can_be_read_in_the_notebook(name):
    nb = read(chapter(name))
    text = "\n".join(cell.source for cell in nb.cells)
    for ex in CATALOG.by_notebook[name]:
        assert ex.worked not in text, ex.name
        assert ex.because not in text, ex.name


@pytest.mark.parametrize("name", NAMES)
def test_every_check_objects_to_a_wrong_answer_and_passes_the_solution(name):
    nb = filled(read(chapter(name)))
    done = {
        cell.id: cell for cell in execute(nb, NOTEBOOKS, name).cells
    }  # raises where a cell does
    passes = {HEADINGS["correct"], HEADINGS["open"]}
    for ex in CATALOG.by_notebook[name]:
        assert verdict(done[ex.name]) in passes, ex.name
        wrong = done[f"{ex.name}-wrong"]
        assert verdict(wrong) not in passes, ex.name
        plain = WRONG[ex.name][0].says.replace("`", "").replace("*", "")
        assert plain in outcome(wrong).replace("*", ""), ex.name
    kept = [o.data.get("text/markdown", "") for o in done[ex.name].outputs if "data" in o]
    assert f"{SOLVED}\n\n{CATALOG.lines[name]}" in kept


@pytest.mark.parametrize("name", NAMES)
def test_no_cell_needs_the_answer_of_an_exercise(name):
    """Whoever leaves one out, or has it wrong, can run all that follows."""
    answers = set()
    for cell in code_cells(read(chapter(name))):
        sets, uses = names_of(cell.source)
        if "exercise" in cell.metadata.get("tags", []):
            ex = CATALOG.all[cell.id]
            answers |= names_of(ex.cell(ex.number, ex.worked))[0]
        else:
            assert not answers & (uses - sets), cell.id
            answers -= sets


def names_of(source):
    """Return the global names that a cell sets, and those that it uses."""
    table = symtable.symtable(source, "cell", "exec")
    sets = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
    uses, tables = set(), [table]
    for scope in tables:
        tables += scope.get_children()
        uses |= {s.get_name() for s in scope.get_symbols() if s.is_referenced()
                 and (s.is_global() or scope is table)}  # fmt: skip
    return sets, uses
