// The ranking list you drag. Everything shown is a function of the model's traits: a move
// is answered at once, with a kernel or without, and a second view of it shows the same.

import { make } from "../../../coursekit/widgets/static/elements.js";
import { keepListening } from "../../../coursekit/widgets/static/listen.js";
import { stateField } from "../../../coursekit/widgets/static/state_field.js";
import {
  arrangeInMotion,
  buildChoice,
  buildQuestion,
  buildRanking,
  buildSlider,
  button,
  contributions,
  dcg,
  direction,
  discountOf,
  firstOrder,
  follow,
  gainOf,
  ideal,
  isOrder,
  letMove,
  moved,
  ndcg,
  SAME,
  showRanks,
  takeLine,
} from "./ranking.js";

const isRelevant = (grade) => grade >= 1;

export function precision(grades, k) {
  return grades.slice(0, k).filter(isRelevant).length / k;
}

export function recall(grades, k) {
  const relevant = grades.filter(isRelevant).length;
  return relevant > 0 ? grades.slice(0, k).filter(isRelevant).length / relevant : 0;
}

export function mrr(grades) {
  const first = grades.findIndex(isRelevant);
  return first < 0 ? 0 : 1 / (first + 1);
}

// ------------------------------------------------------------- orders and states

// The order before the last move, or null where nothing has moved.
function orderBefore({ order, history }) {
  const last = history.at(-1);
  return last ? moved(order, last.to - 1, last.from - 1) : null;
}

const NAMES = ["titles", "grades", "order", "k", "gain", "shown", "history"];

function scoresOf({ grades, k, gain }, order) {
  const ranked = order.map((i) => grades[i]);
  return {
    ndcg: ndcg(ranked, k, gain),
    dcg: dcg(ranked, k, gain),
    idcg: dcg(ideal(ranked), k, gain),
    precision: precision(ranked, k),
    recall: recall(ranked, k),
    mrr: mrr(ranked),
  };
}

// What the last move did is worked out from the moves, at the present k and gain:
// so it is right after a reload, and after the cutoff has changed.
function read(model) {
  const state = Object.fromEntries(NAMES.map((name) => [name, model.get(name)]));
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
  return withScore(isStart ? "The list is as it started" : orderInWords(now), now);
}

// What a screen reader hears; null where nothing happened that is worth a word.
export function announcement(before, now) {
  if (!before) return opening(now);
  if (now.shown !== before.shown) {
    return now.shown ? withScore("Grades shown", now) : "Grades and scores hidden.";
  }
  if (!isSame(now.order, before.order)) {
    return withScore(changeOfOrder(before, now), now, before.scores.ndcg);
  }
  if (now.k !== before.k) return withScore(`Cutoff k = ${now.k}`, now);
  if (now.gain !== before.gain) return withScore(`The gain is ${now.gain}`, now);
  return null;
}

// --------------------------------------------------------------- the state line

export function writeState({ order, k, shown }) {
  return `drag-list: order="${order.join(" ")}" k=${k} shown=${shown ? "True" : "False"}`;
}

const LINE = /^\s*drag-list:\s*order="([\d ]*)"\s+k=(\d{1,18})\s+shown=(True|False)\s*$/;

// What a line says, or what is wrong with it. Python's `restore` answers alike.
export function readState(text, n) {
  const parts = LINE.exec(text);
  if (!parts) {
    const example = writeState({ order: firstOrder(n), k: n, shown: true });
    return { trouble: `a line of this list looks like ${example}, got '${text}'` };
  }
  const order = parts[1].split(" ").filter(Boolean).map(Number);
  const k = Number(parts[2]);
  if (!isOrder(order, n)) {
    return { trouble: `order must hold each of 0 to ${n - 1} once, got [${order.join(", ")}]` };
  }
  if (k < 1 || k > n) return { trouble: `k must be from 1 to ${n}, got ${k}` };
  return { order, k, shown: parts[3] === "True" };
}

// ------------------------------------------------------------- building the page

function withBars(parts) {
  const bars = make("span", "ndcg-bars", "", { "aria-hidden": "true" });
  const bar = make("span", "ndcg-bar");
  const ghost = make("span", "ndcg-ghost");
  bars.append(bar, ghost);
  const value = make("span", "ndcg-value");
  parts.row.append(bars, value);
  return { ...parts, bar, ghost, value };
}

function buildList(titles, grades) {
  const box = make("div", "ndcg-ranking");
  const legend = make("p", "ndcg-legend");
  const formula = make("span", "");
  const key = make("span", "", "", { "aria-hidden": "true" });
  key.append(make("i", "ndcg-key bar"), formula, make("i", "ndcg-key ghost"), "ideal order");
  legend.append(key);
  const ranking = buildRanking({ titles, grades }, withBars);
  box.append(legend, ranking.list);
  return { box, legend, formula, ...ranking };
}

const GRADED = [
  ["dcg", (k) => `DCG@${k}`, 4],
  ["idcg", (k) => `IDCG@${k}`, 4],
];
const BLIND = [
  ["precision", (k) => `Precision@${k}`, 3],
  ["recall", (k) => `Recall@${k}`, 3],
  ["mrr", () => "MRR", 3],
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
  const blind = buildReadout(BLIND, "Relevant = grade ≥ 1");
  open.append(big, change, graded.table, blind.table);
  const closed = make("div", "ndcg-closed");
  closed.append(
    make("p", "ndcg-big", "NDCG ?"),
    make("p", "", "You are the search engine. Bring the best document to the top, then look."),
    button("Reveal the grades", reveal),
  );
  box.append(open, closed);
  return { box, open, closed, name, score, change, lines: [...graded.lines, ...blind.lines] };
}

