"""A real JupyterLab in a real, headless Chromium, for the tests that need one.

Of each there is one for all tests of a worker; what a test opens, it finds fresh.
"""

import base64
import itertools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import ExitStack, contextmanager
from pathlib import Path

import nbformat
import psutil
from playwright.sync_api import TimeoutError as NotInTime
from playwright.sync_api import expect, sync_playwright

from coursekit.site.serve import server
from coursekit.widgets.part import module

NAMES = ("chromium", "chromium-browser", "google-chrome")  # as in .ci/run
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
NEEDED = "apt-get install chromium fonts-dejavu fonts-liberation"
WHY_SKIPPED = f"no Chromium on this machine; on Debian: {NEEDED}"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.*",  # nothing off this machine
)
OPTIONS = (
    "--allow-root",
    "--expose-app-in-browser",
    "--ServerApp.token=",
    "--ServerApp.password=",
    "--ServerApp.disable_check_xsrf=True",
)
PROJECTOR = {"width": 1280, "height": 720}
# What stands on a screen must not depend on which fonts a machine has: DejaVu Sans is as
# wide as Verdana, the widest that is common; Liberation Sans has the widths of Arial.
FONTS = {"wide": "DejaVu Sans", "narrow": "Liberation Sans"}
FONT_FILES = Path(__file__).parent / "fonts"

PATIENCE = 60  # seconds; not a limit of the course, but of a machine that runs others beside it
expect.set_options(timeout=1000 * PATIENCE)


def free_port():
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def serving(folder):
    """Serve the files of a folder, as ``make present`` does; yield the address."""
    with server(folder) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_address[1]}/"
        host.shutdown()


