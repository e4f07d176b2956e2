// One of a few values: native radio buttons in a fieldset, so that a screen reader finds the name
// of the group and the arrow keys move inside it. What they stand for, its owner knows.

import { make } from "./elements.js";
import { typeset } from "./typeset.js";

let groups = 0;

function option(text, group, choose) {
  const label = make("label", "");
  const input = make("input", "", "", { type: "radio", name: group });
  input.addEventListener("change", choose);
  const words = make("span", "");
  typeset(words, text, input);
  label.append(input, words);
  return { label, input };
}

// Under a finger the options are one row. If it is too short their words take two lines, then they
// stand two by two, and if that is not enough they take several rows: see choice.css.
const LINES = 60; // pixels: three lines are higher
const WAYS = Object.entries({ "": LINES, tight: LINES, pairs: 100, rows: 0 }); // how high at most

function fit(fieldset, options) {
  for (const [way, most] of WAYS) {
    fieldset.className = way;
    const isWhole = fieldset.scrollWidth <= fieldset.clientWidth;
    const isLow = options.every(({ label }) => label.offsetHeight < LINES);
    if (isWhole && isLow && fieldset.offsetHeight < most) return;
  }
}

// `choose` is told which of the texts was chosen; `show(index)` checks one, -1 none.
export function choiceField(el, name, texts, choose) {
  groups += 1;
  const group = `ndcg-choice-${groups}-${Math.random().toString(36).slice(2)}`;
  el.classList.add("ndcg-choice");
  const fieldset = make("fieldset", "");
  const options = texts.map((text, i) => option(text, group, () => choose(i)));
  fieldset.append(make("legend", "", name), ...options.map(({ label }) => label));
  el.append(fieldset);
  const byFinger = matchMedia("(pointer: coarse)").matches && !el.matches(".stacked");
  if (byFinger) {
    new ResizeObserver(() => requestAnimationFrame(() => fit(fieldset, options))).observe(fieldset);
  }
  const show = (chosen) => {
    options.forEach(({ input }, i) => {
      input.checked = i === chosen;
    });
  };
  return { show, focus: (index) => options[index].input.focus() };
}
