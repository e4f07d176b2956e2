"""Where is the floor?, the explorer of notebook 09: one NDCG among all orders."""

from helpers.course.explorers.where_is_the_floor.model import where_is_the_floor

__all__ = ["where_is_the_floor"]
