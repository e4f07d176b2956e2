"""What axe-core finds in the explorers, bets, outcomes and figures, and in the room page."""

import shutil

import lab
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect
from test_browser import errors_in_outputs, wait_for_figures, write_notebook
from test_browser_present import ROOM, TIED

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

SETUP = """from helpers.course.bets import place_bet, reveal
from helpers.breakdown import breakdown
from helpers.course.exercises import exercise
from helpers.course.explorers import *
from helpers.figures import per_rank, show"""
EXPLORERS = (
    "slide_k()",
    "refused = slide_k()\nrefused.state_line.trouble = 'k is missing'\nrefused",
    "term_ledger()",
    "ledger = term_ledger()\nledger.set(rank=5, gain='exponential')\nledger",  # a long formula
    "where_is_the_floor()",
    "compare_code()",
    f"tie_shuffler({TIED})",
    "duel()",
    "own_discount()",
    "number = one_number()\nnumber.set(error=True)\nnumber",
    "climb_stepper()",
    "epoch_slider()",
    "drag_list([2, 3, 1, 3, 0])",
    "moved = drag_list([2, 3, 1, 3, 0], k=3)\nmoved.move('D1', 4)\nmoved",
    "drag_list([2, 3, 1, 3, 0], shown=False)",
    "self_test()",
)
OTHERS = (
    "bet = place_bet('is-it-excellent')\nbet.buttons.value = 'A'\nbet",
    "reveal(bet)",
    "exercise('three-metrics').check(0.5, 0.5, 0.5)",
    "exercise('three-metrics').hint()",
    "exercise('three-metrics').solution()",
    "reveal(place_bet('is-it-excellent'))",
    "breakdown([3, 2, 3, 0, 1], [5, 4, 3, 2, 1], k=3)",
    "show(per_rank(breakdown([3, 2, 3, 0, 1], [5, 4, 3, 2, 1])))",
)

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
HARMFUL = {"serious", "critical"}
# To axe no letter in an SVG has a background; test_figures.py compares the colors.
FIGURES = ".main-svg"
RUN_AXE = """([inside, figures, levels]) => axe.run(
  { include: [inside], exclude: [figures] },
  { runOnly: { type: "tag", values: levels }, resultTypes: ["violations"] },
)"""


def harm(page, inside):
    """Return what axe finds serious or critical in these elements, in words."""
    page.evaluate(AXE_SCRIPT)
    results = page.evaluate(RUN_AXE, [inside, FIGURES, LEVELS])
    return [
        f"{violation['id']} ({node['impact']}): {node['html']}\n  {node['failureSummary']}"
        for violation in results["violations"]
        for node in violation["nodes"]
        if node["impact"] in HARMFUL
    ]


def open_tables(page):
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")


def enlarge(page):
    """Choose the size for a projector; return when every explorer has it."""
    page.get_by_role("radio", name="a projector").check(force=True)
    expect(page.locator(".ndcg-explorer:not(.ndcg-large)")).to_have_count(1)  # the self-test
    page.wait_for_function(
        """() => [...document.querySelectorAll(".ndcg-large .ndcg-figure .xtick text")]
          .every((text) => parseFloat(getComputedStyle(text).fontSize) > 20)"""
    )


def plant(page):
    """Put into the first explorer what no page of ours may have."""
    page.evaluate(
        """() => document.querySelector(".ndcg-explorer").insertAdjacentHTML("afterbegin",
          '<button class="planted"></button><p class="planted" style="color: #bbb">pale</p>')"""
    )


# --- JupyterLab -----------------------------------------------------------------------

OUTPUTS = ".jp-OutputArea-output"
# All outputs on the screen at once: axe skips text that is scrolled away.
TALL = {"width": 1280, "height": 30_000}


@pytest.fixture(scope="module", name="found")
def _found(tmp_path_factory):
    """Go once through the states of one notebook; return what axe finds in each."""
    folder = tmp_path_factory.mktemp("axe")
    write_notebook(folder / "all.ipynb", SETUP, "size_choice()", *EXPLORERS, *OTHERS)
    with lab.lab(folder) as address, lab.page_of(TALL) as page:
        lab.run_all(page, address, "all.ipynb")
        wait_for_figures(page)
        check_that_all_is_there(page)
        found = {"as drawn": harm_in_notebook(page)}
        open_tables(page)
        found["tables open"] = harm_in_notebook(page)
        enlarge(page)
        found["on a projector"] = harm_in_notebook(page)
        plant(page)
        found["planted"] = harm(page, ".ndcg-explorer:has(.planted)")
    with lab.lab(folder, "JupyterLab Dark") as address, lab.page_of(TALL) as page:
        lab.run_all(page, address, "all.ipynb")
        wait_for_figures(page)
        page.wait_for_function("document.body.dataset.jpThemeLight === 'false'")
        open_tables(page)
        found["dark"] = harm_in_notebook(page)
    return found


def check_that_all_is_there(page):
    assert errors_in_outputs(page) == []
    expect(page.locator(".ndcg-explorer")).to_have_count(len(EXPLORERS))
    expect(page.locator(".ndcg-bet").get_by_text("You bet A: ")).to_be_visible()
    expect(page.get_by_text("Not yet.")).to_be_visible()
    expect(page.locator(".jp-RenderedPlotly")).to_be_visible()


def harm_in_notebook(page):
    """Return the harm in all outputs, down to the last cell."""
    # JupyterLab's body has no height and hides what overflows it; to axe, that is all.
    page.evaluate("document.body.style.height = '100vh'")
    expect(page.locator(".jp-Cell").last).to_be_in_viewport(ratio=1)
    return harm(page, OUTPUTS)


@pytest.mark.parametrize("state", ["as drawn", "tables open", "dark", "on a projector"])
def test_nothing_harmful_in_jupyterlab(found, state):
    assert not found[state], "\n".join(found[state])


def test_what_is_planted_is_found(found):
    """Else the tests above would pass whatever is there."""
    rules = sorted(line.split()[0] for line in found["planted"] if "planted" in line)
    assert rules == ["button-name", "color-contrast"]


# --- the page for a room --------------------------------------------------------------


def test_nothing_harmful_on_the_page_for_a_room(tmp_path):
    """The whole page, Voilà's own template with it: it needs no exception."""
    shutil.copy(ROOM, tmp_path)
    command = ["voila", ROOM.name, "--Voila.ip=127.0.0.1"]
    with (
        lab.serve(command, tmp_path, "/voila/static/voila.js") as address,
        lab.page_of() as page,
    ):
        page.goto(address)
        wait_for_figures(page)
        lines = harm(page, "html")
        open_tables(page)
        lines += harm(page, "html")
        assert not lines, "\n".join(lines)
        plant(page)
        assert any(line.startswith("color-contrast") for line in harm(page, "html"))
