"""Thirty students on a JupyterHub: what they wait for, and how much memory they take.

`make test-hub` runs it in an environment of its own, with the hub that `jupyterhub_config.py`
describes. Each student gets a copy of the course by nbgitpuller, runs the notebooks of a first
lesson from top to bottom, moves a slider ten times, and solves an exercise. Then one of them
fills memory. It prints what was measured, and exits with 1 where something went wrong.
"""

import argparse
import asyncio
import collections
import json
import os
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import nbformat
import psutil
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from course.exercises import CATALOG

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
NOTEBOOKS = ("00_start_here", "02_gain_discounted", "07_ties")
MOVES = 10
MEGABYTES = 8000  # of address space for each process: what fills memory gets no more
MOST_KERNEL = 220  # MB after the whole of a notebook
MACHINE = 16_000  # MB, for which the walk says how many students fit
SECONDS = 600
TOO_MANY = 429  # of the codes of HTTP


class Hub:
    """The hub's API, and the servers behind its proxy."""

    def __init__(self, address, token):
        self.address, self.token = address, token
        AsyncHTTPClient.configure(None, max_clients=200)
        self.client = AsyncHTTPClient()

    async def ask(self, path, method="GET", body=None, **options):
        """Return the answer to a request, as JSON has it."""
        text = None if body is None and method in ("GET", "DELETE") else json.dumps(body or {})
        answer = await self.client.fetch(
            HTTPRequest(
                self.address + path,
                method=method,
                body=text,
                headers={"Authorization": f"token {self.token}"},
                request_timeout=SECONDS,
                connect_timeout=SECONDS,
                **options,
            )
        )
        return json.loads(answer.body) if answer.body else None

    async def start(self, user):
        """Start the server of a user; return once it is ready.

        While many others start, the hub asks to come again, and a browser does so by itself.
        """
        await self.ask(f"/hub/api/users/{user}", "POST")
        async with asyncio.timeout(SECONDS):
            while True:
                try:
                    await self.ask(f"/hub/api/users/{user}/server", "POST")
                    break
                except HTTPClientError as error:
                    if error.code != TOO_MANY:
                        raise
                await asyncio.sleep(1)
            while servers := (await self.ask(f"/hub/api/users/{user}"))["servers"]:
                if servers[""]["ready"]:
                    return
                await asyncio.sleep(0.5)
        raise RuntimeError(f"the hub gave up on the server of {user}")

    async def pull(self, user):
        """Let nbgitpuller copy the course, as its link does."""
        said = []
        query = f"repo=file://{ROOT}&branch={branch()}&targetpath=course"
        await self.client.fetch(
            HTTPRequest(
                f"{self.address}/user/{user}/git-pull/api?{query}",
                headers={"Authorization": f"token {self.token}"},
                request_timeout=SECONDS,
                streaming_callback=said.append,
            )
        )
        assert b'"finished"' in b"".join(said), b"".join(said)[-300:]


