// A slider with a real name: the browser's own <input type=range> in its <label>.
// (The slider of ipywidgets 8 moves by keyboard, but a screen reader finds no name.)
// Its value counts steps; what is shown and spoken is the quantity they stand for.

import { keepListening } from "./listen.js";

const PACE = 400; // milliseconds from one value to the next while it plays

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

// While values follow each other a screen reader would fall behind: it hears where they end.
function hush(el, isPlaying) {
  const sentence = el.closest(".ndcg-explorer")?.querySelector(".ndcg-sentence");
  if (isPlaying) sentence?.setAttribute("aria-live", "off");
  else sentence?.removeAttribute("aria-live");
}

// A button that goes through the values, at the end from the first. Nothing but the reader
// starts it; it stops at the end, and where somebody else moves the value.
function addPlayer(el, model, goTo) {
  const button = document.createElement("button");
  button.type = "button";
  el.append(button);
  let timer = null;
  let at = 0;
  const switchTo = (isPlaying, next) => {
    clearInterval(timer);
    timer = isPlaying ? setInterval(next, PACE) : null;
    button.textContent = isPlaying ? "Pause" : "Play";
    hush(el, isPlaying);
  };
  const next = () => {
    const isMoved = model.get("value") !== at;
    if (!isMoved) goTo((at += 1));
    if (isMoved || at >= model.get("max")) switchTo(false);
  };
  button.addEventListener("click", () => {
    if (timer !== null) return switchTo(false);
    at = model.get("value") < model.get("max") ? model.get("value") : model.get("min");
    goTo(at);
    return switchTo(true, next);
  });
  switchTo(false);
  return () => switchTo(false);
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
    const goTo = (value) => {
      say(value);
      model.set("value", value);
      model.save_changes();
    };
    input.addEventListener("input", () => goTo(Number(input.value)));
    model.on("change", show);
    show();
    const stop = model.get("plays") ? addPlayer(el, model, goTo) : () => {};
    return () => {
      stop();
      model.off("change", show);
    };
  },
};
