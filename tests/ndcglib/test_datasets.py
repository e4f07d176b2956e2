"""`ndcglib.datasets`: what the notebooks say about the data, and every refusal."""

import gzip
import hashlib
import inspect
import math
import os
import random
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import ndcg_score
from sklearn.utils.discovery import all_estimators, all_functions

from ndcglib.datasets import (
    RANKERS,
    bm25_weights,
    diabetes_triage,
    loaded,
    manual_data,
    manual_scores,
    manual_search,
    read_qrels,
    read_run,
)
from ndcglib.datasets.manual import _sections, _see_also_names
from ndcglib.datasets.manual_rankers import split_name
from ndcglib.metrics import ndcg_long, random_ndcg

# NDCG@10 with scikit-learn 1.9.1, to the third decimal; other releases differ by .005.
MEASURED = {
    "constant": 0.048,
    "alphabetical": 0.058,
    "name words": 0.458,
    "summary words": 0.464,
    "TF-IDF": 0.500,
    "BM25": 0.529,
    "BM25 rounded": 0.532,
}


def at_10(name):
    return ndcg_score(manual_search().grades, manual_scores()[name], k=10)


# --- searching the manual: the data ---------------------------------------------------


def test_shapes_fit_together():
    search = manual_search()
    n_docs, n_queries = len(search.documents), len(search.queries)
    assert 500 <= n_docs <= 560
    assert 190 <= n_queries <= 215
    assert search.queries.shape == (n_queries,)
    assert search.candidates.shape == search.grades.shape == (n_queries, n_docs - 1)
    assert search.grades.dtype.kind == search.candidates.dtype.kind == "i"


def test_every_document_but_the_own_one_is_a_candidate():
    search = manual_search()
    everyone = set(range(len(search.documents)))
    for query, candidates in zip(search.queries, search.candidates, strict=True):
        assert set(candidates.tolist()) == everyone - {int(query)}


def test_grades_are_see_also_same_module_or_nothing():
    search = manual_search()
    assert set(np.unique(search.grades)) == {0, 1, 2}
    assert (search.grades == 2).sum(axis=1).min() >= 2
    modules = np.array([document.module for document in search.documents])
    same = modules[search.candidates] == modules[search.queries][:, np.newaxis]
    assert (same[search.grades == 1]).all()
    assert not (same[search.grades == 0]).any()


def test_links_of_one_entry_by_hand():
    """LassoLars, read in the manual: seven links, one of them to another module."""
    search = manual_search()
    names = [document.name for document in search.documents]
    row = search.queries.tolist().index(names.index("LassoLars"))
    linked = {names[doc] for doc in search.candidates[row][search.grades[row] == 2]}
    expected = {"lars_path", "lasso_path", "Lasso", "LassoCV", "LassoLarsCV", "LassoLarsIC"}
    assert linked == expected | {"sparse_encode"}


def test_documents_are_sorted_and_have_all_their_parts():
    documents = manual_search().documents
    names = [document.name for document in documents]
    assert names == sorted(set(names))
    for document in documents:
        assert document.summary
        assert " ".join(document.text.split()).startswith(document.summary)
        assert "._" not in document.module
        assert document.module.count(".") <= 1


def test_the_answers_are_not_in_the_text():
    """Read the raw docstrings once more, without the parser: from the heading to a blank line."""
    texts = {document.name: document.text for document in manual_search().documents}
    n_sections = 0
    for name, entry in all_estimators() + all_functions():
        raw = inspect.cleandoc(entry.__doc__ or "")
        if name not in texts or "See Also\n---" not in raw:
            continue
        n_sections += 1
        section = raw.split("See Also\n---")[1].strip("-").strip().split("\n\n")[0]
        lines = set(texts[name].split("\n"))
        assert "See Also" not in lines
        assert not lines & set(section.split("\n"))
    assert n_sections > 250


def test_no_experimental_or_vendored_entry():
    """Importing them here does not change the documents, which another Python reads."""
    from sklearn.experimental import enable_halving_search_cv, enable_iterative_imputer  # noqa

    names = {document.name for document in loaded._read.__wrapped__()[0].documents}
    assert not names & {"IterativeImputer", "HalvingGridSearchCV", "HalvingRandomSearchCV"}
    assert "parse" not in names  # from sklearn.externals: written by somebody else


