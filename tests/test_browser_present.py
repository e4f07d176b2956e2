"""State line, projector size, a tab of its own, and the page for a room, in Chromium."""

import re
import shlex
import subprocess
from pathlib import Path

import lab
import pytest
from playwright.sync_api import expect
from test_browser import (
    no_problem,
    open_notebook,
    slider,
    wait_for_figures,
    wait_for_title,
    write_notebook,
)

from helpers.course.explorers import EXPLORERS

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

ROOT = Path(__file__).parent.parent
TIED = "[3, 2, 3, 0, 1, 2], [0.9, 0.7, 0.8, 0.05, 0.3, 0.6], decimals=2"
# Each with a state that is not its start.
MOVED = {
    "slide_k": ("slide_k()", "k=8"),
    "discount": ("own_discount()", "shows='pairs', beside='geometric'"),
}


@pytest.fixture(scope="module", name="address")
def _address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("present")
    setup = "from helpers.course.explorers import *"
    write_notebook(folder / "state.ipynb", setup, "slide_k()")
    write_notebook(folder / "size.ipynb", setup, "size_choice()", "slide_k()")
    for name, (make, values) in MOVED.items():
        cell = f"explorer = {make}\nexplorer.set({values})\nexplorer"
        write_notebook(folder / f"{name}.ipynb", f"{setup}\npresent()", cell)
    with lab.lab(folder) as address:
        yield address


def field(page):
    return page.get_by_role("textbox", name="State").first


def trouble(page, text):
    page.locator(".ndcg-said").filter(has_text=text).wait_for()


# --- the state line -------------------------------------------------------------------


