"""Draw your discount, of notebook *discount*: pad, model, figure and words, without a browser."""

import re
from html import escape, unescape

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stage import layout, notes, title, trace
from traitlets import TraitError

from course.explorers.own_discount import (
    CONVENTIONS,
    N_PAIRS,
    RANKING,
    SHUFFLED,
    own_discount,
)
from course.explorers.own_discount_chart import YOURS, Compared, agreement_dots
from coursekit.widgets.pad import DiscountPad
from ndcglib.metrics import dcg, idcg, ndcg
from ndcglib.metrics.discounts import relative_weights
from ndcglib.metrics.pairs import ndcg_differences, random_pairs, verdicts

PLACES = range(10, 0, -1)
PAIRS = random_pairs(SHUFFLED, N_PAIRS, seed=0)
NAMES = [text for text, _ in CONVENTIONS.values()]
THEIRS = {text: verdicts(*PAIRS, discount=discount) for text, discount in CONVENTIONS.values()}
SIZES = {
    text: np.abs(ndcg_differences(*PAIRS, discount=discount))
    for text, discount in CONVENTIONS.values()
}
STRAIGHT = "100 90 80 70 60 50 40 30 20 10"

pads = st.lists(st.integers(0, 100), min_size=10, max_size=10).map(
    lambda weights: sorted(weights, reverse=True)
)
pads = pads.filter(lambda weights: weights[0] > 0)


@pytest.fixture(name="explorer", scope="module")
def _explorer():
    return own_discount()


def text_of(weights):
    return " ".join(map(str, weights))


def rule_of(weights):
    """Return the discount that a pad stands for."""
    return lambda ranks: np.array(weights[: len(ranks)]) / 100


def number_of(text):
    return unescape(re.sub("</?b>", "", text)).strip()


def as_typed(name):
    """The name of a discount as it is in words, from that of an axis."""
    return re.sub("<sup>(.*)</sup>", r"^(\1)", unescape(name).replace("<sub>2</sub>", "2"))


def board(explorer):
    """Return the NDCG that stands at each mark, as text, by name: yours first."""
    others, names = trace(explorer, "NDCG"), layout(explorer)["yaxis2"]["ticktext"]
    mark, number = layout(explorer)["shapes"][-1], layout(explorer)["annotations"][-1]
    assert (mark["xanchor"], mark["yanchor"]) == (number["x"], 1)
    assert (number["y"], others["y"]) == (1, [2, 3, 4, 5])
    numbers = [number_of(text) for text in (number["text"], *others["text"])]
    values = [number["x"], *others["x"]]
    assert values == pytest.approx([float(number) for number in numbers], abs=5.1e-5)
    low, high = layout(explorer)["xaxis2"]["range"]
    assert all(low < value < high for value in values)
    return dict(zip([as_typed(number_of(name)) for name in names], numbers, strict=True))


def terms_of(discount):
    """Return the terms of the ranks with a gain: by how much each lifts the DCG."""
    ranks = [rank for rank, grade in enumerate(RANKING, start=1) if grade]
    sums = [dcg(RANKING, PLACES, k=rank, discount=discount) for rank in ranks]
    return np.diff([0, *sums])


def marks(explorer):
    """Return the share of each convention, and what is written at its mark, by name."""
    drawn, names = trace(explorer, "verdicts"), layout(explorer)["yaxis"]["ticktext"]
    low, high = layout(explorer)["xaxis"]["range"]
    assert all(low < value < high for value in drawn["x"])
    found = zip(drawn["x"], map(number_of, drawn["text"]), strict=True)
    return dict(zip(map(as_typed, names), found, strict=True))


def table(explorer):
    """Return the header, and the cells of each row by its first."""
    found = re.findall(r"<tr>(.*?)</tr>", explorer.stage.table)
    header, *rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in found]
    return header, {row[0]: row[1:] for row in rows}


# --- one ranking ----------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(pads, st.sampled_from(list(CONVENTIONS)))
def test_one_ranking_is_measured_by_the_metric(explorer, weights, beside):
    explorer.set(weights=text_of(weights), beside=beside, shows="ranking")
    check_one_ranking(explorer, weights)


