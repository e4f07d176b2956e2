"""No exercise takes a wrong program for right: mutants of its solution, and every rule for ties.

A mutant that all probes and special cases take for right must give what the solution gives on
many other inputs as well. So it is either right, too, or the exercise lacks a probe.
"""

import copy
import math
from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest
from mutating import mutants

from course.exercises import CATALOG
from course.exercises.checks.probes import as_arrays
from course.exercises.mistakes import same
from course.exercises.task import TOLERANCE
from coursekit.exercises.running import as_list, call
from ndcglib.conventions.method import evaluate_list
from ndcglib.metrics import ndcg

TASKS = {name: ex.task for name, ex in CATALOG.all.items() if hasattr(ex, "task")}
N_INPUTS, WHERE_SLOW = 80, 30


# --- inputs as the exercises allow them -------------------------------------------------


def size(rng):
    return int(rng.integers(1, 8))


def some_grades(rng, n):
    return rng.integers(0, 4, n).tolist()


def unequal(rng, n):
    return ((rng.permutation(4 * n)[:n] - n) / rng.choice([1, 7, 60])).tolist()


def with_ties(rng, n):
    return (rng.integers(-2, 3, n) / rng.choice([1, 4, 50])).tolist()


def a_ranking(rng):
    n = size(rng)
    return some_grades(rng, n), int(rng.integers(1, n + 3))


def a_query(rng, scores=unequal):
    n = size(rng)
    return some_grades(rng, n), scores(rng, n), int(rng.integers(1, n + 2))


def a_tied_query(rng):
    return a_query(rng, with_ties)


def several(rng):
    n_queries, n = int(rng.integers(1, 5)), size(rng)
    grades = [some_grades(rng, n) for _ in range(n_queries)]
    return grades, [unequal(rng, n) for _ in grades], int(rng.integers(1, n + 1))


def a_run(rng, answered=1.0):
    run, qrels = {}, {}
    for query in "pqrs"[: rng.integers(1, 5)]:
        judged, returned = (rng.permutation([*"abcdefg"])[: size(rng)].tolist() for _ in "jr")
        qrels[query] = dict(zip(judged, some_grades(rng, len(judged)), strict=True))
        if rng.random() < answered or not run:
            run[query] = dict(zip(returned, unequal(rng, len(returned)), strict=True))
    return run, qrels, int(rng.integers(1, 6))


def a_partial_run(rng):
    return a_run(rng, answered=0.6)


def rows(rng):
    found = []
    for query in range(int(rng.integers(1, 4))):
        n = size(rng)
        pairs = zip(some_grades(rng, n), with_ties(rng, n), strict=True)
        found += [(query, grade + (grade == 3) * int(rng.integers(3)), s) for grade, s in pairs]
    return ([found[i] for i in rng.permutation(len(found))],)


def faulty_rows(rng):
    grades, scores = [None, -2, -1, 0, 1, 2, 3, 4], [None, -1.0, 0, 0.5, 2.5, 7]
    pick = lambda values: values[rng.integers(len(values))]  # noqa: E731
    return ([(int(rng.integers(3)), pick(grades), pick(scores)) for _ in range(9)],)


def a_hill(rng):
    n = int(rng.integers(1, 18))
    values = rng.permutation(100)[:n] if rng.random() < 0.7 else rng.integers(0, 4, n)
    return (values / 100).tolist(), int(rng.integers(n)), int(rng.integers(1, 12))


def lines(rng):
    n = size(rng)
    return tuple((rng.integers(-4, 5, n) / 2).tolist() for _ in "ab")


def pairs(rng):
    return tuple(rng.random((2, int(rng.integers(2, 9)))))


def climbs(rng):
    """Weights of which one alone is best: of two that are level, either would be right."""
    task, shape = TASKS["k-of-your-own"], (int(rng.integers(1, 4)), int(rng.integers(2, 6)))
    while True:
        tried = {int(k): rng.integers(-2, 3, 2).tolist() for k in rng.permutation(4)[:3] + 1}
        X, y = rng.integers(0, 5, (*shape, 2)).tolist(), rng.integers(0, 4, shape).tolist()
        report = int(rng.integers(1, 5))
        values = [ndcg(y, np.array(X) @ w, k=report) for w in tried.values()]
        if max(values) > 0 and sorted(values)[-1] > sorted(values)[-2]:
            assert task.program(task.solution)(tried, X, y, report) in tried
            return tried, X, y, report


