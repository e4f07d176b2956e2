"""Let a room vote: ``make vote VOTE="conventions --bind 0.0.0.0"``; or write what was counted."""

import argparse
import asyncio
import contextlib
import csv
import datetime
from pathlib import Path
from types import MappingProxyType

from helpers.course.bets.texts import BY_NOTEBOOK, QUESTIONS
from helpers.course.folder import course_folder
from helpers.course.site.serve import address_of
from helpers.course.vote.poll import Poll
from helpers.course.vote.server import Room, listen

PORT = 8877
CONNECTIONS = 4096
ASKED = MappingProxyType({"questions": QUESTIONS, **BY_NOTEBOOK})
COLUMNS = ("question", "round", "votes", "right", "favorite slip", *"ABCDE")


def main(arguments=None):
    """Serve the vote until Ctrl + C, or write its counts as a table."""
    parser = argparse.ArgumentParser(prog="python -m helpers.course.vote")
    parser.add_argument("asked", choices=ASKED, help="a notebook, for its bets, or the questions")
    parser.add_argument("--bind", default="127.0.0.1", help="0.0.0.0: the whole network")
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--file", type=Path, help="where the votes are kept; one for each class")
    parser.add_argument("--export", type=Path, metavar="votes.csv", help="write counts and end")
    given = parser.parse_args(arguments)
    name = f"votes-{given.asked}-{datetime.date.today()}.sqlite"
    path = given.file or course_folder() / "build" / name
    if given.export:
        if not path.exists():
            parser.error(f"there are no votes in {path}; name another file with --file")
        rows = export(Poll(ASKED[given.asked], path), given.export)
        print(f"{rows} rows of counts from {path}: {given.export}")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    allow_connections()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(given, path))


def allow_connections():
    """Let each phone keep its connection open: macOS grants a process 256 files, Linux 1,024."""
    try:
        import resource  # not on Windows, which has no such limit
    except ImportError:
        return
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = CONNECTIONS if hard == resource.RLIM_INFINITY else min(hard, CONNECTIONS)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def serve(given, path):
    """Serve bets or questions from the file that keeps the votes, until Ctrl + C."""
    poll = Poll(ASKED[given.asked], path)
    room = Room(poll)
    listen(room, given.bind, given.port)
    address = address_of(given.bind, given.port)
    print(f"The room opens       {address}")
    print(f"The instructor opens {address}/teach#{room.secret}")
    print(f"Votes are kept in    {path}", flush=True)
    if any(poll.rows()):
        print("It has votes already, and goes on from there; for a new class name a --file.")
    if given.bind == "127.0.0.1":
        print(f'For the room: make vote VOTE="{given.asked} --bind 0.0.0.0"', flush=True)
    await asyncio.Event().wait()


def export(poll, path):
    """Write the counts, a row for each question and round; return how many rows."""
    rows = list(poll.rows())
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return len(rows)


if __name__ == "__main__":
    main()
