"""Speed and memory of `helpers.metrics.ndcg` beside scikit-learn's (`make bench`).

Ratios hold where seconds do not: all contestants take turns on the same data in
one run, in one thread, and the median of their CPU times counts. The bare
`np.argsort` of the same scores is the yardstick that no ranking metric can avoid.
"""

import os
import statistics
import sys
import time
import tracemalloc
from typing import NamedTuple

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy loads its linear algebra

import numpy as np  # noqa: E402
from sklearn.metrics import ndcg_score  # noqa: E402

from helpers.metrics import ndcg  # noqa: E402


class Case(NamedTuple):
    """One benchmark: its data, its cutoff and the ratio it must reach."""

    name: str
    n_queries: int
    n_docs: int
    k: int | None
    score_levels: int | None  # None: no ties
    at_least: float
    repeats: int
    calls: int = 1  # in one measurement: short calls are timed in batches


CASES = (
    Case("300 × 12, k=5", 300, 12, 5, None, 40, 15, 20),
    Case("300 × 12, k=5, heavy ties", 300, 12, 5, 4, 40, 15, 20),
    Case("10,000 × 100", 10_000, 100, None, None, 12, 7),
    Case("10,000 × 100, k=10", 10_000, 100, 10, None, 12, 7),
    Case("10,000 × 100, heavy ties", 10_000, 100, None, 20, 12, 7),
    Case("10,000 × 100, heavy ties, k=10", 10_000, 100, 10, 20, 12, 7),
    Case("1,000 × 1,000", 1_000, 1_000, None, None, 1, 7),
    Case("200 × 10,000, k=10", 200, 10_000, 10, None, 1, 7),
    Case("200 × 10,000, k=10, heavy ties", 200, 10_000, 10, 50, 1, 7),
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
    """Print one line; return whether the case reached its ratio and its memory."""
    ours, theirs, argsort = measure(case)
    ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
    speed = statistics.median(ratios)
    anchor = statistics.median(ours) / statistics.median(argsort)
    memory = peak_ratio(case)
    reached = speed >= case.at_least and memory <= 4
    print(
        f"{case.name:32} {speed:6.1f} {min(ratios):6.1f} {max(ratios):6.1f} {case.at_least:6.0f}"
        f" {anchor:9.2f} {statistics.median(ours) * 1e3:10.3f} {memory:7.2f}"
        f"  {'ok' if reached else 'BELOW'}"
    )
    return reached


def main():
    """Run all cases; exit with 1 where one is below its ratio."""
    print(f"{'':32} {'times faster than ndcg_score':^27} {'÷ argsort':>9}", end="")
    print(f" {'ours, ms':>10} {'memory':>7}")
    print(f"{'case':32} {'median':>6} {'min':>6} {'max':>6} {'asked':>6}", end="")
    print(f" {'':9} {'':10} {'÷ input':>7}")
    reached = [report(case) for case in CASES]
    sys.exit(0 if all(reached) else 1)


if __name__ == "__main__":
    main()
