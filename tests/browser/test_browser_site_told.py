"""An explorer told by a scroll: each step shows its state, and nothing needs the scroll."""

import lab
import pytest
from playwright.sync_api import expect
from test_browser_site_pages import LAPTOP, PHONE, visit

from course.content import COURSE
from coursekit.site.told import steps_of

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

[((PAGE, CELL), PATH)] = COURSE.told.items()
STEPS = steps_of(PATH)


def _told(page, address, size):
    visit(page, f"{address}{PAGE}.html", size)
    explorer = page.locator(f"#{CELL}")
    explorer.scroll_into_view_if_needed()
    expect(explorer.locator(".main-svg").first).to_be_visible()
    return explorer


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_each_step_shows_its_state_down_and_up_again(blank, address, size):
    explorer = _told(blank, address, size)
    field, items = explorer.get_by_label("State", exact=True), explorer.locator(".ndcg-steps > li")
    figure = explorer.locator(".ndcg-figure")
    numbered = [*enumerate(STEPS[:-1])]
    for i, step in [*numbered, (len(STEPS) - 1, STEPS[-1]), *reversed(numbered)]:
        items.nth(i).evaluate("(one) => scrollBy(0, one.getBoundingClientRect().top - 500)")
        expect(items.nth(i)).to_have_attribute("aria-current", "step")
        expect(field).to_have_value(step.line)
        expect(figure).to_be_in_viewport(ratio=0.9)
        if size is PHONE:  # the other half is the text's
            assert figure.bounding_box()["height"] <= PHONE["height"] / 2
    assert blank.problems == []


def test_keys_that_scroll_tell_it(blank, address):
    explorer = _told(blank, address, LAPTOP)
    current = explorer.locator(".ndcg-steps > [aria-current]")
    explorer.locator(".ndcg-steps > li").first.click()
    for _ in range(40):
        if current.get_attribute("data-line") == STEPS[2].line:
            break
        blank.keyboard.press("ArrowDown")
        blank.wait_for_timeout(60)
    expect(explorer.get_by_label("State", exact=True)).to_have_value(STEPS[2].line)


def test_below_the_last_step_the_controls_are_the_readers(blank, address):
    explorer = _told(blank, address, LAPTOP)
    field = explorer.get_by_label("State", exact=True)
    field.scroll_into_view_if_needed()
    expect(explorer.locator(".ndcg-steps > li").last).to_have_attribute("aria-current", "step")
    trouble = explorer.locator(".ndcg-trouble").filter(visible=True)
    for name, line in (
        ("Break the ties once", "convention=random draws=1"),
        ("× 100", "convention=random draws=100"),
        ("1,000 draws", "convention=average draws=1000"),
    ):
        explorer.get_by_role("button", name=name).click()
        expect(field).to_have_value(f"tie-shuffler: {line}")
        expect(trouble).to_have_count(0)
    blank.mouse.wheel(0, 400)
    blank.wait_for_timeout(300)
    expect(field).to_have_value("tie-shuffler: convention=average draws=1000")


def test_the_picture_covers_nothing_that_one_can_press(blank, address):
    """It stays in sight beside the controls, and leaves with them."""
    for size, block in ((dict(width=1280, height=720), "center"), (PHONE, "end")):
        explorer = _told(blank, address, size)
        explorer.locator(".ndcg-steps > li").last.evaluate(
            "(one) => scrollBy(0, one.getBoundingClientRect().top - 300)"
        )
        figure = explorer.locator(".ndcg-figure")
        for place in ("button", "input", "summary"):
            for part in explorer.locator(place).filter(visible=True).all():
                part.evaluate("(one, block) => one.scrollIntoView({ block })", block)
                blank.wait_for_timeout(50)
                assert not _covers(figure, part), (size, part.inner_text())


def _covers(figure, part):
    """Say whether a figure is what one would press in the middle of another part."""
    middle = """(part) => {
      const { x, y, width, height } = part.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    }"""
    at = "(figure, [x, y]) => figure.contains(document.elementFromPoint(x, y))"
    return figure.evaluate(at, part.evaluate(middle))


def test_alone_on_the_screen_it_is_an_explorer_as_others_are(blank, address):
    explorer = _told(blank, address, LAPTOP)
    figure, controls = explorer.locator(".ndcg-figure"), explorer.locator(".ndcg-controls")
    first = explorer.locator(".ndcg-steps > li").first.locator("p").first
    explorer.get_by_role("button", name="Large").click()
    expect(first).to_be_hidden()
    expect(controls).to_be_in_viewport(ratio=1)
    lab.settle(blank)
    above, below = figure.bounding_box(), controls.bounding_box()
    assert above["width"] > 0.9 * LAPTOP["width"]
    assert above["y"] + above["height"] <= below["y"]
    explorer.get_by_role("button", name="Break the ties once").click()
    expect(figure.locator(".gtitle")).to_contain_text("random order")
    explorer.get_by_role("button", name="Close").click()
    expect(first).to_be_visible()
    assert blank.problems == []


def test_a_link_keeps_its_state_where_the_picture_comes_late(blank, address):
    """A slow phone scrolls to the explorer long before it has a figure."""
    line, waiting = "tie-shuffler: convention=average draws=1000", []
    blank.set_viewport_size(LAPTOP)
    blank.route("**/*plotly*", lambda route: waiting.append(route))
    blank.goto(f"{address}ties.html#shuffle={line}")
    explorer = blank.locator("#shuffle")
    expect(explorer.locator(".ndcg-question")).to_be_in_viewport()
    blank.wait_for_timeout(1000)  # all scrolling is over
    assert waiting, "the figure has come too early for this test"
    for route in waiting:
        route.continue_()
    expect(explorer.locator(".main-svg").first).to_be_visible()
    blank.wait_for_timeout(300)
    expect(explorer.get_by_label("State", exact=True)).to_have_value(line)


def test_print_and_pages_without_scripts_have_the_picture_and_all_steps(blank, address):
    explorer = _told(blank, address, LAPTOP)
    blank.emulate_media(media="print")
    expect(explorer.locator(".ndcg-still img")).to_be_visible()
    expect(explorer.locator(".ndcg-figure")).to_be_hidden()
    _all_are_visible(explorer)
    blank.emulate_media(media="screen")
    blank.route("**/*.js", lambda route: route.abort())
    blank.reload()
    expect(explorer.locator(".ndcg-fallback img")).to_be_visible()
    _all_are_visible(explorer)


def _all_are_visible(explorer):
    steps = explorer.locator(".ndcg-steps > li")
    expect(steps).to_have_count(len(STEPS))
    for i in range(len(STEPS)):
        expect(steps.nth(i)).to_be_visible()
