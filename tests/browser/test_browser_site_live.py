"""What is live on the pages of the site: one visit to each, by keyboard, on a laptop and a phone.

Beside each explorer of a page stands its twin in Python, as in `test_browser_explorers`: after
every move the page must show what the twin says.
"""

import gzip
import re
from collections import Counter

import lab
import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import expect
from site_page import BOOK, built, twins
from test_browser_explorers import agree, restore, walk
from test_browser_site_pages import LAPTOP, PHONE, UNFOLD, does_not_scroll_sideways
from tiers import few

from course.exercises import CATALOG
from course.exercises.task import names_after
from coursekit.exercises.outcome import HEADINGS

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

PLOTLY = "plotly-cartesian.min.js.gz"
MOST = {False: 100_000, True: 650_000}  # bytes of a first load without and with a figure
PACKED = (".gz", ".png", ".woff2")
LIVE = ".ndcg-live"
# Every stage has its chart, and plotly has nothing to draw any more.
DRAWN = """(el) => {
  const stages = [...el.querySelectorAll(".ndcg-figure")];
  return !el.querySelector(".ndcg-fallback") && el.childElementCount > 0
    && stages.every((stage) => stage.querySelector(".main-svg"));
}"""


class Visit:
    """A page of the site, opened anew; `asked` are the files it has asked for."""

    def __init__(self, page, address, site, name):
        self.page, self.site, self.name = page, site, name
        self.address = f"{address}{name}.html"
        self.asked, self.warnings = [], []
        page.on("request", lambda one: self.asked.append(one.url.partition("#")[0]))
        page.on("console", self._note_warning)
        page.set_viewport_size(LAPTOP)
        page.goto(self.address, wait_until="networkidle")

    def _note_warning(self, message):
        if message.type == "warning":
            self.warnings.append(message.text)

    def loaded(self):
        """Return the bytes of what was asked for, by file, as a host that packs text sends it."""
        root = self.address.removesuffix(f"{self.name}.html")
        files = {url: self.site / url.removeprefix(root).partition("?")[0] for url in self.asked}
        return {file.name: size(file) for file in files.values()}

    def all_live(self):
        """Bring to life what is live, by scrolling to it; return where it is, by its kind."""
        self.page.evaluate(UNFOLD)
        found = {}
        for one in self.page.locator(LIVE).all():
            cell, kind = one.evaluate("(el) => [el.id, el.dataset.kind]")
            one.scroll_into_view_if_needed()
            wait(one, DRAWN)
            found.setdefault(kind, {})[cell] = one
        return found

    def no_problem(self):
        lab.no_problem(self.page)
        assert self.warnings == []
        assert self.page.locator(".ndcg-trouble:visible").all_inner_texts() == []


def size(file):
    content = file.read_bytes()
    return len(content if file.suffix in PACKED else gzip.compress(content))


def wait(where, condition, *given):
    """Wait until a condition on an element holds."""
    where.page.wait_for_function(
        f"([el, ...given]) => ({condition})(el, ...given)",
        arg=[where.element_handle(), *given],
        timeout=60_000,
    )


@pytest.mark.parametrize("name", few(["index", *BOOK.by_name], "index", "ties"))
def test_a_visit(blank, address, site, name):
    visit = Visit(blank, address, site, name)
    loaded = visit.loaded()
    assert sum(loaded.values()) <= MOST[PLOTLY in loaded], Counter(loaded).most_common(8)
    live = visit.all_live()
    covered = [one for where in blank.locator(LIVE).all() for one in where.evaluate(lab.COVERED)]
    assert not covered
    explorers = {**live.get("explorer", {}), **live.get("part", {})}
    for cell, where in explorers.items():
        use(where, twins(name)[cell])
    for cell, where in live.get("exercise", {}).items():
        answer(where, built(site, name, cell), CATALOG.all[cell])
    for cell, where in live.get("warm_up", {}).items():
        warm_up(where, built(site, name, cell))
    for cell, where in live.get("bet", {}).items():
        place(where, built(site, name, cell), site, name, live.get("reveal", {}))
    wrong = [f"laptop, {one}" for one in troubles(visit)]
    blank.set_viewport_size(PHONE)
    wrong += [f"phone, {one}" for one in troubles(visit)]
    for cell, where in live.get("explorer", {}).items():
        slide_over_panels(where, twins(name)[cell])
    assert not wrong, "\n".join(wrong)
    for cell in [*explorers][:1]:
        come_by_a_link(visit, cell, twins(name)[cell])
    visit.no_problem()


