"""No link leads nowhere: in the guides, in the notebooks, on the site.

What is within the course is followed, to the file and to the heading; an address on the web is
looked at, not asked, since no test needs a network.
"""

import gzip
import re
from pathlib import Path
from urllib.parse import unquote

import notebook_rules as rules
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_markdown_cell, new_notebook

from course.content import COURSE
from coursekit.authoring.write import output_text, read
from coursekit.site.build import AS_IT_IS, main, typeset, write_pages
from coursekit.site.home import VARIABLE, Home, published

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
GUIDES = [*sorted(ROOT.glob("*.md")), ROOT / "helpers" / "README.md"]
GUIDES += sorted((ROOT / "src").rglob("README.md"))
# The texts of bets, exercises and mistakes are read in a notebook; INSTRUCTORS.md has the rest.
COURSE_TEXTS = ROOT / "src" / "course"
TEXTS = sorted(
    set(COURSE_TEXTS.rglob("*.md")) - set(GUIDES) - {COURSE_TEXTS / "bets" / "questions.md"}
)
ON_THE_WEB = re.compile(r"https?://[^\s\"'<>`)\\]*")
PLACEHOLDER = re.compile(
    r"OWNER|REPOSITORY|\bYOUR\b|\bUSER(?:NAME)?\b|[{}<>]|//(?:www\.)?example\.(?:com|org|net)\b"
)


def as_notebook(text):
    return new_notebook(cells=[new_markdown_cell(text)])


def everything(nb):
    """Return what a reader may see of a notebook: its sources, what they print and display."""
    outputs = [output_text(o) for cell in nb.cells for o in cell.get("outputs", [])]
    return "\n".join([*(cell.source for cell in nb.cells), *outputs])


def placeholders(text):
    """List the addresses of a text that somebody still has to fill in, wherever they stand."""
    return [url for url in ON_THE_WEB.findall(text) if PLACEHOLDER.search(url)]


# ------------------------------------------------------------ the guides and the notebooks


def github_anchors(file):
    """Return the ids that GitHub gives the headings of a guide."""
    found, ids = [line.heading for line in rules.headings(rules.document(file))], set()
    for heading in found:
        slug = re.sub(r"[^\w\- ]", "", rules.heading_text(heading).lower()).replace(" ", "-")
        ids.add(next(s for s in (slug, *(f"{slug}-{i}" for i in range(1, 9))) if s not in ids))
    return ids


def dead_links(text, seen_from):
    """Say which links of a Markdown text lead nowhere, seen from a file."""
    found = []
    for target in rules.links(as_notebook(text)):
        name, _, anchor = unquote(target).partition("#")
        file = (seen_from.parent / name).resolve() if name else seen_from
        if rules.is_absolute(target):
            good = rules.WEB.fullmatch(target)
        elif not file.is_relative_to(ROOT) or not file.exists():
            good = False
        else:
            ids = github_anchors if file.suffix == ".md" else lambda f: rules.anchors(read(f))
            good = not anchor or anchor in ids(file)
        found += [] if good else [target]
    return found + placeholders(text)


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_of_a_guide_leads_somewhere(path):
    assert dead_links(path.read_text(encoding="utf-8"), path) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_every_link_of_a_notebook_leads_somewhere(path):
    nb = read(path)
    text = everything(nb)
    assert rules.has_good_relative_links(nb, path) + rules.has_good_web_links(nb, path) == []
    assert placeholders(text) == []
    in_outputs = re.findall(r"(?:href|src)=[\"']([^\"'#]+)", text)
    assert [address for address in in_outputs if not follows(address, path)] == []


def follows(address, path):
    """Tell whether what an output links to is there."""
    if rules.is_absolute(address):
        return bool(re.match(r"data:image/", address) or rules.WEB.fullmatch(address))
    return (path.parent / address).exists()


def test_every_link_of_the_texts_that_a_notebook_shows_leads_somewhere():
    texts = {path: path.read_text(encoding="utf-8") for path in TEXTS}
    assert len(texts) > 100
    assert {p: dead for p, t in texts.items() if (dead := dead_links(t, NOTEBOOKS[0]))} == {}


@pytest.mark.parametrize(
    "text",
    [
        "[a](https://OWNER.github.io/a/)",
        "`https://mybinder.org/v2/gh/OWNER/REPOSITORY/HEAD`",
        "```text\nhttps://YOUR-HUB/hub\n```",
        "<https://example.org/>",
        "[a](http://ndcg.org)",
        "[a](notebooks/99_none.ipynb)",
        "[a](notebooks/00_start_here.ipynb#Nothing)",
        "[a](INSTRUCTORS.md#nothing)",
        "[a](#nothing)",
        "[a](../other/README.md)",
        "[![A picture](notebooks/pictures/none.gif)](notebooks/00_start_here.ipynb)",
    ],
)
def test_a_dead_link_is_found(text):
    assert dead_links(text, ROOT / "README.md")


