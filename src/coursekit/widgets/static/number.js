// A number to type or to step: the browser's own <input type=number> in its <label>, so that a
// screen reader finds its name and its range. A reader sees origin + unit * value, as in a slider.

import { keepListening } from "./listen.js";

export default {
  render({ model, el }) {
    keepListening(model);
    el.classList.add("ndcg-number");
    const label = document.createElement("label");
    const name = document.createElement("span");
    const input = document.createElement("input");
    input.type = "number";
    label.append(name, input);
    el.append(label);
    const show = () => {
      name.textContent = model.get("label");
      const seen = (value) =>
        (model.get("origin") + model.get("unit") * value).toFixed(model.get("digits"));
      input.step = model.get("unit");
      input.min = seen(model.get("min"));
      input.max = seen(model.get("max"));
      input.value = seen(model.get("value"));
    };
    // "change", not "input": a number that is half typed is not meant yet.
    input.addEventListener("change", () => {
      const typed = Math.round((input.valueAsNumber - model.get("origin")) / model.get("unit"));
      const inside = Math.min(Math.max(typed, model.get("min")), model.get("max"));
      if (!Number.isNaN(inside)) {
        model.set("value", inside);
        model.save_changes();
      }
      show(); // what was no number, or outside, is not left standing
    });
    model.on("change", show);
    show();
    return () => model.off("change", show);
  },
};
