"""Which ranking wins? in real JupyterLab: its controls by keyboard."""

import itertools

import lab
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

from helpers.course.explorers.duel.model import PAIRS, Duel, step_gain
from helpers.metrics import ndcg

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

FIRST, SECOND = 0, 1  # traces
WIDEST = "explorer.set(pair='both decide', base=27, k=5)"


@pytest.fixture(scope="module", name="address")
def _address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("duel")
    setup = "from helpers.course.explorers import duel"
    write_notebook(folder / "duel.ipynb", setup, "duel()")
    show = f"explorer = duel()\n{WIDEST}\nexplorer"
    write_notebook(folder / "wide.ipynb", setup, show)
    with lab.lab(folder) as address:
        yield address


def value_of(pair, side, b, k):
    grades = PAIRS[pair][side]
    return ndcg(grades, range(len(grades), 0, -1), k=k, gain=step_gain(b))


def check_sums(page, pair, b, k):
    """The bars on the screen sum to the NDCG of each ranking."""
    for trace in (FIRST, SECOND):
        assert sum(drawn(page, trace)) == pytest.approx(value_of(pair, trace, b, k), abs=1e-6)


def test_every_control_by_keyboard(address, page):
    open_notebook(page, address, "duel.ipynb")
    wait_for_title(page, "B wins by 0.0241: NDCG@5 0.9050 against 0.8809")
    check_sums(page, "gain decides", 1, 5)
    base = page.get_by_role("slider", name="Step factor b")
    k = page.get_by_role("slider", name="Cutoff k")
    expect(base).to_have_value("10")
    expect(k).to_have_value("5")

    base.focus()
    page.keyboard.press("ArrowRight")
    expect(base).to_have_value("11")
    expect(base).to_have_attribute("aria-valuetext", "1.1")
    page.locator(".ndcg-sentence").filter(has_text="b = 1.1: ").wait_for()
    check_sums(page, "gain decides", 1.1, 5)

    page.get_by_role("radio", name="gain decides").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    wait_for_title(page, "NDCG@5")
    expect(page.get_by_role("radio", name="binary")).to_be_checked()
    expect(k).to_have_attribute("max", "7")
    k.focus()
    page.keyboard.press("Home")
    wait_for_title(page, "Neither wins: both have NDCG@1 1.0000")
    check_sums(page, "binary", 1.1, 1)

    page.get_by_role("button", name="Cut at 3").press("Enter")
    wait_for_title(page, "B wins by 0.2149: NDCG@3 0.7149 against 0.5000")
    expect(k).to_have_value("3")
    expect(k).to_have_attribute("max", "6")
    page.keyboard.press("Control+s")
    page.wait_for_timeout(1_000)
    page.reload()
    wait_for_figures(page)
    wait_for_title(page, "B wins by 0.2149: NDCG@3 0.7149 against 0.5000")
    expect(base).to_have_value("10")
    expect(k).to_have_value("3")
    expect(page.get_by_role("radio", name="k decides")).to_be_checked()
    field = page.get_by_role("textbox", name="State")
    expect(field).to_have_value('duel: pair="k decides" base=10 k=3')

    page.get_by_role("button", name="Reset").press("Enter")
    wait_for_title(page, "B wins by 0.0241")
    field.fill('duel: pair="one is better" base=30 k=2')
    field.press("Enter")
    wait_for_title(page, "NDCG@2")
    expect(base).to_have_value("30")
    check_sums(page, "one is better", 3, 2)
    no_problem(page)


MAP_LETTERS = """() => [...document.querySelectorAll(".ndcg-figure .x2y2 .textpoint text")]
  .map((text) => text.textContent)"""


def test_every_run_of_the_map_has_its_letter(address, page):
    open_notebook(page, address, "wide.ipynb")
    letters = page.evaluate(MAP_LETTERS)
    rows = Duel(PAIRS).wins("both decide").letters
    runs = [letter for row in rows for letter, _ in itertools.groupby(row)]
    assert len(letters) == len(runs) > 6
    assert letters == runs
    no_problem(page)
