"""The notebooks in real JupyterLab and under Voilà, in headless Chromium.

What no test without a browser can see: that an explorer is drawn at all, answers
the keyboard, survives a reload, and asks nothing of the network.
"""

import shutil
from pathlib import Path

import lab
import nbformat
import pytest
from playwright.sync_api import expect

from helpers.breakdown import breakdown, cutoff_curves
from helpers.course.explorers.slide_k import EXAMPLES

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
MEGABYTE = 1_000_000

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)


def write_notebook(path, *sources):
    """Write a notebook of code cells that has not run."""
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(s) for s in sources])
    nb.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nb, path)


@pytest.fixture(scope="module", name="address")
def _address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course")
    for notebook in NOTEBOOKS:
        shutil.copy(notebook, folder)
    write_notebook(
        folder / "wire.ipynb",
        "from helpers.course.explorers import slide_k, term_ledger",
        "term_ledger()",
        "slide_k()",
    )
    with lab.lab(folder) as address:
        yield address


def wait_for_figures(page):
    """Return once every stage on the page has its chart."""
    page.wait_for_function(
        """() => {
          const stages = [...document.querySelectorAll(".ndcg-figure")];
          return stages.length > 0 && stages.every((s) => s.querySelector(".main-svg"));
        }""",
        timeout=60_000,
    )


def drawn(page, trace):
    """Return the y values that plotly has drawn for one trace of the first stage."""
    return page.evaluate(
        "(trace) => [...document.querySelector('.ndcg-figure').data[trace].y]", trace
    )


def wait_for_title(page, text):
    """Return once the chart itself, not only a trait, shows a title with this text."""
    page.wait_for_function(
        """(text) => [...document.querySelectorAll(".ndcg-figure .gtitle")].some((title) =>
          title.textContent.replace(/\\s/g, "").includes(text.replace(/\\s/g, "")))""",
        arg=text,  # a line break of a title has no letter of its own
        timeout=20_000,
    )


def slider(page):
    return page.locator(".ndcg-slider input").first


def errors_in_outputs(page):
    return page.locator(
        '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.error"],'
        '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stderr"]'
    ).all_inner_texts()


def open_notebook(page, address, name):
    lab.run_all(page, address, name)
    wait_for_figures(page)


def no_problem(page):
    assert errors_in_outputs(page) == []
    assert page.get_by_text("could not be drawn").count() == 0
    assert page.outside == []
    assert page.problems == []


# anywidget gives up on a widget whose module has not arrived two seconds after its model,
# as on a machine that is busy elsewhere; the course's widgets (static/listen.js) do not.
TOO_SLOW = "[anywidget] Failed to initialize model."
# Words that leave the chart, cover each other, or reach into a panel from beside it. Of the
# height of a word's box a third is air.
TROUBLES = """(figure) => {
  const chart = figure.getBoundingClientRect();
  const marks = ".gtitle, .legendtext, .annotation-text, .bartext, .textpoint text, .xtitle, "
    + ".x2title, .x3title, .ytitle, .y2title, .y3title, [class$=tick] text";
  const boxes = [...figure.querySelectorAll(marks)].map((word) => {
    const { left, right, top, bottom } = word.getBoundingClientRect();
    const upright = word.matches(".ytitle, .y2title, .y3title");
    const air = upright ? 0 : (bottom - top) / 6;
    return { text: word.textContent.trim(), left, right, top: top + air, bottom: bottom - air };
  }).filter((box) => box.text && box.right > box.left);
  const outside = boxes.filter((b) => b.left < chart.left - 1 || b.right > chart.right + 1
    || b.top < chart.top - 1 || b.bottom > chart.bottom + 1).map((b) => b.text + " leaves");
  const over = boxes.flatMap((a, i) => boxes.slice(i + 1)
    .filter((b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)
    .map((b) => `${a.text} covers ${b.text}`));
  const panels = [...figure.querySelectorAll(".nsewdrag")].map((p) => p.getBoundingClientRect());
  const beside = [...figure.querySelectorAll("[class$=tick] text, [class$=title]")];
  const into = beside.filter((word) => {
    const box = word.getBoundingClientRect();
    return panels.some((p) => Math.min(box.right, p.right) - Math.max(box.left, p.left) > 2
      && Math.min(box.bottom, p.bottom) - Math.max(box.top, p.top) > 2);
  }).map((word) => word.textContent + " reaches into a panel");
  const names = figure.querySelector(".legend")?.getBoundingClientRect();
  const inside = names && panels.some((p) =>
    Math.min(names.right, p.right) > Math.max(names.left, p.left)
    && Math.min(names.bottom, p.bottom) - Math.max(names.top, p.top) > 1);
  return [...outside, ...over, ...into, ...(inside ? ["the legend is in the panel"] : [])];
}"""
DRAWN = "(n) => document.querySelectorAll('.js-plotly-plot .main-svg:first-child').length >= n"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_run_all(address, page, notebook):
    figures = stored_figures(notebook)
    lab.run_all(page, address, notebook.name)
    page.wait_for_function(DRAWN, arg=figures, timeout=60_000)
    assert errors_in_outputs(page) == []
    outputs = page.locator(".jp-OutputArea-output")
    assert outputs.get_by_text("Error displaying widget").count() == 0
    assert outputs.get_by_text("and the controls appear").count() == 0  # for stored pages only
    assert page.get_by_text("could not be drawn").count() == 0
    assert page.locator(".js-plotly-plot").count() == figures
    lists = page.locator(".ndcg-drag-body li")
    assert (lists.count() > 0) == any(
        "drag_list(" in cell.source for cell in nbformat.read(notebook, 4).cells
    )
    assert page.locator("[data-title*='Share'], .modebar-btn").count() == 0
    for window in WINDOWS:  # F11, a bookmarks bar, a sidebar: none of it may cost a figure
        page.set_viewport_size(window)
        page.wait_for_timeout(500)
        page.wait_for_function(f"() => {COLLAPSED}.length === 0", timeout=20_000)
    figures = page.locator(".jp-RenderedPlotly .js-plotly-plot")
    assert figures.evaluate_all(f"(all) => all.flatMap({TROUBLES})") == []
    assert page.outside == []
    assert [problem for problem in page.problems if TOO_SLOW not in problem] == []


