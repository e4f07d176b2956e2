"""What the front page opens with: true numbers, and nothing given away."""

import itertools
import re

import pytest
from sklearn.metrics import ndcg_score

from course.content import COURSE
from course.site.drawings import HEIGHT, WIDTH, drawing
from course.site.opening import opening, opening_data

DATA = opening_data()
NAMES = [name for part in COURSE.parts.values() for name in part.chapters]


def test_each_order_has_the_ndcg_of_scikit_learn():
    grades = DATA["grades"]
    assert len(DATA["values"]) == 120
    for order in itertools.permutations(range(5)):
        ranked = [grades[i] for i in order]
        expected = ndcg_score([ranked], [[5, 4, 3, 2, 1]])
        assert DATA["values"][" ".join(map(str, order))] == pytest.approx(expected, abs=1e-6)


def test_it_begins_with_the_best_order_and_knows_the_worst():
    values = DATA["values"]
    assert values["0 1 2 3 4"] == max(values.values()) == 1
    assert DATA["worst"] == min(values.values())
    said = f"the worst of the {len(values)} orders scores {DATA['worst']:.2f},"
    assert said in DATA["said"]


def test_without_a_script_it_gives_nothing_away():
    still = opening(lambda *_: "", lambda _name, _kind, _address, still: still)
    assert f"{DATA['worst']:.2f}" not in still
    assert [title for title in DATA["titles"] if title not in still] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_stays_inside_its_frame(name):
    made = drawing(name)
    points = re.findall(r"([\d.-]+),([\d.-]+)", made)
    points += re.findall(r'(?:cx|x)="([\d.-]+)" (?:cy|y)="([\d.-]+)"', made)
    assert points
    assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in points)


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_says_its_claim_in_one_to_three_short_labels(name):
    labels = re.findall(r'<text x="(\d+)" y="(\d+)"(.*?) class="\w+">(.*?)</text>', drawing(name))
    assert 1 <= len(labels) <= 3
    for x, y, anchor, words in labels:
        width = 11 * len(words)  # of letters of 20, or less
        share = 0.5 if "middle" in anchor else 1 if "end" in anchor else 0
        left = int(x) - share * width
        assert len(words) <= 14
        assert 0 <= left <= WIDTH - width
        assert 18 <= int(y) <= HEIGHT - 6  # no letter is cut off


def test_the_number_of_the_email_stands_on_the_scale_where_it_is():
    [x] = re.findall(r'<text x="(\d+)"[^>]*>0.84<', drawing("floors"))
    [zero, one] = (int(found) for found in re.findall(r'x="(\d+)"[^>]*>[01]<', drawing("floors")))
    assert (int(x) - zero) / (one - zero) == pytest.approx(0.84, abs=0.01)
