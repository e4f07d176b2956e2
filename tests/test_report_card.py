"""The report card, against scikit-learn, scipy, `evaluate` and every order of a small run."""

import html
import itertools
import json
import re

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import ndcg_score

from helpers import report_card
from helpers.conventions import Convention, evaluate, fingerprint
from helpers.datasets import Qrels, Run, read_qrels, read_run
from helpers.report_card import report

GRADES = np.array([[0, 2, 1, 0, 0, 1], [0, 0, 0, 0, 0, 0], [1, 0, 2, 2, 0, 1], [0, 1, 0, 0, 2, 0]])
SCORES = np.array(
    [[3, 3, 1, 0, 3, 2], [1, 2, 3, 4, 5, 6], [9, 2, 4, 4, 4, 1], [0.5, 0.1, 0.1, 0.3, 0.2, 0]]
)
OTHER = np.random.default_rng(1).random(GRADES.shape)

# One query of each kind; q3 is judged and not answered, q4 answered and not judged.
QRELS = {"q1": {"a": 2, "b": 1, "c": 0, "lost": 2}, "q2": {"a": 0, "b": -2}, "q3": {"a": 1}}
RUN = {
    "q1": {"b": 3.0, "x": 2.0, "a": 2.0, "c": 1.0},
    "q2": {"a": 2.0, "b": 1.0},
    "q4": {"a": 1.0},
}
KEYS = [
    "ndcg", "name", "ndcg_interval", "random_level", "floor", "ceiling", "baseline",
    "baseline_ndcg", "difference", "difference_interval", "p_value", "wins_losses_ties",
    "baseline_unjudged_at_k",
    "variants_tried", "queries", "queries_empty", "k", "gain", "discount", "ideal",
    "unjudged_at_k", "queries_missing", "queries_without_judgment", "negative_grades",
    "tied_documents", "unjudged_documents", "library", "fingerprint",
]  # fmt: skip


def values(card):
    return json.loads(card.json())


def columns(table):
    return (
        np.array(c)
        for c in zip(*((q, d, x) for q, r in table.items() for d, x in r.items()), strict=True)
    )


def as_run(table, tag="mine"):
    query, doc, score = columns(table)
    return Run(query, doc, np.arange(len(query)), score, np.full(len(query), tag))


def as_qrels(table):
    return Qrels(*columns(table))


# --- the numbers ------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 3, 5])
def test_arrays_against_scikit_learn_and_scipy(k):
    found = values(report(SCORES, GRADES, k, baseline=OTHER))
    of = {
        "ndcg": SCORES, "baseline_ndcg": OTHER, "random_level": 0 * GRADES,
        "floor": -GRADES, "ceiling": GRADES,
    }  # fmt: skip
    for key, scores in of.items():
        assert found[key] == pytest.approx(ndcg_score(GRADES, scores, k=k))
    own, other = (
        [ndcg_score([g], [s], k=k) for g, s in zip(GRADES, scores, strict=True)]
        for scores in (SCORES, OTHER)
    )
    test = stats.ttest_rel(own, other)
    assert found["difference"] == pytest.approx(np.mean(own) - np.mean(other))
    assert found["p_value"] == pytest.approx(test.pvalue)
    assert found["difference_interval"] == pytest.approx([*test.confidence_interval()])
    low, high = found["ndcg_interval"]
    assert low <= found["ndcg"] <= high
    assert [found[key] for key in ("queries", "queries_empty", "k")] == [4, 1, k]


def test_exponential_gain():
    found = values(report(SCORES, GRADES, 3, gain="exponential"))
    assert found["ndcg"] == pytest.approx(ndcg_score(2**GRADES - 1, SCORES, k=3))
    assert found["random_level"] == pytest.approx(ndcg_score(2**GRADES - 1, 0 * SCORES, k=3))


