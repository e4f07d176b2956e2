"""From a committed notebook to a page in markdown, for Sphinx and myst-parser.

Nothing is executed: the outputs are those that are stored. A page is called by the short name
of its notebook. What is live on it is a placeholder that holds what GitHub shows; a reader
without JavaScript keeps that.
"""

import base64
import functools
import gzip
import io
import itertools
import json
import re
from html import escape

from PIL import Image, ImageOps

from coursekit.authoring.warm_ups import TAG, is_warm_up
from coursekit.authoring.write import HTML, PLOTLY, PNG, picture_options
from coursekit.explorers.explorer import RUN_IT
from coursekit.site import glossary
from coursekit.site.signs import curled, in_all, set_signs
from coursekit.site.told import steps_list, steps_of
from coursekit.text import raised, visible

ASSETS = "_static/course"
LIVE = ("bet", "reveal", "explorer", "widget", "exercise", TAG)
# What is live in words alone. An exercise may look for "log2" in an answer.
SIGNS = {"bet": set_signs, "reveal": set_signs, "exercise": curled}
LEFT_OUT = frozenset({"nav"})  # on all pages: the theme links to the neighbors
CHECKED = re.compile(r"\n*^q\d+ = exercise\(.*^# q\d+\.solution\(\)$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[([^\]]*)\]\(\d\d_([a-z0-9_]+)\.ipynb(#[^)]*)?\)")
TIME = re.compile(r"^\*\*Time:\*\* .*\n\n", re.MULTILINE)
NEEDS = re.compile(r"^(\*\*Needs:\*\*.*?)\n\n(\*\*After .*)", re.MULTILINE | re.DOTALL)
BY_NUMBER = re.compile(r"(?:[Nn]otebook )?\d\d")
REFERENCE = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)
# Whole sentences in brackets after others; links and calls within have brackets of their own.
ASIDE = re.compile(r"(?<=[.!?*]) \((?=[A-Z*`])((?:[^()\n]|\([^()\n]*\))*[.!?])\)(?!\S)")
IN_MARGIN = (
    '<span class="ndcg-mark" aria-hidden="true"></span> '
    '<span class="ndcg-aside"><span>(</span>{}<span>)</span></span>'
)
CITED = re.compile(r"(?<= )\[(\d+)\](?![\[(])")
COLUMNS = re.compile(r"\S {2,}\S|^ ", re.MULTILINE)
PICTURE = re.compile(r"\]\(pictures/([\w.-]+)\)")
PLAIN_TABLE = re.compile(r'<table(?! class="ndcg-drawn")(?: [^>]*)?>(.*?)</table>', re.DOTALL)
PREVIEW = (1200, 630)  # what messengers show
COVER = "previews/front.png"
KEPT = "**All exercises that this page can check are solved.** One line to keep from it:"
ONCE_BET = "What comes out: bet first"
NOSCRIPT = "<noscript><p><em>The controls need JavaScript.</em></p></noscript>"


class Pages:
    """Writes the pages of a `Book` into a folder.

    `notebooks` is the folder of the book, `home` the `Home` that the pages link to, if any.
    """

    def __init__(self, book, notebooks, folder, home=None):
        self.book, self.notebooks, self.folder, self.home = book, notebooks, folder, home
        self.kept = {}  # the addresses of data, by their text
        self.further = []  # the names of pages that are no notebook's

    def write(self, chapter, nb, data_of):
        """Write the page of a notebook.

        ``data_of(cell_id)`` returns what the page must know to bring a cell to life, as JSON
        can hold it, or None for a cell that stays as it is stored.
        """
        page = _Page(self, chapter, nb, data_of)
        (self.folder / f"{chapter.name}.md").write_text(page.text(), encoding="utf-8")

    def glossary(self, chapter, nb):
        """Write the page of the terms that a notebook lists, if it lists any."""
        cells = [cell for cell in nb.cells if glossary.lists_terms(cell)]
        if cells:
            page = _Page(self, chapter, nb, {}.get)
            self.add(glossary.PAGE, glossary.glossary_page(cells, page.markdown))

    def add(self, name, text):
        """Write a page that is no notebook's."""
        (self.folder / f"{name}.md").write_text(text, encoding="utf-8")
        self.further.append(name)

    def keep(self, name, content):
        """Write a file beside the pages; return its address, as seen from each page."""
        path = self.folder / ASSETS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return f"{ASSETS}/{name}"

    def keep_data(self, name, data):
        """Write JSON, packed, once for all that have the same; return its address."""
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        if text not in self.kept:
            packed = gzip.compress(text.encode(), 9, mtime=0)
            self.kept[text] = self.keep(f"data/{name}.json.gz", packed)
        return self.kept[text]


