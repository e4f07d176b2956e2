// What is to be said about an answer: Python's verdict and Python's words. No part of a page.
// An answer is, for each field of the exercise, a list of what stands in its inputs.
import words from "./exercise_words.js";

const DECIMALS = 4; // as in boxes.py
const SHOWN = 4; // explanations of one number, as MOST_SHOWN in mistakes.py
const NEAR = 2e-4; // as in boxes.py
const FEW_WORDS = 12; // as UNSPACED and WORD in claims.py
const UNSPACED = "\\u0e00-\\u109f\\u1780-\\u17ff\\u3040-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff";
const WORD = new RegExp(`[${UNSPACED}]{1,2}|[^\\s${UNSPACED}]+`, "gu");

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (slot, key) => values[key] ?? slot);
const say = (verdict, message) => ({ verdict, message });
export const isPassed = ({ verdict }) => verdict === "correct" || verdict === "open";

// --- one exercise ---

export function judge(data, answer) {
  const blank = data.fields.map((field, i) => isBlank(field, answer[i]));
  const names = data.fields.map(({ name }) => name);
  if (data.kind === "boxes") return judgeNumbers(data, answer);
  if (blank.every(Boolean)) return say("not attempted", words.blank);
  if (blank.some(Boolean)) return say("not attempted", still("still blank", names, blank));
  return JUDGES[data.kind](data, answer);
}

const isBlank = (field, texts) => texts.some((text) => !text.trim());
const still = (key, names, blank) =>
  fill(words[key], { names: names.filter((_, i) => blank[i]).join("`, `") });

// From the second attempt on, an outcome that was not passed offers help.
export function withOffer(data, outcome, attempts, hintsShown) {
  if (attempts < 2 || isPassed(outcome) || outcome.verdict === "not attempted") return outcome;
  const late = attempts >= 4 ? "hint and solution" : "hint";
  const key = hintsShown < data.hints.length ? late : "solution";
  const offer = fill(words.offers[key], { attempts });
  return { ...outcome, message: `${outcome.message}\n\n${offer}` };
}

const JUDGES = { matching, claim, order, open };

function matching({ wanted, causes, fields, notice }, [letters]) {
  const wrong = letters.flatMap((letter, i) => (letter === wanted[i] ? [] : [i]));
  if (!wrong.length) return say("correct", notice);
  const letter = letters[wrong[0]];
  const [what, gives] = causes[letter];
  const right = wanted.length - wrong.length;
  const number = fields[0].labels[wrong[0]];
  const said = { right, wanted: wanted.length, number, letter, words: what, gives };
  return say("named", fill(words.matching, said));
}

function claim({ fields, tables, outcomes, pairs, notice }, answer) {
  const keys = answer.map((parts, i) => (fields[i].kind === "text" ? letters(parts[0]) : parts.join("")));
  for (const [i, { of, other }] of tables.entries()) {
    const said = outcomes[of[keys[i]] ?? other];
    if (said) return say(...said);
  }
  if (!pairs) return say("correct", notice);
  const [row, column] = keys.map((key, i) => pairs.keys[i].indexOf(key));
  const [verdict, text] = pairs.said[pairs.matrix[row][column]];
  return say(verdict, fill(text, pairs.columns.map(([side, numbers]) => numbers[[row, column][side]])));
}

const letters = (text) => text.toUpperCase().replace(/[^A-E]/g, "");

function order({ lines, twice, decoys, missing, orders, unknown }, [[text]]) {
  const chosen = [...text.toUpperCase()].filter((c) => /[\p{L}\p{N}]/u.test(c));
  for (const [i, letter] of chosen.entries()) {
    if (!Object.hasOwn(lines, letter)) return say("wrong shape", fill(unknown, { letter }));
    if (chosen.lastIndexOf(letter) !== i) return say(...twice[letter]);
  }
  const decoy = chosen.find((letter) => Object.hasOwn(decoys, letter));
  if (decoy) return say(...decoys[decoy]);
  return say(...(missing[chosen.length] ?? orders[chosen.join("")]));
}

