"""Ten programs for NDCG@k, taken apart, and the queries on which they are compared.

Each does one thing differently from scikit-learn; the last five are mistakes.
"""

from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from helpers.breakdown import breakdown
from ndcglib.conventions.method import Method, evaluate_batch, halves, keys_of, whose

# What each does otherwise.
TURNED = {
    "scikit-learn": {},
    "ties: file order": dict(ties="stable"),
    "ties: best order": dict(ties="best"),
    "gain 2^grade − 1": dict(gain="exponential"),
    "empty = 1": dict(empty=1.0),
    "ascending": dict(order="ascending"),
    "ideal of top k": dict(pool="top k"),
    "ideal not cut": dict(pool="not cut"),
    "ideal flipped": dict(batch="ideal rows flipped"),
    "ids sorted as text": dict(batch="ids sorted as text"),
}
PROGRAMS = MappingProxyType(
    {name: Method(**{"empty": 0.0, **turned}) for name, turned in TURNED.items()}
)


class Terms(NamedTuple):
    """What a program computes for each query, step by step.

    `added`, of shape (n_queries, n_docs), is what each document adds to its DCG@k; `ideals` is
    what the sums are divided by; `of` says, for each query, the query whose value is returned
    there.
    """

    added: np.ndarray
    ideals: np.ndarray
    of: np.ndarray


def values_of(program, y_true, y_score, k):
    """Return what a program, a `Method`, gives each query of arrays (n_queries, n_docs)."""
    return np.array(evaluate_batch(program, y_true.tolist(), y_score.tolist(), k))


def terms_of(program, y_true, y_score, k):
    """Return the `Terms` of a program."""
    table = y_true.tolist(), y_score.tolist()
    rules = dict(k=k, gain=program.gain, ties=program.ties, ids=range(y_true.shape[1]))
    added = np.zeros(y_true.shape)
    for query, grades, scores in zip(added, *table, strict=True):
        for row in breakdown(grades, keys_of(program, grades, scores), **rules).rows:
            query[int(row.doc)] = row.contribution
    ideals = np.array(halves(program, *table, k)[1])
    return Terms(added, ideals, np.array(whose(program, len(added))))


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
