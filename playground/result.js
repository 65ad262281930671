// The result of a filter: the verdict, the smallest change, and the tree of conditions.

import { byId, code, element, prose, setText } from "./dom.js";

/** Returns a JSON value as it is written in a filter. */
export const literal = (value) => JSON.stringify(value);

const sentence = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The state of an outcome: yes, no, error or skipped. */
export function stateOf(outcome) {
  if (outcome.error !== undefined) return "error";
  if (outcome.evaluated === false) return "skipped";
  return outcome.value === true ? "yes" : outcome.value === false ? "no" : "value";
}

const WORDS = { yes: "true", no: "false", error: "error", skipped: "not evaluated", value: "value" };

/** Shows that there is nothing to evaluate. */
export function showNothing(headline) {
  setVerdict("error", headline);
  byId("changes").replaceChildren();
  byId("why").replaceChildren(element("p", { class: "hint", text: "The filter is evaluated when it has no errors." }));
}

/** Shows an explanation; `apply` gets a change, `mark` the condition under the pointer. */
export function showExplanation(explanation, apply, mark) {
  const value = explanation.outcome.value;
  const isOther = explanation.outcome.error === undefined && typeof value !== "boolean";
  if (explanation.matches) setVerdict("yes", "Matches");
  else setVerdict(explanation.outcome.error === undefined ? "no" : "error", "No match");
  byId("changes").replaceChildren(...summary(explanation, isOther, apply));
  byId("why").replaceChildren(tree([explanation.root], explanation.deciding, mark));
}

function setVerdict(state, text) {
  const verdict = byId("verdict");
  verdict.className = `verdict ${state}`;
  setText(verdict, text);
}

function summary(explanation, isOther, apply) {
  if (explanation.matches) return [];
  const parts = [];
  const { changes, neverMatches, headline } = explanation;
  const text = headline.replace(/^no match: /, "");
  parts.push(element("p", { class: "headline" }, prose(`${sentence(text)}.`)));
  if (isOther) parts.push(element("p", { class: "note" }, "The value is ", code(literal(explanation.outcome.value)), "."));
  if (neverMatches) parts.push(element("p", { class: "note", text: "No user can match this filter." }));
  else if (changes === null) parts.push(element("p", { class: "note", text: "What to change was not found; that does not mean that it never matches." }));
  else if (changes.length > 0) parts.push(changeBox(changes, apply));
  return parts;
}

function changeBox(changes, apply) {
  const isOne = changes.length === 1;
  return element("div", { class: "change" },
    element("div", {},
      element("h3", { text: isOne ? "The smallest change" : `The smallest change has ${changes.length} parts` }),
      element("ul", {}, ...changes.map((change) => element("li", {},
        code(change.call ?? change.path),
        change.missing ? " is missing, " : element("span", {}, " is ", code(literal(change.current)), ", "),
        change.remove ? "must be missing" : element("span", {}, "needs ", code(change.requirement)))))),
    element("button", { type: "button", id: "apply-change", onclick: () => apply(changes) },
      "Apply to the user"));
}

/** Returns conditions as nested lists. */
export function tree(conditions, deciding, mark) {
  return element("ul", { class: "tree" }, ...conditions.map((condition) => branch(condition, deciding, mark)));
}

const JOINTS = { all: "all of", any: "any of", not: "not" };

function branch(condition, deciding, mark) {
  const state = stateOf(condition.outcome);
  const isInner = condition.children.length > 0;
  const line = element("div", {
    class: `condition ${state}${condition.id === deciding ? " deciding" : ""}`,
    onmouseenter: () => mark?.(condition), onmouseleave: () => mark?.(undefined),
  },
    element("span", { class: "glyph", "aria-hidden": "true" }),
    element("span", { class: "visually-hidden", text: `${WORDS[state]}: ` }),
    isInner && JOINTS[condition.kind] !== undefined
      ? element("span", { class: "joint", text: JOINTS[condition.kind] }) : code(condition.text),
    condition.id === deciding ? element("span", { class: "badge", text: "decides" }) : "",
    state === "value" ? element("span", { class: "reading" }, "is ", code(literal(condition.outcome.value))) : "");
  const details = [
    ...condition.reads.map((read) => element("li", {}, code(read.path),
      read.presence === "missing"
        ? element("span", { class: "missing", text: " is missing" })
        : element("span", {}, " is ", code(literal(read.value))))),
    ...condition.operands.map((operand) => element("li", {}, code(operand.text),
      operand.outcome.value === undefined ? "" : element("span", {}, " is ", code(literal(operand.outcome.value))))),
    ...(condition.element === undefined ? [] : [element("li", {},
      `element ${condition.element.index + 1} of ${condition.element.count}: `, code(literal(condition.element.value)))]),
    ...(condition.outcome.error === undefined || isInner ? []
      : [element("li", { class: "missing" }, prose(condition.outcome.error.message))]),
    ...condition.notes.map((note) => element("li", {}, prose(note))),
  ];
  return element("li", {}, line,
    details.length === 0 ? "" : element("ul", { class: "details" }, ...details),
    isInner ? tree(condition.children, deciding, mark) : "");
}
