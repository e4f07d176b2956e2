# Tie-averaged DCG and NDCG in base R, the same numbers as ndcglib.metrics.
# Taught in notebook "scale".

dcg <- function(relevance, score, k = length(relevance)) {
  stopifnot(is.numeric(relevance), is.numeric(score),  # which a factor is not
            length(relevance) == length(score), length(score) > 0,
            is.finite(relevance), is.finite(score), relevance >= 0,
            is.numeric(k), length(k) == 1, k >= 1, k == round(k))
  # Each document earns the mean gain of its tied group: any order of it has the same sum.
  group <- match(score, unique(score))  # not factor(score): that keeps 15 digits only
  earned <- ave(relevance, group)[order(-score)]
  top <- seq_len(min(k, length(earned)))  # not 1:n, which is c(1, 0) where n is 0
  total <- sum(earned[top] / log2(top + 1))
  stopifnot(is.finite(total))
  total
}

ndcg <- function(relevance, score, k = length(relevance), empty = 0) {
  ideal <- dcg(relevance, relevance, k)
  if (ideal > 0) dcg(relevance, score, k) / ideal else empty
}

# The NDCG of each query of a long table, named by query.
ndcg_long <- function(query, relevance, score, ...) {
  stopifnot(length(query) == length(relevance), length(query) == length(score),
            length(query) > 0, !is.na(query))
  queries <- sort(unique(query))
  rows <- split(seq_along(query), match(query, queries))
  setNames(sapply(rows, function(i) ndcg(relevance[i], score[i], ...)), queries)
}
