"""Which page wins?, of notebook *discount*: its numbers, winners and crossings by another way."""

import itertools
import re

import numpy as np
import pytest
from stage import layout, plain, table, title, traces

from course.explorers import page_readers
from course.explorers.page_readers import HIGHEST, SETS, best_pages
from ndcglib.metrics import err, ndcg

STATES = list(itertools.product(SETS, ("linear", "exponential"), range(1, 20)))
FIRST, SAME, FURTHER = SETS


@pytest.fixture(name="explorer", scope="module")
def _explorer():
    return page_readers()


def worth(grade, gain):
    return grade / HIGHEST if gain == "linear" else (2**grade - 1) / (2**HIGHEST - 1)


def by_reader(pages, gain, p):
    """RBP of each page, from readers who leave after each rank with the chance 1 − p."""
    return [
        sum((1 - p) * p**i * worth(grade, gain) for i, grade in enumerate(page))
        for page in SETS[pages][0]
    ]


def best(values):
    return [name for name, value in zip("ABC", values, strict=True) if value > max(values) - 1e-9]


def values_of(explorer):
    """Metric → the values of the three pages, as the table has them."""
    rows = [row for row in table(explorer) if len(row) == 5 and not row[1] and " " not in row[0]]
    return {name: [float(value) for value in values] for name, _, *values in rows}


@pytest.mark.parametrize(("pages", "gain", "p"), STATES)
def test_every_state(explorer, pages, gain, p):
    explorer.set(pages=pages, gain=gain, p=p)
    expected, found = by_reader(pages, gain, p / 20), values_of(explorer)
    assert found["RBP"] == pytest.approx(expected, abs=5.1e-5)
    assert re.findall(r"\b[ABC]\b", title(explorer)) == best(expected)
    assert f"With patience {p / 20:.2f}, " in title(explorer)
    value = max(expected)
    sign = "=" if value == pytest.approx(round(value, 4), abs=1e-9) else "≈"
    assert plain(explorer.stage.formula).endswith(f"{sign}{value:.4f}".removesuffix(".0000"))
    dots = traces(explorer)[-1]
    for i, metric in enumerate(found):  # the dots say what the numbers say
        full = [
            "ABC"[page]
            for page, row, size in zip(dots["x"], dots["y"], dots["marker"]["size"], strict=True)
            if row == i and size > 10
        ]
        assert full == (best(expected) if metric == "RBP" else best(found[metric]))


def test_the_others_have_no_patience(explorer):
    for pages, gain in itertools.product(SETS, ("linear", "exponential")):
        grades, judged = SETS[pages]
        seen = []
        for p in (1, 19):
            explorer.set(pages=pages, gain=gain, p=p)
            found = values_of(explorer)
            del found["RBP"]
            seen.append(found)
        assert seen[0] == seen[1]
        assert set(found) == {"NDCG@5", "ERR", "RR", "AP", "P@5"}
        for i, page in enumerate(grades):
            of_page = ndcg(page, ranked=True, k=5, gain=gain, pool=judged)
            assert found["NDCG@5"][i] == pytest.approx(of_page, abs=5.1e-5)
            assert found["ERR"][i] == pytest.approx(
                err(page, ranked=True, max_grade=HIGHEST), abs=5.1e-5
            )
            assert found["P@5"][i] == sum(grade > 0 for grade in page) / 5
            assert found["RR"][i] == 1 / next(r for r, g in enumerate(page, start=1) if g)


@pytest.mark.parametrize(
    ("pages", "gain"), list(itertools.product(SETS, ("linear", "exponential")))
)
def test_rbp_changes_its_winner_where_a_diamond_stands(explorer, pages, gain):
    """On a fine grid of patience the winner changes between two neighbors, there and nowhere."""
    grid = np.linspace(0.0005, 0.9995, 1000)
    winners = [best(by_reader(pages, gain, p)) for p in grid]
    changes = [
        (p + q) / 2
        for (p, one), (q, other) in itertools.pairwise(zip(grid, winners, strict=True))
        if one != other
    ]
    explorer.set(pages=pages, gain=gain)
    told = re.findall(r"(?<=at p = )[\d.]+\d", explorer.stage.sentence)
    diamonds = traces(explorer)[-2]["x"]
    assert diamonds == pytest.approx(changes, abs=0.001)
    assert [float(p) for p in told] == pytest.approx(changes, abs=0.0051)
    assert ("the same page wins at every patience" in explorer.stage.sentence) == (not changes)


def test_three_pages_and_patience_one_half(explorer):
    explorer.reset()
    assert SETS[FIRST][0] == ((3, 0, 0, 0, 0), (2, 2, 0, 0, 0), (0, 1, 1, 1, 1))
    assert traces(explorer)[-2]["x"] == [0.5]
    explorer.set(**explorer.presets["A = B"])
    assert title(explorer).endswith("pages A and B are level under RBP")
    explorer.set(p=9)
    assert title(explorer).endswith("page A wins under RBP")
    explorer.set(p=11)
    assert title(explorer).endswith("page B wins under RBP")


def test_of_one_set_the_sorted_page_wins_under_every_reader(explorer):
    for gain, p in itertools.product(("linear", "exponential"), range(1, 20)):
        explorer.set(pages=SAME, gain=gain, p=p)
        assert all("B" in best(values) for values in values_of(explorer).values())


def test_the_weights_stand_at_the_ranks(explorer):
    explorer.reset()
    explorer.set(p=10)
    labels = layout(explorer)["xaxis"]["ticktext"]
    assert labels == ["1<br>100%", "2<br>50%", "3<br>25%", "4<br>12%", "5<br>6%"]
    bars = traces(explorer)[1]["y"], traces(explorer)[0]["y"]  # page A: read, and whole
    assert bars[0][0] == bars[1][0] > 0


def test_two_sums_of_the_same_terms_are_level():
    assert best_pages(np.array([0.1 + 0.2, 0.3, 0.2])) == [0, 1]
