"""What does each pass change?, of notebook 11: every pass of every run, without a browser."""

import itertools
import json
import re
import statistics
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from helpers.course.explorers.climb_stepper.model import METHODS, Ascent, climb_stepper
from helpers.course.widgets.controls import Choice, Slider
from helpers.datasets import ranking_data
from helpers.metrics import ndcg
from helpers.tuning import climb, linear_scores

TRAINING, VALIDATION, STAR, WEIGHTS, GENERATING, LIST = range(6)  # traces
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


def small(n_docs=6, n_features=3, **options):
    """Return two short climbs and the first queries that have something relevant."""
    data = ranking_data(40, n_docs, n_features, noise=1.0, seed=1)
    values = dict(k=3, validation=data.validation, progress=False) | options
    runs = {name: climb(*data.train, method=name, **values) for name in ("step", "exact")}
    some = data.validation.y.any(axis=1).nonzero()[0][:2]
    return runs, (data.validation.X[some], data.validation.y[some])


def layout(explorer):
    return explorer.stage.figure["layout"]


def title(explorer):
    return layout(explorer)["title"]["text"].replace("<br>", " ")


def trace(explorer, place):
    return explorer.stage.figure["data"][place]


def notes(explorer):
    return [note["text"] for note in layout(explorer)["annotations"]]


def table(explorer):
    cells = re.findall(r"<tr>(<td>.*?)</tr>", explorer.stage.table)
    return [re.findall(r"<td>(.*?)</td>", row) for row in cells]


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
        check_words(explorer, history, number, query)
        check_table(explorer, history, number)
        check_formula(explorer, history, number)
    assert len(json.dumps(explorer.stage.get_state(["figure", "sentence", "table"]))) < 20_000


def check_curves(explorer, history, number):
    for place, part in ((TRAINING, "train"), (VALIDATION, "validation")):
        curve = trace(explorer, place)
        # From the weights, by the slow way: w is there, so its NDCG can be computed anew.
        data = DATA.train if part == "train" else DATA.validation
        row = history[number]
        slow = ndcg(data.y, linear_scores(data.X, row.w), k=5)
        assert curve["y"][number] == pytest.approx(slow, abs=1e-6)
        assert curve["y"] == pytest.approx([getattr(r, part) for r in history], abs=1e-6)
        assert curve["x"] == list(range(len(history)))
        sizes = curve["marker"]["size"]
        assert [i for i, size in enumerate(sizes) if size > min(sizes)] == [number]
    assert trace(explorer, TRAINING)["line"]["dash"] == "solid"
    assert trace(explorer, VALIDATION)["line"]["dash"] == "dash"
    held_out = [row.validation for row in history]
    assert trace(explorer, STAR)["x"] == [int(np.argmax(held_out))]
    shapes = [s for s in layout(explorer)["shapes"] if s["xref"] == "x"]
    assert [s["x0"] for s in shapes if s["type"] == "line"] == [number]
    veils = [s for s in shapes if s["type"] == "rect"]
    assert len(veils) == (number < len(history) - 1)
    for veil in veils:
        assert number < veil["x0"] < number + 1
        assert veil["x1"] == layout(explorer)["xaxis"]["range"][1]


def check_weights(explorer, history, number):
    bars, known = trace(explorer, WEIGHTS), trace(explorer, GENERATING)
    w = history[number].w
    assert bars["x"] == pytest.approx(w / np.linalg.norm(w), abs=1e-6)
    assert sum(x * x for x in bars["x"]) == pytest.approx(1, abs=1e-5)
    assert known["x"] == pytest.approx(DATA.weights / np.linalg.norm(DATA.weights), abs=1e-6)
    assert bars["y"] == known["y"] == list(range(1, 11))
    assert layout(explorer)["yaxis2"]["ticktext"] == [f"x{i}" for i in range(1, 11)]
    low, high = layout(explorer)["xaxis2"]["range"]
    assert low == -high
    assert high > max(map(abs, [*bars["x"], *known["x"]]))
    changed = number > 0 and not np.array_equal(w, history[number - 1].w)
    assert any(bars["marker"]["pattern"]["shape"]) == changed
    headings = {(True, True): "hatched: moved", (True, False): "none moved"}
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
    bars = trace(explorer, LIST)
    assert bars["x"] == grades[order].tolist()
    assert bars["y"] == list(range(1, 13))
    assert [text[0] for text in bars["text"]] == [chr(65 + i) for i in order]
    if number:
        old = order_of(history, number - 1, query)
        rises = [old.index(doc) - order.index(doc) for doc in order]
        expected = [f"▲{r}" if r > 0 else f"▼{-r}" if r < 0 else "–" for r in rises]
        assert [text[2:] for text in bars["text"]] == expected
        moved = sum(rise != 0 for rise in rises)
        words = f"{moved} of 12 documents" if moved else "no document"
        assert explorer.stage.sentence.endswith(f", {words} moved.")
    else:
        assert all(len(text) == 1 for text in bars["text"])
    assert [color != "white" for color in bars["marker"]["color"]] == [True] * 5 + [False] * 7
    assert not any(bars["marker"]["pattern"]["shape"])
    value = ndcg_score([grades], [-np.argsort(order)], k=5)
    assert f"query {query}: NDCG {value:.4f}" in notes(explorer)
    (cutoff,) = (s for s in layout(explorer)["shapes"] if s["yref"] == "y3")
    assert cutoff["y0"] == cutoff["y1"] == 5.5
    assert layout(explorer)["xaxis3"]["range"] == [0, 1.5 * max(grades)]


