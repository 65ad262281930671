// The editor of a filter: a text area over a coloured copy of its text, with a list of completions.

import { byId, element, Offsets, prose } from "./dom.js";

const MOST_COMPLETIONS = 100;

/** The editor. `changed` is called after every edit, `complete` for the completions at an offset in bytes. */
export class Editor {
  #area = byId("filter");
  #paper = byId("paper");
  #popup = byId("completions");
  #list = byId("completion-list");
  #note = byId("completion-note");
  #changed;
  #complete;
  #analysis;
  #offsets = new Offsets("");
  #items = [];
  #chosen = 0;
  #marked;

  constructor({ changed, complete, format }) {
    this.#changed = changed;
    this.#complete = complete;
    const area = this.#area;
    area.addEventListener("input", (event) => {
      this.#changed();
      const isTyped = event.inputType === "insertText" && /[\w."']/.test(event.data ?? "");
      const isDeleted = event.inputType === "deleteContentBackward" && !this.#popup.hidden;
      if (isTyped || isDeleted) this.#open(false);
      else this.close();
    });
    area.addEventListener("keydown", (event) => this.#key(event, format));
    area.addEventListener("blur", () => this.close());
    area.addEventListener("click", () => this.close());
    area.addEventListener("scroll", () => this.#paper.scrollTo(area.scrollLeft, area.scrollTop));
    this.#list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const option = event.target.closest("[role=option]");
      if (option !== null) this.#take(Number(option.dataset.index));
    });
  }

  get text() {
    return this.#area.value;
  }

  /** Replaces the whole text. */
  set text(text) {
    this.#area.value = text;
    this.close();
  }

  focus() {
    this.#area.focus();
  }

  /** Replaces ranges of bytes, as one step to undo. */
  apply(edits) {
    const offsets = this.#offsets;
    let text = this.text;
    for (const edit of [...edits].sort((a, b) => b.start - a.start)) {
      text = text.slice(0, offsets.unit(edit.start)) + edit.replacement + text.slice(offsets.unit(edit.end));
    }
    this.replaceAll(text);
  }

  /** Replaces the whole text so that the browser can undo it. */
  replaceAll(text) {
    if (text === this.text) return;
    this.#area.focus();
    this.#replace(0, this.text.length, text);
  }

  #replace(start, end, text) {
    const area = this.#area;
    area.setSelectionRange(start, end);
    const isInserted = text === ""
      ? document.execCommand("delete") : document.execCommand("insertText", false, text);
    if (isInserted && area.value.slice(start, start + text.length) === text) return;
    area.setRangeText(text, start, end, "end");
    this.#changed();
  }

  // The coloured copy

  /** Shows what is known about the text. */
  show(analysis) {
    this.#analysis = analysis;
    this.#offsets = new Offsets(this.text);
    this.#area.setAttribute("aria-invalid", analysis.diagnostics.some((one) => one.severity === "error"));
    this.#paint();
  }

  /** Marks a range of bytes, or nothing. */
  mark(range) {
    this.#marked = range;
    this.#paint();
  }

