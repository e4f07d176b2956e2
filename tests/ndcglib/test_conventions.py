"""Conventions: each preset against the tool itself, and numbers back to where they come from."""

import ast
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from notebook_rules import chapter
from sklearn.metrics import ndcg_score

from ndcglib.conventions import (
    PRESETS,
    SWITCHES,
    Convention,
    evaluate,
    fingerprint,
    reconcile,
)
from ndcglib.conventions import read_fingerprint as read
from ndcglib.conventions.examples import EXAMPLES, levels_of, run_and_qrels, values_of
from ndcglib.conventions.reconciler import all_settings
from ndcglib.datasets import manual_scores, manual_search, read_qrels, read_run
from ndcglib.metrics import ndcg_long

ROOT = Path(__file__).parents[2]
PEERS = json.loads((ROOT / "tools" / "peers" / "libraries.json").read_text("utf-8"))
BY_NAME = {preset.name: preset for preset in PRESETS}
NOT_RUN = {
    "RankLib": "source read",
    "trec_eval 10 ndcg_cut": "source read",
    "trec_eval 10 -c ndcg_cut": "source read",
    "trec_eval 10 ndcg": "source read",
    "argsort()[::-1] at home": "own program",
    "ideal from the top k at home": "own program",
}
TWINS = [  # one number where no grade is negative and the run lacks no judged query
    {"trec_eval 9 / pytrec_eval ndcg_cut", "trec_eval 9 -c / ir-measures nDCG"},
    {"trec_eval 10 ndcg_cut", "trec_eval 10 -c ndcg_cut"},
    {"XGBoost ndcg@k", "allRank"},
]
UNSTABLE_FROM = {"ranx ndcg": 16, "ranx ndcg_burges": 16, "allRank": 17}  # documents
NO_TIES = {"q": dict(zip("abcdef", [0.6, 0.2, 0.8, 0.4, 0.1, 0.3], strict=True))}
GRADES = {"q": dict(zip("abcdef", [3, 2, 3, 0, 1, 2], strict=True))}


# --- the tools ------------------------------------------------------------------------


def answers_of(name):
    """Yield each query that a tool was asked, what it printed, and what its preset says.

    None stands for a refusal; the reason why a preset gives no number comes last.
    """
    for (_, run, qrels, k), printed in zip(
        PEERS["queries"], PEERS["tools"][name]["values"], strict=True
    ):
        try:
            value, reason = evaluate(BY_NAME[name], {"1": run}, {"1": qrels}, k), ""
        except ValueError as error:
            value, reason = None, str(error)
        yield (run, qrels, k), None if isinstance(printed, str) else printed, value, reason


@pytest.mark.parametrize("name", PEERS["tools"])
def test_a_preset_is_what_the_tool_prints(name):
    """Error for error, on lists of 1 to 60 documents with ties, and on negative grades."""
    wrong = []
    for (run, qrels, k), printed, value, reason in answers_of(name):
        if "no rule for equal scores" in reason:
            continue  # the test below
        if printed is None or value is None:
            is_alone = len(run) == 1 and "scikit-learn" in name  # which refuses one document
            same = printed is None and (value is None or is_alone)
        else:  # single precision; gdeval prints five decimals
            near = 5e-6 if "exp-log2" in name else 1e-6
            same = value == pytest.approx(printed, rel=1e-6, abs=near)
        wrong += [] if same else [(run, qrels, k, printed, value)]
    assert wrong == []
    shown = fingerprint()
    assert evaluate(BY_NAME[name], shown.run, shown.qrels, shown.k) == pytest.approx(
        PEERS["tools"][name]["fingerprint"], abs=5e-6
    )


