"""Where does the printed number come from?, of notebook *leaderboard*: against scikit-learn."""

import functools
import itertools
import re

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score
from stage import layout, table, title, traces

from course.explorers.waterfall import Waterfall, waterfall
from ndcglib.datasets import manual_scores, manual_search

TINY_GRADES = np.array([[2, 0, 1, 0, 1, 0], [0, 0, 0, 0, 0, 2], [1, 1, 2, 0, 0, 0]])
TINY = {
    "some tied": np.array([[3, 1, 1, 2, 1, 1], [9, 8, 7, 6, 5, 5], [1, 1, 1, 2, 2, 0]]),
    "constant": np.zeros((3, 6)),
    "no ties": np.array([[6, 5, 4, 3, 2, 1], [1, 2, 3, 4, 5, 6], [3, 1, 4, 2, 6, 5]]),
}
STATES = list(
    itertools.product(("average", "best"), ("judged", "shown"), ("none", "zeros", "ones"))
)


@pytest.fixture(name="explorer", scope="module")
def _explorer():
    return waterfall()


# --- the same by another way ----------------------------------------------------------


def pages(grades, scores):
    """Yield the first five grades for every order of the documents that the scores allow."""
    for order in itertools.permutations(range(len(grades))):
        if all(scores[a] >= scores[b] for a, b in itertools.pairwise(order)):
            yield [grades[i] for i in order[:5]]


def page_ndcg(page):
    return ndcg_score([page], [[5, 4, 3, 2, 1]])


@pytest.mark.parametrize("system", TINY)
def test_an_ideal_from_the_page_against_every_order(system):
    model = Waterfall(TINY_GRADES, TINY)
    found = [
        [page_ndcg(page) for page in pages(*pair)]
        for pair in zip(TINY_GRADES.tolist(), TINY[system].tolist(), strict=True)
    ]
    assert model.mean(system, "average", "shown") == pytest.approx(
        np.mean([np.mean(values) for values in found])
    )
    luckiest = [
        page_ndcg(max(pages(*pair), key=page_dcg))
        for pair in zip(TINY_GRADES.tolist(), TINY[system].tolist(), strict=True)
    ]
    assert model.mean(system, "best", "shown") == pytest.approx(np.mean(luckiest))


def page_dcg(page):
    return dcg_score([page], [[5, 4, 3, 2, 1]])


@functools.cache
def start(system):
    return ndcg_score(manual_search().grades, manual_scores()[system], k=5)


@functools.cache
def lucky_table(system):
    """The grades of each query, tied documents best first."""
    grades, scores = manual_search().grades.tolist(), manual_scores()[system].tolist()
    return [
        [g for _, g in sorted(zip(s, q, strict=True), reverse=True)]
        for q, s in zip(grades, scores, strict=True)
    ]


@functools.cache
def lucky(system, ideal):
    rows = [row if ideal == "judged" else row[:5] for row in lucky_table(system)]
    n = len(rows[0])
    return ndcg_score(rows, [range(n, 0, -1)] * len(rows), k=5)


@pytest.mark.parametrize(("ties", "ideal", "empty"), STATES)
def test_every_state(explorer, ties, ideal, empty):
    explorer.set(ties=ties, ideal=ideal, empty=empty)
    *first, queries, empties = table(explorer)
    rows = {row[0]: list(map(float, row[1:])) for row in first}
    assert [queries[1], empties[1]] == (["200", "0"] if empty == "none" else ["250", "50"])
    keys = {"NameMatch-1": "name words", "a constant": "constant", "BM25": "BM25"}
    assert list(rows) == list(keys)
    for name, key in keys.items():
        first, by_ties, by_ideal, by_empties, printed = rows[name]
        assert first == pytest.approx(start(key), abs=6e-5)
        assert first + by_ties + by_ideal + by_empties == pytest.approx(printed, abs=3e-4)
        if ties == "best":
            before = lucky(key, ideal)
            assert by_ties == pytest.approx(lucky(key, "judged") - first, abs=2e-4)
            expected = dict(none=before, zeros=0.8 * before, ones=0.8 * before + 0.2)
            assert printed == pytest.approx(expected[empty], abs=6e-5)
        else:
            assert by_ties == 0
        assert (by_ideal > 0) == (ideal == "shown") or key == "constant"
    check_what_is_drawn(explorer, rows, ties, ideal, empty)


