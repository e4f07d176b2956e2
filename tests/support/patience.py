"""What takes longer than it should is said, and is no failure: the machine may be busy."""

import time
import warnings
from contextlib import contextmanager


@contextmanager
def expected_within(seconds, what):
    """Warn in words where the block takes more seconds; it goes on to its end in any case."""
    start = time.monotonic()
    yield
    spent = time.monotonic() - start
    if spent > seconds:
        warnings.warn(
            f"{what} took {spent:.1f} seconds, and {seconds} were expected: this machine is busy, "
            "or the code is slow",
            stacklevel=3,
        )
