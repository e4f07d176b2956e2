"""How a room opens the page of `make present`: 300 clients within ten seconds.

Run by `make bench`. What a browser loads, a real one says, which looks at every explorer; each
client then asks for the same, six files at a time, as browsers do. To move a slider asks the
server for nothing: the browser counts what it asks for while one is moved.
"""

import asyncio
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import lab
from lab import wait_for_figures
from scale import most_memory

from course.explorers import EXPLORERS

SITE = Path(__file__).parents[1] / "build" / "site"
CLIENTS = 300
SECONDS = 10  # within which they come
AT_A_TIME = 6
MOST_SECONDS = 30
MOST_MEGABYTES = 200


class Visit(NamedTuple):
    """What one client met: seconds until all was there, bytes, and what went wrong."""

    seconds: float
    n_bytes: int
    troubles: list


def files_of(desk, address):
    """Return the paths that a browser loads, in their order, and those of a moved slider."""
    page = desk.page()
    asked = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.goto(f"{address}/room.html")
    for name in EXPLORERS:
        page.locator(f"#{name}").scroll_into_view_if_needed()
        page.locator(f"#{name} .ndcg-explorer").wait_for()
    wait_for_figures(page)
    page.wait_for_load_state("networkidle")
    files = [path for path in dict.fromkeys(asked) if path.startswith("/")]
    asked.clear()
    slider = page.locator("#slide-k .ndcg-slider input")
    slider.press("ArrowRight")
    lab.wait_for_title(page, "k = 2: NDCG falls")
    desk.close(page)
    return files, asked


async def get(host, port, path):
    """Return the bytes of an answer; refuse one that is not whole."""
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(f"GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    length = int(re.search(rb"(?i)^content-length: (\d+)", head, re.MULTILINE)[1])
    if b" 200 " not in head.splitlines()[0] or len(body) != length:
        raise ConnectionError(f"{path}: {head.splitlines()[0]!r}, {len(body)} of {length} bytes")
    return len(answer)


async def visit(address, files, wait):
    """Come after `wait` seconds and load the page, then its files."""
    await asyncio.sleep(wait)
    place = address.hostname, address.port
    start, sizes, troubles = time.monotonic(), [], []
    free = asyncio.Semaphore(AT_A_TIME)

    async def load(path):
        async with free:
            try:
                sizes.append(await get(*place, path))
            except (OSError, TypeError) as error:
                troubles.append(f"{path}: {error!r}")

    await load(files[0])
    await asyncio.gather(*map(load, files[1:]))
    return Visit(time.monotonic() - start, sum(sizes), troubles)


async def room_of(address, files):
    """Return what all clients met."""
    luck = random.Random(14)
    waits = [luck.uniform(0, SECONDS) for _ in range(CLIENTS)]
    return await asyncio.gather(*(visit(urlsplit(address), files, wait) for wait in waits))


def main():
    """Print what was found; return 1 where a limit is broken."""
    port = lab.free_port()
    command = [sys.executable, "-m", "coursekit.site.serve", str(SITE), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = server.stdout.readline().split()[-1].replace("localhost", "127.0.0.1")
            with tempfile.TemporaryDirectory() as folder, lab.desk(Path(folder)) as desk:
                files, moved = files_of(desk, address)
            before = most_memory(server.pid)
            visits = asyncio.run(room_of(address, files))
            after = most_memory(server.pid)
        finally:
            server.terminate()
    return report(files, moved, visits, before, after)


def report(files, moved, visits, before, after):
    """Print the numbers; return 1 where a limit is broken."""
    seconds = [one.seconds for one in visits]
    troubles = [trouble for one in visits for trouble in one.troubles]
    print(f"{CLIENTS} clients within {SECONDS} s, {len(files)} files each")
    print(f"refused or broken: {len(troubles)} of {CLIENTS * len(files)}", *troubles[:3])
    print(
        f"all files there: median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s"
    )
    print(f"each loads {visits[0].n_bytes / 1e6:.2f} MB, and asks {len(moved)} times as it moves")
    print(f"memory of the server: at most {after:.0f} MB, {before:.0f} MB before they came")
    broken = troubles or moved or max(seconds) > MOST_SECONDS or after > MOST_MEGABYTES
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
