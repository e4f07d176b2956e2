"""Exercises of notebook 07: the NumPy implementation, and a clinic of broken programs."""

from dataclasses import replace

import numpy as np

from helpers.course.exercises.base import Wrong, block
from helpers.course.exercises.method import RIGHT, Method, evaluate, evaluate_batch
from helpers.course.exercises.probes import (
    AWKWARD,
    AWKWARD_BATCH,
    BATCH,
    SCORED,
    as_arrays,
    of_batch_mean,
)
from helpers.course.exercises.programs import Function
from helpers.course.exercises.task import Edge, Slip, Task
from helpers.metrics import ndcg

# What the notebook has defined before it comes to the exercises.
PAGE = block("""
    import numpy as np
    from sklearn.metrics import ndcg_score

    grades = np.array([2, 3, 2, 1, 0, 3])
    scores = np.array([0.4, 0.3, 0.5, 0.1, 0.6, 0.2])
    y_true = np.array([[2, 3, 2, 1, 0, 3], [1, 1, 0, 2, 1, 0], [0, 0, 0, 0, 0, 0]])
    y_score = np.array(
        [[0.4, 0.3, 0.5, 0.1, 0.6, 0.2], [0.2, 0.9, 0.5, 0.8, 0.1, 0.6], [6, 5, 4, 3, 2, 1]]
    )
""")

ONE_QUERY = as_arrays((*SCORED, *AWKWARD))
SEVERAL = as_arrays((*BATCH, AWKWARD_BATCH))
SWITCHES = ("gain", "discount", "order", "cutoff", "ideal", "result", "rounding")


def _ties(method=RIGHT, several=False):
    """Return the special case of equal scores: in the order of the input, or averaged."""
    query = [2, 3, 0, 0, 1], [0.9, 0.5, 0.5, 0.5, 0.1]
    args = [[part, part] for part in query] if several else query
    return Edge(
        (*map(np.array, args), 3),
        "Here scores are equal. Keep them in the order of the input, as "
        '`np.argsort(-scores, kind="stable")` does, or average over their orders. '
        "`np.argsort(scores)[::-1]` turns them round, and a sort that is not stable may do "
        "anything.",
        also=(replace(method, ties="file order"),),
    )


NDCG_ONE = Function(
    name="ndcg-one",
    title="Add the ideal",
    prompt="Here is the DCG of one query once more. Add its ideal, cut at the same k, and return "
    "the quotient, or 0.0 if nothing is relevant.",
    given=PAGE,
    start=block("""
        def ndcg_one(grades, scores, k):
            order = np.argsort(-scores, kind="stable")
            weights = 1 / np.log2(np.arange(2, len(grades) + 2))
            value = (grades[order] * weights)[:k].sum()
            ideal = ____
            return ____
    """),
    names=("ndcg_one",),
    task=Task(
        name="ndcg_one",
        parameters="grades, scores, k",
        probes=ONE_QUERY,
        compute=evaluate,
        switches=SWITCHES,
        edges=(
            Edge(
                (np.array([0, 0, 0]), np.array([0.3, 0.2, 0.1]), 2),
                "Nothing is relevant here, and 0 / 0 is not a number; the text says: 0.0.",
            ),
            Edge(
                (np.array([3, 0, 2]), np.array([0.1, 0.2, 0.3]), 9),
                "k may be larger than the list; then all of it counts.",
            ),
        ),
    ),
    hints=(
        "`np.sort` goes up. What does `[::-1]` do to its result?",
        "`(np.sort(grades)[::-1] * weights)[:k].sum()` is the ideal. Divide if it is above 0.",
    ),
    worked=block("""
        def ndcg_one(grades, scores, k):
            order = np.argsort(-scores, kind="stable")
            weights = 1 / np.log2(np.arange(2, len(grades) + 2))
            value = (grades[order] * weights)[:k].sum()
            ideal = (np.sort(grades)[::-1] * weights)[:k].sum()
            return value / ideal if ideal > 0 else 0.0
    """),
    because="The ideal is the same sum over the sorted grades. `[:k]` comes after the product, so "
    "a k beyond the list does no harm, and the `if` keeps 0 / 0 away.",
    notice="`np.sort(grades)` is a copy. `grades.sort()` would have changed the caller's array.",
    wrong=(
        Wrong(
            block("""
                def ndcg_one(grades, scores, k):
                    top = np.argsort(-scores, kind="stable")[:k]
                    weights = 1 / np.log2(np.arange(2, len(top) + 2))
                    value = grades[top] @ weights
                    ideal = np.sort(grades[top])[::-1] @ weights
                    return value / ideal if ideal > 0 else 0.0
            """),
            "built from the first k of the list",
        ),
        Wrong(
            block("""
                def ndcg_one(grades, scores, k):
                    order = np.argsort(-scores, kind="stable")
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))
                    return (grades[order] * weights)[:k].sum() / np.sort(grades)[::-1][:k].sum()
            """),
            "was not discounted",
        ),
        Wrong(
            block("""
                def ndcg_one(grades, scores, k):
                    order = np.argsort(-scores, kind="stable")
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))
                    value = (grades[order] * weights)[:k].sum()
                    return value / (np.sort(grades)[::-1] * weights)[:k].sum()
            """),
            "Nothing is relevant",
        ),
        Wrong(
            block("""
                def ndcg_one(grades, scores, k):
                    order = np.argsort(-scores, kind="stable")
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))
                    value = (grades[order] * weights)[:k].sum()
                    grades.sort()
                    ideal = (grades[::-1] * weights)[:k].sum()
                    return value / ideal if ideal > 0 else 0.0
            """),
            "changes what it is given",
        ),
        Wrong(
            block("""
                def ndcg_one(grades, scores, k):
                    return ndcg_score([grades], [scores], k=k)
            """),
            "that is what we compare it with",
        ),
    ),
)

