"""The vote without a window: its rules, and what its server says to whatever comes."""

import contextlib
import csv
import functools
import http.client
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import expected_within
from voting import Browser, letters, vote

from course.content import COURSE
from coursekit.vote import command
from coursekit.vote.command import COLUMNS
from coursekit.vote.poll import MOVES, OPEN, PHASES, Poll, RefusedError
from coursekit.vote.store import Store, StoreError, secret_beside

ASKED = COURSE.bets.asked
main = functools.partial(command.main, COURSE)
BETS = ASKED["conventions"]
FIRST, LAST = BETS
RIGHT, X, Y, Z = letters(BETS[FIRST])
ROUND = ["Open the vote", "Close the vote", "Second vote", "Close the second vote"]
takes_its_time = pytest.mark.full("vote")  # a server that waits, or that is killed


def polled(path, questions=BETS):
    """Return a poll on the bets of a notebook, kept in a file."""
    return Poll(questions, Store(path, "conventions", questions))


@pytest.fixture(name="poll")
def _poll(tmp_path):
    return polled(tmp_path / "votes.sqlite")


def go(poll, *moves):
    for move in moves:
        poll.move(move, poll.place, poll.phase)


# --- the rules ------------------------------------------------------------------------


def test_all_that_can_be_voted_on_can_be_exported():
    assert len(ASKED["questions"]) == 12
    bets = [bet for bets in ASKED.values() for bet in bets.values()]
    letters = {letter for bet in bets for letter in bet.answers}
    assert letters <= set(COLUMNS), "a letter has no column in what is exported"


def test_a_whole_question(poll):
    go(poll, "Open the vote")
    for voter, answer in zip("abcdf", (X, X, RIGHT, Y, Y), strict=True):
        poll.vote(voter, FIRST, answer)
    poll.vote("b", FIRST, Z)
    go(poll, "Close the vote", "Second vote")
    assert poll.own("a") is None, "a second vote begins without the first"
    now = (RIGHT, Y, X, RIGHT, RIGHT)
    for voter, answer in zip("abcef", now, strict=True):  # d has gone, e is late
        poll.vote(voter, FIRST, answer)
    go(poll, "Close the second vote", "Show the answer")
    shown = poll.for_instructor()
    assert shown["right"] == RIGHT
    assert shown["counts"] == {1: {X: 1, Y: 2, Z: 1, RIGHT: 1}, 2: {X: 1, Y: 1, Z: 0, RIGHT: 3}}
    assert shown["changes"] == {"to_right": 2, "from_right": 1, "other": 1}
    go(poll, "Next question")
    assert (poll.name, poll.phase, poll.own("a")) == (LAST, "waiting", None)


moves = st.sampled_from(sorted(MOVES))
steps = st.lists(st.one_of(moves, st.tuples(st.sampled_from("abc"), st.sampled_from("ABCD"))))


@settings(deadline=None)
@given(steps)
def test_in_any_order_the_counts_are_the_last_votes_of_each_voter(steps):
    """Beside it a dict: what was refused changes nothing, what was taken counts once.

    And whenever the process ends, its file knows the same.
    """
    with TemporaryDirectory() as folder:
        poll, held = polled(f"{folder}/votes.sqlite"), {}
        _walk(poll, held, steps)
        again = polled(f"{folder}/votes.sqlite")
        for one in (poll, again):
            _compare(one, held)
        assert (again.place, again.phase) == (poll.place, poll.phase)
        assert all(again.for_voter(v) == poll.for_voter(v) for v in "abc")
        assert again.for_instructor() == poll.for_instructor()
        for one in (poll, again):
            one.store.db.close()


def _walk(poll, held, steps):
    for step in steps:
        before = (poll.place, poll.phase)
        try:
            if isinstance(step, str):
                poll.move(step, *before)
                assert poll.phase in PHASES
            else:
                poll.vote(step[0], poll.name, step[1])
                held[poll.name, OPEN[poll.phase], step[0]] = step[1]
        except RefusedError:
            assert (poll.place, poll.phase) == before
            assert isinstance(step, str) or poll.phase not in OPEN


