"""Exercises of notebook 08: ties by hand, in code, and in a design."""

from itertools import groupby

import numpy as np

from helpers.course.exercises.base import Wrong, block
from helpers.course.exercises.boxes import Box, Boxes, scored
from helpers.course.exercises.claims import Claim, OpenQuestion
from helpers.course.exercises.method import Method, evaluate
from helpers.course.exercises.probes import TIED, UNSORTED, as_arrays
from helpers.course.exercises.programs import Function
from helpers.course.exercises.task import Edge, Slip, Task
from helpers.metrics import dcg, ndcg

PAGE = "import numpy as np"
Y_TRUE, Y_SCORE = [2, 3, 0, 0, 1], [0.9, 0.5, 0.5, 0.5, 0.1]
BY_HAND = ("discount", "gain", "cutoff", "result", "ties", "rounding")

AT_THREE = Boxes(
    name="tied-at-three",
    title="A group that k cuts",
    prompt="Our query again, 2, 3, 0, 0, 1 with the middle three tied, now at k = 3. Fill in the "
    "mean gain of the group, the discounts of the ranks that count, and the ideal DCG at 3.",
    start=block("""
        dcg_at_3 = 2 + ____ * (____ + ____)
        ndcg_at_3 = dcg_at_3 / ____
    """),
    names=("dcg_at_3", "ndcg_at_3"),
    boxes=(
        Box(
            "dcg_at_3",
            scored(Y_TRUE, Y_SCORE, 3),
            Method(result="DCG"),
            BY_HAND,
            slips={
                3.6309: "the tied group begins at rank 2. Rank 1, with its discount 1, belongs to "
                "the first document",
                2.9307: "those are the discounts of the ranks 3 and 4. Inside k are 2 and 3",
                5.3927: "you took the sum of the gains, 3. Each rank earns the *mean* gain",
            },
        ),
        Box(
            "ndcg_at_3",
            scored(Y_TRUE, Y_SCORE, 3),
            switches=BY_HAND,
            slips={
                round(3.1309 / 3.2619, 4): "you built the ideal from the grades 2, 3, 0 alone? "
                "The ideal is the best three of all five: 3, 2, 1",
            },
        ),
    ),
    hints=(
        "The mean gain of the group is that of all three members, 3, 0 and 0: any of them may "
        "stand inside k.",
        "Ranks 2 and 3 have the discounts 0.6309 and 0.5. The ideal is 3, 2, 1: 3 + 1.2619 + 0.5.",
    ),
    worked=block("""
        dcg_at_3 = 2 + 1.0 * (0.6309298 + 0.5)
        ndcg_at_3 = dcg_at_3 / (3 + 2 * 0.6309298 + 1 * 0.5)
    """),
    because="The mean gain stays that of the whole group, 1.0, because each member stands inside "
    "k as often as any other. Only the discounts of the ranks inside k are added: "
    "DCG = 2 + 1.1309 = 3.1309, and 3.1309 / 4.7619 = 0.6575.",
    notice="The cut changes which discounts count. It does not change who is in the group.",
    wrong=(
        Wrong("dcg_at_3, ndcg_at_3 = 2, 0.42", "dropped because k cuts it"),
        Wrong("dcg_at_3, ndcg_at_3 = 2 + 1.5 * (0.63093 + 0.5), 0.7762", "happen to stand inside"),
        Wrong("dcg_at_3, ndcg_at_3 = 3.8928, 0.8175", "Different slips lead to this number"),
        Wrong("dcg_at_3, ndcg_at_3 = 3.1309, 0.4200", "dropped because k cuts it"),
        Wrong("dcg_at_3, ndcg_at_3 = 2 + 3 * 0.5, 0.7350", "average rank"),
        Wrong("dcg_at_3, ndcg_at_3 = 3.9485, 0.8292", "k was ignored"),
    ),
)

