"""The tie shuffler in real JupyterLab: buttons, number field and choice by keyboard."""

import re

import lab
import pytest
from lab import drawn, no_problem, wait_for_title
from playwright.sync_api import expect

from course.explorers.tie_shuffler import TieShuffler

pytestmark = [
    pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED),
    pytest.mark.full("tie-shuffler"),
]

SETUP = "from course.explorers import tie_shuffler"
CONSTANT = "tie_shuffler([1, 1, 1] + [0] * 17, [0] * 20, k=5)"
MODEL = TieShuffler([1, 1, 1] + [0] * 17, [0] * 20, k=5)
DRAWN = MODEL._all_draws(MODEL.scores, None)
FIRST_TITLE = "All 20 scores are equal: the file order gives 1.000"
SHOWN = 1  # a trace
RANKS = "() => document.querySelector('.ndcg-figure').data[0].x"
BARS = """() => document.querySelector(".ndcg-figure").layout.shapes
  .find((shape) => shape.name === "random orders").path"""


def shows(page, n):
    """Wait for so many draws; the histogram holds them all, the mark is at the last."""
    wait_for_title(page, f"{n:,} random orders average {DRAWN[:n].mean():.3f}")
    counts = re.findall(r"H(\d+)V", page.evaluate(BARS))
    assert sum(map(int, counts)) == n
    assert drawn(page, SHOWN) == pytest.approx([DRAWN[n - 1]], abs=1e-6)


def test_break_the_ties_by_keyboard(page):
    lab.run_cells(page, SETUP, CONSTANT)
    wait_for_title(page, FIRST_TITLE)
    number = page.get_by_role("spinbutton", name="Random draws")
    random = page.get_by_role("radio", name="one random order")

    page.get_by_role("button", name="Break the ties once").press("Enter")
    wait_for_title(page, f"1 random order gives {DRAWN[0]:.3f}")
    expect(number).to_have_value("1")
    expect(random).to_be_checked()
    page.get_by_role("button", name="× 100").press("Enter")
    shows(page, 101)

    number.focus()
    page.keyboard.press("ArrowUp")  # the field's, not the notebook's next cell
    shows(page, 102)
    number.fill("9999")
    page.keyboard.press("Enter")
    shows(page, 2000)
    expect(number).to_have_value("2000")

    random.focus()
    page.keyboard.press("ArrowRight")  # round to the first
    page.get_by_text("The list shows the average of all orders").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("The list shows the file order").wait_for()
    names = page.evaluate("() => document.querySelector('.ndcg-figure').data[0].ids")
    assert names == [f"D{rank}" for rank in page.evaluate(RANKS)]
    page.get_by_role("button", name="Reset").press("Enter")
    wait_for_title(page, FIRST_TITLE)
    expect(number).to_have_value("0")

    # A random order needs one draw at least.
    page.get_by_role("radio", name="average of all orders").focus()
    page.keyboard.press("ArrowLeft")  # round to the last
    wait_for_title(page, "1 random order gives")
    expect(number).to_have_value("1")
    expect(number).to_have_attribute("min", "1")
    number.fill("0")
    page.keyboard.press("Enter")
    expect(number).to_have_value("1")
    no_problem(page)


# Where the cards stand once the next figure is there, as seen and as they will stay.
NEXT = """() => {
  const figure = document.querySelector(".ndcg-figure");
  const cards = () => [...figure.querySelectorAll(".barlayer .trace:first-child .point")];
  const lefts = () => cards().map((card) => Math.round(card.getBoundingClientRect().x));
  const before = cards();
  window.seen = new Promise((resolve) => figure.once("plotly_afterplot", () => setTimeout(() => {
    const running = figure.getAnimations({ subtree: true });
    running.forEach((one) => { one.pause(); one.currentTime = 0; });
    const start = lefts();
    running.forEach((one) => one.finish());
    resolve({ gliding: running.length, kept: cards().every((card, i) => card === before[i]),
      start, end: lefts() });
  })));
  return lefts();
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_cards_glide_from_where_they_were(page, motion):
    page.emulate_media(reduced_motion=motion)
    lab.run_cells(page, SETUP, CONSTANT)
    wait_for_title(page, FIRST_TITLE)
    lab.settle(page)
    before = page.evaluate(NEXT)
    page.get_by_role("button", name="Break the ties once").press("Enter")
    seen = page.evaluate("window.seen")
    page.emulate_media(reduced_motion="no-preference")
    assert seen["kept"]  # each card is the same one, elsewhere
    ranks = page.evaluate(RANKS)
    assert sorted(range(20), key=lambda i: seen["end"][i]) == sorted(
        range(20), key=lambda i: ranks[i]
    )
    moved = sum(a != b for a, b in zip(before, seen["end"], strict=True))
    assert moved > 10
    if motion == "reduce":
        assert (seen["gliding"], seen["start"]) == (0, seen["end"])
    else:
        assert seen["gliding"] >= moved
        assert seen["start"] == pytest.approx(before, abs=1)
    no_problem(page)
