"""What happens to NDCG when one number moves? in real JupyterLab."""

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

from helpers.metrics import ndcg

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

GRADES, SCORES = [3, 2, 3, 0, 1, 2], [0.10, 0.20, 0.30, 0.95, 0.80, 0.70]


@pytest.fixture(scope="module", name="address")
def _address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one_number")
    setup = "from helpers.course.explorers import one_number"
    write_notebook(folder / "one.ipynb", setup, "one_number()")
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
