"""Problem sheets for a class, with a key: pages to print, a table, and questions for Moodle."""

import argparse
import csv
import re
import sys
import zlib
from html import escape
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from course.drills import drills
from course.drills.by_hand import names
from course.drills.markup import as_html
from course.drills.problem import problem
from course.drills.skills import LAST, check_named

FOLDER = Path("build", "sheets")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,39}")
MOST_STUDENTS = 500
RANKS = 6
STYLE = """body { font: 12pt/1.5 Georgia, serif; margin: 1.5cm; color: #000; background: #fff; }
section { break-after: page; }
h1 { font-size: 14pt; border-bottom: 1px solid #000; }
h1 { display: flex; justify-content: space-between; }
li { margin: 0 0 1.2em; break-inside: avoid; }
.ndcg-given :is(th, td) { padding: 0 8pt; text-align: right; font-weight: 400; }
small { font: 10pt/1.4 monospace; }
.answer { margin: 0.6em 0 0; text-align: right; }"""


class Sheet(NamedTuple):
    """The problems of one student, or of all if `student` is 0."""

    title: str
    student: int
    problems: tuple


def sheets(class_name, skills, students=0):
    """Return the sheets of a class: the same name, skills and numbers make the same sheets.

    Parameters
    ----------
    class_name : str
        What the class is called.
    skills : sequence of str
        One problem for each, such as ``["tied-at-k", "swap"]``.
    students : int
        So many sheets that all differ; 0 makes one sheet for everybody.

    Raises
    ------
    TypeError, ValueError
        If there is no such skill, or a name or number that no sheet can have.
    """
    if not NAME.fullmatch(class_name):
        raise ValueError(
            "the name of a class has letters, digits, spaces, - and _, at most 40, and begins "
            f"with a letter or a digit, got {class_name!r}"
        )
    if not 0 <= students <= MOST_STUDENTS:
        raise ValueError(f"students must be from 0 to {MOST_STUDENTS}, got {students}")
    if not skills:
        raise ValueError(f"name at least one skill: {', '.join(drills())}")
    for skill in skills:
        check_named(skill, 1)
        if skill not in drills():
            raise ValueError(f"a sheet needs skills by name: {', '.join(drills())}")
    numbers = range(1, students + 1) if students else [0]
    return [
        Sheet(
            f"{class_name}, sheet {student}" if student else class_name,
            student,
            tuple(
                problem(drills()[skill], _no(class_name, student, place, skill))
                for place, skill in enumerate(skills, start=1)
            ),
        )
        for student in numbers
    ]


def _no(class_name, student, place, skill):
    """Return the number of a problem, the same for the same class and student."""
    return zlib.crc32(f"{class_name}/{student}/{place}/{skill}".encode()) % LAST + 1


# --- pages ----------------------------------------------------------------------------


def pages(made):
    """Return the sheets as one page of HTML to print; each begins on a page of its own."""
    log = names()["log"]
    discounts = "   ".join(f"rank {rank}: {log(rank):.4f}" for rank in range(1, RANKS + 1))
    return _page(
        f"<section><h1><span>{escape(sheet.title)}</span><span>Name: {'_' * 24}</span></h1>"
        f"<p><small>Discounts 1 / log2(rank + 1): {discounts}</small><br>{_GAIN}</p><ol>"
        + "".join(f"<li>{as_html(one.asked)}{_BLANK}</li>" for one in sheet.problems)
        + "</ol></section>"
        for sheet in made
    )


def key(made):
    """Return the key of the sheets: answers, solutions, and the slip behind each wrong number."""
    return _page(
        f"<section><h1>Key: {escape(sheet.title)}</h1><ol>"
        + "".join(f"<li>{_solved(one)}</li>" for one in sheet.problems)
        + "</ol></section>"
        for sheet in made
    )


_GAIN = "The gain is the grade, unless a problem names another one."
_BLANK = f'<p class="answer">{"_" * 16}</p>'


def _page(sections):
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>NDCG by hand</title>'
        f"<style>{STYLE}</style></head><body>{''.join(sections)}</body></html>\n"
    )


