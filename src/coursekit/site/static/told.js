// An explorer that is told by a scroll: its picture stays in sight, above the steps or beside them
// (site.css says where), and the step that is read says what it shows. Nothing holds up the
// scrolling; the last step has the controls.

const HIGHEST = 0.6; // how much of the screen the picture may take, for the steps to be read
const READ = 0.6; // how far down the rest a step is read
const WIDE = matchMedia("(min-width: 64em)"); // as in site.css
const AROUND = 280; // pixels of a picture beside the steps that are not its two panels
const ABOVE = 170; // and of one above the steps, half the screen at most: one panel, or all, lower
const LEAST = 80; // of a panel

const sized = (height) => Math.max(LEAST, Math.round(height));

export function tell(el, steps, { tell: show }) {
  const picture = el.querySelector(".ndcg-figure");
  const controls = el.querySelectorAll(".ndcg-buttons, .ndcg-controls");
  const scene = document.createElement("div"); // the picture leaves with it, and covers nothing below
  scene.className = "ndcg-scene";
  picture.parentElement.classList.add("ndcg-told");
  picture.before(scene);
  scene.append(picture, steps);
  steps.lastElementChild.append(...controls);
  const all = [...steps.children];
  let now;
  const turn = (step) => {
    now?.removeAttribute("aria-current");
    now = step;
    now.setAttribute("aria-current", "step");
    const [own = 0, alone] = (now.dataset.panel ?? "").split(" ");
    const panel = WIDE.matches && !alone ? 0 : Number(own);
    const half = (innerHeight - AROUND) / 2;
    const most = WIDE.matches ? (panel ? 1.6 : 1) * half : (innerHeight / 2 - ABOVE) / (panel ? 1 : 3);
    const whole = WIDE.matches ? { most: sized(half), panel: 0 } : null; // what a link is shown
    show(now.dataset.line, { most: sized(most), panel, whole });
  };
  turn(all[0]);
  const follow = () => {
    if (!picture.querySelector(".main-svg")) return; // once it is drawn, the steps lie lower
    const { bottom, left } = picture.getBoundingClientRect();
    const isBeside = left >= steps.getBoundingClientRect().right;
    const top = isBeside ? innerHeight / 4 : Math.min(bottom, HIGHEST * innerHeight);
    const reading = top + READ * (innerHeight - top);
    const next = all.findLast((step) => step.getBoundingClientRect().top < reading) ?? all[0];
    if (next !== now) turn(next);
  };
  addEventListener("scroll", follow, { passive: true });
}
