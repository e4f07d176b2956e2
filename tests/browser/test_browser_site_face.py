"""The face of the site: its front page, what it remembers, its links, fingers and the dark."""

import io
import re

import lab
import pytest
from contrast import contrast
from PIL import Image
from playwright.sync_api import expect
from test_browser_site_pages import CHAPTERS, LAPTOP, PHONE, PROJECTOR, WIDE, visit

from course.site.opening import opening_data
from coursekit.widgets.part import STATIC

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

DATA = opening_data()
FINGER = 44  # pixels
# How far what is there has jumped while a page was loading: web.dev/articles/cls.
JUMPS = """() => new Promise((resolve) => new PerformanceObserver((list, observer) => {
  observer.disconnect();
  const moved = list.getEntries().filter((one) => !one.hadRecentInput);
  resolve(moved.reduce((sum, one) => sum + one.value, 0));
}).observe({ type: "layout-shift", buffered: true }))"""
NO_JUMP = "new Promise((resolve) => setTimeout(() => resolve(0), 1500))"


def by_finger(page, address):
    """Visit a page on a phone."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    visit(page, address, PHONE)


def live_at(page, place):
    """Return the first explorer of a page at such a place, with its figure."""
    explorer = page.locator(place).first
    explorer.scroll_into_view_if_needed()
    expect(explorer.locator(".main-svg").first).to_be_visible()
    return explorer


def test_the_list_of_the_front_page_can_be_made_as_bad_as_it_gets(blank, address):
    visit(blank, f"{address}index.html")
    opening = blank.locator(".ndcg-opening")
    number, dots = opening.locator("strong").first, opening.locator(".ndcg-opening-dot")
    expect(number).to_have_text("1.00")
    expect(dots).to_have_count(1)
    words, key, note = (opening.locator(f".ndcg-opening-{one}") for one in ("said", "key", "note"))
    steps = opening.locator(".ndcg-opening-step")
    notes = [DATA["each"], "Equal grades: no change.", *2 * ["Your lowest so far: 0."]]
    last_but_one_first = reversed(DATA["titles"][:-1])  # so the list turns over
    for title, noted in zip(last_but_one_first, notes, strict=True):
        expect(steps).to_have_text([f"{DATA['question']} {DATA['hint']}", DATA["then"]])
        expect(note).to_contain_text(noted)
        assert f"{DATA['worst']:.2f}" not in opening.inner_text()
        expect(key).to_have_count(0)
        before = dots.count()
        opening.get_by_role("button", name=title, exact=True).press("End")
        assert dots.count() > before
    expect(number).to_have_text(f"{DATA['worst']:.2f}")
    begin = blank.locator(".ndcg-start").first
    expect(words).to_have_text(f"{DATA['said']} {begin.inner_text()}")
    assert words.get_by_role("link").get_attribute("href") == begin.evaluate("(one) => one.href")
    expect(dots).to_have_count(len(DATA["values"]))  # the orders not tried have joined
    color = "(el, part) => getComputedStyle(el, part).backgroundColor"
    drawn = [dots.nth(i).evaluate(color) for i in (0, -1)]
    keys = key.locator("span")
    expect(keys).to_have_text(["orders you tried", "all others"])
    assert [keys.nth(i).evaluate(color, "::before") for i in (0, 1)] == drawn
    expect(steps).to_have_text([DATA["question"]])
    opening.get_by_role("button", name="Reset").click()
    expect(number).to_have_text("1.00")
    assert blank.problems == []


def test_on_the_front_page_a_guess_stands_beside_what_is_found(blank, address):
    visit(blank, f"{address}index.html")
    opening = blank.locator(".ndcg-opening")
    guess = opening.get_by_role("slider", name=DATA["label"])
    scale = opening.locator(".ndcg-opening-scale").bounding_box()
    words = opening.locator(".ndcg-opening-guess")
    expect(words).to_have_text("your guess?")  # nobody has guessed
    y = _middle(guess)[1]
    blank.mouse.move(scale["x"] + scale["width"] / 2, y)
    blank.mouse.down()
    blank.mouse.move(scale["x"] + 0.3 * scale["width"], y)
    blank.mouse.up()
    expect(words).to_have_text("your guess 0.30")
    at = words.bounding_box()  # as far to the left of its thumb as the scale is
    assert at["x"] + 0.3 * at["width"] == pytest.approx(scale["x"] + 0.3 * scale["width"], abs=1.5)
    guess.press("ArrowRight")
    for title in reversed(DATA["titles"][:-1]):
        opening.get_by_role("button", name=title, exact=True).press("End")
    said = opening.locator(".ndcg-opening-said")
    expect(said).to_contain_text(f"{DATA['said']} You guessed 0.31.")
    expect(words).to_have_text("you guessed 0.31")
    expect(guess).to_be_disabled()
    assert blank.problems == []


@pytest.mark.parametrize("size", [LAPTOP, dict(width=1280, height=720), PROJECTOR, PHONE])
def test_the_front_page_opens_with_a_guess_then_the_list_and_keeps_its_place(blank, address, size):
    visit(blank, f"{address}index.html", size)
    opening = blank.locator(".ndcg-opening")
    steps, scale = opening.locator(".ndcg-opening-step"), opening.locator(".ndcg-opening-scale")
    rows = opening.locator(".ndcg-row")
    order = [steps.nth(0), scale, steps.nth(1), *rows.all()]
    tops = [one.bounding_box()["y"] for one in order]
    assert tops == sorted(tops)
    expect(rows.last).to_be_in_viewport(ratio=1)
    for title in reversed(DATA["titles"][:-1]):
        opening.get_by_role("button", name=title, exact=True).press("End")
    expect(opening.locator(".ndcg-opening-said")).to_be_visible()
    blank.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    blank.wait_for_timeout(300)  # rows slide
    assert [row.bounding_box()["y"] for row in rows.all()] == pytest.approx(tops[3:], abs=0.5)


def test_the_number_of_the_front_page_moves_with_its_dot(blank, address):
    visit(blank, f"{address}index.html")
    opening = blank.locator(".ndcg-opening")
    number, dot = (opening.locator(f".ndcg-opening-{one}") for one in ("number", "now"))
    down = opening.get_by_role("button", name=DATA["titles"][0], exact=True)
    for _ in DATA["titles"]:
        box, (x, y) = number.bounding_box(), _middle(dot)
        assert box["x"] - 1 <= x <= box["x"] + box["width"] + 1
        assert box["y"] + box["height"] < y
        number_color = number.evaluate("(el) => getComputedStyle(el).color")
        assert dot.evaluate("(el) => getComputedStyle(el).backgroundColor") == number_color
        down.press("Alt+ArrowDown")
        blank.wait_for_timeout(400)


@pytest.mark.parametrize("width", [1920, 1366, 1280])
def test_the_cards_of_the_front_page_are_of_one_width_and_none_is_alone_in_its_row(
    blank, address, width
):
    visit(blank, f"{address}index.html", dict(width=width, height=768))
    boxes = """(part) => [...part.querySelectorAll("header, li")]
      .map((cell) => cell.getBoundingClientRect().toJSON())"""
    widths = set()
    for part in blank.locator(".ndcg-part").all():
        words, *cards = part.evaluate(boxes)
        tops = [card["top"] for card in cards]
        assert min(map(tops.count, tops)) > 1
        in_rows = [words["top"], *tops]
        counts = set(map(in_rows.count, in_rows))
        assert max(counts) - min(counts) <= 1  # no row lacks more than one cell
        widths |= {round(card["width"]) for card in cards}
    assert len(widths) == 1


def test_a_phone_opens_with_the_whole_list_below_its_pile(blank, address):
    by_finger(blank, f"{address}index.html")
    opening = blank.locator(".ndcg-opening")
    pile, rows = opening.locator(".ndcg-opening-scale"), opening.locator(".ndcg-row").all()
    tops = [one.bounding_box()["y"] for one in (pile, *rows)]
    assert tops == sorted(tops)
    assert len(rows) == len(DATA["titles"])
    expect(rows[-1]).to_be_in_viewport(ratio=1)
    steps = opening.locator(".ndcg-step").all()
    assert min(step.bounding_box()["height"] for step in steps) >= FINGER


def test_a_row_of_the_front_page_shows_once_that_it_can_be_moved(blank, address):
    visit(blank, f"{address}index.html")
    rows, down = blank.locator(".ndcg-row"), "getComputedStyle(el).translate"
    name = "(el) => getComputedStyle(el).animationName"
    guess = blank.get_by_role("slider", name=DATA["label"])
    assert {row.evaluate(name) for row in rows.all()} == {"none"}  # first the guess
    assert guess.evaluate(name) == "ndcg-nudge-guess"
    guess.press("ArrowLeft")
    assert guess.evaluate(name) == "none"
    assert [row.evaluate(name) for row in rows.all()] == ["none", "ndcg-nudge", *3 * ["none"]]
    rows.nth(1).evaluate(
        """(el) => {
          el.style.animationName = "none"; // it may be over, and begins anew
          getComputedStyle(el).animationName;
          el.style.animationName = "";
          const [one] = el.getAnimations();
          one.pause();
          one.currentTime = 1500; // where it is at its lowest
        }"""
    )
    assert rows.nth(1).evaluate(f"(el) => {down}") == "0px 9px"
    blank.mouse.move(*_middle(rows.nth(3)))
    assert rows.nth(1).evaluate(f"(el) => {down}") in ("none", "0px")
    rows.nth(3).get_by_role("button").first.press("End")
    assert {row.evaluate(name) for row in rows.all()} == {"none"}
    blank.emulate_media(reduced_motion="reduce")
    visit(blank, f"{address}index.html")
    assert {row.evaluate(name) for row in rows.all()} == {"none"}


def test_what_was_bet_is_there_on_the_next_visit_until_it_is_forgotten(blank, address):
    visit(blank, f"{address}cutoff.html", WIDE)
    bet, reply = (blank.locator(f"[data-kind={kind}]").first for kind in ("bet", "reveal"))
    bet.scroll_into_view_if_needed()
    bet.get_by_role("radio").nth(1).check()
    own = blank.locator(".ndcg-chapters li[data-chapter=cutoff]")
    expect(own.locator(".ndcg-done")).to_have_text("1 bet")
    blank.reload(wait_until="networkidle")
    bet.scroll_into_view_if_needed()
    expect(bet.get_by_role("radio").nth(1)).to_be_checked()
    reply.scroll_into_view_if_needed()
    expect(reply.locator(".ndcg-verdict")).to_contain_text("You bet B")
    blank.get_by_role("button", name="Forget it").click()
    expect(own.locator(".ndcg-done")).to_have_count(0)
    blank.reload(wait_until="networkidle")
    bet.scroll_into_view_if_needed()
    expect(bet.get_by_role("radio").nth(1)).not_to_be_checked()


def test_what_answers_a_bet_is_folded_until_it_is_placed(blank, address):
    blank.goto(f"{address}start_here.html", wait_until="networkidle")
    printed, folded = blank.get_by_text("random level 0.8393"), blank.locator(".ndcg-answers-bet")
    expect(folded).to_have_count(1)
    expect(folded).to_have_js_property("open", False)
    folded.locator("summary").press("Enter")  # nobody has to bet
    expect(folded).to_have_js_property("open", True)
    bet = blank.locator("[data-kind=bet]").first
    bet.scroll_into_view_if_needed()
    bet.get_by_role("radio").nth(1).check()
    for _ in range(2):  # then, and on the next visit
        expect(folded).to_have_count(0)
        expect(printed).to_be_visible()
        blank.reload(wait_until="networkidle")


def test_a_chapter_is_read_once_its_end_was_seen(blank, address):
    visit(blank, f"{address}cutoff.html")
    own = blank.locator(".ndcg-chapters li[data-chapter=cutoff]")
    assert "ndcg-read" not in (own.get_attribute("class") or "")
    blank.locator(".ndcg-neighbors").scroll_into_view_if_needed()
    expect(own).to_have_class("ndcg-read")
    blank.goto(f"{address}index.html")
    expect(blank.locator(".ndcg-map li[data-chapter=cutoff] .ndcg-done")).to_have_text("read")


def test_the_list_of_chapters_follows(blank, address):
    own = blank.locator(".ndcg-chapters [aria-current]")
    visit(blank, f"{address}report_card.html", WIDE)
    expect(own).to_be_in_viewport()
    visit(blank, f"{address}report_card.html", LAPTOP)  # there it is folded
    expect(own).not_to_be_in_viewport()
    blank.locator(".mobile-header .nav-overlay-icon").click()
    expect(own).to_be_in_viewport()


def test_the_contents_of_every_chapter_fit_the_window_of_a_laptop(blank, address):
    blank.set_viewport_size(LAPTOP)
    long = {}
    for name in CHAPTERS:
        blank.goto(f"{address}{name}.html")
        blank.evaluate("document.fonts.ready")
        place = blank.locator(".toc-scroll")
        beyond = place.evaluate("(el) => el.scrollHeight - el.clientHeight")
        long |= {name: beyond} if beyond > 0 else {}
    assert long == {}


@pytest.mark.parametrize("size", [LAPTOP, WIDE], ids=["laptop", "wide"])
def test_the_contents_mark_the_section_whose_title_is_in_the_upper_part(blank, address, size):
    """A jump may end some pixels beside its title, where what is above it has grown."""
    visit(blank, f"{address}gain.html", size)
    links = blank.locator(".toc-tree a")
    for link in links.all()[1:6]:
        title = blank.locator(f"{link.get_attribute('href')} > :is(h2, h3)").first
        for part in (0.1, 0.25):
            title.evaluate(
                """(el, part) => scrollTo({ behavior: "instant",
                  top: scrollY + el.getBoundingClientRect().top - part * innerHeight })""",
                part,
            )
            expect(link.locator("..")).to_have_class(re.compile("scroll-current"))


def test_a_link_that_is_copied_shows_the_same(blank, address):
    visit(blank, f"{address}cutoff.html")
    explorer = blank.locator("[data-kind=explorer]").first
    explorer.scroll_into_view_if_needed()
    slider = explorer.get_by_role("slider").first
    slider.press("ArrowRight")
    field = explorer.get_by_label("State", exact=True)
    line = field.input_value()
    explorer.get_by_role("button", name="Copy link").click()
    expect(explorer.locator(".ndcg-said")).to_contain_text("The link is")
    link = blank.url
    blank.goto(f"{address}index.html")
    blank.goto(link, wait_until="networkidle")
    expect(field).to_have_value(line)
    expect(explorer).to_be_in_viewport()


def test_settings_are_folded_away_until_a_link_has_one(blank, address):
    visit(blank, f"{address}start_here.html")
    explorer = blank.locator("[data-kind=part]").first
    explorer.scroll_into_view_if_needed()
    more, gain = explorer.get_by_text("More settings"), explorer.get_by_label("exponential")
    expect(gain).not_to_be_in_viewport()
    line = explorer.get_by_label("State", exact=True).input_value()
    cell = explorer.get_attribute("id")
    go = "(hash) => { location.hash = hash; }"
    blank.evaluate(go, f"{cell}={line.replace('gain=linear', 'gain=exponential')}")
    expect(gain).to_be_checked()
    more.press("Enter")
    expect(gain).not_to_be_in_viewport()
    explorer.get_by_role("button", name="Reset").press("Enter")
    more.press("Enter")
    explorer.get_by_role("button", name="Pin list").press("Enter")
    expect(explorer.get_by_role("button", name="Unpin list")).to_be_visible()


def test_an_aside_stands_in_the_margin_where_there_is_room(blank, address):
    for width, is_beside in ((1920, True), (1366, True), (1024, False)):
        visit(blank, f"{address}held_out.html", dict(width=width, height=900))
        aside = blank.locator("p > .ndcg-aside").first
        aside.scroll_into_view_if_needed()
        text, note = (one.bounding_box() for one in (aside.locator(".."), aside))
        assert (note["x"] > text["x"] + text["width"]) == is_beside
        assert aside.locator("span").first.is_visible() != is_beside  # its bracket
        mark = aside.locator("..").locator(".ndcg-mark").first.bounding_box()
        assert (mark["width"] > 0) == is_beside


def test_text_has_one_face_and_what_is_pressed_has_that_of_the_figures(blank, address):
    visit(blank, f"{address}floors.html")
    live_at(blank, "#floor")
    faces = [
        blank.locator(place).first.evaluate("(el) => getComputedStyle(el).fontFamily")
        for place in ("section > p", "section > p strong", "#floor button", "#floor .gtitle")
    ]
    assert faces[0] == faces[1] != faces[2] == faces[3]
    # But for the one of signs, which comes where the serif lacks one.
    whole = "[...document.fonts].filter((one) => one.unicodeRange === 'U+0-10FFFF')"
    loaded = f"{whole}.length > 1 && {whole}.every((one) => one.status === 'loaded')"
    assert blank.evaluate(f"document.fonts.ready.then(() => {loaded})")


TEXT = "article :is(h1, h2, h3, p, li):not(:has(code, math)), .ndcg-chapters a, .ndcg-sign"


@pytest.mark.parametrize("name", ["gain", "leaderboard", "opinions"])
def test_no_sign_of_a_text_is_of_another_face(blank, address, name):
    """Arrows, ✓ and ✗, κ, and what is raised: a face that lacks one has a second beside it."""
    visit(blank, f"{address}{name}.html", WIDE)
    bet, reply = (blank.locator(f"[data-kind={kind}]").first for kind in ("bet", "reveal"))
    bet.scroll_into_view_if_needed()
    bet.get_by_role("radio").first.check()
    reply.scroll_into_view_if_needed()
    expect(reply.locator(".ndcg-sign")).to_be_visible()
    mark = "(all) => all.forEach((one) => one.classList.add('ndcg-read'))"
    blank.locator(".ndcg-chapters li").evaluate_all(mark)
    ask = blank.context.new_cdp_session(blank).send
    ask("DOM.enable")
    ask("CSS.enable")
    root = ask("DOM.getDocument")["root"]["nodeId"]
    found = ask("DOM.querySelectorAll", {"nodeId": root, "selector": TEXT})["nodeIds"]
    assert len(found) > 50
    strange = [
        (face["familyName"], ask("DOM.getOuterHTML", {"nodeId": one})["outerHTML"])
        for one in found
        for face in ask("CSS.getPlatformFontsForNode", {"nodeId": one})["fonts"]
        if not face["isCustomFont"]
    ]
    assert strange == []


@pytest.mark.parametrize("name", ["index", "cutoff", "floors"])
def test_nothing_jumps_while_a_page_loads(blank, address, name):
    for size in (LAPTOP, PHONE):
        blank.set_viewport_size(size)
        blank.goto(f"{address}{name}.html", wait_until="networkidle")
        blank.wait_for_timeout(1000)
        assert blank.evaluate(f"Promise.race([({JUMPS})(), {NO_JUMP}])") < 0.05, size


def test_what_stands_below_a_figure_does_not_jump_on_a_phone(blank, address):
    """A title, or the name of an axis, may take a line more in one state; its room then stays."""
    visit(blank, f"{address}floors.html", PHONE)
    explorer = live_at(blank, "#floor")
    figure, field = (
        explorer.locator(".ndcg-figure"),
        explorer.get_by_label("State", exact=True),
    )
    drawn, room = set(), []
    for name in 4 * ["One of ten", "Reset"]:
        before = field.input_value()
        explorer.get_by_role("button", name=name).click()
        expect(field).not_to_have_value(before)
        blank.wait_for_timeout(200)
        drawn.add(figure.locator(".main-svg").first.bounding_box()["height"])
        room.append(figure.bounding_box()["height"])
    assert len(drawn) > 1
    assert room == sorted(room)


def test_a_finger_has_room_on_a_phone(blank, address):
    by_finger(blank, f"{address}cutoff.html")
    explorer = live_at(blank, "[data-kind=explorer]")
    assert blank.evaluate("matchMedia('(pointer: coarse)').matches")
    targets = explorer.locator("button:visible, select:visible, label:has(input[type=radio])")
    small = [
        target.inner_text()
        for target in targets.all()
        if target.bounding_box()["height"] < FINGER - 0.5
    ]
    assert targets.count() > 4
    assert small == []


def test_on_a_phone_a_control_is_one_row_with_its_name_and_its_choice_in_sight(blank, address):
    by_finger(blank, f"{address}leaderboard.html")
    explorer = live_at(blank, "[data-kind=explorer]")
    fields = explorer.locator(".ndcg-choice fieldset").all()
    assert len(fields) == 3
    for field in fields:
        for option in range(field.get_by_role("radio").count()):
            field.get_by_role("radio").nth(option).evaluate("(el) => el.click()")
            places = [field, field.locator("legend"), field.locator("label:has(:checked)")]
            row, name, chosen = (place.bounding_box() for place in places)
            assert row["height"] < 1.5 * FINGER
            assert row["x"] <= name["x"] + 5.5
            assert name["x"] + name["width"] <= chosen["x"] + 0.5
            assert chosen["x"] + chosen["width"] <= row["x"] + row["width"]


# What of its choices, or of the longest words of a list to choose from, a control has no room for:
# it is cut, or has three lines.
TOO_LONG = """(live) => {
  const cut = (e) => e.scrollWidth > e.clientWidth || (e.matches("label") && e.offsetHeight > 60);
  const choices = [...live.querySelectorAll(".ndcg-choice :is(fieldset, label)")].filter(cut);
  const lists = [...live.querySelectorAll("select")].filter((list) => {
    const twin = list.cloneNode(true);
    twin.style.maxWidth = "none";
    list.after(twin);
    const { width } = twin.getBoundingClientRect();
    twin.remove();
    return width > list.getBoundingClientRect().width + 0.5;
  });
  return [...choices, ...lists].map((e) => e.textContent);
}"""


@pytest.mark.parametrize("width", [390, 360])
def test_on_a_phone_no_choice_of_any_explorer_is_cut(blank, address, width):
    by_finger(blank, f"{address}room.html")
    blank.set_viewport_size(dict(width=width, height=844))
    explorers = blank.locator(".ndcg-live:is([data-kind=explorer], [data-kind=part])").all()
    assert len(explorers) > 15
    for explorer in explorers:
        explorer.scroll_into_view_if_needed()
        explorer.locator(".main-svg, canvas, .ndcg-row").first.wait_for()
        blank.wait_for_timeout(300)
        assert explorer.evaluate(TOO_LONG) == [], explorer.get_attribute("id")


def test_a_formula_on_a_choice_or_a_button_is_set_and_called_what_it_says(blank):
    given = ["1 / log2(rank + 1)", "0.8^(rank − 1)", "2^grade − 1", "1 / rank"]
    expression = """given.map((text) => {
      const button = document.createElement("button");
      m.typeset(button, text);
      return [button.innerHTML, button.ariaLabel];
    })"""
    got = lab.in_module(blank, STATIC / "typeset.js", expression, given)
    assert got == [
        ["1 / log<sub>2</sub>(rank + 1)", given[0]],
        ["0.8<sup>rank − 1</sup>", given[1]],
        ["2<sup>grade</sup> − 1", given[2]],
        ["1 / rank", None],
    ]


def test_on_a_phone_what_a_control_changes_is_in_sight_with_it(blank, address):
    """Of three panels one below the other, the list of a query is the last."""
    by_finger(blank, f"{address}climb.html")
    explorer = live_at(blank, "#stepper")
    controls, last = explorer.locator(".ndcg-choice"), explorer.locator(".nsewdrag").last
    explorer.evaluate("(el) => el.scrollIntoView({ block: 'start', behavior: 'instant' })")
    assert last.bounding_box()["y"] > controls.first.bounding_box()["y"]  # below, and covered
    controls.get_by_label("query 2").evaluate("(el) => el.click()")
    expect(last).to_be_in_viewport(ratio=0.99)
    blank.wait_for_timeout(1000)  # the page scrolls smoothly
    expect(controls.last).to_be_in_viewport(ratio=1)
    panel = last.bounding_box()
    assert panel["y"] + panel["height"] <= controls.first.bounding_box()["y"]


def test_on_a_phone_a_list_comes_before_its_controls_and_its_number_stays(blank, address):
    by_finger(blank, f"{address}order.html")
    explorer = blank.locator("#drag")
    explorer.scroll_into_view_if_needed()
    row, number = explorer.locator(".ndcg-row").first, explorer.locator(".ndcg-open strong")
    expect(row).to_be_visible()
    top = explorer.bounding_box()["y"]
    assert row.bounding_box()["y"] - top < PHONE["height"] / 4
    assert row.bounding_box()["height"] < 1.5 * FINGER
    assert explorer.get_by_role("slider").bounding_box()["y"] > row.bounding_box()["y"]
    tops = [one.bounding_box()["y"] for one in explorer.locator(".ndcg-buttons button").all()]
    assert {tops.count(top) for top in tops} == {2}  # none is alone in its row
    last = explorer.locator(".ndcg-row").last
    last.evaluate("(el) => el.scrollIntoView({ block: 'center', behavior: 'instant' })")
    before = number.inner_text()
    last.get_by_role("button", name="Move").first.press("Home")
    expect(number).not_to_have_text(before)
    expect(number).to_be_in_viewport(ratio=1)


def test_on_a_phone_the_beginning_of_what_is_said_stays_in_sight(blank, address):
    by_finger(blank, f"{address}floors.html")
    explorer = live_at(blank, "#floor")
    pinned, sentence = (explorer.locator(f".ndcg-{one}") for one in ("pin", "sentence"))
    field = explorer.get_by_label("State", exact=True)
    before = field.input_value()
    explorer.get_by_role("slider").first.press("ArrowLeft")
    expect(field).not_to_have_value(before)
    expect(pinned).to_have_attribute("data-said", sentence.inner_text())
    to_place = "(el, block) => el.scrollIntoView({ block, behavior: 'instant' })"
    picture, slider = (explorer.locator(f".ndcg-{one}").first for one in ("figure", "slider"))
    picture.evaluate(to_place, "end")
    assert sentence.bounding_box()["y"] > PHONE["height"]
    box, moved = pinned.bounding_box(), slider.bounding_box()
    assert picture.bounding_box()["y"] < moved["y"]  # what is moved stays above what is said
    assert moved["y"] + moved["height"] <= box["y"]
    assert box["y"] + box["height"] == pytest.approx(PHONE["height"], abs=1)
    assert box["height"] < 70
    sentence.evaluate(to_place, "center")
    assert pinned.bounding_box()["y"] == pytest.approx(sentence.bounding_box()["y"], abs=1)


@pytest.mark.parametrize("name", ["cutoff", "gain", "significance"])
def test_a_projector_shows_an_explorer_whole(blank, address, name):
    visit(blank, f"{address}{name}.html", PROJECTOR)
    room = PROJECTOR["height"] - blank.locator(".mobile-header").bounding_box()["height"]
    for live in blank.locator(".ndcg-live:is([data-kind=explorer], [data-kind=part])").all():
        live.scroll_into_view_if_needed()
        question, said = (live.locator(f".ndcg-{one}") for one in ("question", "state"))
        expect(question).to_be_visible()
        live.locator(".main-svg, canvas").first.wait_for()
        blank.wait_for_timeout(300)
        end = said.bounding_box()
        assert end["y"] + end["height"] - question.bounding_box()["y"] < room


def test_an_explorer_fills_the_screen_at_the_size_of_a_projector(blank, address):
    visit(blank, f"{address}floors.html", PROJECTOR)
    live = live_at(blank, "#floor")
    explorer = live.locator(".ndcg-explorer")
    live.get_by_role("button", name="Large").click()
    expect(explorer).to_have_class(re.compile("ndcg-large"))
    expect(live.get_by_role("slider").first).to_have_css("zoom", "1.4")  # as its letters
    assert blank.evaluate("document.fullscreenElement.id") == "floor"
    # The figure takes what question, controls and formula leave, to the last line of the screen.
    blank.wait_for_function(
        """() => {
          const formula = document.querySelector("#floor .ndcg-formula");
          const { bottom } = formula.getBoundingClientRect();
          return bottom <= innerHeight && bottom > innerHeight - 40;
        }"""
    )
    expect(explorer.locator(".ndcg-sentence")).to_have_css("width", "1px")  # it is still said
    live.get_by_role("button", name="Close").click()
    expect(explorer).not_to_have_class(re.compile("ndcg-large"))
    assert blank.problems == []


def test_what_is_live_is_dark_in_the_dark_and_keeps_its_contrast(blank, address):
    """The filter changes what axe cannot see, so it is measured on what is drawn."""
    colors = ["#222", "#0072b2", "#d55e00", "#0c5c3c", "#b51c79", "#555", "#767676"]
    blank.emulate_media(color_scheme="dark")
    visit(blank, f"{address}index.html")
    blank.evaluate(
        """(colors) => {
          const row = document.createElement("div");
          row.id = "swatches";
          row.style = "position: fixed; inset: 0 auto auto 0; z-index: 99";
          row.className = "ndcg-live";
          row.innerHTML = ["#fff", ...colors].map((color) =>
            `<i style="display: inline-block; padding: 10px; background: ${color}"></i>`
          ).join("");
          document.body.append(row);
        }""",
        colors,
    )
    swatches = blank.locator("#swatches i")
    paper, *drawn = [_color(swatches.nth(i)) for i in range(len(colors) + 1)]
    assert max(paper) < 40
    contrasts = {color: contrast(one, paper) for color, one in zip(colors, drawn, strict=True)}
    assert min(contrasts.values()) > 4.5, contrasts


def test_what_is_not_live_is_dark_by_the_theme_alone(blank, address):
    """Turned over as well, its letters would be dark on dark."""
    blank.emulate_media(color_scheme="dark")
    visit(blank, f"{address}your_own_ndcg.html")
    still = blank.locator(".ndcg-fallback.ndcg-exercise")
    assert still.count() > 2
    for i in range(still.count()):
        expect(still.nth(i).locator("..")).to_have_css("filter", "none")
    still.last.scroll_into_view_if_needed()
    header = blank.locator(".mobile-header.scrolled")  # its shadow is not seen
    expect(header).to_have_css("border-bottom", "1px solid rgb(58, 54, 48)")


def _middle(place):
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _color(place):
    picture = Image.open(io.BytesIO(place.screenshot())).convert("RGB")
    return picture.getpixel((picture.width // 2, picture.height // 2))


def test_who_has_solved_all_exercises_of_a_page_gets_its_line(blank, address):
    visit(blank, f"{address}cutoff.html")
    line = blank.locator(".ndcg-kept")
    needed = line.get_attribute("data-needs").split(" ")
    assert len(needed) == blank.locator(".ndcg-live[data-kind=exercise]").count()
    for solved in (needed[:-1], needed):
        expect(line).to_be_hidden()
        blank.evaluate(
            """(solved) => localStorage.setItem("ndcg-course", JSON.stringify(
              { cutoff: { solved: Object.fromEntries(solved.map((one) => [one, 1])) } }))""",
            solved,
        )
        blank.reload(wait_until="networkidle")
    expect(line).to_be_visible()
