// One state out of the table that src/coursekit/site/table.py packs.

const FIRST_LETTER = "#".charCodeAt(0);

/** Return the number of state `i` in a column that is written out. */
export const letter = (column, i) => column.charCodeAt(i) - FIRST_LETTER;

/** Return state `i` of a table. */
export function unpack({ tree, columns }, i) {
  const number = (column) => {
    const held = columns[column];
    const letters = held.map ?? held;
    const at = held.of ? held.of.reduce((key, [of, size]) => key * size + number(of), 0) : i;
    return letter(letters, at);
  };
  const list = (parts, length) => parts.slice(0, take(length)).map(take);
  const take = ([kind, one, other]) => {
    switch (kind) {
      case "=":
        return one;
      case "|":
        return one[number(other)];
      case "{":
        return Object.fromEntries(one.map((key, j) => [key, take(other[j])]));
      case "[":
        return list(one, other);
      case "c":
        return list(one, other).join("");
      case "t":
        return one.map((words, j) => words + (j < other.length ? take(other[j]) : "")).join("");
      case "?":
        return take(other[number(one)]);
      default:
        throw new Error(`a table holds no ${kind}`);
    }
  };
  return take(tree);
}
