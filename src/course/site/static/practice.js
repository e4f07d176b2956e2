// The page Practice: a problem, a field, and what is due today. What is due is kept in this
// browser; nothing is sent.
import { LAST_BOX, copied, due, fresh, judge, moved, nextDay, pasted } from "./drill.js";
import words from "./drill_words.js";
import { PLAIN, make } from "./elements.js";
import { html } from "./judge.js";
import { restored, writeLine } from "./line.js";

const KEY = "ndcg-practice";
const MODES = { due: "Due today", mixed: "Mixed" };
const NAMES = { name: "practice", was: [], needed: ["skill", "no"] };

export async function mount(el, { skills }, page) {
  const names = skills.map(({ name }) => name);
  const tables = new Map(); // of each skill that was loaded: its problems
  const parts = build(el, skills);
  let state = fresh(names);
  let shown; // the problem at hand: { table, problem, no, name, isNew }
  let [tried, right] = [0, 0];

  const today = () => Math.floor((Date.now() - new Date().getTimezoneOffset() * 60000) / 86400000);
  const isDue = () => parts.mode.value === "due";

  function load() {
    try {
      const text = localStorage.getItem(KEY);
      if (text !== null) state = pasted(text, names);
      tell("");
    } catch (error) {
      tell(`${words.unread} ${error.message}`);
    }
  }

  function keep() {
    try {
      localStorage.setItem(KEY, copied(state));
      tell("");
    } catch (error) {
      tell(`${words.unkept} ${error.message}`);
    }
    parts.cards.value = copied(state);
  }

  function tell(trouble) {
    parts.trouble.textContent = trouble;
  }

  async function tableOf(name) {
    if (!tables.has(name)) tables.set(name, page.data(skills.find((one) => one.name === name).file));
    try {
      return await tables.get(name);
    } catch (error) {
      tables.delete(name);
      throw error;
    }
  }

  async function show(name, no) {
    try {
      const table = await tableOf(name);
      const place = ((no - 1) % table.problems.length + table.problems.length) % table.problems.length;
      shown = { table, name, no: place + 1, problem: table.problems[place], isNew: true };
    } catch (error) {
      tell(`${words.unloaded} ${error.message}`);
      return;
    }
    parts.title.textContent = `${shown.table.title}, No. ${shown.no}`;
    parts.asked.innerHTML = shown.problem.asked;
    parts.number.value = shown.no;
    parts.field.value = "";
    parts.said.innerHTML = "";
    parts.form.hidden = false;
    count();
    if (!isDue()) page.address(el, writeLine("practice", { skill: name, no: shown.no }));
  }

  function count() {
    const left = due(state, today()).length;
    const tally = tried ? `${right} of ${tried} right at the first try. ` : "";
    const box = shown && isDue() ? `Box ${state.cards[shown.name].box} of ${LAST_BOX}. ` : "";
    parts.tally.textContent = `${tally}${box}Due today: ${left}.`;
  }

  // A mode or a skill was chosen, or the next problem is wanted.
  async function next() {
    const mode = parts.mode.value;
    if (mode === "due") {
      const [name] = due(state, today());
      if (name) return show(name, state.cards[name].next);
      shown = undefined;
      parts.form.hidden = true;
      const day = new Date(nextDay(state, today()) * 86400000).toLocaleDateString("en-US", DATE);
      parts.title.textContent = words["nothing due"].replace("{day}", day);
      parts.asked.textContent = "";
      parts.said.innerHTML = "";
      return count();
    }
    if (mode === "mixed") {
      const others = names.filter((name) => name !== shown?.name);
      return show(others[Math.floor(Math.random() * others.length)], 1 + Math.floor(Math.random() * 100));
    }
    return show(mode, shown?.name === mode ? shown.no + 1 : Number(parts.number.value) || 1);
  }

  function check(event) {
    event.preventDefault();
    const outcome = judge(shown.table, shown.problem, parts.field.value);
    parts.said.innerHTML = html(outcome);
    if (!shown.isNew || ["not attempted", "wrong shape"].includes(outcome.verdict)) return;
    attempted(outcome.verdict === "correct" || outcome.message.startsWith(words.close));
  }

  // The first try counts; who looks at the solution before has not solved it.
  function attempted(isRight) {
    shown.isNew = false;
    [tried, right] = [tried + 1, right + Number(isRight)];
    if (isDue()) {
      state = moved(state, shown.name, isRight, today());
      keep();
    }
    count();
  }

  function solve() {
    if (shown.isNew) attempted(false);
    const lines = shown.problem.steps.map((step) => make("li", "", [step]));
    parts.said.replaceChildren(make("div", "", [make("strong", "", ["Solution"]), make("ol", "", lines)]));
  }

  parts.mode.addEventListener("change", next);
  parts.number.addEventListener("change", () => {
    if (isDue() || parts.mode.value === "mixed") parts.mode.value = shown?.name ?? names[0];
    show(parts.mode.value, Math.max(1, Math.floor(Number(parts.number.value)) || 1));
  });
  parts.form.addEventListener("submit", check);
  parts.solution.addEventListener("click", solve);
  parts.next.addEventListener("click", async () => {
    await next();
    (parts.form.hidden ? parts.mode : parts.field).focus();
  });
  parts.paste.addEventListener("click", () => {
    try {
      state = pasted(parts.cards.value, names);
      keep();
      next();
    } catch (error) {
      tell(error.message);
    }
  });
  addEventListener("storage", ({ key }) => { // another tab has moved a card
    if (key !== KEY) return;
    load();
    count();
  });

  load();
  parts.cards.value = copied(state);
  await next();
  return {
    restore(line) {
      const { skill, no } = restored(line, NAMES);
      if (!names.includes(skill) || !Number.isInteger(no) || no < 1) return tell(words["no line"]);
      parts.mode.value = skill;
      return show(skill, no);
    },
  };
}

