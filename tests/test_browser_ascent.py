"""What does each pass change? in real JupyterLab: its controls by keyboard, and its size."""

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
from test_browser_present import LEGEND_INSIDE, fill_the_window, open_tab

from helpers.datasets import ranking_data
from helpers.tuning import climb

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

TRAINING = 0  # the trace
SETUP = "from helpers.explorers.ascent import climb_stepper\nfrom helpers.explorers import present"
OWN = """from helpers.datasets import ranking_data
from helpers.tuning import climb
data = ranking_data(100, 15, 4, noise=1.0, seed=3)
options = dict(k=10, start="zeros", restarts=1, validation=data.validation, progress=False)
runs = {"fixed steps": climb(*data.train, method="step", **options)}
X, y, _ = data.validation
some = y.any(axis=1).nonzero()[0][:4]
names = ["BM25", "TF-IDF", "name words", "summary word"]
explorer = climb_stepper(runs, (X[some], y[some]), k=10, features=names)"""
# Each where much is shown: long changes of rank, ties, long names.
STATES = {
    "moves": "explorer = climb_stepper()\nexplorer.set(run='exact', number=1, query=2)",
    "tied": OWN,
    "own": f"{OWN}\nexplorer.set(number=1, query=2)",
}


@pytest.fixture(scope="module", name="address")
def _address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ascent")
    write_notebook(folder / "stepper.ipynb", SETUP, "climb_stepper()")
    for name, make in STATES.items():
        write_notebook(folder / f"{name}.ipynb", SETUP, f"{make}\nexplorer")
        write_notebook(folder / f"{name}_large.ipynb", f"{SETUP}\npresent()", f"{make}\nexplorer")
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
    page.get_by_role("button", name="Start", exact=True).press("Enter")
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


# Pairs of words that cover each other, and words that leave the chart. Of the height of
# a word's box a third is air.
TROUBLES = """(figure) => {
  const chart = figure.getBoundingClientRect();
  const marks = ".gtitle, .legendtext, .annotation-text, .bartext, .xtitle, .ytitle, "
    + ".x2title, .x3title, [class$=tick] text";
  const words = [...figure.querySelectorAll(marks)].filter((w) => w.textContent.trim());
  const boxes = words.map((word) => {
    const { left, right, top, bottom } = word.getBoundingClientRect();
    const air = (bottom - top) / 6;
    return { text: word.textContent, left, right, top: top + air, bottom: bottom - air };
  });
  const outside = boxes.filter((b) => b.left < chart.left - 1 || b.right > chart.right + 1
    || b.top < chart.top || b.bottom > chart.bottom).map((b) => b.text + " leaves");
  const over = boxes.flatMap((a, i) => boxes.slice(i + 1)
    .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
    .map((b) => `${a.text} covers ${b.text}`));
  return { count: boxes.length, troubles: [...outside, ...over] };
}"""
# The names beside a panel do not reach into the panel to the left of it.
APART = """(figure) => {
  const panel = (name) => figure._fullLayout[name];
  const at = (axis) => figure.getBoundingClientRect().left + axis._offset + axis._length;
  const least = (name) => Math.min(...[...figure.querySelectorAll(`.${name}tick text`)]
    .map((text) => text.getBoundingClientRect().left));
  return [least("y2") - at(panel("xaxis")), least("y3") - at(panel("xaxis2"))];
}"""


def check_words(view):
    figure = view.locator(".ndcg-figure")
    found = figure.evaluate(TROUBLES)
    assert found["troubles"] == []
    assert found["count"] > 40
    assert min(figure.evaluate(APART)) > 0
    expect(beside_the_bars(view)).to_have_count(12)
    formula = view.locator(".ndcg-formula")
    assert formula.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0


@pytest.mark.parametrize("state", STATES)
def test_the_explorer_fits_a_notebook(address, page, state):
    """Question, controls, figure and sentence, in JupyterLab at 1280 × 720."""
    open_notebook(page, address, f"{state}.ipynb")
    beside_the_bars(page).nth(11).wait_for()
    box = page.locator(".ndcg-explorer").bounding_box()
    sentence = page.locator(".ndcg-sentence").bounding_box()
    panel = page.locator(".jp-WindowedPanel-outer").first.bounding_box()
    assert sentence["y"] + sentence["height"] - box["y"] <= panel["height"]
    assert box["width"] <= panel["width"]
    check_words(page)
    no_problem(page)


@pytest.mark.parametrize("state", STATES)
def test_a_tab_of_its_own(address, page, state):
    """At projector size it fits 1280 × 720, from the question to the end of the figure."""
    open_notebook(page, address, f"{state}_large.ipynb")
    view = open_tab(page)
    fill_the_window(page, view)
    beside_the_bars(view).nth(11).wait_for()
    panel = view.bounding_box()
    explorer = view.locator(".ndcg-explorer").bounding_box()
    place = view.locator(".ndcg-figure").bounding_box()
    assert place["y"] + place["height"] - panel["y"] <= panel["height"]
    sentence = view.locator(".ndcg-sentence").bounding_box()
    assert sentence["y"] + sentence["height"] - explorer["y"] <= 720  # without JupyterLab
    assert explorer["width"] <= panel["width"]
    assert view.evaluate(LEGEND_INSIDE) <= 1
    check_words(view)
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