function open({ few, rubric, remarks, folded }, [[text]]) {
  const count = [...text.matchAll(WORD)].length;
  if (count < FEW_WORDS) return say("wrong shape", few[count]);
  const lower = text.toLowerCase();
  const missed = rubric.filter((known) => !known.some((word) => lower.includes(word)));
  return { ...say("open", remarks[missed.length]), folded };
}

// --- numbers ---

function judgeNumbers({ fields, boxes, notice }, answer) {
  const found = {};
  const outcomes = fields.map(({ name, parts }, i) => {
    const number = evaluate(parts, answer[i], found);
    found[name] = number;
    if (number === null) return null;
    return number.trouble
      ? say("wrong shape", fill(number.trouble, { name }))
      : judgeNumber(boxes[i], name, number);
  });
  const wrong = outcomes.find((outcome) => outcome && !isPassed(outcome));
  if (wrong) return wrong;
  const blank = outcomes.map((outcome) => outcome === null);
  if (blank.every(Boolean)) return say("not attempted", words.blank);
  const names = fields.map(({ name }) => name);
  if (blank.some(Boolean)) return say("not attempted", still("rest blank", names, blank));
  const remarks = outcomes.map(({ message }) => message);
  return say("correct", [notice, ...remarks].filter(Boolean).join("\n\n"));
}

// `whole` numbers are those that Python calls int: they have no decimals.
export function judgeNumber(box, name, number) {
  const { right: [right, alsoRight], rounded } = box;
  const value = number.whole ? number.value + 0 : number.value; // no -0 among whole numbers
  const outcome = (verdict, key, more) => say(verdict, fill(words[key], { name, ...more }));
  if (!Number.isFinite(value)) return outcome("wrong", "not finite", { given: named(value) });
  const isAt = (number) => Math.abs(value - number) < 1e-9;
  const typed = number.whole ? 0 : decimalsOf(value);
  const more = [2, DECIMALS].filter((d) => typed && isAt(rounded[d]));
  const decimals = Math.max(typed, ...more);
  const isShort = decimals < DECIMALS;
  const least = 0.6 * Number(`1e-${DECIMALS}`);

  if (!isShort && Math.min(Math.abs(value - right), Math.abs(value - alsoRight)) <= least) {
    return say("correct", "");
  }
  if (isShort && isAt(rounded[decimals])) {
    if (Math.abs(right - rounded[decimals]) < 1e-9) return say("correct", "");
    if (decimals >= 2 && Math.abs(right) > 0.1) return outcome("correct", "short", { decimals });
  }

  const isRounded = decimals > 1 && isShort;
  const tolerance = isRounded ? 0.6 * Number(`1e-${decimals}`) : least;
  const exact = nameOf(box, name, value, least);
  if (exact) return exact;
  if (isShort && decimals > 0 && isAt(rounded[decimals])) {
    const places = decimals === 1 ? "one decimal" : `${decimals} decimals`;
    return outcome("almost", "too short", { places });
  }
  if (isRounded && isAt(box.cut[decimals])) return outcome("almost", "cut off");
  const roughly = isRounded && nameOf(box, name, value, tolerance);
  if (roughly) return roughly;
  const size = Math.abs(right) > 0.1 ? Math.max(1, Math.abs(right)) : 0.1;
  if (Math.abs(value - right) <= 0.002 * size || Math.abs(value - right) <= tolerance) {
    return outcome("almost", "close");
  }
  const near = ([slip]) => Math.abs(value - slip) <= NEAR * Math.max(1, Math.abs(slip));
  const slip = nearest(box.slips.filter(near), value);
  if (slip) return explained(name, slip[1]);
  const two = distinct(box.two.filter(([number]) => isSame(number, value, least)));
  if (two.length === 1 && two[0].length) {
    const [first, second] = two[0].map((place) => words.slips[place]);
    return explained(name, fill(words["two slips"], { first, second }));
  }
  const what = (two.length ? words["some pairs"] : "") + box.begins;
  return outcome("wrong", "wrong", { given: general(value), what });
}

