"""One visit to each explorer: all that its reader can do, and all that is seen of it.

Beside the page stands a twin, the same explorer without a browser, that makes every move,
too: after each of them the page must show what the twin says.
"""

import html
import json
import re

import lab
import pytest
from playwright.sync_api import expect
from tiers import few

from course.explorers import EXPLORERS
from course.explorers.listed import Listed, places_of
from coursekit.explorers.declaration import OneOf, Whole
from ndcglib.metrics import ndcg

pytestmark = [
    pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED),
    pytest.mark.parametrize("page", few(lab.FONTS, "wide"), indirect=True),
]

SETUP = """from helpers.notebook import *
from course.explorers import EXPLORERS
from coursekit.widgets.present import size_choice
size_choice()"""
CELLS = {name: f"EXPLORERS[{name!r}]()" for name in EXPLORERS}  # what makes an explorer
LISTS = ("drag-list", "every-order")  # to drag: the page draws them, without a stage
# States beside the presets in which much has to find room.
WIDE = {
    "slide-k": [dict(example="zigzag", k=8), dict(example="missed", pool="judged")],
    "term-ledger": [dict(rank=r, gain="exponential") for r in range(6)],
    "where-is-the-floor": [dict(labels="12 mixed", k=12, yours=74)],
    "duel": [
        dict(pair="both decide", base=27, k=5),
        dict(pair="one is better"),
        dict(pair="binary", base=20, k=7),
    ],
    "page-readers": [
        dict(gain="exponential"),
        dict(pages="one set, three orders"),
        dict(pages="great, but below", p=16),
    ],
    "one-number": [
        dict(number="40 queries", place=0, error=True),
        dict(number="C", place=80, error=True),
    ],
    "climb-stepper": [dict(run="exact", number=1, query=2)],
    "epoch-slider": [
        dict(loss="no intercept", epoch=31),
        dict(data="linear", loss="lambdarank", epoch=1),
    ],
    "compare-code": [
        dict(first=first, second=second, place=place)
        for first, second in [
            ("ids sorted as text", "gain 2^grade − 1"),
            ("ideal flipped", "ties: best order"),
            ("ideal flipped", "ideal flipped"),
        ]
        for place in (1, 20)
    ],
    "own-discount": [
        dict(shows="pairs", beside="geometric"),
        dict(weights="100 100 100 0 0 0 0 0 0 0", shows="pairs"),
    ],
    "tie-shuffler": [dict(decimals=0, draws=101, convention="random")],
    "every-order": [dict(k=1, order="3=1 0 2 4", pinned="4 3 2 1 0")],
    "drag-list": [dict(k=3, order="4 0 1 2 3")],
}
# What a push visits: every kind of control is among theirs.
KEPT = ("own-discount", "page-readers", "tie-shuffler")
WINDOWS = {"a laptop": (1366, 768), "a small laptop": (1280, 720)}


def lines_of(twin, wide):
    """Return the state lines of an explorer: its start, its presets, its wide states."""
    lines = [twin.state]
    for values in [*twin.presets.values(), *wide]:
        twin.reset()
        twin.set(**values)
        lines.append(twin.state)
    twin.reset()
    return list(dict.fromkeys(lines))


@pytest.mark.parametrize("name", few(CELLS, *KEPT))
def test_a_visit(page, name):
    """With letters as wide as Verdana's and as narrow as Arial's: fonts are the machine's."""
    twin = EXPLORERS[name]()
    lines = lines_of(twin, WIDE.get(name, []))
    lab.run_cells(page, SETUP, CELLS[name])
    notebook = page.locator(".jp-Notebook")
    agree(notebook, twin)
    if page.fonts == "wide":  # keys do not depend on the letters
        walk(notebook, twin)
        stay(page, notebook, twin)
    wrong = [
        f"{window}, {trouble}"
        for place, (window, size) in enumerate(WINDOWS.items())
        for trouble in in_the_notebook(page, window, size, twin, share(page, lines, place))
    ]
    in_tab = share(page, lines, len(WINDOWS))
    wrong += [f"projector, {trouble}" for trouble in in_a_tab(page, twin, in_tab)]
    assert not wrong, "\n".join(wrong)
    lab.no_problem(page)


