// What is said to a number that was typed, as src/course/drills/judge.py says it; and which
// skill is due. No part of a page.
import words from "./drill_words.js";

const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)$/;
const LONGEST = 20; // as in judge.py
const CLOSE = 1.5; // as in judge.py
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (slot, key) => values[key] ?? slot);
const say = (verdict, message) => ({ verdict, message });

/** Return verdict and message for a text that was typed as the answer to a problem of a skill. */
export function judge(skill, problem, typed) {
  const text = typed.trim().replaceAll("−", "-");
  const read = text.replace(",", ".");
  const reason = unread(text, read);
  if (reason) return say(reason === "blank" ? "not attempted" : "wrong shape", words[reason]);
  const { verdict, message } = judgeNumber(skill, problem, read);
  return say(verdict, read === text ? message : `${message} ${words.comma}`);
}

function unread(text, read) {
  if (!text) return "blank";
  if ([...text].length > LONGEST) return "long";
  if (NUMBER.test(read)) return "";
  if (text.endsWith("%")) return "percent";
  return /^[0-9.]+ ?\/ ?[0-9.]+$/.test(text) ? "fraction" : "no number";
}

function judgeNumber({ right, relative, decimals, says }, { answer, result, slips, steps }, read) {
  const given = Number(read);
  const unit = relative ? Math.abs(answer) : 1;
  const miss = Math.abs(given - answer) / unit;
  const places = (read.split(".")[1] ?? "").length;
  if (miss <= right + 1e-12) return say("correct", fill(words.right, { result }));
  const isShort = places > 0 && places < 3 && miss <= 0.5 * 10 ** -places + 1e-9;
  if (decimals && isShort) return say("almost", words.short);
  if (decimals && miss <= CLOSE * right) return say("almost", words.close);
  const slip = slips.find(([value]) => Math.abs(given - value) / unit <= right + 1e-12);
  if (slip) return say("named", says[slip[1]]);
  return say("wrong", fill(words.wrong, { first: steps[0] }));
}

/** Return whether an outcome makes a first try right, or null if it was no try. */
export function firstTry({ verdict, message }) {
  if (["not attempted", "wrong shape"].includes(verdict) || message.startsWith(words.short)) return null;
  return verdict === "correct" || verdict === "almost";
}

// --- what is due: a card for each skill, in one of five boxes (Leitner) ---

const DAYS = [0, 1, 3, 7, 21, 60]; // until a card of a box comes back; box 0 is new
export const LAST_BOX = DAYS.length - 1;
const VERSION = 1;

/** Return the cards of somebody who has done nothing yet. */
export const fresh = (names) => ({
  version: VERSION, day: 0, served: 0, last: "",
  cards: Object.fromEntries(names.map((name) => [name, { box: 0, due: 0, next: 1 }])),
});

/** Return the cards after a first try at a skill: a box up if it was right, else the first box. */
export function moved(state, name, isRight, today) {
  const { box, next } = state.cards[name];
  const to = isRight ? Math.min(box + 1, LAST_BOX) : 1;
  const served = (state.day === today ? state.served : 0) + 1;
  const card = { box: to, due: today + DAYS[to], next: next + 1 };
  return { ...state, day: today, served, last: name, cards: { ...state.cards, [name]: card } };
}

/** Return the names of what is due today, the longest overdue first; the last skill comes last. */
export function due(state, today, aDay) {
  const left = aDay - (state.day === today ? state.served : 0);
  const late = Object.entries(state.cards).filter(([, card]) => card.due <= today);
  late.sort(([a, x], [b, y]) => (a === state.last) - (b === state.last) || x.due - y.due || y.box - x.box);
  const names = late.map(([name]) => name).slice(0, Math.max(0, left));
  return names[0] === state.last ? [] : names;
}

/** Return the day on which something is due next, if nothing is today. */
export function nextDay(state, today) {
  const days = Object.values(state.cards).map((card) => card.due);
  return Math.max(today + 1, Math.min(...days));
}

/** Return cards from the text that `copied` made; an Error says what is wrong with it. */
export function pasted(text, names) {
  let state;
  try {
    state = JSON.parse(text);
  } catch {
    throw new Error(words["no cards"]);
  }
  if (state?.version !== VERSION || typeof state.cards !== "object" || state.cards === null) {
    throw new Error(words["no cards"]);
  }
  const begin = fresh(names);
  for (const name of names) {
    const card = state.cards[name];
    if (card === undefined) continue; // a skill that is newer than the text
    const isWhole = (x, most) => Number.isInteger(x) && x >= 0 && x <= most;
    const isCard = isWhole(card?.box, LAST_BOX) && isWhole(card.due, 1e6) && isWhole(card.next, 1e6);
    if (!isCard) throw new Error(fill(words["no card"], { name }));
    begin.cards[name] = { box: card.box, due: card.due, next: card.next };
  }
  const [day, served] = [state.day, state.served].map((x) => (Number.isInteger(x) && x >= 0 ? x : 0));
  const last = names.includes(state.last) ? state.last : "";
  return { ...begin, day, served, last };
}

/** Return cards as a text to copy. */
export const copied = (state) => JSON.stringify(state);
