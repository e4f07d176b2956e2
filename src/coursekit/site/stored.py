"""A notebook as the site takes it, whether ``make notebooks`` or JupyterLab has written it."""

from coursekit.authoring.write import (
    PNG,
    canonical_output,
    code_cells,
    complain,
    merge_streams,
    plotly_outputs,
    read,
    words_below,
)


def stored(path, exercises):
    """Read a notebook, its outputs as the writer has them and its exercises as nobody solved them.

    `exercises` are those of the course, by name.

    Raises a NotebookError that names the cell if one has not run, or failed.
    """
    nb = read(path)
    number = 0
    for cell in code_cells(nb):
        if "exercise" in cell.metadata.get("tags", []):
            number += 1
            _unsolve(cell, exercises[cell.id].cell(number))
        elif cell.source.strip() and cell.execution_count is None:
            raise complain(path.name, cell, "has not run")
        outputs = [canonical_output(output) for output in merge_streams(cell.outputs)]
        if any(output.output_type == "error" for output in outputs):
            raise complain(path.name, cell, "ended in an error")
        cell.outputs = [part for output in outputs for part in words_below(output)]
    return nb


def _unsolve(cell, start):
    """Put the start of an exercise back into its cell; what an answer printed goes with it."""
    if cell.source != start:
        cell.source, cell.outputs = start, []


def what_lacks(path):
    """Return a line on the figures of a notebook that are stored without a picture, or nothing."""
    outputs = plotly_outputs(read(path))
    lacking = sum(PNG not in output.data for output in outputs)
    return lacking and (
        f"{path.name}: {lacking} of {len(outputs)} figures without a stored picture (JupyterLab "
        "saves none): the page draws them itself. To store pictures: make notebooks; to drop what "
        f"was saved: git checkout {path.parent.name}/{path.name}"
    )