def check_one_ranking(explorer, weights):
    rule = rule_of(weights)
    yours = ndcg(RANKING, PLACES, discount=rule)
    assert 0 <= yours <= 1 + 1e-12
    named = {YOURS: rule, **dict(CONVENTIONS.values())}
    values = {name: f"{ndcg(RANKING, PLACES, discount=d):.4f}" for name, d in named.items()}
    assert board(explorer) == values
    header, rows = table(explorer)
    assert header == ["rank", *values]
    assert rows["NDCG"] == list(values.values())
    check_terms(explorer, named, rows)
    reached, ideal = dcg(RANKING, PLACES, discount=rule), idcg(RANKING, discount=rule)
    for value in (reached, ideal, yours):
        whole = round(value, 4).is_integer()
        assert f"<mn>{value:.0f}</mn>" in explorer.stage.formula if whole else True
        assert whole or f"<mn>{value:.4f}</mn>" in explorer.stage.formula
    check_weights(explorer, weights)


def check_terms(explorer, named, rows):
    """The bars are what the ranks bring of all, yours and the one beside; the rest is listed."""
    terms = {name: terms_of(discount) for name, discount in named.items()}
    shapes, ghost = layout(explorer)["shapes"][:-1], trace(explorer, "beside")
    shares = {name: list(own / sum(own)) for name, own in terms.items()}
    assert [shape["x1"] for shape in shapes] == pytest.approx(shares[YOURS], abs=1e-6)
    beside = CONVENTIONS[explorer.values["beside"]][0]
    assert ghost["x"] == pytest.approx(shares[beside], abs=1e-6)
    assert max(ghost["x"] + shares[YOURS]) < layout(explorer)["xaxis"]["range"][1]
    # In a column: at the end of a bar it would be read as that of the longer one.
    told = layout(explorer)["annotations"][1:-1]
    assert {(note["xref"], note["x"]) for note in told} == {("x domain", 1)}
    middles = [(shape["y0"] + shape["y1"]) / 2 for shape in shapes]
    assert middles == pytest.approx(ghost["y"])
    assert ghost["y"] == [1, 2, 3, 4]
    said = [float(note["text"].strip("<b>/%")) for note in told]
    assert [note["text"] for note in told] == [f"<b>{percent:.1f}%</b>" for percent in said]
    nearest = 0.05 + 1e-6  # half a tenth may become either of two
    assert said == pytest.approx(100 * terms[YOURS] / sum(terms[YOURS]), abs=nearest)
    for i, rank in enumerate(ghost["y"]):
        for cell, share, own in zip(
            rows[f"term of rank {rank}"],
            rows[f"share of rank {rank}"],
            terms.values(),
            strict=True,
        ):
            assert float(cell) == pytest.approx(own[i], abs=5.1e-5)
            assert float(share.strip("%")) == pytest.approx(100 * own[i] / own.sum(), abs=0.051)


def check_weights(explorer, weights):
    header, rows = table(explorer)
    assert header[:2] == ["rank", "your discount"]
    for rank, weight in enumerate(weights, start=1):
        expected = [weight / 100]
        expected += [relative_weights(d, 10)[rank - 1] for _, d in CONVENTIONS.values()]
        assert rows[str(rank)] == [f"{value:.4f}" for value in expected]


@pytest.mark.parametrize("factor", [1, 2, 5])
def test_a_constant_factor_cancels(explorer, factor):
    weights = np.array([20, 14, 11, 8, 8, 6, 5, 2, 1, 0])
    for shows, read in (("ranking", notes), ("pairs", marks)):
        explorer.set(weights=text_of(weights), beside="log", shows=shows)
        one = read(explorer)
        explorer.set(weights=text_of(factor * weights))
        assert read(explorer) == one


