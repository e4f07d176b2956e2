"""What turns in a figure is turned in the figure: by mouse and by finger, in real JupyterLab."""

import math

import lab
import pytest

from coursekit.widgets.part import STATIC

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

WHEEL = "from course.explorers import two_weights\ntwo_weights()"
MIDDLE = """() => {
  const ring = document.querySelector(".ndcg-figure .subplot.xy .shapelayer path");
  const { x, y, width, height } = ring.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""
SCROLLED = "document.querySelector('.jp-WindowedPanel-outer').scrollTop"


@pytest.fixture(name="page")
def _page(request, desk):
    with desk.lent(request) as page:
        lab.show_explorer(page, WHEEL)
        yield page
        lab.no_problem(page)


def at(page, degrees, radius=90):
    """Where a direction is on the screen, so many pixels from the middle of the ring."""
    x, y = page.evaluate(MIDDLE)
    angle = math.radians(degrees)
    return x + radius * math.cos(angle), y - radius * math.sin(angle)


def shows(page, degrees):
    """Return once slider, state line and title agree on a direction."""
    page.wait_for_function(
        """(degrees) => document.querySelector(".ndcg-slider input").value == degrees
          && document.querySelector(".ndcg-state input").value.endsWith(`direction=${degrees}`)
          && document.querySelector(".ndcg-figure .gtitle").textContent.includes(`${degrees}°`)""",
        arg=degrees,
        timeout=60_000,
    )


def test_the_arrow_is_turned_by_mouse_all_the_way_round(page):
    page.mouse.move(*at(page, 0))
    cursor = "getComputedStyle(document.querySelector('.ndcg-figure .nsewdrag')).cursor"
    assert page.evaluate(cursor) == "grab"
    page.mouse.down()
    for degrees in range(0, 91, 5):
        page.mouse.move(*at(page, degrees))
    shows(page, 90)  # while it is held
    for degrees in range(90, 366, 5):
        page.mouse.move(*at(page, degrees))
    page.mouse.up()
    shows(page, 5)  # past its last value to its first
    page.mouse.click(*at(page, 200))
    shows(page, 200)


def test_the_arrow_is_taken_along_by_a_finger_and_the_page_stays(page):
    before = page.evaluate(SCROLLED)
    lab.Finger(page).stroke([at(page, degrees) for degrees in range(0, 101, 5)])
    shows(page, 100)
    assert page.evaluate(SCROLLED) == before


def test_beside_the_arrow_a_finger_scrolls(page):
    page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0")
    lab.settle(page)
    x, y = at(page, 270)
    lab.Finger(page).stroke([(x, y - 12 * i) for i in range(14)])
    page.wait_for_function(f"{SCROLLED} > 50", timeout=60_000)
    shows(page, 0)


def test_degrees_go_to_the_nearest_value_around_a_turn(blank):
    whole, tenths = (
        dict(origin=0, unit=unit, min=0, max=last) for unit, last in ((1, 359), (10, 35))
    )
    given = [[whole, [0, 0.4, -0.6, 179.5, -180, 359.6]], [tenths, [0, 44, 46, -4, -6]]]
    expression = "given.map(([one, places]) => places.map((degrees) => m.turned(one, degrees)))"
    got = lab.in_module(blank, STATIC / "touch.js", expression, given)
    assert got == [[0, 0, 359, 180, 180, 0], [0, 4, 5, 0, 35]]
