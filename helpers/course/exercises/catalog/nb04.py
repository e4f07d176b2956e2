"""Exercises of notebook 04: the cutoff, the breakdown, and what belongs into the ideal."""

from dataclasses import replace

from helpers.breakdown import breakdown
from helpers.course.exercises.base import Wrong, block
from helpers.course.exercises.boxes import Box, Boxes
from helpers.course.exercises.claims import Claim, orders_of
from helpers.course.exercises.method import evaluate, quotient
from helpers.course.exercises.probes import RANKED, of_ranked
from helpers.course.exercises.programs import Function, Parsons
from helpers.course.exercises.task import Edge, Task
from helpers.metrics import dcg, ndcg

IDEAL_FROM_TOP = Function(
    name="ideal-from-the-top",
    title="Find the line",
    prompt="This program runs without an error. For the grades 1, 0, 3, 3 at $k = 2$ it says "
    "1.0000, although two 3s lie below the cut. Find the wrong line and fix it.",
    start=block("""
        from math import log2


        def ndcg_at_k(ranked_grades, k):
            top = ranked_grades[:k]
            best = sorted(top, reverse=True)
            value = sum(g / log2(r + 1) for r, g in enumerate(top, start=1))
            ideal = sum(g / log2(r + 1) for r, g in enumerate(best, start=1))
            return value / ideal if ideal > 0 else 0.0
    """),
    below='print(f"{ndcg_at_k([1, 0, 3, 3], 2):.4f}")',
    names=("ndcg_at_k",),
    task=Task(
        name="ndcg_at_k",
        parameters="ranked_grades, k",
        probes=RANKED,
        compute=of_ranked,
        switches=("gain", "discount", "cutoff", "ideal", "result"),
        edges=(
            Edge(([0, 0, 0], 2), "Nothing is relevant here; the program returned 0.0 before."),
            Edge(([3, 0, 2], 9), "k may be larger than the list."),
        ),
    ),
    hints=(
        "Print `best` for the grades 1, 0, 3, 3 at k = 2. Would you have ranked them like this?",
        "What does `sorted` get to see? The 3s are gone before it begins.",
    ),
    worked=block("""
        from math import log2


        def ndcg_at_k(ranked_grades, k):
            top = ranked_grades[:k]
            best = sorted(ranked_grades, reverse=True)[:k]
            value = sum(g / log2(r + 1) for r, g in enumerate(top, start=1))
            ideal = sum(g / log2(r + 1) for r, g in enumerate(best, start=1))
            return value / ideal if ideal > 0 else 0.0
    """),
    because="`sorted(top)` sorts what is left after the cut, so a list whose top happens to be "
    "sorted, and holds anything relevant, scores 1 whatever lies below. Sort first, cut "
    "afterwards; and where the list does not hold everything judged, sort the pool. For "
    "1, 0, 3, 3 at k = 2 the value is 0.2044.",
    notice="Now the list 1, 0, 3, 3 gets 0.2044 at 2 instead of 1.",
    wrong=(
        Wrong(
            block("""
                from math import log2

                def ndcg_at_k(ranked_grades, k):
                    top = ranked_grades[:k]
                    best = sorted(ranked_grades, reverse=True)
                    value = sum(g / log2(r + 1) for r, g in enumerate(top, start=1))
                    ideal = sum(g / log2(r + 1) for r, g in enumerate(best, start=1))
                    return value / ideal if ideal > 0 else 0.0
            """),
            "not cut at k",
        ),
        Wrong(
            block("""
                from math import log2

                def ndcg_at_k(ranked_grades, k):
                    top = ranked_grades[:k]
                    best = sorted(ranked_grades)[:k]
                    value = sum(g / log2(r + 1) for r, g in enumerate(top, start=1))
                    ideal = sum(g / log2(r + 1) for r, g in enumerate(best, start=1))
                    return value / ideal if ideal > 0 else 0.0
            """),
            "lowest grade on top",
        ),
        Wrong(
            block("""
                from math import log2

                def ndcg_at_k(ranked_grades, k):
                    best = sorted(ranked_grades, reverse=True)
                    value = sum(g / log2(r + 1) for r, g in enumerate(ranked_grades, start=1))
                    ideal = sum(g / log2(r + 1) for r, g in enumerate(best, start=1))
                    return value / ideal if ideal > 0 else 0.0
            """),
            "k was ignored",
        ),
    ),
)

