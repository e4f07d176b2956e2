"""The term ledger of notebook *gain_discounted*: walk the sum rank by rank."""

from course.explorers.formulas import digits_of, equation, fraction, later, log2_of, name, number
from course.figures import per_rank
from coursekit.explorers.declaration import Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.breakdown import breakdown
from ndcglib.metrics.checks import as_flat, as_ids

GAINS = {"grade": "linear", "2^grade − 1": "exponential"}
ORDERS = {"as ranked": "ranked", "best": "ideal", "worst": "worst"}
MOST_GRADES = 8  # so that the formula fits a line
METRICS = {"ranked": "DCG", "ideal": "IDCG", "worst": "worst DCG"}


class TermLedger:
    """The ledger of one ranking: its terms, and their sum so far.

    Grades and ids (D1, D2, … by default) are in the order the search engine ranked them.
    """

    def __init__(self, grades, ids=None):
        grades = as_flat(grades, "grades").tolist()
        if len(grades) > MOST_GRADES:
            raise ValueError(f"grades must be 1 to {MOST_GRADES}, got {len(grades)}")
        self.documents = list(zip(grades, as_ids(ids, len(grades)), strict=True))

    def view(self, rank, gain, order):
        """Return the ledger with the terms of ranks 1 to `rank` filled in; 0: nothing counted yet.

        The gain is "linear" or "exponential", the order "ranked", "ideal" or "worst".
        """
        grades, ids = zip(*self._ordered(order), strict=True)
        terms = breakdown(grades, ranked=True, gain=gain, ids=ids)
        metric = METRICS[order]
        title = self._title(terms, rank, metric)
        figure = per_rank(terms, upto=rank, metric=metric, title=title)
        whole = [(f"IDCG@{terms.k}", terms.idcg), (f"NDCG@{terms.k}", terms.ndcg)]
        rows = [(None, what, *[None] * 3, round(value, 4)) for what, value in whole]
        return View(figure, self._formula(terms, rank, metric), rows if order == "ranked" else ())

    def _ordered(self, order):
        """Return (grade, name) in the order asked for; equal grades stay as they are."""
        if order == "ranked":
            return self.documents
        return sorted(self.documents, key=lambda pair: pair[0], reverse=order == "ideal")

    def _title(self, terms, rank, metric):
        if rank == 0:
            return f"Nothing is counted yet, so {metric}@0 = 0"
        row = terms.rows[rank - 1]
        return (
            f"Rank {rank} adds {row.gain:g} / log₂({rank + 1}) = {digits_of(row.contribution)}, "
            f"so {metric}@{rank} = {digits_of(row.cumulative)}"
        )

    def _formula(self, terms, rank, metric):
        parts = [name(f"{metric}@{rank}"), "="]
        for row in terms.rows:
            term = fraction(number(row.gain), log2_of(row.first_rank))
            counted = row.first_rank <= rank
            parts += ["+"] if counted and row.first_rank > 1 else []
            parts += [term if counted else later("+", term)]
        total = terms.rows[rank - 1].cumulative if rank else 0
        return equation(*parts, "=", number(total))


@explorer
def term_ledger(grades=(3, 2, 3, 0, 1), ids=None):
    """Return the explorer "Where does the number come from?".

    Parameters
    ----------
    grades : sequence of int
        Grades in rank order, at most eight, so that the formula fits a line.
    ids : sequence of str, optional
        Names of the documents, in the same order.

    Returns
    -------
    Explorer
        With controls ``rank``, ``gain`` and ``order``.

    Raises
    ------
    TypeError, ValueError
        If there are not one to eight grades, or `ids` does not name each of them.

    Notes
    -----
    Taught in notebook *gain_discounted*.
    """
    model = TermLedger(grades, ids)
    n = len(model.documents)
    controls = {
        "rank": Whole("Ranks counted", 0, n, value=1),
        "gain": OneOf("Gain", GAINS, "linear"),
        "order": OneOf("Order", ORDERS, "ranked"),
    }
    presets = {
        "Whole sum": dict(rank=n, gain="linear", order="ranked"),
        "Whole ideal sum": dict(rank=n, gain="linear", order="ideal"),
    }
    question = "Where does the number come from?"
    return Declaration(question, model.view, controls, presets)
