// What the reader's own answer to a bet meets; it follows the bet when it changes.

export function mount(el, { bet, replies }, page) {
  const place = document.createElement("div");
  place.className = "ndcg-bet";
  page.bets.follow(bet, (index) => {
    place.innerHTML = replies[index + 1] ?? replies[0];
  });
  el.replaceChildren(place);
}
