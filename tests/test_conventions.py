"""Conventions: each preset against the tool itself, and numbers back to where they come from."""

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

from helpers.conventions import PRESETS, SWITCHES, Convention, evaluate, fingerprint, reconcile
from helpers.conventions import read_fingerprint as read
from helpers.conventions.examples import EXAMPLES
from helpers.conventions.reconciler import all_settings
from helpers.datasets import read_qrels, read_run
from helpers.metrics import ndcg, ndcg_long

PEERS = json.loads((Path(__file__).parent / "peers" / "libraries.json").read_text("utf-8"))
BY_NAME = {preset.name: preset for preset in PRESETS}
NOT_RUN = {
    "RankLib (not run)": "source read",
    "argsort()[::-1] at home": "own program",
    "ideal from the top k at home": "own program",
}
# Of the same conventions: what trec_eval computes is what ir-measures prints.
SAME = {"ir-measures nDCG": "trec_eval ndcg_cut"}
NO_TIES = {"q": dict(zip("abcdef", [0.6, 0.2, 0.8, 0.4, 0.1, 0.3], strict=True))}
GRADES = {"q": dict(zip("abcdef", [3, 2, 3, 0, 1, 2], strict=True))}


# --- the tools ------------------------------------------------------------------------


@pytest.mark.parametrize("name", PEERS["tools"])
def test_a_preset_is_what_the_tool_prints(name):
    """Error for error: of those queries no tool refuses anything but negative grades."""
    tool, convention = PEERS["tools"][name], BY_NAME[SAME.get(name, name)].convention
    wrong = []
    for (query, run, qrels, k), printed in zip(PEERS["queries"], tool["values"], strict=True):
        try:
            value = evaluate(convention, {"1": run}, {"1": qrels}, k)
        except ValueError:
            value = None
        if isinstance(printed, str) or value is None:
            same = isinstance(printed, str) and value is None
        else:  # single precision; gdeval prints five decimals
            same = value == pytest.approx(printed, abs=5e-6 if "exp-log2" in name else 1e-6)
        wrong += [] if same else [(query, run, qrels, k, printed, value)]
    assert wrong == []
    shown = fingerprint()
    assert evaluate(convention, shown.run, shown.qrels, shown.k) == pytest.approx(
        tool["fingerprint"], abs=5e-6
    )


def test_the_peers_were_asked_about_many_kinds_of_queries():
    """Else the test above would hold presets that are not those of the tools."""
    pairs = [(run, qrels) for _, run, qrels, _ in PEERS["queries"]]
    assert len(pairs) == 209
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


def test_versions_are_those_that_were_run():
    for name, tool in PEERS["tools"].items():
        assert BY_NAME[SAME.get(name, name)].version.endswith(tool["version"]) or name in SAME
    assert {
        name: BY_NAME[name].version for name in BY_NAME.keys() - PEERS["tools"].keys()
    } == NOT_RUN


def test_the_default_is_that_of_the_course():
    luck = np.random.default_rng(12)
    for _ in range(50):
        grades, scores = luck.integers(0, 4, 6), luck.integers(0, 4, 6) / 4
        run, qrels = (
            {"q": dict(zip("abcdef", v.tolist(), strict=True))} for v in (scores, grades)
        )
        assert evaluate(Convention(), run, qrels, 3) == pytest.approx(ndcg(grades, scores, k=3))


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
    assert numbers["XGBoost ndcg@k"] == numbers.pop("allRank")  # apart for negative grades alone
    gaps = np.diff(sorted(numbers.values()))
    assert len(numbers) == 19
    assert gaps.min() == pytest.approx(0.0098, abs=5e-5)
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
        one = evaluate(preset.convention, *files, 3)
        assert one == evaluate(preset.convention, shown.run, shown.qrels, 3)


def test_a_number_says_which_tool_it_is():
    for value, preset in fingerprint().numbers:
        names = [found.name for found in read(f"{value:.4f}").found.presets]
        twins = ["XGBoost ndcg@k", "allRank"]
        assert names == (twins if preset.name in twins else [preset.name])


