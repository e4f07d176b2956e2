"""Which way should two weights point?, of notebook *staircase*, without a browser."""

import itertools
import math

import numpy as np
import pytest
from sklearn.metrics import ndcg_score
from stage import plain, table, title, trace, traces

from course.explorers.two_weights import two_weights

WORDS, LINKS, GRADES = [3, 2, 1, 0], [0, 2, 1, 4], [0, 3, 1, 0]
DIRECTIONS = range(360)


@pytest.fixture(name="explorer", scope="module")
def _explorer():
    return two_weights()


@pytest.fixture(name="queries", scope="module")
def _queries(explorer):
    """The features and the grades of all queries."""
    return explorer.declaration.view.__self__.data


def value(explorer):
    """NDCG as the table has it."""
    return float(next(row for row in table(explorer) if row[0] == "now")[2])


def length(explorer):
    """How far the arrow reaches."""
    arrow = trace(explorer, "now")
    return math.hypot(arrow["x"][1], arrow["y"][1])


def by_scikit_learn(queries, direction):
    x, y = math.cos(math.radians(direction)), math.sin(math.radians(direction))
    scores = np.round(queries.X[:, :, 0] * x + queries.X[:, :, 1] * y, 9)
    return [ndcg_score([grades], [row]) for grades, row in zip(queries.y, scores, strict=True)]


def test_the_first_query_is_that_of_the_table(queries):
    assert queries.X[0].T.tolist() == [WORDS, LINKS]
    assert queries.y[0].tolist() == GRADES
    assert queries.y.shape == (40, 4)
    assert (queries.y.max(axis=1) > 0).all()


@pytest.mark.parametrize("n", [1, 40])
def test_every_direction(explorer, queries, n):
    """NDCG is scikit-learn's, the arrow is as long, and points where it should."""
    seen = []
    for direction in DIRECTIONS:
        explorer.set(queries=n, direction=direction)
        expected = np.mean(by_scikit_learn(queries, direction)[:n])
        assert value(explorer) == pytest.approx(expected, abs=6e-5)
        assert f"{expected:.4f}" in title(explorer)
        arrow = trace(explorer, "now")
        angle = math.degrees(math.atan2(arrow["y"][1], arrow["x"][1])) % 360
        assert math.cos(math.radians(angle - direction)) == pytest.approx(1, abs=1e-9)
        seen.append((expected, length(explorer)))
    for (one, near), (other, far) in itertools.pairwise(sorted(seen)):
        assert near <= far + 1e-6
        assert abs(one - other) > 1e-9 or near == pytest.approx(far, abs=1e-6)


@pytest.mark.parametrize("n", [1, 40])
def test_the_rim_is_where_the_arrow_ends(explorer, n):
    explorer.set(queries=n, direction=0)
    rim = trace(explorer, "NDCG" if n == 1 else "mean NDCG")
    assert (rim["x"][0], rim["y"][0]) == (rim["x"][-1], rim["y"][-1])
    corners = np.array([rim["x"], rim["y"]]).T
    angles = np.degrees(np.arctan2(*corners.T[::-1]))
    arcs = (np.diff(angles) % 360).round(2) % 360  # 0 where it jumps
    assert arcs.max() <= 3.01
    for direction in range(4, 360, 7):  # no tie is there
        explorer.set(direction=direction)
        [i] = np.flatnonzero((direction - angles[:-1]) % 360 < arcs)
        ends = np.hypot(*corners[i : i + 2].T)
        assert ends == pytest.approx([length(explorer)] * 2, abs=1e-5)


def test_documents_and_their_order(explorer):
    """Dots along the arrow are in the order of the list; grades color both alike."""
    for direction in DIRECTIONS:
        explorer.set(queries=1, direction=direction)
        bars = next(t for t in traces(explorer) if t["type"] == "bar")
        x, y = math.cos(math.radians(direction)), math.sin(math.radians(direction))
        scores = {
            letter: round(a * x + b * y, 9)
            for letter, a, b in zip("ABCD", WORDS, LINKS, strict=True)
        }
        assert sorted(bars["text"]) == list("ABCD")
        assert bars["ids"] == bars["text"]
        along = [scores[letter] for letter in bars["text"]]
        assert along == sorted(along, reverse=True)
        grades = dict(zip("ABCD", GRADES, strict=True))
        assert bars["y"] == [grades[letter] for letter in bars["text"]]
        dots = next(t for t in traces(explorer) if t.get("text") == list("ABCD"))
        colors = dict(zip("ABCD", dots["marker"]["color"], strict=True))
        assert bars["marker"]["color"] == [colors[letter] for letter in bars["text"]]
        drawn = dict(zip("ABCD", zip(dots["x"], dots["y"], strict=True), strict=True))
        ways = [a * x + b * y for a, b in (drawn[letter] for letter in bars["text"])]
        assert all(one >= other - 2e-6 for one, other in itertools.pairwise(ways))


def test_the_steps_begin_where_two_documents_of_unlike_grades_tie(explorer):
    explorer.set(queries=1, direction=0)
    right_angles = set()
    for i, j in itertools.combinations(range(4), 2):
        if GRADES[i] != GRADES[j]:
            way = math.degrees(math.atan2(LINKS[i] - LINKS[j], WORDS[i] - WORDS[j]))
            right_angles |= {round((way + turn) % 360, 1) for turn in (90, -90)}
    rows = [row[1] for row in table(explorer) if row[0] == "step"]
    starts = {float(row.split("°")[0].replace("−", "-")) % 360 for row in rows}
    assert starts == right_angles
    assert len(rows) == 10


def test_a_tie_is_said(explorer):
    explorer.set(queries=1, direction=45)
    assert title(explorer).startswith("At 45° a tie of B and D: NDCG")
    assert "(tied: B=D)" in explorer.stage.sentence
    assert plain(explorer.stage.formula) == "score=0.71·words+0.71·links"


def test_the_best_is_where_it_is_said(explorer):
    best = {}
    for n in (1, 40):
        explorer.set(queries=n, direction=0)
        [row] = [row for row in table(explorer) if row[0] == "best step"]
        found = {}
        for direction in DIRECTIONS:
            explorer.set(direction=direction)
            found[direction] = value(explorer)
        assert max(found.values()) == float(row[2])
        low, high = (float(end) for end in row[1].replace("°", "").split(" to "))
        assert [d for d in found if found[d] == float(row[2])] == list(
            range(math.floor(low) + 1, math.ceil(high))
        )
        best[n] = (low, high)
    assert best[40][0] > best[1][1]  # the query's best is not that of all
