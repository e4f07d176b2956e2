"""Figures of the course: breakdowns and curves in, `go.Figure` out."""

from helpers.figures.charts import (
    against_ideal,
    cumulative,
    cutoffs,
    gains_and_discounts,
    per_rank,
)
from helpers.figures.describe import describe, show
from helpers.figures.discount_curves import agreement_matrix, discount_curves, without_cutoff
from helpers.figures.floors import floor
from helpers.figures.gain_curves import gain_curves
from helpers.figures.parting import parting
from helpers.figures.ranges import tie_ranges
from helpers.figures.ties import tied_orders

__all__ = [
    "against_ideal",
    "agreement_matrix",
    "cumulative",
    "cutoffs",
    "describe",
    "discount_curves",
    "floor",
    "gain_curves",
    "gains_and_discounts",
    "parting",
    "per_rank",
    "show",
    "tie_ranges",
    "tied_orders",
    "without_cutoff",
]