const explained = (name, says) => say("named", `\`${name}\`: ${says}`);

// The slip, or the switches, that lead to a number; undefined if none does.
function nameOf({ slips, right: [right], one }, name, value, tolerance) {
  const slip = nearest(slips, value);
  if (slip && Math.abs(value - slip[0]) <= tolerance) return explained(name, slip[1]);
  const isRight = isSame(right, value, tolerance);
  const found = isRight ? [] : distinct(one.filter(([number]) => isSame(number, value, tolerance)));
  if (found.length) return explained(name, several(found.map(([place]) => words.slips[place])));
}

const nearest = (slips, value) => slips.reduce(
  (best, slip) => (best && Math.abs(value - best[0]) <= Math.abs(value - slip[0]) ? best : slip), null);

// As math.isclose.
const isSame = (a, b, tolerance) =>
  Math.abs(a - b) <= Math.max(tolerance, 1e-12 * Math.max(Math.abs(a), Math.abs(b)));

// What explains a number, without the number, and each once.
const distinct = (found) =>
  [...new Map(found.map(([, ...places]) => [String(places), places])).values()];

function several(texts) {
  if (texts.length === 1) return texts[0];
  const more = texts.length > SHOWN ? [fill(words["more slips"], { more: texts.length - SHOWN })] : [];
  const lines = texts.slice(0, SHOWN).map((text) => `• ${text}`);
  return [words["several slips"], ...lines, ...more].join("\n\n");
}

