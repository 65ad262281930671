// The user: a context as JSON, and as controls that the schema describes.

import { byId, element, prose, setText } from "./dom.js";

const ROOTS = ["user", "device", "params"];

/** The user. `changed` is called after every edit. */
export class User {
  #area = byId("context");
  #changed;
  /** The attributes and calls that the filters read, and the numbers that they mention. */
  #needs = { attributes: [], calls: [], numbers: [] };
  #attributes = {};
  #rows = "";
  /** The control that gets the focus when the rows are made anew. */
  #focusNext;

  constructor(changed) {
    this.#changed = changed;
    this.#area.addEventListener("input", () => {
      this.#rows = "";
      this.#changed();
    });
  }

  /** The context as JSON. */
  get json() {
    return this.#area.value;
  }

  set json(text) {
    this.#area.value = text;
    this.#rows = "";
  }

  /** The context as an object; undefined while the JSON is wrong. */
  get object() {
    try {
      const value = JSON.parse(this.json);
      return isObject(value) && Object.values(value).every(isObject) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  /** The context without the results of functions, as JSON. */
  get attributesJSON() {
    const object = this.object;
    if (object?.host === undefined) return this.json;
    const { host: _, ...rest } = object;
    return JSON.stringify(rest);
  }

  /** Returns the result that the user has of a function. */
  answer(name, argument) {
    const answers = this.object?.host ?? {};
    return answers[`${name}(${argument})`] ?? answers[name] ?? null;
  }

  /** Shows a mistake in the JSON, or none. */
  showError(message) {
    this.#area.setAttribute("aria-invalid", message !== undefined);
    const note = byId("context-note");
    note.className = message === undefined ? "hint" : "hint bad";
    this.#usual ??= [...note.childNodes];
    if (message === undefined) note.replaceChildren(...this.#usual);
    else setText(note, message);
  }

  #usual;

  /** Sets or removes an attribute, such as `user.age`, or the result of a call in `host`. */
  set(path, value) {
    const object = this.object;
    if (object === undefined) return;
    const [root, ...names] = path;
    let place = (object[root] ??= {});
    for (const name of names.slice(0, -1)) {
      if (!isObject(place[name])) place[name] = {};
      place = place[name];
    }
    const last = names.at(-1);
    if (value === undefined) delete place[last];
    else place[last] = value;
    this.#area.value = JSON.stringify(object, undefined, 2);
    this.#changed();
  }

  /** Applies the changes of an explanation. */
  apply(changes) {
    for (const change of changes) {
      const value = change.remove ? undefined : change.example;
      const call = /^\w+\.(\w+)\((.*)\)$/.exec(change.call ?? "");
      if (call !== null) this.set(["host", `${call[1]}(${text(call[2])})`], value);
      else this.set(segments(change.path), value);
    }
  }

  // Controls

  /** Shows the controls for what filters need and for what the user has. */
  show(schema, needs) {
    const isNewSchema = this.#attributes !== schema.attributes;
    this.#attributes = schema.attributes;
    this.#needs = needs;
    const object = this.object;
    const box = byId("controls");
    if (object === undefined) {
      this.#rows = "";
      box.replaceChildren(element("p", { class: "hint bad", text: "The JSON has a mistake; see the tab JSON." }));
      return;
    }
    const rows = this.#listRows(object);
    // Rows that stay are not made anew: the focus and the caret are in one of them.
    const key = JSON.stringify(rows.map((row) => [row.label, row.value === undefined, row.isRead]));
    if (key === this.#rows && !isNewSchema) {
      for (const row of rows) this.#update(row);
      return;
    }
    const focused = this.#focusNext ?? document.activeElement?.id;
    this.#focusNext = undefined;
    this.#rows = key;
    const list = (rows) => element("ul", { class: "rows" }, ...rows.map((row) => this.#row(row)));
    const read = rows.filter((row) => row.isRead);
    const others = rows.filter((row) => !row.isRead);
    // What is not read is folded away, unless there is nothing else or it was unfolded.
    const isOpen = read.length === 0 || byId("others")?.open || others.some((row) => controlID(row) === focused);
    box.replaceChildren(
      list(read),
      others.length === 0 ? "" : element("details", { id: "others", open: isOpen },
        element("summary", { text: `${others.length} more that the filter does not read` }), list(others)),
      rows.length === 0 ? element("p", { class: "hint", text: "The filter reads no attributes yet." }) : "",
      this.#adding(schema, object));
    if (focused) byId(focused)?.focus();
  }

  #listRows(object) {
    const rows = [];
    const seen = new Set();
    const add = (path, isRead) => {
      const label = path.join(".");
      if (seen.has(label)) return;
      seen.add(label);
      const value = path.reduce((place, name) => (isObject(place) ? place[name] : undefined), object);
      rows.push({ path, label, isRead, value, attribute: this.#attributes[label] ?? {} });
    };
    for (const attribute of this.#needs.attributes) add(attribute.split(/\.(.*)/s).slice(0, 2), true);
    for (const [function_, ...args] of this.#needs.calls) {
      const label = `${function_}(${args.map((argument) => JSON.stringify(argument)).join(", ")})`;
      const name = function_.split(".")[1];
      if (seen.has(label)) continue;
      seen.add(label);
      const path = ["host", `${name}(${args.join(", ")})`];
      rows.push({
        path, label, isRead: true, value: object.host?.[path[1]] ?? object.host?.[name],
        attribute: { type: "int", minimum: 0, summary: "a function of the SDK over the user's history" },
      });
    }
    for (const root of ROOTS) for (const name of Object.keys(object[root] ?? {})) add([root, name], false);
    return rows;
  }

  #row(row) {
    const id = controlID(row);
    const { attribute, label, value } = row;
    const type = kindOf(row);
    const isMissing = value === undefined;
    const name = isMissing || type === "bool" ? "span" : "label";
    const note = [attribute.type, attribute.summary].filter(Boolean).join(", ");
    return element("li", { class: `row${isMissing ? " is-missing" : ""}${row.isRead ? "" : " is-unread"}`, title: note },
      element(name, { class: "name", id: `${id}-label`, ...(name === "label" ? { for: id } : {}) }, label),
      isMissing
        ? element("span", { class: "control" }, element("span", { class: "missing", text: "missing" }))
        : element("span", { class: "control" }, ...this.#control(row, type, id)),
      isMissing
        ? element("button", {
          type: "button", class: "quiet", id: `${id}-set`, "aria-label": `Set ${label}`,
          onclick: () => {
            this.#focusNext = id;
            this.set(row.path, first(row));
          }, text: "Set",
        })
        : element("button", {
          type: "button", class: "quiet remove", id: `${id}-remove`, title: "Make it missing",
          "aria-label": `Make ${label} missing`, onclick: () => {
            this.#focusNext = `${id}-set`;
            this.set(row.path, undefined);
          }, text: "×",
        }));
  }

  #control(row, type, id) {
    const { path, value, attribute } = row;
    const set = (value) => this.set(path, value);
    switch (type) {
      case "bool":
        return [element("button", {
          type: "button", id, role: "switch", class: "switch", "aria-checked": String(value === true),
          "aria-labelledby": `${id}-label`, onclick: () => set(byId(id).getAttribute("aria-checked") !== "true"),
        })];
      case "number": {
        const { least, most, step } = this.#range(row);
        const number = element("input", {
          type: "number", id, step: "any", value: String(value), oninput: (event) => {
            if (event.target.value !== "") set(Number(event.target.value));
          },
        });
        const slider = element("input", {
          type: "range", id: `${id}-slider`, min: String(least), max: String(most), step: String(step),
          "aria-labelledby": `${id}-label`, oninput: (event) => set(Number(event.target.value)),
        });
        slider.value = String(value);
        return [slider, number];
      }
      case "choice": {
        const select = element("select", { id, onchange: (event) => set(event.target.value) },
          ...[...new Set([...attribute.values, value])].map((one) =>
            element("option", { value: one, text: one === "" ? "(empty)" : one })));
        select.value = value;
        return [select];
      }
      case "string": {
        const kind = { date: "date", time: "time" }[attribute.format] ?? "text";
        const input = element("input", {
          type: kind, id, spellcheck: "false", autocomplete: "off", step: kind === "time" ? "1" : undefined,
          oninput: (event) => set(event.target.value),
        });
        input.value = value;
        if (kind !== "text" && input.value !== value) input.type = "text", input.value = value;
        return [input];
      }
      default: {
        const input = element("input", {
          type: "text", id, class: "json", spellcheck: "false", autocomplete: "off", oninput: (event) => {
            try {
              const read = JSON.parse(event.target.value);
              event.target.setAttribute("aria-invalid", "false");
              set(read);
            } catch {
              event.target.setAttribute("aria-invalid", "true");
            }
          },
        });
        input.value = JSON.stringify(value);
        return [input];
      }
    }
  }

  /** Shows a new value in a control that is there, unless it is being typed there. */
  #update(row) {
    const id = controlID(row);
    const control = byId(id);
    const { value } = row;
    if (control === null || value === undefined) return;
    if (control.getAttribute("role") === "switch") control.setAttribute("aria-checked", String(value === true));
    const slider = byId(`${id}-slider`);
    if (slider !== null && slider !== document.activeElement) {
      const { least, most, step } = this.#range(row);
      Object.assign(slider, { min: least, max: most, step });
      slider.value = value;
    }
    if (control === document.activeElement || control.value === undefined) return;
    control.value = control.classList.contains("json") ? JSON.stringify(value) : value;
  }

  /** The range of a slider: from the schema, or around the numbers at hand. */
  #range({ value, attribute }) {
    const numbers = [value, ...this.#needs.numbers].filter((number) => Number.isFinite(number));
    const least = attribute.minimum ?? Math.min(0, ...numbers);
    const largest = Math.max(10, ...numbers.map((number) => number * 2));
    const power = 10 ** Math.floor(Math.log10(largest));
    const most = attribute.maximum ?? Math.ceil(largest / power) * power;
    const isWhole = attribute.type === "int" || (attribute.type === undefined && Number.isInteger(value));
    return { least, most, step: isWhole ? 1 : (most - least) / 200 };
  }

  #adding(schema, object) {
    const list = element("datalist", { id: "attribute-names" },
      ...Object.keys(schema.attributes).filter((path) => !path.includes("*"))
        .map((path) => element("option", { value: path })));
    const input = element("input", {
      type: "text", id: "new-attribute", list: "attribute-names", placeholder: "user.plan", spellcheck: "false",
      autocomplete: "off", autocapitalize: "off", "aria-label": "Attribute to add",
    });
    const add = () => {
      const path = segments(input.value.trim());
      if (path.length < 2 || !ROOTS.includes(path[0])) {
        input.setAttribute("aria-invalid", "true");
        return;
      }
      const label = path.join(".");
      const present = path.reduce((place, name) => (isObject(place) ? place[name] : undefined), object);
      this.#focusNext = controlID({ label });
      this.set(path, present ?? first({ attribute: schema.attributes[label] ?? { type: "string" } }));
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") add();
    });
    return element("div", { class: "adding" }, list, input,
      element("button", { type: "button", id: "add-attribute", onclick: add, text: "Add attribute" }));
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const controlID = (row) => `value-${row.label.replaceAll(/[^\w]/g, "-")}`;

/** The names of a path such as `user.address.city`. */
const segments = (path) => path.replaceAll(/\["([^"]*)"\]/g, ".$1").split(".").filter((name) => name !== "");

/** The text of an argument in a call. */
function text(argument) {
  try {
    return String(JSON.parse(argument));
  } catch {
    return argument;
  }
}

/** The kind of control for a row. */
function kindOf({ attribute, value }) {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return "number";
  if (typeof value === "string") return (attribute.values?.length ?? 0) > 0 ? "choice" : "string";
  return "json";
}

/** A first value for an attribute that was missing. */
function first({ attribute }) {
  const { type, values, minimum, example } = attribute;
  if (values?.length > 0) return values[0];
  if (example !== undefined) return example;
  if (type === "bool") return true;
  if (type === "int" || type === "number") return minimum ?? 1;
  if (type?.startsWith("list")) return [];
  return type === "map" ? {} : "";
}
