"""The commands of the course for readers and instructors: ``python -m tools lab``.

make calls them, too. They need Python alone, and set up `.venv` where it is missing or old.
"""

import argparse
import os
import sys
from pathlib import Path

from tools.environment import FULL, LOCK, become, is_newer, run, set_up, tool

ROOT = Path(__file__).resolve().parents[1]
SITE = Path("build", "site")
PUBLISHED = Path("build", "repository")  # what COURSE_REPOSITORY was when the site was built
FIRST = "/lab/tree/notebooks/00_start_here.ipynb"


def lab(options):
    """Open JupyterLab at the first notebook; options are JupyterLab's."""
    set_up()
    # JupyterLab refuses to start for root, as in a container, unless this is meant.
    as_root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    become(tool("jupyter"), "lab", f"--LabApp.default_url={FIRST}", *as_root, *options)


def present(options):
    """Serve all explorers on one page, to a room: --bind 0.0.0.0."""
    build_site()
    become(tool("python"), "-m", "coursekit.site.serve", SITE, *options)


def vote(options):
    """Let a room vote on the bets of a notebook: conventions --bind 0.0.0.0."""
    set_up()
    become(tool("python"), "-m", "course", "vote", *options)


def sheet(options):
    """Write problem sheets for a class, with a key: tied-at-k swap --class spring."""
    set_up()
    become(tool("python"), "-m", "course", "sheet", *options)


def site(options):
    """Build the web site of the course, build/site, where it is old."""
    argparse.ArgumentParser(prog="python -m tools site").parse_args(options)
    build_site()


def open_site(options):
    """Serve the web site on this machine: --port 8000."""
    parser = argparse.ArgumentParser(prog="python -m tools open-site")
    parser.add_argument("--port", default="8000")
    port = parser.parse_args(options).port
    build_site()
    become(tool("python"), "-m", "coursekit.site.serve", SITE, "--site", "--port", port)


def wheelhouse(options):
    """Download what readers need into build/wheelhouse, for rooms without a network."""
    argparse.ArgumentParser(prog="python -m tools wheelhouse").parse_args(options)
    download = ["download", "-q", "--require-hashes", "-r", LOCK, "-d", "build/wheelhouse"]
    run(sys.executable, "-m", "pip", *download)


def setup(options):
    """Set up .venv and end; with --full for what tests and builds the course, too."""
    parser = argparse.ArgumentParser(prog="python -m tools setup")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--uv", help="the path of uv, which then installs in place of pip")
    given = parser.parse_args(options)
    set_up(given.full, given.uv)


COMMANDS = (lab, present, vote, sheet, site, open_site, wheelhouse, setup)


def build_site():
    """Build the site where it is older than what it is made of, or for another address."""
    set_up(full=True)
    address = os.environ.get("COURSE_REPOSITORY", "")
    folders = map(Path, ("helpers", "src", "notebooks"))
    sources = [path for folder in folders for path in folder.rglob("*.*")]
    sources = [path for path in sources if path.suffix != ".pyc" and path.is_file()]
    published = PUBLISHED.read_text(encoding="utf-8") if PUBLISHED.exists() else None
    if published == address and is_newer(SITE / "index.html", [FULL, *sources]):
        return
    run(tool("python"), "-m", "course", "site", SITE)
    PUBLISHED.write_text(address, encoding="utf-8")


def main(arguments=None):
    """Run one command, in the folder of the course."""
    commands = {command.__name__.replace("_", "-"): command for command in COMMANDS}
    parser = argparse.ArgumentParser(
        prog="python -m tools",
        description="\n".join(f"{name:<12}{one.__doc__}" for name, one in commands.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--wheels", help="install from this folder, without a network")
    parser.add_argument("command", choices=commands)
    parser.add_argument("options", nargs=argparse.REMAINDER)
    given = parser.parse_args(arguments)
    if given.wheels:
        # As an address: pip parts this variable where there is a space.
        wheels = Path(given.wheels).resolve().as_uri()
        os.environ.update(PIP_NO_INDEX="1", PIP_FIND_LINKS=wheels)
    os.chdir(str(ROOT))
    if not LOCK.exists():
        parser.error(f"{Path.cwd()} has no {LOCK}: go to the folder of the course")
    try:
        commands[given.command](given.options)
    except KeyboardInterrupt:
        sys.exit(1)  # of those who press Ctrl + C nobody needs a traceback


if __name__ == "__main__":
    main()
