// The list that the front page opens with. Each order that was tried leaves a dot on the scale; of
// those that were not, nothing is shown until the worst is found: then all of them pile up, and
// `judged` is marked. `values` has the NDCG of every order, by its text.

import { make } from "../../../coursekit/widgets/static/elements.js";
import { arrangeInMotion, buildRanking, button, letMove, showRanks } from "./list.js";
import { firstOrder, moved, write } from "./ranking.js";

const SAME_DOT = 0.0005;
const COLUMNS = 60; // of dots, from 0 to 1

function buildScale() {
  const scale = make("div", "ndcg-opening-scale", "", { "aria-hidden": "true" });
  const empty = make("span", "ndcg-opening-empty");
  const ends = ["0", "1"].map((end) => make("span", "ndcg-opening-end", end));
  const now = make("span", "ndcg-opening-now");
  scale.append(empty, ...ends, now);
  return { scale, empty, now };
}

// All orders, one dot each: those of nearly one value stand in a column.
function pileUp(scale, values) {
  const heights = {};
  for (const value of Object.values(values)) {
    const column = Math.round(COLUMNS * value);
    heights[column] = (heights[column] ?? -1) + 1;
    const dot = make("span", "ndcg-opening-one");
    dot.style.left = `${(100 * column) / COLUMNS}%`;
    dot.style.setProperty("--up", heights[column]);
    scale.append(dot);
  }
}

function build({ asked, titles, grades, hint }) {
  const search = make("p", "ndcg-opening-asked", asked);
  const ranking = buildRanking({ titles, grades }, (parts) => parts);
  const value = make("strong", "");
  const number = make("p", "ndcg-opening-number");
  const lowest = make("span", "");
  number.append("NDCG ", value, lowest);
  const status = make("p", "ndcg-opening-said", hint, { role: "status" });
  const unseen = make("p", "ndcg-unseen", "", { role: "status" });
  return { search, ...ranking, value, number, lowest, status: unseen, said: status, ...buildScale() };
}

export function mount(el, data) {
  const { titles, grades, values, worst, judged, said } = data;
  const n = titles.length;
  const page = build(data);
  let order = firstOrder(n);
  const seen = [];

  const show = (isSame = false) => {
    const value = values[write({ order })];
    showRanks(page, { order, grades, k: n, shown: true });
    arrangeInMotion(page.list, order.map((doc) => page.rows[doc].row));
    if (!seen.some((one) => Math.abs(one - value) < SAME_DOT)) {
      seen.push(value);
      const dot = make("span", "ndcg-opening-dot");
      dot.style.left = `${100 * value}%`;
      page.scale.insertBefore(dot, page.now);
    }
    const least = Math.min(...seen);
    page.now.style.left = `${100 * value}%`;
    page.value.textContent = value.toFixed(2);
    const lowest = seen.length > 1 ? `your lowest ${least.toFixed(2)}` : "";
    page.lowest.textContent = isSame ? "equal grades: no change" : lowest;
    if (least - worst < SAME_DOT && page.said.textContent !== said) {
      page.said.replaceChildren(make("strong", "", said));
      page.empty.style.width = `${100 * worst}%`;
      page.scale.classList.add("ndcg-opening-piled");
      pileUp(page.scale, values);
      const mark = make("span", "ndcg-opening-judged", `${judged.toFixed(2)}?`);
      mark.style.left = `${100 * judged}%`;
      page.scale.append(mark, page.now);
    }
  };
  const acts = {
    place: (doc) => order.indexOf(doc),
    move: (doc, target) => {
      const from = order.indexOf(doc);
      if (target < 0 || target >= n || target === from) return false;
      const before = values[write({ order })];
      order = moved(order, from, target);
      show(values[write({ order })] === before);
      page.status.textContent =
        `${titles[doc]} moved to rank ${target + 1}. NDCG ${page.value.textContent}.`;
      return true;
    },
  };
  const again = button("Reset", () => {
    order = firstOrder(n);
    show();
  });
  page.number.append(again);
  const place = make("div", "ndcg-explorer ndcg-drag ndcg-opening");
  const { search, list, number, scale, said: words, status } = page;
  place.append(search, list, number, scale, words, status);
  letMove(page, acts, titles);
  el.replaceChildren(place);
  show();
}
