"""Ways to train side by side: each number by another way, and the counts of the table."""

import re

import numpy as np
import pytest
from scipy import stats

from ndcglib.datasets import ranking_data
from ndcglib.metrics import ndcg, random_ndcg
from ndcglib.significance import compare
from ndcglib.tuning import contest

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


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (DATA[0], {}, r"data must be a list of data sets, got a single one; write \[data\]"),
        (DATA[0].train, {}, "data must hold data sets, as ndcglib.datasets makes them, got ndarr"),
        (DATA, dict(n_train=-1), "n_train must be a positive integer or None, got -1"),
        (DATA, dict(against="second"), "against must be one of 'first', 'generating weights', go"),
    ],
)
def test_errors_say_what_came_and_what_to_do(data, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        contest(data, {"first": first}, **options)


# --- leads ----------------------------------------------------------------------------


def last(X, y):
    return [0, 0, 1]


def test_leads_in_several_data_sets_are_those_of_scipy_over_their_means():
    data = [ranking_data(60, 8, 3, seed=seed) for seed in range(5)]
    found = contest(data, {"first": first, "last": last}, k=3, against="first")
    assert list(found.leads) == ["last", "generating weights"]
    for name, lead in found.leads.items():
        test = stats.ttest_rel(found.scores[name][:, 1], found.scores["first"][:, 1])
        low, high = test.confidence_interval()
        gap = (found.scores[name] - found.scores["first"])[:, 1].mean()
        assert lead == pytest.approx((gap, low, high))
    header, *lines = str(found).split("\n")
    assert header.endswith("ahead of first, 95%")
    told = {" ".join(re.findall("[a-z]{3,}", line)): line for line in lines}
    assert told["last"].endswith("{:+.3f} to {:+.3f}".format(*found.leads["last"][1:]))
    assert all(" to " not in told[name] for name in ("random order", "first", "perfect order"))


def test_leads_in_one_data_set_are_over_its_queries_or_their_groups():
    made = ranking_data(100, 8, 3, seed=1)
    test = made.test
    one, other = (ndcg(test.y, test.X[..., i], k=3, per_query=True) for i in (2, 0))
    ways = {"first": first, "last": last}
    for groups in (None, np.arange(20) // 4):
        found = contest([made._replace(test_groups=groups)], ways, k=3, against="first")
        expected = compare(one, other, groups=groups)
        lead = found.leads["last"]
        assert lead == pytest.approx((expected.difference, expected.low, expected.high))


def test_weights_that_do_not_fit_are_named_after_their_way():
    with pytest.raises(
        ValueError, match=r"weights\['short'\] must have one number for each feature"
    ):
        contest(DATA, {"short": lambda X, y: [1, 0]})
