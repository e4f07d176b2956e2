// The pad on which a discount is drawn: one native vertical <input type=range> for each
// rank, their thumbs the points of a curve. All that is shown is a function of the
// model's traits. A pointer draws across the whole pad, so it is the pad that listens to
// it, not the single slider; the sliders are for the keyboard and for screen readers.

import { make } from "./elements.js";
import { keepListening } from "./listen.js";
import { typeset } from "./typeset.js";

const HIGHEST = 100;
const SVG = "http://www.w3.org/2000/svg";
const MOVED = 1; // the place whose point has arrows, as what is dragged has everywhere
const HELP = "Draw it. No rank may outweigh the one before it.";

// ------------------------------------------------------------------ the rule

// Weights with one of them set: whoever is lifted lifts those before it, whoever is
// lowered lowers those after it. Else sorting would not give the ideal order.
export function moved(weights, place, height) {
  const least = place === 0 ? 1 : 0; // nothing but zeros is not a discount
  const value = Math.min(Math.max(Math.round(height), least), HIGHEST);
  return weights.map((weight, i) => {
    if (i === place) return value;
    return i < place ? Math.max(weight, value) : Math.min(weight, value);
  });
}

// A stroke from one point to the next: a fast pointer leaves ranks out, the line does not.
export function stroke(weights, from, to) {
  const way = Math.sign(to.place - from.place);
  let drawn = weights;
  for (let place = from.place + way; way !== 0 && place !== to.place; place += way) {
    const share = (place - from.place) / (to.place - from.place);
    drawn = moved(drawn, place, from.height + share * (to.height - from.height));
  }
  return moved(drawn, to.place, to.height);
}

// ------------------------------------------------------------- building the page

