// What the front page opens with, in two steps. First the reader guesses the lowest NDCG of a list, by
// a thumb on a scale. Then the list is dragged: its number stands above its dot on the scale, and each
// order that was tried leaves a dot. Of those that were not, nothing is shown until the worst is
// found, when they join the pile.
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
  const mark = make("span", "ndcg-opening-judged", `${judged.toFixed(2)}?`);
  mark.style.left = `${100 * judged}%`;
  const guess = make("input", "", "", { type: "range", min: 0, max: 100, "aria-label": label });
  const guessed = make("span", "ndcg-opening-guess");
  marks.append(empty, ...ends, mark, guessed, make("span", "ndcg-opening-now"));
  const number = make("p", "ndcg-opening-number", "NDCG ");
  const value = number.appendChild(make("strong", ""));
  scale.append(marks, number, guess);
  return { scale, marks, empty, value, guess, guessed };
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

function build({ asked, titles, grades, question, hint, then, judged, label }) {
  const first = make("p", "ndcg-opening-step", `${question} `);
  const task = first.appendChild(make("span", "", hint));
  const said = make("p", "ndcg-opening-step", then, { role: "status" });
  const note = make("p", "ndcg-opening-note");
  const second = make("div", "ndcg-opening-second");
  second.append(said, note);
  const search = make("div", "ndcg-opening-search");
  search.append(make("p", "ndcg-opening-asked", asked));
  const ranking = buildRanking({ titles, grades }, (parts) => parts);
  const status = make("p", "ndcg-unseen", "", { role: "status" });
  return { first, task, said, note, second, search, ...ranking, status, ...buildScale(judged, label) };
}

export function mount(el, data) {
  const { titles, grades, values, worst, each, said } = data;
  const n = titles.length;
  const page = build(data);
  const pile = pileOn(page.marks);
  let order = firstOrder(n);
  const seen = new Map();
  let guessed = null;

  const showGuess = (words) => {
    page.guessed.textContent = words;
    page.scale.style.setProperty("--guess", page.guess.value);
    page.guess.setAttribute("aria-valuetext", words);
  };
  const guessNow = () => {
    guessed = page.guess.value / 100;
    place.classList.add("guessed");
    showGuess(`your guess ${guessed.toFixed(2)}`);
  };
  // A click alone says that the middle is meant.
  for (const type of ["input", "click"]) page.guess.addEventListener(type, guessNow);
  const finish = () => {
    const compared = guessed === null ? "" : ` You guessed ${guessed.toFixed(2)}.`;
    const { href, textContent } = document.querySelector(".ndcg-start");
    const next = make("a", "", textContent, { href });
    page.said.replaceChildren(make("strong", "", said), `${compared} `, next);
    page.said.className = "ndcg-opening-said";
    [page.task, page.note].forEach((one) => one.remove());
    page.guess.disabled = true;
    if (guessed === null) [page.guess, page.guessed].forEach((one) => one.remove());
    else showGuess(`you guessed ${guessed.toFixed(2)}`);
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
    page.scale.style.setProperty("--now", 100 * value);
    page.value.textContent = value.toFixed(2);
    const lowest = seen.size > 1 ? `Your lowest so far: ${Math.min(...seen.values()).toFixed(2)}.` : each;
    page.note.textContent = isSame ? "Equal grades: no change." : lowest;
    again.hidden = seen.size === 1;
    if (value - worst < NEARLY && !page.guess.disabled) finish();
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
  page.search.append(again);
  const place = make("div", "ndcg-explorer ndcg-drag ndcg-opening");
  const { first, scale, second, search, list, status } = page;
  place.append(first, scale, second, search, list, status);
  letMove(page, acts, titles);
  el.replaceChildren(place);
  showGuess("your guess?");
  show();
}
