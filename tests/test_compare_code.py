"""Where two programs part: the figure, the programs, and every state of the explorer."""

import itertools

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

from helpers import figures
from helpers.course.explorers import compare_code
from helpers.course.explorers.compare_code import PROGRAMS, REFERENCES, CompareCode, example_data
from helpers.figures.describe import describe
from helpers.metrics import dcg, ndcg

DATA = ("no ties", "ties", "ties, sorted file")
K = 5


def title_of(figure):
    return figure.layout.title.text.replace("<br>", " ")


def traces(figure):
    """Return the lines, the circles, the diamonds and the gray dots."""
    assert len(figure.data) == 4
    return figure.data


# ---------------------------------------------------------------- the figure


FEW = {"one": [0.5, 0.25, 1.0, 0.0], "other": [0.5, 0.75, 0.875, 0.0]}


def test_each_query_is_a_pair_or_a_dot():
    figure = figures.program_differences(FEW)
    lines, circles, diamonds, dots = traces(figure)
    assert (lines.x, lines.y) == ((2, 2, None, 3, 3, None), (0.25, 0.75, None, 1.0, 0.875, None))
    assert (circles.name, circles.x, circles.y) == ("one", (2, 3), (0.25, 1.0))
    assert (diamonds.name, diamonds.x, diamonds.y) == ("other", (2, 3), (0.75, 0.875))
    assert (dots.name, dots.x, dots.y) == ("both agree", (1, 4), (0.5, 0.0))
    assert len({t.marker.symbol for t in (circles, diamonds)}) == 2  # not by color alone
    assert dots.marker.size < circles.marker.size


def test_the_legend_names_what_is_drawn():
    shown = [t.showlegend for t in traces(figures.program_differences(FEW))]
    assert shown == [False, True, True, True]
    shown = [t.showlegend for t in traces(figures.program_differences({"a": [0.5], "b": [0.5]}))]
    assert shown == [False, False, False, True]
    shown = [t.showlegend for t in traces(figures.program_differences({"a": [0.5], "b": [0.25]}))]
    assert shown == [False, True, True, False]


TITLES = [
    ([0.5, 0.25], [0.5, 0.25], "They agree on all 2 queries"),
    ([0.5], [0.5], "They agree on the only query"),
    ([0.5], [0.25], "They part on 1 of 1 query; the means are 0.5000 and 0.2500"),
    ([0.5, 0.25], [0.5, 0.75], "They part on 1 of 2 queries; the means are 0.3750 and 0.6250"),
    ([0.5, 0.25], [0.25, 0.5], "They part on 2 of 2 queries, yet the means are equal: 0.3750"),
    (
        [0.5, 0.25],
        [0.25, 0.51],
        "They part on 2 of 2 queries, yet the means hardly: 0.3750 and 0.3800",
    ),
    ([0.5, 0.25], [0.25, 0.53], "They part on 2 of 2 queries; the means are 0.3750 and 0.3900"),
]


@pytest.mark.parametrize(("one", "other", "title"), TITLES)
def test_the_title_says_the_finding(one, other, title):
    figure = figures.program_differences({"a": one, "b": other})
    assert title_of(figure) == title


def test_the_sentence_names_the_largest_difference():
    words = describe(figures.program_differences(FEW))
    assert words.sentence == (
        "one and other part on 2 of 4 queries, most on query 2: 0.2500 and 0.7500. "
        "Means: 0.4375 and 0.5312."
    )
    same = describe(figures.program_differences({"a": [0.5, 0], "b": [0.5, 0]}))
    assert (
        same.sentence == "a and b agree within 1e-12 on all 2 queries. Means: 0.2500 and 0.2500."
    )


def test_what_is_summed_another_way_agrees():
    values = {"a": [0.5, 0.5], "b": [0.5, 0.501]}
    assert "part on 1 of 2" in title_of(figures.program_differences(values))
    close = {"a": [0.5, 0.5], "b": [0.5, 0.5 + 1e-12]}
    assert "agree on all 2" in title_of(figures.program_differences(close))