def _solved(one):
    steps = "<br>".join(map(escape, one.steps))
    slips = "".join(
        f"<br>{one.kind.written(value)}: {escape(says)}" for says, value in one.slips.items()
    )
    return f"<strong>{one.result}</strong> ({escape(one.title)})<br><small>{steps}{slips}</small>"


# --- files ----------------------------------------------------------------------------


def write_csv(made, path):
    """Write a row for each problem; behind the solution, pairs of a wrong number and its slip."""
    most = max(len(one.slips) for sheet in made for one in sheet.problems)
    pairs = [name for i in range(1, most + 1) for name in (f"wrong {i}", f"slip {i}")]
    head = ["sheet", "problem", "skill", "no", "text", "answer", "tolerance", "solution", *pairs]
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        rows = csv.writer(file)
        rows.writerow(head)
        for sheet in made:
            for place, one in enumerate(sheet.problems, start=1):
                slips = [x for says, value in one.slips.items() for x in (f"{value:.6g}", says)]
                own = [sheet.student, place, one.drill.name, one.no, one.asked]
                found = [f"{one.answer:.6g}", f"{one.tolerance:.4g}", "\n".join(one.steps)]
                rows.writerow([*own, *found, *slips])


def moodle(made):
    """Return the problems as Moodle XML; a slip is an answer worth 0, with what is said to it.

    Moodle grades a number by the first answer that it fits (its documentation, *Numerical
    question type*). A problem that is on several sheets is one question.
    """
    quiz = ElementTree.Element("quiz")
    for one in {(p.drill.name, p.no): p for sheet in made for p in sheet.problems}.values():
        question = ElementTree.SubElement(quiz, "question", type="numerical")
        _text(question, "name", one.title)
        _text(question, "questiontext", as_html(one.asked), format="html")
        steps = "".join(f"<p>{escape(step)}</p>" for step in one.steps)
        _text(question, "generalfeedback", steps, format="html")
        ElementTree.SubElement(question, "defaultgrade").text = "1"
        for share, value, says in [
            (100, one.answer, ""),
            *((0, v, s) for s, v in one.slips.items()),
        ]:
            answer = ElementTree.SubElement(question, "answer", fraction=str(share))
            ElementTree.SubElement(answer, "text").text = f"{value:.8g}"
            ElementTree.SubElement(answer, "tolerance").text = f"{one.tolerance:.4g}"
            _text(answer, "feedback", f"<p>{escape(says)}</p>" if says else "", format="html")
    ElementTree.indent(quiz)
    return ElementTree.tostring(quiz, encoding="unicode", xml_declaration=True) + "\n"


def _text(parent, name, text, **attributes):
    element = ElementTree.SubElement(parent, name, attributes)
    ElementTree.SubElement(element, "text").text = text


def _hyphened(name):
    return name.replace("_", "-")


def main(arguments=None):
    """Write the sheets named on the command line, their key, and two files; return 0."""
    parser = argparse.ArgumentParser(prog="python -m course sheet", description=__doc__)
    skills = f"{', '.join(drills())}; tied_at_k is tied-at-k"
    parser.add_argument("skills", nargs="*", type=_hyphened, help=skills)
    parser.add_argument("--class", dest="class_name", default="class", help="its name is the seed")
    parser.add_argument("--students", type=int, default=0, help="so many sheets; else one for all")
    given = parser.parse_args(arguments)
    try:
        made = sheets(given.class_name, given.skills, given.students)
    except ValueError as error:
        parser.error(str(error))
    folder = FOLDER / given.class_name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sheets.html").write_text(pages(made), encoding="utf-8")
    (folder / "key.html").write_text(key(made), encoding="utf-8")
    (folder / "moodle.xml").write_text(moodle(made), encoding="utf-8")
    write_csv(made, folder / "problems.csv")
    count = f"{len(made)} sheets" if given.students else "one sheet for all"
    sys.stdout.write(f"{folder}: {count} (sheets.html), key.html, problems.csv, moodle.xml\n")
    return 0
