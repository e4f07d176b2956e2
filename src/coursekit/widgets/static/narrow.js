// A figure for a narrow place: panels one below the other, legend under them.
//
// A pure function of a figure and a width, so that a page without a kernel can use it,
// too. It knows what figures of this course are made of: axes with domains side by side,
// and shapes and annotations that belong to an axis or to its domain.

export const NARROW = 750; // below this, in CSS pixels
const GAP = 8; // between texts
const TOP = 13; // from the edge to the capitals of the title
const TITLE = 17; // letters, in pixels
const TEXT = 14;
const SMALL = 12;
const SMALLEST = 11; // of words in a row of boxes
const BESIDE = 0.34; // of the width, at most, for labels beside a panel
const LINE = 1.3; // height of a line of text, in letters
const PANEL = { least: 190, most: 300, ratio: 0.62, dots: 290 }; // its height, by its width; and with dots
const NOTE = 14; // more height for each label in a panel that has many
const BARE = 14; // room to the left of panels that have no numbers there
const PILED = { wide: 720, row: 5.5 }; // a panel whose dots have their whole size; a row of them
const LEGEND_KEY = 46; // what a key of the legend takes beside its text

const usualOf = (layout) => layout.template?.layout ?? {};

function penOf(family = "sans-serif", weight = 400) {
  const context = document.createElement("canvas").getContext("2d");
  return (text, size) => {
    context.font = `${text.startsWith("<b>") ? "bold" : weight} ${size}px ${family}`;
    const plain = text.replace(/<[^>]*>/g, "").replace(/&[a-z]+;/g, "w");
    return context.measureText(plain).width * 1.03; // some words in it may be bold
  };
}

const linesOf = (text) => String(text).split(/<br\s*\/?>/);
const widthOf = (pen, text, size) => Math.max(...linesOf(text).map((line) => pen(line, size)));

// Break a text at its spaces, tags kept, so that no line is wider than there is room.
// A sum or a quotient stays on one line where that is wide enough.
function wrap(pen, text, size, room) {
  const glued = linesOf(text).join(" ").replace(/ ([/+=−×→]) /g, "\u00a0$1\u00a0").split(" ");
  const words = glued.flatMap((word) => (pen(word, size) <= room ? [word] : word.split("\u00a0")));
  const lines = [];
  for (const word of words) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && pen(longer, size) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join("<br>");
}

// The same in lines of nearly one length, so that none is a lone last word.
function balanced(pen, text, size, room) {
  if (widthOf(pen, text, size) <= room) return text;
  const widest = wrap(pen, text, size, room);
  const fewest = linesOf(widest).length;
  for (let width = room / 2; width < room; width += 10) {
    const lines = wrap(pen, text, size, width);
    if (linesOf(lines).length === fewest) return lines;
  }
  return widest;
}

// The panels from left to right: each an x axis, and the y axes that stand on it.
function panelsOf(layout) {
  const names = Object.keys(layout);
  const xs = names.filter((name) => /^xaxis\d*$/.test(name));
  const panels = xs.map((x) => {
    const id = x.replace("axis", "");
    const own = layout[x].anchor ?? id.replace("x", "y");
    const ys = names.filter((name) => {
      if (!/^yaxis\d*$/.test(name)) return false;
      const y = name.replace("axis", "");
      return y === own || layout[name].overlaying === own;
    });
    return { x, id, y: own, ys, start: layout[x].domain?.[0] ?? 0 };
  });
  return panels.sort((a, b) => a.start - b.start);
}

const isIn = (panel) => ({ xref = "paper", yref = "paper" }) =>
  xref.split(" ")[0] === panel.id || yref.split(" ")[0] === panel.y;
// The height of a panel whose axes have one unit, by its width.
function shapeOf(layout, { x, ys: [y] }) {
  const span = ({ range: [low, high] }) => high - low;
  return layout[y].scaleanchor && span(layout[y]) / span(layout[x]);
}
const tracesOf = (data, panel) => data.filter((trace) => (trace.xaxis ?? "x") === panel.id);
const sizeOf = (font, usual) => Math.min(font?.size ?? usual, usual);

// Labels of lines, to the right of the only x axis, by a number on it or by the paper's end.
function atTheEnd({ x, xref = "x", yref = "y", xanchor }, { xaxis, xaxis2 }) {
  const end = { x: xaxis?.range?.[1], paper: 1 }[xref];
  return !xaxis2 && xanchor === "left" && x >= end && /^y\d*$/.test(yref);
}

