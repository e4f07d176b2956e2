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

from coursekit.site.home import VARIABLE
from tools import environment

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
NOT_LOCKED = "engines"  # the extra that `make test-engines` alone installs
NEEDED_BY_JUPYTER = {"psutil", "tinycss2", "websocket-client"}  # and so in both locks
STUDENTS, FULL = LOCKS = ["requirements.lock", "requirements-dev.lock"]
# Packages with another name on conda-forge: that name, and its recipe. The recipes of the
# others have the name that pip uses: https://github.com/conda-forge/<name>-feedstock (read in
# November 2026).
CONDA_NAMES = {
    "duckdb": ("python-duckdb", "https://github.com/conda-forge/python-duckdb-feedstock"),
}

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


def wanted(lock):
    """Return what a lock file must pin: what readers need, or that and all but one extra."""
    lists = project()["optional-dependencies"]
    extras = {STUDENTS: {"install"}, FULL: lists.keys() - {NOT_LOCKED}}[lock]
    return by_name([*project()["dependencies"], *(one for name in extras for one in lists[name])])


def conda():
    """Return environment.yml, parsed."""
    return yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))


def conda_packages():
    """Return what conda installs, by the name pip has; its ranges read like those of pip."""
    listed = by_name(entry for entry in conda()["dependencies"] if isinstance(entry, str))
    return {name: listed[CONDA_NAMES.get(name, (name,))[0]] for name in map(pip_name, listed)}


def pip_name(name):
    """Return what pip calls a package of conda-forge."""
    return next((pip for pip, (conda, _source) in CONDA_NAMES.items() if conda == name), name)


def lock_entries(lock):
    """Return the entries of a lock file, each joined to one line."""
    text = re.sub(r"(^|\s)#.*", "", (ROOT / lock).read_text(encoding="utf-8"))
    joined = re.sub(r"\\\n\s*", "", text)
    return [line.strip() for line in joined.splitlines() if line.strip()]


def pins(lock, python):
    """Return the locked requirements that apply to a version of Python."""
    environment = default_environment() | {
        "python_version": python,
        "python_full_version": f"{python}.9",
        "extra": "",
    }
    locked = [Requirement(entry.partition(" --hash=")[0]) for entry in lock_entries(lock)]
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


def test_conda_has_the_names_of_conda_forge():
    listed = by_name(entry for entry in conda()["dependencies"] if isinstance(entry, str))
    assert listed.keys() & CONDA_NAMES.keys() == set()
    assert {name for name, _recipe in CONDA_NAMES.values()} <= listed.keys()


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_is_not_empty_and_hashed(lock):
    assert len(lock_entries(lock)) > 50
    assert [entry for entry in lock_entries(lock) if "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_pins_exactly(lock):
    names = [re.split(r" --hash=| ; ", entry)[0] for entry in lock_entries(lock)]
    assert [name for name in names if not re.fullmatch(r"[\w.-]+==[\w.+!-]+", name)] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_names_no_registry(lock):
    whole = (ROOT / lock).read_text(encoding="utf-8")
    # In comments, too: uv writes the options it was called with into the first lines.
    assert re.findall(r".*(?:https?:|://|--index|--extra-index|--find-links| @ ).*", whole) == []


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("lock", LOCKS)
def test_lock_satisfies_pyproject(lock, python):
    locked = pins(lock, python)
    for name, requirement in wanted(lock).items():
        versions = [str(r.specifier)[2:] for r in locked if canonicalize_name(r.name) == name]
        assert len(versions) == 1, f"{name}: {versions}"
        assert versions[0] in requirement.specifier, f"{requirement} against {versions}"


def test_readers_install_what_is_tested():
    def files(lock):
        parted = [re.split(r" ;.*?(?= --hash)| (?=--hash)", entry, maxsplit=1) for entry in
                  lock_entries(lock)]  # fmt: skip
        return {(name.strip(), *sorted(hashes.split())) for name, hashes in parted}

    assert files(STUDENTS) < files(FULL)


def test_readers_are_told_how_much_it_is(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(environment, "run", lambda *_: sys.exit())
    for lock, full in zip(LOCKS, (False, True), strict=True):
        with pytest.raises(SystemExit):
            environment.set_up(full)
        said = re.search(r"about (\d+) packages, ", capsys.readouterr().out)
        assert int(said[1]) == pytest.approx(len(pins(lock, PYTHONS[0])), abs=5)
        if not full:
            assert said[0].rstrip(" ,") in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("python", PYTHONS)
def test_readers_install_nothing_that_tests_builds_or_lints(python):
    lists = project()["optional-dependencies"]
    theirs = {canonicalize_name(pin.name) for pin in pins(STUDENTS, python)}
    extra = by_name(line for name in ("test", "dev", "site") for line in lists[name]).keys()
    assert theirs & extra <= NEEDED_BY_JUPYTER


# ------------------------------------------------------------ the commands of make


def commands(target, *options):
    """Return what `make` would run for a target, line by line."""
    if shutil.which("make") is None:
        pytest.skip("needs the command `make`")
    run = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", *options, target],
        **dict(cwd=ROOT, capture_output=True, text=True, check=True),
    )
    return run.stdout.replace("\\\n", " ").splitlines()


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("lab", "lab"),
        ("lab LAB=--no-browser", "lab --no-browser"),
        ("lab WHEELS=build/wheelhouse", "--wheels 'build/wheelhouse' lab"),
        ("present PRESENT=--port=9000", "present --port=9000"),
        ("vote VOTE=ties EXPORT=votes.csv", "vote ties --export 'votes.csv'"),
        ("site", "site"),
        ("open-site", "open-site --port 8000"),
        ("open-site PORT=9000", "open-site --port 9000"),
        ("wheelhouse", "wheelhouse"),
        ("full", "setup --full"),
    ],
)
def test_make_calls_the_command_that_works_without_it(line, typed):
    target, *options = line.split()
    [said] = commands(target, "PYTHON=python3", *options)
    assert " ".join(said.split()) == f"python3 -m tools {typed}"