AT_TWO = Boxes(
    name="tied-at-two",
    title="The whole way at 2",
    prompt="And at k = 2, on your own. Only the ideal is given: 3 + 1.2619 = 4.2619.",
    start=block("""
        dcg_at_2 = ____
        ndcg_at_2 = ____
    """),
    names=("dcg_at_2", "ndcg_at_2"),
    boxes=(
        Box("dcg_at_2", scored(Y_TRUE, Y_SCORE, 2), Method(result="DCG"), BY_HAND),
        Box("ndcg_at_2", scored(Y_TRUE, Y_SCORE, 2), switches=BY_HAND),
    ),
    hints=(
        "One rank of the tied group counts: rank 2. Who stands there, on average?",
        "2 + 1.0 × 0.6309, divided by 4.2619.",
    ),
    worked=block("""
        dcg_at_2 = 2 + 1.0 * 0.6309298
        ndcg_at_2 = dcg_at_2 / (3 + 2 * 0.6309298)
    """),
    because="Each of the three stands at rank 2 in a third of the orders, so rank 2 earns "
    "(3 + 0 + 0) / 3 = 1.0 times its discount. 2.6309 / 4.2619 = 0.6173.",
    notice="File order says 0.9134 here and the unluckiest order 0.4693: k cuts the group, so "
    "luck counts more.",
    wrong=(
        Wrong("dcg_at_2, ndcg_at_2 = 2.6309, 0.4693", "unluckiest order"),
        Wrong("dcg_at_2, ndcg_at_2 = 3.8928, 0.9134", "Different slips lead to this number"),
        Wrong("dcg_at_2, ndcg_at_2 = 2.9464, 0.6913", "middle of the best and the worst"),
        Wrong("dcg_at_2, ndcg_at_2 = 2.6309, 1.6199", "upside down"),
    ),
)


def sum_not_mean(grades, scores, k):
    """Compute the tie-averaged DCG with the sum of a group's gains in the place of their mean."""
    size = np.array([(scores == score).sum() for score in scores])
    return dcg(grades * size, scores, k=k)


def _mean(group, _grades):
    return group.mean()


def _span(running, _weights, first, last, _k):
    return running[last] - running[first]


def _filled(earns=_mean, weighs=_span, beyond=0.0, then=lambda _first, last: last):
    """Return the program of the exercise with other things in its gaps."""

    def program(grades, scores, k):
        weights = 1 / np.log2(np.arange(2, len(grades) + 2))
        weights[k:] = weights[k - 1] if beyond == "as k" else beyond
        running = np.concatenate([[0], np.cumsum(weights)])
        total, first = 0.0, 0
        for score in np.unique(scores)[::-1]:
            group = grades[scores == score]
            last = first + len(group)
            total += earns(group, grades) * weighs(running, weights, first, last, k)
            first = then(first, last)
            if first is None:
                break
        return total

    return program


