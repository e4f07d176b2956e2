"""Where is the floor? in real JupyterLab: its controls by keyboard, and its size."""

import lab
import pytest
from playwright.sync_api import expect
from test_browser import (
    drawn,
    errors_in_outputs,
    wait_for_figures,
    wait_for_title,
    write_notebook,
)

from helpers.course.explorers.where_is_the_floor.model import LABELS
from helpers.metrics import all_orders

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

WORSE, REACHED = 0, 1  # traces


@pytest.fixture(scope="module", name="address")
def _address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("floor")
    setup = "from helpers.course.explorers import where_is_the_floor"
    write_notebook(folder / "floor.ipynb", setup, "where_is_the_floor()")
    with lab.lab(folder) as address:
        yield address


@pytest.fixture(name="page")
def _page(address):
    with lab.page_of() as page:
        lab.run_all(page, address, "floor.ipynb")
        wait_for_figures(page)
        yield page


def wait_for_words(page, text):
    page.locator(".ndcg-sentence").filter(has_text=text).wait_for(timeout=20_000)


def test_every_control_by_keyboard(page):
    wait_for_title(page, "A random order averages 0.839; none is below 0.646")
    yours = page.get_by_role("slider", name="Your NDCG")
    expect(yours).to_have_attribute("min", "65")
    expect(yours).to_have_value("84")
    share = all_orders(LABELS["3 3 2 1 0"]).share_of(0.84)
    assert sum(drawn(page, REACHED)) == pytest.approx(share, abs=1e-4)

    yours.focus()
    page.keyboard.press("ArrowRight")
    wait_for_words(page, "reach your 0.85")
    expect(yours).to_have_attribute("aria-valuetext", "0.85")
    expect(yours.locator("+ output")).to_have_text("0.85")
    page.keyboard.press("Home")
    wait_for_words(page, "reach your 0.65")
    expect(yours).to_have_value("65")

    page.get_by_role("radio", name="3 3 2 1 0", exact=True).focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    wait_for_title(page, "A random order averages 0.295; the worst get 0")
    k = page.get_by_role("slider", name="Cutoff k")
    expect(k).to_have_attribute("max", "10")
    expect(k).to_have_value("5")
    k.focus()
    page.keyboard.press("End")
    wait_for_title(page, "A random order averages 0.454; none is below 0.289")
    assert drawn(page, WORSE) + drawn(page, REACHED) == pytest.approx([0.1] * 10, abs=1e-6)

    page.get_by_role("button", name="Eight of ten").press("Enter")
    wait_for_title(page, "A random order averages 0.919; none is below 0.737")
    wait_for_words(page, "Chance-corrected −0.985 (below chance)")
    expect(yours).to_have_value("84")
    page.keyboard.press("Control+s")
    page.wait_for_timeout(1_000)
    page.reload()
    wait_for_figures(page)
    wait_for_title(page, "A random order averages 0.919; none is below 0.737")
    expect(yours).to_have_value("84")
    expect(k).to_have_value("10")
    page.get_by_role("button", name="Reset").press("Enter")
    wait_for_title(page, "A random order averages 0.839")
    assert errors_in_outputs(page) == []
    assert page.get_by_text("could not be drawn").count() == 0
    assert page.outside == []
    assert page.problems == []