def share(page, lines, place):
    """Return the states to look at in a place: all, but each in one only with narrow letters.

    So each state is seen in each place, each with both letters, and both letters in each place.
    """
    places = len(WINDOWS) + 1
    return lines if page.fonts == "wide" else lines[place % len(lines) :: places]


# --- the page and its twin ------------------------------------------------------------


def plain(text):
    """Return what is read of HTML, without spaces: a line break has none of its own."""
    return re.sub(r"\s", "", html.unescape(re.sub("<.*?>", "", text)))


def words_in(figure):
    """Return the words that marks of a figure carry: on bars, at points."""
    texts = []
    for trace in figure["data"]:
        shown = trace.get("type") == "bar" or "text" in trace.get("mode", "")
        if shown and isinstance(trace.get("text"), list) and trace.get("textposition") != "none":
            texts += [plain(str(text)) for text in trace["text"]]
    return sorted(text for text in texts if text)


def hatched_bars(trace):
    """Count the bars of a trace that are hatched, and long enough to be seen."""
    shape = trace.get("marker", {}).get("pattern", {}).get("shape", "")
    if trace.get("type") != "bar" or not shape:
        return 0
    lengths = trace["x" if trace.get("orientation") == "h" else "y"]
    shapes = [shape] * len(lengths) if isinstance(shape, str) else shape
    return sum(bool(s and length) for s, length in zip(shapes, lengths, strict=True))


def said_by(twin):
    """Return what a page must show when it shows what the twin says."""
    if isinstance(twin, Listed):
        return said_by_list(twin)
    figure, formula = twin.stage.figure, twin.stage.formula
    return {
        "state": twin.state,
        "title": plain(figure["layout"]["title"]["text"]),
        "sentence": plain(twin.stage.sentence),
        "formula": plain(formula),
        "later": formula.count('class="later"'),
        "data": json.loads(json.dumps([[t.get("x"), t.get("y")] for t in figure["data"]])),
        "words": words_in(figure),
        "hatched": sum(map(hatched_bars, figure["data"])),
        "sliders": said_by_sliders(twin),
    }


def said_by_list(twin):
    """Return it for a list to drag: its rows, and its sentence, or the score of what is beside it.

    The sentences beside scores tell of moves; test_browser_drag_list.py has these.
    """
    order, declaration = places_of(twin.values["order"]), twin.declaration
    is_open = twin.values.get("shown", True)
    said = declaration.view(**twin.values).sentence
    if declaration.picture == "scores":
        rules = {"k": twin.values["k"], **declaration.fixed}
        said = f"{ndcg(twin.ranked_grades, ranked=True, **rules):.4f}" if is_open else "?"
    return {
        "state": twin.state,
        "rows": [plain(declaration.titles[place]) for place in order],
        "grades": [str(declaration.grades[p]) if is_open else "?" for p in order],
        "said": plain(said),
        "sliders": said_by_sliders(twin),
    }


def said_by_sliders(twin):
    """Return the value, the end and the words of each slider, by its label."""
    declared = twin.declaration.controls.items()
    names = [name for name, one in declared if isinstance(one, Whole) and not one.typed]
    now = {name: twin.controls[name] for name in names}  # a label or an end may have changed
    return {now[name].label: said_by_slider(now[name], twin.values[name]) for name in names}


def said_by_slider(slider, value):
    number = round(slider.origin + slider.unit * value, slider.digits) or 0
    text = f"{number:.{slider.digits}f}".replace("-", "−")
    return [str(value), str(slider.max), text, text]


