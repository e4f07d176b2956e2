"""The ranking list in real JupyterLab: mouse, finger, keyboard, buttons, and its scores."""

import json
import random

import lab
import pytest
from lab import middle, no_problem, state
from playwright.sync_api import expect

from course.explorers import EXPLORERS
from course.explorers.listed import OWN
from coursekit.widgets.state_line import write_state
from ndcglib.metrics import dcg, idcg, ndcg

pytestmark = [
    pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED),
    pytest.mark.full("drag-list"),
]

SETUP = "import json\nimport ipywidgets\nfrom course.explorers import drag_list"
# What Python knows, on the page, so that a test can read it; and a move made by Python.
ECHO = """echo = ipywidgets.HTML()
def tell(_change=None):
    echo.value = json.dumps({**ranking.values, "history": ranking.history})
ranking.observe(tell, ["values", "history"])
tell()
from_python = ipywidgets.Button(description="From Python")
from_python.on_click(lambda _button: ranking.move("D5", 1))
ipywidgets.VBox([echo.add_class("echo"), from_python])"""
FIVE = "ranking = drag_list([2, 3, 1, 3, 0], presets={'Best': [1, 3, 0, 2, 4]})\nranking"
SIX = "ranking = drag_list([2, 3, 1, 3, 0, 2], k=3)\nranking"
TITLES = """ranking = drag_list([1, 3, 0], k=2, titles=[
    "Video: changing a bike tube", "a_function_with_a_long_name", "Patch or replace?"])
ranking"""
SECRET = "ranking = drag_list([2, 3, 1, 3, 0], shown=False)\nranking"


def open_list(page, *cells):
    """Run cells and put their first list on the screen."""
    lab.run_cells(page, SETUP, *cells)
    page.evaluate("document.querySelector('.ndcg-drag').scrollIntoView()")


@pytest.fixture(scope="module", name="opened")
def _opened(request, desk):
    with desk.lent(request) as page:
        open_list(page, FIVE, ECHO)
        yield page


@pytest.fixture(name="page")
def _page(request, desk, opened):
    """Return the page of the five documents as at first, or one of other cells."""
    if not hasattr(request, "param"):
        opened.get_by_role("button", name="Reset").click()
        in_python(opened, order="0 1 2 3 4", history=[], k=5, shown=True)
        wait_for_rows(opened)
        yield opened
    else:
        with desk.lent(request) as page:
            open_list(page, *request.param)
            yield page


def on(*cells):
    """Give a test a page of its own, with these cells."""
    return pytest.mark.parametrize("page", [cells], indirect=True, ids=["own page"])


def titles(page, view=0):
    return page.locator(".ndcg-drag").nth(view).locator(".ndcg-handle").all_inner_texts()


def handle(page, title):
    return page.get_by_role("button", name=title, exact=True)


def big_number(page):
    return page.locator(".ndcg-open .ndcg-big").inner_text().split()


def hear(page, text):
    """Return once the live sentence is exactly this."""
    status = page.get_by_role("status").filter(has_text=text)
    status.first.wait_for(timeout=60_000)
    assert status.first.inner_text() == text


def in_python(page, **expected):
    """Return what Python knows, once the values asked for have arrived."""
    page.wait_for_function(
        """(expected) => {
          const known = JSON.parse(document.querySelector(".echo").textContent.trim());
          known.moves = known.history.length; // a list can come back to an order
          return Object.entries(expected).every(
            ([name, value]) => JSON.stringify(known[name]) === JSON.stringify(value));
        }""",
        arg=expected,
        timeout=60_000,
    )
    return json.loads(page.locator(".echo").inner_text())


def moves(known):
    return [(entry["title"], entry["from"], entry["to"]) for entry in known["history"]]


# --- the scores -------------------------------------------------------------------------


def random_lists(count, seed=1):
    """Return (grades, k, gain): every k and both gains of each of `count` lists."""
    luck = random.Random(seed)
    lists = [[0] * n for n in range(1, 11)]
    lists += [[luck.randint(0, 4) for _ in range(luck.randint(1, 10))] for _ in range(count)]
    return [
        (grades, k, gain)
        for grades in lists
        for k in range(1, len(grades) + 1)
        for gain in ("linear", "exponential")
    ]


