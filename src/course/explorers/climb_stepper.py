"""What does each pass change?, the explorer of notebook *climb*: a climb, pass by pass."""

from course.explorers.climb_stepper_chart import Doc, Moment, ascent_step
from course.explorers.formulas import GAP, equation, name, number
from coursekit.explorers.declaration import Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.numbers import signed
from ndcglib.datasets import ranking_data
from ndcglib.metrics import ndcg
from ndcglib.ranking import by_falling_score
from ndcglib.tuning import climb, limits, linear_scores
from ndcglib.tuning.ascent import best_row
from ndcglib.tuning.moves import moved_weights, unit

METHODS = {"step": "step", "Rosenbrock": "rosenbrock", "exact": "exact"}
CUTOFF = 5
SEED = 3
LISTS = 3


class ClimbStepper:
    """Climbs, and what each of their passes makes of a few lists.

    The runs are made with ``validation=…``, without restarts, and with this `k`. `lists` are the
    features, of shape (n_queries, n_docs, n_features), and grades of the queries that are shown;
    `generating`, of shape (n_features,), are the weights that generated the data, for the table;
    `levels` are the `Limits` of the queries that are climbed and of those for validation, by
    their names.
    """

    def __init__(self, runs, lists, *, k, generating, levels):
        X, self.grades = lists
        self.k = k
        self.levels = levels
        self.generating = unit(generating).tolist()
        self.histories = {key: found.history for key, found in runs.items()}
        self.weights, self.scores, self.ndcg = {}, {}, {}
        for key, history in self.histories.items():
            scores = [linear_scores(X, row.w) for row in history]
            self.scores[key] = scores
            self.ndcg[key] = [ndcg(self.grades, s, k=k, per_query=True).tolist() for s in scores]
            self.weights[key] = [unit(row.w).tolist() for row in history]

    def last(self, run):
        """Return the number of the last pass of a run."""
        return self.histories[run][-1].number

    def fit(self, values):
        """End the slider with the run."""
        return {"number": {"max": self.last(values["run"])}}

    def view(self, run, number, query):
        """Return pass `number` (0 is the start) of a run, with the list of a query, from 1."""
        history, values = self.histories[run], self.ndcg[run]
        before = max(number - 1, 0)
        moment = Moment(
            history=history,
            best=best_row(history[: number + 1]),
            number=number,
            k=self.k,
            weights=self.weights[run],
            generating=self.generating,
            moved=moved_weights(history[before].w, history[number].w),
            query=f"query {query}",
            docs=self._docs(run, number, query - 1),
            ndcg=values[number][query - 1],
            ndcg_before=values[before][query - 1] if number else None,
            limits=self.levels,
        )
        figure, touch = ascent_step(moment), {"x": "number"}
        return View(figure, _formula(moment), _changes(moment), touch=touch)

    def _docs(self, run, number, i):
        """Return the documents of one list by rank; no two scores are equal here."""
        scores, grades = self.scores[run][number][i].tolist(), self.grades[i].tolist()
        order = by_falling_score(scores).tolist()
        old = by_falling_score(self.scores[run][number - 1][i]).tolist() if number else None
        return [
            Doc(chr(ord("A") + doc), grades[doc], scores[doc], rank, old and old.index(doc) + 1)
            for rank, doc in enumerate(order, start=1)
        ]


def _changes(moment):
    """Return how much the pass changed, as the difference of the numbers that are shown."""
    if not moment.number:
        return []
    pairs = {
        "training": (moment.before.train, moment.now.train),
        "validation": (moment.before.validation, moment.now.validation),
    }
    by = {what: round(now, 4) - round(was, 4) for what, (was, now) in pairs.items()}
    return [(f"change on {what}", None, signed(change)) for what, change in by.items()]


def _formula(moment):
    """Return mean NDCG before and after the pass, and the evaluations so far."""
    now, before = moment.now, moment.before
    parts = []
    for word, was, is_now in (
        ("training", before.train, now.train),
        ("validation", before.validation, now.validation),
    ):
        parts += [name(f"{word}:"), "<mspace width='0.4em'/>"]
        parts += [_value(was), "→"] if moment.number else []
        parts += [_value(is_now), GAP]
    noun = "evaluation" if now.evaluations == 1 else "evaluations"
    return equation(*parts, number(now.evaluations), name(f"\u00a0{noun}"))


def _value(value):
    return f"<mn>{value:.4f}</mn>"  # 1 with its digits too: beside it stand others


# --- the explorer ---------------------------------------------------------------------


@explorer
def climb_stepper():
    """Return the explorer "What does each pass change?".

    Returns
    -------
    Explorer
        With controls ``run``, ``number`` (the pass) and ``query`` (1 for the first
        list).

    Notes
    -----
    Three methods climb on made-up data from the same random start. Taught in notebook
    *climb*. It begins with the first pass of the first run.
    """
    model = made_up_climbs()
    first, history = next(iter(model.histories.items()))
    start = dict(run=first, number=0, query=1)
    presets = {
        "Best pass": start | dict(number=best_row(history).number),
        "Last pass": start | dict(number=model.last(first)),
    }
    controls = {
        "run": OneOf("Method", {key: key for key in model.histories}, first),
        "number": Whole("Pass", 0, model.last(first), value=1),
        "query": OneOf("List of", {f"query {i}": i for i in range(1, LISTS + 1)}, 1),
    }
    question = "What does each pass change?"
    return Declaration(question, model.view, controls, presets, model.fit, was=("ascent",))


def made_up_climbs():
    """Climb 60 queries by three methods, from one start; list three validation queries."""
    data = ranking_data(100, 12, 10, noise=1.0, seed=SEED)
    options = dict(k=CUTOFF, start="random", seed=SEED, validation=data.validation)
    runs = {
        name: climb(*data.train, method=method, progress=False, **options)
        for name, method in METHODS.items()
    }
    X, y, _ = data.validation
    some = y.any(axis=1).nonzero()[0][:LISTS]
    parts = {"training": data.train.y, "validation": y}
    levels = {name: limits(grades, k=CUTOFF) for name, grades in parts.items()}
    lists = X[some], y[some]
    return ClimbStepper(runs, lists, k=CUTOFF, generating=data.weights, levels=levels)