def test_weights_without_a_gain_move_nothing(explorer):
    """The list has nothing relevant from rank 5 on."""
    explorer.set(weights=STRAIGHT, beside="log", shows="ranking")
    before = layout(explorer)
    explorer.set(weights="100 90 80 70 0 0 0 0 0 0")
    assert layout(explorer) == before
    explorer.set(weights="100 90 80 60 0 0 0 0 0 0")
    moved = [a != b for a, b in zip(layout(explorer)["shapes"], before["shapes"], strict=True)]
    assert moved == [True] * 5  # the shares of the others grow


# --- many pairs -----------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(pads, st.sampled_from(list(CONVENTIONS)))
def test_verdicts_are_those_of_the_metric(explorer, weights, beside):
    explorer.set(weights=text_of(weights), beside=beside, shows="pairs")
    check_many_pairs(explorer, weights)


def check_many_pairs(explorer, weights):
    mine = verdicts(*PAIRS, discount=rule_of(weights))
    shares = [np.mean(mine == theirs) for theirs in THEIRS.values()]
    drawn = marks(explorer)
    assert list(drawn) == NAMES
    assert [value for value, _ in drawn.values()] == pytest.approx(shares, abs=1e-6)
    header, rows = table(explorer)
    assert header == ["rank", "your discount", *NAMES]
    assert rows["same verdict as yours"] == ["", *(escape(text) for _, text in drawn.values())]
    equal = int((mine == 0).sum())
    assert rows["pairs that yours calls equal"][0] == str(equal)
    for i, name in enumerate(NAMES, start=1):
        same = mine == THEIRS[name]
        assert rows["pairs with the same verdict"][i] == str(same.sum())
        check_median(rows["median difference where they disagree"][i], SIZES[name][~same])
        check_median(rows["median difference where they agree"][i], SIZES[name][same])
    check_weights(explorer, weights)


def check_median(cell, sizes):
    assert (cell == "") == (len(sizes) == 0)
    if cell:
        assert float(cell) == pytest.approx(np.median(sizes), abs=5.1e-5)


def test_agreement_with_itself_is_complete(explorer):
    """No text holds 1 / log2(rank + 1), so the model is asked with the rule itself."""
    model = explorer.declaration.view.__self__
    for text, discount in CONVENTIONS.values():
        mine = np.sign(np.round(model._differences(relative_weights(discount, 10)), 9))
        one = model._compared(mine.astype(int), text)
        assert (one.same, one.total, one.apart) == (2000, 2000, None)
        assert one.percent == "100.0%"


def test_rounded_to_hundredths_it_is_not_log2(explorer):
    explorer.set(weights=explorer.presets["log2"]["weights"], beside="log", shows="ranking")
    assert explorer.values["weights"] == "100 63 50 43 39 36 33 32 30 29"
    assert title(explorer) == "Your NDCG is 0.8987"
    assert board(explorer)["1 / log2(rank + 1)"] == "0.8990"
    explorer.set(shows="pairs")
    assert title(explorer).endswith("agree on 99.2% of 2,000 pairs")
    assert "differs by 0.0009 (median) where they disagree, by 0.1070" in explorer.stage.sentence


def test_where_all_ranks_weigh_the_same_nobody_wins(explorer):
    explorer.set(weights=explorer.presets["All equal"]["weights"], beside="log", shows="pairs")
    assert title(explorer).endswith("agree on 0.0% of 2,000 pairs")
    assert explorer.stage.sentence.endswith("where they disagree. Yours calls 2,000 equal.")
    explorer.set(shows="ranking")
    assert board(explorer)[YOURS] == "1.0000"


def test_a_percentage_is_100_only_if_it_is_all():
    percents = [Compared(same, 2000, None, None).percent for same in (0, 1, 2, 1998, 1999, 2000)]
    assert percents == ["0.0%", "0.1%", "0.1%", "99.9%", "> 99.9%", "100.0%"]
    assert Compared(1, 10_000, None, None).percent == "< 0.1%"
    near = {"a": Compared(1999, 2000, 0.1, 0.2), "b": Compared(1, 10_000, 0.1, 0.2)}
    figure = agreement_dots(near, {YOURS: [1], "a": [1], "b": [1]}, equal=0, beside="a")
    drawn = [text.strip() for text in figure.data[0]["text"]]
    assert drawn == ["<b>&gt; 99.9%</b>", "<b>&lt; 0.1%</b>"]  # plotly reads its text as HTML