def test_few_queries_stand_whole_in_the_table():
    words = describe(figures.program_differences(FEW))
    assert words.header == ["query", "one", "other", "difference"]
    assert words.rows == [
        [1, 0.5, 0.5, 0.0],
        [2, 0.25, 0.75, 0.5],
        [3, 1.0, 0.875, -0.125],
        [4, 0.0, 0.0, 0.0],
        ["mean of 4", 0.4375, 0.5312, 0.0938],
    ]


def test_of_many_queries_the_table_has_those_that_part():
    one = np.full(20, 0.5)
    other = one.copy()
    other[[3, 9, 17]] += [0.125, -0.25, 0.125]
    rows = describe(figures.program_differences({"a": one, "b": other})).rows
    assert rows == [
        [10, 0.5, 0.25, -0.25],
        [4, 0.5, 0.625, 0.125],
        [18, 0.5, 0.625, 0.125],
        ["17 more, which agree", None, None, None],
        ["mean of 20", 0.5, 0.5, 0.0],
    ]


def test_where_all_part_nothing_is_left_out():
    rows = describe(
        figures.program_differences({"a": np.zeros(20), "b": np.linspace(0.1, 1, 20)})
    ).rows
    assert [row[0] for row in rows] == [*range(20, 0, -1), "mean of 20"]


def test_the_last_bit_does_not_sort_the_table():
    one, other = np.full(20, 0.5), np.full(20, 0.5)
    other[4] += 0.1
    other[11] = np.nextafter(0.6, 1)
    assert other[11] - one[11] > other[4] - one[4]
    assert [row[0] for row in describe(figures.program_differences({"a": one, "b": other})).rows][
        :2
    ] == [5, 12]


def test_values_above_one_get_room_a_line_and_a_warning():
    figure = figures.program_differences({"a": [0.5, 1.0], "b": [2.5, 1.5]})
    assert figure.layout.yaxis.range[1] > 2.5
    (line,) = figure.layout.shapes
    assert (line.y0, line.y1, line.name, line.showlegend) == (1, 1, "1, the highest NDCG", True)
    assert describe(figure).sentence.endswith(" Above 1: 2.")
    swapped = figures.program_differences({"a": [2.5, 1.5], "b": [0.5, 1.0]})
    assert swapped.layout.yaxis.range == figure.layout.yaxis.range
    assert describe(swapped).sentence.endswith(" Above 1: 2.")
    for rounding in (0, 2e-16):
        usual = figures.program_differences({"a": [1 + rounding, 0.5], "b": [0.0, 0.5]})
        assert not usual.layout.shapes
        assert "Above" not in describe(usual).sentence
        assert usual.layout.yaxis.range == pytest.approx((-0.06, 1.06))


@pytest.mark.parametrize("queries", [1, 4, 12, 13, 30, 40, 400])
def test_ticks_fit_side_by_side(queries):
    figure = figures.program_differences({"a": np.zeros(queries), "b": np.zeros(queries)})
    ticks = list(figure.layout.xaxis.tickvals)
    assert ticks[0] == 1
    assert len(ticks) <= 15
    assert ticks == list(range(1, queries + 1)) if queries <= 12 else queries - ticks[-1] < 30
    assert figure.layout.xaxis.range[0] < 1
    assert figure.layout.xaxis.range[1] > queries


def test_names_are_not_markup():
    figure = figures.program_differences({"a<b>": [0.5], "k & m": [0.25]})
    assert [t.name for t in traces(figure)[1:3]] == ["a&lt;b&gt;", "k &amp; m"]
    assert describe(figure).header[1:3] == ["a<b>", "k & m"]
    assert describe(figure).sentence.startswith("a<b> and k & m part")


