"""The tie shuffler of notebook *ties*: model, figure and controls, without a browser."""

import itertools
import re

import numpy as np
import pytest
from stage import in_plotly, notes, title, trace

from course import figures
from course.explorers import tie_shuffler
from course.explorers.tie_shuffler import CONVENTIONS, MOST_DRAWS, TieShuffler
from ndcglib.metrics import idcg, ndcg

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


def shape(explorer, name):
    """The line or box of this name, None where there is none."""
    shapes = explorer.stage.figure["layout"]["shapes"]
    return next((shape for shape in shapes if shape.get("name") == name), None)


def level(explorer, name):
    line = shape(explorer, name)
    assert line["y0"] == line["y1"]
    return line["y0"]


def cards(explorer):
    """Rank by rank: the document and where its card stands, from below to above."""
    trace_of = trace(explorer, "documents")
    names = ("ids", "base", "y", "text")
    places = zip(trace_of["x"], *(trace_of[name] for name in names), strict=True)
    return [(id_, base, base + y, text) for _, id_, base, y, text in sorted(places)]


def order(explorer):
    return [id_ for id_, *_ in cards(explorer)]


def counts(explorer):
    """The histogram: value to number of random orders."""
    bars = shape(explorer, "random orders")
    found = re.findall(r"M0,(.*?)H(.*?)V(.*?)H0Z", bars["path"]) if bars else []
    by_value = {(float(a) + float(b)) / 2: int(n) for a, n, b in found}
    cuts, n_draws = shape(explorer, "blocks"), sum(by_value.values())
    inside = n_draws - len(by_value) if n_draws <= 200 else 0  # a block for each of a few orders
    assert (cuts["path"].count("M") if cuts else 0) == inside
    return by_value


def frames(explorer):
    """First and last rank of each dashed frame on the left."""
    shapes = explorer.stage.figure["layout"].get("shapes", [])
    return [
        (round(s["x0"] + 0.48), round(s["x1"] - 0.48))
        for s in shapes
        if s["type"] == "rect" and (s["xref"], s["yref"]) == ("x", "y")
    ]


def table(explorer):
    """The rows on conventions and draws: name to (NDCG, standard error, draws), as text."""
    rows = re.findall(r"<tr>" + 4 * "<td>(.*?)</td>" + "</tr>", explorer.stage.table)
    return {name: rest for name, *rest in rows if " near" not in name and " cards: " not in name}


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
    return {name: value for name, value, *_ in table if "cards: " not in name}


def test_a_model_that_knows_nothing():
    explorer = make("constant")
    assert title(explorer) == "All 20 scores are equal: the file order gives 1.000"
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
    found = counts(explorer)
    for value in orders:
        nearest = min(found, key=lambda step: abs(step - value / 4.7619))
        assert abs(nearest - value / 4.7619) < 0.0032  # of 20 steps from 0.7726 to 0.8987
        assert found.pop(nearest) == pytest.approx(MOST_DRAWS / 3, abs=120)  # > 5 standard errors
    assert not found


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
    assert title(explorer) == "No two scores are equal, so NDCG@6 is 1.000 in any file order"


def test_the_reversed_file_is_read_from_its_end():
    y_true, y_score = [3, 0, 1, 2], [1, 1, 0, 0]
    explorer = tie_shuffler(y_true, y_score)
    explorer.set(convention="reversed", draws=1)
    assert order(explorer) == ["D2", "D1", "D4", "D3"]
    expected = ndcg([0, 3, 2, 1], [4, 3, 2, 1])
    assert level(explorer, "reversed file order") == pytest.approx(expected, abs=1e-6)
    assert level(explorer, "file order") == pytest.approx(ndcg(y_true, [4, 3, 2, 1]), abs=1e-6)


# --- the draws ------------------------------------------------------------------------


def test_draws_do_not_depend_on_the_way():
    steps, leap = make("five"), make("five")
    for _ in range(5):
        draw(steps)
    five = counts(steps)
    for _ in range(5):
        draw(steps)
    leap.set(convention="random", draws=10)
    assert counts(steps) == counts(leap)
    assert all(counts(steps)[step] >= count for step, count in five.items())
    assert steps.stage.figure == leap.stage.figure


def test_the_seed_is_the_luck():
    one, same, other = (tie_shuffler(*CONSTANT, k=5, seed=seed) for seed in (0, 0, 1))
    for explorer in (one, same, other):
        explorer.set(convention="random", draws=50)
    assert order(one) == order(same) != order(other)
    assert counts(one) == counts(same) != counts(other)


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


def ranks_in(view):
    documents = in_plotly(view.figure).data[0]
    return dict(zip(documents.ids, documents.x, strict=True))


