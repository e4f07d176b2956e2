"""Which ranking wins?, the explorer of notebook *gain*: two rankings, any gain, any cutoff."""

import itertools
import math
from collections.abc import Iterable, Mapping

from course.explorers.duel_chart import (
    NAMES,
    NEITHER,
    Match,
    Run,
    Side,
    WinMap,
    gain_text,
    who_wins,
)
from course.explorers.formulas import GAP, equation, name, number
from coursekit.explorers.declaration import Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.breakdown import breakdown
from helpers.numbers import DIGITS
from ndcglib.metrics import ndcg
from ndcglib.metrics.checks import SAME_VALUE, check_whole
from ndcglib.metrics.gains import step_gain

PAIRS = {
    "gain decides": ((3, 0, 0, 2, 2), (2, 2, 3, 0, 0)),
    "k decides": ((2, 1, 0, 3, 2, 0), (1, 2, 3, 0, 0, 2)),
    "both decide": ((1, 2, 3, 0, 2, 0), (2, 0, 1, 3, 0, 2)),
    "binary": ((1, 1, 0, 0, 1, 0, 1), (1, 0, 1, 1, 0, 1, 0)),
    "one is better": ((3, 2, 0, 2, 1), (2, 3, 0, 1, 2)),
}
TENTHS = range(10, 31)  # step factors: 1.0 is linear, 2.0 is 2^rel − 1
LINEAR, EXPONENTIAL = 10, 20
MOST_DOCUMENTS = 10  # so that each row of the map has room for its letters
HIGHEST_GRADE = 10
MOST_TERMS = 5  # so that the formula fits a line
FACTOR = name("b")


class Duel:
    """Pairs of rankings, as in `duel`, each under every step factor and every cutoff."""

    def __init__(self, pairs):
        if not isinstance(pairs, Mapping):
            raise TypeError(f"pairs must be a dict of name to pair, got {type(pairs).__name__}")
        if not pairs:
            raise ValueError("pairs must hold at least one pair, got none")
        self.pairs = {key: _checked(key, pair) for key, pair in pairs.items()}
        self._known = {}

    def wins(self, pair):
        """Return the map of a pair; each is made once."""
        if pair not in self._known:
            self._known[pair] = _win_map(self.pairs[pair])
        return self._known[pair]

    def view(self, pair, base, k):
        """Return the duel of a pair under one cutoff and gain; `base` is in tenths, 10 to 30."""
        b, wins, rankings = base / 10, self.wins(pair), self.pairs[pair]
        tables = wins.first, wins.second, wins.letters, wins.margins
        *values, lead, ahead = (table[k - 1][TENTHS.index(base)] for table in tables)
        gain = step_gain(b)
        sides = [_side(grades, gain, k, v) for grades, v in zip(rankings, values, strict=True)]
        grades = sorted(set(rankings[0]))
        gains = dict(zip(grades, gain(grades).tolist(), strict=True))
        match = Match(tuple(sides), b, k, gains, wins, lead, ahead)
        formula = _formula(grades[-1], b, gains[grades[-1]])
        return View(who_wins(match), formula, _rows(match), touch={"x2": "base"})

    def fit(self, values):
        """End k where the rankings of the pair end."""
        return {"k": {"max": len(self.pairs[values["pair"]][0])}}


def _side(grades, gain, k, value):
    """Return a ranking with what each rank that counts adds to its NDCG."""
    terms = breakdown(grades, ranked=True, gain=gain, k=k)
    shares = [added / terms.idcg for added in terms.column("contribution")[:k]]
    return Side(list(grades), shares, value)


def _win_map(rankings):
    """Return the NDCG of two rankings for every step factor and every cutoff."""
    bases = [tenths / 10 for tenths in TENTHS]
    cutoffs = range(1, len(rankings[0]) + 1)
    cells = [
        [
            ndcg(rankings, ranked=True, k=k, gain=step_gain(b), per_query=True).tolist()
            for b in bases
        ]
        for k in cutoffs
    ]
    first, second = ([[cell[side] for cell in row] for row in cells] for side in (0, 1))
    letters, margins = (
        [[compare(*c) for c in row] for row in cells] for compare in (_winner, margin)
    )
    runs = [run for k, row in zip(cutoffs, letters, strict=True) for run in _runs(k, bases, row)]
    return WinMap(bases, first, second, letters, margins, runs)


