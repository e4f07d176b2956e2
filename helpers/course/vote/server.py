"""The vote on the network of a room: one page to vote on, one for the instructor.

A browser is known by a cookie, a text of no meaning; nobody gives a name. The instructor's page
needs the secret that the start prints. Pages hear of changes by server-sent events, which a
browser takes up again by itself, after a phone has slept or the server was started anew.
"""

import asyncio
import json
import secrets
from datetime import timedelta
from functools import wraps
from pathlib import Path
from urllib.parse import urlsplit

from tornado import httpserver, iostream, locks, web

from helpers.course.vote.poll import RefusedError

STATIC = Path(__file__).parent / "static"
VOTER, INSTRUCTOR = "ndcg-voter", "ndcg-instructor"  # cookies
COOKIE = {"httponly": True, "samesite": "Lax", "expires_days": 1}
POLICY = "default-src 'self'; img-src data:; frame-ancestors 'none'"
MOST_BYTES = 1000  # of a body: the longest that a page sends has 150
PAUSE = 1  # second after a wrong secret
HEARTBEAT = timedelta(seconds=20)  # so that a connection that is gone is noticed
BREATH = 0.1  # seconds between two events to one page: 300 votes are not 300 redraws


class Room:
    """A `Poll`, its secret, and who waits for news of it."""

    def __init__(self, poll, secret=None):
        self.poll, self.secret = poll, secret or secrets.token_urlsafe(12)
        self.moved, self.voted = locks.Condition(), locks.Condition()

    def tell_all(self):
        """Wake every page."""
        self.moved.notify_all()
        self.tell_instructor()

    def tell_instructor(self):
        """Wake the instructor's pages."""
        self.voted.notify_all()


def from_own_page(method):
    """Refuse what another site's page sends."""

    @wraps(method)
    def checked(self):
        origin = self.request.headers.get("Origin", "")
        if urlsplit(origin).netloc != self.request.host:
            raise web.HTTPError(403, reason="Only from the pages of the vote")
        return method(self)

    return checked


class Handler(web.RequestHandler):
    """What all share: who asks, JSON in and out, and errors as one line of text."""

    def initialize(self, room):
        """Take what all handlers of an application share."""
        self.room, self.poll = room, room.poll

    @property
    def voter(self):
        """The text by which this browser is known; None before it has opened a page."""
        return self.get_cookie(VOTER)

    @property
    def is_instructor(self):
        """Whether this browser has sent the secret."""
        given = self.get_cookie(INSTRUCTOR, "").encode()
        return secrets.compare_digest(given, self.room.secret.encode())

    def body(self, *names):
        """Return the values of a JSON body, which has these names and no others."""
        try:
            given = json.loads(self.request.body)
            values = [given.pop(name) for name in names]
        except (ValueError, KeyError, AttributeError, TypeError):
            raise web.HTTPError(400, reason=f"Send JSON with {', '.join(names)}") from None
        return values

    def write_error(self, status_code, **_kwargs):
        """Say in one line what is wrong."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(self._reason)

    def set_default_headers(self):
        """Keep nothing, and load nothing from elsewhere."""
        self.set_header("Cache-Control", "no-store")
        self.set_header("Content-Security-Policy", POLICY)
        self.set_header("Server", "vote")


class Page(Handler):
    """One of the two pages; whoever comes first gets a cookie of a voter."""

    def initialize(self, room, file):
        """Take the file of the page, too."""
        super().initialize(room)
        self.file = file

    def get(self):
        """Send the page."""
        if not self.voter:
            self.set_cookie(VOTER, secrets.token_urlsafe(16), **COOKIE)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.write((STATIC / self.file).read_bytes())


class Events(Handler):
    """What a page shows, whenever it is another than before."""

    gone = False

    @property
    def news(self):
        """Who tells of the next change."""
        return self.room.moved

    def now(self):
        """Return what the page shows now."""
        return self.poll.for_voter(self.voter)

    async def get(self):
        """Send what the page shows until it closes."""
        self.set_header("Content-Type", "text/event-stream")
        last = None
        while not self.gone:
            waiting = self.news.wait(HEARTBEAT)
            shown = self.now()
            if shown != last:
                self.write(f"data: {json.dumps(shown)}\n\n")
                last = shown
            else:
                self.write(": still here\n\n")
            try:
                await self.flush()
            except iostream.StreamClosedError:
                return
            await asyncio.sleep(BREATH)
            await waiting

    def on_connection_close(self):
        """Stop: nobody listens any more."""
        self.gone = True


class InstructorEvents(Events):
    """The same for the instructor's page, which needs the secret."""

    def prepare(self):
        """Refuse whoever has not sent the secret."""
        if not self.is_instructor:
            raise web.HTTPError(403, reason="Open this page with the secret")

    @property
    def news(self):
        """Who tells of the next change: each vote is one."""
        return self.room.voted

    def now(self):
        """Return what the instructor's page shows now."""
        return self.poll.for_instructor()


class Vote(Handler):
    """Takes a vote."""

    @from_own_page
    def post(self):
        """Count a vote, or say why not."""
        if not self.voter:
            raise web.HTTPError(403, reason="Open the page of the vote first")
        name, answer = self.body("name", "answer")
        try:
            self.poll.vote(self.voter, name, answer)
        except RefusedError as refused:
            raise web.HTTPError(409, reason=str(refused)) from None
        self.room.tell_instructor()
        self.write({"own": answer})


class Move(Handler):
    """Takes what the instructor does."""

    @from_own_page
    def post(self):
        """Make a move, or say why not."""
        if not self.is_instructor:
            raise web.HTTPError(403, reason="Open this page with the secret")
        try:
            self.poll.move(*self.body("move", "place", "phase"))
        except RefusedError as refused:
            raise web.HTTPError(409, reason=str(refused)) from None
        self.room.tell_all()
        self.write({})


class Enter(Handler):
    """Takes the secret once, and knows the browser from then on; says whether it does."""

    def get(self):
        """Say by the status whether this is the instructor's browser."""
        self.set_status(204 if self.is_instructor else 403)

    @from_own_page
    async def post(self):
        """Compare the secret; make guessing slow."""
        [given] = self.body("secret")
        if not secrets.compare_digest(str(given).encode(), self.room.secret.encode()):
            await asyncio.sleep(PAUSE)
            raise web.HTTPError(403, reason="That is not the secret that the start printed")
        self.set_cookie(INSTRUCTOR, self.room.secret, **COOKIE)
        self.write({})


def listen(room, bind, port):
    """Start to serve a `Room`; return Tornado's server."""
    own = {"room": room}
    application = web.Application(
        [
            ("/", Page, own | {"file": "vote.html"}),
            ("/teach", Page, own | {"file": "teach.html"}),
            ("/events", Events, own),
            ("/teach/events", InstructorEvents, own),
            ("/vote", Vote, own),
            ("/teach/move", Move, own),
            ("/teach/enter", Enter, own),
            (r"/static/(\w+\.(?:js|css))", web.StaticFileHandler, {"path": STATIC}),
        ],
        log_function=lambda handler: None,
    )
    server = httpserver.HTTPServer(application, max_body_size=MOST_BYTES)
    server.listen(port, bind, backlog=1024)
    return server
