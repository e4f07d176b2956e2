"""The report card, against scikit-learn, scipy, `evaluate` and every order of a small run."""

import html
import itertools
import json
import re
from pathlib import Path

import mistune
import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import ndcg_score

from ndcglib import report_card
from ndcglib.conventions import Convention, evaluate, fingerprint
from ndcglib.datasets import Qrels, Run, manual_scores, manual_search, read_qrels, read_run
from ndcglib.metrics import ndcg, random_ndcg
from ndcglib.report_card import report
from ndcglib.significance import compare, interval

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
    "ndcg", "name", "collection_warning", "ndcg_interval", "groups", "largest_group",
    "groups_warning", "tie_range", "own_shuffled", "own_reordered", "random_level", "floor",
    "ceiling", "baseline", "baseline_ndcg", "baseline_tie_range", "baseline_own_shuffled",
    "baseline_own_reordered", "baseline_unjudged_at_k", "difference", "difference_interval",
    "p_value", "p_value_of_tried", "design_effect", "wins_losses_ties", "variants_tried",
    "first_stage", "sampled", "judges", "not_said", "queries", "queries_empty",
    "judged_per_query", "k", "gain", "discount", "ideal", "unjudged_at_k", "queries_missing",
    "queries_without_judgment", "negative_grades", "tied_documents", "unjudged_documents",
    "library", "fingerprint",
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
    t_interval = stats.ttest_1samp(own, 0).confidence_interval()
    assert found["ndcg_interval"] == pytest.approx([*t_interval])
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
    assert found["own_shuffled"] == pytest.approx(np.mean(orders) / 3)
    assert found["own_reordered"] == pytest.approx([min(orders) / 3, max(orders) / 3])


def test_levels_of_the_collection_against_every_order_of_all_that_was_judged():
    """a, b, c and lost, for each query: what it has no grade for has the grade 0."""
    found = values(report(as_run(RUN), as_qrels(QRELS), 3))
    rule = Convention(pool="judged", negative="zero")
    orders = [
        [
            evaluate(rule, {q: dict(zip(order, (4, 3, 2, 1), strict=True))}, {q: QRELS[q]}, 3)
            for order in itertools.permutations(["a", "b", "c", "lost"])
        ]
        for q in QRELS
    ]
    expected = [np.mean([of(one) for one in orders]) for of in (np.mean, min, max)]
    assert [found[key] for key in ("random_level", "floor", "ceiling")] == pytest.approx(expected)


def test_chance_is_the_same_for_each_ranker_and_what_it_retrieved_is_not():
    """Shuffled results of a better ranker score more: they are better documents."""
    grades, tables = manual_search().grades, manual_scores()
    docs = np.array([f"d{i}" for i in range(grades.shape[1])])
    query = np.array([f"q{i}" for i in range(len(grades))])

    def run(name):
        top = (-tables[name]).argsort(axis=1, kind="stable")[:, :10]
        n = top.size
        score = np.take_along_axis(tables[name], top, axis=1).ravel()
        return Run(query.repeat(10), docs[top].ravel(), np.zeros(n), score, np.full(n, name))

    qrels = Qrels(query.repeat(len(docs)), np.tile(docs, len(query)), grades.ravel())
    both = [
        values(report(run(a), qrels, 10, baseline=run(b)))
        for a, b in itertools.permutations(["BM25", "name words"])
    ]
    for found in both:
        assert found["random_level"] == pytest.approx(random_ndcg(grades, k=10))
    assert both[0]["own_shuffled"] == both[1]["baseline_own_shuffled"]
    assert both[0]["baseline_own_shuffled"] == both[1]["own_shuffled"]
    assert both[0]["own_shuffled"] > both[1]["own_shuffled"] + 0.03 > 0.3


def test_ties_at_worst_and_best_against_every_order():
    found = values(report(SCORES, GRADES, 3, baseline=OTHER))
    ranges = []
    for grades, scores in zip(GRADES, SCORES, strict=True):
        orders = [
            ndcg_score([grades], [np.argsort(order)], k=3)
            for order in itertools.permutations(range(6))
            if (np.diff(scores[list(order)]) >= 0).all()
        ]
        ranges.append([min(orders), max(orders)])
    assert found["tie_range"] == pytest.approx(np.mean(ranges, axis=0))
    assert found["baseline_tie_range"] == pytest.approx([found["baseline_ndcg"]] * 2)