BAD = breakdown([3, 2, 3, 0, 1, 2], [0.10, 0.20, 0.30, 0.95, 0.80, 0.70])

FARTHEST_BEHIND = Boxes(
    name="farthest-behind",
    title="Read a breakdown",
    prompt="Take the table of the bad model above. After which rank is it *first* as far behind "
    "the ideal, *in total*, as it ever gets, and by how much? (Add up the column *gap* from "
    "the top.)",
    start=block("""
        after_rank = ____
        behind_by = ____  # four decimals
    """),
    names=("after_rank", "behind_by"),
    boxes=(
        Box(
            "after_rank",
            lambda _method: 2,
            slips={
                3: "true as well: rank 3 changes nothing. Give the first such rank",
                1: "rank 1 has the largest gap of its own, but rank 2 adds another",
                6: "after the last rank it has caught up a little: from rank 4 on, its gaps are "
                "negative",
            },
        ),
        Box(
            "behind_by",
            lambda _method: BAD.rows[0].gap + BAD.rows[1].gap,
            slips={
                round(BAD.rows[0].gap, 4): "that is the gap of rank 1 alone. Add up from the top",
                round(BAD.rows[1].gap, 4): "that is the gap of rank 2 alone. Add up from the top",
                round(sum(BAD.column("gap")), 4): "that is the total after the last rank; on the "
                "way it was farther behind",
            },
        ),
    ),
    hints=(
        "Write the running total of the column *gap* beside it.",
        "It grows as long as the gaps are positive: only at ranks 1 and 2.",
    ),
    worked=block("""
        after_rank = 2
        behind_by = 3.0 + 1.2619
    """),
    because="After rank 2 it is behind by 3.0000 + 1.2619 = 4.2619. Rank 3 changes nothing, and "
    "from rank 4 on the list catches up.",
    notice="A negative gap is no credit: it is a good document that arrives late.",
    wrong=(
        Wrong("after_rank, behind_by = 1, 3.0", "rank 2 adds another"),
        Wrong("after_rank, behind_by = 2, 3.0", "rank 1 alone"),
        Wrong("after_rank, behind_by = 6, 2.3757", "caught up"),
        Wrong("after_rank, behind_by = 2, 2.3757", "after the last rank"),
    ),
)

LISTED, POOL = [3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2, 3, 2]
BY_SIX = [6, 5, 4, 3, 2, 1]
FROM_LIST = ndcg(LISTED, BY_SIX, k=6)
FROM_POOL = ndcg(LISTED, BY_SIX, k=6, pool=POOL)