@pytest.mark.parametrize("name", PEERS["tools"])
def test_a_tool_without_a_rule_for_ties_may_print_what_it_prints(name):
    """Its preset says from which length on, and no sooner; its number lies within the bounds."""
    undefined = [
        (run, qrels, k, printed)
        for (run, qrels, k), printed, _, reason in answers_of(name)
        if "no rule for equal scores" in reason
    ]
    assert bool(undefined) == (name in UNSTABLE_FROM) == bool(BY_NAME[name].short)
    ends = {rule: BY_NAME[name].convention._replace(ties=rule) for rule in ("worst", "best")}
    for run, qrels, k, printed in undefined:
        low, high = (evaluate(ends[rule], {"1": run}, {"1": qrels}, k) for rule in ends)
        assert low - 1e-6 <= printed <= high + 1e-6
    for run, qrels, k, printed in undefined[::30]:
        found = reconcile({"1": run}, {"1": qrels}, k, f"{printed:.4f}")
        assert BY_NAME[name] in found.maybe
        assert f"perhaps by {name} " in repr(found)
    if undefined:
        assert min(len(run) for run, *_ in undefined) == UNSTABLE_FROM[name]


@pytest.mark.parametrize("name", UNSTABLE_FROM)
def test_the_order_of_the_file_would_be_wrong_for_it_on_long_lists(name):
    """On most of them the tool printed another number than this rule gives."""
    rule = BY_NAME[name].convention._replace(ties="stable")
    long_ones = [
        (printed, evaluate(rule, {"1": run}, {"1": qrels}, k))
        for (run, qrels, k), printed, _, reason in answers_of(name)
        if "no rule" in reason
    ]
    assert np.mean([abs(printed - value) > 0.001 for printed, value in long_ones]) > 0.8


def test_argsort_at_home_is_sure_up_to_three_documents():
    """`np.argsort` itself. With vector instructions it has no order of ties from four on."""
    preset, luck = BY_NAME["argsort()[::-1] at home"], np.random.default_rng(12)
    assert preset.short.surely == 3
    for _ in range(200):
        n_docs = luck.integers(1, 4)
        grades, scores = luck.integers(0, 4, n_docs), luck.integers(0, 2, n_docs) / 2
        listed = [grades[np.argsort(scores)[::-1]].tolist(), np.arange(n_docs)[::-1].tolist()]
        run, qrels = (
            {"q": dict(zip("abc", some.tolist(), strict=False))} for some in (scores, grades)
        )
        expected = (
            ndcg_score([listed[0]], [listed[1]], k=2) if n_docs > 1 else float(grades[0] > 0)
        )
        assert evaluate(preset, run, qrels, 2) == pytest.approx(expected)


PLAIN = """
import numpy as np
luck = np.random.default_rng(12)
lists = [luck.integers(0, 3, n_docs) / 2 for n_docs in range(1, 17) for _ in range(50)]
print(all((np.argsort(one) == np.argsort(one, kind="stable")).all() for one in lists))
"""


def test_argsort_at_home_without_vector_instructions():
    """Then up to sixteen documents; the fingerprint's four come out so with them, too."""
    of_vectors = "X86_V3 X86_V4 AVX2 AVX512F AVX512_SKX AVX512_ICL AVX512_SPR"
    sorted_plainly = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PLAIN],
        env=os.environ | {"NPY_DISABLE_CPU_FEATURES": of_vectors},
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted_plainly.stdout == "True\n"
    assert BY_NAME["argsort()[::-1] at home"].short.longest == 16
    _, scores = fingerprint().arrays[0]
    assert np.argsort(scores)[::-1].tolist() == [2, 3, 1, 0]


LACKING = (
    {"1": {"a": 0.9, "b": 0.8}},
    {"1": {"a": 1, "b": 3}, "2": {"a": 2, "c": 1}, "3": {"d": 0}},
    3,
)


@pytest.mark.parametrize(
    "name", [name for name, tool in PEERS["tools"].items() if tool["lacking"] is not None]
)
def test_judged_queries_that_the_run_lacks(name):
    """Left out by pytrec_eval, 0 by ir-measures and recommenders, refused by ranx."""
    printed = PEERS["tools"][name]["lacking"]
    if printed == "AssertionError":
        with pytest.raises(ValueError, match=r"the run lacks 2 of 3 judged queries, .*: '2', '3'"):
            evaluate(BY_NAME[name], *LACKING)
    else:
        assert evaluate(BY_NAME[name], *LACKING) == pytest.approx(printed, abs=5e-6)