def test_a_good_link_is_not():
    text = (
        "[a](notebooks/00_start_here.ipynb#Do-the-sliders-work?), [b](#the-map), <https://ndcg.org>"
        ", [c](INSTRUCTORS.md#50-minutes-on-conventions-and-significance)"
        ", `http://192.168.1.20:8866`, [d](helpers)"
    )
    assert dead_links(text, ROOT / "README.md") == []


# ------------------------------------------------------------ the files that guides name

A_PATH = re.compile(
    r"`((?:\.?[\w-]+/)*\.?[\w-]+(?:/|\.(?:py|md|json|cfg|toml|lock|yml|ipynb|R)))`"
)
MADE = ("build/", ".venv/", "lab/tree/")  # by make, or by a server


def named_files(text):
    """Return the paths that stand in backticks; what is made is not there yet."""
    return {name for name in A_PATH.findall(text) if not name.startswith(MADE)}


FOLDERS = ("benchmarks", "helpers", "notebooks", "src", "tests", "tools", ".github", ".ci")


@pytest.fixture(scope="module", name="files")
def _files():
    """Return every path of the course, folders with a slash at their end."""
    kept = [ROOT / name for name in FOLDERS]
    inner = [path for folder in kept for path in [folder, *folder.rglob("*")]]
    every = [*(path for path in ROOT.iterdir() if path.is_file()), *inner]
    return [f"/{path.relative_to(ROOT).as_posix()}{'/' * path.is_dir()}" for path in every]


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_guide_names_is_there(path, files):
    """A path may begin further down, in the folder that the text speaks of."""
    named = named_files(path.read_text(encoding="utf-8"))
    assert [name for name in named if not any(file.endswith(f"/{name}") for file in files)] == []


def test_names_of_files_are_found():
    text = "`tests/test_slide_k.py` `notebooks/` `.ci/` `plain.py` `make lab` `build/site/` `a.b`"
    assert named_files(text) == {"tests/test_slide_k.py", "notebooks/", ".ci/", "plain.py"}
    assert sum(len(named_files(path.read_text(encoding="utf-8"))) for path in GUIDES) > 40


# ------------------------------------------------------------ what a guide points to


def section(link):
    """Return the cells' code and output of the section of a notebook that a link leads to."""
    name, _, anchor = link.partition("#")
    found, inside = [], False
    for cell in read(ROOT / name).cells:
        titles = rules.anchors(as_notebook(cell.source)) if cell.cell_type == "markdown" else ()
        inside = anchor in titles if titles else inside
        found += [cell] if inside else []
    return everything(new_notebook(cells=found))


def test_question_ten_points_to_what_it_says():
    guide = (ROOT / "INSTRUCTORS.md").read_text(encoding="utf-8")
    show = guide.split("\n**10. ")[1].split("- Show: ")[1].split("\n")[0]
    numbers, shuffler = re.findall(r"\]\((notebooks/[^)]*)\)", show)
    assert re.search(r"exp\(s\) +0\.8675\b", section(numbers))
    assert re.search(r"s squared +0\.8238\b", section(numbers))
    assert re.search(r"tie_shuffler\(.*decimals=2", section(shuffler))
    makes = re.findall(r"^tie_shuffler\(.*", everything(read(rules.chapter("ties"))), re.MULTILINE)
    assert "Second tie shuffler of" in show
    assert "decimals=2" in makes[1]


# ------------------------------------------------------------ the site


HOME = Home("Ada", "ndcg-course")
CARD = 'meta[property="og:image"]'
LINK_IN_DATA = r"(?:\]\(|href=\\?[\"'])([^\"'\\)]*)"  # in Markdown and HTML, quoted in JSON


@pytest.fixture(scope="module", name="published_site")
def _published_site(tmp_path_factory):
    """Return the folder of a site that knows where it is, with nothing live on it."""
    folder = tmp_path_factory.mktemp("published")
    nothing = {path.name: {} for path in NOTEBOOKS}
    write_pages(COURSE, folder / "pages", nothing, HOME)
    (folder / "pages" / AS_IT_IS / "room.html").write_text("the room", encoding="utf-8")
    assert typeset(COURSE, folder / "pages", folder / "site") == 0
    return folder / "site"


def pages(folder):
    """Return the pages of a site, parsed, by name."""
    files = sorted(folder.glob("*.html"))
    return {f.name: BeautifulSoup(f.read_text(encoding="utf-8"), "html.parser") for f in files}


def leads_to(page):
    """List what a page links to and loads."""
    found = [tag.get("href") or tag.get("src") for tag in page.select("[href], [src]")]
    return found + [tag["content"] for tag in page.select(CARD)]


def dead_ends(site):
    """Say where the pages of a site lead nowhere."""
    found = pages(site)
    ids = {name: {tag["id"] for tag in page.select("[id]")} for name, page in found.items()}
    return [
        f"{name}: {address}"
        for name, page in found.items()
        for address in leads_to(page)
        if not is_there(address, site, name, ids)
    ]