SEEN = """(root) => {
  const plain = (e) => e ? e.textContent.replace(/\\s/g, "") : "";
  const find = (selector) => root.querySelector(selector);
  const all = (selector) => [...root.querySelectorAll(".ndcg-figure " + selector)];
  const texts = (selector) => [...root.querySelectorAll(selector)].map(plain);
  const sliders = Object.fromEntries([...root.querySelectorAll(".ndcg-slider")].map((one) => {
    const [input, output] = [one.querySelector("input"), one.querySelector("output")];
    const said = input.getAttribute("aria-valuetext");
    return [input.ariaLabel, [input.value, input.max, said, output.textContent]];
  }));
  const state = find(".ndcg-state input").value;
  if (find(".ndcg-list")) return JSON.stringify({
    state,
    rows: texts(".ndcg-handle"),
    grades: texts(".ndcg-grade b"),
    said: plain(find(".ndcg-with-dots .ndcg-status, .ndcg-open strong")),
    sliders,
  });
  return JSON.stringify({
    state,
    title: plain(find(".ndcg-figure .gtitle")),
    sentence: plain(find(".ndcg-sentence")),
    formula: plain(find(".ndcg-formula")),
    later: root.querySelectorAll(".ndcg-formula .later").length,
    data: find(".ndcg-figure").data?.map((t) => [t.x ?? null, t.y ?? null]), // none yet: wait
    words: all(":is(.bartext, .textpoint text)").map(plain).filter((t) => t).sort(),
    hatched: all(".bars .point path").filter((bar) => {
      const { width, height } = bar.getBBox(); // without its line
      return width * height > 0 && getComputedStyle(bar).fill.includes("url(");
    }).length,
    sliders,
  });
}"""


def agree(where, twin):
    """Wait until the page shows what the twin says; fail with what differs."""
    expected = said_by(twin)
    seen = {}
    for pause in (0, 20, 30, 40, 50, 60, 100, 200, 400, 1_000, 2_000, 4_000, 8_000):
        where.page.wait_for_timeout(pause)
        seen = json.loads(where.evaluate(SEEN))  # as text: many numbers take long to come
        if seen == expected:
            break
    differs = {key: (seen[key], expected[key]) for key in expected if seen[key] != expected[key]}
    assert not differs


# --- all that a reader can do, by keyboard --------------------------------------------


def walk(where, twin):
    """Move every control over its values by keys, and press every button."""
    press_every_button(where, twin)
    for name, control in twin.declaration.controls.items():
        if isinstance(control, OneOf):
            (go_down if control.listed else go_round)(where, twin, name)
        elif isinstance(control, Whole):
            (step_up if control.typed else slide)(where, twin, name)


def press_every_button(where, twin):
    for label, values in twin.presets.items():
        where.get_by_role("button", name=label, exact=True).press("Enter")
        twin.set(**values)
        agree(where, twin)
        where.get_by_role("button", name="Reset").press("Enter")
        twin.reset()
        agree(where, twin)


def press(handle, key, where, twin, **values):
    """Press a key on a control; the twin takes its value."""
    handle.press(key)
    twin.set(**values)
    agree(where, twin)


def step_up(where, twin, name):
    """One step up, or on a page without Python to the next number that it has."""
    before, line = twin.values[name], lab.state(where)
    where.get_by_role("spinbutton", name=twin.controls[name].label).press("ArrowUp")
    expect(line).not_to_have_value(twin.state)
    twin.restore(line.input_value())
    assert twin.values[name] > before
    agree(where, twin)


def slide(where, twin, name):
    control = twin.controls[name]
    handle = where.get_by_role("slider", name=control.label, exact=True)
    press(handle, "Home", where, twin, **{name: control.min})
    press(handle, "ArrowRight", where, twin, **{name: control.min + 1})
    press(handle, "End", where, twin, **{name: control.max})
    press(handle, "ArrowLeft", where, twin, **{name: control.max - 1})
    if control.plays:
        play(where, twin, name)


def play(where, twin, name):
    """Play to the end, where it stops; then from the first value, and pause."""
    control, button = twin.controls[name], where.get_by_role("button", name="Play", exact=True)
    press(button, "Enter", where, twin, **{name: control.max})
    button.press("Enter")
    where.get_by_role("button", name="Pause", exact=True).press("Space")
    handle = where.get_by_role("slider", name=control.label, exact=True)
    twin.set(**{name: int(handle.input_value())})
    assert twin.values[name] < control.max
    agree(where, twin)


