"""Problems by skill and number, and what a state line or a sheet may name."""

from course.drills import drills
from course.drills.dice import Dice
from course.drills.problem import problem
from wording import nearest

MIXED = "mixed"
LAST = 9_999


def check_named(skill, no):
    """Raise a TypeError or ValueError, which says what is allowed, if there is no such problem."""
    if not isinstance(skill, str):
        raise TypeError(f"skill must be text, such as 'floor', got {skill!r}")
    skills = [MIXED, *drills()]
    if skill not in skills:
        said = nearest(skill, skills) or f"; there are {', '.join(skills)}"
        raise ValueError(f"no skill is called {skill!r}{said}")
    if isinstance(no, bool) or not isinstance(no, int):
        raise TypeError(f"no must be a whole number, got {no!r}")
    if not 1 <= no <= LAST:
        raise ValueError(f"no must be from 1 to {LAST}, got {no}")


def named(skill, no):
    """Return problem `no` of a skill; mixed, of every skill once in each sixteen."""
    if skill != MIXED:
        return problem(drills()[skill], no)
    in_turn, place = divmod(no - 1, len(drills()))
    return problem(drills()[Dice(in_turn).shuffled(drills())[place]], no)
