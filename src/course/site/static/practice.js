// The page Practice: a problem, a field, and what is due today. What is due is kept in this
// browser; nothing is sent.
import { LAST_BOX, copied, due, firstTry, fresh, moved, nextDay, pasted } from "./drill.js";
import words from "./drill_words.js";
import { PLAIN, make } from "./elements.js";
import { restored, writeLine } from "./line.js";
import { task } from "./task.js";

const KEY = "ndcg-practice";
const MODES = { due: "Due today", mixed: "Mixed" };
const NAMES = { name: "practice", was: [], needed: ["skill", "no"] };

export async function mount(el, { skills, "a day": aDay }, page) {
  const names = skills.map(({ name }) => name);
  const tables = new Map(); // of each skill that was loaded: its problems
  const onward = make("button", "", ["Next"], { type: "button" });
  const solved = () => shown.isNew && attempted(false);
  const board = task("h2", { checked, solved, further: [onward] });
  const parts = build(el, skills, board);
  let state = fresh(names);
  let shown; // the problem at hand: { name, no, isNew }
  let round = []; // what is still to come of mixed skills
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
      shown = { name, no: place + 1, isNew: true };
      board.show(table, table.problems[place], shown.no);
    } catch (error) {
      tell(`${words.unloaded} ${error.message}`);
      return;
    }
    parts.number.value = shown.no;
    count();
    if (!isDue()) page.address(el, writeLine("practice", { skill: name, no: shown.no }));
  }

  function count() {
    const left = due(state, today(), aDay).length;
    const tally = tried ? `${right} of ${tried} right at the first try. ` : "";
    parts.tally.textContent = `${tally}${shown && isDue() ? inBox() : ""}Due today: ${left}.`;
  }

  function inBox() {
    const { box } = state.cards[shown.name];
    return box ? `Box ${box} of ${LAST_BOX}. ` : "New to you. ";
  }

  // A mode or a skill was chosen, or the next problem is wanted.
  async function next() {
    const mode = parts.mode.value;
    if (mode === "due") {
      const [name] = due(state, today(), aDay);
      if (name) return show(name, state.cards[name].next);
      shown = undefined;
      const day = new Date(nextDay(state, today()) * 86400000).toLocaleDateString("en-US", DATE);
      board.none(words["nothing due"].replace("{day}", day));
      return count();
    }
    if (mode === "mixed") { // every skill once, then every skill again
      if (!round.length) round = shuffled(names, shown?.name);
      return show(round.pop(), 1 + Math.floor(Math.random() * 1e6));
    }
    return show(mode, shown?.name === mode ? shown.no + 1 : Number(parts.number.value) || 1);
  }

  function checked(outcome) {
    const isRight = firstTry(outcome);
    if (shown.isNew && isRight !== null) attempted(isRight);
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

  parts.mode.addEventListener("change", next);
  parts.number.addEventListener("change", () => {
    if (isDue() || parts.mode.value === "mixed") parts.mode.value = shown?.name ?? names[0];
    show(parts.mode.value, Math.max(1, Math.floor(Number(parts.number.value)) || 1));
  });
  onward.addEventListener("click", async () => {
    await next();
    (shown ? board.field : parts.mode).focus();
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

// In an order by chance; what was shown last does not come first, which is at the end.
function shuffled(names, last) {
  const order = names.map((name) => [Math.random(), name]).sort(([a], [b]) => a - b).map(([, name]) => name);
  return order.at(-1) === last ? order.reverse() : order;
}

function build(el, skills, board) {
  const option = ([value, text]) => make("option", "", [text], { value });
  const choices = [...Object.entries(MODES), ...skills.map(({ name, title }) => [name, title])];
  const parts = {
    mode: make("select", "", choices.map(option)),
    number: make("input", "ndcg-number", [], { type: "number", min: 1, value: 1 }),
    tally: make("p", "ndcg-note"),
    trouble: make("p", "ndcg-trouble", [], { role: "alert" }),
    cards: make("textarea", "", [], { rows: 3, ...PLAIN }),
    paste: make("button", "", ["Take over"], { type: "button" }),
  };
  const labeled = (text, control) => {
    control.setAttribute("aria-label", text); // else the name would hold all that is chosen from
    return make("label", "", [text, control]);
  };
  const folded = make("details", "", [
    make("summary", "", ["Move your progress to another browser"]),
    make("p", "", [words["how to move"]]),
    labeled("Your boxes", parts.cards),
    parts.paste,
  ]);
  el.replaceChildren(make("div", "ndcg-exercise ndcg-practice", [
    make("div", "ndcg-line", [labeled("Practice", parts.mode), labeled("No.", parts.number)]),
    ...board.elements,
    parts.tally, parts.trouble, folded,
  ]));
  return parts;
}
