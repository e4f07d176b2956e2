// The picture of a list as one dot among all of its orders, on the scale of NDCG. Scores may be
// equal, and a list may be pinned, to compare with.

import { make } from "../../../coursekit/widgets/static/elements.js";
import { button, isCalm } from "./list.js";
import { SAME, dcg, direction, discountOf, firstOrder, gainOf, ideal, parse, sum, write } from "./ranking.js";

// ------------------------------------------------------------------ the numbers
// A test holds them equal to Python's to 1e-12.

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
export function valueOf(listed, grades, rules) {
  const { k, gain, discount } = rules;
  const ranked = listed.order.map((doc) => grades[doc]);
  const best = dcg(ideal(grades), rules);
  const shared = groupsOf(listed).flatMap(([first, last]) => {
    const gains = ranked.slice(first, last + 1).map((grade) => gainOf(grade, gain));
    return gains.map(() => sum(gains) / gains.length);
  });
  const terms = shared.map((one, i) => (i < k ? one * discountOf(i + 1, discount) : 0));
  return best > 0 ? sum(terms) / best : 0;
}

// Whether an order is one of those that the scores of a list allow.
function isAllowed(order, listed) {
  return groupsOf(listed).every(([first, last]) => {
    const group = listed.order.slice(first, last + 1);
    return order.slice(first, last + 1).every((doc) => group.includes(doc));
  });
}

const OTHER = { linear: "exponential", exponential: "linear", log: "reciprocal", reciprocal: "log" };

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
  const turns = (name) => ahead({ [name]: OTHER[rules[name]] }) !== now;
  return { ...found, gain: turns("gain"), discount: turns("discount") };
}

// All that is shown, from the state.
export function survey({ orders, grades, order, tied, pinned, ...rules }) {
  const listed = { order, tied };
  const other = pinned ? parse(pinned) : null;
  const dcgs = orders.map((one) => dcg(one.map((doc) => grades[doc]), rules));
  const best = dcg(ideal(grades), rules);
  const values = dcgs.map((one) => (best > 0 ? one / best : 0));
  const yours = valueOf(listed, grades, rules);
  const mine = orders.map((one) => isAllowed(one, listed));
  const reaching = values.map((value) => value >= yours - SAME);
  return {
    values,
    yours,
    pinned: other && valueOf(other, grades, rules),
    contest: other && contest(listed, other, grades, rules),
    random: sum(values) / values.length,
    floor: Math.min(...values),
    reaching,
    reach: reaching.filter(Boolean).length,
    mine,
    allowed: mine.filter(Boolean).length,
  };
}

// Where each dot stands, in dots: piled on the lowest level on which none touches it.
export function pile(places, size) {
  // Of each level, the place of its rightmost dot.
  const last = [];
  const levels = [];
  const rising = places.map((_, i) => i).sort((a, b) => places[a] - places[b]);
  for (const i of rising) {
    const free = last.findIndex((place) => places[i] - place >= size);
    levels[i] = free < 0 ? last.length : free;
    last[levels[i]] = places[i];
  }
  return levels;
}

// -------------------------------------------------------------------- the words

// As 1, 2 and 3.
function withAnd(values) {
  const [first, last] = [values.slice(0, -1), values.at(-1)];
  return first.length > 0 ? `${first.join(", ")} and ${last}` : String(last);
}

function tiesInWords({ allowed, ...listed }) {
  const groups = groupsOf(listed).filter(([first, last]) => last > first);
  if (groups.length === 0) return "";
  const ranks = withAnd(groups.map(([first, last]) => `${first + 1} to ${last + 1}`));
  return ` Ranks ${ranks} are tied, so this is the mean of the ${allowed} dots that the ties allow.`;
}

const TURNS = {
  "true true": "another gain changes that, and so does another discount",
  "true false": "another gain changes that, but another discount does not",
  "false true": "another discount changes that, but another gain does not",
  "false false": "neither another gain nor another discount changes that",
};