def test_only_ties_are_shuffled():
    model = TieShuffler(*FIVE)
    for draw in range(1, 101):
        ranks = ranks_in(model.view("random", draw))
        assert (ranks["D1"], ranks["D5"]) == (1, 5)
        assert sorted(ranks[name] for name in ("D2", "D3", "D4")) == [2, 3, 4]


def test_unsigned_and_huge_scores_keep_their_order():
    unsigned = np.array([0, 1, 2, 255], dtype=np.uint8)
    huge = [2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3]
    for scores in (unsigned, huge):
        model = TieShuffler([0, 1, 2, 3], scores)
        assert set(values_of(model).values()) == {1.0}
        assert set(model._all_draws(model.scores, None)) == {1.0}
        assert ranks_in(model.view("random", 1)) == {"D4": 1, "D3": 2, "D2": 3, "D1": 4}


# --- every state ----------------------------------------------------------------------


def test_every_state(explorer):
    for state in states(explorer):
        explorer.set(**state)
        assert explorer.values == state
        assert len(title(explorer)) <= 62  # one line: the headings stand below it
        if "every order" in " ".join(notes(explorer)) or state["draws"]:
            check_levels(explorer)
        else:
            check_nothing_else(explorer, state)
        check_draws(explorer, state)
        check_list(explorer, state)


def check_levels(explorer):
    values = {name: float(value) for name, (value, *_) in table(explorer).items()}
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
    assert {name for name in names.values() if shape(explorer, name)} == {shown}
    [(name, (value, *_))] = table(explorer).items()
    assert name == shown
    assert level(explorer, name) == pytest.approx(float(value), abs=5.1e-5)
    said = [title(explorer), explorer.stage.sentence, *notes(explorer)]
    found = re.findall(r"\d\.\d{3,}", re.sub("<br>", " ", " ".join(said)))
    assert [float(number) for number in found] == pytest.approx(
        [level(explorer, name)] * len(found), abs=5.1e-4
    )


def check_draws(explorer, state):
    model, n = explorer.declaration.view.__self__, state["draws"]
    found, mean = counts(explorer), shape(explorer, "their mean so far")
    assert sum(found.values()) == n
    assert ("Random orders<br>pile up here." in notes(explorer)) == (n == 0) == (mean is None)
    if not n:
        return
    decimals = state.get("decimals")
    scores = model.scores if decimals is None else np.round(model.scores, decimals)
    drawn = model._all_draws(scores, decimals)[:n]
    assert mean["y0"] == pytest.approx(np.mean(drawn), abs=1e-6)
    if n > 1:
        error = np.std(drawn, ddof=1) / n**0.5
        _, shown, count = table(explorer)[f"mean of {n:,} random orders"]
        assert (float(shown), int(count)) == (pytest.approx(error, abs=6e-5), n)
    worst, best = (float(table(explorer)[f"{which} order"][0]) for which in ("worst", "best"))
    assert worst - 1e-4 <= min(drawn) <= max(drawn) <= best + 1e-4
    assert all(worst - 1e-4 <= step <= best + 1e-4 for step in found)
    rows = re.findall(r"near</td><td>(.*?)</td><td></td><td>(.*?)</td>", explorer.stage.table)
    assert [float(value) for value, _ in rows] == pytest.approx([*found], abs=6e-5)
    assert [int(count) for _, count in rows] == [*found.values()]
    half = (best - worst) / 40 + 1e-4  # each draw is counted at a step no farther than that
    for step, count in found.items():
        near = (np.abs(drawn - step) <= half).sum()
        assert (np.abs(drawn - step) < half - 2e-4).sum() <= count <= near
        assert count < explorer.stage.figure["layout"]["xaxis2"]["range"][1]
    if not frames(explorer):
        assert len(set(drawn)) == 1


