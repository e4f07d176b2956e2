"""Every notebook with its exercises as found, solved, and answered wrongly.

The exercise cells of a copy get another answer, and a kernel runs the whole
notebook, as a student's would: no cell may raise, and every check must say so.
"""

import copy
from pathlib import Path

import pytest

from helpers.course.authoring.write import cleared, execute, read
from helpers.course.exercises.catalog import BY_NOTEBOOK, catalog
from helpers.course.exercises.outcome import HEADINGS

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
NAMES = list(BY_NOTEBOOK)


def exercise_cells(nb):
    return [cell for cell in nb.cells if "exercise" in cell.metadata.get("tags", [])]


def filled(nb, answer_of):
    """Return a copy in which each exercise cell has the answer that `answer_of` gives."""
    nb = cleared(copy.deepcopy(nb))
    for number, cell in enumerate(exercise_cells(nb), start=1):
        ex = catalog()[cell.id]
        cell.source = ex.cell(number, answer_of(ex))
    return nb


def verdict(cell):
    """Return the heading of the outcome that a cell shows: the last output's first line."""
    shown = [o.data["text/plain"] for o in cell.outputs if o.output_type == "display_data"]
    assert len(shown) == 1, f"{cell.id} shows {len(shown)} outcomes"
    return shown[0].split(".")[0]


def passes(cell):
    return verdict(cell) in (HEADINGS["correct"], HEADINGS["open"])


@pytest.mark.parametrize("name", NAMES)
def test_the_notebook_has_the_exercises_of_its_catalog(name):
    nb = read(NOTEBOOKS / f"{name}.ipynb")
    assert [cell.id for cell in exercise_cells(nb)] == [ex.name for ex in BY_NOTEBOOK[name]]


def test_no_other_notebook_has_exercises():
    others = [p for p in sorted(NOTEBOOKS.glob("*.ipynb")) if p.stem not in NAMES]
    assert others
    assert [p.name for p in others if exercise_cells(read(p))] == []


@pytest.mark.parametrize("name", NAMES)
def test_as_shipped_every_exercise_is_not_attempted(name):
    cells = exercise_cells(read(NOTEBOOKS / f"{name}.ipynb"))
    assert {verdict(cell) for cell in cells} == {HEADINGS["not attempted"]}


@pytest.mark.parametrize("name", NAMES)
def test_no_solution_can_be_read_in_the_notebook(name):
    nb = read(NOTEBOOKS / f"{name}.ipynb")
    text = "\n".join(cell.source for cell in nb.cells)
    for ex in BY_NOTEBOOK[name]:
        assert ex.worked not in text, ex.name
        assert ex.because not in text, ex.name


@pytest.mark.parametrize("name", NAMES)
def test_with_all_solutions_filled_in_every_check_passes(name):
    nb = filled(read(NOTEBOOKS / f"{name}.ipynb"), lambda ex: ex.worked)
    done = execute(nb, NOTEBOOKS, name)  # raises where a cell does
    assert [cell.id for cell in exercise_cells(done) if not passes(cell)] == []


@pytest.mark.parametrize("name", NAMES)
def test_with_a_wrong_answer_in_each_every_check_objects(name):
    nb = filled(read(NOTEBOOKS / f"{name}.ipynb"), lambda ex: ex.wrong[0].answer)
    done = execute(nb, NOTEBOOKS, name)
    cells = exercise_cells(done)
    assert [cell.id for cell in cells if passes(cell)] == []
    for cell in cells:
        text = " ".join(o.data["text/plain"] for o in cell.outputs if "data" in o)
        assert catalog()[cell.id].wrong[0].says.replace("`", "") in " ".join(text.split())