def _compare(poll, held):
    for name in BETS:
        for number in (1, 2):
            votes = Counter(a for (n, r, _voter), a in held.items() if (n, r) == (name, number))
            assert Counter(poll.counts(name).get(number, {})) == votes
    assert sum(row["votes"] for row in poll.rows()) == len(held)


def test_nothing_tells_the_answer_or_the_bars_before_their_time(poll):
    text = BETS[FIRST]
    for move in [None, *ROUND, "Show the answer"]:
        if move:
            go(poll, move)
        if poll.phase in OPEN:
            poll.vote("a", FIRST, "B")
            assert OPEN[poll.phase] not in poll.for_instructor()["counts"]
        said = json.dumps([poll.for_voter("a"), poll.for_instructor()])
        assert ('"right"' in said) == (text.answers["A"].reply in said) == (poll.phase == "shown")
        assert "counts" not in poll.for_voter("a")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (lambda p: p.vote("a", FIRST, "A"), "the vote is closed"),
        (lambda p: (go(p, "Open the vote"), p.vote("a", LAST, "A")), "at another question"),
        (lambda p: (go(p, "Open the vote"), p.vote("a", FIRST, "E")), "answers are A, B, C, D"),
        (lambda p: (go(p, "Open the vote"), p.vote("a", FIRST, ["A"])), "answers are A, B, C, D"),
        (lambda p: p.move("Close the vote", 0, "waiting"), "possible: Open the vote, Next"),
        (lambda p: p.move("Next question", 1, "waiting"), "not up to date"),
        (lambda p: (go(p, "Next question"), go(p, "Next question")), "possible: Open the vote$"),
    ],
)
def test_what_is_refused(poll, asked, message):
    with pytest.raises(RefusedError, match=message):
        asked(poll)


def test_a_file_of_another_edition_begins_anew(tmp_path):
    go(polled(tmp_path / "votes.sqlite"), "Next question", "Open the vote")
    fewer = polled(tmp_path / "votes.sqlite", {FIRST: BETS[FIRST]})
    assert (fewer.name, fewer.phase) == (FIRST, "waiting")


# --- the server -----------------------------------------------------------------------


@pytest.fixture(name="started", scope="module")
def _started(tmp_path_factory):
    with vote(tmp_path_factory.mktemp("vote") / "votes.sqlite") as started:
        yield started


@pytest.fixture(name="teacher")
def _teacher(started):
    return Browser(started, started.secret)


def opened(teacher):
    """Return the name of the question, whose vote is open."""
    now = teacher.now()
    if now["phase"] == "waiting":
        assert teacher.move("Open the vote")[0] == 200
    return now["name"]


def total(teacher):
    return teacher.now("/teach/events")["votes"]


def test_one_vote_for_each_browser_changed_reloaded_or_in_two_tabs(started, teacher):
    opened(teacher)
    before, voter = total(teacher), Browser(started)
    assert voter.now()["own"] is None
    for answer in "AAB":  # a double click, a change of mind
        assert voter.vote(answer) == (200, json.dumps({"own": answer}))
    voter.get("/")  # anew, or in a second tab
    assert voter.now()["own"] == "B"
    assert voter.vote("C")[0] == 200
    assert total(teacher) == before + 1


def test_a_page_hears_of_changes_by_itself(started, teacher):
    name = opened(teacher)
    before, voter = total(teacher), Browser(started)
    with teacher.events("/teach/events") as events:
        assert next(events)["votes"] == before
        with expected_within(5, "Hearing of a vote"):  # being told, not asking by chance
            voter.vote("A", name)
            assert next(events)["votes"] == before + 1


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/vote", b"{", 400, "Send JSON with name, answer"),
        ("/vote", b"[]", 400, "Send JSON with name, answer"),
        ("/vote", b'{"answer": "A"}', 400, "Send JSON with name, answer"),
        ("/vote", b'{"name": "x", "answer": "A"}', 409, "the room is at another question"),
        ("/vote", b'{"name": {}, "answer": "A"}', 409, "the room is at another question"),
        ("/teach/move", b'{"move": "Next question"}', 403, "Open this page with the secret"),
        ("/teach/enter", b'{"secret": 5}', 403, "That is not the secret that the start printed"),
    ],
)
def test_bad_input_has_a_stated_outcome(started, path, body, status, words):
    assert ask(started, path, body) == (status, words)


