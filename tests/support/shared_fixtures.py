"""What tests and walks share: one JupyterLab, one browser and one site for each worker.

`pytest_plugins` names this module in `tests/conftest.py`, and in each walk of `tools`.
"""

import importlib.util
import os
from pathlib import Path

import lab
import pytest
from patience import expected_within


@pytest.fixture(scope="session", name="desk")
def _desk(tmp_path_factory):
    with lab.desk(tmp_path_factory.mktemp("desk")) as desk:
        yield desk


@pytest.fixture(name="blank")
def _blank(desk):
    """Return an empty page of its own."""
    page = desk.page()
    yield page
    if page.url.startswith("http"):
        page.evaluate("localStorage.clear()")  # the pages of a worker share one browser
    desk.close(page)


@pytest.fixture(name="page")
def _page(request, desk):
    """Return a page for JupyterLab; ``parametrize("page", lab.FONTS, indirect=True)``: its fonts.

    JupyterLab stays on it from test to test, as for a reader.
    """
    with desk.lent(request, getattr(request, "param", "wide")) as page:
        yield page


@pytest.fixture(scope="session", name="bench")
def _bench():
    """Return `benchmarks/lambdamart.py`, which has the program of the notebooks' own cells."""
    path = Path(__file__).parents[2] / "benchmarks" / "lambdamart.py"
    spec = importlib.util.spec_from_file_location("benchmark_of_lambdamart", path)
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    return bench


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
