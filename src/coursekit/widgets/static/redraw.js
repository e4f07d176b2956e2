// The same figure, so that plotly has less to do: most of an explorer's answer is its redraw.
//
// A pure function of figures, so that a page without a kernel can use it, too.

// plotly compares arrays and templates by identity, and draws everything anew where one is
// another. So what says what it said is handed over as it was.
function keepSame(fresh, before) {
  if (fresh === null || typeof fresh !== "object" || !before) return fresh;
  if (JSON.stringify(fresh) === JSON.stringify(before)) return before;
  const entries = Object.entries(fresh).map(([key, part]) => [key, keepSame(part, before[key])]);
  return Array.isArray(fresh) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

const axesOf = (layout) =>
  Object.entries(layout).filter(([name]) => /^[xy]axis\d*$/.test(name));

function changeAxes(layout, traits) {
  const changed = axesOf(layout).map(([name, axis]) => [name, { ...axis, ...traits }]);
  return { ...layout, ...Object.fromEntries(changed) };
}

// For each label of a tick plotly asks of all of them whether they leave the page: up to a sixth
// of a redraw. In our margins there is room for them.
const ALLOWED = { ticklabeloverflow: "allow" };

// Where the axes are what they were, the labels need the room that they have: to measure them
// once more would take up to half of a redraw.
const SETTLED = { ...ALLOWED, automargin: false };

/** What the labels need their room for. */
function roomFor(layout) {
  const { font, height, margin, legend } = layout;
  return JSON.stringify([font, height, margin, legend, axesOf(layout)]);
}

// A shape that changed is drawn on top of those that stay: right if it is the last. So is a note,
// but no words lie on others.
function staysInOrder(fresh = [], before = []) {
  const same = fresh.map((part, i) => JSON.stringify(part) === JSON.stringify(before[i]));
  return !same.includes(false) || same.lastIndexOf(true) < same.indexOf(false);
}

/**
 * Return data and layout to draw over `before`, what this returned last, if there is one; `size`
 * are the margins that plotly found for it, if the figure is as wide as it was.
 */
export function redrawn({ data, layout }, before, size) {
  const room = roomFor(layout);
  const figure = { data, layout: changeAxes(layout, ALLOWED), room };
  if (size && before?.room === room) {
    const { l, r, t, b } = size;
    const margin = { l, r, t, b, autoexpand: false };
    figure.layout = { ...changeAxes(layout, SETTLED), margin };
  }
  const inOrder = staysInOrder(layout.shapes, before?.layout.shapes);
  return inOrder ? keepSame(figure, before) : figure;
}
