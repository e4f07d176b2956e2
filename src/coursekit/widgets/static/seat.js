// A slider whose control stands on an axis of the figure has its thumb there, and needs no other:
// its name and its value stay in the row of controls, and what has the focus lies on the thumb, so
// that keys, screen readers and a ring around it work as with any slider. See touch.css.

/** Put sliders on their thumbs, [[label, element]]; one that has none any more goes back. */
export function seatSliders(figure, thumbs) {
  const controls = figure.closest(".ndcg-explorer")?.querySelector(".ndcg-controls");
  for (const slider of controls?.querySelectorAll(".ndcg-slider") ?? []) {
    const input = slider.querySelector("input");
    const [, thumb] = thumbs.find(([label]) => label === input.getAttribute("aria-label")) ?? [];
    slider.classList.toggle("ndcg-seated", Boolean(thumb));
    if (!thumb) continue;
    const [at, origin] = [thumb, controls].map((part) => part.getBoundingClientRect());
    input.style.setProperty("--across", `${at.x + at.width / 2 - origin.x}px`);
    input.style.setProperty("--down", `${at.y + at.height / 2 - origin.y}px`);
  }
}