MISSED_POOL = Boxes(
    name="missed-pool",
    title="With documents that were missed",
    prompt="A list has the grades 3, 2, 3, 0, 1, 2. Two more judged documents, of grades 3 and 2, "
    "were not returned [3]. What is NDCG@6, first with the ideal from the list, then from the "
    "pool? Let the code of this page do the sums, if you like.",
    start=block("""
        from_the_list = ____
        from_the_pool = ____
    """),
    names=("from_the_list", "from_the_pool"),
    boxes=(
        Box(
            "from_the_list",
            lambda method: evaluate(method, LISTED, BY_SIX, 6),
            switches=("gain", "discount", "cutoff", "result", "rounding"),
            slips={
                round(FROM_POOL, 4): "that is the value with the pool; the first one is without"
            },
        ),
        Box(
            "from_the_pool",
            lambda _method: FROM_POOL,
            slips={
                round(FROM_LIST, 4): "that is the value with the ideal from the list. The pool "
                "holds two documents more, a 3 and a 2",
                round(ndcg([*LISTED, 3, 2], range(8, 0, -1)), 4): "the two missed documents were "
                "put at the end of the *list*. They belong into the ideal only",
                round(ndcg([*LISTED, 3, 2], range(8, 0, -1), gain="exponential"), 4): "the two "
                "missed documents were put at the end of the list, with exponential gain",
                round(ndcg(LISTED, BY_SIX, k=6, pool=POOL, gain="exponential"), 4): "that is "
                "the exponential gain. Here the gain is the grade itself",
                round(dcg(LISTED, BY_SIX) / dcg(sorted(POOL)[::-1], range(8, 0, -1)), 4): "the "
                "ideal was not cut at 6: it has eight documents, but only six ranks count",
            },
        ),
    ),
    hints=(
        "DCG@6 is the same both times, 6.8611. Only the ideal differs.",
        "The best six that could have been returned are 3, 3, 3, 2, 2, 2.",
    ),
    worked=block("""
        from helpers.notebook import ndcg

        listed, scores = [3, 2, 3, 0, 1, 2], [6, 5, 4, 3, 2, 1]
        from_the_list = ndcg(listed, scores, k=6)
        from_the_pool = ndcg(listed, scores, k=6, pool=listed + [3, 2])
    """),
    because="0.9608 from the list and 0.7850 from the pool. DCG@6 is 6.8611 both times; the ideal "
    "grows from 7.1410 to 8.7403, because 3, 3, 3, 2, 2, 2 could have been returned.",
    notice="Two documents that nobody saw cost this list a sixth of its score.",
    wrong=(
        Wrong("from_the_list, from_the_pool = 0.9608, 0.9608", "with the ideal from the list"),
        Wrong("from_the_list, from_the_pool = 0.7850, 0.9608", "with the pool"),
        Wrong("from_the_list, from_the_pool = 6.8611, 0.7850", "division by the ideal DCG"),
        Wrong("from_the_list, from_the_pool = 0.9608, 0.4321", "No slip that we know"),
    ),
)


def _pooled(method, ranked_grades, k, pool):
    """Return NDCG@k with the ideal from a pool, as a method that is right elsewhere has it."""
    total = of_ranked(replace(method, result="DCG"), ranked_grades, k)
    best = of_ranked(replace(method, result="IDCG"), pool, k)
    return quotient(total, best)


POOL_PROBES = (
    ([3, 0, 1], 2, [1, 3, 3, 0, 0, 2]),
    ([0, 2, 2, 3], 3, [2, 0, 3, 2, 3, 3]),
    ([1, 0, 0], 3, [0, 1, 3, 0, 3, 3]),
)