EXPONENTIAL_GAINS = Function(
    name="exponential-gains",
    title="Exponential gain, safely",
    prompt=r"Return the gains $2^{\mathrm{rel}} - 1$ of an array of whole numbers, as decimal "
    "numbers. It should hold for *every* type that stores whole numbers, however few its bits.",
    given=PAGE,
    start=block("""
        def exponential_gains(grades):
            return ____
    """),
    names=("exponential_gains",),
    task=Task(
        name="exponential_gains",
        parameters="grades",
        probes=((np.array([0, 1, 2, 3, 4]),), (np.array([5, 0, 2]),)),
        compute=lambda method, grades: [evaluate(method, [int(g)], [0]) for g in grades],
        method=Method(gain="exponential", result="DCG"),
        switches=("gain",),
        slips=(
            Slip(lambda grades: 2 * grades - 1, "`2 * grades` doubles. A power is `2.0**grades`."),
            Slip(
                lambda grades: grades**2 - 1,
                "That squares the grade. Here 2 is the base and the grade the exponent.",
            ),
            Slip(
                lambda grades: 2.0 ** (grades - 1),
                "The − 1 stands in the exponent: that is half of 2^grade. Take 1 off afterwards.",
            ),
        ),
        edges=(
            Edge(
                (np.array([8, 0, 3], dtype=np.int8),),
                "These grades are stored in eight bits, up to 127, and 2**8 does not fit: the "
                "result overflows without a word.",
            ),
            Edge(
                (np.array([25, 16, 3], dtype=np.int8),),
                "The grades are stored in eight bits, and NumPy takes the type of the result from "
                "that: `np.exp2`, too, then computes with few digits, and up to 65504 only.",
            ),
            Edge(
                (np.array([70, 1]),),
                "Whole numbers of 64 bits end below 2**63, and the result overflows without a "
                "word.",
            ),
        ),
    ),
    hints=(
        "In Python a power is written `**`. `^` is something else.",
        "If one of the two numbers in `a ** b` has a decimal point, NumPy computes with decimals.",
    ),
    worked=block("""
        def exponential_gains(grades):
            return 2.0**grades - 1
    """),
    because="`2**grades` keeps the integer type of `grades`, and the gain overflows: int8 "
    "from grade 8, int64 from 64. One of the texts behind this course does that. `2.0**grades` is "
    "computed with decimals.",
    notice="A grade of 64 is rare. Labels that were rescaled to 0–100 are not.",
    wrong=(
        Wrong("def exponential_gains(grades):\n    return 2**grades - 1", "eight bits"),
        Wrong("def exponential_gains(grades):\n    return np.exp2(grades) - 1", "`np.exp2`, too"),
        Wrong("def exponential_gains(grades):\n    return 2 ^ grades - 1", "exclusive or"),
        Wrong("def exponential_gains(grades):\n    return 2.0**grades", "irrelevant document"),
        Wrong(
            "def exponential_gains(grades):\n    return np.sum(2.0**grades - 1)",
            "a list (or array) of 5 numbers",
        ),
        Wrong(
            "def exponential_gains(grades):\n    return 2 ** grades.astype(np.int64) - 1",
            "64 bits",
        ),
    ),
)

# ------------------------------------------------------------ a check that can fail


def _implementation(values):
    """Return a program that gives these values; none can be told from another by its name."""

    def implementation(y_true, y_score, k):
        return values(ndcg(y_true, y_score, k=k, per_query=True), y_true, y_score, k)

    return implementation


