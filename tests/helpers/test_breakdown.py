"""The breakdown always adds up to what `dcg`, `idcg` and `ndcg` return."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.breakdown import HEADER, breakdown, cutoff_curves
from ndcglib.metrics import dcg, idcg, ndcg

QUERY = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from([0.0, 0.5, 1.0, 2.0])), min_size=1, max_size=9
)
RULES = st.fixed_dictionaries(
    {
        "k": st.none() | st.integers(1, 10),
        "gain": st.sampled_from(["linear", "exponential"]),
        "discount": st.sampled_from(["log", "reciprocal", "2002"]),
    }
)
TIES = st.sampled_from(["average", "stable", "best", "worst"])


@settings(deadline=None)
@given(QUERY, RULES, TIES)
def test_columns_add_up(query, rules, ties):
    y_true, y_score = zip(*query, strict=True)
    broken = breakdown(y_true, y_score, ties=ties, **rules)
    value, best = dcg(y_true, y_score, ties=ties, **rules), idcg(y_true, **rules)
    assert sum(broken.column("contribution")) == pytest.approx(value, abs=1e-12)
    assert sum(broken.column("ideal_contribution")) == pytest.approx(best, abs=1e-12)
    assert sum(broken.column("gap")) == pytest.approx(best - value, abs=1e-12)
    assert broken.rows[-1].cumulative == pytest.approx(value, abs=1e-12)
    assert broken.ndcg == ndcg(y_true, y_score, ties=ties, **rules)
    assert sorted(broken.column("doc")) == sorted(f"D{i + 1}" for i in range(len(query)))


@settings(deadline=None)
@given(QUERY, st.lists(st.integers(0, 4), max_size=6), RULES)
def test_columns_add_up_with_a_pool(query, missed, rules):
    y_true, y_score = zip(*query, strict=True)
    pool = [*y_true, *missed]
    broken = breakdown(y_true, y_score, pool=pool, **rules)
    assert sum(broken.column("contribution")) == pytest.approx(dcg(y_true, y_score, **rules))
    assert sum(broken.column("ideal_contribution")) == pytest.approx(idcg(pool, **rules))
    assert broken.ndcg == ndcg(y_true, y_score, pool=pool, **rules)


def test_a_tied_group_shares_its_discounts():
    broken = breakdown([3, 2, 1, 0, 0], [0.9, 0.8, 0.8, 0.8, 0.1])
    assert [row.rank for row in broken.rows] == ["1", "2–4", "2–4", "2–4", "5"]
    assert len(set(broken.column("discount")[1:4])) == 1
    assert round(sum(broken.column("contribution")), 4) == 4.5616


def test_one_row_read_aloud():
    row = breakdown([3, 2, 3, 0, 1], [5, 4, 3, 2, 1], ids=list("ABCDE")).rows[1]
    assert (row.rank, row.doc, row.grade, row.score, row.gain) == ("2", "B", 2, 4, 2.0)
    assert (round(row.discount, 4), round(row.contribution, 4)) == (0.6309, 1.2619)
    assert (round(row.cumulative, 4), round(row.ideal_contribution, 4)) == (4.2619, 1.8928)
    assert round(row.gap, 4) == 0.6309


def test_order_of_unsigned_and_stable_scores():
    scores = np.array([0, 255, 255, 7], dtype=np.uint8)
    assert breakdown([1, 2, 3, 0], scores, ties="stable").column("doc") == ["D2", "D3", "D4", "D1"]
    assert breakdown([1, 2, 3, 0], scores, ties="best").column("doc")[0] == "D3"
    assert breakdown([1, 2, 3, 0], scores, ties="worst").column("doc")[0] == "D2"


def test_shown_as_html_and_text():
    broken = breakdown([1, 0], [0.2, 0.1], k=1, ids=["<b>", "y"])
    html = broken._repr_html_()
    assert "&lt;b&gt;" in html
    assert html.count("<tr") == 3
    assert 'style="opacity:0.7"' in html  # the row beyond k
    assert all(name in repr(broken) for name in HEADER)
    assert str(broken) == "DCG@1 = 1.0000, IDCG@1 = 1.0000, NDCG@1 = 1.0000"


@settings(deadline=None)
@given(QUERY)
def test_curves_are_the_metrics(query):
    y_true, y_score = zip(*query, strict=True)
    curves = cutoff_curves(y_true, y_score)
    assert curves.k == list(range(1, len(query) + 1))
    for k, *values in zip(*curves, strict=True):
        expected = [dcg(y_true, y_score, k=k), idcg(y_true, k=k), ndcg(y_true, y_score, k=k)]
        assert values == pytest.approx(expected)


def test_curves_keep_every_rule():
    y_true, y_score = [3, 0, 2, 1], [1, 1, 2, 1]
    for rules in (dict(gain="exponential"), dict(discount="reciprocal"), dict(log_base=10)):
        for ties in ("average", "worst"):
            curves = cutoff_curves(y_true, y_score, ties=ties, **rules)
            assert curves.dcg[2] == dcg(y_true, y_score, k=3, ties=ties, **rules)
            assert curves.idcg[2] == pytest.approx(idcg(y_true, k=3, **rules))
            assert curves.ndcg[2] == ndcg(y_true, y_score, k=3, ties=ties, **rules)


def test_curves_reach_into_the_pool():
    curves = cutoff_curves([1], [1], pool=[1, 3, 3], k_max=3)
    assert curves.k == [1, 2, 3]
    assert curves.ndcg == [ndcg([1], [1], k=k, pool=[1, 3, 3]) for k in (1, 2, 3)]


def test_pools_in_every_form():
    forms = ([3, 2, 0, 3], (3, 2, 0, 3), np.array([3, 2, 0, 3]), [[3, 2, 0, 3]])
    values = {breakdown([3, 2, 0], [3, 2, 1], pool=form).ndcg for form in forms}
    assert values == {ndcg([3, 2, 0], [3, 2, 1], pool=[3, 2, 0, 3])}


def test_a_tied_group_cut_by_k_is_not_dimmed():
    html = breakdown([1, 2, 0], [1, 1, 0], k=1)._repr_html_()
    assert html.count('style="opacity:0.7"') == 1  # D3; D1 and D2 share rank 1


def test_curves_of_several_queries_are_means():
    y_true, y_score = [[3, 0, 1], [0, 0, 2]], [[3, 2, 1], [1, 2, 3]]
    curves = cutoff_curves(y_true, y_score, k_max=2)
    assert curves.k == [1, 2]
    assert curves.ndcg[1] == ndcg(y_true, y_score, k=2)
    assert curves.idcg[1] == idcg(y_true, k=2)
    pooled = cutoff_curves(y_true, y_score, pool=[[3, 0, 1, 3], [2, 3]], k_max=1)
    assert pooled.idcg == [3.0]
    assert pooled.ndcg[0] == pytest.approx((1 + 2 / 3) / 2)


ERRORS = [
    (dict(y_true=[[1, 0], [0, 1]], y_score=[[1, 2]] * 2), "y_true must be one query, got 2"),
    (dict(y_true=[1, 0], y_score=[1]), "same shape"),
    (dict(y_true=[1, 0], y_score=[1, 2], ids=["a"]), "ids must name each of 2 documents, got 1"),
    (dict(y_true=[-1, 0], y_score=[1, 2]), "must not give negative gains"),
]


def test_a_gain_that_looks_at_all_grades_sees_the_pool_too():
    query = dict(y_true=[1, 2], y_score=[2, 1], pool=[1, 2, 4], gain=lambda g: g / g.max())
    by_hand = dict(y_true=[0.25, 0.5], y_score=[2, 1], pool=[0.25, 0.5, 1])
    shared, expected = breakdown(**query), breakdown(**by_hand)
    assert shared.column("contribution") == expected.column("contribution")
    assert (shared.dcg, shared.idcg, shared.ndcg) == (expected.dcg, expected.idcg, expected.ndcg)
    assert cutoff_curves(**query) == cutoff_curves(**by_hand)


@pytest.mark.parametrize(("arguments", "message"), ERRORS)
def test_errors(arguments, message):
    with pytest.raises(ValueError, match=message):
        breakdown(**arguments)


# --- a list in rank order needs no scores ---------------------------------------------


@settings(deadline=None)
@given(QUERY, RULES)
def test_a_ranked_list_equals_any_falling_scores(query, rules):
    grades = [grade for grade, _ in query]
    falling = -0.5 * np.arange(len(grades))
    rest = {name: value for name, value in rules.items() if name != "k"}
    for function, given_rules in ((dcg, rules), (ndcg, rules), (cutoff_curves, rest)):
        ranked = function(grades, ranked=True, **given_rules)
        assert ranked == function(grades, falling, **given_rules)
    terms, scored = (breakdown(grades, ranked=True, **rules), breakdown(grades, falling, **rules))
    assert terms.column("score") == [None] * len(grades)
    assert [row._replace(score=None) for row in scored.rows] == list(terms.rows)


@pytest.mark.parametrize("function", [dcg, ndcg, breakdown, cutoff_curves])
@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ({}, "y_score is missing; give a score for each document, or say ranked=True"),
        ({"y_score": [1, 2], "ranked": True}, "leave one of the two out"),
        ({"ranked": 1}, "ranked must be True or False, got 1"),
    ],
)
def test_scores_or_ranked_and_not_both(function, given_, says):
    with pytest.raises(TypeError, match=says):
        function([1, 0], **given_)
