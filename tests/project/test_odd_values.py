"""Every public function with 53 odd values in each argument, held to `odd_values.txt`."""

import numpy as np
import pytest
from odd_values import FUNCTIONS, TABLE, outcome, outcomes

from helpers.notebook import printed_number
from ndcglib.scale import on_sqlite
from ndcglib.significance import queries_needed

STORED = TABLE.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_odd_values_are_refused_in_words_or_taken_for_what_they_mean(name):
    lines, wrong = outcomes(name)
    assert wrong == []
    assert lines == [line for line in STORED if line.startswith(f"{name}(")], (
        "if that is meant: python tests/support/odd_values.py"
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


def test_sqlite_gets_numbers_not_the_bytes_of_numpy():
    rows = zip(*(np.array(column) for column in (["q"], [2], [0.5])), strict=True)
    kinds = "TYPEOF(query), TYPEOF(relevance), TYPEOF(score)"
    assert on_sqlite(f"SELECT {kinds} FROM judged", rows) == [("text", "integer", "real")]


def test_a_run_alone_is_not_left_out_in_silence():
    with pytest.raises(TypeError, match="run and qrels go together"):
        printed_number({"q": {"a": 1.0}})


def test_a_number_of_queries_beyond_counting_is_refused():
    with pytest.raises(ValueError, match="difference must not be so small beside sd=1 "):
        queries_needed(1, 1e-9)
