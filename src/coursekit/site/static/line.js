// State lines, read and refused as src/coursekit/widgets/state_line.py does it.

const WORDS = new Map([["True", true], ["False", false], ["None", null]]);
const NAME = /^[A-Za-z][A-Za-z0-9-]*$/;
const BARE = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const WHOLE = /^-?[0-9]{1,15}$/;
const PAIR = /^([A-Za-z_][A-Za-z0-9_]*)=("(?:[^"\\]|\\.)*"|[^\s"]+)(?:\s+|$)/;
const SHOWN = 40; // letters of a bad line that a message repeats
const ESCAPED = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const UNSEEN = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu; // what Python writes by its number

/** Return a value as Python writes it. */
export function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value !== "string") {
    return [...WORDS].find(([, one]) => one === value)?.[0] ?? String(value);
  }
  const mark = value.includes("'") && !value.includes('"') ? '"' : "'";
  const inside = value.replace(UNSEEN, (letter) => ESCAPED[letter] ?? byNumber(letter));
  return mark + (mark === "'" ? inside.replaceAll("'", "\\'") : inside) + mark;
}

function byNumber(letter) {
  const number = letter.codePointAt(0).toString(16);
  const [mark, width] = number.length <= 2 ? ["x", 2] : number.length <= 4 ? ["u", 4] : ["U", 8];
  return `\\${mark}${number.padStart(width, "0")}`;
}

const short = (text) => {
  const letters = [...text];
  return written(letters.length <= SHOWN ? text : `${letters.slice(0, SHOWN).join("")}…`);
};

/** Say which of some names is like the one that came, as src/wording.py does. */
export function nearest(given, names) {
  if (typeof given !== "string") return "";
  let [found, best] = ["", 0.6];
  for (const name of names.filter((one) => typeof one === "string")) {
    const small = name.toLowerCase();
    const [a, b] = [[...small], [...given.toLowerCase()]];
    const share = (2 * alike(a, b)) / (a.length + b.length);
    const isBest = share > best || (share === best && small >= found.toLowerCase());
    if (isBest) [found, best] = [name, share];
  }
  return found && `; did you mean ${written(found)}?`;
}

// How many letters the two share, by Python's difflib: the longest run, and on both sides of it.
function alike(a, b) {
  let [most, i, j] = [0, 0, 0];
  for (let x = 0; x < a.length; x += 1) {
    for (let y = 0; y < b.length; y += 1) {
      let n = 0;
      while (x + n < a.length && a[x + n] === b[y + n]) n += 1;
      if (n > most) [most, i, j] = [n, x, y];
    }
  }
  if (most === 0) return 0;
  const [after, beyond] = [a.slice(i + most), b.slice(j + most)];
  return most + alike(a.slice(0, i), b.slice(0, j)) + alike(after, beyond);
}

/** Return the state line of an explorer from the values of its controls. */
export function writeLine(name, values) {
  const pairs = Object.entries(values).map(([key, value]) => {
    const isBare = typeof value !== "string" || (BARE.test(value) && !WORDS.has(value));
    const text = typeof value === "string" ? value : written(value);
    return ` ${key}=${isBare ? text : JSON.stringify(value)}`;
  });
  return `${name}:${pairs.join("")}`;
}

function readValue(key, text) {
  if (WORDS.has(text)) return WORDS.get(text);
  if (BARE.test(text)) return text;
  if (WHOLE.test(text)) return Number(text);
  try {
    if (text.startsWith('"')) return JSON.parse(text);
  } catch {
    // refused below
  }
  throw new Error(
    `${key} must be a whole number, a word, or text in "straight quotes", got ${short(text)}`,
  );
}

function readLine(text) {
  const [name, ...after] = text.trim().split(":");
  if (after.length === 0 || !NAME.test(name)) {
    const begins = "a state line begins with the name of an explorer and a colon";
    throw new Error(`${begins}, got ${short(text)}`);
  }
  const values = Object.create(null); // any key may come
  for (let rest = after.join(":").trim(); rest; ) {
    const pair = PAIR.exec(rest);
    if (!pair) throw new Error(`after the name come pairs such as k=2, got ${short(rest)}`);
    const [whole, key, value] = pair;
    if (key in values) throw new Error(`${key} stands twice in the line`);
    values[key] = readValue(key, value);
    rest = rest.slice(whole.length);
  }
  return [name, values];
}

/** Return the values that a state line gives to the controls `needed`; refuse it in words. */
export function restored(text, { name, was, needed }) {
  const [found, values] = readLine(text);
  if (found !== name && !was.includes(found)) {
    throw new Error(`this is ${name}, the line is of ${found}`);
  }
  const unknown = Object.keys(values).filter((key) => !needed.includes(key)).sort();
  if (unknown.length > 0) {
    const said = `there are ${needed.join(", ")}${nearest(unknown[0], needed)}`;
    throw new Error(`no control ${written(unknown[0])}; ${said}`);
  }
  const missing = needed.find((key) => !(key in values));
  if (missing) throw new Error(`${missing} is missing; ${name} needs ${needed.join(", ")}`);
  return values;
}
