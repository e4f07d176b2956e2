"""`ndcglib.metrics` against scikit-learn, all permutations, and its own promises."""

import itertools
import math
import re
import tracemalloc
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import dcg_score, ndcg_score

from ndcglib.metrics import (
    dcg,
    discount_weights,
    gain_values,
    idcg,
    ndcg,
    ndcg_long,
    random_ndcg,
    worst_ndcg,
)

TOLERANCE = 1e-12


def tied_data(seed, n_queries, n_docs, levels=4):
    """Grades 0 to 3 and scores of few distinct values: heavy ties."""
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, 4, (n_queries, n_docs))
    y_score = rng.integers(0, levels, (n_queries, n_docs)) / 7
    return y_true, y_score, rng.random(n_queries)


# --- the same numbers as scikit-learn -------------------------------------------------


@pytest.mark.parametrize("n_docs", [2, 3, 7, 12, 40])
@pytest.mark.parametrize("levels", [1, 2, 4, 1000])
def test_defaults_equal_scikit_learn(n_docs, levels):
    y_true, y_score, weights = tied_data(n_docs, 25, n_docs, levels)
    y_true[3] = 0  # one query without anything relevant
    for k in [None, *range(1, n_docs + 3)]:
        for weight in (None, weights):
            theirs = ndcg_score(y_true, y_score, k=k, sample_weight=weight)
            assert ndcg(y_true, y_score, k=k, sample_weight=weight) == pytest.approx(
                theirs, abs=TOLERANCE
            )
            for base in (2, 10, math.e, 1.5):
                theirs = dcg_score(y_true, y_score, k=k, log_base=base, sample_weight=weight)
                ours = dcg(y_true, y_score, k=k, log_base=base, sample_weight=weight)
                assert ours == pytest.approx(theirs, abs=TOLERANCE * max(1, theirs))


@pytest.mark.parametrize("k", [None, 1, 10, 999])
def test_blocks_join_without_a_seam(k):
    """More documents than one block holds, and rows that do not divide it."""
    y_true, y_score, _ = tied_data(5, 101, 1001, levels=50)
    assert ndcg(y_true, y_score, k=k) == pytest.approx(
        ndcg_score(y_true, y_score, k=k), abs=TOLERANCE
    )


def test_exponential_gain_equals_scikit_learn_given_the_gains():
    y_true, y_score, _ = tied_data(1, 30, 9)
    gains = 2.0**y_true - 1
    for k in (None, 3):
        assert ndcg(y_true, y_score, k=k, gain="exponential") == pytest.approx(
            ndcg_score(gains, y_score, k=k), abs=TOLERANCE
        )


def test_documentation_example_of_scikit_learn():
    assert dcg([10, 0, 0, 1, 5], [1, 0, 0, 0, 1], k=1) == 7.5


def test_unsigned_scores_are_not_negated():
    y_true, y_score = [0, 1, 2, 3], np.array([0, 1, 2, 3], dtype=np.uint8)
    assert ndcg(y_true, y_score) == 1.0
    assert ndcg(y_true, y_score, ties="stable") == 1.0
    unsigned = np.array([[0, 1]], dtype=np.uint8)
    assert ndcg([[1, 0]], unsigned) == pytest.approx(1 / math.log2(3))
    assert ndcg_score([[1, 0]], unsigned) == 1.0  # what the docstring of `ndcg` warns of


def test_rounding_above_1_is_as_small_as_promised():
    grades = np.random.default_rng(0).integers(0, 5, 100_000)
    assert ndcg(grades, grades, gain="exponential") <= 1 + 1e-14


def test_ties_are_exact_in_the_dtype_that_came():
    scores = np.array([0.1 + 0.2, 0.3])
    assert ndcg([0, 1], scores) == pytest.approx(1 / math.log2(3))
    tied = ndcg([0, 1], scores.astype(np.float32))
    assert tied == pytest.approx((1 + 1 / math.log2(3)) / 2)
    assert ndcg([0, 1], [0.0, -0.0]) == tied


