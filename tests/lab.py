"""A real JupyterLab in a real, headless Chromium, for the tests that need one."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

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
)
PROJECTOR = {"width": 1280, "height": 720}
# What stands on a screen must not depend on which fonts a machine has: DejaVu Sans is as
# wide as Verdana, the widest that is common; Liberation Sans has the widths of Arial.
FONTS = {"wide": "DejaVu Sans", "narrow": "Liberation Sans"}
FONT_FILES = Path(__file__).parent / "fonts"

expect.set_options(timeout=20_000)  # a machine that runs other tests beside this one


def free_port():
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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


def _wait(server, url, seconds=60):
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


def lab(folder, theme="JupyterLab Light"):
    """Run JupyterLab on `folder`, with every cell in the page, on the screen or not."""
    settings = {
        "notebook-extension/tracker": {"windowingMode": "none"},
        "apputils-extension/themes": {"theme": theme},
    }
    for name, values in settings.items():
        file = folder / f".config/lab/user-settings/@jupyterlab/{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    command = ["jupyterlab", "--allow-root", "--ServerApp.token=", "--ServerApp.password="]
    return serve(command, folder, "/lab")


@contextmanager
def page_of(size=None, fonts="wide"):
    """Yield a page of a fresh browser; every request off this machine is refused.

    It knows the fonts of one of `FONTS`, and no other that the machine may have.
    `page.outside` lists the requests that were, `page.problems` the uncaught errors
    of scripts and what the console calls an error, with the values it was given.
    """
    environment = {**os.environ, "FONTCONFIG_FILE": str(FONT_FILES / f"{fonts}.conf")}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, env=environment)
        page = browser.new_page(viewport=size or PROJECTOR)
        page.fonts, page.outside, page.problems = fonts, [], []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda message: _note_error(page, message))
        page.route("**/*", lambda route: _stay_inside(page, route))
        try:
            yield page
        finally:
            browser.close()


def _note_error(page, message):
    if message.type == "error":
        values = [str(value) for value in message.args]
        page.problems.append(" | ".join([message.text, *values]))


def _stay_inside(page, route):
    url = route.request.url
    if url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:")):
        route.continue_()
    else:
        page.outside.append(url)
        route.abort()


def run_all(page, address, notebook, seconds=90):
    """Open a notebook in JupyterLab and run every cell; return when all have run."""
    page.goto(f"{address}/lab/tree/{notebook}?reset")
    page.get_by_text("| Idle").wait_for(timeout=60_000)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(ALL_RUN, timeout=seconds * 1000)


# No code cell without a number, and none with the star of a cell that waits.
ALL_RUN = """() => {
  const prompts = [...document.querySelectorAll(
    ".jp-CodeCell:not(.jp-mod-noOutputs.jp-mod-empty) .jp-InputArea-prompt")];
  return prompts.length > 0 && prompts.every((p) => /\\[\\d+\\]/.test(p.textContent));
}"""
