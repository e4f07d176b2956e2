"""What ir-measures says of P, RBP, RR, ERR and AP; its answers stand in user_models.json.

Runs in an environment of its own with ir-measures and cwl-eval, and on a machine with Perl:
``python tools/peers/user_models.py`` writes the file anew. Queries are ragged, some have
nothing relevant, in some not all that was judged was found, and no two scores are equal:
ir-measures breaks ties by the names of the documents.
"""

import json
import random
from importlib.metadata import version
from pathlib import Path

import ir_measures
from ir_measures import AP, ERR, RBP, RR, P

N_QUERIES, HIGHEST, CUTOFFS, PATIENCE = 60, 4, (1, 3, 5, 10, 100), (0.5, 0.8, 0.95)


def queries():
    """Return the grades of each list with its scores, and of what was judged and not found."""
    luck = random.Random(20261122)
    found = {}
    for i in range(N_QUERIES):
        n_docs, missed = luck.randint(1, 30), luck.choice([0, 0, 3])
        some = range(1 if i % 10 == 0 else HIGHEST + 1)  # every tenth query has only 0s
        grades = [luck.choice(some) for _ in range(n_docs + missed)]
        scores = [round(place / 7, 2) for place in luck.sample(range(1000), n_docs)]
        found[str(i + 1)] = dict(grades=grades[:n_docs], scores=scores, missed=grades[n_docs:])
    return found


def answers(found):
    """Return metric → its value for each query, in their order."""
    qrels, run = {}, {}
    for name, query in found.items():
        judged = query["grades"] + query["missed"]
        qrels[name] = {f"d{i:03}": grade for i, grade in enumerate(judged)}
        run[name] = {f"d{i:03}": score for i, score in enumerate(query["scores"])}
    metrics = [RR, AP, *(m @ k for m in (P, RR, AP, ERR) for k in CUTOFFS)]
    metrics += [RBP(p=p, rel=rel) for p in PATIENCE for rel in range(1, HIGHEST + 1)]
    values = {str(metric): dict.fromkeys(found) for metric in metrics}
    for one in ir_measures.iter_calc(metrics, qrels, run):
        values[str(one.measure)][one.query_id] = round(one.value, 9)
    return {metric: list(of_query.values()) for metric, of_query in values.items()}


if __name__ == "__main__":
    asked = queries()
    content = {
        "versions": {name: version(name) for name in ("ir-measures", "cwl-eval")},
        "queries": list(asked.values()),
        "values": answers(asked),
    }
    text = json.dumps(content, separators=(",", ":"))
    Path(__file__).with_suffix(".json").write_text(text + "\n", encoding="utf-8")
