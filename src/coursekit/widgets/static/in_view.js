// On a phone the panels of a figure stand one below the other, and the controls stay in sight
// below them. Where nothing of what a control changes is on the screen, the page goes there.

const BAR = 48; // pixels: above, where a site has its bar
const AXIS = 64; // what stands below a panel: its ticks and their title

// What is drawn, by the id of the x axis of its panel.
function byPanel({ data, layout }) {
  const all = [...data, ...(layout.shapes ?? []), ...(layout.annotations ?? [])];
  const idOf = ({ xaxis, xref }) => (xaxis ?? xref ?? "x").split(" ")[0];
  const groups = new Map(); // Map.groupBy is too young
  for (const one of all) groups.set(idOf(one), [...(groups.get(idOf(one)) ?? []), one]);
  return groups;
}

/** Scroll to what changed between two drawings of a figure, if none of it is in sight. */
export function bringIntoView(figure, before, now) {
  const [old, fresh] = [before, now].map(byPanel);
  const isOther = (id) => JSON.stringify(old.get(id)) !== JSON.stringify(fresh.get(id));
  const panels = [...fresh.keys()].filter(isOther)
    .map((id) => figure.querySelector(`.nsewdrag[data-subplot^="${id}y"]`)).filter(Boolean);
  const places = panels.map((panel) => panel.getBoundingClientRect());
  const controls = figure.closest(".ndcg-explorer").querySelector(":scope > :nth-child(3)");
  const { top, height } = controls.getBoundingClientRect();
  const isBelow = top > figure.getBoundingClientRect().top && top + height <= innerHeight;
  const isSeen = (place) => {
    const middle = place.top + place.height / 2;
    return middle > BAR && middle < top;
  };
  if (!isBelow || places.length === 0 || places.some(isSeen)) return;
  scrollBy(0, places[0].bottom + AXIS - top);
}
