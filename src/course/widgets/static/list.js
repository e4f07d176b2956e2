// A list of documents to drag: its rows, and every way to move one.

import { make } from "../../../coursekit/widgets/static/elements.js";

export function button(text, act, attributes = {}) {
  const element = make("button", "ndcg-button", text, { type: "button", ...attributes });
  // Not `disabled`: a button that vanishes under the focus takes the focus with it.
  element.addEventListener("click", () => {
    if (element.getAttribute("aria-disabled") !== "true") act();
  });
  return element;
}

// A row of the list: rank, handle with the title, grade, arrows.
function buildRow(title, most) {
  const row = make("li", "ndcg-row");
  const rank = make("span", "ndcg-rank");
  const handle = make("button", "ndcg-handle", "", {
    type: "button",
    title,
    "aria-keyshortcuts": "Alt+ArrowUp Alt+ArrowDown Home End",
  });
  const name = make("span", "");
  // Names of functions are long: they may break after an underscore or a dot.
  for (const part of title.split(/(?<=[_.])/)) name.append(part, make("wbr", ""));
  handle.append(make("span", "ndcg-grip", "", { "aria-hidden": "true" }), name);
  const grades = make("span", "ndcg-grade");
  const pips = make("span", "ndcg-pips", "", { "aria-hidden": "true" });
  for (let i = 1; i <= most; i += 1) pips.append(make("i", ""));
  const number = make("b", "");
  grades.append(make("span", "ndcg-unseen", "grade "), number, pips);
  const up = make("button", "ndcg-step", "↑", { type: "button", "aria-label": `Move ${title} up` });
  const down = make("button", "ndcg-step", "↓", { type: "button", "aria-label": `Move ${title} down` });
  row.append(rank, handle, grades, up, down);
  return { row, rank, handle, number, pips, up, down };
}

// The list; `extend` adds to the parts of a row what else stands in it.
export function buildRanking({ titles, grades }, extend) {
  const list = make("ol", "ndcg-list", "", { role: "list", "aria-label": "Ranking, rank 1 first" });
  const most = Math.max(...grades);
  const rows = titles.map((title, doc) => extend(buildRow(title, most), title, doc));
  list.style.setProperty("--n", titles.length);
  list.append(...rows.map(({ row }) => row));
  return { list, rows };
}

// Ranks, grades ("?" where they are hidden), arrows, and the line of the cutoff.
export function showRanks({ rows, list }, { order, grades, k, shown }) {
  order.forEach((doc, i) => {
    const parts = rows[doc];
    parts.rank.textContent = i + 1;
    parts.number.textContent = shown ? grades[doc] : "?";
    [...parts.pips.children].forEach((pip, j) => {
      pip.classList.toggle("full", shown && j < grades[doc]);
    });
    parts.up.setAttribute("aria-disabled", i === 0);
    parts.down.setAttribute("aria-disabled", i === order.length - 1);
    parts.row.classList.toggle("beyond", i >= k);
  });
  // The line belongs to the list: it stays where it is while a row is dragged across.
  list.classList.toggle("cut", k < order.length);
  list.style.setProperty("--k", k);
  list.dataset.cut = `k = ${k}`;
}

// Put the rows in order without ever taking out the one that has the focus (or the
// pointer): it would lose it, and a screen reader would start again.
function arrange(list, wanted) {
  const kept = wanted.findIndex((row) => row.contains(document.activeElement));
  wanted.forEach((row, i) => {
    if (i < kept) list.insertBefore(row, wanted[kept]);
    else if (i !== kept) list.append(row);
  });
}

