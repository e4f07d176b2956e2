// All orders of a short list as dots on the scale of NDCG, beside the list itself, to drag.
// Everything shown is a function of the model's traits, and is computed here.

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
  SAME,
  showRanks,
  takeLine,
} from "./ranking.js";

// ------------------------------------------------------------------ the numbers
// A test holds them equal to Python's to 1e-12.

// "0 2=1" is document 0, then 2 and 1 with equal scores: `tied[i]` joins ranks i + 1 and i + 2.
export function parse(text) {
  return {
    order: text.split(/[ =]/).map(Number),
    tied: [...text.replace(/\d/g, "")].map((sign) => sign === "="),
  };
}

export function write({ order, tied }) {
  return order.map((doc, i) => (i === 0 ? doc : `${tied[i - 1] ? "=" : " "}${doc}`)).join("");
}

export function permutations(items) {
  if (items.length === 0) return [[]];
  return items.flatMap((first, i) =>
    permutations(items.toSpliced(i, 1)).map((rest) => [first, ...rest]),
  );
}

// The ranks of a list in groups of equal scores, each from its first rank to its last.
function groupsOf({ order, tied }) {
  const starts = order.map((_, i) => i).filter((i) => i === 0 || !tied[i - 1]);
  return starts.map((start, i) => [start, (starts[i + 1] ?? order.length) - 1]);
}

// The NDCG of a list, with equal scores averaged: a group's documents share its ranks.
export function valueOf(listed, grades, { k, gain, discount }) {
  const ranked = listed.order.map((doc) => grades[doc]);
  const best = dcg(ideal(grades), k, gain, discount);
  const shared = groupsOf(listed).flatMap(([first, last]) => {
    const gains = ranked.slice(first, last + 1).map((grade) => gainOf(grade, gain));
    return gains.map(() => gains.reduce((sum, one) => sum + one, 0) / gains.length);
  });
  const terms = shared.map((one, i) => (i < k ? one * discountOf(i + 1, discount) : 0));
  return best > 0 ? terms.reduce((sum, term) => sum + term, 0) / best : 0;
}

// Whether an order is one of those that the scores of a list allow.
function isAllowed(order, listed) {
  return groupsOf(listed).every(([first, last]) => {
    const group = listed.order.slice(first, last + 1);
    return order.slice(first, last + 1).every((doc) => group.includes(doc));
  });
}

// What may be chosen, as the buttons call it.
const RULES = {
  gain: { linear: "linear", exponential: "exponential" },
  discount: { "1/log2(rank + 1)": "log", "1/rank": "reciprocal" },
};

// Who is ahead at each k, and whether another gain or discount would change that at this k.
function contest(listed, pinned, grades, rules) {
  const ahead = (changed) => {
    const [yours, theirs] = [listed, pinned].map((one) =>
      valueOf(one, grades, { ...rules, ...changed }),
    );
    return direction(yours - theirs);
  };
  const found = { up: [], down: [], same: [] };
  grades.forEach((_, i) => found[ahead({ k: i + 1 })].push(i + 1));
  const now = ahead({});
  const turns = (name) => {
    const other = Object.values(RULES[name]).find((value) => value !== rules[name]);
    return ahead({ [name]: other }) !== now;
  };
  return { ...found, gain: turns("gain"), discount: turns("discount") };
}

// All that is shown, from the state.
export function survey({ orders, grades, order, pinned, ...rules }) {
  const listed = parse(order);
  const other = pinned ? parse(pinned) : null;
  const { k, gain, discount } = rules;
  const dcgs = orders.map((one) => dcg(one.map((doc) => grades[doc]), k, gain, discount));
  const best = dcg(ideal(grades), k, gain, discount);
  const values = dcgs.map((one) => (best > 0 ? one / best : 0));
  const yours = valueOf(listed, grades, rules);
  return {
    listed,
    values,
    yours,
    pinned: other && valueOf(other, grades, rules),
    contest: other && contest(listed, other, grades, rules),
    random: values.reduce((sum, value) => sum + value, 0) / values.length,
    floor: Math.min(...values),
    reach: values.filter((value) => value >= yours - SAME).length,
    mine: orders.map((one) => isAllowed(one, listed)),
  };
}

// Where each dot stands, in dots: piled on the lowest level on which none touches it.
export function pile(places, size) {
  const last = []; // of each level, the place of its rightmost dot
  const levels = Array.from(places, () => 0);
  const rising = places.map((_, i) => i).sort((a, b) => places[a] - places[b]);
  for (const i of rising) {
    const free = last.findIndex((place) => places[i] - place >= size);
    levels[i] = free < 0 ? last.length : free;
    last[levels[i]] = places[i];
  }
  return levels;
}