def in_plain_python(grades, k, gain):
    """Return the six scores from ndcglib.metrics and, where it has none, by definition."""
    scores = range(len(grades), 0, -1)
    relevant = [rank for rank, grade in enumerate(grades, start=1) if grade >= 1]
    found = [rank for rank in relevant if rank <= k]
    return [
        dcg(grades, scores, k=k, gain=gain),
        idcg(grades, k=k, gain=gain),
        ndcg(grades, scores, k=k, gain=gain),
        len(found) / k,
        len(found) / len(relevant) if relevant else 0.0,
        1 / relevant[0] if relevant else 0.0,
    ]


def test_javascript_scores_equal_pythons(blank):
    cases = random_lists(600)
    got = lab.in_module(
        blank,
        OWN / "listed.js",
        """given.map(([grades, k, gain]) => [
          m.dcg(grades, { k, gain }), m.dcg(m.ideal(grades), { k, gain }),
          m.ndcg(grades, { k, gain }), m.precision(grades, k), m.recall(grades, k),
          m.reciprocalRank(grades),
        ])""",
        cases,
    )
    assert len(got) == len(cases) > 5_000
    for case, values in zip(cases, got, strict=True):
        assert values == pytest.approx(in_plain_python(*case), rel=0, abs=1e-12), case


# --- state lines ------------------------------------------------------------------------

LINES = {
    "drag-list": [
        'drag-list: order="3 0 1 2 4" k=3 shown=False',
        '  drag-list:  k=5 order="4 3 2 1 0"  shown=True ',
        'drag-list: order="0 1 2 3" k=3 shown=True',
        'drag-list: order="0 1 2 3 3" k=3 shown=True',
        'drag-list: order="1 2 3 4 5" k=3 shown=True',
        'drag-list: order="0 1=2 3 4" k=3 shown=True',
        'drag-list: order="" k=3 shown=True',
        "drag-list: order=3 k=3 shown=True",
        'drag-list: order="0 1 2 3 4" k=0 shown=True',
        'drag-list: order="0 1 2 3 4" k=6 shown=True',
        'drag-list: order="0 1 2 x 4" k=3 shown=True',
        'drag-list: order="0 1 2 3 4" k=two shown=True',
        'drag-list: order="0 1 2 3 4" k="it\'s" shown=True',
        'drag-list: order="0 1 2 3 4" k=3 shown=yes',
        'drag-list: order="0 1 2 3 4" k=3 shown=1',
        'drag-list: order="0 1 2 3 4" k=3',
        'drag-list: order="0 1 2 3 4" k=3 k=3 shown=True',
        'drag-list: order="0 1 2 3 4" k=3 shown=True gain=linear',
        "slide-k: example=zigzag k=2 pool=list",
        "order",
        "",
    ],
    "every-order": [
        'every-order: order="0=1 2 3 4" k=5 gain=linear discount=log pinned="4 3=2 1 0"',
        'every-order: order="0 1 2 3" k=5 gain=linear discount=log pinned=""',
        'every-order: order="0-1 2 3 4" k=5 gain=linear discount=log pinned=""',
        'every-order: order="0 1 2 3 4" k=6 gain=linear discount=log pinned=""',
        'every-order: order="0 1 2 3 4" k=None gain=linear discount=log pinned=""',
        'every-order: order="0 1 2 3 4" k=5 gain=x discount=log pinned=""',
        'every-order: order="0 1 2 3 4" k=5 gain=linear discount=x pinned=""',
        'every-order: order="0 1 2 3 4" k=5 gain=linear discount=log pinned="1"',
        'every-order: order="0 1 2 3 4" k=5 gain=linear discount=log pinned=None',
    ],
}


