"""Seven ways to rank the manual, from no idea at all to BM25.

Each takes a `ManualSearch` and returns scores (n_queries, n_docs - 1) in the order
of its `candidates`; the highest score is rank 1. The simple ones give many
documents the same score. That is their point: see notebook *ties*.

scikit-learn and SciPy are loaded where they are used: whoever needs only made-up data
need not wait for them.
"""

import re
from types import MappingProxyType

import numpy as np

from ndcglib.metrics.checks import all_finite, as_table

# scikit-learn's list of words such as "the" and "of". Without it a counter of words
# mostly counts those; TF-IDF and BM25 give them next to no weight anyway.
STOP_WORDS = "english"

K1, B = 1.2, 0.75  # of BM25

# Between "k" and "Means", between "SGD" and "Classifier", and at an underscore.
_WORD_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_")


def constant(search):
    """Give every candidate the score 0: a ranker without any opinion."""
    return np.zeros(search.candidates.shape)


def alphabetical(search):
    """Rank by name from A to z, whatever the query; `documents` has that order."""
    return -search.candidates.astype(float)


def name_words(search):
    """Count the words that the name of the asking entry shares with the candidate's name.

    LassoCV and MultiTaskLassoCV share "lasso" and "cv". One-letter words are dropped.
    """
    from sklearn.feature_extraction.text import CountVectorizer

    names = [split_name(document.name) for document in search.documents]
    words = _presence(CountVectorizer().fit_transform(names))
    return search.pick((words[search.queries] @ words.T).toarray())


def summary_words(search):
    """Count the words of the query, the entry's summary, that the candidate's text holds.

    Each word counts once, however often it occurs, and "data" as much as "lasso".
    """
    counts, query_words = _counts(search)
    return search.pick((query_words @ _presence(counts).T).toarray())


def tf_idf(search):
    """Return the cosine of the TF-IDF vectors of query and text.

    A word counts more if few documents have it, and 1 + ln(tf) times if a text
    repeats it tf times. scikit-learn's `TfidfVectorizer` with `sublinear_tf`.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(sublinear_tf=True, stop_words=STOP_WORDS)
    texts = vectorizer.fit_transform([document.text for document in search.documents])
    queries = vectorizer.transform(_summaries(search))
    return search.pick((queries @ texts.T).toarray())


def bm25(search):
    """Return the BM25 score of each candidate's text; see `bm25_weights`."""
    counts, query_words = _counts(search)
    return search.pick((query_words @ bm25_weights(counts).T).toarray())


def bm25_rounded(search):
    """Return BM25 rounded to whole numbers, as a log or a results page may print it."""
    return np.rint(bm25(search))


# A read-only dict: the names and the order of the rankers, for tables and plots.
RANKERS = MappingProxyType(
    {
        "constant": constant,
        "alphabetical": alphabetical,
        "name words": name_words,
        "summary words": summary_words,
        "TF-IDF": tf_idf,
        "BM25": bm25,
        "BM25 rounded": bm25_rounded,
    }
)


def bm25_weights(counts):
    """Return what each word of each document adds to the document's score.

    A word that occurs tf times in a document of length L, and in df of the n_docs
    documents, weighs

        ln(1 + (n_docs - df + 0.5) / (df + 0.5))
        * tf * (K1 + 1) / (tf + K1 * (1 - B + B * L / mean length))

    K1 = 1.2 says how soon repeating a word stops paying (0 would be at once), B = 0.75 how much
    long documents are held back (0 not at all, 1 fully).

    Parameters
    ----------
    counts : sparse array or matrix of shape (n_docs, n_words)
        How often each document has each word.

    Returns
    -------
    csr_array of float, shape (n_docs, n_words)

    Raises
    ------
    TypeError, ValueError
        If `counts` is not a table of finite numbers.

    Notes
    -----
    Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
    Beyond", Foundations and Trends in Information Retrieval 3(4):333-389, 2009,
    section 3.4. The 1 + in the logarithm and both numbers are those of Apache
    Lucene: no word can then count against a document. First used in notebook *cutoff*.
    """
    from scipy.sparse import csr_array

    if not hasattr(counts, "tocsr"):
        counts = as_table(counts, "counts")
    # A copy: SciPy may sort the entries in place, and they are the caller's.
    counts = csr_array(counts, dtype=float, copy=True)
    n_docs = counts.shape[0]
    length = counts.sum(axis=1)
    if not all_finite(length.sum()):
        raise ValueError("counts must be smaller: their sum leaves float64")
    df = _presence(counts).sum(axis=0)
    idf = np.log(1 + (n_docs - df + 0.5) / (df + 0.5))
    doc, word = counts.nonzero()
    tf = counts.data
    brake = K1 * (1 - B + B * length / length.mean())
    weights = idf[word] * tf * (K1 + 1) / (tf + brake[doc])
    return csr_array((weights, (doc, word)), shape=counts.shape)


def split_name(name):
    """Return the words of a Python name: "SGDClassifier" is "SGD Classifier"."""
    return _WORD_BORDER.sub(" ", name)


def _summaries(search):
    return [search.documents[query].summary for query in search.queries]


def _counts(search):
    """Return word counts of the texts, and which words each query has (1 or 0)."""
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(stop_words=STOP_WORDS)
    counts = vectorizer.fit_transform([document.text for document in search.documents])
    return counts, _presence(vectorizer.transform(_summaries(search)))


def _presence(counts):
    """Return 1 where there is a count and 0 elsewhere."""
    from scipy.sparse import csr_array

    return csr_array(counts > 0, dtype=int)
