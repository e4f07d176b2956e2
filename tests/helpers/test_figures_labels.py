"""Labels beside a panel are near where they belong, and never cover each other."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.labels import apart

PLACE = st.floats(0, 1)


@given(st.lists(st.tuples(PLACE, st.sampled_from([0.05, 0.12, 0.19])), max_size=5))
def test_labels_stay_apart_inside_and_in_their_order(wanted):
    places, heights = [p for p, _ in wanted], [h for _, h in wanted]
    middles = apart(places, heights)
    ends = sorted((m - h / 2, m + h / 2) for m, h in zip(middles, heights, strict=True))
    flat = [0.0, *(end for pair in ends for end in pair), 1.0]
    assert all(after >= before - 1e-9 for before, after in itertools.pairwise(flat))
    by_place = [m for _, m in sorted(zip(places, middles, strict=True))]
    assert by_place == sorted(middles)


def test_labels_that_do_not_touch_stay():
    assert apart([0.8, 0.2, 0.5], [0.12] * 3) == [0.8, 0.2, 0.5]
    assert apart([], []) == []


def test_the_upper_one_gives_way_unless_the_panel_ends():
    assert apart([0.5, 0.45], [0.2, 0.2]) == pytest.approx([0.65, 0.45])
    assert apart([0.95, 0.9], [0.2, 0.2]) == pytest.approx([0.9, 0.7])


def test_the_ends_of_the_panel():
    assert apart([-5.0, 9.0], [1, 1], low=-2, high=4) == [-1.5, 3.5]
