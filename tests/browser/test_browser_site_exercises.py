"""Exercises on a page of the site, by keyboard, on a phone and through axe."""

import lab
import pytest
from playwright.sync_api import expect
from site_page import open_site_page
from test_browser_axe import harm

from course.exercises import CATALOG
from course.site.exercises import data_of_exercise

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

MOUNT = """async (all) => {
  const { mount } = await import("/exercise.js");
  for (const [name, data] of Object.entries(all)) {
    const el = Object.assign(document.createElement("div"), { id: name });
    document.querySelector("main").append(el);
    mount(el, data, { solved() {} });
  }
}"""


def mounted(page, *names):
    """Return the exercises, mounted in an empty page."""
    open_site_page(page)
    page.evaluate(MOUNT, {name: data_of_exercise(CATALOG.all[name]) for name in names})
    return [page.locator(f"#{name}") for name in names]


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def says(exercise, heading, *parts):
    """The status of an exercise says so."""
    status = exercise.get_by_role("status").first
    expect(status.locator("strong").first).to_have_text(f"{heading}.")
    for part in parts:
        expect(status).to_contain_text(part)


def test_numbers_by_keyboard(blank):
    [exercise] = mounted(blank, "ndcg-of-203")
    press(blank, "Tab")
    expect(exercise.get_by_label("share")).to_be_focused()
    press(blank, "Enter")
    says(exercise, "Not attempted yet", "Fill in the blank")
    blank.keyboard.type("0,5")
    press(blank, "Enter")
    says(exercise, "Not that kind of answer", "0.5, not 0,5")
    press(blank, "Control+a")
    blank.keyboard.type("1 / log2(3)")
    press(blank, "Enter")
    says(exercise, "Not attempted yet", "Right so far. Still blank: my_ndcg.")
    press(blank, "Tab")
    blank.keyboard.type("1.5")
    press(blank, "Tab")
    expect(exercise.get_by_role("button", name="Check")).to_be_focused()
    press(blank, "Enter")
    says(exercise, "Not yet", "my_ndcg is not 2.33333", "Attempt 2: Hint gives a nudge.")
    hints = exercise.get_by_role("status").nth(1).locator("> div")
    n_hints = len(CATALOG.all["ndcg-of-203"].hints)
    press(blank, "Tab")
    for shown in [*range(1, n_hints + 1), n_hints]:  # one more at each press, up to the last
        press(blank, "Enter")
        expect(hints).to_have_count(shown)
        expect(hints.last).to_contain_text(f"Hint {shown} of {n_hints}.")
    press(blank, "Shift+Tab", "Shift+Tab", "Control+a")
    blank.keyboard.type("my_dcg")
    press(blank, "Enter")
    says(exercise, "Not that kind of answer", "my_dcg cannot be read", "Solution shows one way")
    press(blank, "Control+a")
    blank.keyboard.type("my_idcg")
    press(blank, "Enter")
    says(exercise, "Correct", CATALOG.all["ndcg-of-203"].notice.split(".")[0].replace("`", ""))
    lab.no_problem(blank)


def test_matching_by_keyboard(blank):
    [exercise] = mounted(blank, "name-the-slip")
    for letter in "ADCGHFEB":
        press(blank, "Tab")
        blank.keyboard.type(letter)
    press(blank, "Tab", "Enter")
    says(exercise, "Not yet", "6 of 8 are right. 9 does not come from A (divided by the rank)")
    exercise.get_by_label("9", exact=True).focus()
    blank.keyboard.type("D")
    press(blank, "Tab")
    blank.keyboard.type("A")
    exercise.get_by_role("button", name="Check").focus()
    press(blank, "Enter")
    says(exercise, "Correct", "Each slip leaves its own number.")
    lab.no_problem(blank)


def test_a_claim_by_keyboard(blank):
    [exercise] = mounted(blank, "crossing-claim")
    for grade in "32202230":
        press(blank, "Tab")
        blank.keyboard.type(grade)
    press(blank, "Tab", "Enter")
    says(exercise, "Not yet", "At 3 the second list must be ahead")
    press(blank, "Tab", "Tab", "Enter")
    solution = exercise.get_by_role("button", name="Solution")
    expect(solution).to_be_focused()
    expect(solution).to_have_attribute("aria-expanded", "true")
    expect(exercise.get_by_text("better_at_1 = [3, 0, 2, 2]")).to_be_visible()
    for name, grades in (("better_at_1", "3022"), ("better_at_3", "2230")):
        group = exercise.get_by_role("group", name=name)
        for select, grade in zip(group.get_by_role("combobox").all(), grades, strict=True):
            select.focus()
            blank.keyboard.type(grade)
    exercise.get_by_role("button", name="Check").focus()
    press(blank, "Enter")
    says(exercise, "Correct", "So better means nothing without its k.")
    lab.no_problem(blank)


def test_lines_in_order_and_an_open_question(blank):
    lines, question = mounted(blank, "order-the-lines", "which-metric")
    lines.get_by_label("lines").fill("DCEB")
    expect(lines.locator("pre").first).to_contain_text("best = sorted(top, reverse=True)")
    lines.get_by_label("lines").press("Enter")
    says(lines, "Not yet", "Line C does not belong here")
    question.get_by_label("my_choice").fill("recall " * 12)
    question.get_by_role("button", name="Check").press("Enter")
    says(question, "Compare with the rubric", "found nothing on", "Solution shows model answers")
    question.locator("summary").press("Enter")
    expect(question.get_by_text("Missing a document is the worst mistake")).to_be_visible()
    lab.no_problem(blank)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_kind_is_readable(blank, scheme, width):
    blank.set_viewport_size({"width": width, "height": 800})
    blank.emulate_media(color_scheme=scheme)
    names = (
        "whole-way",
        "faded-dcg",
        "name-the-slip",
        "discount-claim",
        "order-by-hand",
        "missed-pool",
    )
    exercises = mounted(blank, *names, "order-the-lines", "which-metric")
    if scheme == "dark":
        blank.evaluate("document.documentElement.style.background = '#131416'")
    for exercise in exercises:
        for name in ("Check", "Hint", "Solution"):
            exercise.get_by_role("button", name=name).click()
    blank.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert harm(blank, "main > div") == []
    assert blank.evaluate("document.documentElement.scrollWidth") <= width
    small = """() => [...document.querySelectorAll("input, select, button, textarea")]
      .map((e) => e.getBoundingClientRect()).filter((box) => box.height < 36 || box.width < 36)"""
    assert blank.evaluate(small) == []
    lab.no_problem(blank)