def test_with_and_without_c():
    """trec_eval 9 leaves such queries out without -c, 10 stops; with it both count 0."""
    value = (1 + 3 / np.log2(3)) / (3 + 1 / np.log2(3))
    assert evaluate(BY_NAME["trec_eval 9 / pytrec_eval ndcg_cut"], *LACKING) == pytest.approx(
        value
    )
    for name in ("trec_eval 9 -c / ir-measures nDCG", "trec_eval 10 -c ndcg_cut"):
        assert evaluate(BY_NAME[name], *LACKING) == pytest.approx(value / 3)
    with pytest.raises(ValueError, match=r"missing='zero' counts them as 0, .* leaves them out"):
        evaluate(BY_NAME["trec_eval 10 ndcg_cut"], *LACKING)
    names = [preset.name for preset in reconcile(*LACKING, f"{value / 3:.4f}").presets]
    assert "trec_eval 10 -c ndcg_cut" in names
    assert not {"trec_eval 10 ndcg_cut", "trec_eval 9 / pytrec_eval ndcg_cut"} & {*names}


def test_a_query_that_is_lacking_is_not_an_empty_one():
    run, qrels = NO_TIES, GRADES | {"z": {"a": 1}}
    whole = evaluate(Convention(), NO_TIES, GRADES, 5)
    for empty in (0, 1, "skip"):
        zero = Convention(empty=empty, missing="zero")
        assert evaluate(zero, run, qrels, 5) == pytest.approx(whole / 2)
        assert evaluate(zero._replace(missing="skip"), run, qrels, 5) == pytest.approx(whole)


def test_the_peers_were_asked_about_many_kinds_of_queries():
    """Else the test above would hold presets that are not those of the tools."""
    pairs = [(run, qrels) for _, run, qrels, _ in PEERS["queries"]]
    assert len(pairs) == 369
    assert {len(run) for run, _ in pairs} == {*range(1, 61)}
    assert sum(any(grade < 0 for grade in qrels.values()) for _, qrels in pairs) > 30
    assert sum(len(set(run.values())) < len(run) for run, _ in pairs) > 100
    assert (
        sum(len(set(map(np.float32, run.values()))) < len(set(run.values())) for run, _ in pairs)
        > 30
    )
    assert sum(bool(run.keys() - qrels.keys()) for run, qrels in pairs) > 30
    assert sum(bool(qrels.keys() - run.keys()) for run, qrels in pairs) > 50
    assert sum(not any(qrels.values()) for _, qrels in pairs) > 10


def test_the_examples_are_those_that_the_peers_were_asked():
    asked = {name: (run, qrels) for name, run, qrels, _ in PEERS["queries"]}
    assert EXAMPLES.items() <= asked.items()


@pytest.mark.parametrize("name", PEERS["tools"])
def test_the_matrix_is_what_the_tools_print(name):
    asked = [query for query, *_ in PEERS["queries"]]
    printed = [PEERS["tools"][name]["values"][asked.index(query)] for query in EXAMPLES]
    numbers = [None if isinstance(value, str) else value for value in printed]
    assert values_of(BY_NAME[name]) == pytest.approx(numbers, abs=5e-6)


def test_versions_are_those_that_were_run():
    for name, tool in PEERS["tools"].items():
        assert BY_NAME[name].version.endswith(tool["version"])
    assert {
        name: BY_NAME[name].version for name in BY_NAME.keys() - PEERS["tools"].keys()
    } == NOT_RUN


