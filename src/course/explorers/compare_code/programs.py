"""Ten programs for NDCG@k, taken apart, and the queries on which they are compared.

Each does one thing differently from `scikit_learn`; the last five are mistakes. A program maps
(y_true, y_score, k), arrays of shape (n_queries, n_docs) and a cutoff, to its `Terms`.
"""

from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from helpers.breakdown import breakdown
from ndcglib.metrics import discount_weights, idcg


class Terms(NamedTuple):
    """What a program computes for each query, step by step.

    `added`, of shape (n_queries, n_docs), is what each document adds to its DCG@k; `ideals` is
    what the sums are divided by; `empty` stands where that is 0; `of` says, for each query, the
    query whose value is returned there.
    """

    added: np.ndarray
    ideals: np.ndarray
    of: np.ndarray
    empty: float = 0.0

    @property
    def values(self):
        """Return one value for each query: what the program returns."""
        sums = self.added.sum(axis=1)
        own = np.divide(sums, self.ideals, np.full(len(sums), self.empty), where=self.ideals > 0)
        return own[self.of]


def _terms(y_true, y_score, k, ideals, **rules):
    """Return the terms of a program with these ideals; `rules` are those of `breakdown`."""
    n_queries, n_docs = np.shape(y_true)
    added, places = np.zeros((n_queries, n_docs)), [str(i) for i in range(n_docs)]
    for query, grades, scores in zip(added, y_true, y_score, strict=True):
        for row in breakdown(grades, scores, k=k, ids=places, **rules).rows:
            query[int(row.doc)] = row.contribution
    return Terms(added, ideals, np.arange(n_queries))


# ---------------------------------------------------------------- rules


def scikit_learn(y_true, y_score, k, **rules):
    """Follow scikit-learn: linear gain, ties averaged, an empty query counts 0."""
    return _terms(y_true, y_score, k, idcg(y_true, k=k, per_query=True), **rules)


def ties_in_file_order(y_true, y_score, k):
    """Leave documents of equal score in the order of the input."""
    return scikit_learn(y_true, y_score, k, ties="stable")


def ties_for_the_model(y_true, y_score, k):
    """Put the higher grade first where scores are equal."""
    return scikit_learn(y_true, y_score, k, ties="best")


def exponential_gain(y_true, y_score, k):
    """Let a grade gain 2^grade − 1."""
    ideals = idcg(y_true, k=k, gain="exponential", per_query=True)
    return _terms(y_true, y_score, k, ideals, gain="exponential")


def empty_counts_one(y_true, y_score, k):
    """Give a query without anything relevant 1, as LightGBM does."""
    return scikit_learn(y_true, y_score, k)._replace(empty=1.0)


# ---------------------------------------------------------------- mistakes


def ascending_sort(y_true, y_score, k):
    """Forget that argsort puts the lowest score first."""
    return scikit_learn(y_true, -np.asarray(y_score), k)


def ideal_from_the_top(y_true, y_score, k):
    """Build the ideal from the k documents shown, not from all."""
    order = np.argsort(-np.asarray(y_score), axis=1, kind="stable")
    top = np.take_along_axis(np.asarray(y_true), order[:, :k], axis=1)
    return _terms(y_true, y_score, k, idcg(top, per_query=True))


def ideal_not_cut(y_true, y_score, k):
    """Cut the DCG at k, but not the ideal."""
    return _terms(y_true, y_score, k, idcg(y_true, per_query=True))


def ideal_flipped(y_true, y_score, k):
    """Turn the queries around, not the documents: [::-1] is right for one query only."""
    ideal = np.sort(y_true)[::-1]
    weights = discount_weights(min(k, ideal.shape[1]))
    return _terms(y_true, y_score, k, ideal[:, :k] @ weights)


def ids_sorted_as_text(y_true, y_score, k):
    """Return the queries in the order 1, 10, 11, …, 2, 20, as ids sort that are text."""
    ids = [str(number) for number in range(1, len(y_true) + 1)]
    return scikit_learn(y_true, y_score, k)._replace(of=np.argsort(ids))


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

# ---------------------------------------------------------------- data

FILES = ("no ties", "ties", "sorted file")  # ten queries each
EACH = 10
SEED = 4


def example_data():
    """Return grades and scores of 30 queries with 8 documents each, grades 0 to 3.

    A score is half the grade plus normal noise. From query 11 on the scores are rounded to whole
    numbers, so that documents tie; from query 21 on each query lists its documents by falling
    grade, as many files with judgments do. In one query of each ten nothing is relevant.
    """
    rng = np.random.default_rng(SEED)
    y_true = rng.choice(4, size=(len(FILES) * EACH, 8), p=[0.4, 0.3, 0.2, 0.1])
    y_true[4::EACH] = 0
    y_score = y_true / 2 + rng.normal(size=y_true.shape)
    y_score[EACH:] = np.round(y_score[EACH:])
    by_grade = np.argsort(-y_true[2 * EACH :], axis=1, kind="stable")
    for table in (y_true, y_score):
        table[2 * EACH :] = np.take_along_axis(table[2 * EACH :], by_grade, axis=1)
    return y_true, y_score