@contextmanager
def serve(command, folder, path):
    """Run a Jupyter server in `folder`; yield its address once `path` answers."""
    port = free_port()
    arguments = [
        *(sys.executable, "-m", *command),
        *(f"--port={port}", "--no-browser"),
    ]
    environment = {**os.environ, "JUPYTER_CONFIG_DIR": str(folder / ".config")}
    server = subprocess.Popen(
        arguments,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(server, address + path)
        yield address
    finally:
        server.terminate()
        server.wait(20)


def _wait(server, url, seconds=5 * PATIENCE):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError(f"the server stopped with code {server.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"no answer from {url} within {seconds} s")


def lab(folder):
    """Run JupyterLab on `folder`, with every cell in the page, on the screen or not."""
    settings = {
        "notebook-extension/tracker": {"windowingMode": "none"},
        "apputils-extension/themes": {"theme": "JupyterLab Light"},
    }
    for name, values in settings.items():
        file = folder / f".config/lab/user-settings/@jupyterlab/{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    return serve(["jupyterlab", *OPTIONS], folder, "/lab")


class Desk:
    """One JupyterLab, and one Chromium for each of `FONTS`; each starts when it is needed.

    A browser keeps what it has loaded; its pages share nothing else. To load JupyterLab and
    plotly.js takes longer than most tests: a page on which nothing is open is used again.
    """

    def __init__(self, folder, stack):
        self.folder, self.stack = folder, stack
        self.spare = {fonts: [] for fonts in FONTS}
        self.numbers = itertools.count(1)
        self.started = {}

    def _once(self, name, start):
        if name not in self.started:
            self.started[name] = self.stack.enter_context(start())
        return self.started[name]

    @property
    def address(self):
        """Where JupyterLab answers."""
        return self._once("lab", lambda: lab(self.folder))

    def context(self, fonts="wide", own=""):
        """Return the browser that knows the fonts of one of `FONTS`, and no other.

        `own` names another one, for tests that change more than their page: a clock, say.
        """
        playwright = self._once("playwright", sync_playwright)
        environment = {"FONTCONFIG_FILE": str(FONT_FILES / f"{fonts}.conf")}

        def launch():
            return playwright.chromium.launch_persistent_context(
                self.stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)),
                executable_path=CHROMIUM,
                args=FLAGS,
                env={**os.environ, **environment},
                viewport=PROJECTOR,
                permissions=["clipboard-read", "clipboard-write"],
            )

        return self._once(own or fonts, launch)

    def page(self, fonts="wide", own=""):
        """Return an empty page.

        `page.outside` lists the requests to other machines, none of which is answered,
        `page.problems` the uncaught errors of scripts and what the console calls an
        error, with the values it was given.
        """
        page = self.context(fonts, own).new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.desk, page.fonts, page.notebooks = self, fonts, []
        page.outside, page.problems = [], []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda message: _note_error(page, message))
        page.on("request", lambda request: _note_outside(page, request.url))
        return page

    @contextmanager
    def lent(self, request, fonts="wide"):
        """Yield a page on which nothing is open; JupyterLab may be there already.

        Unless a test fails, it is used again.
        """
        failed = request.session.testsfailed
        page = self.spare[fonts].pop() if self.spare[fonts] else self.page(fonts)
        page.bring_to_front()  # one behind another is drawn once a second
        page.set_viewport_size(PROJECTOR)
        page.outside.clear()
        page.problems.clear()
        yield page
        if request.session.testsfailed > failed:
            self.close(page)
        else:
            page.evaluate(LEAVE)
            self.spare[fonts].append(page)
            self.end_kernels(page)

    @contextmanager
    def opened(self):
        """Yield an empty page, and close it."""
        page = self.page()
        yield page
        self.close(page)

    def close(self, page):
        """Close a page, and end the kernels of the notebooks it has run."""
        page.close()
        self.end_kernels(page)

    def end_kernels(self, page):
        """End the kernels of the notebooks that a page has run."""
        sessions = self._ask("GET", "") if page.notebooks else []
        for session in sessions:
            if session["path"] in page.notebooks:
                self._ask("DELETE", f"/{session['id']}")

    def own_memory(self, page):
        """Return how many bytes the last kernel of a page holds that no other process shares."""
        paths = {session["path"]: session["kernel"]["id"] for session in self._ask("GET", "")}
        name = f"kernel-{paths[page.notebooks[-1]]}.json"
        running = psutil.process_iter(["cmdline"])  # one that ends meanwhile is passed over
        (kernel,) = [p for p in running if name in " ".join(p.info["cmdline"] or ())]
        memory = kernel.memory_info()
        return memory.rss - memory.shared

    def _ask(self, method, path):
        request = urllib.request.Request(f"{self.address}/api/sessions{path}", method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read() or "null")

    def write(self, *sources):
        """Write a notebook of code cells that has not run; return its name."""
        name = f"{next(self.numbers)}.ipynb"
        write_notebook(self.folder / name, *sources)
        return name


@contextmanager
def desk(folder):
    """Yield a `Desk`; what it has started ends with it."""
    with ExitStack() as stack:
        yield Desk(folder, stack)


def write_notebook(path, *sources):
    """Write a notebook of code cells that has not run."""
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(s) for s in sources])
    nb.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nb, path)


def _note_error(page, message):
    if message.type == "error":
        values = [str(value) for value in message.args]
        page.problems.append(" | ".join([message.text, *values]))


def _note_outside(page, url):
    if not url.startswith(("http://127.0.0.", "ws://127.0.0.1", "data:", "blob:")):
        page.outside.append(url)


OPEN = """async (path) => {
  const view = await jupyterapp.commands.execute("docmanager:open", { path });
  await view.context.sessionContext.ready;
}"""
# Nobody is asked whether to save. Views and windows are as at first.
LEAVE = """() => {
  const { shell } = globalThis.jupyterapp ?? { shell: null };
  for (const view of [...(shell?.widgets("main") ?? [])]) {
    if (view.context) view.context.model.dirty = false;
    view.close();
  }
  if (shell) shell.mode = "multiple-document";
  shell?.expandLeft();
}"""