/** Whether less motion is asked for. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Rows slide from where they were.
export function arrangeInMotion(list, wanted) {
  const tops = wanted.map((row) => row.getBoundingClientRect().top);
  for (const row of wanted) {
    row.style.transform = ""; // where a pointer has dragged it
    row.getAnimations().forEach((animation) => animation.cancel());
  }
  arrange(list, wanted);
  if (isCalm()) return;
  wanted.forEach((row, i) => {
    const way = tops[i] - row.getBoundingClientRect().top;
    if (way === 0) return;
    const frames = [{ transform: `translateY(${way}px)` }, { transform: "none" }];
    row.animate(frames, { duration: 180, easing: "ease-out" });
  });
}

// ------------------------------------------------------------- how it is moved

// One row's keys. Home and End need no Alt: some browsers take Alt + Home themselves.
function listenToKeys(doc, page, acts, tell) {
  const { row, up, down } = page.rows[doc];
  const last = page.rows.length - 1;
  const move = (target) => acts.move(doc, target) || tell(doc);
  const focus = (place) => page.list.children[place]?.querySelector(".ndcg-handle").focus();
  row.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const place = acts.place(doc);
    if (event.key === "Home") move(0);
    else if (event.key === "End") move(last);
    else if (step && event.altKey) move(place + step);
    else if (step) focus(place + step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  up.addEventListener("click", () => move(acts.place(doc) - 1));
  down.addEventListener("click", () => move(acts.place(doc) + 1));
}

const SHAKE = 4; // pixels that a hand moves in a plain click

// Where the other rows go to make room for the one that is dragged.
function makeRoom(page, row, place, target) {
  const height = row.offsetHeight;
  [...page.list.children].forEach((other, i) => {
    if (other === row) return;
    const way = Number(i < place && i >= target) - Number(i > place && i <= target);
    other.style.transform = way === 0 ? "" : `translateY(${way * height}px)`;
  });
}

// Mouse, pen and finger alike. The row follows the pointer, the others leave a gap where
// it would go, and only letting go moves it. Only the handle is held: anywhere else a
// finger scrolls the page.
function listenToPointer(doc, page, acts, tell) {
  const { row, handle } = page.rows[doc];
  let drag = null;
  let wasDragged = false;
  const heightInList = (event) => event.clientY - page.list.getBoundingClientRect().top;
  const end = () => {
    drag = null;
    row.classList.remove("dragged");
    page.list.classList.remove("dropping");
  };
  const cancel = () => {
    if (!drag) return;
    end();
    for (const { row: any } of page.rows) any.style.transform = "";
  };
  handle.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    handle.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true }); // not every browser does so for a button
    const place = acts.place(doc);
    drag = { from: heightInList(event), place, target: place };
    wasDragged = false;
  });
  handle.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const way = heightInList(event) - drag.from;
    if (!wasDragged && Math.abs(way) < SHAKE) return;
    wasDragged = true;
    row.classList.add("dragged");
    page.list.classList.add("dropping");
    row.style.transform = `translateY(${way}px)`;
    const rows = Math.round(way / row.offsetHeight);
    drag.target = Math.min(Math.max(drag.place + rows, 0), page.rows.length - 1);
    makeRoom(page, row, drag.place, drag.target);
  });
  handle.addEventListener("pointerup", () => {
    if (!drag) return;
    const { place, target } = drag;
    // Python may have changed the order meanwhile: then the gap is not where it was.
    const isMoved = place === acts.place(doc) && acts.move(doc, target);
    if (isMoved) end();
    else cancel();
  });
  handle.addEventListener("pointercancel", cancel);
  handle.addEventListener("lostpointercapture", cancel);
  handle.addEventListener("keydown", (event) => {
    if (event.key === "Escape") cancel();
  });
  handle.addEventListener("click", (event) => {
    const byKeyboard = event.detail === 0;
    if (byKeyboard || !wasDragged) tell(doc); // a drag has its own words
  });
}

export function letMove(page, acts, titles) {
  const tell = (doc) => {
    const rank = acts.place(doc) + 1;
    page.status.textContent = `${titles[doc]} is at rank ${rank} of ${titles.length}.`;
  };
  page.rows.forEach((_, doc) => {
    listenToKeys(doc, page, acts, tell);
    listenToPointer(doc, page, acts, tell);
  });
}
