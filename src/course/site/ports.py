"""What Python hands to explorers whose model runs in the page: their states are no table.

The port takes figures, words and tables of one state of each kind, and puts the numbers of
another state in: see ``static/own_discount.js``.
"""

from course.explorers.own_discount import CONVENTIONS, SHOWN
from course.explorers.own_discount_chart import (
    MIDDLE,
    SCALES,
    STARTS,
    YOURS,
    Compared,
    agreement_dots,
    share_axis,
    verdict_axis,
)
from coursekit.site.live import state_shown
from ndcglib.metrics import idcg
from ndcglib.metrics.checks import SAME_VALUE

NO_GAIN = ord("d")  # of the pairs' letters: a is -3, g is 3


def own_discount_base(declaration):
    """Return what the page needs to answer for any weights, as a dict for JSON.

    Its `states` (by `shows`, then by `beside`) are those of the weights at first; `said` are the
    sentences about pairs, as `_said` returns them. `ranking` are the grades of the one list.
    `gained` has a letter for each rank of each pair, by how much the first grade is above the
    second; `worth` is what one grade more on a rank adds to NDCG, by convention; differences of
    NDCG up to `nearly` are none. `scales` and `starts` are the axes that there may be, each after
    the highest share, or the lowest one, that fits; `middle` is that of the NDCG.
    """
    model, start = declaration.view.__self__, declaration.start
    texts = {key: text for key, (text, _) in CONVENTIONS.items()}
    return {
        "states": {
            shows: {
                key: state_shown(declaration, start | dict(beside=key, shows=shows))
                for key in texts
            }
            for shows in SHOWN.values()
        },
        "said": {key: _said(text, len(model.gained)) for key, text in texts.items()},
        "ranking": model.ranking,
        "worth": {key: _worth(model.curves[text], model.shuffled) for key, text in texts.items()},
        "gained": "".join(chr(NO_GAIN + int(gain)) for gain in model.gained.flat),
        "nearly": SAME_VALUE,
        "scales": [(end, share_axis(end)) for end in SCALES],
        "middle": MIDDLE,
        "starts": [(start, verdict_axis(start)) for start in STARTS],
    }


def _worth(weights, grades):
    return (weights / idcg(grades, discount=lambda _ranks: weights)).tolist()


def _said(beside, total):
    """Return the sentence of each case, with numbers that are to be replaced.

    By whether there are pairs on which the two disagree, on which they agree, and equal ones.
    """

    def sentence(apart, alike, equal):
        one = {beside: Compared(1, total, apart, alike)}
        return agreement_dots(one, curves, equal=equal, beside=beside).sentence

    curves, none_or_some = {YOURS: [], beside: []}, (None, 0.5)
    return [
        [[sentence(apart, alike, equal) for equal in (0, 1)] for alike in none_or_some]
        for apart in none_or_some
    ]