def check_words(explorer, history, number, query):
    now, best = history[number], max(history, key=lambda row: row.validation)
    sentence = explorer.stage.sentence
    assert sentence.startswith(
        f"Pass {number} of {len(history) - 1}: mean NDCG@5 {now.train:.4f} on training, "
        f"{now.validation:.4f} on validation (best {best.validation:.4f}, pass {best.number}). "
        f"Query {query}: "
    )
    assert len(sentence) <= 170  # two lines beside a sidebar
    assert len(title(explorer)) <= 72
    if number == 0:
        start = f"{now.train:.4f} on training, {now.validation:.4f} on validation"
        assert title(explorer) == f"Start: mean NDCG@5 {start}"
    elif np.array_equal(now.w, history[number - 1].w):
        assert title(explorer) == f"Pass {number} changes nothing: it finds no step that helps"
    else:
        before = history[number - 1]
        assert title(explorer).startswith(f"Pass {number}")
        assert (", best on validation:" in title(explorer)) == (now is best)
        for word, a, b in (
            ("training", before.train, now.train),
            ("validation", before.validation, now.validation),
        ):
            by = float(f"{b:.4f}") - float(f"{a:.4f}")  # as a reader subtracts them
            went = "unchanged" if a == b else f"{'up' if by > 0 else 'down'} {abs(by):.4f}"
            assert f"{word} {went}" in title(explorer)


def check_table(explorer, history, number):
    rows = named_rows(explorer)
    now, before = history[number], history[max(number - 1, 0)]

    def pair(old, new):
        return [old if number else "", new]

    assert rows["mean NDCG@5, training"][:2] == pair(f"{before.train:.4f}", f"{now.train:.4f}")
    assert rows["mean NDCG@5, validation"][:2] == pair(
        f"{before.validation:.4f}", f"{now.validation:.4f}"
    )
    assert rows["evaluations so far"][:2] == pair(str(before.evaluations), str(now.evaluations))
    moved = [mark != "" for mark in trace(explorer, WEIGHTS)["marker"]["pattern"]["shape"]]
    parts = (now.w, before.w, DATA.weights)
    for i, (new, old, known) in enumerate(
        zip(*(w / np.linalg.norm(w) for w in parts), strict=True)
    ):
        old_text, new_text, note = rows[f"weight of x{i + 1}"]
        assert [old_text, new_text] == pair(minus(old), minus(new))
        assert note == "moved, " * moved[i] + f"generating {minus(known)}"
    documents = [what[-1] for what in rows if what.startswith("rank of document")]
    assert documents == [text[0] for text in trace(explorer, LIST)["text"]]
    for rank, (letter, grade) in enumerate(
        zip(documents, trace(explorer, LIST)["x"], strict=True), start=1
    ):
        old, new, note = rows[f"rank of document {letter}"]
        assert new == str(rank)
        assert note.startswith(f"grade {grade}, score ")
        change = trace(explorer, LIST)["text"][rank - 1][2:]
        rise = int(change[1:] or 0) * (-1 if change.startswith("▼") else 1)
        assert old == (str(rank + rise) if number else "")
    passes = [row for row in table(explorer) if re.fullmatch(r"pass \d+", row[0])]
    assert [row[3] for row in passes] == [
        f"training {row.train:.4f}, validation {row.validation:.4f}" for row in history
    ]


def check_formula(explorer, history, number):
    shown = re.sub("<.*?>", "", explorer.stage.formula)
    now, before = history[number], history[max(number - 1, 0)]
    pairs = [(before.train, now.train), (before.validation, now.validation)]
    train, held_out = (f"{old:.4f}→{new:.4f}" if number else f"{new:.4f}" for old, new in pairs)
    assert shown == f"training:{train}validation:{held_out}{now.evaluations}\u00a0evaluations"


