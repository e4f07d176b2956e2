"""Problem sheets: what is printed, and what a table and Moodle's file say when they are read."""

import csv
import re
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from course.drills import drills
from course.drills.judge import judge
from course.drills.sheet import MOST_STUDENTS, key, main, moodle, pages, sheets, write_csv

DRILLS = drills()
SKILLS = ["tied-at-k", "swap", "how-many-queries", "interval"]


@pytest.fixture(scope="module", name="made")
def _made():
    return sheets("spring", SKILLS, students=30)


def problems(made):
    return [one for sheet in made for one in sheet.problems]


def test_the_same_class_gets_the_same_sheets(made):
    assert pages(sheets("spring", SKILLS, students=30)) == pages(made)
    assert key(sheets("spring", SKILLS, students=30)) == key(made)
    assert pages(sheets("autumn", SKILLS, students=30)) != pages(made)


def test_each_student_has_problems_of_their_own(made):
    assert len({sheet.problems[0].asked for sheet in made}) > 25  # two may draw the same one
    assert [one.drill.name for one in made[7].problems] == SKILLS
    # A class that grows keeps the sheets that it has.
    assert sheets("spring", SKILLS, students=40)[:30] == made


def test_one_sheet_for_all():
    [sheet] = sheets("spring", SKILLS)
    assert sheet.title == "spring"


def test_a_sheet_asks_everything_and_answers_nothing(made):
    page = BeautifulSoup(pages(made), "html.parser")
    assert len(page.select("section")) == 30
    for sheet, section in zip(made, page.select("section"), strict=True):
        text = section.get_text("\n")
        assert sheet.title in text
        assert "rank 2: 0.6309" in text
        for one, item in zip(sheet.problems, section.select("li"), strict=True):
            assert one.asked.split("\n\n")[-1] in item.get_text()
            assert one.result not in item.get_text()


def test_the_key_has_answers_steps_and_slips(made):
    page = BeautifulSoup(key(made), "html.parser")
    for sheet, section in zip(made, page.select("section"), strict=True):
        for one, item in zip(sheet.problems, section.select("li"), strict=True):
            assert item.strong.get_text() == one.result
            assert all(words in item.get_text() for words in (*one.steps, *one.slips))


def test_the_table_can_be_read_back(made, tmp_path):
    write_csv(made, tmp_path / "problems.csv")
    with (tmp_path / "problems.csv").open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 120
    for row, one in zip(rows, problems(made), strict=True):
        assert row["text"] == one.asked
        assert judge(one, f"{float(row['answer']):.4f}").verdict == "correct"
        told = {row[f"slip {i}"]: row[f"wrong {i}"] for i in range(1, len(one.slips) + 1)}
        assert {says: float(value) for says, value in told.items()} == pytest.approx(
            one.slips, rel=1e-5
        )


def graded(question, typed):
    """Grade a number as Moodle documents it: by the first answer that it fits."""
    for answer in question.iter("answer"):
        value, tolerance = (float(answer.find(name).text) for name in ("text", "tolerance"))
        if abs(typed - value) <= tolerance:
            feedback = answer.find("feedback/text").text or ""
            return float(answer.get("fraction")), re.sub("<[^>]+>", "", feedback)
    return 0.0, ""


@pytest.mark.parametrize("name", DRILLS)
def test_moodle_grades_as_we_do(name):
    made = sheets("spring", [name], students=20)
    questions = ElementTree.fromstring(moodle(made)).findall("question")
    several = {one.no: one for one in problems(made)}.values()
    for question, one in zip(questions, several, strict=True):
        assert question.get("type") == "numerical"
        assert f"No. {one.no}" in question.find("name/text").text
        assert graded(question, float(f"{one.answer:.4f}"))[0] == 100
        for says, value in one.slips.items():
            typed = float(f"{value:.4f}")
            assert graded(question, typed) == (0, re.sub("<[^>]+>", "", says))


def test_markup_in_a_problem_stays_text(made):
    for text in (pages(made), key(made)):
        assert not BeautifulSoup(text, "html.parser").find(["script", "b", "i"])


def test_the_command_writes_four_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["tied_at_k", "swap", "--class", "spring", "--students", "2"]) == 0
    folder = tmp_path / "build" / "sheets" / "spring"
    names = {"key.html", "moodle.xml", "problems.csv", "sheets.html"}
    assert {path.name for path in folder.iterdir()} == names
    assert "2 sheets" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["flor"], "did you mean"),
        (["mixed"], "needs skills by name"),
        (["floor", "--students", "-1"], "from 0 to"),
        (["floor", "--students", str(MOST_STUDENTS + 1)], "from 0 to"),
        (["floor", "--students", "many"], "invalid int"),
        (["floor", "--class", "../x"], "the name of a class"),
        (["floor", "--class", ""], "the name of a class"),
        ([], "name at least one skill: empty-queries"),
    ],
)
def test_what_cannot_be_made_is_refused(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(arguments)
    assert words in capsys.readouterr().err
    assert not (tmp_path / "build").exists()
