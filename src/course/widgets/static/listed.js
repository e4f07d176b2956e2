// A list of documents to drag, with a picture beside it. Everything shown is a function of the
// model's traits, computed here: a move is answered at once, with a kernel or without, and a second
// view of the list shows the same.
//
// `declared` is what does not change: name, question, titles, grades, picture, hasTies, the inputs,
// the names of those `aside`, presets, the start, and in `fixed` what the numbers need besides.
// `values` are those of all controls, by name, as in the state line. `history` are the moves since
// the list was last set to an order: title, from, to.

import { choiceField } from "../../../coursekit/widgets/static/choice_field.js";
import { make } from "../../../coursekit/widgets/static/elements.js";
import { keepListening } from "../../../coursekit/widgets/static/listen.js";
import { sliderField } from "../../../coursekit/widgets/static/slider_field.js";
import { stateField } from "../../../coursekit/widgets/static/state_field.js";
import { restored, writeLine, written } from "../../../coursekit/site/static/line.js";
import { dots } from "./dots.js";
import { arrangeInMotion, buildRanking, button, letMove, showRanks } from "./list.js";
import { isOrder, moved, parse, write } from "./ranking.js";
import { scores } from "./scores.js";

// A picture has its parts: `help`; `extend` adds to a row; `above` is its headline, if it has one;
// `beside(list)` are the two halves; `aside` are buttons among the inputs that are aside; `look`
// computes what is shown from a state, `show` shows it, `said(before, now)` is the live sentence or
// null where it stays, `table` its head and rows or null; `stop` ends it.
const PICTURES = { scores, dots };

// --------------------------------------------------------------- the state line

// What is wrong with the value of a control, or nothing; Python answers alike.
function wrong(name, value, { inputs, titles, hasTies }) {
  const got = `got ${written(value)}`;
  const input = inputs[name];
  if (input?.options) {
    const known = Object.values(input.options);
    const names = known.map((one) => (typeof one === "string" ? one : written(one)));
    return known.includes(value) ? "" : `must be ${names.join(" or ")}, ${got}`;
  }
  if (input) {
    const { min, max } = input;
    const isInside = Number.isInteger(value) && value >= min && value <= max;
    return isInside ? "" : `must be a whole number from ${min} to ${max}, ${got}`;
  }
  if ((name !== "order" && value === "") || isOrder(value, titles.length, hasTies)) return "";
  const between = hasTies ? "a space or = between" : "a space between";
  return `must hold each of 0 to ${titles.length - 1} once, with ${between}, ${got}`;
}

/** Return the values that a state line has for a list; an error says what is wrong with it. */
export function valuesOf(line, declared) {
  const needed = Object.keys(declared.start);
  const values = restored(line, { name: declared.name, was: [], needed });
  for (const name of needed) {
    const trouble = wrong(name, values[name], declared);
    if (trouble) throw new Error(`${name} ${trouble}`);
  }
  return Object.fromEntries(needed.map((name) => [name, values[name]]));
}

// ------------------------------------------------------------------ what a user does

function actions(model, declared) {
  const get = () => model.get("values");
  // In one message: Python, too, must see the order and its moves together.
  const change = (values, history) => {
    model.set("values", { ...get(), ...values });
    model.set("history", history);
    model.save_changes();
  };
  const listed = () => parse(get().order);
  const place = (doc) => listed().order.indexOf(doc);
  return {
    place,
    state: () => {
      const { titles, grades, fixed } = declared;
      return { titles, grades, ...fixed, ...get(), ...listed(), history: model.get("history") };
    },
    // Another order is a new start; another cutoff is not.
    set: (values) => change(values, "order" in values ? [] : model.get("history")),
    move: (doc, target) => {
      const { order, tied } = listed();
      const [from, title] = [place(doc), declared.titles[doc]];
      if (target < 0 || target >= order.length || target === from) return false;
      const entry = { title, from: from + 1, to: target + 1 };
      const after = write({ order: moved(order, from, target), tied });
      change({ order: after }, [...model.get("history"), entry]);
      return true;
    },
    tie: (doc) => {
      const { order, tied } = listed();
      const above = place(doc) - 1;
      if (above >= 0) change({ order: write({ order, tied: tied.with(above, !tied[above]) }) }, []);
    },
    undo: () => {
      const history = model.get("history");
      const { from, to } = history.at(-1);
      const order = write({ order: moved(listed().order, to - 1, from - 1) });
      change({ order }, history.slice(0, -1));
    },
  };
}

// ------------------------------------------------------------- building the page

// A slider or a choice for each input; `show` takes the values by name.
function buildInputs({ inputs, aside }, set) {
  const fields = Object.entries(inputs).map(([name, { label, options, min, max }]) => {
    const box = make("div", "");
    if (!options) {
      const { show } = sliderField(box, (value) => set({ [name]: value }));
      return { box, name, show: (value) => show({ label, min, max, value }) };
    }
    const values = Object.values(options);
    const field = choiceField(box, label, Object.keys(options), (i) => set({ [name]: values[i] }));
    const show = (value) => field.show(values.indexOf(value));
    return { box, name, show, focus: (value) => field.focus(values.indexOf(value)) };
  });
  const boxesOf = (isAside) =>
    fields.filter(({ name }) => aside.includes(name) === isAside).map(({ box }) => box);
  return {
    near: boxesOf(false),
    aside: boxesOf(true),
    show: (values) => fields.forEach(({ name, show }) => show(values[name])),
    focus: (wanted, value) => fields.find(({ name }) => name === wanted).focus(value),
  };
}

