"""Tuning a linear scorer on NDCG: climb the metric itself, or fit a loss instead.

Read the modules in this order.

1. `objective`: mean NDCG of X @ w, computed fast (notebook *climb*)
2. `staircases`: mean NDCG along a line, every step of it (notebook *climb*)
3. `moves`: three ways to choose the next step (notebook *climb*)
4. `ascent`: the whole search, its history and its choice (notebook *climb*)
5. `surrogates`: losses with a gradient (notebook *surrogates*)
6. `fitting`: fitting them, and what NDCG does meanwhile (notebook *surrogates*)
7. `levels`: what every result must be compared with (notebooks *held_out* and *surrogates*)
8. `contests`: several rankers on training and on fresh queries (notebook *held_out*)

`lists` checks and pads the data, `starts` chooses where a search begins, and
`progress` shows how far it is.
"""

from helpers.tuning.ascent import Climb, Row, climb
from helpers.tuning.contests import Best, best_in_training, contest_rows, on_both
from helpers.tuning.fitting import Epoch, Fit, fit, least_squares, pairwise_logistic
from helpers.tuning.levels import Level, Limits, baselines, differences, interval, limits
from helpers.tuning.objective import Objective, linear_scores
from helpers.tuning.staircases import (
    LineSearch,
    Staircase,
    exact_line_search,
    score_staircase,
    staircase,
)
from helpers.tuning.surrogates import (
    lambda_weights,
    lambdarank_loss,
    pairwise_loss,
    squared_loss,
)

__all__ = [
    "Best",
    "Climb",
    "Epoch",
    "Fit",
    "Level",
    "Limits",
    "LineSearch",
    "Objective",
    "Row",
    "Staircase",
    "baselines",
    "best_in_training",
    "climb",
    "contest_rows",
    "differences",
    "exact_line_search",
    "fit",
    "interval",
    "lambda_weights",
    "lambdarank_loss",
    "least_squares",
    "limits",
    "linear_scores",
    "on_both",
    "pairwise_logistic",
    "pairwise_loss",
    "score_staircase",
    "squared_loss",
    "staircase",
]