OFF_BY_ONE = (
    "The ranks are off by one: `running[r]` is what the ranks 1 to r weigh together. The group "
    "stands on the ranks `first + 1` to `last`, so take off what stands before: `running[first]`."
)
ONE_RANK = (
    "`weights` holds the weight of each single rank. What several ranks weigh together is the "
    "difference of two entries of `running`."
)
NOT_THE_MEAN = (
    "On average each rank of a group earns the *mean gain of the group*, `group.mean()`."
)
BEYOND = "Ranks beyond k weigh nothing: 0."
NOT_FROM_ONE = (
    "Every group was counted from rank 1 on: `running[first]` has to come off, and `first = last` "
    "has to stay, so that the next group begins below."
)
# What people put into the gaps.
FILLS = (
    (OFF_BY_ONE, dict(weighs=lambda r, w, a, b, k: r[b] - r[a + 1])),
    (OFF_BY_ONE, dict(weighs=lambda r, w, a, b, k: r[b - 1] - r[a])),
    (OFF_BY_ONE, dict(weighs=lambda r, w, a, b, k: r[b - 1] - r[a - 1])),
    (OFF_BY_ONE, dict(weighs=lambda r, w, a, b, k: r[b] - r[a - 1])),
    (OFF_BY_ONE, dict(weighs=lambda r, w, a, b, k: r[b + 1] - r[a])),
    (OFF_BY_ONE, dict(weighs=lambda r, w, a, b, k: r[b + 1] - r[a + 1])),
    (OFF_BY_ONE, dict(then=lambda first, last: last + 1)),
    (ONE_RANK, dict(weighs=lambda r, w, a, b, k: w[b] - w[a])),
    (ONE_RANK, dict(weighs=lambda r, w, a, b, k: w[a] - w[b])),
    (ONE_RANK, dict(weighs=lambda r, w, a, b, k: w[b - 1] - w[a])),
    (ONE_RANK, dict(weighs=lambda r, w, a, b, k: w[a] - w[b - 1])),
    (ONE_RANK, dict(weighs=lambda r, w, a, b, k: w[b - 1] - w[a - 1])),
    (ONE_RANK, dict(weighs=lambda r, w, a, b, k: r[b] - w[a])),
    (ONE_RANK, dict(weighs=lambda r, w, a, b, k: w[b] - r[a])),
    (NOT_FROM_ONE, dict(weighs=lambda r, w, a, b, k: r[b])),
    (NOT_FROM_ONE, dict(then=lambda first, last: first)),
    ("A group weighs what its own ranks weigh, up to `last`, not up to k.", dict(
        weighs=lambda r, w, a, b, k: r[k] - r[a])),
    ("`last - first` is how *many* ranks the group has. What they *weigh* stands in `running`.",
     dict(weighs=lambda r, w, a, b, k: b - a)),
    ("The result is below 0: a group weighs `running[last] - running[first]`, the larger one "
     "first.", dict(weighs=lambda r, w, a, b, k: r[a] - r[b])),
    (BEYOND, dict(beyond=1.0)),
    (BEYOND, dict(beyond="as k")),
    (NOT_THE_MEAN, dict(earns=lambda group, grades: len(group))),
    (NOT_THE_MEAN, dict(earns=lambda group, grades: group.max())),
    (NOT_THE_MEAN, dict(earns=lambda group, grades: group.min())),
    (NOT_THE_MEAN, dict(earns=lambda group, grades: group[0])),
    (NOT_THE_MEAN, dict(earns=lambda group, grades: np.median(group))),
    (NOT_THE_MEAN, dict(earns=lambda group, grades: grades.mean())),
    (NOT_THE_MEAN, dict(earns=lambda group, grades: 1)),
    ("It returns after the first group: `return` stands inside the loop. Move it to the left.",
     dict(then=lambda first, last: None)),
)  # fmt: skip


def _of_neighbors(grades, scores, k):
    """Group equal scores only where they stand side by side in the input."""
    total, rank = 0.0, 0
    for _, group in groupby(zip(scores, grades, strict=True), key=lambda pair: pair[0]):
        gains = [grade for _, grade in group]
        ranks = range(rank + 1, rank + len(gains) + 1)
        total += np.mean(gains) * sum(1 / np.log2(r + 1) for r in ranks if r <= k)
        rank += len(gains)
    return total


def _of_sorted_neighbors(grades, scores, k):
    """Group equal scores where they stand side by side in the input, then sort the groups."""
    groups = groupby(zip(scores, grades, strict=True), key=lambda pair: pair[0])
    runs = [(score, [grade for _, grade in group]) for score, group in groups]
    runs = sorted(runs, key=lambda run: -run[0])
    grades = [grade for _, gains in runs for grade in gains]
    places = [len(runs) - i for i, (_, gains) in enumerate(runs) for _ in gains]
    return dcg(grades, places, k=k)


def _unstable(result, turned):
    """Return a program that leaves equal scores as `argsort` happens to put them."""

    def program(grades, scores, k):
        scores = np.array(scores)
        order = np.argsort(scores)[::-1] if turned else np.argsort(-scores)
        method = Method(ties="file order", result=result)
        return evaluate(method, [grades[i] for i in order], range(len(order), 0, -1), k)

    return program


