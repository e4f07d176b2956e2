"""Rankers on training and on fresh queries, and the differences between them, another way."""

import numpy as np
import pytest

from ndcglib.datasets import ranking_data
from ndcglib.metrics import ndcg, random_ndcg
from ndcglib.tuning import (
    best_in_training,
    contest_rows,
    least_squares,
    linear_scores,
    on_both,
)


@pytest.fixture(name="data", scope="module")
def _data():
    return ranking_data(100, 7, 4, noise=0.5, empty=0.2, seed=1)


def test_on_both_is_the_metric_of_each_part(data):
    weights = {"one": np.eye(4)[0], "fitted": least_squares(*data.train[:2])[0]}
    found = on_both(data.train, data.test, weights, k=3, gain="exponential")
    assert list(found) == list(weights)
    for name, w in weights.items():
        for part, value in zip((data.train, data.test), found[name], strict=True):
            again = ndcg(part.y, linear_scores(part.X, w), k=3, gain="exponential")
            assert value == pytest.approx(again, abs=1e-12)


def test_random_and_perfect_are_the_metric_of_a_constant_and_of_the_grades(data):
    found = on_both(data.train, data.test, {"one": np.eye(4)[0]}, k=3, levels=True)
    assert list(found) == ["one", "random order", "perfect order"]
    for n, part in enumerate((data.train, data.test)):
        assert found["random order"][n] == pytest.approx(random_ndcg(part.y, k=3))
        assert found["perfect order"][n] == pytest.approx(ndcg(part.y, part.y, k=3))
        assert found["perfect order"][n] < 1


def test_the_rows_of_a_contest():
    results = [
        {"a": (0.9, 0.5), "b": (0.6, 0.6), "c": (0.1, 0.6)},
        {"a": (0.7, 0.8), "b": (0.6, 0.6), "c": (0.3, 0.7)},
        {"a": (0.8, 0.8), "b": (0.3, 0.3), "c": (0.2, 0.2)},
    ]
    rows = contest_rows(iter(results), "b")
    assert [row[0] for row in rows] == ["a", "b", "c"]
    assert [row[3] for row in rows] == ["2 of 3", "", "1 of 3"]  # a tie is no victory
    assert np.array([row[1:3] for row in rows]) == pytest.approx(
        np.array([[0.8, 0.7], [0.5, 0.5], [0.2, 0.5]])
    )


def test_the_best_in_training_is_not_looked_up_on_the_test():
    runs = [(0.5, 0.9), (0.7, 0.6), (0.6, 0.8), (0.7, 0.5), (0.1, 0.6)]
    assert best_in_training(runs) == (0.7, 0.6, 3)
    assert best_in_training([(0.5, 0.9), (0.6, 0.9)]).place == 1
    with pytest.raises(ValueError, match="runs must hold at least 1, got 0"):
        best_in_training([])


def test_the_first_queries_of_a_part(data):
    X, y, query = data.train.first(3)
    assert query is None
    assert np.array_equal(X, data.train.X[:3])
    assert np.array_equal(y, data.train.y[:3])
    assert len(data.train.first(1000).y) == 60
    with pytest.raises(ValueError, match=r"first\(\) needs queries of equal length"):
        ranking_data(20, ragged=True).train.first(3)


def test_errors_say_what_came_and_what_is_allowed(data):
    with pytest.raises(
        ValueError, match=r"weights\['mine'\] must have one number for each feature"
    ):
        on_both(data.train, data.test, {"mine": [1.0]})
    with pytest.raises(ValueError, match="results must hold at least one data set, got none"):
        contest_rows([], "b")
    with pytest.raises(ValueError, match="against must be one of 'a', got 'b'"):
        contest_rows([{"a": (0.5, 0.5)}], "b")
