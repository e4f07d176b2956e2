"""Draw your discount in real JupyterLab: keyboard, mouse, finger, opened anew."""

import base64
import re

import lab
import pytest
from lab import in_module, no_problem, state, wait_for_figures, wait_for_title
from playwright.sync_api import expect

from coursekit.widgets.part import STATIC

pytestmark = [
    pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED),
    pytest.mark.full("own-discount"),
]

CELL = "from course.explorers import own_discount\nown_discount()"
STRAIGHT = "100 90 80 70 60 50 40 30 20 10"


def open_pad(page):
    lab.run_cells(page, CELL)
    page.evaluate("document.querySelector('.ndcg-explorer').scrollIntoView()")


@pytest.fixture(scope="module", name="opened")
def _opened(request, desk):
    with desk.lent(request) as page:
        open_pad(page)
        yield page


@pytest.fixture(name="page")
def _page(opened):
    """Return the page of the pad as at first."""
    opened.get_by_role("button", name="Reset").click()
    expect_weights(opened, STRAIGHT)
    yield opened
    no_problem(opened)


def rank(page, number):
    return page.get_by_role("slider", name=f"Weight of rank {number}", exact=True)


def expect_weights(page, text):
    """Wait until the sliders, the numbers below them, the curve and Python say the same."""
    weights = text.split()
    for number, weight in enumerate(weights, start=1):
        expect(rank(page, number)).to_have_value(weight)
    expect(page.locator(".ndcg-pad-row.values output")).to_have_text(weights)
    points = " ".join(f"{10 * i + 5},{100 - int(w)}" for i, w in enumerate(weights))
    expect(page.locator(".ndcg-pad polyline.own")).to_have_attribute("points", points)
    # The state line comes from Python.
    expect(state(page)).to_have_value(re.compile(f'weights="{text}"'), timeout=60_000)


# --- the rule -------------------------------------------------------------------------


PAD = STATIC / "discount_pad.js"


def test_the_rule_of_the_pad(blank):
    """No move makes a discount that rises, is zero throughout, or leaves the scale."""
    found = in_module(
        blank,
        PAD,
        """(() => {
          const wrong = [];
          let weights = [100, 90, 80, 70, 60, 50, 40, 30, 20, 10];
          for (let i = 0; i < 20000; i += 1) {
            const at = () => Math.floor(10 * Math.random());
            const high = () => -20 + 140 * Math.random();
            const [from, to] = [{ place: at(), height: high() }, { place: at(), height: high() }];
            weights = i % 2 ? m.moved(weights, to.place, to.height) : m.stroke(weights, from, to);
            const falls = weights.every((w, j) => j === 0 || w <= weights[j - 1]);
            const inside = weights.every((w) => Number.isInteger(w) && w >= 0 && w <= 100);
            if (!falls || !inside || weights[0] < 1 || weights.length !== 10) wrong.push(weights);
          }
          return wrong;
        })()""",
    )
    assert found == []
    got = in_module(
        blank,
        PAD,
        """[
          m.moved([9, 8, 7, 6], 2, 20), m.moved([9, 8, 7, 6], 1, 3), m.moved([9, 8, 7, 6], 0, 0),
          m.moved([9, 8, 7, 6], 3, 6.4), m.moved([9, 8, 7, 6], 1, 8.5),
          m.stroke([90, 0, 0, 0], { place: 0, height: 80 }, { place: 3, height: 20 }),
          m.stroke([90, 0, 0, 0], { place: 3, height: 20 }, { place: 0, height: 80 }),
        ]""",
    )
    assert got == [
        [20, 20, 20, 6],
        [9, 3, 3, 3],
        [1, 1, 1, 1],
        [9, 8, 7, 6],
        [9, 9, 7, 6],
        [90, 60, 40, 20],
        [80, 60, 40, 0],  # the rank where a stroke begins is drawn before it
    ]


# --- the ways to draw -----------------------------------------------------------------


