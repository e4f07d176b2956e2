"""Explorers: small models with a thin GUI, one call each in a notebook."""

from helpers.explorers.ascent import climb_stepper
from helpers.explorers.compare_code import compare_code
from helpers.explorers.drag_list import drag_list
from helpers.explorers.duel import duel
from helpers.explorers.epochs import epoch_slider
from helpers.explorers.floor import where_is_the_floor
from helpers.explorers.one_number import one_number
from helpers.explorers.own_discount import own_discount
from helpers.explorers.present import present, size_choice
from helpers.explorers.self_test import self_test
from helpers.explorers.slide_k import slide_k
from helpers.explorers.term_ledger import term_ledger
from helpers.explorers.tie_shuffler import tie_shuffler

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
