"""What the Python of the exercises' texts has at hand: the names that several of them use.

A text says under "Checked with" what its answers are checked with; `content/README.md` lists these
names for those who write one. What only one text needs stands in that text.
"""

from course.exercises.boxes import Box, ranked, scored
from course.exercises.checks.objections import turns
from course.exercises.checks.probes import (
    JUDGED,
    ONE_QUERY,
    RANKED,
    SEVERAL,
    TIED,
    UNSORTED,
    as_arrays,
    equal_scores,
    of_ranked,
)
from course.exercises.checks.switches import (
    OF_RANKED,
    OF_SCORED,
    OF_SEVERAL,
    OF_TIES,
    QUOTIENT,
    SUM,
)
from coursekit.exercises.claims import orders_of
from ndcglib.conventions.method import Method, evaluate_list

__all__ = [
    "JUDGED",
    "OF_RANKED",
    "OF_SCORED",
    "OF_SEVERAL",
    "OF_TIES",
    "ONE_QUERY",
    "QUOTIENT",
    "RANKED",
    "SEVERAL",
    "SUM",
    "TIED",
    "UNSORTED",
    "Box",
    "Method",
    "as_arrays",
    "equal_scores",
    "evaluate_list",
    "of_ranked",
    "orders_of",
    "ranked",
    "scored",
    "turns",
]
