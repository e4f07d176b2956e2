// Marks that glide: what a figure gives an id (`ids` of a trace) is the same thing in the next
// figure, and is seen to move there. plotly's own state is final at once, only the eye is late.

const GLIDE = { duration: 350, easing: "ease-in-out" };

function placeIn(figure, mark) {
  const [{ x, y }, origin] = [mark, figure].map((part) => part.getBoundingClientRect());
  return [x - origin.x, y - origin.y];
}

/** Return where the marks with an id are seen now, for `glide`; of none if motion is reduced. */
export function placesOf(figure) {
  if (!matchMedia("(prefers-reduced-motion: no-preference)").matches) return [];
  const marks = [...figure.querySelectorAll(".point")].filter((mark) => mark.__data__?.id);
  return marks.map((mark) => [mark, placeIn(figure, mark)]);
}

/** Let the marks glide from these places to where plotly has put them. */
export function glide(figure, places) {
  for (const [mark, [x, y]] of places) {
    mark.getAnimations().forEach((running) => running.cancel());
    const [left, top] = placeIn(figure, mark);
    const way = `${x - left}px ${y - top}px`;
    if (mark.isConnected && Math.hypot(x - left, y - top) > 1) {
      mark.animate({ translate: [way, "0 0"] }, GLIDE);
    }
  }
}
