"""Numbers typed by hand whose wrong values follow from a wrong method, by exercise and name.

A number that is not here is right if it is the one that the solution computes.
"""

from dataclasses import replace

from course.exercises.boxes import Box, ranked, scored
from ndcglib.conventions.method import RIGHT, Method

DCG, IDCG = Method(result="DCG"), Method(result="IDCG")
STEEP, RECIPROCAL = Method(gain="exponential"), Method(discount="reciprocal")
SUM = ("gain", "discount", "cutoff", "result", "rounding")
QUOTIENT = ("gain", "discount", "cutoff", "pool", "result", "rounding")
OF_GAIN = ("gain", "discount", "cutoff", "rounding", "result")
OF_DISCOUNT = ("gain", "cutoff", "rounding", "result")
OF_TIES = ("discount", "gain", "cutoff", "result", "ties", "rounding")

FULL, FOUR, LISTED = [0, 2, 3, 1], [1, 3, 0, 2], [3, 2, 3, 0, 1, 2]
EIGHT = [3, 2, 3, 0, 1, 2, 0, 1], [0.60, 0.20, 0.80, 0.40, 0.10, 0.30, 0.05, 0.70]
LONG = [3, 2, 3, 0, 1, 2, 0, 0, 3, 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 3]
TIED = [2, 3, 0, 0, 1], [0.9, 0.5, 0.5, 0.5, 0.1]


def _dcg_and_ndcg(names, value, switches, method=RIGHT):
    """Return the boxes of a DCG and its NDCG."""
    methods = replace(method, result="DCG"), method
    boxes = (Box(value, method=m, switches=switches) for m in methods)
    return dict(zip(names, boxes, strict=True))


BOXES = {
    "dcg-of-302": {"dcg_of_302": Box(ranked([3, 0, 2]), method=DCG, switches=SUM)},
    "ndcg-of-302": {
        "my_idcg": Box(ranked([3, 0, 2]), method=IDCG, switches=SUM),
        "my_ndcg": Box(ranked([3, 0, 2]), switches=SUM),
    },
    "faded-dcg": {
        "first_idcg": Box(ranked(LONG[:5]), method=IDCG, switches=("gain", "discount", "cutoff"))
    },
    "eight-ideal": {
        "eight_idcg": Box(
            scored(*EIGHT, 5),
            method=Method(gain="exponential", result="IDCG"),
            switches=(*SUM, "pool"),
        )
    },
    "binary-at-three": {"binary_at_3": Box(ranked([1, 0, 1, 1, 0], 3), switches=QUOTIENT)},
    "long-ideal": {"long_idcg": Box(ranked(LONG, 5), method=IDCG, switches=QUOTIENT)},
    "whole-way": {
        "full_at_4": Box(ranked(FULL, 4), switches=QUOTIENT),
        "full_at_2": Box(ranked(FULL, 2), switches=QUOTIENT),
    },
    "missed-pool": {"from_the_list": Box(ranked(LISTED, 6), switches=SUM)},
    "exponential-sum": _dcg_and_ndcg(
        ("exponential_dcg", "exponential_ndcg"), ranked(FOUR, 4), OF_GAIN, STEEP
    ),
    "another-discount": _dcg_and_ndcg(
        ("reciprocal_dcg", "reciprocal_ndcg"), ranked(FOUR, 4), OF_DISCOUNT, RECIPROCAL
    ),
    "tied-at-three": _dcg_and_ndcg(("dcg_at_3", "ndcg_at_3"), scored(*TIED, 3), OF_TIES),
    "tied-at-two": _dcg_and_ndcg(("dcg_at_2", "ndcg_at_2"), scored(*TIED, 2), OF_TIES),
}
