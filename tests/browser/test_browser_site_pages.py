"""The pages of the site in Chromium, as a static host serves them, below some path."""

import json
import re

import lab
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect
from test_browser_axe import FIGURES, LEVELS, LINKS, RUN_AXE
from tiers import few

from course.content import COURSE
from coursekit.authoring.book import Book
from coursekit.authoring.write import read
from coursekit.site.build import NOTEBOOKS

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

FURTHER = ["index", "search", "glossary", "practice", "about", "404"]
CHAPTERS = [*Book(NOTEBOOKS, COURSE, read).by_name]
PAGES = [*FURTHER, *CHAPTERS]
PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1920, "height": 1080}
LAPTOP = {"width": 1366, "height": 768}
PROJECTOR = {"width": 1024, "height": 768}
UNFOLD = "document.querySelectorAll('article details').forEach((d) => { d.open = true; })"


def visit(page, address, size=LAPTOP):
    page.set_viewport_size(size)
    page.goto(address, wait_until="networkidle")
    page.evaluate(UNFOLD)


def harm(page, rules=LEVELS):
    """Return what axe finds in the whole page above minor, in words."""
    page.evaluate(AXE_SCRIPT)
    return [
        f"{violation['id']} ({violation['impact']}): {node['html']}"
        for violation in page.evaluate(RUN_AXE, ["html", FIGURES, rules])
        for node in violation["nodes"]
        if violation["impact"] != "minor"
    ]