MISFITS = [
    ([1, 2], "values must be a dict of two names, got a list"),
    ({"a": [1]}, r"values must hold 2 entries, got 1: \['a'\]"),
    ({"a": [1, 0], "b": [1]}, "values must be of equal length, got 2 and 1"),
    ({"a": [], "b": []}, r"values\['a'\] must hold one value for each query, got shape \(0,\)"),
    ({"a": [1], "b": ["x"]}, r"values\['b'\] must be numbers"),
    ({"a": [1, np.nan], "b": [1, 0]}, r"values\['a'\] must be finite, got nan for query 2"),
]


@pytest.mark.parametrize(("values", "message"), MISFITS)
def test_values_that_do_not_fit_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        figures.program_differences(values)


# ---------------------------------------------------------------- the data


def test_the_data_is_what_it_says():
    data = example_data()
    assert tuple(data) == DATA
    for y_true, y_score in data.values():
        assert y_true.shape == y_score.shape == (30, 8)
        assert set(np.unique(y_true)) == {0, 1, 2, 3}
        assert (y_true.sum(axis=1) == 0).sum() == 3
    distinct = {key: [len(set(row)) for row in table[1]] for key, table in data.items()}
    assert set(distinct["no ties"]) == {8}
    assert max(distinct["ties"]) < 8
    assert distinct["ties"] == distinct["ties, sorted file"]


def test_the_sorted_file_holds_the_same_documents():
    data = example_data()
    (grades, scores), (sorted_grades, sorted_scores) = data["ties"], data["ties, sorted file"]
    assert (np.diff(sorted_grades, axis=1) <= 0).all()
    for row in range(30):
        before = sorted(zip(grades[row], scores[row], strict=True))
        assert before == sorted(zip(sorted_grades[row], sorted_scores[row], strict=True))
    assert (np.round(data["no ties"][1]) == scores).all()
    assert (data["no ties"][0] == grades).all()


def test_the_data_is_the_same_each_time():
    for one, other in zip(example_data().values(), example_data().values(), strict=True):
        assert all((a == b).all() for a, b in zip(one, other, strict=True))


# ---------------------------------------------------------------- the programs


def by_hand(program, y_true, y_score, k=K):
    """Compute the value of one query with plain loops; not for ties."""
    order = sorted(range(len(y_true)), key=lambda i: -y_score[i])
    if program == "ascending":
        order = order[::-1]
    shown = [int(y_true[i]) for i in order]
    best = sorted(shown[:k] if program == "ideal of top k" else shown, reverse=True)
    gain = (lambda g: 2**g - 1) if program.startswith("gain") else (lambda g: g)
    depth = len(best) if program == "ideal not cut" else k

    def total(grades):
        return sum(gain(g) / np.log2(i + 2) for i, g in enumerate(grades))

    if total(best) == 0:
        return 1.0 if program == "empty = 1" else 0.0
    return total(shown[:k]) / total(best[:depth])


@pytest.mark.parametrize(
    "program", [p for p in PROGRAMS if p not in ("ideal flipped", "ids sorted as text")]
)
def test_each_program_by_hand(program):
    y_true, y_score = example_data()["no ties"]
    expected = [by_hand(program, *query) for query in zip(y_true, y_score, strict=True)]
    assert PROGRAMS[program](y_true, y_score, K) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("key", DATA)
@pytest.mark.parametrize("k", [1, 3, 5, 8, 20])
def test_scikit_learn_is_scikit_learn(key, k):
    y_true, y_score = example_data()[key]
    values = PROGRAMS["scikit-learn"](y_true, y_score, k)
    for i, query in enumerate(zip(y_true, y_score, strict=True)):
        assert values[i] == pytest.approx(ndcg_score([query[0]], [query[1]], k=k), abs=1e-12)


@pytest.mark.parametrize("key", DATA)
@pytest.mark.parametrize("ties", ["stable", "best"])
def test_ties_are_broken_as_said(key, ties):
    y_true, y_score = example_data()[key]
    name = {"stable": "ties: file order", "best": "ties: best order"}[ties]
    values = PROGRAMS[name](y_true, y_score, K)
    for i in range(30):
        second = -y_true[i] if ties == "best" else np.arange(8)
        order = np.lexsort((second, -y_score[i]))
        expected = ndcg_score([y_true[i][order]], [np.arange(8, 0, -1)], k=K)
        assert values[i] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("key", DATA)
