"""From a text to a drill; `content/README.md` says what a text looks like."""

import re
from dataclasses import dataclass
from types import CodeType
from typing import NamedTuple

from course.drills.kind import ASKED, Kind, asked_by, shown
from coursekit.text import read_titled

SECTIONS = ("Draw", "Solution", "Slips")
FILLED = re.compile(r"\{([^{}]+?)(:\.\d[fg])?\}")
LINE = r"- (?:(.*?)(?<!`))??(?:`([^`]+)`)?"


class Template(NamedTuple):
    """Words with expressions in braces, `{k}` or `{sum(g) / 6:.5f}`."""

    words: str
    code: tuple

    def filled(self, scope):
        """Return the words with the values of their expressions."""
        values = iter(self.code)
        return FILLED.sub(lambda found: shown(eval(next(values), scope), found[2]), self.words)


class Step(NamedTuple):
    """A line of a solution: words, and behind them the value of an expression, if it has one."""

    words: Template
    value: CodeType | None


class Slip(NamedTuple):
    """A wrong number, or None where it cannot come about, and what is said to it."""

    value: CodeType
    says: Template


@dataclass(frozen=True)
class Drill:
    """A skill to practice: what is asked, how its numbers are drawn, its solution, its slips."""

    name: str  # of its file
    notebook: str  # that teaches it; the name of its folder
    title: str
    kind: Kind
    asked: tuple  # templates of paragraphs
    draw: CodeType
    steps: tuple
    slips: tuple


def read_drill(path):
    """Return the drill of a text, ``content/floors/floor.md``.

    A TextError names the file and line of what is missing or not as it should be.
    """
    file, title, below, found = read_titled(path, SECTIONS)
    asked = below.split("\n\n")
    kind = asked_by(asked[-1].rsplit(". ", 1)[-1])
    if not kind:
        raise file.error(f"the last sentence must ask for {' or '.join(ASKED)}")
    needed = "- words, and at the end an `expression`"
    steps = found["Solution"].items(LINE, needed)
    slips = found["Slips"].items(r"- `([^`]+)`: (.+)", "- `expression`: what is said to it")
    if not steps[-1][1]:
        raise found["Solution"].error("the last line must end in an `expression`, the answer")
    return Drill(
        name=path.stem,
        notebook=path.parent.name,
        title=title,
        kind=kind,
        asked=tuple(_template(paragraph, file) for paragraph in asked),
        draw=_compiled(found["Draw"].code(), found["Draw"], "exec"),
        steps=tuple(
            Step(_template(words or "", found["Solution"]), _value(code, found["Solution"]))
            for words, code in steps
        ),
        slips=tuple(
            Slip(_value(code, found["Slips"]), _template(says, found["Slips"]))
            for code, says in slips
        ),
    )


def _template(words, part):
    return Template(words, tuple(_value(code, part) for code, _ in FILLED.findall(words)))


def _value(code, part):
    return code and _compiled(code, part, "eval")


def _compiled(code, part, mode):
    try:
        return compile(code, str(part.path), mode)
    except SyntaxError as error:
        raise part.error(f"this is not Python: {code!r} ({error.msg})") from None
