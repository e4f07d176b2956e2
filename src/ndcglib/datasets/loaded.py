"""The search through the manual and what its rankers score, read by a Python of its own.

scikit-learn's modules take some 100 MB, which the kernel of a student would keep to its end.
"""

import pickle
import subprocess
import sys
from functools import cache
from types import MappingProxyType

import numpy as np

from ndcglib.datasets.manual import read_manual
from ndcglib.datasets.manual_rankers import RANKERS
from ndcglib.datasets.synthetic import Part, RankingData
from ndcglib.metrics.checks import check_whole

# The rankers that are features of `manual_data`.
MIXED = ("BM25", "TF-IDF", "name words", "summary words")

READ = f"import sys; from {__name__} import read_and_score; read_and_score(sys.stdout.buffer)"


def read_and_score(file):
    """Write the search and the scores of all rankers, pickled, into a binary file."""
    search = read_manual()
    pickle.dump((search, {name: ranker(search) for name, ranker in RANKERS.items()}), file)


@cache
def _read():
    done = subprocess.run([sys.executable, "-c", READ], capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace")
        raise RuntimeError(f"the manual of scikit-learn could not be read:\n{said}")
    search, scores = pickle.loads(done.stdout)
    for array in (search.queries, search.candidates, search.grades, *scores.values()):
        array.setflags(write=False)
    return search, MappingProxyType(scores)


def manual_search():
    """Load the search through the manual of the installed scikit-learn.

    A document is a public estimator or function with a docstring. A query is the
    summary of one entry whose "See Also" names at least two other documents.

    Grade 2 is the developers' judgment. Grade 1, "same module", is a rule of this
    course: nobody judged those pairs. Everything else is 0, although some of it may
    well be useful to a reader: it is unjudged, not bad.

    Returns
    -------
    ManualSearch
        Its arrays are read-only, because every caller gets the same ones.

    Notes
    -----
    With scikit-learn 1.9.1 there are 526 documents and 200 queries. The numbers
    change a little with every release, because the manual does.

    Source: scikit-learn (BSD-3-Clause), its docstrings as installed. First used in
    notebook *pool*; notebook *ties* uses its ties.

    Examples
    --------
    >>> search = manual_search()
    >>> search.grades.shape == (len(search.queries), len(search.documents) - 1)
    True
    """
    return _read()[0]


def manual_scores():
    """Score the candidates of `manual_search` with every ranker.

    Returns
    -------
    mapping of str to ndarray of shape (n_queries, n_docs - 1)
        Scores, without unit, by the name of the ranker, in this order: "constant",
        "alphabetical", "name words", "summary words", "TF-IDF", "BM25" and
        "BM25 rounded". Read-only, because every caller gets the same arrays.

    Notes
    -----
    First used in notebook *cutoff*; notebook *ties* compares them with their ties.
    """
    return _read()[1]


def manual_data(seed=0):
    """Split the queries of the manual in three, with four rankers as features.

    Parameters
    ----------
    seed : int, default=0
        The luck of the split: 80 queries for training, 40 for validation, 80 for the test.

    Returns
    -------
    RankingData
        The features are `MIXED`, each divided by its standard deviation on the training
        queries. Nobody knows true weights: they are None. The test's groups are modules.

    Raises
    ------
    TypeError, ValueError
        If the seed is not a whole number, 0 or more.

    Notes
    -----
    Used in notebook *surrogates*.
    """
    grades, modules, rankers = manual_search().grades, manual_search().modules, manual_scores()
    features = np.stack([rankers[name] for name in MIXED], axis=-1)
    order = np.random.default_rng(check_whole(seed, "seed", 0)).permutation(len(grades))
    parts = np.split(order, [80, 120])
    features /= features[parts[0]].std(axis=(0, 1))
    split = (Part(features[part], grades[part], None) for part in parts)
    return RankingData(*split, weights=None, kinds=MIXED, test_groups=modules[parts[2]])