def ask(started, path, body, **headers):
    """Return the status and the words of an answer to bytes, from a voter's browser."""
    address = urlsplit(started.address)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    cookie = "; ".join(f"{k}={v}" for k, v in Browser(started).cookies.items())
    headers = {"Origin": started.address, "Cookie": cookie} | headers
    connection.request("POST", path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode() or answer.reason


@pytest.mark.parametrize("path", ["/vote", "/teach/move", "/teach/enter"])
@pytest.mark.parametrize("origin", ["https://example.org", "null", ""])
def test_another_sites_page_is_refused_in_the_instructors_browser_too(
    started, teacher, path, origin
):
    cookie = f"ndcg-instructor={teacher.cookies['ndcg-instructor']}"
    said = ask(started, path, b"{}", Origin=origin, Cookie=cookie)
    assert said == (403, "Only from the pages of the vote")


def test_who_has_not_opened_the_page_has_no_vote(started):
    said = ask(started, "/vote", b"{}", Cookie="")
    assert said == (403, "Open the page of the vote first")


def test_a_body_of_a_megabyte_is_not_read(started):
    """What says that it is so long is refused before it has come, and the room goes on."""
    status, _words = ask(started, "/vote", b" ", **{"Content-Length": "1000000"})
    assert status in (400, 413)
    assert Browser(started).now()["name"] in BETS


@takes_its_time
@pytest.mark.parametrize("secret", ["", "guess", "ünknown"])
def test_a_guess_at_the_secret_takes_a_second_and_opens_nothing(started, secret):
    stranger, start = Browser(started), time.monotonic()
    assert stranger.post("/teach/enter", secret=secret)[0] == 403
    assert time.monotonic() - start > 0.9
    stranger.cookies["ndcg-instructor"] = secret
    assert stranger.get("/teach/entered")[0] == 403
    assert stranger.get("/teach/events") == (403, "Open this page with the secret")
    assert stranger.post("/teach/move", move="", place=0, phase="")[0] == 403


def test_a_double_click_moves_once(teacher):
    now = teacher.now()
    seen = {"place": now["place"], "phase": now["phase"]}
    move = teacher.now("/teach/events")["moves"][0]
    assert teacher.post("/teach/move", move=move, **seen)[0] == 200
    status, words = teacher.post("/teach/move", move=move, **seen)
    assert (status, "not up to date" in words) == (409, True)


@takes_its_time
def test_votes_survive_a_crash_and_are_exported(tmp_path, capsys):
    file = tmp_path / "votes.sqlite"
    with vote(file) as started:
        teacher, voters = Browser(started, started.secret), [Browser(started) for _ in "1234"]
        teacher.move("Open the vote")
        for voter, answer in zip(voters, (X, Y, Y, RIGHT), strict=True):
            voter.vote(answer)
        started.process.kill()
    with vote(file) as started:
        again = Browser(started)
        again.cookies = voters[0].cookies
        assert again.now()["own"] == X
        assert again.vote(RIGHT)[0] == 200
    main(["conventions", "--file", str(file), "--export", str(tmp_path / "votes.csv")])
    assert "1 rows of counts" in capsys.readouterr().out
    with (tmp_path / "votes.csv").open(encoding="utf-8") as written:
        [row] = csv.DictReader(written)
    assert row == {
        **{"question": FIRST, "round": "1", "votes": "4", "right": "50%", "favorite slip": Y},
        **{X: "0", Y: "2", Z: "0", RIGHT: "2", "E": ""},
    }
    stored = sqlite3.connect(file).execute("select distinct voter from votes").fetchall()
    assert not any(voter in (tmp_path / "votes.csv").read_text() for (voter,) in stored)


def test_without_votes_there_is_nothing_to_export(tmp_path):
    command = ["conventions", "--export", "votes.csv", "--file"]
    with pytest.raises(SystemExit, match="none: there is no such file; nobody has voted on conv"):
        main([*command, str(tmp_path / "none")])
    other = tmp_path / "votes-conventions-2026-11-22.sqlite"
    polled(other)
    with pytest.raises(SystemExit, match=f"there are {other}; --file"):
        main([*command, str(tmp_path / "votes-conventions-2026-11-23.sqlite")])


@takes_its_time
def test_counts_are_read_beside_a_vote_that_goes_on(tmp_path, capsys):
    file, table = tmp_path / "votes.sqlite", tmp_path / "votes.csv"
    with vote(file) as started:
        teacher, voter = Browser(started, started.secret), Browser(started)
        teacher.move("Next question")
        teacher.move("Open the vote")
        assert voter.vote("A")[0] == 200
        before = {path: path.read_bytes() for path in wal_of(file)}
        main(["conventions", "--file", str(file), "--export", str(table)])
        assert "1 rows of counts" in capsys.readouterr().out
        with pytest.raises(SystemExit, match="has the votes on conventions, not those on gain"):
            main(["gain", "--file", str(file), "--export", str(table)])
        assert {path: path.read_bytes() for path in wal_of(file)} == before
        assert voter.vote("B")[0] == 200
        assert teacher.now("/teach/events")["votes"] == 1
        assert teacher.now()["name"] == LAST
        started.process.kill()
        started.process.wait()
        before = {path: path.read_bytes() for path in wal_of(file)}
        command = [sys.executable, "-m", "course", "vote", "conventions", "--file", file]
        subprocess.run([*command, "--export", table], check=True, timeout=60)
        assert {path: path.read_bytes() for path in wal_of(file)} == before


def wal_of(file):
    """Return the two files that hold votes."""
    return file, file.with_name(f"{file.name}-wal")


# --- the file -------------------------------------------------------------------------


def of_another_program(path):
    sqlite3.connect(path).execute("create table songs (title text)").connection.close()


def of_our_names(path):
    with sqlite3.connect(path) as db:
        db.execute("create table now (x)")
        db.execute("create table votes (y)")


def of_another_list(path):
    Store(path, "gain", ASKED["gain"]).db.close()


def of_another_list_without_its_name(path):
    """As the files were before they named their list."""
    store = Store(path, "gain", ASKED["gain"])
    store.keep_vote(next(iter(ASKED["gain"])), 1, "a", "A")
    store.db.execute("drop table list")
    store.db.close()


def damaged(path):
    store = polled(path).store
    for n in range(500):
        store.keep_vote(FIRST, 1, str(n), "A")
    store.db.close()
    content = bytearray(path.read_bytes())
    content[5000:9000] = b"x" * 4000
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path.write_text("no votes " * 1000), "damaged, or not a file of votes"),
        (of_another_program, "damaged, or not a file of votes"),
        (of_our_names, "damaged, or not a file of votes"),
        (damaged, "damaged, or not a file of votes"),
        (of_another_list, "has the votes on gain, not those on conventions"),
        (of_another_list_without_its_name, "conventions does not ask"),
        (Path.mkdir, "it is a folder"),
        (lambda path: path.with_name(f"{path.name}.secret").mkdir(), "the secret cannot be kept"),
    ],
)
def test_a_file_that_cannot_keep_these_votes_is_refused_in_words(tmp_path, make, words):
    file = tmp_path / "votes.sqlite"
    make(file)
    before = file.is_file() and file.read_bytes()
    for end in ([], ["--export", str(tmp_path / "votes.csv")])[: 1 + bool(before)]:
        with pytest.raises(SystemExit, match=words) as refused:
            main(["conventions", "--file", str(file), *end])
        assert "name another file with --file" in str(refused.value)
        assert "\n" not in str(refused.value)
    assert before is False or file.read_bytes() == before