# --- golden numbers -------------------------------------------------------------------


def in_rank_order(grades):
    return grades, list(range(len(grades), 0, -1))


GOLDEN = [
    (dict(), [3, 2, 3, 0, 1], 0.9724),
    (dict(gain="exponential"), [3, 2, 3, 0, 1], 0.9575),
    (dict(discount="2002"), [3, 2, 3, 0, 1], 0.9435),
    (dict(discount="2002", log_base=10), [3, 2, 3, 0, 1], 1.0),
    (dict(), [2, 3, 1, 3, 0], 0.8990),
    (dict(gain="exponential"), [2, 3, 1, 3, 0], 0.8190),
    (dict(k=3), [2, 3, 1, 3, 0], 0.7455),
    (dict(k=3, gain="exponential"), [2, 3, 1, 3, 0], 0.6129),
    (dict(discount="reciprocal"), [2, 3, 1, 3, 0], 0.8462),
    (dict(discount=lambda rank: 1 / (rank + 1)), [2, 3, 1, 3, 0], 0.8906),
    (dict(discount=lambda rank: 0.8 ** (rank - 1)), [2, 3, 1, 3, 0], 0.9143),
    (dict(gain={0: 0, 1: 1, 2: 3, 3: 7}), [2, 3, 1, 3, 0], 0.8190),
]


@pytest.mark.parametrize(("options", "grades", "expected"), GOLDEN)
def test_golden(options, grades, expected):
    assert round(ndcg(*in_rank_order(grades), **options), 4) == expected


def test_golden_levels():
    grades = [3, 2, 3, 0, 1]
    assert round(random_ndcg(grades), 4) == 0.8393
    assert round(worst_ndcg(grades), 4) == 0.6458
    values = [ndcg(*in_rank_order(p)) for p in itertools.permutations(grades)]
    assert sum(value >= 0.8 for value in values) == 76


def test_golden_ties():
    y_true, y_score = [2, 3, 0, 0, 1], [0.9, 0.5, 0.5, 0.5, 0.1]
    assert round(dcg(y_true, y_score), 4) == 3.9485
    assert round(ndcg(y_true, y_score), 4) == 0.8292
    assert round(dcg(y_true, y_score, k=3), 4) == 3.1309
    assert round(ndcg(y_true, y_score, k=3), 4) == 0.6575
    assert round(ndcg(y_true, y_score, k=2), 4) == 0.6173
    assert round(dcg(y_true, y_score, ties="best"), 4) == 4.2796
    assert round(dcg(y_true, y_score, ties="stable"), 4) == 4.2796
    assert round(dcg(y_true, y_score, ties="worst"), 4) == 3.6789


def test_constant_model_depends_on_the_convention():
    y_true = [1, 1, 1] + [0] * 17
    flat = [0.0] * 20
    assert ndcg(y_true, flat, k=5, ties="stable") == 1.0
    assert ndcg(y_true[::-1], flat, k=5, ties="stable") == 0.0
    assert round(ndcg(y_true, flat, k=5), 3) == 0.208


def test_pool():
    grades, scores = in_rank_order([1, 0, 0])
    pool = [1, 0, 0, 3, 3, 3]
    assert round(ndcg(grades, scores, k=3, pool=pool), 3) == 0.156
    assert ndcg(grades, scores, k=3) == 1.0
    assert ndcg([[1, 1, 1]], [[3, 2, 1]], k=3, pool=[[1, 1, 1, 3, 3, 3]]) == pytest.approx(1 / 3)
    two = ndcg([grades] * 2, [scores] * 2, k=3, pool=[pool, [1, 0, 0, 2]], per_query=True)
    assert two[0] == ndcg(grades, scores, k=3, pool=pool)
    assert two[1] == pytest.approx(1 / (2 + 1 / math.log2(3)))


def test_a_pool_may_lack_documents_without_gain():
    """Unjudged documents stand in the list with grade 0 but in no pool."""
    grades, scores = in_rank_order([0, 2, 0])
    assert ndcg(grades, scores, pool=[2]) == pytest.approx(1 / math.log2(3))


