"""Does a lower loss mean a better ranking?, the explorer of notebook 12: epoch by epoch."""

from helpers.course.explorers.epoch_slider.model import epoch_slider

__all__ = ["epoch_slider"]
