"""Every notebook keeps the rules, and every rule can be broken.

The rules stand in notebook_rules.py. Here a small notebook that keeps them all
is broken once, or more, for each rule: a rule that nothing breaks checks nothing.
"""

import base64
import re
from pathlib import Path

import nbformat
import notebook_rules as rules
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbval.plugin import get_sanitize_patterns

from course.content import COURSE
from coursekit.authoring.book import Book
from coursekit.authoring.write import (
    HTML,
    METADATA,
    PLOTLY,
    PNG,
    WIDGET,
    canonical,
    marked,
    read,
    to_text,
)

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks_to_check():
    """A glob that matches nothing would make every test below pass."""
    names = [path.name for path in NOTEBOOKS]
    assert "00_start_here.ipynb" in names
    assert {"02", "03", "04"} <= {name[:2] for name in names}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebook_keeps_every_rule(path):
    nb = read(path)
    complaints = [f"{rule.__name__}: {c}" for rule in rules.RULES for c in rule(nb, path)]
    assert not complaints, "\n" + "\n".join(complaints)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebook_file_is_as_the_writer_writes_it(path):
    # `is_canonical` sees what was parsed; this one sees the bytes.
    text = to_text(
        canonical(
            read(path), path.stem, exercises=COURSE.exercises, book=Book(path.parent, COURSE, read)
        )
    )
    assert path.read_bytes().decode("utf-8") == text


# ------------------------------------------------------------ a notebook that keeps all rules

OPENING = """\
# A claim

**Time:** 10 minutes

**Needs:** [the start](00_start.ipynb#Start-here)

After this notebook you can

- compute it;
- explain it.
"""

CLOSING = """\
## Key points

### What to take away

- One.

## Recall

### Without looking back

1. This one?
2. The last one?
3. Three ago?

<details><summary>Answers</summary>

1. Yes.

</details>

## References

- Author (2002). “The behaviour of *n!* lists!” [The Centre](https://doi.org/10.1000/x(1)).

Previous: [Start here](00_start.ipynb)
"""

PLAIN_SOURCE = """\
## The figure

`colour!` costs $n!$ in <https://example.org/colour>.

```python
# Not a heading, https://example.org
```

**Try this.**

1. Move k from 1 to 2.
"""


def figure(text="Two > one.", **data):
    """Make the output of a plotly figure."""
    drawn = {"data": [{"y": [0.99, 1]}], "layout": {"title": {"text": text}}}
    png = base64.b64encode(marked(b"\x89PNG drawn, and its end", drawn)).decode("ascii")
    data = {PLOTLY: drawn, PNG: png, "text/plain": text, **data}
    return new_output("display_data", data, metadata={PNG: {"alt": text}})


def words(text="<p>Two &gt; one.</p><table></table>"):
    """Make the output of a figure's words."""
    return new_output("display_data", {HTML: text})


def widget():
    """Make the output of a widget view, with an id that the writer would replace."""
    return new_output("display_data", {WIDGET: {"model_id": "0" * 32}, "text/plain": "A slider"})


def code(cell_id, source, *tags, outputs=()):
    """Make a code cell; `good_notebook` numbers it."""
    return new_code_cell(source, id=cell_id, metadata={"tags": list(tags)}, outputs=list(outputs))


def markdown(cell_id, source, *tags):
    return new_markdown_cell(source, id=cell_id, metadata={"tags": list(tags)} if tags else {})


def good_notebook():
    """Build a notebook that keeps every rule."""
    cells = [
        markdown("title", OPENING),
        code("setup", "from helpers import (\n    ndcg,\n    show,\n)", "setup"),
        code("bet", "bet()", "bet", outputs=[widget()]),
        code("reveal", "reveal()", "reveal", outputs=[widget()]),
        markdown("task", PLAIN_SOURCE),
        code("explorer", "explore()", "explorer", outputs=[figure(), words()]),
        markdown("caption", "**What to notice.** Two bars."),
        code("figure", "show(figure)", outputs=[figure(), words()]),
        markdown("caption-2", "**What to notice.** The same."),
        markdown("closing", CLOSING),
    ]
    nb = new_notebook(cells=cells, metadata=METADATA)
    for count, cell in enumerate(rules.code_cells(nb), start=1):
        cell.execution_count = count
    return canonical(nb, "01_a_claim", exercises=COURSE.exercises)