const named = (value) => (Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");

// How many decimals Python prints of a float: 2.0 has one, 1e-05 five.
function decimalsOf(value) {
  if (Number.isInteger(value)) return Math.abs(value) < 1e16 ? 1 : 0;
  const [digits, exponent] = value.toExponential().split("e");
  return Math.max(0, (digits.split(".")[1] ?? "").length - Number(exponent));
}

// Python's format "g": six digits, a half to the even one.
export function general(value) {
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [digits, power] = halfEven(Math.abs(value)).split("e");
  const exponent = Number(power);
  const sign = value < 0 ? "-" : "";
  const bare = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (exponent < -4 || exponent >= 6) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${bare(digits)}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  return sign + bare(Number(`${digits}e${exponent}`).toFixed(5 - exponent));
}

function halfEven(value) {
  const rounded = value.toExponential(5);
  const [digits, exponent] = value.toExponential(60).split("e");
  const isHalf = /^50*$/.test(digits.slice(7)); // after 1.23456
  return isHalf && Number(digits[6]) % 2 === 0 ? `${digits.slice(0, 7)}e${exponent}` : rounded;
}

// --- what was typed ---

// Put what was typed where the blanks are, and compute: a number, null for a blank, or a trouble.
// `parts` are the code around the blanks, `names` the numbers of the lines above.
export function evaluate(parts, texts, names = {}) {
  if (parts.length > 1 && texts.some((text) => !text.trim())) return null;
  if (texts.some((text) => /^\s*[-−]?\d+,\d+\s*$/.test(text))) {
    return { trouble: fill(words["no number"], { kind: words.several }) };
  }
  const typed = texts.map((text) => arithmetic(text, names));
  const odd = typed.findIndex((number) => number === undefined);
  if (odd >= 0) {
    const given = `\`${texts[odd].trim().replaceAll("`", "")}\``;
    return { trouble: fill(words.unreadable, { given }) };
  }
  const all = { ...names };
  typed.forEach((number, i) => { all[`_${i}`] = number; });
  return arithmetic(parts.reduce((code, part, i) => `${code}_${i - 1}${part}`), all);
}

const { ceil, log, log10, log2, sqrt } = Math;
const FUNCTIONS = { ceil, log: (x, base) => log(x) / (base ? log(base) : 1), ln: log, log10, log2, sqrt };
const WHOLE = ["ceil"]; // functions that give whole numbers
const TOKEN =
  /\s*(?:((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|((?:math\.)?[a-z_]\w*)|(\*\*|[-−–—+*×·/÷^(),]))/iy;
// As on paper: on the page ^ is a power.
const SIGNS = { "−": "-", "–": "-", "—": "-", "×": "*", "·": "*", "÷": "/", "^": "**" };

// Return the value of Python's arithmetic, undefined if it is none, null if a name has none.
export function arithmetic(text, names = {}) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  const code = text.trimEnd();
  while (TOKEN.lastIndex < code.length) {
    const match = TOKEN.exec(code);
    if (!match) return undefined;
    const [, number, name, sign] = match;
    tokens.push({ number, name, sign: SIGNS[sign] ?? sign });
  }
  try {
    const value = sum(tokens, names);
    return tokens.length ? undefined : value;
  } catch (error) {
    if (error instanceof NotArithmetic) return error.isBlank ? null : undefined;
    throw error;
  }
}

class NotArithmetic extends Error {
  isBlank = false;
}

const take = (tokens, ...signs) => (signs.includes(tokens[0]?.sign) ? tokens.shift().sign : "");
const whole = (value) => ({ value, whole: true });
const float = (value) => ({ value, whole: false });

function sum(tokens, names) {
  let left = product(tokens, names);
  for (let sign; (sign = take(tokens, "+", "-")); ) {
    const right = product(tokens, names);
    const value = sign === "+" ? left.value + right.value : left.value - right.value;
    left = { value, whole: left.whole && right.whole };
  }
  return left;
}

function product(tokens, names) {
  let left = signed(tokens, names);
  for (let sign; (sign = take(tokens, "*", "/")); ) {
    const right = signed(tokens, names);
    left = sign === "/"
      ? float(left.value / right.value)
      : { value: left.value * right.value, whole: left.whole && right.whole };
  }
  return left;
}

function signed(tokens, names) {
  const sign = take(tokens, "+", "-");
  if (!sign) return power(tokens, names);
  const { value, whole: isWhole } = signed(tokens, names);
  return { value: sign === "-" ? -value : value, whole: isWhole };
}

function power(tokens, names) {
  const base = atom(tokens, names);
  if (!take(tokens, "**")) return base;
  const exponent = signed(tokens, names);
  const isWhole = base.whole && exponent.whole && exponent.value >= 0;
  return { value: base.value ** exponent.value, whole: isWhole };
}

function atom(tokens, names) {
  const { number, name, sign } = tokens.shift() ?? {};
  if (number) return /^\d+$/.test(number) ? whole(Number(number)) : float(Number(number));
  const apply = name && FUNCTIONS[name.replace("math.", "")];
  if (!apply && name && name in names) return known(names[name]);
  if (!apply && sign !== "(") throw new NotArithmetic();
  if (apply && !take(tokens, "(")) throw new NotArithmetic();
  const inside = [sum(tokens, names)];
  while (apply && take(tokens, ",")) inside.push(sum(tokens, names));
  if (!take(tokens, ")") || inside.length > (name?.endsWith("log") ? 2 : 1)) throw new NotArithmetic();
  if (!apply) return inside[0];
  const value = apply(...inside.map((number) => number.value));
  return WHOLE.includes(name.replace("math.", "")) ? whole(value) : float(value);
}

function known(number) {
  if (number?.value !== undefined) return number;
  const error = new NotArithmetic();
  error.isBlank = true; // or in trouble, which its own line says
  throw error;
}

// --- how it looks, as Outcome._repr_html_ has it ---

export function html({ verdict, message, folded = "" }) {
  const shown = { message: paragraphs(message).slice(3, -4), rubric: paragraphs(folded).slice(3, -4) };
  return fill(words.verdicts[verdict], shown);
}

export function paragraphs(text) {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped
    .replace(/(?<![\p{L}\p{N}_*`])\*\*([^\s*`][^*`]*)\*\*(?![\p{L}\p{N}_*`])/gu, "<strong>$1</strong>")
    .replace(/(?<![\p{L}\p{N}_*`])\*([^\s*`][^*`]*)\*(?![\p{L}\p{N}_*`])/gu, "<em>$1</em>")
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .split("\n\n").map((paragraph) => `<p>${paragraph}</p>`).join("");
}