class Kernel:
    """A kernel behind the proxy, as a browser talks to it."""

    def __init__(self, hub, user, session):
        self.hub, self.user, self.id = hub, user, session["kernel"]["id"]
        self.comms = {}

    async def connect(self):
        """Open the socket."""
        address = self.hub.address.replace("http", "ws", 1)
        self.socket = await websocket_connect(
            HTTPRequest(
                f"{address}/user/{self.user}/api/kernels/{self.id}/channels",
                headers={"Authorization": f"token {self.hub.token}"},
                request_timeout=SECONDS,
            ),
            max_message_size=100_000_000,
        )
        return self

    async def send(self, kind, **content):
        """Send a message; return (errors, seconds) once the kernel is idle again."""
        number = uuid.uuid4().hex
        message = {
            "channel": "shell",
            "header": {"msg_id": number, "msg_type": kind, "username": "", "session": number},
            "parent_header": {},
            "metadata": {},
            "content": content,
        }
        start, errors = time.monotonic(), []
        await self.socket.write_message(json.dumps(message))
        while True:
            text = await asyncio.wait_for(self.socket.read_message(), SECONDS)
            if text is None:
                return ["the connection is closed"], time.monotonic() - start
            heard = json.loads(text) if isinstance(text, str) else _unpacked(text)
            kind, said = heard["header"]["msg_type"], heard["content"]
            if kind == "comm_open":
                self.comms[said["comm_id"]] = said["data"].get("state", {})
            if kind == "status" and said["execution_state"] in ("restarting", "dead"):
                return ["the kernel died"], time.monotonic() - start
            if heard["parent_header"].get("msg_id") != number:
                continue
            if kind == "error":
                errors.append(f"{said['ename']}: {said['evalue']}")
            if kind == "status" and said["execution_state"] == "idle":
                return errors, time.monotonic() - start

    async def run(self, source):
        """Run a cell."""
        content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False}
        return await self.send("execute_request", **content, stop_on_error=True)

    async def slide(self, value):
        """Set the first slider that a cell showed."""
        first = next(
            comm for comm, state in self.comms.items() if {"min", "max", "value"} <= state.keys()
        )
        state = {"value": value}
        data = {"method": "update", "state": state, "buffer_paths": []}
        return await self.send("comm_msg", comm_id=first, data=data)


def _unpacked(data):
    """Return a message that came with buffers: numbers of bytes first, then the parts."""
    n = int.from_bytes(data[:4], "big")
    ends = [int.from_bytes(data[4 * i : 4 * i + 4], "big") for i in range(1, n + 1)]
    return json.loads(data[ends[0] : ends[1] if n > 1 else None])


async def lesson(hub, user, found):
    """Let one student go through the lesson."""
    start = time.monotonic()
    await hub.start(user)
    found["server ready"].append(time.monotonic() - start)
    start = time.monotonic()
    await hub.pull(user)
    found["copied"].append(time.monotonic() - start)
    for name in NOTEBOOKS:
        path = f"course/notebooks/{name}.ipynb"
        session = await hub.ask(
            f"/user/{user}/api/sessions",
            "POST",
            {"path": path, "type": "notebook", "name": path, "kernel": {"name": "python3"}},
        )
        kernel = await Kernel(hub, user, session).connect()
        stored = await hub.ask(f"/user/{user}/api/contents/{path}")
        nb = nbformat.from_dict(stored["content"])
        start = time.monotonic()
        for cell in nb.cells:
            if cell.cell_type == "code":
                errors, _ = await kernel.run(cell.source)
                found["errors"] += [f"{user} {name} {cell.id}: {error}" for error in errors]
        found[f"Run All of {name}"].append(time.monotonic() - start)
        if name == NOTEBOOKS[1]:
            for i in range(MOVES):
                errors, seconds = await kernel.slide(1 + i % 5)
                found["errors"] += errors
                found["a move of a slider"].append(seconds)
            ex = CATALOG.all["dcg-of-302"]
            errors, seconds = await kernel.run(ex.cell(ex.number, ex.worked))
            found["errors"] += errors
            found["an exercise"].append(seconds)
        await hub.ask(f"/user/{user}/api/contents/{path}", "PUT", stored)
        found["kernels"].append(kernel)


async def fills_memory(hub, kernel, others):
    """Let one student fill memory; return what is then wrong.

    Where a limit stops it, it is told. A container kills the kernel instead: so do we.
    """
    errors, _ = await kernel.run("x = bytearray(10**11)")
    troubles = [] if errors else ["nothing stopped the one who fills memory"]
    print("one fills memory:", *errors)
    errors, _ = await kernel.run("import os; os.kill(os.getpid(), 9)")
    print("its kernel is killed:", *errors)
    for other in others:
        errors, _ = await other.run("1 + 1")
        troubles += [f"{other.user}: {error}" for error in errors]
    for name in NOTEBOOKS:
        stored = await hub.ask(f"/user/{kernel.user}/api/contents/course/notebooks/{name}.ipynb")
        nbformat.validate(nbformat.from_dict(stored["content"]))
    return troubles


