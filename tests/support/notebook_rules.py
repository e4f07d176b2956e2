"""What every notebook of the course keeps to, one small function per rule.

A rule takes a notebook and its path and returns a list of complaints; none
means that the notebook keeps the rule. Rules read, and change nothing.
"""

import ast
import base64
import re
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from course.content import COURSE
from coursekit.authoring.book import MADE, Book, minutes, spent
from coursekit.authoring.write import (
    HTML,
    PLOTLY,
    PNG,
    WIDGET,
    NotebookError,
    canonical,
    code_cells,
    is_picture_of,
    output_text,
    plotly_outputs,
    read,
    to_text,
)
from coursekit.text import COMMENT, visible

MAX_HTML = 40_000  # bytes of one output
MAX_FILE = 800_000  # bytes
MAX_LINES, MAX_MEDIAN = 20, 4  # lines of a code cell
MAX_WORDS, MAX_MEDIAN_WORDS = 170, 60  # of a prose cell
MAX_DECIMALS = 4  # numbers with decimals in a paragraph
MAX_MINUTES = 60
MAX_OPTIONAL = 1 / 5
NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"

FENCE = re.compile(r" {0,3}(```|~~~)")
HEADING = re.compile(r" {0,3}(#{1,6})\s+(.+?)\s*#*\s*$")
BULLET = re.compile(r"[-*+] ")
NUMBERED = re.compile(r"\d+[.)] ")
IN_PARAGRAPH = r"(?:(?!\n\s*\n).)+?"  # with re.DOTALL: an odd ` or $ must not eat the cell
NAME = re.compile(r"(\d\d)_[a-z0-9_]+\.ipynb")

# ------------------------------------------------------------ reading markdown


@dataclass(frozen=True)
class Line:
    """A line of markdown outside fenced code, with the H2 section it stands in."""

    cell: int
    text: str
    section: str
    level: int = 0  # of the heading, if the line is one
    heading: str = ""


def unfenced(source: str) -> str:
    """Blank out fenced code; the lines keep their places."""
    kept, fence = [], ""
    for line in source.split("\n"):
        mark = FENCE.match(line)
        kept.append("" if fence or mark else line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1] == fence:
            fence = ""
    return "\n".join(kept)


def blank(pattern: str, text: str) -> str:
    """Replace what matches by a space and keep its line breaks."""
    return re.sub(pattern, lambda m: " " + "\n" * m[0].count("\n"), text, flags=re.DOTALL)


def prose(source: str) -> str:
    """Return markdown without code and math."""
    text = unfenced(source)
    text = blank(rf"(?<!`)(`+)(?!`){IN_PARAGRAPH}(?<!`)\1(?!`)", text)
    text = blank(r"\$\$.+?\$\$", text)
    text = blank(rf"\\\[{IN_PARAGRAPH}\\\]|\\\({IN_PARAGRAPH}\\\)", text)
    return blank(rf"(?<![\\$])\$(?!\s){IN_PARAGRAPH}(?<!\s)\$(?!\d)", text)


def unfolded(source: str) -> str:
    """Return markdown without fenced code and without what <details> folds away."""
    return blank(r"<details\b.*?</details>", unfenced(source))


def markdown_cells(nb) -> list[tuple[int, str]]:
    """List the index of each markdown cell and its source, without comments."""
    cells = [(i, cell) for i, cell in enumerate(nb.cells) if cell.cell_type == "markdown"]
    return [(i, visible(cell.source).strip("\n")) for i, cell in cells]


def lines(nb, clean: Callable[[str], str] = unfenced) -> Iterator[Line]:
    """Yield the lines of all markdown cells, each with its section."""
    section = ""
    for index, source in markdown_cells(nb):
        cleaned = clean(source).split("\n")
        for raw, text in zip(unfenced(source).split("\n"), cleaned, strict=True):
            heading = HEADING.match(raw)
            level, title = (len(heading[1]), heading[2]) if heading else (0, "")
            if level in (1, 2):
                section = title
            yield Line(index, text, section, level, title)


def headings(nb) -> list[Line]:
    """List the headings of a notebook."""
    return [line for line in lines(nb) if line.level]


def h1_text(nb) -> str:
    """Return the notebook's title, or an empty text."""
    return next((line.heading for line in headings(nb) if line.level == 1), "")


def count_items(texts: list[str], item: re.Pattern) -> int:
    """Count list items at the left margin."""
    return sum(bool(item.match(text)) for text in texts)


