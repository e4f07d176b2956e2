"""The page for a room, as `make present` serves it, in Chromium."""

import lab
import pytest
from lab import TROUBLES, settle, wait_for_figures
from playwright.sync_api import expect
from test_browser_axe import open_tables, plant
from test_browser_explorers import restore
from test_browser_site_pages import does_not_scroll_sideways, harm

from course.content import COURSE
from coursekit.site.room import titles_of

ROOM, TITLES = COURSE.explorers, titles_of(COURSE)

pytestmark = [
    pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED),
    pytest.mark.full,
]

TROUBLES_OF_ALL = f"(all) => all.flatMap({TROUBLES})"
TOO_WIDE = """() => [...document.querySelectorAll(
    ".ndcg-explorer, .ndcg-formula, .ndcg-pad, .ndcg-state, .ndcg-stage")]
  .filter((e) => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > innerWidth)
  .map((e) => `${e.className}: ${e.textContent.slice(0, 30)}`)"""
FITS = """() => [...document.querySelectorAll(".ndcg-figure")]
  .every((figure) => figure.querySelector(".main-svg").clientWidth === figure.clientWidth)"""
LETTERS = """() => [...document.querySelectorAll(
    "main .ndcg-question, main .ndcg-state input, main .ndcg-sentence, main .xtick text")]
  .map((e) => parseFloat(getComputedStyle(e).fontSize))"""


@pytest.fixture(scope="module", name="address")
def _address(site):
    with lab.serving(site) as address:
        yield address.removesuffix("/")


@pytest.fixture(scope="module", name="room")
def _room(desk, address):
    """Return the page, on which each explorer has been brought to life by its link."""
    with desk.opened() as page:
        page.goto(address)
        for name in ROOM:
            come_to(page, name)
        wait_for_figures(page)
        yield page
        lab.no_problem(page)


def come_to(page, name):
    """Follow the link to an explorer; return its place when it lives."""
    page.locator(f"nav a[href='#{name}']").click()
    place = page.locator(f"#{name}")
    place.locator(".ndcg-explorer").wait_for()
    return place


def choose(page, size):
    page.get_by_role("radio", name=size).check(force=True)


def test_a_link_leads_to_each_explorer(room):
    assert room.url.endswith("/room.html#constant-model")
    assert room.get_by_role("navigation").get_by_role("link").count() == len(ROOM)
    for name in ROOM:
        come_to(room, name)
        expect(room.get_by_role("heading", name=TITLES[name], exact=True)).to_be_in_viewport()


def test_nothing_harms_on_a_screen_or_on_a_projector(room):
    open_tables(room)
    assert harm(room) == []
    choose(room, "a projector")
    settle(room)
    assert harm(room) == []
    choose(room, "this screen")
    assert plant(room) == ["button-name", "color-contrast"]  # else it would pass whatever is there
    room.locator(".planted").evaluate_all("(all) => all.forEach((e) => e.remove())")


@pytest.mark.parametrize("width", [390, 820, 1280])
def test_nothing_is_cut(room, width):
    room.set_viewport_size(dict(width=width, height=800))
    room.wait_for_function(FITS)
    settle(room)
    assert room.locator(".ndcg-figure").evaluate_all(TROUBLES_OF_ALL) == []
    assert room.evaluate(TOO_WIDE) == []
    assert does_not_scroll_sideways(room)


def test_projector_size_and_back(room):
    room.set_viewport_size(lab.PROJECTOR)
    settle(room)
    before = room.evaluate(LETTERS)
    choose(room, "a projector")
    expect(room.locator(".ndcg-explorer.ndcg-large")).to_have_count(len(ROOM))
    room.wait_for_function(f"() => Math.min(...({LETTERS})()) >= 22")
    settle(room)
    assert room.evaluate(TOO_WIDE) == []
    assert does_not_scroll_sideways(room)
    choose(room, "this screen")
    room.wait_for_function(f"(before) => ({LETTERS})().join() === before.join()", arg=before)


def test_what_comes_alive_later_is_large(blank, address):
    blank.goto(address)
    choose(blank, "a projector")
    expect(blank.locator("#constant-model .ndcg-explorer")).to_have_count(0)
    come_to(blank, "constant-model")
    expect(blank.locator(".ndcg-explorer:not(.ndcg-large)")).to_have_count(0)


@pytest.mark.parametrize("name", ROOM)
def test_a_line_from_the_board(room, name):
    board = ROOM[name]()
    states = [*board.states()]
    board.set(**states[len(states) // 2])
    place = room.locator(f"#{name}")
    restore(place, board.state)
    expect(lab.state(place)).to_have_value(board.state)
    expect(lab.state(place)).to_have_attribute("aria-invalid", "false")
    if hasattr(board, "stage"):
        expect(place.locator(".ndcg-sentence")).to_have_text(board.stage.sentence)
