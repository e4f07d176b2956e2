"""The writer: what it keeps, what it drops, what it refuses, and that twice is once."""

import base64
import io
import json
import shutil
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from course.content import COURSE
from course.exercises import CATALOG
from coursekit.authoring import write as writer

needs_chromium = pytest.mark.skipif(
    writer.find_chromium() is None, reason="drawing figures needs Chromium or Chrome"
)


def notebook(*cells):
    """Build a notebook; what JupyterLab adds on its own is there to be dropped."""
    metadata = {
        "kernelspec": {"display_name": "mine", "language": "python", "name": "mine"},
        "language_info": {"name": "python", "version": "3.11.2"},
        "widgets": {"application/vnd.jupyter.widget-state+json": {"state": {}}},
        "authors": [{"name": "A person"}],
    }
    nb = new_notebook(metadata=metadata)
    nb.cells = list(cells)
    return nb


def code(cell_id, source="", *outputs, **metadata):
    """Make a code cell; nbformat's own function would repair a bad id and bad tags."""
    cell = new_code_cell(source, outputs=list(outputs))
    cell.id, cell.metadata = cell_id, nbformat.from_dict(metadata)
    return cell


def stream(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def display(**data):
    return new_output("display_data", {mime.replace("_", "/"): v for mime, v in data.items()})


def view(model_id):
    return new_output("display_data", {writer.WIDGET: {"model_id": model_id, "version_major": 2}})


def figure(**layout):
    bars = {"data": [{"type": "bar", "y": [1, 2]}], "layout": layout, "config": {"logo": False}}
    return new_output("display_data", {writer.PLOTLY: bars})


def only_cell(nb):
    return writer.canonical(nb).cells[0]


def png(width):
    packed = io.BytesIO()
    Image.new("1", (width, 1)).save(packed, "PNG")
    return packed.getvalue()


def png_size(data):
    return struct.unpack(">II", base64.b64decode(data)[16:24])


# ------------------------------------------------------------ canonical()


def test_notebook_metadata_is_the_common_one():
    assert writer.canonical(notebook()).metadata == {
        "kernelspec": {
            "display_name": "Python 3 (ipykernel)",
            "language": "python",
            "name": "python3",
        },
        "language_info": {"name": "python"},
    }


def test_cell_metadata_is_sorted_tags_or_nothing():
    execution = {"iopub.execute_input": "2026-01-01T00:00:00Z"}
    tagged = code("a", execution=execution, tags=["b", "a", "b"], collapsed=True)
    assert only_cell(notebook(tagged)).metadata == {"tags": ["a", "b"]}
    assert only_cell(notebook(code("a", execution=execution, tags=[]))).metadata == {}


def test_source_loses_trailing_whitespace():
    nb = notebook(code("a", "x = 1  \n\ny = 2\t\n\n"), new_markdown_cell("# A \n", id="b"))
    assert [cell.source for cell in writer.canonical(nb).cells] == ["x = 1\n\ny = 2", "# A"]


def test_neighboring_streams_of_one_name_are_joined():
    outputs = [stream("1\r\n"), stream("2"), stream("3", "stderr"), stream("4"), view("a")]
    written = only_cell(notebook(code("a", "", *outputs))).outputs
    assert [output.get("text") for output in written] == ["1\n2", "3", "4", None]


def test_view_gets_an_id_from_its_place():
    ids = {}
    for model_id in ("1" * 32, "2" * 32):
        nb = notebook(code("a", "", view(model_id), view(model_id)), code("b", "", view(model_id)))
        for name in ("00_a", "01_b"):
            cells = writer.canonical(nb, name).cells
            views = [output.data[writer.WIDGET] for cell in cells for output in cell.outputs]
            ids[model_id, name] = [view.model_id for view in views]
    assert ids["1" * 32, "00_a"] == ids["2" * 32, "00_a"]
    assert all(len(i) == 32 and int(i, 16) for i in ids["1" * 32, "00_a"])
    assert len({i for places in ids.values() for i in places}) == 6


def test_words_of_a_figure_go_below_it():
    """Beside it they would hide its picture where nothing is live."""
    drawn = figure()
    drawn.data["text/html"] = "<p>Two bars.</p>"
    outputs = only_cell(notebook(code("a", "", drawn, view("a"), display(text_html="b")))).outputs
    assert [set(output.data) for output in outputs] == [
        {writer.PLOTLY},
        {"text/html"},
        {writer.WIDGET},
        {"text/html"},
    ]
    assert outputs[1].data["text/html"] == "<p>Two bars.</p>"


def test_traceback_names_no_folder_and_has_no_color():
    lines = [
        "\x1b[31mFile\x1b[39m /home/me/src/ndcglib/metrics.py:12, in dcg",
        "File ~/a-b/c.py:1",
    ]
    error = new_output("error", ename="E", evalue="e", traceback=lines)
    written = only_cell(notebook(code("a", "", error))).outputs[0]
    assert written.traceback == ["File metrics.py:12, in dcg", "File c.py:1"]


@pytest.mark.parametrize(
    "output",
    [
        display(text_plain="<A object at 0x7f16a1b2c3d0>"),
        display(text_html="<p>0x7f16a1b2c3d0</p>"),
        stream("<A object at 0x7f16a1b2c3d0>\n"),
        new_output("error", ename="E", evalue="<A at 0x7F16A1B2C3D0>", traceback=[]),
    ],
    ids=["text/plain", "text/html", "stream", "error"],
)
def test_address_is_refused_and_its_cell_named(output):
    nb = notebook(code("fine", "1"), code("bad", "first = line\nsecond", output))
    with pytest.raises(writer.NotebookError, match=r"00_a: .*'first = line'.* 0x7[fF]16"):
        writer.canonical(nb, "00_a")


@pytest.mark.parametrize("cell_id", ["A-slug", "1st", "a_b", "b3c91e0f", "", "e1d2c3b4-1a"])
def test_id_that_is_no_slug_is_refused_and_its_cell_named(cell_id):
    with pytest.raises(writer.NotebookError, match="first = line"):
        writer.canonical(notebook(code(cell_id, "\nfirst = line\nsecond")))


def test_id_used_twice_is_refused_and_its_cell_named():
    with pytest.raises(writer.NotebookError, match="second = cell"):
        writer.canonical(notebook(code("a", "first = cell"), code("a", "second = cell")))


def test_slugs_are_kept():
    ids = ["a", "worked-example", "second-look-2", "faded", "decade"]
    cells = writer.canonical(notebook(*map(code, ids))).cells
    assert [cell.id for cell in cells] == ids


def test_twice_is_once_and_the_input_stays():
    nb = notebook(code("a", "x ", stream("1"), stream("2"), view("0" * 32), tags=["b", "a"]))
    before = writer.to_text(nb)
    once = writer.canonical(nb)
    assert writer.to_text(nb) == before
    assert writer.to_text(writer.canonical(once)) == writer.to_text(once) != before


def test_what_the_format_forbids_is_refused():
    with pytest.raises(writer.NotebookError, match="not a valid notebook"):
        writer.canonical(notebook(code("a", "", tags=["one,two"])))


# ------------------------------------------------------------ read(), picture() and the errors


def test_missing_id_is_refused_not_invented(tmp_path):
    path = tmp_path / "00_a.ipynb"
    nb = notebook(code("a", "first = line"))
    del nb.cells[0]["id"]
    path.write_text(nbformat.v4.writes(nb), encoding="utf-8")
    with pytest.raises(writer.NotebookError, match="first = line"):
        writer.canonical(writer.read(path))


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"nbformat": 3, "worksheets": []}'])
def test_what_is_no_notebook_is_named(tmp_path, text):
    path = tmp_path / "00_a.ipynb"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(writer.NotebookError, match=r"00_a\.ipynb"):
        writer.read(path)


