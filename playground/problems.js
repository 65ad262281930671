// The mistakes in a filter: message, the line with its caret, notes, help, and a button for each fix.

import { byId, element, Offsets, prose, setText } from "./dom.js";

/** Shows diagnostics of a text; `apply` gets the edits of a fix. */
export function showProblems(diagnostics, text, apply) {
  const offsets = new Offsets(text);
  byId("problems").replaceChildren(...diagnostics.map((one) => problem(one, text, offsets, apply)));
  const errors = diagnostics.filter((one) => one.severity === "error").length;
  const others = diagnostics.length - errors;
  setText(byId("problem-count"),
    [count(errors, "error"), count(others, "warning")].filter((part) => part !== "").join(", ") || "No problems");
}

const count = (number, word) => (number === 0 ? "" : `${number} ${word}${number === 1 ? "" : "s"}`);

function problem(diagnostic, text, offsets, apply) {
  const { id, severity, message, primary, notes, helps, fixIts } = diagnostic;
  return element("article", { class: `problem ${severity}` },
    element("p", { class: "message" },
      element("span", { class: "badge", text: severity }), prose(message),
      element("span", { class: "id", text: id })),
    excerpt(primary, text, offsets),
    ...notes.map((note) => element("p", { class: "note" }, prose(note))),
    ...helps.map((help) => element("p", { class: "note" }, "Help: ", prose(help))),
    ...fixIts.map((fix) =>
      element("button", { class: "fix", type: "button", onclick: () => apply(fix.edits) }, "Fix: ", prose(fix.message))));
}

/** Returns the line that a label is about, with carets below. */
function excerpt({ start, end, message }, text, offsets) {
  const from = offsets.unit(start);
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  const lineEnd = (text.indexOf("\n", from) + text.length + 1) % (text.length + 1);
  const line = text.slice(lineStart, lineEnd);
  const to = Math.min(Math.max(offsets.unit(end), from + 1), Math.max(lineEnd, from + 1));
  // Long lines show the part around the caret.
  const before = line.slice(0, from - lineStart);
  const shown = before.length > 36 ? `…${before.slice(-30)}` : before;
  const after = line.slice(from - lineStart);
  const rest = after.length > 48 ? `${after.slice(0, 47)}…` : after;
  const carets = "^".repeat(Math.min(to - from, Math.max(rest.length, 1)));
  const blank = shown.replaceAll(/[^\t]/g, " ");
  return element("pre", { class: "excerpt" }, `${shown}${rest}\n${blank}`,
    element("span", { class: "caret", text: carets }), message === "" ? "" : ` ${message.replaceAll("`", "")}`);
}