# --- brute force over all permutations ------------------------------------------------


def dcg_by_definition(grades, k):
    return sum(g / math.log2(r + 1) for r, g in enumerate(grades[:k], start=1))


def orders_of(y_true, y_score):
    """Every ranking that the scores allow."""
    for p in itertools.permutations(range(len(y_true))):
        if all(y_score[a] >= y_score[b] for a, b in itertools.pairwise(p)):
            yield [y_true[i] for i in p]


@pytest.mark.parametrize("seed", range(6))
def test_ties_against_all_permutations(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 8))
    y_true = rng.integers(0, 4, n).tolist()
    y_score = rng.integers(0, 3, n).tolist()
    for k in range(1, n + 1):
        values = [dcg_by_definition(order, k) for order in orders_of(y_true, y_score)]
        assert dcg(y_true, y_score, k=k) == pytest.approx(np.mean(values), abs=TOLERANCE)
        assert dcg(y_true, y_score, k=k, ties="best") == pytest.approx(max(values))
        assert dcg(y_true, y_score, k=k, ties="worst") == pytest.approx(min(values))
        everything = [dcg_by_definition(p, k) for p in itertools.permutations(y_true)]
        assert idcg(y_true, k=k) == pytest.approx(max(everything))
        if max(everything) > 0:
            best = max(everything)
            assert random_ndcg(y_true, k=k) == pytest.approx(np.mean(everything) / best)
            assert worst_ndcg(y_true, k=k) == pytest.approx(min(everything) / best)


def test_stable_keeps_the_order_of_the_input():
    y_true, y_score = [1, 3, 2, 0], [5, 5, 7, 5]
    assert dcg(y_true, y_score, ties="stable") == pytest.approx(dcg_by_definition([2, 1, 3, 0], 4))


# --- properties -----------------------------------------------------------------------

GRADES = st.integers(min_value=0, max_value=4)
SCORES = st.sampled_from([-2.5, -1.0, 0.0, 0.25, 0.5, 1.0, 3.0])
QUERY = st.lists(st.tuples(GRADES, SCORES), min_size=1, max_size=8)
RULES = st.fixed_dictionaries(
    {
        "k": st.none() | st.integers(min_value=1, max_value=9),
        "gain": st.sampled_from(["linear", "exponential"]),
        "discount": st.sampled_from(["log", "reciprocal", "2002"]),
        "ties": st.sampled_from(["average", "stable", "best", "worst"]),
    }
)


def columns(query):
    return [grade for grade, _ in query], [score for _, score in query]


@settings(deadline=None)
@given(QUERY, RULES)
def test_ndcg_lies_between_worst_and_best(query, rules):
    y_true, y_score = columns(query)
    value = ndcg(y_true, y_score, **rules)
    assert -TOLERANCE <= value <= 1 + TOLERANCE
    low = ndcg(y_true, y_score, **{**rules, "ties": "worst"})
    high = ndcg(y_true, y_score, **{**rules, "ties": "best"})
    assert low - TOLERANCE <= value <= high + TOLERANCE


@settings(deadline=None)
@given(QUERY, RULES)
def test_the_ideal_order_scores_one(query, rules):
    y_true, _ = columns(query)
    rules = {**rules, "ties": "best"}
    expected = 1.0 if max(y_true) > 0 else 0.0
    assert ndcg(y_true, y_true, **rules) == pytest.approx(expected)


@settings(deadline=None)
@given(QUERY, RULES)
def test_strictly_increasing_maps_change_nothing(query, rules):
    y_true, y_score = columns(query)
    value = ndcg(y_true, y_score, **rules)
    assert ndcg(y_true, 10 * np.array(y_score) + 5, **rules) == value
    assert ndcg(y_true, np.exp(np.array(y_score)), **rules) == value


