"""One way to write a table: as HTML for the notebook, as text for the rest."""

from collections.abc import Mapping
from html import escape

from helpers.metrics.checks import as_list, as_names, check_whole

__all__ = ["text_table"]
MOST_DIGITS = 20  # of a cell


def format_cell(value, digits=4):
    """Return a cell as text: floats with fixed digits, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, float):
        text = f"{value:.{digits}f}"
        return text.replace("-0." + "0" * digits, "0." + "0" * digits) if digits else text
    return str(value)


def html_table(header, rows, *, caption="", dim=()):
    """Return an HTML table that a screen reader can walk.

    Cells are text, numbers or None; floats get four decimals. `dim` are the positions of
    rows that do not count, shown in gray.
    """
    head = "".join(f'<th scope="col">{escape(str(name))}</th>' for name in header)
    body = "".join(_html_row(row, position in dim) for position, row in enumerate(rows))
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_row(row, dimmed):
    cells = "".join(f"<td>{escape(format_cell(value))}</td>" for value in row)
    style = ' style="opacity:0.7"' if dimmed else ""
    return f"<tr{style}>{cells}</tr>"


def text_table(header, rows, *, digits=4):
    """Return the same table in plain text, columns aligned to the right.

    Rows may also be a dict: of the name that begins a row to the rest of it.

    Raises
    ------
    TypeError, ValueError
        If `header` is not a list, a row has not a cell for each name of it, or `digits` is not
        a whole number from 0 to 20.

    Examples
    --------
    >>> print(text_table(["", "low", "high"], {"a": [0.25, 1.0], "b": [0.5, 0.75]}))
          low    high
    a  0.2500  1.0000
    b  0.5000  0.7500
    """
    if isinstance(rows, Mapping):
        rows = [[name, *as_list(rest, f"rows[{name!r}]", "cells")] for name, rest in rows.items()]
    digits = check_whole(digits, "digits", 0, MOST_DIGITS)
    lines = [as_names(header, "header")]
    for i, row in enumerate(as_list(rows, "rows", "rows, or a dict of them")):
        lines.append([format_cell(value, digits) for value in as_list(row, f"rows[{i}]", "cells")])
        if len(lines[-1]) != len(lines[0]):
            raise ValueError(
                f"header and rows must be of one length, got {len(lines[0])} names and "
                f"{len(lines[-1])} cells in rows[{i}]"
            )
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )
