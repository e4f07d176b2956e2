"""Reading the texts of the course: Markdown with headings, lists and fenced code.

A paragraph is one line. Whatever a text lacks is an error that names file and line. HTML
comments, such as the check behind a number, are for authors: a text is read without them.
"""

import re
import textwrap
from html import escape
from typing import NamedTuple

from wording import nearest

COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
POWER = re.compile(
    r"(<(pre|code)\b.*?</\2>|<[^>]*>)|2\^(\d+\.\d+|\w+)|(?<=\d)(⁻[⁰¹²³⁴-⁹]+)", re.DOTALL
)
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789")


class TextError(ValueError):
    """A text that is not as its reader needs it."""


class Part(NamedTuple):
    """A heading with what stands under it, or a paragraph, or a block of code.

    `name` is the heading; of code the language, such as ``python``; of a paragraph "". `text` is
    without empty lines around it; `path` and `line`, where it begins, are for errors.
    """

    name: str
    text: str
    path: object
    line: int

    def error(self, words):
        """Return an error that names this place."""
        return TextError(f"{self.path}, line {self.line}: {words}")

    def sections(self, mark):
        """Return the parts under each heading that begins with `mark`, such as "##".

        The first has no name.
        """
        found, fenced, name, start = [], False, "", 0
        lines = self.text.split("\n")
        for i, line in enumerate([*lines, f"{mark} "]):
            fenced = fenced != line.startswith("```")
            if i == len(lines) or (not fenced and line.startswith(f"{mark} ")):
                found.append(self._part(name, lines[start:i], start))
                name, start = line[len(mark) + 1 :].strip(), i + 1
        if fenced:
            raise self.error("a block of code has no end, ```")
        return found

    def blocks(self):
        """Return paragraphs and blocks of code, in their order."""
        found, taken, info = [], [], None
        for i, line in enumerate([*self.text.split("\n"), ""]):
            fence = line.startswith("```")
            if fence or (info is None and not line.strip()):
                if taken or info is not None:
                    found.append(self._part(info or "", taken, i - len(taken)))
                taken, info = [], (line[3:].strip() if fence and info is None else None)
            else:
                taken.append(line)
        return found

    def separated(self):
        """Return what empty lines separate, whatever it is."""
        lines, found, start = self.text.split("\n"), [], 0
        for i, line in enumerate([*lines, ""]):
            if not line.strip():
                found += [self._part(self.name, lines[start:i], start)] if i > start else []
                start = i + 1
        return found

    def code(self):
        """Return the only block of code."""
        codes = [block.text for block in self.blocks() if block.name]
        if len(codes) != 1:
            raise self.error(f"one block of code is needed here, ```python, not {len(codes)}")
        return codes[0]

    def items(self, pattern, needed):
        """Return the groups of a pattern, made for a whole line, for each line that is not empty.

        `needed` says what such a line looks like, for the error.
        """
        lines = [(i, line) for i, line in enumerate(self.text.split("\n")) if line.strip()]
        found = [(i, line, re.fullmatch(pattern, line)) for i, line in lines]
        for i, line, match in found:
            if not match:
                raise self._part("", [line], i).error(f"needed is {needed}, not {line!r}")
        return [match.groups() for _, _, match in found]

    def _part(self, name, lines, start):
        while lines and not lines[0].strip():
            lines, start = lines[1:], start + 1
        return Part(name, "\n".join(lines).rstrip(), self.path, self.line + start)


def visible(text):
    """Return Markdown without its HTML comments; the lines keep their places."""
    return COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)


def read_text(path):
    """Return a whole file as a part."""
    return Part("", visible(path.read_text(encoding="utf-8")), path, 1)


def read_titled(path, needed, allowed=()):
    """Return a file as a part, its title, what stands below that, and its sections by name.

    There must be all sections that are `needed`, and of others only those that are `allowed`.
    """
    file = read_text(path)
    top, *parts = file.sections("##")
    allowed = allowed or needed
    for part in parts:
        if part.name not in allowed:
            said = nearest(part.name, allowed) or f"; there are {', '.join(allowed)}"
            raise part.error(f"there is no section {part.name!r}{said}")
    sections = {part.name: part for part in parts}
    missing = [name for name in needed if name not in sections]
    if missing:
        raise file.error(f"the sections {', '.join(missing)} are missing")
    title, _, below = top.text.partition("\n")
    if not title.startswith("# ") or not below.strip():
        raise file.error("needed is a title, # …, and below it what is asked")
    return file, title[2:], below.strip(), sections


def wrapped(paragraph, indent=""):
    """Return a paragraph as lines that fit beside a sidebar; `indent` begins all but the first."""
    return textwrap.fill(paragraph, 88, subsequent_indent=indent, break_on_hyphens=False)


def in_html(words):
    """Return words as HTML, with powers set as such."""
    return raised(escape(words))


def raised(html):
    """Return HTML with powers of two set as such, but in code and within a tag.

    And negative ones, as in 10⁻¹², whose signs few faces have.
    """

    def as_power(found):
        kept, _, of_two, negative = found.groups()
        if negative:
            return f"<sup>{negative.translate(LOWERED)}</sup>"
        return kept or f"2<sup>{of_two}</sup>"

    return POWER.sub(as_power, html)
