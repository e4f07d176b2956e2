"""The tie shuffler in real JupyterLab: buttons, number field and choice by keyboard."""

import lab
import pytest
from lab import drawn, no_problem, wait_for_title
from playwright.sync_api import expect

from helpers.course.explorers.tie_shuffler.model import TieShuffler

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

GRADES, SCORES = [1, 1, 1] + [0] * 17, [0] * 20
CONSTANT = "tie_shuffler([1, 1, 1] + [0] * 17, [0] * 20, k=5)"
BARS, DOTS = 0, 3  # traces


def test_break_the_ties_by_keyboard(page):
    lab.run_cells(page, f"from helpers.course.explorers import tie_shuffler\n{CONSTANT}")
    wait_for_title(page, "File order: NDCG@5 is 1.000; no random order drawn yet")
    model = TieShuffler(GRADES, SCORES, k=5)
    draws = model._all_draws(model.scores, None)
    number = page.get_by_role("spinbutton", name="Random draws")
    random = page.get_by_role("radio", name="one random order")

    page.get_by_role("button", name="Break the ties once").press("Enter")
    wait_for_title(page, "1 random order gives")
    expect(number).to_have_value("1")
    expect(random).to_be_checked()
    assert drawn(page, DOTS) == pytest.approx(draws[:1], abs=1e-4)
    page.get_by_role("button", name="× 100").press("Enter")
    wait_for_title(page, "101 random orders: mean")
    assert drawn(page, DOTS) == pytest.approx(draws[:101], abs=1e-4)

    number.focus()
    page.keyboard.press("ArrowUp")  # the field's, not the notebook's next cell
    wait_for_title(page, "102 random orders: mean")
    number.fill("9999")
    page.keyboard.press("Enter")
    wait_for_title(page, "2000 random orders: mean")
    expect(number).to_have_value("2000")
    assert drawn(page, DOTS) == pytest.approx(draws, abs=1e-4)

    random.focus()
    page.keyboard.press("ArrowRight")  # round to the first
    page.get_by_text("Shown: average of all orders").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Shown: file order").wait_for()
    assert drawn(page, BARS)[:3] == pytest.approx([1, 0.63093, 0.5], abs=1e-5)
    page.get_by_role("button", name="Reset").press("Enter")
    wait_for_title(page, "File order: NDCG@5 is 1.000")
    expect(number).to_have_value("0")

    # one random order is never none
    page.get_by_role("radio", name="average of all orders").focus()
    page.keyboard.press("ArrowLeft")  # round to the last
    wait_for_title(page, "1 random order gives")
    expect(number).to_have_value("1")
    expect(number).to_have_attribute("min", "1")
    number.fill("0")
    page.keyboard.press("Enter")
    expect(number).to_have_value("1")
    no_problem(page)
