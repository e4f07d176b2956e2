"""The site from notebooks that JupyterLab saved, without a browser."""

import copy
import json
import shutil

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_output

from course.content import COURSE
from coursekit.authoring.write import (
    HTML,
    PLOTLY,
    PNG,
    WIDGET,
    NotebookError,
    code_cells,
    plotly_outputs,
    read,
    to_text,
)
from coursekit.site import build as make
from coursekit.site.run import shown
from coursekit.site.stored import stored, what_lacks

NAME = "04_cutoff.ipynb"


def as_saved(nb):
    """Return what JupyterLab saves after Run All: what the kernel sent, nothing drawn of it."""
    nb = copy.deepcopy(nb)
    nb.metadata["widgets"] = {"state": {}}
    for cell in code_cells(nb):
        kept = []
        for output in cell.outputs:
            words = output.get("data", {})
            if set(words) == {HTML} and kept and PLOTLY in kept[-1].get("data", {}):
                kept[-1].data[HTML] = words[HTML]  # in one output with its figure
            else:
                kept.append(output)
            words.pop(PNG, None)
            output.get("metadata", {}).pop(PNG, None)
        cell.outputs, cell.execution_count = kept, 100
        cell.metadata["execution"] = {"iopub.execute_input": "2026-11-23T22:00:00Z"}
    return nb


@pytest.fixture(name="folder")
def _folder(tmp_path):
    """Return a folder with all notebooks, one of them as JupyterLab saves it."""
    shutil.copytree(make.NOTEBOOKS, tmp_path / "notebooks")
    change(tmp_path / "notebooks", as_saved)
    return tmp_path / "notebooks"


def change(folder, how):
    nb = read(folder / NAME)
    (folder / NAME).write_text(to_text(how(nb) or nb), encoding="utf-8")


def cell_of(nb, tag):
    return next(cell for cell in nb.cells if tag in cell.metadata.get("tags", []))


def page(notebooks, folder):
    """Return the markdown of the page of the notebook, from which the site is set."""
    live = {path.name: {} for path in notebooks.glob("*.ipynb")}
    live[NAME] = {cell.id: {} for cell in read(notebooks / NAME).cells}
    make.write_pages(COURSE, folder, live, notebooks=notebooks)
    return (folder / "cutoff.md").read_text(encoding="utf-8")


def test_figures_without_pictures_have_their_sentence_in_their_room(folder, tmp_path):
    written = page(make.NOTEBOOKS, tmp_path / "written").split("\n")
    saved = page(folder, tmp_path / "saved").split("\n")
    assert len(saved) == len(written)
    others = [line for line, before in zip(saved, written, strict=True) if line != before]
    outputs = plotly_outputs(stored(folder / NAME, COURSE.exercises))
    assert len(others) == len(outputs) > 3
    for line, output in zip(others, outputs, strict=True):
        assert line.startswith('<p class="ndcg-picture" style="min-height: ')
        height = output.data[PLOTLY]["layout"]["height"]
        assert f"min-height: {height}px" in line
        assert line.endswith("</p>")
        assert "img" not in line


def test_a_line_says_what_lacks_and_what_stores_it(folder):
    assert not what_lacks(make.NOTEBOOKS / NAME)
    said = what_lacks(folder / NAME)
    n = len(plotly_outputs(read(folder / NAME)))
    assert said.startswith(f"{NAME}: {n} of {n} figures without a stored picture ")
    assert "make notebooks" in said
    assert f"git checkout notebooks/{NAME}" in said
    assert "\n" not in said


def test_what_is_live_is_not_computed_again_after_run_all(folder):
    assert make.sources(COURSE, folder / NAME) == make.sources(COURSE, make.NOTEBOOKS / NAME)
    change(folder, lambda nb: cell_of(nb, "explorer").update(source="1 + 1"))
    assert make.sources(COURSE, folder / NAME) != make.sources(COURSE, make.NOTEBOOKS / NAME)