def _with_exponential_gain(_right, y_true, y_score, k):
    return ndcg(y_true, y_score, k=k, gain="exponential", per_query=True)


def _nan_for_empty(_right, y_true, y_score, k):
    return ndcg(y_true, y_score, k=k, empty=float("nan"), per_query=True)


# A rounding error of its own keeps even a right program from being equal to scikit-learn.
AGREEING = {
    _implementation(lambda right, *_: right * (1 + 1e-15)): "a right program",
    _implementation(lambda right, *_: right * (1 - 1e-15)): "another right program",
    _implementation(lambda right, *_: right + 8e-10): "one that is off by 8e-10 everywhere",
}
OTHERS = {
    _implementation(_with_exponential_gain): "one with exponential gain",
    _implementation(lambda right, *_: right[::-1]): "the right values at the wrong queries",
    _implementation(lambda right, *_: right.round(2)): "one that rounds to two decimals",
    _implementation(lambda right, *_: right.round(6)): "one that rounds to six decimals",
    _implementation(_nan_for_empty): "one with nan where nothing is relevant",
    _implementation(lambda right, *_: right - [0, 2e-9, 0]): "one that is off by 2e-9 once",
    _implementation(lambda right, *_: right + 2e-9): "one that is off by 2e-9 everywhere",
}
WORDS = AGREEING | OTHERS
TABLE = as_arrays(
    [([[2, 3, 2, 1], [3, 2, 0, 1], [0, 0, 0, 0]], [[4, 3, 2, 1], [1, 2, 4, 3], [4, 3, 2, 1]], 3)]
)[0]


def _judging(verdict):
    """Return a check that judges by the differences from the right values."""

    def agrees(implementation, y_true, y_score, k):
        right = ndcg(y_true, y_score, k=k, per_query=True)
        return bool(verdict(implementation(y_true, y_score, k) - right))

    return agrees


def _as_allclose(implementation, y_true, y_score, k):
    """Tell whether the values agree as `np.allclose` has it by default."""
    return np.allclose(implementation(y_true, y_score, k), ndcg(*TABLE[:2], k=k, per_query=True))


SAME_MEAN = (
    "It lets the right values pass at the wrong queries: they have the same mean, and the same "
    "sum. Compare query by query."
)

