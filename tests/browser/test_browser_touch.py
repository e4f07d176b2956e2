"""The figure itself is touched: by mouse and by finger, in real JupyterLab."""

import lab
import pytest

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

FLOOR = "from course.explorers import where_is_the_floor\nwhere_is_the_floor()"


@pytest.fixture(name="page", scope="module")
def _page(request, desk):
    with desk.lent(request) as page:
        lab.show_explorer(page, FLOOR)
        yield page
        lab.no_problem(page)


@pytest.fixture(autouse=True)
def _from_the_start(page):
    page.get_by_role("button", name="Reset").press("Enter")
    shows(page, 84)


def at(page, yours, up=0.5):
    """Where an NDCG, in hundredths, stands on the screen, so far up in the panel."""
    panel = page.locator(".ndcg-figure .nsewdrag").bounding_box()
    left, right = page.evaluate("document.querySelector('.ndcg-figure').layout.xaxis.range")
    across = (yours / 100 - left) / (right - left)
    return panel["x"] + across * panel["width"], panel["y"] + (1 - up) * panel["height"]


def shows(page, yours):
    """Return once slider, state line and the drawing agree on a value."""
    page.wait_for_function(
        """(yours) => [...document.querySelectorAll(".ndcg-slider input")].at(-1).value == yours
          && document.querySelector(".ndcg-state input").value.endsWith(`yours=${yours}`)
          && [...document.querySelectorAll(".annotation-text")].some((note) =>
            note.textContent.includes(`yours ${(yours / 100).toFixed(2)}`))""",
        arg=yours,
        timeout=60_000,
    )


def test_a_thumb_stands_on_the_axis_where_the_line_does(page):
    thumb = page.locator(".ndcg-figure .shapelayer path").last.bounding_box()
    x, y = at(page, 84, up=0)
    assert thumb["x"] + thumb["width"] / 2 == pytest.approx(x, abs=1)
    assert thumb["y"] + thumb["height"] / 2 == pytest.approx(y, abs=1)
    assert min(thumb["width"], thumb["height"]) >= 16


def test_the_line_is_dragged_by_mouse(page):
    page.mouse.move(*at(page, 84))
    cursor = "getComputedStyle(document.querySelector('.ndcg-figure .nsewdrag')).cursor"
    assert page.evaluate(cursor) == "ew-resize"
    page.mouse.down()
    for yours in range(85, 97):
        page.mouse.move(*at(page, yours))
    shows(page, 96)  # while it is held
    page.mouse.move(*at(page, 20))
    page.mouse.up()
    shows(page, 65)  # the floor ends the slider, and the drag
    page.mouse.move(*at(page, 90))
    page.wait_for_timeout(200)
    shows(page, 65)  # it is not held any more
    x_range = page.evaluate("document.querySelector('.ndcg-figure')._fullLayout.xaxis.range")
    assert x_range == page.evaluate("document.querySelector('.ndcg-figure').layout.xaxis.range")


@pytest.mark.parametrize("place", [92.7, 93.3])
def test_a_bar_is_chosen_by_a_click(page, place):
    page.mouse.click(*at(page, place, up=0.1))
    shows(page, 93)  # the nearest hundredth


def test_the_line_is_dragged_by_a_finger(page):
    finger = lab.Finger(page)
    finger.stroke([at(page, yours) for yours in range(84, 74, -1)])
    shows(page, 75)
    finger.stroke([at(page, 98)])  # a tap
    shows(page, 98)


def test_a_finger_that_goes_down_the_page_scrolls_it(page):
    panel = page.locator(".jp-WindowedPanel-outer").first
    panel.evaluate("(panel) => { panel.scrollTop = 0; }")
    lab.settle(page)
    x, y = at(page, 70)
    lab.Finger(page).stroke([(x, y - 12 * i) for i in range(14)])
    page.wait_for_function(
        "document.querySelector('.jp-WindowedPanel-outer').scrollTop > 50", timeout=60_000
    )
    page.wait_for_timeout(200)
    shows(page, 84)
