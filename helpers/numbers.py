"""How numbers are written: in words, on marks and in tables, the same everywhere."""

DIGITS = 4  # of a metric in words and tables
DRAWN = 6  # of what is drawn


def signed(value, digits=DIGITS, *, plus=False):
    """Write a number that may be negative: a true minus, and zero without a sign.

    With `plus` a number above zero gets its sign too.

    Examples
    --------
    >>> signed(-0.25, 2), signed(-0.001, 2), signed(0.25, 2, plus=True)
    ('−0.25', '0.00', '+0.25')
    """
    return written(value, f"{'+' if plus else ''}.{digits}f")


def written(value, digits):
    """Write a number as `format` does: a true minus, and zero without a sign.

    Examples
    --------
    >>> written(-0.25, ".2f"), written(-0.0001, ".1%"), written(0.25, ".1%")
    ('−0.25', '0.0%', '25.0%')
    """
    text = f"{value:{digits}}"
    return (text if float(text.strip("%")) else text.lstrip("+-")).replace("-", "−")


def rounded(values, digits=DRAWN):
    """Return numbers as plain floats with the digits that are drawn."""
    return [round(float(value), digits) for value in values]


def cells(values):
    """Return numbers as tables show them; text and None stay."""
    return [v if v is None or isinstance(v, str) else round(float(v), DIGITS) for v in values]


def by_row(index, *columns):
    """Return the rows of a table: what each row is called, then its number of each column."""
    return [[name, *cells(values)] for name, *values in zip(index, *columns, strict=True)]


def counted(n, one, many):
    """Write how many of something there are."""
    return f"{n:,} {one if n == 1 else many}"


def with_and(values):
    """Write several things in a row.

    Examples
    --------
    >>> with_and([1, 2, 3]), with_and(["A", "B"]), with_and([5])
    ('1, 2 and 3', 'A and B', '5')
    """
    *first, last = map(str, values)
    return f"{', '.join(first)} and {last}" if first else last


def joined(named, digits=DIGITS):
    """Write numbers after their names."""
    return ", ".join(f"{name} {value:.{digits}f}" for name, value in named.items())