def test_an_answer_that_was_typed_is_not_on_the_page(folder, tmp_path):
    def solve(nb):
        cell = cell_of(nb, "exercise")
        cell.source = "my_own_answer = (  # half of it"
        cell.outputs = [new_output("stream", name="stdout", text="what it printed")]

    change(folder, solve)
    text = page(folder, tmp_path / "pages")
    assert "my_own_answer" not in text
    assert "what it printed" not in text
    found = cell_of(stored(folder / NAME, COURSE.exercises), "exercise")
    assert found.source == cell_of(read(make.NOTEBOOKS / NAME), "exercise").source


def test_cells_that_were_added_are_shown(folder, tmp_path):
    def add(nb):
        view = {WIDGET: {"model_id": "0"}}
        nb.cells.append(new_code_cell("1 + 1", execution_count=1))
        nb.cells[-1].outputs = [
            new_output("execute_result", {"text/plain": "the sum is 2"}, execution_count=1),
            new_output("display_data", view),
        ]

    change(folder, add)
    assert "the sum is 2" in page(folder, tmp_path / "pages")


FAILED = new_output("error", ename="ValueError", evalue="no", traceback=["ValueError: no"])


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        (lambda cell: cell.update(execution_count=None, outputs=[]), "has not run"),
        (lambda cell: cell.update(outputs=[FAILED]), "ended in an error"),
    ],
)
@pytest.mark.parametrize("tag", ["setup", "bet", "explorer"])
def test_what_cannot_be_shown_is_named(folder, tag, how, problem):
    change(folder, lambda nb: how(cell_of(nb, tag)))
    with pytest.raises(NotebookError) as refused:
        make.sources(COURSE, folder / NAME)
    first = cell_of(read(folder / NAME), tag).source.splitlines()[0]
    assert str(refused.value) == f"{NAME}: the code cell {first!r} {problem}"


def test_code_that_fails_is_named(tmp_path):
    nb = nbformat.v4.new_notebook(cells=[new_code_cell("1 / 0", execution_count=1)])
    (tmp_path / NAME).write_text(to_text(nb), encoding="utf-8")
    with pytest.raises(NotebookError, match=r"04_cutoff.ipynb: .*'1 / 0' failed: ZeroDivision"):
        shown(tmp_path / NAME, COURSE.exercises)


def test_the_command_says_it_in_words_and_keeps_the_site(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(make, "NOTEBOOKS", folder)
    monkeypatch.setattr(make, "all_live", lambda course: make.sources(course, folder / NAME))
    change(folder, lambda nb: cell_of(nb, "bet").update(execution_count=None, outputs=[]))
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("the one before")
    assert make.main(COURSE, [str(tmp_path / "site")]) == 1
    out, err = capsys.readouterr()
    assert out.startswith(f"{NAME}: ")
    assert err.startswith(f"error: {NAME}: the code cell ")
    assert err.count("\n") == 1
    assert (tmp_path / "site" / "index.html").read_text() == "the one before"
    (folder / NAME).write_text("{" + json.dumps(NAME), encoding="utf-8")
    assert make.main(COURSE, [str(tmp_path / "site")]) == 1
    assert "not a notebook" in capsys.readouterr().err


def no_room(_course, _calls):
    return {}


def test_the_build_says_how_far_it_is(tmp_path, monkeypatch, capsys):
    (tmp_path / "notebooks").mkdir()
    for name in ("00_a.ipynb", "01_b.ipynb"):
        nb = nbformat.v4.new_notebook(cells=[new_code_cell("2 + 2", execution_count=1)])
        (tmp_path / "notebooks" / name).write_text(to_text(nb), encoding="utf-8")
    monkeypatch.setattr(make, "room_live", no_room)
    room, live = make.all_live(COURSE, tmp_path / "notebooks", tmp_path / "kept")
    assert (room, live) == ({}, {"00_a.ipynb": {}, "01_b.ipynb": {}})
    said = capsys.readouterr().out.splitlines()
    assert [line.rpartition(", ")[0].rpartition(": ")[2] for line in said] == [
        f"{n} of 3" for n in (1, 2, 3)
    ]
    assert {line.rpartition(", ")[2] for line in said} == {"room", *live}