// Labels to the right of a panel, and numbers at the ends of its bars, need room there.
function roomBeside(pen, data, notes, panel) {
  const labels = notes.filter(({ x, xref, xanchor }) =>
    xanchor === "left" && x >= 1 && (xref === `${panel.id} domain` || xref === "paper"));
  const bars = tracesOf(data, panel).filter((t) => t.type === "bar" && t.orientation === "h");
  const numbers = bars.flatMap((trace) => trace.text ?? []);
  return Math.max(
    0,
    ...labels.map((note) => widthOf(pen, note.text, note.font.size) + (note.xshift ?? 0) + GAP),
    ...(panel.alone ? numbers.map((text) => pen(text, TEXT + 2) + GAP) : []),
  );
}

// Labels of ticks that stand too close: first their lower lines go, then each second one.
function fitTicks(pen, axis, width) {
  axis.tickfont = { ...axis.tickfont, size: sizeOf(axis.tickfont, TEXT) };
  const { tickvals, ticktext } = axis;
  if (!tickvals?.length) {
    axis.nticks = Math.min(axis.nticks ?? 8, Math.max(2, Math.floor(width / 55)));
    return 1;
  }
  let texts = (ticktext ?? tickvals).map(String);
  const scaled = tickvals.map(axis.type === "log" ? Math.log10 : Number);
  const [low, high] = axis.range ?? [Math.min(...scaled) - 0.5, Math.max(...scaled) + 0.5];
  const places = scaled.map((value) => ((value - low) / (high - low)) * width);
  const size = () => axis.tickfont.size;
  const touches = (step) => {
    const kept = texts.map((text, i) => [places[i], widthOf(pen, text, size())])
      .filter((_, i) => i % step === 0);
    return kept.some(([x, w], i) => i && x - kept[i - 1][0] < (w + kept[i - 1][1]) / 2 + 3);
  };
  if (touches(1)) axis.tickfont.size = SMALL;
  while (touches(1) && texts.some((text) => linesOf(text).length > 1)) {
    texts = texts.map((text) => linesOf(text).slice(0, -1).join("<br>") || text);
  }
  let step = 1;
  while (touches(step) && step < texts.length) step += 1;
  axis.tickvals = tickvals.filter((_, i) => i % step === 0);
  axis.ticktext = texts.filter((_, i) => i % step === 0);
  if (axis.tickangle === undefined) axis.tickangle = 0;
  return Math.max(...texts.map((text) => linesOf(text).length));
}

// Numbers on bars that stand too close are turned.
function turnNumbers(pen, traces, layout, axis, width) {
  const bars = traces.filter((t) => t.type === "bar" && t.orientation !== "h" && t.text);
  const beside = layout.barmode === "group" ? bars.length : 1;
  for (const trace of bars) {
    const [low, high] = axis.range ?? [0, trace.x.length];
    const slot = width / (high - low) / beside;
    const size = sizeOf(trace.textfont, TEXT);
    const widest = Math.max(0, ...[trace.text].flat().map((text) => widthOf(pen, text, size)));
    trace.textfont = { ...trace.textfont, size };
    if (trace.textposition === "inside" && slot < TEXT) trace.text = null; // nobody could read it
    else if (widest > slot) Object.assign(trace, { textangle: -90, textfont: { ...trace.textfont, size: SMALL } });
  }
}

// Dots that are piled up shrink with their panel: else they would hide each other. Returns the
// height of a panel that is made of rows of them.
function shrinkPile(traces, axis, width) {
  const dots = traces.filter((trace) => trace.meta === "pile");
  const share = width / PILED.wide;
  for (const { marker } of dots) {
    marker.size = Math.max(3, marker.size * share);
    if (marker.line) marker.line.width *= share;
  }
  return dots.length ? axis.range[1] * PILED.row : 0;
}

function wrapAxisTitle(pen, axis, room) {
  if (!axis?.title?.text) return 0;
  const size = sizeOf(axis.title.font, TEXT);
  const text = wrap(pen, axis.title.text, size, room);
  axis.title = { ...axis.title, text, standoff: 8, font: { ...axis.title.font, size } };
  return linesOf(text).length * size * LINE;
}

