"""Does a lower loss mean a better ranking?, of notebook *surrogates*: epoch by epoch."""

from helpers.course.explorers.declaration import Declaration, OneOf, Whole
from helpers.course.explorers.epoch_slider.chart import loss_and_ndcg
from helpers.course.explorers.explorer import explorer
from helpers.course.explorers.formulas import GAP, equation, name
from helpers.course.widgets.view import View
from helpers.datasets import ranking_data, shop_data
from helpers.metrics import ndcg, random_ndcg
from helpers.tuning import fit, linear_scores

K = 5
METRIC = f"NDCG@{K}"
EPOCHS = 60
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


class EpochSlider:
    """Fits of several losses to several data sets, and what NDCG did meanwhile.

    The queries of a data set have one length.
    """

    def __init__(self, data):
        self.data = data
        self._fits = {}
        self._levels = {key: _levels(made) for key, made in data.items()}

    def history(self, data, loss):
        """Return the epochs of a loss on a data set; each is fitted once."""
        if (data, loss) not in self._fits:
            (X, y, _), validation = self.data[data].train, self.data[data].validation[:2]
            options = dict(epochs=EPOCHS, k=K, validation=validation)
            self._fits[data, loss] = fit(X, y, **options, **LOSSES[loss][1]).history
        return self._fits[data, loss]

    def view(self, data, loss, epoch):
        """Return loss (of `LOSSES`) and NDCG by epoch, with one epoch, 0 to 60, marked."""
        history = self.history(data, loss)
        figure = loss_and_ndcg(
            history, at=epoch, metric=METRIC, levels=self._levels[data], loss_name=LOSSES[loss][0]
        )
        return View(figure, _formula(history, epoch))


def _levels(made):
    """Return what to compare with, on the training and on the validation queries."""
    parts = made.train, made.validation
    truth = tuple(ndcg(part.y, linear_scores(part.X, made.weights), k=K) for part in parts)
    return {
        "random": tuple(random_ndcg(part.y, k=K) for part in parts),
        "generating weights": truth,
        "perfect": tuple(ndcg(part.y, part.y, k=K) for part in parts),
    }


def _formula(history, epoch):
    """Return loss and NDCG of the present epoch, after those of epoch 0."""
    first, now = history[0], history[epoch]
    parts = [
        _change("epoch", "0", str(epoch)),
        _change("loss", f"{first.loss:.4f}", f"{now.loss:.4f}"),
        _change(METRIC, f"{first.train:.4f}", f"{now.train:.4f}"),
    ]
    kept = [part if epoch else part[:3] for part in parts]  # nothing has changed at epoch 0
    return equation(*_join(kept))


def _change(what, before, now):
    return [name(what), "<mspace width='0.3em'/>", f"<mn>{before}</mn>", "→", f"<mn>{now}</mn>"]


def _join(parts):
    return [piece for part in parts for piece in (GAP, *part)][1:]


# --- the explorer ---------------------------------------------------------------------


@explorer
def epoch_slider():
    """Return the explorer "Does a lower loss mean a better ranking?".

    Returns
    -------
    Explorer
        With controls ``data`` (the linear truth of `ranking_data`, or the shop of
        `shop_data`), ``loss`` and ``epoch``.

    Notes
    -----
    Taught in notebook *surrogates*. It begins with the last epoch of the squared loss. NDCG@5 is
    the mean over the queries; a query without a relevant document counts 0.
    """
    texts = {"no intercept": "squared, no intercept", "lambdarank": "LambdaRank"}
    losses = {texts.get(key, key): key for key in LOSSES}
    controls = {
        "data": OneOf("Data", {key: key for key in (LINEAR, SHOP)}, SHOP),
        "loss": OneOf("Loss", losses, "squared"),
        "epoch": Whole("Epoch", 0, EPOCHS, EPOCHS),
    }
    presets = {
        "Linear": dict(data=LINEAR, loss="squared", epoch=EPOCHS),
        "Pairs fix it": dict(data=SHOP, loss="pairwise", epoch=EPOCHS),
    }
    model = EpochSlider({LINEAR: ranking_data(seed=0), SHOP: shop_data(seed=2)})
    question = "Does a lower loss mean a better ranking?"
    return Declaration(question, model.view, controls, presets, was=("epochs",))