ORDER_LINES = Parsons(
    name="order-the-lines",
    title="Put the lines in order",
    prompt=block("""
        These lines compute NDCG@k with the ideal from the pool. They are shuffled, and two of
        them do not belong. Write the letters in the right order, as one text.

        ```text
        A      top = ranked_grades[:k]
        B      return dcg_of(top) / dcg_of(best)
        C      best = sorted(top, reverse=True)
        D  def pooled_ndcg(ranked_grades, k, pool):
        E      best = sorted(pool, reverse=True)[:k]
        F      return dcg_of(best) / dcg_of(top)
        ```

        (`dcg_of` adds up grade / log2(rank + 1), as before.)
    """),
    start='lines = ____  # a text such as "ABC"',
    names=("lines",),
    lines={
        "A": "    top = ranked_grades[:k]",
        "B": "    return dcg_of(top) / dcg_of(best)",
        "C": "    best = sorted(top, reverse=True)",
        "D": block("""
            def dcg_of(some):
                from math import log2
                return sum(g / log2(r + 1) for r, g in enumerate(some, start=1))
            def pooled_ndcg(ranked_grades, k, pool):
        """),
        "E": "    best = sorted(pool, reverse=True)[:k]",
        "F": "    return dcg_of(best) / dcg_of(top)",
    },
    decoys={
        "C": "it builds the ideal from what is left of the list after the cut, and never looks "
        "into the pool",
        "F": "its fraction is upside down",
    },
    task=Task(
        name="pooled_ndcg",
        parameters="ranked_grades, k, pool",
        probes=POOL_PROBES,
        compute=_pooled,
        switches=("ideal",),
    ),
    hints=(
        "Which line must be the first of any function? Which must be the last?",
        "A name must get its value before a line uses it. `best` is needed for the division.",
    ),
    worked='lines = "DAEB"',
    because="`def` opens the function, `top` and `best` get their values (in either order: DEAB "
    "is right, too), and the last line divides. C is the bug of exercise 1; F "
    "turns the fraction upside down.",
    notice="The lines A and E could trade places: neither needs the other.",
    wrong=(
        Wrong('lines = "DACB"', "never looks into the pool"),
        Wrong('lines = "DABE"', "before another line has given it a value"),
        Wrong('lines = "ADEB"', "Which line is first"),
        Wrong('lines = "DAEF"', "upside down"),
        Wrong('lines = "DAB"', "1 more line"),
        Wrong('lines = "DAXB"', "no line X"),
        Wrong("lines = 4", "as one text"),
    ),
)


def _must_cross(better_at_1, better_at_3):
    scores = [4, 3, 2, 1]
    first = [ndcg(grades, scores, k=1) for grades in (better_at_1, better_at_3)]
    third = [ndcg(grades, scores, k=3) for grades in (better_at_1, better_at_3)]
    numbers = (
        f"Yours have {first[0]:.4f} and {first[1]:.4f} at 1, {third[0]:.4f} and {third[1]:.4f} "
        "at 3."
    )
    if first[0] <= first[1]:
        return f"The first list must have the higher NDCG@1. {numbers}"
    if third[0] >= third[1]:
        return f"At 3 the second list must be ahead, and it is not. {numbers}"
    return ""


CROSSING = Claim(
    name="crossing-claim",
    title="Break a claim",
    prompt="*Of two orders of the same documents, the one with the higher NDCG@1 has the higher "
    "NDCG@3 as well.* Find two orders of the grades 3, 2, 2, 0 that break it.",
    start=block("""
        better_at_1 = ____  # a list of the grades 3, 2, 2, 0
        better_at_3 = ____  # another one
    """),
    names=("better_at_1", "better_at_3"),
    shape=orders_of([3, 2, 2, 0], "better_at_1", "better_at_3"),
    objections=(_must_cross,),
    hints=(
        "NDCG@1 looks at the first document only. Which one belongs on top of the first list?",
        "The first list may waste rank 2 on the document that is worth nothing; the second keeps "
        "it out of its first three.",
    ),
    worked=block("""
        better_at_1 = [3, 0, 2, 2]
        better_at_3 = [2, 2, 3, 0]
    """),
    because="3, 0, 2, 2 has the higher NDCG@1, and 2, 2, 3, 0 the higher NDCG@3: its first three "
    "documents are all good. There are three more such pairs.",
    notice="So *better* means nothing without its k.",
    wrong=(
        Wrong("better_at_1, better_at_3 = [3, 2, 2, 0], [2, 3, 2, 0]", "must be ahead"),
        Wrong("better_at_1, better_at_3 = [2, 3, 2, 0], [3, 2, 0, 2]", "higher NDCG@1"),
        Wrong("better_at_1, better_at_3 = [3, 2, 1, 0], [2, 2, 3, 0]", "each once"),
    ),
)

EXERCISES = (IDEAL_FROM_TOP, FARTHEST_BEHIND, MISSED_POOL, ORDER_LINES, CROSSING)
