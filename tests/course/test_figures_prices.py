"""The charts of notebook *regression*: price and grade."""

import re

import numpy as np
import pytest
from stage import in_plotly

from course.figures.prices import price_and_grade
from coursekit.figure import describe
from helpers.numbers import signed
from helpers.style import OTHERS
from ndcglib.datasets import shop_data

SHOP = shop_data(60, seed=2)
X, Y = SHOP.train[:2]


def title(figure):
    return in_plotly(figure).layout.title.text.replace("<br>", " ")


def named(figure, name):
    (trace,) = (trace for trace in in_plotly(figure).data if trace.name == name)
    return trace


PRICE = X[..., 0]
CHOSEN = [3, 0, 20, 7, 11]


def polyfit(x, y):
    return np.polyfit(x.ravel(), y.ravel(), 1)


def test_the_lines_are_least_squares():
    figure = price_and_grade(PRICE, Y, CHOSEN)
    lines = [trace for trace in in_plotly(figure).data if trace.mode == "lines"]
    fitted = [polyfit(PRICE[q], Y[q]) for q in CHOSEN] + [polyfit(PRICE, Y)]
    parts = [PRICE[q] for q in CHOSEN] + [PRICE]
    for trace, coefficients, x in zip(lines, fitted, parts, strict=True):
        assert trace.x == pytest.approx([x.min(), x.max()], abs=1e-6)
        assert trace.y == pytest.approx(np.polyval(coefficients, trace.x), abs=1e-5)
        assert trace.name.endswith(f": {signed(coefficients[0], 2, plus=True)}")
        assert trace.line.dash in (None, "solid")
    slopes = [signed(coefficients[0], 2, plus=True) for coefficients in fitted[:-1]]
    each = ", ".join(f"{query}: {slope}" for query, slope in zip(CHOSEN, slopes, strict=True))
    assert f"category {each}." in describe(figure).sentence
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


@pytest.mark.parametrize("way", [1, -1])
def test_the_name_of_all_offers_stands_where_their_line_leaves_the_panel(way):
    drawn = in_plotly(price_and_grade(way * PRICE, Y, CHOSEN))
    name = next(note for note in drawn.layout.annotations if note.text.startswith("<b>all"))
    line = next(t for t in drawn.data if t.name.startswith("all offers"))
    slope = np.diff(line.y) / np.diff(line.x)
    assert name.y == pytest.approx(line.y[0] + slope.item() * (name.x - line.x[0]), abs=1e-5)
    low, high = drawn.layout.yaxis.range
    at_the_rim = name.y == pytest.approx(high if way > 0 else low, abs=1e-5)
    assert at_the_rim or name.x == pytest.approx(line.x[1])


def test_the_points_are_the_offers_spread_a_little():
    figure = price_and_grade(PRICE, Y, CHOSEN)
    others, *marked = [trace for trace in in_plotly(figure).data if trace.mode == "markers"]
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
    others = next(
        t for t in in_plotly(price_and_grade(x, y, [1])).data if t.name == "other categories"
    )
    gaps = np.diff(sorted(others.y))
    assert gaps.min() > 0.02


def test_of_many_other_offers_some_are_drawn_and_all_count():
    data = shop_data(seed=2)
    x, y = data.train.X[..., 0], data.train.y
    figure = price_and_grade(x, y, [0, 1])
    others = next(t for t in in_plotly(figure).data if t.name == "other categories")
    assert 200 <= len(others.x) <= 320
    late = {round(float(price), 6) for price in x[-30:].ravel()}
    assert 15 <= len(late.intersection(others.x)) <= 60  # from all categories alike
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


# --- style ----------------------------------------------------------------------------
