// The state line of an explorer: Python writes it, and answers what is typed into it.

export default {
  render({ model, el }) {
    keepListening(model);
    const restore = (text) => model.send({ restore: text });
    const field = stateField(el, () => model.get("line"), restore);
    const showTrouble = () => field.showTrouble(model.get("trouble"));
    model.on("change:line", field.showLine);
    model.on("change:trouble", showTrouble);
    field.showLine();
    showTrouble();
    return () => {
      model.off("change:line", field.showLine);
      model.off("change:trouble", showTrouble);
    };
  },
};
