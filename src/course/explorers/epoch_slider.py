"""Does a lower loss mean a better ranking?, of notebook *surrogates*: epoch by epoch."""

from course.explorers.epoch_slider_chart import Path, plane
from course.explorers.formulas import equation, fraction, name, number
from coursekit.explorers.declaration import Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from ndcglib.datasets import ranking_data, shop_data
from ndcglib.metrics import ndcg, random_ndcg
from ndcglib.tuning import fit, linear_scores

K = 5
METRIC = f"NDCG@{K}"
EPOCHS = 60
LINEAR, SHOP = "linear", "shop"  # short, so that the controls take few rows

# What each loss is called, and how `fit` gets it. The rates were tried: within the 60
# epochs all of them come close to where they end, and none overshoots.
LOSSES = {
    "squared": ("squared", dict(loss="squared", rate=0.2)),
    "no intercept": ("squared, no intercept", dict(loss="squared", rate=0.2, intercept=False)),
    "pairwise": ("pairwise", dict(loss="pairwise", rate=3)),
    "lambdarank": ("LambdaRank", dict(loss="lambdarank", rate=3)),
}


class EpochSlider:
    """Fits of several losses to several data sets, and what NDCG did meanwhile.

    The queries of a data set have one length.
    """

    def __init__(self, data):
        self.data = data
        self._paths = {}
        self._levels = {key: _levels(made) for key, made in data.items()}

    def history(self, data, loss):
        """Return the epochs of a loss (of `LOSSES`) on a data set."""
        (X, y, _), validation = self.data[data].train, self.data[data].validation[:2]
        return fit(X, y, epochs=EPOCHS, k=K, validation=validation, **LOSSES[loss][1]).history

    def paths(self, data):
        """Return the path of each loss on a data set; each is fitted once."""
        if data not in self._paths:
            self._paths[data] = {
                key: _path(shown, self.history(data, key)) for key, (shown, _) in LOSSES.items()
            }
        return self._paths[data]

    def view(self, data, loss, epoch):
        """Return NDCG against every loss, one loss (of `LOSSES`) and epoch, 0 to 60, marked."""
        paths, levels = self.paths(data), self._levels[data]
        chosen = paths[loss]
        figure = plane(paths.values(), chosen=chosen, at=epoch, metric=METRIC, levels=levels)
        return View(figure, _formula(chosen, epoch))


def _path(shown, history):
    loss = [epoch.loss for epoch in history]
    share = [value / loss[0] for value in loss]
    others = [epoch.validation for epoch in history]
    return Path(shown, loss, share, [epoch.train for epoch in history], others)


def _levels(made):
    """Return what to compare with, on the training and on the validation queries."""
    parts = made.train, made.validation
    truth = tuple(ndcg(part.y, linear_scores(part.X, made.weights), k=K) for part in parts)
    return {
        "random": tuple(random_ndcg(part.y, k=K) for part in parts),
        "generating weights": truth,
        "ceiling": tuple(ndcg(part.y, part.y, k=K) for part in parts),
    }


def _formula(path, epoch):
    """Return where the present epoch stands on the axis of the loss."""
    now, start = (f"<mn>{path.loss[at]:.4f}</mn>" for at in (epoch, 0))
    words = name(f"loss at {epoch}"), "/", name("loss at 0")
    return equation(*words, "=", fraction(now, start), "=", number(path.share[epoch]))


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
    controls = {
        "data": OneOf("Data", {key: key for key in (LINEAR, SHOP)}, SHOP),
        "loss": OneOf("Loss", {shown: key for key, (shown, _) in LOSSES.items()}, "squared"),
        "epoch": Whole("Epoch", 0, EPOCHS, EPOCHS, plays=True),
    }
    presets = {
        "Linear": dict(data=LINEAR, loss="squared", epoch=EPOCHS),
        "Pairs fix it": dict(data=SHOP, loss="pairwise", epoch=EPOCHS),
    }
    model = EpochSlider({LINEAR: ranking_data(seed=0), SHOP: shop_data(seed=2)})
    question = "Does a lower loss mean a better ranking?"
    return Declaration(question, model.view, controls, presets, was=("epochs",))