NEIGHBORS = (
    "Equal scores were put together only where they stand side by side in the input. `groupby` "
    "needs its input sorted."
)
UNSTABLE = (
    'Equal scores stand wherever `argsort` happened to put them: without `kind="stable"` that '
    "may be any order."
)


TIE_AVERAGED = Function(
    name="tie-averaged-dcg",
    title="In code",
    prompt="Fill four gaps. `running[r]` is what the ranks 1 to r weigh together, so the ranks of "
    "a group, from `first + 1` to `last`, weigh the difference of two entries.",
    given=PAGE,
    start=block("""
        def tie_averaged_dcg(grades, scores, k):
            weights = 1 / np.log2(np.arange(2, len(grades) + 2))
            weights[k:] = ____
            running = np.concatenate([[0], np.cumsum(weights)])
            total, first = 0.0, 0
            for score in np.unique(scores)[::-1]:  # highest first
                group = grades[scores == score]
                last = first + len(group)
                total += ____ * (____ - ____)
                first = last
            return total
    """),
    names=("tie_averaged_dcg",),
    task=Task(
        name="tie_averaged_dcg",
        parameters="grades, scores, k",
        probes=as_arrays((*TIED, *UNSORTED)),
        compute=evaluate,
        method=Method(result="DCG"),
        switches=("ties", "gain", "discount", "order", "cutoff", "result"),
        slips=(
            Slip(
                sum_not_mean,
                "Every rank of a group earned the *sum* of its gains. On average it earns their "
                "mean, `group.mean()`.",
            ),
            *(Slip(_filled(**gaps), says) for says, gaps in FILLS),
            Slip(_of_neighbors, NEIGHBORS),
            Slip(_of_sorted_neighbors, NEIGHBORS),
            Slip(_unstable("DCG", turned=False), f"{UNSTABLE} Average over all of them."),
            Slip(_unstable("DCG", turned=True), f"{UNSTABLE} Average over all of them."),
        ),
        edges=(
            Edge((np.array([1, 3, 0]), np.array([1, 2, 3]), 2), "Without ties it is plain DCG."),
            Edge((np.array([1, 3]), np.array([5, 5]), 9), "k may be larger than the list."),
            Edge((np.array([0, 0, 0]), np.array([5, 5, 5]), 2), "A list of zeros is worth 0."),
        ),
    ),
    hints=(
        "Ranks beyond k weigh nothing. What does a group earn on each of its ranks, on average?",
        "The mean gain is `group.mean()`; its ranks weigh `running[last] - running[first]`.",
    ),
    worked=block("""
        def tie_averaged_dcg(grades, scores, k):
            weights = 1 / np.log2(np.arange(2, len(grades) + 2))
            weights[k:] = 0
            running = np.concatenate([[0], np.cumsum(weights)])
            total, first = 0.0, 0
            for score in np.unique(scores)[::-1]:  # highest first
                group = grades[scores == score]
                last = first + len(group)
                total += group.mean() * (running[last] - running[first])
                first = last
            return total
    """),
    because="Each tied group earns its mean gain times the weights of the ranks that it occupies. "
    "With the weights beyond k set to 0, a group that k cuts needs no special case: its mean is "
    "taken over all members, its weights end at k.",
    notice="A document without a tie is a group of one: no second branch is needed.",
    wrong=(
        Wrong(
            block("""
                def tie_averaged_dcg(grades, scores, k):
                    order = np.argsort(-scores, kind="stable")
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))
                    return (grades[order] * weights)[:k].sum()
            """),
            "order of the input. Reorder the file",
        ),
        Wrong(
            block("""
                def tie_averaged_dcg(grades, scores, k):
                    order = np.argsort(scores, kind="stable")[::-1]
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))
                    return (grades[order] * weights)[:k].sum()
            """),
            "reverse order of the input",
        ),
        Wrong(
            block("""
                def tie_averaged_dcg(grades, scores, k):
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))
                    up = np.lexsort((grades, -scores))
                    down = np.lexsort((-grades, -scores))
                    both = [(grades[o] * weights)[:k].sum() for o in (up, down)]
                    return sum(both) / 2
            """),
            "middle of the best and the worst",
        ),
        Wrong(
            block("""
                def tie_averaged_dcg(grades, scores, k):
                    total, first = 0.0, 1
                    for score in sorted(set(scores.tolist()), reverse=True):
                        group = grades[scores == score]
                        rank = first + (len(group) - 1) / 2
                        if rank <= k:
                            total += group.sum() / np.log2(rank + 1)
                        first += len(group)
                    return total
            """),
            "average the discounts, not the ranks",
        ),
        Wrong(
            block("""
                def tie_averaged_dcg(grades, scores, k):
                    total = 0.0
                    levels = sorted(set(scores.tolist()), reverse=True)
                    for rank, score in enumerate(levels[:k], start=1):
                        total += grades[scores == score].sum() / np.log2(rank + 1)
                    return total
            """),
            "the very next rank",
        ),
        Wrong(
            block("""
                def tie_averaged_dcg(grades, scores, k):
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))
                    total, first = 0.0, 0
                    for score in sorted(set(scores.tolist()), reverse=True):
                        group = grades[scores == score]
                        last = first + len(group)
                        if last <= k:
                            total += group.mean() * weights[first:last].sum()
                        first = last
                    return total
            """),
            "dropped because k cuts it",
        ),
        Wrong(
            block("""
                def tie_averaged_dcg(grades, scores, k):
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))
                    order = np.lexsort((-grades, -scores))
                    return (grades[order] * weights)[:k].sum()
            """),
            "in favor of the model",
        ),
        Wrong(
            block("""
                def tie_averaged_dcg(grades, scores, k):
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))
                    running = np.concatenate([[0], np.cumsum(weights)])
                    total, first = 0.0, 0
                    for score in np.unique(scores)[::-1]:
                        group = grades[scores == score]
                        last = first + len(group)
                        total += group.mean() * (running[last] - running[first])
                        first = last
                    return total
            """),
            "k was ignored",
        ),
    ),
)

