"""What a bet is about, as a small table to look at beside its answers.

In the text of a bet it is a table in Markdown. What is asked stands behind a question mark: the
cell ``? 0.45`` is "?" in the bet and 0.45 in its reveal. Grades, as in ``page A: 3 2 0``, become
documents, and a share, such as ``0.84`` or ``28%``, gets a bar.
"""

import re
from pathlib import Path
from typing import NamedTuple

from coursekit.text import in_html

NEEDED = "needed is a table: | | score |, then |---|---|, then rows of as many cells"
RULE = re.compile(r"-+(?:\|-+)+")
GRADE = r"(?:−?\d|\?)"
DOCUMENTS = re.compile(rf"(?:([^:]+): )?({GRADE}(?: {GRADE})*)")
SHARE = re.compile(r"0\.\d+|1\.0+|\d+%")
NUMBER = re.compile(r"[±+−]? ?\.?\d[\d.,]*%?")
ASKED = "? "
SHADES = 3
STYLES = Path(__file__).with_name("drawn.css")


class Drawn(NamedTuple):
    """The names of the columns, the first of them "", and the rows, each a list of texts."""

    head: list
    rows: list

    @property
    def highest(self):
        """The highest grade of all documents."""
        cells = [cell.removeprefix(ASKED) for row in [self.head, *self.rows] for cell in row]
        found = " ".join(_documents(cell)[1] for cell in cells)
        return max([1, *map(int, re.findall(r"(?<!−)\d", found))])

    def html(self, *, is_answered=False):
        """Return the table in HTML; what is asked shows in it only if `is_answered`."""
        names = [self._shown(name) if _documents(name)[1] else in_html(name) for name in self.head]
        head = "".join(f'<th scope="col">{name}</th>' for name in names[1:])
        rows = "".join(
            f'<tr><th scope="row">{self._shown(name)}</th>'
            f"{''.join(self._cell(cell, is_answered) for cell in cells)}</tr>"
            for name, *cells in self.rows
        )
        return (
            '<table class="ndcg-drawn" aria-label="The bet as a table"><thead><tr><td></td>'
            f"{head}</tr></thead><tbody>{rows}</tbody></table>"
        )

    def _cell(self, cell, is_answered):
        if not cell.startswith(ASKED):
            return f"<td>{self._shown(cell)}</td>"
        found = cell.removeprefix(ASKED)
        if is_answered:
            return f'<td class="ndcg-found">{self._shown(found, is_found=True)}</td>'
        bar = _bar("0") if SHARE.fullmatch(found) else ""
        return f'<td class="ndcg-asked-for"><b>?</b>{bar}</td>'

    def _shown(self, cell, *, is_found=False):
        """Return a cell as words, as a number with its bar, or as documents below their name."""
        name, grades = _documents(cell)
        if grades:
            shown = " ".join(self._document(grade) for grade in grades.split())
            return f'{in_html(name)}<span class="ndcg-documents">{shown}</span>'
        if SHARE.fullmatch(cell):
            share = cell if cell.endswith("%") else f"{100 * float(cell):g}%"
            return f"<b>{cell}</b>{_bar(share)}"
        return f"<b>{in_html(cell)}</b>" if is_found or NUMBER.fullmatch(cell) else in_html(cell)

    def _document(self, grade):
        if grade == "?":
            return '<i class="ndcg-unknown">?</i>'
        shade = max(0, -(-SHADES * int(grade.replace("−", "-")) // self.highest))
        return f'<i class="ndcg-shade-{shade}">{grade}</i>'


def read_drawn(part):
    """Return the table of a `Part`; if it is not one, the error names the place."""
    lines = [
        [cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")]
        for line in part.text.split("\n")
    ]
    head, rule, rows = lines[0], "|".join(lines[1] if lines[1:] else []), lines[2:]
    if head[0] or not RULE.fullmatch(rule) or len({len(line) for line in lines}) > 1 or not rows:
        raise part.error(NEEDED)
    return Drawn(head, rows)


def _documents(cell):
    """Return the name of documents and their grades, or "" twice if a cell has none."""
    found = DOCUMENTS.fullmatch(cell)
    is_one = found and (found[1] or " " in found[2])
    return (found[1] or "", found[2]) if is_one else ("", "")


def _bar(share):
    return f'<svg aria-hidden="true"><rect width="{share}" height="100%"/></svg>'