def test_a_query_that_is_left_out():
    run, qrels = NO_TIES | {"z": {"a": 1.0}}, GRADES | {"z": {"a": 0}}
    whole = evaluate(Convention(), NO_TIES, GRADES, 5)
    assert evaluate(Convention(), run, qrels, 5) == pytest.approx(whole / 2)
    assert evaluate(Convention(empty=1), run, qrels, 5) == pytest.approx((whole + 1) / 2)
    assert evaluate(Convention(empty="skip"), run, qrels, 5) == pytest.approx(whole)
    assert np.isnan(evaluate(Convention(empty="skip"), {"z": {"a": 1.0}}, {"z": {"a": 0}}))


# --- the fingerprint ------------------------------------------------------------------


def test_every_convention_prints_a_number_of_its_own():
    numbers = {preset.name: value for value, preset in fingerprint().numbers}
    for one, other in TWINS:
        assert numbers[one] == numbers[other]
        differ = BY_NAME[one].convention.differs_from(BY_NAME[other].convention)
        assert {*differ} <= {"negative", "missing", "ties"}  # ties: no rule for long lists
    gaps = np.diff(sorted(set(numbers.values())))
    assert (len(PRESETS), len(gaps) + 1) == (24, 21)
    assert gaps.min() > 0.0025  # three decimals tell them apart
    known = {"scikit-learn": 0.2375, "LightGBM": 0.8149, "XGBoost ndcg@k": 0.9734}
    assert {name: round(numbers[name], 4) for name in known} == known


def test_its_shapes_are_those_that_tools_take(tmp_path):
    shown = fingerprint()
    query, grades, scores = shown.table
    assert ndcg_long(query, grades, scores, k=3) == pytest.approx(0.2375, abs=5e-5)
    each = [ndcg_score([grades], [scores], k=3) for grades, scores in shown.arrays]
    assert np.mean(each) == pytest.approx(0.2375, abs=5e-5)
    (tmp_path / "run").write_text(shown.run_text)
    (tmp_path / "qrels").write_text(shown.qrels_text)
    files = read_run(tmp_path / "run"), read_qrels(tmp_path / "qrels")
    for preset in PRESETS:
        assert evaluate(preset, *files, 3) == evaluate(preset, shown.run, shown.qrels, 3)


def test_a_number_says_which_tool_it_is():
    for value, preset in fingerprint().numbers:
        names = {found.name for found in read(f"{value:.4f}").found.presets}
        assert names == next((pair for pair in TWINS if preset.name in pair), {preset.name})


def test_a_reading_answers_switch_by_switch():
    text = repr(read(0.2375))
    assert text.startswith("0.2375 is printed by scikit-learn 1.9.1\n")
    assert re.search(r"How are equal scores ordered\? +in all orders, averaged\n", text)
    told, known = text.split("The number does not show this, but it is known of the tool:\n")
    assert (len(told.splitlines()), len(known.splitlines())) == (2 + 8, 2)
    assert "negative grade" in known
    assert "if the run lacks it" in known
    assert read("0.9734").found.question == "What does a negative grade count as?"
    assert "ranx ndcg: this order of ties is certain only for lists of up to 15 documents" in repr(
        read("0.2749")
    )


@pytest.mark.parametrize(("printed", "name"), [("0.2624", "ndcg_cut"), ("0.2804", "ndcg")])
def test_trec_eval_10_sorts_in_double_precision(printed, name):
    assert f"trec_eval 10 {name}" in [preset.name for preset in read(printed).found.presets]


def test_a_number_is_read_as_numpy_returns_it():
    shown = fingerprint()
    values = [ndcg_score([grades], [scores], k=3) for grades, scores in shown.arrays]
    for mean in (np.mean(values), np.float32(np.mean(values)), float(np.mean(values)), 0.2375):
        assert [preset.name for preset in read(mean).found.presets] == ["scikit-learn"]
    assert reconcile(NO_TIES, GRADES, 5, np.float64(0.9141)).presets
    assert read(0.3).found.printed == "0.3000"  # a number has no zeros at its end to count
    assert read("0.3").found.printed == "0.3"
    assert [tool.name for tool in read(0.3).found.maybe] == ["argsort()[::-1] at home"]
    assert read(0.2375).found.maybe == []  # another tool prints it for sure
    assert read(np.float64(1 + 2e-16)).found.printed == "1.0000"