def first_list(text: str) -> list[str]:
    """Return the items of the list that a text goes on with.

    Continuation lines are left out; what is neither item, continuation nor
    empty ends the list.
    """
    items: list[str] = []
    for line in text.splitlines():
        if BULLET.match(line) or NUMBERED.match(line):
            items.append(line)
        elif items and line.strip() and not line.startswith("  "):
            break
    return items


# ------------------------------------------------------------ reading cells


def tags(cell) -> list[str]:
    """List the tags of a cell."""
    return cell.metadata.get("tags", [])


def tagged(nb, tag: str) -> list[int]:
    """List the indices of the cells with a tag."""
    return [i for i, cell in enumerate(nb.cells) if tag in tags(cell)]


def mimes(cell) -> set[str]:
    """Return the mime types of all outputs of a cell."""
    outputs = cell.outputs if cell.cell_type == "code" else []
    return {mime for output in outputs for mime in output.get("data", {})}


def named(index: int, cell) -> str:
    """Name a cell in a complaint."""
    return f"cell {index} ({cell.get('id', 'no id')})"


def chapter(name: str) -> Path:
    """Return the path of the notebook with a short name, such as "gain"."""
    [path] = NOTEBOOKS.glob(f"[0-9][0-9]_{name}.ipynb")
    return path


def output_of(path: Path, cell_id: str) -> str:
    """Return all that a cell printed."""
    [cell] = (cell for cell in read(path).cells if cell.id == cell_id)
    return "\n".join(map(output_text, cell.outputs))


def printed(path: Path, cell_id: str, begins: str) -> list[str]:
    """Return the numbers behind the beginning of the first such line that a cell printed."""
    shown = output_of(path, cell_id).split("\n")
    line = next(line for line in shown if line.strip().startswith(begins))
    return re.findall(r"(?:(?<=[\s(])[+-])?\d+(?:\.\d+)?", line.strip().removeprefix(begins))


# ------------------------------------------------------------ 1. canonical form


def is_canonical(nb, path: Path) -> list[str]:
    """`make notebooks` would leave the notebook as it is.

    So it says nothing about the machine or the person, each cell has a slug of its own as
    its id, no output shows an address, and its minutes, links and maps are up to date.
    """
    try:
        same = to_text(
            canonical(
                nb, path.stem, exercises=COURSE.exercises, book=Book(path.parent, COURSE, read)
            )
        ) == to_text(nb)
    except NotebookError as error:
        return [str(error)]
    return [] if same else ["not in canonical form: run `make notebooks`"]


def is_executed_in_order(nb, path: Path) -> list[str]:
    """Every code cell ran, from the first to the last, in one kernel."""
    counts = [cell.execution_count for cell in code_cells(nb)]
    if counts != list(range(1, len(counts) + 1)):
        return [f"not executed in order 1..{len(counts)}: {counts}"]
    return []


def has_no_stderr(nb, path: Path) -> list[str]:
    """No output is a warning or a log: readers would take it for their mistake."""
    return [
        f"{named(i, cell)} writes to stderr"
        for i, cell in enumerate(nb.cells)
        if cell.cell_type == "code" and any(o.get("name") == "stderr" for o in cell.outputs)
    ]


def is_small(nb, path: Path) -> list[str]:
    """The file and each of its HTML outputs stay small enough to read as a diff."""
    complaints = []
    size = len(to_text(nb).encode())
    if size > MAX_FILE:
        complaints.append(f"{size} bytes, more than {MAX_FILE}")
    for i, cell in enumerate(nb.cells):
        for output in cell.get("outputs", []):
            html = len(output.get("data", {}).get(HTML, "").encode())
            if html > MAX_HTML:
                complaints.append(f"{named(i, cell)}: {html} bytes of HTML, more than {MAX_HTML}")
    return complaints


# ------------------------------------------------------------ 2. headings


def has_one_title(nb, path: Path) -> list[str]:
    """There is one H1, and it stands in the first cell."""
    cells = [line.cell for line in headings(nb) if line.level == 1]
    return [] if cells == [0] else [f"needs one H1, in the first cell; there are H1s in {cells}"]


def has_steady_headings(nb, path: Path) -> list[str]:
    """No heading is more than one level below the one before it."""
    complaints, before = [], 0
    for line in headings(nb):
        if line.level > before + 1:
            complaints.append(f"H{before} is followed by H{line.level}: {line.heading!r}")
        before = line.level
    return complaints


# ------------------------------------------------------------ 3. anatomy


