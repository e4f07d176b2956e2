"""Where two programs differ: the figure, the programs, and every state of the explorer."""

import functools
import itertools
import re

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score
from stage import in_plotly, plain

from course import figures
from course.explorers import compare_code
from course.explorers.compare_code import CompareCode
from course.explorers.compare_code_programs import PROGRAMS, example_data, terms_of
from course.explorers.compare_code_programs import values_of as computed
from coursekit.figure import describe
from ndcglib.metrics import dcg, ndcg

FILES = {"no ties": slice(0, 10), "ties": slice(10, 20), "sorted file": slice(20, 30)}
EMPTY = (4, 14, 24)
K = 5


def title_of(figure):
    return in_plotly(figure).layout.title.text.replace("<br>", " ")


@functools.cache
def values_of(program):
    return computed(PROGRAMS[program], *example_data(), K)


# ---------------------------------------------------------------- the figure


FEW = {"one": [0.5, 0.25, 1.0, 0.0, 0.5], "other": [0.5, 0.75, 0.875, 0.0, 0.625]}


def test_a_bar_for_each_query_sorted_by_its_difference():
    figure = figures.program_differences(FEW)
    below, above, dots = in_plotly(figure).data
    assert (below.name, below.x, below.y) == ("one gives more", (1,), (-0.125,))
    assert (above.name, above.x, above.y) == ("other gives more", (4, 5), (0.125, 0.5))
    assert (dots.name, dots.x, dots.y) == ("equal", (2, 3), (0, 0))
    assert (below.customdata, above.customdata) == ((3,), (5, 2))  # whose they are
    assert in_plotly(figure).layout.xaxis.ticktext == ("3", "1", "4", "5", "2")
    ends = [note.text for note in in_plotly(figure).layout.annotations]
    assert ends == ["query 3: −0.1250", "query 2: +0.5000"]


def test_the_legend_names_what_is_drawn():
    pairs = [(0.5, 0.5), (0.5, 0.25), (0.25, 0.5)]
    shown = [
        [t.showlegend for t in in_plotly(figures.program_differences({"a": [a], "b": [b]})).data]
        for a, b in pairs
    ]
    assert shown == [[False, False, True], [True, False, False], [False, True, False]]


TITLES = [
    ([0.5, 0.25], [0.5, 0.25], "They agree on all 2 queries"),
    ([0.5], [0.5], "They agree on the only query"),
    ([0.5], [0.25], "They differ on 1 of 1 query; means 0.5000 and 0.2500"),
    ([0.5, 0.25], [0.5, 0.75], "They differ on 1 of 2 queries; means 0.3750 and 0.6250"),
    ([0.5, 0.25], [0.25, 0.5], "They differ on 2 of 2 queries, yet both means are 0.3750"),
    (
        [0.5, 0.25],
        [0.25, 0.51],
        "They differ on 2 of 2 queries, yet the means hardly differ: 0.3750 and 0.3800",
    ),
    ([0.5, 0.25], [0.25, 0.53], "They differ on 2 of 2 queries; means 0.3750 and 0.3900"),
    ([0.5, 1.0], [2.5, 1.5], "They differ on 2 of 2 queries; means 0.7500 and 2.0000; 2 above 1"),
    (
        [1.5, 0.0],
        [0.0, 1.5],
        "They differ on 2 of 2 queries, yet both means are 0.7500; 2 above 1",
    ),
    ([1 + 2e-16, 0.5], [0.0, 0.5], "They differ on 1 of 2 queries; means 0.7500 and 0.2500"),
]


@pytest.mark.parametrize(("one", "other", "title"), TITLES)
def test_the_title_says_the_finding(one, other, title):
    figure = figures.program_differences({"a": one, "b": other})
    assert title_of(figure) == title