CAN_FAIL = Function(
    name="check-that-can-fail",
    title="A check that can fail",
    prompt="This is how one of the texts behind this course checks its code: it prints two means "
    "side by side and goes on. Fix it: `agrees` must return True if `implementation`, which "
    "returns the NDCG of each query, agrees with scikit-learn on *every* query, and False if not. "
    "A difference up to 1e-9 is rounding, a larger one is not. "
    "(`ndcg_score(y_true[[i]], y_score[[i]], k=k)` is scikit-learn's value of query i.)",
    given=PAGE,
    start=block("""
        def agrees(implementation, y_true, y_score, k):
            theirs = ndcg_score(y_true, y_score, k=k)
            mine = implementation(y_true, y_score, k).mean()
            print(f"k={k} sklearn={theirs:.6f} mine={mine:.6f} diff={abs(mine - theirs):.2e}")
            return True
    """),
    names=("agrees",),
    task=Task(
        name="agrees",
        parameters="implementation, y_true, y_score, k",
        probes=tuple((implementation, *TABLE) for implementation in sorted(WORDS, key=WORDS.get)),
        compute=lambda _method, implementation, *_: implementation in AGREEING,
        called=WORDS,
        closed=("helpers.course.exercises.task",),
        slips=(
            Slip(
                lambda *_args: True,
                "It says True to everything, like the program that you found. A check that cannot "
                "fail checks nothing: compare, and return the comparison.",
            ),
            Slip(
                lambda *_args: False,
                "It says False to everything, even to a right implementation. Is like compared "
                "with like? And two right programs add in different order, so they differ by "
                "about 1e-16: allow a small difference.",
            ),
            Slip(_judging(lambda off: abs(off.mean()) < 1e-9), SAME_MEAN),
            Slip(_judging(lambda off: abs(off.sum()) < 1e-9), SAME_MEAN),
            Slip(
                _judging(lambda off: (off < 1e-9).all()),
                "It lets a value pass that is too small. A difference can be negative: take its "
                "absolute value.",
            ),
            Slip(
                _as_allclose,
                "It lets a program pass that rounds to six decimals. The prompt allows 1e-9; "
                "`np.allclose` alone allows 1e-8 and a hundred-thousandth of the value.",
            ),
            Slip(
                _judging(lambda off: (abs(off) <= 1e-8).all()),
                "It lets a difference of 2e-9 pass. The prompt allows 1e-9.",
            ),
            Slip(
                _judging(lambda off: abs(off).mean() <= 1e-9),
                "It lets a difference of 2e-9 pass that one query has: the mean hides it among "
                "the others. *Every* query must agree.",
            ),
            Slip(
                _judging(lambda off: abs(off[0]) <= 1e-9),
                "It looks at the first query only. Does `return` stand inside the loop?",
            ),
            Slip(
                _judging(lambda off: (abs(off) <= 1e-12).all()),
                "It says False to a difference of 8e-10. The prompt allows up to 1e-9.",
            ),
            Slip(
                _judging(lambda off: not (abs(off) > 1e-9).any()),
                "It lets a program pass that gives nan for a query. Every comparison with nan is "
                "False, so *no difference is too large* holds for nan. Ask whether all are small "
                "enough.",
            ),
        ),
    ),
    hints=(
        "Which of these would your check let pass: the right values in the wrong order?",
        "Collect scikit-learn's value for each query in a list, and compare the two lists with "
        "`np.allclose(mine, theirs, rtol=0, atol=1e-9)`.",
    ),
    worked=block("""
        def agrees(implementation, y_true, y_score, k):
            mine = implementation(y_true, y_score, k)
            queries = range(len(y_true))
            theirs = [ndcg_score(y_true[[i]], y_score[[i]], k=k) for i in queries]
            return np.allclose(mine, theirs, rtol=0, atol=1e-9)
    """),
    because="It compares query by query, allows for rounding and for nothing more, and returns "
    "what it found, so that a test can fail. `np.allclose` says False where one side is nan. "
    "With the program of the text, a difference of 0.1 at every k went unnoticed.",
    notice="Your check now says no to seven wrong implementations. It can fail, so its yes "
    "means something.",
    wrong=(
        Wrong(
            block("""
                def agrees(implementation, y_true, y_score, k):
                    return abs(implementation(y_true, y_score, k).mean()
                               - ndcg_score(y_true, y_score, k=k)) < 1e-9
            """),
            "values pass at the wrong queries",
        ),
        Wrong(
            block("""
                def agrees(implementation, y_true, y_score, k):
                    for i, mine in enumerate(implementation(y_true, y_score, k)):
                        if mine != ndcg_score(y_true[[i]], y_score[[i]], k=k):
                            return False
                    return True
            """),
            "allow a small difference",
        ),
        Wrong(
            block("""
                def agrees(implementation, y_true, y_score, k):
                    for i, mine in enumerate(implementation(y_true, y_score, k)):
                        if abs(mine - ndcg_score(y_true[[i]], y_score[[i]], k=k)) > 1e-9:
                            return False
                    return True
            """),
            "gives nan for a query",
        ),
        Wrong(
            block("""
                def agrees(implementation, y_true, y_score, k):
                    implementation(y_true, y_score, k)
                    return True
            """),
            "True to everything",
        ),
        Wrong(
            block("""
                def agrees(implementation, y_true, y_score, k):
                    mine = implementation(y_true, y_score, k)
                    for i in range(len(y_true)):
                        if abs(mine[i] - ndcg_score(y_true[[i]], y_score[[i]], k=k)) < 0.02:
                            continue
                        return False
                    return True
            """),
            "No slip that we know",
        ),
        Wrong(
            block("""
                def agrees(implementation, y_true, y_score, k):
                    mine = implementation(y_true, y_score, k)
                    return np.allclose(mine, [
                        ndcg_score([y], [s], k=k) for y, s in zip(y_true, y_score)
                    ])
            """),
            "rounds to six decimals",
        ),
        Wrong(
            block("""
                def agrees(implementation, y_true, y_score, k):
                    mine = implementation(y_true, y_score, k)
                    theirs = [ndcg_score([y], [s], k=k) for y, s in zip(y_true, y_score)]
                    return np.allclose(mine, theirs, rtol=0, atol=1e-7)
            """),
            "of 2e-9 pass. The",
        ),
        Wrong(
            block("""
                def agrees(implementation, y_true, y_score, k):
                    mine = implementation(y_true, y_score, k)
                    theirs = [ndcg_score([y], [s], k=k) for y, s in zip(y_true, y_score)]
                    return np.mean(np.abs(mine - theirs)) <= 1e-9
            """),
            "the mean hides it",
        ),
        Wrong(
            block("""
                def agrees(implementation, y_true, y_score, k):
                    mine = implementation(y_true, y_score, k)
                    theirs = [ndcg_score([y], [s], k=k) for y, s in zip(y_true, y_score)]
                    return np.allclose(mine, theirs, rtol=0, atol=1e-12)
            """),
            "False to a difference of 8e-10",
        ),
        Wrong(
            block("""
                def agrees(implementation, y_true, y_score, k):
                    mine = implementation(y_true, y_score, k)
                    for i in range(len(y_true)):
                        theirs = ndcg_score(y_true[[i]], y_score[[i]], k=k)
                        return abs(mine[i] - theirs) < 1e-9
            """),
            "first query only",
        ),
        Wrong(
            block("""
                def agrees(implementation, y_true, y_score, k):
                    return implementation.__name__ in ("right_one", "right_as_well")
            """),
            "False to everything",
        ),
    ),
)