# --- what belongs together, and what only people know -------------------------------------

LABELS = ["x", "y", "x", "z"]


def test_by_groups_as_compare_has_it():
    found = values(report(SCORES, GRADES, 3, baseline=OTHER, groups=LABELS))
    own, other = (ndcg(GRADES, scores, k=3, per_query=True) for scores in (SCORES, OTHER))
    by_group = compare(own, other, groups=LABELS)
    assert found["difference_interval"] == pytest.approx([by_group.low, by_group.high])
    assert found["p_value"] == pytest.approx(by_group.t_p)
    assert found["design_effect"] == pytest.approx(by_group.design_effect)
    assert (found["groups"], found["largest_group"]) == (3, 2)
    assert found["groups_warning"] == by_group.warning
    assert found["ndcg_interval"] == pytest.approx([*interval(own, LABELS)[1:]])


def test_a_group_for_each_query_changes_no_number_and_enough_of_them_bring_no_warning():
    grades = np.random.default_rng(0).integers(0, 3, size=(40, 6))
    scores, other = np.random.default_rng(1).random((2, 40, 6))
    card = report(scores, grades, 3, baseline=other, groups=range(40))
    alone, grouped = values(report(scores, grades, 3, baseline=other)), values(card)
    for key, value in alone.items():
        assert grouped[key] == (value if isinstance(value, str | None) else pytest.approx(value))
    assert "groups_warning" not in grouped
    assert "by group" in str(card)


def test_groups_of_runs_are_a_dict_by_query():
    ids = [f"q{i}" for i in range(len(GRADES))]
    run, other, qrels = (
        make({q: dict(zip("abcdef", row, strict=True)) for q, row in zip(ids, table, strict=True)})
        for make, table in ((as_run, SCORES), (as_run, OTHER), (as_qrels, GRADES))
    )
    groups = dict(zip(reversed(ids), reversed(LABELS), strict=True))
    of_run = values(report(run, qrels, 3, baseline=other, groups=groups))
    of_arrays = values(report(SCORES, GRADES, 3, baseline=OTHER, groups=LABELS))
    for key in ("ndcg_interval", "difference_interval", "p_value", "groups", "largest_group"):
        assert of_run[key] == pytest.approx(of_arrays[key])
    with pytest.raises(TypeError, match="groups must be a dict, too"):
        report(run, qrels, 3, groups=LABELS)


def test_tried_says_what_it_does_to_p():
    p = values(report(SCORES, GRADES, 3, baseline=OTHER))["p_value"]
    for tried in (2, 3, 10**6):
        card = report(SCORES, GRADES, 3, baseline=OTHER, tried=tried)
        assert values(card)["p_value_of_tried"] == pytest.approx(min(1, p * tried))
        assert f"p times the {tried:,} tried" in str(card)
        assert "measure the chosen one on fresh queries" in str(card)
    card = str(report(SCORES, GRADES, 3, baseline=OTHER, tried=1))
    assert "p times" not in card
    assert "fresh queries" not in card


def test_notes_stand_on_the_card_and_what_lacks_is_named():
    notes = {"judges": "two students", "split": "test\nqueries"}
    card = report(SCORES, GRADES, 3, notes=notes)
    assert {key: values(card)[key] for key in notes} == notes
    assert values(card)["not_said"] == ["agreement", "depth", "version"]
    words = {line.label: line.text for line in card.lines}
    lacking = "agreement of the judges, depth of the judgments, version of the data"
    assert words["not said"] == lacking
    assert words["who judged"] == "two students"
    assert words["split"] == "test queries"
    full = notes | {"agreement": "κ 0.5", "depth": "10", "version": "2"}
    assert "not_said" not in values(report(SCORES, GRADES, 3, notes=full))


def words_of(card):
    return {line.key: line.text for line in card.lines}


