"""An objection that several claims share."""

from ndcglib.metrics import ndcg
from ndcglib.metrics.checks import SAME_VALUE


def turns(with_one, one, with_other, other, advice):
    """Return the objection to two lists if not one rule names the first, the other the second.

    `one` and `other` are the rules, options of `ndcg`, with their words before them; `advice` maps
    the lists to what may help.
    """

    def objection(*lists):
        before, after = (
            [ndcg(grades, ranked=True, **rule) for grades in lists] for rule in (one, other)
        )
        numbers = (
            f"Yours have {before[0]:.4f} and {before[1]:.4f} with {with_one}, {after[0]:.4f} and "
            f"{after[1]:.4f} with {with_other}."
        )
        if before[0] <= before[1]:
            swapped = before[1] > before[0] and after[0] > after[1]
            exchange = " Exchange the two." if swapped else ""
            return f"With {with_one} the first list must win. {numbers}{exchange}"
        if abs(after[0] - after[1]) < SAME_VALUE:
            return f"Nearly: with {with_other} the two are equal. {numbers}"
        if after[0] > after[1]:
            words = f"With {with_other} the second list must win, and it does not."
            return f"{words} {numbers} {advice(*lists)}"
        return ""

    return objection
