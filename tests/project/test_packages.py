"""The wheel and the source distribution hold what the code reads, and a wheel runs on its own."""

import os
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path

import lab
import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = "import sys, setuptools.build_meta as b; getattr(b, sys.argv[1])('dist')"
SITE = """
from pathlib import Path
import coursekit.site.build as site
from course.content import COURSE
live = {path.name: site.live_cells(COURSE, path) for path in site.NOTEBOOKS.glob("*.ipynb")}
pages = site.write_pages(COURSE, Path("pages").resolve(), live)
(pages.folder / site.AS_IT_IS).mkdir()
assert site.typeset(COURSE, pages.folder, Path("site")) == 0
"""
EXERCISE = """
from helpers.notebook import exercise, slide_k
explorer = slide_k()
explorer.set(k=2)
print(explorer.stage.figure["data"][0]["type"])
print(exercise("dcg-of-302").check(0))
"""


def python(folder, *arguments, path=""):
    """Run Python in a folder, with the packages of this environment; return what it prints."""
    environment = {**os.environ, "PYTHONPATH": str(path)}
    command = [sys.executable, *map(str, arguments)]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.fixture(scope="module", name="tracked")
def _tracked():
    """Return the files of the checkout that Git knows, or would."""
    git = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        run = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("needs Git, and a checkout")
    return {name for name in run.stdout.splitlines() if (ROOT / name).is_file()}


@pytest.fixture(scope="module", name="unpacked")
def _unpacked(tracked, tmp_path_factory):
    """Return the folder of a source distribution, unpacked; `dist` in it has the wheel."""
    folder = tmp_path_factory.mktemp("built")
    for name in tracked:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((ROOT / name).read_bytes())
    python(folder, "-c", BUILD, "build_sdist")
    [archive] = (folder / "dist").iterdir()
    with tarfile.open(archive) as tar:
        tar.extractall(folder / "sdist", filter="data")
    [inside] = (folder / "sdist").iterdir()
    python(inside, "-c", BUILD, "build_wheel")
    return inside


@pytest.fixture(scope="module", name="wheel")
def _wheel(unpacked):
    [wheel] = (unpacked / "dist").glob("*.whl")
    return wheel


@pytest.fixture(scope="module", name="installed")
def _installed(wheel, tmp_path_factory):
    """Return the folder that the wheel is installed in, without its dependencies."""
    folder = tmp_path_factory.mktemp("installed")
    pip = ["-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", folder, wheel]
    python(folder, *pip)
    return folder


def test_the_source_distribution_holds_what_git_knows(unpacked, tracked):
    assert {name for name in tracked if not (unpacked / name).is_file()} == set()


def test_the_wheel_holds_every_file_of_the_package(wheel, tracked):
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    assert {
        name.removeprefix("src/") for name in tracked if name.startswith(("helpers/", "src/"))
    } - held == set()


def test_jupyterlab_is_told_to_fetch_no_news_by_every_install(installed):
    assert (installed / "share/jupyter/lab/settings/overrides.json").is_file()


def test_an_installed_wheel_has_explorers_and_exercises(installed, tmp_path):
    said = python(tmp_path, "-c", f"import helpers; print(helpers.__file__)\n{EXERCISE}",
                  path=installed).splitlines()  # fmt: skip
    assert Path(said[0]) == installed / "helpers" / "__init__.py"
    assert said[1] == "scatter"
    assert "Not yet" in said[2]


def test_an_installed_wheel_builds_the_site_of_the_folder_one_is_in(installed, tmp_path):
    (tmp_path / "notebooks").mkdir()
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        nb = nbformat.read(path, as_version=4)
        if not path.name.startswith("00"):  # one with everything, and the titles of the others
            del nb.cells[1:]
        nbformat.write(nb, tmp_path / "notebooks" / path.name)
    (tmp_path / "notebooks" / "pictures").symlink_to(ROOT / "notebooks" / "pictures")
    python(tmp_path, "-c", SITE, path=installed)
    page = (tmp_path / "site" / "start_here.html").read_text(encoding="utf-8")
    assert 'class="ndcg-live"' in page
    assert any((tmp_path / "site").rglob("plotly-cartesian.min.js*"))


def test_where_there_are_no_notebooks_the_site_says_so(installed, tmp_path):
    command = [sys.executable, "-m", "course", "site", "site"]
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert run.returncode == 2
    last = run.stderr.splitlines()[-1]
    assert last.endswith(
        f"no notebooks in {tmp_path / 'notebooks'}: go to the folder of the course"
    )


def test_an_installed_wheel_lets_a_room_vote(installed, tmp_path):
    port = lab.free_port()
    command = [sys.executable, "-m", "course", "vote", "conventions", "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    options = dict(cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True)
    with subprocess.Popen(command, **options) as vote:
        try:
            assert str(port) in vote.stdout.readline()
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
                assert b"vote.js" in answer.read()
        finally:
            vote.kill()
    assert any((tmp_path / "build").glob("votes-conventions-*"))
