// A whole number to type or to step: the browser's own <input type=number> in its
// <label>, so that a screen reader finds its name and its range.

export default {
  render({ model, el }) {
    keepListening(model);
    el.classList.add("ndcg-number");
    const label = document.createElement("label");
    const name = document.createElement("span");
    const input = document.createElement("input");
    input.type = "number";
    input.step = 1;
    label.append(name, input);
    el.append(label);
    const show = () => {
      name.textContent = model.get("label");
      input.min = model.get("min");
      input.max = model.get("max");
      input.value = model.get("value");
    };
    // "change", not "input": a number that is half typed is not meant yet.
    input.addEventListener("change", () => {
      const typed = Math.round(input.valueAsNumber);
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