def test_a_run_against_evaluate_and_every_order():
    found = values(report(as_run(RUN), as_qrels(QRELS), 3))
    rule = Convention(pool="judged", negative="zero")
    both = [{q: table[q] for q in ("q1", "q2")} for table in (RUN, QRELS)]
    assert found["ndcg"] == pytest.approx(evaluate(rule, *both, 3) * 2 / 3)  # q3 counts 0
    orders = [
        evaluate(rule, {"q1": dict(zip(order, (4, 3, 2, 1), strict=True))}, {"q1": QRELS["q1"]}, 3)
        for order in itertools.permutations(RUN["q1"])
    ]
    levels = [found[key] for key in ("random_level", "floor", "ceiling")]
    assert levels == pytest.approx([np.mean(orders) / 3, min(orders) / 3, max(orders) / 3])


def test_what_was_decided_is_counted():
    found = values(report(as_run(RUN), as_qrels(QRELS), 3))
    assert (found["queries"], found["queries_empty"], found["queries_missing"]) == (3, 1, 1)
    assert (found["queries_without_judgment"], found["negative_grades"]) == (1, 1)
    assert (found["tied_documents"], found["unjudged_documents"]) == (2, 1)
    assert found["unjudged_at_k"] == pytest.approx((1 / 3 + 0) / 2)
    other = as_run({"q1": {"x": 2.0, "y": 1.0}, "q2": {"z": 2.0}})
    beside = values(report(as_run(RUN), as_qrels(QRELS), 3, baseline=other))
    assert beside["baseline_unjudged_at_k"] == 1
    assert beside["unjudged_at_k"] == found["unjudged_at_k"]


def test_both_ways_in_give_one_card():
    ids = [f"q{i}" for i in range(len(GRADES))]
    tables = [
        {q: dict(zip("abcdef", row, strict=True)) for q, row in zip(ids, table, strict=True)}
        for table in (SCORES, OTHER, GRADES)
    ]
    run, other, qrels = as_run(tables[0]), as_run(tables[1], "old"), as_qrels(tables[2])
    of_files = values(report(run, qrels, 3, baseline=other))
    of_arrays = values(report(SCORES, GRADES, 3, baseline=OTHER, name="mine", baseline_name="old"))
    assert of_files.pop("fingerprint") != of_arrays.pop("fingerprint")
    for key, value in of_arrays.items():
        expected = value if isinstance(value, str | None) else pytest.approx(value)
        assert of_files[key] == expected, key


@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_the_fingerprint_is_that_of_its_convention(gain):
    """And files reach it as they reach everything: through the readers."""
    of_arrays = values(report(SCORES, GRADES, 3, gain=gain))["fingerprint"]
    assert of_arrays == pytest.approx(evaluate(Convention(gain=gain), *fingerprint()))
    of_files = values(report(as_run(RUN), as_qrels(QRELS), 3, gain=gain))["fingerprint"]
    rule = Convention(gain=gain, pool="judged", negative="zero")
    assert of_files == pytest.approx(evaluate(rule, *fingerprint()))


def test_a_card_of_the_fingerprint_prints_its_own_fingerprint(tmp_path):
    two = fingerprint()
    (tmp_path / "run").write_text(two.run_text)
    (tmp_path / "qrels").write_text(two.qrels_text)
    found = values(report(read_run(tmp_path / "run"), read_qrels(tmp_path / "qrels"), two.k))
    assert found["ndcg"] == pytest.approx(found["fingerprint"])
    assert found["name"] == "fingerprint"


# --- the writers ------------------------------------------------------------------------


def test_keys_of_json_stay():
    baseline = as_run(RUN | {"q1": {"a": 1.0}}, "old")
    card = report(as_run(RUN), as_qrels(QRELS), 3, baseline=baseline, tried=12)
    assert list(values(card)) == KEYS
    assert values(card)["variants_tried"] == 12


def test_three_writers_say_the_same():
    card = report(SCORES, GRADES, 3, baseline=OTHER, name="a|b<")
    table = [line.split("  ") for line in str(card).split("\n")]
    texts = [[cell.strip() for cell in row] for row in map(_filled, table)]
    assert texts == [[line.label, line.text] for line in card.lines]
    cells = re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", card._repr_html_())
    assert list(map(html.unescape, cells)) == [cell for row in texts for cell in row]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in card.markdown().split("\n")]
    assert rows.pop(1) == [" --- ", " --- "]
    assert [[cell.strip().replace(r"\|", "|") for cell in row] for row in rows] == texts


