"""The bets of the course: every wrong answer is a belief that people hold.

Each reply speaks to one answer. The full refutation, with its numbers, stands in
the notebook, where code produces them.
"""

from typing import NamedTuple


class Answer(NamedTuple):
    """One answer to choose, and what its reader is told."""

    text: str
    reply: str


class BetText(NamedTuple):
    """A question, its answers by letter, and the letter that is right."""

    question: str
    answers: dict
    right: str

    def reply(self, letter):
        """Return what the reader who chose `letter` is told."""
        verdict = "Right" if letter == self.right else "Not so"
        answer = self.answers[letter]
        return f"You bet {letter}: {answer.text} {verdict}. {answer.reply}"


def _bet(question, right, **answers):
    return BetText(question, {k: Answer(*v) for k, v in answers.items()}, right)


BETS = {
    "is-it-excellent": _bet(
        "A list of these five pages has NDCG = 0.78. How good is that?",
        "C",
        A=(
            "Good: it collects 78% of what the best order would.",
            "It does collect 78%, but a random order of the same pages averages 0.8393.",
        ),
        B=(
            "Far better than chance, which would be about 0.5.",
            "For these pages chance is 0.8393, not 0.5: most of them are relevant, so even a "
            "shuffled list collects a lot.",
        ),
        C=(
            "Worse than shuffling the pages.",
            "A random order of these pages averages 0.8393.",
        ),
        D=(
            "Close to the worst that is possible.",
            "The worst order of these pages has 0.6458, so there is still room below.",
        ),
    ),
    "best-swap": _bet(
        "Which swap of two neighbors improves the list 3, 2, 3, 0, 1 the most?",
        "B",
        A=(
            "Rank 1 with rank 2: the top counts most.",
            "The top does count most, and that is why this swap hurts: it puts a 2 above a 3, "
            "and DCG falls by 0.3691.",
        ),
        B=(
            "Rank 2 with rank 3.",
            "It lifts a 3 over a 2 where the discount still falls steeply: DCG rises by 0.1309.",
        ),
        C=(
            "Rank 4 with rank 5: a useless document stands above a useful one.",
            "It does help, but by 0.0438 only: so far down, two neighboring ranks weigh nearly "
            "the same.",
        ),
        D=(
            "Ranks 2 and 3, or ranks 4 and 5: both swaps help equally.",
            "Both put one pair right, but the first is worth 0.1309 and the second 0.0438: the "
            "discount falls fastest at the top.",
        ),
    ),
    "empty-query": _bet(
        "Five documents, all of grade 0: nothing is relevant. What do scikit-learn and LightGBM "
        "return as the NDCG of this list?",
        "D",
        A=(
            "Both 0: the user found nothing.",
            "scikit-learn 1.9 returns 0, and it is the default here; LightGBM 4.7 returns 1.",
        ),
        B=(
            "Both 1: no order of these documents is better.",
            "LightGBM 4.7 returns 1, for the reason you give; scikit-learn 1.9 returns 0.",
        ),
        C=(
            "Neither a number: 0 divided by 0 has no value.",
            "It has none, but each returns one: scikit-learn 1.9 returns 0, LightGBM 4.7 "
            "returns 1.",
        ),
        D=(
            "One returns 0, the other 1.",
            "scikit-learn 1.9 returns 0, LightGBM 4.7 returns 1.",
        ),
    ),
    "rounding": _bet(
        "All you have is DCG = 6.15 and IDCG = 6.32, both rounded to two decimals. Which NDCG "
        "do you report?",
        "D",
        A=(
            "0.973: that is the quotient to three decimals.",
            "The quotient is 0.973, but the two numbers allow everything from 0.9715 to 0.9747. "
            "With all digits kept it is 0.9724.",
        ),
        B=(
            "0.9731: more digits are safer.",
            "Digits that were lost before the division do not come back: the true value is "
            "0.9724.",
        ),
        C=(
            "0.97: with two decimals in, two decimals out are safe.",
            "Here that happens to hold, for everything from 0.9715 to 0.9747 rounds to 0.97. "
            "But you had to compute that interval to know.",
        ),
        D=(
            "Something between 0.971 and 0.975; they cannot tell more.",
            "They allow everything from 0.9715 to 0.9747. With all digits kept it is 0.9724.",
        ),
    ),
    "at-three": _bet(
        "The list 2, 3, 1, 3, 0 has NDCG@5 = 0.8990. What about NDCG@3?",
        "C",
        A=(
            "Higher: the first three hold most of the gain.",
            "They hold most of the DCG, 4.3928 of 5.6848, but the ideal three hold even more.",
        ),
        B=(
            "Lower, because the very top is not perfect.",
            "It is lower, 0.7455, but the top accounts for little of the difference: it is the "
            "same at 5.",
        ),
        C=(
            "Lower, because a 3 stands at rank 4, below the cut.",
            "NDCG@3 is 0.7455: the list loses that 3, the ideal keeps it.",
        ),
        D=(
            "The same: it is one and the same ranking.",
            "It is the same ranking, but 0.7455 at 3: the cutoff changes what is counted.",
        ),
    ),
    "which-gain": _bet(
        "By hand, with the exponential gain, NDCG@5 is 0.8421. scikit-learn takes the grades as "
        "gains. What does it print?",
        "C",
        A=(
            "The same: a gain is only a scale, and it cancels in the ratio.",
            "It would cancel if every gain were multiplied by one number. 2^rel − 1 is no such "
            "thing: scikit-learn prints 0.8269.",
        ),
        B=(
            "More: smaller gains mean smaller losses.",
            "The ideal shrinks as well, and what counts is the ratio: it prints 0.8269.",
        ),
        C=(
            "Less.",
            "It prints 0.8269. Other lists move the other way; you have to compute it.",
        ),
        D=(
            "An error: it expects binary labels.",
            "It takes graded labels and prints 0.8269.",
        ),
    ),
    "longer-list": _bet(
        "A list has NDCG@1 = 1. How low can its NDCG@2 be?",
        "C",
        A=(
            "It stays 1: the best document is on top.",
            "On top it is, but the ideal adds a second document, and yours may be useless: then "
            "NDCG@2 is 0.6131.",
        ),
        B=(
            "0.5: one of two places is wasted.",
            "The second place weighs less than the first, so wasting it costs less: 0.6131.",
        ),
        C=(
            "About 0.61.",
            "At worst rank 2 earns nothing where the ideal has a second document as good as the "
            "first: 1 / (1 + 0.6309) = 0.6131.",
        ),
        D=(
            "Nearly 0, if enough good documents are missing.",
            "Only two ranks count, so the ideal can add one more good document and nothing "
            "else: 0.6131.",
        ),
    ),
    "missed-threes": _bet(
        "A query has three documents of grade 3 and three of grade 1. An engine returns "
        "only the 1s. What is its NDCG@3?",
        "B",
        A=(
            "1: the three it returned are in the best order.",
            "That is what you get when the ideal is built from the list alone. Whoever returned "
            "the 3s would have done better.",
        ),
        B=(
            "About 0.33: a 1 stands wherever a 3 could stand.",
            "Every rank earns a third of what it could, so the ratio is 0.3333.",
        ),
        C=(
            "0: it missed every good document.",
            "The 1s are worth something, and NDCG counts them: it is 0.3333.",
        ),
        D=(
            "It cannot be computed: the 3s have no rank.",
            "They need none. They are in the ideal, and the list never had them: 0.3333.",
        ),
    ),
    "real-cutoff": _bet(
        "BM25 ranks 525 entries for each of 200 queries. What does its mean NDCG@k do as k "
        "grows from 1 to 20?",
        "B",
        A=(
            "It rises: with more ranks there is more to find.",
            "DCG@k does rise, but the ideal rises faster: NDCG@k goes from about 0.62 down to "
            "0.52.",
        ),
        B=(
            "It falls: the first document is more often right than the next ones.",
            "It goes from about 0.62 to 0.52: at rank 1 BM25 earns more of what the ideal has "
            "there than at the ranks below.",
        ),
        C=(
            "It stays where it is: that is what normalizing is for.",
            "Normalizing fixes the best value at 1, nothing else: NDCG@k goes from about 0.62 "
            "to 0.52.",
        ),
        D=(
            "It goes up and down, as it did for the list 3, 0, 3, 2.",
            "One list jumps; the mean over 200 queries hardly does, and goes from about 0.62 to "
            "0.52.",
        ),
    ),
    "how-many-twos": _bet(
        "With the grade as gain a 3 is worth one and a half 2s, and B leads, 0.9050 to 0.8809. "
        "How many 2s must a 3 be worth before A takes the lead?",
        "B",
        A=(
            "1.5 is the border: with any gain above the linear one A leads.",
            "Not quite: with steps that grow by a tenth, b = 1.1, a 3 is worth as much as 1.58 "
            "documents of grade 2, and B still leads.",
        ),
        B=(
            "A little more, about 1.6.",
            "At b = 1.1 it is worth 1.58 and B leads, at b = 1.2 it is worth 1.65 and A leads.",
        ),
        C=(
            "More than 2: only then does one 3 outweigh two 2s.",
            "Both engines have one 3 and two 2s; what counts is where they stand. A leads from "
            "about 1.63 on.",
        ),
        D=(
            "No number is enough: B has its good documents higher up.",
            "Two of them. The best one stands two ranks higher in A, and that weighs more as soon "
            "as a 3 is worth more than about 1.63 documents of grade 2.",
        ),
    ),
    "times-ten": _bet(
        "The grades are stored as 0, 10, 20, 30 instead of 0, 1, 2, 3. Under which gain does the "
        "NDCG of a list change?",
        "C",
        A=(
            "Under neither: the order of the grades is the same.",
            "The order is, but NDCG uses the gains, not only their order: with 2^rel − 1 A goes "
            "from 0.9095 to 0.9997 and B from 0.8076 to 0.5010.",
        ),
        B=(
            "Only under the linear gain: there the grade itself is used.",
            "There ten times the grade is ten times the gain, and the factor cancels: 0.8809 and "
            "0.9050 as before. With 2^rel − 1 the values change.",
        ),
        C=(
            "Only under 2^rel − 1.",
            "A goes from 0.9095 to 0.9997, B from 0.8076 to 0.5010. The linear gain keeps 0.8809 "
            "and 0.9050.",
        ),
        D=(
            "Under both: other numbers in, other numbers out.",
            "With the linear gain a common factor cancels: 0.8809 and 0.9050 as before. Under "
            "2^rel − 1 ten times the grade is no common factor of the gains.",
        ),
    ),
    "closest-to-attention": _bet(
        "A text says that 100, 60, 40 and 30% of the readers look at ranks 1 to 4, and 10% at "
        "rank 10. Which formula lies closest to these five numbers?",
        "B",
        A=(
            "1 / log2(rank + 1): that is why NDCG uses it.",
            "It is off by 0.113 (root mean square), for it falls too slowly: at rank 10 it still "
            "gives 29%.",
        ),
        B=("1 / rank.", "It is off by 0.058 (root mean square)."),
        C=(
            "0.8^(rank − 1): a fifth of the readers leaves at each rank.",
            "It is off by 0.170 (root mean square): at rank 4 it still has 51%.",
        ),
        D=(
            "A straight line from 100% at rank 1 to 10% at rank 10.",
            "It is off by 0.286 (root mean square): at rank 4 it still has 70%.",
        ),
    ),
    "most-verdicts": _bet(
        "Two random orders of ten documents, 20,000 times: which is better? Replace "
        "1 / log2(rank + 1) by one of these discounts. Which changes the most verdicts?",
        "D",
        A=(
            "1 / rank: it falls far more steeply.",
            "It changes 1.4%, the fewest of the four. The logarithm is steep at the top, too.",
        ),
        B=(
            "0.5^(rank − 1): after ten ranks nothing is left.",
            "It changes 3.0%. It falls at every rank, and at the top nearly as steeply as the "
            "logarithm: rank 2 weighs 0.5 of rank 1, against 0.63.",
        ),
        C=(
            "1 / √rank: it falls more slowly.",
            "It changes 3.2%. Its shape at the top is close to the logarithm's.",
        ),
        D=(
            "The 2002 rule with base 2: like the logarithm, but one rank later.",
            "It changes 12.3%: it lets ranks 1 and 2 weigh the same.",
        ),
    ),
    "silent-check": _bet(
        "A text checks its own NDCG against scikit-learn on 30 random queries without ties. It "
        "prints two columns that differ by 0.11 at k = 5, and ends without an error. What is "
        "behind the difference?",
        "C",
        A=(
            "Rounding: two programs add in different order.",
            "Rounding leaves about 1e-16. A tenth is 15 digits too much.",
        ),
        B=(
            "Chance: 30 queries are few.",
            "Both columns are computed on the same 30 queries, so chance falls on both alike.",
        ),
        C=(
            "They take different gains.",
            "The text takes 2^grade − 1 as the gain, scikit-learn the grade itself. Given the "
            "same gains, they agree to 1e-12 at every k.",
        ),
        D=(
            "They cut the list at different ranks.",
            "Both count the first k ranks, and they differ without a cutoff, too. It is the gain: "
            "2^grade − 1 in the text, the grade itself in scikit-learn.",
        ),
    ),
    "knows-nothing": _bet(
        "A model gives the score 0 to all 20 documents of a query. The 3 relevant ones come "
        "first in the file, so a tool that keeps the order of the file prints NDCG@5 = 1. What "
        "else do tools in use print for this model?",
        "D",
        A=(
            "Nothing else: equal scores leave the file as it is.",
            "That is one rule of several. scikit-learn prints 0.208, the average of all orders, "
            "and a tool that reverses the file prints 0.000.",
        ),
        B=(
            "About 0.2: what a random order gets.",
            "scikit-learn does: it prints 0.208, the average of all orders. But a tool that "
            "reverses the file prints 0.000.",
        ),
        C=(
            "0: some sort the other way round.",
            "They do, and print 0.000. But scikit-learn does not sort here: it averages over all "
            "orders and prints 0.208.",
        ),
        D=(
            "0, and about 0.2: both occur.",
            "A tool that reverses the file prints 0.000. scikit-learn prints 0.208, the average "
            "of all orders.",
        ),
        E=(
            "An error: there is nothing to rank by.",
            "No tool that we know raises. They print 1.000, 0.208 or 0.000.",
        ),
    ),
    "rounding-scores": _bet(
        "You round a model's scores to whole numbers, and NDCG averages over ties. Can rounding "
        "raise the NDCG?",
        "B",
        A=(
            "Never: rounding throws information away.",
            "It does, and where the information was wrong, that helps: for the bad model above, "
            "0.667 becomes 0.737.",
        ),
        B=(
            "Yes, where it wipes out a wrong opinion.",
            "The bad model above goes from 0.667 to 0.737. A perfect one has nothing to win: it "
            "goes from 1.000 to 0.949.",
        ),
        C=(
            "Yes, because ties are broken in favor of the model.",
            "Not where NDCG averages over ties. It can rise for another reason: a wrong opinion "
            "is gone. The bad model above goes from 0.667 to 0.737.",
        ),
        D=(
            "No, it changes nothing: the order stays.",
            "The order of what still differs stays. But what becomes equal is averaged: for the "
            "good model above 1.000 becomes 0.949, for the bad one 0.667 becomes 0.737.",
        ),
    ),
    "which-notices": _bet(
        "Two engines show the same three relevant documents on top, one in the order 3, 2, 1, the "
        "other in the order 1, 2, 3. Which of these is higher for the first engine?",
        "D",
        A=(
            "Precision@3: the share of the first three that is relevant.",
            "It is 1 for both: it asks whether a document is relevant, not how much.",
        ),
        B=(
            "Recall@3: the share of the relevant documents that is among the first three.",
            "It is 1 for both: all three relevant documents are there, in whatever order.",
        ),
        C=(
            "The reciprocal rank: 1 divided by the rank of the first relevant document.",
            "It is 1 for both: something relevant stands at rank 1, be it a 3 or a 1.",
        ),
        D=(
            "None of the three.",
            "All three are 1 for both engines. NDCG@3 tells them apart: 1.0000 and 0.7900.",
        ),
    ),
    "same-number": _bet(
        "Every query has ten documents. In a first set of queries one of them is relevant, in a "
        "second set eight are. The engine's mean NDCG is 0.84 on both sets. Where is it "
        "farther above chance?",
        "A",
        A=(
            "On the first set.",
            "A random order averages 0.4544 there and 0.9194 on the second: on the first it is "
            "far above chance, on the second below.",
        ),
        B=(
            "On the second set: it had more to get right.",
            "With eight relevant documents of ten there is little to get wrong: a random order "
            "averages 0.9194, more than the engine has.",
        ),
        C=(
            "Equally far on both: that is what normalizing is for.",
            "Normalizing fixes the best value at 1. A random order averages 0.4544 on the first "
            "set and 0.9194 on the second.",
        ),
        D=(
            "Nobody can say without the scores.",
            "The grades suffice: a random order averages 0.4544 on the first set and 0.9194 on "
            "the second, whatever the scores are.",
        ),
    ),
    "perfect-page": _bet(
        "Page one has the grades 1, 0, 0, 0, 0 and page two 3, 3, 2, 3, 3. Each is all there is "
        "for its query. Which has the higher NDCG?",
        "A",
        A=(
            "Page one.",
            "It is in the best order, so it has 1.0000. Page two could be better ordered and has "
            "0.9866, though its DCG is eight times as large.",
        ),
        B=(
            "Page two: nearly everything on it is a 3.",
            "Its DCG is 8.3454, against 1.0000. But NDCG compares with the best order of the same "
            "documents: 0.9866 for page two, 1.0000 for page one.",
        ),
        C=(
            "Both have 1: no useful document stands below a useless one.",
            "On page two a 2 stands above two 3s, so another order is better: 0.9866.",
        ),
    ),
    "by-a-hair": _bet(
        "The score of A, a document of grade 3 at the bottom of the list, rises from 0.1000 to "
        "0.1001. What happens to NDCG?",
        "C",
        A=(
            "It rises, by about as little.",
            "It stays at 0.6673, to the last digit: A is still below B, which has 0.20.",
        ),
        B=(
            "It rises, and by more than the score: A is a 3.",
            "The grade decides how much A brings at its rank, and its rank has not changed: NDCG "
            "stays at 0.6673.",
        ),
        C=(
            "Nothing.",
            "The order has not changed, and NDCG sees nothing else: it stays at 0.6673.",
        ),
        D=(
            "It depends on the discount.",
            "A discount weighs ranks, and no rank has changed: NDCG stays the same under each.",
        ),
    ),
    "who-wins-fresh": _bet(
        "The grades come from a linear scorer, plus noise. Who ranks the fresh queries better, on "
        "average?",
        "B",
        A=(
            "The climb: it looks for nothing but NDCG.",
            "It does have the higher NDCG on its training queries, 0.9414 against 0.9405. On "
            "fresh ones it has 0.9379, and least squares 0.9394.",
        ),
        B=(
            "Least squares.",
            "0.9394 against 0.9379 on fresh queries, and it is ahead in 10 of 10 data sets, "
            "though the climb is higher in training.",
        ),
        C=(
            "Both alike: they fit the same linear scorer.",
            "In size nearly: 0.9394 against 0.9379. But it is not luck: least squares is ahead in "
            "10 of 10 data sets.",
        ),
        D=(
            "It depends on the start of the climb.",
            "A random start has 0.9379, a start at least squares 0.9389. Both are below 0.9394, "
            "though the second only in 7 of 10 data sets.",
        ),
    ),
    "r-squared-ranks": _bet(
        "R² is 0.63. How well do the predicted grades rank the offers of a category, beside a "
        "shuffle?",
        "D",
        A=(
            "Far better: most of the grades is explained.",
            "Most of what is explained lies between categories, which a ranking never compares. "
            "On fresh categories the ranking has 0.618, a shuffle 0.667.",
        ),
        B=(
            "A little better.",
            "It learned that expensive categories are liked. Within a category the cheap offers "
            "are liked more, so it sorts most categories the wrong way: 0.618, and a shuffle has "
            "0.667.",
        ),
        C=(
            "As well as a shuffle: prediction and ranking have nothing to do with each other.",
            "They have: a perfect prediction ranks perfectly. This one has 0.618, below a "
            "shuffle's 0.667.",
        ),
        D=(
            "Worse than a shuffle.",
            "0.618 against 0.667: the weight of the price has the wrong sign within a category.",
        ),
    ),
    "where-the-gap-comes-from": _bet(
        "The pairwise scorer is 0.14 ahead of the pointwise one. What explains most of that?",
        "B",
        A=(
            "Pairs: a ranking is about order, and only pairs see it.",
            "With an intercept the pointwise scorer has 0.771, and the pairwise one 0.802: 0.03 "
            "is left, and a pointwise logistic loss gets most of that, too.",
        ),
        B=(
            "The pointwise scorer has no number that is added to all scores.",
            "With such a number, an intercept, it goes from 0.664 to 0.771: 0.11 of the 0.14.",
        ),
        C=(
            "The shape of the loss: squared errors pay for outliers.",
            "That is a part of the rest: a pointwise logistic loss has 0.795. But an intercept "
            "alone brings 0.11 of the 0.14.",
        ),
        D=(
            "The number of examples: 240 queries have thousands of pairs.",
            "Squared errors of all pairs have 0.771, no more than points with an intercept: the "
            "pairs are made of the same documents.",
        ),
    ),
}
