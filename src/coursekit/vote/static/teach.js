// The instructor's page: moves, bars of both votes side by side, and the refutations.

import { $, ask, element, follow, send, trouble } from "./page.js";

const SAID = {
  waiting: "The question is on all screens; nobody can vote yet.",
  discussion: "Closed. Let neighbors talk, vote again, or show the answer.",
  closed: "Closed.",
  shown: "",
};
const percent = (n, total) => `${n} (${Math.round((100 * n) / total)}%)`;
const total = (counts) => Object.values(counts).reduce((sum, n) => sum + n, 0);

function bar(n, all) {
  const fill = element("div", { className: "bar" });
  fill.style.width = `${(100 * n) / (all || 1)}%`;
  return element("td", {}, fill, percent(n, all || 1));
}

function drawBars(state) {
  const rounds = Object.entries(state.counts);
  $("bars").hidden = !rounds.length;
  const names = rounds.map(([round, counts]) =>
    `${round === "1" ? "First" : "Second"} vote: ${total(counts)}`);
  $("bars").querySelector("summary").textContent = names.join(" · ");
  const head = element("tr", {}, ...["", ...names].map((name) => element("th", { scope: "col" }, name)));
  $("bars").querySelector("thead").replaceChildren(head);
  $("bars").querySelector("tbody").replaceChildren(...Object.keys(state.answers).map((letter) =>
    element("tr", { className: letter === state.right ? "right" : "" },
      element("th", { scope: "row" }, letter === state.right ? `${letter}, right` : letter),
      ...rounds.map(([, counts]) => bar(counts[letter], total(counts))))));
  const moved = state.changes;
  const said = moved && rounds.length === 2
    ? `From wrong to right: ${moved.to_right}. From right to wrong: ${moved.from_right}. `
      + `From one wrong answer to another: ${moved.other}.`
    : "";
  $("changes").textContent = said;
}

function drawAnswers(state) {
  $("answers").replaceChildren(...Object.entries(state.answers).map(([letter, text]) => {
    const is = letter === state.right;
    const made = element("div", { className: is ? "answer right" : "answer" },
      element("p", {}, element("b", {}, letter), element("span", {}, text)));
    if (state.right) made.append(element("p", {}, is ? "Right. " : "Not so. ", state.replies[letter]));
    return made;
  }));
}

function drawMoves(state) {
  $("moves").replaceChildren(...state.moves.map((move) => element("button", {
    type: "button",
    onclick: () => send("teach/move", { move, place: state.place, phase: state.phase }, "Not done"),
  }, move)));
}

let drawn = "";

function draw(state) {
  show(true);
  $("place").textContent = `${state.place + 1} of ${state.of}`;
  ask(state);
  $("status").textContent = state.votes === null
    ? SAID[state.phase] : `The vote is open: ${state.votes} so far.`;
  drawBars(state);
  const step = `${state.place} ${state.phase}`;
  if (step === drawn) return;
  drawn = step;
  $("bars").open = state.phase === "shown"; // before that the bars would tell the room what to think
  drawAnswers(state);
  drawMoves(state);
}

// What the instructor's browser shows is the room, and any other the form.
function show(isKnown) {
  $("enter").hidden = isKnown;
  $("room").hidden = !isKnown;
}

// Without an answer nothing changes: the server may be there again soon.
async function mayGoOn() {
  const status = await fetch("teach/entered").then((answer) => answer.status, () => 0);
  if (status === 403) {
    show(false);
    trouble("");
  }
  return status !== 403;
}

let open = null;

// Follows the news, with a secret or with the cookie that one has left.
async function enter(secret) {
  if (secret && !(await send("teach/enter", { secret }, "Not opened"))) show(false);
  else if (open) open();
  else if (await mayGoOn()) open = follow("teach/events", draw, mayGoOn);
}

// The secret comes with the address, once or again, and leaves it at once: the room sees this page.
function fromAddress() {
  const secret = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  enter(secret);
}

$("where").textContent = location.origin;
$("enter").onsubmit = (event) => {
  event.preventDefault();
  enter($("secret").value);
};
window.addEventListener("hashchange", fromAddress);
fromAddress();
