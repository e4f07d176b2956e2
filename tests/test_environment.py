"""The lists of packages agree, and what a reader types is what runs."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from helpers.course.site.home import VARIABLE

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
NOT_LOCKED = "engines"  # the extra that `make test-engines` alone installs

# ------------------------------------------------------------ the lists of packages


def by_name(lines):
    """Return requirements by their normalized names."""
    parsed = [Requirement(line) for line in lines]
    return {canonicalize_name(requirement.name): requirement for requirement in parsed}


def project():
    """Return the [project] table of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def extras():
    """Return the requirements of all extras by name."""
    return by_name(line for lines in project()["optional-dependencies"].values() for line in lines)


def locked_extras():
    """Return the requirements of the extras that the lock file pins, by name."""
    lists = project()["optional-dependencies"]
    return by_name(line for name in lists.keys() - {NOT_LOCKED} for line in lists[name])


def conda():
    """Return environment.yml, parsed."""
    return yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))


def conda_packages():
    """Return what conda installs, by name; its ranges read like those of pip."""
    return by_name(entry for entry in conda()["dependencies"] if isinstance(entry, str))


def lock_text():
    """Return the text of requirements.lock without comments."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return re.sub(r"(^|\s)#.*", "", text)


def lock_entries():
    """Return the entries of requirements.lock, each joined to one line."""
    joined = re.sub(r"\\\n\s*", "", lock_text())
    return [line.strip() for line in joined.splitlines() if line.strip()]


def pins(python):
    """Return the locked requirements that apply to a version of Python."""
    environment = default_environment() | {
        "python_version": python,
        "python_full_version": f"{python}.9",
        "extra": "",
    }
    locked = [Requirement(entry.partition(" --hash=")[0]) for entry in lock_entries()]
    return [r for r in locked if r.marker is None or r.marker.evaluate(environment)]


def test_conda_has_every_runtime_dependency():
    missing = by_name(project()["dependencies"]).keys() - conda_packages().keys()
    assert not missing


def test_conda_has_what_the_notebook_tests_need():
    assert {"pip", "nbval"} <= conda_packages().keys()


def test_conda_ranges_are_those_of_pyproject():
    ours = by_name(project()["dependencies"]) | extras()
    theirs = conda_packages()
    assert {name: str(theirs[name].specifier) for name in theirs.keys() - {"python", "pip"}} == {
        name: str(ours[name].specifier) for name in theirs.keys() & ours.keys()
    }


def test_conda_installs_helpers_from_conda_forge_alone():
    assert conda()["channels"] == ["conda-forge", "nodefaults"]
    assert {"pip": ["-e ."]} in conda()["dependencies"]


def test_python_has_the_same_bounds_everywhere():
    bounds = Requirement("python" + project()["requires-python"]).specifier
    # repo2docker takes the newest Python there is unless it finds an upper bound.
    assert {specifier.operator for specifier in bounds} == {">=", "<"}
    assert conda_packages()["python"].specifier == bounds
    assert [v for v in ("3.10", *PYTHONS, "3.15") if v in bounds] == PYTHONS


def test_lock_is_not_empty_and_hashed():
    assert len(lock_entries()) > 50
    assert [entry for entry in lock_entries() if "--hash=sha256:" not in entry] == []


def test_lock_pins_exactly():
    names = [re.split(r" --hash=| ; ", entry)[0] for entry in lock_entries()]
    assert [name for name in names if not re.fullmatch(r"[\w.-]+==[\w.+!-]+", name)] == []


def test_lock_names_no_registry():
    whole = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    # In comments, too: uv writes the options it was called with into the first lines.
    assert re.findall(r".*(?:https?:|://|--index|--extra-index|--find-links| @ ).*", whole) == []


@pytest.mark.parametrize("python", PYTHONS)
def test_lock_satisfies_pyproject(python):
    wanted = list((by_name(project()["dependencies"]) | locked_extras()).values())
    locked = pins(python)
    for requirement in wanted:
        name = canonicalize_name(requirement.name)
        versions = [str(r.specifier)[2:] for r in locked if canonicalize_name(r.name) == name]
        assert len(versions) == 1, f"{name}: {versions}"
        assert versions[0] in requirement.specifier, f"{requirement} against {versions}"


# ------------------------------------------------------------ the commands of make


def commands(target, *options, path=""):
    """Return what `make` would run for a target, line by line."""
    if shutil.which("make") is None:
        pytest.skip("needs the command `make`")
    environment = {**os.environ, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}"}
    run = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", *options, target],
        **dict(cwd=ROOT, env=environment, capture_output=True, text=True, check=True),
    )
    return run.stdout.replace("\\\n", " ").splitlines()


def test_first_use_says_what_it_does_and_shows_it():
    lines = commands("lab", "--always-make")
    slow = [i for i, line in enumerate(lines) if "venv" in line or "pip install" in line]
    assert len(slow) >= 3
    assert lines[slow[0]].startswith("echo 'Building .venv")
    assert not any(re.search("--quiet| -q", lines[i]) for i in slow)


@pytest.mark.parametrize(("user", "flag"), [("0", True), ("1000", False)])
def test_jupyterlab_is_told_when_root_starts_it(tmp_path, user, flag):
    stub = tmp_path / "id"
    stub.write_text(f"#!/bin/sh\necho {user}\n", encoding="utf-8")
    stub.chmod(0o755)
    [start] = [line for line in commands("lab", path=tmp_path) if "/jupyter lab " in line]
    assert ("--allow-root" in start) == flag


def test_the_guide_names_what_ci_installs():
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    packages = re.findall(r"^ +have_\w+.* \|\| echo (\S+)$", ci, re.MULTILINE)
    assert "chromium" in packages
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"`apt-get install {' '.join(packages)}`" in guide


def test_the_workflow_runs_what_is_told_on_every_python():
    """It cannot be run here; what it runs can be compared."""
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))["jobs"]
    runs = {name: [step.get("run", "") for step in job["steps"]] for name, job in jobs.items()}
    for name in ("linux", "macos", "windows"):
        assert jobs[name]["strategy"]["matrix"]["python"] == PYTHONS
    assert jobs["dependencies"]["strategy"]["matrix"]["resolution"] == ["lowest-direct", "highest"]
    assert jobs["dependencies"]["steps"][1]["with"]["python-version"] == PYTHONS[0]
    assert ".ci/run" in runs["linux"]
    assert "make test" in runs["macos"]
    assert "make test-engines" in runs["engines"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [line for line in runs["windows"][3:] if line not in readme] == []
    assert len(runs["windows"]) == 6


def test_one_variable_tells_the_site_where_it_is():
    """From the workflow, which knows it, through make to the builder."""
    site = yaml.safe_load((ROOT / ".github/workflows/site.yml").read_text(encoding="utf-8"))
    [step] = [s for s in site["jobs"]["publish"]["steps"] if s.get("run") == "make site"]
    assert step["env"] == {VARIABLE: "${{ github.repository }}"}
    build = commands("site", "--always-make", f"{VARIABLE}=ada/ndcg")[-1]
    assert build.startswith(f"{VARIABLE}='ada/ndcg' ")
    assert build.endswith(" -m helpers.course.site build/site")


def test_all_engines_are_tested_in_an_environment_of_their_own():
    lines = commands("test-engines")
    assert any(f'-e ".[{NOT_LOCKED}]"' in line for line in lines)
    assert lines[0] == "java -version"  # a missing engine must not be a skipped test here
    assert lines[-1].endswith("tests/test_scale.py")


def test_the_setup_cell_of_a_notebook_does_not_load_what_takes_seconds():
    slow = ("sklearn", "scipy", "pandas", "matplotlib")
    code = f"import sys, helpers.notebook; print([m for m in {slow} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.skipif(shutil.which("make") is None, reason="no make on this machine")
def test_from_a_wheelhouse_pip_asks_nobody():
    command = ["make", "-s", "WHEELS=wheels", "--eval", "asked:; @env | grep ^PIP_", "asked"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {"PIP_NO_INDEX=1", f"PIP_FIND_LINKS={ROOT / 'wheels'}"} <= set(said.split("\n"))