def test_the_postcard_has_every_preset():
    postcard = repr(fingerprint())
    assert all(preset.name in postcard for preset in PRESETS)
    unrun = {name.removesuffix(" (not run)") for name in NOT_RUN if NOT_RUN[name] == "source read"}
    assert unrun == {one.strip() for one in re.findall(r"\d\.\d{4}  (.*?) \(not run\)", postcard)}
    assert max(map(len, postcard.splitlines())) <= 88
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"```text\n{postcard}\n```" in readme


# --- from a number to its settings ----------------------------------------------------


def test_one_number_explains_little():
    """Without ties, empty and unjudged documents most switches do nothing."""
    found = reconcile(NO_TIES, GRADES, 5, "0.9141")
    assert [preset.name for preset in found.presets] == [
        preset.name
        for preset in PRESETS
        if preset.name.startswith(("trec_eval 10 ndcg_cut", "trec_eval 10 -c", "argsort"))
        or round(PEERS["tools"].get(preset.name, {"values": [0]})["values"][0], 4) == 0.9141
    ]
    assert (found.n_settings, found.n_tried) == (336, 9072)
    assert found.question == "How are equal scores ordered?"


def test_a_switch_that_was_turned_is_named():
    luck, shown = random.Random(12), fingerprint()
    for _ in range(40):
        preset, name = luck.choice(PRESETS), luck.choice(["gain", "empty", "cutoff", "discount"])
        setting = luck.choice(list(SWITCHES[name][1]))
        turned = preset._replace(convention=preset.convention._replace(**{name: setting}))
        value = evaluate(turned, shown.run, shown.qrels, shown.k)
        found = reconcile(shown.run, shown.qrels, shown.k, f"{value:.5f}")
        if not found.presets:
            pairs = [(tool.name, convention) for tool, convention in found.nearest]
            assert (preset.name, turned.on(4)) in pairs
            assert all(len(c.differs_from(t.convention)) == 1 for t, c in found.nearest)
            assert f"but by {found.nearest[0][0].name} with " in repr(found)


def test_where_grades_are_negative_the_rule_counts():
    run, qrels = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"q": {"a": 2, "b": -1, "c": 1}}
    value = evaluate(Convention(negative="use"), run, qrels)
    found = reconcile(run, qrels, 3, f"{value:.5f}")
    assert found.n_tried == 5 * 9072
    assert "torchmetrics" in [preset.name for preset in found.presets]
    assert all(preset.convention.negative != "refuse" for preset in found.presets)
    zero = evaluate(Convention(negative="zero"), run, qrels)
    assert zero != pytest.approx(value, abs=1e-3)


def test_no_setting_may_print_it():
    found = read("0.1111").found
    assert (found.presets, found.nearest, found.n_settings, found.question) == ([], [], 0, "")
    assert repr(found).startswith("0.1111 is printed by no tool\n0 of 9,072 settings")


def test_every_setting_is_tried_once():
    assert len(set(all_settings())) == len(all_settings()) == 9072
    assert len(all_settings(idle=("negative",))) == 2 * 9072
    assert len(all_settings(idle=())) == 10 * 9072


# --- what notebook *conventions* says ----------------------------------------------------


def pages_of_ten(name):
    """The grades of the first ten documents of each query of the manual, in order."""
    grades, scores = manual_search().grades, manual_scores()[name]
    top = np.argsort(-scores, axis=1, kind="stable")[:, :10]
    return np.take_along_axis(grades, top, axis=1)


def mean_by_sklearn(page, empty):
    """scikit-learn's mean; a page without anything relevant gets `empty`, None leaves it out."""
    places = [np.arange(10, 0, -1)]
    values = [ndcg_score([one], places) if one.any() else empty for one in page]
    return np.mean([value for value in values if value is not None])


