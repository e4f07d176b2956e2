"""A real JupyterLab in a real, headless Chromium, for the tests that need one."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

from playwright.sync_api import expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")  # as in .ci/run
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
WHY_SKIPPED = "no Chromium on this machine; on Debian: apt-get install chromium"
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


def lab(folder):
    """Run JupyterLab on `folder`, with every cell in the page, on the screen or not."""
    settings = folder / ".config/lab/user-settings/@jupyterlab/notebook-extension"
    settings.mkdir(parents=True)
    (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
    command = ["jupyterlab", "--allow-root", "--ServerApp.token=", "--ServerApp.password="]
    return serve(command, folder, "/lab")


@contextmanager
def page_of(size=None):
    """Yield a page of a fresh browser; every request off this machine is refused.

    `page.outside` lists the requests that were, `page.problems` the uncaught errors
    of scripts and what the console calls an error, with the values it was given.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport=size or PROJECTOR)
        page.outside, page.problems = [], []
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
