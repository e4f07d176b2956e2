"""Quality and speed of `ndcglib.tuning` beside a textbook's algorithm (`make bench`).

Each limit is printed beside what was measured; one that is broken ends in exit code 1.
Quality is the mean NDCG@5 of 5,000 fresh queries for each data set. Speed is a ratio of
CPU times: the contestants take turns on the same data, in one thread.
"""

import os
import statistics
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy loads its linear algebra

import numpy as np  # noqa: E402

from ndcglib.datasets.synthetic import ranking_data, textbook_data  # noqa: E402
from ndcglib.metrics import ndcg  # noqa: E402
from ndcglib.tuning import climb, least_squares, linear_scores, pairwise_logistic  # noqa: E402
from ndcglib.tuning.objective import Linear  # noqa: E402
from ndcglib.tuning.staircases import sweep_all  # noqa: E402

DATA_SETS = 20
LARGE = (2_000, 100, 46)  # queries for training, documents, features; k = 10
LARGE_SETS = 2


# --- the opponent: what a text behind this course describes, as plainly as it does --------------


def one_dcg(gains, scores, running):
    """DCG of one query, ties averaged: a group shares the discounts of its ranks."""
    _, group, size = np.unique(-scores, return_inverse=True, return_counts=True)
    mean_gain = np.bincount(group, weights=gains) / size
    return (mean_gain * np.diff(running[np.cumsum(size) - 1], prepend=0)).sum()


def slow_ndcg(y, scores, k):
    """Mean NDCG@k, one query after the other, the ideal computed again each time."""
    discounts = 1 / np.log2(np.arange(y.shape[1]) + 2)
    discounts[k:] = 0
    running = np.cumsum(discounts)
    ideal = np.sort(y, axis=1)[:, ::-1] @ discounts
    values = np.array([one_dcg(*pair, running) for pair in zip(y, scores, strict=True)])
    return np.divide(values, ideal, out=np.zeros(len(y)), where=ideal > 0).mean()


def textbook(train, validation, seed, *, k=5, passes=40, step=0.6, decay=0.9, scale=0.2):
    """Try a step up and down on each weight; stop at the first pass without success.

    Every candidate multiplies all features again and computes the metric anew. The
    weights that do best on the validation queries are returned.
    """
    (X, y, _), (X_validation, y_validation, _) = train, validation
    w = np.random.default_rng(seed).normal(scale=scale, size=X.shape[-1])
    best, best_value = w.copy(), -np.inf
    for _ in range(passes):
        value, improved = slow_ndcg(y, X @ w, k), False
        for j in range(len(w)):
            candidates = []
            for change in (step, -step):
                tried = w.copy()
                tried[j] += change
                candidates.append((slow_ndcg(y, X @ tried, k), change))
            reached, change = max(candidates)
            if reached > value + 1e-12:
                w[j] += change
                value, improved = reached, True
        slow_ndcg(y, X @ w, k)  # for the history
        held_out = slow_ndcg(y_validation, X_validation @ w, k)
        if held_out > best_value:
            best, best_value = w.copy(), held_out
        step *= decay
        if not improved:
            break
    return best


# --- a peer, if it is installed: pip install lightgbm ------------------------------------------


class Trees:
    """LightGBM's lambdarank: boosted trees, which need not be linear.

    It chooses the number of trees on the validation data, as the others choose theirs.
    """

    def __init__(self, lightgbm, data, seed):
        X, y, lengths = _long(data.train)
        X_held, y_held, held_lengths = _long(data.validation)
        self._ranker = lightgbm.LGBMRanker(
            n_estimators=300,
            learning_rate=0.05,
            num_leaves=15,
            label_gain=[0, 1, 2, 3],  # the linear gain
            random_state=seed,
            n_jobs=1,
            verbose=-1,
        )
        self._ranker.fit(
            X,
            y,
            group=lengths,
            eval_set=[(X_held, y_held)],
            eval_group=[held_lengths],
            eval_at=[5],
            callbacks=[lightgbm.early_stopping(30, verbose=False)],
        )

    def scores(self, X):
        """Return the scores of documents, shape (n_queries, n_docs)."""
        return self._ranker.predict(X.reshape(-1, X.shape[-1])).reshape(X.shape[:-1])


def _long(part):
    """Return features, grades and the lengths of the queries, as LightGBM takes them."""
    X, y, _ = part
    return X.reshape(-1, X.shape[-1]), y.ravel(), [y.shape[1]] * len(y)


