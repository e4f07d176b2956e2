"""The arithmetic of the course as a reader does it with a pencil, for the texts of drills.

It is written a second time on purpose: the texts say what is *wrong*, too, and their tests hold
what is right to `ndcglib` and scikit-learn.
"""

import math
from functools import partial


class Quotient(float):
    """DCG divided by that of the ideal; a number that shows how it comes about.

    `gains` and `ideal` are in rank order, and cut. `weight` is the discount of a rank.
    """

    def __new__(cls, gains, ideal, weight):
        """Compute both sums, and keep what they are made of."""
        below = dcg(ideal, weight)
        self = super().__new__(cls, dcg(gains, weight) / below if below else math.nan)
        self.gains, self.ideal, self.weight = gains, ideal, weight
        return self

    def lines(self):
        """Return the two sums, term by term, and the division."""
        sums = {"DCG": self.gains, "IDCG": self.ideal}
        found = {name: dcg(gains, self.weight) for name, gains in sums.items()}
        written = [
            f"{name} = {self._terms(gains)} = {found[name]:.5f}" for name, gains in sums.items()
        ]
        return [*written, f"NDCG = {found['DCG']:.5f} / {found['IDCG']:.5f} = {self:.4f}"]

    def _terms(self, gains):
        return " + ".join(f"{g:.5g} × {self.weight(r):.4f}" for r, g in enumerate(gains, start=1))


def dcg(gains, weight):
    """Return the sum of gains times the weights of their ranks."""
    return sum(g * weight(r) for r, g in enumerate(gains, start=1))


def flat(_rank):
    """Return 1, for who forgets the discount."""
    return 1.0


def best(gains):
    """Return gains in the best order."""
    return sorted(gains, reverse=True)


def worst(gains):
    """Return gains in the worst order."""
    return sorted(gains)


def by_score(grades, scores):
    """Return grades in the order of their scores, highest first."""
    paired = sorted(zip(scores, grades, strict=True), key=lambda pair: -pair[0])
    return [grade for _, grade in paired]


def mean(numbers):
    """Return the mean; 0 if there are none."""
    return sum(numbers) / max(1, len(numbers))


def median(numbers):
    """Return the number in the middle, or the mean of the two there."""
    ordered, half = sorted(numbers), len(numbers) // 2
    return mean(ordered[half - 1 + len(ordered) % 2 : half + 1])


def exponential(grades):
    """Return the gains 2^grade − 1."""
    return [2**grade - 1 for grade in grades]


def round_up(number):
    """Return the next whole number; what is whole but for rounding stays."""
    return math.ceil(round(number, 6))


def table(**rows):
    """Return rows of numbers below each other, as lines that are indented by four spaces."""
    texts = {
        name: [f"{x:.2f}" if isinstance(x, float) else str(x) for x in row]
        for name, row in rows.items()
    }
    width = 2 + max(len(text) for row in texts.values() for text in row)
    return "\n".join(
        f"    {name:6}" + "".join(text.rjust(width) for text in row) for name, row in texts.items()
    )


def names(digits=15):
    """Return all that a text knows, by name, with discounts rounded to some digits."""

    def log(rank):
        return round(1 / math.log2(rank + 1), digits)

    def inverse(rank):
        return round(1 / rank, digits)

    def rule_2002(rank):
        return 1.0 if rank < 2 else round(1 / math.log2(rank), digits)

    def quotient(gains, ideal, weight=log):
        return Quotient(gains, ideal, weight)

    return dict(
        log=log,
        inverse=inverse,
        rule_2002=rule_2002,
        flat=flat,
        quotient=quotient,
        dcg=partial(dcg, weight=log),
        best=best,
        worst=worst,
        by_score=by_score,
        mean=mean,
        median=median,
        exponential=exponential,
        round_up=round_up,
        table=table,
        sqrt=math.sqrt,
        log2=math.log2,
        e=math.e,
    )
