// A choice among a few values, as a widget.

import { choiceField } from "./choice_field.js";
import { keepListening } from "./listen.js";

export default {
  render({ model, el }) {
    keepListening(model);
    el.classList.toggle("stacked", model.get("stacked"));
    const field = choiceField(el, model.get("label"), model.get("texts"), (index) => {
      model.set("index", index);
      model.save_changes();
    });
    const show = () => field.show(model.get("index"));
    model.on("change:index", show);
    show();
    return () => model.off("change:index", show);
  },
};
