"""What does each pass change?, of notebook *climb*: every pass of every run, without a browser."""

import json
import re

import numpy as np
import pytest
from sklearn.metrics import ndcg_score
from stage import layout, notes, table, traces

from course.explorers.climb_stepper import METHODS, climb_stepper
from helpers.style import BLUE
from ndcglib.datasets import ranking_data
from ndcglib.metrics import ndcg
from ndcglib.tuning import climb, linear_scores

TRAINING, VALIDATION, STAR, WEIGHTS = range(2, 6)  # traces, over those of what is to come
GRADES, LIST = slice(6, -1), -1
DATA = ranking_data(100, 12, 10, noise=1.0, seed=3)


def climbed(method):
    return climb(
        *DATA.train,
        method=method,
        k=5,
        start="random",
        seed=3,
        validation=DATA.validation,
        progress=False,
    )


RUNS = {name: climbed(method) for name, method in METHODS.items()}
STATES = [(run, row.number) for run, found in RUNS.items() for row in found.history]
SHOWN = [i for i, grades in enumerate(DATA.validation.y) if grades.any()][:3]


@pytest.fixture(name="explorer", scope="module")
def _explorer():
    return climb_stepper()


def named_rows(explorer):
    return {what: cells for what, *cells in table(explorer)}


def minus(value):
    return f"{value:.4f}".replace("-0.0000", "0.0000").replace("-", "−")


# --- every state ----------------------------------------------------------------------


@pytest.mark.parametrize(("run", "number"), STATES)
def test_every_state(explorer, run, number):
    history = RUNS[run].history
    for query in (1, 2, 3):
        explorer.set(run=run, number=number, query=query)
        assert explorer.values == dict(run=run, number=number, query=query)
        check_curves(explorer, history, number)
        check_weights(explorer, history, number)
        check_list(explorer, history, number, query)
        check_table(explorer, history, number)
    assert len(json.dumps(explorer.stage.get_state(["figure", "sentence", "table"]))) < 20_000


def check_curves(explorer, history, number):
    for place, part in ((TRAINING, "train"), (VALIDATION, "validation")):
        curve = traces(explorer)[place]
        # From the weights, by the slow way: w is there, so its NDCG can be computed anew.
        data = DATA.train if part == "train" else DATA.validation
        row = history[number]
        slow = ndcg(data.y, linear_scores(data.X, row.w), k=5)
        assert curve["y"][number] == pytest.approx(slow, abs=1e-6)
        assert curve["y"] == pytest.approx(
            [getattr(r, part) for r in history[: number + 1]], abs=1e-6
        )
        assert curve["x"] == list(range(number + 1))
        pale = traces(explorer)[place - TRAINING]  # what comes later
        assert pale["x"] == list(range(number, len(history)))
        assert pale["y"] == pytest.approx([getattr(r, part) for r in history[number:]], abs=1e-6)
        assert pale["line"]["color"] != curve["line"]["color"]
        *earlier, now = curve["marker"]["size"]
        assert all(size < now for size in earlier)
    assert traces(explorer)[TRAINING]["line"]["dash"] == "solid"
    assert traces(explorer)[VALIDATION]["line"]["dash"] == "dash"
    held_out = [row.validation for row in history[: number + 1]]
    assert traces(explorer)[STAR]["x"] == [int(np.argmax(held_out))]
    shapes = [s for s in layout(explorer)["shapes"] if s["xref"] == "x"]
    assert [s["x0"] for s in shapes if s["type"] == "line"] == [number]
    assert layout(explorer)["xaxis"]["range"][1] > len(history) - 1  # they have their room


def check_weights(explorer, history, number):
    bars, w = traces(explorer)[WEIGHTS], history[number].w
    assert bars["x"] == pytest.approx(w / np.linalg.norm(w), abs=1e-6)
    assert sum(x * x for x in bars["x"]) == pytest.approx(1, abs=1e-5)
    assert bars["y"] == list(range(1, 11))
    assert layout(explorer)["yaxis2"]["ticktext"] == [f"x{i}" for i in range(1, 11)]
    low, high = layout(explorer)["xaxis2"]["range"]
    assert low == -high
    assert high > max(map(abs, bars["x"]))
    changed = number > 0 and not np.array_equal(w, history[number - 1].w)
    assert (BLUE in bars["marker"]["color"]) == changed
    moved = f"solid: {bars['marker']['color'].count(BLUE)} of 10 moved"
    headings = {(True, True): moved, (True, False): "none moved"}
    assert headings.get((number > 0, changed), "at the start") in notes(explorer)


def order_of(history, number, query):
    """Documents by score; without ties, as in these data, they have one order."""
    X = DATA.validation.X[SHOWN[query - 1]]
    scores = X @ history[number].w
    assert len(set(scores.round(9))) == len(scores)
    return np.argsort(-scores).tolist()


