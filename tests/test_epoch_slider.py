"""Does a lower loss mean a better ranking?, of notebook *surrogates*, without a browser."""

import json
import sys

import numpy as np
import pytest
from stage import layout, notes, table, title, trace, traces

from helpers.course.explorers.epoch_slider.chart import loss_and_ndcg
from helpers.course.explorers.epoch_slider.model import EPOCHS, LOSSES, EpochSlider, epoch_slider
from helpers.datasets import ranking_data, shop_data
from helpers.metrics import ndcg, random_ndcg
from helpers.tuning import Epoch, lambdarank_loss, linear_scores, pairwise_loss

DATA = {"linear": ranking_data(seed=0), "shop": shop_data(seed=2)}
STATES = [(data, loss) for data in DATA for loss in LOSSES]


@pytest.fixture(name="explorer", scope="module")
def _explorer():
    return epoch_slider()


def history_of(explorer, data, loss):
    return explorer.declaration.view.__self__.history(data, loss)


def dots(explorer):
    return [(t["x"], t["y"]) for t in traces(explorer)[-2:]]


# --- an independent computation -------------------------------------------------------

BY_HAND = {
    "squared": lambda y, s: ((s - y) ** 2).mean(),
    "no intercept": lambda y, s: ((s - y) ** 2).mean(),
    "pairwise": lambda y, s: pairwise_loss(y, s)[0],
    "lambdarank": lambda y, s: lambdarank_loss(y, s, k=5)[0],
}


def value(part, w):
    return ndcg(part.y, linear_scores(part.X, w), k=5)


def squared_steps(X, y, intercept, rate=0.2):
    """Gradient descent on the squared error, each feature in its standard deviations."""
    rows = X.reshape(-1, X.shape[-1])
    spread = rows.std(axis=0)
    scaled, grades = rows / spread, y.ravel()
    w, b = np.zeros(rows.shape[1]), 0.0
    for _ in range(EPOCHS + 1):
        error = scaled @ w + b - grades
        yield w / spread, b, (error**2).mean()
        w = w - rate * 2 * scaled.T @ error / len(error)
        b = b - rate * 2 * error.mean() * intercept


# --- every state ----------------------------------------------------------------------


@pytest.mark.parametrize(("data", "loss"), STATES)
def test_every_state(explorer, data, loss):
    made, history = DATA[data], history_of(explorer, data, loss)
    assert [epoch.number for epoch in history] == list(range(EPOCHS + 1))
    for epoch in range(EPOCHS + 1):
        explorer.set(data=data, loss=loss, epoch=epoch)
        now = history[epoch]
        scores = linear_scores(made.train.X, now.w) + now.b
        lost = BY_HAND[loss](made.train.y, scores)
        train, held = value(made.train, now.w), value(made.validation, now.w)
        assert trace(explorer, "loss")["y"][epoch] == pytest.approx(lost, abs=2e-6)
        assert trace(explorer, "training queries")["y"][epoch] == pytest.approx(train, abs=2e-6)
        assert trace(explorer, "validation queries")["y"][epoch] == pytest.approx(held, abs=2e-6)
        check_marks(explorer, epoch, lost, train, held)
        assert table(explorer)[epoch] == [str(epoch), *(f"{x:.4f}" for x in (lost, train, held))]
    assert len(json.dumps(explorer.stage.get_state(["figure", "sentence", "table"]))) < 20_000


def check_marks(explorer, epoch, lost, train, held):
    left, right = dots(explorer)
    assert left == ([epoch], pytest.approx([lost], abs=2e-6))
    assert right == ([epoch] * 2, pytest.approx([held, train], abs=2e-6))
    assert [s["x0"] for s in layout(explorer)["shapes"]] == [epoch] * 2
    assert f"epoch {epoch}" in notes(explorer)
    axis = layout(explorer)["yaxis"]
    low, high = axis["range"]
    assert low < (np.log10(lost) if axis.get("type") == "log" else lost) < high
    low, high = layout(explorer)["yaxis2"]["range"]
    shown = [y for t in traces(explorer) if t.get("xaxis") == "x2" for y in t["y"]]
    assert all(low < y < high for y in shown if y is not None)


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("loss", ["squared", "no intercept"])
def test_the_squared_loss_goes_down_its_gradient(explorer, data, loss):
    train = DATA[data].train
    steps = squared_steps(train.X, train.y, loss == "squared")
    for epoch, (w, b, lost) in zip(history_of(explorer, data, loss), steps, strict=True):
        assert epoch.w == pytest.approx(w, abs=1e-9)
        assert epoch.b == pytest.approx(b, abs=1e-9)
        assert epoch.loss == pytest.approx(lost, abs=1e-9)


@pytest.mark.parametrize("data", DATA)
def test_levels(explorer, data):
    """Random is where epoch 0 stands; the generating weights are those of the data."""
    made = DATA[data]
    parts = made.train, made.validation
    history = history_of(explorer, data, "squared")
    explorer.set(data=data, loss="squared", epoch=60)
    *_, random, truth, perfect = table(explorer)
    assert random[:2] == ["random", ""]
    assert random[2:] == [f"{random_ndcg(part.y, k=5):.4f}" for part in parts]
    assert random[2:] == [f"{history[0].train:.4f}", f"{history[0].validation:.4f}"]
    assert truth[:2] == ["generating weights", ""]
    assert truth[2:] == [f"{value(part, made.weights):.4f}" for part in parts]
    assert perfect[2:] == [f"{(part.y.max(axis=1) > 0).mean():.4f}" for part in parts]
    names = ["random", "generating<br>weights", "perfect", "epoch 60"]
    assert notes(explorer) == names


