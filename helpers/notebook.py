"""What the notebooks import, in one place: one line at the top of each is enough."""

from helpers import figures
from helpers.bets import place_bet, reveal
from helpers.breakdown import breakdown, cutoff_curves
from helpers.exercises import ____, exercise
from helpers.explorers import (
    compare_code,
    drag_list,
    duel,
    own_discount,
    present,
    self_test,
    slide_k,
    term_ledger,
    tie_shuffler,
    where_is_the_floor,
)
from helpers.figures import show
from helpers.metrics import (
    agreement,
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
    verdicts,
    worst_ndcg,
)

__all__ = [
    "____",
    "agreement",
    "all_orders",
    "breakdown",
    "compare_code",
    "corrected_ndcg",
    "cutoff_curves",
    "dcg",
    "discount_weights",
    "drag_list",
    "duel",
    "exercise",
    "figures",
    "gain_values",
    "idcg",
    "minmax_ndcg",
    "ndcg",
    "ndcg_differences",
    "ndcg_long",
    "own_discount",
    "place_bet",
    "present",
    "random_ndcg",
    "random_pairs",
    "reveal",
    "self_test",
    "show",
    "slide_k",
    "term_ledger",
    "tie_shuffler",
    "verdicts",
    "where_is_the_floor",
    "worst_ndcg",
]