def memory():
    """Return the megabytes of each user: of the server, and of each kernel (PSS, RSS)."""
    found = collections.defaultdict(lambda: {"server": 0, "kernels": []})
    for process in psutil.process_iter():
        try:
            user = process.environ().get("JUPYTERHUB_USER")
            command = " ".join(process.cmdline())
            if user and "python" in process.name().lower():
                own = process.memory_full_info()
                if "ipykernel" in command:
                    found[user]["kernels"].append((own.pss / 1e6, own.rss / 1e6))
                else:
                    found[user]["server"] += own.pss / 1e6
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


def branch():
    """Return the branch that is checked out."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--abbrev-ref", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def free_port():
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def walk(hub, students):
    """Let all students go through the lesson at once; print the figures; return the troubles."""
    found = collections.defaultdict(list)
    started = time.monotonic()
    users = [f"student-{i + 1}" for i in range(students)]
    await asyncio.gather(*(lesson(hub, user, found) for user in users))
    print(
        f"{students} students at once, {time.monotonic() - started:.0f} s, {os.cpu_count()} cores"
    )
    kernels, troubles = found.pop("kernels"), found.pop("errors", [])
    for what, seconds in found.items():
        print(f"{what}: median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s")
    used = memory()
    totals = [one["server"] + sum(own for own, _ in one["kernels"]) for one in used.values()]
    largest = max(rss for one in used.values() for _, rss in one["kernels"])
    one_kernel = [own for user in used.values() for own, _ in user["kernels"]]
    per_student = statistics.median(one["server"] for one in used.values())
    per_student += statistics.median(one_kernel)
    print(
        f"memory of a student with {len(NOTEBOOKS)} kernels: median "
        f"{statistics.median(totals):.0f} MB, worst {max(totals):.0f} MB"
    )
    print(
        f"the server and one kernel: {per_student:.0f} MB; 16 GB hold "
        f"{MACHINE / statistics.median(totals):.0f} students with {len(NOTEBOOKS)} kernels, "
        f"{MACHINE / per_student:.0f} with one"
    )
    print(f"the largest kernel: {largest:.0f} MB")
    if largest > MOST_KERNEL:
        troubles.append(f"a kernel holds {largest:.0f} MB, more than {MOST_KERNEL}")
    return troubles + await fills_memory(hub, kernels[0], kernels[-3:])


def main():
    """Start the hub, let the students come, and end it."""
    parser = argparse.ArgumentParser(prog="walk_hub.py")
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--proxy", type=Path, required=True, help="configurable-http-proxy")
    given = parser.parse_args()
    token, port = secrets.token_hex(16), free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        address = f"http://127.0.0.1:{port}"
        environment = os.environ | {
            "HUB_FOLDER": folder,
            "HUB_ADDRESS": address,
            "HUB_PORT": str(free_port()),
            "HUB_PROXY": str(given.proxy.resolve()),
            "HUB_PROXY_API": f"http://127.0.0.1:{free_port()}",
            "HUB_TOKEN": token,
            "HUB_MEGABYTES": str(MEGABYTES),
            "CONFIGPROXY_AUTH_TOKEN": secrets.token_hex(16),
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        }
        (Path(folder) / "homes").mkdir()
        log = (Path(folder) / "log").open("w+")
        command = [sys.executable, "-m", "jupyterhub", "-f", str(HERE / "jupyterhub_config.py")]
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            troubles = asyncio.run(once_up(Hub(address, token), given.students))
        except Exception:
            log.seek(0)
            print(log.read()[-3000:])
            raise
        finally:
            for process in psutil.Process(server.pid).children(recursive=True):
                process.terminate()
            server.terminate()
            server.wait(60)
    print("\n".join(troubles) or "nothing went wrong")
    return int(bool(troubles))


async def once_up(hub, students):
    """Wait for the hub, then walk."""
    for _ in range(120):
        try:
            await hub.ask("/hub/api/")
            break
        except (OSError, HTTPClientError):
            await asyncio.sleep(0.5)
    return await walk(hub, students)


if __name__ == "__main__":
    sys.exit(main())
