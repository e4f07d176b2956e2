"""Exercises: a blank to fill, a check that names the mistake, hints, and a solution.

``exercise(name)`` gives an exercise of the catalog; its verbs are ``check``, ``hint``
and ``solution``. Nothing that a reader answers is stored or sent.
"""

from helpers.course.exercises.blank import ____
from helpers.course.exercises.catalog import exercise

__all__ = ["____", "exercise"]