def a_pool(rng):
    grades, k = a_ranking(rng)
    return grades, k, rng.permutation(grades).tolist() + some_grades(rng, rng.integers(4))


def a_table(rng):
    n_rows, n = int(rng.integers(1, 4)), size(rng)
    return (rng.integers(-9, 10, (n_rows, n)).tolist(),)


def whole_numbers(rng):
    kinds = [np.int8, np.int16, np.int32, np.int64, np.uint8]
    return (rng.integers(0, 100, size(rng)).astype(rng.choice(kinds)),)


def grades_and_scores(rng):
    return a_tied_query(rng)[:2]


def an_implementation(rng):
    """A program that is off by some part of what is allowed, or more, in one query or in all."""
    y_true, y_score = rng.integers(0, 4, (3, 4)), rng.permuted([[0.1, 0.2, 0.3, 0.4]] * 3, axis=1)
    off = rng.choice([0.5e-9, 0.95e-9, 1.05e-9, 3e-9, np.nan]) * rng.choice([-1, 1])
    where = rng.random(3) < rng.choice([0.3, 1])
    wrong = ndcg(y_true, y_score, k=3, per_query=True) + np.where(where, off, 0)
    return (lambda *_: wrong.copy()), y_true, y_score, 3


def arrays(draw):
    return lambda rng: as_arrays([draw(rng)])[0]


INPUTS = {
    "my-dcg": lambda rng: a_ranking(rng)[:1],
    **dict.fromkeys(("my-ndcg-at-k", "ideal-from-the-top", "half-a-gain"), a_ranking),
    "right-at-rank-one": a_ranking,
    "order-the-lines": a_pool,
    "own-gain": lambda rng: (rng.integers(-1, 4, size(rng)),),
    **dict.fromkeys(("ndcg-one", "patient-one", "patient-two"), arrays(a_query)),
    **dict.fromkeys(("patient-three", "patient-four"), arrays(a_query)),
    **dict.fromkeys(("patient-five", "patient-six"), arrays(several)),
    "exponential-gains": whole_numbers,
    "check-that-can-fail": an_implementation,
    "tie-averaged-dcg": arrays(a_tied_query),
    "sorted-tuples": a_tied_query,
    "broken-evaluation": a_run,
    "answered-only": a_partial_run,
    "unpaired-test": pairs,
    "random-level-code": arrays(a_ranking),
    "all-crossings": lines,
    "shorter-step": a_hill,
    "k-of-your-own": climbs,
    **dict.fromkeys(("port-the-gain", "wrong-window"), rows),
    "null-first": faulty_rows,
    "push": grades_and_scores,
    "within-the-query": a_table,
}


# --- mutants ----------------------------------------------------------------------------


def value_of(program, args):
    """Return what a program gives as a list of numbers, None if it stops with an error."""
    try:
        with np.errstate(all="ignore"):
            return as_list(program(*copy.deepcopy(args)))
    except Exception:  # noqa: BLE001 - a mutant may raise anything
        return None


def agree(program, cases):
    """Tell whether a program gives, for each of some inputs, the right numbers."""
    for args, right in cases:
        found = value_of(program, args)
        if found is None or not same(found, right, TOLERANCE):
            return False
    return True


def cases_of(name):
    """Return inputs that the exercise allows, where the solution gives numbers, with these."""
    rng, task, cases = np.random.default_rng(3), TASKS[name], []
    solution = task.program(task.solution)
    while len(cases) < (WHERE_SLOW if task.may_ask else N_INPUTS):
        args = INPUTS[name](rng)
        right = value_of(solution, args)
        if right is not None and all(map(math.isfinite, right)):
            cases.append((args, right))
    return cases


def passes_probes(task, program, right):
    """Tell whether a program gives what is right for each probe of the exercise."""
    for args, wanted in zip(task.probes, right, strict=True):
        run = call(program, args, 0.2)
        if run.numbers is None or not same(run.numbers, wanted, TOLERANCE):
            return False
    return True


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TASKS)
def test_a_mutant_that_passes_is_right_elsewhere_too(name, monkeypatch):
    monkeypatch.setattr("coursekit.exercises.running.SECONDS", 1)
    task, cases = replace(TASKS[name], wrong=(), switches=()), cases_of(name)
    n_mutants, wrong, right = 0, [], [task.right(args) for args in task.probes]
    for source in mutants(task.solution):
        try:
            program = task.program(source)
        except Exception:  # noqa: BLE001 - what cannot be defined passes nothing
            continue
        n_mutants += 1
        if passes_probes(task, program, right) and not agree(program, cases):
            wrong += [source] * task.judge(program).passed
    assert n_mutants > 15
    assert wrong == [], "\n\n".join(wrong)


