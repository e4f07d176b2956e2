"""Why two tools disagree: ten switches, 24 presets, and the way back from a number.

Read the modules in this order; each is short. Notebook *conventions* teaches them.

1. `convention`: the switches; a convention is one setting of them, a preset that of a tool
2. `method`: one list under any setting of them, and under the mistakes that people make
3. `evaluation`: a run under a tool's setting
4. `presets`: the tools that people use, with the version that was run
5. `reconciler`: from a printed number to the tools and settings that print it
6. `fingerprint`: seven documents on which nearly every tool prints a number of its own
"""

from ndcglib.conventions.convention import SWITCHES, Convention, Preset
from ndcglib.conventions.evaluation import evaluate
from ndcglib.conventions.fingerprint import fingerprint, read_fingerprint
from ndcglib.conventions.presets import PRESETS
from ndcglib.conventions.reconciler import Reconciliation, reconcile

__all__ = [
    "PRESETS",
    "SWITCHES",
    "Convention",
    "Preset",
    "Reconciliation",
    "evaluate",
    "fingerprint",
    "read_fingerprint",
    "reconcile",
]