def check_list(explorer, history, number, query):
    grades = DATA.validation.y[SHOWN[query - 1]]
    order = order_of(history, number, query)
    now = traces(explorer)[LIST]
    letters = [chr(65 + i) for i in range(12)]
    assert now["text"] == [f"{letters[i]} {grades[i]}" for i in order]
    assert now["y"] == list(range(1, 13))
    lines = {}
    for pile in traces(explorer)[GRADES]:
        x, y = pile["x"], pile["y"]
        assert x == [0, 1, None] * (len(x) // 3)
        lines |= dict.fromkeys(zip(y[::3], y[1::3], strict=True), pile["name"])
    if number:
        old = order_of(history, number - 1, query)
        ranks = {doc: (old.index(doc) + 1, order.index(doc) + 1) for doc in order}
        assert lines == {ranks[doc]: f"grade {grades[doc]}" for doc in order}
        moved = sum(before != after for before, after in lines)
        words = f"{moved} of 12" if moved else "none"
        assert explorer.stage.sentence.endswith(f", {words} moved.")
    else:
        assert lines == {}
    widths = [pile["line"]["width"] for pile in traces(explorer)[GRADES]]
    assert widths == sorted(set(widths))
    value = ndcg_score([grades], [-np.argsort(order)], k=5)
    assert f"query {query}: NDCG@5 {value:.4f}" in notes(explorer)
    left, right = (s for s in layout(explorer)["shapes"] if s["yref"] == "y3")
    assert left["y0"] == left["y1"] == right["y0"] == right["y1"] == 5.5
    # The names begin at 1, and the line goes on behind them.
    assert left["x1"] == 1 < right["x0"] < right["x1"] == layout(explorer)["xaxis3"]["range"][1]


def check_table(explorer, history, number):
    rows = named_rows(explorer)
    check_levels(explorer.stage.sentence, rows)
    now, before = history[number], history[max(number - 1, 0)]

    def pair(old, new):
        return [old if number else "", new]

    assert rows["mean NDCG@5, training"][:2] == pair(f"{before.train:.4f}", f"{now.train:.4f}")
    assert rows["mean NDCG@5, validation"][:2] == pair(
        f"{before.validation:.4f}", f"{now.validation:.4f}"
    )
    assert rows["evaluations so far"][:2] == pair(str(before.evaluations), str(now.evaluations))
    moved = [color == BLUE for color in traces(explorer)[WEIGHTS]["marker"]["color"]]
    parts = (now.w, before.w, DATA.weights)
    for i, (new, old, known) in enumerate(
        zip(*(w / np.linalg.norm(w) for w in parts), strict=True)
    ):
        old_text, new_text, note = rows[f"weight of x{i + 1}"]
        assert [old_text, new_text] == pair(minus(old), minus(new))
        assert note == "moved, " * moved[i] + f"generating {minus(known)}"
    documents = [what[-1] for what in rows if what.startswith("rank of document")]
    ends = traces(explorer)[LIST]["text"]
    assert documents == [text[0] for text in ends]
    lines = [pile["y"] for pile in traces(explorer)[GRADES]]
    old_ranks = {
        after: before for y in lines for before, after in zip(y[::3], y[1::3], strict=True)
    }
    for rank, text in enumerate(ends, start=1):
        letter, grade = text.split()
        old, new, note = rows[f"rank of document {letter}"]
        assert new == str(rank)
        assert note.startswith(f"grade {grade}, score ")
        assert old == (str(old_ranks[rank]) if number else "")
    passes = [row for row in table(explorer) if re.fullmatch(r"pass \d+", row[0])]
    assert [row[3] for row in passes] == [
        f"training {row.train:.4f}, validation {row.validation:.4f}" for row in history
    ]


def check_levels(said, rows):
    """A constant scores what a shuffle does, and the grades what the perfect order does."""
    for part, data in (("training", DATA.train), ("validation", DATA.validation)):
        empty = f"{sum(not grades.any() for grades in data.y)} of {len(data.y)} empty"
        for level, scores in (("random", np.zeros(data.y.shape)), ("perfect", data.y)):
            value = f"{ndcg_score(data.y, scores, k=5):.4f}"
            assert rows[f"{level} order, {part}"] == ["", value, empty]
            assert value in said


def test_the_scale_does_not_jump(explorer):
    for run, found in RUNS.items():
        seen = set()
        for row in found.history:
            explorer.set(run=run, number=row.number)
            axes = ("xaxis", "yaxis", "xaxis2", "xaxis3", "yaxis3")
            seen.add(json.dumps([layout(explorer)[axis]["range"] for axis in axes]))
        assert len(seen) == 1


def test_validation_leaves_training(explorer):
    """On these twenty queries; that is no claim about others, see notebook *climb*."""
    for run, found in RUNS.items():
        best = max(found.history, key=lambda row: row.validation)
        last = found.history[-1]
        assert last.train > best.train + 0.005, run
        assert last.validation < best.validation, run
