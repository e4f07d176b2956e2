"""Speed and memory of `ndcglib.metrics.ndcg` beside scikit-learn's (`make bench`).

Ratios hold where seconds do not: all contestants take turns on the same data in
one run, in one thread, and the least of their CPU times counts: what is more is due
to others on the machine. The bare `np.argsort` of the same scores is a yardstick that
only a short k can beat.
"""

import math
import os
import sys
import time
import tracemalloc
from typing import NamedTuple

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy loads its linear algebra

import numpy as np  # noqa: E402
from sklearn.metrics import ndcg_score  # noqa: E402

from ndcglib.metrics import ndcg  # noqa: E402


class Case(NamedTuple):
    """One benchmark: its data, its cutoff and the ratio it must reach."""

    name: str
    n_queries: int
    n_docs: int
    k: int | None
    score_levels: int | None  # None: no ties
    at_least: float  # times as fast as scikit-learn
    repeats: int
    calls: int = 1  # in one measurement: short calls are timed in batches
    most_argsorts: float = math.inf  # of the same scores, in the same time


CASES = (
    Case("300 × 12, k=5", 300, 12, 5, None, 90, 25, 20),
    Case("300 × 12, k=5, heavy ties", 300, 12, 5, 4, 60, 25, 20),
    Case("10,000 × 100", 10_000, 100, None, None, 22, 7),
    Case("10,000 × 100, k=10", 10_000, 100, 10, None, 22, 7),
    Case("10,000 × 100, heavy ties", 10_000, 100, None, 20, 15, 7),
    Case("10,000 × 100, heavy ties, k=10", 10_000, 100, 10, 20, 15, 7),
    Case("1,000 × 1,000", 1_000, 1_000, None, None, 1, 7),
    Case("200 × 10,000, k=10", 200, 10_000, 10, None, 8, 7, most_argsorts=1),
    Case("200 × 10,000, k=10, heavy ties", 200, 10_000, 10, 50, 8, 7, most_argsorts=1.2),
    Case("1 × 1,000,000, some ties", 1, 1_000_000, None, 1_000_000, 1, 5),
    Case("1 × 1,000,000", 1, 1_000_000, None, None, 1, 5),
)


def make_data(case, seed=0):
    """Return grades 0 to 3 and scores, tied where the case asks for levels."""
    rng = np.random.default_rng(seed)
    shape = (case.n_queries, case.n_docs)
    y_true = rng.integers(0, 4, shape)
    if case.score_levels is None:
        return y_true, rng.normal(size=shape)
    return y_true, rng.integers(0, case.score_levels, shape).astype(float)


def cpu_seconds(run, calls):
    """Return the CPU time of one call, the mean of a batch."""
    start = time.process_time()
    for _ in range(calls):
        run()
    return (time.process_time() - start) / calls


def measure(case):
    """Return the CPU times of ours, scikit-learn's and the bare argsort, in turn."""
    y_true, y_score = make_data(case)
    contestants = (
        lambda: ndcg(y_true, y_score, k=case.k),
        lambda: ndcg_score(y_true, y_score, k=case.k),
        lambda: np.argsort(y_score, axis=1),
    )
    if abs(contestants[0]() - contestants[1]()) > 1e-12:
        raise AssertionError(f"{case.name}: not the same number as scikit-learn's")
    rounds = [[cpu_seconds(run, case.calls) for run in contestants] for _ in range(case.repeats)]
    return list(zip(*rounds, strict=True))


def peak_ratio(case):
    """Return the peak of extra memory as a multiple of the two inputs."""
    y_true, y_score = make_data(case)
    tracemalloc.start()
    ndcg(y_true, y_score, k=case.k)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / (y_true.nbytes + y_score.nbytes)


def report(case):
    """Print one line; return whether the case reached its ratios and its memory."""
    ours, theirs, argsort = map(min, measure(case))
    speed, argsorts, memory = theirs / ours, ours / argsort, peak_ratio(case)
    reached = speed >= case.at_least and argsorts <= case.most_argsorts and memory <= 4
    print(
        f"{case.name:32} {speed:12.1f} {case.at_least:12.0f} {argsorts:10.2f}"
        f" {ours * 1e3:10.3f} {memory:8.2f}  {'ok' if reached else 'BELOW'}"
    )
    return reached


def main():
    """Run all cases; exit with 1 where one is below its ratio."""
    print(f"{'':32} times as fast as ndcg_score")
    print(f"{'case':32} {'measured':>12} {'asked':>12} {'÷ argsort':>10} {'ours, ms':>10}", end="")
    print(f" {'÷ input':>8}")
    reached = [report(case) for case in CASES]
    sys.exit(0 if all(reached) else 1)


if __name__ == "__main__":
    main()