// -------------------------------------------------------------------- the words

function tiesInWords({ listed, mine }) {
  const groups = groupsOf(listed).filter(([first, last]) => last > first);
  if (groups.length === 0) return "";
  const ranks = groups.map(([first, last]) => `${first + 1} to ${last + 1}`).join(" and ");
  const dots = mine.filter(Boolean).length;
  return ` Ranks ${ranks} are tied: this is the mean of the ${dots} dots that the ties allow.`;
}

const TURNS = {
  "true true": "another gain changes that, and so does another discount",
  "true false": "another gain changes that, another discount does not",
  "false true": "another discount changes that, another gain does not",
  "false false": "neither another gain nor another discount changes that",
};

function contestInWords({ contest: found }, k) {
  if (!found) return "";
  const parts = { "ahead of the pinned list": found.up, "behind it": found.down, "level with it": found.same };
  const said = Object.entries(parts).filter(([, cutoffs]) => cutoffs.length > 0);
  const where = said.map(([words, cutoffs]) => `${words} at k = ${cutoffs.join(", ")}`).join(", ");
  return ` Yours is ${where}. At k = ${k} ${TURNS[`${found.gain} ${found.discount}`]}.`;
}

// The state in words: spoken, and held equal to Python's.
export function sentence(found, k) {
  const n = found.values.length;
  const reach = `${found.reach} of ${n} orders reach it`;
  const ties = tiesInWords(found);
  return `Yours has NDCG@${k} = ${found.yours.toFixed(4)}: ${reach}.${ties}${contestInWords(found, k)}`;
}

function levelsInWords({ random, floor }) {
  return (
    `The mean of all dots is ${random.toFixed(4)}: the random level. ` +
    `The lowest is at ${floor.toFixed(4)}: the floor.`
  );
}

// --------------------------------------------------------------- the state line

const NAMES = ["order", "k", "gain", "discount", "pinned"];

function read(model) {
  return Object.fromEntries(["titles", "grades", ...NAMES].map((name) => [name, model.get(name)]));
}

export function writeState({ order, k, gain, discount, pinned }) {
  return `every-order: order="${order}" k=${k} gain=${gain} discount=${discount} pinned="${pinned}"`;
}

