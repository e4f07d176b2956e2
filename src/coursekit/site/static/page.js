// What scrolls sideways takes the focus, so that the arrow keys can scroll it; nothing else does.
const PLACES = "pre, .ndcg-table, .table-wrapper, .math-wrapper";

function letScroll() {
  for (const place of document.querySelectorAll(PLACES)) {
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
  }
}

letScroll();
addEventListener("resize", letScroll);
document.addEventListener("toggle", letScroll, true); // what was folded had no width
