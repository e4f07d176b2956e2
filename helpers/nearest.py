"""One way to say which name was meant, for every message that refuses one."""

from difflib import get_close_matches


def nearest(given, names):
    """Return words for the end of a message: the name of a list that is like the one that came.

    Empty where none is like it. Capitals do not count. On the site `nearest` in ``line.js``
    says the same.

    Examples
    --------
    >>> nearest("avrage", ["average", "best"])
    "; did you mean 'average'?"
    >>> nearest("worst", ["average", "best"])
    ''
    """
    if not isinstance(given, str):
        return ""
    small = {name.lower(): name for name in names if isinstance(name, str)}
    found = get_close_matches(given.lower(), small, n=1)
    return f"; did you mean {small[found[0]]!r}?" if found else ""
