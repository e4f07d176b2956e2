"""The guide for instructors: its state lines fit, and its numbers are right."""

import re
from pathlib import Path

import pytest

from course.explorers import EXPLORERS, drag_list, term_ledger, tie_shuffler
from ndcglib.metrics import dcg, discount_weights, ndcg, random_ndcg

GUIDE = (Path(__file__).parents[2] / "INSTRUCTORS.md").read_text(encoding="utf-8")
CONSTANT = [1, 1, 1] + 17 * [0], 20 * [0]
SIX = [3, 2, 3, 0, 1, 2], [0.10, 0.20, 0.30, 0.95, 0.80, 0.70]
MAKE = EXPLORERS | {"term-ledger": lambda: term_ledger([1, 0, 1, 1, 0])}
LINES = re.findall(r"`((?:[a-z]+-?)+: \w+=[^`]+)`", GUIDE)


def explorer_for(line):
    name = line.split(":")[0]
    if name != "tie-shuffler":
        return MAKE[name]()
    if "decimals" in line:
        return tie_shuffler(*SIX, decimals=2, seed=3)
    return tie_shuffler(*CONSTANT, k=5, seed=7)


@pytest.mark.parametrize("line", LINES)
def test_each_state_line_fits_its_explorer(line):
    explorer = explorer_for(line)
    explorer.restore(line)
    assert explorer.state == line


def test_there_are_state_lines():
    named = {line.split(":")[0] for line in LINES}
    assert len(named) >= 8
    assert named <= set(EXPLORERS)
    assert len(LINES) >= 12


def shown(explorer, line):
    explorer.restore(line)
    return explorer.stage.sentence


def says(*numbers):
    return all(f"{number:.4f}" in GUIDE for number in numbers)


def test_numbers_of_the_questions():
    assert says(random_ndcg([3, 3, 2, 1, 0]), random_ndcg([1] + 9 * [0]))
    assert says(random_ndcg(8 * [1] + 2 * [0]), 1 / discount_weights(5).sum())
    assert says(
        1 / discount_weights(2).sum(), ndcg([1, 1, 1], [3, 2, 1], pool=3 * [1] + 3 * [3], k=3)
    )
    weights = discount_weights(10)
    assert says(weights[0] - weights[1], weights[3] - weights[4], weights[8] - weights[9])
    grades = [2, 3, 1, 3, 0]
    assert says(dcg(grades, [5, 4, 3, 2, 1]), dcg(grades, [5, 4, 3, 2, 1], log_base=10))
    assert says(0.255 / 50**0.5)
    empties = [[0, 1]] * 8 + [[0, 0]] * 2
    assert says(*(ndcg(empties, [[2, 1]] * 10, empty=e) for e in (0, 1, "skip")))


def test_what_the_room_sees():
    line = "tie-shuffler: convention=average draws=1000"
    assert line in LINES
    assert "average 0.2010 (standard error 0.0067)" in shown(explorer_for(line), line)
    assert "0.2010" in GUIDE
    assert "0.0067" in GUIDE


def numbers(sentence):
    return set(re.findall(r"\d+\.\d{4}|\d,\d{3}", sentence)) - {"2,000"}


@pytest.mark.parametrize("line", [line for line in LINES if line.startswith(("duel", "own"))])
def test_numbers_beside_a_line(line):
    """Each number of four digits that the explorer shows there stands in the same paragraph."""
    [paragraph] = [part for part in GUIDE.split("\n") if f"`{line}`" in part]
    sentence = shown(explorer_for(line), line).split(" wins by")[0].split(" Its NDCG")[0]
    assert numbers(sentence)
    assert numbers(sentence) <= numbers(paragraph)


def test_what_the_room_sees_of_one_number():
    for place, value in ((40, "0.6673"), (80, "0.6722")):
        line = f"one-number: number=C place={place} error=False"
        assert line in LINES
        assert f"NDCG {value}." in shown(explorer_for(line), line)
        assert value in GUIDE
    assert "below it 0.6673, above it 0.6770" in explorer_at(line).stage.figure["layout"]["title"][
        "text"
    ].replace("<br>", " ")
    assert "between 0.6673 and 0.6770" in GUIDE


@pytest.mark.parametrize("line", [line for line in LINES if line.startswith("two-weights")])
def test_what_the_room_sees_of_two_weights(line):
    value = re.search(r"NDCG (0\.\d{4})", shown(explorer_for(line), line))[1]
    assert re.search(rf"`{re.escape(line)}`(?: has)? \(?{value}", GUIDE)


def test_what_the_room_sees_of_two_programs():
    [line] = [line for line in LINES if line.startswith("compare-code")]
    sentence = shown(explorer := explorer_for(line), line)
    assert "differ on 3 of 30 queries" in sentence
    assert "0.0000 and 1.0000: nothing is relevant" in sentence
    title = explorer.stage.figure["layout"]["title"]["text"]
    assert title.endswith("means 0.7159 and 0.8159")
    assert "three of 30 queries differ, the means are 0.7159 and 0.8159" in GUIDE


def test_what_the_room_sees_of_loss_and_ranking():
    line = "epoch-slider: data=shop loss=squared epoch=60"
    assert {line, "epoch-slider: data=shop loss=squared epoch=0"} <= set(LINES)
    sentence = shown(explorer_for(line), line)
    assert "squared: loss 3.5833 → 0.4556, NDCG@5 0.6884 → 0.6312 " in sentence
    assert "A random order gets 0.6884" in sentence
    for number in ("3.5833", "0.4556", "0.6884", "0.6312"):
        assert number in GUIDE


