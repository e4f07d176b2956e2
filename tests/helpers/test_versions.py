"""A package that the course is not tested with: one line, before anything is imported."""

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from helpers import versions

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def here(monkeypatch):
    """Return a function that makes packages seem to be here in other versions, or None."""
    real = metadata.version

    def fake(**packages):
        def version(name):
            found = packages.get(name.replace("-", "_"), real)
            if found is None:
                raise metadata.PackageNotFoundError(name)
            return real(name) if found is real else found

        monkeypatch.setattr(metadata, "version", version)

    return fake


def test_nothing_is_said_of_the_locked_packages():
    assert versions.untested() == ""


@pytest.mark.parametrize("is_installed", [True, False])
def test_a_line_names_what_is_here_and_what_is_tested(here, monkeypatch, is_installed):
    """Of a folder that is not installed, pyproject.toml has the ranges."""
    if not is_installed:
        monkeypatch.setattr(versions, "NAME", "no-such-package")
    here(numpy="1.26.4", plotly="6.3.0")
    assert versions.untested() == (
        "Untested: numpy 1.26.4 (tested: >=2.0, <3), plotly 6.3.0 (tested: >=7.0, <8). "
        "The course may fail here."
    )


@pytest.mark.parametrize(
    ("packages", "is_said"),
    [
        ({"scikit_learn": "1.8.2"}, True),
        ({"ipywidgets": "8.1.7"}, True),
        ({"anywidget": "0.12.0"}, True),
        ({"plotly": "7.1.0rc1"}, False),
        ({"plotly": "8.0.0"}, True),
        ({"duckdb": None}, False),  # what imports it says so
        ({"polars": "1.0"}, False),  # of the tests
    ],
    ids=str,
)
def test_what_is_within_the_ranges_is_not_named(here, packages, is_said):
    here(**packages)
    assert bool(versions.untested()) is is_said


def test_the_line_comes_before_the_import_that_fails(tmp_path):
    """An old plotly fails on import: notebooks say why, the library nothing."""
    (tmp_path / "plotly").mkdir()
    (tmp_path / "plotly/__init__.py").write_text("raise ImportError('as an old one may')")
    (tmp_path / "plotly-6.3.0.dist-info").mkdir()
    (tmp_path / "plotly-6.3.0.dist-info/METADATA").write_text("Name: plotly\nVersion: 6.3.0\n")

    def imports(module):
        code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import {module}"
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
        )
        return run.stderr.splitlines()

    first, *rest = imports("helpers.notebook")
    assert first.startswith("Untested: plotly 6.3.0 (")
    assert "Untested" not in "".join(rest)
    assert rest[-1] == "ImportError: as an old one may"
    assert imports("ndcglib.metrics") == []
