"""Every public function of the library with odd values in place of each of its arguments.

``python tests/support/odd_values.py`` writes the outcomes to `odd_values.txt` beside it, a line
for each argument: what it takes, and what comes out of the caller's own code. All else is
refused in words that name the argument.
"""

import contextlib
import datetime
import decimal
import fractions
import importlib
import inspect
import io
import linecache
import math
import re
import signal
import sqlite3
import sys
import traceback
import warnings
from pathlib import Path

import numpy as np
import polars as pl
from scipy.sparse import csr_array

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_suffix(".txt")
LIMIT = 120  # seconds; so long only a call without end takes
NAMES = (
    "metrics", "breakdown", "tables", "ranking", "significance", "tuning", "scale", "datasets",
    "conventions", "report_card", "figures", "notebook",
)  # fmt: skip
MODULES = {name: f"ndcglib.{name}" for name in NAMES} | {
    "breakdown": "helpers.breakdown",
    "figures": "course.figures",
    "notebook": "helpers.notebook",
}

# Which values of `ODD` an argument may take because they mean something, beside those in `PLAIN`:
# that it takes any other is a fault. `function.argument` where one function means another thing.
MEANT = """
# left out
against at baseline first_stage groups ids k k_max n_train notes pair_weights: None
pairs pool presets qrels run: None
n_sampled sample_weight sampled start then title titles tried upto validation weights yours: None
# any row of real numbers, large ones too while their sums stay finite; tables and single grades
exponential intercepts linear pool ranked relevance score scores then weights y: 1e308s
y_score y_true: 1e308s
grades: 1e308s, 1e308, True, -1, 0, 1.5, 3-d
X rankings: 3-d
# ranks beyond the last are clipped; any seed is one; a climb ends where nothing helps
depth first_stage k k_max n_train passes sampled tried: 10**30
seed: 0, 10**30
# numbers
decimals direction document epochs first_stage marked p printed restarts sampled: 0
upto text_table.digits: 0
b log_base: 1.5, 1e308, 10**30
difference: -1, 1.5, 1e308, 10**30
max_grade: 1e308, 10**30
design_effect: 1.5
noise: 0, 1.5, 10**30
rate: 1.5, 10**30
sd: 0, 1.5
at low: -1, 0, 1.5
high: 0, 1.5, 1e308, 10**30
empty: 0, nan
center intercept levels on per_query progress ragged shown: True
# texts; names may be whole numbers, the ids of queries texts of digits
baseline_name measure metric name title x_title: '', 'abc', newline, surrogate
table ndcg_sql.query ndcg_sql.relevance ndcg_sql.score: 'abc', newline
columns ids titles: digits, mixed
groups query: digits
convention: preset
# empty ones, where nothing need be given; a cell of a table is whatever can be written
marks notes presets start: {}
sql dot_plot.digits: ''
through on_sqlite.rows: [], no rows
text_table.rows: [], {}, no rows, structured, 3-d
dot_plot.rows: wrong keys
"""


def meant(name, argument):
    """Return the names of the odd values that an argument may take as they are."""
    found = {}
    for line in MEANT.strip().splitlines():
        if not line.startswith("#"):
            names, _, odd = line.partition(": ")
            for each in names.split():
                found.setdefault(each, set()).update(odd.split(", "))
    return found.get(f"{name}.{argument}", found.get(argument, ()))


class Own(Exception):  # noqa: N818
    """What a caller's function raises."""


class Series:
    """As much of a pandas Series as NumPy sees."""

    def __init__(self, values):
        self.index, self._values = range(1, len(values) + 1), values

    def __array__(self, dtype=None, copy=None):
        return np.array(self._values, dtype=dtype)

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(self._values)

    def __getitem__(self, label):
        return self._values[self.index.index(label)]  # by label, not by position


class Raising:
    """A class that cannot be made."""

    def __init__(self, *_args):
        raise Own


def _raising(*_args):
    raise Own


def _itself():
    found = [1, 2]
    found.append(found)
    return found


def _preset():
    return importlib.import_module("ndcglib.conventions").PRESETS[0]


