"""All 120 orders in a browser: the same numbers and words as Python's, every way to move."""

import itertools
import random

import lab
import numpy as np
import pytest
from lab import middle, no_problem, state
from playwright.sync_api import expect
from tiers import few

from course.explorers import EXPLORERS, every_order
from course.explorers.listed import OWN
from ndcglib.metrics import ndcg

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

SETUP = """from course.explorers import EXPLORERS
from coursekit.widgets.present import size_choice
size_choice()"""
CELL = 'EXPLORERS["every-order"]()'
RULES = [(gain, rule) for gain in ("linear", "exponential") for rule in ("log", "reciprocal")]


def in_javascript(page, body, argument):
    """Return what a function of the page's module `m` makes of an argument."""
    return lab.in_module(page, OWN / "every_order.js", f"(() => {{ {body} }})()", argument)


def random_lists(count, seed=2):
    luck = random.Random(seed)
    sizes = [2, 3, 4, 5] * (count // 4) + [6] * 4
    return [[luck.randint(0, 4) for _ in range(n - 1)] + [luck.randint(1, 4)] for n in sizes]


def test_every_dot_equals_pythons(blank):
    lists = random_lists(200)
    body = """const orders = m.permutations(given.grades.map((_, i) => i));
      return given.rules.map(([k, gain, discount]) => {
        const order = given.grades.map((_, i) => i).join("=");
        const state = { orders, grades: given.grades, order, pinned: "", k, gain, discount };
        const { values, yours, random, floor } = m.survey(state);
        return [values, yours, random, floor];
      });"""
    for grades in lists:
        rules = [(k, *rule) for k in range(1, len(grades) + 1) for rule in RULES]
        got = in_javascript(blank, body, {"grades": grades, "rules": rules})
        orders = np.array(list(itertools.permutations(grades)))
        for (k, gain, discount), (values, yours, mean, floor) in zip(rules, got, strict=True):
            options = dict(k=k, gain=gain, discount=discount)
            expected = ndcg(orders, ranked=True, per_query=True, **options)
            assert np.abs(np.array(values) - expected).max() <= 1e-12, (grades, options)
            tied = ndcg(grades, [0] * len(grades), **options)
            assert (yours, mean) == pytest.approx((tied, expected.mean()), rel=0, abs=1e-12)
            assert floor == pytest.approx(expected.min(), rel=0, abs=1e-12)


def test_words_and_lines_are_those_of_python(blank):
    explorer = EXPLORERS["every-order"]()
    states = [*explorer.states()][::5]
    states += [explorer.start | preset for preset in explorer.presets.values()]
    body = """const orders = m.permutations(given.grades.map((_, i) => i));
      return given.states.map((state) => [
        m.sentence(m.survey({ ...state, orders, grades: given.grades }), state.k),
        m.writeState(state),
        m.readState(m.writeState(state), 5),
      ]);"""
    given = {"grades": explorer.grades, "states": states}
    for values, (sentence, line, read) in zip(
        states, in_javascript(blank, body, given), strict=True
    ):
        assert sentence == explorer.view(**values).sentence
        explorer.set(**values)
        assert line == explorer.state
        assert read == values


WRONG = {
    "hello": "a line of this list looks like",
    'every-order: order="0 1 2 3" k=5 gain=linear discount=log pinned=""': "order must hold each",
    'every-order: order="0 1 2 3 4" k=6 gain=linear discount=log pinned=""': "k must be",
    'every-order: order="0 1 2 3 4" k=5 gain=x discount=log pinned=""': "gain must be linear or",
    'every-order: order="0 1 2 3 4" k=5 gain=linear discount=x pinned=""': "discount must be log",
    'every-order: order="0 1 2 3 4" k=5 gain=linear discount=log pinned="1"': "pinned must hold",
}


def test_wrong_lines_are_refused_in_words(blank):
    got = in_javascript(blank, "return given.map((line) => m.readState(line, 5));", list(WRONG))
    explorer = every_order([2, 1, 3, 0, 3])
    for (line, words), answer in zip(WRONG.items(), got, strict=True):
        assert answer["trouble"].startswith(words)
        with pytest.raises(ValueError, match="." if line == "hello" else words):
            explorer.restore(line)


def test_no_dot_of_a_pile_covers_another(blank):
    luck = random.Random(3)
    places = [round(luck.random() * 300) / 2 for _ in range(400)]
    levels = in_javascript(blank, "return m.pile(given, 7);", places)
    for level in set(levels):
        row = sorted(x for x, its in zip(places, levels, strict=True) if its == level)
        assert min(np.diff(row), default=7) >= 7
    assert set(levels) == set(range(max(levels) + 1))


# --- one visit ----------------------------------------------------------------------------


def said(page):
    return page.locator(".ndcg-status")


def button(page, name):
    return page.get_by_role("button", name=name)


def agree(page, twin):
    """Wait until line and sentence are those of the twin."""
    expect(state(page)).to_have_value(twin.state)
    expect(said(page)).to_have_text(twin.view(**twin.values).sentence)
    no_problem(page)


@pytest.fixture(scope="module", name="opened")
def _opened(request, desk):
    with desk.lent(request) as page:
        lab.run_cells(page, SETUP, CELL)
        page.evaluate("document.querySelector('.ndcg-drag').scrollIntoView()")
        yield page


@pytest.fixture(name="page")
def _page(opened):
    button(opened, "Reset").click()
    lab.settle(opened)
    return opened


def test_every_control_by_keyboard(page):
    twin = EXPLORERS["every-order"]()
    agree(page, twin)
    for label, values in twin.presets.items():
        button(page, label).press("Enter")
        twin.set(**twin.start | values)
        agree(page, twin)
    button(page, "Reset").press("Enter")
    twin.reset()
    agree(page, twin)
    page.get_by_role("slider", name="Cutoff k").press("ArrowLeft")
    twin.set(k=4)
    agree(page, twin)
    for group, value in (("Gain", "exponential"), ("Discount", "reciprocal")):
        page.get_by_role("group", name=group).get_by_role("radio").first.focus()
        page.keyboard.press("ArrowRight")
        twin.set(**{group.lower(): value})
        agree(page, twin)
    button(page, "Pin list").press("Enter")
    page.get_by_role("button", name="D5", exact=True).press("Home")
    twin.set(pinned="0 1 2 3 4", order="4 0 1 2 3")
    agree(page, twin)
    button(page, "Unpin list").press("Enter")
    button(page, "D1: same score as the document above").press("Enter")
    twin.set(pinned="", order="4=0 1 2 3")
    agree(page, twin)
    page.get_by_role("button", name="D5", exact=True).press("Alt+ArrowDown")  # ties are the ranks'
    twin.set(order="0=4 1 2 3")
    agree(page, twin)


def value(page):
    return float(said(page).inner_text().split(" = ")[1].split(":")[0])


def test_step_by_step_from_the_floor_to_the_ideal(page):
    seen = [value(page)]
    while button(page, "Lower").get_attribute("aria-disabled") != "true":
        button(page, "Lower").press("Enter")
        assert value(page) < seen[-1]
        seen.append(value(page))
    assert seen[-1] == 0.6458
    orders = set()
    for _ in range(4):
        orders.add(state(page).input_value())
        button(page, "Equal").press("Enter")
        assert value(page) == seen[-1]
    assert len(orders) == 2  # two documents have grade 3: the worst order looks the same twice
    button(page, "Higher").press("Enter")
    assert value(page) == seen[-2]


def test_a_dot_that_is_clicked_becomes_the_list(page):
    page.emulate_media(reduced_motion="reduce")
    button(page, "Reset").click()
    page.evaluate("document.querySelector('.ndcg-drag').scrollIntoView()")
    lab.settle(page)  # were the page to move under the mouse, nothing would be clicked
    canvas = page.locator(".ndcg-dots canvas")
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] - 22, "y": box["height"] - 55})
    expect(said(page)).not_to_contain_text("0.8368")
    assert value(page) > 0.96  # sixteen pixels are 0.03
    before = state(page).input_value()
    canvas.click(position={"x": 30, "y": box["height"] - 60})  # no order can be there
    assert state(page).input_value() == before
    page.emulate_media(reduced_motion="null")


