"""Draw your discount, the explorer of notebook 06: your weights beside the conventions."""

from helpers.course.explorers.own_discount.model import own_discount

__all__ = ["own_discount"]
