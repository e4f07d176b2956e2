"""The file that keeps a vote: of which list it is, where the room is, and who voted what."""

import contextlib
import os
import secrets
import sqlite3
from pathlib import Path
from types import MappingProxyType

TABLES = """
create table if not exists list (name text);
create table if not exists now (place integer, phase text);
create table if not exists votes (
    question text, round integer, voter text, answer text, primary key (question, round, voter)
);
"""
ANOTHER = "name another file with --file"
NO_VOTES = f"it is damaged, or not a file of votes; {ANOTHER}"
# What SQLite finds, by its code, and what to do.
TROUBLES = MappingProxyType(
    {
        sqlite3.SQLITE_FULL: "the disk is full; make room on it",
        sqlite3.SQLITE_READONLY: f"it may not be written; allow it, or {ANOTHER}",
        sqlite3.SQLITE_CANTOPEN: f"it cannot be opened; see who may, or {ANOTHER}",
        sqlite3.SQLITE_BUSY: "another program has locked it; close that program",
        sqlite3.SQLITE_IOERR: "the disk reports an error; see whether it is full, or gone",
        sqlite3.SQLITE_NOTADB: NO_VOTES,
        sqlite3.SQLITE_CORRUPT: NO_VOTES,
        sqlite3.SQLITE_ERROR: NO_VOTES,  # tables of our names, with other columns
    }
)
WAIT = 5  # seconds for a lock, at the start; later nobody waits, as that would stop the server


class StoreError(Exception):
    """A file does not keep votes, or not these; the message says why and what to do."""


class BusyError(StoreError):
    """Another program has locked the file, perhaps for a moment only."""


class Store:
    """An SQLite file with the votes on one list of questions, which is called `asked`.

    One that is `read_only` is left as it is, and may be that of a vote which goes on. `now` is
    where it was when it was opened, place and phase, or None; `votes` are a dict of voters to
    answers by question and round.
    """

    def __init__(self, path, asked, questions, read_only=False):
        self.path, self.asked = Path(path), asked
        if self.path.is_dir():
            raise self._error(f"it is a folder; {ANOTHER}")
        address = f"{self.path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
        with self._in_words():
            # Each statement is kept at once.
            self.db = sqlite3.connect(address, uri=True, timeout=WAIT, isolation_level=None)
            self.now, self.votes = self._read(questions)
            if not read_only:
                # What is kept survives the end of the process, and readers do not block writers.
                self.db.executescript("pragma journal_mode = wal; pragma synchronous = normal;")
                self.db.executescript(TABLES)
                self.db.execute("replace into list (rowid, name) values (1, ?)", (asked,))
            self.db.execute("pragma busy_timeout = 0")
            self.version = self._version()
        self.files = self._files()

    def _read(self, questions):
        """Return what the file holds; refuse one that is not of these questions."""
        tables = {name for (name,) in self.db.execute("select name from sqlite_master")}
        if not tables:
            return None, {}
        [sound] = self.db.execute("pragma quick_check(1)").fetchone()
        if sound != "ok" or not {"now", "votes"} <= tables:
            raise self._error(NO_VOTES)
        # Files of before had no list; then the questions alone say whose they are.
        for (name,) in self.db.execute("select name from list") if "list" in tables else ():
            if name != self.asked:
                words = f"it has the votes on {name}, not those on {self.asked}; {ANOTHER}"
                raise self._error(words)
        votes = {}
        query = "select question, round, voter, answer from votes"
        for name, number, voter, answer in self.db.execute(query):
            if name not in questions or answer not in questions[name].answers:
                words = f"{self.asked} does not ask {name}, on which it has votes; {ANOTHER}"
                raise self._error(words)
            votes.setdefault((name, number), {})[voter] = answer
        return self.db.execute("select place, phase from now").fetchone(), votes

    def keep_vote(self, name, number, voter, answer):
        """Keep a vote on a question in a round, in place of the voter's last one."""
        self._keep("replace into votes values (?, ?, ?, ?)", name, number, voter, answer)

    def keep_now(self, place, phase):
        """Keep where the room is."""
        self._keep("replace into now (rowid, place, phase) values (1, ?, ?)", place, phase)

    def _keep(self, statement, *values):
        if self._files() != self.files:  # what is written to a deleted file is lost
            raise self._error("it was deleted, moved or replaced; put it back, or start anew")
        with self._in_words():
            if self._version() != self.version:
                words = "another program writes to it, perhaps a second vote; end it, start anew"
                raise self._error(words)
            self.db.execute(statement, values)

    def _version(self):
        """Return a number that changes when another program writes to the file."""
        return self.db.execute("pragma data_version").fetchone()[0]

    def _files(self):
        """Return which files these are on the disk: the votes, and the last of them beside it."""
        found = []
        for path in (self.path, self.path.with_name(f"{self.path.name}-wal")):
            with contextlib.suppress(OSError):
                stat = path.stat()
                found.append((stat.st_dev, stat.st_ino))
        return found

    @contextlib.contextmanager
    def _in_words(self):
        """Say in words what SQLite refuses."""
        try:
            yield
        except sqlite3.Error as error:
            code = error.sqlite_errorcode & 0xFF
            kind = BusyError if code == sqlite3.SQLITE_BUSY else StoreError
            raise self._error(TROUBLES.get(code, str(error)), kind) from error

    def _error(self, words, kind=StoreError):
        return kind(f"{self.path}: {words}")


def secret_beside(path):
    """Return the secret of the vote in a file, kept beside it for its owner only."""
    path = path.with_name(f"{path.name}.secret")
    try:
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
            path.chmod(0o600)
            secret = file.read()
            if not secret:
                secret = secrets.token_urlsafe(12)
                file.write(secret)
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it holds no text"
        words = f"{path}: the secret cannot be kept there ({why}); delete it, or {ANOTHER}"
        raise StoreError(words) from error
    return secret
