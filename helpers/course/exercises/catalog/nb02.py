"""Exercises of notebook 02: the parts of NDCG, by hand and in code."""

import math

from helpers.course.exercises.base import Wrong, block
from helpers.course.exercises.boxes import Box, Boxes, ranked
from helpers.course.exercises.claims import Claim
from helpers.course.exercises.method import Method
from helpers.course.exercises.probes import RANKED, of_ranked
from helpers.course.exercises.programs import Function
from helpers.course.exercises.task import Edge, Slip, Task
from helpers.metrics import ndcg

BY_HAND = ("gain", "discount", "cutoff", "result", "rounding")

DCG_OF_302 = Boxes(
    name="dcg-of-302",
    title="By hand",
    prompt=r"A list has the grades 3, 0, 2. Its DCG is $\frac{3}{\log_2 2} + \frac{0}{\log_2 3} + "
    r"\frac{2}{\log_2 4}$. Which number is that?",
    start="dcg_of_302 = ____  # your number in place of the blank",
    names=("dcg_of_302",),
    boxes=(Box("dcg_of_302", ranked([3, 0, 2]), Method(result="DCG"), BY_HAND),),
    hints=(
        "What are log2(2) and log2(4)? To which power must you raise 2?",
        "The divisors are 1, 1.585 and 2. Divide each grade by its own, then add.",
    ),
    worked="dcg_of_302 = 3 / 1 + 0 + 2 / 2",
    because="$\\log_2 2 = 1$ and $\\log_2 4 = 2$, so the terms are 3, 0 and 1. The grade 0 earns "
    "nothing at any rank.",
    notice="The 2 at rank 3 is worth half of what it would be worth on top.",
    wrong=(
        Wrong("dcg_of_302 = 5", "No discount"),
        Wrong("dcg_of_302 = 5.7708", "Natural logarithm"),
        Wrong("dcg_of_302 = 4.2619", "That is the ideal DCG"),
        Wrong("dcg_of_302 = 3.6667", "Divided by the rank itself"),
        Wrong('dcg_of_302 = "4"', "Leave out the quotes"),
        Wrong("dcg_of_302 = 17.25", "No slip that we know"),
    ),
)

NDCG_OF_302 = Boxes(
    name="ndcg-of-302",
    title="Fill two gaps",
    prompt=r"The ideal order of these documents is 3, 2, 0. So "
    r"$\mathrm{IDCG} = 3 + \frac{2}{\square} + 0$, and NDCG is 4 divided by that. Fill in the two "
    "missing divisors. You may write `math.log2(…)` or a number.",
    start=block("""
        import math

        divisor = ____  # of rank 2
        my_idcg = 3 + 2 / divisor + 0
        my_ndcg = 4 / ____
    """),
    names=("divisor", "my_idcg", "my_ndcg"),
    boxes=(
        Box(
            "divisor",
            lambda _method: math.log2(3),
            slips={
                1: "log2(2) = 1 is the divisor of rank 1",
                2: "log2(4) = 2 is the divisor of rank 3; or did you take the rank itself?",
                1.0986: "that is the natural logarithm of 3; log2(3) = ln(3) / ln(2)",
                0.4771: "that is the logarithm of 3 to base 10; log2(3) = log10(3) / log10(2)",
                0.6309: "that is the discount, 1 / log2(3). The divisor stands below the line",
            },
        ),
        Box("my_idcg", ranked([3, 0, 2]), Method(result="IDCG"), BY_HAND),
        Box(
            "my_ndcg",
            ranked([3, 0, 2]),
            switches=BY_HAND,
            slips={0.8: "you divided by 5, the sum of the grades. The ideal is discounted, too"},
        ),
    ),
    hints=(
        "At rank r the divisor is log2(r + 1). The 2 stands at rank 2 of the ideal order.",
        "The first gap is log2(3). The second is the IDCG that you have just computed.",
    ),
    worked=block("""
        import math

        divisor = math.log2(3)
        my_idcg = 3 + 2 / divisor + 0
        my_ndcg = 4 / my_idcg
    """),
    because=r"$\log_2 3 = 1.5850$, so IDCG = 3 + 1.2619 = 4.2619, and NDCG = 4 / 4.2619 = 0.9386.",
    notice="Only one document stands one rank too low, and the list has lost 6% of its ideal.",
    wrong=(
        Wrong("divisor, my_idcg, my_ndcg = 1, 5, 4 / 5", "the divisor of rank 1"),
        Wrong("divisor, my_idcg, my_ndcg = 1.585, 4, 1", "Different slips lead to this number"),
        Wrong("divisor, my_idcg, my_ndcg = 1.585, 4.2619, 1.0655", "upside down"),
        Wrong("divisor, my_idcg, my_ndcg = 1.585, 4.2619, 4 / 5", "the sum of the grades"),
        Wrong("divisor, my_idcg, my_ndcg = 1.585, 4.2619, 0.9379", "lost on the way"),
    ),
)

