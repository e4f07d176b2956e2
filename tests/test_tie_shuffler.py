"""The tie shuffler of notebook *ties*: model, figure and controls, without a browser."""

import itertools
import re

import numpy as np
import pytest
from stage import notes, title, trace, traces

from helpers import figures
from helpers.course.explorers import tie_shuffler
from helpers.course.explorers.tie_shuffler.model import CONVENTIONS, MOST_DRAWS, TieShuffler
from helpers.metrics import dcg, idcg, ndcg

CONSTANT = [1, 1, 1] + [0] * 17, [0] * 20
FIVE = [2, 3, 0, 0, 1], [0.9, 0.5, 0.5, 0.5, 0.1]
GRADES = [3, 2, 3, 0, 1, 2]
GOOD = GRADES, [0.90, 0.70, 0.80, 0.05, 0.30, 0.60]
BAD = GRADES, [0.10, 0.20, 0.30, 0.95, 0.80, 0.70]
PAIRS = [i % 4 for i in range(20)], [i // 2 for i in range(20)]

LISTS = {
    "constant": (CONSTANT, dict(k=5)),
    "five": (FIVE, {}),
    "five at 3": (FIVE, dict(k=3)),
    "five at 2": (FIVE, dict(k=2)),
    "pairs": (PAIRS, dict(k=9)),
    "good": (GOOD, dict(decimals=2)),
    "bad": (BAD, dict(decimals=2, k=4)),
    "no ties": (GOOD, {}),
    "equal grades": (([2, 2, 2], [1, 1, 1]), {}),
    "one document": (([3], [0.5]), {}),
}


def make(name="constant"):
    (y_true, y_score), options = LISTS[name]
    return tie_shuffler(y_true, y_score, **options)


@pytest.fixture(params=LISTS, name="explorer")
def _explorer(request):
    return make(request.param)


def draw(explorer):
    buttons(explorer)["Break the ties once"].click()


def level(explorer, name):
    first, last = trace(explorer, name)["y"]
    assert first == last
    return first


def dots(explorer):
    return [y for y in trace(explorer, "one random order")["y"] if y is not None]


def frames(explorer):
    """First and last rank of each dashed frame on the left."""
    shapes = explorer.stage.figure["layout"].get("shapes", [])
    return [
        (round(s["x0"] + 0.45), round(s["x1"] - 0.45))
        for s in shapes
        if s["type"] == "rect" and s["xref"] == "x"
    ]


def table(explorer):
    """The table as a dict: name to (NDCG, standard error), as text."""
    rows = re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td></tr>", explorer.stage.table)
    return {name: (value, error) for name, value, error in rows}


def states(explorer):
    """Every convention at every rounding, with few, some and all draws."""
    control = explorer.controls.get("decimals")
    roundings = range(control.max + 1) if control else [None]
    for convention, draws, decimals in itertools.product(
        CONVENTIONS.values(), [0, 1, 2, 250, MOST_DRAWS], roundings
    ):
        if convention != "random" or draws:
            kept = {} if decimals is None else dict(decimals=decimals)
            yield dict(convention=convention, draws=draws, **kept)


# --- the numbers ----------------------------------------------------------------------


def values_of(model, decimals=None):
    table = figures.describe(model.view("average", 1, decimals).figure).rows
    return {name: value for name, value, _ in table}


def test_a_model_that_knows_nothing():
    explorer = make("constant")
    assert title(explorer) == "File order: NDCG@5 is 1.000; no random order drawn yet"
    assert "0.000" not in " ".join(notes(explorer))  # what a reader has bet on
    assert "0.208" not in " ".join(notes(explorer))
    draw(explorer)
    assert level(explorer, "file order") == 1
    assert level(explorer, "reversed file order") == 0
    assert level(explorer, "average of all orders") == pytest.approx(
        0.15 * 2.948459 / 2.130930, abs=1e-6
    )
    shown = " ".join(notes(explorer))
    for value in ("1.000", "0.208", "0.000"):
        assert f"<b>{value}</b>" in shown


@pytest.mark.parametrize(("k", "average"), [(None, 0.8292), (3, 0.6575), (2, 0.6173)])
def test_five_documents(k, average):
    values = values_of(TieShuffler(*FIVE, k=k))
    assert values["average of all orders"] == pytest.approx(average, abs=5e-5)
    assert values["average of all orders"] == pytest.approx(ndcg(*FIVE, k=k), abs=5e-5)


def test_the_three_orders_of_five_documents():
    explorer = make("five")
    explorer.set(draws=MOST_DRAWS)
    assert idcg(FIVE[0]) == pytest.approx(4.7619, abs=5e-5)
    orders = [4.2796, 3.8869, 3.6789]
    expected = sorted(round(dcg / 4.7619, 4) for dcg in orders)
    found, counts = np.unique(dots(explorer), return_counts=True)
    assert found == pytest.approx(expected, abs=1e-4)
    assert counts == pytest.approx(MOST_DRAWS / 3, abs=120)  # more than five standard errors


@pytest.mark.parametrize(
    ("model", "kept", "rounded"), [(GOOD, 1.0, 0.949), (BAD, 0.667, 0.737)], ids=["good", "bad"]
)
def test_rounding_pulls_towards_a_random_order(model, kept, rounded):
    explorer = tie_shuffler(*model, decimals=2)
    assert level(explorer, "average of all orders") == pytest.approx(kept, abs=5e-4)
    explorer.set(decimals=0)
    assert level(explorer, "average of all orders") == pytest.approx(rounded, abs=5e-4)
    assert explorer.stage.sentence.startswith("Scores with 0 decimals. ")
    explorer.set(decimals=1)
    assert explorer.stage.sentence.startswith("Scores with 1 decimal. ")


def test_without_decimals_the_scores_are_as_they_came():
    explorer = make("no ties")
    assert list(explorer.values) == ["convention", "draws"]
    assert "decimal" not in explorer.stage.sentence
    assert title(explorer) == "No two scores are equal: NDCG@6 is 1.000 whatever the file order"


def test_the_reversed_file_is_read_from_its_end():
    y_true, y_score = [3, 0, 1, 2], [1, 1, 0, 0]
    explorer = tie_shuffler(y_true, y_score)
    explorer.set(convention="reversed", draws=1)
    labels = explorer.stage.figure["layout"]["xaxis"]["ticktext"]
    assert [label.split("<br>")[0] for label in labels] == ["D2", "D1", "D4", "D3"]
    expected = ndcg([0, 3, 2, 1], [4, 3, 2, 1])
    assert level(explorer, "reversed file order") == pytest.approx(expected, abs=1e-6)
    assert level(explorer, "file order") == pytest.approx(ndcg(y_true, [4, 3, 2, 1]), abs=1e-6)


# --- the draws ------------------------------------------------------------------------


def test_draws_do_not_depend_on_the_way():
    steps, leap = make("five"), make("five")
    for _ in range(5):
        draw(steps)
    five = dots(steps)
    for _ in range(5):
        draw(steps)
    leap.set(convention="random", draws=10)
    assert dots(steps) == dots(leap)
    assert dots(steps)[:5] == five
    assert steps.stage.figure == leap.stage.figure


def test_the_seed_is_the_luck():
    one, same, other = (tie_shuffler(*CONSTANT, k=5, seed=seed) for seed in (0, 0, 1))
    for explorer in (one, same, other):
        explorer.set(draws=50)
    assert dots(one) == dots(same) != dots(other)


@pytest.mark.parametrize("name", ["constant", "five", "five at 3", "pairs"])
def test_the_mean_of_all_draws_is_near_the_closed_form(name):
    (y_true, y_score), options = LISTS[name]
    model = TieShuffler(y_true, y_score, **options)
    drawn = model._all_draws(model.scores, None)
    assert len(drawn) == MOST_DRAWS
    error = drawn.std(ddof=1) / MOST_DRAWS**0.5
    assert 0 < abs(drawn.mean() - ndcg(y_true, y_score, k=model.k)) < 5 * error


def test_each_document_comes_first_about_as_often():
    """A biased shuffle would pass many a test of a mean."""
    y_true = [1, 0, 0, 0]
    for place in range(4):
        model = TieShuffler(np.roll(y_true, place), [0] * 4, k=1)
        share = model._all_draws(model.scores, None).mean()
        assert share == pytest.approx(0.25, abs=0.05)


def test_only_ties_are_shuffled():
    model = TieShuffler(*FIVE)
    for draw in range(1, 101):
        labels = model.view("random", draw).figure.layout.xaxis.ticktext
        names = [label.split("<br>")[0] for label in labels]
        assert (names[0], names[-1]) == ("D1", "D5")
        assert sorted(names[1:4]) == ["D2", "D3", "D4"]


def test_unsigned_and_huge_scores_keep_their_order():
    unsigned = np.array([0, 1, 2, 255], dtype=np.uint8)
    huge = [2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3]
    for scores in (unsigned, huge):
        model = TieShuffler([0, 1, 2, 3], scores)
        assert set(values_of(model).values()) == {1.0}
        assert set(model._all_draws(model.scores, None)) == {1.0}
        labels = model.view("random", 1).figure.layout.xaxis.ticktext
        assert [label.split("<br>")[0] for label in labels] == ["D4", "D3", "D2", "D1"]


# --- every state ----------------------------------------------------------------------


def test_every_state(explorer):
    for state in states(explorer):
        explorer.set(**state)
        assert explorer.values == state
        if "every order" in " ".join(notes(explorer)) or state["draws"]:
            check_levels(explorer)
        else:
            check_nothing_else(explorer, state)
        check_draws(explorer, state)
        check_list(explorer, state)


def check_levels(explorer):
    values = {name: float(value) for name, (value, _) in table(explorer).items()}
    worst, best = values["worst order"], values["best order"]
    assert 0 <= worst <= best <= 1
    for name in ("file order", "reversed file order", "average of all orders"):
        assert worst - 1e-4 <= values[name] <= best + 1e-4
        assert level(explorer, name) == pytest.approx(values[name], abs=5.1e-5)
    low, high = explorer.stage.figure["layout"]["yaxis2"]["range"]
    assert low < worst
    assert best < high
    band = next(s for s in explorer.stage.figure["layout"]["shapes"] if s["xref"] == "x2 domain")
    assert [band["y0"], band["y1"]] == pytest.approx([worst, best], abs=5.1e-5)


def check_nothing_else(explorer, state):
    """Before the first draw there is one level, and one value in all the words."""
    names = {value: name for name, value in CONVENTIONS.items()}
    shown = names[state["convention"]]
    assert set(names.values()) & {t["name"] for t in traces(explorer)} - {"one random order"} == {
        shown
    }
    [(name, (value, _))] = table(explorer).items()
    assert name == shown
    assert level(explorer, name) == pytest.approx(float(value), abs=5.1e-5)
    said = [title(explorer), explorer.stage.sentence, *notes(explorer)]
    found = re.findall(r"\d\.\d{3,}", re.sub("<br>", " ", " ".join(said)))
    assert [float(number) for number in found] == pytest.approx(
        [level(explorer, name)] * len(found), abs=5.1e-4
    )


def check_draws(explorer, state):
    drawn, n = dots(explorer), state["draws"]
    assert len(drawn) == n
    dots_trace = trace(explorer, "one random order")
    assert (dots_trace["x0"], dots_trace["dx"]) == (1, 1)
    means = trace(explorer, "their mean so far")
    assert (means["x"][-1], len(means["x"])) == (n or None, max(1, min(n, len(means["x"]))))
    assert len(means["x"]) <= 150
    if not n:
        return
    assert means["y"][-1] == pytest.approx(np.mean(drawn), abs=5.1e-5)
    if n > 1:
        error = np.std(drawn, ddof=1) / n**0.5
        shown = table(explorer)[f"mean of {n} random orders"][1]
        assert float(shown) == pytest.approx(error, abs=6e-5)
    for count, mean in zip(means["x"], means["y"], strict=True):
        assert mean == pytest.approx(np.mean(drawn[:count]), abs=5.1e-5)
    worst, best = (float(table(explorer)[f"{which} order"][0]) for which in ("worst", "best"))
    assert worst - 1e-4 <= min(drawn) <= max(drawn) <= best + 1e-4
    assert explorer.stage.figure["layout"]["xaxis2"]["range"][1] > n
    if not frames(explorer):
        assert len(set(drawn)) == 1


def check_list(explorer, state):
    """The bars sum to the value above them, which is that of the convention."""
    model, layout = explorer.declaration.view.__self__, explorer.stage.figure["layout"]
    bars = trace(explorer, "contribution")["y"]
    value = sum(bars) / idcg(model.grades, k=model.k)
    assert f"NDCG@{model.k} = {value:.4f}" in explorer.stage.sentence
    expected = {
        "average": lambda: level(explorer, "average of all orders"),
        "stable": lambda: level(explorer, "file order"),
        "reversed": lambda: level(explorer, "reversed file order"),
        "random": lambda: dots(explorer)[-1],
    }[state["convention"]]()
    assert value == pytest.approx(expected, abs=6e-5)
    assert all(value == 0 for value in bars[model.k :])
    assert max(bars) < layout["yaxis"]["range"][1]
    assert notes(explorer).count("tied") == len(frames(explorer))
    cut = [text for text in notes(explorer) if text.startswith("k = ")]
    assert cut == ([f"k = {model.k}"] if model.k < len(model.grades) else [])
    places = [shape["x0"] for shape in layout.get("shapes", []) if shape["type"] == "line"]
    assert places == [model.k + 0.5] * len(cut)
    rings = [t for t in traces(explorer) if t["name"].startswith("random order")]
    if state["convention"] == "random":
        assert rings[0]["x"] == [state["draws"]]
        assert rings[0]["y"][0] == pytest.approx(dots(explorer)[-1], abs=6e-5)
    else:
        assert rings == []


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("constant", [(1, 20)]),
        ("five", [(2, 4)]),
        ("pairs", [(i, i + 1) for i in range(1, 20, 2)]),
        ("no ties", []),
        ("good", []),
        ("one document", []),
    ],
)
def test_tied_ranks_are_framed(name, groups):
    explorer = make(name)
    assert frames(explorer) == groups
    explorer.set(convention="random", draws=3)
    assert frames(explorer) == groups


