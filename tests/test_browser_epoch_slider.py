"""The epoch slider in real JupyterLab: its controls by keyboard, its words, and its size."""

import lab
import pytest
from playwright.sync_api import expect
from test_browser import (
    drawn,
    no_problem,
    open_notebook,
    wait_for_figures,
    wait_for_title,
    write_notebook,
)
from test_browser_present import fill_the_window, open_tab

from helpers.course.explorers.epoch_slider.model import LOSSES, epoch_slider

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

LEVELS = 2  # traces that come before the curves
LOSS, TRAINING, VALIDATION, NOW = range(LEVELS, LEVELS + 4)
FALLS = "Since epoch 1: loss fell 1.422 → 0.456, but NDCG@5 fell 0.672 → 0.631"
MENDED = "Since epoch 1: loss fell 0.497 → 0.321, and NDCG@5 rose 0.780 → 0.830"


@pytest.fixture(scope="module", name="address")
def _address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("epochs")
    setup = "from helpers.course.explorers import epoch_slider, present"
    write_notebook(folder / "epochs.ipynb", setup, "epoch_slider()")
    write_notebook(folder / "large.ipynb", f"{setup}\npresent()", "epoch_slider()")
    with lab.lab(folder) as address:
        yield address


@pytest.fixture(scope="module", name="model")
def _model():
    return epoch_slider().model


def check_drawn(page, history, epoch):
    """The curves are those of the fit, and the marks stand at the present epoch."""
    assert drawn(page, LOSS) == pytest.approx([e.loss for e in history], abs=1e-6)
    assert drawn(page, TRAINING) == pytest.approx([e.train for e in history], abs=1e-6)
    assert drawn(page, VALIDATION) == pytest.approx([e.validation for e in history], abs=1e-6)
    assert drawn(page, NOW) == pytest.approx([history[epoch].loss], abs=1e-6)


def sentence(page, text):
    page.locator(".ndcg-sentence").filter(has_text=text).wait_for(timeout=20_000)


def formula(where):
    return where.locator(".ndcg-formula")


def test_every_control_by_keyboard(address, page, model):
    open_notebook(page, address, "epochs.ipynb")
    wait_for_title(page, FALLS)
    check_drawn(page, model.history("shop", "squared"), 60)
    epoch = page.get_by_role("slider", name="Epoch")
    expect(epoch).to_have_value("60")
    expect(formula(page)).to_contain_text("3.5833→0.4556")

    epoch.focus()
    page.keyboard.press("Home")
    wait_for_title(page, "Epoch 0, all tied, as good as random: loss 3.583, NDCG@5 0.688")
    expect(formula(page)).to_contain_text("3.5833")
    expect(formula(page)).not_to_contain_text("→")
    page.keyboard.press("ArrowRight")
    wait_for_title(page, "First step: loss fell 3.583 → 1.422, but NDCG@5 fell 0.688 → 0.672")
    sentence(page, "Epochs 0 → 1: squared loss 3.5833 → 1.4219")
    check_drawn(page, model.history("shop", "squared"), 1)
    page.keyboard.press("End")
    wait_for_title(page, FALLS)

    page.get_by_role("radio", name="squared", exact=True).focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    wait_for_title(page, MENDED)
    expect(page.get_by_role("radio", name="pairwise")).to_be_checked()
    check_drawn(page, model.history("shop", "pairwise"), 60)
    page.get_by_role("radio", name="shop").focus()
    page.keyboard.press("ArrowLeft")
    wait_for_title(page, "Since epoch 1: loss fell 0.123 → 0.064, NDCG@5 stayed near 0.894")
    expect(page.locator(".ndcg-figure .ytitle")).to_contain_text("log")
    check_drawn(page, model.history("linear", "pairwise"), 60)
    no_problem(page)


