"""The checks that stand beside numbers in prose: ``0.8155<!-- random_ndcg([1, 0]) -->``.

A comment behind a number is a Python expression that gives it. A comment that begins with
"let" is Python to run first, ``<!-- let five = [5, 4, 3, 2, 1] -->``; the comments below it in
the same text know its names. CONTRIBUTING.md says what else they know.
"""

import re
from numbers import Real
from pathlib import Path
from textwrap import dedent

import notebook_rules as rules
import numpy as np
import sklearn

from coursekit.authoring.book import MADE
from coursekit.authoring.write import read
from helpers import notebook

ROOT = Path(__file__).resolve().parents[2]
CONTENT = ROOT / "src" / "course"
TEXTS = [
    *rules.siblings(rules.chapter("start_here")),
    *sorted(CONTENT.glob("bets/**/*.md")),
    *sorted(CONTENT.glob("exercises/content/**/*.md")),
]
LOCK = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
IS_LOCKED = f"scikit-learn=={sklearn.__version__} " in LOCK


def pieces(path):
    """Return the places of a text with their sources: the cells of a notebook, or the whole."""
    if path.suffix == ".md":
        return [("", path.read_text(encoding="utf-8"))]
    cells = [cell for cell in read(path).cells if cell.cell_type == "markdown"]
    return [(f"cell {cell.id}, ", MADE.sub("", cell.source)) for cell in cells]


def names_in(path):
    """Return what the comments of a text know: the names of the notebooks, np, and `printed`.

    ``printed("gap-run", "squared ")`` are the numbers that a cell of the text's own notebook
    printed, behind the beginning of a line; `shown` is what an explorer says.
    """
    in_folder = path.parent.parent.name == "content"  # an exercise
    own = path.parent.name if in_folder else re.sub(r"^\d\d_", "", path.stem)

    def printed(cell_id, begins):
        return [float(number) for number in rules.printed(rules.chapter(own), cell_id, begins)]

    offered = {name: getattr(notebook, name) for name in notebook.__all__}
    return offered | {"np": np, "printed": printed, "shown": shown}


def shown(explorer, words, **values):
    """Return the number behind some words, a pattern, in an explorer's sentence after a move."""
    explorer.set(**values)
    found = re.search(rf"{words}(\d[\d,]*(?:\.\d+)?)", explorer.stage.sentence)
    return float(found[1].replace(",", ""))


def complaints(places, known):
    """Return what is wrong with the comments of a text, whose `places` are as of `pieces`.

    The manual is another one in each release of scikit-learn: with one that is not locked, the
    numbers of a text that asks it need only be near.
    """
    known, wrong = dict(known), []
    is_near = not IS_LOCKED and any("manual_" in source for _, source in places)
    for place, source in places:
        for comment in rules.CHECKED.finditer(source):
            number, code = comment[1], comment[2].strip()
            problem = problem_of(number, code, known, is_near)
            if problem:
                line = source.count("\n", 0, comment.start(2)) + 1
                wrong.append(f"{place}line {line}: {number or ''}<!-- {code} --> {problem}")
    return wrong


def problem_of(number, code, known, is_near=False):
    """Return what is wrong with one comment, or nothing; a `let` adds its names to `known`."""
    is_let = re.match(r"let\s", code)
    try:
        if is_let:
            exec(dedent(code[len("let") :].lstrip(" ")), known)
            return ""
        value = eval(code, known)
    except Exception as error:  # noqa: BLE001 (it is whatever somebody wrote there)
        return f"fails: {type(error).__name__}: {error}"
    if number is None:
        return "stands behind no number"
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return f"gives {value!r}, which is no number"
    return "" if gives(value, number, is_near) else f"gives {value:.10g}"


def gives(value, number, is_near):
    """Tell whether a value rounds to a number as it is printed, a share to a percentage."""
    said = number.replace("−", "-").replace(",", "")
    if is_near:
        told, scale = float(said.rstrip("%")), 100 if said.endswith("%") else 1
        return abs(scale * value - told) <= (0.02 * scale if "." in said else abs(told) / 10)
    return rules.rounds_to(f"{value:.12f}", said)
