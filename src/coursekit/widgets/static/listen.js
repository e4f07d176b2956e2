// What the module of each widget begins with.
//
// anywidget 0.11 gives up on a widget whose module has not come two seconds after its
// model, as happens on a slow laptop while JupyterLab reads plotly.js. The widget is drawn
// all the same, but every message from the kernel is refused from then on: a slider
// would move and its figure stand still. Such a widget takes its messages itself.

export async function keepListening(model) {
  const whole = model.set({}); // the model behind anywidget's proxy
  const nothing = { content: { data: { method: "nothing" } } };
  try {
    await whole._handle_comm_msg(nothing);
  } catch {
    const parent = Object.getPrototypeOf(Object.getPrototypeOf(whole));
    whole.comm.on_msg((message) => parent._handle_comm_msg.call(whole, message));
    model.send({ missed: true });
  }
}

// Jupyter moves between cells with the arrow keys, and cuts one with X. What is typed on
// anything in here is not meant for it; shortcuts such as Ctrl + S stay Jupyter's. Its
// shortcuts pass over an element with the attribute, which is set before Notebook 7 looks,
// first of all, and therefore by the window; its other listeners are kept out by stopping
// the key. One listener for a page: the buttons of ipywidgets have no module of ours.
const OURS = ".ndcg-explorer, .ndcg-bet, .ndcg-choice, .ndcg-slider";
const KEPT = Symbol.for("understanding-ndcg.keys");

const isPlain = (event) => !event.ctrlKey && !event.metaKey && !event.altKey;

function stopPlain(event) {
  if (isPlain(event)) event.stopPropagation();
}

function keepKeys(event) {
  const ours = event.target.closest?.(OURS);
  if (!ours) return;
  // On the element itself: a shortcut for whatever has the focus matches it first.
  if (isPlain(event)) event.target.setAttribute("data-lm-suppress-shortcuts", "true");
  else event.target.removeAttribute("data-lm-suppress-shortcuts");
  ours.addEventListener("keydown", stopPlain); // the same function: added once
}

if (!globalThis[KEPT]) {
  globalThis[KEPT] = true;
  window.addEventListener("keydown", keepKeys, true);
}