def test_every_program_has_inputs():
    assert INPUTS.keys() == TASKS.keys()


# --- ties -------------------------------------------------------------------------------

ORDERS = ("stable", "reversed", "best", "worst", "average", "middle")


def queries_of(args):
    """Yield grades, scores and k (or None) of each query in the arguments of a program."""
    if isinstance(args[0], list) and args[0] and isinstance(args[0][0], tuple):  # rows of a table
        for _, group in groupby(sorted(args[0], key=lambda row: row[0]), key=lambda row: row[0]):
            found = [row[1:] for row in group]
            if all(None not in row for row in found):
                yield *zip(*found, strict=True), None
    elif isinstance(args[0], dict) and isinstance(next(iter(args[0].values())), dict):  # a run
        run, qrels, k = args
        for query, scores in run.items():
            yield [qrels[query].get(doc, 0) for doc in scores], [*scores.values()], k
    elif len(args) == 3 and not callable(args[0]) and np.ndim(args[1]) and np.ndim(args[2]) == 0:
        y_true, y_score = map(np.atleast_2d, args[:2])
        for grades, scores in zip(y_true, y_score, strict=True):
            yield grades.tolist(), scores.tolist(), args[2]


def by_order(grades, scores, k):
    """Return what each order of tied documents is worth."""
    method = TASKS["sorted-tuples"].method
    return [evaluate_list(replace(method, ties=ties), grades, scores, k) for ties in ORDERS]


WITH_SCORES = [name for name, t in TASKS.items() if any(True for _ in queries_of(t.probes[0]))]


@pytest.mark.parametrize("name", WITH_SCORES)
def test_tied_documents_stand_in_no_order_that_hides_a_rule(name):
    """NDCG in the order of the file is neither that of the best order nor that of the worst."""
    task = TASKS[name]
    for args in (*task.probes, *(edge.args for edge in task.edges)):
        for grades, scores, k in queries_of(args):
            in_file, *others = by_order(grades, scores, k)
            if max(others) - min(others) > TOLERANCE:  # a tie that matters
                assert all(abs(in_file - other) > 1e-3 for other in others), (grades, scores, k)


def test_the_ties_of_these_exercises_are_looked_at():
    assert {"patient-one", "patient-six", "ndcg-one", "tie-averaged-dcg"} <= {*WITH_SCORES}
    assert {"port-the-gain", "wrong-window", "broken-evaluation"} <= {*WITH_SCORES}


SORTED_PAIRS = """
import numpy as np

def {name}(grades, scores, k):
    ranked = [float(g) for _, g in sorted(zip(scores, grades), reverse=True)][:k]
    total = lambda some: sum({gain} / np.log2(i + 2) for i, g in enumerate(some))
    ideal = total(sorted(map(float, grades), reverse=True)[:k])
    return total(ranked) / ({ideal} or 1)
"""
SORTED_TABLES = """
import numpy as np

def {name}(y_true, y_score, k):
    def one(grades, scores):
        ranked = [float(g) for _, g in sorted(zip(scores, grades), reverse=True)][:k]
        total = lambda some: sum(g / np.log2(i + 2) for i, g in enumerate(some))
        return total(ranked) / total(sorted(map(float, grades), reverse=True)[:k])
    values = [one(*query) for query in zip(y_true, y_score)]
    return {returned}
"""
PAIRS = {
    **dict.fromkeys(("ndcg-one", "patient-one", "patient-two", "patient-three"), SORTED_PAIRS),
    "patient-four": SORTED_PAIRS,
    "patient-five": SORTED_TABLES.replace("{returned}", "values"),
    "patient-six": SORTED_TABLES.replace("{returned}", "sum(values) / len(values)"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_ties_that_the_grades_decide_are_not_right(name):
    """`sorted(zip(scores, grades))` breaks every tie in favor of the model."""
    ex = CATALOG.all[name]
    steep, total = name == "patient-three", name == "patient-two"
    gain, ideal = "(2.0**g - 1)" if steep else "g", "0" if total else "ideal"
    source = PAIRS[name].format(name=ex.task.name, gain=gain, ideal=ideal)
    outcome = ex.grade(ex.task.program(source))
    assert outcome.verdict == "almost", outcome
    assert "lets the grades decide" in outcome.message
