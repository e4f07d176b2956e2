"""DCG and NDCG: the numbers of the course, and nothing about pictures.

Read the modules in this order; each is short.

1. `plain`: `dcg` and `ndcg` in forty lines, as notebooks *gain_discounted* and
   *your_own_ndcg* write them
2. `gains`: what one grade is worth (notebooks *gain_discounted* and *gain*)
3. `discounts`: what one rank is worth (notebooks *gain_discounted* and *discount*)
4. `kernel`: `plain` for many queries at a time, and fast (ties: notebook *ties*)
5. `scores`: `dcg`, `idcg`, `ndcg` and their floors
   (notebooks *gain_discounted*, *your_own_ndcg* and *floors*)
6. `long_table`: the same for queries of unequal length (notebook *files*)
7. `permutations`: every order of a list; chance-corrected and min-max NDCG (notebook *floors*)
8. `pairs`: which of two rankings wins, and who agrees about it (notebooks *gain* and *discount*)
9. `pools`: who was judged, and how much of a page nobody saw (notebook *pool*)
10. `readers`: precision, RBP, RR, ERR and AP, whose readers stop elsewhere (notebook *readers*)

`checks` holds every message about bad input.
"""

from ndcglib.metrics.discounts import discount_weights
from ndcglib.metrics.gains import gain_values, step_gain
from ndcglib.metrics.long_table import ndcg_long
from ndcglib.metrics.pairs import ndcg_differences, random_pairs, verdicts
from ndcglib.metrics.permutations import all_orders, corrected_ndcg, minmax_ndcg
from ndcglib.metrics.pools import depth_pool, unjudged_at_k
from ndcglib.metrics.readers import (
    average_precision,
    err,
    precision_at_k,
    rbp,
    reciprocal_rank,
)
from ndcglib.metrics.scores import dcg, idcg, ndcg, random_ndcg, worst_ndcg

__all__ = [
    "all_orders",
    "average_precision",
    "corrected_ndcg",
    "dcg",
    "depth_pool",
    "discount_weights",
    "err",
    "gain_values",
    "idcg",
    "minmax_ndcg",
    "ndcg",
    "ndcg_differences",
    "ndcg_long",
    "precision_at_k",
    "random_ndcg",
    "random_pairs",
    "rbp",
    "reciprocal_rank",
    "step_gain",
    "unjudged_at_k",
    "verdicts",
    "worst_ndcg",
]
