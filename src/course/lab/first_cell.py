"""Say that the first cell was not run, where IPython would say that a name is not defined.

``ipython_kernel_config.json``, which an install of the course puts into ``etc/ipython``, makes
each kernel load this extension. It reads the notebook, and only once a name is missing: other
notebooks, and those whose first cell was run, get IPython's own words.
"""

import ast
import json
import os
from pathlib import Path

SAID = (
    "Run the first code cell of this notebook, which begins: from helpers.notebook import",
    "Then run this cell again. Or choose, in the menu Run, Run All Above Selected Cell.",
)


def load_ipython_extension(shell):
    """Let IPython ask `explain` about each NameError that ends a cell."""
    shell.set_custom_exc((NameError,), explain)


def explain(shell, kind, error, traceback, tb_offset=None):
    """Show a NameError: in words where the first cell was not run, else as IPython does."""
    if kind is NameError and not _first_names() <= shell.user_ns.keys():
        error._render_traceback_ = lambda: [*SAID, f"(NameError: {error})"]
    shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)


def _first_names():
    """Return the names that the first cell of this kernel's notebook imports; or none.

    Jupyter's server tells the kernel where the notebook is. One that was never saved, was moved
    or is damaged has no first cell.
    """
    try:
        text = Path(os.environ.get("JPY_SESSION_NAME", "")).read_text(encoding="utf-8")
        cells = json.loads(text)["cells"]
        [setup] = [cell for cell in cells if "setup" in cell["metadata"].get("tags", [])]
        [line] = ast.parse("".join(setup["source"])).body
        return {alias.name for alias in line.names if line.module == "helpers.notebook"}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, SyntaxError):
        return set()
