"""A vote on bets, one after the other: who may do what, and when."""

from collections import Counter
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


class RefusedError(ValueError):
    """What was asked for is not possible now; the message says what is."""


class Changes(NamedTuple):
    """Of those who voted twice: how many turned to the right answer, away from it, or neither."""

    to_right: int
    from_right: int
    other: int


class Poll:
    """A vote on `questions`, a dict of name to `coursekit.bets.texts.BetText`.

    What a `Store` holds of them goes on. What changes is kept there first: who asks is answered
    from memory, so that a file which fails stops nothing but new votes. Each browser is a voter,
    a text that no other has, and has one vote in each round, which it may change while it is open.
    """

    def __init__(self, questions, store):
        self.questions, self.store, self.votes = questions, store, store.votes
        self.place, self.phase = store.now or (0, WAITING)
        is_known = self.place in range(len(questions)) and self.phase in PHASES
        if not is_known:  # a file of another edition of the course
            self.place, self.phase = 0, WAITING

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
        place, phase = place + int(move == "Next question"), MOVES[move][1]
        self.store.keep_now(place, phase)
        self.place, self.phase = place, phase

    def vote(self, voter, name, answer):
        """Count a vote on the question called `name`, in place of the voter's last one."""
        if name != self.name:
            raise RefusedError("the room is at another question")
        if self.phase not in OPEN:
            raise RefusedError("the vote is closed")
        if answer not in list(self.question.answers):  # it may be anything that JSON holds
            raise RefusedError(f"the answers are {', '.join(self.question.answers)}")
        number = OPEN[self.phase]
        self.store.keep_vote(name, number, voter, answer)
        self.votes.setdefault((name, number), {})[voter] = answer

    def own(self, voter):
        """Return the last vote of a voter on this question; in a second vote, only that of it."""
        rounds = (2,) if self.phase == SECOND else (2, 1)
        given = (self.votes.get((self.name, number), {}).get(voter) for number in rounds)
        return next(filter(None, given), None)

    def counts(self, name):
        """Return how many votes each answer to a question got, for each round that has any."""
        given = {number: self.votes.get((name, number), {}) for number in OPEN.values()}
        none = dict.fromkeys(self.questions[name].answers, 0)
        return {number: none | Counter(votes.values()) for number, votes in given.items() if votes}

    def changes(self, name):
        """Return the `Changes` from the first vote on a question to the second."""
        first, second = (self.votes.get((name, number), {}) for number in OPEN.values())
        right = self.questions[name].right
        moved = Counter(
            (first[voter] == right, second[voter] == right)
            for voter in first.keys() & second.keys()
            if first[voter] != second[voter]
        )
        return Changes(moved[False, True], moved[True, False], moved[False, False])

    def for_all(self):
        """Return what every page may know now."""
        text = self.question
        shown = {
            "place": self.place,
            "of": len(self.questions),
            "name": self.name,
            "phase": self.phase,
            "question": text.parted,
            "table": text.table(is_answered=self.phase == SHOWN),
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
