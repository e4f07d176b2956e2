"""Figures for the back row: letters, lines and markers larger, the data as they are."""

FACTOR = 1.4  # 16 px for ticks becomes 22, a title of 20 px 28
SMALLEST = 20  # pixels, of any letter
# What is a length on the screen, by where it stands. (A bar's own width is data.)
LENGTHS = {
    "line": ("width",),
    "marker": ("size",),
    "pattern": ("size",),
    "margin": ("l", "r"),
    "title": ("standoff",),
    "annotations": ("xshift", "yshift"),
}
# The room above holds a title and a legend with some air, of which a part can go. The
# room below grows with the labels: all axes have automargin.
TOP = 1.15


def for_projector(content):
    """Return data and layout of a figure with everything that is read made larger.

    `content` is what ``figure.to_plotly_json()`` of a figure of `helpers.figures` returns; it
    stays as it is. The height is the caller's to choose.
    """
    large = _larger(content, "")
    layout = large["layout"]
    layout["margin"]["t"] = round(TOP * layout["margin"]["t"])
    return large


def _larger(content, place):
    if isinstance(content, list):
        return [_larger(part, place) for part in content]
    if not isinstance(content, dict):
        return content
    if place.endswith("font"):
        return {key: _letters(v) if key == "size" else v for key, v in content.items()}
    lengths = LENGTHS.get(place, ())
    return {
        key: _times(value) if key in lengths else _larger(value, key)
        for key, value in content.items()
    }


def _letters(size):
    return max(round(FACTOR * size), SMALLEST)


def _times(length):
    if isinstance(length, list | tuple):
        return [_times(one) for one in length]
    return round(FACTOR * length, 2)
