// Put in front of each widget's own module by helpers.explorers.part.
//
// anywidget 0.11 gives up on a widget whose module has not come two seconds after its
// model, as happens on a slow laptop while JupyterLab reads plotly.js. The widget is drawn
// all the same, but every message from the kernel is refused from then on: a slider
// would move and its figure stand still. Such a widget takes its messages itself.

async function keepListening(model) {
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

// JupyterLab moves between cells with the arrow keys, and deletes one with D, D. In here
// they are the element's. Shortcuts such as Ctrl + S stay JupyterLab's.
function keepKeys(element) {
  element.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  });
}
