"""How a room votes: 300 clients within five seconds, three rounds, every page open beside it.

Run by `make bench`. Each client opens the page, follows the news as a browser does, and votes
after a while of its own, some twice; then every vote is looked for in the file.
"""

import asyncio
import json
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from scale import most_memory
from voting import Browser, vote

CLIENTS = 300
SECONDS = 5  # within which all vote
ROUNDS = ["Open the vote", "Second vote", "Open the vote"]
BETWEEN = [
    ["Close the vote"],
    ["Close the second vote", "Show the answer", "Next question"],
    ["Close the vote"],
]
MOST_MEDIAN = 0.1  # second


class Client:
    """One browser of the room: its cookie, its open page, and how long its votes took."""

    def __init__(self, address):
        self.host, self.port = address.hostname, address.port
        self.cookie, self.took, self.troubles = "", [], []

    async def ask(self, head, body=""):
        """Send a request; return the reader of its answer."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        lines = [
            f"{head} HTTP/1.1",
            f"Host: {self.host}:{self.port}",
            f"Origin: http://{self.host}:{self.port}",
            f"Cookie: {self.cookie}",
            f"Content-Length: {len(body)}",
        ]
        writer.write("\r\n".join([*lines, "", body]).encode())
        return reader, writer

    async def come(self):
        """Open the page, and follow the news from then on."""
        reader, writer = await self.ask("GET /")
        answer = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.cookie = answer.partition("Set-Cookie: ")[2].partition(";")[0]
        writer.close()
        self.news, self.writer = await self.ask("GET /events")

    async def hear(self, phase):
        """Return the name of the question once the page shows a phase."""
        while True:
            line = await self.news.readline()
            if line.startswith(b"data: "):
                shown = json.loads(line[6:])
                if shown["phase"] == phase:
                    return shown["name"]

    async def choose(self, phase, answers, wait):
        """Vote after `wait` seconds, for each of `answers` in turn."""
        name = await self.hear(phase)
        await asyncio.sleep(wait)
        for answer in answers:
            start = time.monotonic()
            reader, writer = await self.ask(
                "POST /vote", json.dumps(dict(name=name, answer=answer))
            )
            status = await reader.readline()
            writer.close()
            self.took.append(time.monotonic() - start)
            if b" 200 " not in status:
                self.troubles.append(status)


async def rounds(started):
    """Let the room vote three times; return the clients, and what each round must hold."""
    luck = random.Random(18)
    clients = [Client(urlsplit(started.address)) for _ in range(CLIENTS)]
    await asyncio.gather(*(client.come() for client in clients))
    teacher = await asyncio.to_thread(Browser, started, started.secret)
    expected = []
    for opening, after in zip(ROUNDS, BETWEEN, strict=True):
        plans = [luck.choices("ABCD", k=luck.choice((1, 1, 2))) for _ in clients]
        phase = "second vote" if opening == "Second vote" else "first vote"
        votes = [
            client.choose(phase, plan, luck.uniform(0, SECONDS))
            for client, plan in zip(clients, plans, strict=True)
        ]
        listening = asyncio.gather(*votes)
        assert (await asyncio.to_thread(teacher.move, opening))[0] == 200
        await listening
        expected.append([plan[-1] for plan in plans])
        for move in after:
            assert (await asyncio.to_thread(teacher.move, move))[0] == 200
    return clients, expected


def main():
    """Print what was found; return 1 where a limit is broken."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "votes.sqlite"
        with vote(file) as started:
            clients, expected = asyncio.run(rounds(started))
            memory = most_memory(started.process.pid)
        query = "select question, round, voter, answer from votes"
        stored = sqlite3.connect(file).execute(query).fetchall()
    place = {client.cookie.partition("=")[2]: i for i, client in enumerate(clients)}
    first, last = dict.fromkeys(question for question, *_ in stored)
    order = {(first, 1): 0, (first, 2): 1, (last, 1): 2}
    found = [[None] * CLIENTS for _ in ROUNDS]
    for question, number, voter, answer in stored:
        found[order[question, number]][place[voter]] = answer
    lost = sum(
        a != b for f, e in zip(found, expected, strict=True) for a, b in zip(f, e, strict=True)
    )
    took = [seconds for client in clients for seconds in client.took]
    refused = sum(len(client.troubles) for client in clients)
    print(f"{CLIENTS} clients vote within {SECONDS} s, {len(ROUNDS)} rounds, {len(took)} votes")
    print(f"refused: {refused}; lost or changed: {lost}; stored: {len(stored)}")
    print(
        f"answer: median {1000 * statistics.median(took):.1f} ms, "
        f"worst {1000 * max(took):.0f} ms; memory of the server {memory:.0f} MB"
    )
    whole = len(stored) == CLIENTS * len(ROUNDS)
    return int(bool(lost or refused or not whole or statistics.median(took) > MOST_MEDIAN))


if __name__ == "__main__":
    sys.exit(main())
