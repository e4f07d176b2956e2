// A slider, as a widget. Its value counts steps; what is shown and spoken is the quantity they
// stand for.

import { make } from "./elements.js";
import { keepListening } from "./listen.js";
import { sliderField } from "./slider_field.js";

const PACE = 400; // milliseconds from one value to the next while it plays, at most
const WHOLE = 8000; // milliseconds from the first value to the last, at most

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
    const pace = Math.min(PACE, WHOLE / (model.get("max") - model.get("min")));
    clearInterval(timer);
    timer = isPlaying ? setInterval(next, pace) : null;
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

// One step down, one up, where the slider itself lies in the figure (seat.js). By keyboard it is the
// slider that moves, so nobody else needs to know of them.
function addSteps(el, model, goTo) {
  const output = el.querySelector("output");
  const step = (text, by) => {
    const attributes = { type: "button", tabindex: -1, "aria-hidden": "true" };
    const button = make("button", "ndcg-nudge", text, attributes);
    button.addEventListener("click", () => goTo(model.get("value") + by));
    return button;
  };
  const [down, up] = [step("−", -1), step("+", 1)];
  output.before(down);
  output.after(up);
  return () => {
    down.disabled = model.get("value") === model.get("min");
    up.disabled = model.get("value") === model.get("max");
  };
}

export default {
  render({ model, el }) {
    keepListening(model);
    const quantity = (steps) => {
      const digits = model.get("digits");
      const rounded = Number((model.get("origin") + model.get("unit") * steps).toFixed(digits));
      return (rounded || 0).toFixed(digits).replace("-", "−"); // -0 is 0
    };
    const goTo = (value) => {
      field.say(value);
      model.set("value", value);
      model.save_changes();
    };
    const field = sliderField(el, goTo, quantity);
    const showSteps = addSteps(el, model, goTo);
    const show = () => {
      const traits = ["label", "min", "max", "value"].map((name) => [name, model.get(name)]);
      field.show(Object.fromEntries(traits));
      showSteps();
    };
    model.on("change", show);
    show();
    const stop = model.get("plays") ? addPlayer(el, model, goTo) : () => {};
    return () => {
      stop();
      model.off("change", show);
    };
  },
};
