"""Firefox as it comes, headless, over WebDriver BiDi (w3c.github.io/webdriver-bidi).

Playwright drives a Firefox of its own, to be downloaded, or one that knows more of BiDi than
Debian's. Firefox answers BiDi itself, so that a socket is all that is needed.
"""

import itertools
import json
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import lab
import websocket

BROWSER = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
WHY_SKIPPED = "no Firefox on this machine; on Debian: apt-get install firefox-esr"
KEYS = {  # as WebDriver names those without a letter
    **{"Enter": "\ue007", "Alt": "\ue00a", "End": "\ue010", "Home": "\ue011"},
    **{"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"},
}
HEARD = ["log.entryAdded", "network.beforeRequestSent", "network.responseCompleted"]
INSIDE = ("http://127.0.0.", "data:", "blob:", "about:", "ws://127.0.0.1")
CALL = "async (given) => JSON.stringify((await (%s)(...JSON.parse(given))) ?? null)"
ARRIVED = """(url) => document.readyState === "complete"
  && location.href.split("#")[0] === new URL(url).href.split("#")[0]"""


@contextmanager
def page(size):
    """Yield an empty page of a Firefox that is started for it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        port = lab.free_port()
        options = ["--headless", "--no-remote", "--profile", profile]
        browser = subprocess.Popen(
            [BROWSER, *options, f"--remote-debugging-port={port}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield Page(_connected(f"ws://127.0.0.1:{port}/session", Path(profile)), size)
        finally:
            browser.terminate()
            browser.wait(20)


def _connected(address, profile, seconds=60):
    end = time.monotonic() + seconds
    while not (profile / "WebDriverBiDiServer.json").exists():
        if time.monotonic() > end:
            raise RuntimeError(f"Firefox did not listen within {seconds} s")
        time.sleep(0.1)
    return websocket.create_connection(address, timeout=120, suppress_origin=True)


class Page:
    """A page in Firefox.

    `outside` lists the requests to other machines, `problems` the uncaught errors of scripts,
    what the console calls an error, and the addresses that did not answer well.
    """

    def __init__(self, socket, size):
        self.socket, self.numbers = socket, itertools.count()
        self.outside, self.problems = [], []
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=HEARD)
        self.context = self._ask("browsingContext.create", type="tab")["context"]
        self.resize(size)

    def _ask(self, method, **params):
        """Send a command; return its answer, and note what is heard in between."""
        number = next(self.numbers)
        self.socket.send(json.dumps(dict(id=number, method=method, params=params)))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == number:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['message']}")
                return message["result"]
            self._hear(message.get("method"), message.get("params"))

    def _hear(self, event, said):
        if event == "log.entryAdded":
            if said["level"] == "error":
                self.problems.append(said["text"])
        elif event == "network.beforeRequestSent":
            if not said["request"]["url"].startswith(INSIDE):
                self.outside.append(said["request"]["url"])
        elif event == "network.responseCompleted" and said["response"]["status"] >= 400:
            self.problems.append(f"{said['response']['status']}: {said['request']['url']}")

    def resize(self, size):
        """Give the page the width and height of a screen, in px."""
        self._ask("browsingContext.setViewport", context=self.context, viewport=size)

    def goto(self, address):
        """Open an address anew; return when all has come that the page itself names."""
        self.outside, self.problems = [], []
        for url in ("about:blank", address):  # another anchor alone would load nothing
            # Firefox may forget to answer once all is there: the page is asked in its place.
            self._ask("browsingContext.navigate", context=self.context, url=url, wait="none")
            self.wait(ARRIVED, url)

    def evaluate(self, function, *given):
        """Return what a function of JavaScript makes of what JSON can hold."""
        answer = self._ask(
            "script.callFunction",
            functionDeclaration=CALL % function,
            arguments=[{"type": "string", "value": json.dumps(given)}],
            target={"context": self.context},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def wait(self, *asked, **options):
        """Return what a function returns, once that is as it should be, or the last of it."""
        return lab.wait(self, *asked, **options)

    def press(self, *keys):
        """Press keys, one after the other, where the focus is; ``"Alt+Home"`` are two at once."""
        strokes = []
        for key in keys:
            values = [KEYS.get(name, name) for name in key.split("+")]
            strokes += [{"type": "keyDown", "value": value} for value in values]
            strokes += [{"type": "keyUp", "value": value} for value in reversed(values)]
        actions = [{"type": "key", "id": "keyboard", "actions": strokes}]
        self._ask("input.performActions", context=self.context, actions=actions)
