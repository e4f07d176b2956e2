"""Two judges, of notebook *opinions*, against scikit-learn, without a browser."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, ndcg_score
from stage import layout, notes, table, title, traces

from course.explorers.judges import DRAWS, SHARES, Judges, judges
from ndcglib.datasets import manual_scores, manual_search

KINDS = ("careless", "stricter", "names", "BM25")
NAMES = tuple(manual_scores())
BY_SKLEARN = [("careless", 20, 1), ("stricter", 70, 2), ("names", 100, 1), ("BM25", 40, 3)]


@pytest.fixture(name="explorer", scope="module")
def _explorer():
    return judges()


@pytest.fixture(name="model", scope="module")
def _model():
    return Judges(manual_search().grades, manual_scores())


def of_second(model, *state):
    """NDCG@10 by the second judge, by scikit-learn."""
    grades = model.second_grades(*state)
    return {name: ndcg_score(grades, one, k=10) for name, one in manual_scores().items()}


# --- the grades of the second judge -----------------------------------------------------


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_second_judge(model, kind, share):
    """So many grades are given anew, each by the rule of the kind."""
    first = manual_search().grades
    second = model.second_grades(kind, share, 2)
    drawn = np.random.default_rng(1).random(first.shape) < share / 100
    assert (second == first)[~drawn].all()
    assert drawn.mean() == pytest.approx(share / 100, abs=0.005)
    change = (second - first)[drawn]
    if kind == "careless":
        assert (change > 0).any()
        assert (change < 0).any()
        if share == 100:  # the grades of a query are the same ones, in another order
            assert (np.sort(second, axis=1) == np.sort(first, axis=1)).all()
    elif kind == "stricter":
        assert (change == np.where(first[drawn] > 0, -1, 0)).all()
    else:
        scores = manual_scores()["name words" if kind == "names" else "BM25"]
        if kind == "names":
            liked = scores > 0
        else:
            place = np.empty_like(first)
            for row, one in enumerate(scores):
                order = sorted(range(len(one)), key=lambda i, s=one: -s[i])
                place[row, order] = range(len(order))
            liked = place < 10
        assert (change == (liked & (first < 2))[drawn]).all()


# --- what is shown ----------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "share", "draw"), BY_SKLEARN)
def test_a_state_against_sklearn(explorer, model, kind, share, draw):
    explorer.set(kind=kind, share=share, draw=draw)
    rows = {row[0]: row[1:] for row in table(explorer)}
    first = {
        name: ndcg_score(manual_search().grades, s, k=10) for name, s in manual_scores().items()
    }
    second = of_second(model, kind, share, draw)
    for name in NAMES:
        assert [float(cell) for cell in rows[name][:2]] == pytest.approx(
            [first[name], second[name]], abs=6e-5
        )
    grades = manual_search().grades.ravel(), model.second_grades(kind, share, draw).ravel()
    assert float(rows["kappa"][1]) == pytest.approx(cohen_kappa_score(*grades), abs=6e-5)
    assert rows["agreement"][1] == f"{np.mean(grades[0] == grades[1]):.1%}"
    turned = sum(
        (first[a] - first[b]) * (second[a] - second[b]) <= 0 for a, b in combinations(NAMES, 2)
    )
    assert [rows["pairs of rankers"][1], rows["of them turned"][1]] == ["21", str(turned)]


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_state_draws_what_its_table_says(explorer, kind, share):
    for draw in DRAWS:
        explorer.set(kind=kind, share=share, draw=draw)
        rows = [row for row in table(explorer) if row[0] in NAMES]
        check_lines(explorer, rows)
        check_labels(explorer, rows)
        turned = next(row[2] for row in table(explorer) if row[0] == "of them turned")
        kappa = float(next(row[2] for row in table(explorer) if row[0] == "kappa"))
        assert float(title(explorer)[2:6]) == pytest.approx(kappa, abs=0.00501)
        if turned == "0":
            assert title(explorer).endswith(": all 21 pairs keep their order")
        else:
            leader = min(rows, key=lambda row: int(row[4]))[0]
            verb = "turns" if turned == "1" else "turn"
            assert title(explorer).endswith(f": {turned} of 21 pairs {verb}; {leader} leads")


def check_lines(explorer, rows):
    """Each ranker is a line from place to place, in the pile of where it goes."""
    drawn = {}
    for pile in traces(explorer):
        ys = [y for y in pile["y"] if y is not None]
        drawn |= dict.fromkeys(zip(ys[::2], ys[1::2], strict=True), pile["name"])
    expected = {}
    for *_, place, new_place in rows:
        step = int(new_place) - int(place)
        moved = ("same", "lower", "higher")[(step > 0) - (step < 0)]
        expected[int(place), int(new_place)] = f"{moved} place"
    assert drawn == expected
    assert len(drawn) == len(NAMES)


def check_labels(explorer, rows):
    """At both ends of each line stands its number, and no two labels at one place."""
    labels = {(one["x"], one["y"]): one["text"] for one in layout(explorer)["annotations"]}
    assert len(labels) == len(notes(explorer)) == 2 * len(NAMES)
    for name, first, second, place, new_place in rows:
        assert float(labels[0, int(place)]) == pytest.approx(float(first), abs=0.000551)
        said, named = labels[1, int(new_place)].removeprefix("<b>").split("</b> ")
        assert float(said) == pytest.approx(float(second), abs=0.000551)
        assert named == name


# --- what it teaches: true of every release of scikit-learn that the course allows --------


def second_values(explorer, **state):
    explorer.set(**state)
    rows = {row[0]: row[1:] for row in table(explorer)}
    values = {name: float(rows[name][1]) for name in NAMES}
    return values, float(rows["kappa"][1]), int(rows["of them turned"][1])


def test_taste_decides_where_carelessness_does_not(explorer):
    """At the same kappa one judge keeps the leader and another makes the last real one first."""
    for draw in DRAWS:
        values, kappa, turned = second_values(explorer, kind="careless", share=20, draw=draw)
        assert kappa > 0.8
        assert turned <= 2
        assert max(values, key=values.get).startswith("BM25")
    values, kappa, turned = second_values(explorer, kind="names", share=100, draw=1)
    assert kappa > 0.8
    assert max(values, key=values.get) == "name words"
    assert turned == 4


def test_a_higher_kappa_can_turn_more(explorer):
    _, kappa, turned = second_values(explorer, kind="names", share=40, draw=1)
    _, careless, few = second_values(explorer, kind="careless", share=40, draw=1)
    assert kappa > 0.9 > careless
    assert turned > few


def test_a_state_is_made_once(explorer, monkeypatch):
    explorer.set(kind="names", share=70, draw=3)
    explorer.reset()
    model = explorer.declaration.view.__self__
    monkeypatch.setattr(model, "grades", None)  # nothing can be computed without them
    explorer.set(kind="names", share=70, draw=3)