@pytest.mark.parametrize("name", LINES)
def test_the_page_takes_and_refuses_a_line_as_python_does(blank, name):
    explorer = EXPLORERS[name]()
    states = [*explorer.states()]
    lines = LINES[name] + [write_state(name, state) for state in states[:: len(states) // 50]]
    expression = """given.lines.map((line) => {
      try { return m.valuesOf(line, given.declared); } catch (error) { return error.message; }
    })"""
    given = {"lines": lines, "declared": explorer.declared}
    got = lab.in_module(blank, OWN / "listed.js", expression, given)
    assert got == [taken(explorer, line) for line in lines]
    assert isinstance(got[0], dict)
    assert len(set(map(str, got))) > 50


def taken(explorer, line):
    """Return the values that a line leads to, or why it is refused; then nothing has changed."""
    before = explorer.get_state(["values", "history"])
    try:
        explorer.restore(line)
    except ValueError as error:
        assert explorer.get_state(["values", "history"]) == before
        return str(error)
    return explorer.values


# --- the ways to move -------------------------------------------------------------------


def test_by_keyboard_alone(page):
    assert big_number(page) == ["NDCG@5", "0.8990"]
    page.get_by_role("button", name="Undo").focus()
    for _ in range(3):  # Best, Reset, and the list
        page.keyboard.press("Tab")
    assert focused(page) == "D1"
    for _ in range(3):
        page.keyboard.press("ArrowDown")  # to the next document, not to the next cell
    assert focused(page) == "D4"

    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Alt+ArrowUp")
    hear(page, "D4 moved to rank 2 of 5; NDCG@5 is 0.921, unchanged.")
    assert titles(page) == ["D1", "D4", "D2", "D3", "D5"]
    assert focused(page) == "D4"
    page.keyboard.press("Home")
    hear(page, "D4 moved to rank 1 of 5; NDCG@5 is 0.979, up 0.058.")
    assert big_number(page) == ["NDCG@5", "0.9793"]
    page.keyboard.press("Alt+ArrowUp")
    hear(page, "D4 is at rank 1 of 5.")
    page.keyboard.press("Alt+End")
    hear(page, "D4 moved to rank 5 of 5; NDCG@5 is 0.878, down 0.101.")
    page.keyboard.press("Alt+Home")
    page.keyboard.press("Alt+ArrowDown")
    assert focused(page) == "D4"
    known = in_python(page, order="0 3 1 2 4", moves=6)
    assert moves(known) == [
        ("D4", 4, 3),
        ("D4", 3, 2),
        ("D4", 2, 1),
        ("D4", 1, 5),
        ("D4", 5, 1),
        ("D4", 1, 2),
    ]
    page.keyboard.press("d")  # twice would delete the cell, were the keys JupyterLab's
    page.keyboard.press("d")
    assert page.locator(".ndcg-drag").count() == 1
    no_problem(page)


def focused(page):
    return page.evaluate("document.activeElement.textContent")


def test_the_example_of_the_course(page):
    drag(page, "D4", onto="D2")
    hear(page, "D4 moved to rank 2 of 5; NDCG@5 is 0.921, up 0.022.")
    expect(page.locator(".ndcg-change")).to_have_text("▲ +0.0219 by the last move")
    no_problem(page)


def drag(page, title, onto, drop=True):
    lab.settle(page)
    wait_for_rows(page)
    x, y = middle(handle(page, title))
    _, end = middle(handle(page, onto))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 3, (y + end) / 2, steps=4)
    page.mouse.move(x + 3, end, steps=4)
    if drop:
        page.mouse.up()
        wait_for_rows(page)


def wait_for_rows(page):
    """Return when no row slides any more."""
    still = "document.querySelector('.ndcg-drag').getAnimations({ subtree: true }).length === 0"
    page.wait_for_function(still)


def test_by_mouse(page):
    drag(page, "D1", onto="D5")
    assert titles(page) == ["D2", "D3", "D4", "D5", "D1"]
    drag(page, "D4", onto="D2")
    assert titles(page) == ["D4", "D2", "D3", "D5", "D1"]
    known = in_python(page, order="3 1 2 4 0")
    assert moves(known) == [("D1", 1, 5), ("D4", 3, 1)]
    assert focused(page) == "D4"
    assert page.locator(".dragged, .dropping").count() == 0

    drag(page, "D5", onto="D4", drop=False)
    assert page.locator(".dragged").count() == 1
    rows = page.locator(".ndcg-row:not(.dragged)")
    made_room = rows.evaluate_all("(rows) => rows.map((row) => row.style.transform !== '')")
    assert made_room == [True, True, True, False]  # D4, which it is held over, to D3
    assert titles(page) == ["D4", "D2", "D3", "D5", "D1"]  # only letting go moves
    page.keyboard.press("Escape")
    assert page.locator(".dragged, .dropping").count() == 0
    page.mouse.up()
    drag(page, "D2", onto="D2")
    handle(page, "D3").click()
    hear(page, "D3 is at rank 3 of 5.")
    assert moves(in_python(page, order="3 1 2 4 0")) == moves(known)
    styles = page.locator(".ndcg-row").evaluate_all("(rows) => rows.map((r) => r.style.transform)")
    assert set(styles) == {""}
    no_problem(page)


def test_by_touch(page):
    finger = lab.Finger(page)
    slide(finger, handle(page, "D5"), handle(page, "D1"))
    page.wait_for_function("document.querySelector('.ndcg-row').textContent.includes('D5')")
    assert moves(in_python(page, order="4 0 1 2 3")) == [("D5", 5, 1)]
    hear(page, "D5 moved to rank 1 of 5; NDCG@5 is 0.688, down 0.211.")
    wait_for_rows(page)
    # A finger on the bars scrolls the page and moves nothing.
    row = page.locator(".ndcg-row .ndcg-bars")
    slide(finger, row.nth(4), row.nth(0))
    assert titles(page) == ["D5", "D1", "D2", "D3", "D4"]
    actions = "(e) => getComputedStyle(e).touchAction"
    assert handle(page, "D1").evaluate(actions) == "none"
    assert page.locator(".ndcg-row").first.evaluate(actions) == "auto"


def slide(finger, start, end, steps=6):
    (x, y), (_, last) = middle(start), middle(end)
    finger.stroke([(x, y + (last - y) * step / steps) for step in range(steps + 1)])


def test_by_buttons(page):
    up = page.get_by_role("button", name="Move D2 up")
    up.click()
    hear(page, "D2 moved to rank 1 of 5; NDCG@5 is 0.957, up 0.058.")
    up.press("Enter")  # at the top: nothing moves, and the focus is not lost
    hear(page, "D2 is at rank 1 of 5.")
    expect(up).to_have_attribute("aria-disabled", "true")
    assert up.evaluate("(e) => e === document.activeElement")
    page.get_by_role("button", name="Move D2 down").press("Enter")
    hear(page, "D2 moved to rank 2 of 5; NDCG@5 is 0.899, down 0.058.")
    known = in_python(page, order="0 1 2 3 4", moves=2)
    assert moves(known) == [("D2", 2, 1), ("D2", 1, 2)]

    page.get_by_role("button", name="Undo").click()
    hear(page, "D2 is back at rank 1 of 5; NDCG@5 is 0.957, up 0.058.")
    assert moves(in_python(page, order="1 0 2 3 4")) == [("D2", 2, 1)]
    page.get_by_role("button", name="Best").click()
    hear(
        page, "The order is now D2, D4, D1, D3, D5; NDCG@5 is 1.000, up 0.043, the best there is."
    )
    assert in_python(page, order="1 3 0 2 4")["history"] == []
    page.get_by_role("slider", name="Cutoff k").press("Home")
    page.get_by_role("button", name="Reset").click()
    assert in_python(page, order="0 1 2 3 4", k=5)["history"] == []
    assert titles(page) == ["D1", "D2", "D3", "D4", "D5"]
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    undo.click(force=True)
    no_problem(page)


# --- what it shows ----------------------------------------------------------------------


def readout(page):
    rows = page.locator(".ndcg-readout tr").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


def test_grades_are_invisible_to_precision_recall_and_rr(page):
    handle(page, "D4").press("Alt+ArrowUp")  # a 3 and a 1 change places
    hear(page, "D4 moved to rank 3 of 5; NDCG@5 is 0.921, up 0.022.")
    assert readout(page) == [
        ["DCG@5", "5.8235", "▲ +0.139"],
        ["IDCG@5", "6.3235", "= same"],
        ["Precision@5", "0.800", "= same"],
        ["Recall@5", "1.000", "= same"],
        ["RR", "1.000", "= same"],
    ]
    handle(page, "D5").press("Home")  # a 0 goes to the top: only now they move
    hear(page, "D5 moved to rank 1 of 5; NDCG@5 is 0.702, down 0.219.")
    assert readout(page)[-1] == ["RR", "0.500", "▼ −0.500"]
    no_problem(page)


# Texts smaller than 17 px, or below 4.5:1 against what is painted behind them.
PALE_OR_SMALL = """(root) => {
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = numbers(color).map((c) => c / 255)
      .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (e) => {
    const color = getComputedStyle(e).backgroundColor;
    return numbers(color)[3] === 0 ? behind(e.parentElement) : color;
  };
  const bad = [];
  for (const e of root.querySelectorAll("*")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(e);
    const box = e.previousElementSibling?.type === "radio" ? e.parentElement : e;
    const [low, high] = [light(style.color), light(behind(box))].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5 || parseFloat(style.fontSize) < 17) {
      bad.push(`${e.textContent}: ${contrast.toFixed(2)}, ${style.fontSize}`);
    }
  }
  return bad;
}"""


@on("from coursekit.widgets.present import size_choice\nsize_choice()", SIX)
def test_six_documents(page):
    check_the_cutoff(page)
    check_that_a_room_can_read_it(page)
    check_that_six_rows_fit_a_projector(page)
    no_problem(page)


def check_the_cutoff(page):
    assert big_number(page)[0] == "NDCG@3"
    beyond = page.locator(".ndcg-row.beyond .ndcg-handle")
    assert beyond.all_inner_texts() == ["D4", "D5", "D6"]
    widths = page.locator(".ndcg-bar").evaluate_all("(bars) => bars.map((b) => b.offsetWidth)")
    assert widths[3:] == [0, 0, 0]
    assert widths[0] > widths[1] > widths[2] > 0
    line = page.locator(".ndcg-list").evaluate(
        """(list) => ({
          at: parseFloat(getComputedStyle(list, "::before").top),
          label: getComputedStyle(list, "::after").content,
          rows: [...list.children].map((row) => row.offsetTop),
        })"""
    )
    assert line["label"] == '"k = 3"'
    assert abs(line["at"] - line["rows"][3]) < 4
    page.get_by_role("slider", name="Cutoff k").press("End")
    hear(page, "Cutoff k = 6; NDCG@6 is 0.896.")
    assert beyond.count() == 0
    assert page.locator(".ndcg-list.cut").count() == 0


def check_that_a_room_can_read_it(page):
    """Text of 17 px and 4.5:1; question to live sentence fit 1280 × 720 with six rows."""
    handle(page, "D6").press("Home")
    wait_for_rows(page)
    widget = page.locator(".ndcg-drag")
    assert widget.evaluate(PALE_OR_SMALL) == []
    score = page.locator(".ndcg-big strong").first
    assert score.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)") >= 28
    box = widget.bounding_box()
    status = widget.locator(".ndcg-status").bounding_box()
    panel = page.locator(".jp-WindowedPanel-outer").first.bounding_box()
    assert status["y"] + status["height"] - box["y"] <= panel["height"]
    assert box["width"] <= panel["width"]
    wide = "(all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).length"
    assert (
        page.locator(".ndcg-main, .ndcg-ranking, .ndcg-scores, .ndcg-open").evaluate_all(wide) == 0
    )