// Words in a row, as over boxes, get a line for each word where they would touch.
function breakRows(pen, notes, width) {
  const rows = {};
  for (const note of notes) {
    const isCentered = note.yanchor === "middle" && note.xanchor === "center";
    if (isCentered && note.yref.endsWith("domain")) (rows[note.y] ??= []).push(note);
  }
  for (const row of Object.values(rows)) {
    const widest = Math.max(...row.map((note) => pen(note.text, note.font.size) + GAP));
    if (row.length < 2 || row.length * widest <= width) continue;
    for (const note of row) {
      const words = note.text.split(" ");
      const value = words.splice(-2).join("<br>");
      note.text = words.length ? `${words.join(" ")}<br>${value.replace("<br>", " ")}` : value;
      note.font.size = SMALLEST;
      note.bare = true;
    }
  }
}

// Words in a panel: broken where they are wide, kept inside, moved where they meet others. Returns
// how far down they reach.
function placeNotes(pen, notes, panel, axes, box) {
  const xOf = (note) => note.xref.endsWith("domain") || note.xref === "paper"
    ? note.x * box.width
    : ((note.x - axes.x.range[0]) / (axes.x.range[1] - axes.x.range[0])) * box.width;
  const [start, end] = box.share; // of the height, which the panels of a pile share
  const above = (share) => (1 - start - share * (end - start)) * box.height;
  const yOf = (note) => above(note.yref.endsWith("domain")
    ? note.y
    : (note.y - axes.y.range[0]) / (axes.y.range[1] - axes.y.range[0]));
  breakRows(pen, notes, box.width);
  const placed = [];
  const downwards = [...notes].sort((one, other) => yOf(one) - yOf(other));
  for (const note of downwards) { // who meets another gives way to below it
    const size = note.font.size = sizeOf(note.font, TEXT);
    const isBeside = note.xanchor === "left" && note.x >= 1 && note.xref.endsWith("domain");
    const lines = linesOf(note.text); // which are lines for a reason
    if (!isBeside && !note.bare) {
      note.text = lines.map((line) => wrap(pen, line, size, box.width)).join("<br>");
    }
    const width = widthOf(pen, note.text, size) + 2;
    const height = linesOf(note.text).length * size * LINE;
    const part = { left: 0, center: 0.5, right: 1 }[note.xanchor ?? "center"] ?? 0.5;
    const over = { top: 0, middle: 0.5, bottom: 1 }[note.yanchor ?? "middle"] ?? 0.5;
    delete note.bare;
    let left = xOf(note) + (note.xshift ?? 0) - part * width;
    const end = box.width + (isBeside ? 1e4 : box.over);
    const turned = xOf(note) - (note.xshift ?? 0) - (1 - part) * width;
    const fits = (start) => start >= 0 && start + width <= end;
    // Beside an upright line there is the other side.
    if (note.xshift && part !== 0.5 && note.yref.endsWith("domain") && !fits(left) && fits(turned)) {
      Object.assign(note, { xanchor: part ? "left" : "right", xshift: -note.xshift });
      left = turned;
    }
    const moved = Math.max(0 - left, 0) || Math.min(end - left - width, 0);
    left += moved;
    // A name that is too long to stand beside its dot stands above it, and over a line that it names.
    if (moved && note.xshift && note.bgcolor) {
      if (!note.yref?.endsWith("domain")) note.yshift = (note.yshift ?? 0) + 0.88 * height;
      note.bgcolor = "rgba(255, 255, 255, 0.85)";
    }
    let top = yOf(note) - (note.yshift ?? 0) - over * height;
    const meets = () => placed.find((other) => left < other.left + other.width + 2
      && other.left < left + width + 2 && top < other.top + other.height - 2
      && other.top < top + height - 2);
    const start = top;
    for (let tries = 0, other = meets(); other && tries < 8; tries += 1, other = meets()) {
      top = other.top + other.height + 1;
    }
    if (moved) note.xshift = (note.xshift ?? 0) + moved;
    if (top !== start) note.yshift = (note.yshift ?? 0) - (top - start);
    placed.push({ left, top, width, height });
  }
  return Math.max(0, ...placed.map(({ top, height }) => top + height));
}

function legendBelow(pen, layout, data, width) {
  if (!layout.showlegend) return 0;
  const names = data.filter((t) => t.showlegend !== false && t.name).map((t) => t.name);
  const widest = Math.max(0, ...names.map((name) => pen(name, TEXT))) + LEGEND_KEY;
  const all = names.reduce((sum, name) => sum + pen(name, TEXT) + LEGEND_KEY, 0);
  const columns = Math.max(1, Math.floor(width / widest));
  const rows = all <= width ? 1 : Math.ceil(names.length / columns);
  const place = { orientation: "h", x: 0, xref: "container", xanchor: "left", y: 0 };
  layout.legend = { ...place, yref: "container", yanchor: "bottom", font: { size: TEXT } };
  return rows * (TEXT * LINE + 3) + GAP;
}