def go_round(where, twin, name):
    """Press an arrow once for each value: after the last one it chooses the first."""
    choice = twin.declaration.controls[name]
    values = choice.values()
    radios = where.get_by_role("group", name=choice.label, exact=True).get_by_role("radio")
    for _ in values:
        at = values.index(twin.values[name])
        after = (at + 1) % len(values)
        radios.nth(at).focus()
        press(where.page.keyboard, "ArrowRight", where, twin, **{name: values[after]})
        expect(radios.nth(after)).to_be_checked()


def go_down(where, twin, name):
    """From the first to the last by the arrow, and back to the first by its first letter."""
    pick = twin.declaration.controls[name]
    (text, *_), (first, *others) = pick.options, pick.values()
    handle = where.get_by_role("combobox", name=pick.label, exact=True)
    press(handle, "Home", where, twin, **{name: first})
    for value in others:
        press(handle, "ArrowDown", where, twin, **{name: value})
    press(handle, text[0], where, twin, **{name: first})
    expect(handle).to_have_value(text)


def stay(page, where, twin):
    """Opened anew, it shows the present state; a line brings another; Reset the start.

    (JupyterLab itself is loaded anew by test_browser_present.py: that takes its time.)
    """
    *_, values = twin.presets.values()
    twin.set(**values)
    restore(where, twin.state)
    agree(where, twin)
    lab.save_and_reopen(page)
    lab.wait_for_figures(page)
    agree(where, twin)
    where.get_by_role("button", name="Reset").press("Enter")
    twin.reset()
    agree(where, twin)
    summary, table = where.get_by_text("The numbers as a table"), where.locator("details table")
    summary.press("Enter")
    expect(table.locator("tr")).not_to_have_count(0)
    if not isinstance(twin, Listed):  # its tables are tested where the lists are
        assert plain(table.text_content()) == plain(twin.stage.table)
    summary.press("Enter")


def restore(where, line):
    lab.state(where).fill(line)
    lab.state(where).press("Enter")


# --- all that is seen of it -----------------------------------------------------------

OVERFLOW = "(box) => box.scrollWidth - box.clientWidth"
# The names of the levels stand beside the paths of the epochs.
OVER_THE_PATHS = """(figure) => {
  const plots = [...figure.querySelectorAll(".nsewdrag")].map((p) => p.getBoundingClientRect());
  const right = Math.max(...plots.map((plot) => plot.right));
  const names = [...figure.querySelectorAll(".annotation-text")]
    .filter((name) => /^(random|generating|ceiling)/.test(name.textContent));
  const over = names.filter((name) => name.getBoundingClientRect().left < right);
  return [...over.map((name) => name.textContent + " is over the paths"),
    ...(names.length === 3 ? [] : ["there are " + names.length + " names of levels"])];
}"""
SIZES = "(all) => all.map((e) => parseFloat(getComputedStyle(e).fontSize))"