@settings(deadline=None)
@given(QUERY, RULES, st.data())
def test_swapping_equal_grades_changes_nothing(query, rules, data):
    y_true, y_score = columns(query)
    i, j = (data.draw(st.integers(0, len(y_true) - 1)) for _ in "ij")
    swapped = list(y_score)
    if y_true[i] == y_true[j]:
        swapped[i], swapped[j] = swapped[j], swapped[i]
    if rules["ties"] == "stable":
        rules = {**rules, "ties": "average"}  # stable looks at the order of the input
    assert ndcg(y_true, swapped, **rules) == pytest.approx(ndcg(y_true, y_score, **rules))


@settings(deadline=None)
@given(QUERY, st.permutations(range(8)))
def test_the_order_of_the_input_does_not_matter(query, shuffle):
    y_true, y_score = columns(query)
    order = [i for i in shuffle if i < len(query)]
    moved = ndcg([y_true[i] for i in order], [y_score[i] for i in order])
    assert moved == pytest.approx(ndcg(y_true, y_score))


def test_the_base_cancels_in_ndcg():
    grades, scores = in_rank_order([2, 3, 1, 3, 0])
    dcgs = [round(dcg(grades, scores, log_base=b), 4) for b in (2, math.e, 10)]
    assert dcgs == [5.6848, 8.2015, 18.8846]
    assert len({round(ndcg(grades, scores, log_base=b), 12) for b in (2, math.e, 10)}) == 1


# --- queries --------------------------------------------------------------------------


def test_per_query_and_weights():
    y_true, y_score, weights = tied_data(3, 6, 5)
    rows = ndcg(y_true, y_score, per_query=True)
    assert rows.shape == (6,)
    assert rows == pytest.approx([ndcg(t, s) for t, s in zip(y_true, y_score, strict=True)])
    assert ndcg(y_true, y_score, sample_weight=weights) == pytest.approx(
        np.average(rows, weights=weights)
    )


@pytest.mark.parametrize(
    ("empty", "mean"), [(0, 0.5), (1, 1.0), ("skip", 1.0), (float("nan"), None)]
)
def test_empty_queries(empty, mean):
    y_true, y_score = [[1, 0], [0, 0]], [[2, 1], [2, 1]]
    value = ndcg(y_true, y_score, empty=empty)
    assert math.isnan(value) if mean is None else value == mean
    assert dcg(y_true, y_score) == 0.5


def test_skip_keeps_the_weights_of_the_others():
    y_true, y_score = [[1, 0], [0, 0], [0, 1]], [[2, 1]] * 3
    value = ndcg(y_true, y_score, empty="skip", sample_weight=[1, 5, 3])
    assert value == pytest.approx((1 + 3 / math.log2(3)) / 4)


def test_one_document_is_fine():
    assert ndcg([2], [0.3]) == 1.0
    assert ndcg([[2], [0]], [[0.3], [0.1]], per_query=True).tolist() == [1.0, 0.0]


def test_long_table_equals_the_rectangle():
    y_true, y_score, weights = tied_data(8, 20, 6)
    query = np.repeat(np.arange(20), 6)
    order = np.random.default_rng(0).permutation(120)
    table = (query[order], y_true.ravel()[order], y_score.ravel()[order])
    assert ndcg_long(*table, k=4) == pytest.approx(ndcg(y_true, y_score, k=4))
    weight_of = dict(enumerate(weights))
    assert ndcg_long(*table, sample_weight=weight_of) == pytest.approx(
        ndcg(y_true, y_score, sample_weight=weights)
    )


def test_long_table_with_ragged_queries():
    query = ["b", "a", "b", "b", "c"]
    relevance, score = [0, 1, 2, 1, 0], [0.9, 0.1, 0.5, 0.5, 0.2]
    values = ndcg_long(query, relevance, score, per_query=True, empty=1)
    assert values == {"a": 1.0, "b": ndcg([0, 2, 1], [0.9, 0.5, 0.5]), "c": 1.0}
    pool = {"a": [1], "b": [2, 1, 3], "c": [2, 0]}
    pooled = ndcg_long(query, relevance, score, per_query=True, pool=pool)
    assert pooled["b"] == ndcg([0, 2, 1], [0.9, 0.5, 0.5], pool=[2, 1, 3])
    assert pooled["c"] == 0.0
    skipped = ndcg_long(query, relevance, score, empty="skip")
    assert skipped == pytest.approx((values["a"] + values["b"]) / 2)


