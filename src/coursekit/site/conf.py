"""What Sphinx is told about the site; `typeset` calls it, with the title of the course."""

import re

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

APPLIED = re.compile(r"<mo>&ApplyFunction;</mo>(?=\s*<m[in]>)")

language = "en"
extensions = ["myst_parser", "sphinx.ext.githubpages", "coursekit.site.glossary"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
smartquotes = False  # what stands in quotes in a notebook may be code
html_theme = "furo"
html_math_renderer = "mathml"
html_favicon = "static/favicon.svg"
templates_path = ["templates"]
html_copy_source = html_show_sourcelink = html_show_copyright = html_use_index = False
html_css_files = ["course/site.css"]
html_js_files = [("course/page.js", {"defer": "defer"})]
html_permalinks_icon = "#"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0072b2",
        "color-brand-content": "#0067a1",
        "color-brand-visited": "#0067a1",
        "ndcg-accent": "#d55e00",
        "ndcg-quiet": "#5a6068",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6cb9ee",
        "color-brand-content": "#6cb9ee",
        "color-brand-visited": "#6cb9ee",
        "ndcg-accent": "#f39a52",
        "ndcg-quiet": "#a9b0b8",
    },
}


def mathml(formula, as_block=False):
    r"""Return a formula as MathML; docutils knows all of LaTeX that the course needs but \dots."""
    made = tex2mathml(formula.replace(r"\dots", r"\ldots"), as_block=as_block)
    made = made.replace("<mo>@</mo>", "<mi>@</mi>")  # no operator in DCG@k
    return APPLIED.sub('<mspace width="0.17em"/>', made)  # ln 2, where browsers set ln2


def _inline(translator, node):
    translator.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def _block(translator, node):
    translator.body.append(f'<div class="math">{mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def _only_where_live(app, _page, _template, context, _doctree):
    """Load what brings a page to life where something is live, and nowhere else."""
    if 'class="ndcg-live"' in context.get("body", ""):
        app.add_js_file("course/host.js", type="module")


def setup(app):
    """Set formulas as MathML, so that no page needs a script for them."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("html-page-context", _only_where_live)