# Of a list to drag: what is cut, leaves the card, or is written over something else.
OF_A_LIST = """async (root) => {
  await Promise.all(root.getAnimations({ subtree: true }).map((one) => one.finished));
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


def troubles(where):
    """Return what is wrong with what is on the screen, without its height."""
    lab.settle(where.page)
    explorer, figure = where.locator(".ndcg-explorer"), where.locator(".ndcg-figure")
    if where.locator(".ndcg-list").count():
        found = explorer.evaluate(OF_A_LIST)  # once its rows stand still
        return [*found, *explorer.evaluate(lab.COVERED)]
    found = [*explorer.evaluate(lab.COVERED), *figure.evaluate(lab.TROUBLES)]
    formula = where.locator(".ndcg-formula")
    wide = formula.evaluate(OVERFLOW) if formula.is_visible() else 0
    found += [f"the formula is {wide} px too wide"] if wide > 0 else []
    if lab.state(where).input_value().startswith("epoch-slider"):
        found += figure.evaluate(OVER_THE_PATHS)
    if where.locator(".ndcg-pad").count():
        found += troubles_beside(where)
    return found


def troubles_beside(where):
    """Return what is wrong with a pad, which stands beside its figure."""
    pad, figure = where.locator(".ndcg-pad"), where.locator(".ndcg-figure").bounding_box()
    box, words = pad.bounding_box(), where.locator(".ndcg-sentence").bounding_box()
    beside = box["x"] + box["width"] <= figure["x"] and figure["width"] > 370
    above = box["y"] + box["height"] <= words["y"]
    found = pad.evaluate(lab.IN_THE_PAD)
    folded = where.locator("summary").bounding_box()
    if folded["y"] < words["y"] + words["height"]:
        found.append("what unfolds lies on the sentence")
    if where.locator(".ndcg-large .ndcg-pad").count():
        sizes = pad.locator(":is(span, output, b, p)").evaluate_all(SIZES)
        found += [f"letters of {size} px" for size in sizes if size < 20]
    return found if beside and above else [*found, "the pad is not beside its figure"]


def height(where, end=lab.SENTENCE):
    """Return the pixels from the question to the end of the sentence, or of another part."""
    top = where.locator(".ndcg-explorer").bounding_box()["y"]
    last = where.locator(end).bounding_box()
    return last["y"] + last["height"] - top


def in_the_notebook(page, window, size, twin, lines):
    """Yield what is wrong in a window, beside JupyterLab's file browser."""
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    notebook = page.locator(".jp-Notebook")
    panel = page.locator(".jp-WindowedPanel-outer").first
    is_tight = (page.fonts, window) == ("wide", "a small laptop")  # one scrolls to the words
    for line in lines:
        show(notebook, twin, line)
        yield from (f"{line}: {trouble}" for trouble in troubles(notebook))
        needed = height(notebook, lab.FIGURE if is_tight else lab.SENTENCE)
        room, explorer = panel.bounding_box(), notebook.locator(".ndcg-explorer").bounding_box()
        if needed > room["height"] or explorer["width"] > room["width"]:
            yield f"{line}: {needed:.0f} px high, {room['height']:.0f} are there"


def show(where, twin, line):
    """Bring page and twin to a state."""
    restore(where, line)
    twin.restore(line)
    agree(where, twin)


def in_a_tab(page, twin, lines):
    """Yield what is wrong at projector size in a tab of its own, which moves the notebook."""
    page.get_by_role("radio", name="a projector").check(force=True)
    twin.present()
    notebook = page.locator(".jp-Notebook")
    agree(notebook, twin)
    view = lab.open_tab(page)
    agree(view, twin)
    view.get_by_role("button", name="Reset").click()
    twin.reset()
    agree(view, twin)
    agree(notebook, twin)
    show(notebook, twin, lines[-1])
    agree(view, twin)
    lab.fill_the_window(page, view)
    room = view.bounding_box()
    for line in lines:
        show(view, twin, line)
        yield from (f"{line}: {trouble}" for trouble in troubles(view))
        figure = view.locator(lab.FIGURE).bounding_box()
        over = figure["y"] + figure["height"] - room["y"] - room["height"]
        needed = height(view)
        if over > 0 or needed > 720:  # without JupyterLab
            yield f"{line}: figure {over:.0f} px over, {needed:.0f} px in all"


def test_the_fonts_are_those_that_were_asked_for(page):
    """Else all above would be tested with whatever this machine has."""
    widths = {"wide": 1307, "narrow": 1192}  # of this line, per 100 px of letters
    for family in ("sans-serif", "system-ui", "Open Sans, Arial, DejaVu Sans"):
        width = page.evaluate(
            """(family) => {
              const pen = document.createElement("canvas").getContext("2d");
              pen.font = `100px ${family}`;
              return Math.round(pen.measureText("NDCG rewards good order").width);
            }""",
            family,
        )
        assert width == widths[page.fonts], f"on Debian: {lab.NEEDED}"