@pytest.fixture
def path(tmp_path):
    """Give the path of the notebook, in a repository with one before it."""
    (tmp_path / "pyproject.toml").touch()
    start = new_notebook(cells=[markdown("title", "# Start here")])
    nbformat.write(start, tmp_path / "00_start.ipynb")
    path = tmp_path / "01_a_claim.ipynb"
    nbformat.write(good_notebook(), path)  # it counts as a neighbor
    return path


def cell(nb, cell_id):
    return next(cell for cell in nb.cells if cell.id == cell_id)


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_good_notebook_keeps_rule(rule, path):
    assert rule(good_notebook(), path) == []


# ------------------------------------------------------------ one that breaks each rule


def replaced(cell_id, old, new):
    """Make a change: other words in a cell's source."""

    def change(nb):
        assert old in cell(nb, cell_id).source
        cell(nb, cell_id).source = cell(nb, cell_id).source.replace(old, new)

    return change


def said(text):
    """Make a change: one more line in the first caption."""
    return replaced("caption", "Two bars.", f"Two bars.\n\n{text}")


def told(number):
    """Make a change: a number in the caption of the figure."""
    return replaced("caption-2", "The same.", f"It is {number}.")


def coded(source):
    return replaced("figure", "show(figure)", source)


def both(first, second):
    def change(nb):
        first(nb)
        second(nb)

    return change


def retagged(cell_id, *tags):
    return lambda nb: cell(nb, cell_id).update(metadata=nbformat.from_dict({"tags": tags}))


def printed(*outputs):
    return lambda nb: cell(nb, "figure").update(outputs=nbformat.from_dict(list(outputs)))


def moved(cell_id, place):
    return lambda nb: nb.cells.insert(place, nb.cells.pop(nb.cells.index(cell(nb, cell_id))))


def without(cell_id):
    return lambda nb: nb.cells.remove(cell(nb, cell_id))


def with_id(cell_id):
    return lambda nb: cell(nb, "figure").update(id=cell_id)


def redrawn(change):
    return lambda nb: change(cell(nb, "figure").outputs[0].data)


def another_picture(data):
    data[PNG] = figure("Another one.").data[PNG]


def touched_picture(data):
    data[PNG] = base64.b64encode(base64.b64decode(data[PNG]).replace(b"drawn", b"dyed!")).decode()


def another_number(data):
    data[PLOTLY]["data"][0]["y"][0] = 0.91