function contestInWords({ contest: found, k }) {
  if (!found) return "";
  const parts = { "ahead of": found.up, behind: found.down, "level with": found.same };
  const said = Object.entries(parts).filter(([, cutoffs]) => cutoffs.length > 0);
  const at = said.map(([words, cutoffs]) => `${words} it at k = ${withAnd(cutoffs)}`);
  const where = at.join(", and ").replace(" it ", " the pinned list "); // the first
  return ` Yours is ${where}. At k = ${k} ${TURNS[`${found.gain} ${found.discount}`]}.`;
}

const restInWords = (found) => tiesInWords(found) + contestInWords(found);

const reachInWords = ({ reach, values }) => `${reach} of ${values.length} orders score at least as well`;

// The state in words: spoken, and held equal to Python's.
export function sentence(found) {
  const yours = `Your list has NDCG@${found.k} = ${found.yours.toFixed(4)}`;
  return `${yours}, and ${reachInWords(found)}.${restInWords(found)}`;
}

// What stands below the list: the levels, and what the headline and the picture do not say.
function levelsInWords(found) {
  const { random, floor } = found;
  return (
    `The mean of all dots, ${random.toFixed(4)}, is the random level. ` +
    `The lowest dot, ${floor.toFixed(4)}, is the floor.${restInWords(found)}`
  );
}

// --------------------------------------------------------------------- the dots

const SIDE = 22; // pixels beside the scale
// Of the labels, from the top. Lines lie over those from above, so that none is hidden whole.
const ROWS = ["random", "pinned", "yours", "floor"];
// Distinct values whose orders are counted above their piles.
const FEW = 6;
// Pixels: the least radius, and what parts two of a pile.
const [LEAST, AIR] = [2.5, 0.5];
// Milliseconds from one place to the next.
const STREAM = 700;

function sizeOf(n, width) {
  const wide = n > 300 ? 3.5 : n > 60 ? 5.5 : 7;
  return width < 480 ? wide - 1.5 : wide;
}

// The levels of dots at these places, so small that their piles are no higher than there is room,
// down to a radius of LEAST.
export function fitted(xs, radius, room) {
  const levels = pile(xs, 2 * radius + AIR);
  const isLow = Math.max(...levels) * (2 * radius + AIR) + 2 * radius <= room;
  return isLow || radius <= LEAST ? { radius, levels } : fitted(xs, radius - 0.5, room);
}

// By value, with so many digits: its orders.
function ordersByValue({ values }, digits) {
  const piles = new Map();
  values.forEach((value, i) => {
    const name = value.toFixed(digits);
    piles.set(name, [...(piles.get(name) ?? []), i]);
  });
  return [...piles];
}

// Where everything is to stand, in pixels.
function places(found, { width, height, line }) {
  const x = (value) => SIDE + value * (width - 2 * SIDE);
  const piles = ordersByValue(found, 9);
  const counted = piles.length <= FEW ? piles : [];
  // The count of the highest pile is a row below the lowest label.
  const rows = ROWS.length + Math.min(counted.length, 1);
  const [roof, base] = [rows * line + 6, height - 2.3 * line];
  const xs = found.values.map(x);
  const { radius, levels } = fitted(xs, sizeOf(found.values.length, width), base - 3 - roof);
  const [top, bottom] = [roof + radius, base - radius - 3];
  const step = Math.min(2 * radius + AIR, (bottom - top) / Math.max(1, ...levels));
  // Where dots are dense, rims would be all that is seen.
  const rim = Math.min(1, step / 4);
  const ys = levels.map((level) => bottom - level * step);
  return { x, radius, rim, roof, base, xs, ys, counted };
}

function circle(pen, x, y, radius, fill) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
  pen.stroke();
}

