"""The site and the explorers in JupyterLab, in Firefox: ``make test-firefox``.

Beside each explorer stands a twin, the same one without a browser: after every move the page
shows what the twin says. Not part of `make test`, hence not named ``test_``.
"""

import contextlib
import functools
import json

import firefox
import lab
import pytest
from test_browser_explorers import SEEN, SETUP, said_by
from test_browser_site_pages import LAPTOP, PAGES, PHONE, UNFOLD
from voting import vote, whole_round

from course.content import COURSE
from course.exercises import CATALOG
from course.exercises.boxes import Boxes
from course.explorers import EXPLORERS
from course.explorers.listed import Listed
from coursekit.authoring.book import Book
from coursekit.authoring.write import read
from coursekit.site.build import NOTEBOOKS
from coursekit.site.run import shown

pytest_plugins = ["shared_fixtures"]
pytestmark = pytest.mark.skipif(firefox.BROWSER is None, reason=firefox.WHY_SKIPPED)

TEN = {  # keys for each type of control
    "range": ["Home", *3 * ["ArrowRight"], "End", *3 * ["ArrowLeft"], "ArrowRight", "Home"],
    "radio": 10 * ["ArrowRight"],
    "select-one": ["Home", *8 * ["ArrowDown"], "ArrowUp"],
    "number": [*5 * ["ArrowUp"], *5 * ["ArrowDown"]],
    "button": ["Home", *4 * ["Alt+ArrowDown"], "End", *4 * ["Alt+ArrowUp"]],  # of a list
}
CONTROLS = """input[type=range], label:not(:only-of-type) > input[type=radio]:checked,
  select:has(option + option), input[type=number], .ndcg-handle"""
BUTTONS = ".jupyter-button, .ndcg-button"
FOCUS = """(place, what, i) => {
  const one = document.querySelector(place).querySelectorAll(what)[i];
  one.focus();
  return one.type;
}"""
OPEN_FOOT = """(place) => document.querySelectorAll(`${place} .ndcg-foot details`)
  .forEach((folded) => { folded.open = true; })"""
# What is not as it should be on a page on which all has been in sight.
TROUBLES = """() => {
  const all = (what) => [...document.querySelectorAll(what)];
  const width = (f) => f.querySelector(".main-svg")?.clientWidth ?? "not drawn";
  return [
    ...all(".ndcg-live:has(.ndcg-fallback)").map((e) => `${e.id} has not come to life`),
    ...all(".ndcg-trouble, .ndcg-lost").filter((e) => !e.hidden).map((e) => e.textContent),
    ...all(".ndcg-figure").filter((f) => width(f) !== f.clientWidth)
      .map((f) => `a figure of ${f.clientWidth} px: ${width(f)}`),
    ...(document.documentElement.scrollWidth > innerWidth ? ["it scrolls sideways"] : []),
  ].filter(Boolean);
}"""


@pytest.fixture(scope="module", name="page")
def _page():
    with firefox.page(LAPTOP) as page:
        yield page


@functools.cache
def twins(name):
    """Return what the cells of the notebook of a page show."""
    of_front = {"index": "start_here"}
    path = NOTEBOOKS / Book(NOTEBOOKS, COURSE, read).by_name[of_front.get(name, name)].file
    return shown(path, COURSE.exercises)


def is_well(page):
    assert page.wait(TROUBLES, until=lambda found: not found) == []
    assert (page.problems, page.outside) == ([], [])


def focus(page, place, what, i):
    """Focus one of the parts of a place; return its type."""
    return page.evaluate(FOCUS, place, what, i)


def count(page, place, what):
    many = "(place, what) => document.querySelector(place).querySelectorAll(what).length"
    return page.evaluate(many, place, what)


def line_of(page, place):
    line = "(place) => document.querySelector(`${place} .ndcg-state input`).value"
    return page.evaluate(line, place)


def agree(page, place, twin):
    """The page shows what its twin says."""
    expected = said_by(twin)
    script = f"(place) => ({SEEN})(document.querySelector(place))"
    seen = page.wait(script, place, until=lambda text: json.loads(text) == expected)
    assert json.loads(seen) == expected


# --- the site -------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_a_page(page, address, name):
    page.resize(LAPTOP)
    page.goto(f"{address}{name}.html")
    page.evaluate(f"() => {{ {UNFOLD} }}")
    live = page.evaluate(
        "() => [...document.querySelectorAll('.ndcg-live')].map((e) => [e.dataset.kind, e.id])"
    )
    for _, cell in live:
        page.evaluate("(id) => document.getElementById(id).scrollIntoView()", cell)
        page.wait("(id) => !document.querySelector(`#${id} .ndcg-fallback`)", cell)
    is_well(page)
    before = replies(page)
    for kind, cell in live:
        if kind == "bet":
            place_bet(page, cell)
        elif kind in ("explorer", "part"):
            use(page, f"#{cell}", twins(name)[cell], follow)
        elif kind == "exercise" and isinstance(CATALOG.all[cell], Boxes):
            fill_in(page, cell, CATALOG.all[cell].boxes)
    assert not set(before) & set(replies(page))
    is_well(page)
    page.resize(PHONE)
    is_well(page)