def open_notebook(page, notebook):
    """Open a notebook in JupyterLab; return when its kernel is there."""
    here = f"{page.desk.address}/lab/tree/{notebook}?reset"
    if page.notebooks:  # JupyterLab is there
        page.evaluate(OPEN, notebook)
    else:
        page.goto(here)
    page.notebooks.append(notebook)
    idle = page.get_by_text("| Idle")
    try:
        idle.wait_for(timeout=100_000)  # two cores, one more kernel
    except NotInTime:  # on a busy machine its word can get lost: a new page asks again
        page.goto(here)
        idle.wait_for(timeout=140_000)


def run_all(page, notebook):
    """Open a notebook in JupyterLab and run every cell; return when all have run."""
    open_notebook(page, notebook)
    menu(page, "Run", "Run All Cells")
    page.wait_for_function(ALL_RUN, timeout=300_000, polling=100)  # not at every frame


def run_cells(page, *sources):
    """Run these cells in JupyterLab; return when every explorer has its figure."""
    run_all(page, page.desk.write(*sources))
    wait_for_figures(page)


def menu(page, name, item):
    """Choose an item of a menu of JupyterLab."""
    page.get_by_role("menuitem", name=name, exact=True).click()
    page.get_by_role("menuitem", name=item).first.click()


def _is_saved(answer):
    """Tell the notebook's own save from that of JupyterLab's layout."""
    return answer.request.method == "PUT" and "/api/contents/" in answer.url and answer.ok


def save_and_reload(page):
    """Press Ctrl + S, and load the page anew once that is done."""
    with page.expect_response(_is_saved):
        page.keyboard.press("Control+s")
    page.reload()


def save_and_reopen(page):
    """Press Ctrl + S, close the notebook, and open it anew: its kernel has stayed."""
    with page.expect_response(_is_saved):
        page.keyboard.press("Control+s")
    page.evaluate(LEAVE)
    open_notebook(page, page.notebooks[-1])


# No code cell without a number, and none with the star of a cell that waits.
ALL_RUN = """() => {
  const prompts = [...document.querySelectorAll(
    ".jp-CodeCell:not(.jp-mod-noOutputs.jp-mod-empty) .jp-InputArea-prompt")];
  return prompts.length > 0 && prompts.every((p) => /\\[\\d+\\]/.test(p.textContent));
}"""


# --- what stands on a page ------------------------------------------------------------


def wait_for_figures(page):
    """Return once every stage on the page has its chart, and a list to drag its rows."""
    page.wait_for_function(
        """() => {
          const stages = [...document.querySelectorAll(".ndcg-figure")];
          const drawn = stages.every((s) => s.querySelector(".main-svg"));
          return drawn && (stages.length > 0 || document.querySelector(".ndcg-drag"));
        }""",
        timeout=60_000,
    )


def wait_for_title(page, text):
    """Return once the chart itself, not only a trait, shows a title with this text."""
    page.wait_for_function(
        """(text) => [...document.querySelectorAll(".ndcg-figure .gtitle")].some((title) =>
          title.textContent.replace(/\\s/g, "").includes(text.replace(/\\s/g, "")))""",
        arg=text,  # a line break of a title has no letter of its own
    )


