"""What does each pass change?, the explorer of notebook 11: a climb, pass by pass."""

from helpers.course.explorers.climb_stepper.model import climb_stepper

__all__ = ["climb_stepper"]
