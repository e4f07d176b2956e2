"""Figures of the course: breakdowns and curves in, `go.Figure` out."""

from helpers.figures.charts import (
    against_ideal,
    cumulative,
    cutoffs,
    gains_and_discounts,
    per_rank,
)
from helpers.figures.climb_curves import climb_curves, train_against_test
from helpers.figures.describe import describe, show
from helpers.figures.discount_curves import discount_curves, without_cutoff
from helpers.figures.gain_curves import gain_curves
from helpers.figures.growth import growth
from helpers.figures.matrix import matrix
from helpers.figures.prices import price_and_grade
from helpers.figures.program_differences import program_differences
from helpers.figures.ranges import dot_plot, group_dots, tie_ranges
from helpers.figures.staircases import crossing_lines, staircase

__all__ = [
    "against_ideal",
    "climb_curves",
    "crossing_lines",
    "cumulative",
    "cutoffs",
    "describe",
    "discount_curves",
    "dot_plot",
    "gain_curves",
    "gains_and_discounts",
    "group_dots",
    "growth",
    "matrix",
    "per_rank",
    "price_and_grade",
    "program_differences",
    "show",
    "staircase",
    "tie_ranges",
    "train_against_test",
    "without_cutoff",
]