def test_a_reading_answers_switch_by_switch():
    text = repr(read(0.2375))
    assert text.startswith("0.2375 is printed by scikit-learn 1.9.1\n")
    assert re.search(r"How do equal scores stand\? +in all orders, averaged\n", text)
    assert len(text.splitlines()) == 2 + len(SWITCHES)
    assert "What is a negative grade?" in read("0.9734").found.question


def test_the_postcard_has_every_preset():
    postcard = repr(fingerprint())
    assert all(preset.name in postcard for preset in PRESETS)
    assert max(map(len, postcard.splitlines())) <= 88
    readme = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
    assert f"```text\n{postcard}\n```" in readme


# --- from a number to its settings ----------------------------------------------------


def test_one_number_explains_little():
    """Without ties, empty and unjudged documents most switches do nothing."""
    found = reconcile(NO_TIES, GRADES, 5, "0.9141")
    assert [preset.name for preset in found.presets] == [
        preset.name
        for preset in PRESETS
        if preset.name in PEERS["tools"]
        and round(PEERS["tools"][preset.name]["values"][0], 4) == 0.9141
    ] + ["argsort()[::-1] at home"]
    assert (found.n_settings, found.n_tried) == (336, 9072)
    assert found.question.startswith("How do equal scores stand?")


def test_a_switch_that_was_turned_is_named():
    luck, shown = random.Random(12), fingerprint()
    for _ in range(40):
        preset, name = luck.choice(PRESETS), luck.choice(["gain", "empty", "cutoff", "discount"])
        setting = luck.choice(list(SWITCHES[name][1]))
        turned = preset.convention._replace(**{name: setting})
        value = evaluate(turned, shown.run, shown.qrels, shown.k)
        found = reconcile(shown.run, shown.qrels, shown.k, f"{value:.5f}")
        if not found.presets:
            pairs = [(tool.name, convention) for tool, convention in found.nearest]
            assert (preset.name, turned) in pairs
            assert all(len(c.differs_from(t.convention)) == 1 for t, c in found.nearest)
            assert f"but by {found.nearest[0][0].name} with " in repr(found)


def test_where_grades_are_negative_the_rule_counts():
    run, qrels = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"q": {"a": 2, "b": -1, "c": 1}}
    value = evaluate(Convention(negative="use"), run, qrels)
    found = reconcile(run, qrels, 3, f"{value:.5f}")
    assert found.n_tried == 3 * 9072
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


# --- what is refused ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (dict(run={}), "run must be a dict of queries"),
        (dict(run={"q": {}}), r"run\['q'\] must be a dict of documents"),
        (dict(run={"other": {"a": 1.0}}), r"of the same queries, but \['other', 'q'\] are in one"),
        (
            dict(run={"q": {"a": float("nan")}}),
            r"run\['q'\]\['a'\] must be a finite number, got nan",
        ),
        (dict(qrels={"q": {"a": "3"}}), r"qrels\['q'\]\['a'\] must be a finite number, got '3'"),
        (dict(qrels={"q": {"a": -1}}), "this convention refuses negative grades, got -1"),
        (dict(k=0), "k must be a positive integer"),
        (dict(convention=Convention(gain="cubic")), "gain must be one of 'linear', .*got 'cubic'"),
    ],
)
def test_bad_input_is_refused_in_words(change, words):
    given = dict(convention=Convention(), run=NO_TIES, qrels=GRADES, k=5) | change
    with pytest.raises((TypeError, ValueError), match=words):
        evaluate(**given)


@pytest.mark.parametrize("printed", ["", "abc", "1.5", "-0.2", "23.75 %", 2, None, True])
def test_what_is_no_ndcg_is_refused(printed):
    with pytest.raises(ValueError, match="printed must be a number from 0 to 1"):
        read(printed)
