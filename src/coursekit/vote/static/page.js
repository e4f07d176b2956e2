// What both pages of the vote share: elements, news from the server, and what they send to it.

export const $ = (id) => document.getElementById(id);

export function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// In bold only where it asks, as in `coursekit.bets.bet`; below it the question as a table.
export function ask({ question: [before, asked], table }) {
  $("question").replaceChildren(before && `${before} `, element("b", {}, asked));
  $("table").innerHTML = table;
}

export function trouble(words) {
  $("trouble").textContent = words;
  $("trouble").hidden = !words;
}

// Calls `draw` with each new state. A browser asks again by itself when a connection is lost,
// but not after an answer that is an error, or when it gave up while it slept: then this does,
// if `mayGoOn` says so. Returns what opens the connection anew.
export function follow(path, draw, mayGoOn = async () => true) {
  let source;
  const open = () => {
    source?.close();
    source = new EventSource(path);
    source.onmessage = ({ data }) => {
      const state = JSON.parse(data);
      trouble(state.trouble ?? "");
      draw(state);
    };
    source.onerror = () => {
      trouble("No connection. This page tries again by itself.");
      if (source.readyState === EventSource.CLOSED) setTimeout(again, 2000);
    };
  };
  const again = async () => {
    if (await mayGoOn()) open();
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && source.readyState !== EventSource.OPEN) again();
  });
  open();
  return open;
}

// Returns whether the server took it; says what did not happen, and why.
export async function send(path, body, failed) {
  try {
    const answer = await fetch(path, { method: "POST", body: JSON.stringify(body) });
    trouble(answer.ok ? "" : `${failed}: ${await answer.text()}.`);
    return answer.ok;
  } catch {
    trouble(`${failed}: no connection. Try again.`);
    return false;
  }
}