# --- words and axis -------------------------------------------------------------------


def made(*rows):
    """Make a history of (loss, NDCG on both); epoch 0 has all weights 0."""
    return [
        Epoch(i, np.array([float(i)]), 0.0, loss, value, value)
        for i, (loss, value) in enumerate(rows)
    ]


def chart(*rows):
    history, levels = made(*rows), {"random": (0.5, 0.4)}
    return loss_and_ndcg(
        history, at=len(rows) - 1, metric="NDCG@5", levels=levels, loss_name="pairwise loss"
    )


@pytest.mark.parametrize(
    ("loss", "value", "expected"),
    [
        (1.0, 0.45, "loss fell 2.000 → 1.000, but NDCG@5 fell 0.600 → 0.450"),
        (1.0, 0.7, "loss fell 2.000 → 1.000, and NDCG@5 rose 0.600 → 0.700"),
        (3.0, 0.602, "loss rose 2.000 → 3.000, but NDCG@5 rose 0.600 → 0.602"),
        (3.0, 0.598, "loss rose 2.000 → 3.000, and NDCG@5 fell 0.600 → 0.598"),
        (1.0, 0.6009, "loss fell 2.000 → 1.000, NDCG@5 stayed near 0.601"),
        (2.001, 0.5, "loss stayed near 2.001, NDCG@5 fell 0.600 → 0.500"),
    ],
)
def test_the_title_says_which_way_both_went(loss, value, expected):
    figure = chart((9.0, 0.5), (2.0, 0.6), (5.0, 0.1), (loss, value))
    assert figure.layout.title.text.replace("<br>", " ") == f"Since epoch 1: {expected}"


def test_the_first_epochs(explorer):
    explorer.set(epoch=0)
    assert title(explorer).startswith("Epoch 0, all tied, as good as random: loss ")
    explorer.set(epoch=1)
    assert title(explorer).startswith("First step: loss fell ")
    assert explorer.stage.sentence.endswith(" Epoch 0: all tied, as good as random.")


@pytest.mark.parametrize(("first", "is_log"), [(7.9, False), (8.1, True)])
def test_a_loss_that_falls_far_is_on_a_log_axis_that_says_so(first, is_log):
    axis = chart((first, 0.5), (2.0, 0.6), (1.0, 0.6)).layout.yaxis
    assert ("log\u00a0axis" in axis.title.text) == (axis.type == "log") == is_log
    if is_log:
        assert {1.0, 2.0, 5.0} <= set(axis.tickvals)


# --- what the notebook says -----------------------------------------------------------


@pytest.mark.parametrize("loss", ["squared", "no intercept"])
def test_in_the_shop_the_loss_falls_all_the_way_and_ndcg_ends_below_random(explorer, loss):
    history = history_of(explorer, "shop", loss)
    assert (np.diff([epoch.loss for epoch in history]) < 1e-9).all()
    for part, end in (
        (DATA["shop"].train, history[-1].train),
        (DATA["shop"].validation, history[-1].validation),
    ):
        assert end < random_ndcg(part.y, k=5) - 0.03
    assert history[-1].train < history[1].train - 0.03


@pytest.mark.parametrize("loss", ["pairwise", "lambdarank"])
def test_pairs_mend_it(explorer, loss):
    history = history_of(explorer, "shop", loss)
    truth = value(DATA["shop"].validation, DATA["shop"].weights)
    assert history[-1].validation > truth - 0.01
    assert history[-1].loss < history[1].loss < history[0].loss


@pytest.mark.parametrize("loss", LOSSES)
def test_on_the_linear_data_all_do_well(explorer, loss):
    history = history_of(explorer, "linear", loss)
    truth = value(DATA["linear"].validation, DATA["linear"].weights)
    assert history[-1].validation > truth - 0.01


@pytest.mark.parametrize("data", DATA)
def test_only_lambdarank_may_rise_and_it_says_so(explorer, data):
    for loss in LOSSES:
        steps = np.diff([epoch.loss for epoch in history_of(explorer, data, loss)])
        assert (steps > 1e-9).any() == (loss == "lambdarank")
        explorer.set(data=data, loss=loss)
        axis = layout(explorer)["yaxis"]["title"]["text"].replace("\u00a0", " ")
        assert ("(may rise)" in axis) == (loss == "lambdarank")
        assert ("may\u00a0rise" in explorer.stage.sentence) == (loss == "lambdarank")


def test_the_rates_are_good(explorer):
    """The end is near the minimum, and the last ten epochs change little."""
    for data, loss in STATES:
        history = history_of(explorer, data, loss)
        assert abs(history[-1].loss - history[-11].loss) < 0.02 * history[-1].loss
        assert abs(history[-1].validation - history[-11].validation) < 0.005


# --- the controls ---------------------------------------------------------------------


def test_each_loss_is_fitted_once_and_only_when_asked_for(monkeypatch):
    fitted = []
    epochs = sys.modules[EpochSlider.__module__]
    fit = epochs.fit

    def counting(X, y, loss, **options):
        fitted.append((loss, options.get("intercept", True)))
        return fit(X, y, loss, **options)

    monkeypatch.setattr(epochs, "fit", counting)
    explorer = epoch_slider()
    assert fitted == [("squared", True)]
    for _ in range(2):
        for loss in LOSSES:
            for epoch in (0, 1, 60):
                explorer.set(data="shop", loss=loss, epoch=epoch)
    assert fitted[1:] == [("squared", False), ("pairwise", True), ("lambdarank", True)]
