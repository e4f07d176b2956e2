"""The blank that a reader replaces.

A blank stands where an answer belongs. Arithmetic with it gives a blank again, so
that a half-filled sum is *not attempted* rather than an error, and Run All passes.
"""


class Blank:
    """A gap in a sum or a program, written ``____``."""

    __array_ufunc__ = None  # NumPy leaves arithmetic with a blank to the blank

    def __repr__(self):
        return "____"

    def _blank(self, *_operands):
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _blank
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = _blank
    __pow__ = __rpow__ = __mod__ = __rmod__ = __matmul__ = __rmatmul__ = _blank
    __neg__ = __pos__ = __abs__ = __round__ = __call__ = _blank

    def __format__(self, _spec):
        return repr(self)


____ = Blank()


def is_blank(answer):
    """Tell whether an answer is still to come: None, a blank, or made of such."""
    if isinstance(answer, list | tuple):
        return any(is_blank(part) for part in answer)
    if isinstance(answer, dict):
        return any(is_blank(part) for part in answer.values())
    return answer is None or isinstance(answer, Blank)
