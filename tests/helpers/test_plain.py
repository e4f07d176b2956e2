"""The readable reference: word for word the notebooks', and equal to the fast kernel."""

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from notebook_rules import chapter
from sklearn.metrics import ndcg_score

from course.exercises import CATALOG
from coursekit.authoring.write import read
from helpers import plain
from ndcglib.metrics import dcg, kernel, ndcg

ROOT = Path(__file__).resolve().parents[2]
GRADES = st.sampled_from([0.0, 0.1, 1.0, 2.0, 3.0, 4.0])
SCORES = st.sampled_from([-2.5, -1.0, 0.0, 0.25, 0.5, 1.0, 3.0]) | st.floats(-9, 9)
LISTS = st.integers(1, 60).flatmap(
    lambda n: st.tuples(arrays(float, n, elements=GRADES), arrays(float, n, elements=SCORES))
)
CUTOFFS = st.none() | st.integers(1, 5) | st.integers(1, 70)


@settings(deadline=None, max_examples=400)
@given(LISTS, CUTOFFS)
def test_the_kernel_is_equal_to_it(query, k):
    assert dcg(*query, k=k) == pytest.approx(plain.dcg(*query, k), abs=1e-12)
    assert ndcg(*query, k=k) == pytest.approx(plain.ndcg(*query, k), abs=1e-12)


@settings(deadline=None)
@given(LISTS, CUTOFFS)
def test_so_is_the_recipe_of_notebook_your_own_ndcg(query, k):
    written = {"np": np}
    exec(CATALOG.all["shared-gains"].worked, written)
    grades, scores = query
    gains = written["shared"](grades, scores)[np.argsort(-scores, kind="stable")][:k]
    found = gains @ (1 / np.log2(np.arange(2, len(gains) + 2)))
    assert found == pytest.approx(plain.dcg(*query, k), abs=1e-12)


READER_WRITES = "my-dcg", "my-ndcg-at-k", "ndcg-one", "shared-gains"


def lines_of_the_notebooks():
    """Return the lines of code in the two notebooks and in their solutions."""
    sources = [CATALOG.all[name].worked for name in READER_WRITES]
    for name in ("gain_discounted", "your_own_ndcg"):
        cells = read(chapter(name))["cells"]
        sources += [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    return {line.strip() for source in sources for line in source.splitlines()}


def test_it_is_word_for_word_what_the_notebooks_write():
    source = (ROOT / "helpers" / "plain.py").read_text("utf-8")
    lines = set()
    for function in ast.parse(source).body:
        if isinstance(function, ast.FunctionDef):
            _docstring, first, *_ = function.body
            body = source.splitlines()[first.lineno - 1 : function.end_lineno]
            lines |= {line.strip() for line in body}
    assert len(lines) == 12
    assert lines - lines_of_the_notebooks() == {  # what joins the two notebooks
        "return my_dcg(shared(grades, scores)[order][:k])",
        "return dcg(grades, scores, k) / ideal if ideal > 0 else 0.0",
    }


# --- the short cut of the kernel: only those that can stand on the first k ranks ------


@pytest.mark.parametrize("levels", [1, 2, 9, 200, None])
@pytest.mark.parametrize("order", ["random", "rising", "falling"])
def test_long_lists_cut_early(levels, order):
    rng = np.random.default_rng(3)
    shape = 40, 331
    scores = rng.normal(size=shape) if levels is None else rng.integers(0, levels, shape)
    if order != "random":
        scores = np.sort(scores)[:, :: 1 if order == "rising" else -1]
    grades = rng.integers(0, 4, shape)
    for k in (1, 2, 7, 20, 21):
        theirs = ndcg_score(grades, scores, k=k)
        assert ndcg(grades, scores, k=k) == pytest.approx(theirs, abs=1e-12)


def test_the_tied_group_at_rank_k_is_kept_whole_and_little_else():
    scores = np.array([[0.0] * 64 + [5, 4, 4, 4, 3], [1.0] * 69])
    chosen = kernel.contenders(scores, 2)
    first = set(chosen[0].tolist())
    assert {64, 65, 66, 67} <= first
    assert set(chosen[1].tolist()) == set(range(69, 138))
    few = kernel.contenders(np.random.default_rng(0).normal(size=(9, 10_000)), 10)
    assert few.shape[1] < 40
