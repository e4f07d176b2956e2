// One of a few values: native radio buttons in a fieldset, so that a screen reader finds the name
// of the group and the arrow keys move inside it. What they stand for, its owner knows.

import { make } from "./elements.js";

let groups = 0;

function option(text, group, choose) {
  const label = make("label", "");
  const input = make("input", "", "", { type: "radio", name: group });
  input.addEventListener("change", choose);
  const words = make("span", "");
  const [base, ...powers] = text.split(/2\^(\w+)/); // then in turn a power, and what follows it
  words.append(base, ...powers.flatMap((part, i) => (i % 2 ? [part] : ["2", make("sup", "", part)])));
  if (powers.length) input.setAttribute("aria-label", text); // "2 to the grade", not "2grade"
  label.append(input, words);
  return { label, input };
}

const FADING = 28; // pixels, at the right end: see stage.css

// On a phone the options are one row that scrolls beside its name, as far as it must to show what
// is chosen.
function scrollToChosen(fieldset) {
  const chosen = fieldset.querySelector("label:has(input:checked)");
  if (!chosen || fieldset.scrollWidth <= fieldset.clientWidth) return;
  const parts = [fieldset, fieldset.firstElementChild, chosen];
  const [row, name, option] = parts.map((part) => part.getBoundingClientRect());
  const before = option.left - name.right - 28; // below 0, the name lies over it
  const beyond = Math.min(option.right - row.right + FADING, before);
  fieldset.scrollLeft += beyond > 0 ? beyond : Math.min(before, 0);
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
  const byFinger = matchMedia("(pointer: coarse)").matches;
  if (byFinger) new ResizeObserver(() => scrollToChosen(fieldset)).observe(fieldset);
  const show = (chosen) => {
    options.forEach(({ input }, i) => {
      input.checked = i === chosen;
    });
    if (byFinger) scrollToChosen(fieldset);
  };
  return { show, focus: (index) => options[index].input.focus() };
}