def test_the_sentence_names_the_largest_difference():
    words = describe(figures.program_differences(FEW))
    assert words.sentence == (
        "one and other differ on 3 of 5 queries, most on query 2: 0.2500 and 0.7500. "
        "Means: 0.4500 and 0.5500."
    )
    same = describe(figures.program_differences({"a": [0.5, 0], "b": [0.5, 0]}))
    assert (
        same.sentence == "a and b agree within 1e-12 on all 2 queries. Means: 0.2500 and 0.2500."
    )


def test_what_is_summed_another_way_agrees():
    values = {"a": [0.5, 0.5], "b": [0.5, 0.501]}
    assert "differ on 1 of 2" in title_of(figures.program_differences(values))
    figure = figures.program_differences({"a": [0.5, 0.5], "b": [0.5, 0.5 + 1e-12]})
    assert "agree on all 2" in title_of(figure)
    assert [len(t.x) for t in in_plotly(figure).data] == [0, 0, 2]  # and no bar hints at another
    low, high = in_plotly(figure).layout.yaxis.range
    assert low < -1e-3 < 1e-3 < high


def test_few_queries_stand_whole_in_the_table():
    words = describe(figures.program_differences(FEW))
    assert words.header == ["query", "one", "other", "difference"]
    assert words.rows == [
        [1, 0.5, 0.5, 0.0],
        [2, 0.25, 0.75, 0.5],
        [3, 1.0, 0.875, -0.125],
        [4, 0.0, 0.0, 0.0],
        [5, 0.5, 0.625, 0.125],
        ["mean of 5", 0.45, 0.55, 0.1],
    ]


def test_of_many_queries_the_table_has_those_that_differ():
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


def test_where_all_differ_nothing_is_left_out():
    rows = describe(
        figures.program_differences({"a": np.zeros(20), "b": np.linspace(0.1, 1, 20)})
    ).rows
    assert [row[0] for row in rows] == [*range(20, 0, -1), "mean of 20"]


def test_the_last_bit_sorts_nothing():
    one, other = np.full(20, 0.5), np.full(20, 0.5)
    other[11] += 0.1
    other[4] = np.nextafter(0.6, 1)
    assert other[4] - one[4] > other[11] - one[11]
    figure = figures.program_differences({"a": one, "b": other})
    assert [row[0] for row in describe(figure).rows][:2] == [5, 12]
    assert in_plotly(figure).data[1].customdata == (12, 5)  # that of the sentence at the outer end


def test_there_is_room_for_every_bar():
    for other in ([2.5, 0.1], [0.1, -0.3], [0.0, 0.5]):
        figure = figures.program_differences({"a": [0.5, 0.5], "b": other})
        low, high = in_plotly(figure).layout.yaxis.range
        bars = [y for trace in in_plotly(figure).data[:2] for y in trace.y]
        assert low < min(0, *bars) <= max(0, *bars) < high


@pytest.mark.parametrize("queries", [1, 30, 31, 400])
def test_few_queries_have_their_numbers_below(queries):
    figure = figures.program_differences({"a": np.zeros(queries), "b": np.zeros(queries)})
    named = queries if queries <= 30 else 0
    assert in_plotly(figure).layout.xaxis.ticktext == tuple(str(i + 1) for i in range(named))
    assert in_plotly(figure).layout.xaxis.range[0] < 1
    assert in_plotly(figure).layout.xaxis.range[1] > queries


def test_names_are_not_markup():
    figure = figures.program_differences({"a<b>": [0.5], "k & m": [0.25]})
    assert [t.name for t in in_plotly(figure).data[:2]] == [
        "a&lt;b&gt; gives more",
        "k &amp; m gives more",
    ]
    assert describe(figure).header[1:3] == ["a<b>", "k & m"]
    assert describe(figure).sentence.startswith("a<b> and k & m differ")


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
    y_true, y_score = example_data()
    assert y_true.shape == y_score.shape == (30, 8)
    assert set(np.unique(y_true)) == {0, 1, 2, 3}
    assert np.flatnonzero(y_true.sum(axis=1) == 0).tolist() == list(EMPTY)
    distinct = np.array([len(set(row)) for row in y_score])
    assert set(distinct[FILES["no ties"]]) == {8}
    assert distinct[10:].max() < 8
    falls = (np.diff(y_true, axis=1) <= 0).all(axis=1)
    assert falls[FILES["sorted file"]].all()
    assert falls.sum() == 10 + 2  # and the two others that are empty


