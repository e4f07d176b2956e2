// The names of choices and buttons, set as in a formula: log2 with its base lowered, powers raised.

/** Write a text such as "0.8^(rank − 1)" into an element; `named` is called what the text says. */
export function typeset(element, text, named = element) {
  // In turn what is as it is, a base, and a power in brackets or a single one.
  const parts = text.split(/(?<=log)(2)|\^(?:\((.*?)\)|(\w+))/);
  parts.forEach((part, i) => {
    if (!part) return;
    const small = document.createElement(i % 4 === 1 ? "sub" : "sup");
    small.textContent = part;
    element.append(i % 4 ? small : part);
  });
  if (parts.length > 1) named.setAttribute("aria-label", text); // "2 to the grade", not "2grade"
}
