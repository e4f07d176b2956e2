"""How names and numbers are put into words: what library and engine share."""

from difflib import get_close_matches
from html import escape


def nearest(given, names):
    """Return words for the end of a message: the name of a list that is like the one that came.

    Empty where none is like it. Capitals do not count. On the site `nearest` in ``line.js``
    says the same.

    Examples
    --------
    >>> nearest("avrage", ["average", "best"])
    "; did you mean 'average'?"
    >>> nearest("worst", ["average", "best"])
    ''
    """
    if not isinstance(given, str):
        return ""
    small = {name.lower(): name for name in names if isinstance(name, str)}
    found = get_close_matches(given.lower(), small, n=1)
    return f"; did you mean {small[found[0]]!r}?" if found else ""


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


def aligned(lines):
    """Return rows of text as a table, columns aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )
