"""LightGBM beside the boosting of *lambdamart* and *trees*, and what trips it (`--write`).

LightGBM is no dependency of the course: `pip install lightgbm` (Linux needs libgomp, macOS
libomp), then `python benchmarks/lambdamart.py` prints the tables of both, and with
`--write` they are replaced. So are the curves of the explorer *one more tree*, which need no
LightGBM; `--write curves` renews these alone. One thread, deterministic; some minutes.

The reader's own program is taken from the cells of the notebooks, so that nobody keeps it twice.
"""

import datetime
import importlib.util
import json
import platform
import sys
from pathlib import Path

import nbformat
import numpy as np
import sklearn
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.model_selection import GroupKFold
from sklearn.tree import DecisionTreeRegressor

from ndcglib.datasets import manual_scores, manual_search, ranking_data, shop_data
from ndcglib.datasets.manual_rankers import split_name
from ndcglib.metrics import ndcg, ndcg_long, random_ndcg
from ndcglib.significance import interval
from ndcglib.tuning import least_squares, linear_scores

lightgbm = importlib.import_module("lightgbm") if importlib.util.find_spec("lightgbm") else None

ROOT = Path(__file__).resolve().parents[1]
WRITTEN = ROOT / "src" / "ndcglib" / "tuning" / "lightgbm.json"
CURVES = ROOT / "src" / "course" / "explorers" / "one_more_tree.json"
CELLS = {
    "lambdamart": ("pushes-code", "lambdas-code", "boost-code", "predict-code"),
    "trees": ("errors-code", "within-code", "pairs-code"),
}
TREES, LEAVES, ROWS, RATE = 100, 7, 20, 0.1
STOPS = (0, 1, 3, 10, 30, 100, 300)
SEEDS = range(5)
LIGHT = dict(
    objective="lambdarank",
    num_threads=1,
    deterministic=True,
    force_row_wise=True,
    verbosity=-1,
    label_gain=[0, 1, 2, 3],
)
FIXED = dict(num_leaves=LEAVES, min_data_in_leaf=ROWS, learning_rate=RATE)


class ByBend(DecisionTreeRegressor):
    """A tree whose leaves have at least so much weight, which LightGBM calls the hessian."""

    least = 2

    def fit(self, X, y, sample_weight):
        """Fit it, without a least number of rows."""
        share = min(0.5, self.least / sample_weight.sum())
        self.set_params(min_samples_leaf=1, min_weight_fraction_leaf=share)
        return super().fit(X, y, sample_weight=sample_weight)


def program(tree="DecisionTreeRegressor"):
    """Return what the notebooks' own cells define: `boost`, `predict` and the pushes."""
    names = {"np": np, "ByBend": ByBend}
    for chapter, chosen in CELLS.items():
        [path] = (ROOT / "notebooks").glob(f"*_{chapter}.ipynb")
        cells = {cell.id: cell.source for cell in nbformat.read(path, 4).cells}
        for cell in chosen:
            exec(cells[cell].replace("= DecisionTreeRegressor(", f"= {tree}("), names)
    return names


OWN = program()


def made(truth, seed):
    """Return the data of one seed: 240 queries for training, 100 for validation, 400 fresh."""
    if truth == "shop":
        data = shop_data(2000, seed=seed)
    else:
        data = ranking_data(2000, 12, 6, truth=truth, seed=seed)
    return data.train.first(240), data.validation.first(100), data.test


def light(X, y, trees=TREES, sizes=None, **options):
    """Fit LightGBM to queries of one length, or to rows and the sizes of their queries."""
    binned = {key: options[key] for key in ("max_bin", "min_data_in_bin") if key in options}
    if sizes is None:
        X, y, sizes = rows_of(X, y)
    rows = lightgbm.Dataset(X, y, group=sizes, params=binned)
    return lightgbm.train(LIGHT | FIXED | options, rows, trees)


def rows_of(X, y):
    """Return the rows of queries of one length, their grades, and the sizes of the queries."""
    return X.reshape(-1, X.shape[-1]), y.ravel(), [y.shape[1]] * len(y)


def validated(train, part, trees, callbacks, **settings):
    """Fit LightGBM, and let it print NDCG@5 of another part after each tree."""
    X, y, sizes = rows_of(train.X, train.y)
    rows = lightgbm.Dataset(X, y, group=sizes)
    X, y, sizes = rows_of(part.X, part.y)
    seen = lightgbm.Dataset(X, y, group=sizes, reference=rows)
    asked = LIGHT | settings | dict(metric="ndcg", eval_at=[5])
    return lightgbm.train(asked, rows, trees, valid_sets=[seen], callbacks=callbacks)


def scores_of(model, X, **options):
    """Return what LightGBM gives the documents of queries of one length."""
    return model.predict(X.reshape(-1, X.shape[-1]), **options).reshape(X.shape[:2])


def level(values, groups=None):
    """Return mean and 95% interval, rounded as they are printed."""
    return [round(number, 4) for number in interval(np.ravel(values), groups)]


# ------------------------------------------------------------ the same as LightGBM


def equal():
    """Return, for each data set, how far both are apart after 1, 10 and 100 trees.

    Both leave out queries whose documents have one grade: such a document weighs nothing, so that
    a threshold on either side of it is as good, and the two take different ones. Both may cut
    between any two values, and ask for a sum of hessians of 2 in each leaf, because LightGBM
    does not count the rows of a leaf, but estimates them from its hessians. Fresh documents can
    differ more: LightGBM puts a threshold near 0 at 0 itself, and not halfway.
    """
    told = dict(
        lambdarank_norm=False,
        lambdarank_truncation_level=12,
        min_data_in_leaf=0,
        min_sum_hessian_in_leaf=ByBend.least,
        max_bin=4000,
        min_data_in_bin=1,
    )
    own = program(tree="ByBend")
    found = []
    for truth in ("mixed", "linear"):
        for seed in SEEDS:
            train, _, fresh = made(truth, seed)
            kept = np.ptp(train.y, axis=1) > 0
            X, y = train.X[kept], train.y[kept]
            forest, model = own["boost"](X, y, own["lambdas"]), light(X, y, **told)
            row = {"data": f"{truth} {seed}", "queries": int(kept.sum())}
            first = None
            for tree in range(TREES):
                theirs = scores_of(model, X, start_iteration=tree, num_iteration=1)
                if np.abs(theirs - own["predict"](forest[tree : tree + 1], X)).max() > 1e-3:
                    first = tree + 1
                    break
            row["first tree that differs"] = first
            row["apart"] = []
            for trees in (1, 10, 100):
                theirs = scores_of(model, X, num_iteration=trees)
                most = np.abs(theirs - own["predict"](forest[:trees], X)).max()
                row["apart"].append(float(f"{most:.1e}"))
            both = [own["predict"](forest, fresh.X), scores_of(model, fresh.X)]
            row["fresh"] = [round(ndcg(fresh.y, scores, k=5), 4) for scores in both]
            found.append(row)
    return found


# ------------------------------------------------------------ who wins


def ways():
    """Return the learners whose settings are chosen, from pushes and from LightGBM."""
    return {
        "trees, squared error": OWN["errors"],
        "trees, centered": OWN["within"],
        "trees, pairs": OWN["pairs"],
        "trees, lambdas": OWN["lambdas"],
    }


def steps(forest, X):
    """Return the scores after each tree."""
    rows = X.reshape(-1, X.shape[-1])
    each = np.array([tree.predict(rows) for tree in forest])
    return RATE * each.cumsum(axis=0).reshape(len(forest), *X.shape[:2])


def tuned():
    """Return test NDCG@5 with leaves (7, 15) and trees (to 150) chosen on 100 queries."""
    found = {}
    for truth in ("mixed", "linear"):
        rows = {}
        for seed in SEEDS:
            train, validation, fresh = made(truth, seed)
            line = least_squares(*train[:2])[0]
            each = {"least squares": linear_scores(fresh.X, line)}
            for name, push in ways().items():
                best = (-1, None)
                for leaves in (7, 15):
                    forest = OWN["boost"](train.X, train.y, push, trees=150, leaves=leaves)
                    curve = [ndcg(validation.y, s, k=5) for s in steps(forest, validation.X)]
                    chosen = int(np.argmax(curve)) + 1
                    best = max(best, (curve[chosen - 1], (forest[:chosen])), key=lambda b: b[0])
                each[name] = OWN["predict"](best[1], fresh.X)
            for name, scores in each.items():
                rows.setdefault(name, []).append(ndcg(fresh.y, scores, k=5, per_query=True))
        before, table = None, {}
        for name, values in rows.items():
            step = [] if before is None else level(np.array(values) - np.array(rows[before]))
            table[name] = [round(float(np.mean(values)), 4), step]
            before = name
        found[truth] = table
    return found


def beside():
    """Return test NDCG@5 of LightGBM with the settings of the notebook, norm on and off."""
    found = {}
    for truth in ("mixed", "linear"):
        rows = {}
        for seed in SEEDS:
            train, _, fresh = made(truth, seed)
            for norm in (True, False):
                model = light(train.X, train.y, lambdarank_norm=norm)
                rows.setdefault(norm, []).append(ndcg(fresh.y, scores_of(model, fresh.X), k=5))
            again = light(train.X, train.y, lambdarank_norm=False, seed=seed + 7)
            if not np.array_equal(scores_of(again, fresh.X), scores_of(model, fresh.X)):
                raise AssertionError("another seed changes LightGBM")
        found[truth] = {
            "as installed": round(float(np.mean(rows[True])), 4),
            "norm off": round(float(np.mean(rows[False])), 4),
        }
    return found


# ------------------------------------------------------------ the manual


def manual_features():
    """Return ten features of each candidate, (n_queries, n_docs - 1, 10)."""
    search, scores = manual_search(), manual_scores()
    names = [document.name for document in search.documents]
    texts = [document.text for document in search.documents]
    summaries = [document.summary for document in search.documents]
    vectors = TfidfVectorizer(sublinear_tf=True, stop_words="english").fit(texts)
    text, summary = vectors.transform(texts), vectors.transform(summaries)
    words = CountVectorizer(binary=True).fit_transform([split_name(name) for name in names])
    shared = (words @ words.T).toarray()
    total = shared.diagonal()[:, None] + shared.diagonal()[None, :] - shared
    capital = np.array([name[0].isupper() for name in names])
    length = np.log([1 + len(one.split()) for one in texts])
    tables = {
        "Jaccard": shared / np.maximum(total, 1),
        "text, text": (text @ text.T).toarray(),
        "summary, summary": (summary @ summary.T).toarray(),
        "text, summary": (text @ summary.T).toarray(),
        "kind": (capital[:, None] == capital).astype(float),
        "length": np.broadcast_to(length, shared.shape),
    }
    columns = [scores[name] for name in ("BM25", "TF-IDF", "name words", "summary words")]
    columns += [search.pick(np.asarray(table)[search.queries]) for table in tables.values()]
    return np.stack(columns, axis=-1), search


def folds(n, seed, groups=None):
    """Yield training and held-out queries, five times; whole groups, where there are any."""
    if groups is None:
        parts = np.array_split(np.random.default_rng(seed).permutation(n), 5)
    else:
        split = GroupKFold(5, shuffle=True, random_state=seed)
        parts = [held for _, held in split.split(np.zeros(n), groups=groups)]
    for held in parts:
        yield np.setdiff1d(np.arange(n), held), held


def manual():
    """Return NDCG@10 on held-out queries of the manual, by query and by whole modules."""
    X, search = manual_features()
    y, modules = search.grades, search.modules

    def lambdamart(train, held):
        return scores_of(light(X[train], y[train]), X[held])

    def regression(train, held):
        return scores_of(light(X[train], y[train], objective="regression"), X[held])

    def line(train, held):
        return linear_scores(X[held], least_squares(X[train], y[train])[0])

    alone = {
        "random order": np.zeros(y.shape),
        "BM25 alone": X[..., 0],
        "text, text alone": X[..., 5],
    }
    found = {}
    for way, groups in (("by query", None), ("by module", modules)):
        rows = {name: ndcg(y, scores, k=10, per_query=True) for name, scores in alone.items()}
        for name, fit in (
            ("least squares", line),
            ("trees, squared error", regression),
            ("LambdaMART", lambdamart),
        ):
            values = np.zeros((len(SEEDS), len(y)))
            for seed in SEEDS:
                for train, held in folds(len(y), seed, groups):
                    scored = fit(train, held)
                    values[seed, held] = ndcg(y[held], scored, k=10, per_query=True)
            rows[name] = values.mean(axis=0)
        rows["perfect order"] = ndcg(y, y, k=10, per_query=True)
        table = {name: [round(float(v.mean()), 4), None, None] for name, v in rows.items()}
        for name in ("text, text alone", "least squares", "trees, squared error"):
            table[name][1:] = level(rows["LambdaMART"] - rows[name], modules)[1:]
        found[way] = table
    return found


# ------------------------------------------------------------ what trips it


def shuffled():
    """Rows in another order, and the sizes of the queries as they were: the shop, seed 0."""
    train, _, fresh = made("shop", 0)
    X, y = train.X.reshape(-1, 2), train.y.ravel()
    order = np.random.default_rng(0).permutation(len(X))
    sizes = [train.y.shape[1]] * len(train.y)
    right, wrong = (light(X[rows], y[rows], sizes=sizes) for rows in (np.arange(len(X)), order))
    found = {name: ndcg(fresh.y, scores_of(m, fresh.X), k=5) for name, m in
             (("right", right), ("shuffled", wrong))}  # fmt: skip
    found["random"] = random_ndcg(fresh.y, k=5)
    return {name: round(value, 4) for name, value in found.items()}


def unsorted():
    """Sizes by `np.unique` for ids in no order, queries of several lengths; five data sets."""
    found = []
    for seed in SEEDS:
        data = ranking_data(2000, 12, 6, truth="mixed", ragged=True, seed=seed)
        first = np.unique(data.train.query)[:240]
        kept = np.isin(data.train.query, first)
        X, y, query = data.train.X[kept], data.train.y[kept], data.train.query[kept]
        order = np.random.default_rng(seed).permutation(first)
        rows = np.concatenate([np.flatnonzero(query == one) for one in order])
        X, y, query = X[rows], y[rows], query[rows]
        as_they_come = [int((query == one).sum()) for one in order]
        by_number = np.unique(query, return_counts=True)[1]
        fresh = data.test
        values = []
        for sizes in (as_they_come, by_number):
            scores = light(X, y, sizes=sizes).predict(fresh.X)
            values.append(_ragged(fresh, scores))
        found.append(
            [round(value, 4) for value in (*values, _ragged(fresh, np.zeros(len(scores))))]
        )
    return found


def _ragged(part, scores):
    return ndcg_long(part.query, part.y, scores, k=5)


def by_grade(part, best_first=True):
    """Return the same queries, the documents of each sorted by grade."""
    order = np.argsort(-part.y if best_first else part.y, axis=1, kind="stable")
    rows = np.arange(len(order))[:, None]
    return part._replace(X=part.X[rows, order], y=part.y[rows, order])


def without_split():
    """What LightGBM prints for a model without any split, by the order of the file."""
    data = ranking_data(2000, 12, 6, truth="mixed", seed=0)
    train, validation = data.train.first(240), data.validation
    found = {}
    files = {
        "best first": by_grade(validation),
        "as it was": validation,
        "worst first": by_grade(validation, best_first=False),
    }
    never = len(train.y) * train.y.shape[1]  # rows that each leaf would need
    for name, part in files.items():
        printed = {}
        settings = FIXED | dict(min_data_in_leaf=never)
        validated(train, part, 1, [lightgbm.record_evaluation(printed)], **settings)
        found[name] = round(printed["valid_0"]["ndcg@5"][0], 4)
    level = random_ndcg(validation.y, k=5, empty=1)
    return found | {"random, empty 1": round(level, 4)}


SMALL = dict(num_leaves=4, min_data_in_leaf=100, learning_rate=0.05)


def stopping():
    """Where training stops by a validation file, as it was and sorted by grade."""
    found = {}
    for said, settings in (("small trees", SMALL), ("trees of the notebook", FIXED)):
        for seed in SEEDS:
            data = ranking_data(2000, 12, 6, truth="mixed", seed=seed)
            train, validation, fresh = data.train.first(240), data.validation, data.test
            row = [f"seed {seed}"]
            for part in (validation, by_grade(validation)):
                stops = [lightgbm.early_stopping(20, verbose=False)]
                model = validated(train, part, 300, stops, **settings)
                value = ndcg(fresh.y, scores_of(model, fresh.X), k=5)
                row += [model.best_iteration, round(value, 4)]
            row.append(round(random_ndcg(fresh.y, k=5), 4))
            found.setdefault(said, []).append(row)
    return found


def printed():
    """The metric that LightGBM prints for 400 queries, and ours of the same scores."""
    data = ranking_data(2000, 12, 6, truth="mixed", seed=0)
    train, part = data.train.first(240), data.validation
    kept = {}
    model = validated(train, part, TREES, [lightgbm.record_evaluation(kept)], **FIXED)
    scores = scores_of(model, part.X)
    ours = {
        f"ours, empty {said}": [round(ndcg(part.y, scores, k=5, empty=empty), 4)]
        for said, empty in (("1", 1), ("left out", "skip"), ("0", 0))
    }
    levels = {
        "random, empty 0": [round(random_ndcg(part.y, k=5), 4)],
        "ceiling, empty 0": [round(ndcg(part.y, part.y, k=5), 4)],
    }
    return {"LightGBM": [round(kept["valid_0"]["ndcg@5"][-1], 4)]} | ours | levels


def settings():
    """Two settings that look important: gains in training, and how deep a pair may lie.

    Mean NDCG@5 on fresh queries of the mixed data, five data sets, for each value of a setting;
    and by how much it is ahead of the first value, with an interval by data set.
    """
    tried = {
        "label_gain, 12 documents": (
            12,
            {"0, 1, 2, 3": {}, "0, 1, 3, 7": dict(label_gain=[0, 1, 3, 7])},
        ),
        "truncation level, 60 documents": (
            60,
            {str(depth): dict(lambdarank_truncation_level=depth) for depth in (30, 60, 10, 5, 1)},
        ),
    }
    found = {}
    for what, (documents, values) in tried.items():
        means = {name: [] for name in (*values, "random order", "perfect order")}
        for seed in SEEDS:
            data = ranking_data(2000, documents, 6, truth="mixed", seed=seed)
            train, fresh = data.train.first(240), data.test
            for name, options in values.items():
                scores = scores_of(light(train.X, train.y, **options), fresh.X)
                means[name].append(ndcg(fresh.y, scores, k=5))
            means["random order"].append(random_ndcg(fresh.y, k=5))
            means["perfect order"].append(ndcg(fresh.y, fresh.y, k=5))
        first = np.array(means[next(iter(values))])
        found[what] = {
            name: [
                round(float(np.mean(of)), 4),
                level(np.array(of) - first) if name in values else [],
            ]
            for name, of in means.items()
        }
    return found


