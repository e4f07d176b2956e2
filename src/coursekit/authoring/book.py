"""The notebooks as one book: their order, their minutes, and every link between them.

A notebook's number stands in its file name and nowhere else; its short name, the rest, is
what code and texts call it. From the files come the maps, the links to the neighbors, the
numbers in cross references and the minutes that a notebook states.
"""

import functools
import math
import re
from pathlib import Path
from typing import NamedTuple

from coursekit.authoring.warm_ups import fill_warm_ups, is_warm_up
from coursekit.text import visible

FILE = re.compile(r"(\d\d)_([a-z0-9_]+)\.ipynb")
LINK = re.compile(r"\[((?:[Nn]otebook )?)\d\d\](?=\((?:[\w.]+/)*\d\d_([a-z0-9_]+)\.ipynb)")
MADE = re.compile(r"(<!-- made by make notebooks: (\w+) -->\n\n).*?(\n\n<!-- end -->)", re.DOTALL)

# What a minute is, for a first reading: fitted to readings of this course (November 2026; nine
# notebooks, and then thirty). The prose is dense, so its words take longer than those of a
# novel, and outputs are read along with it.
WORDS_A_MINUTE, LINES_A_MINUTE = 85, 6
A_BET, A_TASK, A_PICTURE, A_WARM_UP, AN_EXERCISE, A_PROGRAM = 2, 2, 0.5, 3.5, 5, 6
NOT_READ = re.compile(
    r"<details\b.*?</details>|\$[^$]*\$|```.*?```|`[^`]*`|\]\([^)]*\)|^\|[-|: ]+$|\|",
    re.DOTALL | re.MULTILINE,
)
HEADING = re.compile(r"^(#{1,6}) +(.*)", re.MULTILINE)


class Minutes(NamedTuple):
    """How long a notebook takes, and what is marked *Optional* in it."""

    needed: int
    optional: int

    def __str__(self):
        further = f", and {self.optional} for what is marked *Optional*" if self.optional else ""
        return f"{self.needed} minutes{further}"


def minutes(nb, exercises):
    """Return the `Minutes` of a notebook, both counts of `spent` rounded up to five."""
    found = spent(nb, exercises)
    return Minutes(*(5 * math.ceil(found[kind] / 5) for kind in ("needed", "optional")))


def spent(nb, exercises):
    """Return the minutes that a notebook takes, by what they are for: needed, optional, looked up.

    85 words of prose or of a table a minute, ten seconds a line of code, half a minute for a
    picture, two minutes for a bet and for the task of an explorer, three and a half for a problem
    to warm up, five for an exercise, six if it is a program or a design. A section is optional if
    its heading begins with "Optional". What is looked up (a map, a glossary, references) and what
    is folded away are not counted, nor is the question of an exercise a second time; `exercises`
    are those of the course, by name.
    """
    found, kind, top = {"needed": 0.0, "optional": 0.0, "looked up": 0.0}, "needed", 0
    for cell in nb.cells:
        head = HEADING.search(visible(cell.source)) if cell.cell_type == "markdown" else None
        if head and (kind == "needed" or len(head[1]) <= top):
            top, kind = len(head[1]), _kind_of_section(head[2])
        found[kind] += _minutes_of(cell, exercises)
    return found


def _kind_of_section(heading):
    if heading in ("Glossary", "References"):
        return "looked up"
    return "optional" if heading.startswith("Optional") else "needed"


def _minutes_of(cell, exercises):
    tags = set(cell.metadata.get("tags", []))
    if is_warm_up(cell):
        return A_WARM_UP if cell.cell_type == "code" else 0
    if cell.cell_type == "markdown":
        read = "" if "question" in tags else visible(MADE.sub("", cell.source))
        prose = len(NOT_READ.sub(" ", read).split())
        return prose / WORDS_A_MINUTE + A_TASK * cell.source.count("**Try this.**")
    if "bet" in tags:
        return A_BET
    if "exercise" in tags:
        found = exercises.get(cell.id)
        return A_PROGRAM if found and found.is_long else AN_EXERCISE
    if tags & {"setup", "reveal"}:
        return 0
    lines = sum(bool(line.strip()) for line in cell.source.split("\n"))
    has_picture = tags & {"explorer", "widget"} or "show(" in cell.source
    return lines / LINES_A_MINUTE + (A_PICTURE if has_picture else 0)


class Chapter(NamedTuple):
    """One notebook of the book."""

    number: str
    name: str
    title: str
    promise: str
    minutes: Minutes

    @property
    def file(self):
        """The name of its file."""
        return f"{self.number}_{self.name}.ipynb"


def _chapter(path, nb, exercises):
    """Return the chapter that a file is, or None if its name is not that of one."""
    named = FILE.fullmatch(path.name)
    if not named:
        return None
    opening = visible(nb.cells[0].source) if nb.cells else ""
    found = (re.search(mark, opening, re.MULTILINE) for mark in (r"\A# (.+)", r"^- (.+)"))
    title, promise = (one[1] if one else "" for one in found)
    return Chapter(*named.groups(), title, promise, minutes(nb, exercises))