def painted(page):
    return page.evaluate("document.querySelector('.ndcg-dots canvas').toDataURL()")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_dots_stream_for_those_who_want_it(page, motion):
    page.emulate_media(reduced_motion=motion)
    lab.settle(page)
    page.wait_for_timeout(900)
    slider = page.get_by_role("slider", name="Cutoff k")
    slider.press("Home")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    soon = painted(page)
    page.wait_for_timeout(1_000)
    assert (painted(page) == soon) == (motion == "reduce")
    page.emulate_media(reduced_motion="null")


def test_by_mouse_and_in_the_table(page):
    lab.settle(page)
    page.wait_for_timeout(400)
    handle = page.get_by_role("button", name="D3", exact=True)
    (x, y), (_, end) = middle(handle), middle(page.get_by_role("button", name="D1", exact=True))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, end, steps=5)
    page.mouse.up()
    expect(state(page)).to_have_value(
        'every-order: order="2 0 1 3 4" k=5 gain=linear discount=log pinned=""'
    )
    page.locator("summary").click()
    rows = page.locator("details table tbody tr")
    expect(rows).not_to_have_count(0)  # "toggle" comes after the click
    named = {row[0]: row[1:] for row in (r.locator("td").all_inner_texts() for r in rows.all())}
    assert named["random"][0] == "0.8393"
    assert named["floor"][0] == "0.6458"
    counts = [int(cells[1]) for cells in named.values() if cells[1]]
    assert sum(counts) == 120
    page.locator("summary").click()


