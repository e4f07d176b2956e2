"""Styles that no page can use: what goes, and what stays."""

import gzip

import pytest

from coursekit.site.unused import trim_styles, trimmed

WORDS = {"card", "open", "chapters"}


@pytest.mark.parametrize(
    "kept",
    [
        ".card{color:red}",
        "details.card > p:first-child{color:red}",
        "#chapters .card{color:red}",
        ".card:not(.closed){color:red}",
        "p{color:red}",
        "@font-face{font-family:x;src:url(a.woff2)}",
        "@media print{.card{color:red}}",
        ':root{--stack:"a, b";--of:var(--it)}',
        '.card::before{content:".closed{}"}',
    ],
)
def test_what_a_page_may_use_stays(kept):
    assert "".join(trimmed(kept, WORDS).split()) == "".join(kept.split())


@pytest.mark.parametrize(
    ("styles", "left"),
    [
        (".closed{color:red}", ""),
        (".card.closed, .closed p{color:red}", ""),
        ("#closed{color:red}", ""),
        (".closed, .card{color:red}", ".card{color:red}"),
        ("@media print{.closed{color:red}}", ""),
        ("@supports (a:b){.closed{color:red} .card{a:b}}", "@supports (a:b){.card{a:b}}"),
        ("/* why */.card{color:red}", ".card{color:red}"),
    ],
)
def test_what_no_page_uses_goes(styles, left):
    assert "".join(trimmed(styles, WORDS).split()) == "".join(left.split())


def test_a_class_counts_wherever_it_stands(tmp_path):
    (tmp_path / "index.html").write_text('<p class="page">')
    (tmp_path / "page.js").write_text('el.classList.add("script")')
    (tmp_path / "cell.json.gz").write_bytes(gzip.compress(b'{"html": "<b class=\\"data\\">"}'))
    (tmp_path / "a.css").write_text(".page{a:b}.script{a:b}.data{a:b}.none{a:b}")
    (tmp_path / "own.css").write_text(".none{a:b}")
    trim_styles(tmp_path, ["a.css"])
    assert (tmp_path / "own.css").read_text() == ".none{a:b}"
    assert (tmp_path / "a.css").read_text().split() == [
        ".page{a:b}",
        ".script{a:b}",
        ".data{a:b}",
    ]
