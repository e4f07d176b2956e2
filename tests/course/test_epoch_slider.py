"""Does a lower loss mean a better ranking?, of notebook *surrogates*, without a browser."""

import json
import sys

import numpy as np
import pytest
from stage import layout, notes, plain, table, title, traces

from course.explorers.epoch_slider import EPOCHS, LOSSES, EpochSlider, epoch_slider
from course.explorers.epoch_slider_chart import Path, plane
from ndcglib.datasets import ranking_data, shop_data
from ndcglib.metrics import ndcg, random_ndcg
from ndcglib.tuning import lambdarank_loss, linear_scores, pairwise_loss

DATA = {"linear": ranking_data(seed=0), "shop": shop_data(seed=2)}
STATES = [(data, loss) for data in DATA for loss in LOSSES]


@pytest.fixture(name="explorer", scope="module")
def _explorer():
    return epoch_slider()


def history_of(explorer, data, loss):
    return explorer.declaration.view.__self__.history(data, loss)


def rings(explorer):
    """The marks of the present epoch, by their color."""
    marks = [shape for shape in layout(explorer)["shapes"] if shape["type"] == "circle"]
    return {mark["line"]["color"]: (mark["xanchor"], mark["yanchor"]) for mark in marks}


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


@pytest.fixture(name="by_hand", scope="module")
def _by_hand(explorer):
    """Loss and NDCG on both parts, of each epoch of each loss on each data set."""
    return {
        (data, loss): [
            of_epoch(DATA[data], loss, epoch) for epoch in history_of(explorer, data, loss)
        ]
        for data, loss in STATES
    }


def of_epoch(made, loss, epoch):
    lost = BY_HAND[loss](made.train.y, linear_scores(made.train.X, epoch.w) + epoch.b)
    return lost, value(made.train, epoch.w), value(made.validation, epoch.w)


@pytest.mark.parametrize(("data", "loss"), STATES)
def test_every_state(explorer, by_hand, data, loss):
    paths = {key: np.array(by_hand[data, key]) for key in LOSSES}
    for epoch in range(EPOCHS + 1):
        explorer.set(data=data, loss=loss, epoch=epoch)
        for key, path, row, drawn in zip(
            LOSSES, paths.values(), table(explorer), traces(explorer), strict=False
        ):
            lost, train, others = path.T
            assert drawn["x"] == pytest.approx(lost / lost[0], abs=2e-6)
            assert drawn["y"] == pytest.approx(train, abs=2e-6)
            assert rings(explorer)[drawn["line"]["color"]] == (
                drawn["x"][epoch],
                drawn["y"][epoch],
            )
            assert ("<b>" in drawn["name"]) == (key == loss)
            told = lost[0], lost[epoch], lost[epoch] / lost[0], train[epoch], others[epoch]
            assert row[1:] == [f"{number:.4f}" for number in told]
        lost = paths[loss][:, 0]
        formula = plain(explorer.stage.formula)
        assert f"=[{lost[epoch]:.4f}]/[{lost[0]:.4f}]=" in formula
        assert float(formula.rpartition("=")[2]) == pytest.approx(lost[epoch] / lost[0], abs=5e-5)
        everything_is_inside(explorer)
    assert len(json.dumps(explorer.stage.get_state(["figure", "sentence", "table"]))) < 20_000


def everything_is_inside(explorer):
    left, right = layout(explorer)["xaxis"]["range"]
    low, high = layout(explorer)["yaxis"]["range"]
    for drawn in traces(explorer):
        assert all(right < x < left for x in drawn["x"])
        assert all(low < y < high for y in drawn["y"])
    lines = [shape["y0"] for shape in layout(explorer)["shapes"] if shape["type"] == "line"]
    assert all(low < y < high for y in lines)


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
    *_, random, truth, ceiling = table(explorer)
    assert random[:4] == ["random", "", "", ""]
    assert random[4:] == [f"{random_ndcg(part.y, k=5):.4f}" for part in parts]
    assert random[4:] == [f"{history[0].train:.4f}", f"{history[0].validation:.4f}"]
    assert truth[:4] == ["generating weights", "", "", ""]
    assert truth[4:] == [f"{value(part, made.weights):.4f}" for part in parts]
    assert ceiling[4:] == [f"{(part.y.max(axis=1) > 0).mean():.4f}" for part in parts]
    names = ["random", "generating<br>weights", "ceiling"]
    assert notes(explorer) == ["lower loss, worse ranking", *names]
    shapes = layout(explorer)["shapes"]
    lines = [shape["y0"] for shape in shapes if shape["type"] == "line"]
    expected = [random_ndcg(made.train.y, k=5), value(made.train, made.weights)]
    expected.append(ndcg(made.train.y, made.train.y, k=5))
    assert lines == pytest.approx(expected, abs=2e-6)
    [region] = [shape for shape in shapes if shape["type"] == "rect"]
    assert (region["y0"], region["y1"]) == (layout(explorer)["yaxis"]["range"][0], lines[0])