def check_that_six_rows_fit_a_projector(page):
    page.get_by_role("radio", name="a projector").check(force=True)
    page.locator(".ndcg-drag.ndcg-large").wait_for()
    page.keyboard.press("Control+b")
    lab.settle(page)
    widget = page.locator(".ndcg-drag")
    size = "(e) => parseFloat(getComputedStyle(e).fontSize)"
    for name in (".ndcg-handle > span:last-child", ".ndcg-button", ".ndcg-state input"):
        assert 22 <= widget.locator(name).first.evaluate(size) <= 24, name
    for name in (".ndcg-question", ".ndcg-rank", ".ndcg-big"):
        assert 28 <= widget.locator(name).first.evaluate(size) <= 32, name
    top = widget.locator(".ndcg-question").bounding_box()["y"]
    status = widget.locator(".ndcg-status").bounding_box()
    assert status["y"] + status["height"] - top <= 600  # of 720, less what JupyterLab takes
    wide = "(all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).length"
    assert (
        page.locator(".ndcg-main, .ndcg-ranking, .ndcg-scores, .ndcg-open").evaluate_all(wide) == 0
    )


def test_ghosts_are_the_ideal(page):
    widths = """([bar, ghost]) => [bar, ghost].map((name) =>
      [...document.querySelectorAll(name)].map((e) => parseFloat(e.style.width)))"""
    _, ghosts = page.evaluate(widths, [".ndcg-bar", ".ndcg-ghost"])
    page.get_by_role("button", name="Best").click()
    hear(
        page, "The order is now D2, D4, D1, D3, D5; NDCG@5 is 1.000, up 0.101, the best there is."
    )
    expect(page.locator(".ndcg-scores.best")).to_have_count(1)
    best, still = page.evaluate(widths, [".ndcg-bar", ".ndcg-ghost"])
    assert best == pytest.approx(ghosts)
    assert still == pytest.approx(ghosts)
    assert ghosts[0] == 100
    no_problem(page)