class _Page:
    def __init__(self, pages, chapter, nb, data_of):
        self.pages, self.chapter, self.nb, self.data_of = pages, chapter, nb, data_of
        self.course = pages.book.course
        self.notebook = f"the notebook, `{chapter.file}`"
        if pages.home:
            self.notebook = f"[the notebook]({pages.home.binder(chapter.file)})"

    def text(self):
        left_out = LEFT_OUT | self.course.left_out.get(self.chapter.name, set())
        cells = [c for c in self.nb.cells if c.id not in left_out and not glossary.lists_terms(c)]
        parts = [self._head()]
        for is_before, group in itertools.groupby(cells, is_warm_up):
            made = [part for cell in group for part in self._cell(cell)]
            parts += [_warm_ups(*made)] if is_before else made
        return "\n\n".join(part for part in parts if part) + "\n"

    def _head(self):
        """Return what search engines and messengers read, with a preview of the first picture."""
        title, promise = plain(self.chapter.title), plain(self.chapter.promise)
        pictures = [
            one for cell in self.nb.cells for one in cell.get("outputs", []) if _figure(one)
        ]
        stored = [one.data[PNG] for one in pictures if PNG in one.data]
        picture = None
        if self.pages.home and stored:
            png = preview(base64.b64decode(stored[0]))
            picture = self.pages.keep(f"previews/{self.chapter.name}.png", png)
        about = f"After it you can {promise}."
        return meta_of(title, about, self.pages.home, self.chapter.name, picture)

    def _cell(self, cell):
        """Yield the parts of the page that a cell becomes."""
        if cell.cell_type == "markdown":
            yield self.prose(cell)
            return
        [tag] = [t for t in LIVE if t in cell.metadata.get("tags", [])][:1] or [""]
        if tag in ("bet", "reveal"):
            yield self._live(cell, tag, _stored(cell))
        elif tag == "exercise":
            yield from self._exercise(cell)
        elif tag == TAG:
            board = self._live(cell, TAG.replace("-", "_"), _stored(cell))
            yield _details(escape(_first_line(cell)), board, f"ndcg-{TAG}")
        elif tag:
            yield _folded("The code", cell.source)
            yield self.explorer(cell)
        else:
            is_setup = "setup" in cell.metadata.get("tags", [])
            is_drawn = any(_figure(output) for output in cell.outputs)
            if not is_drawn:
                yield _folded("Setup", cell.source) if is_setup else _code(cell.source)
            outputs = self._outputs(cell)
            yield from self._once_bet(cell, outputs) if cell.id in self._answers else outputs
            if is_drawn:  # the picture first
                yield _folded("The program that draws it", cell.source)

    # --- prose ------------------------------------------------------------------------

    def prose(self, cell):
        """Return a markdown cell as a page has it."""
        source = self.course.instead.get((self.chapter.name, cell.id), visible(cell.source))
        source = source.replace("{course}", f"{len(self.pages.book.chapters)} chapters")
        source = TIME.sub("", source)  # the page says it above its title
        source = NEEDS.sub(self._goals, source)
        if "question" not in cell.metadata.get("tags", []):  # it needs all that it says
            source = ASIDE.sub(lambda found: IN_MARGIN.format(found[1]), source)
        return self.markdown(CITED.sub(self._cited, source))

    def _goals(self, match):
        """Return what a chapter needs, and on which ways it lies, beside what it is good for."""
        paths = self.course.paths.items()
        ways = ", ".join(f"*{title}*" for title, names in paths if self.chapter.name in names)
        needs, goals = match.groups()
        needs = LINK.sub(_by_number, self._true(needs))
        on = f"**On these [paths](index.md#ways-through-it):** {ways}" if ways else ""
        return (
            '<details class="ndcg-goals"><summary>Before you start</summary><div><div>\n\n'
            f"{needs}\n\n{on}\n\n</div><div>\n\n{goals}\n\n</div></div></details>"
        )

    @functools.cached_property
    def _references(self):
        """The references of the notebook by their numbers, without their links."""
        cells = [cell.source for cell in self.nb.cells if cell.id.startswith("references")]
        found = REFERENCE.findall(visible("\n".join(cells)))
        return {number: re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text) for number, text in found}

    def _cited(self, match):
        """Return a link to the references, with the one that is meant in the margin."""
        source = self._references.get(match[1])
        if not source:
            return match[0]
        words = set_signs(escape(re.sub(r"([*`])(.+?)\1", r"\2", source)))
        return (
            f'<a class="ndcg-cite" href="#references" title="{words}">[{match[1]}]</a>'
            f'<span class="ndcg-margin" aria-hidden="true">{match[1]}. {source}</span>'
        )

    def markdown(self, text):
        """Return a text of a notebook, true on a page and with links between pages."""
        text = LINK.sub(self._link, self._true(text))
        return PICTURE.sub(self._picture, text)

    def _true(self, text):
        """Return a text with what is untrue on a page in the page's own words."""
        for sentence, words in self.course.sentences.items():
            text = text.replace(sentence, words.replace("{notebook}", self.notebook))
        return text

    def _link(self, match):
        """Return a link to another page by its title, set as one, in place of its number."""
        words, name, anchor = match[1], match[2], match[3] or ""
        title = plain(self.pages.book.by_name[name].title)
        if BY_NUMBER.fullmatch(words) or words == title:
            words = f"*{title}*"
        return f"[{words}]({name}.md{_slug(anchor)})"

    def _picture(self, match):
        content = (self.pages.notebooks / "pictures" / match[1]).read_bytes()
        return f"](/{self.pages.keep(f'pictures/{match[1]}', content)})"

    # --- what is live -----------------------------------------------------------------

    def _live(self, cell, kind, fallback, data=None):
        """Return a placeholder with its fallback, or the fallback alone where nothing is live."""
        data = self.data_of(cell.id) if data is None else data
        still = f'\n\n<div class="ndcg-fallback ndcg-{kind}">\n\n{fallback}\n\n</div>\n\n'
        if data is None:
            return f'<div id="{cell.id}">{still}</div>'
        if kind in SIGNS:
            data = in_all(SIGNS[kind], data)
        address = self.pages.keep_data(f"{self.chapter.name}-{cell.id}", data)
        return placeholder(cell.id, kind, address, still)

    def explorer(self, cell):
        """Return the placeholder of an explorer; its picture, sentence and table stand in it."""
        pictures = [self._img(cell, output) for output in cell.outputs if _figure(output)]
        still = "\n\n".join(pictures)
        if told := self.course.told.get((self.chapter.name, cell.id)):
            still = steps_list(steps_of(told), cell.id, self.markdown, still)
        return self._live(cell, kind_of(self.data_of(cell.id)), f"{still}\n\n{_stored(cell)}")

    def _img(self, cell, output):
        """Return the picture of a figure; without one, its sentence in the room of the figure."""
        sentence = set_signs(escape(output.data.get("text/plain", "")))
        if PNG not in output.data:
            height = picture_options(output.data[PLOTLY])["height"]
            return (
                f'<p class="ndcg-picture" style="min-height: {height}px">'
                f"{sentence or 'This figure needs JavaScript.'}</p>"
            )
        picture = Image.open(io.BytesIO(base64.b64decode(output.data[PNG])))
        packed = io.BytesIO()
        picture.save(packed, "WEBP", lossless=True, method=6)  # a fourth smaller than it came
        name = f"pictures/{self.chapter.name}-{cell.id}.webp"
        address = self.pages.keep(name, packed.getvalue())
        width, height = picture.size
        return (
            f'<p class="ndcg-picture"><img src="{address}" width="{width}" height="{height}" '
            f'loading="lazy" alt="{sentence}"></p>'
        )

    def _exercise(self, cell):
        """Yield a placeholder with the start, what it prints, hints and solution."""
        exercise = self.course.exercises[cell.id]
        printed = [_pre(output.text) for output in cell.outputs if output.output_type == "stream"]
        hints = [
            _details(f"Hint {n} of {len(exercise.hints)}", self.markdown(hint))
            for n, hint in enumerate(exercise.hints, start=1)
        ]
        because = self.markdown(exercise.because)
        solution = _details(
            "One solution", f"{_code(exercise.worked)}\n\n{because}", "ndcg-folded ndcg-solution"
        )
        start = _code(CHECKED.sub("", cell.source))
        yield self._live(cell, "exercise", "\n\n".join([start, *printed, *hints, solution]))
        if self.data_of(cell.id) is None:
            yield f"Your answer is checked in {self.notebook}."
        if exercise is self.course.catalog.by_notebook[self.chapter.name][-1]:
            yield self._kept()

    def _kept(self):
        """Return what a reader keeps who has solved all that the page can judge: see page.js."""
        exercises = self.course.catalog.by_notebook[self.chapter.name]
        judged = [one.name for one in exercises if self.data_of(one.name) is not None]
        if not judged:
            return ""
        line = self.markdown(self.course.catalog.lines[self.chapter.name])
        return (
            f'<div class="ndcg-kept" data-needs="{" ".join(judged)}" role="status" hidden>\n\n'
            f"{KEPT}\n\n{line}\n\n</div>"
        )

    # --- outputs ----------------------------------------------------------------------

    @functools.cached_property
    def _answers(self):
        """The cells whose output comes last before a reveal, with the name of its bet."""
        found, last = {}, None
        for cell in self.nb.cells:
            tags, data = cell.metadata.get("tags", []), self.data_of(cell.id)
            if "reveal" in tags and last and data:
                found[last] = data["bet"]
            last = None if tags else cell.id if cell.get("outputs") else last
        return found

    def _once_bet(self, cell, outputs):
        """Yield outputs that answer a bet, folded until it is placed: see host.js."""
        bet = f' data-bet="{self._answers[cell.id]}"'
        yield _details(ONCE_BET, "\n\n".join(outputs), "ndcg-answers-bet", bet)

    def _outputs(self, cell):
        for output in cell.outputs:
            if output.output_type == "stream":
                yield _pre(output.text)
            elif _figure(output):
                figure = in_all(raised, output.data[PLOTLY])
                yield self._live(cell, "figure", self._img(cell, output), figure)
            elif HTML in output.data:
                yield _captioned(_html(output.data[HTML]))
            elif text := output.data.get("text/plain"):
                yield _pre(text)


