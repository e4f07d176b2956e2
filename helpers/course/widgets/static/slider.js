// A slider with a real name: the browser's own <input type=range> in its <label>.
// (The slider of ipywidgets 8 moves by keyboard, but a screen reader finds no name.)
// Its value counts steps; what is shown and spoken is the quantity they stand for.

function build(el) {
  el.classList.add("ndcg-slider");
  const label = document.createElement("label");
  const name = document.createElement("span");
  const input = document.createElement("input");
  input.type = "range";
  input.step = 1;
  const output = document.createElement("output");
  output.setAttribute("aria-hidden", "true"); // the input says it
  label.append(name, input, output);
  el.append(label);
  return { name, input, output };
}

export default {
  render({ model, el }) {
    keepListening(model);
    const { name, input, output } = build(el);
    const quantity = (steps) => {
      const digits = model.get("digits");
      const rounded = Number((model.get("origin") + model.get("unit") * steps).toFixed(digits));
      return (rounded || 0).toFixed(digits).replace("-", "−"); // -0 is 0
    };
    const say = (steps) => {
      output.textContent = quantity(steps);
      input.setAttribute("aria-valuetext", quantity(steps));
    };
    const show = () => {
      name.textContent = model.get("label");
      input.setAttribute("aria-label", model.get("label"));
      input.min = model.get("min");
      input.max = model.get("max");
      input.value = model.get("value");
      // Room for the longest, so that nothing moves beside it.
      const room = Math.max(...["min", "max"].map((end) => quantity(model.get(end)).length));
      output.style.minWidth = `${room}ch`;
      say(model.get("value"));
    };
    input.addEventListener("input", () => {
      say(Number(input.value));
      model.set("value", Number(input.value));
      model.save_changes();
    });
    model.on("change", show);
    show();
    return () => model.off("change", show);
  },
};