MY_DCG = Function(
    name="my-dcg",
    title="Fill in the sum",
    prompt="Turn the sum of exercise 1 into a function. `grades` holds the grades in rank order; "
    "`enumerate` counts the ranks. Two gaps are left.",
    start=block("""
        from math import log2


        def my_dcg(grades):
            total = 0
            for rank, grade in enumerate(grades, start=1):
                total += ____ / ____
            return total
    """),
    names=("my_dcg",),
    task=Task(
        name="my_dcg",
        parameters="grades",
        probes=tuple((grades,) for grades, _ in RANKED),
        compute=of_ranked,
        method=Method(result="DCG"),
        switches=BY_HAND,
        slips=(
            Slip(
                lambda grades: grades[0],
                "It returns after the first document: `return` stands inside the loop. Move it to "
                "the left.",
            ),
            Slip(
                lambda grades: grades[-1] / math.log2(len(grades) + 1),
                "Only the last term is left: `total = …` replaces what was there. `+=` adds.",
            ),
        ),
        edges=(
            Edge(([0, 0, 0],), "A list of zeros is worth 0."),
            Edge(([],), "An empty list is worth 0."),
        ),
    ),
    hints=(
        "Above the line stands what the document is worth; below it, what its rank costs.",
        "The grade, divided by the logarithm to base 2 of rank + 1.",
    ),
    worked=block("""
        from math import log2


        def my_dcg(grades):
            total = 0
            for rank, grade in enumerate(grades, start=1):
                total += grade / log2(rank + 1)
            return total
    """),
    because="`start=1` makes `rank` begin at 1, so the divisor of the first document is "
    "`log2(2)`. Counting from 0, you would write `log2(i + 2)`.",
    notice="For an empty list the loop never runs, and the sum is 0, as it should be.",
    wrong=(
        Wrong(
            block("""
                import math

                def my_dcg(grades):
                    return sum(g / math.log2(i) for i, g in enumerate(grades, start=1))
            """),
            "log2(1) = 0",
        ),
        Wrong(
            block("""
                import math

                def my_dcg(grades):
                    return sum(g / math.log(i + 2) for i, g in enumerate(grades))
            """),
            "Natural logarithm",
        ),
        Wrong(
            block("""
                import math

                def my_dcg(grades):
                    total = 0
                    for i in range(len(grades)):
                        total = total + grades[i] / math.log2(i + 3)
                    return total
            """),
            "start at log2(3)",
        ),
        Wrong(
            block("""
                import math

                def my_dcg(grades):
                    for i, g in enumerate(grades):
                        total = 0
                        total += g / math.log2(i + 2)
                    return total
            """),
            "Only the last term is left",
        ),
        Wrong(
            block("""
                import math

                def my_dcg(grades):
                    print(sum(g / math.log2(i + 2) for i, g in enumerate(grades)))
            """),
            "Did you forget `return`",
        ),
        Wrong(
            block("""
                import math

                def my_dcg(grades):
                    return max(grades) + sum(
                        g / math.log2(i + 2) for i, g in enumerate(grades)
                    ) - max(grades)
            """),
            "An empty list",
        ),
        Wrong("my_dcg = 4.0", "should be a function"),
    ),
)

