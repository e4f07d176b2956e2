// An explorer without a kernel: controls, a stage and a state line as Python builds them
// (src/coursekit/explorers/explorer.py), and in place of `view` a table of all its states, or a
// module that computes them.

import { nearest, restored, writeLine, written } from "./line.js";
import { CONFIG, STAGE } from "./model.js";
import { letter, unpack } from "./table.js";
import { typeset } from "./typeset.js";

const SCALE = ["label", "origin", "unit", "min", "max", "value"]; // of a slider, for Stage.touch

/** What an explorer does, without a page: values in, states out. */
export class Explorer {
  constructor(data, port) {
    this.data = data;
    this.names = Object.keys(data.controls);
    this.values = data.values;
    this.port = port;
    if (!port) this.places = placesOf(data.table, this.names.length);
  }

  /** The state at some values: what is shown, and how the controls change. */
  stateAt(values) {
    if (this.port) return this.port.answer(this.data.base, values);
    return unpack(this.data.table, this.places.get(keyOf(this.names.map((n) => values[n]))));
  }

  get state() {
    return this.stateAt(this.values);
  }

  get line() {
    return writeLine(this.data.name, this.values);
  }

  /**
   * Take values, each as near as its control can come; those that had to give way are told. What
   * `steps` from a stop gets to the next one, however near it still is.
   */
  set(wanted, steps = true) {
    const values = {};
    const moved = [];
    for (const name of this.names) {
      const value = name in wanted ? wanted[name] : this.values[name];
      values[name] = this.#within(name, value, values, steps);
      if (name in wanted && values[name] !== value) moved.push([name, value, values[name]]);
    }
    this.values = values;
    return moved;
  }

  // A control can end elsewhere after an earlier choice: what came `before` says where.
  #within(name, value, before, steps) {
    const control = this.data.controls[name];
    if (isPad(control)) return this.port.readWeights(value).join(" ");
    if (!isRange(control)) return value;
    const { stops, traits } = control;
    const place = this.places.get(keyOf(Object.values(before)));
    const { min, max } = { ...traits, ...unpack(this.data.table, place).fit[name] };
    const inside = Math.min(Math.max(value, min), max);
    const from = steps ? this.values[name] : null;
    return stops ? nearestStop(inside, from, stops.filter((s) => s >= min)) : inside;
  }

  /** Take the values of a state line; an error says what is wrong with it. */
  restore(line) {
    const { name, was } = this.data;
    const wanted = restored(line, { name, was, needed: this.names });
    const before = this.values;
    try {
      for (const one of this.names) this.#take(one, wanted[one]);
    } catch (error) {
      this.values = before;
      throw error;
    }
  }

  #take(name, value) {
    const known = allowed(name, value, this.data.controls[name], this.port);
    const [away] = this.set({ [name]: known });
    if (!away) return;
    throw new Error(`${name} cannot be ${written(value)}, the nearest is ${written(away[2])}`);
  }
}

const isPad = ({ widget }) => widget === "DiscountPad";
const isRange = ({ traits }) => "min" in traits;
const keyOf = (values) => JSON.stringify(values);

// The state that each row of values, and each beginning of one, leads to.
function placesOf({ values, columns }, n) {
  const places = new Map();
  const numbers = (i) => values.map((held, c) => held[letter(columns[c], i)]);
  for (let i = 0; i < columns[0].length; i += 1) {
    const row = numbers(i);
    for (let length = 0; length <= n; length += 1) {
      const key = keyOf(row.slice(0, length));
      if (!places.has(key)) places.set(key, i);
    }
  }
  return places;
}

// Who moves on from a stop by less than half the way to the next gets there all the same.
function nearestStop(wanted, from, stops) {
  const [nearest] = [...stops].sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
  if (nearest !== from || wanted === from) return nearest;
  const beyond = stops.filter((stop) => (wanted > from ? stop > from : stop < from));
  if (beyond.length === 0) return from;
  return wanted > from ? Math.min(...beyond) : Math.max(...beyond);
}

// The value that a control has for one that came; refused as the controls' traits do it in Python.
function allowed(name, value, control, port) {
  const { values, traits } = control;
  const cannot = (words, came = value) => new Error(`${name} cannot be ${written(came)}: ${words}`);
  if (values) {
    const known = values.find((one) => plain(one) === plain(value));
    if (known !== undefined) return known;
    const said = nearest(value ?? "None", values);
    throw cannot(`${traits.label} must be one of ${written(values)}${said}`, value ?? "None");
  }
  if (isRange(control)) {
    if (Number.isInteger(value)) return value;
    throw cannot(`${traits.label} must be a whole number`);
  }
  try {
    port.readWeights(value);
  } catch (error) {
    throw cannot(error.message);
  }
  return value;
}

