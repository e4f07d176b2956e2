"""Does a lower loss mean a better ranking?, the explorer of notebook 12: epoch by epoch."""

from collections.abc import Mapping

from helpers.course.explorers.explorer import Explorer
from helpers.course.explorers.formulas import GAP, equation, name
from helpers.course.widgets.controls import Choice, Slider
from helpers.course.widgets.view import View
from helpers.datasets import RankingData, ranking_data, shop_data
from helpers.figures.epochs import loss_and_ndcg
from helpers.metrics import ndcg, random_ndcg
from helpers.tuning import fit, linear_scores

K = 5
EPOCHS = 60
MOST_DATA = 3
LINEAR, SHOP = "linear", "shop"  # short, so that the controls take few rows

# What each loss is called, and how `fit` gets it. The rates were tried: within the 60
# epochs all of them come close to where they end, and none overshoots.
LOSSES = {
    "squared": ("squared loss", dict(loss="squared", rate=0.2)),
    "no intercept": (
        "squared loss, no intercept",
        dict(loss="squared", rate=0.2, intercept=False),
    ),
    "pairwise": ("pairwise loss", dict(loss="pairwise", rate=3)),
    "lambdarank": ("LambdaRank loss (may\u00a0rise)", dict(loss="lambdarank", rate=3)),
}


class Epochs:
    """Fits of several losses to several data sets, and what NDCG did meanwhile.

    Parameters
    ----------
    data : dict of str to helpers.datasets.RankingData
        As in `epoch_slider`.
    """

    def __init__(self, data):
        self.data = _checked(data)
        self._fits = {}
        self._levels = {key: _levels(made) for key, made in self.data.items()}
        # Only the squared loss can grow without end, so it is tried before it is asked for.
        for key in self.data:
            for loss in ("squared", "no intercept"):
                self.history(key, loss)

    def history(self, data, loss):
        """Return the epochs of a loss on a data set; each is fitted once."""
        if (data, loss) not in self._fits:
            self._fits[data, loss] = _fitted(data, self.data[data], loss)
        return self._fits[data, loss]

    def view(self, data, loss, epoch):
        """Return loss and NDCG by epoch, with one epoch marked.

        Parameters
        ----------
        data : str
            A key of the data.
        loss : str
            A key of `LOSSES`.
        epoch : int
            From 0 to 60.
        """
        history = self.history(data, loss)
        figure = loss_and_ndcg(
            history, at=epoch, k=K, levels=self._levels[data], loss_name=LOSSES[loss][0]
        )
        return View(figure, _formula(history, epoch))


def _fitted(key, made, loss):
    (X, y, _), validation = made.train, made.validation[:2]
    try:
        found = fit(X, y, epochs=EPOCHS, k=K, validation=validation, **LOSSES[loss][1])
    except ValueError as error:
        raise ValueError(
            f"data[{key!r}] cannot be fitted: {error}; subtract from each feature its mean"
        ) from error
    return found.history


def _levels(made):
    """Return what to compare with, on the training and on the validation queries."""
    parts = made.train, made.validation
    levels = {"random": tuple(random_ndcg(part.y, k=K) for part in parts)}
    if set(made.kinds) == {"normal"}:  # else the weights belong to transforms of the features
        levels["generating weights"] = tuple(
            ndcg(part.y, linear_scores(part.X, made.weights), k=K) for part in parts
        )
    return levels


def _formula(history, epoch):
    """Return loss and NDCG of the present epoch, after those of epoch 0."""
    first, now = history[0], history[epoch]
    parts = [
        _change("epoch", "0", str(epoch)),
        _change("loss", f"{first.loss:.4f}", f"{now.loss:.4f}"),
        _change(f"NDCG@{K}", f"{first.train:.4f}", f"{now.train:.4f}"),
    ]
    kept = [part if epoch else part[:3] for part in parts]  # nothing has changed at epoch 0
    return equation(*_join(kept))


def _change(what, before, now):
    return [name(what), "<mspace width='0.3em'/>", f"<mn>{before}</mn>", "→", f"<mn>{now}</mn>"]


def _join(parts):
    return [piece for part in parts for piece in (GAP, *part)][1:]


# --- the explorer ---------------------------------------------------------------------


def epoch_slider(data=None):
    """Return the explorer "Does a lower loss mean a better ranking?".

    Parameters
    ----------
    data : dict of str to helpers.datasets.RankingData, optional
        One to three data sets by name, with queries of one length each. By default
        the linear truth of `ranking_data` and the shop of `shop_data`.

    Returns
    -------
    Explorer
        With controls ``data``, ``loss`` and ``epoch``.

    Raises
    ------
    TypeError, ValueError
        If the data are no such thing, or the squared loss cannot be fitted to them;
        the message names the data, what came and what is allowed.

    Notes
    -----
    Taught in notebook 12. It begins with the last epoch of the squared loss. NDCG@5 is
    the mean over the queries; a query without a relevant document counts 0.
    """
    own = data is not None
    model = Epochs(data if own else {LINEAR: ranking_data(seed=0), SHOP: shop_data(seed=2)})
    start = next(iter(model.data)) if own else SHOP
    controls = {
        "data": Choice("Data", {key: key for key in model.data}, start),
        "loss": Choice("Loss", _loss_texts(), "squared"),
        "epoch": Slider(label="Epoch", min=0, max=EPOCHS, value=EPOCHS),
    }
    return Explorer(
        "Does a lower loss mean a better ranking?", model, controls, _presets(own, start)
    )


def _loss_texts():
    texts = {"no intercept": "squared, no intercept", "lambdarank": "LambdaRank"}
    return {texts.get(key, key): key for key in LOSSES}


def _presets(own, start):
    if own:
        return {"Pairwise": dict(data=start, loss="pairwise", epoch=EPOCHS)}
    return {
        "Linear": dict(data=LINEAR, loss="squared", epoch=EPOCHS),
        "Pairs fix it": dict(data=SHOP, loss="pairwise", epoch=EPOCHS),
    }


def _checked(data):
    """Return the data, or raise unless each set can be fitted and judged."""
    if not isinstance(data, Mapping):
        raise TypeError(f"data must be a dict of name to data, got {type(data).__name__}")
    if not 1 <= len(data) <= MOST_DATA:
        raise ValueError(f"data must hold 1 to {MOST_DATA} data sets, got {len(data)}")
    for key, made in data.items():
        if not isinstance(key, str) or not key.strip():
            raise TypeError(f"the name of a data set must be text, got {key!r}")
        if not isinstance(made, RankingData):
            raise TypeError(
                f"data[{key!r}] must be a RankingData, as ranking_data returns it, "
                f"got {type(made).__name__}"
            )
        if any(part.query is not None for part in (made.train, made.validation)):
            raise ValueError(
                f"data[{key!r}] must have queries of one length, got a long table; "
                "make it with ragged=False"
            )
    return dict(data)