@on(SECRET, ECHO)
def test_hidden_grades_give_nothing_away(page):
    widget = page.locator(".ndcg-drag")
    hear(page, "The grades are hidden: you are the search engine.")
    handle(page, "D4").press("Alt+ArrowUp")
    hear(page, "D4 moved to rank 3 of 5.")
    text = widget.evaluate("(e) => e.textContent").replace("NDCG@5", "").replace("DCG@5", "")
    assert "0." not in text
    assert widget.locator(".ndcg-grade b").all_inner_texts() == ["?"] * 5
    assert widget.locator(".full").count() == 0
    bars = widget.locator(".ndcg-bar, .ndcg-ghost")
    assert set(bars.evaluate_all("(bars) => bars.map((b) => b.style.width)")) == {"0%"}
    for name in (".ndcg-open", ".ndcg-bar", ".ndcg-key", "details"):
        assert not widget.locator(name).first.is_visible()

    page.get_by_role("button", name="Reveal the grades").press("Enter")
    hear(page, "Grades shown; NDCG@5 is 0.921.")
    assert big_number(page) == ["NDCG@5", "0.9209"]
    assert page.get_by_role("radio", name="shown").evaluate("(e) => e === document.activeElement")
    in_python(page, shown=True)
    page.keyboard.press("ArrowRight")
    hear(page, "Grades and scores hidden.")
    in_python(page, shown=False)
    no_problem(page)


