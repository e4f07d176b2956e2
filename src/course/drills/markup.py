"""The text of a problem, and its solution, as HTML for a notebook, a page and a sheet."""

import re
from html import escape

from coursekit.exercises.outcome import html

ROW = re.compile(r" {4}[a-z]+(?: +[0-9.]+)+")  # of a table: a name, and numbers


def as_html(asked):
    """Return the text of a problem as HTML; what is indented is a table, or lines."""
    return "".join(
        _lines(part.splitlines()) if part.startswith("    ") else html(part)
        for part in asked.split("\n\n")
    )


def _lines(lines):
    rows = [line.split() for line in lines]
    if not all(ROW.fullmatch(line) for line in lines):
        return "<p>{}</p>".format("<br>".join(escape(line.strip()) for line in lines))
    cells = (
        f'<th scope="row">{escape(name)}</th>' + "".join(f"<td>{x}</td>" for x in numbers)
        for name, *numbers in rows
    )
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f'<table class="ndcg-given"><tbody>{body}</tbody></table>'


def solution(problem):
    """Return the lines of the worked solution, numbered."""
    return "<ol>{}</ol>".format("".join(f"<li>{escape(step)}</li>" for step in problem.steps))


def still(problem):
    """Return a problem and its folded solution, for readers without a kernel or JavaScript."""
    return (
        f"<p><strong>{escape(problem.title)}</strong></p>{as_html(problem.asked)}"
        f"<details><summary>Solution</summary>{solution(problem)}</details>"
    )
