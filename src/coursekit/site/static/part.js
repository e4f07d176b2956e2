// An explorer whose module computes everything: the list to drag, and all its orders.

export async function mount(el, { widget, traits }, page) {
  const model = page.model(traits, () => {});
  const place = document.createElement("div");
  await page.widget(widget, model, place);
  el.replaceChildren(place);
  const field = () => place.querySelector(".ndcg-state input");
  // Once the widget has written its line: its own listener came first.
  model.on("change", () => queueMicrotask(() => page.address(el, field().value)));
  return {
    restore: (line) => {
      field().value = line;
      field().dispatchEvent(new Event("change"));
      // What was refused does not stay there, since nobody typed it.
      field().dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    },
    present: (isLarge) => model.set("_dom_classes", isLarge ? ["ndcg-large"] : []),
  };
}