def _filled(cells):
    return [cell for cell in cells if cell.strip()]


def test_what_nobody_said_is_not_said():
    text = str(report(SCORES, GRADES, 3))
    assert "not said" in text
    assert "baseline" not in text
    assert "12, this one included" in str(report(SCORES, GRADES, 3, tried=12))


def test_one_query_has_no_interval():
    found = report([0.9, 0.1], [0, 1], 2)
    assert values(found)["ndcg_interval"] is None
    assert "one query has no spread" in str(found)


# --- refusals ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: report(SCORES, GRADES), TypeError, "k"),
        (lambda: report(SCORES, GRADES, None), TypeError, "k must be a positive integer"),
        (lambda: report(SCORES, GRADES, 0), ValueError, "k must be a positive integer"),
        (lambda: report(GRADES, SCORES, 3), ValueError, r"the scores come first: report\(scores"),
        (lambda: report(SCORES, -GRADES, 3), ValueError, "whole numbers from 0"),
        (lambda: report(SCORES[:3], GRADES, 3), ValueError, r"run .* \(3, 6\) and \(4, 6\)"),
        (
            lambda: report(SCORES, GRADES, 3, baseline=SCORES[:, :5]),
            ValueError,
            r"baseline .* \(4, 5\) and \(4, 6\)",
        ),
        (lambda: report(as_run(RUN), GRADES, 3), TypeError, "got Run, ndarray"),
        (lambda: report(SCORES, as_qrels(QRELS), 3), TypeError, "got ndarray, Qrels"),
        (
            lambda: report(as_run(RUN), as_qrels(QRELS), 3, baseline=SCORES),
            TypeError,
            "got Run, Qrels, ndarray",
        ),
        (lambda: report(SCORES, GRADES, 3, gain="binary"), ValueError, "linear, exponential"),
        (lambda: report(SCORES, GRADES, 3, tried=0), ValueError, "tried must be a whole number"),
        (lambda: report(SCORES * np.nan, GRADES, 3), ValueError, "run must be finite"),
        (
            lambda: report(as_run(RUN), as_qrels(QRELS), 3, baseline=as_run({"q2": RUN["q2"]})),
            ValueError,
            "the same judged queries, but 1 are in one of them only: 'q1'",
        ),
        (
            lambda: report(as_run({"q4": {"a": 1.0}}), as_qrels(QRELS), 3),
            ValueError,
            "have no judgment",
        ),
    ],
)
def test_refusals_say_what_came_and_what_to_do(call, error, words):
    with pytest.raises(error, match=words):
        call()


# --- progress ---------------------------------------------------------------------------


def test_a_bar_for_long_runs_only(monkeypatch, capsys):
    report(SCORES, GRADES, 3)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(report_card, "MANY_ROWS", 10)
    report(SCORES, GRADES, 3, baseline=OTHER)
    assert "0/5" in capsys.readouterr().err


def test_an_interrupt_loses_nothing(monkeypatch, capsys):
    """It ends at once, the bar goes, and what was given is as it was."""
    measured, calls = report_card.ndcg_long, []

    def interrupted(*columns, **options):
        calls.append(columns)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return measured(*columns, **options)

    monkeypatch.setattr(report_card, "MANY_ROWS", 1)
    monkeypatch.setattr(report_card, "ndcg_long", interrupted)
    scores, grades = SCORES.copy(), GRADES.copy()
    with pytest.raises(KeyboardInterrupt):
        report(scores, grades, 3)
    assert (scores == SCORES).all()
    assert (grades == GRADES).all()
    assert capsys.readouterr().err.endswith("\r")
    monkeypatch.undo()
    assert values(report(scores, grades, 3))["queries"] == 4
