"""Build the site: ``make site``, or ``python -m helpers.course.site build/site``."""

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

from helpers.course.authoring.book import Book
from helpers.course.authoring.write import NotebookError, code_cells, read
from helpers.course.explorers.drag_list import DragList
from helpers.course.explorers.every_order.model import EveryOrder
from helpers.course.folder import course_folder
from helpers.course.site.front import front_page
from helpers.course.site.home import published
from helpers.course.site.live import live_cells
from helpers.course.site.pages import ASSETS, Pages
from helpers.course.site.room import room_live, room_page
from helpers.course.site.stored import stored, what_lacks
from helpers.course.widgets.controls import Choice, NumberField, Pick, Slider
from helpers.course.widgets.pad import DiscountPad
from helpers.course.widgets.part import STATIC, join
from helpers.course.widgets.stage import Stage
from helpers.course.widgets.state_line import StateLine

HERE = Path(__file__).parent
HELPERS = HERE.parents[1]
ROOT = course_folder()
NOTEBOOKS = ROOT / "notebooks"
LOCK = ROOT / "requirements-dev.lock"
CACHE = ROOT / "build" / "live"
AS_IT_IS = "as_it_is"  # a folder of pages that are not Sphinx's
WIDGETS = (Slider, NumberField, Choice, Pick, DiscountPad, Stage, StateLine, DragList, EveryOrder)


def write_pages(folder, live, home=None, notebooks=NOTEBOOKS):
    """Write the pages of all notebooks, the front page and what belongs to them into a folder.

    `live` maps a notebook's file name to what its page must know, as `live_cells` returns it;
    `home` is the `Home` that they link to, if there is one. Returns the `Pages`.
    """
    shutil.copytree(HERE / "static", folder / ASSETS)
    write_widgets(folder / ASSETS)
    book = Book(notebooks, read)
    pages = Pages(book, notebooks, folder, home)
    for chapter in book.chapters:
        pages.write(chapter, stored(notebooks / chapter.file), live[chapter.file].get)
    first = book.chapters[0]
    nb = stored(notebooks / first.file)
    opening = pages.opening(first, nb, "drag", live[first.file].get)
    (folder / "index.md").write_text(front_page(book, opening, home), encoding="utf-8")
    return pages


def write_room(pages, room, live):
    """Write the page for a room beside the pages of the notebooks."""
    names = {chapter.file: chapter.name for chapter in pages.book.chapters}
    cells = {
        source: (f"{names[file]}-{cell_id}", live[file].get(cell_id))
        for source, (file, cell_id) in explorer_cells(pages.notebooks).items()
    }
    folder = pages.folder / AS_IT_IS
    folder.mkdir()
    page = room_page(room, cells, pages.keep_data)
    (folder / "room.html").write_text(page, encoding="utf-8")


def write_widgets(folder):
    """Write the widgets' modules, as JupyterLab gets them, and all their styles."""
    (folder / "widgets").mkdir()
    for widget in WIDGETS:
        (folder / "widgets" / f"{widget.__name__}.js").write_text(widget._esm, encoding="utf-8")
    styles = sorted(STATIC.glob("*.css"), key=lambda path: path.name != "stage.css")
    (folder / "widgets.css").write_text(join(*(path.name for path in styles)), encoding="utf-8")


def all_live(notebooks=NOTEBOOKS, cache=CACHE):
    """Return `room_live`, and `live_cells` of each notebook by its file name.

    They take a minute, on two processes. What the same source gave before is kept in `cache`.
    """
    calls = sorted(explorer_cells(notebooks))
    with ProcessPoolExecutor(2) as pool:
        kept = functools.partial(pool.submit, _kept, cache)
        live = {"room": kept("room", repr(calls).encode(), room_live, calls)}
        for path in sorted(notebooks.glob("*.ipynb")):
            live[path.name] = kept(path.stem, sources(path), live_cells, path)
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


def sources(path):
    """Return what the live cells of a notebook follow from, as bytes: its code, no output."""
    cells = code_cells(stored(path))
    return repr([(cell.id, cell.source, cell.metadata.get("tags")) for cell in cells]).encode()


def explorer_cells(notebooks):
    """Return where the explorers of the notebooks are, by the source of their cells."""
    return {
        cell.source: (path.name, cell.id)
        for path in sorted(notebooks.glob("*.ipynb"))
        for cell in code_cells(stored(path))
        if "explorer" in cell.metadata.get("tags", [])
    }


def key_of(own_source, helpers=HELPERS, lock=LOCK):
    """Return a text that is another one once the source, the helpers or a package changes.

    What a page must know follows from them; modules and styles of the page do not matter.
    """
    sources = sorted(source for end in ("py", "md") for source in helpers.rglob(f"*.{end}"))
    # What is installed elsewhere has no lock file.
    texts = [own_source, *(source.read_bytes() for source in [lock, *sources] if source.exists())]
    return hashlib.sha256(b"".join(texts)).hexdigest()[:16]


def _kept(cache, name, own_source, make, given):
    kept = cache / f"{name}-{key_of(own_source)}.json"
    if not kept.exists():
        text = json.dumps(make(given))
        cache.mkdir(parents=True, exist_ok=True)
        for old in cache.glob(f"{name}-*"):
            old.unlink()
        kept.write_text(text, encoding="utf-8")
    return json.loads(kept.read_text(encoding="utf-8"))


def build(target, home=None):
    """Build the site in a folder; return Sphinx's exit status. A warning is an error.

    It links to a `Home`, if there is one. A build that fails leaves the site of the one before.
    """
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        if words := what_lacks(path):
            say(words)
    room, live = all_live()
    say("Pages are written and set.")
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary) / "pages"
        write_room(write_pages(source, live, home), room, live)
        built = Path(temporary) / "site"
        status = typeset(source, built)
        if status == 0:
            shutil.rmtree(target, ignore_errors=True)
            shutil.move(built, target)
        return status


def typeset(source, built):
    """Let Sphinx make a site of a folder of pages; return its exit status."""
    with tempfile.TemporaryDirectory() as trees:
        return sphinx(
            [
                *("-q", "-W", "-b", "html", "-c", str(HERE), "-d", trees),
                *("-D", f"html_static_path={source / '_static'}"),
                *("-D", f"html_extra_path={source / AS_IT_IS}", str(source), str(built)),
            ]
        )


def main(arguments=None):
    """Build the site in the folder named on the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m helpers.course.site", description=__doc__)
    parser.add_argument("target", type=Path, metavar="build/site")
    target = parser.parse_args(arguments).target
    if not any(NOTEBOOKS.glob("*.ipynb")):
        parser.error(f"no notebooks in {NOTEBOOKS}: go to the folder of the course")
    try:
        home = published()
    except ValueError as error:
        parser.error(str(error))
    try:
        return build(target, home)
    except NotebookError as error:
        print(
            f"error: {error}; mend it in JupyterLab, Run All and save, or bring back the one that "
            f"you were given with git checkout; {target} is as it was before",
            file=sys.stderr,
        )
        return 1


if __name__ == "__main__":
    sys.exit(main())