# --- words ----------------------------------------------------------------------------


def chart(share, ndcg):
    """The plane of a path of two epochs: half a loss of 2 at first, NDCG 0.6 at first."""
    path = Path("pairwise", [2.0, 2 * share], [1.0, share], [0.6, ndcg], [0.5, 0.5])
    levels = {"random": (0.6, 0.5), "generating weights": (0.8, 0.8), "ceiling": (0.9, 0.9)}
    return plane([path], chosen=path, at=1, metric="NDCG@5", levels=levels)


@pytest.mark.parametrize(
    ("share", "value", "expected"),
    [
        (0.5, 0.45, "lower loss, worse ranking, NDCG@5 0.600 → 0.450"),
        (0.5, 0.7, "lower loss, better ranking, NDCG@5 0.600 → 0.700"),
        (1.5, 0.602, "higher loss, better ranking, NDCG@5 0.600 → 0.602"),
        (1.5, 0.598, "higher loss, worse ranking, NDCG@5 0.600 → 0.598"),
        (0.5, 0.6004, "lower loss, same ranking, NDCG@5 0.600 → 0.600"),
        (1.0004, 0.5, "same loss, worse ranking, NDCG@5 0.600 → 0.500"),
    ],
)
def test_the_title_says_which_way_both_went(share, value, expected):
    assert chart(share, value).layout["title"]["text"] == f"Epoch 1: {expected}"


def test_at_epoch_0_all_paths_stand_at_one_point(explorer):
    explorer.set(epoch=0)
    assert title(explorer) == "Epoch 0: all documents tied, as good as random, NDCG@5 0.688"
    assert "→" not in explorer.stage.sentence
    assert len(rings(explorer)) == len(LOSSES)
    assert len(set(rings(explorer).values())) == 1


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


@pytest.mark.parametrize(("data", "loss"), STATES)
def test_only_lambdarank_may_rise(explorer, data, loss):
    steps = np.diff([epoch.loss for epoch in history_of(explorer, data, loss)])
    assert (steps > 1e-9).any() == (loss == "lambdarank")


def test_the_rates_are_good(explorer):
    """The end is near the minimum, and the last ten epochs change little."""
    for data, loss in STATES:
        history = history_of(explorer, data, loss)
        assert abs(history[-1].loss - history[-11].loss) < 0.02 * history[-1].loss
        assert abs(history[-1].validation - history[-11].validation) < 0.005


# --- what a move costs ----------------------------------------------------------------


def test_an_epoch_moves_nothing_but_the_rings(explorer):
    """plotly is quick as long as traces and axes stay as they are."""
    explorer.set(epoch=30)
    before = explorer.stage.figure
    explorer.set(epoch=31)
    after = explorer.stage.figure
    assert after["data"] == before["data"]
    changed = {key for key, part in after["layout"].items() if part != before["layout"][key]}
    assert changed == {"title", "shapes"}
    first, *_ = (
        i for i, shape in enumerate(after["layout"]["shapes"]) if shape["type"] == "circle"
    )
    assert after["layout"]["shapes"][:first] == before["layout"]["shapes"][:first]


def test_each_loss_is_fitted_once_and_only_when_asked_for(monkeypatch):
    fitted = []
    epochs = sys.modules[EpochSlider.__module__]
    fit = epochs.fit

    def counting(X, y, loss, **options):
        fitted.append((len(X), loss, options.get("intercept", True)))
        return fit(X, y, loss, **options)

    monkeypatch.setattr(epochs, "fit", counting)
    explorer = epoch_slider()
    losses = [("squared", True), ("squared", False), ("pairwise", True), ("lambdarank", True)]
    assert fitted == [(len(DATA["shop"].train.X), *loss) for loss in losses]
    for data in DATA:
        for loss in LOSSES:
            for epoch in (0, 1, 60):
                explorer.set(data=data, loss=loss, epoch=epoch)
    assert fitted[4:] == [(len(DATA["linear"].train.X), *loss) for loss in losses]