OPENING = re.compile(
    r"^# \S.*^\*\*Time:\*\*[^\n]*\d[^\n]*\bminutes\b.*^\*\*Needs:\*\* *\S.*"
    r"After this notebook you can[^\n]*\n(?P<rest>.*)",
    re.MULTILINE | re.DOTALL,
)


def has_an_opening(nb, path: Path) -> list[str]:
    """The first cell: title, time, needs, and two to four things to be able to do."""
    found = OPENING.search(unfenced(nb.cells[0].source) if nb.cells else "")
    if not found:
        return ["the first cell lacks H1, Time, Needs or 'After this notebook you can', in order"]
    items = count_items(first_list(found["rest"]), BULLET)
    return (
        [] if 2 <= items <= 4 else [f"'After this notebook you can' has {items} bullets, not 2-4"]
    )


def has_a_one_line_setup(nb, path: Path) -> list[str]:
    """The second cell is code tagged `setup`: one import statement, nothing else."""
    cell = nb.cells[1] if len(nb.cells) > 1 else None
    if cell is None or cell.cell_type != "code" or "setup" not in tags(cell):
        return ["the second cell is not a code cell tagged 'setup'"]
    try:
        body = ast.parse(cell.source).body
    except SyntaxError:
        body = []
    one_import = len(body) == 1 and isinstance(body[0], ast.Import | ast.ImportFrom)
    # The parentheses of one import may span lines; comments around it are lines too many.
    if not one_import or body[0].end_lineno - body[0].lineno + 1 != len(cell.source.splitlines()):
        return ["the setup cell is not one import statement"]
    return []


def bets_before_it_shows(nb, path: Path) -> list[str]:
    """A code cell tagged `bet` comes before the first figure; 00 opens with a list to drag."""
    bets = [i for i in tagged(nb, "bet") if nb.cells[i].cell_type == "code"]
    shown = [i for i, cell in enumerate(nb.cells) if PLOTLY in mimes(cell)]
    if not bets:
        return ["there is no code cell tagged 'bet'"]
    if shown and shown[0] < bets[0] and not is_first_notebook(path):
        return [f"cell {shown[0]} shows a figure before the first bet (cell {bets[0]})"]
    return []


def reveals_every_bet(nb, path: Path) -> list[str]:
    """After each bet, and before the next one, comes a cell tagged `reveal`."""
    bets, reveals = tagged(nb, "bet"), tagged(nb, "reveal")
    return [
        f"{named(bet, nb.cells[bet])} has no 'reveal' before the next bet"
        for bet, following in zip(bets, [*bets[1:], len(nb.cells)], strict=True)
        if not any(bet < reveal < following for reveal in reveals)
    ]


def leaves_the_instructor_to_the_guide(nb, path: Path) -> list[str]:
    """No remark for instructors stands between a bet and its experiment."""
    return [f"{named(i, nb.cells[i])} is for instructors" for i in tagged(nb, "instructor")]


def has_the_closing_sections(nb, path: Path) -> list[str]:
    """Key points, Recall and References stand in this order near the end."""
    wanted = ["Key points", "Recall", "References"]
    titles = [line.heading for line in headings(nb) if line.level == 2]
    if is_first_notebook(path) and "Recall" not in titles:
        wanted.remove("Recall")
    complaints = [f"no section '## {title}'" for title in wanted if titles.count(title) != 1]
    # "Near the end": one more section may come among or after them.
    if not complaints and [t for t in titles[-len(wanted) - 1 :] if t in wanted] != wanted:
        complaints.append(f"the sections {wanted} do not end the notebook in this order")
    return complaints


def is_first_notebook(path: Path) -> bool:
    """Tell whether this is 00, which has nothing to recall."""
    return path.name.startswith("00_")


def has_few_points_and_questions(nb, path: Path) -> list[str]:
    """One to five key points; three questions: this notebook, the last one, three ago."""
    complaints = []
    for title, item, allowed in (("Key points", BULLET, range(1, 6)), ("Recall", NUMBERED, [3])):
        texts = section_texts(nb, title)
        items = count_items(texts, item)
        none_needed = title == "Recall" and is_first_notebook(path) and not texts
        if items not in allowed and not none_needed:
            complaints.append(f"'## {title}' has {items} items, not {allowed}")
    return complaints


def section_texts(nb, title: str) -> list[str]:
    """Return the lines of an H2 section; a folded answer may hold lists of its own."""
    return [line.text for line in lines(nb, clean=unfolded) if line.section == title]


# ------------------------------------------------------------ 4. cell lengths


