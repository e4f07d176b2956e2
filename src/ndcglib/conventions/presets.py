"""The conventions of the tools that people use.

`tools/peers` runs the tools and writes down what they print; the tests hold each preset to it.
Tools that take lists of scores never see a judged query that the run lacks: it is left out.
"""

from ndcglib.conventions.convention import Convention, Preset, Short

_DENSE = Convention(missing="skip")
_JUDGED = Convention(pool="judged", negative="zero")
_TREC_10 = _JUDGED._replace(ties="id descending")
_TREC_9 = _TREC_10._replace(missing="skip", precision="float32")
_BOOSTED = _DENSE._replace(gain="exponential", ties="stable", empty=1)
_CATBOOST = _DENSE._replace(ties="worst", empty=1, negative="use or empty")
_AT_HOME = _DENSE._replace(negative="use")
_PYTREC_EVAL = "pytrec_eval-terrier 0.5.11"

# Where these sorts leave equal scores as they came: numba's, torch's, and that of NumPy, which is
# another one where the processor has vector instructions.
_NUMBA = Short("stable", longest=15, surely=15)
_TORCH = Short("stable", longest=16, surely=16)
_NUMPY = Short("reversed", longest=16, surely=3)

PRESETS = (
    Preset("scikit-learn", "1.9.1", _DENSE),
    Preset("scikit-learn, given 2^y − 1", "1.9.1", _DENSE._replace(gain="exponential")),
    Preset("torchmetrics", "1.9.0", _DENSE._replace(negative="use", precision="float32")),
    Preset("trec_eval 9 / pytrec_eval ndcg_cut", _PYTREC_EVAL, _TREC_9),
    Preset("trec_eval 9 -c / ir-measures nDCG", "0.4.3", _TREC_9._replace(missing="zero")),
    Preset("trec_eval 9 / pytrec_eval ndcg", _PYTREC_EVAL, _TREC_9._replace(cutoff="none")),
    Preset(
        "trec_eval 9 -J ndcg_cut",
        _PYTREC_EVAL,
        _TREC_9._replace(negative="drop", unjudged="drop"),
    ),
    Preset("trec_eval 10 ndcg_cut", "source read", _TREC_10),
    Preset("trec_eval 10 -c ndcg_cut", "source read", _TREC_10._replace(missing="zero")),
    Preset("trec_eval 10 ndcg", "source read", _TREC_10._replace(cutoff="none")),
    Preset(
        "ir-measures nDCG(dcg='exp-log2')",
        "0.4.3",
        _TREC_10._replace(gain="exponential", missing="zero"),
    ),
    Preset("ranx ndcg", "0.3.21", _JUDGED._replace(ties="no rule"), _NUMBA),
    Preset(
        "ranx ndcg_burges",
        "0.3.21",
        _JUDGED._replace(gain="exponential", ties="no rule"),
        _NUMBA,
    ),
    Preset("LightGBM", "4.7.0", _BOOSTED),
    Preset("XGBoost ndcg@k", "3.2.0", _BOOSTED._replace(precision="float32")),
    Preset("XGBoost ndcg@k-", "3.2.0", _BOOSTED._replace(empty=0, precision="float32")),
    Preset("CatBoost Base", "1.2.10", _CATBOOST),
    Preset("CatBoost Exp", "1.2.10", _CATBOOST._replace(gain="exponential")),
    Preset("CatBoost Position", "1.2.10", _CATBOOST._replace(discount="reciprocal")),
    Preset("RankLib", "source read", _BOOSTED._replace(empty=0)),
    Preset(
        "allRank",
        "1.4.3",
        _BOOSTED._replace(ties="no rule", negative="padding", precision="float32"),
        _TORCH,
    ),
    Preset(
        "recommenders", "1.2.1", _JUDGED._replace(gain="judged", ties="stable", missing="zero")
    ),
    Preset("argsort()[::-1] at home", "own program", _AT_HOME._replace(ties="no rule"), _NUMPY),
    Preset(  # on scores as a network returns them, in single precision
        "ideal from the top k at home",
        "own program",
        _AT_HOME._replace(ties="stable", pool="top k", precision="float32"),
    ),
)
