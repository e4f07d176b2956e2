"""The switches of NDCG as values: a convention is one setting of them, a preset a tool's."""

from types import MappingProxyType
from typing import NamedTuple

# What is asked, and the answers that are known, by switch.
SWITCHES = MappingProxyType(
    {
        "gain": (
            "What is a grade of 2 worth?",
            {
                "linear": "2, the grade",
                "exponential": "3, which is 2^2 − 1",
                "binary": "1, as every grade above 0",
                "judged": "1, as everything judged, even with grade 0",
            },
        ),
        "discount": (
            "How much of a gain does rank 3 keep?",
            {
                "log": "1/2, by 1 / log2(rank + 1)",
                "reciprocal": "1/3, by 1 / rank",
                "2002": "0.63, by the 2002 rule with base 2",
            },
        ),
        "ties": (
            "How are equal scores ordered?",
            {
                "average": "in all orders, averaged",
                "stable": "as they came",
                "reversed": "as they came, the last one first",
                "id descending": "by document id, z before a",
                "id ascending": "by document id, a before z",
                "best": "the best grade first",
                "worst": "the worst grade first",
                "no rule": "in no order that is defined, as an unstable sort leaves them",
            },
        ),
        "empty": (
            "What does a query with nothing relevant get?",
            {0: "0", 1: "1", "skip": "nothing, it is left out of the mean"},
        ),
        "missing": (
            "What does a judged query get if the run lacks it?",
            {"zero": "0", "skip": "nothing, it is left out of the mean", "refuse": "an error"},
        ),
        "pool": (
            "What is the ideal made of?",
            {
                "list": "the list that was scored",
                "judged": "everything that was judged",
                "top k": "the k documents on top",
            },
        ),
        "cutoff": (
            "What does k cut?",
            {"both": "DCG and the ideal", "dcg": "DCG alone", "none": "nothing"},
        ),
        "negative": (
            "What does a negative grade count as?",
            {
                "refuse": "an error",
                "use": "a negative gain",
                "use or empty": "a negative gain, where an ideal below 0 counts as empty",
                "zero": "a grade of 0",
                "drop": "a document that is left out",
                "padding": "a document that is left out where it is −1, else a negative gain",
            },
        ),
        "unjudged": (
            "What does an unjudged document count as?",
            {"zero": "a document of grade 0", "drop": "a document that is left out"},
        ),
        "precision": (
            "How precisely are scores compared?",
            {
                "float64": "in double precision",
                "float32": "in single precision, where 0.500000001 is 0.5",
            },
        ),
    }
)


class Convention(NamedTuple):
    """One setting of the switches, as `SWITCHES` describes them.

    The default is scikit-learn's, and refuses a run that lacks judged queries.
    """

    gain: str = "linear"
    discount: str = "log"
    ties: str = "average"
    empty: int | str = 0
    missing: str = "refuse"
    pool: str = "list"
    cutoff: str = "both"
    negative: str = "refuse"
    unjudged: str = "zero"
    precision: str = "float64"

    def differs_from(self, other):
        """Return the names of the switches that stand otherwise in another convention."""
        return [name for name in self._fields if getattr(self, name) != getattr(other, name)]


class Short(NamedTuple):
    """How an unstable sort leaves equal scores in a short list, where it is simple and stable.

    Attributes
    ----------
    ties : {"stable", "reversed"}
    longest : int
        The number of documents in the longest list of which that is true.
    surely : int
        As `longest`, on any processor: with vector instructions NumPy sorts otherwise.
    """

    ties: str
    longest: int
    surely: int


class Preset(NamedTuple):
    """A tool and its convention.

    Attributes
    ----------
    name : str
        The tool, and the name of its metric where it has several.
    version : str
        The version that was run; "source read" if it was read instead, "own program" for what
        people write at home.
    convention : Convention
    short : Short or None
        For a tool without a rule for ties: what it does with short lists.
    """

    name: str
    version: str
    convention: Convention
    short: Short | None = None

    @property
    def label(self):
        """The name, and with it whether only the tool's source was read."""
        return f"{self.name} (not run)" if self.version == "source read" else self.name

    def on(self, n_docs, surely=False):
        """Return the convention for a list of so many documents."""
        if self.short and n_docs <= (self.short.surely if surely else self.short.longest):
            return self.convention._replace(ties=self.short.ties)
        return self.convention
