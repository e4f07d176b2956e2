// What a reader has read, bet and solved, kept in this browser and nowhere else: by page, by kind
// ("read", "bets", "solved"), by name.

const KEY = "ndcg-course";

export function recalled() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // where nothing may be kept, or what is there is not ours
  }
}

/** The words that a reader searched, if the search led here. */
export function searched() {
  try {
    return localStorage.getItem("sphinx_highlight_terms");
  } catch {
    return null;
  }
}

/** The short name of the page at hand. */
export const here = () => location.pathname.split("/").at(-1).replace(/\.html$/, "") || "index";

export function remember(kind, name, value = 1) {
  const all = recalled();
  const own = (all[here()] ??= {});
  (own[kind] ??= {})[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    return; // full, or refused: the page works without
  }
  dispatchEvent(new CustomEvent("ndcg-remembered"));
}

export function forget() {
  localStorage.removeItem(KEY);
  dispatchEvent(new CustomEvent("ndcg-remembered"));
}
