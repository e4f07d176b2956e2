"""What happens to NDCG when one number moves? in real JupyterLab, and its size."""

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
from test_browser_present import LEGEND_INSIDE, fill_the_window, open_tab

from helpers.metrics import ndcg

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

GRADES, SCORES = [3, 2, 3, 0, 1, 2], [0.10, 0.20, 0.30, 0.95, 0.80, 0.70]
# A state whose words, axes and legend take much room, and one with a tie.
WIDEST = "explorer.set(number='40 queries', place=0, error=True)"
TIED = "explorer.set(number='C', place=80, error=True)"


@pytest.fixture(scope="module", name="address")
def _address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one_number")
    setup = (
        "from helpers.explorers.one_number import one_number\n"
        "from helpers.explorers import present"
    )
    write_notebook(folder / "one.ipynb", setup, "one_number()")
    for name, values in (("wide", WIDEST), ("tied", TIED)):
        show = f"explorer = one_number()\n{values}\nexplorer"
        write_notebook(folder / f"{name}.ipynb", setup, show)
        write_notebook(folder / f"{name}_large.ipynb", f"{setup}\npresent()", show)
    with lab.lab(folder) as address:
        yield address


def drawn(page, name):
    """Return x and y of a trace by its name, as plotly has them."""
    return page.evaluate(
        """(name) => {
          const trace = document.querySelector(".ndcg-figure").data.find((t) => t.name === name);
          return [[...trace.x], [...trace.y]];
        }""",
        name,
    )


def wait_for_words(page, text):
    page.locator(".ndcg-sentence").filter(has_text=text).wait_for(timeout=20_000)


def wait_for_formula(page, end):
    """Return once the formula ends in this number."""
    expect(page.locator(".ndcg-formula math > mn").last).to_have_text(end)


def test_every_control_by_keyboard(address, page):
    open_notebook(page, address, "one.ipynb")
    wait_for_title(page, "C at 0.300: NDCG 0.6673, flat until 0.700, then 0.6770")
    wait_for_formula(page, "0")
    place = slider(page)
    expect(place).to_have_attribute("aria-label", "Score of C")
    expect(place).to_have_value("40")
    expect(place).to_have_attribute("aria-valuetext", "0.30")
    assert drawn(page, "now") == [[0.3], [pytest.approx(ndcg(GRADES, SCORES), abs=1e-6)]]

    place.focus()
    page.keyboard.press("ArrowRight")
    wait_for_title(page, "C at 0.310: NDCG 0.6673, flat until 0.700")
    wait_for_formula(page, "0")
    page.keyboard.press("End")
    wait_for_title(page, "C at 1.100: NDCG 0.8687, flat from 0.950 on")
    wait_for_words(page, "Order C D E F B A;")

    page.get_by_role("radio", name="off").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="on", exact=True)).to_be_checked()
    wait_for_title(page, "NDCG 0.8687 at C = 1.100, 0.8687 at MSE's minimum, best 0.8687")
    wait_for_words(page, "MSE 0.3599; least, 0.3582, at 1.000.")
    best = [1 if letter == "C" else s for letter, s in zip("ABCDEF", SCORES, strict=True)]
    least = sum((s - grade / 3) ** 2 for s, grade in zip(best, GRADES, strict=True)) / 6
    assert drawn(page, "MSE's minimum") == [[1], [pytest.approx(least, abs=1e-6)]]

    page.get_by_role("radio", name="score of C").focus()
    page.keyboard.press("ArrowRight")
    wait_for_title(page, "NDCG 0.7890 at F = 1.100, 0.6673 at MSE's minimum, best 0.7890")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="a weight, one query")).to_be_checked()
    wait_for_title(page, "NDCG@5 0.6433 at weight = 3.000")
    weight = page.get_by_role("slider", name="Weight")
    expect(weight.locator("+ output")).to_have_text("3.00")
    for steps, text in (("0", "−3.00"), ("60", "0.00"), ("120", "3.00")):
        weight.fill(steps)
        expect(weight).to_have_attribute("aria-valuetext", text)
    page.get_by_role("radio", name="a weight, one query").focus()
    page.keyboard.press("ArrowRight")
    wait_for_words(page, "Query 1: order")
    assert len(drawn(page, "NDCG@5")[0]) > 200

    page.get_by_role("button", name="Tie", exact=True).press("Enter")
    wait_for_title(page, "C at 0.700, a tie with F: NDCG 0.6722; below it 0.6673")
    wait_for_formula(page, "4.85")
    expect(place).to_have_value("80")
    page.keyboard.press("Control+s")
    page.wait_for_timeout(1_000)
    page.reload()
    wait_for_figures(page)
    wait_for_title(page, "C at 0.700, a tie with F")
    expect(place).to_have_value("80")
    field = page.get_by_role("textbox", name="State")
    expect(field).to_have_value("one-number: number=C place=80 error=False")

    page.get_by_role("button", name="Reset").press("Enter")
    wait_for_title(page, "C at 0.300")
    field.fill("one-number: number=F place=77 error=True")
    field.press("Enter")
    wait_for_title(page, "NDCG 0.6673 at F = 0.670")
    expect(place).to_have_value("77")
    no_problem(page)