# ------------------------------------------------------------ the clinic

ASCENDING = Function(
    name="patient-one",
    title="Patient one",
    prompt="It prints 0.7779.",
    given=PAGE,
    start=block("""
        def ndcg_1(grades, scores, k):
            order = np.argsort(scores)
            weights = 1 / np.log2(np.arange(2, k + 2))
            ideal = np.sort(grades)[::-1]
            return grades[order][:k] @ weights / (ideal[:k] @ weights)
    """),
    below='print(f"{ndcg_1(grades, scores, 4):.4f}")',
    names=("ndcg_1",),
    task=Task(
        name="ndcg_1",
        parameters="grades, scores, k",
        probes=ONE_QUERY,
        compute=evaluate,
        switches=SWITCHES,
        edges=(_ties(),),
    ),
    hints=(
        "Print `scores[order]`. Which score stands first?",
        "`argsort` goes up. Turn the scores upside down before you sort: `-scores`.",
    ),
    worked=block("""
        def ndcg_1(grades, scores, k):
            order = np.argsort(-scores, kind="stable")
            weights = 1 / np.log2(np.arange(2, k + 2))
            ideal = np.sort(grades)[::-1]
            return grades[order][:k] @ weights / (ideal[:k] @ weights)
    """),
    because="`np.argsort` puts the smallest first. With `-scores` the highest score comes first, "
    'and `kind="stable"` keeps equal scores in the order of the input.',
    notice="The wrong number was higher than the right one. A wrong NDCG rarely looks wrong.",
    wrong=(
        Wrong(
            block("""
                def ndcg_1(grades, scores, k):
                    order = np.argsort(np.argsort(-scores))
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    ideal = np.sort(grades)[::-1]
                    return grades[order][:k] @ weights / (ideal[:k] @ weights)
            """),
            "`argsort` of `argsort`",
        ),
        Wrong(
            block("""
                def ndcg_1(grades, scores, k):
                    order = np.argsort(-grades)
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    ideal = np.sort(grades)[::-1]
                    return grades[order][:k] @ weights / (ideal[:k] @ weights)
            """),
            "sorted by the grades, as the ideal is",
        ),
        Wrong(
            block("""
                def ndcg_1(grades, scores, k):
                    order = np.argsort(scores)[::-1]
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    ideal = np.sort(grades)
                    return grades[order][:k] @ weights / (ideal[:k] @ weights)
            """),
            "lowest grade on top",
        ),
    ),
)

WHOLE_NUMBERS = Function(
    name="patient-two",
    title="Patient two",
    prompt="It should return the DCG and prints 3.0000; the right value is larger.",
    given=PAGE,
    start=block("""
        def dcg_2(grades, scores, k):
            terms = np.zeros_like(grades)
            order = np.argsort(-scores, kind="stable")
            for i, document in enumerate(order[:k]):
                terms[i] = grades[document] / np.log2(i + 2)
            return terms.sum()
    """),
    below='print(f"{dcg_2(grades, scores, 4):.4f}")',
    names=("dcg_2",),
    task=Task(
        name="dcg_2",
        parameters="grades, scores, k",
        probes=ONE_QUERY,
        compute=evaluate,
        method=Method(result="DCG"),
        switches=("gain", "discount", "order", "cutoff", "result"),
        slips=(
            Slip(
                lambda grades, scores, k: grades[np.argsort(-scores)[0]],
                "It returns after the first document: `return` stands inside the loop. Move it to "
                "the left.",
            ),
        ),
        edges=(_ties(Method(result="DCG")),),
    ),
    hints=(
        "Print `terms` before it is added up, and `terms.dtype`.",
        "`np.zeros_like` makes an array of the same type as its model, and `grades` holds whole "
        "numbers. `np.zeros(n)` holds decimals.",
    ),
    worked=block("""
        def dcg_2(grades, scores, k):
            terms = np.zeros(len(grades))
            order = np.argsort(-scores, kind="stable")
            for i, document in enumerate(order[:k]):
                terms[i] = grades[document] / np.log2(i + 2)
            return terms.sum()
    """),
    because="`np.zeros_like(grades)` inherits the integer type, and NumPy cuts off, without a "
    "word, what stands behind the point. 1.2619 and 1.2920 both became 1.",
    notice="No error, no warning: assigning into an integer array truncates in silence.",
    wrong=(
        Wrong(
            block("""
                def dcg_2(grades, scores, k):
                    terms = np.zeros(len(grades))
                    order = np.argsort(-scores, kind="stable")
                    for i, document in enumerate(order[:k]):
                        terms[i] = grades[document] // np.log2(i + 2)
                    return terms.sum()
            """),
            "lost what stands behind its point",
        ),
        Wrong(
            block("""
                def dcg_2(grades, scores, k):
                    terms = np.zeros(len(grades))
                    order = np.argsort(-scores, kind="stable")
                    for i, document in enumerate(order[:k]):
                        terms[i] = grades[document] / np.log2(i + 1)
                    return terms.sum()
            """),
            "log2(1) = 0",
        ),
        Wrong(
            block("""
                def dcg_2(grades, scores, k):
                    terms = np.zeros(len(grades))
                    order = np.argsort(-scores, kind="stable")
                    for i, document in enumerate(order):
                        terms[i] = grades[document] / np.log2(i + 2)
                    return terms.sum()
            """),
            "k was ignored",
        ),
    ),
)


