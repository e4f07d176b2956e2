"""How the tests run, and in which order."""

import os
from pathlib import Path

import tiers
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

import helpers

pytest_plugins = ["shared_fixtures"]

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