// The title in lines: how high it is, and where it stands above a figure of some height.
function titleOf(layout, width) {
  const { font, title } = usualOf(layout);
  const pen = penOf(font?.family, title?.font.weight);
  const text = balanced(pen, layout.title.text, TITLE, width);
  // plotly hangs a title of one line from its capitals, others from the first baseline.
  const start = TOP + (text.includes("<br>") ? 0.7 * TITLE : 0);
  return {
    height: linesOf(text).length * TITLE * LINE + TOP + GAP,
    above: (height) => ({
      ...layout.title, text, font: { size: TITLE },
      y: 1 - start / height, yref: "container", yanchor: "top",
    }),
  };
}

// A matrix keeps a row for each name: names in lines, columns turned, fewer digits.
function narrowMatrix(pen, { data: [cells], layout }, width) {
  const room = 0.36 * width;
  const ticktext = cells.y.map((name) => wrap(pen, name, SMALL, room));
  const most = Math.max(...ticktext.map((text) => linesOf(text).length));
  const row = Math.max(20, most * SMALLEST * LINE + 4);
  const columns = Math.max(...cells.x.map((text) => pen(text, SMALL)));
  const title = titleOf(layout, width);
  const top = title.height + columns + GAP;
  const height = Math.round(top + cells.y.length * row + GAP);
  const brief = (value) => value?.toFixed(2).replace(/^0/, "") ?? "–";
  const text = cells.z.map((values) => values.map(brief));
  return {
    data: [{ ...cells, text, textfont: { ...cells.textfont, size: SMALLEST } }],
    layout: {
      ...layout,
      height,
      margin: { l: room + GAP, r: GAP, t: top, b: GAP },
      xaxis: { ...layout.xaxis, tickangle: -90, tickfont: { size: SMALL } },
      yaxis: {
        ...layout.yaxis, automargin: false, tickvals: cells.y, ticktext, tickfont: { size: SMALLEST },
      },
      title: title.above(height),
    },
  };
}

// One panel of a figure, the nth from the left, counted from 1.
function onePanel({ data, layout }, nth) {
  const panels = panelsOf(layout);
  const [panel] = panels.splice(nth - 1, 1);
  const others = panels.flatMap(({ x, ys }) => [x, ...ys]);
  const rest = Object.entries(layout).filter(([name]) => !others.includes(name));
  const [shapes, annotations] = [layout.shapes, layout.annotations].map((all = []) => all.filter(isIn(panel)));
  return { data: tracesOf(data, panel), layout: { ...Object.fromEntries(rest), shapes, annotations } };
}

/**
 * Return a figure ({data, layout, …}) as it is drawn in a place of this width, with panels of
 * `most`, or its `nth` alone, as high as that.
 */
