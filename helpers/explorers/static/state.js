// The state line of an explorer: it shows where the controls stand, can be copied, and
// takes another line, pasted or typed, with Enter. A bad line is answered, not repaired.

function build(el) {
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

export default {
  render({ model, el }) {
    const { input, copy, said } = build(el);
    const say = (text) => {
      said.textContent = text;
    };
    const showLine = () => {
      input.value = model.get("line");
    };
    const showTrouble = () => {
      input.setAttribute("aria-invalid", model.get("trouble") !== "");
      say(model.get("trouble"));
    };
    // Enter, or leaving the field after a change.
    input.addEventListener("change", () => model.send({ restore: input.value }));
    // JupyterLab moves between cells with the arrow keys; here they are the field's.
    // Shortcuts such as Ctrl + S stay JupyterLab's.
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") showLine();
      if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
    });
    copy.addEventListener("click", async () => {
      showLine(); // the present state, not what is half typed
      say((await toClipboard(input)) ? "Copied." : "Selected: press Ctrl + C.");
    });
    model.on("change:line", showLine);
    model.on("change:trouble", showTrouble);
    showLine();
    showTrouble();
    return () => {
      model.off("change:line", showLine);
      model.off("change:trouble", showTrouble);
    };
  },
};
