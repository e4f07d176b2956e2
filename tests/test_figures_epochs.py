"""The charts of notebook 12: loss and NDCG by epoch, losses compared, price and grade."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.datasets import ranking_data, shop_data
from helpers.figures.describe import describe
from helpers.figures.epochs import loss_and_ndcg, losses_compared
from helpers.figures.numbers import signed
from helpers.figures.prices import price_and_grade
from helpers.figures.style import OTHERS, TITLE_CHARACTERS
from helpers.metrics import ndcg, random_ndcg
from helpers.tuning import Epoch, fit, linear_scores

SHOP = shop_data(60, seed=2)
X, Y = SHOP.train[:2]
HELD_OUT = SHOP.validation[:2]
FIT = fit(X, Y, "squared", epochs=30, rate=0.2, k=5, validation=HELD_OUT)


def made(*rows):
    """Make a history of (loss, training NDCG, validation NDCG); epoch 0 has all weights 0."""
    return [
        Epoch(i, np.array([float(i)]), 0.0, loss, train, validation)
        for i, (loss, train, validation) in enumerate(rows)
    ]


FALLS = made((9.0, 0.5, 0.4), (2.0, 0.6, 0.5), (1.5, 0.55, 0.52), (1.0, 0.45, 0.3))


def chart(history, at=None, k=None, levels=None, loss_name="loss"):
    at = history[-1].number if at is None else at
    return loss_and_ndcg(history, at=at, k=k, levels=levels or {}, loss_name=loss_name)


def title(figure):
    return figure.layout.title.text.replace("<br>", " ")


def named(figure, name):
    (trace,) = (trace for trace in figure.data if trace.name == name)
    return trace


def notes(figure):
    return {note.text.replace("<br>", " "): note for note in figure.layout.annotations}


# --- loss and NDCG --------------------------------------------------------------------


def test_the_curves_are_the_history():
    figure = chart(FIT.history, at=7, k=5)
    numbers = list(range(31))
    left, train, held = (
        named(figure, name) for name in ("loss", "training queries", "validation queries")
    )
    assert [left.xaxis, train.xaxis, held.xaxis] == [None, "x2", "x2"]
    for trace in (left, train, held):
        assert list(trace.x) == numbers
    errors = [((linear_scores(X, e.w) + e.b - Y) ** 2).mean() for e in FIT.history]
    assert left.y == pytest.approx(errors, abs=1e-6)
    for trace, (features, grades) in ((train, (X, Y)), (held, HELD_OUT)):
        values = [ndcg(grades, linear_scores(features, e.w), k=5) for e in FIT.history]
        assert trace.y == pytest.approx(values, abs=1e-6)
    assert train.line.dash == "solid"
    assert held.line.dash == "dash"
    assert train.marker.symbol != held.marker.symbol


def test_epoch_0_is_the_random_level():
    assert FIT.history[0].train == pytest.approx(random_ndcg(Y, k=5), abs=1e-9)
    assert title(chart(FIT.history, at=0, k=5)).startswith(
        "Epoch 0, all tied, as good as random: loss "
    )


@pytest.mark.parametrize("at", range(4))
def test_the_present_epoch_is_marked_in_both_panels(at):
    figure = chart(FALLS, at=at)
    lines = [(s.xref, s.x0, s.x1) for s in figure.layout.shapes]
    assert lines == [("x", at, at), ("x2", at, at)]
    left, right = figure.data[-2:]
    now = FALLS[at]
    assert (left.xaxis, list(left.x), list(left.y)) == (None, [at], [now.loss])
    assert (right.xaxis, list(right.x)) == ("x2", [at, at])
    assert list(right.y) == [now.validation, now.train]
    assert left.marker.opacity == right.marker.opacity == 1
    note = notes(figure)[f"epoch {at}"]
    assert note.x == at
    assert note.xanchor == ("left" if at <= 1 else "right")


TITLES = {
    "Since epoch 1: loss fell 2.000 → 1.000, but NDCG@5 fell 0.600 → 0.450": FALLS[3],
    "Since epoch 1: loss fell 2.000 → 1.000, and NDCG@5 rose 0.600 → 0.700": (1.0, 0.7),
    "Since epoch 1: loss rose 2.000 → 3.000, but NDCG@5 rose 0.600 → 0.602": (3.0, 0.602),
    "Since epoch 1: loss rose 2.000 → 3.000, and NDCG@5 fell 0.600 → 0.598": (3.0, 0.598),
    "Since epoch 1: loss fell 2.000 → 1.000, NDCG@5 stayed near 0.601": (1.0, 0.6009),
    "Since epoch 1: loss stayed near 2.001, NDCG@5 fell 0.600 → 0.500": (2.001, 0.5),
}


@pytest.mark.parametrize("expected", TITLES)
def test_the_title_says_which_way_both_went(expected):
    last = TITLES[expected]
    loss, train = (last.loss, last.train) if isinstance(last, Epoch) else last
    history = made((9.0, 0.5, 0.4), (2.0, 0.6, 0.5), (5.0, 0.1, 0.5), (loss, train, 0.3))
    assert title(chart(history, at=3, k=5)) == expected


def test_the_first_step_is_compared_with_the_start():
    figure = chart(FALLS, at=1, k=3)
    assert title(figure) == "First step: loss fell 9.000 → 2.000, and NDCG@3 rose 0.500 → 0.600"
    assert describe(figure).sentence == (
        "Epochs 0 → 1: loss 9.0000 → 2.0000; NDCG@3, training 0.5000 → 0.6000, "
        "validation 0.4000 → 0.5000. Epoch 0: all tied, as good as random."
    )


def test_a_history_that_begins_later_begins_there():
    figure = chart(FALLS[1:], at=3)
    assert title(figure).startswith("Since epoch 1: loss fell 2.000 → 1.000")
    assert title(chart(FALLS[2:], at=3)).startswith("Since epoch 2: loss fell 1.500")
    assert title(chart(FALLS[2:], at=2)) == "Epoch 2: loss 1.500, NDCG 0.550"
    assert "tied" not in describe(chart(FALLS[1:], at=1)).sentence


def test_sentence_and_table_have_all_numbers():
    levels = {"random": (0.5, 0.4), "truth": (0.91, 0.92)}
    words = describe(chart(FALLS, at=2, k=5, levels=levels, loss_name="squared loss"))
    assert words.sentence == (
        "Epochs 1 → 2: squared loss 2.0000 → 1.5000; NDCG@5, training 0.6000 → 0.5500, "
        "validation 0.5000 → 0.5200, random 0.5000 and 0.4000, truth 0.9100 and 0.9200."
    )
    assert words.header == ["epoch", "squared loss", "NDCG@5, training", "NDCG@5, validation"]
    assert words.rows == [
        *([e.number, e.loss, e.train, e.validation] for e in FALLS),
        ["random", None, 0.5, 0.4],
        ["truth", None, 0.91, 0.92],
    ]


# --- axes -----------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "is_log"), [(7.9, False), (8.1, True), (1e6, True)])
def test_a_loss_that_falls_far_is_on_a_log_axis_that_says_so(first, is_log):
    history = made((first, 0.5, 0.4), (2.0, 0.6, 0.5), (1.0, 0.6, 0.5))
    axis = chart(history, loss_name="pairwise loss").layout.yaxis
    assert ("log\u00a0axis" in axis.title.text) == (axis.type == "log") == is_log
    low, high = (10**end for end in axis.range) if is_log else axis.range
    assert low < 1 < first < high
    if is_log:
        assert {1.0, 2.0, 5.0} <= set(axis.tickvals)
        assert all(f"{tick:e}"[0] in "125" for tick in axis.tickvals)


@pytest.mark.parametrize("least", [0.0, 1e-16, 9e-5])
def test_a_loss_that_shows_as_zero_is_not_on_a_log_axis(least):
    figure = chart(made((5.0, 0.5, 0.4), (least, 1.0, 1.0)))
    assert figure.layout.yaxis.type is None


def test_a_flat_history_has_axes():
    figure = chart(made((2.0, 1.0, 1.0)), at=0, levels={"a": (1 - 1e-12, 1.0)})
    for axis in (figure.layout.yaxis, figure.layout.yaxis2, figure.layout.xaxis):
        assert axis.range[0] < axis.range[1]


VALUE = st.floats(0, 1)
ROW = st.tuples(st.floats(1e-6, 1e6), VALUE, VALUE)
LEVELS = st.dictionaries(st.sampled_from("abcd"), st.tuples(VALUE, VALUE), max_size=4)


@settings(deadline=None)
@given(st.lists(ROW, min_size=1, max_size=5), LEVELS, st.data())
def test_whatever_the_numbers_all_of_it_is_inside(rows, levels, data):
    history = made(*rows)
    at = data.draw(st.integers(0, len(rows) - 1))
    figure = chart(history, at=at, levels=levels)
    log = figure.layout.yaxis.type == "log"
    losses = [math.log10(row[0]) if log else row[0] for row in rows]
    low, high = figure.layout.yaxis.range
    assert low <= min(losses)
    assert max(losses) <= high
    low, high = figure.layout.yaxis2.range
    shown = [v for trace in figure.data if trace.xaxis == "x2" for v in trace.y if v is not None]
    assert low <= min(shown)
    assert max(shown) <= high
    assert all(len(part) <= TITLE_CHARACTERS for part in figure.layout.title.text.split("<br>"))
    table = describe(figure).rows
    assert [row[0] for row in table] == [*range(len(rows)), *levels]


# --- levels ---------------------------------------------------------------------------


def test_levels_are_lines_with_names_beside_the_panel():
    levels = {"random": (0.5, 0.4), "generating weights": (0.9, 0.8)}
    figure = chart(FALLS, at=1, levels=levels)
    train, held = figure.data[:2]
    edge = figure.layout.xaxis2.range
    assert list(train.y) == [0.5, 0.5, 0.4, None, 0.9, 0.9, 0.8, None]
    assert list(held.y) == [0.4, 0.4, 0.4, None, 0.8, 0.8, 0.8, None]
    for trace in (train, held):
        assert list(trace.x[:4]) == [*edge, edge[1], None]
        assert trace.line.width < 2 < named(figure, "training queries").line.width
    assert train.line.color == named(figure, "training queries").line.color
    assert held.line.dash == named(figure, "validation queries").line.dash
    low, high = figure.layout.yaxis2.range
    for name, place in (("random", 0.45), ("generating weights", 0.85)):
        note = notes(figure)[name]
        assert (note.x, note.xref, note.xanchor) == (1, "x2 domain", "left")
        assert note.y == pytest.approx((place - low) / (high - low), abs=0.06)


# --- losses compared ------------------------------------------------------------------


@pytest.fixture(name="fits", scope="module")
def _fits():
    options = dict(k=5, validation=HELD_OUT)
    return {
        "squared": fit(X, Y, "squared", epochs=20, rate=0.2, **options),
        "pairs": fit(X, Y, "pairwise", epochs=10, rate=3, **options),
    }


def test_losses_compared(fits):
    figure = losses_compared(fits, k=5)
    for name, found in fits.items():
        trace = named(figure, name)
        assert list(trace.x) == list(range(len(found.history)))
        values = [ndcg(HELD_OUT[1], linear_scores(HELD_OUT[0], e.w), k=5) for e in found.history]
        assert trace.y == pytest.approx(values, abs=1e-6)
    assert len({trace.line.dash for trace in figure.data}) == 2
    ends = [f"{name} {found.history[-1].validation:.3f}" for name, found in fits.items()]
    assert title(figure) == f"Validation NDCG@5 at the end: {', '.join(ends)}"
    words = describe(figure)
    assert words.header == ["epoch", "squared", "pairs"]
    assert len(words.rows) == 21
    assert words.rows[10][2] == round(fits["pairs"].history[10].validation, 4)
    assert words.rows[11][2] is None
    assert "pairs 0." in words.sentence
    assert "in 10 epochs." in words.sentence


def test_fits_that_are_none(fits):
    with pytest.raises(ValueError, match="fits must hold 2 to 4 entries, got 1"):
        losses_compared({"a": FIT})
    with pytest.raises(ValueError, match="fits must hold 2 to 4 entries, got 5"):
        losses_compared(dict.fromkeys("abcde", FIT))
    with pytest.raises(TypeError, match="fits must be a dict of names, got list"):
        losses_compared([FIT, FIT])
    with pytest.raises(TypeError, match=r"fits\['b'\] must come from helpers.tuning.fit, got tup"):
        losses_compared({"a": FIT, "b": FIT.history})
    alone = fit(X, Y, "squared", epochs=2, rate=0.2)
    with pytest.raises(ValueError, match=r"fits\['b'\] has no NDCG on validation data; pass"):
        losses_compared({"a": FIT, "b": alone})


# --- price and grade ------------------------------------------------------------------

PRICE = X[..., 0]
CHOSEN = [3, 0, 20, 7, 11]


def polyfit(x, y):
    return np.polyfit(x.ravel(), y.ravel(), 1)


def test_the_lines_are_least_squares():
    figure = price_and_grade(PRICE, Y, CHOSEN)
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    fitted = [polyfit(PRICE[q], Y[q]) for q in CHOSEN] + [polyfit(PRICE, Y)]
    parts = [PRICE[q] for q in CHOSEN] + [PRICE]
    for trace, coefficients, x in zip(lines, fitted, parts, strict=True):
        assert trace.x == pytest.approx([x.min(), x.max()], abs=1e-6)
        assert trace.y == pytest.approx(np.polyval(coefficients, trace.x), abs=1e-5)
        assert trace.name.endswith(f": {signed(coefficients[0], 2, plus=True)}")
        assert trace.line.dash in (None, "solid")
    assert [trace.line.color for trace in lines] == [*(o.color for o in OTHERS), "#000000"]
    rows = describe(figure).rows
    assert [row[4] for row in rows[2:]] == pytest.approx([f[0] for f in fitted[:-1]], abs=1e-4)
    assert rows[0][:2] == ["all offers", PRICE.size]
    assert rows[0][2:] == pytest.approx([PRICE.mean(), Y.mean(), fitted[-1][0]], abs=1e-4)


def test_the_slope_within_is_that_of_centered_data():
    price, grade = (values - values.mean(axis=1, keepdims=True) for values in (PRICE, Y))
    within = polyfit(price, grade)[0]
    overall = polyfit(PRICE, Y)[0]
    assert within < 0 < overall
    figure = price_and_grade(PRICE, Y, CHOSEN)
    assert title(figure) == (
        f"Over all offers the grade rises with the price (+{overall:.2f}), "
        f"within a category it falls (−{-within:.2f})"
    )
    assert describe(figure).rows[1][4] == pytest.approx(within, abs=1e-4)
    turned = title(price_and_grade(-PRICE, Y, CHOSEN))
    assert re.search("falls with the price .* it rises", turned)


def test_the_points_are_the_offers_spread_a_little():
    figure = price_and_grade(PRICE, Y, CHOSEN)
    others, *marked = [trace for trace in figure.data if trace.mode == "markers"]
    for trace, query in zip(marked, CHOSEN, strict=True):
        assert trace.x == pytest.approx(PRICE[query], abs=1e-6)
        assert np.abs(np.array(trace.y) - Y[query]).max() <= 0.31
        assert trace.name.startswith(f"category {query}: ")
    assert len({trace.marker.symbol for trace in marked}) == 5
    assert {trace.marker.color for trace in marked}.isdisjoint({others.marker.color})
    rest = np.delete(PRICE, CHOSEN, axis=0).ravel()
    assert sorted(others.x) == pytest.approx(sorted(rest), abs=1e-6)
    assert price_and_grade(PRICE, Y, CHOSEN) == figure


def test_points_do_not_cover_each_other():
    """Ten offers of one price and one grade are ten points, far enough apart."""
    x = np.array([[1.0] * 10, np.arange(10.0)])
    y = np.repeat([[2.0], [0.0]], 10, axis=1)
    y[1, 0] = 1
    others = next(t for t in price_and_grade(x, y, [1]).data if t.name == "other categories")
    gaps = np.diff(sorted(others.y))
    assert gaps.min() > 0.02


def test_of_many_other_offers_some_are_drawn_and_all_count():
    data = shop_data(seed=2)
    x, y = data.train.X[..., 0], data.train.y
    figure = price_and_grade(x, y, [0, 1])
    others = next(t for t in figure.data if t.name == "other categories")
    assert 300 <= len(others.x) <= 600
    late = {round(float(price), 6) for price in x[-30:].ravel()}
    assert 30 <= len(late.intersection(others.x)) <= 90  # from all categories alike
    assert f"Of the 2,980 other offers {len(others.x)} are drawn." in describe(figure).sentence
    assert describe(figure).rows[0][4] == pytest.approx(polyfit(x, y)[0], abs=1e-4)
    assert "are drawn" not in describe(price_and_grade(PRICE, Y, CHOSEN)).sentence


@pytest.mark.parametrize("chosen", [[36], [-1], [0.5], [True]])
def test_chosen_that_are_no_queries(chosen):
    with pytest.raises(ValueError, match="a number in chosen must be a whole number from 0 to 35"):
        price_and_grade(PRICE, Y, chosen)


def test_prices_and_choices_that_do_not_fit():
    with pytest.raises(ValueError, match="chosen must be 1 to 5 queries, got 6"):
        price_and_grade(PRICE, Y, range(6))
    with pytest.raises(ValueError, match="chosen must be 1 to 5 queries, got 0"):
        price_and_grade(PRICE, Y, [])
    with pytest.raises(ValueError, match=r"chosen must be different queries, got \[1, 1\]"):
        price_and_grade(PRICE, Y, [1, 1])
    with pytest.raises(ValueError, match="query 1 has one price only"):
        price_and_grade([[1, 2], [3, 3]], [[1, 0], [1, 0]], [1])
    with pytest.raises(ValueError, match=r"same shape, got \(36, 10\) and \(36, 9\)"):
        price_and_grade(PRICE, Y[:, 1:], [0])
    with pytest.raises(ValueError, match="x must be finite"):
        price_and_grade(np.full((2, 2), np.nan), Y[:2, :2], [0])


def test_signed():
    said = [signed(v, 2, plus=True) for v in (0.8, -0.7, 0.001, -0.001)]
    assert said == ["+0.80", "−0.70", "0.00", "0.00"]


# --- style ----------------------------------------------------------------------------


def test_the_figures_keep_to_the_style(fits):
    linear = ranking_data(50, seed=1)
    held_out = linear.validation[:2]
    found = fit(*linear.train[:2], "lambdarank", epochs=60, rate=3, validation=held_out)
    figures = [
        chart(found.history, at=60, levels={"random": (0.4, 0.3)}),
        losses_compared(fits),
        price_and_grade(PRICE, Y, CHOSEN),
    ]
    for figure in figures:
        text = figure.to_json()
        assert len(text) < 20_000
        assert "bdata" not in text  # plain lists
        words = describe(figure)
        assert words.sentence.endswith(".")
        assert {len(row) for row in words.rows} == {len(words.header)}
        assert figure.layout.xaxis.title.text
        assert figure.layout.yaxis.title.text
        for line in figure.layout.title.text.split("<br>"):
            assert len(line) <= TITLE_CHARACTERS


def test_a_title_of_ones_own(fits):
    assert title(losses_compared(fits, title="Mine")) == "Mine"