def test_the_scale_does_not_jump(explorer):
    for run, found in RUNS.items():
        seen = set()
        for row in found.history:
            explorer.set(run=run, number=row.number)
            axes = ("xaxis", "yaxis", "xaxis2", "xaxis3", "yaxis3")
            seen.add(json.dumps([layout(explorer)[axis]["range"] for axis in axes]))
        assert len(seen) == 1


def test_a_redraw_changes_figure_sentence_and_table_together(explorer):
    explorer.reset()
    for values in (dict(number=1), dict(query=2), dict(run="exact")):
        stage = explorer.stage
        before = stage.figure, stage.sentence, stage.table
        explorer.set(**values)
        after = stage.figure, stage.sentence, stage.table
        assert all(a != b for a, b in zip(before, after, strict=True))


def test_a_redraw_is_quick(explorer):
    """Measured at 9 ms; a machine that is busy elsewhere takes longer."""
    seconds = []
    for number in range(20):
        start = time.perf_counter()
        explorer.model.view("step", number, 1)
        seconds.append(time.perf_counter() - start)
    assert statistics.median(seconds) < 0.05


# --- the controls ---------------------------------------------------------------------


def test_it_begins_at_the_start_of_the_first_run(explorer):
    explorer.reset()
    assert explorer.values == dict(run="step", number=0, query=1)
    assert title(explorer) == "Start: mean NDCG@5 0.4388 on training, 0.5092 on validation"
    assert explorer.name == "ascent"
    assert explorer.state == "ascent: run=step number=0 query=1"


def test_each_preset(explorer):
    assert list(explorer.presets) == ["Best pass", "Last pass"]
    first = RUNS["step"]
    best = max(first.history, key=lambda row: row.validation)
    for label, number in zip(explorer.presets, (best.number, 20), strict=True):
        explorer.set(run="exact", number=3, query=2)
        row = explorer.children[1].children
        next(button for button in row if button.description == label).click()
        assert explorer.values == dict(run="step", number=number, query=1)
    explorer.set(**explorer.presets["Best pass"])
    assert title(explorer).startswith("Pass 4, best on validation: training up 0.0006")
    w = trace(explorer, WEIGHTS)["x"]
    assert w == pytest.approx(first.w / np.linalg.norm(first.w), abs=1e-6)
    explorer.children[1].children[-1].click()
    assert explorer.values["number"] == 0


def test_validation_leaves_training(explorer):
    """What the explorer is for: after its best pass, more training does not help."""
    for run, found in RUNS.items():
        best = max(found.history, key=lambda row: row.validation)
        last = found.history[-1]
        assert last.train > best.train + 0.005, run
        assert last.validation < best.validation, run


def test_the_slider_ends_where_the_run_ends(explorer):
    explorer.reset()
    explorer.set(number=20)
    explorer.controls["run"].value = "exact"
    assert explorer.controls["number"].max == 6
    assert explorer.values == dict(run="exact", number=6, query=1)
    assert title(explorer).startswith("Pass 6 ")
    explorer.set(run="Rosenbrock", number=16)
    assert explorer.values["number"] == 16
    with pytest.raises(ValueError, match="number cannot be 17, the nearest is 16"):
        explorer.set(number=17)


@pytest.mark.parametrize("name", ["run", "number", "query"])
def test_controls_have_names(explorer, name):
    control = explorer.controls[name]
    assert isinstance(control, (Slider, Choice))
    assert control.label == dict(run="Method", number="Pass", query="List of")[name]
    assert list(explorer.controls) == ["run", "number", "query"]
    assert explorer.controls["query"].texts == ["query 1", "query 2", "query 3"]


@given(st.sampled_from(STATES), st.integers(1, 3), st.sampled_from(STATES))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_state_line_brings_a_state_back(explorer, state, query, other):
    run, number = state
    explorer.set(run=run, number=number, query=query)
    line, shown = explorer.state, explorer.stage.figure
    explorer.set(run=other[0], number=other[1], query=1)
    explorer.restore(line)
    assert explorer.values == dict(run=run, number=number, query=query)
    assert explorer.stage.figure == shown


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ascent: run=step number=21 query=1", "number cannot be 21, the nearest is 20"),
        ("ascent: run=exact number=-1 query=1", "number cannot be -1, the nearest is 0"),
        ("ascent: run=step number=1 query=4", "query cannot be 4"),
        ("ascent: run=other number=1 query=1", "run cannot be 'other'"),
        ("ascent: run=step number=1", "query is missing"),
        ("duel: run=step number=1 query=1", "this is ascent, the line is of duel"),
    ],
)
def test_a_line_that_does_not_fit_changes_nothing(explorer, line, message):
    explorer.set(run="step", number=2, query=2)
    before = explorer.values, explorer.stage.figure
    with pytest.raises(ValueError, match=message):
        explorer.restore(line)
    assert (explorer.values, explorer.stage.figure) == before


