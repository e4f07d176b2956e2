"""What happens to NDCG when one number moves?, the explorer of notebook 11."""

from helpers.course.explorers.one_number.model import one_number

__all__ = ["one_number"]
