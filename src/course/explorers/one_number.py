"""What happens to NDCG when one number moves?, the explorer of notebook *staircase*."""

from typing import NamedTuple

import numpy as np

from course.explorers.formulas import equation, fraction, minus, name, number
from course.explorers.one_number_chart import ErrorCurve, Sweep, sweep_chart
from course.explorers.ranked_docs import ranked
from course.figures.staircases import LETTERS
from coursekit.explorers.declaration import Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.numbers import signed
from ndcglib.datasets.synthetic import ranking_data
from ndcglib.metrics.checks import SAME_VALUE
from ndcglib.tuning.objective import Objective
from ndcglib.tuning.staircases import sweep_all
from ndcglib.tuning.surrogates import squared_loss

# A bad model: both documents of the best grade are far down, the worst one is at the top.
GRADES = (3, 2, 3, 0, 1, 2)
SCORES = (0.10, 0.20, 0.30, 0.95, 0.80, 0.70)
MOVED = ("C", "F")
SCORE_RANGE = -0.1, 1.1  # 120 steps of 0.01
WEIGHT_RANGE = -3.0, 3.0  # 120 steps of 0.05
PLACES = 120
H = 0.001
QUERIES, CUTOFF = 40, 5
SEED, FEATURE = 104, 1  # the staircase of the first query has two hills
TOP_GRADE = 3  # of `ranking_data`
START = 40  # of the slider: C at its own score
ONE_QUERY, ALL_QUERIES = "one query", f"{QUERIES} queries"
QUESTION = "What happens to NDCG when one number moves?"
NUMBERS = {f"score of {letter}": letter for letter in MOVED}
NUMBERS |= {f"a weight, {key}": key for key in (ONE_QUERY, ALL_QUERIES)}
PRESETS = {
    "Tie": dict(number="C", place=80, error=False),
    "MSE": dict(number="F", place=77, error=True),
    "Best": dict(number="F", place=110, error=True),
}


class Line(NamedTuple):
    """Scores that move along a line, ``start + t * slope``, and the range of t, `low` to `high`.

    `start`, `slope` and `grades` are of shape (n_queries, n_docs); `top` is the best grade there
    is: MSE compares a score with grade / top; `k` is the last rank that counts; `name`, `axis`
    and `metric` are as in `chart.Sweep`; `moved` is the letter of the document whose score
    moves, "" if a weight moves.
    """

    start: np.ndarray
    slope: np.ndarray
    grades: np.ndarray
    top: float
    k: int
    low: float
    high: float
    name: str
    axis: str
    metric: str
    moved: str

    def place(self, step):
        """Return t at one of the slider's steps, 0 to 120."""
        t = self.low + (self.high - self.low) * step / PLACES
        return round(t, 9)  # 0.7, and not its neighbor: a tie is a tie to the last bit

    def error(self, t):
        """Return the mean squared error of the scores at t."""
        return squared_loss(self.grades / self.top, self.start + t * self.slope)[0]


class OneNumber:
    """Staircases of NDCG, each while one number moves, with MSE and the list.

    Parameters
    ----------
    lines : dict of str to Line
    """

    def __init__(self, lines):
        self.lines = lines
        self._known = {}

    def sweep(self, number):
        """Return what NDCG and MSE do while a number moves; each is made once."""
        if number not in self._known:
            self._known[number] = _sweep(self.lines[number])
        return self._known[number]

    def view(self, number, place, error):
        """Return the staircase of a number at `place`: 0 and 120 are the ends of its range."""
        line, sweep = self.lines[number], self.sweep(number)
        t = line.place(place)
        squared = line.error(t) if error else None
        formula, rows = _slope(sweep, t)
        figure = sweep_chart(sweep, _ranked(line, t), t, error=squared)
        return View(figure, formula, [*rows, *_next_step(sweep, t)], touch={"x": "place"})

    def fit(self, values):
        """Let the slider show the number that moves."""
        line = self.lines[values["number"]]
        label = f"Score of {line.moved}" if line.moved else "Weight"
        unit = (line.high - line.low) / PLACES
        return {"place": dict(label=label, origin=line.low, unit=unit, digits=2)}


def _sweep(line):
    objective = Objective(line.grades, k=line.k)
    return Sweep(
        name=line.name,
        axis=line.axis,
        low=line.low,
        high=line.high,
        staircase=sweep_all([(line.start, line.slope, objective)]).visible(),
        error=_error_curve(line),
        metric=line.metric,
        n_queries=len(line.grades),
    )


