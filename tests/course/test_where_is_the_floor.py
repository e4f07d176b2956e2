"""Where is the floor?, of notebook *floors*: model, figure and controls, without a browser."""

import itertools
import json
import re
import sys

import numpy as np
import pytest
from stage import layout, table

from course.explorers import where_is_the_floor
from course.explorers.where_is_the_floor import (
    FEW_VALUES,
    LABELS,
    WhereIsTheFloor,
    _bars,
)
from course.explorers.where_is_the_floor_chart import GUIDE
from helpers.numbers import signed
from ndcglib.metrics import all_orders, ndcg, random_ndcg, worst_ndcg
from ndcglib.metrics.permutations import Orders

STATES = [(labels, k) for labels, grades in LABELS.items() for k in range(1, len(grades) + 1)]


@pytest.fixture(name="explorer", scope="module")
def _explorer():
    return where_is_the_floor()


def piles(explorer):
    return {t["name"]: t for t in explorer.stage.figure["data"] if "name" in t}


def empty_ground(explorer):
    """From where to where nothing can be, as high as the tallest pile: no label lies on it."""
    found = [trace for trace in explorer.stage.figure["data"] if "fill" in trace]
    dots = [y for pile in piles(explorer).values() for y in pile["y"]]
    assert all((t["y"][0], t["y"][1]) == (0, max(dots) + 0.5) for t in found)
    return [(t["x"][0], t["x"][-1]) for t in found]


def notes(explorer):
    return [
        re.sub("</?(b|span).*?>", "", note["text"]) for note in layout(explorer)["annotations"]
    ]


def note(explorer, start):
    return next(note for note in layout(explorer)["annotations"] if start in note["text"])


def lines(explorer):
    """Where the lines stand: the floor, yours, the ideal; and the band of the random level."""
    shapes = [shape for shape in layout(explorer)["shapes"] if shape["type"] == "line"]
    assert all(shape["x0"] == shape["x1"] for shape in shapes)
    [band] = (one for one in layout(explorer)["shapes"] if one.get("xsizemode") == "pixel")
    assert band["x0"] == -band["x1"]  # around its anchor
    drawn = dict(zip(["floor", "yours", "ideal"], shapes, strict=True))
    return drawn | {"random": band | {"x0": band["xanchor"]}}


def values(explorer):
    return {what: value for what, value, _ in table(explorer)}


def shares(explorer):
    return {what: share for what, _, share in table(explorer) if share}


def set_state(explorer, labels, k, yours):
    explorer.set(labels=labels, k=k, yours=100)
    explorer.set(yours=max(yours, explorer.controls["yours"].min))
    return explorer.values["yours"] / 100


# --- the numbers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "random", "worst", "corrected"),
    [
        (None, 0.8393, 0.6458, 0.004),
        ("One of ten", 0.4544, 0.2891, 0.707),
        ("Eight of ten", 0.9194, 0.7367, -0.985),
    ],
)
def test_the_same_value_on_three_queries(explorer, preset, random, worst, corrected):
    explorer.set(**explorer.presets[preset]) if preset else explorer.reset()
    assert explorer.values["yours"] == 84
    found = values(explorer)
    assert float(found["a random order, on average"]) == random
    assert float(found["the worst order: the floor"]) == worst
    assert found["yours, chance-corrected"] == signed(corrected, 3)
    assert ("below chance" in explorer.stage.sentence) == (corrected < 0)


# --- every state ----------------------------------------------------------------------


@pytest.mark.parametrize(("labels", "k"), STATES)
@pytest.mark.parametrize("yours", [0, 50, 71, 84, 100])
def test_every_state(explorer, labels, k, yours):
    value = set_state(explorer, labels, k, yours)
    grades = LABELS[labels]
    worst, random = worst_ndcg(grades, k=k), random_ndcg(grades, k=k)
    found = all_orders(grades, k)
    check_levels(explorer, worst, random, value)
    check_dots(explorer, found, worst, value)
    assert len(json.dumps(explorer.stage.get_state(["figure", "sentence", "table"]))) < 20_000


def check_levels(explorer, worst, random, value):
    drawn = {name: shape["x0"] for name, shape in lines(explorer).items()}
    expected = dict(yours=value, floor=worst, random=random, ideal=1)
    assert drawn == pytest.approx(expected, abs=1e-6)
    shown = " | ".join(notes(explorer))
    assert f"floor {worst:.4f}" in shown
    assert f"random {random:.4f}" in shown
    assert f"yours {value:.2f}: ● {shares(explorer)['orders that reach yours']} reach it" in shown
    assert layout(explorer)["xaxis"]["ticktext"][-1] == "1<br>ideal"
    left, right = layout(explorer)["xaxis"]["range"]
    assert left < 0
    assert right > 1
    assert right - left < 1.03
    edges = [pytest.approx((0, worst), abs=1e-5)]
    assert empty_ground(explorer) == (edges if worst else [])
    assert any("no order" in text for text in notes(explorer)) == (worst >= 0.22)