def test_the_data_is_the_same_each_time():
    for one, other in zip(example_data(), example_data(), strict=True):
        assert (one == other).all()


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
    y_true, y_score = example_data()
    pairs = list(zip(y_true, y_score, strict=True))[FILES["no ties"]]
    expected = [by_hand(program, *query) for query in pairs]
    assert values_of(program)[FILES["no ties"]] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("k", [1, 3, 5, 8, 20])
def test_scikit_learn_is_scikit_learn(k):
    y_true, y_score = example_data()
    table = PROGRAMS["scikit-learn"], y_true, y_score, k
    found, values = terms_of(*table), computed(*table)
    for i in range(30):
        query = [y_true[i]], [y_score[i]]
        assert values[i] == pytest.approx(ndcg_score(*query, k=k), abs=1e-12)
        assert found.added[i].sum() == pytest.approx(dcg_score(*query, k=k), abs=1e-12)
        ideal = dcg_score([y_true[i]], [y_true[i]], k=k)
        assert found.ideals[i] == pytest.approx(ideal, abs=1e-12)


def test_what_a_tied_document_adds_is_its_mean_over_all_orders():
    y_true, y_score = example_data()
    added = terms_of(PROGRAMS["scikit-learn"], y_true, y_score, K).added
    weights = [1 / np.log2(rank + 1) if rank <= K else 0.0 for rank in range(1, 9)]
    for i in range(10, 30):
        groups = [np.flatnonzero(y_score[i] == score) for score in np.unique(y_score[i])[::-1]]
        if max(map(len, groups)) > 5:
            continue  # too many orders
        rank = 0
        for group in groups:
            own = weights[rank : rank + len(group)]
            rank += len(group)
            orders = list(itertools.permutations(own))
            for place, doc in enumerate(group):
                mean = np.mean([y_true[i, doc] * order[place] for order in orders])
                assert added[i, doc] == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("ties", ["stable", "best"])
def test_ties_are_broken_as_said(ties):
    y_true, y_score = example_data()
    values = values_of({"stable": "ties: file order", "best": "ties: best order"}[ties])
    for i in range(30):
        second = -y_true[i] if ties == "best" else np.arange(8)
        order = np.lexsort((second, -y_score[i]))
        expected = ndcg_score([y_true[i][order]], [np.arange(8, 0, -1)], k=K)
        assert values[i] == pytest.approx(expected, abs=1e-12)


def test_the_flipped_ideal_is_that_of_the_query_at_the_other_end():
    y_true, y_score = example_data()
    values = values_of("ideal flipped")
    weights = 1 / np.log2(np.arange(2, K + 2))
    for i in range(30):
        ideal = float(np.sort(y_true[29 - i])[:K] @ weights)  # and its worst order, too
        expected = dcg(y_true[i], y_score[i], k=K) / ideal if ideal else 0.0
        assert values[i] == pytest.approx(expected, abs=1e-12)
    assert values.max() > 1


def test_ids_as_text_are_the_same_values_elsewhere():
    values, true = values_of("ids sorted as text"), values_of("scikit-learn")
    assert sorted(values) == sorted(true)
    assert values[:4].tolist() == true[[0, 9, 10, 11]].tolist()  # 1, 10, 11, 12
    assert values.mean() == pytest.approx(true.mean(), abs=1e-12)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("k", [1, 5, 8, 99])
