// The ranking list you drag. Everything shown is a function of the model's traits, and
// the scores are computed here: a move is answered at once, with a kernel or without,
// and a reloaded page or a second view of the list shows the same.

// ------------------------------------------------------------------ the scores
// `grades` are in rank order; a test holds these equal to Python's to 1e-12.

export function gainOf(grade, gain) {
  return gain === "exponential" ? 2 ** grade - 1 : grade;
}

export function discountOf(rank) {
  return 1 / Math.log2(rank + 1);
}

export function contributions(grades, k, gain) {
  return grades.map((grade, i) => (i < k ? gainOf(grade, gain) * discountOf(i + 1) : 0));
}

export function dcg(grades, k, gain) {
  return contributions(grades, k, gain).reduce((sum, term) => sum + term, 0);
}

export function ideal(grades) {
  return [...grades].sort((a, b) => b - a);
}

export function ndcg(grades, k, gain) {
  const best = dcg(ideal(grades), k, gain);
  return best > 0 ? dcg(grades, k, gain) / best : 0;
}

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

export function moved(order, place, target) {
  const rest = order.filter((_, i) => i !== place);
  return [...rest.slice(0, target), order[place], ...rest.slice(target)];
}

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

const SAME = 1e-12; // what the order of a sum can change

function direction(difference) {
  if (Math.abs(difference) < SAME) return "same";
  return difference > 0 ? "up" : "down";
}

function differenceInWords(difference) {
  const way = direction(difference);
  if (way === "same") return "unchanged";
  const size = Math.abs(difference);
  return size < 0.0005 ? `${way} by less than 0.001` : `${way} ${size.toFixed(3)}`;
}

function withScore(words, state, ndcgBefore) {
  if (!state.shown) return `${words}.`;
  const score = `NDCG@${state.k} is ${state.scores.ndcg.toFixed(3)}`;
  const change = ndcgBefore === undefined ? "" : `, ${differenceInWords(state.scores.ndcg - ndcgBefore)}`;
  return `${words}; ${score}${change}.`;
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
    const example = writeState({ order: Array.from({ length: n }, (_, i) => i), k: n, shown: true });
    return { trouble: `a line of this list looks like ${example}, got '${text}'` };
  }
  const order = parts[1].split(" ").filter(Boolean).map(Number);
  const k = Number(parts[2]);
  if (order.length !== n || Array.from({ length: n }, (_, i) => i).some((i) => !order.includes(i))) {
    return { trouble: `order must hold each of 0 to ${n - 1} once, got [${order.join(", ")}]` };
  }
  if (k < 1 || k > n) return { trouble: `k must be from 1 to ${n}, got ${k}` };
  return { order, k, shown: parts[3] === "True" };
}

// ------------------------------------------------------------- building the page

function button(text, act, attributes = {}) {
  const element = make("button", "ndcg-button", text, { type: "button", ...attributes });
  // Not `disabled`: a button that vanishes under the focus takes the focus with it.
  element.addEventListener("click", () => {
    if (element.getAttribute("aria-disabled") !== "true") act();
  });
  return element;
}

function buildSlider(n, choose) {
  const box = make("div", "ndcg-slider");
  const label = make("label", "");
  const input = make("input", "", "", { type: "range", min: 1, max: n, "aria-label": "Cutoff k" });
  const output = make("output", "", "", { "aria-hidden": "true" }); // the input says it
  input.addEventListener("input", () => choose(Number(input.value)));
  label.append(make("span", "", "Cutoff k"), input, output);
  box.append(label);
  return { box, input, output };
}

function buildChoice(choose) {
  const box = make("div", "ndcg-choice");
  const fieldset = make("fieldset", "");
  fieldset.append(make("legend", "", "Grades"));
  const group = `ndcg-drag-${Math.random().toString(36).slice(2)}`;
  const [shown, hidden] = [true, false].map((value) => {
    const label = make("label", "");
    const input = make("input", "", "", { type: "radio", name: group });
    input.addEventListener("change", () => choose(value));
    label.append(input, make("span", "", value ? "shown" : "hidden"));
    fieldset.append(label);
    return input;
  });
  box.append(fieldset);
  return { box, shown, hidden };
}

