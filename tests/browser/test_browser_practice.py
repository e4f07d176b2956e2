"""The page Practice: its judge beside Python's, its boxes, and the page by keyboard and phone."""

import random
from itertools import pairwise

import lab
import pytest
from playwright.sync_api import expect
from site_page import open_site_page
from test_browser_site_pages import LAPTOP, LINKS, PHONE, does_not_scroll_sideways, harm
from tiers import few

from course.content import COURSE
from course.drills import drills
from course.drills.judge import first_try, judge
from course.drills.page import PROBLEMS, table_of
from course.drills.problem import problem
from coursekit.authoring.book import Book
from coursekit.authoring.write import read
from coursekit.site.build import AS_IT_IS, NOTEBOOKS, typeset, write_pages

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

DRILLS = drills()
JUDGED = """async ([table, cases]) => {
  const { firstTry, judge } = await import("/drill.js");
  return cases.map(([no, typed]) => {
    const outcome = judge(table, table.problems[no - 1], typed);
    return [outcome.verdict, outcome.message, firstTry(outcome)];
  });
}"""
KEY = "ndcg-practice"
DAY = 86_400_000


@pytest.fixture(scope="module", name="served")
def _served(tmp_path_factory):
    """Return where a site is served on which nothing but the practice is live."""
    folder = tmp_path_factory.mktemp("practice")
    nothing = {one.file: {} for one in Book(NOTEBOOKS, COURSE, read).chapters}
    write_pages(COURSE, folder / "pages", nothing)
    (folder / "pages" / AS_IT_IS).mkdir()
    assert typeset(COURSE, folder / "pages", folder / "site") == 0
    with lab.serving(folder / "site") as host:
        yield f"{host}practice.html"


# --- what is said ---------------------------------------------------------------------


def typed_texts(one, dice):
    """Return what somebody might type to a problem: numbers near and far, and no numbers."""
    exact = [one.answer, *one.slips.values()]
    near = [value + dice.uniform(-0.004, 0.004) for value in exact]
    digits = [f"{value:.{n}f}" for value in exact + near for n in (0, 1, 2, 3, 4, 6)]
    odd = ["", " ", "abc", "1e-1", "nan", "3/4", "71%", "0.", ".5", "+.5", "--1", "1,000.5", "٣"]
    letters = [
        "".join(dice.choices("0123456789.,-−+/% e<&", k=dice.randint(1, 9))) for _ in range(20)
    ]
    swapped = [text.replace(".", ",") for text in digits[:6]] + [f" {digits[0]} ", "0" * 40]
    return [*digits, *odd, *letters, *swapped]


@pytest.mark.parametrize("name", few(DRILLS, "tied-at-k", "how-many-queries", "name-the-slip"))
def test_the_page_says_what_python_says(blank, name):
    open_site_page(blank)
    dice = random.Random(name)
    problems = [problem(DRILLS[name], no) for no in range(1, 16)]
    cases = [(one.no, text) for one in problems for text in typed_texts(one, dice)]
    said = blank.evaluate(JUDGED, [table_of(DRILLS[name]), cases])
    for (no, text), (verdict, message, is_right) in zip(cases, said, strict=True):
        outcome = judge(problems[no - 1], text)
        assert outcome[:2] == (verdict, message), (no, text)
        assert first_try(outcome) == is_right, (no, text)
    assert len(cases) > 1000


# --- the boxes ------------------------------------------------------------------------


def run(page, code, *arguments):
    """Run some JavaScript with the names of drill.js."""
    names = "LAST_BOX, copied, due, fresh, moved, nextDay, pasted"
    program = f"async (given) => {{ const {{ {names} }} = await import('/drill.js'); {code} }}"
    return page.evaluate(program, list(arguments))


def test_boxes_come_back_after_1_3_7_21_and_60_days(blank):
    open_site_page(blank)
    days = run(
        blank,
        """let state = fresh(["a"]); const days = []; let today = 100;
        for (let i = 0; i < 6; i += 1) {
          state = moved(state, "a", true, today);
          days.push(state.cards.a.due - today);
          today += 500;
        }
        state = moved(state, "a", false, today);
        return [...days, state.cards.a.box, state.cards.a.due - today];""",
    )
    assert days == [1, 3, 7, 21, 60, 60, 1, 1]


