"""From the desk to the projector: all explorers of a session larger, and back."""

from typing import ClassVar
from weakref import WeakSet

from coursekit.widgets.controls import Choice

LARGE = "ndcg-large"  # the class that the style sheets know


class Presentable:
    """What a widget of the course inherits to be shown at projector size.

    The size lives in the widget's own list of CSS classes, a trait, so that a
    reloaded page shows the same. A class that draws sizes itself overrides `_resize`.
    """

    _living: ClassVar[WeakSet] = WeakSet()
    _is_large_from_the_start: ClassVar[bool] = False

    def _join(self):
        """Follow `present` from now on; for the end of ``__init__``."""
        Presentable._living.add(self)
        if Presentable._is_large_from_the_start:
            self.present()

    @property
    def presenting(self):
        """Whether this is at projector size."""
        return LARGE in self._dom_classes

    def present(self, on=True):
        """Turn this one to projector size, or back.

        Parameters
        ----------
        on : bool, default=True
        """
        if _checked(on) == self.presenting:
            return
        if on:
            self.add_class(LARGE)
        else:
            self.remove_class(LARGE)
        self._resize()

    def _resize(self):
        """Draw anew what does not follow the CSS class."""


def present(on=True):
    """Turn all explorers of this session to projector size, or back.

    Text becomes 22 to 24 px, the question, titles and formulas 28 to 32 px; figures
    are as wide as the page. Explorers made later follow. It prints nothing.

    Parameters
    ----------
    on : bool, default=True
        False turns them back.

    Raises
    ------
    TypeError
        If `on` is not a bool.
    """
    Presentable._is_large_from_the_start = _checked(on)
    for widget in list(Presentable._living):
        widget.present(on)


def size_choice():
    """Return a choice of the size, for a page without code: this screen, or a projector (True)."""
    start = Presentable._is_large_from_the_start
    choice = Choice("Text for", {"this screen": False, "a projector": True}, start)
    choice.observe(lambda change: present(change["new"]), "value")
    return choice


def _checked(on):
    if not isinstance(on, bool):
        raise TypeError(f"on must be True or False, got {on!r}")
    return on
