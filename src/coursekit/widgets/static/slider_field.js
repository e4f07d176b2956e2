// A slider with a real name: the browser's own <input type=range> in its <label>. (The slider of
// ipywidgets 8 moves by keyboard, but a screen reader finds no name.) What a value stands for, its
// owner knows.

import { make } from "./elements.js";

// `move` is told each value; `show` takes label, ends and value; `said` returns what is shown and
// spoken of a value.
export function sliderField(el, move, said = String) {
  el.classList.add("ndcg-slider");
  const label = make("label", "");
  const name = make("span", "");
  const input = make("input", "", "", { type: "range", step: 1 });
  const output = make("output", "", "", { "aria-hidden": "true" }); // the input says it
  label.append(name, input, output);
  el.append(label);
  const say = (value) => {
    output.textContent = said(value);
    input.setAttribute("aria-valuetext", said(value));
  };
  const show = (traits) => {
    name.textContent = traits.label;
    input.setAttribute("aria-label", traits.label);
    for (const end of ["min", "max", "value"]) input[end] = traits[end];
    // Room for the longest, so that nothing moves beside it.
    const room = Math.max(...[traits.min, traits.max].map((end) => said(end).length));
    output.style.minWidth = `${room}ch`;
    say(traits.value);
  };
  input.addEventListener("input", () => move(Number(input.value)));
  return { show, say };
}