def test_what_the_room_sees_of_the_waterfall():
    """Within .02: the manual differs a little between releases of scikit-learn."""
    for line in (found for found in LINES if found.startswith("waterfall")):
        told = [
            float(n) for n in re.findall(r"\d\.\d{3}", GUIDE.split(f"`{line}` (")[1].split(")")[0])
        ]
        explorer = explorer_at(line)
        printed = [float(n) for n in re.findall(r"\d\.\d{3}", explorer.stage.sentence)]
        assert told == pytest.approx(printed[: len(told)], abs=0.02)


def test_what_the_room_sees_of_judges_and_of_trees():
    """Judges within .02, as their manual differs a little between releases of scikit-learn."""
    told = {
        "judges: kind=careless share=40 draw=1": (0.63, 0.306, 0.349),
        "judges: kind=names share=40 draw=1": (0.92, 0.537, 0.522),
        "one-more-tree: data=mixed learner=lambdas trees=100": (0.8436, 0.7500),
        "one-more-tree: data=linear learner=lambdas trees=100": (0.8469, 0.8547),
        "one-more-tree: data=shop learner=squared trees=100": (0.6282, 0.6772),
    }
    assert set(told) <= set(LINES)
    for line, numbers_told in told.items():
        seen = [float(n) for n in re.findall(r"\d\.\d{2,4}", shown(explorer_for(line), line))]
        near = 0.02 if line.startswith("judges") else 1e-9
        for number in numbers_told:
            assert min(abs(number - one) for one in seen) <= near
            assert any(str(number) in row for row in GUIDE.split("\n") if f"`{line}`" in row)


def explorer_at(line):
    explorer = explorer_for(line)
    explorer.restore(line)
    return explorer


def test_the_moves_of_the_plan():
    ranking = drag_list([1, 3, 0, 2, 0, 3], k=3)
    values = [ndcg(ranking.ranked_grades, ranked=True, k=3)]
    for title, rank in (("D2", 1), ("D6", 2), ("D2", 2), ("D4", 3)):
        ranking.move(title, rank)
        values.append(ndcg(ranking.ranked_grades, ranked=True, k=3))
    assert [round(v, 4) for v in values] == [0.4909, 0.6162, 0.9152, 0.9152, 1.0]
    assert says(*values)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("aa-dice: queries=50 alike=25 rolls=100", "77 of 100 comparisons"),
        ("aa-dice: queries=1000 alike=25 rolls=100", "13 of 100"),
        ("printed-number: query=one printed=9141 decimals=4", "336 of 9,072 settings"),
        ("printed-number: query=five printed=8566 decimals=4", "three tools"),
        ("printed-number: query=fingerprint printed=2375 decimals=4", "scikit-learn, alone"),
    ],
)
def test_what_the_room_sees_beside_a_line(line, says):
    """The number stands behind the line, in the same paragraph, and in the title."""
    said = [part.split(f"`{line}`")[1] for part in GUIDE.split("\n") if f"`{line}`" in part]
    assert any(says in part for part in said)
    title = explorer_at(line).stage.figure["layout"]["title"]["text"].replace("<br>", " ")
    shown = says.replace("three", "3").replace("scikit-learn, alone", "scikit-learn, and")
    assert shown in title


@pytest.mark.parametrize(
    ("heading", "start", "end"),
    [
        ("50 minutes", 0, 50),
        ("90 minutes", 40, 90),
        ("50 minutes on conventions and significance", 0, 50),
        ("50 minutes on ties and conventions", 0, 50),
        ("50 minutes on tuning", 0, 50),
    ],
)
def test_the_blocks_of_a_plan_follow_each_other(heading, start, end):
    plan = GUIDE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    blocks = [list(map(int, found)) for found in re.findall(r"^\| (\d+)–(\d+) \|", plan, re.M)]
    assert [first for first, _ in blocks] == [start, *(last for _, last in blocks[:-1])]
    assert blocks[-1][1] == end


def test_what_the_room_sees_of_the_climb():
    lines = [line for line in LINES if line.startswith("climb-stepper")]
    assert len(lines) == 3
    for line in lines:
        told = GUIDE.split(f"`{line}` (")[1].split(")")[0]
        said = re.sub(r" \(.*?\)", "", shown(explorer_for(line), line))  # without the levels
        train, validation = re.fullmatch("(.*) on training, (.*) on validation", told).groups()
        assert f"NDCG@5: training {train}, validation {validation}" in said


def test_tied_documents_on_the_board():
    earned = 1 * discount_weights(4)[1:].sum()
    assert f"{earned:.4f}" == "1.5616"
    assert "together they earn 1.5616" in GUIDE


def test_what_the_room_sees_of_pairs():
    line = "epoch-slider: data=shop loss=pairwise epoch=60"
    assert "NDCG@5 0.6884 → 0.8299" in shown(explorer_for(line), line)
    assert f"`{line}`: NDCG@5 0.8299" in GUIDE


def test_the_first_page_leads_to_every_plan():
    headings = {re.sub(r"\W+", "-", h.lower()) for h in re.findall(r"^## (.+)$", GUIDE, re.M)}
    links = set(re.findall(r"\]\(#([\w-]+)\)", GUIDE.split("## How to present")[0]))
    assert links <= headings
    assert {h for h in headings if "minutes" in h} <= links