def peers(data, seed):
    """Return what else is installed, by name."""
    try:
        import lightgbm
    except ImportError:
        return {}
    return {"LightGBM lambdarank (trees)": lambda: Trees(lightgbm, data, seed)}


def scores_of(found, X):
    """Return the scores that weights, or a peer, give to documents."""
    return found.scores(X) if isinstance(found, Trees) else linear_scores(X, found)


# --- measuring ------------------------------------------------------------------------


def timed(function, calls=1):
    """Return what a function returns, and the CPU time of one call."""
    start = time.process_time()
    for _ in range(calls):
        result = function()
    return result, (time.process_time() - start) / calls


def spread(values):
    """Return mean, median, minimum and maximum as text columns."""
    middle = (np.mean(values), statistics.median(values), min(values), max(values))
    return " ".join(f"{value:9.4f}" for value in middle)


def more(name, values, limit):
    """Print a limit of quality, which the mean must reach; return whether it does.

    The mean, because the textbook's algorithm fails badly on few data sets and a little
    on most: a median would not see what stopping early costs.
    """
    return _verdict(name, values, "mean ≥", limit, np.mean(values) >= limit)


def less(name, values, limit):
    """Print a limit of time, which the median must keep; return whether it does.

    The median, because whatever else the machine does comes in bursts.
    """
    return _verdict(name, values, "median ≤", limit, statistics.median(values) <= limit)


def _verdict(name, values, which, limit, holds):
    print(f"{name:58} {spread(values)} {which:>8} {limit:6g}  {'ok' if holds else 'BROKEN'}")
    return holds


def options(data, seed):
    """The choice on validation, as the textbook makes it."""
    return dict(k=5, seed=seed, validation=data.validation)


def contestants(data, seed):
    """Return functions that fit weights, by name."""
    own = options(data, seed)
    return {
        "textbook as printed": lambda: textbook(data.train, data.validation, seed),
        "default from a random start": lambda: climb(*data.train, start="random", **own).w,
        "default from least squares": lambda: climb(*data.train, **own).w,
        "step from a random start": lambda: (
            climb(*data.train, method="step", start="random", **own).w
        ),
        "exact from least squares": lambda: climb(*data.train, method="exact", **own).w,
        "exact, 4 restarts": lambda: climb(*data.train, method="exact", restarts=4, **own).w,
        "least squares": lambda: least_squares(*data.train[:2])[0],
        "pairwise logistic": lambda: pairwise_logistic(*data.train[:2]),
        "generating weights": lambda: data.weights,
    }


def compare(truth):
    """Return quality and CPU time of each contestant on each data set."""
    quality, seconds = {}, {}
    for seed in range(DATA_SETS):
        data = textbook_data(truth=truth, seed=seed)
        X, y, _ = data.test
        # Not the seed of the data: the textbook draws its start as the data draws its
        # weights, so with equal seeds it starts at 0.2 times the truth.
        runs = contestants(data, 1000 + seed) | peers(data, seed)
        for name, run in runs.items():
            found, cost = timed(run)
            quality.setdefault(name, []).append(ndcg(y, scores_of(found, X), k=5))
            seconds.setdefault(name, []).append(cost)
    columns = " ".join(f"{column:>9}" for column in ("mean", "median", "min", "max"))
    if not peers(data, seed):
        print("\nLightGBM is not installed; with it (pip install lightgbm) it is compared, too.")
    print(f"\n{f'{truth} truth, {DATA_SETS} data sets':28} {'NDCG@5':>9} {'':31} {'CPU, ms':>9}")
    print(f"{'':28} {columns}   {columns}")
    for name, values in quality.items():
        cost = [1e3 * value for value in seconds[name]]
        print(f"{name:28} {spread(values)}   {spread(cost)}")
    return quality, seconds


def gains(quality, name, other):
    """Return how much better one is than another, for each data set."""
    return [a - b for a, b in zip(quality[name], quality[other], strict=True)]


