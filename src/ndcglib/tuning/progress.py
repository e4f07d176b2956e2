"""A bar for long searches: shown after a second, gone at the end."""

QUIET_SECONDS = 1.0


class Bar:
    """A tqdm bar that counts passes and shows the value reached.

    Parameters
    ----------
    total : int
        The most passes there can be; a search usually ends sooner.
    """

    def __init__(self, total):
        # Here, not above: who never sees a bar need not wait for tqdm to load.
        from tqdm.auto import tqdm

        self._bar = tqdm(total=total, unit="pass", delay=QUIET_SECONDS, leave=False)

    def __call__(self, row):
        """Count one pass."""
        self._bar.set_postfix(ndcg=f"{row.train:.4f}", refresh=False)
        self._bar.update()

    def close(self):
        """Take the bar away."""
        self._bar.close()


class Silent:
    """Progress that nobody watches, or that a function of the caller's does.

    Parameters
    ----------
    watch : callable, optional
        Called with each row of the history.
    """

    def __init__(self, watch=None):
        self._watch = watch

    def __call__(self, row):
        """Pass the row on."""
        if self._watch is not None:
            self._watch(row)

    def close(self):
        """Do nothing."""


def as_progress(progress, total):
    """Return what to call after each pass, and to close at the end.

    Parameters
    ----------
    progress : bool or callable
        True shows a bar, False nothing; a function is called with each row.
    total : int

    Returns
    -------
    Bar or Silent

    Raises
    ------
    TypeError
        If `progress` is something else.
    """
    if callable(progress):
        return Silent(progress)
    if not isinstance(progress, bool):
        raise TypeError(f"progress must be True, False or a function, got {progress!r}")
    return Bar(total) if progress else Silent()
