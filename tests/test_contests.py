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


def test_the_table_counts_what_no_ranker_can_win():
    grades = np.array([[0, 0, 0], [2, 2, 2], [0, 1, 0], [0, 0, 0]])
    X = np.zeros((4, 3, 1))
    made = DATA[0]._replace(weights=None)
    made = made._replace(
        train=made.train._replace(X=X, y=grades), test=made.test._replace(X=X, y=grades)
    )
    lines = str(contest([made, made], {"nothing": lambda X, y: [0]}, k=1)).split("\n")
    assert lines[0].split() == ["NDCG@1,", "2", "data", "sets", "training", "fresh"]
    assert [line.split()[-1] for line in lines[1:4]] == ["0.333", "0.333", "0.500"]
    assert lines[4] == "4 of 8 fresh queries are empty, 2 more have one grade only"


def test_without_data_there_is_no_contest():
    with pytest.raises(ValueError, match="data must be at least one data set, got none"):
        contest([], {"first": first})


def test_weights_that_do_not_fit_are_named_after_their_way():
    with pytest.raises(ValueError, match="short must have one number for each feature"):
        contest(DATA, {"short": lambda X, y: [1, 0]})
