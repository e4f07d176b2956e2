"""What other tools print: ``make peers`` runs them all, and writes ``libraries.json``.

It runs in an environment of its own (`requirements.txt` beside it), without `helpers`. The tests
hold the presets of `ndcglib.conventions` to the file. Each tool is asked about one query at a
time, about the mean of the fingerprint's two, and, where it takes runs and judgments apart, about
a run that lacks two of three judged queries.
"""

import importlib.util
import json
import logging
import random
import sys
import types
import warnings
from importlib.metadata import version
from pathlib import Path

import catboost.utils
import ir_measures
import lightgbm
import numpy as np
import pandas as pd
import pytrec_eval
import ranx
import torch
import xgboost
from recommenders.evaluation.python_evaluation import ndcg_at_k
from sklearn.metrics import ndcg_score
from torchmetrics.functional.retrieval import retrieval_normalized_dcg

HERE = Path(__file__).parent


# --- the queries: documents as returned with their scores, grades of what was judged -------


def query(grades, scores):
    """A query whose judged documents are those of the list."""
    docs = "abcdefghij"[: len(grades)]
    return dict(zip(docs, scores, strict=True)), dict(zip(docs, grades, strict=True))


TABLE = {
    "no ties": query([3, 2, 3, 0, 1, 2], [0.6, 0.2, 0.8, 0.4, 0.1, 0.3]),
    "three tied": query([3, 2, 1, 0, 0], [0.9, 0.8, 0.8, 0.8, 0.1]),
    "all tied": query([0, 3, 1, 0], [0.5] * 4),
    "empty": query([0, 0, 0], [0.3, 0.2, 0.1]),
    "negative": query([3, -1, 0, 2], [0.4, 0.3, 0.2, 0.1]),
    "short": query([1, 0, 2], [0.3, 0.2, 0.1]),
    "unjudged": (
        {"x": 0.9, "a": 0.8, "y": 0.7, "b": 0.6, "c": 0.5},
        {"a": 3, "b": 2, "c": 0, "g": 3},
    ),
}
FINGERPRINT = {  # gdeval takes whole numbers for queries
    "1": ({"c": 0.5, "d": 0.5, "b": 0.500000001, "a": 0.5}, {"c": 3, "d": 2, "a": 1, "e": 2}),
    "2": ({"y": 0.2, "z": 0.1}, {"y": 0, "z": 0}),
}

LACKING = {
    "1": ({"a": 0.9, "b": 0.8}, {"a": 1, "b": 3}),
    "2": ({}, {"a": 2, "c": 1}),
    "3": ({}, {"d": 0}),
}

PERFECT_AND_EMPTY = {"1": query([1, 0, 0], [0.3, 0.2, 0.1]), "2": query([0, 0], [0.2, 0.1])}


def random_query(luck):
    """Two to eight documents, many of them tied or nearly so; some unjudged, some not found."""
    docs = luck.sample("abcdefghijklm", luck.randint(2, 8))
    scores = [luck.randint(0, 4) / 4 + luck.choice([0, 0, 0, 1e-9]) for _ in docs]
    highest = luck.choice([0, 1, 2, 4, 4, 4])
    judged = [doc for doc in docs if luck.random() < luck.choice([1, 0.7])] or docs[:1]
    missed = luck.sample("nopq", luck.choice([0, 0, 1, 3]))
    grades = {doc: luck.randint(0, highest) for doc in [*judged, *missed]}
    return dict(zip(docs, scores, strict=True)), grades


def long_query(luck, n_docs):
    """As `random_query`, of so many documents: from 16 on some tools sort ties in no order."""
    docs = [f"d{i:02}" for i in luck.sample(range(90), n_docs)]
    scores = [luck.randint(0, 4) / 4 + luck.choice([0, 0, 0, 1e-9]) for _ in docs]
    highest = luck.choice([1, 2, 4])
    judged = [doc for doc in docs if luck.random() < luck.choice([1, 0.7])] or docs[:1]
    missed = [f"m{i}" for i in range(luck.choice([0, 0, 1, 3]))]
    grades = {doc: luck.randint(0, highest) for doc in [*judged, *missed]}
    return dict(zip(docs, scores, strict=True)), grades


def negative_query(luck):
    """No ties, some negative grades, and one that is not: else pytrec_eval reads stray memory."""
    n_docs, least = luck.randint(2, 6), luck.choice([-1, -2, -3])
    grades = [luck.randint(least, luck.choice([0, 3])) for _ in range(n_docs - 1)]
    grades.insert(luck.randint(0, n_docs - 1), luck.choice([0, 0, 1]))
    return query(grades, [place / 10 for place in luck.sample(range(10), n_docs)])