def does_not_scroll_sideways(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("name", few(PAGES, "index", "ties"))
def test_a_page_works_on_every_screen_in_light_and_dark(blank, address, name):
    visit(blank, f"{address}{name}.html")
    assert does_not_scroll_sideways(blank)
    assert harm(blank) == []
    blank.emulate_media(color_scheme="dark")
    assert (
        blank.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    )
    assert harm(blank, LINKS) == []
    for size in (PROJECTOR, PHONE):
        blank.set_viewport_size(size)
        blank.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    assert blank.problems == []
    assert blank.outside == []


@pytest.mark.parametrize("name", few(CHAPTERS, "ties", "trees"))
def test_a_chapter_begins_on_the_first_screen_of_a_laptop(blank, address, name):
    """What it needs, what it is good for and its warm-ups stand above, in little room."""
    blank.set_viewport_size(LAPTOP)
    blank.goto(f"{address}{name}.html", wait_until="networkidle")
    first = blank.locator("article h2").first.bounding_box()
    assert first["y"] + first["height"] <= LAPTOP["height"]
    board = blank.locator("details.ndcg-warm-ups [data-kind=warm_up]").first
    if board.count():
        expect(board).to_be_hidden()
        blank.locator("details.ndcg-warm-ups > summary").click()
        expect(blank.locator("details.ndcg-warm-ups > details")).to_have_count(2)


def test_harm_is_found(blank, address):
    """Else the test above would pass whatever is there."""
    visit(blank, f"{address}index.html")
    blank.evaluate(
        """() => document.querySelector("article").insertAdjacentHTML("afterbegin",
          '<button class="planted"></button><p class="planted" style="color: #bbb">pale</p>')"""
    )
    found = sorted(line.split()[0] for line in harm(blank) if "planted" in line)
    assert found == ["button-name", "color-contrast"]


@pytest.mark.parametrize("name", few(["index", *CHAPTERS], "ties"))
def test_without_javascript_pictures_and_sentences_stay(blank, address, name):
    session = blank.context.new_cdp_session(blank)
    session.send("Emulation.setScriptExecutionDisabled", {"value": True})
    blank.goto(f"{address}{name}.html")
    expect(blank.locator("article h1")).to_be_visible()
    for picture in blank.locator(".ndcg-fallback img").all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_be_visible()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("(img) => img.naturalWidth") >= 800
    for explorer in blank.locator(".ndcg-fallback:is(.ndcg-explorer, .ndcg-part)").all():
        expect(explorer).to_contain_text(explorer.locator("img").get_attribute("alt"))
        expect(explorer.locator("noscript p")).to_be_visible()
        expect(explorer.locator("td").first).to_be_hidden()
        explorer.get_by_text("The numbers as a table").click()
        expect(explorer.locator("td").first).to_be_visible()


def test_a_page_can_be_printed(blank, address):
    """What is chosen is white on blue: without the blue it would be white on white."""
    visit(blank, f"{address}cutoff.html")
    blank.emulate_media(media="print")
    expect(blank.get_by_text("Skip to content")).to_be_hidden()
    blank.locator("[data-kind=bet]").first.scroll_into_view_if_needed()  # below the warm-ups
    chosen = blank.locator(".ndcg-choice input:checked + *").first
    assert chosen.evaluate("(e) => getComputedStyle(e).printColorAdjust") == "exact"


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_formulas_print_on_one_page(blank, address, paper):
    """Taken away, with no new sheet after them, the formulas save one sheet: they fill one."""
    session = blank.context.new_cdp_session(blank)
    session.send("Emulation.setScriptExecutionDisabled", {"value": True})
    blank.goto(f"{address}report_card.html")
    sheets = number_of_sheets(blank, paper)
    formulas = blank.locator("#the-formulas-on-one-page")
    expect(formulas).to_contain_text("let it measure a constant")
    blank.emulate_media(media="print")
    breaks = "(e) => [getComputedStyle(e).breakBefore, getComputedStyle(e).breakAfter]"
    assert formulas.evaluate(breaks) == ["page", "page"]
    formulas.evaluate("(e) => { e.replaceChildren(); e.style.breakAfter = 'auto'; }")
    assert number_of_sheets(blank, paper) == sheets - 1 > 5


def test_a_chapter_prints_on_eight_sheets_with_its_solutions_at_the_end(blank, address):
    blank.set_viewport_size(LAPTOP)
    blank.goto(f"{address}ties.html", wait_until="networkidle")
    for live in blank.locator("article .ndcg-live").all():
        live.scroll_into_view_if_needed()  # as a reader has it who prints at the end
    expect(blank.locator(".ndcg-live .main-svg").last).to_be_visible()
    assert blank.pdf(format="A4").count(b"/Type /Page\n") <= 8
    expect(blank.locator(".ndcg-key")).to_have_count(0)  # it has gone again
    asked = blank.locator("article p > strong").filter(has_text=re.compile(r"^\d+\. "))
    blank.evaluate("dispatchEvent(new Event('beforeprint'))")
    titles = blank.locator(".ndcg-key h3").all_inner_texts()
    assert titles == [*asked.all_inner_texts(), "Recall"]
    assert all(blank.locator(".ndcg-key h3 + div").all_inner_texts())


def number_of_sheets(page, paper):
    margins = dict.fromkeys(("top", "right", "bottom", "left"), "1cm")
    return page.pdf(format=paper, margin=margins).count(b"/Type /Page\n")


def test_what_scrolls_takes_the_focus_and_nothing_else(blank, address):
    visit(blank, f"{address}five_rankings.html", PHONE)
    scrolls = "(e) => e.scrollWidth > e.clientWidth"
    places = blank.locator("article pre").all()
    assert {place.evaluate(scrolls) for place in places} == {True, False}
    for place in places:
        assert place.evaluate("(e) => e.tabIndex === 0") == place.evaluate(scrolls)


def test_search_knows_the_words_of_tables_one_by_one(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    terms = json.loads(index.removeprefix("Search.setIndex(").rstrip("); \n"))["terms"]
    assert {"ranx", "lightgbm"} <= {*terms}
    joined = [term for term in terms if re.match(r"\d{3,}[a-z]{3}", term)]  # a number and a name
    assert joined == []


def test_search_finds_a_page_and_marks_the_words_there(blank, address):
    visit(blank, f"{address}index.html")
    blank.get_by_role("searchbox").or_(blank.get_by_placeholder("Search")).first.fill("staircase")
    blank.keyboard.press("Enter")
    found = blank.locator("#search-results a")
    expect(found.filter(has_text="Glossary").first).to_be_visible()
    expect(found.filter(has_text="staircase").first).to_be_visible()
    found.filter(has_text="staircase").first.click()
    expect(blank.locator("article .highlighted").first).to_have_text(re.compile("staircase", re.I))
    assert blank.problems == []


def test_a_picture_takes_the_room_that_a_window_has(blank, address):
    """It is made for what JupyterLab leaves of a small laptop: 600 pixels."""
    figure = blank.locator("#ledger .ndcg-figure")
    for height, more in ((600, 0), (720, 120), (900, 300)):
        blank.goto("about:blank")
        visit(blank, f"{address}gain_discounted.html#ledger", {"width": 1440, "height": height})
        expect(figure.locator(".main-svg").first).to_be_visible()
        bar = blank.evaluate("document.querySelector('.mobile-header').offsetHeight")
        drawn = figure.locator(".svg-container").bounding_box()["height"]
        assert drawn == 330 + min(max(more - bar, 0), 150)
