"""The vote on the network of a room: one page to vote on, one for the instructor.

A browser is known by a cookie, a text of no meaning; nobody gives a name. The instructor's page
needs the secret that the start prints. Pages hear of changes by server-sent events, which a
browser takes up again by itself, after a phone has slept or the server was started anew.

Nothing that comes over the network prints anything here. Why votes cannot be kept is printed, and
stands on the instructor's page; a phone is told only that its vote was not counted.
"""

import asyncio
import contextlib
import ipaddress
import json
import secrets
import traceback
from datetime import timedelta
from functools import wraps
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from tornado import httpserver, iostream, locks, web

from coursekit.bets import drawn
from coursekit.vote.poll import RefusedError
from coursekit.vote.store import BusyError, StoreError

STATIC = Path(__file__).parent / "static"
VOTER, INSTRUCTOR = "ndcg-voter", "ndcg-instructor"  # cookies
# It ends by its age: by a date it would end at once on a phone whose clock is ahead.
COOKIE = {"httponly": True, "samesite": "Lax", "expires_days": None, "max_age": 24 * 60 * 60}
HEADERS = MappingProxyType(
    {
        "Cache-Control": "no-store",
        "Content-Security-Policy": "default-src 'self'; img-src data:; frame-ancestors 'none'",
        "Referrer-Policy": "no-referrer",
        "Server": "vote",
        "X-Content-Type-Options": "nosniff",
    }
)
MOST_BYTES = 1000  # of a body: the longest that a page sends has 150
PAUSE = 1  # second for each wrong secret, one after the other
MOST_GUESSES = 10  # that wait for their turn
TRIES = 20  # to write to a file that another program has locked, a `BREATH` apart
IDLE = 60  # seconds until a connection is closed that asks for nothing
HEARTBEAT = timedelta(seconds=20)  # so that a connection that is gone is noticed
BREATH = 0.1  # seconds between two events to one page: 300 votes are not 300 redraws


class Room:
    """A `Poll`, the instructor's secret, and who waits for news of it.

    `names` are those by which browsers may ask for this machine, beside its addresses.
    """

    def __init__(self, poll, secret, names=()):
        self.poll, self.secret = poll, secret
        self.names = {"localhost", *names}
        self.moved, self.voted = locks.Condition(), locks.Condition()
        self.trouble = None  # why nothing can be kept now, in words
        self.guessing, self.guesses = locks.Lock(), 0

    def tell_all(self):
        """Wake every page."""
        self.moved.notify_all()
        self.tell_instructor()

    def tell_instructor(self):
        """Wake the instructor's pages."""
        self.voted.notify_all()

    async def keep(self, change):
        """Make a change that its file keeps; raise a StoreError where it does not.

        Others are served while it waits for a file that another program has locked.
        """
        for more in reversed(range(TRIES)):
            try:
                change()
            except StoreError as error:
                if more and isinstance(error, BusyError):
                    await asyncio.sleep(BREATH)
                    continue
                self._say(f"No vote is counted now. {error}.")
                raise
            self._say(None)
            return

    def _say(self, trouble):
        """Print what keeps votes from being kept, once, and that it is over."""
        if trouble != self.trouble:
            self.trouble = trouble
            print(trouble or "Votes count again.", flush=True)
            self.tell_instructor()

    def is_secret(self, given):
        """Return whether a text is the secret."""
        return secrets.compare_digest(given.encode(errors="replace"), self.secret.encode())

    async def enter(self, given):
        """Return whether a text is the secret; wrong ones take a second each, all together."""
        if self.guesses >= MOST_GUESSES:
            raise Refusal(429, "Too many wrong secrets; wait some seconds, and try again")
        self.guesses += 1
        try:
            async with self.guessing:
                found = self.is_secret(given)
                if not found:
                    await asyncio.sleep(PAUSE)
            return found
        finally:
            self.guesses -= 1


class Refusal(web.HTTPError):
    """What is not served, and why, in one line for who asked."""

    def __init__(self, status, words):
        super().__init__(status)
        self.words = words