# By name; made anew for each call, because some can be walked through only once.
ODD = {
    "None": lambda: None,
    "True": lambda: True,
    "''": lambda: "",
    "'abc'": lambda: "abc",
    "surrogate": lambda: "\ud800",
    "newline": lambda: "a\nb",
    "path": lambda: Path("no-such-file.txt"),
    "bytes": lambda: b"abc",
    "nan": lambda: math.nan,
    "inf": lambda: math.inf,
    "1e308": lambda: 1e308,
    "10**30": lambda: 10**30,
    "-1": lambda: -1,
    "0": lambda: 0,
    "-0.0": lambda: -0.0,
    "1.5": lambda: 1.5,
    "1j": lambda: 1j,
    "Decimal": lambda: decimal.Decimal("0.5"),
    "Fraction": lambda: fractions.Fraction(1, 2),
    "datetime": lambda: datetime.datetime(2020, 1, 1),
    "float16": lambda: np.float16(1.5),
    "longdouble": lambda: np.longdouble(1.5),
    "int8": lambda: np.int8(2),
    "uint64": lambda: np.uint64(2**64 - 1),
    "datetime64": lambda: np.datetime64("2020-01-01"),
    "numpy bool": lambda: np.True_,
    "[]": lambda: [],
    "{}": lambda: {},
    "set": lambda: {1, 2, 0},
    "ragged": lambda: [[1, 2], [3]],
    "digits": lambda: ["1", "2", "0"],
    "with None": lambda: [1, None, 0],
    "with nan": lambda: [1, math.nan, 0],
    "mixed": lambda: [1, "a", 0],
    "1e308s": lambda: [1e308] * 3,
    "itself": _itself,
    "generator": lambda: (x for x in (1, 2, 0)),
    "range": lambda: range(3),
    "wrong keys": lambda: {"no such": 1},
    "masked": lambda: np.ma.array([1, 2, 0], mask=[0, 1, 0]),
    "masked row": lambda: [np.ma.array([1, 2, 0], mask=[0, 1, 0])],
    "objects": lambda: np.array([1, "a", None], dtype=object),
    "structured": lambda: np.zeros(3, dtype=[("a", int), ("b", float)]),
    "0-d": lambda: np.array(2),
    "3-d": lambda: np.zeros((2, 2, 2)),
    "no rows": lambda: np.empty((0, 3)),
    "matrix": lambda: np.array([[1, 2, 0]]).view(np.matrix),
    "series": lambda: Series([1, 2, 0]),
    "frame": lambda: pl.DataFrame({"a": [1], "b": [2], "c": [0]}),
    "sparse": lambda: csr_array([[1, 2, 0]]),
    "preset": _preset,
    "class": lambda: Raising,
    "function": lambda: _raising,
}
assert len(ODD) == 53

# What some of them mean: who takes one must do with it what the plain value does.
PLAIN = {
    "-0.0": lambda: 0.0,
    "Decimal": lambda: 0.5,
    "Fraction": lambda: 0.5,
    "float16": lambda: 1.5,
    "longdouble": lambda: 1.5,
    "int8": lambda: 2,
    "uint64": lambda: 2**64 - 1,
    "numpy bool": lambda: True,
    "set": lambda: [0, 1, 2],
    "generator": lambda: [1, 2, 0],
    "range": lambda: [0, 1, 2],
    "0-d": lambda: 2,
    "matrix": lambda: np.array([[1, 2, 0]]),
    "series": lambda: [1, 2, 0],
    "frame": lambda: np.array([[1, 2, 0]]),
    "sparse": lambda: np.array([[1, 2, 0]]),
}


def _make(module, name, *args, **options):
    """Return a function that calls another one of the library, when it is needed."""
    return lambda: getattr(importlib.import_module(MODULES[module]), name)(*args, **options)


def _run():
    return _make(
        "datasets",
        "Run",
        *map(np.array, (["p", *"qq"], [*"aba"], [1, 1, 2], [2.0] * 3, ["t"] * 3)),
    )()


def _qrels():
    return _make("datasets", "Qrels", *map(np.array, (["p", *"qqq"], [*"aabc"], [1, 0, 2, 1])))()


