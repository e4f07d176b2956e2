"""What Sphinx is told about the site; `typeset` calls it, with the title of the course."""

import json
import re
from pathlib import Path

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

from coursekit.site.contents import CONTENTS
from coursekit.site.signs import based, set_signs
from coursekit.site.unused import trim_styles
from coursekit.text import raised

APPLIED = re.compile(r"<mo>&ApplyFunction;</mo>(?=\s*<m[in]>)")
STOPPED = re.compile(r"(<math\b(?:(?!</math>).)*</math>[.,;:?!)]+)", re.DOTALL)
CELL_ENDS = re.compile(r"</(?:td|th|p|li|summary|div|dd|dt|caption|figcaption|pre)>(?!\s)")
LETTER = re.compile(r"<mi>([A-Za-z])</mi>")  # set in the italics of the text: see site.css
FOR_SEARCH = ("documentation_options.js", "doctools.js", "sphinx_highlight.js")
THEMES = ["_static/pygments.css", "_static/styles/furo.css"]
BEFORE_OURS = 799  # Sphinx loads html_css_files at 800
SPY = re.compile(r"offset:\(\)=>\{[^}]*\}")  # in the theme: how far down a section is read
FOLDED_BELOW = "max-width:63em"  # in the theme: where its list of chapters is folded

language = "en"
extensions = ["myst_parser", "sphinx.ext.githubpages", "coursekit.site.glossary"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
smartquotes_action = "q"  # and no dashes; that of HTML is in signs.py
html_theme = "furo"
pygments_dark_style = "github-dark"
html_math_renderer = "mathml"
html_favicon = "static/favicon.svg"
templates_path = ["templates"]
html_copy_source = html_show_sourcelink = html_show_copyright = html_use_index = False
html_css_files = ["course/site.css"]
html_js_files = [("course/page.js", {"type": "module"})]
html_sidebars = {"**": ["sidebar/brand.html", "sidebar/search.html", "chapters.html"]}
html_permalinks_icon = "#"
html_theme_options = {  # what an author writes with; the colors are in site.css
    "light_css_variables": {
        "font-stack": "var(--ndcg-text-face)",
        "font-stack--headings": "var(--ndcg-text-face)",
        "font-stack--monospace": "var(--ndcg-code-face)",
    },
}


def mathml(formula, as_block=False):
    r"""Return a formula as MathML; docutils knows all of LaTeX that the course needs but \dots."""
    made = tex2mathml(formula.replace(r"\dots", r"\ldots"), as_block=as_block)
    made = made.replace("<mo>@</mo>", "<mi>@</mi>")  # no operator in DCG@k
    made = LETTER.sub(r'<mi class="ndcg-letter">\1</mi>', made)
    return APPLIED.sub('<mspace width="0.17em"/>', made)  # ln 2, where browsers set ln2


def _inline(translator, node):
    translator.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def _block(translator, node):
    translator.body.append(f'<div class="math">{mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def _set_formulas(_app, _page, _template, context, _doctree):
    """Set powers and signs as such in what a page says, and keep a full stop at its formula."""
    context |= {part: based(context.get(part, "")) for part in ("title", "toc")}
    body = set_signs(raised(context.get("body", "")))
    context["body"] = STOPPED.sub(r'<span class="ndcg-whole">\1</span>', body)


def _keep_cells_apart(_app, doctree):
    """End the line behind a cell: the search takes tags away, and would join what they part."""
    for raw in doctree.findall(nodes.raw):
        raw[:] = [nodes.Text(CELL_ENDS.sub("\\g<0>\n", raw.astext()))]


def _without_unused(_app, page, _template, context, _doctree):
    """Leave out what a page has no use for.

    Those are the theme's styles for extensions, and what searches or marks the words that one
    searched: `page.js` loads it for those who did.
    """
    styles = context["css_files"]
    context["css_files"] = [s for s in styles if "furo-extensions" not in str(s.filename)]
    if page != "search":
        scripts = context["script_files"]
        context["script_files"] = [s for s in scripts if not str(s.filename).endswith(FOR_SEARCH)]


def _fit_theme(app, error):
    """Leave out of the theme's styles what no page uses.

    And let it fold its list of chapters on a laptop, too: figures and notes need room. In the
    contents of a page it marks the section whose title is in the upper third of the window; by
    its own rule a title a pixel too low was not read yet, as after a jump past what grew.
    """
    if error:
        return
    trim_styles(app.outdir, THEMES, FOLDED_BELOW, "max-width:100em")
    script = Path(app.outdir, "_static/scripts/furo.js")
    marked, count = SPY.subn("offset:()=>innerHeight/3", script.read_text(encoding="utf-8"))
    if count != 1:
        raise ValueError("the theme has no place where it says which section is read")
    script.write_text(marked, encoding="utf-8")


def _only_where_needed(app, page, _template, context, _doctree):
    """Load the styles of the front page there, and what brings a page to life where it lives."""
    if page == "index":
        app.add_css_file("course/front.css", priority=BEFORE_OURS)
    if 'class="ndcg-live"' in context.get("body", ""):
        app.add_js_file("course/host.js", type="module")


def _tell_of_the_others(known):
    """Return what tells the templates of all chapters, and which of them a page is."""
    chapters = [one | {"part": p["title"]} for p in known["parts"] for one in p["chapters"]]
    places = {one["name"]: place for place, one in enumerate(chapters)}

    def tell(_app, page, _template, context, _doctree):
        around = [None] * 3
        if page in places:
            around = [None, *chapters, None][places[page] : places[page] + 3]
        context |= known | dict(zip(("before", "chapter", "after"), around, strict=True))

    return tell


def setup(app):
    """Set formulas as MathML, so that no page needs a script for them."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    known = json.loads((Path(app.srcdir) / CONTENTS).read_text(encoding="utf-8"))
    app.connect("doctree-read", _keep_cells_apart)
    app.connect("html-page-context", _tell_of_the_others(known))
    app.connect("html-page-context", _only_where_needed)
    app.connect("html-page-context", _set_formulas)
    app.connect("html-page-context", _without_unused, priority=900)  # after the theme's own
    app.connect("build-finished", _fit_theme, priority=900)  # once all styles are there
