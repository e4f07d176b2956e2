// A slider whose control stands on an axis of the figure has its thumb there, and needs no other:
// its name and its value stay in the row of controls, and what has the focus lies on the thumb, so
// that keys, screen readers and a ring around it work as with any slider. See touch.css.

/** Put the sliders of `touch` on their thumbs, [[key, element]]; where a figure has none, back. */
export function seatSliders(figure, touch, thumbs) {
  const controls = figure.closest(".ndcg-explorer")?.querySelector(".ndcg-controls");
  for (const slider of controls?.querySelectorAll(".ndcg-slider") ?? []) {
    const input = slider.querySelector("input");
    const isOn = ([key]) => touch[key].label === input.getAttribute("aria-label");
    const [, thumb] = thumbs.find(isOn) ?? [];
    slider.classList.toggle("ndcg-seated", Boolean(thumb));
    if (!thumb) continue;
    const [at, origin] = [thumb, controls].map((part) => part.getBoundingClientRect());
    input.style.setProperty("--across", `${at.x + at.width / 2 - origin.x}px`);
    input.style.setProperty("--down", `${at.y + at.height / 2 - origin.y}px`);
  }
}
