// An explorer whose module computes everything: the list to drag, and all its orders.

export async function mount(el, { widget, traits }, page) {
  const model = page.model(traits, () => {});
  const place = document.createElement("div");
  await page.widget(widget, model, place);
  el.replaceChildren(place);
  const field = () => place.querySelector(".ndcg-state input");
  model.on("change", () => page.address(el, field().value));
  return {
    restore: (line) => {
      field().value = line;
      field().dispatchEvent(new Event("change"));
    },
    present: (isLarge) => model.set("_dom_classes", isLarge ? ["ndcg-large"] : []),
  };
}
