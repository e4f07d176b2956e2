"""The line to keep from each notebook: shown to whoever has solved it, and true."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.content import COURSE
from course.exercises import CATALOG
from coursekit.exercises.base import SOLVED, Handle
from ndcglib.metrics import dcg, discount_weights, gain_values, idcg, ndcg

GRADES = st.lists(st.integers(0, 4), min_size=2, max_size=9).filter(any)


def test_each_notebook_with_exercises_has_one():
    assert list(CATALOG.lines) == [n for n in _in_order() if n in CATALOG.by_notebook]


def _in_order():
    return [name for part in COURSE.parts.values() for name in part.chapters]


def test_it_is_shown_when_the_last_exercise_is_solved_and_not_again(monkeypatch):
    said = []
    monkeypatch.setattr("coursekit.exercises.base.display", said.append)
    together = CATALOG.by_notebook["cutoff"]
    for one in together:
        monkeypatch.setattr(one, "is_solved", False)
    handles = [Handle(one, together, "the line") for one in together]
    for one, handle in zip(together, handles, strict=True):
        assert SOLVED not in str(said)
        answers = {}
        exec(one.worked, {"____": None}, answers)
        handle.check(*(answers[name] for name in one.names))
        assert one.is_solved
    assert said[-1].data == f"{SOLVED}\n\nthe line"
    handles[-1].check(0)
    assert SOLVED not in str(said[-1])


@given(GRADES)
def test_what_a_list_lacks_is_the_sum_of_its_gaps(grades):
    gaps = discount_weights(len(grades)) * (np.sort(grades)[::-1] - grades)
    assert gaps.sum() / idcg(grades) == pytest.approx(1 - ndcg(grades, ranked=True), abs=1e-12)


@given(GRADES)
def test_ndcg_falls_with_k_where_the_grade_is_below_a_share_of_the_ideal_one(grades):
    ideal = np.sort(grades)[::-1]
    for k in range(2, len(grades) + 1):
        before, after = (ndcg(grades, ranked=True, k=one) for one in (k - 1, k))
        share = grades[k - 1] - ideal[k - 1] * before
        assert np.sign(round(after - before, 9)) == np.sign(round(share, 9))


@given(GRADES, st.integers(1, 8))
def test_an_ideal_from_fewer_documents_is_never_higher(grades, n):
    assert idcg(grades[:n], k=5) <= idcg(grades, k=5)


def test_one_grade_more_doubles_the_exponential_gain_and_adds_one():
    gains = gain_values([0, 1, 2, 3, 4, 5], gain="exponential")
    assert gains[1:].tolist() == (2 * gains[:-1] + 1).tolist()


@given(GRADES)
def test_the_program_in_one_line_is_dcg_where_nothing_ties(grades):
    gains, discounts = np.array(grades), discount_weights(len(grades))
    scores = np.random.default_rng(0).permutation(len(grades))
    for k in range(1, len(grades) + 1):
        one_line = gains[np.argsort(-scores, kind="stable")][:k] @ discounts[:k]
        assert one_line == pytest.approx(dcg(grades, scores, k=k))
