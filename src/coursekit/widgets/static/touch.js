// A control that a press or a drag in the figure sets, beside its slider (see seat.js).
//
// `touch` says for the x axis of a panel which control stands on it, with the slider's own
// traits: { x: { control, label, origin, unit, min, max, value } }; "around x" in place of x is a
// control that turns around the panel's 0, in degrees from the right. What is touched is sent as
// { set: { control: value } }; whoever answers, a kernel or not, redraws with another `touch`.

const MOST_MS = 300; // to wait for the redraw that answers, before the next value is sent
const SLOP = 4; // pixels that a finger may tremble
const AROUND = "around ";
const HOLD = 20; // degrees from what turns: there a finger takes hold of it

/** Return the value of a control nearest to a number on its axis. */
export function nearest({ origin, unit, min, max }, x) {
  return Math.min(Math.max(Math.round((x - origin) / unit), min), max);
}

/** Return the value of a control that turns, nearest to degrees: from its last one on to its first. */
export function turned({ origin, unit, min, max }, degrees) {
  const turn = max - min + 1;
  const steps = Math.round((degrees - origin) / unit) - min;
  return min + (((steps % turn) + turn) % turn);
}

// The part of a panel that hears the mouse, and what it sets: the key in `touch`.
const keyOf = (panel, touch) => {
  const [axis] = /^x\d*/.exec(panel.dataset.subplot);
  return [axis, AROUND + axis].find((key) => key in touch);
};
const panelAt = (target, touch) => {
  const panel = target.closest?.(".nsewdrag");
  return panel && keyOf(panel, touch) ? panel : null;
};

// The value of a control where a pointer is, on its axis or around the middle of its panel.
function valueAt(figure, panel, { clientX, clientY }, touch) {
  const { xaxis, yaxis } = figure._fullLayout._plots[panel.dataset.subplot];
  const { left, top, width, height } = panel.getBoundingClientRect();
  const x = xaxis.p2d(((clientX - left) / width) * xaxis._length);
  const y = yaxis.p2d(((clientY - top) / height) * yaxis._length);
  const key = keyOf(panel, touch);
  if (!key.startsWith(AROUND)) return nearest(touch[key], x);
  return turned(touch[key], (Math.atan2(y, x) * 180) / Math.PI);
}

// Shows that it can be dragged, and which ways. What turns has its own. It has the color of the
// line that it moves, where the control gives a line its name.
const INK = "#222222";
const PIXELS = { xsizemode: "pixel", ysizemode: "pixel", yanchor: 0 };
const THUMB = { ...PIXELS, type: "circle", x0: -8, x1: 8, y0: -8, y1: 8, line: { color: "#fff", width: 2 } };
const WAYS = { ...PIXELS, type: "path" };
const strokes = (color) => [{ color: "#fff", width: 6 }, { color, width: 2 }]; // seen on dots, too
const DOWN = "M -14 -5 L -19 0 L -14 5"; // to lower values
const UP = "M 14 -5 L 19 0 L 14 5";

const onAxes = (touch) => Object.entries(touch).filter(([key]) => !key.startsWith(AROUND));

/** Return a figure with a thumb on each axis that can be touched, where its control stands. */
export function withThumbs({ data, layout }, touch) {
  const { shapes = [] } = layout;
  const touched = onAxes(touch).map(([xref, { control, origin, unit, min, max, value }]) => {
    const color = shapes.find(({ name }) => name === control)?.line.color ?? INK;
    const at = { xref, yref: `${xref.replace("x", "y")} domain`, xanchor: origin + unit * value };
    const path = [value > min && DOWN, value < max && UP].filter(Boolean).join(" ");
    return { at, color, path, visible: path !== "" };
  });
  const ways = touched.flatMap(({ at, color, ...way }) =>
    strokes(color).map((line) => ({ ...WAYS, ...at, ...way, line })));
  const thumbs = touched.map(({ at, color }) => ({ ...THUMB, ...at, fillcolor: color }));
  // The thumbs are the last: see thumbsOf.
  return { data, layout: { ...layout, shapes: [...shapes, ...ways, ...thumbs] } };
}

/** Return the drawn thumbs: [[label of the control, element]]. */
export function thumbsOf(figure, touch) {
  const touched = onAxes(touch);
  const first = figure.layout.shapes.length - touched.length;
  const drawn = (i) => figure.querySelector(`.shapelayer [data-index="${first + i}"]`);
  return touched.map(([, { label }], i) => [label, drawn(i)]);
}

