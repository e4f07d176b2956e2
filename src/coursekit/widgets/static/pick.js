// One of many values: the browser's own <select> in its <label>, so that a screen reader
// finds its name, and arrows and letters choose.

import { keepListening } from "./listen.js";

export default {
  render({ model, el }) {
    keepListening(model);
    el.classList.add("ndcg-pick");
    const label = document.createElement("label");
    const name = document.createElement("span");
    name.textContent = model.get("label");
    const list = document.createElement("select");
    list.append(...model.get("texts").map((text) => new Option(text)));
    label.append(name, list);
    el.append(label);
    list.addEventListener("change", () => {
      model.set("index", list.selectedIndex);
      model.save_changes();
    });
    const show = () => {
      list.selectedIndex = model.get("index");
    };
    model.on("change:index", show);
    show();
    return () => model.off("change:index", show);
  },
};