def test_programs_take_every_cutoff_and_change_nothing(program, k):
    y_true, y_score = example_data()
    before = y_true.copy(), y_score.copy()
    values = computed(PROGRAMS[program], y_true, y_score, k)
    assert values.shape == (30,)
    assert np.isfinite(values).all()
    assert (y_true == before[0]).all()
    assert (y_score == before[1]).all()


def differing(one, other="scikit-learn"):
    """Return the queries, from 0, on which two programs differ."""
    return set(np.flatnonzero(np.abs(values_of(one) - values_of(other)) > 1e-9).tolist())


def test_no_two_programs_are_the_same():
    """Else a program of one's own could be shown as either."""
    assert all(differing(*pair) for pair in itertools.combinations(PROGRAMS, 2))


def test_rules_for_ties_differ_where_documents_tie():
    assert differing("ties: file order") == set(range(10, 30)) - set(EMPTY)
    assert differing("ties: best order") <= set(range(10, 30))


def test_a_sorted_file_is_the_best_order():
    assert differing("ties: file order", "ties: best order") <= set(range(10, 20))


def test_empty_queries_differ_only_where_they_count_another_value():
    assert differing("empty = 1") == set(EMPTY)
    for program in PROGRAMS:
        if program not in ("empty = 1", "ids sorted as text"):
            assert not differing(program) & set(EMPTY)


# ---------------------------------------------------------------- every state


@pytest.fixture(scope="module", name="model")
def _model():
    return CompareCode()


PAIRS = list(itertools.product(PROGRAMS, repeat=2))


def traces(figure):
    """Return the bars, the lines, the circles, the diamonds and the dots."""
    below, above, joins, circles, diamonds, dots = in_plotly(figure).data
    return [*zip(below.x, below.y, strict=True), *zip(above.x, above.y, strict=True)], dict(
        joins=joins, circles=circles, diamonds=diamonds, dots=dots
    )


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_row_of_all_queries(model, first, second):
    figure = model.view(first, second, 1).figure
    bars, marks = traces(figure)
    shown = dict([*bars, *zip(marks["dots"].x, marks["dots"].y, strict=True)])
    assert sorted(shown) == list(range(1, 31))
    differences = values_of(second) - values_of(first)
    for queries in FILES.values():  # sorted within its file
        places = range(queries.start + 1, queries.stop + 1)
        expected = sorted(differences[queries])
        assert [shown[place] for place in places] == pytest.approx(expected, abs=2e-6)
    assert len(bars) == (np.abs(differences) > 1e-9).sum()
    assert title_of(figure).startswith(
        f"They differ on {len(bars)} of 30" if bars else "They agree on all 30"
    )


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_query_chosen(model, first, second):
    """What its documents add, summed and divided, is the value; the words say what differs."""
    y_true, y_score = example_data()
    seen = set()
    for place in range(1, 31):
        view = model.view(first, second, place)
        query = int(re.search(r"Query (\d+), at", view.sentence)[1]) - 1
        seen.add(query)
        figure = view.figure
        _, marks = traces(figure)
        *_, frame = [
            s for s in in_plotly(figure).layout.shapes if s.type == "rect" and s.xref == "x"
        ]
        assert (frame.x0 + frame.x1) / 2 == place
        order = np.lexsort((np.arange(8), -y_score[query]))
        labels = in_plotly(figure).layout.yaxis2.ticktext
        told = [re.fullmatch(r"(.*): D(\d), grade (\d)", label).groups() for label in labels]
        assert [int(doc) - 1 for _, doc, _ in told] == order.tolist()
        assert [int(grade) for *_, grade in told] == y_true[query][order].tolist()
        for (rank, *_), score in zip(told, y_score[query][order], strict=True):
            ahead, ties = (y_score[query] > score).sum(), (y_score[query] == score).sum()
            assert rank == (f"{ahead + 1}" if ties == 1 else f"{ahead + 1}–{ahead + ties}")
        brackets = [s for s in in_plotly(figure).layout.shapes if s.yref == "y2" and s.x0 == s.x1]
        groups = {tuple(map(int, rank.split("–"))) for rank, *_ in told if "–" in rank}
        assert {(round(held.y0), round(held.y1)) for held in brackets} == groups
        low, high = in_plotly(figure).layout.xaxis2.range
        assert all(low < x < high for name in ("circles", "diamonds") for x in marks[name].x)
        values = [values_of(program)[query] for program in (first, second)]
        assert f"{values[0]:.4f} and {values[1]:.4f}: " in view.sentence
        rows = {row[0]: row[1:] for row in view.words.rows}
        for side, (name, value) in enumerate([("circles", values[0]), ("diamonds", values[1])]):
            total, ideal = sum(marks[name].x), rows["ideal"][side]
            assert total == pytest.approx(rows["sum: DCG@5"][side], abs=1e-4)
            assert marks[name].y == tuple(range(1, 9))
            if rows["value of query"][side] == query + 1 and ideal:
                assert total / ideal == pytest.approx(value, rel=1e-3, abs=1e-4)
        same = np.isclose(marks["circles"].x, marks["diamonds"].x, rtol=0, atol=1e-9)
        assert len(marks["joins"].x) == 3 * (~same).sum()
        if "different amounts" in view.sentence:
            assert f" {(~same).sum()} of 8 documents" in view.sentence
    assert seen == set(range(30))