/** Say by the cursor where the figure can be touched; scrolling by a finger goes on there. */
export function showTouch(figure, touch) {
  figure.classList.toggle("ndcg-touch", Object.keys(touch).length > 0);
  for (const panel of figure.querySelectorAll(".nsewdrag")) {
    const key = keyOf(panel, touch);
    panel.classList.toggle("ndcg-touch", Boolean(key));
    panel.classList.toggle("ndcg-turn", Boolean(key?.startsWith(AROUND)));
  }
}

/** Let a figure be touched: `touchOf()` is the present `touch`, `send` takes what to set. */
export function letTouch(figure, touchOf, send) {
  let held = null; // the pointer that is down: its id, key and start
  let wanted = null; // the value it points to
  let sent = null; // the value under way, and until when the next one waits for it
  let asked = null; // the last one sent: the answer may be another value, the nearest there is
  const forward = () => {
    const at = held && touchOf()[held.key];
    if (!at || [null, asked, (sent ?? at).value].includes(wanted)) return;
    if (performance.now() < sent?.until) return;
    asked = wanted;
    sent = { value: wanted, until: performance.now() + MOST_MS };
    send({ set: { [at.control]: wanted } });
  };
  const point = (event) => {
    const touch = touchOf();
    const panels = [...figure.querySelectorAll(".nsewdrag")];
    const panel = panels.find((one) => keyOf(one, touch) === held.key);
    if (!panel || !touch[held.key]) return; // another figure came meanwhile
    wanted = valueAt(figure, panel, event, touch);
    forward();
  };
  // A finger that goes down the page scrolls it, and sets nothing on its way.
  const isSliding = ({ clientX, clientY }) => {
    const [across, along] = [Math.abs(clientX - held.x), Math.abs(clientY - held.y)];
    return across > SLOP && across > along;
  };
  // What turns goes any way: a finger on it takes it along, and does not scroll.
  const isHeld = (panel, event) => {
    const touch = touchOf();
    const key = keyOf(panel, touch);
    if (!key.startsWith(AROUND)) return false;
    const { min, max, value } = touch[key];
    const [turn, away] = [max - min + 1, Math.abs(valueAt(figure, panel, event, touch) - value)];
    return Math.min(away, turn - away) * touch[key].unit <= HOLD;
  };
  const down = (event) => {
    const panel = panelAt(event.target, touchOf());
    if (!panel || !event.isPrimary || event.button !== 0) return;
    event.preventDefault(); // else plotly would zoom
    figure.setPointerCapture(event.pointerId);
    const { pointerId: id, clientX: x, clientY: y } = event;
    const slides = event.pointerType !== "touch" || isHeld(panel, event);
    held = { id, key: keyOf(panel, touchOf()), x, y, slides };
    [wanted, sent, asked] = [null, null, null];
    if (held.slides) point(event);
  };
  const move = (event) => {
    if (event.pointerId !== held?.id) return;
    held.slides ||= isSliding(event);
    if (held.slides) point(event);
  };
  const up = (event) => {
    if (event.pointerId !== held?.id) return;
    if (sent) sent.until = 0; // the last value never waits
    point(event);
    held = null;
  };
  const cancel = () => { held = null; };
  const keepFromPlotly = (event) => {
    if (panelAt(event.target, touchOf())) event.stopPropagation(); // it would stop scrolling
  };
  const takeHold = (event) => {
    const panel = panelAt(event.target, touchOf());
    if (panel && event.touches.length === 1 && isHeld(panel, event.touches[0])) {
      event.preventDefault();
    }
  };
  figure.addEventListener("pointerdown", down, true);
  figure.addEventListener("pointermove", move);
  figure.addEventListener("pointerup", up);
  figure.addEventListener("pointercancel", cancel);
  figure.addEventListener("touchstart", keepFromPlotly, { capture: true, passive: true });
  return function answered() {
    // A browser waits for it before it scrolls: so it is there only where something turns.
    const turns = Object.keys(touchOf()).some((key) => key.startsWith(AROUND));
    const listen = turns ? figure.addEventListener : figure.removeEventListener;
    listen.call(figure, "touchstart", takeHold, { capture: true, passive: false });
    sent = null;
    forward();
  };
}
