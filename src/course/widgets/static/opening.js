// The list that the front page opens with. Each order that was tried leaves a dot on the scale; of
// those that were not, nothing is shown until the worst is found, when they join the pile. A thumb on
// the scale is the reader's guess of the lowest.
// `values` has the NDCG of every order, by its text; `judged` is marked, and seen at the end.

import { make } from "../../../coursekit/widgets/static/elements.js";
import { arrangeInMotion, buildRanking, button, letMove, showRanks } from "./list.js";
import { firstOrder, moved, write } from "./ranking.js";

const NEARLY = 0.0005;
const COLUMNS = 60; // of dots, from 0 to 1

function buildScale(judged, label) {
  const scale = make("div", "ndcg-opening-scale");
  const marks = make("div", "", "", { "aria-hidden": "true", style: "display: contents" });
  const empty = make("span", "ndcg-opening-empty");
  const ends = ["0", "1"].map((end) => make("span", "ndcg-opening-end", end));
  const now = make("span", "ndcg-opening-now");
  const mark = make("span", "ndcg-opening-judged", `${judged.toFixed(2)}?`);
  mark.style.left = `${100 * judged}%`;
  const guess = make("input", "", "", { type: "range", min: 0, max: 100, "aria-label": label });
  const guessed = make("span", "ndcg-opening-guess");
  marks.append(empty, ...ends, mark, guessed, now);
  scale.append(marks, guess);
  return { scale, marks, empty, now, guess, guessed };
}

// Orders of nearly one value stand in a column, a dot for each.
function pileOn(marks) {
  const heights = {};
  return (value, look) => {
    const column = Math.round(COLUMNS * value);
    heights[column] = (heights[column] ?? -1) + 1;
    const dot = make("span", look);
    dot.style.left = `${(100 * column) / COLUMNS}%`;
    dot.style.setProperty("--up", heights[column]);
    marks.append(dot);
  };
}

function build({ asked, titles, grades, hint, judged, label }) {
  const search = make("p", "ndcg-opening-asked", asked);
  const ranking = buildRanking({ titles, grades }, (parts) => parts);
  const value = make("strong", "");
  const number = make("p", "ndcg-opening-number");
  const lowest = make("span", "");
  number.append("NDCG ", value, lowest);
  const status = make("p", "ndcg-opening-said", hint, { role: "status" });
  const unseen = make("p", "ndcg-unseen", "", { role: "status" });
  return { search, ...ranking, value, number, lowest, status: unseen, said: status, ...buildScale(judged, label) };
}

export function mount(el, data) {
  const { titles, grades, values, worst, then, said, found } = data;
  const n = titles.length;
  const page = build(data);
  const pile = pileOn(page.marks);
  let order = firstOrder(n);
  const seen = new Map();
  let guessed = null;

  const showGuess = (whose) => {
    const { value } = page.guess;
    page.guessed.replaceChildren(make("span", "", `${whose} ${(value / 100).toFixed(2)}`));
    page.guessed.style.setProperty("--at", value);
    page.guessed.classList.toggle("left", value > 70); // there is room
  };
  page.guess.addEventListener("input", () => {
    guessed = page.guess.value / 100;
    showGuess("your guess");
    page.said.textContent = then;
  });
  const finish = () => {
    const compared = guessed === null ? "" : ` You guessed ${guessed.toFixed(2)}.`;
    const { href, textContent } = document.querySelector(".ndcg-start");
    const next = make("a", "", textContent, { href });
    page.said.replaceChildren(make("strong", "", said), `${compared} `, next);
    page.guess.disabled = true;
    if (guessed === null) page.guessed.remove();
    else showGuess("you guessed");
    page.empty.style.width = `${100 * worst}%`;
    page.empty.append(make("span", "", "no order can be here"));
    const key = make("span", "ndcg-opening-key");
    key.append(...["orders you tried", "all others"].map((whose) => make("span", "", whose)));
    page.marks.append(key);
    const rest = Object.keys(values).filter((text) => !seen.has(text));
    rest.forEach((text) => pile(values[text], "ndcg-opening-dot ndcg-opening-rest"));
  };
  const show = (isSame = false) => {
    const text = write({ order });
    const value = values[text];
    showRanks(page, { order, grades, k: n, shown: true });
    arrangeInMotion(page.list, order.map((doc) => page.rows[doc].row));
    if (!seen.has(text) && !page.marks.querySelector(".ndcg-opening-rest")) {
      pile(value, "ndcg-opening-dot");
      seen.set(text, value);
    }
    page.now.style.left = `${100 * value}%`;
    page.value.textContent = value.toFixed(2);
    const least = Math.min(...seen.values());
    const isWorst = value - worst < NEARLY;
    const lowest = seen.size > 1 ? `your lowest ${least.toFixed(2)}` : "";
    page.lowest.textContent = isWorst ? found : isSame ? "equal grades: no change" : lowest;
    if (page.guess.disabled) return; // it is found
    if (isWorst) finish();
    else if (seen.size > 1) page.said.textContent = then;
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
  showGuess("your guess?");
  show();
}
