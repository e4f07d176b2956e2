"""Data for the course: real and offline, loaded once per process; and made up.

1. `manual`: searching scikit-learn's own manual (notebook *pool*, ties in notebook *ties*)
2. `manual_rankers`: seven ways to rank it, from a constant to BM25; `loaded`: both, ready
3. `diabetes`: patients to see first, queries of unequal length (notebook *your_own_ndcg*)
4. `trec` and `judging`: your own qrels and run files, joined (notebook *files*)
5. `synthetic`: ranking data with a known truth (notebooks *climb* and *regression*)
"""

from ndcglib.datasets.diabetes import DiabetesTriage, diabetes_triage
from ndcglib.datasets.judging import JudgedRun, judge_run, trec_eval_ndcg
from ndcglib.datasets.loaded import manual_data, manual_scores, manual_search
from ndcglib.datasets.manual import Document, ManualSearch
from ndcglib.datasets.manual_rankers import RANKERS, bm25_weights
from ndcglib.datasets.synthetic import Part, RankingData, ranking_data, shop_data, textbook_data
from ndcglib.datasets.trec import Qrels, Run, read_qrels, read_run

__all__ = [
    "RANKERS",
    "DiabetesTriage",
    "Document",
    "JudgedRun",
    "ManualSearch",
    "Part",
    "Qrels",
    "RankingData",
    "Run",
    "bm25_weights",
    "diabetes_triage",
    "judge_run",
    "manual_data",
    "manual_scores",
    "manual_search",
    "ranking_data",
    "read_qrels",
    "read_run",
    "shop_data",
    "textbook_data",
    "trec_eval_ndcg",
]