def warm_up(where, data):
    """Solve a problem by keyboard: at first nothing is said, and at last all steps are."""
    [one] = data["table"]["problems"]
    said = where.get_by_role("status")
    expect(said).to_be_empty()
    where.get_by_label("Your number").fill(one["result"].replace("−", "-"))
    where.get_by_label("Your number").press("Enter")
    expect(said).to_contain_text("Correct")
    where.get_by_role("button", name="Solution").press("Enter")
    expect(said.locator("li")).to_have_text(one["steps"])


# --- explorers ------------------------------------------------------------------------


def use(where, twin):
    """Press every button, and keys on its controls; what it says then stands in the address."""
    for more in where.get_by_text("More settings").all():
        if more.is_visible():
            more.press("Enter")
    twin.reset()
    restore(where, twin.state)
    agree(where, twin)
    walk(where, twin)
    for handle in where.locator("input[type=range]").all()[:2]:  # a pad has ten
        for key in ("PageDown", "PageUp", "ArrowLeft", "ArrowDown"):
            handle.press(key)
            follow(where, twin)
    for label in twin.declaration.actions:
        where.get_by_role("button", name=label, exact=True).press("Enter")
        follow(where, twin)
    in_the_address(where, twin.state)
    restore(where, f"{twin.name}: nonsense")
    expect(where.locator(".ndcg-state .ndcg-said")).to_have_text(refusal(twin))


def follow(where, twin):
    """The state line of the page and all that it shows are of one state."""
    line = lab.state(where).input_value()
    twin.restore(line)
    agree(where, twin)


def slide_over_panels(where, twin):
    """A finger sets the number that stands on the axis of a panel, or around its middle."""
    finger = lab.Finger(where.page)
    for key in dict(twin.stage.touch):
        axis = key.split()[-1]
        panel = where.locator(f'.nsewdrag[data-subplot^="{axis}y"]').first
        panel.scroll_into_view_if_needed()
        box, lines = panel.bounding_box(), set()
        across = [box["x"] + part * box["width"] for part in (0.1, 0.4, 0.6, 0.9)]
        for way in (across, across[::-1]):
            finger.stroke([(x, box["y"] + box["height"] / 2) for x in way])
            lab.settle(where.page)
            follow(where, twin)
            lines.add(twin.state)
        assert len(lines) == 2, f"{key}: {lines}"


def refusal(twin):
    """Return what Python says of a line that is none."""
    with pytest.raises(ValueError, match="after the name come pairs") as error:
        twin.restore(f"{twin.name}: nonsense")
    return str(error.value)


HASH = """(el, line) => decodeURIComponent(location.hash) === `#${el.id}=${line}`"""


def in_the_address(where, line):
    wait(where, HASH, line)


def come_by_a_link(visit, cell, twin):
    """A link opens the explorer in a state, anew or on the page; one with nonsense is refused."""
    *_, values = twin.presets.values()
    twin.reset()
    twin.set(**values)
    visit.page.set_viewport_size(LAPTOP)
    visit.page.goto("about:blank")
    visit.page.goto(f"{visit.address}#{cell}={twin.state}")
    where = visit.page.locator(f"#{cell}")
    wait(where, DRAWN)
    agree(where, twin)
    expect(where.locator(".ndcg-question")).to_be_in_viewport()
    twin.reset()
    go = "(hash) => { location.hash = hash; }"
    visit.page.evaluate(go, f"{cell}={twin.state}")
    agree(where, twin)
    visit.page.evaluate(go, f"{cell}={twin.name}: nonsense")
    expect(where.locator(".ndcg-state .ndcg-said")).to_have_text(refusal(twin))
    agree(where, twin)


