"""The numbers in folded answers and captions, which no cell of a notebook prints.

A cell that printed them would give the answer away. Each test recomputes the
numbers of one fold or caption and looks for them in the text.
"""

import math
from pathlib import Path

import nbformat
import numpy as np
import pytest

from helpers.breakdown import breakdown
from helpers.metrics import dcg, idcg, ndcg

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
FIVE = [5, 4, 3, 2, 1]
SECOND = [2, 3, 1, 3, 0]


def in_order(grades):
    return list(range(len(grades), 0, -1))


def text_of(notebook, cell_id):
    nb = nbformat.read(NOTEBOOKS / notebook, 4)
    return next(cell.source for cell in nb.cells if cell.id == cell_id)


def assert_says(notebook, cell_id, *numbers):
    text = text_of(notebook, cell_id)
    for number in numbers:
        assert f"{number:.4f}" in text, f"{number:.4f} is not in {cell_id}"


def solution(notebook, cell_id):
    """Run the code in a fold and return its names."""
    names = {"math": math}
    code = text_of(notebook, cell_id).split("```python\n")[1].split("```")[0]
    exec(code, names)
    return names


def test_02_boxes():
    note = "02_gain_discounted.ipynb"
    assert dcg([3, 0, 2], [3, 2, 1]) == 4
    assert "Exactly 4." in text_of(note, "box-dcg-answer")
    assert_says(note, "box-dcg-answer", dcg([3, 0, 2], [3, 2, 1], log_base=math.e))
    best = idcg([3, 0, 2])
    assert_says(note, "box-ndcg-answer", math.log2(3), 2 / math.log2(3), best, 4 / best)


def test_02_solution_and_slip():
    note = "02_gain_discounted.ipynb"
    names = solution(note, "box-code-answer")
    assert names["my_dcg"]([3, 0, 2]) == 4
    for k in (1, 3, 5, 9):
        assert names["my_ndcg_at_k"](SECOND, k) == pytest.approx(ndcg(SECOND, FIVE, k=k))
    assert names["my_ndcg_at_k"]([0, 0], 2) == 0.0
    assert f"{ndcg(SECOND, FIVE, k=3):.4f}" in text_of(note, "box-code")
    assert_says(note, "box-code-answer", dcg(SECOND[:3], FIVE[:3]) / idcg(SECOND[:3]))


def test_02_reversal():
    assert ndcg([2, 2, 2], [1, 2, 3]) == 1
    assert ndcg([0, 1, 3], [1, 2, 3]) == 1


def test_02_recall():
    before = dcg([0, 3, 0, 1], [4, 3, 2, 1])
    first, second = [dcg(g, [4, 3, 2, 1]) - before for g in ([3, 0, 0, 1], [0, 3, 1, 0])]
    assert_says("02_gain_discounted.ipynb", "recall", first, second)
    assert "0.36907" in text_of("02_gain_discounted.ipynb", "recall")
    assert round(1 - 1 / math.log2(3), 5) == 0.36907


def test_03_boxes():
    note = "03_five_rankings.ipynb"
    assert_says(note, "box-faded-answer", 2 / math.log2(3), 3 / math.log2(5))
    assert_says(note, "box-faded-answer", dcg([1, 2, 0, 3], [4, 3, 2, 1]))
    full = [0, 2, 3, 1]
    for k in (4, 2):
        numbers = dcg(full, [4, 3, 2, 1], k=k), idcg(full, k=k), ndcg(full, [4, 3, 2, 1], k=k)
        assert_says(note, "box-full-answer", *numbers)
    assert_says(note, "box-full-answer", dcg([0, 2], [2, 1]) / idcg([0, 2]))


def test_03_wrong_term():
    answer = text_of("03_five_rankings.ipynb", "addend-answer")
    assert f"{3 / math.log2(5):.7f}" in answer
    assert f"{3 / math.log2(3):.7f}" in answer
    assert f"{2.0 + 1.8927890 + 0.5 + 1.2924810:.7f}" in answer
    assert "= 5.6848189" in text_of("03_five_rankings.ipynb", "addend")
    assert round(dcg(SECOND, FIVE), 7) == 5.6848189


def test_03_slips():
    grades, ranks = np.array(SECOND), np.arange(1, 6)
    slips = {
        "no discount": grades.sum(),
        "divided by the rank": (grades / ranks).sum(),
        "natural logarithm": (grades / np.log(ranks + 1)).sum(),
        "counted from 2": (grades / np.log2(ranks + 2)).sum(),
        "exponential gain": dcg(SECOND, FIVE, gain="exponential"),
        "that is the IDCG": idcg(SECOND),
        "multiplied": (grades * np.log2(ranks + 1)).sum(),
        "stopped at rank 3": dcg(SECOND, FIVE, k=3),
    }
    rows = text_of("03_five_rankings.ipynb", "slips-answer").splitlines()
    for words, value in slips.items():
        row = next(row for row in rows if words in row)
        assert float(row.split("|")[1]) == pytest.approx(value, abs=5e-5)


def test_03_captions():
    note = "03_five_rankings.ipynb"
    assert_says(note, "ledger-notice", dcg(SECOND, FIVE, k=3), idcg(SECOND, k=3))
    assert_says(note, "ledger-notice", dcg(sorted(SECOND), FIVE))
    y_true = [3, 2, 3, 0, 1, 2, 0, 1]
    y_score = [0.60, 0.20, 0.80, 0.40, 0.10, 0.30, 0.05, 0.70]
    gaps = breakdown(y_true, y_score, k=5, gain="exponential").column("gap")[:5]
    assert_says(note, "third-notice", *(abs(gap) for gap in gaps[1:]), sum(gaps))


def test_04_boxes():
    note = "04_cutoff.ipynb"
    six, missed = [3, 2, 3, 0, 1, 2], [3, 2]
    scores = in_order(six)
    assert_says(note, "box-pool-answer", dcg(six, scores), idcg(six), ndcg(six, scores))
    everything = [*six, *missed]
    assert_says(note, "box-pool-answer", idcg(everything, k=6))
    assert_says(note, "box-pool-answer", ndcg(six, scores, k=6, pool=everything))
    bad = breakdown(six, [0.10, 0.20, 0.30, 0.95, 0.80, 0.70])
    behind = np.cumsum(bad.column("gap"))
    assert behind.argmax() == 1
    assert_says(note, "box-gap-answer", bad.rows[1].gap, behind.max())
    assert_says(note, "debug-answer", ndcg([1, 0, 3, 3], [4, 3, 2, 1], k=2))


def test_04_claim():
    one, other = [3, 0, 2, 2], [2, 2, 3, 0]
    scores = in_order(one)
    assert ndcg(one, scores, k=1) > ndcg(other, scores, k=1)
    assert ndcg(one, scores, k=3) < ndcg(other, scores, k=3)
