"""What the notebooks import, in one place: one line at the top of each is enough."""

import sys

from helpers.versions import untested

if line := untested():  # before the imports: one of them may break because of it
    print(line, file=sys.stderr)

from course import figures
from course.bets import place_bet, reveal
from course.exercises import ____, exercise
from course.explorers import (
    aa_dice,
    climb_stepper,
    compare_code,
    drag_list,
    duel,
    epoch_slider,
    every_order,
    one_number,
    own_discount,
    page_readers,
    pool_members,
    printed_number,
    slide_k,
    term_ledger,
    tie_shuffler,
    waterfall,
    where_is_the_floor,
)
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
    minmax_ndcg,
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

__all__ = [
    "____",
    "aa_dice",
    "all_orders",
    "average_precision",
    "breakdown",
    "climb_stepper",
    "compare_code",
    "corrected_ndcg",
    "cutoff_curves",
    "dcg",
    "depth_pool",
    "discount_weights",
    "drag_list",
    "duel",
    "epoch_slider",
    "err",
    "every_order",
    "exercise",
    "figures",
    "gain_values",
    "idcg",
    "minmax_ndcg",
    "ndcg",
    "ndcg_differences",
    "ndcg_long",
    "one_number",
    "own_discount",
    "page_readers",
    "place_bet",
    "pool_members",
    "precision_at_k",
    "present",
    "printed_number",
    "random_ndcg",
    "random_pairs",
    "rbp",
    "reciprocal_rank",
    "reveal",
    "self_test",
    "show",
    "slide_k",
    "step_gain",
    "term_ledger",
    "tie_shuffler",
    "unjudged_at_k",
    "verdicts",
    "waterfall",
    "where_is_the_floor",
    "worst_ndcg",
]