def test_the_flipped_ideal_is_that_of_the_query_at_the_other_end(key):
    y_true, y_score = example_data()[key]
    values = PROGRAMS["ideal flipped"](y_true, y_score, K)
    weights = 1 / np.log2(np.arange(2, K + 2))
    for i in range(30):
        ideal = float(np.sort(y_true[29 - i])[:K] @ weights)  # and its worst order, too
        expected = dcg(y_true[i], y_score[i], k=K) / ideal if ideal else 0.0
        assert values[i] == pytest.approx(expected, abs=1e-12)
    assert values.max() > 1


def test_ids_as_text_are_the_same_values_elsewhere():
    y_true, y_score = example_data()["no ties"]
    values = PROGRAMS["ids sorted as text"](y_true, y_score, K)
    true = PROGRAMS["scikit-learn"](y_true, y_score, K)
    assert sorted(values) == sorted(true)
    assert values[:4].tolist() == true[[0, 9, 10, 11]].tolist()  # 1, 10, 11, 12
    assert values.mean() == pytest.approx(true.mean(), abs=1e-12)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("k", [1, 5, 8, 99])
def test_programs_take_every_cutoff_and_change_nothing(program, k):
    y_true, y_score = example_data()["ties"]
    before = y_true.copy(), y_score.copy()
    values = PROGRAMS[program](y_true, y_score, k)
    assert values.shape == (30,)
    assert np.isfinite(values).all()
    assert (y_true == before[0]).all()
    assert (y_score == before[1]).all()


# ---------------------------------------------------------------- every state


@pytest.fixture(scope="module", name="model")
def _model():
    return CompareCode(PROGRAMS, example_data(), K)


STATES = list(itertools.product(DATA, REFERENCES, PROGRAMS))


@pytest.mark.parametrize(("data", "first", "second"), STATES)
def test_figure_and_table_in_every_state(model, data, first, second):
    view = model.view(data, first, second)
    y_true, y_score = example_data()[data]
    one, other = (PROGRAMS[name](y_true, y_score, K) for name in (first, second))
    parts = [i for i in range(30) if abs(one[i] - other[i]) > 1e-9]
    lines, circles, diamonds, dots = traces(view.figure)
    assert list(circles.x) == list(diamonds.x) == [i + 1 for i in parts]
    assert list(circles.y) == pytest.approx(one[parts], abs=1e-6)
    assert list(diamonds.y) == pytest.approx(other[parts], abs=1e-6)
    assert len(lines.x) == 3 * len(parts)
    assert sorted([*circles.x, *dots.x]) == list(range(1, 31))

    *rows, last = describe(view.figure).rows
    assert last[0] == "mean of 30"
    assert last[1:3] == pytest.approx([one.mean(), other.mean()], abs=5e-5)
    if not parts:
        assert title_of(view.figure) == "They agree on all 30 queries"
        assert rows == [["30 more, which agree", None, None, None]]
        return
    if len(parts) < 30:
        assert rows.pop()[0] == f"{30 - len(parts)} more, which agree"
    assert sorted(row[0] - 1 for row in rows) == parts
    sizes = np.array([abs(one[row[0] - 1] - other[row[0] - 1]) for row in rows])
    assert (np.diff(sizes) <= 1e-8).all()  # most different first
    for query, *values in rows:
        exact = one[query - 1], other[query - 1]
        assert values == pytest.approx([*exact, exact[1] - exact[0]], abs=5.1e-5)
    above = int((one > 1 + 1e-9).sum() + (other > 1 + 1e-9).sum())
    assert (f"Above 1: {above}." in view.sentence) == (above > 0)
    assert len(view.figure.layout.shapes) == (above > 0)