# Every label stands inside the figure, and none covers another.
LABELS = """(figure) => {
  const selectors = ".gtitle, .legend, .xtick text, .ytick text, .x2tick text, .y2tick text, "
    + ".y3tick text, .xtitle, .ytitle, .x2title, .y2title, .y3title, .annotation-text, "
    + ".bartext";
  const whole = figure.getBoundingClientRect();
  const boxes = [...figure.querySelectorAll(selectors)].map((label) => {
    const { left, right, top, bottom } = label.getBoundingClientRect();
    return { text: label.textContent, left, right, top, bottom };
  }).filter((box) => box.right > box.left);
  const bad = boxes.filter((box) => box.left < whole.left - 1 || box.right > whole.right + 1
    || box.top < whole.top - 1 || box.bottom > whole.bottom + 1).map((box) => box.text);
  boxes.forEach((one, i) => boxes.slice(i + 1).forEach((other) => {
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (across > 2 && down > 4) bad.push(`${one.text} | ${other.text}`);
  }));
  return { bad, n: boxes.length };
}"""


def check_labels(figure):
    found = figure.evaluate(LABELS)
    assert found["n"] > 20
    assert found["bad"] == []


@pytest.mark.parametrize("name", ["wide", "tied"])
def test_the_explorer_fits_a_projector(address, page, name):
    """Question, controls, figure and sentence, in JupyterLab at 1280 × 720."""
    open_notebook(page, address, f"{name}.ipynb")
    page.keyboard.press("Control+b")  # without the sidebar it has its full width
    explorer = page.locator(".ndcg-explorer")
    page.wait_for_function(
        "() => document.querySelector('.ndcg-explorer').clientWidth > 1050"
        " && document.querySelector('.ndcg-figure .main-svg').clientWidth > 1000"
    )
    page.wait_for_timeout(500)
    box = explorer.bounding_box()
    sentence = page.locator(".ndcg-sentence").bounding_box()
    panel = page.locator(".jp-WindowedPanel-outer").first.bounding_box()
    assert sentence["y"] + sentence["height"] - box["y"] <= panel["height"]
    assert box["width"] <= panel["width"]
    check_labels(page.locator(".ndcg-figure"))
    no_problem(page)


@pytest.mark.parametrize("name", ["wide", "tied"])
def test_a_tab_of_its_own(address, page, name):
    """At projector size it fits 1280 × 720, from the question to the end of the figure."""
    open_notebook(page, address, f"{name}_large.ipynb")
    view = open_tab(page)
    fill_the_window(page, view)
    panel = view.bounding_box()
    explorer = view.locator(".ndcg-explorer").bounding_box()
    figure = view.locator(".ndcg-figure")
    place = figure.bounding_box()
    assert place["y"] + place["height"] - panel["y"] <= panel["height"]
    sentence = view.locator(".ndcg-sentence").bounding_box()
    assert sentence["y"] + sentence["height"] - explorer["y"] <= 720  # without JupyterLab
    assert explorer["width"] <= panel["width"]
    assert view.evaluate(LEGEND_INSIDE) <= 1
    check_labels(figure)
    no_problem(page)