def wait(page, function, *given, until=bool, seconds=PATIENCE):
    """Return what a function of JavaScript returns, once it is as it should be, or the last of it.

    ``page.evaluate(function, *given)`` asks; a page of Firefox may say that another one comes.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            found = page.evaluate(function, *given)
        except RuntimeError:
            if time.monotonic() > end:
                raise
            found = None
        if until(found) or time.monotonic() > end:
            return found
        time.sleep(0.02)


def settle(page):
    """Return when nothing on the page has moved for two frames."""
    page.evaluate(SETTLED)


SETTLED = """async () => {
  const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go, 0)));
  const places = () => [...document.querySelectorAll(
    ".ndcg-explorer :is(div, p, text), .jp-RenderedPlotly .main-svg")].map((e) => {
      const { x, y, width, height } = e.getBoundingClientRect();
      return [x, y, width, height].join();
    }).join(";");
  const end = performance.now() + 5000;
  for (let before = null, still = 0; still < 2 && performance.now() < end; ) {
    await frame();
    const now = places();
    still = now === before ? still + 1 : 0;
    before = now;
  }
}"""


def in_module(page, path, expression, given=None):
    """Return an expression of `m`, a module of the page with all that it imports, and of `given`.

    Both go there and back as JSON has them.
    """
    source = base64.b64encode(module(path).encode()).decode()
    script = f"""async ([source, text]) => {{
      const m = await import("data:text/javascript;base64," + source);
      const given = JSON.parse(text);
      return JSON.stringify({expression});
    }}"""
    return json.loads(page.evaluate(script, [source, json.dumps(given)]))


def drawn(page, trace):
    """Return the y values that plotly has drawn for one trace of the first stage."""
    return page.evaluate(
        "(trace) => [...document.querySelector('.ndcg-figure').data[trace].y]", trace
    )


def slider(page):
    """Return the first slider."""
    return page.locator(".ndcg-slider input").first


def state(where):
    """Return the field of the first state line."""
    return where.get_by_role("textbox", name="State").first


def errors_in_outputs(page):
    """Return what cells say in red."""
    return page.locator(
        '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.error"],'
        '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stderr"]'
    ).all_inner_texts()


# anywidget gives up on a widget whose module has not arrived two seconds after its model,
# as on a machine that is busy elsewhere; the course's widgets (static/listen.js) do not.
TOO_SLOW = "[anywidget] Failed to initialize model."


def no_problem(page):
    """Nothing is red, asked for from outside, or wrong in the console."""
    assert errors_in_outputs(page) == []
    found = page.get_by_text("could not be drawn").all_inner_texts()
    assert found == [], found
    assert page.outside == []
    assert [problem for problem in page.problems if TOO_SLOW not in problem] == []


def middle(locator):
    """Return the middle of an element on the screen."""
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Finger:
    """One finger on a page, as the browser's own input sees it."""

    def __init__(self, page):
        self.page, self.input = page, page.context.new_cdp_session(page)

    def stroke(self, points):
        """Touch the first point, slide over the others, and let go, with a frame for each."""
        for kind, (x, y) in zip(
            ["touchStart", *["touchMove"] * len(points)], points, strict=False
        ):
            self._send(kind, [{"x": x, "y": y}])
        self._send("touchEnd", [])

    def _send(self, kind, points):
        self.input.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        self.page.wait_for_timeout(16)


# Words that leave the chart, cover each other, or reach into a panel from beside it. Of the
# height of a word's box a third is air.
TROUBLES = """(figure) => {
  const chart = figure.getBoundingClientRect();
  const marks = ".gtitle, .legendtext, .annotation-text, .bartext, .textpoint text, "
    + ".heatmap-label text, .xtitle, "
    + ".x2title, .x3title, .ytitle, .y2title, .y3title, [class$=tick] text";
  const boxes = [...figure.querySelectorAll(marks)].map((word) => {
    const { left, right, top, bottom } = word.getBoundingClientRect();
    const upright = word.matches(".ytitle, .y2title, .y3title");
    const air = upright ? 0 : (bottom - top) / 6;
    return { text: word.textContent.trim(), left, right, top: top + air, bottom: bottom - air };
  }).filter((box) => box.text && box.right > box.left);
  const outside = boxes.filter((b) => b.left < chart.left - 1 || b.right > chart.right + 1
    || b.top < chart.top - 1 || b.bottom > chart.bottom + 1).map((b) => b.text + " leaves");
  const over = boxes.flatMap((a, i) => boxes.slice(i + 1)
    .filter((b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)
    .map((b) => `${a.text} covers ${b.text}`));
  const panels = [...figure.querySelectorAll(".nsewdrag")].map((p) => p.getBoundingClientRect());
  const beside = [...figure.querySelectorAll("[class$=tick] text, [class$=title]")];
  const into = beside.filter((word) => {
    const box = word.getBoundingClientRect();
    return panels.some((p) => Math.min(box.right, p.right) - Math.max(box.left, p.left) > 2
      && Math.min(box.bottom, p.bottom) - Math.max(box.top, p.top) > 2);
  }).map((word) => word.textContent + " reaches into a panel");
  const names = figure.querySelector(".legend")?.getBoundingClientRect();
  const inside = names && panels.some((p) =>
    Math.min(names.right, p.right) > Math.max(names.left, p.left)
    && Math.min(names.bottom, p.bottom) - Math.max(names.top, p.top) > 1);
  return [...outside, ...over, ...into, ...(inside ? ["the legend is in the panel"] : [])];
}"""

