"""Exercises: a blank to fill, a check that names the mistake, hints, and a solution.

``exercise(name)`` gives an exercise of the catalog; its verbs are ``check``, ``hint``
and ``solution``. Nothing that a reader answers is stored or sent.
"""

from pathlib import Path

from course.exercises.texts import read_exercise
from coursekit.exercises.base import Handle
from coursekit.exercises.blank import ____
from coursekit.exercises.catalog import Catalog
from ndcglib.metrics.checks import check_text
from wording import nearest

__all__ = ["CATALOG", "____", "exercise"]
CATALOG = Catalog(Path(__file__).parent / "content", read_exercise)


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
    exercises = CATALOG.all
    if name not in exercises:
        said = nearest(name, exercises) or f"; there are {', '.join(exercises)}"
        raise ValueError(f"no exercise is called {name!r}{said}")
    notebook = CATALOG.notebook_of(name)
    return Handle(exercises[name], CATALOG.by_notebook[notebook], CATALOG.lines[notebook])
