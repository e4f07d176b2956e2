// An exercise on a page: inputs for its blanks, and Check, Hint and Solution as in the notebook.
import { PLAIN, make } from "./elements.js";
import { html, isPassed, judge, withOffer } from "./judge.js";

export function mount(el, data, page) {
  const fields = data.fields.map((field) => FIELDS[field.kind](field, data));
  const form = make("form", "ndcg-exercise", fields.map(({ line }) => line));
  const status = make("div", "ndcg-said", [], { role: "status" });
  const hints = make("div", "ndcg-said", [], { role: "status" });
  const solution = make("div", "ndcg-said ndcg-solution");
  solution.innerHTML = data.solution;
  solution.hidden = true;
  let attempts = 0;

  form.noValidate = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const outcome = judge(data, fields.map(({ inputs }) => inputs.map(({ value }) => value)));
    if (outcome.verdict !== "not attempted") attempts += 1;
    if (isPassed(outcome)) page.solved(el.id);
    status.innerHTML = html(withOffer(data, outcome, attempts, hints.children.length));
  });
  const hint = button("Hint", () => {
    const next = data.hints[hints.children.length];
    if (next) hints.append(make("div", "", [], {}, next));
  });
  const show = button("Solution", () => {
    solution.hidden = !solution.hidden;
    show.setAttribute("aria-expanded", String(!solution.hidden));
  });
  show.setAttribute("aria-expanded", "false");
  const check = make("button", "ndcg-check", ["Check"], { type: "submit" });
  form.append(make("div", "ndcg-verbs", [check, hint, show]), status, hints, solution);
  el.replaceChildren(form);
}

function button(text, act) {
  const element = make("button", "", [text], { type: "button" });
  element.addEventListener("click", act);
  return element;
}

const code = (text) => make("code", "", [text]);
const noted = (note) => (note ? [make("span", "ndcg-note", [note])] : []);

// Each gives the line of a variable, and its inputs in their order.
const FIELDS = {
  number({ name, parts, note }) {
    const n = parts.length - 1;
    const inputs = parts.slice(1).map((_, i) => {
      const label = n === 1 ? name : `${name}, blank ${i + 1} of ${n}`;
      return make("input", "ndcg-number", [], { ...PLAIN, "aria-label": label });
    });
    const pieces = parts.flatMap((part, i) =>
      [...(part.trim() ? [code(part.trim())] : []), ...inputs.slice(i, i + 1)]);
    const line = make("div", "ndcg-line", [code(`${name} =`), ...pieces, ...noted(note)]);
    return { line, inputs };
  },

  choice({ name, choices, labels, note }) {
    const inputs = labels.map((label) => make("select", "", ["", ...choices].map((choice) =>
      make("option", "", [choice || "–"], { value: choice })), { "aria-label": label }));
    const picks = inputs.map((input, i) => make("label", "", [labels[i], input]));
    const legend = make("legend", "", [code(name), ...noted(note)]);
    return { line: make("fieldset", "ndcg-line", [legend, ...picks]), inputs };
  },

  text({ name, note }, { lines }) {
    const input = make("input", "ndcg-text", [], { ...PLAIN, "aria-label": name });
    const line = make("div", "ndcg-line", [code(`${name} =`), input, ...noted(note)]);
    if (lines) { // the program as it stands
      const program = make("pre", "", []);
      program.hidden = true;
      input.addEventListener("input", () => {
        const chosen = [...input.value.toUpperCase()].filter((c) => Object.hasOwn(lines, c));
        program.textContent = chosen.map((letter) => lines[letter]).join("\n");
        program.hidden = !chosen.length;
      });
      line.append(program);
    }
    return { line, inputs: [input] };
  },

  area({ name }) {
    const input = make("textarea", "", [], { rows: "6" });
    return { line: make("label", "ndcg-line", [code(name), input]), inputs: [input] };
  },
};