# What a mouse cannot press while nothing is unfolded, because something else of it lies over its
# middle.
COVERED = """(root) => {
  const unfolded = [...root.querySelectorAll("details[open]")];
  for (const one of unfolded) one.open = false;
  const covered = [...root.querySelectorAll("button, label, summary")].filter((one) => {
    if (!one.checkVisibility({ visibilityProperty: true })) return false;
    one.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return width > 1 && root.contains(hit) && !one.contains(hit);
  });
  for (const one of unfolded) one.open = true;
  return covered.map((one) => `"${one.textContent}" is covered`);
}"""

# What in the pad leaves it, or covers its neighbor.
IN_THE_PAD = """(pad) => {
  const box = pad.getBoundingClientRect();
  const outside = [...pad.querySelectorAll("span, output, b, p, input")].filter((part) => {
    const one = part.getBoundingClientRect();
    return one.left < box.left - 1 || one.right > box.right + 1 || one.bottom > box.bottom + 1;
  });
  const width = (part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    return range.getBoundingClientRect();
  };
  const crowded = [...pad.querySelectorAll(".ndcg-pad-row")].filter((row) => {
    const boxes = [...row.children].map(width);
    return boxes.some((box, i) => i > 0 && box.left < boxes[i - 1].right + 2);
  });
  return [...outside.map((part) => part.textContent + " leaves the pad"),
    ...crowded.map((row) => row.textContent + " is crowded")];
}"""


# --- a tab of its own -----------------------------------------------------------------


# A figure, or a list to drag with its picture; and the live sentence below it.
FIGURE, SENTENCE = ":is(.ndcg-figure, .ndcg-main)", ":is(.ndcg-sentence, .ndcg-status)"


def show_explorer(page, code):
    """Run the cells of an explorer, wait until it is drawn, and scroll to its question."""
    run_cells(page, code)
    wait_for_figures(page)
    page.locator(".ndcg-question").evaluate("(question) => question.scrollIntoView()")
    settle(page)


def open_tab(page):
    """Give the output a view of its own; return the view."""
    page.locator(".ndcg-question").first.click(button="right")
    page.get_by_text("Create New View for Cell Output").click()
    view = page.locator(".jp-LinkedOutputView")
    view.locator(":is(.ndcg-figure .main-svg, .ndcg-list)").first.wait_for()
    return view


def fill_the_window(page, view):
    """Close the file browser and show this view alone, as on a projector."""
    view.locator(".ndcg-question").click()  # the one in use is the one that stays
    page.keyboard.press("Control+b")
    page.keyboard.press("Control+Shift+D")
    page.wait_for_function(
        """() => {
          const view = document.querySelector(".jp-LinkedOutputView");
          const width = view.querySelector(":is(.ndcg-explorer, .ndcg-drag-body)").clientWidth;
          const figure = view.querySelector(".ndcg-figure")?.clientWidth;
          const drawn = view.querySelector(".main-svg")?.clientWidth;
          return view.clientWidth > 1100 && view.clientWidth - width < 60 && drawn === figure;
        }"""
    )
    settle(page)
