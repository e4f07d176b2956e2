"""What axe-core finds in the explorers, bets, outcomes and figures of a notebook."""

from contextlib import contextmanager

import lab
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from lab import errors_in_outputs
from playwright.sync_api import expect
from test_browser_explorers import CELLS

pytestmark = [
    pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED),
    pytest.mark.full,
]

SETUP = """from helpers.notebook import *
from course.explorers import EXPLORERS
from course.figures import per_rank
from coursekit.widgets.present import size_choice"""
EXPLORERS = (
    *CELLS.values(),
    "refused = slide_k()\nrefused.state_line.trouble = 'k is missing'\nrefused",
    "ledger = term_ledger()\nledger.set(rank=5, gain='exponential')\nledger",  # a long formula
    "number = one_number()\nnumber.set(error=True)\nnumber",
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
LINKS = ["link-in-text-block"]  # beside the contrast the one rule that looks at colors
HARMFUL = {"serious", "critical"}
# To axe no letter in an SVG has a background; test_figures.py compares the colors.
FIGURES = ".main-svg"
# What looks alike needs one look: some rows of a table; of elements with text that are colored
# alike, from the element to the page, one for each class. Axe takes its time for each element.
RUN_AXE = """async ([inside, figures, rules]) => {
  document.querySelectorAll("details tr:nth-child(n+7)").forEach((row) => row.remove());
  const run = (include, runOnly, more) => axe.run(
    { include, exclude: [figures] }, { runOnly, ...more, resultTypes: ["violations"] });
  const looks = new Map([[null, ""]]);
  const look = (e) => {
    if (!looks.has(e)) {
      const { color, background, opacity, fontSize, fontWeight } = getComputedStyle(e);
      const own = [e.tagName, e.getAttribute("class"), color, background, opacity, fontSize,
        fontWeight];
      looks.set(e, `${look(e.parentElement)};${own}`);
    }
    return looks.get(e);
  };
  const isRead = (e) => !e.closest(figures) && (e.matches("input, select, textarea")
    || [...e.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && part.data.trim()));
  const isThere = (e) => e.checkVisibility({ visibilityProperty: true });
  const length = (e) => e?.textContent.trim().length ?? -1; // axe judges no single letter
  const samples = new Map();
  for (const root of document.querySelectorAll(inside)) {
    for (const e of [root, ...root.querySelectorAll("*")].filter((e) => isRead(e) && isThere(e))) {
      if (length(e) > length(samples.get(look(e)))) samples.set(look(e), e);
    }
  }
  const all = await run([inside], rules, { rules: { "color-contrast": { enabled: false } } });
  const colors = await run([...samples.values()], ["color-contrast"]);
  return [...all.violations, ...colors.violations];
}"""


def harm(page, inside, rules=LEVELS):
    """Return what axe finds serious or critical in these elements, in words.

    Whatever the rules are, it looks at the contrast.
    """
    page.evaluate(AXE_SCRIPT)
    results = page.evaluate(RUN_AXE, [inside, FIGURES, rules])
    return [
        f"{violation['id']} ({node['impact']}): {node['html']}\n  {node['failureSummary']}"
        for violation in results
        for node in violation["nodes"]
        if node["impact"] in HARMFUL
    ]


def open_tables(page):
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")


def enlarge(page):
    """Choose the size for a projector; return when every explorer has it."""
    projector = page.get_by_role("radio", name="a projector")
    projector.click(force=True)
    expect(projector).to_be_checked()
    expect(page.locator(".ndcg-explorer:not(.ndcg-large)")).to_have_count(1)  # the self-test
    page.wait_for_function(
        """() => [...document.querySelectorAll(".ndcg-large .ndcg-figure .xtick text")]
          .every((text) => parseFloat(getComputedStyle(text).fontSize) > 20)"""
    )


def plant(page):
    """Put into the first explorer what no page of ours may have; return what axe says of it."""
    page.evaluate(
        """() => document.querySelector(".ndcg-explorer").insertAdjacentHTML("afterbegin",
          '<button class="planted"></button><p class="planted" style="color: #bbb">pale</p>')"""
    )
    page.locator("p.planted").scroll_into_view_if_needed()
    found = harm(page, ".ndcg-explorer:has(.planted)")
    return sorted(line.split()[0] for line in found if "planted" in line)


# --- JupyterLab -----------------------------------------------------------------------

OUTPUTS = ".jp-OutputArea-output"
# All outputs on the screen at once: axe skips text that is scrolled away. Only for axe, as
# to paint so much takes its time.
TALL = {"width": 1280, "height": 48_000}


def test_nothing_harmful_in_jupyterlab(page):
    lab.run_cells(page, SETUP, "size_choice()", *EXPLORERS, *OTHERS)
    check_that_all_is_there(page)
    open_tables(page)
    found = {"as drawn": harm_in_notebook(page)}
    with dark(page):  # another theme has other colors, and nothing else
        found["dark"] = harm_in_notebook(page, LINKS)
    enlarge(page)
    found["on a projector"] = harm_in_notebook(page)
    assert not any(found.values()), found
    # Else all this would pass whatever is there.
    assert plant(page) == ["button-name", "color-contrast"]
    page.evaluate("document.body.style.height = ''")  # the page is used again


@contextmanager
def dark(page):
    """Show JupyterLab's dark theme for a while; the server remembers it."""
    choose_theme(page, "Dark")
    try:
        yield
    finally:
        choose_theme(page, "Light")


def choose_theme(page, name):
    choose = "(theme) => jupyterapp.commands.execute('apputils:change-theme', { theme })"
    page.evaluate(choose, f"JupyterLab {name}")
    is_light = f"document.body.dataset.jpThemeLight === '{str(name == 'Light').lower()}'"
    page.wait_for_function(is_light)
    lab.settle(page)


def check_that_all_is_there(page):
    assert errors_in_outputs(page) == []
    expect(page.locator(".ndcg-explorer")).to_have_count(len(EXPLORERS))
    expect(page.locator(".ndcg-bet").get_by_text("You bet A")).to_be_visible()
    expect(page.get_by_text("Not yet.")).to_be_visible()
    expect(page.locator(".jp-RenderedPlotly")).to_be_visible()


def harm_in_notebook(page, rules=LEVELS):
    """Return the harm in all outputs, down to the last cell."""
    page.set_viewport_size(TALL)
    # JupyterLab's body has no height and hides what overflows it; to axe, that is all.
    page.evaluate("document.body.style.height = '100vh'")
    expect(page.locator(".jp-Cell").last).to_be_in_viewport(ratio=1)
    found = harm(page, OUTPUTS, rules)
    page.set_viewport_size(lab.PROJECTOR)
    return found
