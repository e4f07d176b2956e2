// Figures for the back row: letters, lines and markers larger, the data as they are.

const FACTOR = 1.4; // 16 px for ticks becomes 22, a title of 20 px 28
const SMALLEST_LETTERS = 20; // pixels
// What is a length on the screen, by where it stands. (A bar's own width is data.)
const LENGTHS = {
  line: ["width"],
  marker: ["size"],
  pattern: ["size"],
  margin: ["l", "r"],
  title: ["standoff"],
  annotations: ["xshift", "yshift"],
};
// The room above holds a title and a legend with some air, of which a part can go. The
// room below grows with the labels: all axes have automargin.
const ROOM_ABOVE = 1.15;
// A legend that a small projector has no room for in one row takes two; all in pixels.
const SMALL_PROJECTOR = 960;
const [LEGEND_LETTER, LEGEND_MARK, LEGEND_ROW] = [10.5, 46, 30];
// In a tab of its own, from the question to the end of the figure; a higher screen is the plot's.
const [LARGE_HEIGHT, LARGE_SCREEN] = [416, 720];

const letters = (size) => Math.max(Math.round(FACTOR * size), SMALLEST_LETTERS);
const times = (length) =>
  Array.isArray(length) ? length.map(times) : Math.round(100 * FACTOR * length) / 100;

function larger(content, place) {
  if (Array.isArray(content)) return content.map((part) => larger(part, place));
  if (content === null || typeof content !== "object") return content;
  const lengths = LENGTHS[place] ?? [];
  const one = (key, value) => {
    if (place.endsWith("font")) return key === "size" ? letters(value) : value;
    return lengths.includes(key) ? times(value) : larger(value, key);
  };
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, one(key, value)]));
}

/** Return the height of a screen that leaves a figure so much of it. */
export const screenFor = (height) => height + LARGE_SCREEN - LARGE_HEIGHT;

/** Return data and layout of a figure for a screen, with everything that is read made larger. */
export function forProjector(figure, screen = LARGE_SCREEN) {
  const { data, layout } = larger(figure, "");
  const named = layout.showlegend ? data.filter((one) => one.showlegend !== false) : [];
  const wide = ({ name }) => LEGEND_LETTER * (name ?? "").length + LEGEND_MARK;
  const legend = named.reduce((sum, one) => sum + wide(one), 0);
  const isLong = legend > SMALL_PROJECTOR - layout.margin.l - layout.margin.r;
  const above = ROOM_ABOVE * layout.margin.t + (isLong ? LEGEND_ROW : 0);
  const margin = { ...layout.margin, t: Math.round(above) };
  const height = LARGE_HEIGHT + Math.max(0, screen - LARGE_SCREEN);
  const below = (1 - layout.title.y) * (LARGE_HEIGHT / height); // the edge, in parts of the height
  return { data, layout: { ...layout, margin, height, title: { ...layout.title, y: 1 - below } } };
}
