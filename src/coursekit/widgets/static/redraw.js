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

// For each label of a tick plotly asks of all of them whether they leave the page: up to a sixth
// of a redraw. In our margins there is room for them.
function allowLabels(layout) {
  const axes = Object.entries(layout).filter(([name]) => /^[xy]axis\d*$/.test(name));
  const allowed = axes.map(([name, axis]) => [name, { ...axis, ticklabeloverflow: "allow" }]);
  return { ...layout, ...Object.fromEntries(allowed) };
}

// A shape or a note that changed is drawn on top of those that stay: right if it is the last.
function staysInOrder(fresh = [], before = []) {
  const same = fresh.map((part, i) => JSON.stringify(part) === JSON.stringify(before[i]));
  return !same.includes(false) || same.lastIndexOf(true) < same.indexOf(false);
}

/** Return data and layout to draw over `before`, what this returned last, if there is one. */
export function redrawn({ data, layout }, before) {
  const figure = { data, layout: allowLabels(layout) };
  const lists = ["shapes", "annotations"];
  const inOrder = lists.every((name) => staysInOrder(layout[name], before?.layout[name]));
  return inOrder ? keepSame(figure, before) : figure;
}