# --- the pad --------------------------------------------------------------------------


@given(pads)
def test_weights_are_a_text(weights):
    pad = DiscountPad(label="W", value=f"  {'  '.join(map(str, weights))} ")
    assert pad.value == text_of(weights)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("1 2 3", "weights must be 10 whole numbers, got 3"),
        ("101 9 9 9 9 9 9 9 9 9", "whole numbers from 0 to 100, got 101 for rank 1"),
        ("9 9 9 9 9 9 9 9 9 1.5", "whole numbers from 0 to 100, got 1.5 for rank 10"),
        ("9 ² 9 9 9 9 9 9 9 1", "whole numbers from 0 to 100, got ² for rank 2"),
        (f"{'9' * 5000} 9 9 9 9 9 9 9 9 1", f"got {'9' * 20} for rank 1"),
        ("9 9 9 8 7 8 1 1 1 1", "not rise with the rank, but rank 6 weighs 8 and rank 5 weighs 7"),
        ("0 0 0 0 0 0 0 0 0 0", "weights must give rank 1 a weight from 1 on, got 0"),
        (7, "weights must be a text of 10 whole numbers, got 7"),
    ],
)
def test_what_is_no_discount_is_refused(value, message):
    pad = DiscountPad(label="W")
    with pytest.raises(TraitError, match=message):
        pad.value = value
    assert pad.value == STRAIGHT
    explorer = own_discount()
    before, shown = explorer.values, explorer.stage.figure
    with pytest.raises(ValueError, match=f"weights cannot be .*{message}"):
        explorer.set(weights=value, shows="pairs")
    assert explorer.values == before
    assert explorer.stage.figure == shown


@pytest.mark.parametrize("beside", CONVENTIONS)
def test_the_ghost_is_what_yours_is_compared_with(explorer, beside):
    explorer.controls["beside"].value = beside
    text, discount = CONVENTIONS[beside]
    pad = explorer.controls["weights"]
    explained = "2002 rule: ranks 1, 2 keep all"
    assert pad.ghost_name == (explained if beside == "rule-2002" else text)
    assert pad.ghost == pytest.approx(100 * relative_weights(discount, 10), abs=1e-4)
    assert text in explorer.stage.sentence
    row = NAMES.index(text)
    explorer.set(shows="ranking")
    assert trace(explorer, "beside")["customdata"] == 4 * [text]
    squares = [("diamond", "square-open")[i == row] for i in range(len(NAMES))]
    assert trace(explorer, "NDCG")["marker"]["symbol"] == squares
    explorer.set(shows="pairs")
    assert trace(explorer, "verdicts")["marker"]["symbol"] == squares


def test_the_pad_has_the_grades_of_the_one_list(explorer):
    """So that one sees why ranks without a gain change nothing, however they are drawn."""
    explorer.set(shows="ranking", weights=text_of([100, 90, 80, 70, 0, 0, 0, 0, 0, 0]))
    assert explorer.controls["weights"].grades == list(RANKING)
    low = title(explorer)
    explorer.set(weights=text_of([100, 90, 80, 70, 70, 70, 70, 70, 70, 70]))
    assert title(explorer) == low
    explorer.set(shows="pairs")
    assert explorer.controls["weights"].grades == []


# --- the controls ---------------------------------------------------------------------


@pytest.mark.parametrize("beside", CONVENTIONS)
@pytest.mark.parametrize("shows", ["ranking", "pairs"])
def test_each_preset_with_every_choice(explorer, beside, shows):
    check = check_one_ranking if shows == "ranking" else check_many_pairs
    for preset in explorer.presets.values():
        explorer.set(**preset, beside=beside, shows=shows)
        check(explorer, [int(word) for word in preset["weights"].split()])
