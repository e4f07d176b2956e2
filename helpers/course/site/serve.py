"""Serve the site to a room: ``make present``.

Python's own server; ``http.server`` itself lets five wait at its door, and a room comes at once.
"""

import argparse
import functools
import socketserver
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

from helpers.course.network import THIS_MACHINE, add_address, address_of

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


def server(folder, bind=THIS_MACHINE, port=0):
    """Return a `Server` of a folder, on a free port unless told which."""
    return Server((bind, port), functools.partial(Handler, directory=folder))


def main(arguments=None):
    """Serve the folder named on the command line until Ctrl + C."""
    parser = argparse.ArgumentParser(prog="python -m helpers.course.site.serve")
    parser.add_argument("folder", type=Path, metavar="build/site")
    add_address(parser, PORT)
    given = parser.parse_args(arguments)
    with server(given.folder, given.bind, given.port) as serving:
        print(f"The explorers: {address_of(given.bind, given.port)}", flush=True)
        if given.bind == THIS_MACHINE:
            print('For the room: make present PRESENT="--bind 0.0.0.0"', flush=True)
        try:
            serving.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
