"""The A/A dice, the explorer of notebook *significance*: its luck against scipy's normal law."""

import gzip
import itertools
import json

import numpy as np
import pytest
from scipy import stats
from stage import title_of

from course.explorers import aa_dice
from course.explorers.aa_dice import ALIKE, QUERIES, ROLLS, TOP, all_rolls
from coursekit.site.live import data_of
from ndcglib.datasets import manual_scores, manual_search
from ndcglib.metrics import ndcg

STATES = list(itertools.product(QUERIES, ALIKE))


@pytest.fixture(scope="module", name="explorer")
def _explorer():
    return aa_dice()


def shown(explorer, **values):
    """Return the view of a state, its rows by name, and its dots, far ones first."""
    view = explorer.declaration.view(**explorer.declaration.start | values)
    return view, dict(view.words.rows), [trace["y"] for trace in view.figure.data]


@pytest.mark.parametrize(("queries", "alike"), STATES)
def test_the_rolls_are_means_of_differences_that_are_truly_zero(queries, alike):
    error = alike / 100 / queries**0.5
    rolled = np.array(all_rolls(queries, alike))
    assert len(rolled) == ROLLS
    assert stats.kstest(rolled, stats.norm(0, error).cdf).pvalue > 0.001
    assert np.abs(rolled).max() < TOP


def test_no_two_states_share_their_luck():
    standard = [np.array(all_rolls(n, sd)) * n**0.5 / sd for n, sd in STATES]
    assert np.abs(np.corrcoef(standard) - np.eye(len(STATES))).max() < 0.5


@pytest.mark.parametrize("alike", ALIKE)
def test_two_real_rankers_are_as_alike_as_the_sentence_says(explorer, alike):
    one, other = ALIKE[alike].split(" and ")
    a, b = (ndcg(manual_search().grades, manual_scores()[n], k=10, per_query=True)
            for n in (one, other))  # fmt: skip
    assert np.std(a - b, ddof=1) == pytest.approx(alike / 100, abs=0.02)
    assert (
        f"{alike / 100:.2f}, as between {one} and {other}"
        in shown(explorer, alike=alike)[0].sentence
    )


@pytest.mark.parametrize(("queries", "alike"), STATES)
def test_the_band_holds_95_percent_and_the_share_is_the_normal_laws(explorer, queries, alike):
    view, rows, _ = shown(explorer, queries=queries, alike=alike)
    law = stats.norm(0, alike / 100 / queries**0.5)
    edge = float(rows["its edges"].strip("±"))
    assert edge == pytest.approx(law.interval(0.95)[1], abs=6e-5)
    assert view.figure.layout["shapes"][0]["y1"] == pytest.approx(edge, abs=6e-5)
    assert rows["beyond ±0.01 in the long run"] == f"{2 * law.sf(0.01):.0%}"
    assert f"<mn>{edge:.4f}</mn>" in view.formula


@pytest.mark.parametrize(("queries", "alike"), STATES)
@pytest.mark.parametrize("rolls", [1, 2, 10, 37, ROLLS])
def test_every_roll_so_far_is_one_dot_in_its_color(explorer, queries, alike, rolls):
    view, rows, (far, near) = shown(explorer, queries=queries, alike=alike, rolls=rolls)
    rolled = all_rolls(queries, alike)[:rolls]
    for value, one, other in zip(rolled, far, near, strict=True):
        assert (one is None) != (other is None)
        assert (one is not None) == (abs(value) > 0.01)
        assert (other if one is None else one) == pytest.approx(value, abs=6e-4)
    assert rows["comparisons so far"] == rolls
    assert rows["of them beyond ±0.01"] == rolls - far.count(None)
    outside = np.abs(rolled) > 1.96 * alike / 100 / queries**0.5
    assert rows["of them outside the band"] == outside.sum()
    if rolls > 1:
        counted = f"{rows['of them beyond ±0.01']} of {rolls} "
        assert title_of(view).startswith(counted)
    else:
        side = "first" if rolled[0] > 0 else "second"
        assert f"the {side} is ahead by {abs(rolled[0]):.4f}" in title_of(view)


def test_the_buttons_roll_once_and_a_hundred_times(explorer):
    once, all_of_them = (action.change for action in explorer.declaration.actions.values())
    assert [once(dict(rolls=n)) for n in (1, 7, ROLLS)] == [dict(rolls=n) for n in (2, 8, 1)]
    assert all_of_them(dict(rolls=7)) == dict(rolls=ROLLS)


def test_the_page_has_a_small_table(explorer):
    assert len(list(explorer.declaration.states(every=True))) == len(STATES) * ROLLS
    assert len(gzip.compress(json.dumps(data_of(explorer, {})).encode(), 9)) < 13_000
