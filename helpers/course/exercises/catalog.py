"""The exercises of the course: each is one text in `content`, in the folder of its notebook."""

import functools
from pathlib import Path

from helpers.course.exercises.base import Handle
from helpers.course.exercises.texts import read_exercise
from helpers.course.text import read_text
from helpers.metrics.checks import check_text
from helpers.nearest import nearest

CONTENT = Path(__file__).parent / "content"


@functools.cache
def by_notebook():
    """Return the exercises of each notebook in their order, by the notebook's name."""
    folders = sorted(path for path in CONTENT.iterdir() if path.is_dir())
    return {folder.name: _of_folder(folder) for folder in folders}


@functools.cache
def catalog():
    """Return all exercises by name."""
    return {ex.name: ex for exercises in by_notebook().values() for ex in exercises}


def exercise(name):
    """Return the verbs of an exercise. It counts its attempts, however often it is asked for.

    Parameters
    ----------
    name : str
        The id of the exercise's cell.

    Returns
    -------
    Handle
        With the verbs ``check(answer)``, ``hint()`` and ``solution()``.

    Raises
    ------
    TypeError, ValueError
        If there is no such exercise.
    """
    check_text(name, "name")
    if name not in catalog():
        said = nearest(name, catalog()) or f"; there are {', '.join(catalog())}"
        raise ValueError(f"no exercise is called {name!r}{said}")
    return Handle(catalog()[name])


def _of_folder(folder):
    page = folder / "0-page.md"
    given = read_text(page).code() if page.exists() else ""
    return [read_exercise(path, given) for path in sorted(folder.glob("[1-9]*.md"))]
