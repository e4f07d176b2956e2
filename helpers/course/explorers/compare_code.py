"""Compare code, the explorer of notebook *your_own_ndcg*: where two programs for NDCG part.

The programs below take grades and scores of shape (n_queries, n_docs) and a cutoff,
and return one value for each query. Each does one thing differently from
`scikit_learn`; the last five are mistakes.
"""

from types import MappingProxyType

import numpy as np

from helpers.course.explorers.declaration import Declaration, OneOf
from helpers.course.explorers.explorer import explorer
from helpers.course.widgets.view import View
from helpers.figures import program_differences
from helpers.metrics import dcg, discount_weights, idcg, ndcg

# ---------------------------------------------------------------- rules


def scikit_learn(y_true, y_score, k):
    """Follow scikit-learn: linear gain, ties averaged, an empty query counts 0."""
    return ndcg(y_true, y_score, k=k, per_query=True)


def ties_in_file_order(y_true, y_score, k):
    """Leave documents of equal score in the order of the input."""
    return ndcg(y_true, y_score, k=k, ties="stable", per_query=True)


def ties_for_the_model(y_true, y_score, k):
    """Put the higher grade first where scores are equal."""
    return ndcg(y_true, y_score, k=k, ties="best", per_query=True)


def exponential_gain(y_true, y_score, k):
    """Let a grade gain 2^grade − 1."""
    return ndcg(y_true, y_score, k=k, gain="exponential", per_query=True)


def empty_counts_one(y_true, y_score, k):
    """Give a query without anything relevant 1, as LightGBM does."""
    return ndcg(y_true, y_score, k=k, empty=1, per_query=True)


# ---------------------------------------------------------------- mistakes


def ascending_sort(y_true, y_score, k):
    """Forget that argsort puts the lowest score first."""
    return ndcg(y_true, -np.asarray(y_score), k=k, per_query=True)


def ideal_from_the_top(y_true, y_score, k):
    """Build the ideal from the k documents shown, not from all."""
    order = np.argsort(-np.asarray(y_score), axis=1, kind="stable")
    top = np.take_along_axis(np.asarray(y_true), order[:, :k], axis=1)
    return _divide(dcg(y_true, y_score, k=k, per_query=True), idcg(top, per_query=True))


def ideal_not_cut(y_true, y_score, k):
    """Cut the DCG at k, but not the ideal."""
    return _divide(dcg(y_true, y_score, k=k, per_query=True), idcg(y_true, per_query=True))


def ideal_flipped(y_true, y_score, k):
    """Turn the queries around, not the documents: [::-1] is right for one query only."""
    ideal = np.sort(y_true)[::-1]
    weights = discount_weights(min(k, ideal.shape[1]))
    return _divide(dcg(y_true, y_score, k=k, per_query=True), ideal[:, :k] @ weights)


def ids_sorted_as_text(y_true, y_score, k):
    """Return the queries in the order 1, 10, 11, …, 2, 20, as ids sort that are text."""
    ids = [str(number) for number in range(1, len(y_true) + 1)]
    return scikit_learn(y_true, y_score, k)[np.argsort(ids)]


def _divide(dcgs, ideals):
    """Return the ratios, and 0 where the ideal is 0."""
    return np.divide(dcgs, ideals, out=np.zeros(len(dcgs)), where=ideals > 0)


PROGRAMS = MappingProxyType(
    {
        "scikit-learn": scikit_learn,
        "ties: file order": ties_in_file_order,
        "ties: best order": ties_for_the_model,
        "gain 2^grade − 1": exponential_gain,
        "empty = 1": empty_counts_one,
        "ascending": ascending_sort,
        "ideal of top k": ideal_from_the_top,
        "ideal not cut": ideal_not_cut,
        "ideal flipped": ideal_flipped,
        "ids sorted as text": ids_sorted_as_text,
    }
)
K = 5
SEED = 2
REFERENCES = ("scikit-learn", "ties: file order")