# --- runs of one's own ----------------------------------------------------------------


@given(st.integers(0, 1000), st.sampled_from([1, 2, 3, None]), st.sampled_from(["step", "exact"]))
@settings(max_examples=12, deadline=None)
def test_any_climb_can_be_shown(seed, k, run):
    data = ranking_data(20, 4, 2, noise=1.0, seed=seed, empty=0)
    some = data.validation.y.any(axis=1).nonzero()[0][:4]
    if not len(some):
        return
    found = climb(
        *data.train, method=run, k=k, start="zeros", validation=data.validation, progress=False
    )
    lists = data.validation.X[some], data.validation.y[some]
    model = Ascent({run: found}, lists, k=k)
    for row, query in itertools.product(found.history, range(1, len(some) + 1)):
        view = model.view(run, row.number, query)
        grades = lists[1][query - 1]
        value = ndcg(grades, linear_scores(lists[0], row.w)[query - 1], k=k)
        metric = "NDCG" if k is None else f"NDCG@{k}"
        assert f"mean {metric} {row.train:.4f} on training" in view.sentence
        assert re.search(rf" Query {query}: (from .* to )?{value:.4f}", view.sentence)
        shown = view.figure.data[-1]
        assert sorted(shown.x) == sorted(grades)
        tied = len(set(linear_scores(lists[0], row.w)[query - 1])) < 4
        assert any(shown.marker.pattern.shape) == tied


def test_the_gain_of_the_climb():
    runs, lists = small(gain="exponential")
    model = Ascent(runs, lists, k=3, gain="exponential")
    X, y = lists
    value = ndcg(y[0], linear_scores(X, runs["step"].history[1].w)[0], k=3, gain="exponential")
    assert f"to {value:.4f}, " in model.view("step", 1, 1).sentence
    assert f"to {value:.4f}, " not in Ascent(runs, lists, k=3).view("step", 1, 1).sentence


def test_only_the_first_run_of_a_climb_with_restarts():
    runs, lists = small(restarts=2)
    model = Ascent(runs, lists, k=3)
    first = [row for row in runs["step"].history if row.run == 0]
    assert model.last("step") == len(first) - 1 < len(runs["step"].history) - 1
    view = model.view("step", 1, 1)
    assert view.sentence.startswith(f"Pass 1 of {len(first) - 1}, start 1 of 3: ")
    assert len(view.figure.data[0].x) == len(first)


def test_a_run_that_never_moved():
    """Features that cannot rank: a start, and nothing to climb."""
    X, y = np.ones((2, 3, 2)), [[1, 0, 2], [0, 1, 0]]
    found = climb(X, y, validation=(X, y), progress=False)
    explorer = climb_stepper({"none": found}, (X, y))
    for number in range(explorer.model.last("none") + 1):
        explorer.set(number=number)
        assert trace(explorer, WEIGHTS)["x"] == [0, 0]
        assert set(layout(explorer)["yaxis3"]["ticktext"]) == {"1–3"}
        assert not any("k =" in text for text in notes(explorer))


def test_names_and_weights_are_optional():
    runs, lists = small()
    plain = climb_stepper(runs, lists, k=3)
    assert [each.get("name") for each in plain.stage.figure["data"]].count("generating") == 0
    rows = named_rows(plain)
    assert rows["weight of x1"][2] == ""
    full = climb_stepper(
        runs, lists, k=3, weights=[3, 0, -4], features=["BM25", "TF-IDF", "name words"]
    )
    assert trace(full, GENERATING)["x"] == [0.6, 0, -0.8]
    assert layout(full)["yaxis2"]["ticktext"] == ["BM25", "TF-IDF", "name words"]
    assert "weight of name words" in named_rows(full)
    assert list(full.controls["run"].options) == ["step", "exact"]
    assert full.controls["query"].texts == ["query 1", "query 2"]
    assert full.presets["Last pass"]["number"] == len(runs["step"].history) - 1


def test_it_is_built_in_no_time():
    start = time.perf_counter()
    climb_stepper()
    assert time.perf_counter() - start < 3  # 0.07 s where nothing else runs


# --- what is refused ------------------------------------------------------------------

