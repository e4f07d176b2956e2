"""Tuning a linear scorer on NDCG: climb the metric itself, or fit a loss instead.

Read the modules in this order.

1. `objective`: mean NDCG of X @ w, computed fast (notebook *climb*)
2. `staircases`: mean NDCG along a line, every step of it (notebook *staircase*)
3. `moves`: three ways to choose the next step (notebook *climb*)
4. `ascent`: the whole search, its history and its choice (notebook *climb*)
5. `surrogates`: losses with a gradient (notebooks *regression* and *surrogates*)
6. `fitting`: fitting them, and what NDCG does meanwhile (notebooks *regression* and *surrogates*)
7. `levels`: what every result must be compared with (notebooks *baselines* and *surrogates*)
8. `contests`: several rankers on training and on fresh queries (*held_out*, too)

`lightgbm.json` is what LightGBM does beside the boosting of *lambdamart* and *trees*:
`python benchmarks/lambdamart.py --write` writes it. `tools.json` is what XGBoost and CatBoost do
on the same data: `make peers` writes it.

`lists` checks and pads the data, `starts` chooses where a search begins, and
`progress` shows how far it is.
"""

import json
from pathlib import Path

from ndcglib.tuning.ascent import Climb, Row, climb
from ndcglib.tuning.contests import (
    Best,
    Contest,
    best_in_training,
    contest,
    contest_rows,
    on_both,
)
from ndcglib.tuning.fitting import (
    Epoch,
    Fit,
    fit,
    least_squares,
    pairwise_logistic,
    pointwise_logistic,
)
from ndcglib.tuning.levels import Limits, baselines, limits
from ndcglib.tuning.objective import Objective, linear_scores
from ndcglib.tuning.staircases import (
    LineSearch,
    Staircase,
    exact_line_search,
    score_staircase,
    staircase,
)
from ndcglib.tuning.surrogates import (
    PairLoss,
    lambda_weights,
    lambdarank_loss,
    pair_losses,
    pairwise_loss,
    squared_loss,
)

MEASURED, _TOOLS = (
    json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("lightgbm", "tools")
)
MEASURED["tools"] = _TOOLS

__all__ = [
    "MEASURED",
    "Best",
    "Climb",
    "Contest",
    "Epoch",
    "Fit",
    "Limits",
    "LineSearch",
    "Objective",
    "PairLoss",
    "Row",
    "Staircase",
    "baselines",
    "best_in_training",
    "climb",
    "contest",
    "contest_rows",
    "exact_line_search",
    "fit",
    "lambda_weights",
    "lambdarank_loss",
    "least_squares",
    "limits",
    "linear_scores",
    "on_both",
    "pair_losses",
    "pairwise_logistic",
    "pairwise_loss",
    "pointwise_logistic",
    "score_staircase",
    "squared_loss",
    "staircase",
]