def from_own_page(method):
    """Refuse what another site's page sends."""

    @wraps(method)
    def checked(self):
        origin = self.request.headers.get("Origin", "")
        if urlsplit(origin).netloc != self.request.host:
            raise Refusal(403, "Only from the pages of the vote")
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

    def prepare(self):
        """Serve those alone who ask for this machine: another name may be that of another site."""
        with contextlib.suppress(ValueError):
            host = urlsplit(f"//{self.request.host}").hostname or ""
            if host in self.room.names or ipaddress.ip_address(host):
                return
        raise Refusal(421, "Open the address that the start of the vote printed")

    def body(self, *names):
        """Return the texts or numbers of a JSON body, which has these names."""
        try:
            given = json.loads(self.request.body)
            return [given[name] for name in names]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise Refusal(400, f"Send JSON with {', '.join(names)}") from None

    def write_error(self, status_code, **kwargs):
        """Say in one line what is wrong."""
        error = kwargs["exc_info"][1]
        words = getattr(error, "words", self._reason)
        if not isinstance(error, web.HTTPError):  # a fault of ours, which no terminal shows
            file, line, *_ = traceback.extract_tb(error.__traceback__)[-1]
            words = f"please report {type(error).__name__} in {Path(file).name}, line {line}"
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(words)

    def set_default_headers(self):
        """Keep nothing, and load nothing from elsewhere."""
        for name, value in HEADERS.items():
            self.set_header(name, value)


class ForInstructor(Handler):
    """What needs the secret, in a cookie."""

    async def prepare(self):
        """Refuse whoever has not sent the secret; guesses at a cookie take as long as others."""
        super().prepare()
        given = self.get_cookie(INSTRUCTOR, "")
        if not self.room.is_secret(given):
            if given:
                await self.room.enter(given)
            raise Refusal(403, "Open this page with the secret")


class Missing(Handler):
    """Whatever is at no other address."""

    def prepare(self):
        """Say so."""
        raise Refusal(404, "There is nothing at this address")


class Static(Handler, web.StaticFileHandler):
    """The scripts and styles of the pages."""

    def initialize(self, room, path):
        """Take the folder, too."""
        Handler.initialize(self, room)
        web.StaticFileHandler.initialize(self, path)

    def get_cache_time(self, *_args):
        """Keep nothing, whatever the address says."""
        return 0


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


class InstructorEvents(ForInstructor, Events):
    """The same for the instructor's page."""

    @property
    def news(self):
        """Who tells of the next change: each vote is one."""
        return self.room.voted

    def now(self):
        """Return what the instructor's page shows now."""
        return self.poll.for_instructor() | {"trouble": self.room.trouble}


class Vote(Handler):
    """Takes a vote."""

    @from_own_page
    async def post(self):
        """Count a vote, or say why not."""
        if not self.voter:
            raise Refusal(403, "Open the page of the vote first")
        name, answer = self.body("name", "answer")
        try:
            await self.room.keep(lambda: self.poll.vote(self.voter, name, answer))
        except RefusedError as refused:
            raise Refusal(409, str(refused)) from None
        except StoreError:
            raise Refusal(503, "the instructor's screen says why; choose again later") from None
        self.room.tell_instructor()
        self.write({"own": answer})


class Move(ForInstructor):
    """Takes what the instructor does."""

    @from_own_page
    async def post(self):
        """Make a move, or say why not."""
        asked = self.body("move", "place", "phase")
        try:
            await self.room.keep(lambda: self.poll.move(*asked))
        except RefusedError as refused:
            raise Refusal(409, str(refused)) from None
        except StoreError as error:
            raise Refusal(503, str(error)) from None
        self.room.tell_all()
        self.write({})


class Enter(Handler):
    """Takes the secret, and knows the browser from then on."""

    @from_own_page
    async def post(self):
        """Compare the secret; make guessing slow."""
        [given] = self.body("secret")
        if not await self.room.enter(str(given)):
            raise Refusal(403, "That is not the secret that the start printed")
        self.set_cookie(INSTRUCTOR, self.room.secret, **COOKIE)
        self.write({})


class Entered(ForInstructor):
    """Says by its status whether this is the instructor's browser."""

    def get(self):
        """Say that it is."""
        self.set_status(204)


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
            ("/teach/entered", Entered, own),
            (r"/static/(drawn\.css)", Static, own | {"path": drawn.STYLES.parent}),
            (r"/static/(\w+\.(?:js|css))", Static, own | {"path": STATIC}),
        ],
        default_handler_class=Missing,
        default_handler_args=own,
    )
    server = httpserver.HTTPServer(
        application, max_body_size=MOST_BYTES, idle_connection_timeout=IDLE
    )
    server.listen(port, bind, backlog=1024)
    return server