def _parquet():
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = Path(sys.prefix) / "odd_values.parquet"
    columns = dict(query=["q", "q"], relevance=[1, 2], score=[2.0, 1.0])
    pq.write_table(pa.table(columns), path)
    return path


def _text_file(name, text):
    def write():
        path = Path(sys.prefix) / name
        path.write_text(text)
        return path

    return write


def _given(value):
    return lambda: value


X = [[[0.0, 1.0], [1.0, 0.5], [2.0, 2.0]], [[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]]
Y = [[0, 1, 2], [1, 0, 2]]
GRADES, SCORES = [1, 2, 0], [3.0, 2.0, 1.0]
CURVES = _make("breakdown", "cutoff_curves", GRADES, SCORES)
TERMS = _make("breakdown", "breakdown", GRADES, SCORES)
STEPS = _make("tuning", "staircase", X, Y, [1, 0], 1)
ROWS = {"one": [0.2, 0.1, 0.3], "other": [0.5, 0.4, 0.6]}
PAIRS = [(0.5, 0.7), (0.6, 0.5)]
BOTH = {"one": (0.5, 0.7), "other": (0.6, 0.5)}

# A valid value of each argument, by its name; `function.argument` where that one differs.
VALID = {
    "X": X, "y": Y, "query": None, "y_true": GRADES, "y_score": SCORES, "grades": GRADES,
    "k": 2, "k_max": 2, "gain": "linear", "discount": "log", "log_base": 2, "ties": "average",
    "pool": None, "empty": 0, "per_query": False, "ranked": False, "sample_weight": None,
    "max_grade": 2, "p": 0.5, "n_ranks": 3, "n_pairs": 3, "seed": 0, "rankings": [SCORES] * 2,
    "depth": 2, "judged": [True, False, True], "first": GRADES, "second": [2, 1, 0], "b": 2,
    "name": "grades", "ids": None, "relevance": GRADES, "score": SCORES,
    "ndcg_long.query": ["a", "a", "b"],
    # tables, ranking
    "tied_groups.ranked": SCORES, "digits": 4, "header": ["a", "b"],
    "rows": [[1, 0.5], [2, None]],
    "scores": SCORES, "then": None,
    # significance
    "values": [0.5, 0.25, 0.75], "groups": None, "a": [0.5, 0.25, 0.75], "names": ("a", "b"),
    "climb.X": [[0.0, 1.0], [1.0, 0.5], [2.0, 2.0]], "climb.y": GRADES,
    "climb.query": ["a", "a", "b"], "compare.b": [0.25, 0.5, 0.0], "sd": 0.5,
    "difference": 0.1, "power": 0.8, "design_effect": 1, "p_values": [0.5, 0.01, 0.2],
    # tuning
    "train": (X, Y), "test": (X, Y), "weights": {"one": [1, 0]}, "baselines.weights": None,
    "runs": PAIRS, "results": [BOTH, BOTH], "against": "one", "w": [1, 0], "direction": 1,
    "document": 1, "method": "rosenbrock", "start": "zeros", "restarts": 0, "passes": 2,
    "validation": None, "progress": False, "loss": "pairwise", "epochs": 2, "rate": 0.5,
    "intercept": True, "center": False, "pair_weights": None, "levels": False,
    "data": lambda: [_make("datasets", "ranking_data", 10)()],
    "ways": {"one": lambda X, y: np.ones(6)}, "n_train": None, "contest.against": None,
    "chosen": [1, 0],
    # scale
    "path": _parquet, "ndcg_parquet.query": "query", "ndcg_parquet.relevance": "relevance",
    "ndcg_parquet.score": "score", "table": "judged", "ndcg_sql.query": "query",
    "ndcg_sql.relevance": "relevance", "ndcg_sql.score": "score",
    "sql": "SELECT COUNT(*) FROM judged", "on_sqlite.rows": [("q", 1, 0.5)],
    "n_sampled": 1,
    # datasets, conventions, report card
    "counts": [[1, 0], [2, 1]], "run": _run, "qrels": _qrels, "judge_run.ties": "average",
    "negative": "zero", "missing": "zero", "unknown": "refuse", "unjudged": "zero",
    "ranking_data.n_queries": 10, "n_docs": 4, "n_features": 2, "truth": "linear",
    "ragged": False, "noise": 0.3, "ranking_data.empty": 0.05, "shop_data.n_queries": 10,
    "n_fresh": 10, "read_qrels.path": _text_file("odd_values.qrels", "q 0 a 1\n"),
    "read_run.path": _text_file("odd_values.run", "q Q0 a 1 0.5 me\n"), "convention": _preset,
    "printed": "0.8146", "report.judged": _qrels, "baseline": None, "report.name": "one",
    "baseline_name": "", "tried": None, "notes": None, "first_stage": None, "sampled": None,
    # figures
    "terms": TERMS, "title": "one", "history": lambda: _make(
        "tuning", "climb", X, Y, start="zeros", passes=2)().history,
    "intercepts": [0.0, 1.0, 2.0], "slopes": [1.0, 0.0, -1.0], "low": -1.0, "high": 2.5,
    "cumulative.rankings": lambda: {"one": TERMS()}, "curves": lambda: {"one": CURVES()},
    "figure": _make("figures", "without_cutoff"), "discounts": {"one": "log"},
    "dot_plot.rows": {"one": 0.5, "other": (0.5, 0.25, 0.75)}, "measure": "NDCG",
    "dot_plot.digits": ".4f", "through": (), "gains": {"one": "linear"}, "linear": [1, 2, 0],
    "exponential": [1, 3, 0], "gains_and_discounts.weights": [1.0, 0.5],
    "group_dots.groups": ["a", "a", "b"], "x": [10, 100, 1000],
    "panels": {"seconds": {"one": [0.1, 1.0, None]}}, "x_title": "rows",
    "columns": ["a", "b", "c"],     "matrix.rows": ROWS, "upto": None, "metric": "DCG",
    "price_and_grade.x": [[0.0, 1.0]] * 2,
    "price_and_grade.y": [[0, 1], [1, 0]], "price_and_grade.chosen": [0],
    "program_differences.values": ROWS, "steps": STEPS, "at": None, "ranges": ROWS | {
        "one": [0.1, 0.2, 0.3], "other": [0.4, 0.5, 0.6]}, "marks": {"one": (0.5, 0.7)},
    "order_piles.orders": lambda: {"one": _make("metrics", "all_orders", [3, 2, 0])()},
    "marked": 0.84,
    # notebook
    "practice.skill": "floor", "practice.no": 3, "warm_up.skill": "floor", "warm_up.no": 3,
    "yours": None, "titles": None, "shown": True, "presets": None, "pairs": None,
    "every_order.start": None, "on": True, "bet": _make("notebook", "place_bet", "real-cutoff"),
    "place_bet.name": "real-cutoff", "exercise.name": "my-dcg", "term_ledger.grades": [3, 2, 0],
    "decimals": 0, "printed_number.run": None, "printed_number.qrels": None,
    "report.k": 2,
}  # fmt: skip
BY_RANK = ("k", "gain", "discount", "log_base")
OPTIONS = {  # of functions that hand them on
    "corrected_ndcg": (*BY_RANK, "pool"),
    "minmax_ndcg": (*BY_RANK, "pool"),
    "random_ndcg": (*BY_RANK, "pool", "sample_weight", "empty", "per_query"),
    "worst_ndcg": (*BY_RANK, "pool", "sample_weight", "empty", "per_query"),
    "verdicts": BY_RANK,
    "baselines": ("chosen",),
}

OTHER_WORDS = {"name": "(name|called)", "start": "(start|control)", "presets": "(preset|control)"}


def functions():
    """Return the public functions, by module and name: those that take something."""
    found = {}
    for name in MODULES:
        module = importlib.import_module(MODULES[name])
        own = [
            n for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__
        ]
        for public in getattr(module, "__all__", own):
            function = getattr(module, public)
            is_class = inspect.isclass(function) and not hasattr(function, "__match_args__")
            if public.startswith("_") or not (inspect.isfunction(function) or is_class):
                continue
            if function not in found.values() and arguments(public, function):
                found[f"{name}.{public}"] = function
    return found


def arguments(name, function):
    """Return the names of what it takes, also of the options that it hands on."""
    kinds = inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL
    given = [
        p.name for p in inspect.signature(function).parameters.values() if p.kind not in kinds
    ]
    return [*given, *OPTIONS.get(name, ())]


def valid(name, function):
    """Return a valid value of each argument, made anew."""
    found = {}
    for argument in arguments(name, function):
        value = VALID.get(f"{name}.{argument}", VALID.get(argument, KeyError))
        if value is KeyError:
            raise KeyError(f"VALID lacks a value for {argument} of {name}")
        found[argument] = value() if inspect.isfunction(value) else value
    return found


def _too_long(*_signal):
    raise TimeoutError(f"no end after {LIMIT} seconds")


@contextlib.contextmanager
def quiet():
    """Let nothing be printed and nobody be warned; end what has no end."""
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(LIMIT)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            with contextlib.redirect_stderr(io.StringIO()):
                yield
    finally:
        signal.alarm(0)


def outcome(name, argument, odd):
    """Return the outcome of a call, and what it returned or raised.

    It is "clear", "right" or the caller's "own"; else "cryptic", or "silent".
    """
    function, name = FUNCTIONS[name], name.split(".")[1]
    given = valid(name, function) | {argument: ODD[odd]()}
    try:
        with quiet():
            result = function(**given)
    except (Own, sqlite3.Error) as error:  # SQL is a program of the caller, too
        return "own", error
    except Exception as error:  # noqa: BLE001
        return ("clear" if is_clear(error, argument) else "cryptic"), error
    if odd not in PLAIN:
        return ("right" if odd in meant(name, argument) else "silent"), result
    with quiet():
        try:
            plain = function(**valid(name, function) | {argument: PLAIN[odd]()})
        except Exception as error:  # noqa: BLE001
            return "silent", error
    return ("right" if said(result) == said(plain) else "silent"), result


def said(result):
    """Return what a result says, to compare it with another one."""
    if inspect.isfunction(result):  # a gain
        result = result(np.array([1, 2, 0]))
    if hasattr(result, "gains"):
        result = result.gains
    if hasattr(result, "stage"):
        result = result.stage.figure
    if hasattr(result, "to_plotly_json"):
        result = result.to_plotly_json()
    if hasattr(result, "lines"):
        return result.json()
    if hasattr(result, "traits"):
        return ""
    return repr(result).replace("-0.", "0.")


def is_clear(error, argument):
    """Return whether the library itself raised it, in words that name the argument."""
    if isinstance(error, FileNotFoundError) and argument == "path":
        return True
    frame = traceback.extract_tb(error.__traceback__)[-1]
    is_ours = frame.filename.startswith((str(ROOT / "helpers"), str(ROOT / "src")))
    is_raised = linecache.getline(frame.filename, frame.lineno).lstrip().startswith("raise")
    said = OTHER_WORDS.get(argument, argument.removesuffix("s"))
    is_said = bool(re.search(rf"\b{said}", str(error)))
    is_kind = type(error) in (TypeError, ValueError)
    return is_ours and is_raised and is_said and is_kind


FUNCTIONS = functions()


def outcomes(name):
    """Return the lines of a function: what each argument takes, and what is out of order."""
    lines, wrong = [], []
    for argument in arguments(name.split(".")[1], FUNCTIONS[name]):
        found = {"right": [], "own": []}
        for odd in ODD:
            what, result = outcome(name, argument, odd)
            if what in ("cryptic", "silent"):
                wrong.append(f"{name}({argument}={odd}): {what}, {result!r:.200}")
            found.setdefault(what, []).append(odd)
        taken, own = (", ".join(found[what]) for what in ("right", "own"))
        lines.append(f"{name}({argument}): {taken}{f'; own: {own}' if own else ''}".rstrip())
    return lines, wrong


def write():
    """Write the table; what is out of order is printed instead of written."""
    lines = []
    for name in FUNCTIONS:
        found, wrong = outcomes(name)
        lines += found
        print("\n".join(wrong), end="\n" * bool(wrong))
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
