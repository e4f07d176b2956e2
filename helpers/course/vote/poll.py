"""A vote on bets, one after the other, kept in one SQLite file: who may do what, and when."""

import sqlite3
from types import MappingProxyType
from typing import NamedTuple

# Each question goes through these, the second vote only if the instructor wants one.
WAITING, FIRST, HELD, SECOND, CLOSED, SHOWN = PHASES = (
    "waiting",  # the question is on the screen; nobody votes yet
    "first vote",
    "discussion",
    "second vote",
    "closed",
    "shown",  # the right answer, and what speaks against the others
)
OPEN = MappingProxyType({FIRST: 1, SECOND: 2})  # which round it is
# What the instructor can do: from which phases, to which.
MOVES = MappingProxyType(
    {
        "Open the vote": ({WAITING}, FIRST),
        "Close the vote": ({FIRST}, HELD),
        "Second vote": ({HELD}, SECOND),
        "Close the second vote": ({SECOND}, CLOSED),
        "Show the answer": ({HELD, CLOSED}, SHOWN),
        "Next question": ({WAITING, SHOWN}, WAITING),
    }
)
TABLES = """
pragma journal_mode = wal;
pragma synchronous = normal;
create table if not exists now (place integer, phase text);
create table if not exists votes (
    question text, round integer, voter text, answer text, primary key (question, round, voter)
);
"""


class RefusedError(ValueError):
    """What was asked for is not possible now; the message says what is."""


class Changes(NamedTuple):
    """Of those who voted twice: how many turned to the right answer, away from it, or neither."""

    to_right: int
    from_right: int
    other: int


class Poll:
    """A vote on `questions`, a dict of name to `helpers.course.bets.texts.BetText`.

    `path` is a file; what it holds of the same questions goes on. Each browser is a voter, a
    text that no other has, and has one vote in each round, which it may change while it is open.
    """

    def __init__(self, questions, path):
        self.questions = questions
        self.store = sqlite3.connect(path, isolation_level=None)  # each statement is kept at once
        self.store.executescript(
            "pragma journal_mode = wal; pragma synchronous = normal;" + TABLES
        )
        if self._one("select count(*) from now") == 0:
            self.store.execute("insert into now values (0, ?)", (WAITING,))
        if self.place >= len(questions):
            self.store.execute("update now set place = 0, phase = ?", (WAITING,))

    @property
    def place(self):
        """Which question it is, from 0."""
        return self._one("select place from now")

    @property
    def phase(self):
        """One of `PHASES`."""
        return self._one("select phase from now")

    @property
    def name(self):
        """The name of the question."""
        return list(self.questions)[self.place]

    @property
    def question(self):
        """The question."""
        return self.questions[self.name]

    def moves(self):
        """Return what the instructor can do now."""
        last = self.place == len(self.questions) - 1
        return [
            move
            for move, (phases, _to) in MOVES.items()
            if self.phase in phases and not (last and move == "Next question")
        ]

    def move(self, move, place, phase):
        """Make a move, seen from the place and phase that the instructor's page showed."""
        if (place, phase) != (self.place, self.phase):
            raise RefusedError("the page was not up to date: this was done already")
        if move not in self.moves():
            raise RefusedError(
                f"{move!r} is not possible now; possible: {', '.join(self.moves())}"
            )
        step = int(move == "Next question")
        self.store.execute("update now set place = place + ?, phase = ?", (step, MOVES[move][1]))

    def vote(self, voter, name, answer):
        """Count a vote on the question called `name`, in place of the voter's last one."""
        if name != self.name:
            raise RefusedError("the room is at another question")
        if self.phase not in OPEN:
            raise RefusedError("the vote is closed")
        if answer not in list(self.question.answers):  # it may be anything that JSON holds
            raise RefusedError(f"the answers are {', '.join(self.question.answers)}")
        self.store.execute(
            "insert or replace into votes values (?, ?, ?, ?)",
            (name, OPEN[self.phase], voter, answer),
        )

    def own(self, voter):
        """Return the last vote of a voter on this question; in a second vote, only that of it."""
        least = 2 if self.phase == SECOND else 1
        query = (
            "select answer from votes where question = ? and voter = ? and round >= ? "
            "order by round desc limit 1"
        )
        found = self.store.execute(query, (self.name, voter, least)).fetchone()
        return found and found[0]

    def counts(self, name):
        """Return how many votes each answer to a question got, for each round that has any."""
        query = "select round, answer, count(*) from votes where question = ? group by 1, 2"
        found = {}
        for number, answer, n in self.store.execute(query, (name,)):
            found.setdefault(number, dict.fromkeys(self.questions[name].answers, 0))[answer] = n
        return found

    def changes(self, name):
        """Return the `Changes` from the first vote on a question to the second."""
        query = (
            "select a.answer = :right, b.answer = :right, count(*) from votes a join votes b "
            "using (question, voter) where question = :name and a.round = 1 and b.round = 2 "
            "and a.answer != b.answer group by 1, 2"
        )
        given = {"name": name, "right": self.questions[name].right}
        found = {(before, after): n for before, after, n in self.store.execute(query, given)}
        return Changes(found.get((0, 1), 0), found.get((1, 0), 0), found.get((0, 0), 0))

    def for_all(self):
        """Return what every page may know now."""
        text = self.question
        shown = {
            "place": self.place,
            "of": len(self.questions),
            "name": self.name,
            "phase": self.phase,
            "question": text.question,
            "answers": {letter: answer.text for letter, answer in text.answers.items()},
        }
        if self.phase == SHOWN:
            replies = {letter: answer.reply for letter, answer in text.answers.items()}
            shown |= {"right": text.right, "replies": replies}
        return shown

    def for_voter(self, voter):
        """Return what the page of a voter shows."""
        return self.for_all() | {"own": self.own(voter)}

    def for_instructor(self):
        """Return what the page of the instructor shows: never the bars of an open vote."""
        counts = self.counts(self.name)
        open_round = OPEN.get(self.phase)
        return self.for_all() | {
            "moves": self.moves(),
            "votes": sum(counts.get(open_round, {}).values()) if open_round else None,
            "counts": {number: n for number, n in counts.items() if number != open_round},
            "changes": self.changes(self.name)._asdict() if self.phase == SHOWN else None,
        }

    def rows(self):
        """Yield one row of counts for each question and round that has votes, as dicts."""
        for name, text in self.questions.items():
            for number, counts in sorted(self.counts(name).items()):
                total = sum(counts.values())
                wrong = {letter: n for letter, n in counts.items() if letter != text.right and n}
                yield {
                    "question": name,
                    "round": number,
                    "votes": total,
                    "right": f"{counts[text.right] / total:.0%}",
                    "favorite slip": max(wrong, key=wrong.get, default=""),
                    **counts,
                }

    def _one(self, query):
        return self.store.execute(query).fetchone()[0]
