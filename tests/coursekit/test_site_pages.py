"""The pages of the site, without a browser: what they hold, what they say, where they lead."""

import gzip
import json
import re

import pytest
from bs4 import BeautifulSoup
from PIL import Image
from site_page import LISTS

from course.content import COURSE
from course.site import words
from coursekit.authoring.book import Book
from coursekit.authoring.write import PLOTLY, plotly_outputs, read
from coursekit.site.build import NOTEBOOKS, SITEMAP, write_pages
from coursekit.site.conf import mathml
from coursekit.site.home import Home
from coursekit.site.pages import LEFT_OUT, LIVE
from coursekit.site.signs import set_signs
from coursekit.text import raised

BOOK = Book(NOTEBOOKS, COURSE, read)
NAMES = list(BOOK.by_name)
MATH = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+)\$", re.DOTALL)
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)


def notebook(name):
    return read(NOTEBOOKS / BOOK.by_name[name].file)


def shown(name):
    """Return the cells of a notebook that its page shows."""
    left_out = LEFT_OUT | words.LEFT_OUT.get(name, set())
    return [cell for cell in notebook(name).cells if cell.id not in left_out]


def live_cells(name):
    """Return id → tag of the cells that are live on a page."""
    tags = {cell.id: cell.metadata.get("tags", []) for cell in shown(name)}
    return {
        cell: next(t for t in LIVE if t in own) for cell, own in tags.items() if {*own} & {*LIVE}
    }


def data_of_cells(data):
    """Return what `write_pages` takes, with ``data(notebook's name, cell's id)`` for each cell."""
    return {
        chapter.file: {cell.id: data(name, cell.id) for cell in notebook(name).cells}
        for name, chapter in BOOK.by_name.items()
    }


def data_of_cell(name, cell_id):
    """Return data that another cell would not have; with a widget for those with a module."""
    [cell] = [cell for cell in notebook(name).cells if cell.id == cell_id]
    is_part = bool(LISTS.search(cell.source))
    return {"of": [name, cell_id], "bet": "one"} | ({"widget": "one"} if is_part else {})


@pytest.fixture(scope="module", name="live")
def _live(tmp_path_factory):
    """Return the folder of pages, not yet built, on which every tagged cell is live."""
    folder = tmp_path_factory.mktemp("live") / "pages"
    write_pages(COURSE, folder, data_of_cells(data_of_cell))
    return folder


