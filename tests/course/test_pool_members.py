"""Who was in the pool?, of notebook *pool*, against scikit-learn, without a browser."""

import functools
from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import ndcg_score
from stage import layout, notes, table, title, trace, traces

from course.explorers.pool_members import PoolMembers, pool_members
from ndcglib.datasets import manual_scores, manual_search

SEVEN = ("BM25 rounded", "BM25", "TF-IDF", "summary words", "name words", "alphabetical")
INSIDE = {
    "TF-IDF": {"TF-IDF"},
    "BM25": {"BM25"},
    "name words": {"name words"},
    "BM25, TF-IDF": {"BM25", "TF-IDF"},
    "these three": {"name words", "TF-IDF", "BM25"},
    "all seven": {*SEVEN, "constant"},
}
STATES = [(m, r) for m in INSIDE for r in (5, 10, 15, 20, 50)]


@pytest.fixture(name="explorer", scope="module")
def _explorer():
    return pool_members()


# --- the same by another way ----------------------------------------------------------


@functools.cache
def truth():
    """NDCG@10 with everything judged, by scikit-learn, the best ranker first."""
    grades, scores = manual_search().grades, manual_scores()
    found = {name: ndcg_score(grades, table, k=10) for name, table in scores.items()}
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


@functools.cache
def ranked(name):
    """The documents of each query, the best first; of equal ones the first in the file."""
    return [
        sorted(range(len(row)), key=row.__getitem__) for row in (-manual_scores()[name]).tolist()
    ]


@functools.cache
def judged(members, ranks):
    """The judged documents of each query, as sets."""
    tops = ([order[:ranks] for order in ranked(name)] for name in INSIDE[members])
    return [set().union(*parts) for parts in zip(*tops, strict=True)]


def measured(name, members, ranks, rule):
    grades, scores = manual_search().grades, manual_scores()[name]
    pools = judged(members, ranks)
    if rule == "zero":
        seen = [
            [g * (i in p) for i, g in enumerate(r)] for r, p in zip(grades, pools, strict=True)
        ]
        return ndcg_score(seen, scores, k=10)
    kept = [sorted(pool) for pool in pools]
    each = [ndcg_score([g[k]], [s[k]], k=10) for g, s, k in zip(grades, scores, kept, strict=True)]
    return np.mean(each)


def unjudged(name, members, ranks):
    pairs = zip(ranked(name), judged(members, ranks), strict=True)
    return np.mean([len(set(order[:10]) - pool) / 10 for order, pool in pairs])


# --- every state ----------------------------------------------------------------------


@pytest.mark.parametrize(("members", "ranks"), STATES)
@pytest.mark.parametrize("rule", ["zero", "out"])
def test_every_state(explorer, members, ranks, rule):
    explorer.set(members=members, ranks=ranks, rule=rule)
    rows = {row[0]: row[1:] for row in table(explorer)}
    for name, true in truth().items():
        inside, value, its_truth, missing = rows[name]
        assert inside == ("yes" if name in INSIDE[members] else "no")
        assert float(its_truth) == pytest.approx(true, abs=6e-5)
        share = unjudged(name, members, ranks)
        assert abs(int(missing.strip("%")) - 100 * share) <= 0.5 + 1e-9
        if name in ("BM25", "name words", "constant"):  # scikit-learn takes its time
            expected = measured(name, members, ranks, rule)
            assert float(value) == pytest.approx(expected, abs=6e-5)
    pools = judged(members, ranks)
    assert rows["documents judged per query"][1] == f"{np.mean([len(p) for p in pools]):.1f}"
    twos = sum(manual_search().grades[q][i] == 2 for q, pool in enumerate(pools) for i in pool)
    share = twos / (manual_search().grades == 2).sum()
    assert rows["linked entries judged"][1] == f"{share:.0%}"
    check_title(explorer, rows, check_what_is_drawn(explorer, rows, INSIDE[members]))


