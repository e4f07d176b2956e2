"""The notebooks in real JupyterLab, in headless Chromium.

What no test without a browser can see: that an explorer is drawn at all, answers
the keyboard, survives a reload, and asks nothing of the network.
"""

import re
import shutil
from pathlib import Path

import lab
import nbformat
import pytest
from lab import slider, wait_for_title
from playwright.sync_api import expect
from tiers import few

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
# One with the self-test, one with a list to drag.
KEPT = [path for path in NOTEBOOKS if path.stem[3:] in ("start_here", "order")]
MEGABYTE = 1_000_000

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)


DRAWN = "(n) => document.querySelectorAll('.js-plotly-plot .main-svg:first-child').length >= n"


@pytest.mark.parametrize("notebook", few(NOTEBOOKS, *KEPT), ids=lambda path: path.name)
def test_run_all(desk, page, notebook):
    figures = stored_figures(notebook)
    shutil.copy(notebook, desk.folder)
    page.set_viewport_size({"width": 1366, "height": 768})
    lab.run_all(page, notebook.name)
    most = 300 if notebook.name.endswith("_scale.ipynb") else 220  # INSTALL.md plans with them
    assert desk.own_memory(page) < most * MEGABYTE  # thirty of them are a class
    page.wait_for_function(DRAWN, arg=figures, timeout=60_000)
    outputs = page.locator(".jp-OutputArea-output")
    assert outputs.get_by_text("Error displaying widget").count() == 0
    assert outputs.get_by_text("and the controls appear").count() == 0  # for stored pages only
    assert page.locator(".js-plotly-plot").count() == figures
    lists = page.locator(".ndcg-drag-body li")
    assert (lists.count() > 0) == any(map(has_a_list, nbformat.read(notebook, 4).cells))
    assert page.locator("[data-title*='Share'], .modebar-btn").count() == 0
    for window in WINDOWS:  # F11, a bookmarks bar, a sidebar: none of it may cost a figure
        page.set_viewport_size(window)
        lab.settle(page)
        page.wait_for_function(f"() => {COLLAPSED}.length === 0", timeout=60_000)
    figures = page.locator(".jp-RenderedPlotly .js-plotly-plot")
    assert figures.evaluate_all(f"(all) => all.flatMap({lab.TROUBLES})") == []
    lab.no_problem(page)


WINDOWS = [{"width": w, "height": h} for w, h in ((1366, 700), (1280, 720))]
COLLAPSED = """[...document.querySelectorAll(".jp-RenderedPlotly")].map((place) => {
  const drawn = place.querySelector(".main-svg").getBoundingClientRect();
  const { width, height } = place.getBoundingClientRect();
  return [width, height, drawn.width];
}).filter(([width, height, drawn]) => height < 100 || Math.abs(width - drawn) > 1)"""


def has_a_list(cell):
    """Say whether a cell makes an explorer whose picture is not plotly's."""
    return cell.cell_type == "code" and re.search(r"\b(drag_list|every_order)\(", cell.source)


def stored_figures(path):
    """Count the charts of a notebook: the self-test's included, the lists to drag not."""
    nb = nbformat.read(path, 4)
    cells = [c for c in nb.cells if c.cell_type == "code" and not has_a_list(c)]
    outputs = [output for cell in cells for output in cell.outputs]
    figures = sum("application/vnd.plotly.v1+json" in o.get("data", {}) for o in outputs)
    return figures + sum("self_test()" in cell.source for cell in cells)


@pytest.mark.full("engine")
def test_self_test_hears_the_page(page):
    lab.run_cells(page, "from course.selftest import self_test\nself_test()")
    page.get_by_text("The figure works").wait_for(timeout=60_000)
    slider(page).focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text("The slider works").wait_for()
    page.get_by_role("button", name="Click me").press("Enter")
    page.get_by_text("All three work. You are ready.").wait_for()


def test_bet_is_answered(page):
    bet = "from course.bets import place_bet, reveal\nbet = place_bet('best-swap')\nbet"
    lab.run_all(page, page.desk.write(bet, "reveal(bet)"))
    group = page.get_by_role("group", name="Your bet").first
    group.get_by_role("radio", name="B. Rank 3 with rank 4").check()
    page.keyboard.press("ArrowDown")  # inside the group, not to the next cell
    verdict = page.locator(".ndcg-verdict")
    verdict.get_by_text("✓ Right", exact=True).wait_for()
    expect(verdict).to_contain_text("You bet C")


SLIDE_K = "from course.explorers import slide_k\nslide_k()"


@pytest.mark.full("engine")
def test_a_widget_that_came_late_still_hears(blank):
    """With anywidget's patience of two seconds cut to nothing, every widget comes late."""
    page = blank
    page.add_init_script(
        """const patience = AbortSignal.timeout.bind(AbortSignal);
        AbortSignal.timeout = (ms) => patience(ms === 2000 ? 0 : ms);"""
    )
    lab.run_cells(page, SLIDE_K)
    assert any(lab.TOO_SLOW in problem for problem in page.problems)
    slider(page).press("ArrowRight")
    wait_for_title(page, "k = 2: NDCG falls")
    page.get_by_role("button", name="Missed 3s").press("Enter")
    wait_for_title(page, "k = 3, the whole curve")
    page.get_by_role("button", name="Reset").press("Enter")
    wait_for_title(page, "k = 1:")
    expect(slider(page)).to_have_value("1")
    lab.no_problem(page)


WIRE = "from course.explorers import slide_k, term_ledger", "term_ledger()", "slide_k()"


@pytest.mark.full("engine")
def test_wire(blank):
    """The first explorer of a page costs at most 6 MB, the next at most 0.5 MB."""
    page, received = blank, []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda f: received.append(f)))
    lab.open_notebook(page, page.desk.write(*WIRE))
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
        page.wait_for_timeout(500)  # for what might come after the figure
        costs.append(sum(len(frame) for frame in received))
    assert 1 * MEGABYTE < costs[1] < 6 * MEGABYTE  # plotly.js is in it, once
    assert 0 < costs[2] < 0.5 * MEGABYTE