def test_rounding_ties():
    explorer = make("good")
    explorer.set(decimals=0)
    assert frames(explorer) == [(1, 4), (5, 6)]


def test_a_tied_group_shares_its_ranks():
    explorer = make("five")
    explorer.set(convention="average")
    bars = trace(explorer, "contribution")
    discounts = 1 / np.log2(np.arange(2, 7))
    expected = [2 * discounts[0], *(1.0 * discounts[1:4]), 1 * discounts[4]]
    assert bars["y"] == pytest.approx(expected, abs=1e-6)
    assert sum(bars["y"]) == pytest.approx(3.9485, abs=5e-5) == dcg(*FIVE)
    assert bars["marker"]["pattern"]["shape"] == ["", "/", "/", "/", ""]
    axis = explorer.stage.figure["layout"]["xaxis"]
    assert list(axis["tickvals"]) == [1, 3, 5]
    assert list(axis["ticktext"]) == ["D1<br>2", "D2, D3, D4<br>mean 1", "D5<br>1"]
    explorer.set(convention="stable")
    assert set(trace(explorer, "contribution")["marker"]["pattern"]["shape"]) == {""}


def test_many_documents_show_their_grades():
    explorer = make("constant")
    labels = list(explorer.stage.figure["layout"]["xaxis"]["ticktext"])
    assert labels == ["1"] * 3 + ["0"] * 17
    explorer.set(convention="average")
    assert list(explorer.stage.figure["layout"]["xaxis"]["ticktext"]) == ["0.15"]


