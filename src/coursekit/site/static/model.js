// What the widgets' modules see of their model (anywidget.dev/en/afm), with no kernel behind:
// `answer` is told what the reader changed or sent.

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export class Model {
  #traits;
  #changed = {};
  #heard = new Map();
  #answer;
  comm_live = true; // what state.js asks for
  widget_manager;

  constructor(traits, answer = () => {}, manager = {}) {
    this.#traits = { ...traits };
    this.#answer = answer;
    this.widget_manager = manager;
  }

  get(name) {
    return this.#traits[name];
  }

  set(name, value) {
    const given = typeof name === "object" ? name : { [name]: value };
    const changed = Object.entries(given).filter(([key, one]) => !same(one, this.#traits[key]));
    for (const [key, one] of changed) this.#traits[key] = this.#changed[key] = one;
    for (const [key] of changed) this.#tell(`change:${key}`);
    if (changed.length > 0) this.#tell("change");
    return this;
  }

  save_changes() {
    const changed = this.#changed;
    this.#changed = {};
    if (Object.keys(changed).length > 0) this.#answer(changed);
  }

  send(message) {
    this.#answer(message);
  }

  on(event, listener) {
    if (!this.#heard.has(event)) this.#heard.set(event, new Set());
    this.#heard.get(event).add(listener);
  }

  off(event, listener) {
    this.#heard.get(event)?.delete(listener);
  }

  /** Change traits as a kernel would: nobody is asked for an answer. */
  show(traits) {
    this.set(traits);
    this.#changed = {};
  }

  #tell(event) {
    for (const listener of [...(this.#heard.get(event) ?? [])]) listener();
  }

  async _handle_comm_msg() {} // listen.js looks whether messages would come
}

/** How plotly draws on a page; as in helpers/style.py. */
export const CONFIG = { displaylogo: false, displayModeBar: false, responsive: false };

/** A stage with nothing on it; its `library` is whatever the manager has. */
export const STAGE = {
  figure: { data: [], layout: {}, config: CONFIG },
  sentence: "",
  formula: "",
  table: "",
  large: false,
  touch: {},
  reports: false,
  library: "plotly",
};
