// A figure of a notebook, on a stage without controls; its words stand below it already.

import { CONFIG, STAGE } from "./model.js";

export async function mount(el, { data, layout }, page) {
  const still = el.querySelector(".ndcg-picture");
  const sentence = still?.querySelector("img")?.alt ?? still?.textContent ?? "";
  const model = page.model({ ...STAGE, figure: { data, layout, config: CONFIG }, sentence });
  const place = document.createElement("div");
  place.classList.add("ndcg-alone");
  el.replaceChildren(place);
  await page.widget("Stage", model, place);
}
