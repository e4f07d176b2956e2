// A control that a press or a drag in the figure sets, beside its slider, which stays.
//
// `touch` says for the x axis of a panel which control stands on it, with the slider's own
// traits: { x: { control, origin, unit, min, max, value } }. What is touched is sent as
// { set: { control: value } }; whoever answers, a kernel or not, redraws with another `touch`.

const MOST_MS = 300; // to wait for the redraw that answers, before the next value is sent
const SLOP = 4; // pixels that a finger may tremble

/** Return the value of a control nearest to a number on its axis. */
export function nearest({ origin, unit, min, max }, x) {
  return Math.min(Math.max(Math.round((x - origin) / unit), min), max);
}

// The part of a panel that hears the mouse, and its x axis.
const axisOf = (panel) => /^x\d*/.exec(panel.dataset.subplot)[0];
const panelAt = (target, touch) => {
  const panel = target.closest?.(".nsewdrag");
  return panel && touch[axisOf(panel)] ? panel : null;
};

// Shows that it can be dragged: it looks as the thumb of its slider.
const THUMB = { type: "circle", xsizemode: "pixel", ysizemode: "pixel", x0: -8, x1: 8, y0: -8, y1: 8, yanchor: 0, fillcolor: "#0072b2", line: { color: "#fff", width: 2 } };

/** Return a figure with a thumb on each axis that can be touched, where its control stands. */
export function withThumbs({ data, layout }, touch) {
  const thumbs = Object.entries(touch).map(([xref, { origin, unit, value }]) => {
    return { ...THUMB, xref, yref: `${xref.replace("x", "y")} domain`, xanchor: origin + unit * value };
  });
  return { data, layout: { ...layout, shapes: [...(layout.shapes ?? []), ...thumbs] } };
}

/** Say by the cursor where the figure can be touched; scrolling by a finger goes on there. */
export function showTouch(figure, touch) {
  figure.classList.toggle("ndcg-touch", Object.keys(touch).length > 0);
  for (const panel of figure.querySelectorAll(".nsewdrag")) {
    panel.classList.toggle("ndcg-touch", axisOf(panel) in touch);
  }
}

/** Let a figure be touched: `touchOf()` is the present `touch`, `send` takes what to set. */
export function letTouch(figure, touchOf, send) {
  let held = null; // the pointer that is down: its id, axis and start
  let wanted = null; // the value it points to
  let sent = null; // the value under way, and until when the next one waits for it
  let asked = null; // the last one sent: the answer may be another value, the nearest there is
  const forward = () => {
    const at = held && touchOf()[held.axis];
    if (!at || [null, asked, (sent ?? at).value].includes(wanted)) return;
    if (performance.now() < sent?.until) return;
    asked = wanted;
    sent = { value: wanted, until: performance.now() + MOST_MS };
    send({ set: { [at.control]: wanted } });
  };
  const point = (event) => {
    const panel = figure.querySelector(`.nsewdrag[data-subplot^="${held.axis}y"]`);
    const at = touchOf()[held.axis];
    if (!panel || !at) return; // another figure came meanwhile
    const axis = figure._fullLayout[held.axis.replace("x", "xaxis")];
    const { left, width } = panel.getBoundingClientRect();
    wanted = nearest(at, axis.p2d(((event.clientX - left) / width) * axis._length));
    forward();
  };
  // A finger that goes down the page scrolls it, and sets nothing on its way.
  const isSliding = ({ clientX, clientY }) => {
    const [across, along] = [Math.abs(clientX - held.x), Math.abs(clientY - held.y)];
    return across > SLOP && across > along;
  };
  const down = (event) => {
    const panel = panelAt(event.target, touchOf());
    if (!panel || !event.isPrimary || event.button !== 0) return;
    event.preventDefault(); // else plotly would zoom
    figure.setPointerCapture(event.pointerId);
    const { pointerId: id, clientX: x, clientY: y } = event;
    held = { id, axis: axisOf(panel), x, y, slides: event.pointerType !== "touch" };
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
  figure.addEventListener("pointerdown", down, true);
  figure.addEventListener("pointermove", move);
  figure.addEventListener("pointerup", up);
  figure.addEventListener("pointercancel", cancel);
  figure.addEventListener("touchstart", keepFromPlotly, { capture: true, passive: true });
  return function answered() {
    sent = null;
    forward();
  };
}
