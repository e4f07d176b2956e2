"""Execute notebooks and write each in its one canonical form.

A notebook as JupyterLab saves it differs from save to save: times, versions,
widget state, random ids. Written by this module it changes only when what it
says changes, so that a diff can be read and a test can compare. Each plotly
figure also gets a picture with its sentence as alt text, for GitHub and for
readers without a kernel.
"""

import argparse
import asyncio
import base64
import copy
import hashlib
import io
import json
import re
import struct
import sys
import zlib
from pathlib import Path
from types import MappingProxyType

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal, DeadKernelError
from nbformat.v4 import new_output

from coursekit.authoring.book import Book, refresh_documents
from coursekit.authoring.exercises import fill_exercises
from coursekit.authoring.warm_ups import waits

PLOTLY = "application/vnd.plotly.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
PNG = "image/png"
HTML = "text/html"

METADATA = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
NO_EXERCISES = MappingProxyType({})
CELL_TIMEOUT = 600  # seconds, the same as in `make test`: a busy machine takes ten times as long
PICTURE_WIDTH, PICTURE_HEIGHT = 840, 450  # pixels; wider is cut off beside a sidebar
PNG_END, PNG_MARK = 12, 83  # bytes: of the last chunk of every PNG, and of that with its figure

SLUG = re.compile(r"[a-z][a-z0-9-]*")
# JupyterLab and nbformat invent ids such as "b3c91e0f", which look like slugs.
RANDOM_ID = re.compile(r"(?=[a-f]*\d)[0-9a-f]{8}(-.*)?")
ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")
ANSI_COLOR = re.compile(r"\x1b\[[0-9;]*m")
SOURCE_FOLDER = re.compile(r"(?<![\w.])[~/][\w./+-]*/(?=[\w-]+\.py\b)")


class NotebookError(Exception):
    """A notebook that can not be written; the message names the cell."""


def complain(name, cell, problem):
    """Make the error that names a notebook and, by its first line, a cell."""
    first_line = (cell.source.strip().splitlines() or ["(empty)"])[0]
    return NotebookError(f"{name}: the {cell.cell_type} cell {first_line!r} {problem}")


def read(path):
    """Read a notebook as it is stored; a NotebookError if it is missing or not of format 4.

    ``nbformat.read`` would give each cell without an id a random one.
    """
    try:
        text = path.read_text(encoding="utf-8")
        content = json.loads(text)
    except FileNotFoundError:
        raise NotebookError(f"{path}: no such file") from None
    except ValueError as error:  # what the JSON and the Unicode decoder raise
        raise NotebookError(f"{path}: not a notebook: {error}") from None
    if not isinstance(content, dict) or content.get("nbformat") != 4:
        raise NotebookError(f"{path}: not a notebook of format 4")
    return nbformat.v4.reads(text)


def to_text(nb):
    """Return the text of a notebook's file, with its final newline.

    ``nbformat.writes`` would also replace ids that are missing or used twice.
    """
    return nbformat.v4.writes(nb) + "\n"


def cleared(nb):
    """Return a copy without outputs and execution counts."""
    nb = copy.deepcopy(nb)
    for cell in code_cells(nb):
        cell.outputs, cell.execution_count = [], None
    return nb


def code_cells(nb):
    """List the code cells of a notebook."""
    return [cell for cell in nb.cells if cell.cell_type == "code"]


# ---------------------------------------------------------------- executing


def execute(nb, folder, name="notebook"):
    """Run a notebook in a fresh kernel, started in `folder`; return a copy with its outputs.

    Raises a NotebookError, which calls it `name`, if a cell without the tag ``raises-exception``
    raises, takes longer than `CELL_TIMEOUT`, or ends the kernel.
    """
    nb = copy.deepcopy(nb)
    client = NotebookClient(
        nb,
        kernel_name="python3",
        timeout=CELL_TIMEOUT,
        store_widget_state=False,
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
        # Without its warning that connections within this machine are not encrypted.
        extra_arguments=["--log-level=ERROR"],
    )
    with client.setup_kernel():
        for index, cell in enumerate(nb.cells):
            run_cell(client, index, cell, name)
    return nb


