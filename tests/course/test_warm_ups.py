"""Warm-ups: problems of earlier notebooks come back, wherever a notebook has its place."""

import ast
import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from notebook_rules import NOTEBOOKS, tagged

from course.content import COURSE
from course.drills import drills
from course.drills.practice import Practice, Task, warm_up
from course.drills.problem import problem
from course.drills.warm_ups import FIRST, warm_ups
from coursekit.authoring.book import Book, minutes
from coursekit.authoring.warm_ups import fill_warm_ups, waits
from coursekit.authoring.write import read, with_moved

BOOK = Book(NOTEBOOKS, COURSE, read)
NAMES = [*BOOK.by_name]
REVERSED = [*NAMES[:3], *reversed(NAMES[3:])]


def problems(opening):
    """Return the pairs of skill and number that the lines of an opening show."""
    calls = [ast.parse(line, mode="eval").body for line in opening.lines]
    assert all(call.func.id == "warm_up" for call in calls)
    return [tuple(argument.value for argument in call.args) for call in calls]


@pytest.mark.parametrize("names", [NAMES, REVERSED], ids=["as it is", "turned round"])
def test_each_notebook_opens_with_two_problems_of_earlier_ones(names):
    openings = warm_ups(names)
    assert [*openings] == names[FIRST:]
    for place, (name, opening) in enumerate(openings.items(), start=FIRST):
        skills = [drills()[skill] for skill, _ in problems(opening)]
        assert len({skill.name for skill in skills}) == 2
        assert all(skill.notebook in names[:place] for skill in skills), name
        linked = re.findall(r"\(00_(\w+)\.ipynb\)", opening.words)
        assert [*dict.fromkeys(skill.notebook for skill in skills)] == linked


def test_no_problem_comes_twice_and_what_was_learned_comes_back():
    asked = [one for opening in warm_ups(NAMES).values() for one in problems(opening)]
    assert len(asked) == len({*asked}) == 2 * (len(NAMES) - FIRST)
    often = {name: sum(skill == name for skill, _ in asked) for name in drills()}
    assert min(often.values()) >= 2
    places = {name: place for place, name in enumerate(NAMES)}
    first = {}
    for name, opening in warm_ups(NAMES).items():
        for skill, _ in problems(opening):
            first.setdefault(skill, places[name] - places[drills()[skill].notebook])
    assert max(first.values()) <= 3


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb"))[FIRST:], ids=lambda p: p.stem)
def test_a_notebook_has_them_below_its_setup_and_counts_seven_minutes(path):
    nb = read(path)
    at = tagged(nb, "warm-up")
    assert at == [tagged(nb, "setup")[0] + 2, tagged(nb, "setup")[0] + 3]
    assert nb.cells[at[0] - 1].id == "warm-ups"
    for cell, (skill, no) in zip(
        (nb.cells[i] for i in at), problems(BOOK.openings[path.stem[3:]]), strict=True
    ):
        [output] = cell.outputs
        asked = warm_up(skill, no).problem.asked
        assert asked in output.data["text/plain"]
        assert "<details><summary>Solution</summary>" in output.data["text/html"]
    alone = new_notebook(cells=[nb.cells[i] for i in (at[0] - 1, *at)])
    assert minutes(alone, {}).needed == 10  # of seven, rounded up
    alone.cells += [new_markdown_cell("word " * 255)]
    assert minutes(alone, {}).needed == 10


def test_no_warm_up_is_long():
    """One product takes some ten seconds with a calculator; the second problem fills up."""
    for opening in warm_ups(NAMES).values():
        solved = [problem(drills()[skill], 1).steps for skill, _ in problems(opening)]
        assert sum("".join(steps).count("×") for steps in solved) <= 18


# --- cells ------------------------------------------------------------------------------


class Two:
    words, lines = "Two problems", ('warm_up("floor", 1)', 'warm_up("swap", 2)')


class Other:
    words, lines = "Others", ('warm_up("swap", 2)', 'warm_up("swap", 3)')


def small():
    setup = new_code_cell("import a", id="setup", metadata={"tags": ["setup"]})
    return new_notebook(cells=[new_markdown_cell("# A", id="title"), setup, new_code_cell("1")])


def run(nb):
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.execution_count = 1
    return nb


def test_cells_are_made_moved_and_taken_away():
    nb = fill_warm_ups(small(), Two)
    assert [cell.id for cell in nb.cells[2:5]] == ["warm-ups", "warm-up-a", "warm-up-b"]
    assert waits(nb)
    again = fill_warm_ups(run(nb), Two)
    assert not waits(again)
    moved = fill_warm_ups(again, Other)
    assert [cell.source for cell in moved.cells[2:5]] == ["Others", *Other.lines]
    assert [cell.get("execution_count") for cell in moved.cells[3:5]] == [1, None]
    assert waits(moved)
    assert [cell.id for cell in fill_warm_ups(moved, None).cells[:2]] == ["title", "setup"]
    assert len(moved.cells) == 3


def test_who_writes_one_notebook_writes_those_whose_warm_ups_it_moves(tmp_path):
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    order = sorted(tmp_path.glob("*.ipynb"))
    assert with_moved(order[:1], Book(tmp_path, COURSE, read), tmp_path) == order[:1]
    order[5].rename(tmp_path / f"99_{order[5].name[3:]}")
    moved = with_moved(order[:1], Book(tmp_path, COURSE, read), tmp_path)
    assert tmp_path / f"99_{order[5].name[3:]}" in moved
    assert moved[0] == order[0]


# --- one problem ------------------------------------------------------------------------


def test_a_problem_says_what_practice_says_and_does_nothing_alone():
    task, board = warm_up("floor", 17), Practice("floor", 17)
    assert type(task) is Task
    assert (task.said.value, task.text.value) == ("", board.text.value)
    assert [*task.buttons] == ["Check", "Solution"]
    for typed in ("0.5", "abc", task.problem.result):
        task.field.value = board.field.value = typed
        assert task.said.value == board.said.value != ""
    task.buttons["Solution"].click()
    board.buttons["Solution"].click()
    assert task.said.value == board.said.value


@pytest.mark.parametrize(("skill", "no"), [("flor", 1), ("floor", 0), ("floor", "1"), (None, 1)])
def test_what_there_is_not_is_refused(skill, no):
    with pytest.raises((TypeError, ValueError), match=r"skill|no must"):
        warm_up(skill, no)