def test_colors_and_the_cutoff(model):
    """A bar has the color of the program that gives more; k parts the ranks that count."""
    figure = model.view("scikit-learn", "ties: file order", 30).figure
    below, above, _, circles, diamonds, _ = in_plotly(figure).data
    assert below.marker.color == circles.marker.color
    assert above.marker.color == diamonds.marker.color
    assert circles.marker.symbol != diamonds.marker.symbol  # not by color alone
    [line] = [s for s in in_plotly(figure).layout.shapes if s.yref == "y2" and s.x0 != s.x1]
    assert line.y0 == line.y1 == K + 0.5
    assert max(below.y) < 0 < min(above.y)
    ends = [trace.name[-9:] for trace in (circles, diamonds)]
    assert ends == [", more: ↓", ", more: ↑"]  # and where: no words among the bars
    assert [note.text for note in in_plotly(figure).layout.annotations] == [f"k = {K}"]


WHY = [
    ("ties: file order", 11, ": different amounts for 3 of 8 documents, the same ideal."),
    ("gain 2^grade − 1", 1, " of 8 documents, different ideals."),
    ("ideal not cut", 1, ": the same amount for each document, different ideals."),
    ("scikit-learn", 1, ": the same amount for each document, the same ideal."),
    ("empty = 1", 10, "Query 5, at place 10, gets 0.0000 and 1.0000: nothing is relevant, 0/0."),
    ("ids sorted as text", 1, ": ids sorted as text returns the value of query 15."),
]


@pytest.mark.parametrize(("second", "place", "said"), WHY)
def test_the_sentence_says_where_they_differ(model, second, place, said):
    assert said in model.view("scikit-learn", second, place).sentence


def test_the_formula_divides(model):
    view = model.view("scikit-learn", "empty = 1", 10)
    assert plain(view.formula).split("empty") == ["scikit-learn=[0]/[0]→0", " = 1=[0]/[0]→1"]
    view = model.view("scikit-learn", "ids sorted as text", 20)
    assert plain(view.formula).endswith("ids sorted as text=0.8257(query 22)")
    assert values_of("scikit-learn")[21] == pytest.approx(0.8257, abs=5e-5)


def test_a_program_agrees_with_itself(model):
    view = model.view("ascending", "ascending", 4)
    assert view.sentence.startswith("ascending and ascending, again agree on all 30 queries.")


# ---------------------------------------------------------------- the explorer


def shown_title(explorer):
    return explorer.stage.figure["layout"]["title"]["text"].replace("<br>", " ")


