// Draw your discount, for any ten weights: the numbers of `OwnDiscount.view` in Python
// (src/course/explorers/own_discount), equal to the last digit. Figures, sentences, formulas
// and tables come from Python too (`own_discount_base`, src/course/site/ports.py), with the
// numbers of the discount shown at first; here those of another one take their places.

const RANKS = 10;
const HEADINGS = 1; // comes before what is written at the marks
const SPACE = "\u00a0\u00a0"; // between a mark and its number
const HIGHEST = 100; // weights are whole numbers up to this

// What the state of these controls shows: as `state_shown` does.
export function answer(base, { weights, beside, shows }) {
  const state = structuredClone(base.states[shows][beside]);
  const show = shows === "ranking" ? showRanking : showPairs;
  show(state, readWeights(weights), base, beside);
  return state;
}

// Ten weights from their text; what is no discount is refused in words.
export function readWeights(text) {
  if (typeof text !== "string") {
    const got = { null: "None", true: "True", false: "False" }[text] ?? text;
    throw new Error(`weights must be a text of ${RANKS} whole numbers, got ${got}`);
  }
  // Spaces as in Python: \s has one that is none there, U+FEFF, and lacks five.
  const words = text.match(/(?:[^\s\x1c-\x1f\x85]|\ufeff)+/g) ?? [];
  if (words.length !== RANKS) {
    throw new Error(`weights must be ${RANKS} whole numbers, got ${words.length}`);
  }
  const weights = words.map(readWeight);
  const rank = weights.findIndex((weight, i) => weight > weights[i - 1]) + 1;
  if (rank > 0) {
    throw new Error(
      `weights must not rise with the rank, but rank ${rank} weighs ${weights[rank - 1]} ` +
        `and rank ${rank - 1} weighs ${weights[rank - 2]}`,
    );
  }
  if (weights[0] === 0) throw new Error("weights must give rank 1 a weight from 1 on, got 0");
  return weights;
}

function readWeight(word, i) {
  if (/^[0-9]{1,9}$/.test(word) && Number(word) <= HIGHEST) return Number(word);
  const got = [...word].slice(0, 20).join("");
  throw new Error(
    `weights must be whole numbers from 0 to ${HIGHEST}, got ${got} for rank ${i + 1}`,
  );
}

// ------------------------------------------------------------------ one ranking

