"""Who wins a pair of rankings, how often two discounts agree, and the charts of both."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import expected_within
from stage import in_plotly

from course.figures import describe
from course.figures.discount_curves import LABEL_GAP, discount_curves, without_cutoff
from ndcglib.metrics import discount_weights, ndcg, random_ndcg
from ndcglib.metrics.discounts import ndcg_of_a_shuffle, relative_weights
from ndcglib.metrics.pairs import ndcg_differences, random_pairs, verdicts, winners

GRADES = (3, 3, 2, 2, 1, 1, 0, 0, 0, 0)
DISCOUNTS = {
    "1 / log2(rank + 1)": dict(discount="log"),
    "1 / rank": dict(discount="reciprocal"),
    "1 / (rank + 1)": dict(discount=lambda r: 1 / (r + 1)),
    "1 / √rank": dict(discount=lambda r: r**-0.5),
    "0.5^(rank − 1)": dict(discount=lambda r: 0.5 ** (r - 1)),
    "0.8^(rank − 1)": dict(discount=lambda r: 0.8 ** (r - 1)),
    "11 − rank": dict(discount=lambda r: 11 - r),
    "top 3 only": dict(discount=lambda r: (r <= 3).astype(float)),
    "2002 rule, base 2": dict(discount="2002"),
    "2002 rule, base 10": dict(discount="2002", log_base=10),
}

rankings = st.lists(st.integers(0, 4), min_size=1, max_size=8)


@st.composite
def pairs(draw):
    """One pair: some grades, and the same in another order."""
    grades = draw(rankings)
    return grades, draw(st.permutations(grades))


@pytest.fixture(name="orders", scope="module")
def _orders():
    return random_pairs(GRADES, 20_000, seed=0)


@pytest.fixture(name="columns", scope="module")
def _columns(orders):
    return {name: verdicts(*orders, **rule) for name, rule in DISCOUNTS.items()}


# --- pairs ----------------------------------------------------------------------------


def test_pairs_are_independent_orders_of_one_list(orders):
    first, second = orders
    assert first.shape == second.shape == (20_000, 10)
    for table in orders:
        assert (np.sort(table, axis=1) == sorted(GRADES)).all()
        assert table.mean(axis=0) == pytest.approx(np.mean(GRADES), abs=0.04)
    on_top = (first[:, 0] == second[:, 0]).mean()
    assert on_top == pytest.approx(sum((GRADES.count(g) / 10) ** 2 for g in range(4)), abs=0.02)


def test_the_luck_is_a_seed():
    one, other = random_pairs(GRADES, 5, seed=3), random_pairs(GRADES, 5, seed=3)
    assert [t.tolist() for t in one] == [t.tolist() for t in other]
    assert one[0].tolist() != random_pairs(GRADES, 5, seed=4)[0].tolist()
    with pytest.raises(ValueError, match=r"grades must be one flat list, got shape \(1, 2\)"):
        random_pairs([[1, 2]], 3, seed=0)
    with pytest.raises(ValueError, match="n_pairs must be at most 10,000,000 for 2 documents"):
        random_pairs([1, 2], 10**9, seed=0)


# --- verdicts -------------------------------------------------------------------------


@given(pairs(), st.sampled_from(list(DISCOUNTS)), st.sampled_from(["linear", "exponential"]))
def test_the_difference_is_of_two_ndcgs(pair, name, gain):
    one, other = pair
    rule = dict(DISCOUNTS[name], gain=gain, k=max(1, len(one) // 2))
    places = range(len(one), 0, -1)
    expected = ndcg(one, places, **rule) - ndcg(other, places, **rule)
    assert ndcg_differences(one, other, **rule)[0] == pytest.approx(expected, abs=1e-12)


@given(pairs(), st.sampled_from(list(DISCOUNTS)))
def test_who_wins_does_not_depend_on_who_comes_first(pair, name):
    one, other = pair
    assert verdicts(one, other, **DISCOUNTS[name]) == -verdicts(other, one, **DISCOUNTS[name])
    assert verdicts(one, one, **DISCOUNTS[name]) == 0


@given(pairs(), st.sampled_from([2, 2.718281828, 10]))
def test_base_and_constant_factor_cancel(pair, base):
    log2 = ndcg_differences(*pair)
    assert ndcg_differences(*pair, log_base=base) == pytest.approx(log2, abs=1e-12)
    tripled = ndcg_differences(*pair, discount=lambda r: 3 * discount_weights(len(r)))
    assert tripled == pytest.approx(log2, abs=1e-12)


def test_a_hair_is_no_victory():
    found = winners([0.2, 2e-12, 1e-12, 0, -1e-12, -2e-12, -1])
    assert found.tolist() == [1, 1, 0, 0, 0, -1, -1]
    assert found.dtype == int
    # Summed in another order: 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1.
    assert verdicts([0.1, 0.2, 0.3], [0.3, 0.2, 0.1], discount=np.ones_like) == 0


def test_log2_and_1_over_rank_can_disagree():
    one, other = [0, 1, 2, 3, 1, 0], [1, 0, 0, 1, 2, 3]
    assert (verdicts(one, other), verdicts(one, other, discount="reciprocal")) == (1, -1)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([1, 2], [1, 2, 3], r"the same shape, got \(1, 2\) and \(1, 3\)"),
        ([[1, 2], [3, 0]], [[2, 1], [3, 1]], r"but pair 2 is \[3, 0\] and \[3, 1\]"),
        ([1, float("nan")], [1, 1], "first must be finite"),
    ],
)
def test_pairs_of_other_documents_are_refused(first, second, message):
    with pytest.raises(ValueError, match=message):
        verdicts(first, second)


# --- agreement ------------------------------------------------------------------------


def test_the_numbers_of_notebook_discount(orders, columns):
    """On 20,000 pairs, in percent; and how near to a tie the disagreements are."""
    log2 = columns["1 / log2(rank + 1)"]
    assert {name: round(100 * (log2 == own).mean(), 1) for name, own in columns.items()} == {
        "1 / log2(rank + 1)": 100,
        "1 / rank": 98.6,
        "1 / (rank + 1)": 96.6,
        "1 / √rank": 96.8,
        "0.5^(rank − 1)": 97.0,
        "0.8^(rank − 1)": 89.8,
        "11 − rank": 80.3,
        "top 3 only": 71.4,
        "2002 rule, base 2": 87.7,
        "2002 rule, base 10": 0.0,  # it calls all orders of ten documents equal
    }
    sizes = np.abs(ndcg_differences(*orders))
    same = columns["1 / rank"] == columns["1 / log2(rank + 1)"]
    medians = np.median(sizes[~same]), np.median(sizes[same])
    assert medians == pytest.approx((0.0034, 0.1090), abs=5e-5)


# --- the figures ----------------------------------------------------------------------


def few(names):
    """Return discounts as the figures take them."""
    rules = {name: DISCOUNTS[name] for name in names}
    return {n: (r["discount"], 10) if "log_base" in r else r["discount"] for n, r in rules.items()}


FIVE = few(["1 / log2(rank + 1)", "1 / rank", "0.8^(rank − 1)", *list(DISCOUNTS)[-2:]])


def test_curves_are_weights_with_rank_1_at_1():
    figure = discount_curves(FIVE)
    for trace, (name, discount) in zip(in_plotly(figure).data, FIVE.items(), strict=False):
        kind, base = discount if isinstance(discount, tuple) else (discount, 2)
        weights = discount_weights(10, discount=kind, log_base=base)
        assert trace.name == name
        assert list(trace.x) == list(range(1, 11))
        assert trace.y == pytest.approx(weights / weights[0], abs=1e-6)
    looks = [(t.line.color, t.line.dash, t.marker.symbol) for t in in_plotly(figure).data[:5]]
    assert all(len({look[i] for look in looks}) == 5 for i in range(3))
    rows = describe(figure).rows
    assert rows[9][:3] == [10, 0.2891, 0.1]
    ends = "rank 10 weighs 0.2891 under 1 / log2(rank + 1), 0.1000 under 1 / rank"
    assert ends in describe(figure).sentence
    assert in_plotly(discount_curves(FIVE, title="T")).layout.title.text == "T"


def test_names_stand_beside_the_ends_and_apart():
    figure = discount_curves(FIVE)
    notes = in_plotly(figure).layout.annotations
    assert [note.text for note in notes] == list(FIVE)
    heights = sorted(note.y for note in notes)
    assert min(np.diff(heights)) >= LABEL_GAP - 1e-6
    for note, trace in zip(notes, in_plotly(figure).data, strict=False):
        assert abs(note.y - trace.y[-1]) < LABEL_GAP
    assert all(0 < note.y <= 1 for note in notes)
    assert notes[-1].y == 1


@pytest.mark.parametrize(
    ("discounts", "error", "message"),
    [
        ([("a", "log")], TypeError, "discounts must be a dict of names, got list"),
        ({}, ValueError, "discounts must hold 1 to 5 entries, got 0"),
        (dict.fromkeys("abcdef", "log"), ValueError, "1 to 5 entries, got 6"),
        ({"a": ("reciprocal", 10)}, ValueError, "log_base=10 has no effect"),
        ({"a": np.zeros_like}, ValueError, "must give rank 1 a weight above 0"),
    ],
)
def test_what_is_no_discount_is_refused(discounts, error, message):
    with pytest.raises(error, match=message):
        discount_curves(discounts)


def test_without_a_cutoff_everything_looks_good():
    """The closed form, against the numbers of the course and against the metric."""
    figure = without_cutoff()
    curves = [trace for trace in in_plotly(figure).data if len(trace.x) == 7]
    log2, reciprocal, cut = (list(trace.y) for trace in curves)
    assert [round(v, 3) for v in log2] == [0.770, 0.775, 0.812, 0.872, 0.911, 0.932, 0.945]
    assert [round(v, 3) for v in cut] == [0.770, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]
    for i, n in enumerate((10, 20, 100, 1000)):
        half = [1, 0] * (n // 2)
        assert log2[i] == pytest.approx(random_ndcg(half), abs=1e-6)
        assert cut[i] == pytest.approx(random_ndcg(half, k=10), abs=1e-6)
        assert reciprocal[i] == pytest.approx(random_ndcg(half, discount="reciprocal"), abs=1e-6)
    assert in_plotly(figure).layout.xaxis.type == "log"
    title = in_plotly(figure).layout.title.text.replace("<br>", " ")
    assert title.endswith("gets 0.770 with 10 documents and 0.945 with 1,000,000")
    assert "1 / log2(rank + 1) 0.770 to 0.945; " in describe(figure).sentence
    assert describe(figure).rows[-1] == ["1,000,000", 0.9449, 0.5253, 0.5]


def test_a_shuffle_is_fast_and_takes_other_sizes():
    with expected_within(1, "The levels without a cutoff"):
        without_cutoff()
    assert ndcg_of_a_shuffle(("2002", 10), (4, 8)) == [1, 1]
    assert ndcg_of_a_shuffle(("2002", 10), (4, 8), 3) == [0.75, 0.5]  # 1.5 of 2, and 1.5 of 3


def test_weights_of_a_pair_is_a_name_and_a_base():
    assert relative_weights(("2002", 10), 10).tolist() == [1] * 10
    assert relative_weights(lambda r: 7 / r, 2).tolist() == [1, 0.5]
