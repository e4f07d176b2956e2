"""Seven documents that tell one tool from another by a single number."""

from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from ndcglib.conventions.convention import SWITCHES
from ndcglib.conventions.evaluation import number_of, queries_of
from ndcglib.conventions.presets import PRESETS
from ndcglib.conventions.reconciler import Reconciliation, reconcile

K = 3
RUN = {"1": {"c": 0.5, "d": 0.5, "b": 0.500000001, "a": 0.5}, "2": {"y": 0.2, "z": 0.1}}
QRELS = {"1": {"c": 3, "d": 2, "a": 1, "e": 2}, "2": {"y": 0, "z": 0}}
POSTCARD = """\
What does your tool call NDCG? Let it print NDCG@{k}, the mean of these two queries.

  query  returned, in this order                  judged (b was not, e was not returned)
  1      c 0.5, d 0.5, b 0.500000001, a 0.5       c 3, d 2, a 1, e 2
  2      y 0.2, z 0.1                             y 0, z 0
"""


class Fingerprint(NamedTuple):
    """Two queries of seven documents, in the shapes that tools take. Printed, it is a postcard.

    Attributes
    ----------
    run, qrels : dict of str to dict
        As pytrec_eval, ranx, ir-measures and `evaluate` take them.
    k : int
    """

    run: dict
    qrels: dict
    k: int

    @property
    def arrays(self):
        """Grades and scores of each query, as two lists: for scikit-learn, one query at a time."""
        return [
            ([self.qrels[query].get(doc, 0) for doc in docs], list(docs.values()))
            for query, docs in self.run.items()
        ]

    @property
    def table(self):
        """The long table: lists of queries, grades and scores; what nobody judged has grade 0."""
        grades, scores = (list(chain(*column)) for column in zip(*self.arrays, strict=True))
        return [[query for query, docs in self.run.items() for _ in docs], grades, scores]

    @property
    def run_text(self):
        """The run as the text of a TREC file."""
        lines = [
            f"{query} Q0 {doc} {rank} {score} fingerprint"
            for query, docs in self.run.items()
            for rank, (doc, score) in enumerate(docs.items(), start=1)
        ]
        return "\n".join(lines) + "\n"

    @property
    def qrels_text(self):
        """The judgments as the text of a TREC file."""
        rows = [(q, doc, grade) for q, docs in self.qrels.items() for doc, grade in docs.items()]
        return "".join(f"{query} 0 {doc} {grade}\n" for query, doc, grade in rows)

    @property
    def numbers(self):
        """What each `Preset` prints, lowest first: a list of (number, preset)."""
        queries = queries_of(*self)
        pairs = [(number_of(preset, queries), preset) for preset in PRESETS]
        return sorted(pairs, key=lambda pair: pair[0])

    def __repr__(self):
        cells = [f"{number:.4f}  {preset.label}" for number, preset in self.numbers]
        half = (len(cells) + 1) // 2
        rows = zip(cells[:half], cells[half:], strict=True)
        return POSTCARD.format(k=self.k) + "".join(f"\n  {a:44} {b}" for a, b in rows)


def fingerprint():
    """Return the `Fingerprint`: feed it to a tool, and read what comes out.

    Notes
    -----
    Taught in notebook *conventions*.

    Examples
    --------
    >>> fingerprint().qrels["2"]
    {'y': 0, 'z': 0}
    """
    return Fingerprint(RUN, QRELS, K)


@dataclass(frozen=True, repr=False)
class Reading:
    """What a number of the fingerprint says of a tool. Printed, it answers switch by switch.

    Attributes
    ----------
    found : Reconciliation
    """

    found: Reconciliation

    def __repr__(self):
        answers = self.found.answers if self.found.candidates else {}
        told, known = [], []
        for name, words in answers.items():
            line = f"  {SWITCHES[name][0]:52} {'; or '.join(words)}"
            (known if name in self.found.idle else told).append(line)
        known = (
            ["The number does not show this, but it is known of the tool:", *known]
            if known
            else []
        )
        limits = [
            f"  ({tool.name}: this order of ties is certain only for lists of up to "
            f"{tool.short.surely} documents)"
            for tool in self.found.presets
            if tool.short
        ]
        return "\n".join([repr(self.found), *told, *limits, *known])


def read_fingerprint(printed):
    """Return what a tool does that prints this number for the fingerprint.

    Parameters
    ----------
    printed : str or number
        The mean NDCG@3 of the two queries.

    Returns
    -------
    Reading

    Raises
    ------
    ValueError
        If that is not a number from 0 to 1.

    Notes
    -----
    Taught in notebook *conventions*.

    Examples
    --------
    >>> [preset.name for preset in read_fingerprint("0.2375").found.presets]
    ['scikit-learn']
    """
    return Reading(reconcile(*fingerprint(), printed))