// All dots as they stand now; yours last, above the others.
function paint(canvas, { xs, ys, radius, rim }, found) {
  const scale = canvas.width / canvas.clientWidth;
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  pen.strokeStyle = "#fff";
  pen.lineWidth = rim;
  found.mine.forEach((isMine, i) => {
    if (!isMine) circle(pen, xs[i], ys[i], radius, found.reaching[i] ? "#0072b2" : "#949494");
  });
  pen.lineWidth = 2;
  found.mine.forEach((isMine, i) => {
    if (isMine) circle(pen, xs[i], ys[i], radius + (found.allowed > 1 ? 1 : 3), "#d55e00");
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

// Where no order can be: a ground as on charts, and words if there is room.
function drawEmpty(svg, [left, right], [top, bottom], line) {
  const wide = right - left;
  draw("rect", svg, { x: left, y: top, width: wide, height: bottom - top });
  if (wide < 6 * line) return;
  ["no order", "can be here"].forEach((words, row) => {
    const y = (top + bottom) / 2 + (row - 0.2) * line;
    draw("text", svg, { x: left + wide / 2, y, class: "tick empty" }, words);
  });
}

// The scale, and a named line for each level, now `at` its place.
function drawLevels(svg, found, { width, line }, { x, xs, ys, radius, roof, base, counted }, at) {
  svg.replaceChildren();
  drawEmpty(svg, [x(0), x(at.floor)], [roof, base], line);
  draw("line", svg, { x1: x(0), x2: x(1), y1: base, y2: base, class: "axis" });
  for (const tick of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
    draw("line", svg, { x1: x(tick), x2: x(tick), y1: base, y2: base + 5, class: "axis" });
    draw("text", svg, { x: x(tick), y: base + line, class: "tick" }, tick);
  }
  const axis = { x: width / 2, y: base + 2 * line, class: "tick" };
  const key = draw("text", svg, axis, `NDCG@${found.k}: `);
  const dots = { reaching: "no worse, ", lower: "worse" };
  if (width > 20 * line) dots.lower += "; 1 is the ideal";
  for (const [name, words] of Object.entries(dots)) {
    draw("tspan", key, { class: name }, "●");
    key.append(` ${words}`);
  }
  const lines = ROWS.map((name, row) => ({ name, y: line * (row + 0.75), x: x(at[name]) }))
    .filter(({ name }) => found[name] !== null);
  for (const { name, y, x: here } of lines) {
    const inDot = name === "yours" && found.allowed === 1;
    const end = inDot ? ys[found.mine.indexOf(true)] : base;
    draw("line", svg, { x1: here, x2: here, y1: end, y2: y - line / 2, class: name });
  }
  // Words cover the lines: one through a number makes another number of it.
  for (const [, pile] of counted) {
    const y = Math.min(...pile.map((i) => ys[i])) - radius - 4;
    draw("text", svg, { x: xs[pile[0]], y, class: "tick" }, String(pile.length));
  }
  lines.forEach(({ name, y, x: here }, i) => {
    const label = draw("text", svg, { y, class: name }, `${name} ${found[name].toFixed(4)}`);
    const wide = label.getComputedTextLength() + 6;
    // Where it has room, and fewer lines cross it.
    const crossed = (from) => from < 0 || from + wide > width ? 9
      : lines.slice(0, i).filter(({ x: other }) => other > from && other < from + wide).length;
    const more = crossed(here) - crossed(here - wide);
    const isLeft = more > 0 || (more === 0 && found[name] > 0.6);
    label.setAttribute("x", here + (isLeft ? -6 : 6));
    label.setAttribute("text-anchor", isLeft ? "end" : "start");
  });
}

// The picture: `show(found)` streams all dots from where they are to where they belong.
function buildDots(choose) {
  const box = make("div", "ndcg-dots");
  const canvas = make("canvas", "", "", { role: "img" });
  const svg = draw("svg", box, { "aria-hidden": true });
  box.append(canvas); // dots above the lines
  // What is on the screen.
  let now = null;
  // What is to be on the screen.
  let last = null;
  let frame = 0;
  const size = () => {
    // From one row to the next.
    const line = 1.25 * parseFloat(getComputedStyle(svg).fontSize);
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
    const room = size();
    if (room.width === 0) return; // not on the page yet: the observer will tell
    const scale = Math.min(globalThis.devicePixelRatio ?? 1, 2);
    [canvas.width, canvas.height] = [room.width, room.height].map((side) => Math.round(side * scale));
    const target = places(found, room);
    canvas.setAttribute("aria-label", `${found.values.length} orders of the list as dots`);
    if (!now || isStill || isCalm()) {
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
  const button = make("button", "ndcg-step ndcg-tie", "=", {
    type: "button",
    "aria-label": `${title}: same score as the document above`,
  });
  button.addEventListener("click", tie);
  parts.row.append(button);
  return { ...parts, tie: button };
}

// ------------------------------------------------------------------------ its table

function tableOfOrders(found) {
  const levels = ROWS.filter((name) => found[name] !== null)
    .map((name) => [name, found[name].toFixed(4), ""]);
  const gradesOf = (i) => found.orders[i].map((doc) => found.grades[doc]).join(" ");
  const falling = ordersByValue(found, 4).sort(([a], [b]) => b - a);
  const values = falling.map(([value, orders]) => {
    const looks = [...new Set(orders.map(gradesOf))];
    const some = looks.slice(0, 3).join(", ") + (looks.length > 3 ? ", …" : "");
    return [`grades ${some}`, value, orders.length];
  });
  return [["what", `NDCG@${found.k}`, "orders"], ...levels, ...values];
}

// -------------------------------------------------------------------- where to go next

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

// ---------------------------------------------------------------------- the picture

/** Return the picture of a list, as listed.js has it: dots beside it, a button for ties in its rows. */
export function dots({ titles, start, presets, aside }, acts) {
  const isPinAside = aside.includes("pinned");
  const orders = permutations(firstOrder(titles.length));
  const starts = [start, ...Object.values(presets)];
  const place = (i) => acts.set({ order: write({ order: orders[i] }) });
  // To the next lower dot, the next order of the same value, the next higher dot.
  const step = (way) => {
    const found = look(acts.state());
    const { lower, same, higher } = neighbors(found);
    const next = same[(same.indexOf(found.mine.indexOf(true)) + 1) % same.length];
    place([lower, next, higher][way + 1]);
  };
  const pin = button("Pin list", () => {
    const { order, tied, pinned } = acts.state();
    acts.set({ pinned: pinned ? "" : write({ order, tied }) });
  });
  const chart = buildDots(place);
  const [lower, same, higher] = ["← Lower", "Equal", "Higher →"].map((text, i) =>
    button(text, () => step(i - 1)),
  );
  const headline = make("p", "ndcg-headline", "", { "aria-hidden": "true" }); // the sentence says it
  const levels = make("p", "ndcg-levels");
  const look = (state) => ({ ...state, ...survey({ ...state, orders }), orders });
  return {
    above: [headline],
    buttons: [],
    help: "Drag a document, or click a dot. With keys: Alt + ↑ or ↓, Home, End.",
    aside: isPinAside ? [pin] : [],
    extend: (parts, title, doc) => withTie(parts, title, () => acts.tie(doc)),
    beside(list) {
      const [left, right] = [make("div", "ndcg-left"), make("div", "ndcg-right")];
      const steps = make("div", "ndcg-buttons ndcg-steps");
      left.append(list, levels);
      steps.append(lower, same, higher, ...(isPinAside ? [] : [pin]));
      right.append(chart.box, steps);
      return [left, right];
    },
    look,
    table: tableOfOrders,
    said: (_before, now) => sentence(now),
    show({ body, rows }, now) {
      const isAboutTies = now.tied.includes(true) || starts.some(({ order }) => order?.includes("="));
      body.classList.toggle("with-ties", isAboutTies);
      now.order.forEach((doc, i) => {
        const { row, tie } = rows[doc];
        const isTied = i > 0 && now.tied[i - 1];
        tie.setAttribute("aria-pressed", isTied);
        tie.setAttribute("aria-disabled", i === 0);
        row.classList.toggle("tied", isTied);
      });
      const next = neighbors(now);
      lower.setAttribute("aria-disabled", next.lower === null);
      higher.setAttribute("aria-disabled", next.higher === null);
      same.setAttribute("aria-disabled", next.same.length < 2);
      same.textContent = `Equal: ${next.same.length} order${next.same.length === 1 ? "" : "s"}`;
      pin.textContent = now.contest ? "Unpin list" : "Pin list";
      headline.textContent = `${reachInWords(now)} as this one`;
      levels.textContent = levelsInWords(now);
      chart.show(now);
    },
    stop: chart.stop,
  };
}
