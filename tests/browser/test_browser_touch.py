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


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_slider_lies_on_the_thumb_so_that_keys_move_it_there(page):
    """Its name and its value stay with the other controls, with a step down and one up."""
    handle = page.get_by_role("slider", name="Your NDCG", exact=True)
    for key, yours in (("ArrowLeft", 83), ("End", 100), ("Home", 65)):
        handle.press(key)
        shows(page, yours)
        page.wait_for_timeout(100)  # for the answer to the last key
        assert middle(handle) == pytest.approx(at(page, yours, up=0), abs=1)
    assert handle.evaluate("(one) => getComputedStyle(one).outlineStyle") == "solid"
    controls = page.locator(".ndcg-controls").bounding_box()
    words = page.locator(".ndcg-seated label")
    assert words.inner_text().split() == ["Your", "NDCG", "−", "0.65", "+"]
    assert words.bounding_box()["y"] >= controls["y"]
    down, up = words.locator("button").all()
    assert down.is_disabled()  # at the floor
    up.click()
    shows(page, 66)
    down.click()
    shows(page, 65)


def test_a_figure_that_moves_takes_the_slider_along(page):
    handle = page.get_by_role("slider", name="Your NDCG", exact=True)
    before = middle(handle)
    page.set_viewport_size({"width": 900, "height": 720})
    page.wait_for_timeout(500)
    assert middle(handle) == pytest.approx(at(page, 84, up=0), abs=1)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_function(
        """(x) => {
          const handle = document.querySelector(".ndcg-seated input");
          const { left, right } = handle.getBoundingClientRect();
          return Math.abs((left + right) / 2 - x) < 1;
        }""",
        arg=before[0],
    )


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
