// The stage of an explorer: figure, formula, sentence and table, all from traits.
//
// What it shows is nothing but its traits, so a reloaded page
// shows what the controls say. All stages of a page share one plotly.js.

import { glide, placesOf } from "./glide.js";
import { bringIntoView } from "./in_view.js";
import { keepListening } from "./listen.js";
import { NARROW, narrow } from "./narrow.js";
import { fillPiles } from "./piles.js";
import { forProjector, screenFor } from "./projector.js";
import { redrawn } from "./redraw.js";
import { seatSliders } from "./seat.js";
import { letTouch, showTouch, thumbsOf, withThumbs } from "./touch.js";

const SHARED = Symbol.for("understanding-ndcg.plotly");
const SPARE = 40; // pixels: a line of a title
const AIR = 20; // pixels: above and below an explorer that fills the screen
// An explorer is made for the 600 pixels that JupyterLab leaves of a small laptop. Where a window
// has more, the picture takes them, up to a point.
const [MADE_FOR, MOST_MORE] = [600, 150];

async function unpack(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

// Reading plotly.js takes a second, on a slow laptop five, and nothing else moves
// meanwhile; anywidget gives up on a widget whose module has not come within two. So it
// waits until timers are on time, that is until the other widgets of the page are there.
async function quiet() {
  const end = performance.now() + 10_000; // a page in the background is never on time
  for (let onTime = 0; onTime < 3 && performance.now() < end; ) {
    const start = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 60));
    onTime = performance.now() - start < 120 ? onTime + 1 : 0;
  }
}

async function fetchPlotly(model) {
  const id = model.get("library").replace("IPY_MODEL_", "");
  const library = await model.widget_manager.get_model(id);
  await quiet();
  const known = globalThis.Plotly; // JupyterLab's own copy, if a figure came before
  if (known?.version === library.get("version")) return known;
  const source = await unpack(library.get("packed"));
  const module = { exports: {} };
  // A function, not a script tag: a page's own module loader (`define`) would catch it.
  new Function("module", "exports", "define", source)(module, module.exports, undefined);
  return module.exports;
}

function sharedPlotly(model) {
  if (!globalThis[SHARED]) {
    globalThis[SHARED] = fetchPlotly(model).catch((error) => {
      delete globalThis[SHARED]; // so that the next stage tries again
      throw error;
    });
  }
  return globalThis[SHARED];
}

// The height of an explorer without its figure.
const besides = (figure, explorer) => explorer.offsetHeight - figure.offsetHeight;

// What a window leaves of its height for an explorer, less what it was made for, and no more than
// keeps all of it in sight.
function moreRoom(figure, height) {
  const explorer = figure.closest(".ndcg-explorer");
  if (!explorer) return 0;
  const notebook = explorer.closest(".jp-WindowedPanel-outer, .jp-LinkedOutputView");
  const header = document.querySelector(".mobile-header");
  const room = notebook ? notebook.clientHeight : innerHeight - (header?.offsetHeight ?? 0);
  const whole = besides(figure, explorer) + height;
  return Math.min(Math.max(room - Math.max(MADE_FOR, whole), 0), MOST_MORE);
}

// The figure, that much higher; its title stays as far from the edge as it was.
function grown({ data, layout }, more) {
  if (!more) return { data, layout };
  const height = layout.height + more;
  const y = 1 - (1 - layout.title.y) * (layout.height / height);
  return { data, layout: { ...layout, height, title: { ...layout.title, y } } };
}

function build(el) {
  el.classList.add("ndcg-stage");
  const formula = document.createElement("div");
  formula.className = "ndcg-formula";
  formula.setAttribute("role", "group");
  formula.setAttribute("aria-label", "Formula");
  const figure = document.createElement("div");
  figure.className = "ndcg-figure";
  figure.setAttribute("role", "img");
  const trouble = document.createElement("p");
  trouble.className = "ndcg-trouble";
  trouble.hidden = true;
  const sentence = document.createElement("p");
  sentence.className = "ndcg-sentence";
  sentence.setAttribute("role", "status");
  const pin = document.createElement("p"); // its beginning, in sight on a phone: see stage.css
  pin.className = "ndcg-pin";
  pin.setAttribute("aria-hidden", "true");
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = "The numbers as a table";
  const table = document.createElement("div");
  details.append(summary, table);
  el.append(figure, trouble, formula, pin, sentence, details); // the picture next to the controls
  return { formula, figure, trouble, pin, sentence, details, table };
}

// The table is built when it is looked at: it would take its time at each step of a slider.
function showTable(model, { details, table }) {
  table.innerHTML = details.open ? model.get("table") : "";
}

// Whoever has no mouse scrolls with the focus, and Safari gives it only where it is told to.
function letScroll({ formula, table }) {
  for (const place of [formula, table]) {
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
  }
}

function showWords(model, parts) {
  parts.formula.innerHTML = model.get("formula");
  parts.formula.hidden = !model.get("formula");
  parts.sentence.textContent = model.get("sentence");
  parts.pin.dataset.said = model.get("sentence");
  showTable(model, parts);
  parts.figure.setAttribute("aria-label", model.get("sentence"));
  letScroll(parts);
}