def test_the_scale_on_the_left_stays():
    explorer = make("five")
    ranges = set()
    for state in states(explorer):
        explorer.set(**state)
        ranges.add(tuple(explorer.stage.figure["layout"]["yaxis"]["range"]))
    assert len(ranges) == 1


def test_equal_values_share_a_label():
    explorer = make("constant")
    draw(explorer)
    labels = [text for text in notes(explorer) if text.startswith("<b>")]
    assert [re.sub(r"<br>|\N{NO-BREAK SPACE}", " ", text) for text in labels] == [
        "<b>1.000</b> best, file order",
        "<b>0.208</b> average",
        "<b>0.000</b> reversed, worst",
    ]
    assert "<b>1.000</b> every order" in notes(make("no ties"))


def test_ties_that_change_nothing():
    explorer = make("equal grades")
    assert title(explorer) == "Here the ties change nothing: every order gives 1.000"
    explorer.set(draws=100)
    assert set(dots(explorer)) == {1.0}


# --- the controls ---------------------------------------------------------------------


def buttons(explorer):
    return {button.description: button for button in explorer.children[1].children}


def test_the_two_buttons_draw_on():
    explorer = make("constant")
    once, often = (buttons(explorer)[name] for name in ("Break the ties once", "× 100"))
    once.click()
    assert explorer.values == {"convention": "random", "draws": 1}
    explorer.set(convention="average")
    often.click()
    assert explorer.values == {"convention": "random", "draws": 101}
    assert len(dots(explorer)) == 101
    for _ in range(25):
        often.click()
    assert explorer.values["draws"] == MOST_DRAWS
    once.click()
    assert explorer.values == {"convention": "random", "draws": MOST_DRAWS}