def test_names_and_roles(page):
    widget = page.locator(".ndcg-drag")
    assert widget.get_by_role("heading", name="How high can you bring NDCG?", level=3).count() == 1
    ranking = widget.get_by_role("list", name="Ranking, rank 1 first")
    assert ranking.get_by_role("listitem").count() == 5
    assert widget.get_by_role("slider", name="Cutoff k").count() == 1
    choice = widget.get_by_role("group", name="Grades")
    assert choice.get_by_role("radio").count() == 2
    assert widget.get_by_role("group", name="Scores").count() == 1
    status = widget.locator(".ndcg-status")
    expect(status).to_have_attribute("aria-live", "polite")
    nameless = "(all) => all.filter((b) => !(b.ariaLabel || b.textContent.trim())).length"
    assert widget.locator("button").evaluate_all(nameless) == 0
    small = """(all) => all.map((b) => b.getBoundingClientRect())
      .filter((box) => box.height > 0 && (box.width < 28 || box.height < 28)).length"""
    assert widget.locator("button").evaluate_all(small) == 0
    widget.get_by_text("The numbers as a table").click()
    table = widget.locator("details table tbody tr")
    expect(table).to_have_count(5)  # "toggle" comes after the click
    assert table.first.locator("td").all_inner_texts() == [
        *("1", "D1", "2", "2"),
        *("1.0000", "2.0000", "3.0000"),
    ]
    no_problem(page)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_motion_is_for_those_who_want_it(page, motion):
    page.emulate_media(reduced_motion=motion)
    wait_for_rows(page)
    handle(page, "D4").focus()
    running = page.evaluate(
        """async () => {
          const key = { key: "Home", bubbles: true };
          document.activeElement.dispatchEvent(new KeyboardEvent("keydown", key));
          await new Promise(requestAnimationFrame);
          const root = document.querySelector(".ndcg-drag");
          return root.getAnimations({ subtree: true }).length;
        }"""
    )
    assert titles(page)[0] == "D4"
    assert (running == 0) == (motion == "reduce")
    wait_for_rows(page)
    page.get_by_role("button", name="Best").click()
    hear(
        page, "The order is now D2, D4, D1, D3, D5; NDCG@5 is 1.000, up 0.021, the best there is."
    )
    names = "(e) => e.getAnimations().map((a) => a.animationName)"
    reward = page.locator(".ndcg-scores").evaluate(names)
    assert reward == ([] if motion == "reduce" else ["ndcg-ring"])
    page.emulate_media(reduced_motion="null")