def test_by_keyboard_alone(page):
    expect_weights(page, STRAIGHT)
    page.get_by_role("button", name="Reset").focus()
    for _ in range(3):  # over the two groups of choices
        page.keyboard.press("Tab")
    expect(rank(page, 1)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(rank(page, 3)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    expect_weights(page, "100 90 82 70 60 50 40 30 20 10")
    page.keyboard.press("PageUp")
    expect_weights(page, "100 92 92 70 60 50 40 30 20 10")  # rank 2 is lifted along
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    expect_weights(page, "100 92 90 70 60 50 40 30 20 10")
    for _ in range(3):
        page.keyboard.press("PageDown")
    expect_weights(page, "100 92 60 60 60 50 40 30 20 10")  # rank 4 comes down with it
    page.keyboard.press("Home")
    expect_weights(page, "100 92 0 0 0 0 0 0 0 0")
    page.keyboard.press("End")
    expect_weights(page, "100 100 100 0 0 0 0 0 0 0")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Home")  # a discount of zeros alone is none
    expect_weights(page, "1 1 1 0 0 0 0 0 0 0")
    wait_for_title(page, "Your NDCG is 0.7500")
    page.keyboard.press("d")  # twice would delete the cell, were the keys JupyterLab's
    page.keyboard.press("d")
    expect(page.locator(".ndcg-pad")).to_have_count(1)

    grades = page.locator(".ndcg-pad-row").filter(has_text="grade")
    expect(grades).to_have_text("grade2313000000")
    page.get_by_role("radio", name="one ranking").focus()
    page.keyboard.press("ArrowRight")
    wait_for_title(page, "agree on 70.9% of 2,000 pairs")
    expect(grades).to_have_count(0)
    page.get_by_role("radio", name="1 / log2(rank + 1)").focus()
    page.keyboard.press("ArrowRight")
    wait_for_title(page, "Your discount and 1 / rank")
    ghost = page.locator(".ndcg-pad polyline.ghost")
    expect(ghost).to_have_attribute("points", re.compile("^5,0 15,50 25,66.6667 "))
    expect(page.locator(".ndcg-pad-key")).to_contain_text("1 / rank")
    page.get_by_role("button", name="log2").press("Enter")
    expect_weights(page, "100 63 50 43 39 36 33 32 30 29")
    page.get_by_role("button", name="Reset").press("Enter")
    expect_weights(page, STRAIGHT)


def spot(page, number, weight):
    """Return where a weight of a rank stands on the screen."""
    box = page.locator(".ndcg-pad-plot").bounding_box()
    x = box["x"] + box["width"] * (number - 0.5) / 10
    return x, box["y"] + box["height"] * (1 - weight / 100)


def weights_now(page):
    return [int(text) for text in page.locator(".ndcg-pad-row.values output").all_inner_texts()]


def test_thumbs_are_the_points_of_the_curve(page):
    """A press on a point takes it as it is; the native thumb is drawn where the point is."""
    page.add_style_tag(content=".ndcg-pad-plot .ghost { display: none; }")  # lies on thumbs
    for number, weight in ((1, 100), (4, 70), (10, 10)):
        x, y = spot(page, number, weight)
        shot = page.screenshot(clip=dict(x=x - 3, y=y - 3, width=6, height=6))
        middle = page.evaluate(
            """async (png) => {
              const image = new Image();
              image.src = `data:image/png;base64,${png}`;
              await image.decode();
              const canvas = Object.assign(document.createElement("canvas"), image);
              const context = canvas.getContext("2d");
              context.drawImage(image, 0, 0);
              return [...context.getImageData(3, 3, 1, 1).data];
            }""",
            base64.b64encode(shot).decode(),
        )
        assert middle == [0xD5, 0x5E, 0, 255]
    x, y = spot(page, 4, 70)
    page.mouse.move(x, y + 6)
    page.mouse.down()
    page.mouse.up()
    expect_weights(page, STRAIGHT)
    expect(rank(page, 4)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect_weights(page, "100 90 80 69 60 50 40 30 20 10")


def test_by_mouse(page):
    page.mouse.move(*spot(page, 5, 25))
    page.mouse.down()
    expect_weights(page, "100 90 80 70 25 25 25 25 20 10")
    page.mouse.move(*spot(page, 5, 75))
    expect_weights(page, "100 90 80 75 75 50 40 30 20 10")  # later ranks come back
    page.mouse.move(*spot(page, 5, 60))
    page.mouse.up()
    expect_weights(page, STRAIGHT)
    page.mouse.move(*spot(page, 8, 90))  # nothing is held
    expect_weights(page, STRAIGHT)

    page.mouse.move(*spot(page, 1, 80))
    page.mouse.down()
    page.mouse.move(*spot(page, 10, 8))  # in one jump: the ranks between are on the line
    expect_weights(page, "80 72 64 56 48 40 32 24 16 8")
    page.mouse.move(*spot(page, 4, 20))
    page.mouse.move(*spot(page, 3, 300))  # above the pad, and above its scale
    page.mouse.up()
    assert weights_now(page)[:3] == [100, 100, 100]
    expect(rank(page, 3)).to_be_focused()
    page.mouse.move(*spot(page, 2, 50))
    page.mouse.down(button="right")
    page.mouse.up(button="right")
    page.keyboard.press("Escape")  # JupyterLab's menu
    assert weights_now(page)[:3] == [100, 100, 100]


def test_drawing_is_followed_by_the_figure(page):
    """Many moves of the pointer in a row: the list follows before it is let go.

    The last of them is what stays, everywhere.
    """
    page.mouse.move(*spot(page, 1, 100))
    page.mouse.down()
    for number in range(1, 11):
        page.mouse.move(*spot(page, number, 100 * 0.7 ** (number - 1)), steps=8)
    weights = weights_now(page)
    assert weights == pytest.approx([100 * 0.7**i for i in range(10)], abs=1)
    expect_weights(page, " ".join(map(str, weights)))
    wait_for_title(page, f"Your NDCG is {ndcg_of(weights):.4f}")
    shapes = page.locator(".ndcg-figure").evaluate("(e) => e.layout.shapes")
    terms = [2 * weights[0], 3 * weights[1], weights[2], 3 * weights[3]]
    shares = [term / sum(terms) for term in terms]
    assert [bar["x1"] for bar in shapes[:-1]] == pytest.approx(shares, abs=1e-6)
    assert shapes[-1]["xanchor"] == pytest.approx(ndcg_of(weights), abs=1e-6)
    page.mouse.up()
    expect_weights(page, " ".join(map(str, weights)))


def ndcg_of(weights):
    ranking, ideal = [2, 3, 1, 3], [3, 3, 2, 1]
    reached, best = (
        sum(g * w for g, w in zip(grades, weights, strict=False)) for grades in (ranking, ideal)
    )
    return reached / best


def test_by_touch(page):
    lab.Finger(page).stroke([spot(page, number, 105 - 5 * number) for number in range(1, 11)])
    expect_weights(page, "100 95 90 85 80 75 70 65 60 55")
    action = "(e) => getComputedStyle(e).touchAction"
    assert page.locator(".ndcg-pad-plot").evaluate(action) == "none"
    assert page.locator(".ndcg-figure").evaluate(action) == "auto"


# --- what stays -----------------------------------------------------------------------


def test_reopen_copy_and_restore(page):
    page.get_by_role("radio", name="0.8^(rank − 1)").check(force=True)
    page.get_by_role("radio", name="many pairs").check(force=True)
    rank(page, 6).press("Home")
    drawn = "100 90 80 70 60 0 0 0 0 0"
    expect_weights(page, drawn)
    line = f'own-discount: weights="{drawn}" beside=geometric shows=pairs'
    expect(state(page)).to_have_value(line)
    page.get_by_role("button", name="Copy the state").press("Enter")
    expect(page.locator(".ndcg-said")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == line

    lab.save_and_reopen(page)
    wait_for_figures(page)
    expect_weights(page, drawn)
    wait_for_title(page, "Your discount and 0.8^(rank − 1)")
    page.get_by_role("button", name="Reset").press("Enter")
    expect_weights(page, STRAIGHT)
    state(page).press("Control+a")
    page.keyboard.press("Control+v")
    page.keyboard.press("Enter")
    expect_weights(page, drawn)
    expect(page.get_by_role("radio", name="many pairs")).to_be_checked()

    state(page).fill('own-discount: weights="1 2 3 4 5 6 7 8 9 10" beside=log shows=pairs')
    page.keyboard.press("Enter")
    said = page.locator(".ndcg-said").filter(has_text="weights must not rise with the rank")
    said.wait_for()
    for number, weight in enumerate(drawn.split(), start=1):
        expect(rank(page, number)).to_have_value(weight)


# --- names and sizes ------------------------------------------------------------------


def test_names_and_roles(page):
    pad = page.get_by_role("group", name="Your discount: the weight of each rank")
    expect(pad.get_by_role("slider")).to_have_count(10)
    for number in range(1, 11):
        expect(
            pad.get_by_role("slider", name=f"Weight of rank {number}", exact=True)
        ).to_have_count(1)
    ranges = "(all) => all.map((e) => [e.min, e.max, e.step].join())"
    assert set(pad.get_by_role("slider").evaluate_all(ranges)) == {"0,100,1"}
    assert pad.locator("svg").get_attribute("aria-hidden") == "true"
    assert (
        page.locator(".ndcg-pad").evaluate("(e) => e.getAnimations({subtree: true}).length") == 0
    )


def test_a_narrow_window(page):
    """The pad stands above the figure, and neither is cut off."""
    page.set_viewport_size({"width": 760, "height": 900})
    lab.settle(page)
    pad = page.locator(".ndcg-pad")
    left, figure = pad.bounding_box(), page.locator(".ndcg-figure").bounding_box()
    assert left["y"] + left["height"] <= figure["y"]
    explorer = page.locator(".ndcg-explorer").bounding_box()
    for box in (left, figure):
        assert box["x"] >= explorer["x"]
        assert box["x"] + box["width"] <= explorer["x"] + explorer["width"]
    assert pad.evaluate(lab.IN_THE_PAD) == []
    page.mouse.move(*spot(page, 9, 5))
    page.mouse.down()
    page.mouse.up()
    expect_weights(page, "100 90 80 70 60 50 40 30 5 5")
    page.set_viewport_size(lab.PROJECTOR)
