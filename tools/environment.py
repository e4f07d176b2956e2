"""Set up `.venv`: the locked packages, and the course itself. Python alone is enough for that.

Pythons that are too old for the course must be able to read this module: it tells them so.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

OLDEST, TOO_NEW = (3, 11), (3, 15)
VENV = Path(".venv")
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
READY, FULL = VENV / "ready", VENV / "full"  # written when a lock file is installed
LOCK, FULL_LOCK = Path("requirements.lock"), Path("requirements-dev.lock")


def set_up(full=False, uv=None):
    """Install what readers need, or with `full` what tests and builds the course, if it is not.

    pip installs it, or `uv`, the path of one, in a tenth of the time.
    """
    stamp, lock = (FULL, FULL_LOCK) if full else (READY, LOCK)
    if is_newer(stamp, [lock, Path("pyproject.toml")]):
        return
    check_python()
    what = "about 155 packages, 1.4 GB" if full else "about 110 packages, 850 MB"
    print(f"Building {VENV}, once: {what}. This takes a few minutes.")
    print('Its last step, "Installing collected packages", is the longest and stands still.')
    python = str(tool("python"))
    if Path(sys.prefix) != VENV.resolve():
        run(sys.executable, "-m", "venv", VENV)
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check"]
    install = [uv, "pip", "install", "--python", python] if uv else pip
    run(*install, "--require-hashes", "-r", lock)
    # With the locked setuptools: build isolation would fetch an unlocked one.
    run(*install, "--no-deps", "--no-build-isolation", "-e", ".")
    for done in (READY, stamp):  # the full lock holds what readers need
        done.touch()


def tool(name):
    """Return the path of a program of `.venv`."""
    return BIN / (f"{name}.exe" if os.name == "nt" else name)


def is_newer(path, others):
    """Return whether a file is there, and as new as each of the others."""
    if not path.exists():
        return False
    return all(other.stat().st_mtime <= path.stat().st_mtime for other in others)


def check_python():
    """End with one line if this Python is too old, or too new."""
    if not OLDEST <= sys.version_info[:2] < TOO_NEW:
        sys.exit(
            f"This course needs Python 3.11 to 3.14; {sys.executable} is "
            f"{sys.version.split()[0]}. Name another one: make PYTHON=python3.12 lab, "
            "or on Windows py -3.12 -m tools lab"
        )


def run(*command):
    """Run a command; where it fails, it has said why, and this ends as it did."""
    sys.stdout.flush()
    status = subprocess.run([str(part) for part in command]).returncode
    if status:
        sys.exit(status)


def become(*command):
    """Become a command; on Windows, which does not know that, wait for its end."""
    sys.stdout.flush()
    command = [str(part) for part in command]
    if os.name != "nt":
        os.execv(command[0], command)
    signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl + C is for the command
    sys.exit(subprocess.run(command).returncode)
