"""The white card on which a widget stands that is mostly words, in light and dark."""


def card(name):
    """Return the styles of the widgets with this class."""
    return f"""
.{name} {{ font-size: 17px; line-height: 1.45; max-width: 860px; color: #222;
  --jp-widgets-color: #222; background: #fff; color-scheme: light;
  border-left: 5px solid #0072b2; padding: 4px 16px; }}
/* In a dark JupyterLab an output is turned over as a whole, once, whatever stands in what; an
   explorer does so itself, in stage.css. */
@media screen {{
  [data-jp-theme-light="false"] .jp-OutputArea-output:has(
    .{name}, .js-plotly-plot, [style*="color-scheme: light"]):not(:has(.ndcg-explorer)) {{
    filter: invert(0.9) hue-rotate(180deg);
  }}
}}
.{name} .widget-html-content {{ font-size: 17px; line-height: 1.45; color: #222; }}
"""