def test_running_a_notebook_alarms_nobody(tmp_path, capfd):
    assert writer.execute(new_notebook(cells=[new_code_cell("1")]), tmp_path).cells[0].outputs
    assert capfd.readouterr() == ("", "")


def test_each_figure_gets_the_picture_that_was_drawn_of_it():
    def draw(figures):
        return [png(len(figure["layout"]["name"])) for figure in figures]

    nb = notebook(code("a", "", figure(name="1"), stream("-")), code("b", "", figure(name="22")))
    nb.cells[1].outputs[0].data["text/plain"] = "Two bars."
    outputs = writer.plotly_outputs(writer.picture(nb, draw))
    assert [png_size(output.data[writer.PNG]) for output in outputs] == [(1, 1), (2, 1)]
    assert [output.metadata[writer.PNG]["alt"] for output in outputs] == ["", "Two bars."]


def test_a_picture_knows_its_figure_and_is_still_a_picture():
    drawn = {"data": [{"type": "bar", "y": [0.99, 1e-17, None]}], "layout": {"height": 300}}
    marked = writer.marked(png(3), drawn)
    assert len(marked) == len(png(3)) + writer.PNG_MARK
    with Image.open(io.BytesIO(marked)) as image:
        image.load()  # wrong sums of its parts would raise
        assert (image.size, len(image.text["figure"])) == ((3, 1), 64)
    assert writer.is_picture_of(marked, json.loads(json.dumps(drawn)))
    assert not writer.is_picture_of(png(3), drawn)
    assert not writer.is_picture_of(writer.marked(png(4), {}), drawn)
    assert not writer.is_picture_of(marked, drawn | {"layout": {"height": 301}})


def test_picture_has_the_figures_height_and_a_fixed_width():
    assert writer.picture_options({"data": [], "layout": {"height": 300, "width": 200}}) == {
        "format": "png",
        "width": 840,
        "height": 300,
        "scale": 1,
    }
    assert writer.picture_options({"data": []})["height"] == 450