function buildTable() {
  const details = make("details", "");
  details.append(make("summary", "", "The numbers as a table"));
  const table = make("table", "");
  const head = table.createTHead().insertRow();
  for (const name of ["rank", "document", "grade", "gain", "discount", "contribution", "ideal"]) {
    head.append(make("th", "", name, { scope: "col" }));
  }
  const body = table.createTBody();
  details.append(table);
  return { details, body };
}

const HELP = "Drag a document by its dots. Keys: Alt + ↑ ↓ one rank, Home top, End bottom.";

function build(model, acts) {
  const [titles, grades] = [model.get("titles"), model.get("grades")];
  const slider = buildSlider(grades.length, (k) => acts.set({ k }));
  const texts = { shown: true, hidden: false };
  const choice = buildChoice("Grades", texts, (shown) => acts.set({ shown }));
  const undo = button("Undo", acts.undo);
  const presets = Object.entries(model.get("orders")).map(([label, order]) =>
    button(label, () => acts.set({ order, history: [] })),
  );
  const buttons = make("div", "ndcg-buttons");
  buttons.append(undo, ...presets, button("Reset", acts.reset));
  const controls = make("div", "ndcg-controls");
  controls.append(slider.box, choice.box, buttons);
  const ranking = buildList(titles, grades);
  const scores = buildScores(() => {
    acts.set({ shown: true });
    choice.focus(true); // the button that was pressed goes away
  });
  const main = make("div", "ndcg-main");
  main.append(ranking.box, scores.box);
  const status = make("p", "ndcg-status", "", { role: "status", "aria-live": "polite" });
  const help = make("p", "ndcg-help", HELP);
  const table = buildTable();
  const body = make("div", "ndcg-drag-body");
  const line = make("div", "");
  const state = stateField(line, () => writeState(read(model)), acts.restore);
  body.append(buildQuestion(model), controls, main, status, help, table.details, line);
  return { body, slider, choice, undo, ...ranking, scores, status, table, state };
}

// --------------------------------------------------------------- showing a state

function showRows(page, now) {
  const ranked = now.order.map((i) => now.grades[i]);
  const terms = contributions(ranked, now.k, now.gain);
  const best = contributions(ideal(ranked), now.k, now.gain);
  const share = (term) => `${now.shown ? (100 * term) / best[0] : 0}%`; // nothing to peek at
  showRanks(page, now);
  now.order.forEach((doc, i) => {
    const parts = page.rows[doc];
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

function showScores({ scores: page }, now) {
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

function showTable({ details, body }, now) {
  details.hidden = !now.shown;
  body.replaceChildren();
  if (!now.shown) return;
  const ranked = now.order.map((i) => now.grades[i]);
  const terms = contributions(ranked, now.k, now.gain);
  const best = contributions(ideal(ranked), now.k, now.gain);
  ranked.forEach((grade, i) => {
    const line = body.insertRow();
    const discount = i < now.k ? discountOf(i + 1) : 0;
    const numbers = [discount, terms[i], best[i]].map((value) => value.toFixed(4));
    const cells = [i + 1, now.titles[now.order[i]], grade, gainOf(grade, now.gain), ...numbers];
    for (const cell of cells) line.insertCell().textContent = cell;
  });
}

const TERMS = {
  linear: "grade / log2(rank + 1)",
  exponential: "(2^grade − 1) / log2(rank + 1)",
};

function show(page, now, before) {
  page.body.classList.toggle("hidden-grades", !now.shown);
  page.slider.input.value = now.k;
  page.slider.output.textContent = now.k;
  page.choice.show(now.shown);
  page.undo.setAttribute("aria-disabled", now.history.length === 0);
  page.formula.textContent = TERMS[now.gain];
  showRows(page, now);
  arrangeInMotion(page.list, now.order.map((i) => page.rows[i].row));
  showScores(page, now);
  showTable(page.table, now);
  page.status.textContent = announcement(before, now) ?? page.status.textContent;
  page.state.showLine();
  page.state.showTrouble("");
}

// ------------------------------------------------------------------ what a user does

function actions(model) {
  const set = (values) => {
    // All in one message: Python, too, must see the order and its moves together.
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const move = (doc, target) => {
    const { order, titles, history, grades, k, gain } = read(model);
    const place = order.indexOf(doc);
    if (target < 0 || target >= order.length || target === place) return false;
    const after = moved(order, place, target);
    const score = ndcg(after.map((i) => grades[i]), k, gain);
    const ranks = { from: place + 1, to: target + 1 };
    const entry = { title: titles[doc], ...ranks, order: after, k, gain, ndcg: score };
    set({ order: after, history: [...history, entry] });
    return true;
  };
  const undo = () => {
    const state = read(model);
    set({ order: orderBefore(state), history: state.history.slice(0, -1) });
  };
  const reset = () => {
    set({ order: model.get("titles").map((_, i) => i), history: [], ...model.get("start") });
  };
  return { set, move, undo, reset, place: (doc) => model.get("order").indexOf(doc) };
}

export default {
  render({ model, el }) {
    keepListening(model);
    el.classList.add("ndcg-explorer", "ndcg-drag");
    const acts = actions(model);
    acts.restore = (text) => {
      const set = (wanted) => acts.set({ ...wanted, history: [] });
      takeLine(page, readState(text, model.get("grades").length), set);
    };
    const page = build(model, acts);
    el.append(page.body);
    letMove(page, acts, model.get("titles"));
    let before = null;
    return follow(model, el, () => {
      const now = read(model);
      show(page, now, before);
      before = now;
    });
  },
};
