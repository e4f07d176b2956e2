"""The vote without a window: its rules, and what its server says to whatever comes."""

import csv
import http.client
import json
import sqlite3
import time
from collections import Counter
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import expected_within
from voting import Browser, vote

from helpers.course.vote.__main__ import ASKED, COLUMNS, main
from helpers.course.vote.poll import MOVES, OPEN, PHASES, Poll, RefusedError

BETS = ASKED["conventions"]
FIRST, LAST = BETS
ROUND = ["Open the vote", "Close the vote", "Second vote", "Close the second vote"]


@pytest.fixture(name="poll")
def _poll(tmp_path):
    return Poll(BETS, tmp_path / "votes.sqlite")


def go(poll, *moves):
    for move in moves:
        poll.move(move, poll.place, poll.phase)


# --- the rules ------------------------------------------------------------------------


def test_all_that_can_be_voted_on_can_be_exported():
    assert len(ASKED["questions"]) == 10
    bets = [bet for bets in ASKED.values() for bet in bets.values()]
    letters = {letter for bet in bets for letter in bet.answers}
    assert letters <= set(COLUMNS), "a letter has no column in what is exported"


def test_a_whole_question(poll):
    go(poll, "Open the vote")
    for voter, answer in zip("abcdf", "AADBB", strict=True):
        poll.vote(voter, FIRST, answer)
    poll.vote("b", FIRST, "C")
    go(poll, "Close the vote", "Second vote")
    assert poll.own("a") is None, "a second vote begins without the first"
    for voter, answer in zip("abcef", "DBADD", strict=True):  # d has gone, e is late
        poll.vote(voter, FIRST, answer)
    go(poll, "Close the second vote", "Show the answer")
    shown = poll.for_instructor()
    assert shown["right"] == "D"
    assert shown["counts"] == {1: dict(A=1, B=2, C=1, D=1), 2: dict(A=1, B=1, C=0, D=3)}
    assert shown["changes"] == {"to_right": 2, "from_right": 1, "other": 1}
    go(poll, "Next question")
    assert (poll.name, poll.phase, poll.own("a")) == (LAST, "waiting", None)


moves = st.sampled_from(sorted(MOVES))
steps = st.lists(st.one_of(moves, st.tuples(st.sampled_from("abc"), st.sampled_from("ABCD"))))


@settings(deadline=None)
@given(steps)
def test_in_any_order_the_counts_are_the_last_votes_of_each_voter(steps):
    """Beside it a dict: what was refused changes nothing, what was taken counts once."""
    poll, held = Poll(BETS, ":memory:"), {}
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
    poll = Poll(BETS, tmp_path / "votes.sqlite")
    go(poll, "Next question", "Open the vote")
    fewer = Poll({FIRST: BETS[FIRST]}, tmp_path / "votes.sqlite")
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
def test_another_sites_page_is_refused(started, path, origin):
    said = ask(started, path, b"{}", Origin=origin)
    assert said == (403, "Only from the pages of the vote")


def test_who_has_not_opened_the_page_has_no_vote(started):
    said = ask(started, "/vote", b"{}", Cookie="")
    assert said == (403, "Open the page of the vote first")


def test_a_body_of_a_megabyte_is_not_read(started):
    """What says that it is so long is refused before it has come, and the room goes on."""
    status, _words = ask(started, "/vote", b" ", **{"Content-Length": "1000000"})
    assert status in (400, 413)
    assert Browser(started).now()["name"] in BETS


@pytest.mark.parametrize("secret", ["", "guess", "ünknown"])
def test_a_guess_at_the_secret_takes_a_second_and_opens_nothing(started, secret):
    stranger, start = Browser(started), time.monotonic()
    assert stranger.post("/teach/enter", secret=secret)[0] == 403
    assert time.monotonic() - start > 0.9
    stranger.cookies["ndcg-instructor"] = secret
    assert stranger.get("/teach/enter")[0] == 403
    assert stranger.get("/teach/events") == (403, "Open this page with the secret")
    assert stranger.post("/teach/move", move="", place=0, phase="")[0] == 403


def test_a_double_click_moves_once(teacher):
    now = teacher.now()
    seen = {"place": now["place"], "phase": now["phase"]}
    move = teacher.now("/teach/events")["moves"][0]
    assert teacher.post("/teach/move", move=move, **seen)[0] == 200
    status, words = teacher.post("/teach/move", move=move, **seen)
    assert (status, "not up to date" in words) == (409, True)


def test_votes_survive_a_crash_and_are_exported(tmp_path, capsys):
    file = tmp_path / "votes.sqlite"
    with vote(file) as started:
        teacher, voters = Browser(started, started.secret), [Browser(started) for _ in "1234"]
        teacher.move("Open the vote")
        for voter, answer in zip(voters, "ABBD", strict=True):
            voter.vote(answer)
        started.process.kill()
    with vote(file) as started:
        again = Browser(started)
        again.cookies = voters[0].cookies
        assert again.now()["own"] == "A"
        assert again.vote("D")[0] == 200
    main(["conventions", "--file", str(file), "--export", str(tmp_path / "votes.csv")])
    assert "1 rows of counts" in capsys.readouterr().out
    with (tmp_path / "votes.csv").open(encoding="utf-8") as written:
        [row] = csv.DictReader(written)
    assert row == {
        **{"question": FIRST, "round": "1", "votes": "4", "right": "50%", "favorite slip": "B"},
        **{"A": "0", "B": "2", "C": "0", "D": "2", "E": ""},
    }
    stored = sqlite3.connect(file).execute("select distinct voter from votes").fetchall()
    assert not any(voter in (tmp_path / "votes.csv").read_text() for (voter,) in stored)


def test_without_votes_there_is_nothing_to_export(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["conventions", "--file", str(tmp_path / "none"), "--export", "votes.csv"])
    assert "there are no votes in" in capsys.readouterr().err