def test_long_table_sorts_stably():
    """NumPy's quick sort keeps up to 16 rows in order by chance; so take many."""
    rng = np.random.default_rng(7)
    query, relevance = rng.integers(0, 3, 300), rng.integers(0, 4, 300)
    values = ndcg_long(query, relevance, np.zeros(300), ties="stable", k=9, per_query=True)
    for q, value in values.items():
        rows = relevance[query == q]
        assert value == ndcg(rows, np.zeros(len(rows)), ties="stable", k=9)


def test_long_ids_of_strings_in_an_object_array():
    query = np.array(["a", "b", "a"], dtype=object)
    assert ndcg_long(query, [1, 1, 0], [1, 2, 3], per_query=True).keys() == {"a", "b"}


def test_ties_of_large_integers_are_exact():
    big = np.array([2**53, 2**53 + 1])
    assert ndcg([0, 1], big) == 1.0
    assert ndcg([0, 1], big, ties="stable") == 1.0


def share_of_the_best(grades):
    """A gain that looks at all grades of a query."""
    return grades / grades.max()


def test_a_gain_function_sees_the_grades_of_one_query():
    """Whatever else is in the table, and wherever a block ends."""
    y_true, y_score, _ = tied_data(4, 20_000, 3)
    y_true[:, 0] = np.arange(20_000) % 7 + 1
    alone = y_true / y_true.max(axis=1, keepdims=True)
    rule = dict(gain=share_of_the_best, per_query=True)
    assert (dcg(y_true, y_score, **rule) == dcg(alone, y_score, per_query=True)).all()
    assert (idcg(y_true, **rule) == idcg(alone, per_query=True)).all()
    assert (gain_values(y_true, share_of_the_best) == alone).all()
    # Not a ratio, which would cancel in NDCG:
    rule["gain"] = lambda grades: 2.0**grades - 2.0 ** grades.min()
    alone = 2.0**y_true - 2.0 ** y_true.min(axis=1, keepdims=True)
    expected = ndcg(alone, y_score, per_query=True)
    assert (ndcg(y_true, y_score, **rule) == expected).all()
    query = np.repeat(np.arange(20_000), 3)
    values = ndcg_long(query, y_true.ravel(), y_score.ravel(), **rule)
    assert list(values.values()) == pytest.approx(expected)


def test_one_more_row_changes_no_other_query():
    rule = dict(gain=lambda grades: grades.max() + grades, per_query=True)
    two = ndcg_long([*"aabb"], [0, 1, 1, 2], [2, 1, 1, 2], **rule)
    three = ndcg_long([*"aabbb"], [0, 1, 1, 2, 9], [2, 1, 1, 2, 3], **rule)
    assert two["a"] == three["a"] == ndcg([1, 2], [2, 1])


@pytest.mark.parametrize("listed", [[1, 0], [1, 3, 0]])
def test_a_gain_function_sees_list_and_pool_together(listed):
    """A grade is worth the same in both, so the ideal list scores 1 and no list more."""
    pool, places = [1, 3, 0], list(range(len(listed), 0, -1))
    gains = ndcg(np.array(listed) / 3, places, pool=np.array(pool) / 3)
    assert ndcg(listed, places, pool=pool, gain=share_of_the_best) == gains
    assert ndcg(pool, pool, pool=pool, gain=share_of_the_best) == 1
    long = ndcg_long(["q"] * len(listed), listed, places, pool={"q": pool}, gain=share_of_the_best)
    assert long == gains


def test_a_constant_discount_is_allowed():
    assert dcg([1, 2], [2, 1], discount=np.ones_like) == 3


def test_a_pool_is_compared_by_its_gains():
    gain = {0: 0, 1: 5, 2: 3}  # a 2 is worth less than a 1
    assert ndcg([2], [1], pool=[1, 2], gain=gain) == pytest.approx(3 / (5 + 3 / math.log2(3)))
    value = ndcg([2, 1], [2, 1], pool=[2, 1, 2], log_base=10, discount="2002")
    assert value == pytest.approx(3 / 5)