def soup(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def prose(page):
    """Return what the article of a page says, its code and outputs aside."""
    article = page.find("article")
    for part in article.find_all(["pre", "code", "script"]):
        part.extract()
    return article.get_text(" ")


# --- what is there --------------------------------------------------------------------


def test_every_notebook_is_a_page_under_its_short_name(site):
    pages = {path.stem for path in site.glob("*.html")}
    assert pages == {*NAMES, "404", "about", "glossary", "index", "practice", "room", "search"}
    for chapter in BOOK.chapters:
        title = soup(site / f"{chapter.name}.html").find("h1").get_text().removesuffix("#")
        # A power is set as one.
        assert title == set_signs(chapter.title.replace("*", "").replace("^", ""))


def test_powers_are_set_as_such_but_in_code_and_within_a_tag():
    html = '<p title="2^rel">2^rel − 1, 2^5.8.</p><pre><b>2^rel</b></pre>'
    assert raised(html) == html.replace(">2^rel −", ">2<sup>rel</sup> −").replace(
        "2^5.8", "2<sup>5.8</sup>"
    )
    html = '<p title="10⁻³⁰">10⁻³⁰, 6 · 10⁻¹², 3²</p>'
    assert raised(html) == html.replace(">10⁻³⁰", ">10<sup>−30</sup>").replace(
        "10⁻¹²", "10<sup>−12</sup>"
    )


def test_quotes_are_curly_and_the_base_of_a_logarithm_is_below_it_but_in_code():
    html = (
        "<p>The course's &quot;own&quot; page, in the '80s.</p>"
        '<p title="a &quot;b&quot;">"<em>Name</em>": <code>x["log2"]</code>\'s 5\', log2(3)</p>'
        "<td>nDCG(dcg='exp-log2')</td><td>it&#x27;s `\"log2\"`</td>"
    )
    assert set_signs(html) == (
        "<p>The course’s “own” page, in the ’80s.</p>"
        '<p title="a &quot;b&quot;">“<em>Name</em>”: <code>x["log2"]</code>’s 5’, log₂(3)</p>'
        "<td>nDCG(dcg='exp-log2')</td><td>it’s `\"log2\"`</td>"
    )


def test_no_line_breaks_at_an_equals_sign_but_in_code():
    html = "At k = 10, p = −1, NDCG = 1 and <code>k = 1</code>, <b>b</b> = 2"
    parted = html.replace("k = 10", "k\u00a0=\u00a010").replace("p = −1", "p\u00a0=\u00a0−1")
    assert set_signs(html) == parted


def test_no_page_says_anything_in_straight_quotes(site):
    for path in site.glob("*.html"):
        page = soup(path)
        for kept in page(["pre", "code", "math", "script", "style", "svg"]):
            kept.replace_with("")
        said = re.sub(r"\(\w+=[^)]*\)", "", page.get_text())  # a call in a table
        assert re.findall(r".*[\"'].*", said) == [], path.name
        assert "log2" not in said, path.name


def test_links_by_a_title_are_set_alike(site):
    needs = soup(site / "floors.html").find("strong", string="Needs:").parent
    by_title, by_number = needs.find_all("a", class_="internal")
    assert by_title.get_text() == by_title.em.get_text() == BOOK.by_name["gain_discounted"].title
    assert by_number.get_text() == "chapter 04"


@pytest.mark.parametrize("name", NAMES)
def test_every_tagged_cell_is_a_placeholder_with_its_own_data(live, name):
    text = (live / f"{name}.md").read_text(encoding="utf-8")
    found = {
        cell: (kind, json.loads(gzip.decompress((live / file).read_bytes())))
        for cell, kind, file in re.findall(
            r'<div class="ndcg-live" id="(.*?)" data-kind="(.*?)" data-file="(.*?)">', text
        )
    }
    cells = {cell.id: cell for cell in shown(name)}
    figures = {cell for cell, (kind, _) in found.items() if kind == "figure"}
    for cell in figures:
        [figure] = [o.data[PLOTLY] for o in cells[cell].outputs if PLOTLY in o.get("data", {})]
        assert found[cell][1] == json.loads(raised(json.dumps(figure)))
    tagged = live_cells(name)
    assert found.keys() - figures == tagged.keys()
    for cell, tag in tagged.items():
        kind, data = found[cell]
        assert data == data_of_cell(name, cell)
        if tag in ("explorer", "widget"):
            assert kind == ("part" if LISTS.search(cells[cell].source) else "explorer")
        else:
            assert kind == tag.replace("-", "_")
    assert len(figures) + len(tagged) == len(found)


@pytest.mark.parametrize("name", NAMES)
def test_each_figure_and_explorer_has_its_picture_and_its_sentence(site, name):
    page = soup(site / f"{name}.html")
    nb = notebook(name)
    nb.cells = shown(name)
    outputs = plotly_outputs(nb)
    pictures = page.find("article").find_all("img")
    said = [set_signs(o.data["text/plain"]) for o in outputs]
    assert [img["alt"] for img in pictures] == said
    for img in pictures:
        assert Image.open(site / img["src"]).format == "WEBP"
        assert img["loading"] == "lazy"
        said = img["alt"].replace("2^rel", "2rel")  # a power is set as one
        assert img.find_next(lambda tag, said=said: said in tag.get_text())


@pytest.mark.parametrize("name", NAMES)
def test_stored_words_and_tables_are_there_and_no_answer_lies_open(site, name):
    page = soup(site / f"{name}.html")
    printed = [pre.get_text() for pre in page.select("pre.ndcg-output")]
    for cell in shown(name):
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                assert output.text.rstrip("\n") in printed
    replies = page.find_all(string=lambda text: text.startswith("You bet "))
    assert all(reply.find_parent("details") for reply in replies)
    tags = live_cells(name).values()
    assert len(replies) >= 3 * list(tags).count("bet")
    solutions = page.find_all("summary", string="One solution")
    assert len(solutions) == list(tags).count("exercise")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_folded_until_a_bet_is_placed_comes_right_before_its_reveal(live, name):
    page = soup(live / f"{name}.md")
    assert page.select("[data-bet]")
    for folded in page.select("[data-bet]"):
        inside = folded.select("[data-kind]")
        after = folded.find_all_next(attrs={"data-kind": True})[len(inside)]
        assert after["data-kind"] == "reveal"


def test_the_front_page_opens_with_a_list_and_has_each_chapter_with_its_drawing(site):
    page = soup(site / "index.html")
    opening = page.find(id="opening")
    assert len(opening.find_all("li")) == 5
    cards = page.select(".ndcg-map li")
    assert [card.a["href"] for card in cards] == [f"{name}.html" for name in NAMES]
    minutes = [card.small.get_text() for card in cards]
    assert minutes == [f"{chapter.minutes.needed} minutes" for chapter in BOOK.chapters]
    assert opening.sourceline < cards[0].sourceline
    drawings = [str(card.svg) for card in cards]
    assert len(set(drawings)) == len(NAMES)  # a drawing of its own
    ways = [way.get_text() for way in page.select(".ndcg-paths section > small")]
    assert all(re.fullmatch(r"[\d.]+ hours, and [\d.]+ optional", way) for way in ways)
    assert len(ways) == len(COURSE.paths)
    first, last = page.select("a.ndcg-start")  # below the commands one is led on, too
    assert first["href"] == last["href"] == f"{NAMES[0]}.html"
    assert page.find_all("pre")[-1].sourceline < last.sourceline


def test_the_parts_have_every_chapter_once_in_the_order_of_the_book():
    assert [name for part in COURSE.parts.values() for name in part.chapters] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_chapter_says_where_it_is_and_where_one_goes(site, name):
    page, place = soup(site / f"{name}.html"), NAMES.index(name)
    where = page.select_one(".ndcg-where").get_text()
    assert where.startswith(f"Chapter {BOOK.chapters[place].number}")
    around = [a["href"].removesuffix(".html") for a in page.select(".ndcg-neighbors a")]
    assert around == NAMES[max(place - 1, 0) : place] + NAMES[place + 1 : place + 2]
    [here] = page.select(".ndcg-chapters [aria-current]")
    assert here["href"] in ("#", f"{name}.html")
    numbers = [b.get_text() for b in page.select(".ndcg-chapters a > b")]
    assert numbers == [one.number for one in BOOK.chapters]


def test_a_published_page_has_a_preview_of_its_own_and_a_map_of_the_site(tmp_path):
    home = Home("ada", "ndcg-course")
    write_pages(COURSE, tmp_path / "pages", data_of_cells(lambda *_: None), home)
    shown = set()
    for name in ["index", *NAMES]:
        text = (tmp_path / "pages" / f"{name}.md").read_text(encoding="utf-8")
        [address] = re.findall(f'"property=og:image": "{home.site}(.*)"', text)
        shown.add(address)
        with Image.open(tmp_path / "pages" / address) as picture:
            assert picture.size == (1200, 630)
    assert len(shown) > len(NAMES) - 4  # a few chapters have no picture of their own
    found = re.findall("<loc>(.*?)</loc>", (tmp_path / "pages" / SITEMAP).read_text())
    assert {f"{home.site}{name}.html" for name in ["index", "glossary", *NAMES]} <= {*found}


def test_a_copy_without_a_home_names_no_address(live):
    for page in live.glob("*.md"):
        assert "og:image" not in page.read_text(encoding="utf-8")
    assert not (live / SITEMAP).exists()


def test_an_exercise_that_no_page_can_judge_leads_to_where_it_runs(tmp_path):
    kinds = data_of_cells(lambda _name, cell: None if cell == "my-dcg" else {})
    write_pages(COURSE, tmp_path / "pages", kinds)
    text = (tmp_path / "pages" / "gain_discounted.md").read_text(encoding="utf-8")
    assert text.count("Your answer is checked in the notebook, ") == 1
    below = text[text.index('id="my-dcg"') : text.index('id="my-ndcg-at-k"')]
    assert f"`{BOOK.by_name['gain_discounted'].file}`" in below


# --- what is said ---------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_page_says_nothing_of_running_cells_or_of_numbers_of_notebooks(site, name):
    said = prose(soup(site / f"{name}.html"))
    assert [m[0] for m in words.UNTRUE.finditer(said)] == []


def test_asides_are_whole_sentences_and_no_question_loses_one(site):
    """Where there is room they stand in the margin, and else in their brackets."""
    asides = [a for name in NAMES for a in soup(site / f"{name}.html").select(".ndcg-aside")]
    assert len(asides) > 40
    for aside in asides:
        first, *_, last = (part.get_text() for part in aside.contents)
        assert (first, last) == ("(", ")")
        assert aside.get_text()[-2] in ".!?"
        assert aside.find_parent(class_="ndcg-live") is None
    page = prose(soup(site / "staircase.html"))
    assert "(The discount of rank 2 is 0.6309, the ideal DCG 2.6309.)" in page
    assert not [a for a in asides if "the ideal DCG 2.6309" in a.get_text()]


def test_a_citation_leads_to_the_references_and_has_its_own_in_the_margin(site):
    cited = 0
    for name in NAMES:
        page = soup(site / f"{name}.html")
        listed = [item.get_text() for item in page.select("#references ol > li")]
        for link in page.select(".ndcg-cite"):
            number = int(link.get_text().strip("[]"))
            in_margin = link.find_next_sibling(class_="ndcg-margin").get_text()
            assert in_margin == f"{number}. {listed[number - 1]}", name
            assert link["title"] == listed[number - 1]
        in_words = re.findall(r"(?<= )\[\d+\]", prose(page))
        assert len(in_words) == len(page.select(".ndcg-cite")), name
        cited += len(in_words)
    assert cited > 40


def test_a_page_has_no_comment_of_its_notebook(live):
    """Such as the check of a number."""
    assert any("<!--" in cell.source for name in NAMES for cell in shown(name))
    assert not any("<!--" in page.read_text(encoding="utf-8") for page in live.glob("*.md"))


def test_what_the_pages_say_in_their_own_way_stands_in_a_notebook():
    """What is not found there has changed, and the page would say it as the notebook does."""
    texts = {name: [cell.source for cell in shown(name)] for name in NAMES}
    everything = "\n\n".join(text for own in texts.values() for text in own)
    assert [sentence for sentence in words.SENTENCES if sentence not in everything] == []
    cells = {(name, cell.id) for name in NAMES for cell in notebook(name).cells}
    asked = {(name, cell) for name, own in words.LEFT_OUT.items() for cell in own}
    assert asked | words.INSTEAD.keys() <= cells


# --- formulas -------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_formula_is_set(site, name):
    sources = [cell.source for cell in shown(name) if cell.cell_type == "markdown"]
    page = soup(site / f"{name}.html")
    if page.find(class_="ndcg-kept"):
        sources.append(COURSE.catalog.lines[name])
    formulas = [m for text in sources for m in MATH.finditer(CODE.sub("", text))]
    assert len(page.find_all("math")) >= len(formulas)
    assert len(page.select('math[display="block"]')) == sum(bool(m[1]) for m in formulas)
    assert "$" not in prose(page)
    assert page.find("merror") is None


def test_formulas_read_as_in_a_book():
    assert "<mi>@</mi>" in mathml(r"\mathrm{DCG@}k")
    assert re.search(r"<mi>ln</mi>\s*<mspace", mathml(r"\ln 2"))
    assert "…" in mathml(r"d_1 + \dots + d_k")


# --- what it is made of ---------------------------------------------------------------


def test_an_id_stands_once(site):
    for path in site.glob("*.html"):
        found = [tag["id"] for tag in soup(path).find_all(id=True)]
        assert len(found) == len(set(found)), path.name


def test_no_link_is_left_as_it_was_written(site):
    for path in site.glob("*.html"):
        if (page := soup(path)).find("article"):
            assert not re.search(r"\]\(|<a |</a>", prose(page)), path.name


def test_nothing_is_fetched_from_elsewhere(site):
    for path in site.glob("*.html"):
        page = soup(path)
        fetched = [tag["src"] for tag in page.find_all(src=True)]
        loads = [link for link in page.find_all("link", href=True) if link["rel"] != ["canonical"]]
        fetched += [link["href"] for link in loads]
        assert [address for address in fetched if re.match(r"(https?:)?//", address)] == []
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"url\(\s*['\"]?(?:https?:)?//[^)]*|@import[^;]*", text) == [], path


