"""Does the winner of notebook *trees* depend on the tool? LightGBM, XGBoost, CatBoost.

``make peers`` runs it in its environment, without `helpers` but with the library, and it writes
``src/ndcglib/tuning/tools.json``, which the notebook shows. The data are those of the
notebook: five data sets for each truth, 240 queries for training and 400 fresh ones.

Nothing is tuned: 100 trees of seven leaves (CatBoost: eight, as its trees ask one question a
level), a learning rate of 0.1, linear gains where a tool lets one choose, and else its defaults.
So the table compares tools with a line, and does not rank the tools.
"""

import json
from importlib.metadata import version
from pathlib import Path

import catboost
import lightgbm
import numpy as np
import xgboost

from ndcglib.datasets import ranking_data
from ndcglib.metrics import ndcg
from ndcglib.tuning import least_squares

WRITTEN = Path(__file__).resolve().parents[2] / "src" / "ndcglib" / "tuning" / "tools.json"
TREES, LEAVES, RATE, SEEDS = 100, 7, 0.1, range(5)


def rows_of(X, y):
    """Return the rows of queries of one length, their grades, and the sizes of the queries."""
    return X.reshape(-1, X.shape[-1]), y.ravel(), [y.shape[1]] * len(y)


def random_order(train, rows):
    """Score all documents alike: ties are averaged."""
    return np.zeros(len(rows))


def by_a_line(train, rows):
    """Fit a line to the grades."""
    return rows @ least_squares(train.X, train.y)[0]


def by_lightgbm(train, rows):
    """Train `lambdarank`, as the notebook does."""
    X, y, sizes = rows_of(train.X, train.y)
    told = dict(objective="lambdarank", num_leaves=LEAVES, learning_rate=RATE, verbosity=-1)
    told |= dict(label_gain=[0, 1, 2, 3], num_threads=1, deterministic=True, force_row_wise=True)
    return lightgbm.train(told, lightgbm.Dataset(X, y, group=sizes), TREES).predict(rows)


def by_xgboost(train, rows):
    """Train `rank:ndcg`, with trees that grow leaf by leaf."""
    X, y, sizes = rows_of(train.X, train.y)
    data = xgboost.DMatrix(X, y)
    data.set_group(sizes)
    told = dict(objective="rank:ndcg", ndcg_exp_gain=False, eta=RATE, nthread=1, seed=0)
    told |= dict(tree_method="hist", grow_policy="lossguide", max_leaves=LEAVES, max_depth=0)
    return xgboost.train(told, data, TREES).predict(xgboost.DMatrix(rows))


def by_catboost(train, rows):
    """Train `YetiRank`, which draws its pairs: one seed of its own."""
    X, y, sizes = rows_of(train.X, train.y)
    told = dict(loss_function="YetiRank", iterations=TREES, learning_rate=RATE, depth=3)
    told |= dict(thread_count=1, random_seed=0, verbose=False, allow_writing_files=False)
    data = catboost.Pool(X, y, group_id=np.repeat(np.arange(len(sizes)), sizes))
    return catboost.CatBoost(told).fit(data).predict(rows)


WAYS = {
    "random order": random_order,
    "least squares": by_a_line,
    "LightGBM, lambdarank": by_lightgbm,
    "XGBoost, rank:ndcg": by_xgboost,
    "CatBoost, YetiRank": by_catboost,
}


def main():
    """Train all on each data set, and write their NDCG@5 on fresh queries."""
    packages = {"LightGBM": "lightgbm", "XGBoost": "xgboost-cpu", "CatBoost": "catboost"}
    content = {"versions": {name: version(package) for name, package in packages.items()}}
    for truth in ("mixed", "linear"):
        found = {name: [] for name in (*WAYS, "perfect order")}
        for seed in SEEDS:
            data = ranking_data(2000, 12, 6, truth=truth, seed=seed)
            train, fresh = data.train.first(240), data.test
            rows = rows_of(fresh.X, fresh.y)[0]
            for name, values in found.items():
                scores = (
                    WAYS[name](train, rows).reshape(fresh.y.shape) if name in WAYS else fresh.y
                )
                values.append(round(ndcg(fresh.y, scores, k=5), 6))
        content[truth] = found
    WRITTEN.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
