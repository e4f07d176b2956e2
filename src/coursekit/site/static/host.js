// Brings to life what is live on a page, when it comes near. Each kind is a module beside this
// one whose `mount(el, data, page)` draws into the placeholder and returns { restore, present }
// where it can be restored from a state line or turned to projector size.

import { make } from "./elements.js";
import { here, recalled, remember } from "./memory.js";
import { Model } from "./model.js";

const HERE = new URL(".", import.meta.url);
const ROOT = new URL("../../", HERE); // where the pages are
const NEAR = "600px"; // below the screen
const PLOTLY = "plotly-cartesian.min.js.gz";

async function unpacked(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname} did not come (${answer.status})`);
  return answer.body.pipeThrough(new DecompressionStream("gzip"));
}

// What stage.js asks its manager for: plotly's source, packed as it came.
const manager = {
  async get_model() {
    const answer = await fetch(new URL(PLOTLY, HERE));
    const library = { packed: await answer.arrayBuffer(), version: "" };
    return { get: (name) => library[name] };
  },
};

// What answers a bet is folded until the bet is placed; then it stands as any output does.
function unfold(bet) {
  for (const folded of document.querySelectorAll(`[data-bet="${bet}"]`)) {
    folded.replaceWith(...[...folded.childNodes].slice(1));
  }
}

// The bets of this page, by name; kept in this browser, and sent nowhere.
const bets = {
  placed: new Map(Object.entries(recalled()[here()]?.bets ?? {})),
  followers: new Map(),
  place(name, index) {
    bets.placed.set(name, index);
    remember("bets", name, index);
    unfold(name);
    bets.followers.get(name)?.(index);
  },
  follow(name, tell) {
    bets.followers.set(name, tell);
    tell(bets.placed.get(name) ?? -1);
  },
};

for (const name of bets.placed.keys()) unfold(name);

const page = {
  bets,
  /** Keep in this browser that an exercise is solved. */
  solved: (name) => remember("solved", name),
  live: new Map(), // by the id of the placeholder: what its mount returned
  isLarge: false,
  /** Turn all that is alive to projector size, or back; what comes alive later follows. */
  present(isLarge) {
    page.isLarge = isLarge;
    const turn = (alive) => alive?.present?.(isLarge);
    for (const alive of page.live.values()) alive.then(turn, () => {});
  },
  /** Return what a file beside the page holds, as `Pages.keep_data` has written it. */
  data: async (file) => new Response(await unpacked(new URL(file, ROOT))).json(),
  model: (traits, answer) => new Model({ _dom_classes: [], ...traits }, answer, manager),
  async widget(name, model, el) {
    const { default: widget } = await import(new URL(`widgets/${name}.js`, HERE));
    widget.render({ model, el });
  },
  /** Keep a state line in the page's address, so that it can be sent. */
  address(el, line) {
    clearTimeout(page.waiting);
    const set = () => history.replaceState(null, "", `#${el.id}=${encodeURIComponent(line)}`);
    page.waiting = setTimeout(set, 300); // browsers stop a page that does it too often
  },
};

function styled(name) {
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet" });
    link.href = new URL(name, HERE);
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}

let styles; // loaded with what needs them first

// The question of an explorer is a heading: one level below the one it stands under.
function levelHeading(el) {
  const above = [...document.querySelectorAll("h1, h2, h3")].filter(
    (one) => one.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  const level = Math.min(Number(above.at(-1)?.tagName[1] ?? 1) + 1, 3);
  el.querySelector(".ndcg-question")?.setAttribute("aria-level", level);
}

// A link to what an explorer shows: whoever opens it sees the same.
function offerLink(el) {
  const state = el.querySelector(".ndcg-state");
  if (!state) return;
  const said = state.querySelector(".ndcg-said");
  const button = make("button", "", ["Copy link"], { type: "button" });
  button.addEventListener("click", async () => {
    const line = encodeURIComponent(state.querySelector("input").value);
    history.replaceState(null, "", `#${el.id}=${line}`);
    try {
      await navigator.clipboard.writeText(location.href);
      said.textContent = "The link is copied.";
    } catch {
      said.textContent = "The link is in the address bar."; // no clipboard over plain http
    }
  });
  said.before(button);
}

// The explorer alone on the screen, at the size of a projector, until Escape.
function offerLarge(el, mounted) {
  const said = el.querySelector(".ndcg-state .ndcg-said");
  if (!said || !mounted?.present || !document.fullscreenEnabled) return;
  const button = make("button", "ndcg-enlarge", ["Large"], { type: "button", title: "Alone on the screen, for a room" });
  button.addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else el.requestFullscreen();
  });
  el.addEventListener("fullscreenchange", () => {
    const isAlone = document.fullscreenElement === el;
    button.textContent = isAlone ? "Close" : "Large";
    mounted.present(page.isLarge || isAlone);
  });
  said.before(button);
}

async function bringToLife(el) {
  const { kind, file } = el.dataset;
  if (page.live.has(el.id)) return page.live.get(el.id);
  const alive = (async () => {
    styles ??= Promise.all([styled("widgets.css"), styled("exercise.css")]);
    const [{ mount }, data] = await Promise.all([
      import(new URL(`${kind}.js`, HERE)),
      page.data(file),
      styles,
    ]);
    const pictures = [...el.querySelectorAll(".ndcg-fallback .ndcg-picture")];
    const steps = el.querySelector(".ndcg-steps");
    const mounted = await mount(el, data, page);
    if (steps) (await import(new URL("told.js", HERE))).tell(el, steps, mounted);
    if (pictures.length > 0) el.append(make("div", "ndcg-still", pictures)); // what is printed
    levelHeading(el);
    offerLink(el);
    offerLarge(el, mounted);
    if (page.isLarge) mounted?.present?.(true);
    return mounted;
  })();
  page.live.set(el.id, alive);
  return alive.catch((error) => {
    page.live.delete(el.id);
    const words = Object.assign(document.createElement("p"), { className: "ndcg-trouble" });
    words.textContent = `This could not be brought to life: ${error.message}`;
    el.append(words);
  });
}

// #slide=slide-k: example=zigzag k=2 — the id of a placeholder and a state line.
// The address of the event: by the time it comes, an earlier move may have written its own.
async function followAddress({ newURL = location.href } = {}) {
  const [id, line] = decodeURIComponent(new URL(newURL).hash.slice(1)).split(/=(.*)/s);
  const el = document.getElementById(id);
  if (!line || !el?.classList.contains("ndcg-live")) return;
  el.scrollIntoView();
  const alive = await bringToLife(el);
  alive?.restore?.(line);
  el.scrollIntoView();
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      bringToLife(target);
    }
  },
  { rootMargin: NEAR },
);
for (const el of document.querySelectorAll(".ndcg-live")) observer.observe(el);
addEventListener("hashchange", followAddress);
followAddress();