def meta_of(title, about, home, name, picture=None):
    """Return the head of a page: what search engines read, and what messengers show.

    A messenger takes whole addresses only, so without a `Home` there is no picture. A page
    without a `picture` of its own shows that of the front page.
    """
    title, about = set_signs(title), set_signs(about)
    meta = {"description": about, "property=og:title": title, "property=og:description": about}
    if home:
        meta |= {
            "property=og:type": "article",
            "property=og:url": f"{home.site}{name}.html",
            "property=og:image": f"{home.site}{picture or f'{ASSETS}/{COVER}'}",
            "name=twitter:card": "summary_large_image",
        }
    lines = [f"    {json.dumps(key)}: {json.dumps(text)}" for key, text in meta.items()]
    return "\n".join(["---", "myst:", "  html_meta:", *lines, "---"])


def preview(png):
    """Return a picture in the middle of a white card of the size that messengers show."""
    card = Image.new("RGB", PREVIEW, "white")
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture = ImageOps.contain(
        picture, (PREVIEW[0] - 80, PREVIEW[1] - 60), Image.Resampling.LANCZOS
    )
    card.paste(picture, ((PREVIEW[0] - picture.width) // 2, (PREVIEW[1] - picture.height) // 2))
    packed = io.BytesIO()
    card.quantize(64).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def kind_of(data):
    """Return which module brings an explorer to life: ``part.js`` if it has one of its own."""
    return "part" if data and "widget" in data else "explorer"


def placeholder(name, kind, address, still=""):
    """Return the element that `kind`.js brings to life, and what stands in it until then."""
    attributes = f'id="{name}" data-kind="{kind}" data-file="{address}"'
    return f'<div class="ndcg-live" {attributes}>{still}</div>'


def _figure(output):
    return PLOTLY in output.get("data", {})


def _stored(cell):
    """Return the HTML that is stored with a widget, which is for viewers without a kernel."""
    found = "".join(output.get("data", {}).get(HTML, "") for output in cell.outputs)
    return _html(found.replace(RUN_IT, NOSCRIPT))


def _first_line(cell):
    """Return the first line that a cell shows: of a problem its title."""
    return next(output.data["text/plain"].split("\n")[0] for output in cell.outputs)


def _html(text):
    """Return stored HTML as one block of markdown; its tables scroll where they are too wide."""
    text = re.sub(r"\n\s*\n", "\n", text.strip())
    return PLAIN_TABLE.sub(
        r'<div class="ndcg-table"><table class="docutils">\1</table></div>', text
    )


def _captioned(html):
    """Return what stands below a figure, with its numbers folded: the figure shows them."""
    numbers = r"^<p>(.*?)</p><details><summary>(.*?)</summary>(.*)</details>$"
    folded = r'<details class="ndcg-numbers"><summary>\2</summary><p>\1</p>\3</details>'
    return re.sub(numbers, folded, html, flags=re.DOTALL)


def _pre(text):
    """Return what a cell printed; sentences may break anew on a phone, a table may not."""
    kind = "ndcg-output" if COLUMNS.search(text) else "ndcg-output ndcg-sentences"
    return f'<pre class="{kind}">{escape(text.rstrip(chr(10)))}</pre>'


def _code(source):
    return f"```python\n{source}\n```"


def _folded(title, source):
    return _details(title, _code(source), "ndcg-code")


def _details(title, body, kind="ndcg-folded", more=""):
    return f'<details class="{kind}"{more}><summary>{title}</summary>\n\n{body}\n\n</details>'


def _warm_ups(words, *problems):
    """Return the problems of earlier notebooks in one line that opens, above what is new."""
    title, _, words = words.partition("\n\n")
    summary = f"{title.removeprefix('## ')}: {len(problems)} problems from earlier chapters"
    return _details(summary, "\n\n".join([words, *problems]), f"ndcg-{TAG}s")


def plain(title):
    """Return a title without its emphasis."""
    return title.replace("*", "")


def _by_number(match):
    """Return a link to a page by the number of its chapter, where titles would fill the lines."""
    words, name, anchor = match[1], match[2], match[3] or ""
    if not BY_NUMBER.fullmatch(words):
        return match[0]
    return f"[chapter {words[-2:]}]({name}.md{_slug(anchor)})"


def _slug(anchor):
    """Return the anchor of a heading on a page for that in JupyterLab, ``#Your-turn``."""
    return re.sub(r"[^\w#-]", "", anchor.lower())
