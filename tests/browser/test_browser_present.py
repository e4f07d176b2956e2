"""State line and projector size, in JupyterLab in Chromium."""

import lab
import pytest
from lab import slider, wait_for_figures, wait_for_title
from playwright.sync_api import expect

from course.explorers import EXPLORERS

pytestmark = [
    pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED),
    pytest.mark.full("engine"),
]

SETUP = """from helpers.notebook import *
from course.explorers import EXPLORERS
from coursekit.widgets.present import size_choice
size_choice()"""


# --- the state line -------------------------------------------------------------------


def says(page, text):
    page.locator(".ndcg-said").filter(has_text=text).wait_for()


def test_a_state_line_by_keyboard(page):
    lab.run_cells(page, SETUP, "slide_k()")
    field = lab.state(page)
    start = "slide-k: example=zigzag k=1 pool=list"
    expect(field).to_have_value(start)
    check_what_is_copied_can_be_pasted(page, field)
    page.get_by_role("button", name="Reset").press("Enter")
    expect(field).to_have_value(start)
    check_a_bad_line_is_answered(page, field, start)
    page.get_by_role("button", name="Reset").press("Enter")
    expect(field).to_have_value(start)
    # As on a page that came from another machine without https:
    missing = "{ value: undefined, configurable: true }"
    page.evaluate(f"Object.defineProperty(navigator, 'clipboard', {missing})")
    page.get_by_role("button", name="Copy the state").click()
    says(page, "Copied.")
    page.evaluate("delete navigator.clipboard")  # the page is used again
    field.fill("")
    page.keyboard.press("Control+v")
    expect(field).to_have_value(start)
    lab.no_problem(page)


def check_what_is_copied_can_be_pasted(page, field):
    slider(page).press("ArrowRight")
    copied = "slide-k: example=zigzag k=2 pool=list"
    expect(field).to_have_value(copied)
    page.get_by_role("button", name="Copy the state").press("Enter")
    says(page, "Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == copied
    page.get_by_role("button", name="Missed 3s").press("Enter")
    wait_for_title(page, "k = 3, the whole curve")
    field.press("Control+a")
    page.keyboard.press("Control+v")
    page.keyboard.press("Enter")
    wait_for_title(page, "k = 2: NDCG falls")
    expect(slider(page)).to_have_value("2")


def check_a_bad_line_is_answered(page, field, start):
    cells = page.locator(".jp-Cell").count()
    field.press("Control+a")
    page.keyboard.type("ddd k=9")  # "dd" would delete a cell
    page.keyboard.press("Enter")
    says(page, "begins with the name of an explorer and a colon, got 'ddd k=9'")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(slider(page)).to_have_value("1")
    assert page.locator(".jp-Cell").count() == cells
    page.keyboard.press("Escape")
    expect(field).to_have_value(start)
    slider(page).press("ArrowRight")
    wait_for_title(page, "k = 2:")
    expect(field).to_have_attribute("aria-invalid", "false")
    expect(page.locator(".ndcg-said")).to_have_text("")


# One that Python answers, and one that the page answers.
@pytest.mark.parametrize(("explorer", "answer"), [("slide-k", "k = 2:"), ("every-order", "@2")])
def test_what_is_half_typed_outlives_an_answer(page, explorer, answer):
    lab.run_cells(page, SETUP, f"EXPLORERS[{explorer!r}]()")
    twin = EXPLORERS[explorer]()
    start = twin.state
    label, values = next(iter(twin.presets.items()))
    twin.set(**values)
    field = lab.state(page)
    preset = page.get_by_role("button", name=label, exact=True)
    field.press("End")
    page.keyboard.type(" half")
    preset.evaluate("(button) => button.click()")  # the focus stays where it is
    shown = page.locator(".ndcg-figure .gtitle, .ndcg-status")
    expect(shown.filter(has_text=answer)).to_have_count(1)
    expect(field).to_have_value(f"{start} half")
    page.keyboard.press("Escape")
    expect(field).to_have_value(twin.state)
    page.keyboard.type("x")
    page.keyboard.press("Backspace")  # as it was: no change, and nothing half typed
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Reset").press("Enter")
    expect(field).to_have_value(start)
    lab.no_problem(page)


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


def test_present_enlarges_and_turns_back(page):
    lab.run_cells(page, SETUP, "slide_k()")
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

    lab.save_and_reload(page)
    wait_for_figures(page)
    wait_for_title(page, "k = 2:")
    assert letters(page) == large
    page.get_by_role("radio", name="a projector").focus()
    page.keyboard.press("ArrowLeft")
    wait_for_ticks(page, 16)
    assert letters(page) == before
    lab.no_problem(page)