START = "They differ on 18 of 30 queries; means 0.7159 and 0.7382"


def test_it_begins_where_they_differ_most():
    explorer = compare_code()
    for preset in [{}, explorer.presets["Empty counts 1"], explorer.presets["Above 1"]]:
        explorer.set(**preset)
        bars = [
            (x, y)
            for trace in explorer.stage.figure["data"][:2]
            for x, y in zip(trace["x"], trace["y"], strict=True)
        ]
        most = max(abs(y) for _, y in bars)
        assert abs(dict(bars)[explorer.values["place"]]) == pytest.approx(most, abs=0.01)


def test_a_program_of_your_own():
    def yours(y_true, y_score, k):
        return ndcg(y_true, y_score, k=k, ties="stable", per_query=True)

    explorer = compare_code(yours)
    assert explorer.values == dict(first="scikit-learn", second="yours", place=30)
    assert shown_title(explorer) == START
    before = explorer.stage.figure["data"]
    explorer.set(second="ties: file order")  # whose documents were shown, and it was said
    after = explorer.stage.figure["data"]
    assert [(t["x"], t["y"]) for t in after] == [(t["x"], t["y"]) for t in before]
    assert before[4]["name"] == "yours (as ties: file order), more: ↑"
    explorer.set(first="yours", second="scikit-learn")
    assert shown_title(explorer) == "They differ on 18 of 30 queries; means 0.7382 and 0.7159"
    explorer.set(second="ties: file order")
    assert shown_title(explorer) == "They agree on all 30 queries"
    assert "yours" not in compare_code().controls["second"].options


def test_of_a_program_that_equals_none_the_values_are_shown_and_no_documents():
    def yours(y_true, y_score, k):
        return ndcg(y_true, y_score, k=k, per_query=True) ** 2

    explorer = compare_code(yours)
    view = explorer.declaration.view(**explorer.values)
    _, marks = traces(view.figure)
    assert (len(marks["circles"].x), marks["diamonds"].x, marks["joins"].x) == (8, (None,), ())
    assert marks["diamonds"].name == "yours (only its values), more: ↑"
    assert ": of yours only the value is known." in view.sentence
    assert re.search(r"yours=\d\.\d{4}$", plain(view.formula))
    rows = {row[0]: row[1:] for row in view.words.rows}
    assert rows["ideal"][1] is rows["sum: DCG@5"][1] is rows["ideal"][2] is None
    explorer.set(first="yours")  # beside itself nothing is known, and nothing breaks
    assert shown_title(explorer) == "They agree on all 30 queries"


def test_a_program_of_your_own_may_return_a_list_and_spoil_its_input():
    seen = []

    def yours(y_true, y_score, k):
        seen.append((y_true.tolist(), y_score.tolist(), k))
        y_true.sort(axis=1)
        y_score[:] = 0
        return [0.5] * len(y_true)

    explorer = compare_code(yours)
    grades, scores = example_data()
    assert seen == [(grades.tolist(), scores.tolist(), K)]
    assert "and 0.5000" in shown_title(explorer)
    assert f"D{np.argmax(scores[0]) + 1}, grade" in str(explorer.declaration.view(
        first="scikit-learn", second="yours", place=1).words.rows[0])  # fmt: skip


WRONG = [
    (lambda y, s, k: [None] * 30, "yours must return finite numbers, got nan for query 1"),
    (lambda y, s, k: 0.5, r"yours must return an array of shape \(30,\), got \(\)"),
    (lambda y, s, k: y, r"yours must return an array of shape \(30,\), got \(30, 8\)"),
    (
        lambda y, s, k: np.where(y.sum(axis=1) > 0, 1, np.nan),
        "yours must return finite numbers, got nan for query 5",
    ),
]


@pytest.mark.parametrize(("yours", "message"), WRONG)
def test_what_is_no_program_is_refused(yours, message):
    with pytest.raises(ValueError, match=message):
        compare_code(yours)
