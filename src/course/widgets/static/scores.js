// The picture of a list as bars and scores: what each document adds, what NDCG makes of it, and
// what three metrics that are blind to grades make of it.

import { make } from "../../../coursekit/widgets/static/elements.js";
import { button } from "./list.js";
import { SAME, contributions, dcg, direction, discountOf, gainOf, ideal, moved, ndcg } from "./ranking.js";

const isRelevant = (grade) => grade >= 1;

export function precision(grades, k) {
  return grades.slice(0, k).filter(isRelevant).length / k;
}

export function recall(grades, k) {
  const relevant = grades.filter(isRelevant).length;
  return relevant > 0 ? grades.slice(0, k).filter(isRelevant).length / relevant : 0;
}

export function reciprocalRank(grades) {
  const first = grades.findIndex(isRelevant);
  return first < 0 ? 0 : 1 / (first + 1);
}

function scoresOf(state, order) {
  const ranked = order.map((i) => state.grades[i]);
  return {
    ndcg: ndcg(ranked, state),
    dcg: dcg(ranked, state),
    idcg: dcg(ideal(ranked), state),
    precision: precision(ranked, state.k),
    recall: recall(ranked, state.k),
    rr: reciprocalRank(ranked),
  };
}

// The order before the last move, or null where nothing has moved.
function orderBefore({ order, history }) {
  const last = history.at(-1);
  return last ? moved(order, last.to - 1, last.from - 1) : null;
}

// What the last move did is worked out from the moves, at the present k: so it is right after a
// reload, and after the cutoff has changed.
function look(state) {
  const before = orderBefore(state);
  return {
    ...state,
    scores: scoresOf(state, state.order),
    scoresBefore: before ? scoresOf(state, before) : null,
  };
}

// ------------------------------------------------------------------- the words

function differenceInWords(difference) {
  const way = direction(difference);
  if (way === "same") return "unchanged";
  const size = Math.abs(difference);
  return size < 0.0005 ? `${way} by less than 0.001` : `${way} ${size.toFixed(3)}`;
}

const isBest = ({ shown, scores }) => shown && scores.ndcg >= 1 - SAME;

function withScore(words, state, ndcgBefore) {
  if (!state.shown) return `${words}.`;
  const score = `NDCG@${state.k} is ${state.scores.ndcg.toFixed(3)}`;
  const change = ndcgBefore === undefined ? "" : `, ${differenceInWords(state.scores.ndcg - ndcgBefore)}`;
  const end = isBest(state) ? ", the best there is" : "";
  return `${words}; ${score}${change}${end}.`;
}

const isSame = (order, other) => String(order) === String(other);

function orderInWords({ order, titles }) {
  return `The order is now ${order.map((i) => titles[i]).join(", ")}`;
}

function changeOfOrder(before, now) {
  const of = `of ${now.order.length}`;
  const moves = now.history.length - before.history.length;
  if (moves === 1) {
    const { title, to } = now.history.at(-1);
    return `${title} moved to rank ${to} ${of}`;
  }
  if (moves === -1 && isSame(now.order, orderBefore(before))) {
    const { title, from } = before.history.at(-1);
    return `${title} is back at rank ${from} ${of}`;
  }
  return orderInWords(now);
}

function opening(now) {
  const last = now.history.at(-1);
  if (last) {
    const words = `${last.title} moved to rank ${last.to} of ${now.order.length}`;
    return withScore(words, now, now.scoresBefore.ndcg);
  }
  if (!now.shown) return "The grades are hidden: you are the search engine.";
  const isStart = now.order.every((doc, i) => doc === i);
  return withScore(isStart ? "The list is in its starting order" : orderInWords(now), now);
}

// What a screen reader hears; null where nothing happened that is worth a word.
function announcement(before, now) {
  if (!before) return opening(now);
  if (now.shown !== before.shown) {
    return now.shown ? withScore("Grades shown", now) : "Grades and scores hidden.";
  }
  if (!isSame(now.order, before.order)) {
    return withScore(changeOfOrder(before, now), now, before.scores.ndcg);
  }
  return now.k === before.k ? null : withScore(`Cutoff k = ${now.k}`, now);
}

// ------------------------------------------------------------------- its parts

function withBars(parts) {
  const bars = make("span", "ndcg-bars", "", { "aria-hidden": "true" });
  const bar = make("span", "ndcg-bar");
  const ghost = make("span", "ndcg-ghost");
  bars.append(bar, ghost);
  const value = make("span", "ndcg-value");
  parts.row.append(bars, value);
  return { ...parts, bar, ghost, value };
}

function buildLegend(term) {
  const legend = make("p", "ndcg-legend");
  const key = make("span", "", "", { "aria-hidden": "true" });
  const ideal = make("span", "", "", { style: "white-space: nowrap" });
  ideal.append(make("i", "ndcg-key ghost"), "ideal order");
  key.append(make("i", "ndcg-key bar"), make("span", "", term), " ", ideal);
  legend.append(key);
  return legend;
}