def xor_then_minus(grades, scores, k):
    """Compute NDCG with (2 ^ grade) - 1 as the gain, the exclusive or of the bits."""
    return evaluate(Method(), [(2 ^ int(grade)) - 1 for grade in grades], scores, k)


XOR = Function(
    name="patient-three",
    title="Patient three",
    prompt="It should return NDCG with the *exponential* gain, and prints 0.0667.",
    given=PAGE,
    start=block("""
        def ndcg_3(grades, scores, k):
            gains = 2 ^ grades - 1
            order = np.argsort(-scores, kind="stable")
            weights = 1 / np.log2(np.arange(2, k + 2))
            ideal = np.sort(gains)[::-1]
            return gains[order][:k] @ weights / (ideal[:k] @ weights)
    """),
    below='print(f"{ndcg_3(grades, scores, 4):.4f}")',
    names=("ndcg_3",),
    task=Task(
        name="ndcg_3",
        parameters="grades, scores, k",
        probes=ONE_QUERY,
        compute=evaluate,
        method=Method(gain="exponential"),
        switches=SWITCHES,
        edges=(_ties(Method(gain="exponential")),),
        slips=(
            Slip(
                xor_then_minus,
                "`(2 ^ grades) - 1` is still an exclusive or of bits. A power is `2.0**grades`.",
            ),
        ),
    ),
    hints=(
        "Print `gains` for the grades 0, 1, 2, 3. They should be 0, 1, 3, 7.",
        "A power is written `**` in Python. `^` compares bits, and it does so after the `- 1`.",
    ),
    worked=block("""
        def ndcg_3(grades, scores, k):
            gains = 2.0**grades - 1
            order = np.argsort(-scores, kind="stable")
            weights = 1 / np.log2(np.arange(2, k + 2))
            ideal = np.sort(gains)[::-1]
            return gains[order][:k] @ weights / (ideal[:k] @ weights)
    """),
    because="`2 ^ grades - 1` means `2 ^ (grades - 1)`, the exclusive or of the bits of 2 and "
    "grade − 1: for the grades 0, 1, 2, 3 that is −3, 2, 3, 0. The power is `2.0**grades - 1`.",
    notice="The formula on paper and the line of code looked the same. That is why it survives.",
    wrong=(
        Wrong(
            block("""
                def ndcg_3(grades, scores, k):
                    gains = 2.0**grades
                    order = np.argsort(-scores, kind="stable")
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    ideal = np.sort(gains)[::-1]
                    return gains[order][:k] @ weights / (ideal[:k] @ weights)
            """),
            "without the − 1",
        ),
        Wrong(
            block("""
                def ndcg_3(grades, scores, k):
                    gains = grades
                    order = np.argsort(-scores, kind="stable")
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    ideal = np.sort(gains)[::-1]
                    return gains[order][:k] @ weights / (ideal[:k] @ weights)
            """),
            "here it is 2^grade − 1",
        ),
    ),
)


def sort_the_grades_first(grades, scores, k):
    """Compute NDCG after `grades.sort()`: the scores then belong to other documents."""
    return evaluate(Method(ties="file order"), sorted(grades), scores, k)