function row(className, ...parts) {
  const box = make("div", className);
  box.append(...parts);
  return box;
}

function controlsOf(parts) {
  const box = row("ndcg-controls", ...parts);
  box.hidden = parts.length === 0;
  return box;
}

function folded(summary, content) {
  const details = make("details", "");
  details.append(make("summary", "", summary), content);
  details.hidden = content.hidden;
  return details;
}

function buildTable(fill) {
  const table = make("table", "");
  const details = folded("The numbers as a table", table);
  details.addEventListener("toggle", fill); // it would take its time at each move
  return { details, table };
}

function build(declared, acts, picture, model) {
  const heading = { role: "heading", "aria-level": 3 };
  const question = make("div", "ndcg-question", declared.question, heading);
  const inputs = buildInputs(declared, acts.set);
  acts.focus = inputs.focus;
  const presets = Object.entries(declared.presets).map(([label, values]) =>
    button(label, () => acts.set(values)),
  );
  const reset = button("Reset", () => acts.set(declared.start));
  const buttons = row("ndcg-buttons", ...picture.buttons, ...presets, reset);
  const head = row("ndcg-head", question, buttons);
  const ranking = buildRanking(declared, picture.extend);
  const status = make("p", "ndcg-status", "", { role: "status", "aria-live": "polite" });
  const table = buildTable(() => showTable(table, picture.table(picture.look(acts.state()))));
  const line = make("div", "");
  const field = stateField(
    line,
    () => writeLine(declared.name, model.get("values")),
    (text) => {
      try {
        acts.set(valuesOf(text, declared));
        field.showLine(); // as it is written, even where nothing has changed
        field.showTrouble("");
      } catch (error) {
        field.showTrouble(error.message);
      }
    },
  );
  const main = row("ndcg-main", ...picture.beside(ranking.list));
  const controls = controlsOf(inputs.near);
  const help = make("p", "ndcg-help", picture.help);
  const more = folded("More settings", controlsOf([...inputs.aside, ...picture.aside]));
  const above = [head, ...(picture.above ?? []), main];
  const foot = row("ndcg-foot", more, table.details, line);
  const body = row("ndcg-drag-body", ...above, controls, status, help, foot);
  return { body, inputs, ...ranking, status, more, table, line: field };
}

// --------------------------------------------------------------- showing a state

function showTable({ details, table }, lines) {
  details.hidden = lines === null;
  table.replaceChildren();
  if (!details.open || !lines) return;
  const [head, ...rows] = lines;
  const first = table.createTHead().insertRow();
  first.append(...head.map((name) => make("th", "", name, { scope: "col" })));
  const body = table.createTBody();
  for (const cells of rows) {
    const line = body.insertRow();
    for (const cell of cells) line.insertCell().textContent = cell;
  }
}

function show(page, picture, before, now, values, { aside, start }) {
  page.inputs.show(values);
  if (aside.some((name) => values[name] !== start[name])) page.more.open = true;
  showRanks(page, { shown: true, ...now });
  arrangeInMotion(page.list, now.order.map((doc) => page.rows[doc].row));
  picture.show(page, now);
  showTable(page.table, picture.table(now));
  page.status.textContent = picture.said(before, now) ?? page.status.textContent;
  page.line.showLine();
  page.line.showTrouble("");
}

// Redraw after each change of the model, and follow the size that `present` asks for.
function follow(model, el, redraw) {
  let isWaiting = false;
  // An order and its moves arrive as two changes: look when both are there.
  const redrawSoon = () => {
    if (isWaiting) return;
    isWaiting = true;
    queueMicrotask(() => {
      isWaiting = false;
      redraw();
    });
  };
  // anywidget takes away what ipywidgets listens with, and so no longer sees the class
  // that `present` gives to a widget on the screen.
  const resize = () => {
    el.classList.toggle("ndcg-large", model.get("_dom_classes").includes("ndcg-large"));
  };
  model.on("change", redrawSoon);
  model.on("change:_dom_classes", resize);
  redraw();
  return () => {
    model.off("change", redrawSoon);
    model.off("change:_dom_classes", resize);
  };
}

export default {
  render({ model, el }) {
    keepListening(model);
    const declared = model.get("declared");
    const acts = actions(model, declared);
    const picture = PICTURES[declared.picture](declared, acts);
    el.classList.add("ndcg-explorer", "ndcg-drag", `ndcg-with-${declared.picture}`);
    const page = build(declared, acts, picture, model);
    el.append(page.body);
    letMove(page, acts, declared.titles);
    let before = null;
    const stop = follow(model, el, () => {
      const now = picture.look(acts.state());
      show(page, picture, before, now, model.get("values"), declared);
      before = now;
    });
    return () => {
      picture.stop();
      stop();
    };
  },
};