const plain = (value) => (typeof value === "boolean" ? Number(value) : value); // True is 1

const NEAR = 0.1; // of a change: what comes that near to where it was to go needs no words

// --- on a page ------------------------------------------------------------------------------

const element = (tag, className, text = "") =>
  Object.assign(document.createElement(tag), { className, textContent: text });

function row(className, ...parts) {
  const box = element("div", `widget-hbox ${className}`);
  box.append(...parts);
  return box;
}

export async function mount(el, data, page) {
  const port = data.port && (await import(`./${data.port}.js`));
  const explorer = new Explorer(data, port);
  const root = element("div", "ndcg-explorer widget-vbox");
  const question = element("div", "ndcg-question", data.question);
  question.setAttribute("role", "heading");
  question.setAttribute("aria-level", "3");

  let told; // how high its panels are, and which is shown, where it is told by a scroll
  const show = (trouble = "") => {
    const state = explorer.state;
    for (const [name, { model }] of Object.entries(controls)) {
      model.show({ ...data.controls[name].traits, ...state.fit[name], ...shownAs(name) });
    }
    line.show({ line: explorer.line, trouble });
    const { sentence, formula, table } = state;
    const figure = { ...state.figure, config: CONFIG };
    stage.show({ figure, sentence, formula, table, touch: touchOf(state.touch), told });
  };
  const shownAs = (name) => {
    const value = explorer.values[name];
    const { values } = data.controls[name];
    return values ? { index: values.indexOf(value) } : { value };
  };
  const touchOf = (touch) => Object.fromEntries(Object.entries(touch).map(([axis, name]) => {
    const { model } = controls[name];
    return [axis, { control: name, ...Object.fromEntries(SCALE.map((t) => [t, model.get(t)])) }];
  }));
  const change = (wanted, steps = true) => {
    const before = explorer.values;
    const moved = explorer.set(wanted, steps).filter(([name, value, nearest]) =>
      data.controls[name].stops && Math.abs(value - nearest) > NEAR * Math.abs(value - before[name]));
    const words = moved.map(([name, value, nearest]) =>
      `${name}=${value} is not on this page, the next one is ${nearest}.`);
    show(steps ? words.join(" ") : ""); // a finger sees where it gets
    page.address(el, explorer.line);
  };
  const restore = (text) => {
    try {
      explorer.restore(text);
      told = told?.whole ?? told;
      show();
      page.address(el, explorer.line);
    } catch (error) {
      line.show({ trouble: error.message });
    }
  };

  const controls = {};
  for (const [name, { widget, traits, values }] of Object.entries(data.controls)) {
    const answer = ({ index, value }) => change({ [name]: values ? values[index] : value });
    controls[name] = { model: page.model(traits, answer), place: element("div", "") };
    await page.widget(widget, controls[name].model, controls[name].place);
  }
  const stage = page.model(STAGE, (message) => message.set && change(message.set, false));
  const line = page.model({ line: "", trouble: "" }, (message) => restore(message.restore));
  const [scene, field] = [element("div", ""), element("div", "")];
  const buttons = data.buttons.map(({ label, set, act, tooltip }) => {
    const button = element("button", "jupyter-button");
    typeset(button, label);
    Object.assign(button, { type: "button", title: tooltip ?? "" });
    button.addEventListener("click", () => change(set ?? explorer.state.acts[act]));
    return button;
  });
  const places = (which) => explorer.names.filter(which).map((name) => controls[name].place);
  const isOnPad = (name) => isPad(data.controls[name]);
  const pads = places(isOnPad);
  const beside = element("div", "ndcg-beside");
  beside.append(...pads, scene);
  const others = places((name) => !isOnPad(name));
  root.append(row("", question), row("ndcg-buttons", ...buttons));
  root.append(row("ndcg-controls", ...others), pads.length ? beside : scene, field);
  el.replaceChildren(root); // before the stage is drawn: it asks how wide it is
  show();
  await page.widget("Stage", stage, scene);
  await page.widget("StateLine", line, field);
  return {
    restore,
    /** Show the state of a line that the page's own text names: its address stays. */
    tell(text, how) {
      told = how;
      explorer.restore(text);
      show();
    },
    present(isLarge) {
      root.classList.toggle("ndcg-large", isLarge);
      stage.show({ large: isLarge });
    },
  };
}