def test_at_most_four_a_day_and_no_skill_twice_in_a_row(blank):
    open_site_page(blank)
    served = run(
        blank,
        """let state = fresh([..."abcdefgh"]); const served = [];
        for (let today = 50; today < 250; today += 1) {
          for (let [name] = due(state, today, 4); name; [name] = due(state, today, 4)) {
            served.push([today, name]);
            state = moved(state, name, (today + name.charCodeAt(0)) % 3 > 0, today);
          }
          if (nextDay(state, today) <= today) throw new Error("a day that is over");
        }
        return served;""",
    )
    names = [name for _, name in served]
    assert all(a != b for a, b in pairwise(names))
    per_day = {day: sum(one == day for one, _ in served) for day, _ in served}
    assert max(per_day.values()) == 4
    assert {*names} == {*"abcdefgh"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "null",
        "[]",
        '{"version": 2, "cards": {}}',
        '{"version": 1, "cards": null}',
        '{"version": 1, "cards": {"a": {"box": 9, "due": 0, "next": 1}}}',
        '{"version": 1, "cards": {"a": {"box": 1, "due": "x", "next": 1}}}',
        '{"version": 1, "cards": {"a": {"box": 1, "due": -1, "next": 1}}}',
        '{"version": 1, "cards": {"a": 3}}',
        "9" * 1000,
    ],
)
def test_what_is_pasted_is_taken_whole_or_refused(blank, text):
    open_site_page(blank)
    said = run(
        blank,
        "try { return pasted(given[0], ['a']); } catch (error) { return error.message; }",
        text,
    )
    assert isinstance(said, str)
    assert "field of another browser" in said or "nothing was taken over" in said


def test_what_was_copied_is_the_same_where_it_is_pasted(blank):
    open_site_page(blank)
    assert run(
        blank,
        """const state = moved(fresh(["a", "b"]), "a", true, 9);
        return JSON.stringify(pasted(copied(state), ["a", "b"])) === copied(state);""",
    )


# --- the page -------------------------------------------------------------------------


def open_practice(page, address, cards=None):
    page.goto(address)
    if cards is not None:
        page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, cards])
        page.reload()
    expect(page.locator(".ndcg-practice h2")).not_to_be_empty()
    return page.locator(".ndcg-practice")


def at_hand(page):
    """Return the problem that the page shows."""
    title, _, no = page.locator(".ndcg-practice h2").inner_text().rpartition(", No. ")
    [drill] = [one for one in DRILLS.values() if one.title == title]
    return problem(drill, int(no))


def test_a_day_by_keyboard(blank, served):
    """Four problems, the second of them wrong: then nothing is due, and it stays so."""
    board = open_practice(blank, served)
    seen = []
    for i in range(4):
        one = at_hand(blank)
        seen.append(one.drill.name)
        board.get_by_label("Your number").focus()
        says, slip = next(iter(one.slips.items()))
        wrong = f"{slip:.4f}" if one.kind.decimals else f"{slip:.0f}"
        blank.keyboard.type(wrong if i == 1 else one.result)
        blank.keyboard.press("Enter")
        status = board.get_by_role("status").first
        expect(status).to_contain_text("Not yet" if i == 1 else "Correct")
        if i == 1:
            expect(status).to_contain_text(says.split(". ")[0].replace("*", ""))
        board.get_by_role("button", name="Next").focus()
        blank.keyboard.press("Enter")
        title = f"{one.drill.title}, No. {one.no}"
        expect(blank.locator(".ndcg-practice h2")).not_to_have_text(title)
    expect(board).to_contain_text("Nothing more is due today")
    expect(board).to_contain_text("3 of 4 right at the first try.")
    assert len({*seen}) == 4
    blank.reload()
    expect(board).to_contain_text("Nothing more is due today")
    boxes = blank.evaluate("(key) => JSON.parse(localStorage.getItem(key)).cards", KEY)
    assert [boxes[name]["box"] for name in seen] == [1, 1, 1, 1]
    assert boxes[seen[1]]["next"] == 2
    assert blank.problems == []
    assert blank.outside == []


def test_a_skill_a_number_and_a_link(blank, served):
    board = open_practice(blank, served)
    board.get_by_label("Practice", exact=True).select_option("floor")
    expect(blank.locator(".ndcg-practice h2")).to_have_text("The worst order, No. 1")  # loaded
    board.get_by_label("No.").fill("17")
    board.get_by_label("No.").press("Enter")
    expect(blank.locator(".ndcg-practice h2")).to_have_text("The worst order, No. 17")
    asked = problem(DRILLS["floor"], 17).asked
    expect(board.locator(".ndcg-asked")).to_contain_text(asked)
    board.get_by_role("button", name="Solution").click()
    for step in problem(DRILLS["floor"], 17).steps:
        expect(board.get_by_role("status").first).to_contain_text(step)
    blank.wait_for_url("**practice.html#board=*")
    other = blank.url
    blank.goto("about:blank")
    blank.goto(other)
    expect(blank.locator(".ndcg-practice h2")).to_have_text("The worst order, No. 17")
    board.get_by_label("No.").fill(str(PROBLEMS))
    board.get_by_label("No.").press("Enter")
    board.get_by_role("button", name="Next").click()
    expect(blank.locator(".ndcg-practice h2")).to_have_text("The worst order, No. 1")