def _runs(k, bases, letters):
    cells = zip(bases, letters, strict=True)
    for letter, run in itertools.groupby(cells, key=lambda cell: cell[1]):
        run_bases = [base for base, _ in run]
        n, left = len(run_bases), round(run_bases[0] - 0.05, 6)
        yield Run(letter, k, n, left, run_bases[n // 2])


def _winner(a, b):
    """Return whose NDCG is higher, "A" or "B", or "=" where they are the same."""
    if abs(a - b) < SAME_VALUE:
        return NEITHER
    return NAMES[0] if a > b else NAMES[1]


def margin(a, b):
    """Return how far A is ahead, as the difference of the numbers that are shown.

    Who subtracts the two on the screen finds this one, and not one that is off by
    a last digit.
    """
    return round(round(a, DIGITS) - round(b, DIGITS), DIGITS)


def _rows(match):
    """Return what the words say besides the two rankings: gains, the margin, the map."""
    ahead = f"{abs(match.ahead):.4f}"
    is_narrow = match.ahead == 0 and match.lead != NEITHER
    cells = [letter for row in match.wins.letters for letter in row]
    gains, b = match.gains.items(), match.base
    steps = [(f"step to {grade}", gain_text(b ** (grade - 1))) for grade, _ in gains if grade]
    return [
        ("step factor b", gain_text(b)),
        *((f"gain of grade {grade}", gain_text(gain)) for grade, gain in gains),
        *steps,
        ("ahead by", "less than 0.0001" if is_narrow else ahead),
        ("cells of the map", len(cells)),
        *((f"cells that {who} wins", cells.count(who)) for who in NAMES),
        ("cells that neither wins", cells.count(NEITHER)),
    ]


# --- the formula ----------------------------------------------------------------------


def _formula(top, b, gain):
    """Return what the top grade gains: a sum of steps, with b and with its number."""
    parts = [FACTOR, "=", number(b, digits=1), GAP]
    parts += [name(f"gain({top})"), "="]
    if top > 1:
        parts += [*_sum(_power, top), "=", *_sum(lambda step: _value(b**step), top)]
        # The numbers have six digits at most, so a long sum may be rounded.
        parts.append("=" if math.isclose(gain, float(gain_text(gain))) else "≈")
    parts.append(_value(gain))
    if b == EXPONENTIAL / 10 and top > 1:
        parts += ["=", f"<msup><mn>2</mn><mn>{top}</mn></msup>", "−", number(1)]
    return equation(*parts)


def _sum(term, top):
    """Return the terms of steps 0 to `top` − 1, those in the middle as dots."""
    steps = list(range(top))
    terms = [term(step) for step in steps]
    if top > MOST_TERMS:
        terms[2:-1] = ["<mo>…</mo>"]
    return [part for each in terms for part in ("+", each)][1:]


def _power(step):
    if step < 2:
        return FACTOR if step else number(1)
    return f"<msup>{FACTOR}<mn>{step}</mn></msup>"


def _value(gain):
    return f"<mn>{gain_text(gain)}</mn>"


# --- the explorer ---------------------------------------------------------------------


@explorer
def duel(pairs=None):
    """Return the explorer "Which ranking wins?".

    Parameters
    ----------
    pairs : dict of str to (sequence of int, sequence of int), optional
        Name to the rankings A and B of the same documents: their grades in rank
        order, whole numbers from 0 to 10, at most ten, not all of them 0. By
        default the five pairs of notebook *gain*.

    Returns
    -------
    Explorer
        With controls ``pair``, ``base`` (the step factor in tenths, see `step_gain`)
        and ``k``.

    Raises
    ------
    TypeError, ValueError
        If the pairs are no such thing; the message names the pair, what came and
        what is allowed.

    Notes
    -----
    Taught in notebook *gain*. It begins with the first pair, uncut, under the linear gain.
    """
    model = Duel(PAIRS if pairs is None else pairs)
    first, (ranking, _) = next(iter(model.pairs.items()))
    n = len(ranking)
    presets = {"Exponential": dict(pair=first, base=EXPONENTIAL, k=n)}
    if pairs is None:
        presets["Cut at 3"] = dict(pair="k decides", base=LINEAR, k=3)
    controls = {
        "pair": OneOf("Pair", {key: key for key in model.pairs}, first),
        "base": Whole("Step factor b", TENTHS[0], TENTHS[-1], LINEAR, unit=0.1, digits=1),
        "k": Whole("Cutoff k", 1, n, value=n),
    }
    return Declaration("Which ranking wins?", model.view, controls, presets, model.fit)


def _checked(key, pair):
    """Return a pair as two tuples of grades of the same documents, or raise."""
    if not isinstance(key, str) or not key.strip():
        raise TypeError(f"the name of a pair must be text, got {key!r}")
    if not isinstance(pair, (list, tuple)) or len(pair) != len(NAMES):
        raise ValueError(f"pairs[{key!r}] must be two rankings, got {pair!r}")
    first, second = (
        _grades(f"{side} of pairs[{key!r}]", ranking)
        for side, ranking in zip(NAMES, pair, strict=True)
    )
    if sorted(first) != sorted(second):
        raise ValueError(
            f"pairs[{key!r}] must be two orders of the same documents, "
            f"got grades {sorted(first)} and {sorted(second)}"
        )
    if max(first) == 0:
        raise ValueError(f"pairs[{key!r}] must hold a grade above 0: without one NDCG is 0/0")
    return first, second


def _grades(side, ranking):
    if isinstance(ranking, str) or not isinstance(ranking, Iterable):
        raise ValueError(f"{side} must be a list of grades, got {ranking!r}")
    grades = tuple(check_whole(grade, f"a grade of {side}", 0, HIGHEST_GRADE) for grade in ranking)
    if not 2 <= len(grades) <= MOST_DOCUMENTS:
        raise ValueError(f"{side} must be 2 to {MOST_DOCUMENTS} grades, got {len(grades)}")
    return grades