@pytest.mark.parametrize(
    ("empty", "winner"), [(0, "BM25"), (1, "alphabetical"), (None, "name words")]
)
def test_empty_queries_turn_the_winner_where_the_ideal_is_the_list(empty, winner):
    names = ("BM25", "name words", "alphabetical")
    means = {name: mean_by_sklearn(pages_of_ten(name), empty) for name in names}
    assert max(means, key=means.get) == winner
    [printed] = cell_of("empty-code").outputs
    for name, mean in means.items():
        [line] = [line for line in printed["text"].split("\n") if line.startswith(f"{name} ")]
        assert line.split()[-4:-1][[0, None, 1].index(empty)] == f"{mean:.3f}"


def test_what_weights_do_to_an_empty_query():
    """Its 1 comes without its weight of 0.1, so the weighted mean is (0.1 + 1) / 0.2."""
    text = cell_of("unstable-read").source
    assert PEERS["tools"]["LightGBM"]["weighted"] == pytest.approx(5.5, abs=1e-5)
    assert PEERS["tools"]["XGBoost ndcg@k"]["weighted"] == "XGBoostError"
    assert "(0.1 + 1) / 0.2 = 5.5" in text
    assert "LightGBM 4.7 prints that, and XGBoost 3.2 stops" in text


def test_with_the_same_empty_queries_the_winner_never_turns():
    """The ideal is what was judged, so which queries are empty does not hang on the ranker."""
    luck = random.Random(12)
    for _ in range(100):
        qrels = {str(q): {doc: luck.choice([0, 0, 1, 2]) for doc in "abcd"} for q in range(6)}
        qrels |= {"empty": {"a": 0}, "full": {"a": 1}}
        leads = []
        runs = [
            {query: {doc: luck.random() for doc in luck.sample("abcd", 2)} for query in qrels}
            for _ in range(2)
        ]
        for empty in (0, 1, "skip"):
            rule = Convention(pool="judged", empty=empty)
            one, other = (evaluate(rule, run, qrels, 3) for run in runs)
            leads.append(one - other)
        assert len({np.sign(round(lead, 12)) for lead in leads}) == 1


def test_random_level_and_ceiling_of_each_tool():
    """Equal scores, averaged, are a shuffle; the best of equal ones is the best order."""
    run, qrels = run_and_qrels()
    equal = {query: dict.fromkeys(docs, 0) for query, docs in run.items()}
    for preset in PRESETS:
        if preset.convention.pool != "top k":  # there the order makes the ideal, too
            ends = [preset.convention._replace(ties=ties) for ties in ("average", "best")]
            assert levels_of(preset) == pytest.approx(
                [evaluate(one, equal, qrels, 5) for one in ends]
            )


def cell_of(name):
    """Return a cell of the notebook."""
    nb = nbformat.read(chapter("conventions"), 4)
    [cell] = (cell for cell in nb.cells if cell.id == name)
    return cell


def test_the_notebook_counts_switches_and_tools_right():
    rows = re.findall(r"^\| (\w+) \|", cell_of("switches").source, re.MULTILINE)
    assert sorted(rows) == sorted(["switch", "switch", *SWITCHES])
    assert len(SWITCHES) == 10
    for text in ("## Ten switches", "leaves ten choices open"):
        assert text in cell_of("switches").source + cell_of("keys").source
    for text in (cell_of("matrix").source, (ROOT / "README.md").read_text("utf-8")):
        assert f"{len(PRESETS)} presets" in text
    [printed] = cell_of("one-reconcile").outputs
    assert printed["text"].startswith("336 of 9,072 settings print it")
    [printed] = cell_of("switches-code").outputs
    turned = [name for name in SWITCHES if name not in ("missing", "negative")]
    assert [line.split(":")[0] for line in printed["text"].splitlines()] == turned


def test_the_steps_from_scikit_learn_lead_to_lightgbm():
    """ "These three switches are the whole difference"."""
    steps = re.search(r"for change in (\(.*\)):", cell_of("five-code").source)[1]
    rule = BY_NAME["scikit-learn"].convention
    for change in ast.literal_eval(steps):
        rule = rule._replace(**change)
    assert rule == BY_NAME["LightGBM"].convention