TUPLES = Function(
    name="sorted-tuples",
    title="Find the line",
    prompt="This program sorts pairs of score and grade. On the query of this page it prints "
    "0.8987, however the file is ordered. Find out why, and change it so that documents with "
    "equal scores stay in the order of the input.",
    given=PAGE,
    start=block("""
        from math import log2


        def ndcg_of(grades, scores, k):
            pairs = sorted(zip(scores, grades), reverse=True)
            ranked = [grade for score, grade in pairs]
            best = sorted(grades, reverse=True)
            value = sum(g / log2(i + 2) for i, g in enumerate(ranked[:k]))
            return value / sum(g / log2(i + 2) for i, g in enumerate(best[:k]))
    """),
    below='print(f"{ndcg_of([2, 0, 0, 3, 1], [0.9, 0.5, 0.5, 0.5, 0.1], 5):.4f}")',
    names=("ndcg_of",),
    task=Task(
        name="ndcg_of",
        parameters="grades, scores, k",
        probes=(*TIED, *UNSORTED),
        compute=evaluate,
        method=Method(ties="file order"),
        switches=("ties", "order", "ideal", "cutoff", "result"),
        slips=(
            Slip(_unstable("NDCG", turned=False), UNSTABLE),
            Slip(_unstable("NDCG", turned=True), UNSTABLE),
        ),
    ),
    hints=(
        "How does Python compare (0.5, 3) with (0.5, 0)?",
        "`sorted(…, key=lambda pair: pair[0], reverse=True)` looks at the score alone, and keeps "
        "equals in their order.",
    ),
    worked=block("""
        from math import log2


        def ndcg_of(grades, scores, k):
            pairs = sorted(zip(scores, grades), key=lambda pair: pair[0], reverse=True)
            ranked = [grade for score, grade in pairs]
            best = sorted(grades, reverse=True)
            value = sum(g / log2(i + 2) for i, g in enumerate(ranked[:k]))
            return value / sum(g / log2(i + 2) for i, g in enumerate(best[:k]))
    """),
    because="Pairs are compared item by item: where the scores are equal, the *grades* decide. So "
    "every tie is broken with the answer in hand, in favor of the model. A key looks at the score "
    "alone. (File order is still luck, but it does not look at the grades.)",
    notice="The truth leaked into the ranking through a sort. It looks like an ordinary line.",
    wrong=(
        Wrong(
            block("""
                from math import log2

                def ndcg_of(grades, scores, k):
                    pairs = sorted(zip(scores, grades), key=lambda pair: pair[0])[::-1]
                    ranked = [grade for score, grade in pairs]
                    best = sorted(grades, reverse=True)
                    value = sum(g / log2(i + 2) for i, g in enumerate(ranked[:k]))
                    return value / sum(g / log2(i + 2) for i, g in enumerate(best[:k]))
            """),
            "reverse order of the input",
        ),
        Wrong(
            block("""
                from math import log2

                def ndcg_of(grades, scores, k):
                    pairs = sorted(zip(scores, [-g for g in grades]), reverse=True)
                    ranked = [-grade for score, grade in pairs]
                    best = sorted(grades, reverse=True)
                    value = sum(g / log2(i + 2) for i, g in enumerate(ranked[:k]))
                    return value / sum(g / log2(i + 2) for i, g in enumerate(best[:k]))
            """),
            "unluckiest order",
        ),
        Wrong(
            block("""
                from math import log2

                def ndcg_of(grades, scores, k):
                    triples = sorted(zip(scores, grades, range(len(grades))), reverse=True)
                    ranked = [grade for score, grade, place in triples]
                    best = sorted(grades, reverse=True)
                    value = sum(g / log2(i + 2) for i, g in enumerate(ranked[:k]))
                    return value / sum(g / log2(i + 2) for i, g in enumerate(best[:k]))
            """),
            "in favor of the model",
        ),
    ),
)