function buildRow(title, most) {
  const row = make("li", "ndcg-row");
  const rank = make("span", "ndcg-rank");
  const handle = make("button", "ndcg-handle", "", {
    type: "button",
    title,
    "aria-keyshortcuts": "Alt+ArrowUp Alt+ArrowDown Home End",
  });
  const name = make("span", "");
  // Names of functions are long: they may break after an underscore or a dot.
  for (const part of title.split(/(?<=[_.])/)) name.append(part, make("wbr", ""));
  handle.append(make("span", "ndcg-grip", "", { "aria-hidden": "true" }), name);
  const grades = make("span", "ndcg-grade");
  const pips = make("span", "ndcg-pips", "", { "aria-hidden": "true" });
  for (let i = 1; i <= most; i += 1) pips.append(make("i", ""));
  const number = make("b", "");
  grades.append(make("span", "ndcg-unseen", "grade "), number, pips);
  const up = make("button", "ndcg-step", "↑", { type: "button", "aria-label": `Move ${title} up` });
  const down = make("button", "ndcg-step", "↓", { type: "button", "aria-label": `Move ${title} down` });
  const bars = make("span", "ndcg-bars", "", { "aria-hidden": "true" });
  const bar = make("span", "ndcg-bar");
  const ghost = make("span", "ndcg-ghost");
  bars.append(bar, ghost);
  const value = make("span", "ndcg-value");
  row.append(rank, handle, grades, up, down, bars, value);
  return { row, rank, handle, number, pips, up, down, bar, ghost, value };
}

function buildList(titles, grades) {
  const box = make("div", "ndcg-ranking");
  const legend = make("p", "ndcg-legend");
  const most = Math.max(...grades);
  const formula = make("span", "");
  const key = make("span", "", "", { "aria-hidden": "true" });
  key.append(make("i", "ndcg-key bar"), formula, make("i", "ndcg-key ghost"), "ideal order");
  legend.append(key);
  const list = make("ol", "ndcg-list", "", { role: "list", "aria-label": "Ranking, rank 1 first" });
  const rows = titles.map((title) => buildRow(title, most));
  list.style.setProperty("--n", titles.length);
  list.append(...rows.map(({ row }) => row));
  box.append(legend, list);
  return { box, legend, formula, list, rows };
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
  const choice = buildChoice((shown) => acts.set({ shown }));
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
    choice.shown.focus(); // the button that was pressed goes away
  });
  const main = make("div", "ndcg-main");
  main.append(ranking.box, scores.box);
  const status = make("p", "ndcg-status", "", { role: "status", "aria-live": "polite" });
  const help = make("p", "ndcg-help", HELP);
  const table = buildTable();
  const body = make("div", "ndcg-drag-body");
  const question = make("div", "ndcg-question", model.get("question"), {
    role: "heading",
    "aria-level": 3,
  });
  const line = make("div", "");
  const state = stateField(line, () => writeState(read(model)), acts.restore);
  body.append(question, controls, main, status, help, table.details, line);
  return { body, slider, choice, undo, ...ranking, scores, status, table, state };
}

// --------------------------------------------------------------- showing a state

// Put the rows in order without ever taking out the one that has the focus (or the
// pointer): it would lose it, and a screen reader would start again.
function arrange(list, wanted) {
  const kept = wanted.findIndex((row) => row.contains(document.activeElement));
  wanted.forEach((row, i) => {
    if (i < kept) list.insertBefore(row, wanted[kept]);
    else if (i !== kept) list.append(row);
  });
}

// Rows slide from where they were, except for those who asked for less motion.
function arrangeInMotion(list, wanted) {
  const tops = wanted.map((row) => row.getBoundingClientRect().top);
  for (const row of wanted) {
    row.style.transform = ""; // where a pointer has dragged it
    row.getAnimations().forEach((animation) => animation.cancel());
  }
  arrange(list, wanted);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  wanted.forEach((row, i) => {
    const way = tops[i] - row.getBoundingClientRect().top;
    if (way === 0) return;
    const frames = [{ transform: `translateY(${way}px)` }, { transform: "none" }];
    row.animate(frames, { duration: 180, easing: "ease-out" });
  });
}