# What is read word by word: no math, no code, no table, no target of a link.
NOT_WORDS = re.compile(
    r"\$[^$]*\$|```.*?```|`[^`]*`|\]\([^)]*\)|^\|.*$|<summary>.*?</summary>",
    re.DOTALL | re.MULTILINE,
)
MACHINERY = {"setup", "bet", "reveal", "explorer", "exercise", "warm-up"}
ASKS = {"bet", "reveal", "widget", "warm-up"}  # what they show is no figure


def has_short_cells(nb, path: Path) -> list[str]:
    """No code cell is long, and half of them are very short."""
    complaints = []
    for i, cell in enumerate(nb.cells):
        n_lines = len(cell.source.splitlines())
        if cell.cell_type == "code" and n_lines > MAX_LINES:
            complaints.append(f"{named(i, cell)} has {n_lines} lines, more than {MAX_LINES}")
    taught = [cell.source for cell in code_cells(nb) if not MACHINERY & set(tags(cell))]
    median = statistics.median(len(source.split("\n")) for source in taught) if taught else 0
    if median > MAX_MEDIAN:
        complaints.append(f"the median code cell has {median:g} lines, more than {MAX_MEDIAN}")
    return complaints


def has_short_prose(nb, path: Path) -> list[str]:
    """No markdown cell is long, and half of them are very short."""
    counts = [(i, len(NOT_WORDS.sub(" ", source).split())) for i, source in markdown_cells(nb)]
    complaints = [
        f"{named(i, nb.cells[i])} has {words} words, more than {MAX_WORDS}"
        for i, words in counts
        if words > MAX_WORDS
    ]
    median = statistics.median(words for _, words in counts if words > 3)
    if median > MAX_MEDIAN_WORDS:
        complaints.append(f"the median markdown cell has {median:g} words")
    return complaints


def crowds_no_paragraph(nb, path: Path) -> list[str]:
    """A paragraph says at most four numbers with decimals.

    Folded answers may say more, and so may what the writer makes: hours are told to the half.
    """
    return [
        f"{named(i, nb.cells[i])} has {len(found)} decimals in a paragraph: {', '.join(found)}"
        for i, cell in enumerate(nb.cells)
        if cell.cell_type == "markdown"
        for text in [unfolded(visible(MADE.sub(" ", cell.source)))]  # its marks are comments
        for paragraph in NOT_WORDS.sub(" ", text).split("\n\n")
        if len(found := re.findall(r"\d+\.\d+", paragraph)) > MAX_DECIMALS
    ]


def takes_an_hour_at_most(nb, path: Path) -> list[str]:
    """What is not marked *Optional* takes no more than sixty minutes."""
    found = minutes(nb, COURSE.exercises)
    return [f"takes {found}"] if found.needed > MAX_MINUTES else []


def is_optional_for_a_fifth_at_most(nb, path: Path) -> list[str]:
    """What is marked *Optional* takes no more than a fifth of the notebook."""
    found = spent(nb, COURSE.exercises)
    share = found["optional"] / (found["needed"] + found["optional"])
    return [f"is optional for {share:.1%} of its minutes"] if share > MAX_OPTIONAL else []


# ------------------------------------------------------------ 5., 6. figures and tasks


def figure_cells(nb) -> list[tuple[int, dict]]:
    """List the cells that show a figure or an explorer to look at."""
    return [
        (i, cell)
        for i, cell in enumerate(nb.cells)
        if {PLOTLY, WIDGET} & mimes(cell) and not ASKS & set(tags(cell))
    ]


def has_words_below_every_figure(nb, path: Path) -> list[str]:
    """The output below a figure or explorer is its sentence and its numbers as a table."""
    complaints = []
    for i, cell in figure_cells(nb):
        data = [output.get("data", {}) for output in cell.outputs]
        shown = [(one, below) for one, below in pairwise([*data, {}]) if PLOTLY in one]
        if not shown:
            complaints.append(f"{named(i, cell)} shows no picture without a kernel")
        for figure, below in shown:
            words, sentence = below.get(HTML, ""), escape(figure.get("text/plain", ""))
            # HTML beside the figure would hide its picture where nothing is live.
            if HTML in figure or sentence not in words or "<table" not in words:
                complaints.append(f"{named(i, cell)}: no sentence and table below its figure")
    return complaints


def has_a_caption_for_every_figure(nb, path: Path) -> list[str]:
    """The next markdown after a figure says what to notice."""
    complaints = []
    for i, cell in figure_cells(nb):
        caption = next((source for j, source in markdown_cells(nb) if j > i), "")
        if not caption.startswith("**What to notice.**"):
            complaints.append(f"{named(i, cell)}: no '**What to notice.**' in the next markdown")
    return complaints


