// The page to vote on: a question, its answers as radio buttons, and what became of the vote.

import { $, ask, element, follow, send } from "./page.js";

const OPEN = ["first vote", "second vote"];
const SAID = {
  waiting: "The vote is not open yet.",
  "first vote": "Choose an answer. Nobody sees it.",
  discussion: "The vote is closed. Convince your neighbor.",
  "second vote": "Choose again, the same or another.",
  closed: "The vote is closed.",
};
let state = null;

function answer(letter, text) {
  const input = element("input", { type: "radio", name: "answer", value: letter });
  input.checked = letter === state.own;
  input.disabled = !OPEN.includes(state.phase);
  input.onchange = () => vote(letter);
  const label = element("label", {}, input, element("b", {}, letter), element("span", {}, text));
  if (!state.right) return label;
  const verdict = letter === state.right ? "Right. " : "Not so. ";
  label.classList.toggle("right", letter === state.right);
  return element("div", {}, label, element("p", {}, verdict, state.replies[letter]));
}

// Votes go one after the other, and of those that wait only the last: two that are sent at once
// might arrive in either order.
let wanted = null;
let isSending = false;

async function vote(letter) {
  wanted = { name: state.name, answer: letter };
  if (isSending) return;
  isSending = true;
  while (wanted) {
    const asked = wanted;
    wanted = null;
    const taken = await send("vote", asked, "Not counted");
    if (taken && state.name === asked.name) state.own = asked.answer;
  }
  isSending = false;
  for (const input of $("answers").querySelectorAll("input")) input.checked = input.value === state.own;
  say();
}

function say() {
  const own = state.own ? `Your vote is ${state.own}. ` : "";
  const change = own && OPEN.includes(state.phase) ? "You can change it until the vote is closed." : "";
  $("status").textContent = own + (change || (SAID[state.phase] ?? (own ? "" : "You did not vote.")));
}

// An open vote is not drawn anew by news that do not touch it: the focus stays where it is.
let drawn = "";

follow("events", (now) => {
  state = now;
  const { own, ...rest } = now;
  const text = JSON.stringify(rest);
  if (text !== drawn) {
    drawn = text;
    ask(state);
    $("answers").replaceChildren(...Object.entries(state.answers).map((one) => answer(...one)));
  }
  say();
});
