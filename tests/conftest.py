"""What the tests share: one JupyterLab and one browser for each worker, and their order."""

import lab
import pytest

# One test of the first three takes as long as a whole file of others.
FIRST = ("test_browser_axe", "test_browser", "test_filled", "test_exercises", "notebooks/")


@pytest.fixture(scope="session", name="desk")
def _desk(tmp_path_factory):
    with lab.desk(tmp_path_factory.mktemp("desk")) as desk:
        yield desk


@pytest.fixture(name="blank")
def _blank(request, desk):
    """Return an empty page; ``parametrize("blank", lab.FONTS, indirect=True)``: its fonts."""
    page = desk.page(getattr(request, "param", "wide"))
    yield page
    desk.close(page)


@pytest.fixture(name="page")
def _page(blank):
    return blank


def pytest_collection_modifyitems(items):
    """Slow tests first, each wherever a worker is free; the others go file by file.

    The cells of a notebook share a kernel, and tests with a fixture `opened` share a page.
    """
    for item in items:
        alone = _place(item) < 3 and "opened" not in item.fixturenames
        if not alone:
            item.add_marker(pytest.mark.xdist_group(item.path.name))
    items.sort(key=_place)


def _place(item):
    return next((i for i, name in enumerate(FIRST) if name in item.nodeid), len(FIRST))
