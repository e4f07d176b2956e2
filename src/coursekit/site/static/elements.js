// Elements of a form on a page.

/** What is typed is taken as it is. */
export const PLAIN = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };

/** Return an element with children, or with markup inside. */
export function make(tag, className, children = [], attributes = {}, inside = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (inside) element.innerHTML = inside;
  element.append(...children);
  return element;
}