const TERMS = {
  linear: "grade / log₂(rank + 1)",
  exponential: "(2^grade − 1) / log₂(rank + 1)",
};
const GRADED = [
  ["dcg", (k) => `DCG@${k}`, 4],
  ["idcg", (k) => `IDCG@${k}`, 4],
];
const BLIND = [
  ["precision", (k) => `Precision@${k}`, 3],
  ["recall", (k) => `Recall@${k}`, 3],
  ["rr", () => "RR", 3],
];

function buildReadout(measures, caption) {
  const table = make("table", "ndcg-readout");
  if (caption) table.append(make("caption", "", caption));
  const lines = measures.map((measure) => {
    const line = table.insertRow();
    const [head, value, change] = [make("th", "", "", { scope: "row" }), make("td", ""), make("td", "")];
    line.append(head, value, change);
    return { measure, head, value, change };
  });
  return { table, lines };
}

function buildScores(reveal) {
  const box = make("div", "ndcg-scores", "", { role: "group", "aria-label": "Scores" });
  const open = make("div", "ndcg-open");
  const big = make("p", "ndcg-big");
  const name = make("span", "");
  const score = make("strong", "");
  big.append(name, " ", score);
  const change = make("p", "ndcg-change");
  const graded = buildReadout(GRADED);
  const blind = buildReadout(BLIND, "Relevant: grade above 0");
  const now = make("div", "ndcg-now");
  now.append(big, change);
  open.append(now, graded.table, blind.table);
  const closed = make("div", "ndcg-closed");
  closed.append(
    make("p", "ndcg-big", "NDCG ?"),
    make("p", "", "You are the search engine. Put the best documents on top, then reveal the grades."),
    button("Reveal the grades", reveal),
  );
  box.append(open, closed);
  return { box, open, closed, name, score, change, lines: [...graded.lines, ...blind.lines] };
}

// --------------------------------------------------------------- showing a state

function termsOf(now) {
  const ranked = now.order.map((i) => now.grades[i]);
  return [contributions(ranked, now), contributions(ideal(ranked), now)];
}

function showBars(rows, now) {
  const [terms, best] = termsOf(now);
  const share = (term) => `${now.shown ? (100 * term) / best[0] : 0}%`; // nothing to peek at
  now.order.forEach((doc, i) => {
    const parts = rows[doc];
    parts.bar.style.width = share(terms[i]);
    parts.ghost.style.width = share(best[i]);
    parts.ghost.hidden = best[i] === 0;
    parts.value.textContent = now.shown && i < now.k ? terms[i].toFixed(4) : "";
  });
}

function showChange(element, difference, digits) {
  if (difference === null) {
    element.textContent = "";
    return;
  }
  const way = direction(difference);
  const size = Math.abs(difference).toFixed(digits);
  const text = { same: "= same", up: `▲ +${size}`, down: `▼ −${size}` }[way];
  element.replaceChildren(make("span", way, text));
}

function showScores(page, now) {
  page.open.hidden = !now.shown;
  page.box.classList.toggle("best", isBest(now)); // a small reward
  page.closed.hidden = now.shown;
  const { scores, scoresBefore } = now.shown ? now : { scores: null, scoresBefore: null };
  const text = (name, digits) => (scores ? scores[name].toFixed(digits) : "?"); // nothing to peek at
  const change = (name) => (scoresBefore ? scores[name] - scoresBefore[name] : null);
  page.name.textContent = `NDCG@${now.k}`;
  page.score.textContent = text("ndcg", 4);
  showChange(page.change, change("ndcg"), 4);
  page.change.append(scoresBefore ? " by the last move" : "No move yet");
  for (const { measure, ...cells } of page.lines) {
    const [name, label, digits] = measure;
    cells.head.textContent = label(now.k);
    cells.value.textContent = text(name, digits);
    showChange(cells.change, change(name), 3);
  }
}

function tableOfTerms(now) {
  if (!now.shown) return null;
  const [terms, best] = termsOf(now);
  const rows = now.order.map((doc, i) => {
    const discount = i < now.k ? discountOf(i + 1) : 0;
    const numbers = [discount, terms[i], best[i]].map((value) => value.toFixed(4));
    return [i + 1, now.titles[doc], now.grades[doc], gainOf(now.grades[doc], now.gain), ...numbers];
  });
  return [["rank", "document", "grade", "gain", "discount", "contribution", "ideal"], ...rows];
}

// ---------------------------------------------------------------------- the picture

/** Return the picture of a list, as listed.js has it: bars in its rows, scores beside it. */
export function scores({ fixed }, acts) {
  const undo = button("Undo", () => acts.undo());
  const readout = buildScores(() => {
    acts.set({ shown: true });
    acts.focus("shown", true); // the button that was pressed goes away
  });
  return {
    help: "Drag a document by its handle. With keys: Alt + ↑ or ↓, Home, End.",
    aside: [],
    buttons: [undo],
    extend: withBars,
    beside(list) {
      const left = make("div", "ndcg-ranking");
      left.append(buildLegend(TERMS[fixed.gain]), list);
      return [left, readout.box];
    },
    look,
    table: tableOfTerms,
    said: announcement,
    show({ body, rows }, now) {
      body.classList.toggle("hidden-grades", !now.shown);
      undo.setAttribute("aria-disabled", now.history.length === 0);
      showBars(rows, now);
      showScores(readout, now);
    },
    stop() {},
  };
}