def cases():
    """Return (query, k) by name."""
    luck = random.Random(12)
    found = {name: (one, 5) for name, one in TABLE.items()}
    found |= {f"fingerprint {name}": (one, 3) for name, one in FINGERPRINT.items()}
    found |= {f"random {i}": (random_query(luck), luck.choice([1, 2, 3, 5])) for i in range(200)}
    for n_docs in range(1, 61):
        for i in range(2):
            depth = luck.choice([1, 3, 5, 10, 60])
            found[f"{n_docs} documents, {i}"] = long_query(luck, n_docs), depth
    for i in range(40):
        found[f"negative {i}"] = negative_query(luck), luck.choice([1, 3, 5])
    return found


# --- the tools: each takes queries by name and k, and returns what it prints for their mean ----


def dense(run, qrels):
    """Grades and scores of the list, for tools that know no other documents."""
    return [qrels.get(doc, 0) for doc in run], list(run.values())


def mean_of_each(value):
    """Turn a function of one query into one of many."""

    def mean(queries, k):
        return float(np.mean([value(*dense(*one), k) for one in queries.values()]))

    return mean


@mean_of_each
def sklearn(grades, scores, k):
    return ndcg_score([grades], [scores], k=k)


@mean_of_each
def sklearn_exponential(grades, scores, k):
    return ndcg_score([[2.0**grade - 1 for grade in grades]], [scores], k=k)


@mean_of_each
def torchmetrics(grades, scores, k):
    return float(retrieval_normalized_dcg(torch.tensor(scores), torch.tensor(grades), top_k=k))


def as_dicts(queries):
    runs = {name: run for name, (run, _) in queries.items() if run}
    return runs, {name: qrels for name, (_, qrels) in queries.items()}


def trec_eval(measure, **options):
    def mean(queries, k):
        runs, qrels = as_dicts(queries)
        asked = f"{measure}.{k}" if measure == "ndcg_cut" else measure
        found = pytrec_eval.RelevanceEvaluator(qrels, {asked}, **options).evaluate(runs)
        return float(np.mean([one[asked.replace(".", "_")] for one in found.values()]))

    return mean


def ir_measures_of(**options):
    def mean(queries, k):
        runs, qrels = as_dicts(queries)
        measure = ir_measures.nDCG(**options) @ k
        return ir_measures.calc_aggregate([measure], qrels, runs)[measure]

    return mean


def ranx_of(measure):
    def mean(queries, k):
        runs, qrels = as_dicts(queries)
        return float(ranx.evaluate(ranx.Qrels(qrels), ranx.Run(runs), f"{measure}@{k}"))

    return mean


def table_of(queries):
    """Return grades, scores and sizes of all queries, one below the other."""
    pairs = [dense(*one) for one in queries.values()]
    grades = np.concatenate([grades for grades, _ in pairs])
    return grades, np.concatenate([scores for _, scores in pairs]), [len(g) for g, _ in pairs]


def lightgbm_ndcg(queries, k, weight=1):
    """The scores are where training starts, and it does not move from there."""
    grades, scores, sizes = table_of(queries)
    data = lightgbm.Dataset(
        np.zeros((len(grades), 1)),
        grades,
        group=sizes,
        init_score=scores,
        weight=np.full(len(grades), weight),
        params={"verbose": -1},
    )
    found = {}
    lightgbm.train(
        dict(objective="lambdarank", metric="ndcg", eval_at=[k], learning_rate=1e-300, verbose=-1),
        data,
        1,
        valid_sets=[data],
        callbacks=[lightgbm.record_evaluation(found)],
    )
    return found["training"][f"ndcg@{k}"][0]


def xgboost_ndcg(ending=""):
    def mean(queries, k, weight=1):
        grades, scores, sizes = table_of(queries)
        data = xgboost.DMatrix(np.zeros((len(grades), 1)), grades, base_margin=scores)
        data.set_group(sizes)
        data.set_weight(np.full(len(sizes), weight))
        metric, found = f"ndcg@{k}{ending}", {}
        settings = dict(objective="rank:ndcg", eval_metric=metric, eta=0, max_depth=1)
        xgboost.train(
            settings, data, 1, evals=[(data, "all")], evals_result=found, verbose_eval=False
        )
        return found["all"][metric][0]

    return mean


def catboost_ndcg(kind, denominator="LogPosition"):
    def mean(queries, k):
        grades, scores, sizes = table_of(queries)
        metric = f"NDCG:top={k};type={kind};denominator={denominator}"
        groups = np.repeat(range(len(sizes)), sizes)
        return catboost.utils.eval_metric(grades, scores, metric, group_id=groups)[0]

    return mean