function showRows(page, now) {
  const ranked = now.order.map((i) => now.grades[i]);
  const terms = contributions(ranked, now.k, now.gain);
  const best = contributions(ideal(ranked), now.k, now.gain);
  const share = (term) => `${now.shown ? (100 * term) / best[0] : 0}%`; // nothing to peek at
  now.order.forEach((doc, i) => {
    const parts = page.rows[doc];
    const [isFirst, isLast] = [i === 0, i === now.order.length - 1];
    parts.rank.textContent = i + 1;
    parts.number.textContent = now.shown ? ranked[i] : "?";
    [...parts.pips.children].forEach((pip, j) => {
      pip.classList.toggle("full", now.shown && j < ranked[i]);
    });
    parts.up.setAttribute("aria-disabled", isFirst);
    parts.down.setAttribute("aria-disabled", isLast);
    parts.bar.style.width = share(terms[i]);
    parts.ghost.style.width = share(best[i]);
    parts.ghost.hidden = best[i] === 0;
    parts.value.textContent = now.shown && i < now.k ? terms[i].toFixed(4) : "";
    parts.row.classList.toggle("beyond", i >= now.k);
  });
  // The line belongs to the list: it stays where it is while a row is dragged across.
  page.list.classList.toggle("cut", now.k < ranked.length);
  page.list.style.setProperty("--k", now.k);
  page.list.dataset.cut = `k = ${now.k}`;
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
  page.choice.shown.checked = now.shown;
  page.choice.hidden.checked = !now.shown;
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

// One row's keys. Home and End need no Alt: some browsers take Alt + Home themselves.
function listenToKeys(doc, page, acts, tell) {
  const { row, handle, up, down } = page.rows[doc];
  const last = page.rows.length - 1;
  const move = (target) => acts.move(doc, target) || tell(doc);
  const focus = (place) => page.list.children[place]?.querySelector(".ndcg-handle").focus();
  row.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const place = acts.place(doc);
    if (event.key === "Home") move(0);
    else if (event.key === "End") move(last);
    else if (step && event.altKey) move(place + step);
    else if (step) focus(place + step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  up.addEventListener("click", () => move(acts.place(doc) - 1));
  down.addEventListener("click", () => move(acts.place(doc) + 1));
}

const SHAKE = 4; // pixels that a hand moves in a plain click

// Where the other rows go to make room for the one that is dragged.
function makeRoom(page, row, place, target) {
  const height = row.offsetHeight;
  [...page.list.children].forEach((other, i) => {
    if (other === row) return;
    const way = Number(i < place && i >= target) - Number(i > place && i <= target);
    other.style.transform = way === 0 ? "" : `translateY(${way * height}px)`;
  });
}

// Mouse, pen and finger alike. The row follows the pointer, the others leave a gap where
// it would go, and only letting go moves it. Only the handle is held: anywhere else a
// finger scrolls the page.
function listenToPointer(doc, page, acts, tell) {
  const { row, handle } = page.rows[doc];
  let drag = null;
  let wasDragged = false;
  const heightInList = (event) => event.clientY - page.list.getBoundingClientRect().top;
  const end = () => {
    drag = null;
    row.classList.remove("dragged");
    page.list.classList.remove("dropping");
  };
  const cancel = () => {
    if (!drag) return;
    end();
    for (const { row: any } of page.rows) any.style.transform = "";
  };
  handle.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    handle.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true }); // not every browser does so for a button
    const place = acts.place(doc);
    drag = { from: heightInList(event), place, target: place };
    wasDragged = false;
  });
  handle.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const way = heightInList(event) - drag.from;
    if (!wasDragged && Math.abs(way) < SHAKE) return;
    wasDragged = true;
    row.classList.add("dragged");
    page.list.classList.add("dropping");
    row.style.transform = `translateY(${way}px)`;
    const rows = Math.round(way / row.offsetHeight);
    drag.target = Math.min(Math.max(drag.place + rows, 0), page.rows.length - 1);
    makeRoom(page, row, drag.place, drag.target);
  });
  handle.addEventListener("pointerup", () => {
    if (!drag) return;
    const { place, target } = drag;
    // Python may have changed the order meanwhile: then the gap is not where it was.
    const isMoved = place === acts.place(doc) && acts.move(doc, target);
    if (isMoved) end();
    else cancel();
  });
  handle.addEventListener("pointercancel", cancel);
  handle.addEventListener("lostpointercapture", cancel);
  handle.addEventListener("keydown", (event) => {
    if (event.key === "Escape") cancel();
  });
  handle.addEventListener("click", (event) => {
    const byKeyboard = event.detail === 0;
    if (byKeyboard || !wasDragged) tell(doc); // a drag has its own words
  });
}

export default {
  render({ model, el }) {
    keepListening(model);
    el.classList.add("ndcg-explorer", "ndcg-drag");
    const acts = actions(model);
    acts.restore = (text) => {
      const { trouble = "", ...wanted } = readState(text, model.get("grades").length);
      if (!trouble) {
        acts.set({ ...wanted, history: [] });
        page.state.showLine(); // as it is written, even where nothing has changed
      }
      page.state.showTrouble(trouble);
    };
    const page = build(model, acts);
    el.append(page.body);
    const tell = (doc) => {
      const { titles, order } = read(model);
      const rank = order.indexOf(doc) + 1;
      page.status.textContent = `${titles[doc]} is at rank ${rank} of ${order.length}.`;
    };
    page.rows.forEach((_, doc) => {
      listenToKeys(doc, page, acts, tell);
      listenToPointer(doc, page, acts, tell);
    });
    let before = null;
    let isWaiting = false;
    const redraw = () => {
      isWaiting = false;
      const now = read(model);
      show(page, now, before);
      before = now;
    };
    // An order and its moves arrive as two changes: look when both are there.
    const redrawSoon = () => {
      if (isWaiting) return;
      isWaiting = true;
      queueMicrotask(redraw);
    };
    // anywidget takes away what ipywidgets listens with, and so no longer sees the class
    // that `present` gives to a list on the screen.
    const resize = () => {
      el.classList.toggle("ndcg-large", model.get("_dom_classes").includes("ndcg-large"));
    };
    model.on("change", redrawSoon);
    model.on("change:_dom_classes", resize);
    redraw();
    return () => {
      model.off("change", redrawSoon);
      model.off("change:_dom_classes", resize);
    };
  },
};
