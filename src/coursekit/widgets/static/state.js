// The state line of an explorer: Python writes it, and answers what is typed into it.
// It also says when no Python is left that could answer.

import { keepListening } from "./listen.js";
import { stateField } from "./state_field.js";

const GONE = ["dead", "terminating"];

// After a restart Jupyter calls the models of the old kernel not live; a kernel that was
// shut down, or ended by a server, is known by its status alone.
function watchKernel(model, say) {
  const whole = model.set({}); // the model behind anywidget's proxy
  const { kernel } = whole.widget_manager;
  const look = () => say(!whole.comm_live || kernel?.isDisposed || GONE.includes(kernel?.status));
  model.on("comm_live_update", look);
  kernel?.statusChanged.connect(look);
  kernel?.disposed.connect(look);
  look();
  return () => {
    model.off("comm_live_update", look);
    kernel?.statusChanged.disconnect(look);
    kernel?.disposed.disconnect(look);
  };
}

function lostWords() {
  const isNotebook = document.querySelector(".jp-Notebook") !== null;
  const todo = isNotebook ? "Run all cells again." : "Reload the page.";
  return `This explorer has lost its kernel and no longer answers. ${todo}`;
}

export default {
  render({ model, el }) {
    keepListening(model);
    const restore = (text) => model.send({ restore: text });
    const field = stateField(el, () => model.get("line"), restore);
    const lost = document.createElement("p");
    lost.className = "ndcg-lost";
    lost.setAttribute("role", "status");
    el.append(lost);
    requestAnimationFrame(() => el.closest(".ndcg-explorer")?.querySelector(".ndcg-controls").append(lost));
    const stopWatching = watchKernel(model, (isLost) => {
      lost.textContent = isLost ? lostWords() : "";
    });
    const showTrouble = () => field.showTrouble(model.get("trouble"));
    model.on("change:line", field.showLine);
    model.on("change:trouble", showTrouble);
    field.showLine();
    showTrouble();
    return () => {
      stopWatching();
      lost.remove();
      model.off("change:line", field.showLine);
      model.off("change:trouble", showTrouble);
    };
  },
};
