"""Explorers: small models with a thin GUI, one call each in a notebook."""

from helpers.course.explorers.climb_stepper import climb_stepper
from helpers.course.explorers.compare_code import compare_code
from helpers.course.explorers.drag_list import drag_list
from helpers.course.explorers.duel import duel
from helpers.course.explorers.epoch_slider import epoch_slider
from helpers.course.explorers.one_number import one_number
from helpers.course.explorers.own_discount import own_discount
from helpers.course.explorers.slide_k import slide_k
from helpers.course.explorers.term_ledger import term_ledger
from helpers.course.explorers.tie_shuffler import tie_shuffler
from helpers.course.explorers.where_is_the_floor import where_is_the_floor
from helpers.course.widgets.present import present, size_choice
from helpers.course.widgets.selftest import self_test

__all__ = [
    "climb_stepper",
    "compare_code",
    "drag_list",
    "duel",
    "epoch_slider",
    "one_number",
    "own_discount",
    "present",
    "self_test",
    "size_choice",
    "slide_k",
    "term_ledger",
    "tie_shuffler",
    "where_is_the_floor",
]
