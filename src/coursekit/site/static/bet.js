// A bet: the question, as a table too if it has one, its answers, and what is said of the one that
// is chosen.

export async function mount(el, { name, question, table, choice, notes }, page) {
  const place = document.createElement("div");
  place.className = "ndcg-bet";
  const [asked, buttons, note] = [1, 2, 3].map(() => document.createElement("div"));
  asked.innerHTML = question;
  note.innerHTML = notes[0];
  const model = page.model(choice, ({ index }) => {
    note.innerHTML = notes[index + 1];
    page.bets.place(name, index);
  });
  await page.widget("Choice", model, buttons);
  const before = page.bets.placed.get(name); // on an earlier visit
  if (notes[before + 1]) {
    model.show({ index: before });
    note.innerHTML = notes[before + 1];
  }
  place.append(asked, buttons, note);
  asked.insertAdjacentHTML("afterend", table);
  el.replaceChildren(place);
}