def parted(model, data, second, first="scikit-learn"):
    return set(traces(model.view(data, first, second).figure)[1].x)


def empty_queries():
    return set((np.flatnonzero(example_data()["ties"][0].sum(axis=1) == 0) + 1).tolist())


def test_without_ties_all_rules_for_ties_agree(model):
    for one, other in itertools.permutations(list(PROGRAMS)[:3], 2):
        assert parted(model, "no ties", one, other) == set()


def test_with_ties_many_part_and_the_mean_moves_little(model):
    assert len(parted(model, "ties", "ties: file order")) == 26
    title = title_of(model.view("ties", "scikit-learn", "ties: file order").figure)
    assert title == "They part on 26 of 30 queries, yet the means hardly: 0.6752 and 0.6676"


def test_empty_queries_part_only_where_nothing_is_relevant(model):
    for data in DATA:
        assert parted(model, data, "empty = 1") == empty_queries()


def test_a_sorted_file_is_the_best_order(model):
    same = parted(model, "ties, sorted file", "ties: file order", "ties: best order")
    assert same == set()
    assert parted(model, "ties", "ties: file order", "ties: best order")


def test_scikit_learn_does_not_see_the_order_of_the_file(model):
    one, other = (model.values["scikit-learn", data] for data in DATA[1:])
    assert one == pytest.approx(other, abs=1e-12)


def test_mistakes_stay_hidden_where_nothing_is_relevant(model):
    for program in PROGRAMS:
        if program not in ("empty = 1", "ids sorted as text"):
            assert not parted(model, "ties", program) & empty_queries()


def test_a_program_agrees_with_itself(model):
    view = model.view("ties", "ascending", "ascending")
    assert view.sentence.startswith("ascending and ascending, again agree within 1e-12")


# ---------------------------------------------------------------- the explorer


def shown_title(explorer):
    return explorer.stage.figure["layout"]["title"]["text"].replace("<br>", " ")


START = "They part on 26 of 30 queries, yet the means hardly: 0.6752 and 0.6676"


def test_a_program_of_your_own():
    def yours(y_true, y_score, k):
        return ndcg(y_true, y_score, k=k, ties="stable", per_query=True)

    explorer = compare_code(yours)
    assert explorer.values == dict(data="ties", first="scikit-learn", second="yours")
    assert shown_title(explorer) == START
    explorer.set(data="no ties")
    assert shown_title(explorer) == "They agree on all 30 queries"
    explorer.set(data="ties")
    explorer.set(first="ties: file order")
    assert shown_title(explorer) == "They agree on all 30 queries"
    assert "yours" not in compare_code().controls["second"].options


def test_a_program_of_your_own_may_return_a_list_and_spoil_its_input():
    seen = []

    def yours(y_true, y_score, k):
        seen.append((y_true.tolist(), y_score.tolist()))
        y_true.sort(axis=1)
        y_score[:] = 0
        return [0.5] * len(y_true)

    explorer = compare_code(yours)
    expected = [tuple(array.tolist() for array in table) for table in example_data().values()]
    assert seen == expected  # though two data sets share their grades
    diamonds = explorer.stage.figure["data"][2]
    assert diamonds["y"] == [0.5] * 30


WRONG = [
    (lambda y, s, k: [None] * 30, "yours must return finite numbers, got nan for query 1"),
    (lambda y, s, k: 0.5, r"yours must return an array of shape \(30,\), got \(\)"),
    (lambda y, s, k: y, r"yours must return an array of shape \(30,\), got \(30, 8\)"),
    (
        lambda y, s, k: np.where(y.sum(axis=1) > 0, 1, np.nan),
        "yours must return finite numbers, got nan for query 20",
    ),
]


@pytest.mark.parametrize(("yours", "message"), WRONG)
def test_what_is_no_program_is_refused(yours, message):
    with pytest.raises(ValueError, match=message):
        compare_code(yours)
