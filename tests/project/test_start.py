"""What readers type: `python -m tools lab`, without a package, on any system."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import helpers
from tools import __main__ as start
from tools import environment

ROOT = Path(helpers.__file__).resolve().parents[1]
# What runs before there is a .venv.
FIRST = [ROOT / "tools" / f"{name}.py" for name in ("__init__", "__main__", "environment")]
OLD = (3, 7)


@pytest.fixture(name="ran")
def _ran(tmp_path, monkeypatch):
    """Let commands be noted, not run, in a folder with lock files and no .venv."""
    ran = []
    for name in ("requirements.lock", "requirements-dev.lock", "pyproject.toml"):
        (tmp_path / name).touch()
    monkeypatch.setattr(start, "ROOT", tmp_path)
    monkeypatch.chdir(tmp_path)

    def note(*command):
        for folder in (".venv", "build"):
            (tmp_path / folder).mkdir(exist_ok=True)
        ran.append(" ".join(map(str, command)))

    for module in (start, environment):
        monkeypatch.setattr(module, "run", note)
    monkeypatch.setattr(start, "become", note)
    return ran


@pytest.mark.parametrize("path", FIRST, ids=lambda path: path.parent.name + "/" + path.name)
def test_an_old_python_reads_it_and_no_package_is_asked_for(path):
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=OLD)
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import)
             for alias in node.names}  # fmt: skip
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    roots = {name.split(".")[0] for name in names}
    assert roots <= sys.stdlib_module_names | {"tools"}
    inner = {name for name in names if name.startswith("tools")}
    assert inner <= {"tools.environment"}


@pytest.mark.parametrize("version", [(3, 10), (3, 15)])
def test_another_python_is_told_which_ones_fit(monkeypatch, version):
    monkeypatch.setattr(sys, "version_info", (*version, 0))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 to 3\.14; .* is .*make PYTHON="):
        environment.check_python()


def test_the_first_use_says_what_it_does_and_the_second_starts(ran, capsys):
    start.main(["lab", "--no-browser"])
    assert capsys.readouterr().out.startswith("Building .venv, once: about ")
    *installed, lab = ran
    assert [line.partition(" -m ")[2] for line in installed] == [
        "venv .venv",
        "pip install --disable-pip-version-check --require-hashes -r requirements.lock",
        "pip install --disable-pip-version-check --no-deps --no-build-isolation -e .",
    ]
    assert lab.endswith("--no-browser")
    ran.clear()
    start.main(["lab"])
    assert len(ran) == 1
    assert capsys.readouterr().out == ""


def test_what_tests_need_comes_on_top_and_nothing_goes(ran):
    start.main(["setup"])
    start.main(["setup", "--full"])
    ran.clear()
    start.main(["setup"])
    assert ran == []


def test_the_full_lock_alone_is_enough_for_readers(ran):
    start.main(["setup", "--full", "--uv", "/tools/uv"])
    assert ran[1].startswith("/tools/uv pip install --python ")
    ran.clear()
    start.main(["vote", "ties", "--bind", "0.0.0.0"])
    assert [line.partition(" -m ")[2] for line in ran] == ["course vote ties --bind 0.0.0.0"]


@pytest.mark.parametrize("newer", ["requirements.lock", "pyproject.toml"])
def test_a_newer_lock_is_installed(ran, newer):
    start.main(["setup"])
    ran.clear()
    later = Path(".venv/ready").stat().st_mtime + 1
    os.utime(newer, (later, later))
    start.main(["setup"])
    assert any("requirements.lock" in line for line in ran)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no root")
@pytest.mark.parametrize(("user", "flag"), [(0, True), (1000, False)])
def test_jupyterlab_is_told_when_root_starts_it(ran, monkeypatch, user, flag):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    start.main(["lab"])
    assert ("--allow-root" in ran[-1].split()) == flag


def test_from_a_wheelhouse_pip_asks_nobody(ran, monkeypatch):
    monkeypatch.setattr(os, "environ", dict(os.environ))
    start.main(["--wheels", "my wheels", "lab"])
    assert os.environ["PIP_NO_INDEX"] == "1"
    assert os.environ["PIP_FIND_LINKS"] == (Path.cwd() / "my wheels").as_uri()


def test_the_site_is_built_where_it_is_old_or_for_another_address(ran, monkeypatch):
    def built():
        ran.clear()
        start.main(["site"])
        if ran:
            Path("build/site").mkdir(parents=True, exist_ok=True)
            Path("build/site/index.html").touch()
        return bool(ran)

    Path("helpers").mkdir()
    Path("helpers/a.py").touch()
    monkeypatch.delenv("COURSE_REPOSITORY", raising=False)
    assert [built(), built()] == [True, False]
    monkeypatch.setenv("COURSE_REPOSITORY", "ada/ndcg")
    assert [built(), built()] == [True, False]
    later = Path("build/site/index.html").stat().st_mtime + 1
    os.utime("helpers/a.py", (later, later))
    assert built()


def test_to_present_stays_on_this_machine_unless_told_otherwise(ran):
    start.main(["present"])
    start.main(["present", "--bind", "0.0.0.0"])
    served = [line.partition(" -m ")[2] for line in ran if "site.serve" in line]
    one = f"coursekit.site.serve {start.SITE}"
    assert served == [one, f"{one} --bind 0.0.0.0"]


def test_windows_waits_for_a_command_and_ends_as_it_did(monkeypatch):
    ended = subprocess.CompletedProcess([], 3)
    monkeypatch.setattr(environment.subprocess, "run", lambda *_: ended)
    monkeypatch.setattr(environment.signal, "signal", lambda *_: None)
    monkeypatch.setattr(environment.os, "name", "nt")
    with pytest.raises(SystemExit, match="3"):
        environment.become("vote")


def test_a_command_that_fails_ends_all():
    with pytest.raises(SystemExit, match="3"):
        environment.run(sys.executable, "-c", "raise SystemExit(3)")


def test_elsewhere_it_says_where_to_go(ran, capsys):
    Path("requirements.lock").unlink()
    with pytest.raises(SystemExit):
        start.main(["lab"])
    assert "go to the folder of the course" in capsys.readouterr().err