const LINE =
  /^\s*every-order:\s*order="([^"]*)"\s+k=(\d{1,18})\s+gain=(\w+)\s+discount=(\w+)\s+pinned="([^"]*)"\s*$/;

// What is wrong with an order, or nothing.
function troubleOf(text, n) {
  const isOne = /^\d+([ =]\d+)*$/.test(text) && isOrder(parse(text).order, n);
  return isOne ? "" : `must hold each of 0 to ${n - 1} once, with a space or = between, got '${text}'`;
}

// What a line says, or what is wrong with it. Python's `restore` answers alike.
export function readState(text, n) {
  const found = LINE.exec(text);
  if (!found) {
    const order = firstOrder(n).join(" ");
    const example = writeState({ order, k: n, gain: "linear", discount: "log", pinned: "" });
    return { trouble: `a line of this list looks like ${example}, got '${text}'` };
  }
  const [order, k, gain, discount, pinned] = [found[1], Number(found[2]), ...found.slice(3)];
  if (troubleOf(order, n)) return { trouble: `order ${troubleOf(order, n)}` };
  if (k < 1 || k > n) return { trouble: `k must be from 1 to ${n}, got ${k}` };
  for (const [name, value] of Object.entries({ gain, discount })) {
    const known = Object.values(RULES[name]);
    if (!known.includes(value)) return { trouble: `${name} must be ${known.join(" or ")}, got '${value}'` };
  }
  if (pinned && troubleOf(pinned, n)) return { trouble: `pinned ${troubleOf(pinned, n)}` };
  return { order, k, gain, discount, pinned };
}

// --------------------------------------------------------------------- the dots

const SIDE = 22; // pixels beside the scale
const ROWS = ["yours", "pinned", "random", "floor"]; // of the labels, from the top
const STREAM = 700; // milliseconds from one place to the next

function sizeOf(n, width) {
  const wide = n > 300 ? 3.5 : n > 60 ? 5.5 : 7;
  return width < 480 ? wide - 1.5 : wide;
}

// Where everything is to stand, in pixels.
function places(found, { width, height, line }) {
  const x = (value) => SIDE + value * (width - 2 * SIDE);
  const [roof, base] = [ROWS.length * line + 6, height - 2.3 * line];
  const radius = sizeOf(found.values.length, width);
  const xs = found.values.map(x);
  const levels = pile(xs, 2 * radius + 0.5);
  const [top, bottom] = [roof + radius, base - radius - 3];
  const step = Math.min(2 * radius + 0.5, (bottom - top) / Math.max(1, ...levels));
  return { x, radius, roof, base, xs, ys: levels.map((level) => bottom - level * step) };
}

function circle(pen, x, y, radius, fill, edge) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.strokeStyle = edge;
  pen.fill();
  pen.stroke();
}

// All dots as they stand in this moment; those that are yours last, above the others.
function paint(canvas, { xs, ys, radius }, found) {
  const scale = canvas.width / canvas.clientWidth;
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  pen.lineWidth = 1;
  const isOne = found.mine.filter(Boolean).length === 1;
  found.mine.forEach((isMine, i) => {
    if (!isMine) circle(pen, xs[i], ys[i], radius, "#9cc4de", "#ffffff");
  });
  pen.lineWidth = 2;
  found.mine.forEach((isMine, i) => {
    if (isMine) circle(pen, xs[i], ys[i], isOne ? radius + 3 : radius + 1, "#d55e00", "#ffffff");
  });
}

const SVG = "http://www.w3.org/2000/svg";

function draw(tag, parent, attributes, text = "") {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  parent.append(element);
  return element;
}

// The scale, and a line with its name for each level, in this moment `at` its place.
function drawLevels(svg, found, { width, line }, { x, roof, base }, at) {
  svg.replaceChildren();
  const empty = { x: x(0), y: roof, width: x(at.floor) - x(0), height: base - roof };
  draw("rect", svg, { ...empty, class: "empty" });
  if (empty.width > 11 * line) {
    const middle = { x: x(at.floor / 2), y: (roof + base) / 2 };
    draw("text", svg, { ...middle, class: "tick" }, "no order can be here");
  }
  draw("line", svg, { x1: x(0), x2: x(1), y1: base, y2: base, class: "axis" });
  for (const tick of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
    draw("line", svg, { x1: x(tick), x2: x(tick), y1: base, y2: base + 5, class: "axis" });
    draw("text", svg, { x: x(tick), y: base + line, class: "tick" }, String(tick));
  }
  const more = width > 17 * line ? " of each order; 1 is the ideal" : "";
  const axis = { x: width / 2, y: base + 2 * line, class: "tick" };
  draw("text", svg, axis, `NDCG@${found.k}${more}`);
  ROWS.forEach((name, row) => {
    if (found[name] === null) return;
    const [here, y] = [x(at[name]), line * (row + 0.75)];
    draw("line", svg, { x1: here, x2: here, y1: y - line / 2, y2: base, class: name });
    const label = draw("text", svg, { y, class: name }, `${name} ${found[name].toFixed(4)}`);
    const wide = label.getComputedTextLength() + 6;
    const isLeft = here > wide && (found[name] > 0.6 || here + wide > width);
    label.setAttribute("x", here + (isLeft ? -6 : 6));
    label.setAttribute("text-anchor", isLeft ? "end" : "start");
  });
}

// The picture: `show(found)` streams all dots from where they are to where they belong.
function buildDots(choose) {
  const box = make("div", "ndcg-dots");
  const canvas = make("canvas", "", "", { role: "img" });
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  box.append(svg, canvas); // dots above the lines
  let now = null; // what is on the screen: places, and what they show
  let last = null; // what is to be on the screen
  let frame = 0;
  const size = () => {
    const line = 1.25 * parseFloat(getComputedStyle(svg).fontSize); // from one row to the next
    return { width: canvas.clientWidth, height: canvas.clientHeight, line };
  };
  const settle = (found, target, at) => {
    now = { at, ...target };
    drawLevels(svg, found, size(), target, at);
    paint(canvas, now, found);
  };
  const show = (found, { isStill = false } = {}) => {
    cancelAnimationFrame(frame);
    last = found;
    const { width, height, line } = size();
    if (width === 0) return; // not on the page yet: the observer will tell
    const scale = Math.min(globalThis.devicePixelRatio ?? 1, 2);
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    const target = places(found, { width, height, line });
    canvas.setAttribute("aria-label", `${found.values.length} orders of the list as dots`);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!now || isStill || calm) {
      settle(found, target, found);
      return;
    }
    const [from, start] = [now, performance.now()];
    const move = (time) => {
      const share = Math.min(Math.max(time - start, 0) / STREAM, 1);
      const eased = share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2;
      const between = (was, will) => was + eased * (will - was);
      const [xs, ys] = ["xs", "ys"].map((way) =>
        target[way].map((place, i) => between(from[way][i], place)),
      );
      const at = ROWS.map((name) => [name, between(from.at[name] ?? found[name], found[name])]);
      settle(found, { ...target, xs, ys }, Object.fromEntries(at));
      if (share < 1) frame = requestAnimationFrame(move);
    };
    frame = requestAnimationFrame(move);
  };
  canvas.addEventListener("click", ({ offsetX, offsetY }) => {
    const far = now.xs.map((x, i) => Math.hypot(x - offsetX, now.ys[i] - offsetY));
    const nearest = far.indexOf(Math.min(...far));
    if (far[nearest] <= 16) choose(nearest);
  });
  const observer = new ResizeObserver(() => show(last, { isStill: true }));
  observer.observe(canvas);
  const stop = () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
  return { box, show, stop };
}

