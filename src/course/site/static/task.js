// One problem on a page: its text, a field, and what is said to a number.
import { judge } from "./drill.js";
import { PLAIN, make } from "./elements.js";
import { html } from "./judge.js";

/**
 * Return the elements of a problem, and `show(table, no)`, which puts problem `no` of a skill.
 * `checked(outcome)` and `solved()` are called when the reader has done so; `further` are buttons
 * beside *Check* and *Solution*.
 */
export function task(heading, { checked = () => {}, solved = () => {}, further = [] } = {}) {
  const title = make(heading, "ndcg-title", [], { "aria-live": "polite" });
  const asked = make("div", "ndcg-asked");
  const field = make("input", "ndcg-number", [], { ...PLAIN, inputmode: "decimal" });
  const solution = make("button", "", ["Solution"], { type: "button" });
  const said = make("div", "ndcg-said", [], { role: "status" });
  const check = make("button", "ndcg-check", ["Check"], { type: "submit" });
  const line = make("div", "ndcg-line", [make("label", "", ["Your number", field])]);
  const form = make("form", "", [line, make("div", "ndcg-verbs", [check, solution, ...further])]);
  form.noValidate = true;
  let shown; // the problem at hand: { table, problem }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const outcome = judge(shown.table, shown.problem, field.value);
    said.innerHTML = html(outcome);
    checked(outcome);
  });
  solution.addEventListener("click", () => {
    const lines = shown.problem.steps.map((step) => make("li", "", [step]));
    said.replaceChildren(make("div", "", [make("strong", "", ["Solution"]), make("ol", "", lines)]));
    solved();
  });

  return {
    elements: [title, asked, form, said],
    field,
    show(table, problem, no) {
      shown = { table, problem };
      title.textContent = `${table.title}, No. ${no}`;
      asked.innerHTML = problem.asked;
      field.value = "";
      said.innerHTML = "";
      form.hidden = false;
    },
    /** Put words in place of a problem. */
    none(words) {
      title.textContent = words;
      asked.textContent = "";
      said.innerHTML = "";
      form.hidden = true;
    },
  };
}