def is_there(address, site, name, ids):
    """Tell whether an address on a page is a file of the site, with the anchor, or on the web."""
    if rules.is_absolute(address):
        return bool(re.match(r"data:image/", address) or rules.WEB.fullmatch(address))
    file, _, anchor = address.partition("#")
    file = file.partition("?")[0] or name
    if file.startswith("/"):  # works at the root of a host alone
        return False
    return (site / file).exists() and (not anchor or unquote(anchor) in ids.get(file, ()))


@pytest.mark.parametrize("which", ["site", "published_site"])
def test_every_link_of_the_site_leads_somewhere(request, which):
    folder = request.getfixturevalue(which)
    assert len(pages(folder)) >= len(NOTEBOOKS) + 2
    assert dead_ends(folder) == []
    texts = [path.read_text(encoding="utf-8") for path in folder.glob("*.html")]
    texts += [gzip.decompress(f.read_bytes()).decode() for f in folder.rglob("data/*.json.gz")]
    assert [url for text in texts for url in placeholders(text)] == []
    links = [link for text in texts for link in re.findall(LINK_IN_DATA, text)]
    assert [link for link in links if ".ipynb" in link and not rules.is_absolute(link)] == []


def test_a_dead_end_of_the_site_is_found(tmp_path):
    links = (
        "b.html",
        "#b",
        "a.html#b",
        "http://ndcg.org",
        "//ndcg.org",
        "/a.html",
        "_static/c.png",
    )
    text = '<p id="a"><a href="#a"></a><a href="a.html?b#a"></a>'
    text += "".join(f'<a href="{link}"></a>' for link in links)
    (tmp_path / "a.html").write_text(text, encoding="utf-8")
    assert dead_ends(tmp_path) == [f"a.html: {link}" for link in links]


def homes(site):
    """List what leads to a copy of the course: Binder, pictures for messengers, clone lines."""
    found = list(pages(site).values())
    pictures = [tag["content"] for page in found for tag in page.select(CARD)]
    binder = [link for page in found for link in leads_to(page) if "mybinder.org" in link]
    text = "".join(page.get_text() for page in found)
    return binder, pictures, re.findall(r"git clone (\S+)", text)


def test_a_site_that_is_not_told_where_it_is_links_to_no_copy_of_itself(site):
    assert homes(site) == ([], [], [])


def test_a_site_that_is_told_where_it_is_has_it_in_every_link(published_site):
    binder, pictures, clones = homes(published_site)
    assert clones == ["https://github.com/Ada/ndcg-course"]
    start = "https://mybinder.org/v2/gh/Ada/ndcg-course/HEAD?urlpath=lab/tree/"
    assert len(binder) > len(NOTEBOOKS)
    assert all((ROOT / link.removeprefix(start)).is_file() for link in binder)
    assert len(pictures) == len(NOTEBOOKS) + 1
    for picture in set(pictures):
        file = picture.removeprefix("https://ada.github.io/ndcg-course/")
        assert (published_site / file).is_file()


def test_one_variable_says_where_the_course_is(monkeypatch, capsys):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert published() is None
    monkeypatch.setenv(VARIABLE, "")
    assert published() is None
    monkeypatch.setenv(VARIABLE, "Ada/ndcg-course")
    assert published() == HOME
    assert Home("Ada", "ada.github.io").site == "https://ada.github.io/"
    for wrong in ("ndcg-course", "https://github.com/Ada/ndcg-course", "Ada/", "a b/c", "a/b\n"):
        monkeypatch.setenv(VARIABLE, wrong)
        with pytest.raises(SystemExit):
            main(COURSE, ["build/none"])
        assert f"such as ada/ndcg-course, got {wrong!r}" in capsys.readouterr().err


# ------------------------------------------------------------ the glossary of the site


NO_PLACE = ["h1", "h2", "h3", "a", "code", "pre"]


def linked_terms(page):
    """Return what leads to the glossary, by the anchor of the term."""
    links = page.select('article a[href^="glossary.html#"]')
    return [(unquote(link["href"].partition("#")[2]), link) for link in links]


def test_each_page_links_a_term_once_and_each_term_is_linked(published_site):
    found = {name: linked_terms(page) for name, page in pages(published_site).items()}
    for name, terms in found.items():
        anchors = [anchor for anchor, _ in terms]
        assert len(anchors) == len({*anchors}), name
        assert not any(link.find_parent(NO_PLACE) for _, link in terms)
    glossary = pages(published_site)["glossary.html"]
    listed = {entry["id"] for entry in glossary.select("dl.glossary dt[id]")}
    assert len(listed) > 50
    assert listed - {anchor for terms in found.values() for anchor, _ in terms} == set()


def test_a_word_that_may_mean_something_else_is_linked_where_it_is_defined(published_site):
    for page in pages(published_site).values():
        for _, link in linked_terms(page):
            if re.fullmatch("[a-z]+", link.get_text()):
                assert link.parent.name == "strong"
                assert link.parent.get_text() in (link.get_text(), link.get_text() + "s")