def test_first_stage_and_samples_are_counts_and_none_is_not_silence():
    cards = [
        report(SCORES, GRADES, 3, first_stage=n, sampled=n and 2, notes={"judges": "we"})
        for n in (None, 0, 1_000)
    ]
    keys = ("first_stage", "sampled")
    assert [[values(card)[key] for key in keys] for card in cards] == [
        [None, None], [0, 0], [1_000, 2],
    ]  # fmt: skip
    assert [[words_of(card)[key] for key in keys] for card in cards] == [
        ["not said"] * 2, ["none"] * 2, ["1,000 a query", "2 a query"],
    ]  # fmt: skip
    assert "collection_warning" not in values(cards[0]).keys() | values(cards[1]).keys()
    assert cards[2].lines[2].text == (
        "no NDCG over the collection: the ideal lacks what the first stage missed, and only 2 "
        "sampled negatives"
    )


@pytest.mark.parametrize(("first_stage", "lacks"), [(0, False), (5, False), (6, True), (9, True)])
def test_rows_of_a_first_stage_have_an_ideal_of_their_own(first_stage, lacks):
    """The rows have six documents: where the first stage brought fewer, they hold others, too."""
    card = report(SCORES, GRADES, 3, first_stage=first_stage)
    assert ("collection_warning" in values(card)) is lacks
    ideal = "what the first stage brought" if lacks else "everything judged"
    assert values(card)["ideal"] == words_of(card)["ideal"] == ideal


def test_the_ideal_of_a_run_has_what_its_first_stage_missed():
    """The same documents as arrays score more: their ideal lacks the one that was lost."""
    card = report(as_run(RUN), as_qrels(QRELS), 3, first_stage=4)
    assert "collection_warning" not in values(card)
    assert values(card)["ideal"] == "everything judged"
    of_q1 = report([[3.0, 2.0, 2.0, 1.0]], [[1, 0, 2, 0]], 3, first_stage=4)
    assert values(card)["ndcg"] * 3 < values(of_q1)["ndcg"] - 0.1


def test_sampled_negatives_are_warned_of_in_markdown_too():
    card = report(as_run(RUN), as_qrels(QRELS), 3, sampled=99)
    assert "collection_warning" in values(card)
    said = "no NDCG over the collection: only 99 sampled negatives"
    assert f"| warning | {said} |" in card.markdown().splitlines()


@pytest.mark.parametrize("is_ahead", [False, True])
def test_a_difference_that_does_not_vary_is_said_and_the_card_goes_on(is_ahead):
    """Both order every query alike, or the one has always half of what the other has."""
    grades = np.array([[1, 0], [2, 0], [3, 0]])
    best, worst = np.array([[1, 0]] * 3), np.array([[0, 1]] * 3)
    card = report(best, grades, 2, baseline=worst if is_ahead else best, tried=5)
    found = values(card)
    assert found["difference"] == pytest.approx(1 - 1 / np.log2(3) if is_ahead else 0)
    assert found["difference_interval"] is found["p_value"] is None
    assert found["wins_losses_ties"] == ([3, 0, 0] if is_ahead else [0, 0, 3])
    assert "none: the difference is the same on every query" in str(card)
    assert found["fingerprint"] > 0


def test_judged_documents_are_counted():
    found = report(as_run(RUN), as_qrels(QRELS), 3)
    assert values(found)["judged_per_query"] == pytest.approx(7 / 3)
    assert "2.3, from 1 to 4" in str(found)


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
    ranges = {
        f"{who}own_{what}" for who in ("", "baseline_") for what in ("shuffled", "reordered")
    }
    assert of_files.keys() - of_arrays.keys() == ranges | {
        "queries_missing", "queries_without_judgment", "negative_grades", "unjudged_documents"
    }  # fmt: skip
    assert of_files["own_shuffled"] == pytest.approx(of_arrays["random_level"])
    for key, value in of_arrays.items():
        same = isinstance(value, str | None) or key == "not_said"
        assert of_files[key] == (value if same else pytest.approx(value)), key


@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_the_fingerprint_is_that_of_its_convention(gain):
    """It is that of `evaluate`; of files with the rules of their readers."""
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
    groups = {"q1": 1, "q2": 1, "q3": 2}
    options = {"groups": groups, "tried": 12, "sampled": 99, "notes": {"judges": "we"}}
    card = report(as_run(RUN), as_qrels(QRELS), 3, baseline=baseline, **options)
    assert list(values(card)) == KEYS
    assert values(card)["variants_tried"] == 12


ODD_NAMES = ["a|b<", "a\nb", "*x* **y**", "_x_ `y`", "~~a~~ $b$", "[a](b) ![c](d)", "<b>&amp;"]


