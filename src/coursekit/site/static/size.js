// The choice between this screen and a projector, for everything on the page.

export async function mount(el, traits, page) {
  const model = page.model(traits, ({ index }) => page.present(index === 1));
  await page.widget("Choice", model, el);
}