class Labeled:
    """Values behind labels, as a pandas Series has them: [0] is not the first."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype=dtype)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, label):
        raise KeyError(label)


def test_a_pool_may_be_any_array_and_is_read_by_position():
    pool = [1, 0, 3]
    assert ndcg([1, 0], [2, 1], pool=Labeled(pool)) == ndcg([1, 0], [2, 1], pool=pool)
    two = ndcg([[1, 0]] * 2, [[2, 1]] * 2, pool=Labeled([pool, [1, 0, 2]]), per_query=True)
    assert (two == ndcg([[1, 0]] * 2, [[2, 1]] * 2, pool=[pool, [1, 0, 2]], per_query=True)).all()
    assert ndcg_long(["q"], [1], [1], pool={"q": Labeled([1, 3])}) == pytest.approx(1 / 3.63093)


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("form", ["ndcg", "pool", "ndcg_long"])
def test_the_advice_on_negative_grades_keeps_the_measure(gain, form):
    """The advised gain gives what setting the negative grades to 0 by hand gives."""
    grades, scores, judged = [-2, 0, 1, 3], [4, 3, 2, 1], [-2, 0, 1, 3, 3, -1]

    def measure(grades, judged, **rule):
        if form == "ndcg_long":
            return ndcg_long(["q"] * 4, grades, scores, pool={"q": judged}, **rule)
        return ndcg(grades, scores, pool=judged if form == "pool" else None, **rule)

    with pytest.raises(ValueError, match="as trec_eval does, pass gain=") as error:
        measure(grades, judged, gain=gain)
    advised = eval(str(error.value).split("pass gain=")[1], {"np": np})
    by_hand = measure([0, 0, 1, 3], [0, 0, 1, 3, 3, 0], gain=gain)
    assert measure(grades, judged, gain=advised) == by_hand
    assert gain_values(np.int8([-2, 100]), advised)[1] == gain_values([100], gain)[0]


@pytest.mark.parametrize("log_base", [np.float32(10), np.float64(10), 10])
def test_bases_of_any_type(log_base):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert dcg([1, 2], [2, 1], log_base=log_base) == dcg([1, 2], [2, 1], log_base=10.0)


def test_weights_may_be_huge():
    assert ndcg([[1, 0]] * 2, [[2, 1]] * 2, sample_weight=[1.7e308, 1.7e308]) == 1.0
    with pytest.raises(ValueError, match="overflows float64"):
        dcg([[1.7e308, 0]] * 4, [[2, 1]] * 4)


@pytest.mark.parametrize("levels", [2, 4, 50, 10**6])
@pytest.mark.parametrize(
    ("shape", "k"), [((300, 12), 5), ((3, 200_000), 10), ((3, 200_000), None)]
)
def test_memory(shape, k, levels):
    """At most four times the input, also where one list is one block."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 4, shape)
    y_score = rng.integers(0, levels, shape)
    ndcg(y_true, y_score, k=k)  # what is allocated once does not count
    tracemalloc.start()
    ndcg(y_true, y_score, k=k)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 4 * (y_true.nbytes + y_score.nbytes)


# --- gains and discounts --------------------------------------------------------------


def test_exponential_gain_is_exact_for_whole_grades():
    grades = np.arange(53, dtype=np.int8)
    assert gain_values(grades, "exponential").tolist() == [2**g - 1 for g in range(53)]


def test_discounts():
    assert discount_weights(3).tolist() == pytest.approx([1, 0.6309297535714575, 0.5])
    assert discount_weights(3, discount="reciprocal").tolist() == [1, 1 / 2, 1 / 3]
    assert discount_weights(4, discount="2002").tolist() == pytest.approx(
        [1, 1, 1 / math.log2(3), 0.5]
    )


# --- every error names the argument and what came -------------------------------------

# What does not depend on the function is in test_metrics_refusals.

