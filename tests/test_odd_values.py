"""Every public function with 53 odd values in each argument, held to `odd_values.txt`."""

import pytest
from odd_values import FUNCTIONS, TABLE, outcome, outcomes

STORED = TABLE.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_odd_values_are_refused_in_words_or_taken_for_what_they_mean(name):
    lines, wrong = outcomes(name)
    assert wrong == []
    assert lines == [line for line in STORED if line.startswith(f"{name}(")], (
        "if that is meant: python tests/odd_values.py"
    )


def test_the_table_has_these_functions():
    assert list(dict.fromkeys(line.split("(")[0] for line in STORED)) == list(FUNCTIONS)


@pytest.mark.parametrize(
    ("function", "odd", "found"),
    [
        (lambda k=1: sorted(k), "0", "cryptic"),  # Python's own words
        (lambda k=1: k, "0", "silent"),  # no rank
        (lambda k=1: k, "10**30", "right"),
        (lambda k=1: repr(type(k)), "int8", "silent"),  # another result than that of 2
        (lambda k=1: k(), "function", "own"),
    ],
)
def test_what_is_wrong_is_seen(monkeypatch, function, odd, found):
    monkeypatch.setitem(FUNCTIONS, "metrics.tried", function)
    assert outcome("metrics.tried", "k", odd)[0] == found
