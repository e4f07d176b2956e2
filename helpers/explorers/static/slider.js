// A slider with a real name: the browser's own <input type=range> in its <label>.
// (The slider of ipywidgets 8 moves by keyboard, but a screen reader finds no name.)

function build(el) {
  el.classList.add("ndcg-slider");
  const label = document.createElement("label");
  const name = document.createElement("span");
  const input = document.createElement("input");
  input.type = "range";
  input.step = 1;
  const output = document.createElement("output");
  label.append(name, input, output);
  el.append(label);
  return { name, input, output };
}

export default {
  render({ model, el }) {
    keepListening(model);
    const { name, input, output } = build(el);
    const show = () => {
      name.textContent = model.get("label");
      input.setAttribute("aria-label", model.get("label"));
      input.min = model.get("min");
      input.max = model.get("max");
      input.value = model.get("value");
      output.textContent = model.get("value");
    };
    input.addEventListener("input", () => {
      output.textContent = input.value;
      model.set("value", Number(input.value));
      model.save_changes();
    });
    keepKeys(input);
    model.on("change", show);
    show();
    return () => model.off("change", show);
  },
};