BAD_RUNS = [
    ([1], TypeError, "runs must be a dict of name to Climb, got list"),
    ({}, ValueError, "runs must be 1 to 4, got 0"),
    ({3: None}, TypeError, "the name of a run must be text, got 3"),
    ({"": None}, TypeError, "the name of a run must be text, got ''"),
    ({"a": 3}, TypeError, r"runs\['a'\] must be a Climb, got int"),
]


@pytest.mark.parametrize(("runs", "error", "message"), BAD_RUNS)
def test_runs_that_are_none(runs, error, message):
    with pytest.raises(error, match=message):
        climb_stepper(runs, small()[1])


def test_too_many_runs():
    runs, lists = small()
    with pytest.raises(ValueError, match="runs must be 1 to 4, got 5"):
        climb_stepper(dict.fromkeys("abcde", runs["step"]), lists)
    assert climb_stepper(dict.fromkeys("abcd", runs["step"]), lists, k=3).values["run"] == "a"


def test_a_run_without_validation():
    runs, lists = small(validation=None)
    with pytest.raises(ValueError, match=r"'step'.* no validation values; make it with climb\("):
        climb_stepper(runs, lists)


@pytest.mark.parametrize("name", ["lists", "k", "weights", "features"])
def test_what_goes_with_runs(name):
    with pytest.raises(ValueError, match=f"{name} goes with runs, got {name} and no runs"):
        climb_stepper(**{name: 3})


def test_a_gain_goes_with_runs():
    with pytest.raises(ValueError, match="gain goes with runs, got gain='exponential'"):
        climb_stepper(gain="exponential")


X, Y = np.arange(18.0).reshape(2, 3, 3), np.array([[1, 0, 2], [0, 1, 0]])
BAD_LISTS = [
    (None, TypeError, r"lists must be a tuple \(X, y\) of a few queries, got NoneType"),
    (DATA.validation, TypeError, r"lists must be a tuple \(X, y\).*for instance \(X\[:3\]"),
    ((X[..., :2], Y), ValueError, r"must have the 3 features of runs\['step'\], got 2"),
    ((X, Y[:, :2]), ValueError, "lists y must hold one grade for each document"),
    ((np.where(X == 4, np.nan, X), Y), ValueError, r"lists X\[0\] must be finite, got nan"),
    ((X, Y * [[1], [0]]), ValueError, "something relevant in each query, got none in query 2"),
    ((X, Y - 1), ValueError, "grades of at least 0, got -1"),
    ((np.ones((5, 3, 3)), np.ones((5, 3))), ValueError, "1 to 4 queries .* got 5 of 3"),
    ((np.ones((1, 1, 3)), np.ones((1, 1))), ValueError, "2 to 15 documents, got 1 of 1"),
    ((np.ones((1, 16, 3)), np.ones((1, 16))), ValueError, "2 to 15 documents, got 1 of 16"),
]


@pytest.mark.parametrize(("lists", "error", "message"), BAD_LISTS)
def test_lists_that_do_not_fit(lists, error, message):
    with pytest.raises(error, match=message):
        climb_stepper(small()[0], lists)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (dict(k=0), ValueError, "k must be a positive integer or None, got 0"),
        (dict(k=2.5), TypeError, "k must be a positive integer or None, got 2.5"),
        (dict(gain="square"), ValueError, "gain"),
        (dict(weights=[1, 2]), ValueError, r"weights must have one number .*\(3,\), got \(2,\)"),
        (dict(weights=[0, 0, 0]), ValueError, "weights must not be all 0"),
        (dict(features=["a", "b"]), ValueError, "features must be 3 different names, got"),
        (dict(features=["a", "b", "b"]), ValueError, "features must be 3 different names, got"),
        (dict(features="abc"), ValueError, "features must be 3 different names, got 'abc'"),
        (dict(features=["a", "b", " "]), ValueError, "must have 1 to 12 letters, got ' '"),
        (dict(features=["a", "b", "c" * 13]), ValueError, "must have 1 to 12 letters, got 'c"),
        (dict(features=["a", "b", 3]), ValueError, "must have 1 to 12 letters, got 3"),
    ],
)
def test_options_that_do_not_fit(options, error, message):
    with pytest.raises(error, match=message):
        climb_stepper(*small(), **options)


def test_too_many_features():
    runs, lists = small(n_features=21, passes=1)
    with pytest.raises(ValueError, match="at most 20 features, got 21"):
        climb_stepper(runs, lists)


@pytest.mark.parametrize("n_docs", [2, 15])
def test_the_shortest_and_the_longest_list(n_docs):
    explorer = climb_stepper(*small(n_docs=n_docs), k=3)
    assert len(trace(explorer, -1)["x"]) == min(n_docs, 12)