@pytest.mark.parametrize("name", [*ODD_NAMES, r"a\|b \* \\"])
def test_three_writers_say_the_same(name):
    """Markdown by mistune, which reads it as GitHub does."""
    notes = {"judges": name, "agreement": name}
    card = report(SCORES, GRADES, 3, baseline=OTHER, name=name, sampled=1, notes=notes)
    table = [re.split(r"  +", line.strip()) for line in str(card).split("\n")]
    texts = [[line.label, line.text] for line in card.lines]
    assert table == texts
    assert {values(card)[key] for key in ("name", *notes)} == {name}
    assert card.lines[1].text == " ".join(name.split())
    render = mistune.create_markdown(plugins=["table", "strikethrough", "math"])
    for page in (card._repr_html_(), render(card.markdown())):
        cells = re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", page)
        assert [html.unescape(cell) for cell in cells] == [cell for row in texts for cell in row]


def test_what_nobody_said_is_not_said():
    text = str(report(SCORES, GRADES, 3))
    assert "not said" in text
    assert "baseline" not in text
    assert "12, this one included" in str(report(SCORES, GRADES, 3, tried=12))


def test_one_query_has_no_interval():
    found = report([0.9, 0.1], [0, 1], 2)
    assert values(found)["ndcg_interval"] is None
    assert "one query has no spread" in str(found)
    beside = values(report([0.9, 0.1], [0, 1], 2, baseline=[0.1, 0.9]))
    assert beside["p_value"] is beside["difference_interval"] is None


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
        (lambda: report(SCORES, GRADES, 3, gain={0: 0}), ValueError, "got {0: 0}; a gain of your"),
        (lambda: report("r.txt", "q.txt", 3), TypeError, r"^judged must .*read_qrels\('q.txt'\)"),
        (
            lambda: report(as_run(RUN), as_qrels(QRELS), 3, baseline=Path("r.txt")),
            TypeError,
            r"^baseline must be Run, .*read_run\('r.txt'\)",
        ),
        (lambda: report(as_qrels(QRELS), as_run(RUN), 3), TypeError, "in this order.*; got Qrels"),
        (lambda: report(SCORES, GRADES * 1e20, 3), ValueError, r"grades below 2\^63, got 2e\+20"),
        (
            lambda: report(SCORES, GRADES.astype(np.uint64) + np.uint64(2**63), 3),
            ValueError,
            r"below 2\^63, got 9223372036854775810",
        ),
        (lambda: report(SCORES, GRADES, 3, notes="me"), TypeError, "notes must be a dict"),
        (
            lambda: report(SCORES, GRADES, 3, notes={"judge": "me"}),
            ValueError,
            "may hold judges, agreement, depth, split, version, got 'judge'",
        ),
        (
            lambda: report(SCORES, GRADES, 3, notes={"depth": 10}),
            ValueError,
            r"notes\['depth'\] must be words, got 10",
        ),
        (lambda: report(SCORES, GRADES, 3, groups=["a"]), ValueError, "a label for each of the 4"),
        (lambda: report([0.9, 0.1], [0, 1], 2, groups=["a"]), ValueError, "at least two queries"),
        (lambda: report(SCORES, GRADES, 3, tried=0), ValueError, "tried must be a whole number"),
        (
            lambda: report(SCORES, GRADES, 3, first_stage=-1),
            ValueError,
            "first_stage must be a whole number at least 0, got -1",
        ),
        (
            lambda: report(SCORES, GRADES, 3, sampled="99"),
            ValueError,
            "sampled must be a whole number at least 0, got '99'",
        ),
        (
            lambda: report(SCORES, GRADES, 3, sampled=3),
            ValueError,
            "got 3, but row 3 of judged, counted from 1, has 2; give how many were drawn for one",
        ),
        (
            lambda: report(as_run(RUN), as_qrels(QRELS), 3, first_stage=3),
            ValueError,
            "got 3, but 'q1' has 4 documents; give how many a first stage brings for a query, or",
        ),
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
    assert "0/6" in capsys.readouterr().err


def test_an_interrupt_loses_nothing(monkeypatch, capsys):
    """The report ends at once, its bar is gone, and the arrays it was given are unchanged."""
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