def digest():
    search, scores = loaded._read.__wrapped__()
    content = repr(search.documents).encode() + search.grades.tobytes()
    content += search.queries.tobytes() + search.candidates.tobytes()
    content += b"".join(values.tobytes() for values in scores.values())
    return hashlib.sha256(content).hexdigest()


def test_the_same_in_another_process_and_no_warning():
    """Another hash seed, so another order of every set; and warnings are errors."""
    code = "from test_datasets import digest; print(digest())"
    other = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=os.path.dirname(__file__),
        capture_output=True,
        text=True,
        check=False,
    )
    assert other.stderr == ""
    assert other.stdout.strip() == digest()


def test_scikit_learn_is_not_kept():
    """A kernel has some 100 MB less."""
    code = """import sys
from ndcglib.datasets import manual_data
manual_data()
assert not {"sklearn", "scipy"} & set(sys.modules)"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_went_wrong_is_said(monkeypatch):
    monkeypatch.setattr(loaded, "READ", "raise OSError('no file is left')")
    with pytest.raises(RuntimeError, match=r"(?s)could not be read:\n.*no file is left"):
        loaded._read.__wrapped__()


def test_what_is_cached_cannot_be_spoiled():
    assert manual_search() is manual_search()
    assert manual_scores() is manual_scores()
    with pytest.raises(ValueError, match="read-only"):
        manual_search().grades[0, 0] = 5
    with pytest.raises(ValueError, match="read-only"):
        manual_scores()["BM25"][0, 0] = 5
    with pytest.raises(TypeError):
        manual_scores()["BM25"] = None


# --- the parser of "See Also" ---------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Lasso : The Lasso.\nRidge : Ridge.", ["Lasso", "Ridge"]),
        ("Lasso: The Lasso,\n    Ridge : goes on with the description", ["Lasso"]),
        ("Ridge, SGDRegressor,\nLasso", ["Ridge", "SGDRegressor", "Lasso"]),
        ("sklearn.svm.SVR : Regression.", ["SVR"]),
        (":class:`~sklearn.decomposition.PCA` : Further.", ["PCA"]),
        (":func:`scale` : Further.", ["scale"]),
        ("scipy.stats.mode : Other package.", []),
        ("RocCurveDisplay.from_estimator : A method.", []),
        ("", []),
    ],
)
def test_see_also_names(text, names):
    assert _see_also_names(text) == names


def test_sections_even_with_an_indented_heading():
    docstring = """Summary.

    More.

    See Also
    --------
    Lasso : The Lasso.

     References
    ----------
    Somebody.
    """
    sections = _sections(docstring)
    assert list(sections) == ["", "See Also", "References"]
    assert sections[""].strip() == "Summary.\n\nMore."
    assert sections["See Also"].strip() == "Lasso : The Lasso."
    assert sections["References"].strip() == "Somebody."


# --- searching the manual: the rankers ------------------------------------------------


def test_rankers_come_in_their_order_and_shape():
    assert list(RANKERS) == list(manual_scores()) == list(MEASURED)
    for scores in manual_scores().values():
        assert scores.shape == manual_search().candidates.shape
        assert np.isfinite(scores).all()


@pytest.mark.parametrize("name", MEASURED)
def test_ndcg_of_each_ranker(name):
    assert at_10(name) == pytest.approx(MEASURED[name], abs=0.02)


def test_the_split_manual_is_the_manual_and_no_query_comes_twice():
    data = manual_data(seed=1)
    assert [len(part.y) for part in data[:3]] == [80, 40, 80]
    assert data.train.X.std(axis=(0, 1)) == pytest.approx(np.ones(4))
    split = np.concatenate([np.c_[part.X[:, :, 0], part.y] for part in data[:3]])
    whole = np.c_[manual_scores()["BM25"], manual_search().grades]
    factor = split[:, 0].sum() / whole[:, 0].sum()  # the spread is taken off
    whole[:, : data.train.X.shape[1]] *= factor
    ordered = [rows[np.lexsort(rows.T)] for rows in (split, whole)]
    assert ordered[0] == pytest.approx(ordered[1])


def test_the_groups_of_the_test_are_the_modules_of_its_queries():
    data, search, bm25 = manual_data(seed=1), manual_search(), manual_scores()["BM25"]
    modules = [document.module for document in search.documents]
    shares = bm25 / bm25.max(axis=1, keepdims=True)
    for scores, module in zip(data.test.X[..., 0], data.test_groups, strict=True):
        same = np.isclose(scores / scores.max(), shares).all(axis=1)
        assert {modules[search.queries[row]] for row in np.flatnonzero(same)} == {module}


def test_each_ranker_beats_the_one_before():
    values = [at_10(name) for name in MEASURED]
    assert all(worse < better for worse, better in pairwise(values)), values


def test_a_constant_gets_what_chance_gets():
    assert at_10("constant") == pytest.approx(random_ndcg(manual_search().grades, k=10))


def test_the_counters_tie_nearly_everything():
    for name in ("name words", "summary words"):
        for row in manual_scores()[name]:
            values, counts = np.unique(row, return_counts=True)
            assert len(values) < 30
            assert counts[counts > 1].sum() > 0.99 * len(row)
    rounded = manual_scores()["BM25 rounded"]
    assert (rounded == np.round(rounded)).all()


def test_name_words_by_hand():
    search, scores = manual_search(), manual_scores()["name words"]
    names = [document.name for document in search.documents]
    row = search.queries.tolist().index(names.index("MultiTaskLassoCV"))
    by_name = {names[doc]: scores[row, i] for i, doc in enumerate(search.candidates[row])}
    assert by_name["LassoCV"] == 2
    assert by_name["MultiTaskLasso"] == 3
    assert by_name["KMeans"] == 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("KMeans", "K Means"),
        ("SGDClassifier", "SGD Classifier"),
        ("MultiTaskLassoCV", "Multi Task Lasso CV"),
        ("chi2_kernel", "chi2 kernel"),
    ],
)
def test_split_name(name, words):
    assert split_name(name) == words


def bm25_loop(counts):
    """BM25 as the formula is printed: one word of one document after the other."""
    n_docs, n_words = len(counts), len(counts[0])
    lengths = [sum(row) for row in counts]
    mean_length = sum(lengths) / n_docs
    weights = [[0.0] * n_words for _ in counts]
    for word in range(n_words):
        df = sum(1 for row in counts if row[word] > 0)
        idf = math.log(1 + (n_docs - df + 0.5) / (df + 0.5))
        for doc in range(n_docs):
            tf = counts[doc][word]
            below = tf + 1.2 * (0.25 + 0.75 * lengths[doc] / mean_length)
            weights[doc][word] = idf * tf * 2.2 / below if tf else 0.0
    return weights


def test_bm25_equals_the_formula():
    counts = np.array([[3, 0, 1, 0], [1, 1, 1, 1], [0, 2, 1, 0], [0, 0, 7, 0], [1, 0, 1, 0]])
    result = bm25_weights(csr_array(counts))
    np.testing.assert_allclose(result.toarray(), bm25_loop(counts.tolist()), rtol=1e-13)


def test_bm25_leaves_its_input_alone():
    """Columns out of order, as CountVectorizer leaves them: SciPy would sort them in place."""
    counts = csr_array(
        (np.array([5, 1, 2]), np.array([2, 0, 1]), np.array([0, 2, 3])), shape=(2, 3)
    )
    before = counts.toarray()
    bm25_weights(counts)
    np.testing.assert_array_equal(counts.toarray(), before)


def test_bm25_scores_are_sums_over_the_words_of_the_query():
    """One query and ten candidates, the words counted with list.count."""
    from sklearn.feature_extraction.text import CountVectorizer

    search = manual_search()
    analyze = CountVectorizer(stop_words="english").build_analyzer()
    texts = [analyze(document.text) for document in search.documents]
    mean_length = sum(map(len, texts)) / len(texts)
    query = set(analyze(search.documents[search.queries[3]].summary))
    for column in range(0, 500, 50):
        words, total = texts[search.candidates[3, column]], 0.0
        for word in query & set(words):
            df = sum(1 for text in texts if word in text)
            idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
            tf = words.count(word)
            total += idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * len(words) / mean_length))
        assert manual_scores()["BM25"][3, column] == pytest.approx(total, abs=1e-12)


# --- diabetes triage ------------------------------------------------------------------


def test_ten_queries_of_14_to_64_patients():
    triage = diabetes_triage()
    labels, sizes = np.unique(triage.query, return_counts=True)
    assert sizes.tolist() == [30, 14, 41, 32, 60, 37, 61, 64, 43, 60]
    assert labels[0] == "age 19-29, sex 1"
    assert labels[-1] == "age 60-79, sex 2"
    assert sizes.sum() == len(triage.patient) == 442
    assert sorted(triage.patient.tolist()) == list(range(442))


def test_labels_say_who_is_in_the_query():
    triage = diabetes_triage()
    columns = dict(zip(triage.feature_names, triage.features.T, strict=True))
    for label in np.unique(triage.query):
        rows = triage.query == label
        first, last = label.removeprefix("age ").split(",")[0].split("-")
        assert columns["age"][rows].min() >= int(first)
        assert columns["age"][rows].max() <= int(last)
        assert set(columns["sex"][rows]) == {float(label[-1])}


def test_grades_follow_the_progression():
    triage = diabetes_triage()
    assert np.bincount(triage.grade).tolist() == [221, 110, 64, 33, 14]
    order = np.argsort(triage.progression)
    assert (np.diff(triage.grade[order]) >= 0).all()
    assert triage.progression.min() == 25
    assert triage.progression.max() == 346
    for label in np.unique(triage.query):
        assert triage.grade[triage.query == label].max() >= 2  # no empty query


def test_rows_belong_together():
    from sklearn.datasets import load_diabetes

    triage, data = diabetes_triage(), load_diabetes(scaled=False)
    np.testing.assert_array_equal(triage.features, data.data[triage.patient])
    np.testing.assert_array_equal(triage.progression, data.target[triage.patient])
    assert triage.feature_names == tuple(data.feature_names)
    assert (np.diff(np.unique(triage.query, return_inverse=True)[1]) >= 0).all()


@pytest.mark.parametrize(("k", "floor"), [(10, 0.322), (None, 0.627)])
def test_floor_of_a_constant(k, floor):
    triage = diabetes_triage()
    value = ndcg_long(triage.query, triage.grade, np.zeros(442), k=k)
    assert value == pytest.approx(floor, abs=5e-4)


def test_triage_is_cached_and_read_only():
    again = diabetes_triage.__wrapped__()
    assert diabetes_triage() is diabetes_triage()
    for name in ("query", "grade", "progression", "features", "patient"):
        array = getattr(diabetes_triage(), name)
        np.testing.assert_array_equal(array, getattr(again, name))
        assert not array.flags.writeable


# --- TREC files -----------------------------------------------------------------------

QRELS = "q1 0 a 2\nq1 0 b 0\n\nq1 0 c 3\nq2 0 a 1\nq3 0 d 1\nq2 0 e -1\n"
RUN = "q2 Q0 a 1 9.5 mine\nq1 Q0 x 1 3 mine\n   \nq1\tQ0\ta\t2\t1e-3\tmine\n"


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a file and returns its path."""

    def write_file(content, name="file.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


def test_read_qrels(write):
    qrels = read_qrels(write(QRELS))
    assert qrels.query.tolist() == ["q1", "q1", "q1", "q2", "q3", "q2"]
    assert qrels.doc.tolist() == ["a", "b", "c", "a", "d", "e"]
    assert qrels.grade.tolist() == [2, 0, 3, 1, 1, -1]
    assert qrels.grade.dtype.kind == "i"


def test_read_run(write):
    run = read_run(str(write(RUN)))
    assert run.query.tolist() == ["q2", "q1", "q1"]
    assert run.doc.tolist() == ["a", "x", "a"]
    assert run.rank.tolist() == [1, 1, 2]
    assert run.score.tolist() == [9.5, 3.0, 0.001]
    assert run.tag.tolist() == ["mine"] * 3


@pytest.mark.parametrize(
    "content", ["é 0 ü 1", "é 0 ü 1\r\n", b"\xef\xbb\xbf\xc3\xa9 0 \xc3\xbc 1"]
)
def test_other_people_s_files(write, content):
    """No last newline, Windows line ends, the mark that Windows editors put first."""
    qrels = read_qrels(write(content))
    assert qrels.query.tolist() == ["é"]
    assert qrels.doc.tolist() == ["ü"]


def test_comments_and_words_behind_the_tag_are_skipped(write):
    """As trec_eval reads them: a # begins a comment at the start of a line only."""
    qrels = read_qrels(write("# judged by 3\nq 0 a#1 2\n  # judged by 4\nq 0 b 1\n"))
    assert qrels.query.tolist() == ["q", "q"]
    assert qrels.doc.tolist() == ["a#1", "b"]
    run = read_run(write("# my favorite run of all\nq Q0 b 1 2.5 mine second try\n"))
    assert (run.doc.tolist(), run.score.tolist(), run.tag.tolist()) == (["b"], [2.5], ["mine"])


@pytest.mark.parametrize(("read", "content"), [(read_qrels, "QRELS"), (read_run, "RUN")])
def test_compressed_files_are_read(write, read, content):
    content = globals()[content].encode()
    plain, packed = read(write(content)), read(write(gzip.compress(content), "file.gz"))
    for name, column in vars(plain).items():
        np.testing.assert_array_equal(getattr(packed, name), column)
    broken = write(gzip.compress(content)[:-9], "broken.gz")
    with pytest.raises(ValueError, match=r"broken.gz: the gzip file is damaged or incomplete"):
        read(broken)


def test_ids_stay_the_text_that_they_are(write):
    names = ["1", "01", "1.0", "nan", "NaN", "None", "-1"]
    lines = "".join(f"{name} 0 {name} 1\n" for name in names)
    qrels = read_qrels(write(lines))
    assert qrels.query.tolist() == qrels.doc.tolist() == names


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("q 0 b", "got 3 fields, expected 4: query iter doc grade"),
        ("q 0 b good", "got grade 'good', expected an integer"),
        ("q 0 b " + "9" * 30, "expected an integer"),
        ("q 0 a 2", "query 'q' has document 'a' already in line 1"),
        (b"q 0 \xff 1", "expected text in UTF-8; save the file as UTF-8"),
        (b"q 0 b\0 1", "expected text in UTF-8"),
    ],
)
def test_malformed_qrels(write, line, found):
    line = line if isinstance(line, bytes) else line.encode()
    path = write(b"q 0 a 1\n\n" + line + b"\nq 0 z 1\n")
    with pytest.raises(ValueError, match="line 3") as error:
        read_qrels(path)
    assert str(error.value).startswith(f"{path}, line 3: ")
    assert found in str(error.value)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("q Q0 b 2 0.5", "got 5 fields, expected 6: query Q0 doc rank score tag"),
        ("q Q0 b 2.5 0.5 mine", "got rank '2.5', expected an integer"),
        ("q Q0 b 2 high mine", "got score 'high', expected a finite number"),
        ("q Q0 b 2 nan mine", "got score 'nan', expected a finite number"),
        ("q Q0 b 2 1e999 mine", "got score '1e999', expected a finite number"),
        ("q Q0 b 2 1_0 mine", "got score '1_0', expected a finite number"),
        ("q Q0 a 2 0.5 mine", "query 'q' has document 'a' already in line 2"),
    ],
)
def test_malformed_run(write, line, found):
    path = write(f"\nq Q0 a 1 0.9 mine\np Q0 a 1 0.9 mine\n{line}\n")
    with pytest.raises(ValueError, match="line 4") as error:
        read_run(path)
    assert str(error.value).startswith(f"{path}, line 4: ")
    assert found in str(error.value)


@pytest.mark.parametrize("read", [read_qrels, read_run])
@pytest.mark.parametrize("content", ["", "\n  \n", "# nothing\n"])
def test_empty_file(write, read, content):
    path = write(content)
    with pytest.raises(ValueError, match="the file has no data, expected lines of query") as error:
        read(path)
    assert str(path) in str(error.value)
    with pytest.raises(FileNotFoundError):
        read(path.with_name("nothing.txt"))


@pytest.mark.parametrize(
    "content",
    [
        random.Random(0).randbytes(1_000_000).replace(b"\n", b"").replace(b"\r", b""),
        b"q 0 " + b"d" * 1_000_000 + b" 1\n" + b"q 0 " + b"d" * 1_000_000 + b" 1\n",
    ],
)
def test_no_message_shows_a_whole_file(write, content):
    with pytest.raises(ValueError, match=r"file\.txt, line \d") as error:
        read_qrels(write(content))
    assert len(str(error.value)) < 600


def test_row_of_finds_the_query_of_an_entry():
    search = manual_search()
    for row in (0, 57, len(search.queries) - 1):
        assert search.row_of(search.documents[search.queries[row]].name) == row
    with pytest.raises(ValueError, match="no query comes from 'Nothing'"):
        search.row_of("Nothing")
