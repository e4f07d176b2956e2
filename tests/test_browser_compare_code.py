"""The explorer of notebook 07 in JupyterLab, by keyboard, on a projector."""

import lab
import pytest
from playwright.sync_api import expect
from test_browser import drawn, errors_in_outputs, wait_for_figures, wait_for_title, write_notebook

from helpers.course.explorers.compare_code import PROGRAMS, example_data

CIRCLES, DIAMONDS, DOTS = 1, 2, 3  # of the traces
TITLES = {
    "No ties": "They agree on all 30 queries",
    "Same mean, other queries": "They part on 28 of 30 queries, yet the means are equal",
    "Above 1": "They part on 27 of 30 queries; the means are",
}

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)


@pytest.fixture(scope="module", name="address")
def _address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course")
    write_notebook(
        folder / "compare.ipynb",
        "from helpers.course.explorers import compare_code",
        "compare_code()",
    )
    with lab.lab(folder) as address:
        yield address


@pytest.fixture(name="page")
def _page(address):
    with lab.page_of() as page:
        lab.run_all(page, address, "compare.ipynb")
        wait_for_figures(page)
        yield page


def radio(page, group, name):
    return page.get_by_role("group", name=group).get_by_role("radio", name=name, exact=True)


def test_two_programs_by_keyboard(page):
    wait_for_title(page, "They part on 26 of 30 queries")
    radio(page, "Data", "ties").focus()
    page.keyboard.press("ArrowLeft")
    expect(radio(page, "Data", "no ties")).to_be_checked()
    wait_for_title(page, "They agree on all 30 queries")
    assert drawn(page, CIRCLES) == []
    assert len(drawn(page, DOTS)) == 30

    page.keyboard.press("ArrowRight")
    expect(radio(page, "Data", "ties")).to_be_checked()
    wait_for_title(page, "They part on 26 of 30 queries")
    y_true, y_score = example_data()["ties"]
    one, other = (
        PROGRAMS[name](y_true, y_score, 5) for name in ("scikit-learn", "ties: file order")
    )
    parts = abs(one - other) > 1e-9
    assert drawn(page, CIRCLES) == pytest.approx(one[parts], abs=1e-5)
    assert drawn(page, DIAMONDS) == pytest.approx(other[parts], abs=1e-5)

    radio(page, "Second", "ties: file order").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(radio(page, "Second", "gain 2^grade − 1")).to_be_checked()
    wait_for_title(page, "They part on 24 of 30 queries")

    radio(page, "First", "scikit-learn").focus()
    page.keyboard.press("ArrowRight")
    wait_for_title(page, "They part on 27 of 30 queries")

    page.get_by_role("button", name="Reset").press("Enter")
    wait_for_title(page, "They part on 26 of 30 queries, yet")
    assert len(drawn(page, CIRCLES)) == 26
    assert errors_in_outputs(page) == []
    assert page.outside == []
    assert page.problems == []
