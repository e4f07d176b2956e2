"""Explorers and the notebook around them: whose the keys are, and a kernel that is lost."""

import lab
import pytest
from lab import no_problem, slider, wait_for_title
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED),
    pytest.mark.full("engine"),
]

SETUP = """from helpers.notebook import *
from coursekit.widgets.present import size_choice"""
MANY = [
    "place_bet('longer-list')",
    "term_ledger([3, 2, 3, 0, 1, 2, 1, 3])",
    "own_discount()",
    "compare_code()",
    "tie_shuffler([1, 0], [0, 0])",
    "drag_list([1, 3, 0], presets={'Best': [1, 0, 2]})",
    "self_test()",
    "size_choice()",
]
FOCUSABLE = {
    "preset": ".ndcg-explorer .jupyter-button:has-text('Whole ideal sum')",
    "button": ".ndcg-explorer .jupyter-button:has-text('Click me')",
    "slider": ".ndcg-slider input",
    "number": ".ndcg-number input",
    "list": ".ndcg-pick select",
    "choice": ".ndcg-explorer .ndcg-choice input",
    "bet": ".ndcg-bet .ndcg-choice input",
    "choice of its own": ".ndcg-choice:not(.ndcg-bet *, .ndcg-explorer *) input",
    "state field": ".ndcg-state input",
    "copy": ".ndcg-state button",
    "table": ".ndcg-stage summary",
    "pad": ".ndcg-pad input",
    "handle": ".ndcg-handle",
    "step": ".ndcg-step",
    "preset of the list": ".ndcg-drag .ndcg-button:has-text('Best')",
}
KEYS = [
    "x",
    "d",
    "d",
    "a",
    "m",
    "y",
    "z",
    "ArrowDown",
    "ArrowUp",
    "ArrowLeft",
    "ArrowRight",
    "Enter",
    "Escape",
    "Delete",
]
# What a key meant for the notebook would change: its cells, which is active, the mode.
NOTEBOOK = """() => [
  [...document.querySelectorAll(".jp-Notebook .jp-Cell")].map((cell) =>
    ["jp-CodeCell", "jp-mod-active", "jp-mod-selected"].map((c) => cell.classList.contains(c))),
  document.querySelector(".jp-Notebook").classList.contains("jp-mod-editMode"),
]"""
# Notebook 7 asks in the capture phase, before an element could stop the key, and the
# element with the focus first.
LISTEN = """window.heard = [];
document.addEventListener("keydown", (event) => {
  window.heard.push(event.target.hasAttribute("data-lm-suppress-shortcuts"));
}, true);"""


def test_keys_on_a_control_stay_there(page):
    lab.run_cells(page, SETUP, *MANY)
    page.evaluate(LISTEN)
    for name, place in FOCUSABLE.items():
        control = page.locator(place).first
        control.scroll_into_view_if_needed()
        control.click(position={"x": 3, "y": 3}, force=True)  # as a reader gets there
        control.focus()
        before = page.evaluate(NOTEBOOK)
        for key in KEYS:
            control.press(key)
            assert page.evaluate(NOTEBOOK) == before, (name, key)
        page.evaluate("window.heard = []")
        for key in ("x", "Control+Shift+F9", "x"):
            control.press(key)
        heard = page.evaluate("window.heard")
        assert (heard[0], heard[-1]) == (True, True), name
        assert not any(heard[1:-1]), name  # Control, Shift and F9: those are Jupyter's
    no_problem(page)
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        page.locator(FOCUSABLE["preset"]).press("Control+s")


LOST = "This explorer has lost its kernel and no longer answers. Run all cells again."


@pytest.mark.parametrize("item", ["Restart Kernel…", "Shut Down Kernel"])
def test_an_explorer_says_that_its_kernel_is_gone(page, item):
    lab.run_cells(page, SETUP, "slide_k()", "drag_list([1, 3, 0])")
    said = page.locator(".ndcg-lost")
    expect(said).to_have_count(1)  # the list to drag needs no kernel, and says nothing
    expect(said).to_have_text("")
    lab.menu(page, "Kernel", item)
    if item.startswith("Restart"):
        page.get_by_role("button", name="Confirm Kernel Restart").click()
    expect(said).to_have_text(LOST)
    slider(page).scroll_into_view_if_needed()
    expect(said).to_be_in_viewport()  # beside what a reader moves
    slider(page).press("ArrowRight")
    page.locator(".ndcg-handle").nth(1).press("Home")
    page.get_by_role("status").filter(has_text="D2 moved to rank 1 of 3").wait_for()
    assert page.locator(".ndcg-figure .gtitle").text_content().startswith("k = 1:")
    if item.startswith("Restart"):
        lab.menu(page, "Run", "Run All Cells")
        expect(said).to_have_text("", timeout=60_000)
        slider(page).press("ArrowRight")
        wait_for_title(page, "k = 2:")
