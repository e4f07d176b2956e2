"""Ways to train side by side: each number by another way, and the counts of the table."""

import numpy as np
import pytest

from helpers.datasets import ranking_data
from helpers.metrics import ndcg, random_ndcg
from helpers.tuning import contest

DATA = [ranking_data(60, 8, 3, empty=0.2, seed=seed) for seed in (1, 2)]


def first(X, y):
    return [1, 0, 0]


def test_each_number_is_the_ndcg_of_those_weights_on_those_queries():
    found = contest(DATA, {"first": first}, k=3, n_train=10)
    for i, made in enumerate(DATA):
        parts = (made.train.X[:10], made.train.y[:10]), (made.test.X, made.test.y)
        for j, (X, y) in enumerate(parts):
            reached = {name: values[i, j] for name, values in found.scores.items()}
            assert reached == pytest.approx(
                {
                    "random order": random_ndcg(y, k=3),
                    "first": ndcg(y, X[..., 0], k=3),
                    "generating weights": ndcg(y, X @ made.weights, k=3),
                    "perfect order": (y.max(axis=1) > 0).mean(),
                }
            )


def test_a_way_sees_the_training_queries_only():
    seen = []

    def way(X, y):
        seen.append((X, y))
        return np.ones(3)

    contest(DATA, {"way": way}, n_train=7)
    for made, (X, y) in zip(DATA, seen, strict=True):
        assert np.array_equal(X, made.train.X[:7])
        assert np.array_equal(y, made.train.y[:7])


def of_grades(*grades):
    """Make a data set of these lists, with nothing to learn: one feature, always 0."""
    y = np.array(grades)
    part = DATA[0].test._replace(X=np.zeros((*y.shape, 1)), y=y)
    return DATA[0]._replace(train=part, test=part, weights=None)


def test_the_table_has_the_means_and_counts_what_no_ranker_can_win():
    alike = [2, 2, 2]
    two = of_grades([0, 0, 0], alike, [0, 1, 0], [0, 0, 0]), of_grades([1, 0, 0], alike)
    lines = str(contest(two, {"nothing": lambda X, y: [0]}, k=1)).split("\n")
    assert lines[0].split() == ["NDCG@1,", "2", "data", "sets", "training", "fresh"]
    assert [line.split()[-1] for line in lines[1:4]] == ["0.500", "0.500", "0.750"]
    assert lines[4] == "2 of 6 fresh queries are empty, 2 more have one grade only"


def test_without_data_there_is_no_contest():
    with pytest.raises(ValueError, match="data must be at least one data set, got none"):
        contest([], {"first": first})


def test_weights_that_do_not_fit_are_named_after_their_way():
    with pytest.raises(ValueError, match="short must have one number for each feature"):
        contest(DATA, {"short": lambda X, y: [1, 0]})