# --- kernel, reload, views --------------------------------------------------------------


def test_one_move_is_one_small_message(desk, request):
    sent = []

    def note(socket):
        socket.on("framesent", lambda frame: sent.append(frame))

    with desk.lent(request) as page:
        page.on("websocket", note)
        open_list(page, FIVE, ECHO)
        page.remove_listener("websocket", note)
        check_one_move(page, sent)


def check_one_move(page, sent):
    sent.clear()
    handle(page, "D4").press("Home")
    in_python(page, order="3 0 1 2 4")
    frames = [frame if isinstance(frame, bytes) else frame.encode() for frame in sent]
    states = [frame for frame in frames if b"comm_msg" in frame]
    assert len(states) == 1
    assert len(states[0]) < 2_000
    no_problem(page)


def test_python_moves_and_the_page_follows(page):
    page.get_by_role("button", name="From Python").click()
    hear(page, "D5 moved to rank 1 of 5; NDCG@5 is 0.688, down 0.211.")
    assert titles(page) == ["D5", "D1", "D2", "D3", "D4"]
    handle(page, "D5").press("Alt+ArrowDown")
    known = in_python(page, order="0 4 1 2 3")
    assert moves(known) == [("D5", 5, 1), ("D5", 1, 2)]
    no_problem(page)


def test_a_reload_shows_the_present_state(page):
    handle(page, "D4").press("Home")
    page.get_by_role("slider", name="Cutoff k").press("ArrowLeft")
    in_python(page, order="3 0 1 2 4", k=4)
    lab.save_and_reload(page)  # Ctrl + S is JupyterLab's, also from here
    page.locator(".ndcg-drag").wait_for(timeout=60_000)
    assert titles(page) == ["D4", "D1", "D2", "D3", "D5"]
    assert big_number(page) == ["NDCG@4", "0.9793"]
    hear(page, "D4 moved to rank 1 of 5; NDCG@4 is 0.979, up 0.080.")
    handle(page, "D2").press("Alt+ArrowUp")  # and it still answers
    assert moves(in_python(page, order="3 1 0 2 4")) == [("D4", 4, 1), ("D2", 3, 2)]
    no_problem(page)


@on(FIVE, "ranking")
def test_two_views_stay_in_step(page):
    views = page.locator(".ndcg-drag")
    assert views.count() == 2
    views.nth(0).get_by_role("button", name="D4", exact=True).press("Home")
    page.get_by_text("D4 moved to rank 1 of 5").nth(1).wait_for()
    assert titles(page, 0) == titles(page, 1) == ["D4", "D1", "D2", "D3", "D5"]
    views.nth(1).get_by_role("radio", name="hidden").check()
    views.nth(0).get_by_role("button", name="Reveal the grades").click()
    expect(views.nth(1).get_by_role("radio", name="shown")).to_be_checked()
    views.nth(1).get_by_role("button", name="Undo").click()
    assert titles(page, 0) == titles(page, 1) == ["D1", "D2", "D3", "D4", "D5"]
    no_problem(page)