def text_output(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def html(text):
    return new_output("display_data", {HTML: text})


OUT_OF_ORDER = """\
# A claim

**Needs:** nothing

**Time:** 10 minutes

After this notebook you can

- compute it;
- explain it."""

BROKEN = [
    (rules.is_canonical, said("A space at the end. ")),
    (rules.is_canonical, printed(widget())),
    (rules.is_canonical, lambda nb: nb.metadata.update(widgets={})),
    (rules.is_canonical, with_id("setup")),
    (rules.is_executed_in_order, lambda nb: cell(nb, "bet").update(execution_count=None)),
    (rules.is_executed_in_order, moved("figure", 2)),
    (rules.is_canonical, lambda nb: nb.cells[0].metadata.update(author="me")),
    (rules.is_canonical, printed(text_output("<object at 0x7f16a1b2c3d0>"))),
    (rules.has_no_stderr, printed(text_output("Warning", name="stderr"))),
    (rules.is_small, printed(html("x" * 40_001))),
    (rules.is_small, printed(text_output("x" * 800_000))),
    (rules.has_one_title, said("# Another title")),
    (rules.has_one_title, replaced("title", "# A claim", "## A claim")),
    (rules.has_one_title, moved("title", 1)),
    (rules.has_steady_headings, said("#### Too deep")),
    (rules.has_an_opening, replaced("title", "10 minutes", "half an hour")),
    (rules.has_an_opening, replaced("title", "**Time:**", "Time:")),
    (rules.has_an_opening, lambda nb: cell(nb, "title").update(source=OUT_OF_ORDER)),
    (rules.has_an_opening, replaced("title", "\n- explain it.", "")),
    (rules.has_an_opening, replaced("title", "- explain it.", "- a\n- b\n- c\n- d")),
    (rules.has_a_one_line_setup, moved("setup", 2)),
    (rules.has_a_one_line_setup, replaced("setup", ")", ")\nimport numpy")),
    (rules.has_a_one_line_setup, replaced("setup", "from", "# First\nfrom")),
    (rules.has_a_one_line_setup, lambda nb: cell(nb, "setup").update(source="setup()")),
    (rules.bets_before_it_shows, retagged("bet")),
    (rules.bets_before_it_shows, moved("bet", 9)),
    (rules.reveals_every_bet, retagged("reveal")),
    (rules.reveals_every_bet, moved("reveal", 1)),
    (rules.reveals_every_bet, retagged("figure", "bet")),
    (rules.reveals_every_bet, both(retagged("reveal", "bet"), retagged("figure", "reveal"))),
    (rules.leaves_the_instructor_to_the_guide, retagged("caption", "instructor")),
    (rules.has_the_closing_sections, replaced("closing", "## Recall", "## Remember")),
    (rules.has_the_closing_sections, replaced("closing", "## References", "## Key points")),
    (rules.has_the_closing_sections, lambda nb: nb.cells.append(markdown("x", "## A\n\n## B"))),
    (rules.has_few_points_and_questions, replaced("closing", "- One.", "- One.\n" * 6)),
    (rules.has_few_points_and_questions, replaced("closing", "3. Three ago?\n", "")),
    (rules.has_few_points_and_questions, replaced("closing", "ago?", "ago?\n4. Four?")),
    (rules.has_short_cells, coded("f()\n" * 21)),
    (rules.has_short_cells, lambda nb: [c.update(source="f()\n" * 7) for c in nb.cells]),
    (rules.has_short_prose, said("word " * 170)),
    (rules.has_short_prose, lambda nb: [c.update(source="a " * 61) for c in nb.cells]),
    (rules.crowds_no_paragraph, said("0.1, 0.2, 0.3, 0.4 and 0.5.")),
    (rules.takes_an_hour_at_most, lambda nb: [c.update(source="a " * 2000) for c in nb.cells]),
    (rules.is_optional_for_a_fifth_at_most, said("## Optional: more\n\n" + "a " * 200)),
    (rules.has_words_below_every_figure, printed(figure())),
    (rules.has_words_below_every_figure, printed(widget())),
    (rules.has_words_below_every_figure, printed(words(), figure())),
    (rules.has_words_below_every_figure, printed(figure(), words("<p>Two &gt; one.</p>"))),
    (rules.has_words_below_every_figure, printed(figure(), words("<table></table>"))),
    (rules.has_words_below_every_figure, printed(figure(**words().data), words())),
    (rules.has_words_below_every_figure, lambda nb: cell(nb, "explorer").outputs.pop()),
    (rules.has_a_caption_for_every_figure, replaced("caption-2", "**What to notice.** ", "")),
    (rules.has_a_caption_for_every_figure, replaced("caption", "**What", "See. **What")),
    (rules.has_a_task_for_every_explorer, replaced("task", "**Try this.**", "Try this.")),
    (rules.has_a_task_for_every_explorer, replaced("task", "1. Move", "Move")),
    (rules.has_a_task_for_every_explorer, without("task")),
    (rules.cites_in_order, said("First this [2], then that [1].")),
    (rules.has_good_web_links, said("[a](http://example.org)")),
    (rules.has_good_web_links, said("[a](https://example)")),
    (rules.has_good_web_links, said("<http://example.org>")),
    (rules.has_good_web_links, said("[a]: http://example.org 'A'")),
    (rules.has_good_web_links, said("![a](//example.org/a.png)")),
    (rules.has_good_web_links, said('<a href="http://example.org">a</a>')),
    (rules.has_good_web_links, said("[a](http://127.0.0.1)")),
    (rules.has_good_relative_links, said("[a](09_none.ipynb)")),
    (rules.has_good_relative_links, said("[a](/etc/hosts)")),
    (rules.has_good_relative_links, said("[a](#the-figure)")),
    (rules.has_good_relative_links, said("[a](00_start.ipynb#Stop)")),
    (rules.has_good_relative_links, said("[a](.)")),
    (rules.has_no_bare_url, said("See https://example.org.")),
    (rules.links_to_its_neighbors, replaced("closing", "[Start here]", "[Start]")),
    (rules.links_to_its_neighbors, replaced("closing", "Previous", "Next")),
    (rules.links_to_its_neighbors, replaced("closing", "Prev", "Next: [A](2.ipynb)\n\nPrev")),
    (rules.speaks_plainly, said("Normalised behaviour.")),
    (rules.speaks_plainly, said("Centre, neighbour, analyse, labelled, optimise, grey.")),
    (rules.speaks_plainly, said("This is simply a *trivial* sum.")),
    (rules.speaks_plainly, said("It works! Then go on.")),
    (rules.speaks_plainly, said("**It works!**")),
    (rules.speaks_plainly, said("It is tempting to go on. See notebook 02.")),
    (rules.speaks_plainly, said("You will meet guides that stop here.")),
    (rules.speaks_plainly, said("See notebook 02.")),
    (rules.says_and_shows_every_figure, lambda nb: cell(nb, "figure").outputs[0].data.pop(PNG)),
    (
        rules.says_and_shows_every_figure,
        lambda nb: cell(nb, "explorer").outputs[0].metadata.pop(PNG),
    ),
    (rules.says_and_shows_every_figure, printed(figure(text=" "))),
    (rules.says_and_shows_every_figure, printed(figure(text="Figure({'data': []})"))),
    (rules.has_the_picture_of_each_figure, redrawn(lambda data: data.update({PNG: "iVBORw0K"}))),
    (rules.has_the_picture_of_each_figure, redrawn(another_picture)),
    (rules.has_the_picture_of_each_figure, redrawn(touched_picture)),
    (rules.has_the_picture_of_each_figure, redrawn(another_number)),
    (rules.has_no_forbidden_code, coded("pio.renderers.default = 'notebook'")),
    (rules.has_no_forbidden_code, coded("sys.path.append('..')")),
    (rules.has_no_forbidden_code, coded("import plotly.express as px")),
    (rules.has_no_forbidden_code, coded("from helpers import *")),
    (rules.has_no_forbidden_code, coded("    import urllib.request")),
    (rules.has_no_forbidden_code, coded("fetch_openml('mnist_784')")),
    (rules.has_no_forbidden_code, coded("%pip install ranx")),
    (rules.closes_every_details, said("<details><summary>a</summary>")),
    (rules.closes_every_details, said("<details>a</details>")),
    (rules.closes_every_details, said("</details>")),
    (rules.hides_every_comment, said("It is `0.5<!-- 1 / 2 -->`.")),
    (rules.hides_every_comment, said("It is $0.5<!-- 1 / 2 -->$.")),
    (rules.hides_every_comment, said("```\n0.5<!-- 1 / 2 -->\n```")),
    (rules.hides_every_comment, said("It is 2<!-- 1 --1 -->.")),
    (rules.shows_every_number, told("0.841")),
    (rules.shows_every_number, told("0.84")),
    (rules.shows_every_number, told("84%")),
    (rules.shows_every_number, told("0.84<!-- 0.84 --> of 0.841")),
    (rules.shows_every_number, told("so.\n\n<details><summary>Answer</summary>0.841</details>")),
    (rules.shows_every_number, told("$0.34 + 0.5$")),
    (rules.shows_every_number, replaced("caption-2", "**What", "## 0.84 is little\n\n**What")),
    (rules.shows_every_number, replaced("closing", "- One.", "- One is 0.91.")),
    (rules.shows_every_number, coded("show(chart, title='0.84 is little')")),
    (rules.shows_every_number, both(coded("show(f'{x:.84%} {x:0.84f}')"), told("0.84"))),
    (rules.shows_every_number, both(coded("f(1)  # 0.84"), told("0.84"))),
    (rules.shows_every_number, both(printed(text_output("0.99")), told("0.91"))),
    (rules.shows_every_number, both(printed(text_output("0.8414")), told("85%"))),
    (rules.shows_every_number, both(printed(text_output("0.84")), told("84.0%"))),
    (rules.shows_every_number, both(printed(text_output("84%")), told("0.84"))),
    (rules.shows_every_number, both(printed(text_output("0.84")), told("0.840"))),
    (rules.shows_every_number, both(printed(text_output("28.6%")), told("8.6%"))),
    (rules.shows_every_number, both(printed(text_output("0.8414")), told("0.842"))),
    (
        rules.shows_every_number,
        both(both(retagged("figure", "bet"), coded("0.841")), told("0.841")),
    ),
]


def case_name(value):
    """Name a case by its rule; pytest numbers the rest."""
    return value.__name__ if value in rules.RULES else "case"


@pytest.mark.parametrize(("rule", "change"), BROKEN, ids=case_name)
def test_broken_notebook_breaks_rule(rule, change, path):
    nb = good_notebook()
    change(nb)
    assert rule(nb, path)


@pytest.mark.parametrize("name", ["1_a_claim.ipynb", "01_A_claim.ipynb", "01-a-claim.ipynb"])
def test_bad_name_breaks_rule(name, path):
    assert rules.has_a_number_of_its_own(good_notebook(), path.with_name(name))


def test_number_used_twice_breaks_rule(path):
    path.with_name("01_another.ipynb").touch()
    assert rules.has_a_number_of_its_own(good_notebook(), path)


def test_next_notebook_must_be_linked(path):
    nbformat.write(good_notebook(), path.with_name("02_more.ipynb"))
    assert rules.links_to_its_neighbors(good_notebook(), path)
    linked = good_notebook()
    replaced("closing", "Previous:", "Next: [A claim](02_more.ipynb)\n\nPrevious:")(linked)
    assert rules.links_to_its_neighbors(linked, path) == []


def test_first_notebook_needs_no_recall(path):
    nb = good_notebook()
    cell(nb, "closing").source = re.sub(r"## Recall.*(?=## Ref)", "", CLOSING, flags=re.DOTALL)
    for rule in (rules.has_the_closing_sections, rules.has_few_points_and_questions):
        assert rule(nb, path)
        assert rule(nb, path.with_name("00_start.ipynb")) == []


@pytest.mark.parametrize(
    "change",
    [
        both(printed(text_output("0.8414 and 2")), told("0.841")),
        both(coded("show(0.84)"), told("0.84")),
        both(coded("show('0.84')"), told("0.84")),
        both(both(printed(text_output("0.8414")), coded("show(title='So 0.84')")), told("84%")),
        both(printed(text_output("0.8414")), told("84.1%")),
        told("95% of 1.9, [0.84 can be worse](05_floors.ipynb), version 4.12.0"),
        both(printed(text_output("28.6%, 12%")), told("28.6%, not 12%")),
        both(coded("show(0.8414)"), told("0.8414, [notebook 9](https://example.org/0.123)")),
        told("84.1%<!-- 0.841 -->, and **0.84**<!-- 0.84 --> or $0.84$<!-- 0.84 -->"),
        told("so.\n\n<details><summary>Answer</summary>0.841<!-- 0.841 --></details>"),
        said("After a move 0.841."),
        replaced("closing", "lists!", "lists! doi 10.1145"),
    ],
)
def test_a_number_that_is_shown_or_held_elsewhere(change, path):
    nb = good_notebook()
    change(nb)
    assert rules.shows_every_number(nb, path) == []


def test_every_rule_is_broken_once():
    broken = {rule for rule, _ in BROKEN} | {rules.has_a_number_of_its_own}
    assert broken == set(rules.RULES)


# ------------------------------------------------------------ what nbval overlooks


def test_nbval_reads_every_sanitizer():
    """A line nbval can not parse is skipped in silence; so is a missing entry."""
    text = (ROOT / "tests" / "nbval.cfg").read_text(encoding="utf-8")
    patterns = get_sanitize_patterns(text)
    assert len(patterns) == text.count("\nregex:") > 0
    shown = "<A at 0x7f16a1b2c3d0> IPY_MODEL_" + "a" * 32 + ' model_id="' + "b" * 32
    for regex, replacement in patterns:
        shown = re.sub(regex, replacement, shown)
    assert shown == '<A at ADDRESS> IPY_MODEL model_id="MODEL'