def test_reopened_it_shows_the_present_state(page):
    button(page, "The gain decides").click()
    line = state(page).input_value()
    lab.save_and_reopen(page)
    page.locator(".ndcg-every").wait_for(timeout=30_000)
    expect(state(page)).to_have_value(line)
    expect(button(page, "Unpin list")).to_be_visible()
    state(page).fill("nonsense")
    state(page).press("Enter")
    expect(page.locator(".ndcg-said")).to_contain_text("a line of this list looks like")
    no_problem(page)


# --- what is seen of it -------------------------------------------------------------------

# What is cut, leaves the card, or is written over something else.
CUT = """(root) => {
  const card = root.getBoundingClientRect();
  const wide = [...root.querySelectorAll("div, p, li, ol, fieldset")]
    .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline")
    .map((e) => "too wide: " + (e.className || e.tagName));
  const labels = [...root.querySelectorAll(".ndcg-dots text")]
    .map((e) => e.getBoundingClientRect());
  const meet = (a, b, from, to, slack) => a[from] < b[to] - slack && b[from] < a[to] - slack;
  const over = labels.flatMap((a, i) => labels.slice(i + 1)
    .filter((b) => meet(a, b, "left", "right", 1) && meet(a, b, "top", "bottom", 3)));
  const out = labels.filter((a) => a.left < card.left || a.right > card.right);
  return [...wide, ...over.map(() => "labels overlap"), ...out.map(() => "a label is cut")];
}"""


@pytest.mark.parametrize("fonts", few(lab.FONTS, "wide"))
def test_it_fits_laptop_phone_and_projector(desk, fonts):
    page = desk.page(fonts)
    page.emulate_media(reduced_motion="reduce")  # gliding takes its time
    lab.run_cells(page, SETUP, CELL)
    twin = EXPLORERS["every-order"]()
    states = [{}, *twin.presets.values(), {"k": 1, "order": "3=1 0 2 4", "pinned": "4 3 2 1 0"}]
    for width, height in ((1366, 768), (1280, 720), (390, 844), (0, 0)):
        if width == 390:
            page.keyboard.press("Control+b")  # a sidebar would leave nothing
        if width == 0:
            page.set_viewport_size({"width": 1280, "height": 720})
            page.get_by_role("radio", name="a projector").check(force=True)
            page.locator(".ndcg-every.ndcg-large").wait_for()
        else:
            page.set_viewport_size({"width": width, "height": height})
        for values in states:
            twin.reset()
            twin.set(**values)
            state(page).fill(twin.state)
            state(page).press("Enter")
            expect(state(page)).to_have_value(twin.state)
            lab.settle(page)
            root = page.locator(".ndcg-every")
            assert root.evaluate(CUT) == [], (width, twin.state)
            if width > 1000:
                top, end = root.bounding_box(), said(page).bounding_box()
                panel = page.locator(".jp-WindowedPanel-outer").first.bounding_box()
                assert end["y"] + end["height"] - top["y"] <= panel["height"], (width, twin.state)
    no_problem(page)
    desk.close(page)
