"""Which two problems open which notebook: a skill comes back after gaps that grow."""

import functools
from typing import NamedTuple

from course.drills import drills
from course.drills.problem import problem

GAPS = (1, 2, 3, 6)  # in notebooks: so 1, 3, 6 and 12 after the one that teaches it
FIRST = 3  # the notebooks before it teach too little to be asked about
MOST = 13  # products in the two solutions: some four minutes, with a calculator
WORDS = """## Warm-up

Before something new, here are two problems for paper and calculator, {}. What you work out \
again after a while is what you keep. Nothing below depends on them, so go on if you have not \
read those pages, or if your time is short."""
ONE, TWO = "both from {}", "the first from {} and the second from {}"


class Opening(NamedTuple):
    """What opens a notebook: words in Markdown, and the lines of code below them."""

    words: str
    lines: tuple


def warm_ups(names):
    """Return what opens each notebook from the fourth on, by the short names of all in order.

    What is most overdue comes first, and the second problem is from another notebook, if there
    is one. A skill that comes back has new numbers: No. 1, then No. 2.
    """
    due, asked, openings = {}, {}, {}
    for place, name in enumerate(names):
        if place >= FIRST and due:
            chosen = _most_due(due, asked, place)
            for skill in chosen:
                asked[skill] = asked.get(skill, 0) + 1
                due[skill] = place + GAPS[min(asked[skill], len(GAPS) - 1)]
            openings[name] = _opening([(skill, asked[skill]) for skill in chosen])
        due |= {drill.name: place + GAPS[0] for drill in _taught_in(name)}
    return openings


def _taught_in(name):
    return (drill for drill in drills().values() if drill.notebook == name)


def _most_due(due, asked, place):
    """Return two skills that are due: asked least often first, then those that wait longest."""
    order = sorted(due, key=lambda skill: (due[skill] > place, asked.get(skill, 0), due[skill]))
    first, *others = order
    apart = [one for one in others if drills()[one].notebook != drills()[first].notebook] or others
    short = [one for one in apart if _products(first) + _products(one) <= MOST]
    return [first, short[0] if short else min(apart, key=_products)]


@functools.cache
def _products(skill):
    """Return how many products there are in the worked solution of the first problem."""
    return "".join(problem(drills()[skill], 1).steps).count("×")


def _opening(chosen):
    links = [f"[notebook 00](00_{drills()[skill].notebook}.ipynb)" for skill, _ in chosen]
    said = ONE if len({*links}) == 1 else TWO
    lines = tuple(f'warm_up("{skill}", {no})' for skill, no in chosen)
    return Opening(WORDS.format(said.format(*links)), lines)
