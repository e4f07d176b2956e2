"""Compare programs, the explorer of notebook *your_own_ndcg*: where two programs differ."""

import functools
from html import escape

import numpy as np

from course.explorers.compare_code_chart import Query, Side, program_pair
from course.explorers.compare_code_programs import (
    EACH,
    PROGRAMS,
    example_data,
    terms_of,
    values_of,
)
from course.explorers.formulas import GAP, equation, fraction, name, number
from course.figures.program_differences import by_difference, differences_of
from coursekit.explorers.declaration import Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from ndcglib.metrics.checks import SAME_VALUE, brief
from ndcglib.ranking import by_falling_score, ranks

K = 5
YOURS = "yours"
SPACE = '<mspace width="0.3em"/>'


class CompareCode:
    """The ten programs, and a reader's own, on the queries of `example_data`.

    Of one's own only the values are known: it is shown as the program that it equals on every
    query, if there is one.
    """

    def __init__(self, yours=None):
        self.grades, self.scores = table = example_data()
        self.values = {name: values_of(program, *table, K) for name, program in PROGRAMS.items()}
        self.known = {name: name for name in PROGRAMS}  # which of the ten each is, or None
        self._terms = functools.cache(self._terms)
        self.says = {name: name for name in PROGRAMS}  # what the figure calls them
        if yours is not None:
            self._add(_run(yours, table))

    def _add(self, values):
        """Add a reader's own program."""
        same = [
            name for name, known in self.values.items() if not differences_of(known, values).any()
        ]
        self.values[YOURS] = values
        self.known[YOURS] = same[0] if same else None
        self.says[YOURS] = f"{YOURS} (as {same[0]})" if same else YOURS

    def order(self, first, second):
        """Return the queries from left to right: by difference within each file."""
        differences = differences_of(self.values[first], self.values[second])
        return by_difference(differences, np.arange(len(differences)) // EACH)

    def widest(self, first, second):
        """Return the place, from 1, where two programs differ most; of equal ones the last.

        Two decimals count: the sorted file comes last, and shows most.
        """
        differences = differences_of(self.values[first], self.values[second])
        sizes = np.abs(differences).round(2)[self.order(first, second)]
        return len(sizes) - int(np.argmax(sizes[::-1]))

    def view(self, first, second, place):
        """Return two programs on all queries, and one query, by its place, under both."""
        order = self.order(first, second)
        query = order[place - 1]
        sides = [self._side(name, query) for name in (first, second)]
        if first == second:  # a program beside itself shows what agreement is
            sides[1] = sides[1]._replace(name=f"{sides[1].name}, again")
        shown = Query(place, query + 1, *self._documents(query), K)
        columns = [self.values[name] for name in (first, second)]
        told = [
            _formula(name, side, query + 1)
            for name, side in zip((first, second), sides, strict=True)
        ]
        return View(
            program_pair(sides, columns, order, shown),
            equation(*told[0], GAP, *told[1]),
            touch={"x": "place"},
        )

    def _documents(self, query):
        """Return of a query, from rank 1 down: the documents' numbers, grades, scores, ranks."""
        scores = self.scores[query]
        order = by_falling_score(scores)
        grades, own = self.grades[query][order].tolist(), scores[order].tolist()
        return (order + 1).tolist(), grades, own, ranks(scores[order])

    def _terms(self, program):
        return terms_of(PROGRAMS[program], self.grades, self.scores, K)

    def _side(self, program, query):
        value, known = float(self.values[program][query]), self.known[program]
        if known is None:
            return Side(self.says[program], value)
        terms = self._terms(known)
        added = terms.added[query][by_falling_score(self.scores[query])].tolist()
        of = int(terms.of[query]) + 1
        return Side(self.says[program], value, added, sum(added), float(terms.ideals[query]), of)


def _formula(program, side, query):
    """Return what a program divides; where it divides by 0, the value is its convention."""
    said, value = name(escape(program)), number(side.value)
    if side.added is None:
        return [said, "=", value]
    if side.of != query:
        return [said, "=", value, SPACE, name(f"(query {side.of})")]
    relation = "=" if side.ideal > SAME_VALUE else "→"
    return [said, "=", fraction(number(side.dcg), number(side.ideal)), relation, value]


def _run(compute, table):
    """Return the values of a program, checked here: an error in a callback is not seen."""
    y_true, y_score = (array.copy() for array in table)  # a program may write into its own
    values = np.asarray(compute(y_true, y_score, K), dtype=float)
    shape = (len(y_true),)
    if values.shape != shape:
        raise ValueError(f"{YOURS} must return an array of shape {shape}, got {values.shape}")
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        raise ValueError(
            f"{YOURS} must return finite numbers, got {values[wrong[0]]} for query {wrong[0] + 1}"
        )
    return values


@explorer
def compare_code(yours=None):
    """Return the explorer "On which queries do two programs differ?".

    Parameters
    ----------
    yours : callable, optional
        A program of your own to compare, called as ``yours(y_true, y_score, k)``
        with two arrays of shape (30, 8) and k = 5; returns one value for each query.

    Returns
    -------
    Explorer
        With controls ``first`` and ``second``, names of programs, and ``place``, that of a
        query in the row that is sorted by difference.

    Raises
    ------
    TypeError, ValueError
        If `yours` is not a function, or does not return one finite number for each query.

    Notes
    -----
    Taught in notebook *your_own_ndcg*.
    """
    if yours is not None and not callable(yours):
        raise TypeError(f"yours must be a function of y_true, y_score and k, got {brief(yours)}")
    model = CompareCode(yours)
    programs = {name: name for name in model.values}

    def at_the_widest(second):
        first = "scikit-learn"
        return dict(first=first, second=second, place=model.widest(first, second))

    start = at_the_widest("ties: file order" if yours is None else YOURS)
    controls = {
        "first": OneOf("This program", programs, start["first"], listed=True),
        "second": OneOf("That program", programs, start["second"], listed=True),
        "place": Whole("Query at place", 1, len(model.grades), start["place"]),
    }
    presets = {
        "Empty counts 1": at_the_widest("empty = 1"),
        "Same mean, other queries": at_the_widest("ids sorted as text") | dict(place=1),
        "Above 1": at_the_widest("ideal flipped"),
    }
    question = "On which queries do two programs differ?"
    return Declaration(question, model.view, controls, presets)
