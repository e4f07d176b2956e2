"""Whether the packages here are those that the course is tested with."""

from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

NAME = "understanding-ndcg"


def untested():
    """Return one line about packages outside the ranges of pyproject.toml; empty if there is none.

    A package that is not here is left out: what imports it says so.
    """
    odd = [
        f"{one.name} {version} (tested: {_range(one)})"
        for one, version in _found()
        if not one.specifier.contains(version)
    ]
    return f"Untested: {', '.join(odd)}. The course may fail here." if odd else ""


def _found():
    """Yield what the course requires, and the version of it that is here."""
    for one in map(Requirement, _required()):
        if one.marker is None:  # the others are for tests, the site and so on
            one.specifier.prereleases = True
            try:
                yield one, metadata.version(one.name)
            except metadata.PackageNotFoundError:
                continue


def _required():
    try:
        return metadata.requires(NAME)
    except metadata.PackageNotFoundError:  # a folder that is not installed
        import tomllib  # here: it takes 10 ms to load

        text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
        return tomllib.loads(text)["project"]["dependencies"]


def _range(requirement):
    return ", ".join(sorted(map(str, requirement.specifier), reverse=True))  # from >= to <