WINDOWS = [{"width": w, "height": h} for w, h in ((1366, 700), (1366, 768), (1280, 720))]
COLLAPSED = """[...document.querySelectorAll(".jp-RenderedPlotly")].map((place) => {
  const drawn = place.querySelector(".main-svg").getBoundingClientRect();
  const { width, height } = place.getBoundingClientRect();
  return [width, height, drawn.width];
}).filter(([width, height, drawn]) => height < 100 || Math.abs(width - drawn) > 1)"""


def stored_figures(path):
    """Count the charts of a notebook: the self-test's included, the list to drag not."""
    nb = nbformat.read(path, 4)
    cells = [c for c in nb.cells if c.cell_type == "code" and "drag_list(" not in c.source]
    outputs = [output for cell in cells for output in cell.outputs]
    figures = sum("application/vnd.plotly.v1+json" in o.get("data", {}) for o in outputs)
    return figures + sum("self_test()" in cell.source for cell in cells)


def test_self_test_hears_the_page(address, page):
    lab.run_all(page, address, "00_start_here.ipynb")
    page.get_by_text("The figure works").wait_for(timeout=30_000)
    slider(page).focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text("The slider works").wait_for()
    page.get_by_role("button", name="Click me").press("Enter")
    page.get_by_text("All three work. You are ready.").wait_for()


def test_ledger_by_keyboard(address, page):
    lab.run_all(page, address, "02_gain_discounted.ipynb")
    wait_for_figures(page)
    assert drawn(page, 1) == [3, None, None, None, None]
    slider(page).focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    wait_for_title(page, "DCG@5 = 6.1487")
    expected = breakdown([3, 2, 3, 0, 1], [5, 4, 3, 2, 1]).column("contribution")
    assert drawn(page, 1) == pytest.approx(expected, abs=1e-5)
    assert page.locator("math").first.locator(".later").count() == 0
    page.get_by_role("radio", name="2^grade − 1").check()
    wait_for_title(page, "Rank 5 adds 1 / log2(6) = 0.3869: DCG@5")
    page.get_by_role("radio", name="worst").check()
    wait_for_title(page, "Rank 5 adds 7 / log2(6) = 2.7080: worst DCG@5")
    expected = breakdown([0, 1, 2, 3, 3], [5, 4, 3, 2, 1], gain="exponential")
    assert drawn(page, 1) == pytest.approx(expected.column("contribution"), abs=1e-5)
    page.get_by_role("radio", name="as ranked").check()
    page.get_by_role("radio", name="grade", exact=True).check()
    wait_for_title(page, "DCG@5 = 6.1487")
    slider(page).press("Home")
    wait_for_title(page, "Nothing counted yet")
    expect(slider(page)).to_have_attribute("aria-label", "Ranks counted")


