"""Which ranking wins?, the explorer of notebook 05: two rankings, any gain, any cutoff."""

from helpers.course.explorers.duel.model import duel

__all__ = ["duel"]
