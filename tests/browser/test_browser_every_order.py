"""All 120 orders in a browser: the same numbers and words as Python's, every way to move."""

import itertools
import random

import lab
import numpy as np
import pytest
from lab import middle, no_problem, state
from playwright.sync_api import expect
from test_browser_explorers import WIDE, agree, lines_of, show, troubles

from course.explorers import EXPLORERS
from course.explorers.listed import OWN
from ndcglib.metrics import ndcg

pytestmark = [
    pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED),
    pytest.mark.full("every-order"),
]

SETUP = """from course.explorers import EXPLORERS
from coursekit.widgets.present import size_choice
size_choice()"""
CELL = 'EXPLORERS["every-order"]()'
RULES = [(gain, rule) for gain in ("linear", "exponential") for rule in ("log", "reciprocal")]


def random_lists(count, seed=2):
    luck = random.Random(seed)
    sizes = [2, 3, 4, 5] * (count // 4) + [6] * 4
    return [[luck.randint(0, 4) for _ in range(n - 1)] + [luck.randint(1, 4)] for n in sizes]


def test_every_dot_equals_pythons(blank):
    lists = random_lists(200)
    expression = """given.rules.map(([k, gain, discount]) => {
      const { grades } = given;
      const orders = m.permutations(grades.map((_, i) => i));
      const tied = m.parse(orders[0].join("="));
      const state = { ...tied, orders, grades, pinned: "", k, gain, discount };
      const { values, yours, random, floor } = m.survey(state);
      return [values, yours, random, floor];
    })"""
    for grades in lists:
        rules = [(k, *rule) for k in range(1, len(grades) + 1) for rule in RULES]
        given = {"grades": grades, "rules": rules}
        got = lab.in_module(blank, OWN / "listed.js", expression, given)
        orders = np.array(list(itertools.permutations(grades)))
        for (k, gain, discount), (values, yours, mean, floor) in zip(rules, got, strict=True):
            options = dict(k=k, gain=gain, discount=discount)
            expected = ndcg(orders, ranked=True, per_query=True, **options)
            assert np.abs(np.array(values) - expected).max() <= 1e-12, (grades, options)
            tied = ndcg(grades, [0] * len(grades), **options)
            assert (yours, mean) == pytest.approx((tied, expected.mean()), rel=0, abs=1e-12)
            assert floor == pytest.approx(expected.min(), rel=0, abs=1e-12)


def test_words_are_those_of_python(blank):
    explorer = EXPLORERS["every-order"]()
    states = [*explorer.states()][::5]
    states += [explorer.declaration.start | preset for preset in explorer.presets.values()]
    expression = """given.states.map((state) => {
      const { grades } = given;
      const orders = m.permutations(grades.map((_, i) => i));
      const all = { ...state, ...m.parse(state.order), orders, grades };
      return m.sentence({ ...all, ...m.survey(all) });
    })"""
    given = {"grades": explorer.declaration.grades, "states": states}
    got = lab.in_module(blank, OWN / "listed.js", expression, given)
    assert got == [explorer.declaration.view(**values).sentence for values in states]


def test_no_dot_of_a_pile_covers_another(blank):
    luck = random.Random(3)
    places = [round(luck.random() * 300) / 2 for _ in range(400)]
    levels = lab.in_module(blank, OWN / "listed.js", "m.pile(given, 7)", places)
    for level in set(levels):
        row = sorted(x for x, its in zip(places, levels, strict=True) if its == level)
        assert min(np.diff(row), default=7) >= 7
    assert set(levels) == set(range(max(levels) + 1))


def test_dots_are_smaller_before_they_cover_each_other(blank):
    """In a pile of 15, as on a phone, and as small as they may be in one of 150."""
    expression = "given.map((n) => m.fitted(Array(n).fill(0), 5.5, 120))"
    fifteen, many = lab.in_module(blank, OWN / "listed.js", expression, [15, 150])
    assert 2.5 < fifteen["radius"] < 5.5
    assert 15 * 2 * fifteen["radius"] < 120
    assert many["radius"] == 2.5


# --- one visit ----------------------------------------------------------------------------


def said(page):
    return page.locator(".ndcg-status")


def button(page, name):
    return page.get_by_role("button", name=name)


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


def test_pin_and_ties_by_keyboard(page):
    twin, notebook = EXPLORERS["every-order"](), page.locator(".jp-Notebook")
    button(page, "Pin list").press("Enter")
    page.get_by_role("button", name="D5", exact=True).press("Home")
    twin.set(pinned="0 1 2 3 4", order="4 0 1 2 3")
    agree(notebook, twin)
    button(page, "Unpin list").press("Enter")
    button(page, "D1: same score as the document above").press("Enter")
    twin.set(pinned="", order="4=0 1 2 3")
    agree(notebook, twin)
    page.get_by_role("button", name="D5", exact=True).press("Alt+ArrowDown")  # ties are the ranks'
    twin.set(order="0=4 1 2 3")
    agree(notebook, twin)


def value(page):
    return float(said(page).inner_text().split(" = ")[1].split(",")[0])


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


WORDS = """() => {
  const all = [...document.querySelectorAll(".ndcg-dots svg > *")];
  const texts = all.filter((one) => one.tagName === "text");
  const line = all.findLastIndex((one) => one.matches("line:not(.axis)"));
  const boxes = texts.map((one) => [one.textContent, one.getBBox()]);
  const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width
    && a.y + 3 < b.y + b.height && b.y + 3 < a.y + a.height;
  return {
    above: texts.filter((one) => all.indexOf(one) > line).map((one) => one.textContent),
    met: boxes.flatMap(([name, box], i) =>
      boxes.slice(i + 1).filter(([, other]) => meet(box, other)).map(([other]) => [name, other])),
  };
}"""


def test_words_are_struck_by_no_line_and_by_no_other_words(page):
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("slider", name="Cutoff k").press("Home")
    button(page, "Higher").press("Enter")  # k = 1: three piles, whose orders are counted
    lab.settle(page)
    found = page.evaluate(WORDS)
    assert {"24", "48", "yours 1.0000", "random 0.6000", "floor 0.0000"} == {*found["above"]}
    assert found["met"] == []
    page.emulate_media(reduced_motion="null")


ENDS = """() => {
  const { x, width } = document.querySelector(".ndcg-dots rect").getBBox();
  return [x, x + width, +document.querySelector(".ndcg-dots line.floor").getAttribute("x1")];
}"""


def test_a_ground_and_words_say_where_no_order_can_be(page):
    page.wait_for_timeout(900)  # the dots have come to rest
    start, end, floor = page.evaluate(ENDS)
    assert (start, end) == pytest.approx((22, floor), abs=1)
    words = page.locator(".ndcg-dots text.empty").all_text_contents()
    assert " ".join(words) == "no order can be here"


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
    page.get_by_text("The numbers as a table").click()
    rows = page.locator("details table tbody tr")
    expect(rows).not_to_have_count(0)  # "toggle" comes after the click
    named = {row[0]: row[1:] for row in (r.locator("td").all_inner_texts() for r in rows.all())}
    assert named["random"][0] == "0.8393"
    assert named["floor"][0] == "0.6458"
    counts = [int(cells[1]) for cells in named.values() if cells[1]]
    assert sum(counts) == 120
    page.get_by_text("The numbers as a table").click()


# --- what is seen of it on a phone: the rest is seen by test_browser_explorers -------------


def test_it_fits_a_phone(desk):
    page = desk.page("wide")
    page.emulate_media(reduced_motion="reduce")  # gliding takes its time
    lab.run_cells(page, SETUP, CELL)
    page.keyboard.press("Control+b")  # a sidebar would leave nothing
    page.set_viewport_size({"width": 390, "height": 844})
    twin, notebook = EXPLORERS["every-order"](), page.locator(".jp-Notebook")
    for line in lines_of(twin, WIDE["every-order"]):
        show(notebook, twin, line)
        assert troubles(notebook) == [], line
    no_problem(page)
    desk.close(page)