def _a_query(my_grades, my_scores):
    grades, scores = [float(g) for g in my_grades], [float(s) for s in my_scores]
    if len(grades) != len(scores):
        return f"There are {len(grades)} grades and {len(scores)} scores. Each document has both."
    if not 2 <= len(grades) <= 20:
        return f"Give 2 to 20 documents; that is {len(grades)}."
    if min(grades) < 0 or not np.isfinite(grades + scores).all():
        return "Grades are 0 or above here, and every number must be finite."
    return ""


def _needs_a_tie(my_grades, my_scores):
    if _sizes(my_scores).max() == 1:
        return "No two scores are equal: there is one order, and best, worst and average agree."
    if max(my_grades) == 0:
        return "Nothing is relevant, so every order is worth 0, and all agree."
    return ""


def _not_above(my_grades, my_scores):
    best, worst, mean = (
        ndcg(my_grades, my_scores, ties=ties) for ties in ("best", "worst", "average")
    )
    middle = (best + worst) / 2
    if mean > middle + 1e-3:
        return ""
    numbers = f"Best {best:.4f}, worst {worst:.4f}, middle {middle:.4f}, average {mean:.4f}."
    if _sizes(my_scores).max() == 2:
        return (
            "The claim holds: a group of two has two orders, and their mean is their middle. "
            f"{numbers} Tie more."
        )
    return (
        f"The claim holds. {numbers} In most of the orders, does something good stand low, or "
        "something useless?"
    )


def _sizes(scores):
    return np.unique(np.asarray(scores, float), return_counts=True)[1]


