"""Figures of the course: breakdowns and curves in, `go.Figure` out."""

from helpers.figures.charts import (
    against_ideal,
    cumulative,
    cutoffs,
    gains_and_discounts,
    per_rank,
)
from helpers.figures.describe import describe, show

__all__ = [
    "against_ideal",
    "cumulative",
    "cutoffs",
    "describe",
    "gains_and_discounts",
    "per_rank",
    "show",
]