def test_a_file_of_before_goes_on(tmp_path):
    poll = polled(tmp_path / "votes.sqlite")
    go(poll, "Open the vote")
    poll.vote("a", FIRST, "B")
    poll.store.db.execute("drop table list")
    poll.store.db.close()
    assert polled(tmp_path / "votes.sqlite").own("a") == "B"
    with pytest.raises(StoreError, match="not those on gain"):
        Store(tmp_path / "votes.sqlite", "gain", ASKED["gain"])


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or (os.geteuid() == 0 and shutil.which("setpriv") is None),
    reason="needs the rights of POSIX, and for root setpriv",
)
def test_who_may_not_write_is_told(tmp_path):
    file = tmp_path / "votes.sqlite"
    polled(file).store.db.close()
    file.chmod(0o444)
    tmp_path.chmod(0o555)
    command = [sys.executable, "-m", "course", "vote", "conventions", "--file", str(file)]
    if os.geteuid() == 0:  # root may write everywhere, unless it gives that up
        command = ["setpriv", "--bounding-set=-dac_override", *command]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    tmp_path.chmod(0o755)
    assert (run.returncode, run.stdout) == (1, "")
    assert "votes.sqlite: it may not be written; allow it, or name another" in run.stderr
    assert run.stderr.count("\n") == 1