def test_one_random_order_begins_with_the_first_draw():
    explorer = make("constant")
    explorer.controls["convention"].value = "random"
    assert explorer.values == {"convention": "random", "draws": 1}
    assert title(explorer).startswith("1 random order gives 0.")
    explorer.controls["draws"].value = 0
    assert explorer.values["draws"] == 1
    with pytest.raises(ValueError, match="draws cannot be 0, the nearest is 1"):
        explorer.set(draws=0)
    explorer.set(convention="average", draws=0)
    assert explorer.values == {"convention": "average", "draws": 0}
    with pytest.raises(ValueError, match="draws must be at least 1 for one random order, got 0"):
        explorer.declaration.view.__self__.view("random", 0)


MISFITS = [
    (([0] * 21, [0] * 21), {}, ValueError, "y_true must hold 1 to 20 documents, got 21"),
    (([0, 0], [1, 1]), {}, ValueError, r"y_true must be 0 or more.*got \[0, 0\]"),
    (([[1, 0], [0, 1]], [[1, 1], [1, 1]]), {}, ValueError, "y_true must be one query, got 2"),
    (([1, 0], [1, 1, 1]), {}, ValueError, "y_true and y_score must have the same shape"),
    (FIVE, dict(k=0), ValueError, "k must be a positive integer or None, got 0"),
    (FIVE, dict(decimals=7), ValueError, "decimals must be a whole number from 0 to 6, got 7"),
    (FIVE, dict(seed=-1), ValueError, "seed must be a whole number at least 0, got -1"),
]


@pytest.mark.parametrize(("lists", "options", "error", "message"), MISFITS)
def test_what_does_not_fit_is_refused(lists, options, error, message):
    with pytest.raises(error, match=message):
        tie_shuffler(*lists, **options)
