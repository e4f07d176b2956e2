"""The printed number, the explorer of notebook *conventions*: against the tools themselves."""

import json
from html import escape
from pathlib import Path

import pytest
from stage import title_of

from course.explorers import printed_number
from ndcglib.conventions import PRESETS, evaluate
from ndcglib.conventions.examples import FIVE

PEERS = json.loads(
    (Path(__file__).parents[2] / "tools" / "peers" / "libraries.json").read_text("utf-8")
)


@pytest.fixture(scope="module", name="explorer")
def _explorer():
    return printed_number()


def dots(figure):
    """Return what the tools print by name, and which of them are marked."""
    others, marked = figure.data[:2]
    names, numbers = (others[at] + marked[at] for at in ("customdata", "x"))
    return dict(zip(names, numbers, strict=True)), set(marked["customdata"])


def named(figure):
    """Return the names beside the dots, without markup."""
    notes = figure.layout["annotations"]
    return [note["text"].replace("<b>", "").replace("</b>", "").strip() for note in notes]


@pytest.mark.parametrize("query", ["fingerprint", "one", "five"])
def test_the_dots_are_what_the_tools_print(explorer, query):
    shown, _ = dots(explorer.declaration.view(query=query, printed=0, decimals=4).figure)
    places = [name for name, *_ in PEERS["queries"]]
    for name, tool in PEERS["tools"].items():
        values = [tool["values"][places.index(one)] for one in FIVE]
        printed = {"fingerprint": tool["fingerprint"], "one": values[0], "five": sum(values) / 5}
        assert shown[name] == pytest.approx(printed[query], abs=6e-5)
    assert len(shown) == len(PRESETS)


def test_who_prints_it_is_marked_and_named(explorer):
    for query in ("fingerprint", "one", "five"):
        for printed in (2375, 5000, 9141, 9502, 8566, 10_000):
            for decimals in (2, 3, 4):
                view = explorer.declaration.view(query=query, printed=printed, decimals=decimals)
                shown, marked = dots(view.figure)
                text = f"{printed / 10_000:.{decimals}f}"
                half = 0.5 * 10**-decimals
                near = {n for n, x in shown.items() if abs(x - float(text)) <= half + 1e-4}
                sure = {n for n, x in shown.items() if abs(x - float(text)) <= half - 1e-4}
                assert sure <= marked <= near
                assert title_of(view).startswith(f"{text} is printed by ")
                said = " ".join([title_of(view), *named(view.figure)])
                assert len(marked) > 2 or all(escape(n, quote=False) in said for n in marked)
                assert marked or view.sentence.startswith(("No tool", "Neither"))


def test_the_tools_at_the_number_and_its_neighbors_have_names(explorer):
    view = explorer.declaration.view(query="fingerprint", printed=2375, decimals=4)
    assert named(view.figure) == [
        "scikit-learn, given 2^y − 1",
        "scikit-learn",
        "ir-measures nDCG(dcg='exp-log2')",
        "trec_eval 10 ndcg_cut (not run) and 1 more",
        "ranx ndcg",
        "this bar is cut: 2,039",
    ]
    assert [note["y"] for note in view.figure.layout["annotations"][:-1]] == [1, 2, 3, 4, 5]
    assert view.figure.layout["yaxis2"]["range"][1] < max(view.figure.data[2]["y"]) == 2039


def test_the_bars_are_all_settings(explorer):
    view = explorer.declaration.view(query="one", printed=9141, decimals=4)
    assert sum(view.figure.data[2]["y"]) == 9072 - 672
    assert ["settings that print more than 1", "672", ""] in view.words.rows
    assert "336 of 9,072 settings" in title_of(view)


def test_a_readers_own_queries_come_first():
    run, qrels = {"q": {"a": 0.9, "b": 0.8, "c": 0.8}}, {"q": {"a": 1, "b": 0, "c": 3}}
    explorer = printed_number(run, qrels, 3)
    assert explorer.values["query"] == "own"
    shown, _ = dots(explorer.declaration.view(**explorer.values).figure)
    for preset in PRESETS:
        value = evaluate(preset, run, qrels, 3)
        assert shown[preset.label] == pytest.approx(value, abs=6e-5)


def test_a_tool_without_a_rule_has_a_range_and_no_dot():
    """Forty documents of one score: ranx may print anything between the worst and the best."""
    docs = [f"d{i:02}" for i in range(40)]
    run, qrels = {"q": dict.fromkeys(docs, 0.5)}, {"q": {doc: int(doc == "d07") for doc in docs}}
    explorer = printed_number(run, qrels, 3)
    view = explorer.declaration.view(query="own", printed=6309, decimals=4)
    shown, _ = dots(view.figure)
    assert {preset.label for preset in PRESETS} - shown.keys() == {
        preset.label for preset in PRESETS if preset.short
    }
    assert view.sentence.startswith(
        "It may be ranx ndcg or ranx ndcg_burges or allRank or argsort"
    )
    assert ["ranx ndcg", "0.0000 to 1.0000", "may be"] in view.words.rows


@pytest.mark.parametrize(
    ("scores", "grades", "starts"),
    [
        ([1.0], [1], 10_000),  # every tool prints the same
        ([0.9, 0.5], [-1, 3], 3769),  # scikit-learn refuses it; torchmetrics: 0.8928 / 2.3691
        ([0.9, 0.5], [-3, 3], 0),  # torchmetrics prints −1
    ],
)
def test_any_query_of_a_readers_own_can_be_shown(scores, grades, starts):
    run, qrels = ({"q": dict(zip("ab", some, strict=False))} for some in (scores, grades))
    assert printed_number(run, qrels, 5).values["printed"] == starts
