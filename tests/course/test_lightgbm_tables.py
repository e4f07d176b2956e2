"""What *lambdamart* and *trees* show of LightGBM: `benchmarks/lambdamart.py` writes it.

LightGBM is not installed here. What it was compared with is the reader's own program, and that is
computed again.
"""

import numpy as np
import pytest

from ndcglib.datasets import ranking_data
from ndcglib.metrics import ndcg, random_ndcg
from ndcglib.tuning import MEASURED


def test_the_readers_program_is_the_one_that_was_compared(bench):
    own = bench.program(tree="ByBend")
    row = next(one for one in MEASURED["equal"] if one["data"] == "mixed 0")
    train, _, fresh = bench.made("mixed", 0)
    kept = np.ptp(train.y, axis=1) > 0
    assert kept.sum() == row["queries"]
    forest = own["boost"](train.X[kept], train.y[kept], own["lambdas"])
    value = ndcg(fresh.y, own["predict"](forest, fresh.X), k=5)
    assert value == pytest.approx(row["fresh"][0], abs=2e-3)


def test_no_tree_differs():
    assert all(one["first tree that differs"] is None for one in MEASURED["equal"])
    assert all(one["apart"][0] < 1e-8 for one in MEASURED["equal"])


def test_every_table_is_there(bench):
    assert set(MEASURED) == {*bench.TABLES, "tools"}  # `make peers` writes that one


def test_a_leaf_by_bend_has_the_weight_it_needs(bench):
    rng = np.random.default_rng(0)
    X, y, weight = rng.normal(size=(300, 2)), rng.normal(size=300), rng.random(300) / 10
    tree = bench.ByBend(max_leaf_nodes=7).fit(X, y, sample_weight=weight)
    in_leaf = np.bincount(tree.apply(X), weight)
    assert in_leaf[in_leaf > 0].min() >= 2
    assert (in_leaf > 0).sum() > 2


def shuffled_rows(bench, truth):
    """Return NDCG@5 with the rows of training right, shuffled, and of random order; five seeds."""
    own = bench.program()
    for seed in range(5):
        (X, y, _), _, fresh = bench.made(truth, seed)
        order = np.random.default_rng(0).permutation(y.size)
        mixed_up = X.reshape(-1, X.shape[-1])[order].reshape(X.shape)
        models = (
            own["boost"](*rows, own["lambdas"], 30)
            for rows in ((X, y), (mixed_up, y.ravel()[order].reshape(y.shape)))
        )
        found = [ndcg(fresh.y, own["predict"](model, fresh.X), k=5) for model in models]
        yield *found, random_ndcg(fresh.y, k=5)


def test_shuffled_rows_fall_below_a_shuffle_in_the_shop(bench):
    assert all(wrong < random < right for right, wrong, random in shuffled_rows(bench, "shop"))


def test_shuffled_rows_cost_nothing_where_features_tell_nothing_of_the_query(bench):
    right, wrong, _ = np.mean([*shuffled_rows(bench, "mixed")], axis=0)
    assert right - wrong < 0.002


@pytest.mark.parametrize(("truth", "sign"), [("mixed", 1), ("linear", -1)])
def test_the_winner_does_not_depend_on_the_tool(truth, sign):
    """In each of the five data sets, which are those of the notebook."""
    table = MEASURED["tools"][truth]
    line = table["least squares"]
    for tool in ("LightGBM, lambdarank", "XGBoost, rank:ndcg", "CatBoost, YetiRank"):
        assert all(sign * (a - b) > 0 for a, b in zip(table[tool], line, strict=True)), tool
    level = random_ndcg(ranking_data(2000, 12, 6, truth=truth, seed=0).test.y, k=5)
    assert table["random order"][0] == pytest.approx(level, abs=5e-5)


def test_two_settings_that_seem_to_matter():
    gains, depth = MEASURED["settings"].values()
    assert all(abs(end) < 0.002 for end in gains["0, 1, 3, 7"][1])
    for level in ("60", "10", "5"):
        _, low, high = depth[level][1]
        assert low < 0 < high
    assert depth["1"][1][2] < 0
