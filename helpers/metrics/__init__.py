"""DCG and NDCG: the numbers of the course, and nothing about pictures.

Read the modules in this order; each is short.

1. `plain`: `dcg` and `ndcg` in forty lines, as notebooks 02 and 07 write them
2. `gains`: what one grade is worth (notebooks 02 and 05)
3. `discounts`: what one rank is worth (notebooks 02 and 06)
4. `kernel`: `plain` for many queries at a time, and fast (ties: notebook 08)
5. `scores`: `dcg`, `idcg`, `ndcg` and their floors (notebooks 02, 07 and 09)
6. `long_table`: the same for queries of unequal length (notebook 04)
7. `permutations`: every order of a list; chance-corrected and min-max NDCG (notebook 09)
8. `pairs`: which of two rankings wins, and who agrees about it (notebooks 05 and 06)

`checks` holds every message about bad input.
"""

from helpers.metrics.discounts import discount_weights
from helpers.metrics.gains import gain_values, step_gain
from helpers.metrics.long_table import ndcg_long
from helpers.metrics.pairs import agreement, ndcg_differences, random_pairs, verdicts
from helpers.metrics.permutations import all_orders, corrected_ndcg, minmax_ndcg
from helpers.metrics.scores import dcg, idcg, ndcg, random_ndcg, worst_ndcg

__all__ = [
    "agreement",
    "all_orders",
    "corrected_ndcg",
    "dcg",
    "discount_weights",
    "gain_values",
    "idcg",
    "minmax_ndcg",
    "ndcg",
    "ndcg_differences",
    "ndcg_long",
    "random_ndcg",
    "random_pairs",
    "step_gain",
    "verdicts",
    "worst_ndcg",
]
