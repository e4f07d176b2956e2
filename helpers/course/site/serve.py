"""Serve the site to a room: ``make present``.

Python's own server; ``http.server`` itself lets five wait at its door, and a room comes at once.
"""

import argparse
import functools
import socket
import socketserver
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

PORT = 8866
KEPT = 2 * 60 * 60  # seconds; a phone that comes back in a double lesson asks for nothing twice


class Handler(SimpleHTTPRequestHandler):
    """Serves files, at the bare address the room's page, and says nothing."""

    # What Windows has in its registry for .js may not be what modules need.
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".js": "text/javascript"}

    def do_GET(self):
        """Serve a file."""
        if self.path == "/":
            self.send_response(HTTPStatus.FOUND)
            self.send_header("Location", "room.html")
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            super().do_GET()

    def end_headers(self):
        """Let browsers keep what they get."""
        self.send_header("Cache-Control", f"max-age={KEPT}")
        super().end_headers()

    def log_message(self, *_args):
        """Say nothing."""


class Server(socketserver.ThreadingTCPServer):
    """One thread for each connection; many may wait for theirs."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 1024


def server(folder, bind="127.0.0.1", port=0):
    """Return a `Server` of a folder, on a free port unless told which."""
    return Server((bind, port), functools.partial(Handler, directory=folder))


def address_of(bind, port):
    """Return what to type into a browser, for a server on one address of this machine, or all."""
    host = {"127.0.0.1": "localhost", "0.0.0.0": _own_address()}.get(bind, bind)
    return f"http://{host}:{port}"


def _own_address():
    """Return this machine's address in its network; its name, if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for examples; nothing is sent
        except OSError:
            return socket.gethostname()
        return probe.getsockname()[0]


def main(arguments=None):
    """Serve the folder named on the command line until Ctrl + C."""
    parser = argparse.ArgumentParser(prog="python -m helpers.course.site.serve")
    parser.add_argument("folder", type=Path, metavar="build/site")
    parser.add_argument("--bind", default="127.0.0.1", help="0.0.0.0: the whole network")
    parser.add_argument("--port", type=int, default=PORT)
    given = parser.parse_args(arguments)
    with server(given.folder, given.bind, given.port) as serving:
        print(f"The explorers: {address_of(given.bind, given.port)}", flush=True)
        if given.bind == "127.0.0.1":
            print('For the room: make present PRESENT="--bind 0.0.0.0"', flush=True)
        try:
            serving.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