def check_dots(explorer, found, worst, value):
    """The dots are equal parts of the orders, each on its side of your value."""
    n_dots = found.total if found.exact and found.total <= 120 else 100
    off = 1e-5 if n_dots == found.total else 1  # a dot that is one in a hundred is rounded
    few = len(found.levels()[0]) <= FEW_VALUES
    drawn = []
    for part, pile in piles(explorer).items():
        side = found.ndcg >= value - 1e-9
        side = side if part == "reached" else ~side
        assert len(pile["x"]) == pytest.approx(n_dots * found.probability[side].sum(), abs=off)
        for x in set(pile["x"]):
            assert worst - 1e-5 < x < 1 + 1e-5
            if few:
                inside = np.abs(found.ndcg - x) < 1e-5
            else:  # bins of 0.02, the lowest cut at the floor, 1 in the last
                place = np.minimum(np.floor(50 * found.ndcg + 1e-6), 49)
                inside = place == np.floor(50 * x)
            count = n_dots * found.probability[inside & side].sum()
            assert pile["x"].count(x) == pytest.approx(count, abs=off)
        drawn += zip(pile["x"], pile["y"], strict=True)
    assert len(drawn) == len(set(drawn)) == n_dots  # none hides another
    heights = {x: sorted(y for at, y in drawn if at == x) for x, _ in drawn}
    assert all(ys == [i + 0.5 for i in range(len(ys))] for ys in heights.values())
    tallest = max(map(len, heights.values()))
    assert tallest == pytest.approx(0.475 * layout(explorer)["yaxis"]["range"][1], abs=1e-4)
    above = [text for text in notes(explorer) if text.endswith("%") and " " not in text]
    listed = [share for what, _, share in table(explorer) if what == "orders"]
    assert above == (listed if len(listed) <= 6 else [])


def test_the_guide_is_the_one_on_trial(explorer):
    explorer.reset()
    words = ["a guide’s label: poor, 0.0% of orders", "fair 0.0%", "good 36.7%", "excellent 63.3%"]
    assert [text.replace("\N{NO-BREAK SPACE}", " ") for text in notes(explorer)[:4]] == words
    ribbon = [s for s in layout(explorer)["shapes"] if s.get("y1") == 1]
    assert [(s["x0"], s["x1"]) for s in ribbon] == [(0, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1)]
    assert [low for low, _ in GUIDE] == [0, 0.4, 0.6, 0.8]


# --- the bars -------------------------------------------------------------------------


def test_a_value_on_an_edge_opens_its_bin():
    edge = np.array([0.1 + 0.2, 0.5, 1 + 1e-16, *np.linspace(0.901, 0.999, 40)])
    _, bars = _bars(Orders(edge, np.full(43, 1 / 43), True, 43), 0.3, 0.0)
    labels = [bar.label for bar in bars if bar.reached]
    assert labels[:2] == ["0.3000 to 0.32", "0.50 to 0.52"]
    assert labels[-1] == "0.98 to 1.00"


# --- the orders next to yours -----------------------------------------------------------


def near(explorer):
    """Return the orders that the words beside the line show, and whether there are more."""
    (words,) = [text for text in notes(explorer) if "near it: " in text]
    orders = words.split(": ")[1].split(" · ")
    more = orders[-1] == "…"
    return orders[:-1] if more else orders, more


