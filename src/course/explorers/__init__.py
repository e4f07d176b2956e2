"""Explorers: declarations with one generic widget, one call each in a notebook."""

from functools import partial
from types import MappingProxyType

from course.explorers.aa_dice import aa_dice
from course.explorers.climb_stepper.model import climb_stepper
from course.explorers.compare_code.model import compare_code
from course.explorers.drag_list import drag_list
from course.explorers.duel.model import duel
from course.explorers.epoch_slider.model import epoch_slider
from course.explorers.every_order.model import every_order
from course.explorers.one_number.model import one_number
from course.explorers.own_discount.model import own_discount
from course.explorers.page_readers.model import page_readers
from course.explorers.pool_members import pool_members
from course.explorers.printed_number import printed_number
from course.explorers.slide_k import slide_k
from course.explorers.term_ledger import term_ledger
from course.explorers.tie_shuffler.model import tie_shuffler
from course.explorers.waterfall import waterfall
from course.explorers.where_is_the_floor.model import where_is_the_floor

# The registry: every explorer, in the order of the notebooks, with data where it needs some.
# The room's page, the contract tests, the browser's walk and the benchmark go through it.
EXPLORERS = MappingProxyType(
    {
        "every-order": partial(
            every_order,
            [2, 1, 3, 0, 3],
            presets={
                "NDCG@k falls": {"order": "2 3 1 0 4", "k": 2},
                "The gain decides": {
                    "order": "2 3 1 0 4",
                    "gain": "exponential",
                    "pinned": "0 2 1 4 3",
                },
                "The discount does not": {
                    "order": "2 3 1 0 4",
                    "discount": "reciprocal",
                    "pinned": "0 2 1 4 3",
                },
                "A tie": {"order": "2 0=4=3 1"},
            },
        ),
        "drag-list": partial(
            drag_list,
            [2, 3, 1, 3, 0],
            presets={"Worst order": [4, 2, 0, 3, 1], "Best order": [1, 3, 0, 2, 4]},
        ),
        "term-ledger": term_ledger,
        "slide-k": slide_k,
        "duel": duel,
        "own-discount": own_discount,
        "page-readers": page_readers,
        "compare-code": compare_code,
        "tie-shuffler": partial(
            tie_shuffler,
            [3, 2, 3, 0, 1, 2],
            [0.10, 0.20, 0.30, 0.95, 0.80, 0.70],
            decimals=2,
            seed=3,
        ),
        "where-is-the-floor": where_is_the_floor,
        "pool-members": pool_members,
        "printed-number": printed_number,
        "aa-dice": aa_dice,
        "one-number": one_number,
        "climb-stepper": climb_stepper,
        "epoch-slider": epoch_slider,
        "waterfall": waterfall,
    }
)

__all__ = [
    "EXPLORERS",
    "aa_dice",
    "climb_stepper",
    "compare_code",
    "drag_list",
    "duel",
    "epoch_slider",
    "every_order",
    "one_number",
    "own_discount",
    "page_readers",
    "pool_members",
    "printed_number",
    "slide_k",
    "term_ledger",
    "tie_shuffler",
    "waterfall",
    "where_is_the_floor",
]
