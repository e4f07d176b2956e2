// What every page does: what scrolls takes the focus, the list of chapters follows, and what a
// reader has done is marked in it.

import { forget, here, recalled, remember, searched } from "./memory.js";

// What scrolls sideways takes the focus, so that the arrow keys can scroll it; nothing else does.
const PLACES = "pre, .ndcg-table, .table-wrapper, .math-wrapper";

function letScroll() {
  for (const place of document.querySelectorAll(PLACES)) {
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
  }
}

letScroll();
addEventListener("resize", letScroll);
document.addEventListener("toggle", letScroll, true); // what was folded had no width

// Who comes from the search finds the words marked; others need not load what marks them.
if (searched()) {
  for (const name of ["documentation_options", "doctools", "sphinx_highlight"]) {
    const src = new URL(`../${name}.js`, import.meta.url);
    document.head.append(Object.assign(document.createElement("script"), { src, async: false }));
  }
}

// The chapter at hand stands in the middle of the list.
function follow() {
  const now = document.querySelector(".ndcg-chapters [aria-current]");
  const list = now?.closest(".sidebar-scroll");
  if (list) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
}

const many = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

// "read, 2 bets, 3 exercises": what stands beside a chapter.
function done({ read, bets = {}, solved = {} }) {
  const counts = [[bets, "bet"], [solved, "exercise"]]
    .map(([found, one]) => [Object.keys(found).length, one])
    .filter(([count]) => count > 0)
    .map(([count, one]) => many(count, one));
  return [...(read ? ["read"] : []), ...counts].join(", ");
}

function mark() {
  const all = recalled();
  for (const place of document.querySelectorAll("[data-chapter]")) {
    const words = done(all[place.dataset.chapter] ?? {});
    place.classList.toggle("ndcg-read", Boolean(all[place.dataset.chapter]?.read));
    place.querySelector(".ndcg-done")?.remove();
    if (!words) continue;
    const note = Object.assign(document.createElement("small"), { className: "ndcg-done" });
    note.textContent = words;
    place.append(note);
  }
  const { solved = {} } = all[here()] ?? {};
  for (const place of document.querySelectorAll(".ndcg-kept")) {
    place.hidden = place.dataset.needs.split(" ").some((name) => !(name in solved));
  }
  for (const place of document.querySelectorAll(".ndcg-memory")) {
    place.hidden = Object.keys(all).length === 0;
  }
}

for (const button of document.querySelectorAll(".ndcg-memory button")) {
  button.addEventListener("click", forget);
}
addEventListener("ndcg-remembered", mark);
addEventListener("storage", mark); // another tab
mark();
follow();

// On paper the solutions stand at the end, below the titles of their exercises.
const KEY = "ndcg-key";

function titleOf(place) {
  for (let one = place; one; one = one.previousElementSibling) {
    const title = one.querySelector(":scope > strong")?.textContent ?? "";
    if (/^\d+\. /.test(title)) return title;
  }
  return "Recall";
}

addEventListener("beforeprint", () => {
  const folded = [...document.querySelectorAll("article details > summary")]
    .filter(({ textContent }) => textContent === "Answers")
    .map((summary) => summary.parentElement);
  const solved = [...document.querySelectorAll("article .ndcg-solution"), ...folded];
  if (solved.length === 0) return;
  const key = document.createElement("section");
  key.className = KEY;
  key.innerHTML = "<h2>Solutions</h2>";
  for (const solution of solved) {
    const title = document.createElement("h3");
    title.textContent = titleOf(solution.closest(".ndcg-live, article section > div"));
    const body = document.createElement("div");
    const parts = solution.matches("details") ? [...solution.children].slice(1) : solution.children;
    body.append(...[...parts].map((part) => part.cloneNode(true)));
    key.append(title, body);
  }
  document.querySelector("article").append(key);
});
addEventListener("afterprint", () => document.querySelector(`.${KEY}`)?.remove());

// A chapter is read once its end was on the screen.
const end = document.querySelector(".ndcg-neighbors");
if (end) {
  new IntersectionObserver(([{ isIntersecting }], observer) => {
    if (!isIntersecting) return;
    observer.disconnect();
    if (!recalled()[here()]?.read) remember("read", "whole");
  }).observe(end);
}