def refused():
    """What LightGBM says of input that it refuses, by what is wrong with it."""
    train, _, _ = made("mixed", 0)
    X, y = train.X.reshape(-1, 6), train.y.ravel().astype(float)
    sizes = [12] * len(train.y)

    def with_grade(grade):
        return np.where(np.arange(len(y)) == 0, grade, y)

    long = np.tile(X, (4, 1))[:10_001], np.tile(y, 4)[:10_001], [10_001]
    tried = {
        "no sizes": (X, y, None),
        "sizes of fewer rows": (X, y, sizes[1:]),
        "a number of the query for each row": (X, y, np.repeat(np.arange(len(sizes)), 12)),
        "grade 4": (X, with_grade(4), sizes),
        "grade 0.5": (X, with_grade(0.5), sizes),
        "grade -1": (X, with_grade(-1), sizes),
        "10,001 rows in a query": long,
    }
    found = {}
    for what, (rows, grades, groups) in tried.items():
        try:
            lightgbm.train(LIGHT | FIXED, lightgbm.Dataset(rows, grades, group=groups), 1)
            found[what] = "trains"
        except (lightgbm.basic.LightGBMError, ValueError) as error:
            found[what] = str(error)
    return found


# ------------------------------------------------------------ the explorer


def curves():
    """Return NDCG@5 in training and on fresh queries, after each number of trees; the levels."""
    found = {}
    learners = {
        "lambdas": OWN["lambdas"],
        "squared": OWN["errors"],
        "centered": OWN["within"],
    }
    for truth in ("mixed", "linear", "shop"):
        train, _, fresh = made(truth, 0)
        parts = train, fresh
        w = least_squares(*train[:2], center=True)[0]
        levels = {
            "random": [random_ndcg(part.y, k=5) for part in parts],
            "least squares": [ndcg(part.y, linear_scores(part.X, w), k=5) for part in parts],
            "ceiling": [ndcg(part.y, part.y, k=5) for part in parts],
        }
        of = {}
        for name, push in learners.items():
            forest = OWN["boost"](train.X, train.y, push, trees=STOPS[-1])
            of[name] = [
                [
                    levels["random"][at],
                    *(ndcg(part.y, scores[stop - 1], k=5) for stop in STOPS[1:]),
                ]
                for at, (part, scores) in enumerate(
                    (part, steps(forest, part.X)) for part in parts
                )
            ]
        found[truth] = {"levels": _rounded(levels), "curves": _rounded(of)}
    return {"trees": STOPS, "data": found}


def _rounded(table):
    return {
        name: [
            [round(v, 6) for v in row] if isinstance(row, list) else round(row, 6) for row in rows
        ]
        for name, rows in table.items()
    }


def versions():
    """Return what made the tables."""
    return {
        "LightGBM": lightgbm.__version__,
        "scikit-learn": sklearn.__version__,
        "machine": platform.machine(),
        "measured in": f"{datetime.date.today():%B %Y}",
    }


TABLES = {
    "versions": versions,
    "equal": equal,
    "beside": beside,
    "tuned": tuned,
    "manual": manual,
    "shuffled": shuffled,
    "unsorted": unsorted,
    "without split": without_split,
    "stopping": stopping,
    "printed": printed,
    "settings": settings,
    "refused": refused,
}


def main(write, which):
    """Measure, print, and write what is asked for."""
    found = {}
    if lightgbm is None:
        print("LightGBM is not installed, so its tables are left out: pip install lightgbm")
    elif "curves" not in which:
        for name, table in TABLES.items():
            if which and name not in which:
                continue
            found[name] = table()
            print(name, json.dumps(found[name], indent=1), flush=True)
    if not which or "curves" in which:
        drawn = curves()
        print(json.dumps(drawn))
        if write:
            CURVES.write_text(json.dumps(drawn, indent=1) + "\n", encoding="utf-8")
    if write and found:
        before = json.loads(WRITTEN.read_text(encoding="utf-8")) if WRITTEN.exists() else {}
        WRITTEN.write_text(json.dumps(before | found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main("--write" in sys.argv, [one for one in sys.argv[1:] if one != "--write"])