def test_presets_table_and_state(address, page):
    open_notebook(page, address, "epochs.ipynb")
    page.get_by_role("button", name="Pairs fix it").press("Enter")
    wait_for_title(page, MENDED)
    page.get_by_role("button", name="Linear").press("Enter")
    wait_for_title(page, "NDCG@5 stayed near 0.895")
    page.get_by_role("button", name="Reset").press("Enter")
    wait_for_title(page, FALLS)
    page.get_by_text("The numbers as a table").press("Enter")
    rows = page.locator(".ndcg-stage tbody tr")
    expect(rows).to_have_count(63)
    expect(rows.nth(60)).to_have_text("600.45560.63120.6314")
    expect(rows.nth(61)).to_have_text("random0.68840.6721")

    field = page.get_by_role("textbox", name="State")
    expect(field).to_have_value("epochs: data=shop loss=squared epoch=60")
    field.fill('epochs: data=linear loss="no intercept" epoch=2')
    field.press("Enter")
    wait_for_title(page, "Since epoch 1: loss fell 1.467 → 1.376, and NDCG@5 rose 0.894 → 0.896")
    expect(page.get_by_role("slider", name="Epoch")).to_have_value("2")
    page.keyboard.press("Control+s")
    page.wait_for_timeout(1_000)
    page.reload()
    wait_for_figures(page)
    wait_for_title(page, "Since epoch 1: loss fell 1.467 → 1.376")
    expect(page.get_by_role("radio", name="squared, no intercept")).to_be_checked()
    page.get_by_role("button", name="Reset").press("Enter")
    wait_for_title(page, FALLS)
    no_problem(page)


# The names of the levels stand beside the curves. (test_browser_layout has the rest.)
TROUBLE = """(figure) => {
  const plots = [...figure.querySelectorAll(".nsewdrag")].map((p) => p.getBoundingClientRect());
  const right = Math.max(...plots.map((plot) => plot.right));
  const names = [...figure.querySelectorAll(".annotation-text")]
    .filter((name) => /random|generating/.test(name.textContent));
  const over = names.filter((name) => name.getBoundingClientRect().left < right);
  return [...over.map((name) => name.textContent + " is over the curves"),
    ...(names.length === 2 ? [] : ["there are " + names.length + " names of levels"])];
}"""
WIDEST = [
    (data, loss, epoch) for data in ("linear", "shop") for loss in LOSSES for epoch in (1, 31)
]


def restore(where, data, loss, epoch):
    written = f'"{loss}"' if " " in loss else loss
    field = where.get_by_role("textbox", name="State")
    field.fill(f"epochs: data={data} loss={written} epoch={epoch}")
    field.press("Enter")
    wait = where.locator(".ndcg-figure .annotation-text").filter(has_text=f"epoch {epoch}")
    wait.wait_for(timeout=20_000)
    words = LOSSES[loss][0].replace("\u00a0", " ")
    sentence(where, f"→ {epoch}: {words} ")


def check_every_figure(page, where):
    for state in WIDEST:
        restore(where, *state)
        page.wait_for_timeout(100)
        assert where.locator(".ndcg-figure").evaluate(TROUBLE) == [], state


def test_nothing_overlaps_and_the_figure_is_in_the_window(address, page):
    """In JupyterLab at 1280 × 720, with the file browser open."""
    open_notebook(page, address, "epochs.ipynb")
    box = page.locator(".ndcg-explorer").bounding_box()
    figure = page.locator(".ndcg-figure").bounding_box()
    panel = page.locator(".jp-WindowedPanel-outer").first.bounding_box()
    assert figure["y"] + figure["height"] - box["y"] <= panel["height"]
    assert box["width"] <= panel["width"]
    check_every_figure(page, page)
    no_problem(page)


def test_a_tab_of_its_own(address, page):
    """At projector size it fits 1280 × 720, from the question to the end of the figure."""
    open_notebook(page, address, "large.ipynb")
    view = open_tab(page)
    fill_the_window(page, view)
    panel = view.bounding_box()
    figure = view.locator(".ndcg-figure").bounding_box()
    assert figure["y"] + figure["height"] - panel["y"] <= panel["height"]
    check_every_figure(page, view)
    explorer = view.locator(".ndcg-explorer").bounding_box()
    words = view.locator(".ndcg-sentence").bounding_box()
    assert words["y"] + words["height"] - explorer["y"] <= 720  # without JupyterLab
    assert explorer["width"] <= panel["width"]
    no_problem(page)