MIDDLE_CLAIM = Claim(
    name="middle-claim",
    title="Break a claim",
    prompt="In both examples above the average of all orders was not above the middle of the best "
    "and the worst. *It never is*, says somebody. Find grades and scores of a few documents whose "
    "average NDCG lies more than 0.001 above the middle.",
    start=block("""
        my_grades = ____  # a list, as [3, 2, 1]
        my_scores = ____  # as many, some of them equal
    """),
    names=("my_grades", "my_scores"),
    shape=_a_query,
    objections=(_needs_a_tie, _not_above),
    hints=(
        "In our query one good document shared three ranks with two useless ones, and most orders "
        "push it down. When do most orders push something *useless* down?",
        "Tie several good documents with one that is worth nothing.",
    ),
    worked=block("""
        my_grades = [3, 3, 3, 0]
        my_scores = [0.5, 0.5, 0.5, 0.5]
    """),
    because="With 3, 3, 3, 0 tied, the useless document stands last in a quarter of the orders, "
    "and on top in another quarter; there it costs most. The average over the four places is "
    "0.9016, the middle of the two ends 0.8664. With 2, 1, 0 the two agree by symmetry.",
    notice="Below, equal or above: the two ends say nothing about what lies between them.",
    wrong=(
        Wrong(
            "my_grades, my_scores = [2, 3, 0, 0, 1], [0.9, 0.5, 0.5, 0.5, 0.1]", "something good"
        ),
        Wrong("my_grades, my_scores = [3, 2, 1, 0, 0], [0.9, 0.8, 0.8, 0.8, 0.1]", "claim holds"),
        Wrong("my_grades, my_scores = [3, 0], [1, 1]", "group of two"),
        Wrong("my_grades, my_scores = [3, 0, 0], [3, 2, 1]", "No two scores are equal"),
        Wrong("my_grades, my_scores = [0, 0, 0], [1, 1, 1]", "Nothing is relevant"),
        Wrong("my_grades, my_scores = [3, 0, 0], [1, 1]", "Each document has both"),
    ),
)

STARS = OpenQuestion(
    name="star-ratings",
    title="Design",
    prompt="Your search engine gives every document one to five stars and sorts by them, so most "
    "documents tie. In a few sentences: which convention do you evaluate with, how does the "
    "engine order equal stars for its users, and what do you report beside the number?",
    start='my_design = ____  # your text between quotes; """three""" allow several lines',
    names=("my_design",),
    rubric=(
        (
            "The metric averages over ties (or the ties are broken by a rule that never sees the "
            "grades), and you say which, because tools differ.",
            ("averag", "mean of", "all orders", "expected"),
        ),
        (
            "What users see is one fixed order: a second criterion such as freshness or "
            "popularity. If there is such a rule, it is part of the engine, and you evaluate the "
            "engine with it.",
            ("second", "fresh", "popular", "date", "criterion", "break"),
        ),
        (
            "You report how many documents tie, and the range from the unluckiest to the luckiest "
            "order.",
            ("report", "share", "tie rate", "how many", "range", "percent"),
        ),
        (
            "You do not rely on file order or on the sort of a library: both can change while the "
            "engine does not.",
            ("file", "input order", "sort", "stable", "argsort", "library"),
        ),
    ),
    hints=(
        "What would you see if somebody shuffled the file before the evaluation?",
        "Separate two questions: what the *user* sees, and what the *metric* assumes.",
    ),
    worked=block('''
        my_design = """
        I evaluate with the average over all orders of the tied documents, as scikit-learn does,
        and say so in the report. For users, equal stars are ordered by date, newest first; if that
        rule is part of the engine, I add it to the scores before I evaluate, so that few ties are
        left. Beside NDCG@10 I report the share of tied documents and the range from worst to best
        order. I never rely on the file order or on what a library's sort happens to do.
        """
    '''),
    because="Another good answer keeps the stars for the evaluation only, reports the average and "
    "the range, and asks for finer scores: a range wider than the differences you care about "
    "means that five levels are too few.",
    notice="If the range from worst to best is wider than the difference between two engines, the "
    "ties decide, not the engines.",
    wrong=(
        Wrong('my_design = "average them"', "Write at least a sentence"),
        Wrong("my_design = 5", "between quotes"),
    ),
)

EXERCISES = (AT_THREE, AT_TWO, TIE_AVERAGED, TUPLES, MIDDLE_CLAIM, STARS)
