"""Queries on which tools part: those of the matrix in notebook *conventions*, at k = 5.

`tools/peers` asks every tool about them.
"""

import itertools
from types import MappingProxyType

from ndcglib.conventions.evaluation import (
    as_preset,
    by_query,
    mean_of,
    number_of,
    queries_of,
    refusal,
)


def _query(grades, scores):
    docs = "abcdef"[: len(grades)]
    return dict(zip(docs, scores, strict=True)), dict(zip(docs, grades, strict=True))


# What each shows: its run and what was judged, by document.
EXAMPLES = MappingProxyType(
    {
        "no ties": _query([3, 2, 3, 0, 1, 2], [0.6, 0.2, 0.8, 0.4, 0.1, 0.3]),
        "three tied": _query([3, 2, 1, 0, 0], [0.9, 0.8, 0.8, 0.8, 0.1]),
        "all tied": _query([0, 3, 1, 0], [0.5] * 4),
        "empty": _query([0, 0, 0], [0.3, 0.2, 0.1]),
        "negative": _query([3, -1, 0, 2], [0.4, 0.3, 0.2, 0.1]),
        "short": _query([1, 0, 2], [0.3, 0.2, 0.1]),
        "unjudged": (
            {"x": 0.9, "a": 0.8, "y": 0.7, "b": 0.6, "c": 0.5},
            {"a": 3, "b": 2, "c": 0, "g": 3},
        ),
    }
)
SCORES = (0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
FIVE = ("no ties", "three tied", "all tied", "empty", "short")


def run_and_qrels(names=FIVE):
    """Return these queries as `evaluate` takes them: a run, and its judgments."""
    return tuple({name: EXAMPLES[name][part] for name in names} for part in (0, 1))


def values_of(preset):
    """Return what a tool prints for each example at k = 5, None where it stops with an error."""
    return [_value(preset, name) for name in EXAMPLES]


def _value(preset, name):
    queries = queries_of(*run_and_qrels([name]), 5)
    return None if refusal(preset.convention, queries) else number_of(preset, queries)


def levels_of(convention):
    """Return the random level and the ceiling of a `Convention` or `Preset` on five queries."""
    preset = as_preset(convention)
    values = [_of_all_orders(preset, name) for name in FIVE]
    return mean_of([sum(some) / len(some) for some in values]), mean_of([*map(max, values)])


def _of_all_orders(preset, name):
    (scores,), (grades,) = (part.values() for part in run_and_qrels([name]))
    orders = itertools.permutations(scores)
    runs = {i: dict(zip(order, SCORES, strict=False)) for i, order in enumerate(orders)}
    return by_query(preset, queries_of(runs, dict.fromkeys(runs, grades), 5)).values()