  #paint() {
    const text = this.text;
    const unit = (byte) => this.#offsets.unit(byte);
    const tokens = this.#analysis.tokens.map(([start, length, role]) =>
      ({ start: unit(start), end: unit(start + length), name: role }));
    const lines = [];
    for (const { primary, severity } of this.#analysis.diagnostics) {
      const start = Math.min(unit(primary.start), Math.max(text.length - 1, 0));
      lines.push({ start, end: Math.max(unit(primary.end), start + 1), name: severity });
    }
    const marked = this.#marked;
    if (marked !== undefined) {
      lines.push({ start: unit(marked.offset), end: unit(marked.offset + marked.length), name: "marked" });
    }
    const cuts = new Set([0, text.length]);
    for (const { start, end } of [...tokens, ...lines]) cuts.add(start).add(Math.min(end, text.length));
    const borders = [...cuts].sort((a, b) => a - b);
    const pieces = [];
    let token = 0;
    for (let index = 0; index + 1 < borders.length; index++) {
      const start = borders[index];
      while (token < tokens.length && tokens[token].end <= start) token++;
      const names = lines.filter((one) => one.start <= start && start < one.end).map((one) => one.name);
      if (token < tokens.length && tokens[token].start <= start) names.push(`t-${tokens[token].name}`);
      const piece = text.slice(start, borders[index + 1]);
      pieces.push(names.length === 0 ? piece : element("span", { class: names.join(" "), text: piece }));
    }
    // The last line has a height even if it is empty.
    this.#paper.replaceChildren(...pieces, "\n");
  }

  /** Returns where a character is drawn. */
  #place(offset) {
    const walker = document.createTreeWalker(this.#paper, NodeFilter.SHOW_TEXT);
    let rest = offset;
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (rest <= node.length) {
        const range = document.createRange();
        range.setStart(node, rest);
        range.collapse(true);
        return range.getClientRects()[0] ?? node.parentElement.getBoundingClientRect();
      }
      rest -= node.length;
    }
    return this.#paper.getBoundingClientRect();
  }

  // Completions

  #key(event, format) {
    if (event.altKey && event.shiftKey && event.code === "KeyF") {
      format();
    } else if (event.ctrlKey && event.code === "Space") {
      this.#open(true);
    } else if (this.#popup.hidden) {
      return;
    } else if (event.key === "ArrowDown") {
      this.#choose(this.#chosen + 1);
    } else if (event.key === "ArrowUp") {
      this.#choose(this.#chosen - 1);
    } else if ((event.key === "Tab" && !event.shiftKey) || event.key === "Enter") {
      this.#take(this.#chosen);
    } else if (event.key === "Escape") {
      this.close();
    } else {
      if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) this.close();
      return;
    }
    event.preventDefault();
  }

  #open(isAsked) {
    const caret = this.#area.selectionStart;
    if (caret !== this.#area.selectionEnd) return this.close();
    const offsets = this.#offsets;
    const found = this.#complete(offsets.byte(caret));
    const matching = found.filter((item) => {
      const typed = this.text.slice(offsets.unit(item.start), caret).replace(/^\./, "").toLowerCase();
      const label = item.label.toLowerCase();
      return label.includes(typed) && (isAsked || label !== typed);
    });
    // A word that begins as typed is more probable than one that only contains it.
    const begins = (item) => {
      const typed = this.text.slice(offsets.unit(item.start), caret).toLowerCase();
      return item.label.toLowerCase().startsWith(typed) ? 0 : 1;
    };
    this.#items = matching.map((item, index) => ({ item, index, rank: begins(item) }))
      .sort((a, b) => a.rank - b.rank || a.index - b.index)
      .slice(0, MOST_COMPLETIONS).map(({ item }) => item);
    if (this.#items.length === 0) return this.close();
    this.#list.replaceChildren(...this.#items.map((item, index) =>
      element("li", { role: "option", id: `completion-${index}`, "data-index": String(index) },
        element("span", { class: `kind k-${item.kind}`, "aria-hidden": "true" }),
        element("span", { class: "label", text: item.label }),
        element("span", { class: "detail", text: item.detail }))));
    this.#popup.hidden = false;
    this.#area.setAttribute("aria-controls", "completion-list");
    this.#area.setAttribute("aria-expanded", "true");
    this.#position(offsets.unit(this.#items[0].start));
    this.#choose(0);
  }

  #position(offset) {
    const place = this.#place(offset);
    const frame = this.#popup.offsetParent.getBoundingClientRect();
    const left = Math.min(place.left - frame.left, frame.width - this.#popup.offsetWidth);
    this.#popup.style.left = `${Math.max(0, left)}px`;
    this.#popup.style.top = `${place.bottom - frame.top + 4}px`;
  }

  #choose(index) {
    const count = this.#items.length;
    this.#chosen = (index + count) % count;
    for (const [other, option] of [...this.#list.children].entries()) {
      option.setAttribute("aria-selected", other === this.#chosen);
    }
    const option = this.#list.children[this.#chosen];
    option.scrollIntoView({ block: "nearest" });
    this.#area.setAttribute("aria-activedescendant", option.id);
    const { documentation } = this.#items[this.#chosen];
    this.#note.replaceChildren(...paragraphs(documentation));
    this.#note.hidden = documentation === "";
  }

  #take(index) {
    const item = this.#items[index];
    const [start, end] = [this.#offsets.unit(item.start), this.#offsets.unit(item.end)];
    this.close();
    this.#replace(start, Math.max(end, this.#area.selectionStart), item.replacement);
    // The members of an object, the values of a comparison: what follows is wanted, too.
    if (/\($/.test(item.replacement)) this.#open(false);
  }

  close() {
    if (this.#popup.hidden) return;
    this.#popup.hidden = true;
    this.#area.removeAttribute("aria-activedescendant");
    this.#area.removeAttribute("aria-controls");
    this.#area.setAttribute("aria-expanded", "false");
  }
}

/** Returns the parts of a documentation in the little Markdown that the engine writes. */
function paragraphs(markdown) {
  return markdown.split(/```(?:\w*)\n([\s\S]*?)\n```/).flatMap((part, index) => {
    if (part.trim() === "") return [];
    if (index % 2 === 1) return [element("pre", { text: part })];
    return part.trim().split(/\n\n+/).map((text) => element("p", {}, prose(text.replaceAll("**", ""))));
  });
}