class Book:
    """All notebooks of a folder, in their order, as the book of a `Course`.

    `read` returns the notebook of a path. Of the ways through the course, a notebook that does
    not exist yet is left out.
    """

    def __init__(self, folder, course, read):
        self.course = course
        paths = sorted(Path(folder).glob("*.ipynb"))
        found = (_chapter(path, read(path), course.exercises) for path in paths)
        self.chapters = [one for one in found if one]

    @functools.cached_property
    def by_name(self):
        """The chapters by their short names."""
        return {one.name: one for one in self.chapters}

    @functools.cached_property
    def openings(self):
        """What opens each notebook, by its short name."""
        return self.course.warm_ups([*self.by_name])

    def fill(self, nb, name):
        """Set time, links, maps and warm-ups of a notebook, as the files have them; return it."""
        file = FILE.fullmatch(f"{name}.ipynb")
        if file is None or file[2] not in self.by_name:
            return nb
        nb = fill_warm_ups(nb, self.openings.get(file[2]))
        own = _chapter(Path(file[0]), nb, self.course.exercises)
        for cell in nb.cells:
            if cell.cell_type != "markdown":
                continue
            if cell.id == "nav":
                cell.source = self._neighbors(own)
            cell.source = self.refresh(cell.source)
        opening = nb.cells[0]
        opening.source = re.sub(
            r"^\*\*Time:\*\*.*", f"**Time:** {own.minutes}", opening.source, flags=re.MULTILINE
        )
        return nb

    def refresh(self, text, folder=""):
        """Return a Markdown text, its numbers in links and the parts that are made up to date.

        `folder` is where the notebooks are, seen from the text: ``"notebooks/"``, say.
        """
        text = MADE.sub(lambda m: m[1] + getattr(self, f"_{m[2]}")(folder) + m[3], text)
        text = LINK.sub(lambda m: f"[{m[1]}{self._number(m[2])}]", text)
        return FILE.sub(lambda m: f"{self._number(m[2]) or m[1]}_{m[2]}.ipynb", text)

    def _number(self, name):
        """Return the number of a notebook, or nothing if there is none of this name."""
        return self.by_name[name].number if name in self.by_name else ""

    def _neighbors(self, own):
        names = [one.name for one in self.chapters]
        place = names.index(own.name)
        before = [f"Previous: {self._link(one)}" for one in self.chapters[:place][-1:]]
        after = [f"Next: {self._link(one)}" for one in self.chapters[place + 1 :][:1]]
        return " · ".join(before + after)

    def _link(self, one, folder=""):
        return f"[{one.title}]({folder}{one.file})"

    def _map(self, folder):
        rows = [
            f"| {one.number} | {self._link(one, folder)} | {one.promise} | {one.minutes.needed} |"
            for one in self.chapters
        ]
        head = ["| | notebook | after it you can | minutes |", "|---|---|---|---|"]
        return "\n".join([*head, *rows])

    def _paths(self, folder):
        rows = []
        for title, names in self.course.paths.items():
            chosen = [self.by_name[name] for name in names if name in self.by_name]
            links = ", ".join(f"[{one.number}]({folder}{one.file})" for one in chosen)
            rows.append(f"- **{title}**: {links} ({hours(chosen)})")
        return "\n".join([*rows, f"- **All of it**: {hours(self.chapters)}"])

    def _remarks(self, folder):
        parts = []
        for one in self.chapters:
            texts = self.course.bets.remarks(one.name)
            if texts:
                parts += [f"### {one.number} {self._link(one, folder)}", *texts]
        return "\n\n".join(parts)

    def _questions(self, _folder):
        asked = enumerate(self.course.bets.questions.values(), start=1)
        return "\n\n".join(question.for_the_room(number) for number, question in asked)


def hours(chapters, of_the_optional=" more for what is marked *Optional*"):
    """Return in words how long some chapters take, and what is optional in them.

    The time is told to half an hour, the optional part rounded up, so that none is left out.
    What the second number is, is said as `of_the_optional` has it.
    """
    found = round(sum(one.minutes.needed for one in chapters) / 30) / 2
    more = math.ceil(sum(one.minutes.optional for one in chapters) / 30) / 2
    further = f", and {more:g}{of_the_optional}" if more else ""
    return f"{found:g} hour{'s' if found != 1 else ''}{further}"


def refresh_documents(book, root):
    """Write the texts beside the notebooks anew where they name notebooks; return what changed."""
    changed = []
    for name in book.course.documents:
        path = root / name
        if path.exists():
            text = path.read_text(encoding="utf-8")
            fresh = book.refresh(text, "notebooks/")
            if fresh != text:
                path.write_text(fresh, encoding="utf-8")
                changed.append(path)
    return changed
