// One problem of an earlier notebook, before a page begins.
import { make } from "./elements.js";
import { task } from "./task.js";

export function mount(el, { no, table }) {
  const board = task("h3");
  board.show(table, table.problems[0], no);
  el.replaceChildren(make("div", "ndcg-exercise ndcg-practice", board.elements));
}
