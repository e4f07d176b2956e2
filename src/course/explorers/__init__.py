"""Explorers: declarations with one generic widget, one call each in a notebook."""

from types import MappingProxyType

from course.explorers.aa_dice import aa_dice
from course.explorers.climb_stepper import climb_stepper
from course.explorers.compare_code import compare_code
from course.explorers.drag_list import drag_list
from course.explorers.duel import duel
from course.explorers.epoch_slider import epoch_slider
from course.explorers.every_order import every_order
from course.explorers.judges import judges
from course.explorers.one_more_tree import one_more_tree
from course.explorers.one_number import one_number
from course.explorers.own_discount import own_discount
from course.explorers.page_readers import page_readers
from course.explorers.pool_members import pool_members
from course.explorers.printed_number import printed_number
from course.explorers.slide_k import slide_k
from course.explorers.term_ledger import term_ledger
from course.explorers.tie_shuffler import tie_shuffler
from course.explorers.two_weights import two_weights
from course.explorers.waterfall import waterfall
from course.explorers.where_is_the_floor import where_is_the_floor

# In the order of the notebooks. To add one, import it and put it here.
ALL = (
    every_order,
    drag_list,
    term_ledger,
    slide_k,
    duel,
    own_discount,
    page_readers,
    compare_code,
    tie_shuffler,
    where_is_the_floor,
    pool_members,
    printed_number,
    aa_dice,
    judges,
    one_number,
    two_weights,
    climb_stepper,
    epoch_slider,
    one_more_tree,
    waterfall,
)
# By what the notebooks call them.
CALLS = MappingProxyType({one.__name__: one for one in ALL})
# The registry, by what state lines call them, with data where one needs some. The room's page,
# the contract tests, the browser's walk and the benchmark go through it.
EXPLORERS = MappingProxyType({name.replace("_", "-"): one.example for name, one in CALLS.items()})
