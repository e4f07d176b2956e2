"""Why two tools disagree: seven switches, twenty presets, and the way back from a number.

Read the modules in this order; each is short. Notebook *conventions* teaches them.

1. `convention`: the switches, and `evaluate`, which computes NDCG under any setting of them
2. `presets`: the settings of the tools that people use, with the version that was run
3. `reconciler`: from a printed number to the tools and settings that print it
4. `fingerprint`: seven documents on which every tool prints a number of its own
"""

from helpers.conventions.convention import SWITCHES, Convention, Preset
from helpers.conventions.evaluation import evaluate
from helpers.conventions.fingerprint import fingerprint, read_fingerprint
from helpers.conventions.presets import PRESETS
from helpers.conventions.reconciler import Reconciliation, reconcile

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