def replies(page):
    """Return what the bets of a page, and what reveals them, say of the answers."""
    said = "[...document.querySelectorAll('[data-kind=bet], [data-kind=reveal]')]"
    return page.evaluate(f"() => {said}.map((e) => e.textContent)")


def place_bet(page, cell):
    focus(page, f"#{cell}", "input", 1)
    page.press(" ")
    assert page.wait("(id) => document.querySelector(`#${id} input:checked`) !== null", cell)


def use(page, place, twin, follow):
    """Press every button, and ten keys on every control; ``follow`` compares page and twin."""
    page.evaluate(OPEN_FOOT, place)
    for i in range(count(page, place, BUTTONS)):
        focus(page, place, BUTTONS, i)
        page.press("Enter")
        follow(page, place, twin)
    for i in range(count(page, place, CONTROLS)):
        before = {line_of(page, place)}
        for key in TEN[focus(page, place, CONTROLS, i)]:
            page.press(key)
            before.add(follow(page, place, twin))
        assert len(before) > 1, f"control {i} of {place} moves nothing"


def follow(page, place, twin):
    """Bring the twin where the page is, and compare; return the state line."""
    line = line_of(page, place)
    if tells_where(twin, line):
        return line
    twin.restore(line)
    assert twin.state == line
    agree(page, place, twin)
    return line


def tells_where(twin, line):
    """Say whether nothing moved in a list to drag: its page then says where the row is."""
    return isinstance(twin, Listed) and line == twin.state


def fill_in(page, cell, boxes):
    """Answer in numbers: wrong ones, then the right ones."""
    if count(page, f"#{cell}", ".ndcg-number") != len(boxes):
        return  # a line with several blanks; Chromium has them all
    said = "(id) => document.querySelector(`#${id} .ndcg-said strong`)?.textContent"
    for wanted in ("Not yet.", "Correct."):
        for i, box in enumerate(boxes):
            focus(page, f"#{cell}", ".ndcg-number", i)
            page.evaluate("() => document.activeElement.select()")
            page.press(*(f"{box.right:.6f}" if wanted == "Correct." else "77.7777"))
        page.press("Enter")
        assert page.wait(said, cell, until=lambda seen, wanted=wanted: seen == wanted) == wanted


def test_a_link_opens_a_state(page, address):
    line = "slide-k: example=zigzag k=5 pool=list"
    page.goto(f"{address}cutoff.html#slide={line.replace(' ', '%20')}")
    assert page.wait("() => document.querySelector('#slide .main-svg') !== null")
    assert follow(page, "#slide", twins("cutoff")["slide"]) == line


# --- JupyterLab -----------------------------------------------------------------------


def test_the_explorers_in_jupyterlab(page, tmp_path):
    """Each of the registry, in one notebook: its first control moves, and all follows."""
    cells = [SETUP, *(f"EXPLORERS[{name!r}]()" for name in EXPLORERS)]
    lab.write_notebook(tmp_path / "all.ipynb", *cells)
    with lab.lab(tmp_path) as address:
        page.resize(LAPTOP)
        page.goto(f"{address}/lab/tree/all.ipynb?reset")
        assert page.wait("() => document.body.innerText.includes('| Idle')", seconds=60)
        page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
        assert page.wait(lab.ALL_RUN, seconds=120)
        page.problems.clear()  # of JupyterLab's own start
        for number, name in enumerate(EXPLORERS, start=2):
            move_one(page, f".jp-Cell:nth-child({number})", EXPLORERS[name]())
        assert page.evaluate(TROUBLES) == []
        red = "() => document.querySelectorAll('[data-mime-type*=\"jupyter.std\"]').length"
        assert page.evaluate(red) == 0
        assert [one for one in page.problems if lab.TOO_SLOW not in one] == []
        assert page.outside == []


def move_one(page, place, twin):
    what = f"{place} .ndcg-stage .main-svg" if hasattr(twin, "stage") else f"{place} .ndcg-handle"
    assert page.wait("(what) => document.querySelector(what) !== null", what, seconds=60)
    start = line_of(page, place)
    assert start == twin.state
    kind = focus(page, place, CONTROLS, 0)
    at_end = page.evaluate("() => document.activeElement.value === document.activeElement.max")
    keys = {"range": "Home" if at_end else "End", "radio": "ArrowRight", "select-one": "ArrowDown"}
    keys["button"] = "End"  # of a list
    page.press(keys[kind])
    page.wait(
        "(place, start) => document.querySelector(`${place} .ndcg-state input`).value !== start",
        *(place, start),
    )
    assert follow(page, place, twin) != start


# --- the vote -------------------------------------------------------------------------


def test_a_whole_round_of_votes(tmp_path):
    with contextlib.ExitStack() as stack:
        pages = [stack.enter_context(firefox.page(LAPTOP)) for _ in range(4)]
        started = stack.enter_context(vote(tmp_path / "votes.sqlite"))
        whole_round(started, pages[0], pages[1:], firefox.Page.press)