def test_a_state_is_copied_and_restored_by_keyboard(page):
    expect(state(page)).to_have_value('drag-list: order="0 1 2 3 4" k=5 shown=True')
    handle(page, "D4").press("Home")
    line = 'drag-list: order="3 0 1 2 4" k=5 shown=True'
    expect(state(page)).to_have_value(line)
    page.get_by_role("button", name="Copy the state").press("Enter")
    expect(page.locator(".ndcg-said")).to_have_text("Copied.")
    page.get_by_role("button", name="Reset").press("Enter")
    state(page).press("Control+a")
    page.keyboard.press("Control+v")
    page.keyboard.press("Enter")
    hear(page, "The order is now D4, D1, D2, D3, D5; NDCG@5 is 0.979, up 0.080.")
    in_python(page, order="3 0 1 2 4", history=[])  # the first move led to this order, too

    state(page).press("Control+a")
    page.keyboard.type("ddd")  # "dd" would delete the cell
    page.keyboard.press("Enter")
    expect(page.locator(".ndcg-said")).to_contain_text("a state line begins with the name")
    expect(state(page)).to_have_attribute("aria-invalid", "true")
    handle(page, "D1").press("Home")
    expect(state(page)).to_have_value('drag-list: order="0 3 1 2 4" k=5 shown=True')
    expect(state(page)).to_have_attribute("aria-invalid", "false")
    no_problem(page)


# What of a title reaches over its button or its row, rows of another height, and how far
# the line of the cutoff is from the end of row k.
CUT_OFF = """(list) => {
  const rows = [...list.children].map((row) => row.getBoundingClientRect());
  const over = [...list.querySelectorAll(".ndcg-handle")].flatMap((handle, i) => {
    const [name, box] = [handle.lastChild.getBoundingClientRect(), handle.getBoundingClientRect()];
    const hidden = handle.lastChild.scrollHeight > handle.lastChild.clientHeight + 1;
    const words = document.createRange();
    words.selectNodeContents(handle.lastChild);
    const far = Math.max(words.getBoundingClientRect().right - box.right,
      name.bottom - box.bottom, box.bottom - rows[i].bottom);
    return hidden || far > 0.5 ? [handle.title] : [];
  });
  const heights = rows.map((row) => row.height);
  const line = parseFloat(getComputedStyle(list, "::before").top);
  const end = rows[1].bottom - list.getBoundingClientRect().top;
  return [over, Math.max(...heights) - Math.min(...heights) < 1, Math.abs(line + 2 - end) < 1.5];
}"""


@on(TITLES, "ranking.present()\nranking")
def test_every_title_is_read_whole(page):
    """On the screen and, in the second cell, at projector size."""
    for width, height in ((1366, 768), (1280, 720), (390, 844)):
        if width < 1000:
            page.keyboard.press("Control+b")  # a sidebar would leave nothing
        page.set_viewport_size({"width": width, "height": height})
        lab.settle(page)
        for view in range(2):
            ranking = page.locator(".ndcg-list").nth(view)
            assert ranking.evaluate(CUT_OFF) == [[], True, True], (width, view)
    no_problem(page)


@on(FIVE, ECHO)
def test_it_answers_without_a_kernel(page):
    lab.menu(page, "Kernel", "Shut Down Kernel")
    page.get_by_text("No Kernel").first.wait_for(timeout=60_000)
    handle(page, "D4").press("Home")
    hear(page, "D4 moved to rank 1 of 5; NDCG@5 is 0.979, up 0.080.")
    assert big_number(page) == ["NDCG@5", "0.9793"]
    assert json.loads(page.locator(".echo").inner_text())["history"] == []  # Python is gone