def has_a_task_for_every_explorer(nb, path: Path) -> list[str]:
    """Directly before an explorer stands what to do with it, step by step."""
    complaints = []
    for i in tagged(nb, "explorer"):
        before = nb.cells[i - 1] if i else None
        task = before.source if before and before.cell_type == "markdown" else ""
        if not first_list(task.partition("**Try this.**")[2]):
            complaints.append(f"{named(i, nb.cells[i])}: no '**Try this.**' with steps before it")
    return complaints


# ------------------------------------------------------------ 7. links

TARGET = r"((?:[^()\s]|\([^()\s]*\))+)"  # one level of parentheses, as in Wikipedia's
INLINE_LINK = re.compile(rf"\]\(\s*<?{TARGET}>?(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)")
DEFINED_LINK = re.compile(
    r"^ {0,3}\[[^\]]+\]:[ \t]*<?([^\s>]+)>?(?:[ \t]+[\"'(].*)?[ \t]*$", re.MULTILINE
)
AUTOLINK = re.compile(r"<((?:https?|ftp|mailto):[^>\s]*)>")
HTML_LINK = re.compile(r"\b(?:href|src)\s*=\s*[\"']([^\"']*)[\"']")
LINKS = [INLINE_LINK, DEFINED_LINK, AUTOLINK, HTML_LINK]
# To a full host name without a port, of allowed characters.
WEB = re.compile(
    r"https://(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?:[/?#][\w\-.~:/?#\[\]@!$&'()*+,;=%]*)?",
    re.ASCII | re.IGNORECASE,
)


def links(nb) -> list[str]:
    """List the targets of all links and images in the markdown."""
    texts = [prose(source) for _, source in markdown_cells(nb)]
    return [target for text in texts for link in LINKS for target in link.findall(text)]


def has_good_web_links(nb, path: Path) -> list[str]:
    """Links to the web are https, well-formed, and not to this machine."""
    absolute = filter(is_absolute, links(nb))
    return [f"not a valid https link: {link}" for link in absolute if not WEB.fullmatch(link)]


CITED = re.compile(r"(?<= )\[(\d+)\](?![\[(])")


def cites_in_order(nb, path: Path) -> list[str]:
    """References are numbered as they are first cited, as they stand in a page's margin."""
    cited = [int(one) for _, text in markdown_cells(nb) for one in CITED.findall(prose(text))]
    first = list(dict.fromkeys(cited))
    return [] if first == sorted(first) else [f"references are first cited in the order {first}"]


def is_absolute(target: str) -> bool:
    """Tell whether a link has a scheme or a host, whichever."""
    return bool(re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.IGNORECASE))


def has_good_relative_links(nb, path: Path) -> list[str]:
    """Links within the course lead to a file, and anchors to a heading in it."""
    complaints = []
    for target in links(nb):
        if not is_absolute(target):
            complaints += relative_link_complaints(target, nb, path)
    return complaints


def relative_link_complaints(target: str, nb, path: Path) -> list[str]:
    """Say what is wrong with one link to a file or a heading."""
    name, _, anchor = unquote(target).partition("#")
    file = (path.parent / name).resolve() if name else path.resolve()
    if name.startswith("/") or not file.is_relative_to(repository(path)):
        return [f"link out of the repository: {target}"]
    if name and not file.is_file():
        return [f"link to a file that does not exist: {target}"]
    if anchor and anchor not in anchors(nb if file == path.resolve() else document(file)):
        return [f"link to a heading that does not exist: {target}"]
    return []


def repository(path: Path) -> Path:
    """Return the folder above a notebook that holds pyproject.toml, or its own."""
    folders = path.resolve().parents
    return next((folder for folder in folders if (folder / "pyproject.toml").exists()), folders[0])


def document(file: Path):
    """Read a notebook, or a markdown file as if it were a notebook of one cell."""
    if file.suffix == ".ipynb":
        return read(file)
    text = file.read_text(encoding="utf-8") if file.suffix == ".md" else ""
    return new_notebook(cells=[new_markdown_cell(text)])


def anchors(nb) -> set[str]:
    """Return the headings' ids as JupyterLab makes them: text, spaces to hyphens."""
    return {heading_text(line.heading).replace(" ", "-") for line in headings(nb)}


def heading_text(markdown: str) -> str:
    """Return what a heading shows: no emphasis, code marks or link targets."""
    shown = re.sub(rf"\[([^\]]*)\]\({TARGET}\)", r"\1", markdown)
    return re.sub(r"[*`]|(?<!\w)_|_(?!\w)", "", shown)


