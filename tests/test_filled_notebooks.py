"""Every notebook with its exercises as found, and answered wrongly and then rightly.

The exercise cells of a copy get other answers, and a kernel runs the whole notebook, as a
student's would: no cell may raise, and every check must say so.
"""

import copy
from pathlib import Path

import pytest
from answers import ANSWERS

from helpers.course.authoring.write import cleared, execute, read
from helpers.course.exercises.catalog import by_notebook, catalog
from helpers.course.exercises.outcome import HEADINGS

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
NAMES = list(by_notebook())
WRONG = {
    ex.name: (source, says)
    for ex, source, verdict, says in reversed(ANSWERS)
    if verdict != "correct"
}
WRONG |= {
    ex.name: ex.task.wrong[0] for ex in catalog().values() if hasattr(ex, "task") and ex.task.wrong
}


def exercise_cells(nb):
    return [cell for cell in nb.cells if "exercise" in cell.metadata.get("tags", [])]


def filled(nb):
    """Return a copy in which a wrong answer stands before each exercise, which is solved."""
    nb = cleared(copy.deepcopy(nb))
    cells = []
    for cell in nb.cells:
        if "exercise" in cell.metadata.get("tags", []):
            ex = catalog()[cell.id]
            wrong = copy.deepcopy(cell)
            wrong.id, wrong.metadata.tags = f"{cell.id}-wrong", ["wrong"]
            wrong.source = ex.cell(ex.number, WRONG[ex.name][0])
            cell.source = ex.cell(ex.number, ex.worked)
            cells.append(wrong)
        cells.append(cell)
    nb.cells = cells
    return nb


def outcome(cell):
    """Return what a check says: the only thing that a cell displays, in one line."""
    shown = [o.data["text/plain"] for o in cell.outputs if o.output_type == "display_data"]
    assert len(shown) == 1, f"{cell.id} shows {len(shown)} outcomes"
    return " ".join(shown[0].split())


def verdict(cell):
    return outcome(cell).split(".")[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_notebook_has_the_exercises_of_its_texts_and_none_is_attempted(name):
    cells = exercise_cells(read(NOTEBOOKS / f"{name}.ipynb"))
    assert [cell.id for cell in cells] == [ex.name for ex in by_notebook()[name]]
    assert [ex.number for ex in by_notebook()[name]] == list(range(1, len(cells) + 1))
    assert {verdict(cell) for cell in cells} == {HEADINGS["not attempted"]}


def test_no_other_notebook_has_exercises():
    others = [p for p in sorted(NOTEBOOKS.glob("*.ipynb")) if p.stem not in NAMES]
    assert others
    assert [p.name for p in others if exercise_cells(read(p))] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_solution_can_be_read_in_the_notebook(name):
    nb = read(NOTEBOOKS / f"{name}.ipynb")
    text = "\n".join(cell.source for cell in nb.cells)
    for ex in by_notebook()[name]:
        assert ex.worked not in text, ex.name
        assert ex.because not in text, ex.name


@pytest.mark.parametrize("name", NAMES)
def test_every_check_objects_to_a_wrong_answer_and_passes_the_solution(name):
    nb = filled(read(NOTEBOOKS / f"{name}.ipynb"))
    done = {
        cell.id: cell for cell in execute(nb, NOTEBOOKS, name).cells
    }  # raises where a cell does
    passes = {HEADINGS["correct"], HEADINGS["open"]}
    for ex in by_notebook()[name]:
        assert verdict(done[ex.name]) in passes, ex.name
        wrong = done[f"{ex.name}-wrong"]
        assert verdict(wrong) not in passes, ex.name
        plain = WRONG[ex.name][1].replace("`", "").replace("*", "")
        assert plain in outcome(wrong).replace("*", ""), ex.name