export function narrow(figure, width, most = PANEL.most, nth = 0) {
  if (width >= NARROW || !width) return figure;
  const whole = structuredClone({ data: figure.data, layout: figure.layout });
  const { data, layout } = nth ? onePanel(whole, nth) : whole;
  const pen = penOf(usualOf(layout).font?.family);
  if (data.length === 1 && data[0].texttemplate) {
    return { ...figure, ...narrowMatrix(pen, { data, layout }, width) };
  }
  const panels = panelsOf(layout);
  panels.forEach((panel) => { panel.alone = panels.length === 1 && !nth; });
  // Panels that stand one below the other already, on one x axis, keep their shares.
  const piled = panels.length === 1 && Object.keys(layout).some((name) =>
    /^yaxis\d*$/.test(name) && !panels[0].ys.includes(name));
  const notes = layout.annotations ?? [];
  const ofOtherAxes = []; // labels of a pile whose y axis is not that of the x axis
  for (const note of notes) {
    note.font = { size: TEXT, ...note.font };
    if (atTheEnd(note, layout)) {
      if (piled) ofOtherAxes.push(note);
      Object.assign(note, { x: 1, xref: `${panels[0].id} domain`, yref: note.yref ?? "y", align: "left" });
    }
    const owner = /^x\d*/.exec(note.xref ?? "")?.[0];
    if (note.yref === "paper" && owner) note.yref = `${panels.find((p) => p.id === owner).y} domain`;
  }
  layout.font = { size: TEXT };
  const title = titleOf(layout, width);
  const names = panels.flatMap(({ ys }) => ys.flatMap((name) => layout[name].ticktext ?? []));
  const isBare = panels.every(({ ys }) => ys.every((name) => layout[name].visible === false));
  const left = isBare ? BARE : Math.max(58, 16 + Math.max(0, ...names.map((text) => pen(text, TEXT))));
  const overlay = panels.some((panel) => panel.ys.length > 1) ? 62 : 14;
  const plot = width - left - overlay;
  for (const note of notes) {
    const isBeside = note.xanchor === "left" && note.x >= 1 && !/^x\d*$/.test(note.xref ?? "paper");
    if (isBeside) note.text = balanced(pen, note.text, note.font.size, BESIDE * plot);
  }
  const legend = legendBelow(pen, layout, data, width);
  // From the top down, in pixels.
  // A key names what several panels show: it stands above them, and that of one below it.
  const isOver = panels.length > 1;
  let y = title.height + (isOver ? legend : 0);
  const boxes = panels.map((panel) => {
    const beside = Math.max(roomBeside(pen, data, notes.filter(isIn(panel)), panel) - overlay + GAP, 0);
    const ownWidth = plot - beside;
    const own = notes.filter(isIn(panel));
    const over = own.filter((n) => n.yanchor === "bottom" && n.y === 1 && n.yref.endsWith("domain"));
    const heading = Math.max(0, ...over.map((n) => linesOf(wrap(pen, n.text, TEXT, ownWidth)).length))
      * TEXT * LINE + (over.length ? GAP : 0);
    const rows = Math.max(...panel.ys.map((each) => layout[each].ticktext?.length ?? 0));
    const ratio = shapeOf(layout, panel) ?? PANEL.ratio;
    const usual = nth ? most : Math.min(Math.max(ownWidth * ratio, PANEL.least), most);
    const pile = shrinkPile(tracesOf(data, panel), layout[panel.ys[0]], ownWidth);
    // Dots are as high as they are wide, and above them a higher panel would be empty: see piles.js.
    const dots = tracesOf(data, panel).some(({ meta }) => meta?.wide) && PANEL.dots;
    const height = (panel.alone && (pile || dots)) || Math.max(usual
      * (piled ? 1.8 : panel.alone ? 1.4 : 1) + (panel.alone ? NOTE * Math.max(own.length - 3, 0) : 0),
    rows * TEXT * LINE);
    const axis = layout[panel.x];
    const ticks = fitTicks(pen, axis, ownWidth) * (axis.tickfont.size * LINE) + 6;
    const name = wrapAxisTitle(pen, axis, ownWidth);
    panel.ys.forEach((each) => {
      wrapAxisTitle(pen, layout[each], height);
      layout[each].tickfont = { ...layout[each].tickfont, size: sizeOf(layout[each].tickfont, TEXT) };
    });
    turnNumbers(pen, tracesOf(data, panel), layout, axis, ownWidth);
    const top = y + heading;
    y = top + height + ticks + name + 2 * GAP;
    return { panel, top, height, width: ownWidth, over: plot - ownWidth };
  });
  let height = y + (isOver ? 0 : legend);
  const bottom = boxes.at(-1).top + boxes.at(-1).height;
  const first = boxes[0].top;
  for (const box of boxes) {
    const { panel } = box;
    layout[panel.x].domain = [0, box.width / plot];
    const ends = [box.top + box.height, box.top].map((place) => (bottom - place) / (bottom - first));
    if (!piled) panel.ys.forEach((name) => { layout[name].domain = ends; });
    const axes = { x: layout[panel.x], y: layout[`yaxis${panel.y.slice(1)}`] };
    const own = notes.filter((note) => isIn(panel)(note) && !ofOtherAxes.includes(note));
    const share = (piled && axes.y.domain) || [0, 1];
    const low = box.top + placeNotes(pen, own, panel, axes, { ...box, share });
    if (box === boxes.at(-1)) height = Math.max(height, low + GAP);
  }
  layout.height = Math.round(height);
  layout.margin = { l: left, r: overlay, t: first, b: height - bottom };
  layout.title = title.above(height);
  if (isOver && legend) Object.assign(layout.legend, { y: 1 - title.height / height, yanchor: "top" });
  return { ...figure, data, layout };
}