def run_cell(client, index, cell, name):
    """Run one cell; an error names it, which that of nbclient does not."""
    try:
        client.execute_cell(cell, index)
    except (CellControlSignal, DeadKernelError) as error:
        raise complain(name, cell, f"failed:\n{without_color(str(error))}") from None


# ---------------------------------------------------------------- canonical form


def canonical(nb, name="notebook", *, exercises=NO_EXERCISES, book=None):
    """Return a copy of a notebook in canonical form; applied twice it changes nothing.

    `name`, the file's without its suffix, is what errors say and what the ids of the widget
    views are made from; `exercises` are those of the course, by name; links, maps, minutes
    and warm-ups come from `book`. Raises a NotebookError if a cell's id is no slug of its own, an
    output holds an address, an exercise has no text, or something is not as the notebook format
    has it.
    """
    check_ids(nb, name)
    try:
        nb = fill_exercises(nb, exercises)
    except LookupError as error:
        raise NotebookError(f"{name}: {error.args[0]}") from None
    if book is not None:
        nb = book.fill(nb, name)
    cells = [canonical_cell(cell, name) for cell in nb.cells]
    content = {"nbformat": 4, "nbformat_minor": 5, "metadata": METADATA, "cells": cells}
    canonical_nb = nbformat.from_dict(content)
    try:
        nbformat.validate(canonical_nb)
    except nbformat.ValidationError as error:
        raise NotebookError(f"{name}: not a valid notebook: {error}") from None
    return canonical_nb


def check_ids(nb, name):
    """Raise a `NotebookError` unless each cell has a slug of its own as its id."""
    seen = set()
    for cell in nb.cells:
        cell_id = cell.get("id", "")
        if not is_slug(cell_id):
            raise complain(name, cell, f"needs a readable id like 'first-look', not {cell_id!r}")
        if cell_id in seen:
            raise complain(name, cell, f"has the id of an earlier cell: {cell_id!r}")
        seen.add(cell_id)


def is_slug(cell_id):
    """Tell whether a cell's id is a slug that a person chose."""
    return bool(SLUG.fullmatch(cell_id)) and not RANDOM_ID.fullmatch(cell_id)


def canonical_cell(cell, name):
    """Return one cell in canonical form."""
    cell = copy.deepcopy(cell)
    tags = sorted(set(cell.metadata.get("tags", [])))
    cell.metadata = {"tags": tags} if tags else {}
    cell.source = tidy_source(cell.source)
    if cell.cell_type == "code":
        outputs = [canonical_output(output) for output in merge_streams(cell.outputs)]
        outputs = [part for output in outputs for part in words_below(output)]
        cell.outputs = stable_views(outputs, f"{name}/{cell.id}")
        refuse_addresses(cell, name)
    return cell


def tidy_source(source):
    """Strip trailing whitespace from each line, and empty lines from the end."""
    return "\n".join(line.rstrip() for line in source.split("\n")).rstrip()


def merge_streams(outputs):
    """Join neighboring outputs of the same stream: where one ends is chance."""
    merged = []
    for output in copy.deepcopy(outputs):
        if merged and is_same_stream(merged[-1], output):
            merged[-1].text += output.text
        else:
            merged.append(output)
    return merged


def is_same_stream(one, other):
    """Tell whether two outputs are text of the same stream."""
    both_streams = one.output_type == other.output_type == "stream"
    return both_streams and one.name == other.name


def canonical_output(output):
    """Return one output with Unix line ends and, in an error, plain text."""
    output = copy.deepcopy(output)
    if output.output_type == "stream":
        output.text = unix_lines(output.text)
    elif output.output_type == "error":
        # Colors make a diff unreadable; folders are those of this machine.
        output.traceback = [
            SOURCE_FOLDER.sub("", without_color(unix_lines(line))) for line in output.traceback
        ]
    else:
        for mime in text_mimes(output):
            output.data[mime] = unix_lines(output.data[mime])
    return output


