"""What the cells of a notebook show, as objects: its code runs in this process."""

import ast
import contextlib
import io

from helpers.course.authoring.write import code_cells, read


def shown(path):
    """Return what the last line of each code cell of a notebook gives, by the cell's id.

    Nothing is printed or drawn.
    """
    cells = code_cells(read(path))
    scope = {"__name__": "__main__", "display": lambda *_parts, **_options: None}
    with contextlib.chdir(path.parent), contextlib.redirect_stdout(io.StringIO()):
        return {cell.id: run_cell(cell.source, scope) for cell in cells}


def run_cell(source, scope):
    """Run the code of a cell in a scope; return what its last line gives, None without any."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), scope)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), scope)
