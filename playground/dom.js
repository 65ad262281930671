// Small helpers for elements and offsets.

/** Returns the element of an id. */
export const byId = (id) => document.getElementById(id);

/**
 * Creates an element.
 *
 * @param properties attributes; `class`, `text` and `on…` functions have their usual meaning
 */
export function element(name, properties = {}, ...children) {
  const result = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (key === "text") result.textContent = value;
    else if (key.startsWith("on")) result.addEventListener(key.slice(2), value);
    else result.setAttribute(key, value === true ? "" : value);
  }
  result.append(...children.filter((child) => child !== undefined && child !== ""));
  return result;
}

/** Returns inline code. */
export const code = (text) => element("code", { text });

/** Returns text in which words between backquotes are code. */
export function prose(text) {
  const parts = text.split("`");
  return element("span", {}, ...parts.map((part, index) => (index % 2 === 1 ? code(part) : part)));
}

/** Sets the text of an element only if it differs, so that screen readers hear changes only. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Converts between offsets in bytes, which the engine has, and in UTF-16, which the page has. */
export class Offsets {
  #units;

  constructor(text) {
    if (/^[\0-\x7f]*$/.test(text)) return;
    this.#units = [];
    let unit = 0;
    for (const character of text) {
      const point = character.codePointAt(0);
      const bytes = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      for (let index = 0; index < bytes; index++) this.#units.push(unit);
      unit += character.length;
    }
    this.#units.push(unit);
  }

  /** Returns the offset in UTF-16 of an offset in bytes. */
  unit(byte) {
    if (this.#units === undefined) return byte;
    return this.#units[Math.min(byte, this.#units.length - 1)];
  }

  /** Returns the offset in bytes of an offset in UTF-16. */
  byte(unit) {
    if (this.#units === undefined) return unit;
    const found = this.#units.findIndex((other) => other >= unit);
    return found === -1 ? this.#units.length - 1 : found;
  }
}

/** Lets a list of tabs be used by mouse and arrow keys; `chosen` is called with the id of a tab. */
export function tabs(list, chosen) {
  const buttons = [...list.querySelectorAll("[role=tab]")];
  const choose = (button) => {
    for (const other of buttons) {
      const isChosen = other === button;
      other.setAttribute("aria-selected", isChosen);
      other.tabIndex = isChosen ? 0 : -1;
      byId(other.getAttribute("aria-controls")).hidden = !isChosen;
    }
    chosen(button.id);
  };
  list.addEventListener("click", (event) => {
    const button = event.target.closest("[role=tab]");
    if (button !== null) choose(button);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const index = buttons.indexOf(document.activeElement) + step;
    const next = buttons[(index + buttons.length) % buttons.length];
    next.focus();
    choose(next);
    event.preventDefault();
  });
  return (id) => choose(byId(id));
}
