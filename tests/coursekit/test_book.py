"""The book: a notebook that is renamed moves, and every map and link follows."""

import re
import shutil
from pathlib import Path

import notebook_rules as rules
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course.content import COURSE
from coursekit.authoring.book import Book, Chapter, Minutes, hours, minutes
from coursekit.authoring.write import bind, read

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
BOOK = Book(ROOT / "notebooks", COURSE, read)


def code(cell_id, source, *tags):
    return new_code_cell(source, id=cell_id, metadata={"tags": list(tags)})


@pytest.mark.parametrize(
    ("cells", "needed", "optional"),
    [
        ([new_markdown_cell("word " * 425)], 5, 0),
        ([new_markdown_cell("word " * 426)], 10, 0),
        ([new_markdown_cell("one<!-- 1 -->, " * 425)], 5, 0),
        ([new_markdown_cell("<!-- let\n# a\n-->\n\n## Optional\n\n" + "word " * 420)], 0, 5),
        ([code("a", "x = 1\n\n" * 30)], 5, 0),
        ([code("a", "x = 1\n\n" * 31)], 10, 0),
        ([code("a", "show(x)\n" * 30)], 10, 0),
        ([code("a", "x = 1\n" * 30, "explorer")], 10, 0),
        ([code("a", "x = 1\n" * 30, "reveal"), code("b", "b = 2", "setup")], 0, 0),
        ([code(one, "bet", "bet") for one in "abcde"], 10, 0),
        ([new_markdown_cell("**Try this.** " * 5)], 15, 0),
        ([code("dcg-of-302", "x\n" * 9, "exercise")], 5, 0),
        ([code(one, "x\n" * 9, "exercise") for one in ("my-dcg", "my-ndcg-at-k") * 3], 35, 0),
        ([code(one, "x", "exercise") for one in ("design-a-report", "which-metric") * 3], 35, 0),
        ([new_markdown_cell("word " * 7000, metadata={"tags": ["question"]})], 0, 0),
        ([new_markdown_cell("## References\n\n" + "word " * 7000)], 0, 0),
        ([new_markdown_cell("## Glossary\n\na\n\n### b\n\n" + "word " * 7000)], 0, 0),
        ([new_markdown_cell("| a | b |\n|:--|--:|\n" + "| word | word |\n" * 212)], 10, 0),
        ([new_markdown_cell("| a | b |\n|:--|--:|\n" + "| word | word |\n" * 211)], 5, 0),
        ([new_markdown_cell(f"<details>{'word ' * 7000}</details>")], 0, 0),
        ([new_markdown_cell("## Optional: more\n\n" + "word " * 800)], 0, 10),
    ],
)
def test_minutes(cells, needed, optional):
    assert minutes(new_notebook(cells=cells), COURSE.exercises) == (needed, optional)


def test_what_is_optional_ends_with_its_section():
    long = "\n\n" + "word " * 800
    sections = ["## Optional: a", "### b", "## c", "### Optional: d", "### e", "# f"]
    cells = [new_markdown_cell(head + long) for head in sections]
    assert minutes(new_notebook(cells=cells), COURSE.exercises) == (30, 30)


GAIN, CUTOFF = (rules.chapter(name).name for name in ("gain", "cutoff"))
PLACES = {GAIN: CUTOFF[:2] + GAIN[2:], CUTOFF: GAIN[:2] + CUTOFF[2:]}


@pytest.fixture(name="copy")
def _copy(tmp_path):
    """Give a copy of the notebooks in which the gain comes before the cutoff."""
    for path in NOTEBOOKS:
        shutil.copy(path, tmp_path / PLACES.get(path.name, path.name))
    return tmp_path


def test_a_renamed_notebook_moves(copy):
    assert [one.name for one in Book(copy, COURSE, read).chapters][4] == "gain"
    [later] = copy.glob("*_surrogates.ipynb")
    later.write_text(later.read_text("utf-8").replace("A lower loss", "A lower LOSS"), "utf-8")
    bind(copy, COURSE)
    assert bind(copy, COURSE) == []
    texts = {}
    for path in sorted(copy.glob("*.ipynb")):
        nb = read(path)
        texts[path.name] = "\n".join(cell.source for cell in nb.cells)
        kept = (rules.is_canonical, rules.has_good_relative_links, rules.links_to_its_neighbors)
        assert [c for rule in kept for c in rule(nb, path)] == []
    everything = "\n".join(texts.values())
    assert all(name not in everything for name in PLACES)
    assert f"({PLACES[GAIN]})" in texts["05_floors.ipynb"]
    assert "[A lower LOSS is not" in texts["00_start_here.ipynb"]  # the map, above it
    numbers = re.findall(r"\[(?:[Nn]otebook )?(\d\d)\]\((\d\d)_\w+\.ipynb", everything)
    assert numbers
    assert all(said == number for said, number in numbers)


@pytest.mark.parametrize("name", COURSE.documents)
def test_the_texts_beside_the_notebooks_are_up_to_date(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert BOOK.refresh(text, "notebooks/") == text, "run `make notebooks`"
    assert not rules.BARE_NUMBER.search(text), "name a notebook by a link"


def test_the_map_has_every_notebook_and_every_path_its_hours():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for one in BOOK.chapters:
        row = f"| {one.number} | [{one.title}](notebooks/{one.file}) | {one.promise} |"
        assert row in text
    assert all(f"- **{title}**: [" in text for title in COURSE.paths)
    assert f"**All of it**: {hours(BOOK.chapters)}" in text


def test_the_hours_of_a_path_say_what_is_optional_beside_what_is_not():
    def lasts(needed, optional):
        return Chapter("00", "a", "A", "b", Minutes(needed, optional))

    assert hours([lasts(60, 0)]) == "1 hour"
    assert hours([lasts(50, 0), lasts(55, 0)]) == "2 hours"  # 105 minutes, 1.75 hours: to even
    assert hours([lasts(90, 5)]) == "1.5 hours, and 0.5 more for what is marked *Optional*"
    optional = sum(one.minutes.optional for one in BOOK.chapters)
    said = re.search(r"and ([\d.]+) more for what is marked \*Optional\*", hours(BOOK.chapters))
    assert optional <= 60 * float(said[1]) < optional + 30
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    paths = re.findall(r"^- \*\*.*hours.*", text.split("made by make notebooks: paths")[1], re.M)
    assert len(paths) == len(COURSE.paths) + 1
    assert all(re.search(r"hours, and [\d.]+ more for what is marked \*Opt", p) for p in paths)


def test_code_and_texts_name_a_notebook_without_its_number():
    files = [*(ROOT / "helpers").rglob("*.py"), *(ROOT / "helpers").rglob("*.md")]
    texts = " ".join(file.read_text(encoding="utf-8") for file in files)
    assert rules.BARE_NUMBER.findall(texts) == []
    taught = set(re.findall(r"notebooks? (?:\*\w+\*, )*\*(\w+)\*", texts))
    assert taught
    assert taught <= set(BOOK.by_name)