def test_any_host_will_do(site):
    assert (site / ".nojekyll").exists()


def test_a_page_is_small_before_a_figure_comes_near(site):
    """Everything but the modules that bring it to life: pictures come when they are near."""
    sizes = {}
    for path in site.glob("*.html"):
        page = soup(path)
        parts = [tag["src"] for tag in page.find_all("script", src=True)]
        parts += [link["href"] for link in page.find_all("link", rel="stylesheet")]
        files = [path, *(site / part.partition("?")[0] for part in parts)]
        sizes[path.name] = sum(len(gzip.compress(file.read_bytes())) for file in files)
    words = sizes.pop("search.html")  # it has those of all pages
    assert words < 80_000
    assert {name: size for name, size in sizes.items() if size > 60_000} == {}


def test_tables_are_small(site):
    files = list((site / "_static" / "course" / "data").glob("*.json.gz"))
    assert len({path.read_bytes() for path in files}) == len(files)  # none is there twice
    sizes = {path.name: path.stat().st_size for path in files}
    assert {name: size for name, size in sizes.items() if size > 155_000} == {}
    drills = {name: sizes.pop(name) for name in [*sizes] if name.startswith("drill-")}
    assert max(drills.values()) < 12_000  # one is loaded at a time
    assert sum(sizes.values()) <= 31_000 * len(BOOK.by_name)
    assert max(sizes.values()) > 100_000  # the floor's is there


def test_a_page_without_anything_live_loads_nothing_for_it(site):
    assert "host.js" not in (site / "search.html").read_text(encoding="utf-8")
    assert "host.js" in (site / "cutoff.html").read_text(encoding="utf-8")
