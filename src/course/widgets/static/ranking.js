// What a list of documents is worth. `grades` are in rank order, or `order` says which document
// stands where; a test holds these equal to Python's to 1e-12.

export const SAME = 1e-12; // what the order of a sum can change

export function gainOf(grade, gain) {
  return gain === "exponential" ? 2 ** grade - 1 : grade;
}

export function discountOf(rank, discount = "log") {
  return discount === "reciprocal" ? 1 / rank : 1 / Math.log2(rank + 1);
}

export function contributions(grades, { k, gain, discount }) {
  return grades.map((grade, i) => (i < k ? gainOf(grade, gain) * discountOf(i + 1, discount) : 0));
}

export const sum = (values) => values.reduce((all, one) => all + one, 0);

export const dcg = (grades, rules) => sum(contributions(grades, rules));

export function ideal(grades) {
  return grades.toSorted((a, b) => b - a);
}

export function ndcg(grades, rules) {
  const best = dcg(ideal(grades), rules);
  return best > 0 ? dcg(grades, rules) / best : 0;
}

export function direction(difference) {
  if (Math.abs(difference) < SAME) return "same";
  return difference > 0 ? "up" : "down";
}

// ------------------------------------------------------------------ orders as text

export const firstOrder = (n) => [...Array(n).keys()];

// "0 2=1" is document 0, then 2 and 1 with equal scores: `tied[i]` joins ranks i + 1 and i + 2.
export function parse(text) {
  return {
    order: text.split(/[ =]/).map(Number),
    tied: [...text.replace(/\d/g, "")].map((sign) => sign === "="),
  };
}

export function write({ order, tied = [] }) {
  return order.map((doc, i) => (i === 0 ? doc : `${tied[i - 1] ? "=" : " "}${doc}`)).join("");
}

// Whether a text is an order of n documents.
export function isOrder(text, n, hasTies) {
  const pattern = hasTies ? /^\d+([ =]\d+)*$/ : /^\d+( \d+)*$/;
  if (typeof text !== "string" || !pattern.test(text)) return false;
  const rising = parse(text).order.toSorted((a, b) => a - b);
  return String(rising) === String(firstOrder(n));
}

export function moved(order, place, target) {
  const rest = order.toSpliced(place, 1);
  return rest.toSpliced(target, 0, order[place]);
}