def has_no_bare_url(nb, path: Path) -> list[str]:
    """Every address on the web is a link, with words for its text."""
    complaints = []
    for i, source in markdown_cells(nb):
        text = prose(source)
        for link in LINKS:
            text = link.sub(" ", text)
        complaints += [f"cell {i}: bare URL {url}" for url in re.findall(r"https?://\S*", text)]
    return complaints


# ------------------------------------------------------------ 8. numbering


def has_a_number_of_its_own(nb, path: Path) -> list[str]:
    """The file's name is two digits and lower-case words; no other has its number."""
    name = NAME.fullmatch(path.name)
    if name is None:
        return [f"{path.name} is not like 07_your_own_ndcg.ipynb"]
    same = [p.name for p in siblings(path) if p.name.startswith(name[1] + "_")]
    return [f"one number, several notebooks: {same}"] if len(same) > 1 else []


def siblings(path: Path) -> list[Path]:
    """List the numbered notebooks of the folder in their order."""
    return sorted(p for p in path.parent.glob("*.ipynb") if NAME.fullmatch(p.name))


def links_to_its_neighbors(nb, path: Path) -> list[str]:
    """The last markdown cell leads to the notebooks before and after, by their titles."""
    last = unfenced(markdown_cells(nb)[-1][1])
    order = [None, *siblings(path), None]
    place, complaints = order.index(path), []
    for word, target in (("Previous", order[place - 1]), ("Next", order[place + 1])):
        found = re.findall(rf"\b{word}: \[(.+?)\]\(([^)]+)\)", last)
        wanted = [(h1_text(read(target)), target.name)] if target else []
        if found != wanted:
            complaints.append(f"'{word}:' should be {wanted}, is {found}")
    return complaints


# ------------------------------------------------------------ 9. spelling and tone

BRITISH = re.compile(
    r"\b\w*(?:colour|behaviour|favour|neighbour|normalis|visualis|generalis|summaris|penalis)\w*"
    r"|\bcentre[ds]?\b|\b(?:re)?analys(?:e|ed|ing)\b|\b(?:un)?(?:label|model)l(?:ed|ing)\b"
    r"|\b(?:optimi|organi|recogni|minimi|maximi)s(?:e|es|ed|er|ers|ing|ation|ations)\b"
    r"|\bgrey\b|\bartefacts?\b",
    re.IGNORECASE,
)
# Four phrases that have been read twenty times, and sources that the reader can not open.
WORN = re.compile(
    r"It is tempting|Here (?:that|this) is false|It looks true because|What is true:"
    r"|texts? behind this course|\b[Oo]ne text\b|\b[Tt]he text (?:also|says|takes|begins)"
    r"|\b[Yy]ou (?:will|may have) (?:meet|met|read) (?:guides|tutorials|this in|[\"“])"
    r"|explanation that you will meet|\bin many tutorials|\b[Gg]uides (?:call|cut|that read)\b"
)
BARE_NUMBER = re.compile(r"(?<!\[)\b[Nn]otebooks? \d\d\b")
CONDESCENDING = re.compile(r"\b(?:simply|obviously|trivial(?:ly)?)\b", re.IGNORECASE)
# After a word, not a letter or a digit: "n! orders" is a factorial.
EXCLAMATION = re.compile(r"[A-Za-z]{2,}[\"”’')*_]*![\"”’')*_]*(?=\s|$)")


def spoken(nb) -> Iterator[Line]:
    """Yield the lines as read aloud: no code, math, link targets or cited titles."""
    for line in lines(nb, clean=prose):
        text = line.text
        if line.section == "References":
            text = re.sub(r"\[[^\]]*\]|“[^”]*”|\"[^\"]*\"|\*[^*]+\*|_[^_]+_", " ", text)
        text = INLINE_LINK.sub("]", DEFINED_LINK.sub(" ", AUTOLINK.sub(" ", text)))
        yield Line(line.cell, HTML_LINK.sub(" ", text), line.section)


def speaks_plainly(nb, path: Path) -> list[str]:
    """American spelling, no worn phrase; a notebook is named by a link, nothing called simple."""
    return [
        f"cell {line.cell}: {match[0]!r}"
        for line in spoken(nb)
        for pattern in (BRITISH, CONDESCENDING, EXCLAMATION, WORN, BARE_NUMBER)
        for match in pattern.finditer(line.text)
    ]


# ------------------------------------------------------------ 10. without a kernel


