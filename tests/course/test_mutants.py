"""No exercise takes a wrong program for right: mutants of its solution, and every rule for ties.

A mutant that all probes and special cases take for right must give what the solution gives on
many other inputs as well. So it is either right, too, or the exercise lacks a probe.
"""

import math
from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest
from drawing import like
from mutating import mutants

from course.exercises import CATALOG
from course.exercises.mistakes import same
from course.exercises.task import TOLERANCE
from coursekit.exercises.running import call
from ndcglib.conventions.method import evaluate_list

TASKS = {name: ex.task for name, ex in CATALOG.all.items() if hasattr(ex, "task")}
N_INPUTS, WHERE_SLOW = 80, 30


# --- mutants ----------------------------------------------------------------------------


def agree(program, cases, seconds=2):
    """Tell whether a program gives, for each of some inputs, the right numbers."""
    for args, right in cases:
        found = call(program, args, seconds).numbers
        if found is None or not same(found, right, TOLERANCE):
            return False
    return True


def cases_of(task):
    """Return inputs like the probes, where the solution gives numbers, with these."""
    rng, cases = np.random.default_rng(3), []
    solution, wanted = task.program(task.solution), WHERE_SLOW if task.may_ask else N_INPUTS
    for _ in range(10 * wanted):
        args = like(task.probes, rng)
        right = call(solution, args).numbers
        if right is None or not all(map(math.isfinite, right)):
            continue
        if task.allowed is None or task.allowed(*args):
            cases.append((args, right))
    assert len(cases) >= wanted, "few inputs like the probes are allowed"
    return cases[:wanted]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TASKS)
def test_a_mutant_that_passes_is_right_elsewhere_too(name, monkeypatch):
    monkeypatch.setattr("coursekit.exercises.running.SECONDS", 1)
    task = replace(TASKS[name], wrong=(), switches=())
    cases, probes = cases_of(task), [(args, task.right(args)) for args in task.probes]
    n_mutants, wrong = 0, []
    for source in mutants(task.solution):
        try:
            program = task.program(source)
        except Exception:  # noqa: BLE001 - what cannot be defined passes nothing
            continue
        n_mutants += 1
        if agree(program, probes, 0.2) and not agree(program, cases):
            wrong += [source] * task.judge(program).passed
    assert n_mutants > 15
    assert wrong == [], "\n\n".join(wrong)


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
    assert {"patient-one", "patient-six", "ndcg-one", "sorted-tuples"} <= {*WITH_SCORES}
    assert {"port-the-gain", "wrong-window", "broken-evaluation"} <= {*WITH_SCORES}


SORTED_PAIRS = """
import numpy as np

def {name}(grades, scores, k):
    ranked = [float(g) for _, g in sorted(zip(scores, grades), reverse=True)][:k]
    total = lambda some: sum(g / np.log2(i + 2) for i, g in enumerate(some))
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
    **dict.fromkeys(("ndcg-one", "patient-one", "patient-two"), SORTED_PAIRS),
    "patient-four": SORTED_PAIRS,
    "patient-five": SORTED_TABLES.replace("{returned}", "values"),
    "patient-six": SORTED_TABLES.replace("{returned}", "sum(values) / len(values)"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_ties_that_the_grades_decide_are_not_right(name):
    """`sorted(zip(scores, grades))` breaks every tie in favor of the model."""
    ex = CATALOG.all[name]
    ideal = "0" if name == "patient-two" else "ideal"
    source = PAIRS[name].format(name=ex.task.name, ideal=ideal)
    outcome = ex.grade(ex.task.program(source))
    assert outcome.verdict == "almost", outcome
    assert "lets the grades decide" in outcome.message
