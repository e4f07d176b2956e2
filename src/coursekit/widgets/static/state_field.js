// A field with a line of text that says where the controls stand: to copy, and to paste
// another one into. What belongs into it, and what a line does, its owner knows.

function buildField(el) {
  el.classList.add("ndcg-state");
  const label = document.createElement("label");
  const name = document.createElement("span");
  name.textContent = "State";
  const input = document.createElement("input");
  input.type = "text";
  input.spellcheck = false;
  input.autocomplete = "off";
  input.setAttribute("autocapitalize", "off");
  label.append(name, input);
  const copy = document.createElement("button");
  copy.type = "button";
  copy.textContent = "Copy";
  copy.setAttribute("aria-label", "Copy the state");
  const said = document.createElement("span");
  said.className = "ndcg-said";
  said.setAttribute("role", "status");
  el.append(label, copy, said);
  return { input, copy, said };
}

// On a page that came over plain http from another machine there is no clipboard API.
async function toClipboard(input) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(input.value);
      return true;
    } catch {
      // not allowed here: the old way
    }
  }
  input.select();
  return document.execCommand("copy");
}

// `readLine` returns the present state, `restore` takes a line that came. To be called
// when they change: `showLine()`, and `showTrouble(text)`, empty where there is none.
export function stateField(el, readLine, restore) {
  const { input, copy, said } = buildField(el);
  let isTyping = false; // what is half typed is not taken away by an answer that comes late
  const showLine = () => {
    if (!isTyping) input.value = readLine();
  };
  const end = (act) => {
    isTyping = false;
    act(input.value);
  };
  const showTrouble = (text) => {
    input.setAttribute("aria-invalid", text !== "");
    said.textContent = text;
  };
  input.addEventListener("input", () => { isTyping = true; });
  // Enter, or leaving the field after a change; typed back to what was there is none.
  input.addEventListener("change", () => end(restore));
  input.addEventListener("blur", () => isTyping && end(showLine));
  input.addEventListener("keydown", ({ key }) => key === "Escape" && end(showLine));
  copy.addEventListener("click", async () => {
    showLine(); // the present state, not a line that was refused
    said.textContent = (await toClipboard(input)) ? "Copied." : "Selected: press Ctrl + C.";
  });
  return { showLine, showTrouble };
}