# ---------------------------------------------------------------- data


def example_data():
    """Return three data sets of 30 queries with 8 documents each, grades 0 to 3.

    By name, each as (y_true, y_score). A score is half the grade plus normal noise. With ties
    the same scores are rounded to whole numbers. In the sorted file the same documents stand in
    the order of their grades, as in many files with judgments. Nothing is relevant for three
    queries.
    """
    rng = np.random.default_rng(SEED)
    y_true = rng.choice(4, size=(30, 8), p=[0.4, 0.3, 0.2, 0.1])
    y_true[rng.choice(30, size=3, replace=False)] = 0
    y_score = y_true / 2 + rng.normal(size=y_true.shape)
    rounded = np.round(y_score)
    by_grade = np.argsort(-y_true, axis=1, kind="stable")
    in_file = (np.take_along_axis(table, by_grade, axis=1) for table in (y_true, rounded))
    return {
        "no ties": (y_true, y_score),
        "ties": (y_true, rounded),
        "ties, sorted file": tuple(in_file),
    }


# ---------------------------------------------------------------- the explorer


class CompareCode:
    """Programs for NDCG@k, and what each says about each query.

    A program maps (y_true, y_score, k), arrays of shape (n_queries, n_docs), to an array of
    shape (n_queries,).
    """

    def __init__(self, programs, data, k):
        self.values = {
            (program, key): _run(program, compute, table, k)
            for program, compute in programs.items()
            for key, table in data.items()
        }

    def view(self, data, first, second):
        """Return where two programs part on one of the data sets; all three are names."""
        # A dict has each name once; a program beside itself shows what agreement is.
        other = f"{second}, again" if second == first else second
        return View(
            program_differences(
                {first: self.values[first, data], other: self.values[second, data]}
            )
        )


def _run(program, compute, table, k):
    """Return the values of a program, checked here: an error in a callback is not seen."""
    y_true, y_score = (array.copy() for array in table)  # a program may write into its own
    values = np.asarray(compute(y_true, y_score, k), dtype=float)
    shape = (len(y_true),)
    if values.shape != shape:
        raise ValueError(f"{program} must return an array of shape {shape}, got {values.shape}")
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        raise ValueError(
            f"{program} must return finite numbers, got {values[wrong[0]]} "
            f"for query {wrong[0] + 1}"
        )
    return values


@explorer
def compare_code(yours=None):
    """Return the explorer "On which queries do two programs part?".

    Parameters
    ----------
    yours : callable, optional
        A program of your own to compare, called as ``yours(y_true, y_score, k)``
        with two arrays of shape (30, 8) and k = 5; returns one value for each query.

    Returns
    -------
    Explorer
        With controls ``data``, ``first`` and ``second``.

    Raises
    ------
    ValueError
        If `yours` does not return one finite number for each query.

    Notes
    -----
    Taught in notebook *your_own_ndcg*.
    """
    data = example_data()
    added = {} if yours is None else {"yours": yours}
    programs = {**PROGRAMS, **added}
    controls = {
        "data": _choice("Data", data, "ties"),
        "first": _choice("First", REFERENCES, "scikit-learn"),
        "second": _choice("Second", programs, "yours" if added else "ties: file order"),
    }
    presets = {
        "No ties": _state("no ties", "ties: file order"),
        "Sorted file": _state("ties, sorted file", "ties: file order"),
        "Same mean, other queries": _state("no ties", "ids sorted as text"),
        "Above 1": _state("no ties", "ideal flipped"),
    }
    question = "On which queries do two programs part?"
    return Declaration(question, CompareCode(programs, data, K).view, controls, presets)


def _choice(label, names, value):
    """Return a choice among names, each its own value."""
    return OneOf(label, {name: name for name in names}, value)


def _state(data, second):
    return dict(data=data, first="scikit-learn", second=second)
