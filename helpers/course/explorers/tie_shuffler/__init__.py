"""The tie shuffler of notebook 08: break the ties of one list, once or often."""

from helpers.course.explorers.tie_shuffler.model import tie_shuffler

__all__ = ["tie_shuffler"]