async function showFigure(model, parts) {
  holdRoom(model.get("figure").layout, parts);
  const plotly = await sharedPlotly(model);
  const { data, layout, config } = model.get("figure");
  // In another width all is elsewhere, and nothing has moved.
  const isAsWide = parts.drawnAt === parts.figure.clientWidth;
  const places = isAsWide ? placesOf(parts.figure) : [];
  const size = isAsWide && parts.figure._fullLayout?._size;
  parts.drawnAt = parts.figure.clientWidth;
  // The explorer's width counts: in a wide one a figure may stand beside something else.
  const explorer = parts.figure.closest(".ndcg-explorer");
  const isNarrow = (explorer ?? parts.figure).clientWidth < NARROW;
  explorer?.classList.toggle("ndcg-narrow", isNarrow);
  // plotly writes into what it draws; the trait must stay as Python sent it.
  const given = structuredClone({ data, layout });
  const isAlone = Boolean(explorer?.closest(":fullscreen"));
  if (!isAsWide || parts.isAlone !== isAlone) {
    parts.isAlone = isAlone; // then it takes what the rest of its explorer leaves, and keeps it
    parts.more = moreRoom(parts.figure, layout.height);
    explorer?.style.setProperty("--ndcg-more", `${parts.more}px`); // a pad beside it takes it, too
    parts.screen = isAlone
      ? screenFor(innerHeight - AIR - besides(parts.figure, explorer))
      : innerHeight;
  }
  const copy = model.get("large") ? forProjector(given, parts.screen) : grown(given, parts.more);
  // Told by a scroll, its panels are as high as the page says, or there is one of them.
  const { most, panel } = (!isAlone && model.get("told")) || {};
  const stands = isNarrow || most ? narrow(copy, parts.drawnAt, most, panel) : copy;
  fillPiles(stands, parts.drawnAt);
  const before = parts.drawn;
  const touch = model.get("touch");
  const own = redrawn(withThumbs(stands, touch), before, size);
  parts.drawn = null; // and stays so if this fails: then the next drawing is a whole one
  await plotly.react(parts.figure, own.data, { ...own.layout, autosize: true }, config);
  parts.drawn = own;
  glide(parts.figure, places);
  showTouch(parts.figure, touch);
  parts.trouble.hidden = true;
  keepRoom(parts, own.layout.height, isAsWide);
  seatSliders(parts.figure, thumbsOf(parts.figure, touch));
  const byFinger = matchMedia("(pointer: coarse)").matches;
  if (byFinger && isNarrow && before && !most) bringIntoView(parts.figure, before, own);
  return plotly;
}

// What stands below does not jump as the first figure comes.
function holdRoom(layout, { figure, drawnAt }) {
  const place = figure.closest(".ndcg-explorer") ?? figure;
  const isFirst = drawnAt === undefined && place.clientWidth >= NARROW;
  const height = layout?.height; // which may come late
  if (!isFirst || !height) return;
  figure.style.minHeight = `${height}px`; // beside a pad that is higher it would be in no one's way
  figure.style.minHeight = `${height + moreRoom(figure, height)}px`;
}

// On a phone a title may take a line more: what stands below does not jump with it.
function keepRoom(parts, height, isAsWide) {
  const isEnough = isAsWide && parts.room >= height && parts.room <= height + SPARE;
  if (!isEnough) parts.room = height;
  parts.figure.style.minHeight = `${parts.room}px`;
}

export default {
  render({ model, el }) {
    keepListening(model);
    const parts = build(el);
    parts.details.addEventListener("toggle", () => {
      showTable(model, parts);
      letScroll(parts);
    });
    let running = Promise.resolve();
    const fail = (error) => {
      parts.trouble.textContent = `The figure could not be drawn: ${error.message}`;
      parts.trouble.hidden = false;
    };
    const answered = letTouch(parts.figure, () => model.get("touch"), (what) => model.send(what));
    const redraw = () => {
      showWords(model, parts);
      running = running.then(() => showFigure(model, parts)).catch(fail);
      running.then(answered);
      return running;
    };
    model.on("change", redraw);
    redraw().then((plotly) => {
      if (plotly && model.get("reports")) model.send({ drawn: plotly.version });
    });
    // Another width is another drawing, after the one that runs: two at a time, as with
    // plotly's own resize, can leave a legend where it stood in between.
    const fit = async () => {
      const width = parts.figure.clientWidth;
      if (width > 0 && width !== parts.drawnAt) await showFigure(model, parts);
    };
    const observer = new ResizeObserver(() => {
      letScroll(parts);
      running = running.then(fit).catch(fail);
    });
    observer.observe(parts.figure);
    return () => {
      observer.disconnect();
      model.off("change", redraw);
      running.then(() => globalThis[SHARED]?.then((plotly) => plotly.purge(parts.figure)));
    };
  },
};
