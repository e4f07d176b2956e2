"""An empty page that has the modules of the site, and what a notebook shows, without a server."""

import contextlib
import functools
import gzip
import io
import json
import re
from pathlib import Path

from course.content import COURSE
from coursekit import site
from coursekit.authoring.book import Book
from coursekit.authoring.write import code_cells, read
from coursekit.site.build import NOTEBOOKS, SHARED
from coursekit.site.run import run_cell
from coursekit.widgets.state_line import Restorable

STATIC = (Path(site.__file__).parent / "static", *COURSE.static)
ADDRESS = "http://127.0.0.1:8000/"  # nobody is asked: every request is answered here
KINDS = {".js": "text/javascript", ".css": "text/css"}
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>An exercise</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="exercise.css"><main></main></html>"""
LISTS = re.compile(r"^(?:drag_list|every_order)\(", re.MULTILINE)  # which the page computes
BOOK = Book(NOTEBOOKS, COURSE, read)


def open_site_page(page):
    """Open the empty page; its scripts can import ``/judge.js``."""
    page.route(f"{ADDRESS}**", _answer)
    page.goto(ADDRESS)
    return page


def _answer(route):
    name = route.request.url.removeprefix(ADDRESS)
    made = COURSE.modules() | {SHARED.name: SHARED.read_text(encoding="utf-8")}
    files = [folder / name for folder in STATIC if (folder / name).is_file()]
    if not name:
        route.fulfill(body=PAGE, content_type="text/html")
    elif name in made or files:
        body = made[name] if name in made else files[0].read_text(encoding="utf-8")
        route.fulfill(body=body, content_type=KINDS[Path(name).suffix])
    else:  # without an answer a page would wait for ever
        route.fulfill(status=404)


# --- the explorers of the notebooks, as the pages have them ---------------------------


def explorer_cells(name, *, lists=True):
    """Return the ids of the cells of a notebook that show an explorer, lists to drag or not."""
    cells = code_cells(read(NOTEBOOKS / BOOK.by_name[name].file))
    tagged = [cell for cell in cells if {"explorer", "widget"} & {*cell.metadata.get("tags", [])}]
    wanted = [cell for cell in tagged if lists or not LISTS.search(cell.source)]
    return [cell.id for cell in wanted if cell.id != "self-test"]


@functools.cache
def twins(name):
    """Return the explorers of a notebook by the cell's id: it runs as far as the last of them."""
    path, found = NOTEBOOKS / BOOK.by_name[name].file, {}
    wanted, scope = explorer_cells(name), {"display": lambda *_parts, **_options: None}
    with contextlib.chdir(path.parent), contextlib.redirect_stdout(io.StringIO()):
        for cell in code_cells(read(path)):
            if len(found) < len(wanted):
                shown = run_cell(cell.source, scope)
                if isinstance(shown, Restorable):
                    found[cell.id] = shown
    assert list(found) == wanted
    return found


def built(site, name, cell):
    """Return what the page of a built site gets for a live cell."""
    packed = (site / f"_static/course/data/{name}-{cell}.json.gz").read_bytes()
    return json.loads(gzip.decompress(packed))