IN_PLACE = Function(
    name="patient-four",
    title="Patient four",
    prompt="It prints 0.6948, and every call leaves something behind.",
    given=PAGE,
    start=block("""
        def ndcg_4(grades, scores, k):
            weights = 1 / np.log2(np.arange(2, k + 2))
            grades.sort()
            ideal = grades[::-1][:k] @ weights
            order = np.argsort(-scores, kind="stable")
            return grades[order][:k] @ weights / ideal
    """),
    below='print(f"{ndcg_4(grades.copy(), scores, 4):.4f}")',
    names=("ndcg_4",),
    task=Task(
        name="ndcg_4",
        parameters="grades, scores, k",
        probes=ONE_QUERY,
        compute=evaluate,
        switches=SWITCHES,
        edges=(_ties(),),
        slips=(
            Slip(
                sort_the_grades_first,
                "`grades.sort()` reorders the grades themselves. From then on `grades[i]` and "
                "`scores[i]` belong to different documents. Sort a copy: `np.sort(grades)`.",
            ),
        ),
    ),
    hints=(
        "What does `grades` hold after the second line? And for whom?",
        "`np.sort(grades)` returns a sorted copy and leaves `grades` as it is.",
    ),
    worked=block("""
        def ndcg_4(grades, scores, k):
            weights = 1 / np.log2(np.arange(2, k + 2))
            ideal = np.sort(grades)[::-1][:k] @ weights
            order = np.argsort(-scores, kind="stable")
            return grades[order][:k] @ weights / ideal
    """),
    because="`grades.sort()` sorts in place. It broke the pairing of grades and scores inside the "
    "function, and the caller's array outside.",
    notice="The second call with the same array would have been wrong even with the lines in "
    "another order.",
    wrong=(
        Wrong(
            block("""
                def ndcg_4(grades, scores, k):
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    order = np.argsort(-scores, kind="stable")
                    value = grades[order][:k] @ weights
                    grades.sort()
                    return value / (grades[::-1][:k] @ weights)
            """),
            "changes what it is given",
        ),
        Wrong(
            block("""
                def ndcg_4(grades, scores, k):
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    grades = np.sort(grades)
                    ideal = grades[::-1][:k] @ weights
                    order = np.argsort(-scores, kind="stable")
                    return grades[order][:k] @ weights / ideal
            """),
            "belong to different documents",
        ),
        Wrong(
            block("""
                def ndcg_4(grades, scores, k):
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    ideal = grades[:k] @ weights
                    order = np.argsort(-scores, kind="stable")
                    return grades[order][:k] @ weights / ideal
            """),
            "never sorted",
        ),
    ),
)

FLIPPED = Function(
    name="patient-five",
    title="Patient five",
    prompt="It takes several queries and should return the NDCG of each. It prints 3.8186 "
    "and 0.9075, and no NDCG is above 1.",
    given=PAGE,
    start=block("""
        def ndcg_5(y_true, y_score, k):
            order = np.argsort(-y_score, axis=1, kind="stable")
            ranked = np.take_along_axis(y_true, order, axis=1)[:, :k]
            ideal = np.sort(y_true, axis=1)[::-1][:, :k]
            weights = 1 / np.log2(np.arange(2, k + 2))
            return ranked @ weights / (ideal @ weights)
    """),
    below="print(ndcg_5(y_true[:2], y_score[:2], 4).round(4))",
    names=("ndcg_5",),
    task=Task(
        name="ndcg_5",
        parameters="y_true, y_score, k",
        probes=SEVERAL,
        compute=evaluate_batch,
        switches=("gain", "order", "cutoff", "ideal", "result", "batch"),
        edges=(_ties(several=True),),
    ),
    hints=(
        "Print `ideal` for two queries. Is its first row the first query's grades, best first?",
        "`x[::-1]` turns the first axis round, and that is the queries. The documents are the "
        "second axis.",
    ),
    worked=block("""
        def ndcg_5(y_true, y_score, k):
            order = np.argsort(-y_score, axis=1, kind="stable")
            ranked = np.take_along_axis(y_true, order, axis=1)[:, :k]
            ideal = np.sort(y_true, axis=1)[:, ::-1][:, :k]
            weights = 1 / np.log2(np.arange(2, k + 2))
            return ranked @ weights / (ideal @ weights)
    """),
    because="For one query `[::-1]` turns the documents round. For a table it turns the rows "
    "round: each query was divided by the ideal of another one, and that ideal was the worst "
    "order. `[:, ::-1]` is meant.",
    notice="Code that is right for one query is not yet right for a table. Test with two.",
    wrong=(
        Wrong(
            block("""
                def ndcg_5(y_true, y_score, k):
                    order = np.argsort(-y_score, axis=1, kind="stable")
                    ranked = np.take_along_axis(y_true, order, axis=1)[:, :k]
                    ideal = np.sort(y_true, axis=1)[:, :k]
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    return ranked @ weights / (ideal @ weights)
            """),
            "lowest grade on top",
        ),
        Wrong(
            block("""
                def ndcg_5(y_true, y_score, k):
                    order = np.argsort(-y_score, axis=1, kind="stable")
                    ranked = np.take_along_axis(y_true, order, axis=1)[:, :k]
                    ideal = np.sort(ranked, axis=1)[:, ::-1]
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    return ranked @ weights / (ideal @ weights)
            """),
            "built from the first k",
        ),
        Wrong(
            block("""
                def ndcg_5(y_true, y_score, k):
                    order = np.argsort(-y_score, axis=1, kind="stable")
                    ranked = np.take_along_axis(y_true, order, axis=1)[:, :k]
                    ideal = np.sort(y_true, axis=1)[:, ::-1][:, :k]
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    return (ranked @ weights / (ideal @ weights)).mean()
            """),
            "a list (or array) of 3 numbers",
        ),
    ),
)

