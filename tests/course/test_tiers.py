"""What a push leaves out comes back where something it draws has changed."""

import json

import pytest
import test_browser_explorers
import tiers

from course.explorers import EXPLORERS
from coursekit.explorers.explorer import Explorer


class Item:
    """A test with its marks, and with the parameters it is called with."""

    def __init__(self, *marks, **parameters):
        self.marks = marks
        self.callspec = type("Call", (), {"params": parameters})

    def iter_markers(self, name):
        return [mark.mark for mark in self.marks if mark.name == name]


@pytest.fixture(name="visited")
def _visited(tmp_path, monkeypatch):
    monkeypatch.setattr(tiers, "VISITED", tmp_path / "visited.json")
    tiers.VISITED.write_text(json.dumps(tiers.digests()))


def test_a_push_leaves_out_what_is_marked_and_has_not_changed():
    full = pytest.mark.full
    assert not tiers.in_a_push(Item(full, name="duel"), {"slide-k"})
    assert tiers.in_a_push(Item(full, name="duel"), {"duel"})
    assert tiers.in_a_push(Item(full("duel")), {"duel"})
    assert tiers.in_a_push(Item(name="duel"), set())


def test_an_explorer_that_is_not_known_has_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(tiers, "VISITED", tmp_path / "visited.json")
    assert tiers.changed() == {*EXPLORERS, "engine", "vote"}


ALL = {*EXPLORERS, "engine"}


@pytest.mark.parametrize(
    ("file", "some"),
    [
        ("duel.py", {"duel"}),
        ("declaration.py", ALL),
        ("stage.js", ALL),
        ("poll.py", {"vote"}),
        ("teach.html", {"vote"}),
        ("requirements-dev.lock", ALL | {"vote"}),
    ],
)
def test_a_file_brings_back_the_explorers_that_it_draws(
    visited, monkeypatch, tmp_path, file, some
):
    assert tiers.changed() == set()
    files_of = tiers.files_of

    def edited(path):
        if not path.as_posix().endswith(f"/{file}"):
            return path
        copy = tmp_path / path.name
        copy.write_bytes(path.read_bytes() + b"\n")
        return copy

    monkeypatch.setattr(tiers, "files_of", lambda *given: list(map(edited, files_of(*given))))
    assert tiers.changed() == some


def test_a_push_visits_every_kind_of_control():
    """Those of lists to drag it visits on two pages of the site, *index* and *ties*."""
    made = {name: EXPLORERS[name]() for name in test_browser_explorers.CELLS}
    kinds = {
        name: set(map(kind, one.controls.values()))
        for name, one in made.items()
        if isinstance(one, Explorer)
    }
    kept = set().union(*(kinds[name] for name in test_browser_explorers.KEPT))
    assert kept == set().union(*kinds.values())


def kind(control):
    """A control has traits of its own, so its class is one of its own, too."""
    return type(control).__mro__[1]