def test_what_one_number_narrows():
    """It settles two of the eight switches, narrows two, and is silent about four."""
    one = run_and_qrels(["no ties"])
    every = [*all_settings(), Convention(ties="no rule")]
    found = [rule for rule in every if f"{evaluate(rule, *one, 5):.4f}" == "0.9141"]
    assert {rule.pool for rule in found} == {"list", "judged"}
    assert {rule.cutoff for rule in found} == {"both", "dcg"}
    assert {(rule.gain, rule.discount) for rule in found} == {("linear", "log")}
    for silent in ("ties", "empty", "unjudged", "precision"):
        assert {getattr(rule, silent) for rule in found} == set(SWITCHES[silent][1])


def test_how_many_settings_share_a_dot():
    """All but two with at most nine more; and what one of the two has in common."""
    shown = fingerprint()
    counts = {tool.name: read(f"{number:.4f}").found.n_settings for number, tool in shown.numbers}
    assert {name for name, n in counts.items() if n > 10} == {
        "ideal from the top k at home",
        "recommenders",
    }
    found = [rule for rule in all_settings() if f"{evaluate(rule, *shown):.4f}" == "0.5000"]
    of_first = {"1": shown.run["1"]}, {"1": shown.qrels["1"]}, shown.k
    perfect = [rule for rule in found if rule.empty == 0 and evaluate(rule, *of_first) > 0.9999]
    assert (len(found), len(perfect)) == (527, 520)
    one = run_and_qrels(["no ties"])
    assert reconcile(*one, 5, "0.9141").n_settings == reconcile(*one, 5, "0.91").n_settings == 336


# --- what is refused ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (dict(run={}), "run must be a dict of queries"),
        (dict(run={"q": {}}), r"run\['q'\] must be a dict of documents"),
        (dict(run={"other": {"a": 1.0}}), "1 of 1 are not in the qrels: 'other'; leave them out"),
        (dict(qrels=GRADES | {"z": {"a": 1}}), "the run lacks 1 of 2 judged queries, .*: 'z'"),
        (dict(convention="LightGBM"), "must be a Convention or one of PRESETS, .*got 'LightGBM'"),
        (
            dict(convention=Convention(ties="no rule"), run={"q": dict.fromkeys("abcdef", 0.5)}),
            "no rule for equal scores, .* of 1 of 1 queries: 'q'; ties='worst' and ties='best'",
        ),
        (
            dict(run={"q": {"a": float("nan")}}),
            r"run\['q'\]\['a'\] must be a finite number, got nan",
        ),
        (dict(qrels={"q": {"a": "3"}}), r"qrels\['q'\]\['a'\] must be a finite number, got '3'"),
        (dict(qrels={"q": {"a": -1}}), "this convention refuses negative grades, got -1"),
        (
            dict(
                convention=Convention(gain="exponential"), qrels={"q": dict.fromkeys("abc", 1023)}
            ),
            "qrels: the gains are so large that their discounted sum overflows",
        ),
        (dict(k=0), "k must be a positive integer"),
        (dict(convention=Convention(gain="cubic")), "gain must be one of 'linear', .*got 'cubic'"),
    ],
)
def test_bad_input_is_refused_in_words(change, words):
    given = dict(convention=Convention(), run=NO_TIES, qrels=GRADES, k=5) | change
    with pytest.raises((TypeError, ValueError), match=words):
        evaluate(**given)


@pytest.mark.parametrize(
    "printed",
    [
        "",
        "abc",
        "1.5",
        "-0.2",
        "23.75 %",
        2,
        None,
        True,
        np.bool_(1),
        np.nan,
        np.inf,
        -0.2,
        np.complex128(0.2),
    ],
)
def test_what_is_no_ndcg_is_refused(printed):
    with pytest.raises(ValueError, match="printed must be a number from 0 to 1"):
        read(printed)
