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
  const controls = figure.closest(".ndcg-explorer").querySelector(".ndcg-controls");
  const { top, height } = controls.getBoundingClientRect();
  const isBelow = top > figure.getBoundingClientRect().top && top + height <= innerHeight;
  if (!isBelow) return;
  const fresh = byPanel(now);
  const placeOf = (id) =>
    figure.querySelector(`.nsewdrag[data-subplot^="${id}y"]`)?.getBoundingClientRect();
  const panels = [...fresh.keys()].map((id) => ({ id, place: placeOf(id) }))
    .filter(({ place }) => place);
  const isSeen = ({ place }) => {
    const middle = place.top + place.height / 2;
    return middle > BAR && middle < top;
  };
  // Whatever changed is in sight, as the panel of a figure that has one most often is: then there
  // is nothing to compare, which takes the longest.
  if (panels.every(isSeen)) return;
  const old = byPanel(before);
  const isOther = ({ id }) => JSON.stringify(old.get(id)) !== JSON.stringify(fresh.get(id));
  const changed = panels.filter(isOther);
  if (changed.length === 0 || changed.some(isSeen)) return;
  scrollBy(0, changed[0].place.bottom + AXIS - top);
}
