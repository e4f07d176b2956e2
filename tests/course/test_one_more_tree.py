"""What does one more tree bring?, of notebook *trees*: its stored curves, made anew.

The first trees of each curve are fitted again by the program of the notebooks' own cells, and
NDCG is that of scikit-learn.
"""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.metrics import ndcg_score
from stage import layout, table, title, traces

from course.explorers import one_more_tree
from course.explorers.one_more_tree import LEARNERS, TRUTHS, stored

PUSHES = {"lambdas": "lambdas", "squared": "errors", "centered": "within"}
REFITTED = 10  # trees: more are the same loop


def means(grades, scores):
    """Mean NDCG@5, by scikit-learn; a query without a relevant document counts 0."""
    return np.mean(
        [
            ndcg_score([10 * g], [s], k=5) if max(g) else 0.0
            for g, s in zip(grades, scores, strict=True)
        ]
    )


@pytest.mark.parametrize("data", TRUTHS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_the_first_trees_made_anew(bench, data, learner):
    train, _, fresh = bench.made(data, 0)
    program = bench.program()
    forest = program["boost"](train.X, train.y, program[PUSHES[learner]], trees=REFITTED)
    for trees in (n for n in stored().trees if 0 < n <= REFITTED):
        at = stored().trees.index(trees)
        for kind, part in enumerate((train, fresh)):
            scores = program["predict"](forest[:trees], part.X)
            kept = stored().data[data]["curves"][learner][kind][at]
            assert means(part.y, scores) == pytest.approx(kept, abs=2e-3)


@pytest.mark.parametrize("data", TRUTHS)
def test_levels(bench, data):
    train, _, fresh = bench.made(data, 0)
    centered = train.X - train.X.mean(axis=1, keepdims=True)
    grades = train.y - train.y.mean(axis=1, keepdims=True)
    rows = centered.reshape(-1, train.X.shape[-1])
    w = LinearRegression(fit_intercept=False).fit(rows, grades.ravel()).coef_
    for kind, part in enumerate((train, fresh)):
        level = {
            "random": means(part.y, np.zeros(part.y.shape)),
            "least squares": means(part.y, part.X @ w),
            "ceiling": means(part.y, part.y),
        }
        kept = {name: pair[kind] for name, pair in stored().data[data]["levels"].items()}
        assert level == pytest.approx(kept, abs=1e-6)


def test_without_a_tree_all_are_tied():
    for made in stored().data.values():
        for train, fresh in made["curves"].values():
            assert [train[0], fresh[0]] == made["levels"]["random"]


def test_where_trees_win_lambdamart_wins():
    """The title of the notebook: after 100 trees all three are on one side of least squares."""
    at = stored().trees.index(100)
    for data, ahead in {"mixed": True, "linear": False, "shop": False}.items():
        made = stored().data[data]
        line = made["levels"]["least squares"][1]
        assert {fresh[at] > line for _, fresh in made["curves"].values()} == {ahead}


@pytest.mark.parametrize("state", [*one_more_tree().states()], ids=lambda s: f"{[*s.values()]}")
def test_words_of_each_state(state):
    explorer = one_more_tree()
    explorer.set(**state)
    made = stored().data[state["data"]]
    at = stored().trees.index(state["trees"])
    train, fresh = (curve[at] for curve in made["curves"][state["learner"]])
    line = made["levels"]["least squares"][1]
    assert f"NDCG@5 {train:.4f} in training, {fresh:.4f} on fresh" in explorer.stage.sentence
    random = made["levels"]["random"][1]
    side = "above" if fresh > line else "below"
    other = "like" if fresh == random else "above" if fresh > random else "below"
    sides = f"{side} random and" if other == side else f"{other} random, {side}"
    assert title(explorer).endswith(f": fresh {fresh:.4f}, {sides} least squares")
    low, high = layout(explorer)["yaxis"]["range"]
    assert low < min(train, fresh)
    assert max(train, fresh) < high
    lead = f"{round(fresh, 4) - round(line, 4):.4f}".replace("-", "−")
    assert f"<mn>{lead}</mn>" in explorer.stage.formula
    assert lead in str(table(explorer))
    assert layout(explorer)["shapes"][-1]["x0"] == at
    assert [len(trace["x"]) for trace in traces(explorer)] == [len(stored().trees)] * 2
