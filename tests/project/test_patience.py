"""No test asserts that something is done in time, and what is slow is said in words."""

import ast
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from patience import expected_within

from coursekit.authoring.write import CELL_TIMEOUT

TESTS = Path(__file__).parents[1]
CLOCKS = {"time", "monotonic", "perf_counter", "process_time", "thread_time"}


def reads_a_clock(node, names):
    """Tell whether an expression calls a clock, or uses a name that holds its reading."""
    calls = (part.func for part in ast.walk(node) if isinstance(part, ast.Call))
    called = {getattr(func, "attr", getattr(func, "id", "")) for func in calls}
    used = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return bool(called & CLOCKS or used & names)


def deadlines(source):
    """List the lines that assert that a clock has not gone further than something."""
    tree, names = ast.parse(source), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and reads_a_clock(node.value, set()):
            names |= {
                part.id for t in node.targets for part in ast.walk(t) if isinstance(part, ast.Name)
            }
    compared = (
        (node.lineno, part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
        for part in ast.walk(node.test)
        if isinstance(part, ast.Compare)
    )
    return [line for line, compare in compared if is_a_deadline(compare, names)]


def is_a_deadline(compare, names):
    """Tell ``clock() - start < 5``, ``5 > spent`` from ``clock() - start > 0.9``, which waits."""
    sides = [compare.left, *compare.comparators]
    for less, op, more in zip(sides, compare.ops, sides[1:], strict=False):
        if isinstance(op, ast.Lt | ast.LtE) and reads_a_clock(less, names):
            return True
        if isinstance(op, ast.Gt | ast.GtE) and reads_a_clock(more, names):
            return True
    return False


@pytest.mark.parametrize("path", sorted(TESTS.rglob("test_*.py")), ids=lambda path: path.name)
def test_a_clock_is_no_assertion(path):
    assert deadlines(path.read_text(encoding="utf-8")) == []


def test_a_deadline_is_found():
    source = """start = time.monotonic()
assert time.monotonic() - start < 20
spent = perf_counter() - start
assert 5 >= spent
assert 0 < found and spent < 3
assert spent > 0.9
assert 0.9 <= spent
assert len(found) < 5
"""
    assert deadlines(source) == [2, 4, 5]


def test_no_property_has_a_deadline():
    assert settings.default.deadline is None
    assert HealthCheck.too_slow in settings.default.suppress_health_check


def test_a_cell_has_as_long_in_the_tests_as_for_the_writer():
    make = (TESTS.parent / "Makefile").read_text(encoding="utf-8")
    assert f"--nbval-cell-timeout={CELL_TIMEOUT} " in make


def test_a_hang_is_told_from_a_slow_test_by_half_an_hour(pytestconfig):
    """The site takes a minute to build, and took five where eight others ran."""
    assert float(pytestconfig.getini("faulthandler_timeout")) >= 1800


def test_what_is_slow_is_said_and_goes_on():
    said = r"The sum took 0\.\d seconds, and 0 were expected: this machine is busy"
    with pytest.warns(UserWarning, match=said), expected_within(0, "The sum"):
        time.sleep(0.06)


def test_what_is_quick_says_nothing(recwarn):
    with expected_within(600, "Nothing"):
        pass
    assert [str(warning.message) for warning in recwarn] == []
