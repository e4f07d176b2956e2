// One of a few values: native radio buttons in a fieldset, so that a screen reader
// finds the name of the group and the arrow keys move inside it.

import { keepListening } from "./listen.js";

let groups = 0;

function option(text, index, group, choose) {
  const label = document.createElement("label");
  const input = document.createElement("input");
  input.type = "radio";
  input.name = group;
  input.addEventListener("change", () => choose(index));
  const words = document.createElement("span");
  words.textContent = text;
  label.append(input, words);
  return label;
}

export default {
  render({ model, el }) {
    keepListening(model);
    groups += 1;
    const group = `ndcg-choice-${groups}-${Math.random().toString(36).slice(2)}`;
    el.classList.add("ndcg-choice");
    el.classList.toggle("stacked", model.get("stacked"));
    const fieldset = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.textContent = model.get("label");
    const choose = (index) => {
      model.set("index", index);
      model.save_changes();
    };
    const options = model.get("texts").map((text, i) => option(text, i, group, choose));
    fieldset.append(legend, ...options);
    el.append(fieldset);
    const show = () => {
      const chosen = model.get("index");
      options.forEach((label, i) => {
        label.firstChild.checked = i === chosen;
      });
    };
    model.on("change:index", show);
    show();
    return () => model.off("change:index", show);
  },
};