def test_the_guide_has_each_target_in_the_order_of_make_help():
    if shutil.which("make") is None:
        pytest.skip("needs the command `make`")
    said = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    targets = re.findall(r"^make ([a-z-]+) ", said, re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [phony] = re.findall(r"^\.PHONY: (.*)", makefile, re.MULTILINE)
    assert sorted(targets) == sorted(set(phony.split()) - {"full"})  # which nobody types
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `make ([a-z-]+)` \|", guide, re.MULTILINE) == targets


IMPORT = ["-c", "import runpy, sys\nfor path in sys.argv[1:]: runpy.run_path(path)"]
PLAN = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--setup-plan"]  # fixtures, too


@pytest.mark.parametrize(
    ("how", "files"), [(IMPORT, "benchmarks/*.py"), (PLAN, "tools/walk_*.py")]
)
def test_what_a_push_does_not_run_finds_what_it_imports(how, files):
    """Else nobody would see that a name which is used there has moved."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [path] = re.findall(r"^bench: export PYTHONPATH = (.*)", makefile, re.MULTILINE)
    folders = [os.environ["PYTHONPATH"], *path.split(":"), "benchmarks"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
    command = [sys.executable, *how, *ROOT.glob(files)]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_guide_names_what_ci_installs():
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    packages = re.findall(r"^ +have_\w+.* \|\| echo (\S+)$", ci, re.MULTILINE)
    assert "chromium" in packages
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"`apt-get install {' '.join(packages)}`" in guide


def workflow(name):
    """Return a workflow, parsed."""
    return yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8"))


def test_the_workflow_runs_what_is_told_on_every_python():
    """It cannot be run here; what it runs can be compared."""
    jobs = workflow("ci.yml")["jobs"]
    runs = {name: [step["run"] for step in job["steps"] if "run" in step]
            for name, job in jobs.items()}  # fmt: skip
    for name in ("linux", "macos", "windows"):
        assert jobs[name]["strategy"]["matrix"]["python"] == PYTHONS
    assert jobs["dependencies"]["strategy"]["matrix"]["resolution"] == ["lowest-direct", "highest"]
    assert jobs["dependencies"]["steps"][1]["with"]["python-version"] == PYTHONS[0]
    assert ".ci/run" in runs["linux"]
    assert "make test" in runs["macos"]
    assert "make test-engines" in runs["engines"]
    [conda] = [step["with"] for step in jobs["conda"]["steps"] if "setup-miniconda" in str(step)]
    assert conda["environment-file"] == "environment.yml"
    guide = (ROOT / "INSTALL.md").read_text(encoding="utf-8").replace("py -3.12", "python")
    assert [line for line in runs["windows"] if f"{line}\n" not in guide] == []
    for command in ("vote", "wheelhouse", "site", "setup"):
        assert any(f"tools {command}" in line for line in runs["windows"])


def test_the_parts_of_everything_are_jobs_side_by_side():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [parts] = re.findall(r"^test-all: (.*) ##", makefile, re.MULTILINE)
    [job] = workflow("all.yml")["jobs"].values()
    assert job["strategy"]["matrix"]["part"] == parts.split()
    assert job["steps"][-1]["run"] == 'make "$PART"'


@pytest.mark.parametrize("name", ["all.yml", "ci.yml", "site.yml"])
def test_what_a_workflow_uses_is_pinned_to_a_commit_with_its_version_beside(name):
    text = (ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8")
    used = re.findall(r"uses: (.*)", text)
    assert [
        one for one in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", one)
    ] == []
    assert all("timeout-minutes" in job for job in workflow(name)["jobs"].values())
    assert "concurrency" in workflow(name)


def test_one_variable_tells_the_site_where_it_is():
    """From the workflow, which knows it, through make to the builder."""
    [step] = [s for s in workflow("site.yml")["jobs"]["build"]["steps"] if "run" in s]
    assert step["run"] == "make site"
    assert step["env"] == {VARIABLE: "${{ github.repository }}"}
    if shutil.which("make") is None:
        pytest.skip("needs the command `make`")
    command = ["make", "-s", "PYTHON=env #", f"{VARIABLE}=ada/ndcg", "site"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f"{VARIABLE}=ada/ndcg" in said.splitlines()


def test_all_engines_are_tested_in_an_environment_of_their_own():
    lines = commands("test-engines")
    assert any(f'-e ".[{NOT_LOCKED}]"' in line for line in lines)
    assert lines[0] == "java -version"  # a missing engine must not be a skipped test here
    assert lines[-1].endswith("tests/ndcglib/test_scale.py")


def test_the_setup_cell_of_a_notebook_does_not_load_what_takes_seconds():
    slow = ("sklearn", "scipy", "pandas", "matplotlib")
    code = f"import sys, helpers.notebook; print([m for m in {slow} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