MY_NDCG_AT_K = Function(
    name="my-ndcg-at-k",
    title="In code",
    prompt="Use `my_dcg` twice: once for the first `k` grades of the list, once for the first `k` "
    "of its ideal order. If the ideal is worth nothing, return 0.0.",
    start=block("""
        def my_ndcg_at_k(grades, k):
            best = ____
            ideal = ____
            return ____
    """),
    names=("my_ndcg_at_k",),
    task=Task(
        name="my_ndcg_at_k",
        parameters="grades, k",
        probes=RANKED,
        compute=of_ranked,
        switches=("gain", "discount", "cutoff", "ideal", "result", "rounding"),
        edges=(
            Edge(([0, 0, 0], 2), "Nothing is relevant here; the text says: return 0.0."),
            Edge(([3, 0, 2], 9), "k may be larger than the list; then all of it counts."),
        ),
    ),
    hints=(
        "`sorted(grades, reverse=True)` is a new list, best first. `x[:k]` takes the first k.",
        "First sort everything, then cut: `my_dcg(best[:k])`. Divide only if that is not 0.",
    ),
    worked=block("""
        from math import log2


        def my_dcg(grades):
            return sum(grade / log2(rank + 1) for rank, grade in enumerate(grades, start=1))


        def my_ndcg_at_k(grades, k):
            best = sorted(grades, reverse=True)
            ideal = my_dcg(best[:k])
            return my_dcg(grades[:k]) / ideal if ideal > 0 else 0.0
    """),
    because="Sort first, cut afterwards: the ideal may pull a document from below the cut. "
    "`grades[:k]` is the whole list if k is larger. (`my_dcg` stands there once more, so that "
    "this cell works alone.)",
    notice="A cutoff larger than the list does no harm: a slice ends where the list ends.",
    wrong=(
        Wrong(
            block("""
                import math

                def my_ndcg_at_k(grades, k):
                    def total(some):
                        return sum(g / math.log2(i + 2) for i, g in enumerate(some))
                    cut = grades[:k]
                    return total(cut) / total(sorted(cut)[::-1]) if total(cut) else 0.0
            """),
            "built from the first k",
        ),
        Wrong(
            block("""
                import math

                def my_ndcg_at_k(grades, k):
                    def total(some):
                        return sum(g / math.log2(i + 2) for i, g in enumerate(some))
                    top = total(grades[:k])
                    grades.sort(reverse=True)
                    return top / total(grades[:k]) if total(grades) else 0.0
            """),
            "changes what it is given",
        ),
        Wrong(
            block("""
                import math

                def my_ndcg_at_k(grades, k):
                    def total(some):
                        return sum(g / math.log2(i + 2) for i, g in enumerate(some))
                    grades = sorted(grades, reverse=True)
                    return total(grades[:k]) / total(sorted(grades)[::-1][:k])
            """),
            "1 on every try",
        ),
        Wrong(
            block("""
                import math

                def my_ndcg_at_k(grades, k):
                    def total(some):
                        return sum(g / math.log2(i + 2) for i, g in enumerate(some))
                    return total(grades[:k]) / total(sorted(grades, reverse=True)[:k])
            """),
            "return 0.0",
        ),
        Wrong(
            block("""
                import math

                def my_ndcg_at_k(grades, k):
                    def total(some):
                        return sum((2 ** g - 1) / math.log2(i + 2) for i, g in enumerate(some))
                    best = sorted(grades, reverse=True)
                    return total(grades[: k - 1]) / total(best[: k - 1])
            """),
            "Two things at once",
        ),
    ),
)


def _three_best_first(grades):
    grades = [float(g) for g in grades]
    if len(grades) != 3:
        return f"Give three grades; that is {len(grades)}."
    if min(grades) < 0:
        return "Grades are not negative here."
    if grades != sorted(grades, reverse=True):
        return "The claim speaks of a list that is best first; sort yours."
    return ""


def _below_one(value):
    """Return a number below 1 with as many decimals as it takes to see that."""
    return f"{value:.4f}" if value < 0.99995 else f"{value:.12f}"


def _still_true(grades):
    reverse = ndcg(grades, [1, 2, 3])
    if max(grades) == 0:
        return (
            "Nothing in it is relevant: NDCG is 0 there by convention, both ways, and that is "
            "below 1. Look for a list with relevant documents."
        )
    if reverse < 1 - 1e-9:
        return (
            f"Reversed, your list scores {_below_one(reverse)}, which is below 1: the claim holds "
            "for it. "
            "What would the list have to look like to be the same in both directions?"
        )
    return ""


REVERSED_CLAIM = Claim(
    name="reversed-claim",
    title="Break a claim",
    prompt="One of the documents this course grew from says: *a reversed ranking scores strictly "
    "below 1.0*. Find a list of three grades, best first, that still scores 1 when you reverse "
    "it.",
    start="my_list = ____  # three grades, best first: [_, _, _]",
    names=("my_list",),
    shape=_three_best_first,
    objections=(_still_true,),
    hints=(
        "A reversed list scores 1 if the reversed list is best first, too.",
        "What if all three documents are equally good?",
    ),
    worked="my_list = [2, 2, 2]",
    because="Equal grades read the same in both directions, so the reversal is ideal as well. The "
    "claim also needs *best first*: reverse 0, 1, 3 and you get the ideal order. What holds: "
    "reversing a best-first list lowers NDCG if, and only if, it holds at least two different "
    "grades.",
    notice="The claim is true as soon as two of the grades differ.",
    wrong=(
        Wrong("my_list = [3, 2, 1]", "the claim holds for it"),
        Wrong("my_list = [0, 0, 0]", "by convention"),
        Wrong("my_list = [0, 1, 3]", "best first"),
        Wrong("my_list = [2, 2]", "three grades"),
        Wrong("my_list = 2", "could not be read"),
    ),
)

EXERCISES = (DCG_OF_302, NDCG_OF_302, MY_DCG, MY_NDCG_AT_K, REVERSED_CLAIM)