def check_what_is_drawn(explorer, rows, inside):
    names = list(truth())
    assert layout(explorer)["yaxis"]["tickvals"] == list(range(7))
    ticks = layout(explorer)["yaxis"]["ticktext"]
    assert ticks == [f"<b>{name}</b>" if name in inside else name for name in names]
    drawn = {}
    for bars in traces(explorer)[:2]:
        for x, y in zip(bars["x"], bars["y"], strict=True):
            drawn |= {} if x is None else {names[y]: (x, bars["name"])}
    assert sorted(drawn) == sorted(names)
    for name, (x, where) in drawn.items():
        assert x == pytest.approx(float(rows[name][1]), abs=6e-5)
        assert where == ("in the pool" if name in inside else "not in it")
    marks = trace(explorer, "truth: everything judged")
    assert marks["y"] == list(range(7))
    assert marks["x"] == pytest.approx(list(truth().values()), abs=1e-6)
    for name, text in zip(names, notes(explorer), strict=True):
        value, _, share = text.removeprefix("<b>").partition("</b>, ")
        assert (len(value), share) == (5, rows[name][3])
        assert float(value) == pytest.approx(drawn[name][0], abs=0.000501)
    return {name: x for name, (x, _) in drawn.items()}


def check_title(explorer, rows, values):
    """Pairs that truly differ by more than 0.005 are compared; a tie is no victory."""
    pairs = [(a, b) for a, b in combinations(truth(), 2) if truth()[a] - truth()[b] > 0.005]
    wrong = sum(values[better] <= values[worse] for better, worse in pairs)
    assert [rows["pairs that truly differ"][1], rows["of them reversed"][1]] == [
        str(len(pairs)),
        str(wrong),
    ]
    if wrong:
        leader = title(explorer).partition(" leads")[0]
        ahead = sum(worse == leader for _, worse in pairs)
        truly = ["first", "second", "third", "fourth", "fifth"][ahead]
        place = f" but is truly {truly}" if ahead else ""
        told = f"{leader} leads{place}; {wrong} of {len(pairs)} pairs reversed"
        assert title(explorer) == told
    else:
        leader = title(explorer).partition("order; ")[2].rpartition(" ")[0].split(" 0.")[0]
        assert title(explorer).startswith(f"All {len(pairs)} pairs in true order; {leader} 0.")
    assert values[leader] == max(values.values())


# --- what it teaches: true of every release of scikit-learn that the course allows -------


def values(explorer, **state):
    explorer.set(**state)
    return {row[0]: float(row[2]) for row in table(explorer)[:7]}


def test_home_advantage(explorer):
    """Whoever alone was judged is first, and reads far more than the truth."""
    for home in ("TF-IDF", "name words", "BM25"):
        found = values(explorer, members=home, ranks=10, rule="zero")
        assert max(found, key=found.get) == home
        assert found[home] > truth()[home] + 0.15
    assert truth()["name words"] < truth()["TF-IDF"] < truth()["BM25"]


def test_the_worst_of_three_keeps_its_lead_however_deep_it_is_judged(explorer):
    for ranks in (5, 10, 15, 20, 50):
        found = values(explorer, members="name words", ranks=ranks, rule="zero")
        assert max(found, key=found.get) == "name words"


def test_lists_without_the_unjudged_overshoot(explorer):
    found = values(explorer, members="BM25, TF-IDF", ranks=5, rule="out")
    assert max(found, key=found.get) == "name words"
    assert found["constant"] > 0.6 > 0.1 > truth()["constant"]


def test_the_repair(explorer):
    """A pool of three has every pair in order; the level falls towards the truth from above."""
    levels = []
    for ranks in (5, 10, 15, 20, 50):
        levels.append(values(explorer, members="these three", ranks=ranks, rule="zero")["BM25"])
        assert title(explorer).startswith("All ")
    assert levels == sorted(levels, reverse=True)
    assert levels[-1] > truth()["BM25"]


def test_with_everything_judged_the_truth_is_measured():
    grades, scores = manual_search().grades, manual_scores()
    model = PoolMembers(grades, scores)
    for rule in ("zero", "out"):
        pool = model.pool("all seven", grades.shape[1], rule)
        assert pool.found == 1
        assert [one.measured for one in pool.rankers] == pytest.approx(list(truth().values()))
        assert {one.unjudged for one in pool.rankers} == {0}


def test_a_pool_is_made_once(explorer, monkeypatch):
    explorer.set(members="BM25", ranks=20, rule="out")
    explorer.reset()
    model = explorer.declaration.view.__self__
    monkeypatch.setattr(model, "grades", None)  # nothing can be computed without them
    explorer.set(members="BM25", ranks=20, rule="out")