// ------------------------------------------------------------- building the page

function withTie(parts, title, tie) {
  const button = make("button", "ndcg-tie", "=", {
    type: "button",
    "aria-label": `${title}: same score as the document above`,
  });
  button.addEventListener("click", tie);
  parts.row.append(button);
  return { ...parts, tie: button };
}

function buildTable() {
  const details = make("details", "");
  details.append(make("summary", "", "The numbers as a table"));
  const table = make("table", "");
  details.append(table);
  return { details, table };
}

const HELP =
  "Drag a document by its dots, or click a dot of the picture. Keys: Alt + ↑ ↓ one rank, Home top, End bottom.";

function build(model, acts) {
  const state = read(model);
  const slider = buildSlider(state.grades.length, (k) => acts.set({ k }));
  const gain = buildChoice("Gain", RULES.gain, (value) => acts.set({ gain: value }));
  const discount = buildChoice("Discount", RULES.discount, (value) => acts.set({ discount: value }));
  const presets = Object.entries(model.get("presets")).map(([label, values]) =>
    button(label, () => acts.set({ ...model.get("start"), ...values })),
  );
  const buttons = make("div", "ndcg-buttons");
  buttons.append(...presets, button("Reset", () => acts.set(model.get("start"))));
  const head = make("div", "ndcg-head");
  head.append(buildQuestion(model), buttons);
  const controls = make("div", "ndcg-controls");
  controls.append(slider.box, gain.box, discount.box);

  const ranking = buildRanking(state, (row, title, doc) => withTie(row, title, () => acts.tie(doc)));
  const pin = button("Pin list", acts.pin);
  const left = make("div", "ndcg-left");
  const levels = make("p", "ndcg-levels");
  left.append(ranking.list, levels);
  const dots = buildDots(acts.choose);
  const [lower, same, higher] = ["← Lower", "Equal", "Higher →"].map((text, i) =>
    button(text, () => acts.step(i - 1)),
  );
  const steps = make("div", "ndcg-buttons ndcg-steps");
  steps.append(lower, same, higher, pin);
  const right = make("div", "ndcg-right");
  right.append(dots.box, steps);
  const main = make("div", "ndcg-main");
  main.append(left, right);

  const status = make("p", "ndcg-status", "", { role: "status", "aria-live": "polite" });
  const help = make("p", "ndcg-help", HELP);
  const table = buildTable();
  const body = make("div", "ndcg-drag-body");
  const line = make("div", "");
  const field = stateField(line, () => writeState(read(model)), acts.restore);
  body.append(head, controls, main, status, help, table.details, line);
  const choices = { gain, discount };
  return { body, slider, choices, ...ranking, pin, dots, lower, same, higher, levels, status, table, state: field };
}

// --------------------------------------------------------------- showing a state

function rowsOfTable(found, { grades }) {
  const named = { yours: found.yours, pinned: found.pinned, random: found.random, floor: found.floor };
  const levels = Object.entries(named).filter(([, value]) => value !== null);
  const seen = new Map(); // each value, falling, with its orders
  found.values
    .map((value, i) => [value.toFixed(4), found.orders[i].map((doc) => grades[doc]).join(" ")])
    .sort(([a], [b]) => b - a)
    .forEach(([value, order]) => seen.set(value, [...(seen.get(value) ?? []), order]));
  const values = [...seen].map(([value, orders]) => [
    `grades ${[...new Set(orders)].slice(0, 3).join(", ")}${new Set(orders).size > 3 ? ", …" : ""}`,
    value,
    orders.length,
  ]);
  return [...levels.map(([name, value]) => [name, value.toFixed(4), ""]), ...values];
}

