"""`judge_run`: trec_eval's numbers, every decision by hand, and bounds by brute force."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcglib.datasets import Qrels, Run, judge_run, trec_eval_ndcg
from ndcglib.metrics import ndcg, ndcg_long

QRELS = "q1 a 2, q1 b 0, q1 c 3, q2 a 1, q3 d 1, q2 e -1"
RUN = "q2 a 9.5, q1 x 3, q1 a .001"
# What trec_eval prints for these (pytrec_eval-terrier 0.5.11 and ir-measures 0.4.3):
# documents of one score, spam, a query in one file only, nothing good.
TREC_QRELS = (
    "tied a 1, tied b 3, tied c 0, tied B 2, spam a -2, spam b 1, spam c 3, lost a 1, "
    "empty a 0, empty b -1"
)
TREC_RUN = (
    "tied b .5, tied a .5, tied B .5, tied x .75, spam a 3, spam c 2, spam b 1, "
    "empty b 2, empty a 1, unknown a 2"
)
TREC_EVAL = {
    None: {"tied": 0.683376, "spam": 0.659002, "lost": 0, "empty": 0},
    1: {"tied": 0, "spam": 0, "lost": 0, "empty": 0},
    2: {"tied": 0.444123, "spam": 0.521296, "lost": 0, "empty": 0},
}
AS_TREC_EVAL = dict(ties="id", unknown="skip")


def columns(text):
    return list(zip(*(row.split() for row in text.split(",")), strict=True))


def qrels(text=QRELS):
    query, doc, grade = columns(text)
    return Qrels(np.array(query), np.array(doc), np.array([int(g) for g in grade]))


def run(text=RUN):
    query, doc, score = columns(text)
    n = range(len(query))
    score = np.array([float(s) for s in score])
    return Run(np.array(query), np.array(doc), np.array(n), score, np.array(["me" for _ in n]))


# --- the joined table -----------------------------------------------------------------


def test_the_table_by_hand():
    judged = judge_run(run(), qrels())
    assert judged.query.tolist() == ["q2", "q1", "q1"]
    assert judged.doc.tolist() == ["a", "x", "a"]
    assert judged.score.tolist() == [9.5, 3.0, 0.001]
    assert judged.grade.tolist() == [1, 0, 2]
    assert judged.judged.tolist() == [True, False, True]
    assert judged.pool == {"q2": (1, -1), "q1": (2, 0, 3)}
    assert (judged.missing, judged.unknown) == (("q3",), ())


def test_ndcg_long_takes_the_table_and_gives_the_same():
    """q1 found a (grade 2) at rank 2 and missed c (grade 3): the ideal is 3, 2, 0."""
    judged = judge_run(run("q1 x 3, q1 a 1"), qrels("q1 a 2, q1 b 0, q1 c 3"))
    value = ndcg_long(judged.query, judged.grade, judged.score, pool=judged.pool)
    assert judged.mean == value == pytest.approx((2 / math.log2(3)) / (3 + 2 / math.log2(3)))


# --- trec_eval ------------------------------------------------------------------------


@pytest.mark.parametrize("k", TREC_EVAL)
def test_the_number_of_trec_eval(k):
    found = trec_eval_ndcg(run(TREC_RUN), qrels(TREC_QRELS), k)
    assert found.per_query == pytest.approx(TREC_EVAL[k], abs=5e-7)
    assert list(found.per_query) == list(TREC_EVAL[k])
    assert found.mean == pytest.approx(sum(TREC_EVAL[k].values()) / 4, abs=5e-7)
    assert (found.missing, found.unknown) == (("lost",), ("unknown",))
    lines = repr(found).splitlines()
    measure = "NDCG" if k is None else f"NDCG@{k}"
    assert lines[0] == f"{measure} {found.mean:.4f}, the mean of 4 judged queries"
    assert [int(line.split()[0]) for line in lines[1:]] == [1, 1, 2, 3, 1]


def test_the_number_of_trec_eval_by_hand():
    """Document ids fall from z to a, and capitals come after small letters."""
    found = trec_eval_ndcg(run(TREC_RUN), qrels(TREC_QRELS))
    ranked = {"tied": [0, 3, 1, 2], "spam": [0, 3, 1]}  # x; b, a, B
    for query, grades in ranked.items():
        pool = {"tied": [1, 3, 0, 2], "spam": [0, 1, 3]}[query]
        assert found.per_query[query] == ndcg(grades, range(len(grades), 0, -1), pool=pool)


def test_exponential_gains_as_ir_measures_counts_them():
    found = judge_run(run(TREC_RUN), qrels(TREC_QRELS), k=2, gain="exponential", **AS_TREC_EVAL)
    expected = {"tied": 0.496639, "spam": 0.578764, "lost": 0, "empty": 0}
    assert found.per_query == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(("k", "expected"), [(None, 0.972504), (1, 1), (2, 0.851959)])
def test_the_condensed_list_as_ir_measures_condenses_it(k, expected):
    """Its judged_only leaves out spam as well, so compare where nothing is negative."""
    found = judge_run(run(TREC_RUN), qrels(TREC_QRELS), k=k, unjudged="skip", **AS_TREC_EVAL)
    assert found.per_query["tied"] == pytest.approx(expected, abs=5e-7)


# --- each decision --------------------------------------------------------------------


def test_ties_are_averaged_unless_said_otherwise():
    tied, grades = run("q a 1, q b 1"), qrels("q a 0, q b 1")
    assert judge_run(tied, grades).mean == ndcg([0, 1], [1, 1])
    assert judge_run(tied, grades, ties="id").mean == 1


def test_queries_that_the_run_lacks():
    with_zeros, without = (judge_run(run(), qrels(), missing=m) for m in ("zero", "skip"))
    assert list(with_zeros.per_query) == ["q1", "q2", "q3"]
    assert list(without.per_query) == ["q1", "q2"]
    assert without.mean == pytest.approx(with_zeros.mean * 3 / 2)


def test_negative_grades():
    low, zero = (judge_run(run("q b 2, q a 1"), qrels(f"q a 2, q b {g}")).mean for g in (-2, 0))
    assert low == zero
    with pytest.raises(ValueError, match=r"must not hold negative grades, got -2; .*'zero'"):
        judge_run(run("q b 2"), qrels("q a 2, q b -2"), negative="refuse")


def test_a_list_without_any_judged_document_is_worth_nothing():
    judged = judge_run(run("q x 2, p a 1"), qrels("q a 2, p a 1"), unjudged="skip")
    assert judged.per_query == {"q": 0.0, "p": 1.0}
    assert judge_run(run("q x 2"), qrels("q a 2"), unjudged="skip").mean == 0


def test_what_was_decided_is_printed():
    words = repr(judge_run(run(), qrels(), unjudged="lowest", missing="skip"))
    assert "     1  judged queries that the run lacks: left out" in words
    assert "     1  documents that nobody judged: given the grades that make NDCG low" in words


def test_queries_without_judgment_are_named():
    own = run("q9 a 1, q1 a 1, q8 a 1")
    with pytest.raises(ValueError, match=r"2 of 3 queries .* no judgment .*'q9', 'q8'"):
        judge_run(own, qrels())
    assert judge_run(own, qrels(), unknown="skip").unknown == ("q9", "q8")


def test_many_queries_without_judgment_are_counted():
    own = run(",".join(f"{q} a 1" for q in range(7_000)))
    with pytest.raises(ValueError, match=r"6999 of 7000 .* '4', '5' and 6994 more\. ") as error:
        judge_run(own, qrels("0 a 1"))
    assert len(str(error.value)) < 400
    with pytest.raises(ValueError, match="7000 of 7000 queries of the run have no judgment"):
        trec_eval_ndcg(own, qrels("q0 a 1"))


@pytest.mark.parametrize("name", ["ties", "negative", "missing", "unknown", "unjudged"])
@pytest.mark.parametrize("value", ["drop", None, 0, ["zero"]])
def test_other_decisions_are_refused(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be one of .*, got "):
        judge_run(run(), qrels(), **{name: value})


@pytest.mark.parametrize("unjudged", ["zero", "skip", "lowest", "highest"])
def test_k_and_gain_are_checked(unjudged):
    with pytest.raises(ValueError, match="k must be a positive integer"):
        judge_run(run(), qrels(), k=0, unjudged=unjudged)
    with pytest.raises(ValueError, match="gain: the table has no entry for grade 2"):
        judge_run(run(), qrels(), gain={0: 0, 1: 1}, unjudged=unjudged)


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        (("run.txt", "qrels.txt"), r"^run must be Run, .* got 'run.txt'; .*read_run\('run.txt'\)"),
        ((run(), Path("q.txt")), r"^qrels must be Qrels, .* got 'q.txt'; .*read_qrels\('q.txt'\)"),
        ((qrels(), run()), "^run must be Run, .* got Qrels; the run comes first"),
        (({"q": {"a": 1}}, qrels()), "^run must be Run, as read_run returns it, got dict"),
    ],
)
@pytest.mark.parametrize("judge", [judge_run, trec_eval_ndcg])
def test_what_is_no_table_is_told_how_to_become_one(judge, pair, says):
    with pytest.raises(TypeError, match=says):
        judge(*pair)


# --- bounds ---------------------------------------------------------------------------

GRADE = st.sampled_from([None, None, -1, 0, 1, 3])  # None: nobody judged it
LISTED = st.lists(st.tuples(GRADE, st.integers(0, 3)), min_size=1, max_size=6)
GAINS = st.sampled_from(["linear", "exponential", {0: 0.5, 1: 1, 2: 4, 3: 5}])


@pytest.mark.parametrize("unjudged", ["zero", "lowest", "highest"])
def test_a_score_that_is_no_number_and_a_negative_gain_are_refused(unjudged):
    with pytest.raises(ValueError, match="score must be finite, got nan"):
        judge_run(run("q1 x nan, q1 a .5"), qrels(), unjudged=unjudged)
    with pytest.raises(ValueError, match="must not give negative gains, got -3"):
        judge_run(run("q1 x 1, q1 c .5"), qrels(), unjudged=unjudged, gain=np.negative)


@settings(deadline=None, max_examples=150)
@given(
    LISTED,
    st.lists(st.sampled_from([0, 1, 2, 3]), min_size=1, max_size=3),
    st.none() | st.integers(1, 8),
    GAINS,
    st.sampled_from(["average", "id"]),
)
def test_bounds_by_brute_force(listed, missed, k, gain, ties):
    docs, n = "abcdef", len(listed)
    texts = [f"q {docs[i]} {g}" for i, (g, _) in enumerate(listed) if g is not None]
    texts += [f"q m{i} {g}" for i, g in enumerate(missed)]
    own = run(",".join(f"q {docs[i]} {s}" for i, (_, s) in enumerate(listed)))
    options = dict(k=k, gain=gain, ties=ties)
    grades = qrels(",".join(texts))
    scale = sorted({0, *np.maximum(grades.grade, 0).tolist()})
    free = [i for i in range(n) if listed[i][0] is None]
    scores = [s * 10 + (i if ties == "id" else 0) for i, (_, s) in enumerate(listed)]
    values = []
    for chosen in itertools.product(scale, repeat=len(free)):
        full = [max(g or 0, 0) for g, _ in listed]
        for i, grade in zip(free, chosen, strict=True):
            full[i] = grade
        values.append(ndcg(full, scores, k=k, gain=gain, pool=[*full, *missed]))
    for which, expected in (("lowest", min(values)), ("highest", max(values))):
        found = judge_run(own, grades, unjudged=which, **options).mean
        assert found == pytest.approx(expected, abs=1e-12)


def test_the_highest_may_lie_inside_the_scale():
    """A top grade for the last document would raise the ideal by more than the sum."""
    own, grades = run("q a 3, q b 2, q x 1"), qrels("q a 2, q b 1, other z 3")
    highest = judge_run(own, grades, unjudged="highest", missing="skip").mean
    given_1 = ndcg([2, 1, 1], [3, 2, 1])
    assert highest == given_1 == 1 > ndcg([2, 1, 3], [3, 2, 1])


def test_the_highest_leaves_the_last_documents_without_a_grade():
    """x alone gains something, half of its ideal; y would only raise the ideal."""
    own, grades = run("q a 3, q b 2, q x 1, q y 0"), qrels("q a 0, q b 0, other z 3")
    found = judge_run(own, grades, k=3, unjudged="highest", missing="skip")
    assert found.per_query == {"q": 0.5}
