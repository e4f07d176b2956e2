"""What the notebooks import, in one place: one line at the top of each is enough."""

from helpers import figures
from helpers.bets import place_bet, reveal
from helpers.breakdown import breakdown, cutoff_curves
from helpers.exercises import ____, exercise
from helpers.explorers import compare_code, self_test, slide_k, term_ledger, tie_shuffler
from helpers.figures import show
from helpers.metrics import (
    dcg,
    discount_weights,
    gain_values,
    idcg,
    ndcg,
    ndcg_long,
    random_ndcg,
    worst_ndcg,
)

__all__ = [
    "____",
    "breakdown",
    "compare_code",
    "cutoff_curves",
    "dcg",
    "discount_weights",
    "exercise",
    "figures",
    "gain_values",
    "idcg",
    "ndcg",
    "ndcg_long",
    "place_bet",
    "random_ndcg",
    "reveal",
    "self_test",
    "show",
    "slide_k",
    "term_ledger",
    "tie_shuffler",
    "worst_ndcg",
]