def test_mixed_brings_every_skill_once_before_one_again(blank, served):
    board = open_practice(blank, served)
    title, seen = blank.locator(".ndcg-practice h2"), []
    due = title.inner_text()
    board.get_by_label("Practice", exact=True).select_option("mixed")
    expect(title).not_to_have_text(due)  # its table has to come first
    for _ in range(2 * len(DRILLS)):
        before = title.inner_text()
        seen.append(before.rpartition(", No. ")[0])
        board.get_by_role("button", name="Next").click()
        expect(title).not_to_have_text(before)
    first, second = seen[: len(DRILLS)], seen[len(DRILLS) :]
    assert len({*first}) == len({*second}) == len(DRILLS)
    assert all(a != b for a, b in pairwise(seen))


@pytest.mark.parametrize("cards", ["", "{", '{"version": 1, "cards": {"floor": 3}}', "x" * 10_000])
def test_boxes_that_cannot_be_read_are_told(blank, served, cards):
    board = open_practice(blank, served, cards)
    expect(board.get_by_role("alert")).to_contain_text("could not be read")
    assert blank.problems == []


def test_a_browser_that_keeps_nothing_says_so(blank, served):
    blank.add_init_script("Storage.prototype.setItem = () => { throw new Error('it is full'); };")
    board = open_practice(blank, served)
    board.get_by_label("Your number").fill(at_hand(blank).result)
    board.get_by_label("Your number").press("Enter")
    expect(board.get_by_role("alert")).to_contain_text("cannot be kept in this browser")
    expect(board.get_by_role("alert")).to_contain_text("it is full")
    expect(board.get_by_role("status").first).to_contain_text("Correct")


def test_two_tabs_share_their_boxes(blank, served):
    open_practice(blank, served)
    other = blank.context.new_page()
    open_practice(other, served)
    expect(blank.locator(".ndcg-practice")).to_contain_text("Due today: 4.")
    other.locator(".ndcg-practice").get_by_label("Your number").fill(at_hand(other).result)
    other.locator(".ndcg-practice").get_by_label("Your number").press("Enter")
    expect(blank.locator(".ndcg-practice")).to_contain_text("Due today: 3.")
    other.close()


def test_on_without_a_network(blank, served):
    """A skill that was loaded goes on; another one says what is wrong."""
    board = open_practice(blank, served)
    board.get_by_label("Practice", exact=True).select_option("floor")
    expect(blank.locator(".ndcg-practice h2")).to_contain_text("The worst order")
    session = blank.context.new_cdp_session(blank)
    session.send("Network.clearBrowserCache")  # which may have tables of the tests before
    blank.context.set_offline(True)
    board.get_by_role("button", name="Next").click()
    expect(blank.locator(".ndcg-practice h2")).to_have_text("The worst order, No. 2")
    board.get_by_label("Practice", exact=True).select_option("interval")
    expect(board.get_by_role("alert")).to_contain_text("did not load")
    blank.context.set_offline(False)


def test_on_a_phone_and_for_a_screen_reader(blank, served):
    blank.set_viewport_size(PHONE)
    board = open_practice(blank, served)
    for name in DRILLS:
        board.get_by_label("Practice", exact=True).select_option(name)
        expect(blank.locator(".ndcg-practice h2")).to_contain_text(DRILLS[name].title)
        assert does_not_scroll_sideways(blank), name
    blank.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert does_not_scroll_sideways(blank)
    blank.set_viewport_size(LAPTOP)
    assert harm(blank) == []
    blank.emulate_media(color_scheme="dark")
    assert harm(blank, LINKS) == []


@pytest.mark.full
def test_in_jupyterlab_by_keyboard(page):
    lab.run_all(
        page, page.desk.write("from helpers.notebook import practice\npractice('floor', 17)")
    )
    board = page.locator(".ndcg-practice")
    board.get_by_label("Your number").focus()
    page.keyboard.type("0.697")
    page.keyboard.press("Enter")
    expect(board).to_contain_text("It is 0.6967.")
    expect(board).to_contain_text("1 of 1 right at the first try.")
    for _ in ("Check", "Solution", "Next"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(board).to_contain_text("The worst order, No. 18")
    expect(board.get_by_label("Your number")).to_have_value("")
    lab.no_problem(page)