function drawing(tag, className, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  element.setAttribute("class", className);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// In percent of the pad: nothing is measured, so nothing is wrong after a resize.
const across = (place, n) => (100 * (place + 0.5)) / n;

function points(weights) {
  const down = (weight) => Number((HIGHEST - weight).toFixed(4));
  return weights.map((weight, i) => `${across(i, weights.length)},${down(weight)}`).join(" ");
}

function buildKey() {
  // A screen reader hears from the choice what is compared, and from each slider its weight.
  const key = make("p", "ndcg-pad-key", "", { "aria-hidden": "true" });
  const ghostName = make("span", "");
  key.append(
    make("i", "ndcg-pad-mark own"),
    make("span", "", "yours"),
    make("i", "ndcg-pad-mark ghost"),
    ghostName,
  );
  return { key, ghostName };
}

function buildCurves() {
  const svg = drawing("svg", "ndcg-pad-curves", {
    viewBox: `0 0 100 ${HIGHEST}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  for (let height = 0; height <= HIGHEST; height += 20) {
    svg.append(drawing("line", "grid", { x1: 0, x2: 100, y1: height, y2: height }));
  }
  const ghost = drawing("polyline", "ghost");
  const own = drawing("polyline", "own");
  svg.append(ghost, own);
  return { svg, ghost, own };
}

function buildRank(place, n) {
  const input = make("input", "", "", {
    type: "range",
    min: 0,
    max: HIGHEST,
    step: 1,
    "aria-label": `Weight of rank ${place + 1}`,
  });
  input.style.left = `${across(place, n)}%`;
  const mark = make("i", "ndcg-pad-mark ghost", "", { "aria-hidden": "true" });
  mark.style.left = `${across(place, n)}%`;
  return { input, mark, output: make("output", "", "", { "aria-hidden": "true" }) };
}

function buildScale() {
  const scale = make("div", "ndcg-pad-scale", "", { "aria-hidden": "true" });
  for (let height = 0; height <= HIGHEST; height += 20) {
    const tick = make("span", "", height);
    tick.style.bottom = `${height}%`;
    scale.append(tick);
  }
  return scale;
}

function build(el, n) {
  el.classList.add("ndcg-pad");
  el.setAttribute("role", "group");
  const { key, ghostName } = buildKey();
  const { svg, ghost, own } = buildCurves();
  const ranks = Array.from({ length: n }, (_, place) => buildRank(place, n));
  const plot = make("div", "ndcg-pad-plot");
  const ways = make("i", "ndcg-pad-ways", "", { "aria-hidden": "true" });
  ways.style.left = `${across(MOVED, n)}%`;
  plot.append(svg, ...ranks.map(({ mark }) => mark), ...ranks.map(({ input }) => input), ways);
  const heads = make("div", "ndcg-pad-row", "", { "aria-hidden": "true" });
  heads.append(make("b", "", "rank"), ...ranks.map((_, place) => make("span", "", place + 1)));
  const marked = ranks.map(() => make("span", ""));
  const grades = make("div", "ndcg-pad-row", "", { "aria-hidden": "true" });
  grades.append(make("b", "", "grade"), ...marked);
  const values = make("div", "ndcg-pad-row values", "", { "aria-hidden": "true" });
  values.append(make("b", "", "weight"), ...ranks.map(({ output }) => output));
  el.append(key, buildScale(), plot, heads, values, make("p", "ndcg-pad-help", HELP));
  return { ghostName, ghost, own, plot, ways, ranks, heads, grades, marked };
}

// --------------------------------------------------------------- showing a state

const read = (model) => model.get("value").split(" ").map(Number);

function show(page, el, model) {
  const [weights, ghost] = [read(model), model.get("ghost")];
  el.setAttribute("aria-label", model.get("label"));
  page.own.setAttribute("points", points(weights));
  page.ghost.setAttribute("points", points(ghost));
  page.ghostName.replaceChildren();
  typeset(page.ghostName, model.get("ghost_name"));
  page.ways.style.bottom = `${weights[MOVED]}%`;
  const grades = model.get("grades");
  if (grades.length) page.heads.after(page.grades);
  else page.grades.remove();
  page.marked.forEach((mark, i) => { mark.textContent = grades[i] ?? ""; });
  page.ranks.forEach(({ input, mark, output }, i) => {
    input.value = weights[i];
    output.textContent = weights[i];
    mark.style.bottom = `${ghost[i]}%`;
    mark.hidden = ghost[i] === undefined;
  });
}

// ------------------------------------------------------------------ what a user does

// Up and right raise, down and left lower, in every browser: for upright sliders they do
// not all agree what left and right are.
const STEPS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 };

function listenToKeys(place, page, model, set) {
  const { input } = page.ranks[place];
  const ends = { Home: 0, End: HIGHEST };
  input.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const height = event.key in STEPS ? read(model)[place] + STEPS[event.key] : ends[event.key];
    if (height === undefined) return;
    event.preventDefault();
    set(moved(read(model), place, height));
  });
  // Screen readers and speech move a slider without a key.
  input.addEventListener("input", () => set(moved(read(model), place, Number(input.value))));
}

const GRIP = 14; // pixels around a point where it is taken as it is, and does not jump
const MIDDLE = 0.1; // of a column, on both sides of its point

// Mouse, pen and finger alike. While the pointer stays over one rank, the rank follows it
// and its neighbors come back with it. A rank that was left behind keeps the height that
// the pointer had at the middle of its column: there is its point.
function listenToPointer(page, model, set) {
  const { plot, ranks } = page;
  let drag = null;
  const pointAt = (event) => {
    const box = plot.getBoundingClientRect();
    const x = (ranks.length * (event.clientX - box.left)) / box.width - 0.5;
    const place = Math.min(Math.max(Math.round(x), 0), ranks.length - 1);
    const y = drag ? event.clientY - drag.grip : event.clientY;
    const height = (HIGHEST * (box.bottom - y)) / box.height;
    const inside = Math.min(Math.max(height, 0), HIGHEST);
    return { place, height: inside, away: Math.abs(x - place) };
  };
  const gripOf = (event, place) => {
    const box = plot.getBoundingClientRect();
    const away = event.clientY - (box.bottom - (box.height * read(model)[place]) / HIGHEST);
    return Math.abs(away) <= GRIP ? away : 0;
  };
  const draw = (event) => {
    const to = pointAt(event);
    if (to.place !== drag.middle.place) {
      drag.before = stroke(drag.before, drag.from, drag.middle);
      drag.from = drag.middle;
      drag.middle = to;
      ranks[to.place].input.focus({ preventScroll: true });
    } else if (to.away <= Math.max(MIDDLE, drag.middle.away)) {
      drag.middle = to;
    }
    set(stroke(drag.before, drag.from, to));
  };
  plot.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    plot.setPointerCapture(event.pointerId);
    const { place } = pointAt(event);
    drag = { grip: gripOf(event, place), before: read(model) };
    drag.from = pointAt(event);
    drag.middle = drag.from;
    ranks[place].input.focus({ preventScroll: true });
    draw(event);
  });
  plot.addEventListener("pointermove", (event) => {
    if (drag) draw(event);
  });
  const end = () => {
    drag = null;
  };
  plot.addEventListener("pointerup", end);
  plot.addEventListener("pointercancel", end);
  plot.addEventListener("lostpointercapture", end);
  // The focus stays on the slider: the pad below it would give it to the cell.
  plot.addEventListener("mousedown", (event) => event.preventDefault());
}

export default {
  render({ model, el }) {
    keepListening(model);
    const page = build(el, read(model).length);
    const set = (weights) => {
      const value = weights.join(" ");
      if (value !== model.get("value")) {
        model.set("value", value);
        model.save_changes();
      }
      show(page, el, model); // a slider that was moved against the rule is put back
    };
    page.ranks.forEach((_, place) => listenToKeys(place, page, model, set));
    listenToPointer(page, model, set);
    const redraw = () => show(page, el, model);
    model.on("change", redraw);
    redraw();
    return () => model.off("change", redraw);
  },
};
