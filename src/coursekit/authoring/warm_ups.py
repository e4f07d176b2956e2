"""Put problems of earlier notebooks below the setup of a notebook.

A cell with words, ``warm-ups``, and below it one for each problem, which has the tag ``warm-up``.
They are made from what the course says, and nobody edits them.
"""

from string import ascii_lowercase

from nbformat.v4 import new_code_cell, new_markdown_cell

TAG = "warm-up"


def fill_warm_ups(nb, opening):
    """Set the warm-ups of a notebook, none if `opening` is None; return it.

    `opening` has ``words`` in Markdown, and ``lines`` of code, each of which shows one problem. A
    line that is there already keeps what it has shown.
    """
    there = {cell.source: cell for cell in nb.cells if is_warm_up(cell)}
    cells = [cell for cell in nb.cells if not is_warm_up(cell)]
    if opening:
        setups = (at for at, cell in enumerate(cells) if "setup" in cell.metadata.get("tags", []))
        below = next(setups, 0) + 1
        made = [there.get(line) or new_code_cell(line) for line in opening.lines]
        for letter, cell in zip(ascii_lowercase, made, strict=False):
            cell.update(id=f"{TAG}-{letter}", metadata={"tags": [TAG]})
        cells[below:below] = [new_markdown_cell(opening.words, id=f"{TAG}s"), *made]
    nb.cells = cells
    return nb


def waits(nb):
    """Tell whether a notebook has a warm-up that has not run."""
    made = (cell for cell in nb.cells if is_warm_up(cell) and cell.cell_type == "code")
    return any(cell.execution_count is None for cell in made)


def is_warm_up(cell):
    """Tell whether a cell is made here."""
    return cell.id.startswith(TAG)
