"""A name out of a list, mistyped: the message says which one is nearest, by one function."""

import ast
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from course import figures
from course.bets import place_bet
from course.content import COURSE
from course.exercises import exercise
from course.explorers import drag_list, slide_k
from coursekit.authoring.exercises import find
from coursekit.vote.command import main
from ndcglib.conventions import Convention, evaluate
from ndcglib.datasets import judge_run, manual_search, textbook_data
from ndcglib.metrics import dcg, discount_weights, err, gain_values, ndcg
from ndcglib.report_card import report
from ndcglib.scale import ndcg_parquet, ndcg_sql
from ndcglib.tuning import climb, contest, contest_rows, fit
from wording import nearest

ROOT = Path(__file__).resolve().parents[2]
FILES = [path for name in ("helpers", "src") for path in sorted((ROOT / name).rglob("*.py"))]
X, Y = np.array([[[1.0, 0.0], [0.0, 1.0]]]), np.array([[1, 0]])
RUN, QRELS = {"q": {"a": 1.0}}, {"q": {"a": 1}}
ROWS = {"linear": 0.5, "trees": 0.75}
RESULTS = [{name: (value, value) for name, value in ROWS.items()}]
WAYS = {"first": lambda X, y: np.eye(X.shape[-1])[0]}
SLIDE_K = "slide-k: example={} {}=2 pool=list"

MISTYPED = {
    "ties": (lambda: ndcg([1, 0], [1, 2], ties="avrage"), "average"),
    "ties of a reader": (lambda: err([1, 0], [1, 2], max_grade=1, ties="Worst"), "worst"),
    "empty": (lambda: ndcg([1, 0], [1, 2], empty="skipped"), "skip"),
    "gain": (lambda: dcg([1, 0], [1, 2], gain="exponental"), "exponential"),
    "gain of grades": (lambda: gain_values([1], "Lineal"), "linear"),
    "discount": (lambda: discount_weights(3, discount="recipracal"), "reciprocal"),
    "truth": (lambda: textbook_data(10, truth="linaer"), "linear"),
    "a decision": (lambda: judge_run(RUN, QRELS, unjudged="heighest"), "highest"),
    "a switch": (lambda: evaluate(Convention(gain="liner"), RUN, QRELS), "linear"),
    "query": (lambda: manual_search().row_of("Standard scaler"), "StandardScaler"),
    "method": (lambda: climb(X, Y, method="exacct"), "exact"),
    "start": (lambda: climb(X, Y, start="least square"), "least squares"),
    "loss": (lambda: fit(X, Y, "pair-wise"), "pairwise"),
    "against": (lambda: contest_rows(RESULTS, "tree"), "trees"),
    "against a way": (lambda: contest([textbook_data(5)], WAYS, against="frist"), "first"),
    "row": (
        lambda: figures.dot_plot(ROWS, title="", measure="NDCG", through=["tress"]),
        "trees",
    ),
    "gain in SQL": (lambda: ndcg_sql("judged", gain="exponetial"), "exponential"),
    "gain of a card": (lambda: report([[1, 0]], [[1, 0]], k=1, gain="Linear"), "linear"),
    "note": (lambda: report([[1, 0]], [[1, 0]], k=1, notes={"Versions": "x"}), "version"),
    "exercise": (lambda: exercise("my-dgc"), "my-dcg"),
    "exercise of a cell": (lambda: find("my_dcg", COURSE.exercises), "my-dcg"),
    "bet": (lambda: place_bet("small_gaps"), "small-gap"),
    "control": (lambda: slide_k().set(exmaple="zigzag"), "example"),
    "control in a line": (lambda: slide_k().restore(SLIDE_K.format("zigzag", "K")), "k"),
    "value in a line": (lambda: slide_k().restore(SLIDE_K.format("zig-zag", "k")), "zigzag"),
    "document": (lambda: drag_list([1, 0]).move("d2", 1), "D2"),
    "gain of a list": (lambda: drag_list([1, 0], gain="linnear"), "linear"),
}


@pytest.mark.parametrize("case", MISTYPED)
def test_a_mistyped_name_gets_the_nearest_one(case):
    call, meant = MISTYPED[case]
    with pytest.raises((ValueError, LookupError)) as refused:
        call()
    assert str(refused.value).endswith(f"; did you mean {meant!r}?")


def test_a_mistyped_column_gets_the_nearest_one(tmp_path):
    path = tmp_path / "judged.parquet"
    pq.write_table(pa.table({"query": ["a"], "relevance": [1.0], "score": [1.0]}), path)
    with pytest.raises(ValueError, match=r"; did you mean 'relevance'\?$"):
        ndcg_parquet(path, relevance="relevence")


def test_a_mistyped_notebook_gets_the_nearest_one(capsys):
    with pytest.raises(SystemExit):
        main(COURSE, ["conventons"])
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.endswith("no notebook is called 'conventons'; did you mean 'conventions'?")


@pytest.mark.parametrize("call", [exercise, place_bet])
def test_a_long_list_is_shown_only_where_nothing_is_near(call):
    with pytest.raises(ValueError, match=r"is called 'xyz'; there are .*, .*, "):
        call("xyz")


@pytest.mark.parametrize("given", [None, 1, ["average"], "", "x", "a" * 10**6], ids=repr)
def test_nothing_is_said_of_what_is_like_none(given):
    assert nearest(given, ["average", "best", 3, True]) == ""


def test_every_refusal_of_a_name_out_of_a_list_says_the_nearest():
    """Such messages say *one of*, or *there are*, and join the names."""
    found = {
        (path.name, function.name): ast.unparse(function)
        for path in FILES
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
    }
    lists = {
        name for name, text in found.items()
        if "raise " in text and any(w in text for w in ("one of {", "there are {', '.join("))
    }  # fmt: skip
    assert len(lists) > 10
    assert {name for name in lists if "nearest(" not in found[name]} == set()
