"""What the notebooks import, in one place: one line at the top of each is enough."""

from helpers import figures
from helpers.breakdown import breakdown, cutoff_curves
from helpers.course.bets import place_bet, reveal
from helpers.course.exercises import ____, exercise
from helpers.course.explorers import (
    climb_stepper,
    compare_code,
    drag_list,
    duel,
    epoch_slider,
    every_order,
    one_number,
    own_discount,
    printed_number,
    slide_k,
    term_ledger,
    tie_shuffler,
    where_is_the_floor,
)
from helpers.course.widgets.present import present
from helpers.course.widgets.selftest import self_test
from helpers.figures import show
from helpers.metrics import (
    all_orders,
    corrected_ndcg,
    dcg,
    discount_weights,
    gain_values,
    idcg,
    minmax_ndcg,
    ndcg,
    ndcg_differences,
    ndcg_long,
    random_ndcg,
    random_pairs,
    step_gain,
    verdicts,
    worst_ndcg,
)

__all__ = [
    "____",
    "all_orders",
    "breakdown",
    "climb_stepper",
    "compare_code",
    "corrected_ndcg",
    "cutoff_curves",
    "dcg",
    "discount_weights",
    "drag_list",
    "duel",
    "epoch_slider",
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
    "place_bet",
    "present",
    "printed_number",
    "random_ndcg",
    "random_pairs",
    "reveal",
    "self_test",
    "show",
    "slide_k",
    "step_gain",
    "term_ledger",
    "tie_shuffler",
    "verdicts",
    "where_is_the_floor",
    "worst_ndcg",
]
