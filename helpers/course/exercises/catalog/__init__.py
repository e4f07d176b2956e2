"""The exercises of the course, notebook by notebook: one place for each."""

import functools

from helpers.course.exercises.base import Handle
from helpers.course.exercises.catalog import (
    nb01,
    nb02,
    nb03,
    nb04,
    nb05,
    nb06,
    nb07,
    nb08,
    nb09,
    nb11,
    nb12,
)

BY_NOTEBOOK = {
    "01_order": nb01.EXERCISES,
    "02_gain_discounted": nb02.EXERCISES,
    "03_five_rankings": nb03.EXERCISES,
    "04_cutoff": nb04.EXERCISES,
    "05_gain": nb05.EXERCISES,
    "06_discount": nb06.EXERCISES,
    "07_your_own_ndcg": nb07.EXERCISES,
    "08_ties": nb08.EXERCISES,
    "09_floors": nb09.EXERCISES,
    "11_climb": nb11.EXERCISES,
    "12_surrogates": nb12.EXERCISES,
}


@functools.cache
def catalog():
    """Return all exercises by name, each with its number in its notebook."""
    for exercises in BY_NOTEBOOK.values():
        for number, one in enumerate(exercises, start=1):
            one.number = number
    return {e.name: e for exercises in BY_NOTEBOOK.values() for e in exercises}


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
    ValueError
        If there is no such exercise.
    """
    if name not in catalog():
        raise ValueError(f"no exercise is called {name!r}; there are {', '.join(catalog())}")
    return Handle(catalog()[name])
