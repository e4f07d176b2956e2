"""Draws from a seed that are the same on every machine and with every NumPy."""

import numpy as np


class Dice:
    """Numbers from a seed, one after the other.

    NumPy promises the raw stream of PCG64 (NEP 19), but not what its `integers` make of it. So
    everything here is made of the raw stream. That whole numbers come from it by a remainder
    makes some of them likelier by one part in 10^17, which no reader will notice.
    """

    def __init__(self, *seed):
        self._raw = np.random.PCG64(np.random.SeedSequence(seed)).random_raw

    def whole(self, low, high):
        """Return a whole number from `low` to `high`, both included."""
        return low + int(self._raw()) % (high - low + 1)

    def pick(self, choices):
        """Return one of some choices."""
        choices = list(choices)
        return choices[self.whole(0, len(choices) - 1)]

    def shuffled(self, items):
        """Return a list of some items in any order."""
        rest = list(items)
        return [rest.pop(self.whole(0, len(rest) - 1)) for _ in range(len(rest))]

    def grades(self, n, bag="0012233"):
        """Return `n` grades, each drawn from a bag of digits."""
        return [int(self.pick(bag)) for _ in range(n)]

    def scores(self, n, low=11, high=98):
        """Return `n` scores of two decimals, all different, from `low` to `high` hundredths."""
        return [hundredths / 100 for hundredths in self.shuffled(range(low, high + 1))[:n]]
