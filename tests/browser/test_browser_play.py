"""The button that plays a slider, in a bare page, beside a clock that the test sets.

It is static/slider.js and a model that only holds values: no server and no kernel is needed.
"""

import lab
import pytest
from playwright.sync_api import expect

from coursekit.widgets.part import STATIC, module

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

PACE = 400  # milliseconds
EXPLORER = """<div class="ndcg-explorer"><div id="slider"></div>
  <p class="ndcg-sentence" role="status">words</p></div>"""
# What Jupyter gives a widget, as far as a slider asks for it.
RENDER = """(values) => {
  const listeners = new Set();
  const whole = { _handle_comm_msg: async () => {} };
  globalThis.model = {
    get: (key) => values[key],
    set(key, value) {
      if (typeof key === "object") return whole;
      values[key] = value;
      listeners.forEach((listener) => listener());
    },
    save_changes() {},
    on: (_, listener) => listeners.add(listener),
    off: (_, listener) => listeners.delete(listener),
  };
  globalThis.leave = widget.render({ model, el: document.querySelector("#slider") });
}"""


@pytest.fixture(name="page")
def _page(desk):
    page = desk.page(own="clock")  # a clock stands still for a whole browser
    page.clock.install(time=0)
    page.set_content(EXPLORER)
    page.clock.pause_at(3_600_000)  # from here on it goes only where the test runs it
    source = module(STATIC / "slider.js").replace("export default", "globalThis.widget =")
    page.add_script_tag(content=source, type="module")
    page.wait_for_function("globalThis.widget")
    yield page
    assert page.problems == []
    desk.close(page)


def render(page, value, plays=True, last=6):
    values = dict(label="Epoch", min=0, max=last, value=value, origin=0, unit=1, digits=0)
    page.evaluate(RENDER, values | dict(plays=plays))


def value(page):
    """The value of the model, which is that of the slider."""
    now = page.evaluate("model.get('value')")
    expect(page.get_by_role("slider", name="Epoch")).to_have_value(str(now))
    return now


def after(page, steps):
    page.clock.run_for(PACE * steps)
    return value(page)


def press(page, name, key="Enter"):
    page.get_by_role("button", name=name, exact=True).press(key)


def is_quiet(page):
    return page.locator(".ndcg-sentence").get_attribute("aria-live") == "off"


def test_many_values_take_no_longer_than_eight_seconds(page):
    render(page, 0, last=60)
    press(page, "Play")
    page.clock.run_for(4_000)
    assert 25 <= value(page) <= 30
    page.clock.run_for(4_200)
    assert value(page) == 60


def test_it_goes_from_where_it_stands_to_the_end_and_stops(page):
    render(page, 3)
    press(page, "Play")
    page.clock.run_for(PACE - 1)
    assert value(page) == 3
    page.clock.run_for(1)
    assert [value(page), after(page, 1)] == [4, 5]
    assert is_quiet(page)  # a screen reader would fall behind
    assert after(page, 1) == 6
    assert not is_quiet(page)
    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.evaluate("model.set('value', 2)")
    assert after(page, 9) == 2


def test_at_the_end_it_begins_anew(page):
    render(page, 6)
    press(page, "Play", "Space")
    assert [value(page), after(page, 2)] == [0, 2]


def test_nothing_but_the_reader_starts_it(page):
    render(page, 0)
    assert after(page, 9) == 0
    page.evaluate("model.set('value', 3)")
    assert after(page, 9) == 3


def test_it_pauses_and_goes_on(page):
    render(page, 0)
    press(page, "Play")
    assert after(page, 2) == 2
    press(page, "Pause", "Space")
    assert not is_quiet(page)
    assert after(page, 9) == 2
    press(page, "Play")
    assert after(page, 1) == 3


@pytest.mark.parametrize("move", ["a key", "a preset"])
def test_it_stops_where_somebody_else_moves_the_slider(page, move):
    render(page, 0)
    press(page, "Play")
    assert after(page, 1) == 1
    if move == "a key":
        page.get_by_role("slider", name="Epoch").press("ArrowRight")
    else:
        page.evaluate("model.set('value', 2)")
    assert after(page, 9) == 2
    page.get_by_role("button", name="Play", exact=True).wait_for()
    assert not is_quiet(page)


def test_it_ends_with_its_view(page):
    render(page, 0)
    press(page, "Play")
    assert after(page, 1) == 1
    page.evaluate("leave()")
    page.clock.run_for(PACE * 9)
    assert page.evaluate("model.get('value')") == 1
    assert not is_quiet(page)


def test_a_slider_that_does_not_play_has_no_button(page):
    render(page, 0, plays=False)
    assert value(page) == 0
    assert page.get_by_role("button").count() == 0