def test_bet_is_answered(address, page):
    lab.run_all(page, address, "02_gain_discounted.ipynb")
    group = page.get_by_role("group", name="Your bet").first
    group.get_by_role("radio", name="A. Rank 1 with rank 2").check()
    page.keyboard.press("ArrowDown")  # inside the group, not to the next cell
    page.get_by_text("You bet B: Rank 2 with rank 3. Right.").wait_for()


def test_slide_k_survives_a_reload(address, page):
    lab.run_all(page, address, "04_cutoff.ipynb")
    wait_for_figures(page)
    group = page.get_by_role("group", name="Ideal from")
    group.get_by_role("radio", name="the list that came back").focus()
    page.keyboard.press("ArrowRight")
    expect(group.get_by_role("radio", name="everything judged")).to_be_checked()
    slider(page).focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    wait_for_title(page, "k = 5:")
    page.keyboard.press("Control+s")
    page.wait_for_timeout(1_000)
    page.reload()
    wait_for_figures(page)
    expect(slider(page)).to_have_value("5")
    wait_for_title(page, "k = 5:")
    listed, missed = EXAMPLES["zigzag"]
    curves = cutoff_curves(listed, range(8, 0, -1), pool=listed + missed)
    assert drawn(page, 1) == pytest.approx(curves.ndcg, abs=1e-5)
    slider(page).focus()
    page.keyboard.press("End")
    wait_for_title(page, "k = 8:")  # and it still answers
    grades = page.get_by_role("group", name="Grades")
    grades.get_by_role("radio", name="1, 0, 0 | missed: 3, 3, 3").check()
    wait_for_title(page, "k = 3: DCG 1.0000")
    expect(slider(page)).to_have_attribute("max", "3")
    assert len(drawn(page, 1)) == 3


def test_a_widget_that_came_late_still_hears(address, page):
    """With anywidget's patience of two seconds cut to nothing, every widget comes late."""
    page.add_init_script(
        """const patience = AbortSignal.timeout.bind(AbortSignal);
        AbortSignal.timeout = (ms) => patience(ms === 2000 ? 0 : ms);"""
    )
    lab.run_all(page, address, "04_cutoff.ipynb")
    wait_for_figures(page)
    assert any(TOO_SLOW in problem for problem in page.problems)
    slider(page).press("ArrowRight")
    wait_for_title(page, "k = 2: DCG 3.0000")
    page.get_by_role("button", name="Missed 3s").press("Enter")
    wait_for_title(page, "k = 3: DCG 1.0000")
    page.get_by_role("button", name="Reset").first.press("Enter")
    wait_for_title(page, "k = 1:")
    expect(slider(page)).to_have_value("1")
    assert all(TOO_SLOW in problem for problem in page.problems)


def test_wire(address, page):
    """The first explorer of a page costs at most 6 MB, the next at most 0.5 MB."""
    received = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda f: received.append(f)))
    page.goto(f"{address}/lab/tree/wire.ipynb?reset")
    page.get_by_text("| Idle").wait_for(timeout=60_000)
    page.locator(".jp-CodeCell").first.click()
    costs = []
    for stages in (0, 1, 2):
        received.clear()
        page.keyboard.press("Shift+Enter")
        page.wait_for_function(
            "(n) => document.querySelectorAll('.ndcg-figure .main-svg:first-child').length >= n",
            arg=stages,
            timeout=60_000,
        )
        page.wait_for_timeout(1_500)
        costs.append(sum(len(frame) for frame in received))
    assert 1 * MEGABYTE < costs[1] < 6 * MEGABYTE  # plotly.js is in it, once
    assert 0 < costs[2] < 0.5 * MEGABYTE


def test_voila_shows_what_the_controls_say(page, tmp_path):
    write_notebook(
        tmp_path / "room.ipynb",
        "from helpers.course.explorers import slide_k",
        "explorer = slide_k()\nexplorer.set(k=5, pool='judged')\nexplorer",
    )
    command = ["voila", "room.ipynb", "--Voila.ip=127.0.0.1"]
    with lab.serve(command, tmp_path, "/") as address:
        page.goto(address)
        wait_for_figures(page)
        expect(slider(page)).to_have_value("5")
        wait_for_title(page, "k = 5:")
        slider(page).focus()
        page.keyboard.press("ArrowRight")
        wait_for_title(page, "k = 6:")
        # Voilà's own template asks for its icon fonts; the page does without them.
        assert all("fontawesome" in url for url in page.outside)
        refused = [p for p in page.problems if p.startswith("Failed to load resource")]
        assert len(refused) <= len(page.outside)
        assert page.problems == refused
