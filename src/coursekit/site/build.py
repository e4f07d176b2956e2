"""Build the site of a course."""

import argparse
import functools
import hashlib
import json
import shutil
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from sphinx.cmd.build import main as sphinx

from coursekit.authoring.book import Book
from coursekit.authoring.write import NotebookError, code_cells, read
from coursekit.bets.bet import CSS as BETS
from coursekit.bets.drawn import STYLES as DRAWN
from coursekit.folder import course_folder
from coursekit.site.contents import CONTENTS, contents
from coursekit.site.front import front_page
from coursekit.site.home import published
from coursekit.site.live import live_cells
from coursekit.site.pages import ASSETS, COVER, Pages, placeholder
from coursekit.site.room import room_live, room_page
from coursekit.site.stored import stored, what_lacks
from coursekit.widgets.controls import Choice, NumberField, Pick, Slider
from coursekit.widgets.pad import DiscountPad
from coursekit.widgets.part import COMMENT, STATIC, module, styles
from coursekit.widgets.stage import Stage
from coursekit.widgets.state_line import StateLine

HERE = Path(__file__).parent
ROOT = course_folder()
NOTEBOOKS = ROOT / "notebooks"
LOCK = ROOT / "requirements-dev.lock"
CACHE = ROOT / "build" / "live"
AS_IT_IS = "as_it_is"  # a folder of pages that are not Sphinx's
SITEMAP = f"{AS_IT_IS}/sitemap.xml"
URLSET = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{}
</urlset>
"""
NOT_FOUND = """---
orphan: true
---

# There is no such page

It may have been renamed. The [front page](index.md) has all chapters, and *Search* finds a word.
"""
SHARED = STATIC / "typeset.js"  # with explorer.js
WIDGETS = (Slider, NumberField, Choice, Pick, DiscountPad, Stage, StateLine)


def write_pages(course, folder, live, home=None, notebooks=NOTEBOOKS):
    """Write the pages of all notebooks, the front page and what belongs to them into a folder.

    `live` maps a notebook's file name to what its page must know, as `live_cells` returns it;
    `home` is the `Home` that they link to, if there is one. Returns the `Pages`.
    """
    for static in (HERE / "static", *course.static):
        shutil.copytree(static, folder / ASSETS, dirs_exist_ok=True)
    for script in (folder / ASSETS).glob("*.js"):  # no reader needs comments and empty lines
        script.write_text(COMMENT.sub("", script.read_text(encoding="utf-8")), encoding="utf-8")
    write_widgets(course, folder / ASSETS)
    first = folder / ASSETS / "site.css"  # what a bet looks like is known before it is live
    first.write_text(styles(first, DRAWN), encoding="utf-8")
    for sheet in (folder / ASSETS).glob("*.css"):
        sheet.write_text(styles(sheet), encoding="utf-8")
    for name, source in course.modules().items():
        (folder / ASSETS / name).write_text(source, encoding="utf-8")
    book = Book(notebooks, course, read)
    pages = Pages(book, notebooks, folder, home)
    for chapter in book.chapters:
        nb = stored(notebooks / chapter.file, course.exercises)
        pages.write(chapter, nb, live[chapter.file].get)
        pages.glossary(chapter, nb)
    for name, page in course.pages.items():
        pages.add(name, page(pages.keep_data, placeholder))
    (folder / "404.md").write_text(NOT_FOUND, encoding="utf-8")
    opening = course.opening(pages.keep_data, placeholder)
    front = front_page(book, opening, home, pages.further)
    (folder / "index.md").write_text(front, encoding="utf-8")
    if home:
        pages.keep(COVER, (notebooks / "pictures" / "front.png").read_bytes())
        write_sitemap(pages)
    (folder / CONTENTS).write_text(
        json.dumps(contents(book, pages.further, home)), encoding="utf-8"
    )
    return pages


def write_sitemap(pages):
    """Write the addresses of all pages, for search engines, beside them."""
    names = ["index", *pages.book.by_name, *pages.further]
    lines = [f"<url><loc>{pages.home.site}{name}.html</loc></url>" for name in names]
    sitemap = pages.folder / SITEMAP
    sitemap.parent.mkdir(exist_ok=True)
    sitemap.write_text(URLSET.format("\n".join(lines)), encoding="utf-8")


def write_room(pages, room, live):
    """Write the page for a room beside the pages of the notebooks."""
    course = pages.book.course
    names = {chapter.file: chapter.name for chapter in pages.book.chapters}
    cells = {
        source: (f"{names[file]}-{cell_id}", live[file].get(cell_id))
        for source, (file, cell_id) in explorer_cells(course, pages.notebooks).items()
    }
    folder = pages.folder / AS_IT_IS
    folder.mkdir(exist_ok=True)
    page = room_page(course, room, cells, pages.keep_data)
    (folder / "room.html").write_text(page, encoding="utf-8")


def write_widgets(course, folder):
    """Write the widgets' modules, as JupyterLab gets them, and all their styles."""
    (folder / SHARED.name).write_text(module(SHARED), encoding="utf-8")
    (folder / "widgets").mkdir()
    for widget in (*WIDGETS, *course.widgets):
        (folder / "widgets" / f"{widget.__name__}.js").write_text(widget._esm, encoding="utf-8")
    own = sorted(STATIC.glob("*.css"), key=lambda path: (path.name != "stage.css", path.name))
    css = f"{styles(*own, *course.styles)}\n{BETS}"
    (folder / "widgets.css").write_text(css, encoding="utf-8")


