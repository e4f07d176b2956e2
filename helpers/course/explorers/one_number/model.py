"""What happens to NDCG when one number moves?, the explorer of notebook 11."""

from typing import NamedTuple

import numpy as np

from helpers.course.explorers.explorer import Explorer
from helpers.course.explorers.formulas import equation, fraction, name, number
from helpers.course.explorers.one_number.chart import ErrorCurve, RankedDocs, Sweep, swept
from helpers.course.widgets.controls import Choice, Slider
from helpers.course.widgets.view import View
from helpers.datasets.synthetic import ranking_data
from helpers.figures.staircases import LETTERS
from helpers.metrics.checks import SAME_VALUE, as_one_query
from helpers.ranking import ranks
from helpers.tuning.objective import Objective
from helpers.tuning.staircases import sweep as sweep_line
from helpers.tuning.surrogates import squared_loss

# A bad model: both documents of the best grade are far down, the worst one is at the top.
GRADES = (3, 2, 3, 0, 1, 2)
SCORES = (0.10, 0.20, 0.30, 0.95, 0.80, 0.70)
MOVED = ("C", "F")
SCORE_RANGE = -0.1, 1.1  # 120 steps of 0.01
WEIGHT_RANGE = -3.0, 3.0  # 120 steps of 0.05
PLACES = 120
FEWEST, MOST = 2, len(LETTERS)  # documents of a reader's query
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
    """Scores that move along a line, ``start + t * slope``, and the range of t.

    Attributes
    ----------
    start, slope : ndarray of shape (n_queries, n_docs)
    grades : ndarray of shape (n_queries, n_docs)
    top : float
        The best grade there is; MSE compares a score with grade / top.
    k : int
        The last rank that counts.
    low, high : float
        The ends of t.
    name, axis, metric : str
        As in `helpers.course.explorers.one_number.chart.Sweep`.
    moved : str
        The letter of the document whose score moves; "" if a weight moves.
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
        """Return the staircase of a number, with the number at one place.

        Parameters
        ----------
        number : str
            A key of the lines.
        place : int
            From 0 to 120, the ends of the number's range.
        error : bool
            Whether to show MSE too.
        """
        line, sweep = self.lines[number], self.sweep(number)
        t = line.place(place)
        squared = line.error(t) if error else None
        return View(swept(sweep, _ranked(line, t), t, error=squared), _formula(sweep, t))


def _sweep(line):
    objective = Objective(line.grades, k=line.k)
    return Sweep(
        name=line.name,
        axis=line.axis,
        low=line.low,
        high=line.high,
        staircase=sweep_line(line.start, line.slope, objective).visible(),
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
    scores = line.start[0] + t * line.slope[0]
    places = ranks(scores)
    order = sorted(range(len(scores)), key=lambda i: places[i])
    return RankedDocs(
        letters=[LETTERS[i] for i in order],
        grades=line.grades[0][order].tolist(),
        scores=[round(score, 6) for score in scores[order].tolist()],
        ties=sorted({(first, last) for first, last in places if first < last}),
        moved=line.moved,
        k=line.k,
    )


# --- the formula ----------------------------------------------------------------------


def _formula(sweep, t):
    """Return the slope at t as a computer would measure it, from both sides."""
    places = [round(t + step, 9) for step in (H, -H)]
    above, below = (float(sweep.staircase.value(place)) for place in places)
    is_flat = abs(above - below) < SAME_VALUE
    width = _value(2 * H, 3)
    words = _minus(*(f"{name(sweep.metric)}<mo>(</mo>{_value(p, 3)}<mo>)</mo>" for p in places))
    return equation(
        name("slope"),
        "≈",
        fraction(words, width),
        "=",
        fraction(_minus(_value(above, 6), _value(below, 6)), width),
        # On one step both are the same number, and the difference is 0 without rounding.
        *(("=", number(0)) if is_flat else ("≈", _value((above - below) / (2 * H), 2))),
    )


def _minus(one, other):
    return f"{one}<mo>−</mo>{other}"


def _value(value, digits):
    return f"<mn>{value:.{digits}f}</mn>".replace("-", "−")


# --- the explorer ---------------------------------------------------------------------


class OneNumberExplorer(Explorer):
    """The explorer of one number that moves; the slider shows that number."""

    def _adapt(self):
        line, place = self.model.lines[self.controls["number"].value], self.controls["place"]
        unit = (line.high - line.low) / PLACES
        with place.hold_sync():
            place.label = f"Score of {line.moved}" if line.moved else "Weight"
            place.origin, place.unit, place.digits = line.low, unit, 2


def one_number(y_true=None, y_score=None):
    """Return the explorer "What happens to NDCG when one number moves?".

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_docs,), optional
        Grades and scores of a query of your own, of 2 to 8 documents, the scores from
        0 to 1. Any of its scores can then be moved. By default a query of notebook 11
        and a weight of a linear scorer.

    Returns
    -------
    Explorer
        With controls ``number`` (what moves), ``place`` (where, from 0 to 120) and
        ``error`` (whether to show the mean squared error, MSE, too).

    Raises
    ------
    TypeError, ValueError
        If only one of the two is given, or they are no query of that kind.

    Notes
    -----
    MSE compares a score with the grade divided by the best grade, which is from 0 to
    1 as the scores are. Taught in notebook 11.
    """
    if (y_true is None) != (y_score is None):
        raise ValueError("give both y_true and y_score, or neither of them")
    if y_true is None:
        choice = Choice("Moves", NUMBERS, MOVED[0])
        lines = _score_lines(np.array(GRADES), np.array(SCORES), MOVED) | _weight_lines()
    else:
        grades, scores = _checked(y_true, y_score)
        letters = LETTERS[: len(grades)]
        choice = Choice("Score of", {letter: letter for letter in letters}, letters[0])
        lines = _score_lines(grades, scores, letters)
    controls = {
        "number": choice,
        "place": Slider(min=0, max=PLACES, value=START),
        "error": Choice("Squared error", {"off": False, "on": True}, False),
    }
    presets = PRESETS if y_true is None else {}
    return OneNumberExplorer(QUESTION, OneNumber(lines), controls, presets)


def _score_lines(grades, scores, letters):
    """Return a line for each letter: the score of that document, the others stay."""
    lines = {}
    for letter in letters:
        i = LETTERS.index(letter)
        start, slope = scores.astype(float), np.zeros(len(scores))
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


def _checked(y_true, y_score):
    """Return grades and scores of a query that can be shown, or raise."""
    grades, scores = as_one_query(y_true, y_score)
    if not FEWEST <= len(grades) <= MOST:
        raise ValueError(f"y_true must hold {FEWEST} to {MOST} documents, got {len(grades)}")
    if grades.min() < 0 or grades.max() <= 0:
        raise ValueError(
            f"y_true must be 0 or more, and above 0 somewhere, got {grades.tolist()}: "
            "without a relevant document NDCG is 0/0"
        )
    if scores.min() < 0 or scores.max() > 1:
        raise ValueError(
            f"y_score must be from 0 to 1, got {scores.tolist()}: NDCG sees their order alone, "
            "so subtract the lowest and divide by the highest"
        )
    return grades, scores