def check_what_is_drawn(explorer, rows, ties, ideal, empty):
    ours, constant, other = (rows[name][-1] for name in rows)
    sentence = explorer.stage.sentence
    for words, numbers in (
        (title(explorer), [ours, other, constant]),
        (sentence, [ours, constant, other]),
    ):
        told = [float(number) for number in re.findall(r"\d\.\d{3}", words)]
        assert told == pytest.approx(numbers, abs=6e-4)
    assert ("250 queries (empty: 50 count 1)" in sentence) == (empty == "ones")
    assert ("; 200 queries; " in sentence) == (empty == "none")
    assert ("ties averaged" in sentence) == (ties == "average")
    assert ("ideal from the 5 shown" in sentence) == (ideal == "shown")
    drawn = traces(explorer)
    for (ends, added, below), axis, name in (
        (drawn[:3], "x", "NameMatch-1"),
        (drawn[3:], "x2", "a constant"),
    ):
        assert {one.get("xaxis", "x") for one in (ends, added, below)} == {axis}
        assert layout(explorer)[axis.replace("x", "xaxis")]["title"]["text"] == f"<b>{name}</b>"
        first, *rises, printed = rows[name]
        assert ends["y"] == pytest.approx([first, printed], abs=6e-5)
        assert added["y"] == pytest.approx(np.abs(rises), abs=6e-5)
        bars = [(base, base + y) for base, y in zip(added["base"], added["y"], strict=True)]
        level = ends["y"][0]  # each bar goes on where the one before it ends, up or down
        for bar, rise in zip(bars, rises, strict=True):
            start, end = bar if rise >= 0 else bar[::-1]
            assert start == pytest.approx(level, abs=2e-6)
            level = end
        assert level == pytest.approx(ends["y"][1], abs=2e-6)
        assert min(added["y"]) >= 0  # or numbers would stand under bars of no height
        off = [ties == "average", ideal == "judged", empty == "none"]
        assert [text == "off" for text in [*added["text"][:-1], *below["text"]]] == off
        assert added["text"][-1] == ""
        lower, upper = bars[-1]
        if below["textposition"].startswith("bottom"):
            assert -0.04 < below["y"][0] - lower < 0
            assert below["y"][0] > 0.15  # of 1.3: there is room above the axis
        else:
            assert lower < 0.2
            assert below["y"][0] == pytest.approx(upper, abs=2e-6)


# --- what it teaches: true of every release of scikit-learn that the course allows -------


def printed(explorer, **state):
    explorer.set(**state)
    return {row[0]: float(row[-1]) for row in table(explorer)[:3]}


def test_a_constant_beats_everybody_by_the_cards_own_method(explorer):
    explorer.reset()
    found = printed(explorer)
    assert found["a constant"] == 1
    assert found["NameMatch-1"] > 0.9 > found["BM25"]


def test_counted_alike_the_order_is_the_other_one(explorer):
    for ideal, empty in itertools.product(("judged", "shown"), ("none", "zeros", "ones")):
        found = printed(explorer, ties="average", ideal=ideal, empty=empty)
        assert found["BM25"] > found["NameMatch-1"] > found["a constant"]
        found = printed(explorer, ties="best", ideal=ideal, empty=empty)
        assert found["a constant"] > found["NameMatch-1"] > found["BM25"]


def test_a_mean_is_computed_once(explorer, monkeypatch):
    model = explorer.declaration.view.__self__
    printed(explorer, ties="average", ideal="shown", empty="none")
    explorer.reset()
    monkeypatch.setattr(model, "scores", dict.fromkeys(model.scores))
    printed(explorer, ties="average", ideal="shown", empty="none")