def test_what_is_not_kept_is_not_counted(poll):
    """Neither on a full disk, nor in a deleted or moved file, nor beside a second vote."""
    go(poll, "Open the vote")
    poll.vote("a", FIRST, "A")
    path, db = poll.store.path, poll.store.db

    def refuses(words):
        with pytest.raises(StoreError, match=words):
            poll.vote("b" * 5000, FIRST, "B")
        with pytest.raises(StoreError, match=words):
            go(poll, "Close the vote")
        assert (poll.phase, poll.counts(FIRST)) == ("first vote", {1: dict(A=1, B=0, C=0, D=0)})

    full = f"pragma max_page_count = {db.execute('pragma page_count').fetchone()[0]}"
    db.execute(full)
    with pytest.raises(StoreError, match="the disk is full; make room on it"):
        poll.vote("b" * 5000, FIRST, "B")
    db.execute("pragma max_page_count = 1000000")
    poll.vote("a", FIRST, "A")
    for one in wal_of(path):
        moved = one.rename(f"{one}.moved")
        refuses("deleted, moved or replaced; put it back")
        moved.rename(one)
        poll.vote("a", FIRST, "A")
    Store(path, "conventions", BETS)
    refuses("another program writes to it, perhaps a second vote")


def test_a_secret_is_for_its_owner_and_stays_the_same(tmp_path):
    file = tmp_path / "votes.sqlite"
    secret = secret_beside(file)
    kept = tmp_path / "votes.sqlite.secret"
    kept.chmod(0o644)  # as a copy may have
    assert secret_beside(file) == secret
    assert len(secret) == 16
    assert sys.platform == "win32" or kept.stat().st_mode & 0o777 == 0o600
    assert secret_beside(tmp_path / "another.sqlite") != secret
    kept.write_bytes(b"")  # the disk was full
    assert len(secret_beside(file)) == 16


@takes_its_time
def test_a_locked_file_stops_nobody_and_is_said_to_the_instructor_alone(tmp_path):
    file = tmp_path / "votes.sqlite"
    with vote(file) as started:
        teacher, voter = Browser(started, started.secret), Browser(started)
        teacher.move("Open the vote")
        with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("begin immediate")
            with teacher.events("/teach/events") as events, ThreadPoolExecutor() as pool:
                assert next(events)["trouble"] is None
                waiting = pool.submit(voter.vote, "A")
                with expected_within(1, "Five pages beside a vote that waits"):
                    assert {Browser(started).now()["phase"] for _ in range(5)} == {"first vote"}
                assert not waiting.done()
                status, words = waiting.result()
                assert status == 503
                assert str(file) not in words
                trouble = next(events)["trouble"]
                assert trouble == (
                    f"No vote is counted now. {file}: another program has locked it; "
                    "close that program."
                )
                assert teacher.move("Close the vote") == (503, trouble_of(trouble))
                assert voter.now()["own"] is None
                other.execute("rollback")
                assert voter.vote("A")[0] == 200
                now = next(events)
                assert (now["trouble"], now["votes"]) == (None, 1)
        started.process.kill()
        printed = started.process.stdout.read().splitlines()
    assert printed == [trouble, "Votes count again."]


def trouble_of(said):
    """Return what is wrong, without what that means."""
    return said.removeprefix("No vote is counted now. ").removesuffix(".")


# --- whatever may come ----------------------------------------------------------------


