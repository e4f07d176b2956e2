"""What does each pass change? in real JupyterLab: its controls by keyboard."""

import re

import lab
import numpy as np
import pytest
from playwright.sync_api import expect
from test_browser import (
    drawn,
    no_problem,
    open_notebook,
    wait_for_figures,
    wait_for_title,
    write_notebook,
)

from helpers.datasets import ranking_data
from helpers.tuning import climb

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

TRAINING = 0  # the trace
SETUP = "from helpers.course.explorers import climb_stepper"


@pytest.fixture(scope="module", name="address")
def _address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ascent")
    write_notebook(folder / "stepper.ipynb", SETUP, "climb_stepper()")
    with lab.lab(folder) as address:
        yield address


@pytest.fixture(scope="module", name="history")
def _history():
    data = ranking_data(100, 12, 10, noise=1.0, seed=3)
    options = dict(k=5, start="random", seed=3, validation=data.validation, progress=False)
    return climb(*data.train, method="step", **options).history


def weights_of(row):
    return pytest.approx(row.w / np.linalg.norm(row.w), abs=1e-6)


def words(page, text):
    page.locator(".ndcg-sentence").filter(has_text=text).wait_for(timeout=20_000)


def beside_the_bars(page):
    """What stands beside the bars on the screen, from rank 1 down."""
    return page.locator(".ndcg-figure .x3y3 .bartext")


WIDTHS = """() => [...document.querySelector(".ndcg-figure").data[3].x]"""


def test_every_control_by_keyboard(address, page, history):
    open_notebook(page, address, "stepper.ipynb")
    wait_for_title(page, "Start: mean NDCG@5 0.4388 on training, 0.5092 on validation")
    expect(beside_the_bars(page).first).to_have_text("L")
    number = page.get_by_role("slider", name="Pass")
    expect(number).to_have_attribute("max", "20")
    expect(number).to_have_value("0")
    assert drawn(page, TRAINING) == pytest.approx([row.train for row in history], abs=1e-6)

    number.focus()
    page.keyboard.press("ArrowRight")
    wait_for_title(page, "Pass 1: training up 0.2048, validation up 0.2067")
    words(page, "Query 1: from 0.5529 to 0.9364, 9 of 12 documents moved.")
    expect(beside_the_bars(page).first).to_contain_text("▲")
    assert page.evaluate(WIDTHS) == weights_of(history[1])
    page.keyboard.press("End")
    wait_for_title(page, "Pass 20 changes nothing: it finds no step that helps")
    assert page.evaluate(WIDTHS) == weights_of(history[20])
    expect(beside_the_bars(page)).to_have_text([re.compile("^[A-L] –$")] * 12)

    page.get_by_role("radio", name="step").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Rosenbrock")).to_be_checked()
    expect(number).to_have_attribute("max", "16")
    expect(number).to_have_value("16")
    page.keyboard.press("ArrowRight")
    expect(number).to_have_attribute("max", "6")
    wait_for_title(page, "Pass 6 changes nothing")

    page.get_by_role("radio", name="query 1").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="query 2")).to_be_checked()
    words(page, "Query 2: ")
    expect(
        page.locator(".ndcg-figure .annotation-text").filter(has_text="query 2:")
    ).to_be_visible()
    no_problem(page)


def test_presets_reload_and_the_state_line(address, page, history):
    open_notebook(page, address, "stepper.ipynb")
    wait_for_title(page, "Start: ")
    number = page.get_by_role("slider", name="Pass")
    page.get_by_role("button", name="Best pass").press("Enter")
    wait_for_title(page, "Pass 4, best on validation: training up 0.0006, validation up 0.0063")
    expect(number).to_have_value("4")
    page.get_by_role("button", name="Last pass").press("Enter")
    wait_for_title(page, "Pass 20 ")
    page.get_by_role("button", name="Reset").press("Enter")
    wait_for_title(page, "Start: ")
    page.get_by_role("button", name="Best pass").press("Enter")
    wait_for_title(page, "Pass 4, ")

    page.keyboard.press("Control+s")
    page.wait_for_timeout(1_000)
    page.reload()
    wait_for_figures(page)
    wait_for_title(page, "Pass 4, best on validation")
    expect(number).to_have_value("4")
    assert page.evaluate(WIDTHS) == weights_of(history[4])
    field = page.get_by_role("textbox", name="State")
    expect(field).to_have_value("ascent: run=step number=4 query=1")
    field.fill("ascent: run=exact number=2 query=3")
    field.press("Enter")
    wait_for_title(page, "Pass 2, best on validation: training up 0.0148")
    expect(number).to_have_value("2")
    expect(page.get_by_role("radio", name="exact")).to_be_checked()
    page.get_by_role("button", name="Reset").press("Enter")
    wait_for_title(page, "Start: ")
    expect(number).to_have_value("0")
    no_problem(page)


HATCHED = """() => [...document.querySelectorAll(".ndcg-figure .x2y2 .points .point path")]
  .map((bar) => getComputedStyle(bar).fill.includes("url("))"""


def test_moved_weights_are_hatched_on_the_screen(address, page, history):
    open_notebook(page, address, "stepper.ipynb")
    page.get_by_role("slider", name="Pass").press("ArrowRight")
    wait_for_title(page, "Pass 1: ")
    marks = page.evaluate(
        "() => document.querySelector('.ndcg-figure').data[3].marker.pattern.shape"
    )
    assert 0 < sum(map(bool, marks)) < 10
    assert page.evaluate(HATCHED) == [bool(mark) for mark in marks]
    no_problem(page)
