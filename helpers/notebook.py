"""What the notebooks import, in one place: one line at the top of each is enough."""

import sys

from helpers.versions import untested

if line := untested():  # before the imports: one of them may break because of it
    print(line, file=sys.stderr)

from course import figures
from course.bets import place_bet, reveal
from course.drills.practice import practice, warm_up
from course.exercises import ____, exercise
from course.explorers import CALLS
from course.figures import show
from course.selftest import self_test
from coursekit.widgets.present import present
from helpers.breakdown import breakdown, cutoff_curves
from ndcglib.metrics import (
    all_orders,
    average_precision,
    corrected_ndcg,
    dcg,
    depth_pool,
    discount_weights,
    err,
    gain_values,
    idcg,
    ndcg,
    ndcg_differences,
    ndcg_long,
    precision_at_k,
    random_ndcg,
    random_pairs,
    rbp,
    reciprocal_rank,
    step_gain,
    unjudged_at_k,
    verdicts,
    worst_ndcg,
)

__all__ = [  # and the explorers
    *CALLS,
    "____",
    "all_orders",
    "average_precision",
    "breakdown",
    "corrected_ndcg",
    "cutoff_curves",
    "dcg",
    "depth_pool",
    "discount_weights",
    "err",
    "exercise",
    "figures",
    "gain_values",
    "idcg",
    "ndcg",
    "ndcg_differences",
    "ndcg_long",
    "place_bet",
    "practice",
    "precision_at_k",
    "present",
    "random_ndcg",
    "random_pairs",
    "rbp",
    "reciprocal_rank",
    "reveal",
    "self_test",
    "show",
    "step_gain",
    "unjudged_at_k",
    "verdicts",
    "warm_up",
    "worst_ndcg",
]


def __getattr__(name):
    """Return an explorer: the registry alone names them."""
    if name in CALLS:
        return CALLS[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return __all__