def words_below(output):
    """Return an output, and the words of a figure in an output of their own.

    GitHub and nbconvert show one form of an output and take HTML before a picture:
    beside the figure the words would hide it, below it both are seen.
    """
    data = output.get("data", {})
    if PLOTLY not in data or HTML not in data:
        return [output]
    return [output, new_output("display_data", {HTML: data.pop(HTML)})]


def text_mimes(output):
    """List the mime types of an output that hold text."""
    return [mime for mime in output.get("data", {}) if mime.startswith("text/")]


def unix_lines(text):
    """Replace Windows line ends."""
    return text.replace("\r\n", "\n")


def without_color(text):
    """Remove the codes that color text in a terminal."""
    return ANSI_COLOR.sub("", text)


def stable_views(outputs, place):
    """Replace the random model id of each widget view by one made from its place."""
    outputs = copy.deepcopy(outputs)
    for index, output in enumerate(outputs):
        view = output.get("data", {}).get(WIDGET)
        if view:
            view["model_id"] = hashlib.sha256(f"{place}/{index}".encode()).hexdigest()[:32]
    return outputs


def refuse_addresses(cell, name):
    """Raise a `NotebookError` if an output holds an address: it changes with each run."""
    for output in cell.outputs:
        found = ADDRESS.search(output_text(output))
        if found:
            raise complain(
                name, cell, f"prints the address {found[0]}; give the object a repr of its own"
            )


def output_text(output):
    """Return all text of one output: a stream's, an error's or a display's."""
    if output.output_type == "stream":
        return output.text
    if output.output_type == "error":
        return "\n".join([output.evalue, *output.traceback])
    return "\n".join(output.data[mime] for mime in text_mimes(output))


# ---------------------------------------------------------------- pictures


def picture(nb, draw=None):
    """Return a copy of a notebook with a PNG beside each plotly figure, its text as alt text.

    `draw` turns figures, as plotly's JSON, into PNG files; by default `draw_figures` does.
    """
    nb = copy.deepcopy(nb)
    outputs = plotly_outputs(nb)
    if outputs:  # no browser for a notebook without figures
        images = (draw or draw_figures)([output.data[PLOTLY] for output in outputs])
        for output, image in zip(outputs, images, strict=True):
            output.data[PNG] = base64.b64encode(marked(image, output.data[PLOTLY])).decode("ascii")
            output.metadata[PNG] = {"alt": output.data.get("text/plain", "")}
    return nb


def marked(png, figure):
    """Return a PNG with a digest of itself and of its figure, as text ahead of its last chunk."""
    digest = hashlib.sha256(json.dumps(figure, sort_keys=True).encode() + png).hexdigest()
    chunk = b"tEXtfigure\0" + digest.encode()
    text = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return png[:-PNG_END] + text + png[-PNG_END:]


def is_picture_of(png, figure):
    """Tell whether a PNG is the one that was drawn of a figure, and neither has changed since."""
    bare = png[: -PNG_END - PNG_MARK] + png[-PNG_END:]
    return marked(bare, figure) == png


def plotly_outputs(nb):
    """List the outputs of a notebook that hold a plotly figure."""
    outputs = [output for cell in code_cells(nb) for output in cell.outputs]
    return [output for output in outputs if PLOTLY in output.get("data", {})]


def find_chromium():
    """Return the path of Chromium or Chrome, or None where there is none."""
    from choreographer.browsers.chromium import Chromium

    path = Chromium.find_browser(skip_local=False)
    return path if path and Path(path).is_file() else None