function showRanking(state, drawn, { ranking, scales, middle, nearly }) {
  const weights = drawn.map((weight) => weight / HIGHEST);
  const earned = (grades) => grades.map((grade, i) => grade * weights[i]);
  const terms = earned(ranking);
  const reached = fromTheEnd(terms);
  const ideal = fromTheEnd(earned([...ranking].sort((a, b) => b - a)));
  const ndcg = fixed(reached / ideal, 4);
  const relevant = terms.filter((_, i) => ranking[i] > 0);
  const whole = byHalves(terms.slice(0, 8)) + terms[8] + terms[9];
  const percents = relevant.map((term) => 100 * (term / whole));
  const parts = percents.map((share) => fixed(share, 0));

  const { data, layout } = state.figure;
  const shares = relevant.map((term) => term / whole);
  const notes = layout.annotations.slice(HEADINGS);
  shares.forEach((own, i) => {
    layout.shapes[i].x1 = rounded(own, 6);
    notes[i].text = `<b>${fixed(percents[i], 1)}%</b>`;
  });
  const longest = Math.max(...shares, ...data[0].x);
  Object.assign(layout.xaxis, scales.find(([end]) => longest <= end)[1]);
  const value = reached / ideal;
  layout.shapes.at(-1).xanchor = rounded(value, 6);
  const side = value < middle ? { xanchor: "left", xshift: 12 } : { xanchor: "right", xshift: -12 };
  Object.assign(notes.at(-1), { x: rounded(value, 6), text: `<b>${ndcg}</b>`, ...side });
  layout.title.text = layout.title.text.replace(FIRST, ndcg);
  const brought = `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
  state.sentence = state.sentence.replace(FIRST, ndcg).replace(/(?<=bring ).*(?=%)/, brought);
  const quotient = [reached, ideal, reached / ideal].map(short);
  state.formula = related(replaced(state.formula, IN_FORMULA, quotient), reached / ideal, 4, nearly);
  state.table = filled(state.table, [
    ...[...weights, ...relevant].map((value) => [fixed(value, 4)]),
    ...percents.map((share) => [`${fixed(share, 1)}%`]),
    ...[reached / ideal, reached, ideal].map((value) => [fixed(value, 4)]),
  ]);
}

// Sums in NumPy's order, for `@` and for `sum`: the last bit decides how a half is rounded.
const fromTheEnd = (values) => values.reduceRight((sum, value) => sum + value, 0);

function byHalves(values) {
  const half = values.length / 2;
  return half < 1 ? values[0] : byHalves(values.slice(0, half)) + byHalves(values.slice(half));
}

// ------------------------------------------------------------------- many pairs

function showPairs(state, drawn, { worth, gained, nearly, said, starts }, beside) {
  const winner = (difference) => (Math.abs(difference) <= nearly ? 0 : Math.sign(difference));
  // By whole weights, not by NDCG: who wins is the same, and these sums are exact.
  const verdicts = differences(gained, drawn).map(winner);
  const equal = verdicts.filter((verdict) => verdict === 0).length;
  const all = Object.values(worth).map((weights) => {
    const [apart, alike] = [[], []];
    differences(gained, weights).forEach((difference, i) => {
      (winner(difference) === verdicts[i] ? alike : apart).push(Math.abs(difference));
    });
    const share = percent(alike.length, verdicts.length);
    return { same: alike.length, share, apart: median(apart), alike: median(alike) };
  });
  const one = all[Object.keys(worth).indexOf(beside)];

  const { data, layout } = state.figure;
  const same = all.map((other) => other.same / verdicts.length);
  const [start, axis] = starts.find(([lowest]) => Math.min(...same) >= lowest);
  const onTheRight = same.map((share) => share < (start + 1) / 2);
  const numbers = all.map((other) => `<b>${other.share}</b>`);
  data[0].x = same.map((share) => rounded(share, 6));
  data[0].text = numbers.map((text, i) => (onTheRight[i] ? `${SPACE}${text}` : `${text}${SPACE}`));
  data[0].textposition = onTheRight.map((isRight) => `middle ${isRight ? "right" : "left"}`);
  Object.assign(layout.xaxis, axis);
  layout.title.text = layout.title.text.replace(/(?<=agree on ).*(?= of )/, one.share);
  const told = { on: one.same, "differs by": one.apart, ", by": one.alike, calls: equal };
  const sentence = said[beside][+(one.apart !== "")][+(one.alike !== "")][+(equal > 0)];
  state.sentence = sentence.replace(SAID, (_, word) => `${word} ${counted(told[word])}`);
  const agreement = [counted(one.same), counted(verdicts.length), one.share];
  const quotient = one.same / verdicts.length;
  state.formula = related(replaced(state.formula, IN_FORMULA, agreement), quotient, 3, nearly);
  state.table = filled(state.table, [
    ...drawn.map((weight) => [fixed(weight / HIGHEST, 4)]),
    ...["share", "same", "apart", "alike"].map((key) => ["", ...all.map((other) => other[key])]),
    [equal],
  ]);
}

// By how much the first list of each pair is better, for what a grade is worth on each rank.
function differences(gained, worth) {
  const zero = "d".charCodeAt(0); // a is -3, g is 3
  return Array.from({ length: gained.length / RANKS }, (_, pair) =>
    worth.reduce((sum, one, i) => sum + one * (gained.charCodeAt(pair * RANKS + i) - zero), 0),
  );
}

// Rounded twice, as Python's is: to what is kept, then to what is shown; "" if there is none.
function median(sizes) {
  if (sizes.length === 0) return "";
  const [rising, middle] = [Float64Array.from(sizes).sort(), sizes.length >> 1];
  const below = rising[sizes.length % 2 ? middle : middle - 1];
  return fixed(rounded((below + rising[middle]) / 2, 6), 4);
}

// ------------------------------------------------------- how numbers are written

// A number with fixed digits, as Python writes it: of a half the even digit, where toFixed goes
// up. Times a power of 2 nothing is rounded, so a half is told exactly; just below it is the even.
export function fixed(value, digits) {
  const text = value.toFixed(digits);
  const half = Math.abs(value * 2 ** (digits + 1)) % 2 === 1;
  return half && text.at(-1) % 2 ? (value * (1 - Number.EPSILON)).toFixed(digits) : text;
}

const rounded = (value, digits) => Number(fixed(value, digits));
const short = (value) => fixed(value, 4).replace(/\.0000$/, "");
const counted = (count) => count.toLocaleString("en-US"); // of a text: the text

// The share of pairs, as HTML; "100.0%" only if it is all of them.
export function percent(same, total) {
  const text = `${fixed(100 * (same / total), 1)}%`;
  if (same === 0 || same === total) return text;
  return { "100.0%": "&gt; 99.9%", "0.0%": "&lt; 0.1%" }[text] ?? text;
}

// ------------------------------------------------- where numbers stand in a text

const FIRST = /\d\.\d{4}/; // yours comes first
const SAID = /(on|differs by|, by|calls) [\d.,]+/g;
const IN_FORMULA = /(?<=<mn>).*?(?=<\/mn>)/g;
const RELATION = /[=≈](?=[^=≈]*$)/; // the last one
const CELL = /(?<=<td>).*?(?=<\/td>)/g;
const COLUMNS = 6;

// A text with others in these places, one after the other; where there is none, the old one stays.
function replaced(text, places, others) {
  let next = 0;
  return text.replace(places, (old) => others[next++] ?? old);
}

// A formula with the sign before its last number: whether that is all of the value.
function related(formula, value, digits, nearly) {
  const sign = Math.abs(value - rounded(value, digits)) <= nearly ? "=" : "≈";
  return formula.replace(RELATION, sign);
}

// A table with other cells: rows without their names, which may end early.
function filled(table, rows) {
  const cells = rows.map((row) => Array.from({ length: COLUMNS }, (_, i) => row[i - 1]));
  return replaced(table, CELL, cells.flat());
}
