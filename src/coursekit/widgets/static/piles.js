// Dots in piles, each for an equal part of all that there is, so that shares can be counted.

const LEAST = 6; // pixels: smaller dots would rather hide each other

/**
 * Make the dots of a figure as large as its panel has room for: `meta.wide` is the place of one,
 * in units of the x axis, and they stand on the y axis one by one.
 */
export function fillPiles({ data, layout }, width) {
  const dots = data.filter(({ meta }) => meta?.wide);
  if (!dots.length) return;
  const { margin, height, xaxis, yaxis } = layout;
  const [across, up] = [width - margin.l - margin.r, height - margin.t - margin.b];
  const wide = (across * dots[0].meta.wide) / (xaxis.range[1] - xaxis.range[0]);
  yaxis.range = [0, Math.max(yaxis.range[1], up / wide)];
  const size = Math.min(wide, Math.max(up / yaxis.range[1], LEAST));
  for (const { marker } of dots) marker.size = size;
}