function showTable({ details, table }, found, state) {
  table.replaceChildren();
  if (!details.open) return;
  const head = table.createTHead().insertRow();
  for (const name of ["what", `NDCG@${state.k}`, "orders"]) {
    head.append(make("th", "", name, { scope: "col" }));
  }
  const body = table.createTBody();
  for (const cells of rowsOfTable(found, state)) {
    const line = body.insertRow();
    for (const cell of cells) line.insertCell().textContent = cell;
  }
}

// The values that are not this one, falling or rising from it; and the orders of the same.
function neighbors({ values, yours }) {
  const below = values.filter((value) => value < yours - SAME);
  const above = values.filter((value) => value > yours + SAME);
  const at = (value) => values.findIndex((one) => Math.abs(one - value) < SAME);
  const same = values.map((_, i) => i).filter((i) => Math.abs(values[i] - yours) < SAME);
  return {
    lower: below.length > 0 ? at(Math.max(...below)) : null,
    higher: above.length > 0 ? at(Math.min(...above)) : null,
    same,
  };
}

function show(page, state, found) {
  const { tied } = found.listed;
  page.slider.input.value = state.k;
  page.slider.output.textContent = state.k;
  for (const name of ["gain", "discount"]) page.choices[name].show(state[name]);
  const { order } = found.listed;
  showRanks(page, { ...state, order, shown: true });
  order.forEach((doc, i) => {
    const { row, tie } = page.rows[doc];
    tie.setAttribute("aria-pressed", i > 0 && tied[i - 1]);
    tie.setAttribute("aria-disabled", i === 0);
    row.classList.toggle("tied", i > 0 && tied[i - 1]);
  });
  arrangeInMotion(page.list, order.map((doc) => page.rows[doc].row));
  const { lower, same, higher } = neighbors(found);
  page.lower.setAttribute("aria-disabled", lower === null);
  page.higher.setAttribute("aria-disabled", higher === null);
  page.same.setAttribute("aria-disabled", same.length < 2);
  page.same.textContent = `Equal: ${same.length} order${same.length === 1 ? "" : "s"}`;
  page.pin.textContent = state.pinned ? "Unpin list" : "Pin list";
  page.levels.textContent = levelsInWords(found);
  page.status.textContent = sentence(found, state.k);
  showTable(page.table, found, state);
  page.dots.show(found);
  page.state.showLine();
  page.state.showTrouble("");
}

// ------------------------------------------------------------------ what a user does

function actions(model, look) {
  const set = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const listed = () => parse(model.get("order"));
  const place = (doc) => listed().order.indexOf(doc);
  const untied = (order) => write({ order, tied: order.map(() => false) });
  return {
    set,
    place,
    move: (doc, target) => {
      const { order, tied } = listed();
      if (target < 0 || target >= order.length || target === place(doc)) return false;
      set({ order: write({ order: moved(order, place(doc), target), tied }) });
      return true;
    },
    tie: (doc) => {
      const { order, tied } = listed();
      const above = place(doc) - 1;
      if (above >= 0) set({ order: write({ order, tied: tied.with(above, !tied[above]) }) });
    },
    pin: () => set({ pinned: model.get("pinned") ? "" : model.get("order") }),
    choose: (i) => set({ order: untied(look().orders[i]) }),
    // To the next lower dot, the next order of the same value, the next higher dot.
    step: (way) => {
      const found = look();
      const { lower, same, higher } = neighbors(found);
      const mine = found.mine.indexOf(true);
      const next = same[(same.indexOf(mine) + 1) % same.length];
      set({ order: untied(found.orders[[lower, next, higher][way + 1]]) });
    },
  };
}

export default {
  render({ model, el }) {
    keepListening(model);
    el.classList.add("ndcg-explorer", "ndcg-drag", "ndcg-every");
    const orders = permutations(firstOrder(model.get("grades").length));
    const look = () => {
      const state = read(model);
      return { ...survey({ ...state, orders }), orders, k: state.k };
    };
    const acts = actions(model, look);
    acts.restore = (text) => takeLine(page, readState(text, model.get("grades").length), acts.set);
    const page = build(model, acts);
    const starts = [model.get("start"), ...Object.values(model.get("presets"))];
    el.append(page.body);
    letMove(page, acts, model.get("titles"));
    page.table.details.addEventListener("toggle", () => showTable(page.table, look(), read(model)));
    const stop = follow(model, el, () => {
      const [state, found] = [read(model), look()];
      const isAboutTies = [state, ...starts].some(({ order }) => order?.includes("="));
      page.body.classList.toggle("with-ties", isAboutTies);
      show(page, state, found);
    });
    return () => {
      page.dots.stop();
      stop();
    };
  },
};