def allrank_metrics():
    """Return allRank's module of metrics alone: the package asks for a torch of 2021."""
    loading = types.ModuleType("allrank.data.dataset_loading")
    loading.PADDED_Y_VALUE = -1
    sys.modules["allrank.data.dataset_loading"] = loading
    found = importlib.util.find_spec("allrank").submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location("metrics", f"{found}/models/metrics.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ALLRANK = allrank_metrics()


@mean_of_each
def allrank(grades, scores, k):
    tables = torch.tensor([scores]), torch.tensor([grades], dtype=torch.float32)
    return float(ALLRANK.ndcg(*tables, ats=[k])[0, 0])


def recommenders(queries, k):
    def table(of, column):
        rows = [(name, doc, value) for name, one in queries.items() for doc, value in of(one)]
        return pd.DataFrame(rows, columns=["userID", "itemID", column])

    judged = table(lambda one: one[1].items(), "rating")
    found = table(lambda one: one[0].items(), "prediction")
    return float(ndcg_at_k(judged, found, k=k))


TOOLS = {
    "scikit-learn": ("scikit-learn", sklearn),
    "scikit-learn, given 2^y − 1": ("scikit-learn", sklearn_exponential),
    "torchmetrics": ("torchmetrics", torchmetrics),
    "trec_eval 9 / pytrec_eval ndcg_cut": ("pytrec_eval-terrier", trec_eval("ndcg_cut")),
    "trec_eval 9 -c / ir-measures nDCG": ("ir-measures", ir_measures_of()),
    "trec_eval 9 / pytrec_eval ndcg": ("pytrec_eval-terrier", trec_eval("ndcg")),
    "trec_eval 9 -J ndcg_cut": (
        "pytrec_eval-terrier",
        trec_eval("ndcg_cut", judged_docs_only_flag=True),
    ),
    "ir-measures nDCG(dcg='exp-log2')": ("ir-measures", ir_measures_of(dcg="exp-log2")),
    "ranx ndcg": ("ranx", ranx_of("ndcg")),
    "ranx ndcg_burges": ("ranx", ranx_of("ndcg_burges")),
    "LightGBM": ("lightgbm", lightgbm_ndcg),
    "XGBoost ndcg@k": ("xgboost-cpu", xgboost_ndcg()),
    "XGBoost ndcg@k-": ("xgboost-cpu", xgboost_ndcg("-")),
    "CatBoost Base": ("catboost", catboost_ndcg("Base")),
    "CatBoost Exp": ("catboost", catboost_ndcg("Exp")),
    "CatBoost Position": ("catboost", catboost_ndcg("Base", "Position")),
    "allRank": ("allRank", allrank),
    "recommenders": ("recommenders", recommenders),
}
TAKES_WEIGHTS = ("LightGBM", "XGBoost ndcg@k")
TAKES_RUNS = ("trec_eval", "ir-measures", "ranx", "recommenders")  # what their names begin with

REFUSALS = (
    AssertionError,
    ValueError,
    lightgbm.basic.LightGBMError,
    xgboost.core.XGBoostError,
)


def printed(tool, queries, k, **options):
    """Return what a tool prints, or the name of the error that it raises.

    Twelve digits, because the last of sixteen are those of a processor.
    """
    try:
        return float(f"{float(tool(queries, k, **options)):.12g}")
    except (
        AssertionError,
        ValueError,
        lightgbm.basic.LightGBMError,
        xgboost.core.XGBoostError,
    ) as error:
        return type(error).__name__


def main():
    """Run all tools on all queries, and write what they print."""
    warnings.simplefilter("ignore")
    logging.disable()
    known = cases()
    found = {
        name: {
            "package": package,
            "version": version(package),
            "fingerprint": printed(tool, FINGERPRINT, 3),
            "values": [printed(tool, {"1": one}, k) for one, k in known.values()],
            "lacking": printed(tool, LACKING, 3) if name.startswith(TAKES_RUNS) else None,
        }
        for name, (package, tool) in TOOLS.items()
    }
    for name in TAKES_WEIGHTS:
        found[name]["weighted"] = printed(TOOLS[name][1], PERFECT_AND_EMPTY, 5, weight=0.1)
    queries = [[name, *one, k] for name, (one, k) in known.items()]
    text = json.dumps({"queries": queries, "tools": found}, ensure_ascii=False)
    lines = text.replace('], ["', '],\n["').replace('}, "', '},\n"') + "\n"
    (HERE / "libraries.json").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
