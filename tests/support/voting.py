"""`make vote` as a room has it: the command, in a process of its own."""

import contextlib
import json
import subprocess
import sys
import urllib.error
import urllib.request
from typing import NamedTuple

import lab

from course.content import COURSE


class Started(NamedTuple):
    """The process, the address of the room, and the secret of the instructor."""

    process: subprocess.Popen
    address: str
    secret: str

    @property
    def port(self):
        """The port of the address."""
        return int(self.address.rpartition(":")[2])


@contextlib.contextmanager
def vote(file, port=None):
    """Start the vote on the bets of a notebook, for the whole network; end it."""
    port = port or lab.free_port()
    command = [sys.executable, "-m", "course", "vote", "conventions", "--bind", "0.0.0.0"]
    command += ["--file", str(file), "--port", str(port)]
    out = dict(stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    with subprocess.Popen(command, **out) as process:
        try:
            for_room, for_teacher = process.stdout.readline(), process.stdout.readline()
            assert f":{port}" in for_room
            process.stdout.readline()  # where the votes are kept
            yield Started(process, f"http://127.0.0.1:{port}", for_teacher.split("#")[1].strip())
        finally:
            process.kill()


class Browser:
    """What a browser sends and keeps, without a window; a voter, or the instructor."""

    def __init__(self, started, secret=None):
        self.address, self.cookies = started.address, {}
        self.get("/")
        if secret:
            assert self.post("/teach/enter", secret=secret)[0] == 200

    def get(self, path):
        """Return the status and the text of a page."""
        return self._ask(urllib.request.Request(self.address + path))

    def post(self, path, origin=None, **body):
        """Send JSON; return the status and what is said."""
        headers = {"Origin": origin or self.address}
        return self._ask(
            urllib.request.Request(self.address + path, json.dumps(body).encode(), headers)
        )

    def now(self, path="/events"):
        """Return what the page shows now: the first event."""
        with self.events(path) as events:
            return next(events)

    @contextlib.contextmanager
    def events(self, path="/events"):
        """Follow what the page shows."""
        with self._open(urllib.request.Request(self.address + path)) as answer:
            yield (json.loads(line[6:]) for line in answer if line.startswith(b"data: "))

    def move(self, move):
        """Make a move as the instructor's page does."""
        now = self.now("/teach/events")
        seen = {"place": now["place"], "phase": now["phase"]}
        return self.post("/teach/move", move=move, **seen)

    def vote(self, answer, name=None):
        """Vote on the question that the page shows."""
        return self.post("/vote", name=name or self.now()["name"], answer=answer)

    def _ask(self, request):
        try:
            with self._open(request) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode() or error.reason

    def _open(self, request):
        request.add_header("Cookie", "; ".join(f"{k}={v}" for k, v in self.cookies.items()))
        answer = urllib.request.urlopen(request, timeout=30)
        for header in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = header.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer


TEXT = "() => document.querySelector('main').innerText"
FOCUS = "(what) => document.querySelector(what).focus()"
BUTTONS = "() => [...document.querySelectorAll('#moves button')].map((b) => b.textContent)"


def letters(bet):
    """Return the right letter of a bet, then the others, whichever they are."""
    return [bet.right, *(letter for letter in bet.answers if letter != bet.right)]


def whole_round(started, teacher, voters, press):
    """Go through the first bet of *conventions* by keyboard, before and after a discussion.

    `teacher` and the three `voters` are pages of a browser; ``press(page, *keys)`` presses keys.
    A cookie belongs to a host: pages of one browser are four, as each has an address of its own.
    """
    bet, following = COURSE.bets.asked["conventions"].values()
    right, x, y, _ = letters(bet)
    told = f"Right. {bet.answers[right].reply}"
    pages = [teacher, *voters]
    addresses = [f"http://127.0.0.{n}:{started.port}" for n in range(1, 5)]
    teacher.goto(f"{addresses[0]}/teach#{started.secret}")
    for voter, address in zip(voters, addresses[1:], strict=True):
        voter.goto(address)

    def go(move):
        lab.wait(teacher, BUTTONS, until=lambda moves: move in moves)
        place = teacher.evaluate(BUTTONS).index(move) + 1
        teacher.evaluate(FOCUS, f"#moves button:nth-child({place})")
        press(teacher, "Enter")

    def choose(voter, letter):
        first = "#answers input"
        lab.wait(voter, f"() => document.querySelector('{first}:enabled') !== null")
        voter.evaluate(FOCUS, first)
        press(voter, " ", *["ArrowDown"] * "ABCD".index(letter))  # quickly: each is a vote
        sees(voter, f"Your vote is {letter}. You can change it")

    def sees(page, words):
        assert words in lab.wait(page, TEXT, until=lambda text: words in text)

    assert started.secret not in teacher.evaluate("() => location.href")
    for voter in voters:
        sees(voter, "The vote is not open yet.")
    go("Open the vote")
    for voter, letter in zip(voters, (x, y, right), strict=True):
        choose(voter, letter)
    sees(teacher, "The vote is open: 3 so far.")
    go("Close the vote")
    for voter in voters:
        sees(voter, "Convince your neighbor.")
    sees(teacher, "First vote: 3")
    assert "33%" not in teacher.evaluate(TEXT), "the bars wait until they are asked for"
    go("Second vote")
    for voter in voters:
        choose(voter, right)
    go("Close the second vote")
    go("Show the answer")
    sees(teacher, "From wrong to right: 2. From right to wrong: 0.")
    for words in (f"{right}, right", "1 (33%)", "3 (100%)", told):
        sees(teacher, words)
    for voter in voters:
        sees(voter, f"Your vote is {right}.")
        sees(voter, told)
    go("Next question")
    for page in pages:
        sees(page, "\n".join(filter(None, following.parted)))
        assert (page.problems, page.outside) == ([], [])
