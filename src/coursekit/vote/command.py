"""Let a room vote on the bets of a course, or write what was counted."""

import argparse
import asyncio
import contextlib
import csv
import datetime
import functools
import logging
import socket
import sys
from pathlib import Path

from coursekit.folder import course_folder
from coursekit.network import add_address, address_of, why_not
from coursekit.vote.poll import Poll
from coursekit.vote.server import Room, listen
from coursekit.vote.store import Store, StoreError, secret_beside
from wording import nearest

PORT = 8877
CONNECTIONS = 4096
COLUMNS = ("question", "round", "votes", "right", "favorite slip", *"ABCDE")


def main(course, arguments=None):
    """Serve the vote until Ctrl + C, or write its counts as a table."""
    asked = course.bets.asked
    parser = argparse.ArgumentParser(prog=f"python -m {course.package} vote")
    known = functools.partial(_known, asked)
    parser.add_argument("asked", type=known, help="a notebook, for its bets, or the questions")
    add_address(parser, PORT)
    parser.add_argument("--file", type=Path, help="where the votes are kept; one for each class")
    parser.add_argument("--export", type=Path, metavar="votes.csv", help="write counts and end")
    given = parser.parse_args(arguments)
    name = f"votes-{given.asked}-{datetime.date.today()}.sqlite"
    path = given.file or course_folder() / "build" / name
    try:
        if given.export:
            print(export(given.asked, asked[given.asked], path, given.export))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            allow_connections()
            room = opened(given, asked[given.asked], path)
            with contextlib.suppress(KeyboardInterrupt):
                asyncio.run(serve(room, given, path))
    except StoreError as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(f"cannot write {error.filename or given.export}: {error.strerror}")


def _known(asked, name):
    """Return a name of what can be asked; argparse shows the message of another one."""
    if name not in asked:
        said = nearest(name, asked) or f"; there are {', '.join(asked)}"
        raise argparse.ArgumentTypeError(f"no notebook is called {name!r}{said}")
    return name


def allow_connections():
    """Let each phone keep its connection open: macOS grants a process 256 files, Linux 1,024."""
    try:
        import resource  # not on Windows, which has no such limit
    except ImportError:
        return
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = CONNECTIONS if hard == resource.RLIM_INFINITY else min(hard, CONNECTIONS)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def opened(given, questions, path):
    """Return the room of bets or questions whose votes a file keeps."""
    poll = Poll(questions, Store(path, given.asked, questions))
    return Room(poll, secret_beside(path), names={given.bind, *own_names()})


async def serve(room, given, path):
    """Serve a room until Ctrl + C."""
    logging.disable()  # what comes over the network prints nothing here
    try:
        listen(room, given.bind, given.port)
    except OSError as error:
        sys.exit(why_not(error, given.bind, given.port))
    address = address_of(given.bind, given.port)
    print(f"The room opens       {address}")
    print(f"The instructor opens {address}/teach#{room.secret}")
    print(f"Votes are kept in    {path}", flush=True)
    if room.poll.votes:
        print("It has votes already, and goes on from there; for a new class name a --file.")
    if given.bind == "127.0.0.1":
        print(f'For the room: make vote VOTE="{given.asked} --bind 0.0.0.0"', flush=True)
    await asyncio.Event().wait()


def own_names():
    """Return the names of this machine in its network."""
    name = socket.gethostname().lower()
    return {name, f"{name.partition('.')[0]}.local"}


def export(asked, questions, path, table):
    """Write the counts, a row for each question and round; return what was done, in words."""
    if not path.exists():
        others = ", ".join(map(str, sorted(path.parent.glob(f"votes-{asked}-*.sqlite"))))
        there = f"there are {others}" if others else f"nobody has voted on {asked} there"
        raise StoreError(f"{path}: there is no such file; {there}; --file names another")
    rows = list(Poll(questions, Store(path, asked, questions, read_only=True)).rows())
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return f"{len(rows)} rows of counts from {path}: {table}"