def check_quality():
    """Compare all on both truths; return whether each limit holds."""
    linear, seconds = compare("linear")
    mixed, _ = compare("mixed")
    default, book = "default from a random start", "textbook as printed"
    start, plain = "default from least squares", "least squares"
    ratios = {
        name: [a / b for a, b in zip(seconds[name], seconds[book], strict=True)]
        for name in (default, start)
    }
    heading()
    ceiling = spread(gains(linear, "generating weights", book))
    print(f"{'NDCG: generating weights − textbook, linear':58} {ceiling}  (the ceiling)")
    return [
        more("NDCG: default − textbook, linear", gains(linear, default, book), 0.008),
        more("  the same from least squares", gains(linear, start, book), 0.008),
        less("CPU: default ÷ textbook", ratios[default], 0.1),
        less("  the same from least squares", ratios[start], 0.1),
        more("NDCG: default from least squares − least squares, linear",
             gains(linear, start, plain), -0.002),
        more("  the same, mixed", gains(mixed, start, plain), 0.01),
    ]  # fmt: skip


def heading():
    """Print the columns of a limit."""
    print(f"\n{'':58} {'mean':>9} {'median':>9} {'min':>9} {'max':>9} {'asked':>15}")


def check_staircase():
    """Return whether the staircase of one coordinate costs few enough evaluations."""
    ratios, plain, crossings = [], [], 0
    for seed in range(DATA_SETS):
        data = textbook_data(1, seed=seed)
        X = np.concatenate((data.train.X, data.validation.X))
        y = np.concatenate((data.train.y, data.validation.y))
        linear = Linear(X, y, k=5)
        scores, column = linear.scores(data.weights), linear.near[seed % 6]
        _, one = timed(lambda: linear.value(scores), 30)  # noqa: B023, called at once
        _, public = timed(lambda: ndcg(y, scores.reshape(y.shape), k=5), 30)  # noqa: B023
        steps, whole = timed(lambda: sweep_all(linear.tables(scores, column)), 10)  # noqa: B023
        ratios.append(whole / one)
        plain.append(whole / public)
        crossings = len(steps.breakpoints)
    name = f"staircase of {crossings:,} breakpoints ÷ one evaluation"
    return [
        less(name, ratios, 110),
        less("  the same ÷ one call of ndcglib.metrics.ndcg", plain, 60),
    ]


def check_large():
    """Return whether a large climb costs at most four times pairwise logistic regression."""
    n_queries, n_docs, n_features = LARGE
    total = n_queries * 5 // 3
    ratios, rows = [], {}
    for seed in range(LARGE_SETS):
        data = ranking_data(total, n_docs, n_features, truth="mixed", seed=seed)
        train, (X, y, _) = data.train[:2], data.test
        for name, run in {
            "default from least squares": lambda: climb(*train, k=10).w,  # noqa: B023
            "pairwise logistic": lambda: pairwise_logistic(*train),  # noqa: B023
            "least squares": lambda: least_squares(*train)[0],  # noqa: B023
        }.items():
            w, cost = timed(run)
            rows.setdefault(name, []).append((ndcg(y, linear_scores(X, w), k=10), cost))
        ratios.append(rows["default from least squares"][-1][1] / rows["pairwise logistic"][-1][1])
    heading()
    holds = less("2,000 × 100 × 46, k=10: CPU, default ÷ pairwise logistic", ratios, 4)
    for name, measured in rows.items():
        for value, cost in measured:
            print(f"  {name:32} NDCG@10 {value:.4f}  CPU {cost:7.2f} s")
    return [holds]


def show_scaling():
    """Print how CPU time grows with the queries and with the documents."""
    print(f"\n{'scaling, CPU in ms':32} {'evaluation':>10} {'staircase':>10} {'climb':>10}")
    for n_queries, n_docs in ((250, 12), (1000, 12), (4000, 12), (250, 25), (250, 50), (250, 100)):
        data = ranking_data(n_queries * 5 // 3, n_docs, seed=1)
        linear = Linear(*data.train, k=5)
        scores = linear.scores(data.weights)
        _, one = timed(lambda: linear.value(scores), 10)  # noqa: B023
        _, whole = timed(lambda: sweep_all(linear.tables(scores, linear.near[0])), 3)  # noqa: B023
        _, search = timed(lambda: climb(*data.train, k=5))  # noqa: B023
        times = " ".join(f"{1e3 * seconds:10.2f}" for seconds in (one, whole, search))
        print(f"{f'{n_queries:,} queries × {n_docs} documents':32} {times}")


def main():
    """Measure everything; exit with 1 where a limit is broken."""
    held = check_quality() + check_staircase() + check_large()
    show_scaling()
    sys.exit(0 if all(held) else 1)


if __name__ == "__main__":
    main()
