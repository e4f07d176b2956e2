// What both pages of the vote share: elements, news from the server, and what they send to it.

export const $ = (id) => document.getElementById(id);

export function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function trouble(words) {
  $("trouble").textContent = words;
  $("trouble").hidden = !words;
}

// Calls `draw` with each new state. A browser asks again by itself when a connection is lost,
// but not after an answer that is an error, or when it gave up while it slept.
export function follow(path, draw) {
  let source;
  const open = () => {
    source?.close();
    source = new EventSource(path);
    source.onmessage = ({ data }) => {
      trouble("");
      draw(JSON.parse(data));
    };
    source.onerror = () => {
      trouble("No connection. This page tries again by itself.");
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 2000);
    };
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && source.readyState !== EventSource.OPEN) open();
  });
  open();
}

// Returns whether the server took it; says why not.
export async function send(path, body) {
  try {
    const answer = await fetch(path, { method: "POST", body: JSON.stringify(body) });
    trouble(answer.ok ? "" : `Not counted: ${await answer.text()}.`);
    return answer.ok;
  } catch {
    trouble("Not counted: no connection. Try again.");
    return false;
  }
}
