"""What a kernel says of a missing name: where the first cell was not run, to run it."""

import json
import re

import pytest
from jupyter_client.manager import start_new_kernel

SETUP = "from helpers.notebook import (\n    ____, exercise, ndcg,\n)"
RUN_IT = "Run the first code cell of this notebook, which begins: from helpers.notebook import"
COLORS = re.compile(r"\x1b\[[0-9;]*m")


def notebook(tags, source=SETUP):
    """Return a notebook whose first code cell has tags and a source, as JSON."""
    cell = {"cell_type": "code", "metadata": {"tags": tags}, "source": source.splitlines(True)}
    return json.dumps({"cells": [{"cell_type": "markdown", "metadata": {}}, cell]})


@pytest.fixture(scope="module")
def kernel():
    """Return a kernel as JupyterLab starts it: with what the install of the course tells it."""
    manager, client = start_new_kernel()
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.fixture
def says(kernel, tmp_path):
    """Return a function that runs cells for a notebook, and returns what the last one shows."""

    def run(text, *cells):
        path = tmp_path / "notebook.ipynb"
        path.write_text(text)
        shown = []
        told = f"import os; os.environ['JPY_SESSION_NAME'] = {str(path)!r}"
        for cell in ["%reset -f", told, *cells]:
            shown.clear()
            kernel.execute_interactive(cell, output_hook=shown.append)
        lines = [msg["content"].get("traceback", [msg["content"].get("text")]) for msg in shown]
        return COLORS.sub("", "\n".join(line for part in lines for line in part if line))

    return run


@pytest.mark.parametrize("cell", ["x = ____", "exercise('my-dcg').check(1)", "q3 + 1"])
def test_a_cell_before_the_first_one_says_to_run_that(says, cell):
    name = re.match(r"x = (\w+)|\w+", cell)[0].removeprefix("x = ")
    assert says(notebook(["setup"]), cell).splitlines() == [
        RUN_IT,
        "Then run this cell again. Or choose, in the menu Run, Run All Above Selected Cell.",
        f"(NameError: name '{name}' is not defined)",
    ]


def test_it_says_so_until_the_first_cell_was_run(says):
    assert says(notebook(["setup"]), SETUP + "\ndel ndcg", "q3").startswith(RUN_IT)
    assert not says(notebook(["setup"]), SETUP, "q3").startswith(RUN_IT)


@pytest.mark.parametrize(
    "text",
    [
        notebook([]),
        notebook(["setup"], "import helpers"),
        notebook(["setup"], "x ="),
        notebook(["setup"], "from numpy import sort"),
        json.dumps([1]),
        "{",
    ],
    ids=["another", "imports else", "no Python", "imports elsewhere", "no notebook", "damaged"],
)
def test_other_notebooks_get_the_words_of_ipython(says, text):
    """The error is shown as it is without our handler."""
    cell = "def f():\n    return q3\n\nf()"
    plain = says(text, "get_ipython().set_custom_exc((), None)", cell)
    again = says(text, "%reload_ext course.lab.first_cell", cell)
    in_cell = re.compile(r"In\[\d+\]")
    assert in_cell.sub("", again) == in_cell.sub("", plain)
    assert "NameError: name 'q3' is not defined" in again.splitlines()[-1]
    assert "----> 4 f()" in again


def test_other_errors_are_left_alone(says):
    text = says(notebook(["setup"]), "def f():\n    a = b\n    b = 1\n\nf()")
    assert text.splitlines()[-1].startswith("UnboundLocalError: ")
    caught = "try:\n    q3\nexcept NameError as error:\n    print(error)"
    assert says(notebook(["setup"]), caught) == "name 'q3' is not defined\n"


def test_a_kernel_loads_nothing_of_the_course_but_this():
    manager, client = start_new_kernel()
    shown = []
    ours = "('course', 'helpers', 'ndcglib')"  # coursekit begins like the first
    loaded = f"import sys; print(*sorted(name for name in sys.modules if name.startswith({ours})))"
    client.execute_interactive(loaded, output_hook=shown.append)
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    [text] = [msg["content"]["text"] for msg in shown if msg["msg_type"] == "stream"]
    assert text.split() == ["course", "course.lab", "course.lab.first_cell"]
