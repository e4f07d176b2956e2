"""The conventions of the tools that people use.

`tests/peers` runs the tools and writes down what they print; the tests hold each preset to it.
"""

from typing import NamedTuple

from helpers.conventions.convention import Convention


class Preset(NamedTuple):
    """A tool and its convention.

    Attributes
    ----------
    name : str
        The tool, and the name of its metric where it has several.
    version : str
        The version that was run; "source read" if it was read instead, "own program" for what
        people write at home.
    convention : Convention
    """

    name: str
    version: str
    convention: Convention


_DENSE = Convention()
_JUDGED = Convention(pool="judged", negative="zero")
_TREC = _JUDGED._replace(ties="id descending", precision="float32")
_BOOSTED = Convention(gain="exponential", ties="input", empty=1)
_CATBOOST = Convention(ties="worst", empty=1, negative="use")
_AT_HOME = Convention(negative="use")  # one of them on scores as a network returns them

PRESETS = (
    Preset("scikit-learn", "1.9.1", _DENSE),
    Preset("scikit-learn, given 2^y − 1", "1.9.1", _DENSE._replace(gain="exponential")),
    Preset("torchmetrics", "1.9.0", Convention(negative="use", precision="float32")),
    Preset("trec_eval ndcg_cut", "pytrec_eval-terrier 0.5.11", _TREC),
    Preset("trec_eval ndcg", "pytrec_eval-terrier 0.5.11", _TREC._replace(cutoff="none")),
    Preset(
        "trec_eval ndcg_cut, judged only",
        "pytrec_eval-terrier 0.5.11",
        _TREC._replace(negative="drop", unjudged="drop"),
    ),
    Preset(
        "ir-measures nDCG(dcg='exp-log2')",
        "0.4.3",
        _JUDGED._replace(gain="exponential", ties="id descending"),
    ),
    Preset("ranx ndcg", "0.3.21", _JUDGED._replace(ties="input")),
    Preset("ranx ndcg_burges", "0.3.21", _JUDGED._replace(gain="exponential", ties="input")),
    Preset("LightGBM", "4.7.0", _BOOSTED),
    Preset("XGBoost ndcg@k", "3.2.0", _BOOSTED._replace(precision="float32")),
    Preset("XGBoost ndcg@k-", "3.2.0", _BOOSTED._replace(empty=0, precision="float32")),
    Preset("CatBoost Base", "1.2.10", _CATBOOST),
    Preset("CatBoost Exp", "1.2.10", _CATBOOST._replace(gain="exponential")),
    Preset("CatBoost Position", "1.2.10", _CATBOOST._replace(discount="reciprocal")),
    Preset("RankLib (not run)", "source read", _BOOSTED._replace(empty=0)),
    Preset("allRank", "1.4.3", _BOOSTED._replace(negative="drop", precision="float32")),
    Preset("recommenders", "1.2.1", _JUDGED._replace(gain="judged", ties="input")),
    Preset("argsort()[::-1] at home", "own program", _AT_HOME._replace(ties="reversed")),
    Preset(
        "ideal from the top k at home",
        "own program",
        _AT_HOME._replace(ties="input", pool="top k", precision="float32"),
    ),
)
