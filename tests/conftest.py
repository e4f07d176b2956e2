"""What the tests share: one JupyterLab and one browser for each worker, and their order."""

import os
from pathlib import Path

import lab
import pytest
import tiers
from hypothesis import HealthCheck, settings
from patience import expected_within
from xdist.scheduler import LoadScopeScheduling

import helpers

# The site is built by the test that asks for it first: meanwhile the others need something to do.
FIRST = (
    "test_browser_site_pages",
    "test_browser_axe",
    "test_browser.",
    "test_browser_explorers",
    "test_filled",
    "test_exercises",
    "notebooks/",
    "test_browser",
)
# One test of these takes as long as a whole file of others.
ALONE = ("test_browser.py", "test_browser_explorers.py", "test_filled_notebooks.py")


def pytest_addoption(parser):
    parser.addoption(
        "--push", action="store_true", help="only what a push needs: tests/support/tiers.py"
    )


def pytest_report_header(config):
    if config.getoption("push"):
        return f"changed since make test-all: {', '.join(sorted(tiers.changed())) or 'nothing'}"


def pytest_configure():
    """Let kernels import the helpers that the tests import: .venv may know another folder's.

    And let no clock decide whether a property holds: this machine may be busy.
    """
    settings.register_profile(
        "course", deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("course")
    root = Path(helpers.__file__).parents[1]
    paths = [str(root), str(root / "src"), os.environ.get("PYTHONPATH")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))


@pytest.fixture(scope="session", name="desk")
def _desk(tmp_path_factory):
    with lab.desk(tmp_path_factory.mktemp("desk")) as desk:
        yield desk


@pytest.fixture(name="blank")
def _blank(desk):
    """Return an empty page of its own."""
    page = desk.page()
    yield page
    desk.close(page)


@pytest.fixture(name="page")
def _page(request, desk):
    """Return a page for JupyterLab; ``parametrize("page", lab.FONTS, indirect=True)``: its fonts.

    JupyterLab stays on it from test to test, as for a reader.
    """
    with desk.lent(request, getattr(request, "param", "wide")) as page:
        yield page


@pytest.fixture(scope="session", name="site")
def _site(tmp_path_factory):
    """Return the folder of the site as ``make site`` builds it, once for all workers."""
    import fcntl  # none of these for those who test something else

    from course.content import COURSE
    from coursekit.site.build import build

    root = tmp_path_factory.getbasetemp()
    root = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root
    folder = root / "site" / "build"
    with (root / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            with expected_within(300, "Building the site"):
                assert build(COURSE, folder) == 0
    return folder


@pytest.fixture(scope="session", name="address")
def _address(site, tmp_path_factory):
    """Return where a static host serves the site, below some path."""
    root = tmp_path_factory.mktemp("host")
    (root / "below").mkdir()
    (root / "below" / "a-path").symlink_to(site)
    with lab.serving(root) as host:
        yield f"{host}below/a-path/"


class OneByOne(LoadScopeScheduling):
    """Slow tests wherever a worker is free, the others file by file.

    The cells of a notebook share a kernel, and the tests of a file may share a page.
    (xdist's own groups do nothing with pytest 9.2, whose items have no `_nodeid`.)
    """

    def _split_scope(self, nodeid):
        file = nodeid.split("::")[0]
        if not file.endswith(ALONE):
            return file
        # A browser with narrow letters for one worker only: it takes its time to start.
        return "narrow" if nodeid.endswith("narrow]") else nodeid


def pytest_xdist_make_scheduler(config, log):
    return OneByOne(config, log)


def pytest_collection_modifyitems(config, items):
    """Slow tests first, so that no worker is left alone with one at the end."""
    if config.getoption("push"):
        changed = tiers.changed()
        later = [item for item in items if not tiers.in_a_push(item, changed)]
        config.hook.pytest_deselected(items=later)
        items[:] = [item for item in items if item not in set(later)]
    items.sort(key=lambda item: _place(item.nodeid))


def _place(nodeid):
    return next((i for i, name in enumerate(FIRST) if name in nodeid), len(FIRST))
