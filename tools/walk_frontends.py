"""The explorers in Notebook 7 and in Voilà, in Chromium: ``make test-frontends``.

As in Firefox, a twin of each explorer without a browser makes the same moves. Neither front end
is among the course's packages; not part of `make test`, hence not named ``test_``.
"""

import json

import lab
import pytest
from test_browser_explorers import SEEN, SETUP, said_by

from course.explorers import EXPLORERS
from tools.walk_firefox import TROUBLES, tells_where, use

pytest_plugins = ["shared_fixtures"]
pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

NAMES = list(EXPLORERS)
# Each explorer gets its name as an id; each has one state line.
NAMED = """(names) => {
  const lines = [...document.querySelectorAll(".ndcg-state")];
  lines.forEach((line, i) => {
    line.closest(".ndcg-explorer").id = names[i];
  });
  return names.every((name) => document.querySelector(`#${name} :is(.main-svg, .ndcg-handle)`));
}"""


class Page:
    """A page in Chromium, asked as one in Firefox is."""

    def __init__(self, page):
        self.page = page

    def evaluate(self, function, *given):
        """Return what a function of JavaScript makes of what JSON can hold."""
        return self.page.evaluate(f"(given) => ({function})(...given)", list(given))

    def wait(self, *asked, **options):
        """Return what a function returns, once that is as it should be, or the last of it."""
        return lab.wait(self, *asked, **options)

    def press(self, *keys):
        """Press keys where the focus is."""
        for key in keys:
            self.page.keyboard.press(key)


def follow(page, place, twin):
    """Bring the twin where the page is, once the kernel has answered; return the state line."""
    line = "(place) => document.querySelector(`${place} .ndcg-state input`).value"
    now = page.wait(line, place, until=lambda now: now != twin.state, seconds=0.4)
    if tells_where(twin, now):
        return now
    script = f"(place) => [({line})(place), ({SEEN})(document.querySelector(place))]"

    def is_so(seen):
        twin.restore(seen[0])
        return json.loads(seen[1]) == said_by(twin)

    seen = page.wait(script, place, until=is_so)
    assert is_so(seen), (seen[0], seen[1], said_by(twin))
    return seen[0]


@pytest.fixture(name="folder")
def _folder(tmp_path):
    cells = [SETUP, *(f"EXPLORERS[{name!r}]()" for name in NAMES)]
    lab.write_notebook(tmp_path / "all.ipynb", *cells)
    return tmp_path


def in_notebook(folder):
    return lab.serve(["notebook", *lab.OPTIONS], folder, "/tree"), "/notebooks/all.ipynb"


def in_voila(folder):
    options = ["all.ipynb", "--no-browser", "--VoilaConfiguration.strip_sources=True"]
    return lab.serve(["voila", *options], folder, "/"), "/"


@pytest.mark.parametrize("start", [in_notebook, in_voila])
def test_each_explorer_follows_its_controls(blank, folder, start):
    pytest.importorskip(start.__name__.removeprefix("in_"))
    server, path = start(folder)
    with server as address:
        blank.set_viewport_size({"width": 1366, "height": 768})
        blank.goto(address + path)
        if start is in_notebook:
            blank.wait_for_function("() => globalThis.jupyterapp?.shell.currentWidget?.context")
            blank.evaluate("() => jupyterapp.shell.currentWidget.context.sessionContext.ready")
            blank.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
        page = Page(blank)
        assert page.wait(NAMED, NAMES, seconds=120)
        for name in NAMES:
            use(page, f"#{name}", EXPLORERS[name](), follow)
        assert page.evaluate(TROUBLES) == []
        # Voilà's own page asks for icons, and does without: nothing here answers.
        assert [url for url in blank.outside if "fortawesome" not in url] == []