OK_TRUE, OK_SCORE = [3, 2, 0], [0.3, 0.2, 0.1]
ERRORS = [
    (dict(y_true=[3, 2]), ValueError, r"same shape, got \(1, 2\) and \(1, 3\)"),
    (dict(sample_weight=[1], per_query=True), ValueError, r"sample_weight .*per_query"),
    (dict(log_base=3, discount="reciprocal"), ValueError, r"log_base=3 has no effect"),
    (dict(y_true=[-1, 0, 1], gain="exponential"), ValueError, r"y_true must not be negative.*-1"),
    (dict(y_true=[2000, 0, 1], gain="exponential"), ValueError, r"at most 1023.*got 2000"),
    (dict(y_true=[1023] * 3, gain="exponential"), ValueError, r"y_true: .*overflows float64"),
    (dict(y_true=[1.7e308] * 3), ValueError, r"y_true: .*overflows float64"),
]
NDCG_ERRORS = [
    (dict(y_true=[-1, 0, 1]), ValueError, r"y_true must not give negative gains, got -1"),
    (dict(gain=lambda y: y - 1.0), ValueError, r"negative gains, got -1.0.*give 0 for such"),
    (dict(gain={0: -1, 2: 2, 3: 3}), ValueError, r"negative gains, got -1.0.*give 0 for such"),
    (dict(empty="skip", per_query=True), ValueError, r"empty='skip' .*per_query=True"),
    (dict(y_true=[0, 0, 0], empty="skip"), ValueError, r"empty='skip' leaves no query"),
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("change", "error", "message"), ERRORS)
def test_errors_of_dcg_and_ndcg(change, error, message):
    for metric in (dcg, ndcg):
        arguments = {"y_true": OK_TRUE, "y_score": OK_SCORE, **change}
        with pytest.raises(error, match=message):
            metric(arguments.pop("y_true"), arguments.pop("y_score"), **arguments)


@pytest.mark.parametrize(("change", "error", "message"), NDCG_ERRORS)
def test_errors_of_ndcg(change, error, message):
    arguments = {"y_true": OK_TRUE, "y_score": OK_SCORE, **change}
    with pytest.raises(error, match=message):
        ndcg(arguments.pop("y_true"), arguments.pop("y_score"), **arguments)


def test_a_flat_pool_is_refused_for_several_queries():
    with pytest.raises(ValueError, match="pool must hold a list of grades for each query, got 3"):
        ndcg([[1, 0], [0, 1]], [[1, 2]] * 2, pool=[3, 1])


def test_a_gain_function_may_change_what_it_is_given():
    def doubled(grades):
        grades *= 2.0
        return grades

    y_true = np.array([1.0, 3.0])
    assert ndcg(y_true, [2, 1], gain=doubled) == pytest.approx(ndcg([1, 3], [2, 1]))
    assert y_true.tolist() == [1.0, 3.0]


def test_skip_needs_a_weight():
    with pytest.raises(ValueError, match="only queries of sample_weight 0"):
        ndcg([[1, 0], [0, 0]], [[1, 2]] * 2, empty="skip", sample_weight=[0, 1])