def says_and_shows_every_figure(nb, path: Path) -> list[str]:
    """Every figure has a sentence as its text, and a PNG with it as alt text."""
    complaints = []
    for output in plotly_outputs(nb):
        text, alt = output.data.get("text/plain", ""), output.metadata.get(PNG, {}).get("alt")
        if not text.strip() or re.match(r"<|[\w.]+\(", text):
            complaints.append(f"a plotly output's text/plain is not a sentence: {text[:40]!r}")
        if not output.data.get(PNG) or alt != text:
            complaints.append(f"no {PNG} or not its alt text: run `make notebooks`: {text[:40]!r}")
    return complaints


def has_the_picture_of_each_figure(nb, path: Path) -> list[str]:
    """The PNG beside a figure was drawn of this figure, and neither has changed since."""
    return [
        f"not the picture of its figure: run `make notebooks`: {output.data['text/plain'][:40]!r}"
        for output in plotly_outputs(nb)
        if not is_picture_of(base64.b64decode(output.data.get(PNG, "")), output.data[PLOTLY])
    ]


# ------------------------------------------------------------ 11. what code may not do

FORBIDDEN_CODE = {
    "sets a plotly renderer": r"\brenderers\b|\bPLOTLY_RENDERER\b",
    "changes sys.path": r"\bsys\.path\b|\bfrom\s+sys\s+import\b.*\bpath\b",
    "uses plotly express": r"\bplotly\.express\b|\bfrom\s+plotly\s+import\b.*\bexpress\b",
    "imports with a wildcard": r"^\s*from\s+\S+\s+import\s*\(?\s*\*",
    "uses the network": r"^\s*(?:import|from)\s+(?:urllib|requests|httpx|http\.client)\b"
    r"|\burlopen\b|\burlretrieve\b|\bfetch_\w+\s*\(",
    "installs or downloads": r"^\s*[!%]\s*(?:pip|conda|mamba|uv|curl|wget|git)\b",
}


def has_no_forbidden_code(nb, path: Path) -> list[str]:
    """Code cells work offline, with `helpers` installed and the default renderer."""
    return [
        f"{named(i, cell)} {what}"
        for i, cell in enumerate(nb.cells)
        for what, pattern in FORBIDDEN_CODE.items()
        if cell.cell_type == "code" and re.search(pattern, cell.source, re.MULTILINE)
    ]


# ------------------------------------------------------------ 12. folded text


def closes_every_details(nb, path: Path) -> list[str]:
    """Every <details> has a <summary> and ends in its own cell."""
    return [
        f"cell {i}: a <details> without </details> or <summary>"
        for i, source in markdown_cells(nb)
        if not is_well_folded(prose(source))
    ]


def is_well_folded(text: str) -> bool:
    """Walk through the marks as a browser does, with a stack."""
    needs_summary: list[bool] = []  # of each <details> that is open
    for mark in re.findall(r"<(/?details|summary)\b", text, re.IGNORECASE):
        if mark.lower() == "details":
            needs_summary.append(True)
        elif mark.lower() == "summary" and needs_summary:
            needs_summary[-1] = False
        elif not needs_summary or needs_summary.pop():
            return False
    return not needs_summary


def hides_every_comment(nb, path: Path) -> list[str]:
    """A comment is hidden if it stands in no code and no formula, and has no "--" in it."""
    complaints = []
    for i, cell in enumerate(nb.cells):
        if cell.cell_type == "markdown":
            comments = COMMENT.findall(cell.source)
            hidden = COMMENT.findall(prose(cell.source))
            if comments != hidden or any("--" in comment for comment in comments):
                complaints.append(f"{named(i, cell)}: readers would see a comment")
    return complaints


# ------------------------------------------------------------ 13. numbers

NUMBER = re.compile(r"(?<![\d.,])(?:\d+\.\d+(?!\d|\.\d)%?|\d+%)")
# The 95% of an interval and the 100% of all are no results.
PRECISE = re.compile(r"(?<![\d.,])(?:(?!9[059]%|100%)\d+(?:\.\d+)?%|\d+\.\d{2,}(?!\d|\.\d))")
# A number, what may close behind it (`0.84`, $0.84$, **0.84**, "0.84"), and its check, a comment.
CHECKED = re.compile(
    r"(?:(?<![\d.,])([+−-]?(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)%?)[`$*\"”)]*)?" + COMMENT.pattern,
    re.DOTALL,
)
OTHER_NOTEBOOK = re.compile(r"\[[^\]]*\]\([^)]*\.ipynb[^)]*\)")  # its title has its own numbers


