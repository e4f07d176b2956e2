"""What notebook *lambdamart* shows of LightGBM: `benchmarks/lambdamart.py` writes it.

LightGBM is not installed here. What it was compared with is the reader's own program, and that is
computed again.
"""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from ndcglib.metrics import ndcg
from ndcglib.tuning import MEASURED

BENCH = Path(__file__).parents[2] / "benchmarks" / "lambdamart.py"


@pytest.fixture(name="bench", scope="module")
def _bench():
    spec = importlib.util.spec_from_file_location("benchmark_of_lambdamart", BENCH)
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    return bench


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
    assert set(MEASURED) == set(bench.TABLES)


def test_a_leaf_by_bend_has_the_weight_it_needs(bench):
    rng = np.random.default_rng(0)
    X, y, weight = rng.normal(size=(300, 2)), rng.normal(size=300), rng.random(300) / 10
    tree = bench.ByBend(max_leaf_nodes=7).fit(X, y, sample_weight=weight)
    in_leaf = np.bincount(tree.apply(X), weight)
    assert in_leaf[in_leaf > 0].min() >= 2
    assert (in_leaf > 0).sum() > 2