# --- exercises ------------------------------------------------------------------------


def answer(where, data, exercise):
    """Nothing, then one solution, by keyboard; hints and the solution open."""
    where.get_by_role("button", name="Check").press("Enter")
    verdict = where.get_by_role("status").first.locator("strong").first
    expect(verdict).to_have_text("Not attempted yet.")
    for _ in data["hints"]:
        where.get_by_role("button", name="Hint").press("Enter")
    expect(where.get_by_role("status").nth(1).locator("> div")).to_have_count(len(data["hints"]))
    solved = names_after(exercise.worked, exercise.given)
    for field in data["fields"]:
        fill_in(where, field, exercise.worked, solved)
    where.get_by_role("button", name="Check").press("Enter")
    expect(verdict).to_have_text(f"{HEADINGS['open' if data['kind'] == 'open' else 'correct']}.")
    where.get_by_role("button", name="Solution").press("Enter")
    expect(where.locator("pre").last).to_have_text(exercise.on_page or exercise.worked)


def fill_in(where, field, worked, solved):
    """Fill in what a variable is in a solution, as its kind of field takes it."""
    value = solved[field["name"]]
    if field["kind"] == "choice":
        values = value.values() if isinstance(value, dict) else value
        group = where.get_by_role("group").filter(has_text=field["name"])
        for select, one in zip(group.get_by_role("combobox").all(), values, strict=True):
            select.select_option(str(one))
    elif field["kind"] == "number":
        line = "(.+?)".join(map(re.escape, field["parts"]))
        filled = re.search(f"^{field['name']} = {line} *(?:#.*)?$", worked, re.MULTILINE).groups()
        blanks = filled if any(field["parts"]) else [repr(value)]
        inputs = where.locator(f".ndcg-line:has(> code:text-is('{field['name']} =')) input").all()
        for one, text in zip(inputs, blanks, strict=True):
            one.fill(repr(eval(text, dict(solved))))
    else:
        where.get_by_label(field["name"]).fill(value)


# --- bets -----------------------------------------------------------------------------


def place(where, data, site, name, reveals):
    """Each answer by keyboard: what is said of it, and what each of its reveals says."""
    radios = where.get_by_role("radio").all()
    assert len(radios) == len(data["notes"]) - 1
    following = [
        (reveals[other], replies["replies"])
        for other in reveals
        if (replies := built(site, name, other))["bet"] == data["name"]
    ]
    radios[0].press("Space")
    for index in range(len(radios)):
        if index:
            radios[index - 1].press("ArrowDown")
        expect(radios[index]).to_be_checked()
        says(where.locator(":scope > .ndcg-bet > div").last, data["notes"][index + 1])
        for reveal, replies in following:
            says(reveal, replies[index + 1])


def says(where, html):
    text = re.sub(r"\s", "", BeautifulSoup(html, "html.parser").get_text())
    wait(where, "(el, text) => el.innerText.replace(/\\s/g, '') === text", text)


# --- how it looks ---------------------------------------------------------------------

CUT = """(root) => {
  const scrolls = (e) => e !== root
    && (/auto|scroll/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  const wide = [...root.querySelectorAll(":not(svg, svg *)")].filter((e) =>
    e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1 && !scrolls(e));
  const tables = [...root.querySelectorAll(".ndcg-is-drawn")];
  return [
    ...wide.map((e) => `${e.tagName} ${e.className} is wider than the page`),
    ...tables.filter((e) => e.scrollWidth > e.clientWidth).map(() => "the table scrolls sideways"),
  ];
}"""


def troubles(visit):
    """Return what is cut, covered or wider than the page in what is live."""
    page = visit.page
    lab.settle(page)
    found = [] if does_not_scroll_sideways(page) else ["it scrolls sideways"]
    for one in page.locator(LIVE).all():
        cell = one.get_attribute("id")
        found += [f"{cell}: {trouble}" for trouble in one.evaluate(CUT)]
        for figure in one.locator(".ndcg-figure").all():
            found += [f"{cell}: {trouble}" for trouble in figure.evaluate(lab.TROUBLES)]
    return found