def all_live(course, notebooks=NOTEBOOKS, cache=CACHE):
    """Return `room_live`, and `live_cells` of each notebook by its file name.

    They take a minute, on two processes. What the same source gave before is kept in `cache`.
    """
    calls = sorted(explorer_cells(course, notebooks))
    with ProcessPoolExecutor(2) as pool:
        kept = functools.partial(pool.submit, _kept, course, cache)
        live = {"room": kept("room", repr(calls).encode(), room_live, calls)}
        for path in sorted(notebooks.glob("*.ipynb")):
            live[path.name] = kept(path.stem, sources(course, path), live_cells, path)
        names = {future: name for name, future in live.items()}
        try:
            for done, future in enumerate(as_completed(names), start=1):
                future.result()
                say(f"What is live on the pages: {done} of {len(names)}, {names[future]}")
        except NotebookError:
            pool.shutdown(cancel_futures=True)
            raise
        live = {name: future.result() for name, future in live.items()}
        return live.pop("room"), live


def say(words):
    """Tell at once how far the build is."""
    print(words, flush=True)


def sources(course, path):
    """Return what the live cells of a notebook follow from, as bytes: its code, no output."""
    cells = code_cells(stored(path, course.exercises))
    return repr([(cell.id, cell.source, cell.metadata.get("tags")) for cell in cells]).encode()


def explorer_cells(course, notebooks):
    """Return where the explorers of the notebooks are, by the source of their cells."""
    return {
        cell.source: (path.name, cell.id)
        for path in sorted(notebooks.glob("*.ipynb"))
        for cell in code_cells(stored(path, course.exercises))
        if "explorer" in cell.metadata.get("tags", [])
    }


def key_of(own_source, code, lock=LOCK):
    """Return a text that is another one once the source, the code or a package changes.

    `code` are folders, besides the one of what makes bets and explorers.

    What a page must know follows from them; modules and styles of the page do not matter.
    """
    sources = sorted(
        one
        for folder in (HERE.parent, *code)
        for end in ("py", "md")
        for one in folder.rglob(f"*.{end}")
    )
    # What is installed elsewhere has no lock file.
    texts = [own_source, *(source.read_bytes() for source in [lock, *sources] if source.exists())]
    return hashlib.sha256(b"".join(texts)).hexdigest()[:16]


def _kept(course, cache, name, own_source, make, given):
    kept = cache / f"{name}-{key_of(own_source, course.code)}.json"
    if not kept.exists():
        text = json.dumps(make(course, given))
        cache.mkdir(parents=True, exist_ok=True)
        for old in cache.glob(f"{name}-*"):
            old.unlink()
        kept.write_text(text, encoding="utf-8")
    return json.loads(kept.read_text(encoding="utf-8"))


def build(course, target, home=None):
    """Build the site in a folder; return Sphinx's exit status. A warning is an error.

    It links to a `Home`, if there is one. A build that fails leaves the site of the one before.
    """
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        if words := what_lacks(path):
            say(words)
    room, live = all_live(course)
    say("Pages are written and set.")
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary) / "pages"
        write_room(write_pages(course, source, live, home), room, live)
        built = Path(temporary) / "site"
        status = typeset(course, source, built)
        if status == 0:
            shutil.rmtree(target, ignore_errors=True)
            shutil.move(built, target)
        return status


def typeset(course, source, built):
    """Let Sphinx make a site of a folder of pages; return its exit status."""
    with tempfile.TemporaryDirectory() as trees:
        return sphinx(
            [
                *("-D", f"project={course.title}", "-D", f"html_title={course.title}"),
                *("-q", "-W", "-b", "html", "-c", str(HERE), "-d", trees),
                *("-D", f"html_static_path={source / '_static'}"),
                *("-D", f"html_extra_path={source / AS_IT_IS}", str(source), str(built)),
            ]
        )


def main(course, arguments=None):
    """Build the site in the folder named on the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog=f"python -m {course.package} site", description=__doc__)
    parser.add_argument("target", type=Path, metavar="build/site")
    target = parser.parse_args(arguments).target
    if not any(NOTEBOOKS.glob("*.ipynb")):
        parser.error(f"no notebooks in {NOTEBOOKS}: go to the folder of the course")
    try:
        home = published()
    except ValueError as error:
        parser.error(str(error))
    try:
        return build(course, target, home)
    except NotebookError as error:
        print(
            f"error: {error}; mend it in JupyterLab, Run All and save, or bring back the one that "
            f"you were given with git checkout; {target} is as it was before",
            file=sys.stderr,
        )
        return 1