LONG = (["a", "a", "b"], [1, 0, 2], [0.3, 0.2, 0.1])
HUGE = "x" * 1_000_000
LONG_ERRORS = [
    ((["a", "a"], *LONG[1:]), {}, ValueError, r"columns of one length, got shapes \(2,\)"),
    ((["a", 1, 1], *LONG[1:]), {}, TypeError, r"query must hold .*all of one kind"),
    (LONG, {"pool": [[1], [2]]}, TypeError, r"pool must map each query to its value"),
    (LONG, {"pool": {"a": [1, 0], "b": ["x"]}}, TypeError, r"pool\['b'\] must hold real numbers"),
    (([0.5, 0.5, 1.0], *LONG[1:]), {}, TypeError, r"query must hold integers or strings"),
    (LONG, {"sample_weight": {"a": 1}}, ValueError, r"sample_weight must name exactly.*'b'"),
    (LONG, {"pool": {"a": [1, 0], "b": [2], "z": [1]}}, ValueError, r"pool must name.*'z'"),
    ((LONG[0], [1, 0, -2], LONG[2]), {}, ValueError, r"^relevance of query 'b' must not .*-2"),
    (
        (LONG[0], [1.7e308, 1.7e308, 2], LONG[2]),
        {},
        ValueError,
        r"^relevance of query 'a': the gains",
    ),
    ((LONG[0], [1, math.inf, 2], LONG[2]), {}, ValueError, r"^relevance .*got inf .*, query 'a';"),
    (
        (LONG[0], LONG[1], [1, 0, math.nan]),
        {},
        ValueError,
        r"^score must .*got nan .*, query 'b';",
    ),
    ((LONG[0][:2], LONG[1], [1, 0, math.nan]), {}, ValueError, r"got nan at index \(2,\); put"),
    (LONG, {"pool": {"a": [1, 0], "b": [1]}}, ValueError, r"^pool\['b'\] must hold the grades of"),
    (LONG, {"pool": {"a": [1, 0], "b": [2, -1]}}, ValueError, r"^pool\['b'\] must not give neg"),
    (LONG, {"pool": {"a": [1, 0], "b": [[2]]}}, ValueError, r"^pool\['b'\] must be a flat list"),
    (
        (["c", "a", "b"], *LONG[1:]),
        {"gain": lambda grades: grades / grades.max(), "pool": dict(a=[0], b=[2], c=[1])},
        ValueError,
        r"^gain must return finite numbers for relevance of query 'a'",
    ),
    (LONG, {"n": 3}, TypeError, r"^ndcg_long\(\) got an unexpected keyword argument 'n'"),
    ((["a", math.nan, "b"], *LONG[1:]), {}, TypeError, r"all of one kind, got 'a' and nan$"),
    ((np.ma.array([1, 1, 2], mask=[0, 1, 0]), *LONG[1:]), {}, ValueError, "must not be mas"),
    (([1, HUGE, 1], *LONG[1:]), {}, TypeError, "all of one kind, got 1 and 'xxx"),
    (([HUGE[:999]] * 3, [1, 2, -1], LONG[2]), {}, ValueError, "must not give negative gains"),
    (LONG, {"pool": {"a": [1, 0], "b": [2], HUGE: [1]}}, ValueError, "pool must name.*xxx"),
    (([[1], [1, 2], [3]], *LONG[1:]), {}, TypeError, r"all of one kind, got \[1\]$"),
    ((LONG[0], [0, 0, 0], LONG[2]), {"empty": "skip"}, ValueError, r"leaves no query"),
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("table", "options", "error", "message"), LONG_ERRORS)
def test_errors_of_ndcg_long(table, options, error, message):
    with pytest.raises(error, match=message) as caught:
        ndcg_long(*table, **options)
    assert not re.search(r"y_true|y_score|pool\[0\]", str(caught.value))
    assert len(str(caught.value)) < 1600  # twenty lines of eighty letters


@pytest.mark.parametrize("grades", [[], ["a"], [math.nan], [HUGE] * 2])
def test_gain_values_takes_numbers_alone(grades):
    with pytest.raises(ValueError, match="must be finite numbers, at least one, got") as caught:
        gain_values(grades)
    assert len(str(caught.value)) < 1600
    with pytest.raises(ValueError, match="grades must not be masked"):
        gain_values(np.ma.array([1, 2], mask=[0, 1]))


def test_negative_grades_are_fine_for_a_linear_dcg():
    assert dcg([-1, 2], [0.2, 0.1]) == pytest.approx(dcg_score([[-1, 2]], [[0.2, 0.1]]))


def test_inputs_are_not_changed():
    y_true, y_score, _ = tied_data(2, 4, 5)
    before = y_true.copy(), y_score.copy()
    for ties in ("average", "stable", "best", "worst"):
        ndcg(y_true, y_score, k=2, ties=ties)
    assert (y_true == before[0]).all()
    assert (y_score == before[1]).all()