def _error_curve(line):
    """Return MSE along the line: a parabola, so its minimum has a formula."""
    missing = line.grades / line.top - line.start
    lowest_at = float((line.slope * missing).sum() / (line.slope**2).sum())
    lowest_at = min(max(lowest_at, line.low), line.high)
    places = [line.place(step) for step in range(0, PLACES + 1, 2)]
    values = [round(line.error(t), 6) for t in places]
    target = f"grade / {line.top:g}" if line.top != 1 else "grade"
    return ErrorCurve(places, values, lowest_at, line.error(lowest_at), target)


def _ranked(line, t):
    """Return the first query of the line in its order at t."""
    return ranked(line.start[0] + t * line.slope[0], line.grades[0], line.k, line.moved)


# --- the formula ----------------------------------------------------------------------


def _slope(sweep, t):
    """Return the slope at t as a computer would measure it from both sides, and its rows."""
    places = [round(t + step, 9) for step in (H, -H)]
    values = [float(sweep.staircase.value(place)) for place in places]
    rise = values[0] - values[1]
    is_flat = abs(rise) < SAME_VALUE
    width = _value(2 * H, 3)
    words = minus(*(f"{name(sweep.metric)}<mo>(</mo>{_value(p, 3)}<mo>)</mo>" for p in places))
    # On one step both are the same number, and the difference is 0 without rounding.
    result = ("=", number(0)) if is_flat else ("≈", _value(rise / (2 * H), 2))
    formula = equation(
        name("slope"),
        "≈",
        fraction(words, width),
        "=",
        fraction(minus(*(_value(value, 6) for value in values)), width),
        *result,
    )
    rows = [
        ("beside it", f"at {signed(p, 3)}", f"{value:.6f}")
        for p, value in zip(places, values, strict=True)
    ]
    slope = "0" if is_flat else signed(rise / (2 * H), 2)
    return formula, [*rows, ("slope", f"over {2 * H:.3f}", slope)]


def _next_step(sweep, t):
    """Return the row of the step that follows, which the title announces."""
    steps = sweep.staircase
    i = int(np.searchsorted(steps.breakpoints, t))
    if i == len(steps.breakpoints):
        return []
    start = f"from {signed(steps.breakpoints[i], 6)}"
    return [("next step", start, f"{steps.values[i + 1]:.4f}")]


def _value(value, digits):
    return f"<mn>{signed(value, digits)}</mn>"


# --- the explorer ---------------------------------------------------------------------


@explorer
def one_number():
    """Return the explorer "What happens to NDCG when one number moves?".

    Returns
    -------
    Explorer
        With controls ``number`` (what moves), ``place`` (where, from 0 to 120) and
        ``error`` (whether to show the mean squared error, MSE, too).

    Notes
    -----
    What moves is a score of a query of notebook *staircase*, or a weight of a linear scorer. MSE
    compares a score with the grade divided by the best grade, which is from 0 to 1 as
    the scores are. Taught in notebook *staircase*.
    """
    controls = {
        "number": OneOf("Moves", NUMBERS, MOVED[0]),
        "place": Whole("Score of C", 0, PLACES, START),
        "error": OneOf("Squared error", {"off": False, "on": True}, False),
    }
    model = OneNumber(_score_lines() | _weight_lines())
    return Declaration(QUESTION, model.view, controls, PRESETS, model.fit)


def _score_lines():
    """Return a line for each letter: the score of that document, the others stay."""
    grades, lines = np.array(GRADES), {}
    for letter in MOVED:
        i = LETTERS.index(letter)
        start, slope = np.array(SCORES), np.zeros(len(SCORES))
        start[i], slope[i] = 0.0, 1.0
        lines[letter] = Line(
            start=start[None],
            slope=slope[None],
            grades=grades[None],
            top=float(grades.max()),
            k=len(grades),
            low=SCORE_RANGE[0],
            high=SCORE_RANGE[1],
            name=letter,
            axis=f"score of {letter}",
            metric="NDCG",
            moved=letter,
        )
    return lines


def _weight_lines():
    """Return the lines of one weight of a linear scorer: for the first query, for many."""
    data = ranking_data(n_queries=100, n_docs=6, n_features=4, noise=0.5, empty=0, seed=SEED)
    X, y = data.train.X[:QUERIES], data.train.y[:QUERIES]
    weights = data.weights / np.linalg.norm(data.weights)
    weights[FEATURE] = 0.0
    shared = dict(top=TOP_GRADE, k=CUTOFF, low=WEIGHT_RANGE[0], high=WEIGHT_RANGE[1], moved="")
    shared |= dict(name="weight", axis=f"weight of feature {FEATURE + 1}")
    start, slope = X @ weights, X[:, :, FEATURE]
    many = Line(start, slope, y, metric=f"NDCG@{CUTOFF}", **shared)
    few = many._replace(start=start[:1], slope=slope[:1], grades=y[:1])
    return {ONE_QUERY: few, ALL_QUERIES: many}