def check_list(explorer, state):
    """The cards, from the first on, score what stands above them; equal scores are level."""
    model, layout = explorer.declaration.view.__self__, explorer.stage.figure["layout"]
    [shown] = trace(explorer, "the list shown")["y"]
    assert f"NDCG@{model.k} = {shown:.4f}" in explorer.stage.sentence
    grades = dict(zip(model.ids, model.grades, strict=True))
    decimals = state.get("decimals")
    rounded = model.scores if decimals is None else np.round(model.scores, decimals)
    scores = dict(zip(model.ids, rounded, strict=True))
    ranked = order(explorer)
    assert sorted(ranked) == sorted(model.ids)
    places = [(bottom, top) for _, bottom, top, _ in cards(explorer)]
    for (one, its), (two, other) in itertools.pairwise(zip(ranked, places, strict=True)):
        assert scores[one] >= scores[two]
        assert (its == other) == (scores[one] == scores[two])
        assert its >= other
    assert (
        layout["yaxis"]["range"][0] < min(places)[0] < max(places)[1] < layout["yaxis"]["range"][1]
    )
    if state["convention"] == "average":
        assert shown == pytest.approx(ndcg(model.grades, rounded, k=model.k), abs=1e-6)
    else:
        in_order = [grades[id_] for id_ in ranked]
        assert shown == pytest.approx(ndcg(in_order, ranked=True, k=model.k), abs=1e-6)
    assert notes(explorer).count("tied") == len(frames(explorer))
    cut = [text for text in notes(explorer) if text.startswith("k = ")]
    assert cut == ([f"k = {model.k}"] if model.k < len(model.grades) else [])
    lines = [s["x0"] for s in layout["shapes"] if s["type"] == "line" and s["xref"] == "x"]
    assert lines == [model.k + 0.5] * len(cut)
    newest = shape(explorer, "last order")
    assert (newest is None) == (state["convention"] != "random")
    if newest:
        assert newest["y0"] - 0.004 < shown < newest["y1"] + 0.004  # between bars is a gap
        middle = (newest["y0"] + newest["y1"]) / 2
        assert any(step == pytest.approx(middle, abs=1e-5) for step in counts(explorer))
        assert newest["x1"] - newest["x0"] == 1


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
    documents = trace(explorer, "documents")
    hatched = dict(zip(documents["ids"], documents["marker"]["pattern"]["shape"], strict=True))
    assert hatched == {"D1": "", "D2": "/", "D3": "/", "D4": "/", "D5": ""}
    assert [text for *_, text in cards(explorer)] == ["D1<br>2", "", "", "", "D5<br>1"]
    assert "<b>1</b>" in notes(explorer)  # the mean of 3, 0, 0
    assert "mean grades of the 5 cards: 2, 1, 1, 1, 1" in explorer.stage.table
    explorer.set(convention="stable")
    documents = trace(explorer, "documents")
    assert set(documents["marker"]["pattern"]["shape"]) == {""}
    assert [text for *_, text in cards(explorer)][1:4] == ["D2<br>3", "D3<br>0", "D4<br>0"]
    assert "<td>grades of the 5 cards: 2, 3, 0, 0, 1</td>" in explorer.stage.table


def test_many_documents_show_their_grades():
    explorer = make("constant")
    assert [text for *_, text in cards(explorer)] == ["1"] * 3 + ["0"] * 17
    explorer.set(convention="average")
    assert {text for *_, text in cards(explorer)} == {""}
    assert "mean grade <b>0.15</b>" in notes(explorer)


def test_relevant_cards_are_filled():
    explorer = tie_shuffler([0, 1, 3], [2, 1, 1])
    marker = trace(explorer, "documents")["marker"]
    assert marker["color"] == ["white", "rgba(0,114,178,0.33)", "rgba(0,114,178,1.00)"]
    explorer.set(convention="average")
    assert marker["color"][0] == "white"
    assert len(set(trace(explorer, "documents")["marker"]["color"])) == 2


@pytest.mark.parametrize("name", ["constant", "good"])
def test_only_what_a_draw_changes_is_drawn_anew(name):
    """See redrawn in static/redraw.js: marks that stay must come before those that change."""
    explorer = make(name)
    explorer.set(convention="average", draws=101)
    before = explorer.stage.figure
    explorer.set(draws=102)
    now = explorer.stage.figure
    assert now["data"] == before["data"]
    for name in ("shapes", "annotations"):
        pairs = zip(before["layout"][name], now["layout"][name], strict=True)
        same = [one == other for one, other in pairs]
        assert same == sorted(same, reverse=True)
        assert True in same


def test_equal_values_share_a_label():
    explorer = make("constant")
    draw(explorer)
    labels = [text for text in notes(explorer) if text.startswith("<b>")]
    assert [re.sub(r"<br>|\N{NO-BREAK SPACE}", " ", text) for text in labels] == [
        "<b>1.000</b> best, file order",
        "<b>0.208</b> average",
        "<b>0.000</b> reversed, worst",
        "<b>0.202</b> mean so far",
    ]
    assert "<b>1.000</b> every order" in notes(make("no ties"))


def test_ties_that_change_nothing():
    explorer = make("equal grades")
    assert title(explorer) == "The ties change nothing here, because every order gives 1.000"
    explorer.set(draws=100)
    assert counts(explorer) == {1.0: 100}


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
    assert sum(counts(explorer).values()) == 101
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