RAW = [
    b"GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /static/%00.js HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /static/../poll.py HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET //x/%ff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: [\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"no HTTP at all\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01",  # a browser that tries https
    b"POST /vote HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"POST /vote HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET /events HTTP/1.1\r\nHost: localhost\r\nCookie: ndcg-voter=\xff\r\n\r\n",
]
BODIES = [
    b"[" * 990,
    b'{"name": "\\ud800", "answer": "\\ud800"}',
    b"\xff",
    b"null",
    b"1e999",
    b"NaN",
]


@takes_its_time
def test_whatever_comes_prints_nothing_and_stops_nothing(tmp_path):
    with vote(tmp_path / "votes.sqlite") as started:
        Browser(started, started.secret).move("Open the vote")
        for sent in RAW:
            with socket.create_connection(("127.0.0.1", started.port), timeout=30) as raw:
                raw.sendall(sent)
                raw.shutdown(socket.SHUT_WR)
                with contextlib.suppress(OSError):
                    raw.recv(100)
        for body in BODIES:
            for path in ("/vote", "/teach/enter"):
                status, words = ask(started, path, body)
                assert 400 <= status < 500, words
        assert ask(started, "/vote", b'{"name": "\\ud800", "answer": "A"}')[0] == 409
        status, words = ask(started, "/teach/enter", b'{"secret": "\\ud800"}')
        assert (status, words) == (403, "That is not the secret that the start printed")
        with Browser(started).events():
            pass  # gone without a word
        assert Browser(started).vote("A")[0] == 200
        started.process.kill()
        assert started.process.stdout.read() == ""


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("[::1]:8877", 200),
        ("192.168.1.20:8877", 200),
        ("localhost", 200),
        (socket.gethostname(), 200),
        ("example.org", 421),
        ("127.0.0.1.example.org:8877", 421),
        ("localhost.example.org", 421),
    ],
)
@pytest.mark.parametrize("path", ["/", "/events", "/static/vote.js"])
def test_another_name_for_this_machine_is_refused(started, host, status, path):
    """A site whose name leads to this address could vote in the browsers of the room."""
    connection = http.client.HTTPConnection("127.0.0.1", started.port, timeout=30)
    connection.request("GET", path, headers={"Host": host})
    answer = connection.getresponse()
    assert answer.status == status
    assert status == 200 or answer.read() == b"Open the address that the start of the vote printed"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/teach", 200),
        ("GET", "/static/vote.js?v=1", 200),
        ("GET", "/static/none.js", 404),
        ("GET", "/none", 404),
        ("GET", "/vote", 405),
        ("GET", "/teach/events", 403),
        ("POST", "/vote", 403),
    ],
)
def test_nothing_is_kept_guessed_or_passed_on(started, method, path, status):
    connection = http.client.HTTPConnection("127.0.0.1", started.port, timeout=30)
    connection.request(method, path)
    answer = connection.getresponse()
    assert answer.status == status
    kept = ("Cache-Control", "X-Content-Type-Options", "Referrer-Policy", "Expires")
    assert [answer.headers[name] for name in kept] == ["no-store", "nosniff", "no-referrer", None]
    cookie = answer.headers["Set-Cookie"] or ""
    assert "expires" not in cookie.lower(), "ends at once where clocks differ"
    assert path != "/" or "Max-Age=86400" in cookie


@takes_its_time
def test_guesses_wait_for_each_other_and_many_are_turned_away(started):
    """By the form or by a cookie; whoever is known goes on."""
    teacher, strangers = Browser(started, started.secret), [Browser(started) for _ in range(12)]
    for stranger in strangers[:6]:
        stranger.cookies["ndcg-instructor"] = "guess"
    start = time.monotonic()
    with ThreadPoolExecutor(12) as pool:
        said = [pool.submit(stranger.get, "/teach/entered") for stranger in strangers[:6]]
        said += [pool.submit(s.post, "/teach/enter", secret="guess") for s in strangers[6:]]
        time.sleep(0.5)
        assert teacher.get("/teach/entered")[0] == 204
        statuses = Counter(one.result()[0] for one in said)
    assert set(statuses) == {403, 429}
    assert statuses[429] >= 1
    assert time.monotonic() - start >= 0.9 * statuses[403]