def test_missing_chromium_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("BROWSER_PATH", str(tmp_path / "none"))
    with pytest.raises(writer.NotebookError, match="apt-get install chromium"):
        writer.picture(notebook(code("a", "", figure())))
    without = notebook(code("a", "", stream("1")))
    assert writer.picture(without) == without  # starts no browser


# With kaleido's own server instead, the writer would wait for ever here.
@pytest.mark.skipif(shutil.which("false") is None, reason="needs the command `false`")
def in_a_thread(call, *arguments):
    """Call where no event loop runs: that of a worker's browser runs in its main thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call, *arguments).result()


def test_browser_that_ends_at_once_is_said(monkeypatch):
    monkeypatch.setattr(writer, "find_chromium", lambda: shutil.which("false"))
    with pytest.raises(writer.NotebookError, match="did not start"):
        in_a_thread(writer.draw_figures, [{"data": [], "layout": {}}])


# ------------------------------------------------------------ the whole, with a kernel

FIGURE = """\
from IPython.display import display
import plotly.graph_objects as go
display(go.Figure(go.Bar(y=[1, 2]), layout={'height': 300, 'template': 'none'}))"""


def written(tmp_path, *cells):
    path = tmp_path / "00_tiny.ipynb"
    nbformat.write(notebook(new_markdown_cell("# Tiny", id="title"), *cells), path)
    return path


@needs_chromium
def test_writing_twice_changes_no_byte(tmp_path, capsys):
    path = written(
        tmp_path,
        code("words", "import sys\nprint('a', flush=True); print('b')  \nsys.stdout.flush()"),
        code("figure", FIGURE),
        code("widget", "import ipywidgets\nipywidgets.IntSlider()"),
        code("wrong", "1 / 0", tags=["raises-exception"]),
        code("where", "from pathlib import Path\nprint([p.name for p in Path().glob('*.ipynb')])"),
    )
    assert in_a_thread(writer.main, COURSE, [str(path)]) == 0
    first = path.read_bytes()
    assert in_a_thread(writer.main, COURSE, [str(path)]) == 0
    assert path.read_bytes() == first
    assert capsys.readouterr().out.split() == [f"{path}:", "written", f"{path}:", "unchanged"]

    cells = writer.code_cells(writer.read(path))
    assert [cell.execution_count for cell in cells] == [1, 2, 3, 4, 5]
    assert cells[0].outputs == [stream("a\nb\n")]
    assert png_size(cells[1].outputs[0].data[writer.PNG]) == (840, 300)
    assert set(cells[2].outputs[0].data) == {writer.WIDGET, "text/plain"}
    assert cells[3].outputs[0].evalue == "division by zero"
    assert cells[4].outputs == [stream("['00_tiny.ipynb']\n")]
    assert b"widget-state" not in first
    assert first.endswith(b"}\n")


def test_cell_that_raises_stops_and_is_named(tmp_path, capsys):
    path = written(tmp_path, code("good", "print(1)"), code("bad", "x = 1\nx / 0"))
    before = path.read_bytes()
    assert in_a_thread(writer.main, COURSE, [str(path)]) == 1
    message = capsys.readouterr().err
    assert "00_tiny: the code cell 'x = 1'" in message
    assert "ZeroDivisionError" in message
    assert path.read_bytes() == before


def test_paths_are_needed():
    with pytest.raises(SystemExit):
        writer.main(COURSE, [])
    assert writer.main(COURSE, [str(Path("no") / "such.ipynb")]) == 1


# ------------------------------------------------------------ exercises from the catalog


def question(name, tags=("question",)):
    return new_markdown_cell("", id=f"{name}-question", metadata={"tags": list(tags)})


def blank_cell(name):
    return new_code_cell("", id=name, metadata={"tags": ["exercise"]})


def test_exercises_are_filled_and_numbered():
    cells = [make(name) for name in ("my-dcg", "wrong-term") for make in (question, blank_cell)]
    sources = [
        cell.source for cell in writer.canonical(notebook(*cells), exercises=CATALOG.all).cells
    ]
    assert sources[0].startswith("**1. Fill in the sum.**")
    assert sources[1] == CATALOG.all["my-dcg"].cell(1)
    assert sources[2].startswith("**2. Find the wrong term.**")
    assert 'q2 = exercise("wrong-term")' in sources[3]


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ([blank_cell("my-dcg")], "'my-dcg' does not follow its question"),
        ([question("my-dcg")], "'my-dcg' is not followed"),
        ([question("my-dcg"), blank_cell("wrong-term")], "'my-dcg' is not followed"),
        (
            [question("my-dcg"), new_markdown_cell("x", id="between"), blank_cell("my-dcg")],
            "'my-dcg' is not followed",
        ),
        ([question("nope"), blank_cell("nope")], "no exercise 'nope'"),
    ],
)
def test_exercises_out_of_order_are_refused(cells, says):
    with pytest.raises(writer.NotebookError, match=says):
        writer.canonical(notebook(*cells), exercises=CATALOG.all)