const DATE = { weekday: "long", month: "long", day: "numeric", timeZone: "UTC" };

function build(el, skills) {
  const option = ([value, text]) => make("option", "", [text], { value });
  const choices = [...Object.entries(MODES), ...skills.map(({ name, title }) => [name, title])];
  const parts = {
    mode: make("select", "", choices.map(option)),
    number: make("input", "ndcg-number", [], { type: "number", min: 1, value: 1 }),
    title: make("h2", "", [], { "aria-live": "polite" }),
    asked: make("div", "ndcg-asked"),
    field: make("input", "ndcg-number", [], { ...PLAIN, inputmode: "decimal" }),
    solution: make("button", "", ["Solution"], { type: "button" }),
    next: make("button", "", ["Next"], { type: "button" }),
    said: make("div", "ndcg-said", [], { role: "status" }),
    tally: make("p", "ndcg-note"),
    trouble: make("p", "ndcg-trouble", [], { role: "alert" }),
    cards: make("textarea", "", [], { rows: 3, ...PLAIN }),
    paste: make("button", "", ["Take over"], { type: "button" }),
  };
  const labeled = (text, control) => {
    control.setAttribute("aria-label", text); // else the name would hold all that is chosen from
    return make("label", "", [text, control]);
  };
  const verbs = make("div", "ndcg-verbs", [make("button", "ndcg-check", ["Check"], { type: "submit" }), parts.solution]);
  const line = make("div", "ndcg-line", [labeled("Your number", parts.field)]);
  parts.form = make("form", "", [line, verbs]);
  parts.form.noValidate = true;
  const folded = make("details", "", [
    make("summary", "", ["Take your boxes to another browser"]),
    make("p", "", [words["how to move"]]),
    labeled("Your boxes", parts.cards),
    parts.paste,
  ]);
  const board = make("div", "ndcg-exercise ndcg-practice", [
    make("div", "ndcg-line", [labeled("Practice", parts.mode), labeled("No.", parts.number)]),
    parts.title, parts.asked, parts.form, parts.said,
    make("div", "ndcg-verbs", [parts.next]),
    parts.tally, parts.trouble, folded,
  ]);
  el.replaceChildren(board);
  return parts;
}
