"""Figures of the course: breakdowns and curves in, charts out."""

from course.figures.climb_curves import climb_curves, train_against_test
from course.figures.discount_curves import discount_curves, without_cutoff
from course.figures.gain_curves import gain_curves
from course.figures.growth import growth
from course.figures.matrix import matrix
from course.figures.piles import order_piles
from course.figures.prices import price_and_grade
from course.figures.program_differences import program_differences
from course.figures.ranges import dot_plot, group_dots, order_ranges
from course.figures.staircases import crossing_lines, staircase
from coursekit.figure import describe, show
from helpers.charts import (
    against_ideal,
    cumulative,
    cutoffs,
    gains_and_discounts,
    per_rank,
)

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
    "order_piles",
    "order_ranges",
    "per_rank",
    "price_and_grade",
    "program_differences",
    "show",
    "staircase",
    "train_against_test",
    "without_cutoff",
]
