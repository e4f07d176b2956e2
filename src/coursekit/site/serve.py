"""Serve the site: its page for a room, ``make present``, or all of it, ``make open-site``.

Python's own server; ``http.server`` itself lets five wait at its door, and a room comes at once.
"""

import argparse
import functools
import os
import socketserver
import sys
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

from coursekit.network import THIS_MACHINE, add_address, address_of, family_of, why_not

PORT = 8866


class Handler(SimpleHTTPRequestHandler):
    """Serves files, at the bare address the room's page, and says nothing on the terminal."""

    first = "room.html"
    kept = 2 * 60 * 60  # seconds; a phone that comes back in a double lesson asks nothing twice
    is_found = False
    default_request_version = "HTTP/1.0"  # or a bad request would get an answer without a status
    # What Windows has in its registry for .js may not be what modules need.
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".js": "text/javascript"}

    def send_head(self):
        """Begin to answer GET or HEAD."""
        if self.path.partition("?")[0] == "/":
            self.send_response(HTTPStatus.FOUND)
            self.send_header("Location", self.first)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return None
        try:
            return super().send_head()
        except ValueError:  # a path that no file can have, as /%00
            return self.list_directory(self.path)

    def list_directory(self, _path):
        """Show no folders."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def send_response(self, code, message=None):
        """Note whether a file was found."""
        super().send_response(code, message)
        self.is_found = code in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)

    def end_headers(self):
        """Let browsers keep files, and nothing else, and take them for what they are."""
        kept = f"max-age={self.kept}" if self.is_found else "no-store"
        self.send_header("Cache-Control", kept)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        super().end_headers()

    def log_message(self, *_args):
        """Say nothing."""


class SiteHandler(Handler):
    """The same for who reads or writes the site: its front page first, and never an old page."""

    first = "index.html"
    kept = 0


class Server(socketserver.ThreadingTCPServer):
    """One thread for each connection; many may wait for theirs."""

    allow_reuse_address = os.name == "posix"  # Windows would give a port to two programs
    daemon_threads = True
    request_queue_size = 1024

    def __init__(self, address, handler):
        self.address_family = family_of(address[0])
        super().__init__(address, handler)

    def handle_error(self, request, client_address):
        """Say nothing of a browser that went away."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def server(folder, bind=THIS_MACHINE, port=0, handler=Handler):
    """Return a `Server` of a folder, on a free port unless told which."""
    return Server((bind, port), functools.partial(handler, directory=folder))


def main(arguments=None):
    """Serve the folder named on the command line until Ctrl + C."""
    parser = argparse.ArgumentParser(prog="python -m coursekit.site.serve")
    parser.add_argument("folder", type=Path, metavar="build/site")
    parser.add_argument("--site", action="store_true", help="the site, not the page for a room")
    add_address(parser, PORT)
    given = parser.parse_args(arguments)
    handler = SiteHandler if given.site else Handler
    if not (given.folder / handler.first).is_file():
        sys.exit(
            f"There is no {handler.first} in {given.folder}: build the site first, with make site"
        )
    try:
        serving = server(given.folder, given.bind, given.port, handler)
    except OSError as error:
        sys.exit(why_not(error, given.bind, given.port))
    with serving:
        print(f"Open in a browser: {address_of(given.bind, given.port)}", flush=True)
        if given.bind == THIS_MACHINE and not given.site:
            print('For the room: make present PRESENT="--bind 0.0.0.0"', flush=True)
        try:
            serving.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