@pytest.mark.parametrize(("labels", "k"), STATES)
@pytest.mark.parametrize("yours", [0, 50, 71, 84, 100])
def test_the_orders_next_to_yours(explorer, labels, k, yours):
    value = set_state(explorer, labels, k, yours)
    orders, more = near(explorer)
    assert 1 <= len(orders) <= 3
    assert sum(len(order.split()) for order in orders) <= 15
    listed = {what[15:]: ndcg for what, ndcg, _ in table(explorer) if what.startswith("next to")}
    assert list(listed) == orders
    of_orders = [of_order(LABELS[labels], order) for order in orders]
    assert [listed[order] for order in orders] == [f"{score:.4f}" for score in of_orders]
    ends = ends_of_piles(explorer)
    (theirs,) = [
        (low, high)
        for low, high in ends
        if all(
            low - (6e-5 if low in (high, ends[0][0]) else 1e-9)
            <= score
            < high + (6e-5 if high in (low, 1) else 0)
            for score in of_orders
        )
    ]
    # Each pile has an order between its ends, so none can be nearer than the one that is shown.
    farthest = min(max(abs(low - value), abs(high - value)) for low, high in ends)
    assert abs(of_orders[0] - value) <= farthest + 6e-5
    if len(LABELS[labels]) == 5:
        tops = {" ".join(map(str, o[:k])) for o in itertools.permutations(LABELS[labels])}
        scores = [of_order(LABELS[labels], top) for top in tops]
        low, high = theirs  # a bin is without its right end, unless that is 1
        high += 6e-5 if high in (low, 1) else -2e-6
        inside = [score for score in scores if low - 6e-5 <= score <= high]
        assert len(inside) > len(orders) if more else len(inside) == len(orders)
        assert abs(of_orders[0] - value) <= min(abs(score - value) for score in scores) + 1e-9


def of_order(grades, order):
    """NDCG of an order that begins with these grades."""
    top = [int(grade) for grade in order.split()]
    rest = list(grades)
    for grade in top:
        rest.remove(grade)
    return ndcg([*top, *rest], ranked=True, k=len(top))


def ends_of_piles(explorer):
    """The ends of each pile, from the table: one number, or from and to."""
    labels = [label for what, label, _ in table(explorer) if what == "orders"]
    found = [[float(part) for part in label.split(" to ")] for label in labels]
    return [(ends[0], ends[-1]) for ends in found]


def test_a_pile_of_one_order_shows_it(explorer):
    explorer.set(labels="1 of 10", k=10, yours=75)
    assert near(explorer) == (["0 1 0 0 0 0 0 0 0 0"], False)
    explorer.set(labels="1 of 10", k=1, yours=100)
    assert near(explorer) == (["1"], False)


def test_a_pile_is_chosen_in_the_figure(explorer):
    """A press in the middle of a pile shows orders in it; its NDCG is yours, to a hundredth."""
    explorer.set(labels="8 of 10", k=10, yours=100)
    for left, right in ends_of_piles(explorer):
        pressed = round(50 * (left + right))
        explorer.stage._handle_custom_msg({"set": {"yours": pressed}}, [])
        assert explorer.values["yours"] == max(pressed, explorer.controls["yours"].min)
        scores = [of_order(LABELS["8 of 10"], order) for order in near(explorer)[0]]
        assert all(left - 0.02 < score < right + 0.02 for score in scores)


# --- the controls ---------------------------------------------------------------------


@pytest.mark.parametrize(("labels", "k"), STATES)
def test_yours_begins_at_the_floor(explorer, labels, k):
    explorer.set(labels=labels, k=k, yours=100)
    worst = worst_ndcg(LABELS[labels], k=k)
    least = explorer.controls["yours"].min
    assert worst <= least / 100 < worst + 0.01
    explorer.controls["yours"].value = 0
    assert explorer.values["yours"] == least
    assert float(values(explorer)["yours"]) == least / 100


def test_yours_stays_when_the_grades_change_and_rises_to_the_floor():
    explorer = where_is_the_floor()
    explorer.controls["labels"].value = "1 of 10"
    assert explorer.values == dict(labels="1 of 10", k=5, yours=84)
    explorer.controls["yours"].value = 30
    explorer.controls["labels"].value = "3 3 2 1 0"
    assert explorer.values["yours"] == 65
    with pytest.raises(ValueError, match="yours cannot be 64, the nearest is 65"):
        explorer.set(yours=64)
    assert explorer.values == dict(labels="3 3 2 1 0", k=5, yours=65)


def test_a_distribution_is_made_once(monkeypatch):
    made = []

    def count(grades, k):
        made.append((grades, k))
        return all_orders(grades, k)

    model = sys.modules[WhereIsTheFloor.__module__]
    monkeypatch.setattr(model, "all_orders", count)
    explorer = where_is_the_floor()
    for yours in range(65, 101):
        explorer.set(yours=yours)
    assert made == [(LABELS["3 3 2 1 0"], 5)]


def test_your_value_is_that_of_an_order_to_a_hundredth():
    """The example that the notebook takes: an order of 3 3 2 1 0 that scores 0.84."""
    found = all_orders(LABELS["3 3 2 1 0"]).ndcg
    assert np.abs(found - 0.84).min() < 0.005
    assert ndcg([3, 3, 2, 1, 0], [5, 4, 3, 2, 1]) == pytest.approx(1)
