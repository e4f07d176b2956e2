"""What the cells of a notebook show, as objects: its code runs in this process."""

import ast
import contextlib
import io

from coursekit.authoring.write import code_cells, complain
from coursekit.site.stored import stored


def shown(path, exercises):
    """Return what the last line of each code cell of a notebook gives, by the cell's id.

    Nothing is printed or drawn. Raises a NotebookError that names a cell that fails.
    """
    cells, found = code_cells(stored(path, exercises)), {}
    scope = {"__name__": "__main__", "display": lambda *_parts, **_options: None}
    with contextlib.chdir(path.parent), contextlib.redirect_stdout(io.StringIO()):
        for cell in cells:
            try:
                found[cell.id] = run_cell(cell.source, scope)
            except Exception as error:  # noqa: BLE001 (it is the notebook's own)
                said = f"failed: {type(error).__name__}: {error}"
                raise complain(path.name, cell, said) from None
    return found


def run_cell(source, scope):
    """Run the code of a cell in a scope; return what its last line gives, None without any."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), scope)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), scope)
