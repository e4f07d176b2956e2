"""What is told beside an explorer as one scrolls is what it shows then."""

import notebook_rules as rules
import pytest

from course.content import COURSE
from coursekit.site.run import shown
from coursekit.site.told import steps_of
from ndcglib.metrics import idcg


@pytest.fixture(scope="module", params=COURSE.told.items(), ids=lambda item: item[0][0])
def told(request):
    (name, cell_id), path = request.param
    return shown(rules.chapter(name), COURSE.exercises)[cell_id], steps_of(path)


def test_each_step_has_a_state_that_shows_its_numbers(told):
    explorer, steps = told
    checked = 0
    for step in steps[:-1]:
        explorer.restore(step.line)
        numbers = rules.PRECISE.findall(step.text)
        shown_then = set(rules.NUMBER.findall(explorer.stage.sentence))
        assert all(rules.holds(shown_then, number) for number in numbers), step
        checked += len(numbers)
    assert checked >= len(steps) - 1


def test_it_begins_as_the_explorer_does_and_ends_in_the_hands_of_the_reader(told):
    explorer, steps = told
    explorer.reset()
    assert steps[0].line == explorer.state
    assert steps[-1].line == explorer.state, "what the reader begins with is not used up"


def test_the_kind_order_has_one_relevant_document_among_those_that_count_at_rank_1():
    """Its NDCG is that of rank 1 alone, and of no other sum of the five discounts."""
    assert round(1 / idcg([1, 1, 1] + 17 * [0], k=5), 4) == 0.4693