def draw_figures(figures):
    """Draw figures, each with ``data`` and ``layout``, as PNG files with kaleido in one Chromium.

    Raises a NotebookError if Chromium is missing or does not start.
    """
    from choreographer.errors import BrowserFailedError

    browser = find_chromium()
    if browser is None:
        raise NotebookError(
            "The pictures need Chromium or Chrome, and there is none (or BROWSER_PATH is wrong). "
            "Install it; on Debian: apt-get install chromium"
        )
    try:
        return asyncio.run(draw_all(figures, browser))
    except BrowserFailedError as error:
        raise NotebookError(f"{browser} did not start: {error}") from error


async def draw_all(figures, browser):
    """Draw figures one after the other in one browser."""
    # Not at the top: canonical() is of use where kaleido is not installed.
    # And not kaleido's start_sync_server: when its browser fails to start,
    # the next figure waits for ever.
    from kaleido import Kaleido

    # MathJax would come from the network. Without the sandbox (kaleido's own
    # default, said aloud) because Chromium has none for root, as in a container.
    async with Kaleido(path=browser, mathjax=False, enable_sandbox=False) as kaleido:
        return [
            smaller(await kaleido.calc_fig(drawable(figure), picture_options(figure)))
            for figure in figures
        ]


def smaller(png):
    """Return a picture with 64 colors in place of millions: about a fifth of the size."""
    from PIL import Image

    image = Image.open(io.BytesIO(png)).convert("RGB")
    few = image.quantize(64, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    packed = io.BytesIO()
    few.save(packed, "PNG", optimize=True)
    return packed.getvalue()


def drawable(figure):
    """Return what kaleido draws of a figure: without the settings of the mode bar."""
    return {"data": figure["data"], "layout": figure.get("layout", {})}


def picture_options(figure):
    """Return the size of a figure's picture: a fixed width, the figure's own height."""
    height = figure.get("layout", {}).get("height") or PICTURE_HEIGHT
    return {"format": "png", "width": PICTURE_WIDTH, "height": height, "scale": 1}


# ---------------------------------------------------------------- command line


def write(path, book):
    """Execute a notebook, write it in canonical form, with pictures; return whether it changed.

    `book` is the `Book` of its folder.
    """
    name, exercises = path.stem, book.course.exercises
    # Canonical before it runs, too: a bad id shows at once, and what runs is
    # exactly the source that is written.
    nb = canonical(cleared(read(path)), name, exercises=exercises, book=book)
    ran = canonical(execute(nb, path.parent, name), name, exercises=exercises, book=book)
    return store(path, picture(ran))


def with_moved(paths, book, folder):
    """Return those paths of a folder, and of the notebooks beside them those with new warm-ups.

    Their cells have not run, which happens to them where a notebook came before them.
    """
    found = [path for path in paths if path.parent == folder]
    beside = sorted({*folder.glob("*.ipynb")} - {*found})
    return found + [path for path in beside if waits(book.fill(read(path), path.stem))]


def store(path, nb):
    """Write a notebook to its file unless it is there already; return whether it changed."""
    before, after = path.read_bytes(), to_text(nb).encode("utf-8")
    if after != before:
        path.write_bytes(after)
    return after != before


def bind(folder, course):
    """Bring links, minutes and maps up to date, in all notebooks and the texts beside them.

    Returns the files that changed. Nothing is executed.
    """
    book = Book(folder, course, read)
    changed = []
    for path in sorted(folder.glob("*.ipynb")):
        nb = canonical(read(path), path.stem, exercises=course.exercises, book=book)
        if store(path, nb):
            changed.append(path)
    return changed + refresh_documents(book, folder.parent)


def main(course, arguments=None):
    """Write the notebooks named on the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {course.package} write",
        description="Execute notebooks and write each in its one canonical form.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="notebook.ipynb")
    paths = parser.parse_args(arguments).paths
    try:
        for folder in dict.fromkeys(path.parent for path in paths):
            book = Book(folder, course, read)
            for path in with_moved(paths, book, folder):
                said = "written" if write(path, book) else "unchanged"
                print(f"{path}: {said}", flush=True)
            for path in bind(folder, course):
                print(f"{path}: links, minutes or maps brought up to date", flush=True)
    except NotebookError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0