def shows_every_number(nb, path: Path) -> list[str]:
    """A number with two decimals, or a percentage, has a check or is printed or taken by a cell.

    In prose, headings and the titles in code; the output may have more digits. A bet shows none:
    its replies are prose. The caption of an explorer tells what it shows after a few moves:
    test_numbers.py holds these.
    """
    shown = shown_numbers(nb)
    return [
        f"cell {i} ({nb.cells[i].id}): {number} is in no output, and no check is beside it"
        for i, text in said_numbers(nb)
        for number in PRECISE.findall(text)
        if not holds(shown, number)
    ]


def unchecked(nb):
    """Return the cells of a notebook, their prose without the numbers that have a check."""
    cells = [
        NotebookNode({**cell, "source": CHECKED.sub("", cell.source)})
        if cell.cell_type == "markdown"
        else cell
        for cell in nb.cells
    ]
    return new_notebook(cells=cells)


def shown_numbers(nb) -> set[str]:
    """Return the numbers that code cells take and print; a text in code, as a title, is prose."""
    asked = {"bet", "reveal", "warm-up"}
    cells = [cell for cell in code_cells(nb) if not asked & set(tags(cell))]
    printed = [output_text(output) for cell in cells for output in cell.outputs]
    taken = [repr(value) for cell in cells for value in literals(cell.source, (int, float))]
    taken += [text for cell in cells for text in literals(cell.source, str) if " " not in text]
    return set(NUMBER.findall("\n".join(printed + taken)))


def literals(source: str, kinds) -> list:
    """Return the constants of some kinds in a cell's code, without formats such as ``:.2%``."""
    nodes = list(ast.walk(ast.parse(source)))
    formats = [node.format_spec for node in nodes if isinstance(node, ast.FormattedValue)]
    left_out = {id(part) for spec in formats if spec for part in ast.walk(spec)}
    constants = [n for n in nodes if isinstance(n, ast.Constant) and id(n) not in left_out]
    return [node.value for node in constants if isinstance(node.value, kinds)]


def said_numbers(nb) -> Iterator[tuple[int, str]]:
    """Yield what is read, with the index of its cell: prose, and texts with a space in code."""
    held_elsewhere = {i + 1 for i in tagged(nb, "explorer")} | set(tagged(nb, "question"))
    for line in lines(unchecked(nb)):
        if line.cell not in held_elsewhere and line.section != "References":
            yield line.cell, without_links(line.text)
    for i, cell in enumerate(nb.cells):
        if cell.cell_type == "code" and not MACHINERY & set(tags(cell)):
            yield i, "\n".join(text for text in literals(cell.source, str) if " " in text)


def without_links(text: str) -> str:
    """Drop addresses, and the titles of other notebooks."""
    return INLINE_LINK.sub("]", OTHER_NOTEBOOK.sub("", text))


def holds(shown: set[str], number: str) -> bool:
    """Tell whether a number is shown, perhaps with more digits, a percentage as a share."""
    return number in shown or any(rounds_to(found, number) for found in shown)


def rounds_to(found: str, number: str) -> bool:
    """Tell whether a number has at least the digits of another, and rounds to it."""
    is_share = number.endswith("%") and not found.endswith("%")
    if found.endswith("%") and not number.endswith("%"):
        return False
    places = len(number.rstrip("%").partition(".")[2])
    digits = len(found.rstrip("%").partition(".")[2]) - 2 * is_share
    value = float(found.rstrip("%")) * (100 if is_share else 1)
    return digits >= places and abs(value - float(number.rstrip("%"))) < 0.5001 * 10**-places


RULES = [
    is_canonical,
    is_executed_in_order,
    has_no_stderr,
    is_small,
    has_one_title,
    has_steady_headings,
    has_an_opening,
    has_a_one_line_setup,
    bets_before_it_shows,
    reveals_every_bet,
    leaves_the_instructor_to_the_guide,
    has_the_closing_sections,
    has_few_points_and_questions,
    has_short_cells,
    has_short_prose,
    crowds_no_paragraph,
    takes_an_hour_at_most,
    is_optional_for_a_fifth_at_most,
    has_words_below_every_figure,
    has_a_caption_for_every_figure,
    has_a_task_for_every_explorer,
    cites_in_order,
    has_good_web_links,
    has_good_relative_links,
    has_no_bare_url,
    has_a_number_of_its_own,
    links_to_its_neighbors,
    speaks_plainly,
    says_and_shows_every_figure,
    has_the_picture_of_each_figure,
    has_no_forbidden_code,
    closes_every_details,
    hides_every_comment,
    shows_every_number,
]