def test_a_state_is_copied_changed_and_restored_by_keyboard(address, page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_notebook(page, address, "state.ipynb")
    expect(field(page)).to_have_value("slide-k: example=zigzag k=1 pool=list")
    slider(page).press("ArrowRight")
    wait_for_title(page, "k = 2:")
    copied = "slide-k: example=zigzag k=2 pool=list"
    expect(field(page)).to_have_value(copied)
    page.get_by_role("button", name="Copy the state").press("Enter")
    trouble(page, "Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == copied

    page.get_by_role("button", name="Missed 3s").press("Enter")
    wait_for_title(page, "k = 3: DCG 1.0000")
    expect(field(page)).to_have_value("slide-k: example=missed k=3 pool=list")
    field(page).press("Control+a")
    page.keyboard.press("Control+v")
    page.keyboard.press("Enter")
    wait_for_title(page, "k = 2: DCG 3.0")
    expect(slider(page)).to_have_value("2")
    expect(page.get_by_role("radio", name="3, 0, 3, 2, 0, 2, 3, 0 | missed: 3, 2")).to_be_checked()
    no_problem(page)


def test_a_bad_line_is_answered(address, page):
    open_notebook(page, address, "state.ipynb")
    cells = page.locator(".jp-Cell").count()
    field(page).press("Control+a")
    page.keyboard.type("ddd k=9")  # "dd" would delete a cell
    page.keyboard.press("Enter")
    trouble(page, "begins with the name of an explorer and a colon, got 'ddd k=9'")
    expect(field(page)).to_have_attribute("aria-invalid", "true")
    expect(slider(page)).to_have_value("1")
    assert page.locator(".jp-Cell").count() == cells
    page.keyboard.press("Escape")
    expect(field(page)).to_have_value("slide-k: example=zigzag k=1 pool=list")
    slider(page).press("ArrowRight")
    wait_for_title(page, "k = 2:")
    expect(field(page)).to_have_attribute("aria-invalid", "false")
    expect(page.locator(".ndcg-said")).to_have_text("")
    no_problem(page)


def test_copying_without_the_clipboard_api(address, page):
    """As on a page that came from another machine without https."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_notebook(page, address, "state.ipynb")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Copy the state").click()
    trouble(page, "Copied.")
    field(page).fill("")
    page.keyboard.press("Control+v")
    expect(field(page)).to_have_value("slide-k: example=zigzag k=1 pool=list")
    no_problem(page)


# --- projector size -------------------------------------------------------------------

TEXTS = {
    "question": ".ndcg-question",
    "button": ".ndcg-explorer .jupyter-button",
    "slider": ".ndcg-slider label",
    "choice": ".ndcg-explorer .ndcg-choice label",
    "formula": ".ndcg-formula math",
    "title": ".ndcg-figure .gtitle",
    "tick": ".ndcg-figure .xtick text",
    "sentence": ".ndcg-sentence",
    "state": ".ndcg-state input",
}
NUMBERS = {"question", "formula", "title"}  # what the back row must read


def letters(page):
    """Return the computed size of each kind of text, in pixels."""
    return page.evaluate(
        """(texts) => Object.fromEntries(Object.entries(texts).map(([name, selector]) =>
          [name, parseFloat(getComputedStyle(document.querySelector(selector)).fontSize)]))""",
        TEXTS,
    )


def wait_for_ticks(page, size):
    page.wait_for_function(
        """(size) => parseFloat(getComputedStyle(
          document.querySelector(".ndcg-figure .xtick text")).fontSize) === size""",
        arg=size,
    )


def test_present_enlarges_and_turns_back(address, page):
    open_notebook(page, address, "size.ipynb")
    before = letters(page)
    assert before["tick"] == 16
    page.get_by_role("radio", name="a projector").focus()
    page.keyboard.press("ArrowRight")  # round to the first, which is chosen: nothing
    page.get_by_role("radio", name="this screen").focus()
    page.keyboard.press("ArrowRight")
    wait_for_ticks(page, 22)
    large = letters(page)
    for name, size in large.items():
        low, high = (28, 32) if name in NUMBERS else (22, 24)
        assert low <= size <= high, name
    assert page.locator(".modebar-btn").count() == 0
    slider(page).press("ArrowRight")
    wait_for_title(page, "k = 2:")
    assert letters(page) == large

    page.keyboard.press("Control+s")
    page.wait_for_timeout(1_000)
    page.reload()
    wait_for_figures(page)
    wait_for_title(page, "k = 2:")
    assert letters(page) == large
    page.get_by_role("radio", name="a projector").focus()
    page.keyboard.press("ArrowLeft")
    wait_for_ticks(page, 16)
    assert letters(page) == before
    no_problem(page)


# --- a tab of its own -----------------------------------------------------------------


def open_tab(page):
    """Give the output a view of its own; return the view."""
    page.locator(".ndcg-sentence").first.click(button="right")
    page.get_by_text("Create New View for Cell Output").click()
    view = page.locator(".jp-LinkedOutputView")
    view.locator(".ndcg-figure .main-svg").first.wait_for()
    return view


def fill_the_window(page, view):
    """Close the file browser and show this view alone, as on a projector."""
    view.locator(".ndcg-question").click()  # the one in use is the one that stays
    page.keyboard.press("Control+b")
    page.keyboard.press("Control+Shift+D")
    page.wait_for_function(
        """() => {
          const view = document.querySelector(".jp-LinkedOutputView");
          const width = view.querySelector(".ndcg-stage").clientWidth;
          const figure = view.querySelector(".ndcg-figure").clientWidth;
          const drawn = view.querySelector(".main-svg").clientWidth;
          return view.clientWidth > 1100 && view.clientWidth - width < 60 && drawn === figure;
        }"""
    )
    page.wait_for_timeout(500)


def shown(where):
    return where.locator(".gtitle").text_content(), where.locator(".ndcg-sentence").inner_text()


def wait_for_states(page, line, is_it):
    """Return once both views say this state, or both another, and have drawn it."""
    page.wait_for_function(
        """([line, isIt]) => [...document.querySelectorAll(".ndcg-state input")]
          .every((input) => (input.value === line) === isIt)""",
        arg=[line, is_it],
    )
    page.wait_for_timeout(500)


@pytest.mark.parametrize("name", MOVED)
def test_a_tab_of_its_own(address, page, name):
    """What is moved in the tab moves in the notebook, and back."""
    open_notebook(page, address, f"{name}.ipynb")
    notebook = page.locator(".jp-Notebook")
    view = open_tab(page)
    assert shown(view) == shown(notebook)

    state = view.get_by_role("textbox", name="State").input_value()
    view.get_by_role("button", name="Reset").click()
    wait_for_states(page, state, False)
    assert shown(view) == shown(notebook)
    own = notebook.get_by_role("textbox", name="State")
    own.fill(state)
    own.press("Enter")
    wait_for_states(page, state, True)
    assert shown(view) == shown(notebook)
    no_problem(page)


# --- the page for a room --------------------------------------------------------------


def output_of(*command):
    """Return what a command prints, run at the root."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_make_present_draws_every_explorer(page, tmp_path, monkeypatch):
    rule = output_of("make", "--dry-run", "present").replace("\\\n", " ")
    setting, start = re.search(r"^(JUPYTER_PATH=\S+) .*/(voila .+)", rule, re.MULTILINE).groups()
    path = output_of("sh", "-c", f'{setting}; printf %s "$JUPYTER_PATH"')
    monkeypatch.setenv("JUPYTER_PATH", path)
    command = [*shlex.split(start.replace("helpers/", f"{ROOT}/helpers/")), "--Voila.ip=127.0.0.1"]
    with lab.serve(command, tmp_path, "/voila/static/voila.js") as address:
        page.goto(address)
        wait_for_figures(page)
        # Each of them, the tie shuffler twice; the list to drag draws no figure of plotly's.
        assert page.locator(".ndcg-figure").count() == len(EXPLORERS)
        assert page.locator(".ndcg-drag .ndcg-row").count() == 5
        line = "slide-k: example=missed k=3 pool=judged"
        box = page.locator(".ndcg-explorer").filter(has_text="What happens to NDCG@k").last
        box.get_by_role("textbox", name="State").fill(line)
        page.keyboard.press("Enter")
        wait_for_title(page, "NDCG 0.1564")
        page.get_by_role("radio", name="a projector").check(force=True)
        wait_for_ticks(page, 22)
        assert page.get_by_text("could not be drawn").count() == 0
        assert page.get_by_text("and the controls appear").count() == 0  # for stored pages only
        assert page.outside == []
        assert page.problems == []
