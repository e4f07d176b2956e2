// The list that the front page opens with. Each order that was tried leaves a dot on the scale; of
// those that were not, nothing is shown until the worst is found, when they join the pile.
// `values` has the NDCG of every order, by its text, and `judged` is marked from the start.

import { make } from "../../../coursekit/widgets/static/elements.js";
import { arrangeInMotion, buildRanking, button, letMove, showRanks } from "./list.js";
import { firstOrder, moved, write } from "./ranking.js";

const NEARLY = 0.0005;
const COLUMNS = 60; // of dots, from 0 to 1

function buildScale(judged) {
  const scale = make("div", "ndcg-opening-scale", "", { "aria-hidden": "true" });
  const empty = make("span", "ndcg-opening-empty");
  const ends = ["0", "1"].map((end) => make("span", "ndcg-opening-end", end));
  const now = make("span", "ndcg-opening-now");
  const mark = make("span", "ndcg-opening-judged", `${judged.toFixed(2)}?`);
  mark.style.left = `${100 * judged}%`;
  scale.append(empty, ...ends, mark, now);
  return { scale, empty, now };
}

// Orders of nearly one value stand in a column, a dot for each.
function pileOn(scale) {
  const heights = {};
  return (value, look) => {
    const column = Math.round(COLUMNS * value);
    heights[column] = (heights[column] ?? -1) + 1;
    const dot = make("span", look);
    dot.style.left = `${(100 * column) / COLUMNS}%`;
    dot.style.setProperty("--up", heights[column]);
    scale.append(dot);
  };
}

function build({ asked, titles, grades, hint, judged }) {
  const search = make("p", "ndcg-opening-asked", asked);
  const ranking = buildRanking({ titles, grades }, (parts) => parts);
  const value = make("strong", "");
  const number = make("p", "ndcg-opening-number");
  const lowest = make("span", "");
  number.append("NDCG ", value, lowest);
  const status = make("p", "ndcg-opening-said", hint, { role: "status" });
  const unseen = make("p", "ndcg-unseen", "", { role: "status" });
  return { search, ...ranking, value, number, lowest, status: unseen, said: status, ...buildScale(judged) };
}

export function mount(el, data) {
  const { titles, grades, values, worst, said, found } = data;
  const n = titles.length;
  const page = build(data);
  const pile = pileOn(page.scale);
  let order = firstOrder(n);
  const seen = new Map();

  const finish = () => {
    page.said.replaceChildren(make("strong", "", said));
    page.empty.style.width = `${100 * worst}%`;
    page.empty.append(make("span", "", "no order can be here"));
    const key = make("span", "ndcg-opening-key");
    key.append(...["orders you tried", "all others"].map((whose) => make("span", "", whose)));
    page.scale.append(key);
    const rest = Object.keys(values).filter((text) => !seen.has(text));
    rest.forEach((text) => pile(values[text], "ndcg-opening-dot ndcg-opening-rest"));
  };
  const show = (isSame = false) => {
    const text = write({ order });
    const value = values[text];
    showRanks(page, { order, grades, k: n, shown: true });
    arrangeInMotion(page.list, order.map((doc) => page.rows[doc].row));
    if (!seen.has(text) && !page.scale.querySelector(".ndcg-opening-rest")) {
      pile(value, "ndcg-opening-dot");
      seen.set(text, value);
    }
    page.now.style.left = `${100 * value}%`;
    page.value.textContent = value.toFixed(2);
    const least = Math.min(...seen.values());
    const isWorst = value - worst < NEARLY;
    const lowest = seen.size > 1 ? `your lowest ${least.toFixed(2)}` : "";
    page.lowest.textContent = isWorst ? found : isSame ? "equal grades: no change" : lowest;
    if (isWorst && page.said.textContent !== said) finish();
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