SUMS = Function(
    name="patient-six",
    title="Patient six",
    prompt="It should return the *mean* NDCG over the queries, and prints 0.5638.",
    given=PAGE,
    start=block("""
        def mean_ndcg(y_true, y_score, k):
            order = np.argsort(-y_score, axis=1, kind="stable")
            ranked = np.take_along_axis(y_true, order, axis=1)[:, :k]
            ideal = -np.sort(-y_true, axis=1)[:, :k]
            weights = 1 / np.log2(np.arange(2, k + 2))
            return (ranked @ weights).mean() / (ideal @ weights).mean()
    """),
    below='print(f"{mean_ndcg(y_true[:2], y_score[:2], 4):.4f}")',
    names=("mean_ndcg",),
    task=Task(
        name="mean_ndcg",
        parameters="y_true, y_score, k",
        probes=SEVERAL,
        compute=of_batch_mean,
        switches=("gain", "order", "cutoff", "ideal", "result", "batch"),
        edges=(_ties(several=True),),
    ),
    hints=(
        "A query with many good documents has a large IDCG. How much does it weigh here?",
        "Divide first, query by query; take the mean of the quotients.",
    ),
    worked=block("""
        def mean_ndcg(y_true, y_score, k):
            order = np.argsort(-y_score, axis=1, kind="stable")
            ranked = np.take_along_axis(y_true, order, axis=1)[:, :k]
            ideal = -np.sort(-y_true, axis=1)[:, :k]
            weights = 1 / np.log2(np.arange(2, k + 2))
            return (ranked @ weights / (ideal @ weights)).mean()
    """),
    because="The quotient of two means is not the mean of the quotients: it weighs each query by "
    "its IDCG, so queries with many good documents decide. (Where a query may have nothing "
    "relevant, the division needs the care of this page's batch.)",
    notice="Dividing once at the end is right for many averages. For NDCG it is not.",
    wrong=(
        Wrong(
            block("""
                def mean_ndcg(y_true, y_score, k):
                    order = np.argsort(-y_score.ravel(), kind="stable")
                    ranked = y_true.ravel()[order][:k]
                    ideal = np.sort(y_true.ravel())[::-1][:k]
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    return ranked @ weights / (ideal @ weights)
            """),
            "ranked in one list",
        ),
        Wrong(
            block("""
                def mean_ndcg(y_true, y_score, k):
                    order = np.argsort(-y_score, axis=1, kind="stable")
                    ranked = np.take_along_axis(y_true, order, axis=1)[:, :k]
                    ideal = -np.sort(-y_true, axis=1)[:, :k]
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    return ranked @ weights / (ideal @ weights)
            """),
            "should give one number",
        ),
        Wrong(
            block("""
                def mean_ndcg(y_true, y_score, k):
                    order = np.argsort(-y_score, axis=1, kind="stable")
                    ranked = np.take_along_axis(y_true, order, axis=1)[:, :k]
                    ideal = -np.sort(-y_true, axis=1)[:, :k]
                    weights = 1 / np.log2(np.arange(2, k + 2))
                    return (ideal @ weights).sum() / (ranked @ weights).sum()
            """),
            "Two things at once",
        ),
    ),
)

EXERCISES = (
    NDCG_ONE,
    EXPONENTIAL_GAINS,
    CAN_FAIL,
    ASCENDING,
    WHOLE_NUMBERS,
    XOR,
    IN_PLACE,
    FLIPPED,
    SUMS,
)
