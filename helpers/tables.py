"""One way to write a table: as HTML for the notebook, as text for the rest."""

from html import escape


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

    Examples
    --------
    >>> print(text_table(["", "low", "high"], {"a": [0.25, 1.0], "b": [0.5, 0.75]}))
          low    high
    a  0.2500  1.0000
    b  0.5000  0.7500
    """
    if isinstance(rows, dict):
        rows = [[name, *rest] for name, rest in rows.items()]
    lines = [[str(name) for name in header]]
    lines += [[format_cell(value, digits) for value in row] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )
