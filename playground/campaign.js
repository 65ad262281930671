// The campaign view: the placements of a config, their audiences, which of them the user is in, and
// what they leave for each other.

import { byId, code, element, prose, setText } from "./dom.js";
import { tree } from "./result.js";

/** Returns a member in either spelling of the config: `event_name` or `eventName`. */
function member(object, name) {
  return object?.[name] ?? object?.[name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase())];
}

/**
 * Reads the placements of a config.
 *
 * @returns the placements with their audiences, or the sentence that says what is wrong
 */
export function readConfig(text) {
  if (text.trim() === "") return { problem: "Paste the JSON of a dashboard." };
  let config;
  try {
    config = JSON.parse(text);
  } catch (error) {
    return { problem: `This is not JSON: ${error.message}` };
  }
  const triggers = member(config, "trigger_options");
  if (!Array.isArray(triggers)) return { problem: "The config has no list `trigger_options`." };
  const placements = new Map();
  // Of several triggers for a placement the last one counts.
  for (const trigger of triggers) {
    const rules = member(trigger, "rules");
    placements.set(String(member(trigger, "event_name")), (Array.isArray(rules) ? rules : []).map(audience));
  }
  return { placements };
}

function audience(rule) {
  const expression = member(rule, "expression_cel");
  const limit = member(rule, "occurrence");
  const variants = member(rule, "variants");
  return {
    name: String(member(rule, "experiment_id") ?? "audience"),
    // Without a filter, everyone matches; an empty one does not compile.
    expression: expression === undefined || expression === null ? undefined : String(expression),
    limit: limit === undefined || limit === null ? undefined : {
      most: member(limit, "max_count"), minutes: member(limit.interval, "minutes"),
    },
    variants: (Array.isArray(variants) ? variants : []).map((variant) => ({
      isHoldout: member(variant, "variant_type") === "HOLDOUT", percentage: member(variant, "percentage"),
      paywall: member(variant, "paywall_identifier"),
    })),
  };
}

/**
 * Shows the placements.
 *
 * @param judge returns for a filter `{explanation}` or `{diagnostics}`, and `warnings`
 * @param order returns what audiences leave for each other; see `Language.order`
 * @param open opens a filter in the editor
 */
export function showPlacements(config, judge, order, open) {
  const note = byId("config-note");
  note.className = config.problem === undefined || byId("config").value.trim() === "" ? "hint" : "hint bad";
  const box = byId("placements");
  if (config.problem !== undefined) {
    note.replaceChildren(prose(config.problem));
    box.replaceChildren();
    return;
  }
  const audiences = [...config.placements.values()].reduce((sum, list) => sum + list.length, 0);
  const orders = [...config.placements.values()].map((list) =>
    order(list.map((one) => [one.expression ?? null, one.limit === undefined])));
  const unreached = orders.reduce((sum, one) =>
    sum + one.places.filter(({ reached }) => reached === "none").length, 0);
  setText(note, `${count(config.placements.size, "placement")}, ${count(audiences, "audience")}`
    + (unreached === 0 ? "" : `, of which ${count(unreached, "audience")} ${unreached === 1 ? "gets" : "get"} no users`)
    + ". Limits and history are not counted here.");
  const isOpen = new Set([...box.querySelectorAll("details[open]")].map((one) => one.id));
  box.replaceChildren(...[...config.placements].map(([name, list], index) =>
    placement(name, list, index, orders[index], judge, open, isOpen)));
}

function placement(name, audiences, index, order, judge, open, isOpen) {
  let winner;
  const items = audiences.map((audience, number) => {
    const show = (state, judged) => item(
      audience, state, judged, relation(order.places[number], audience, audiences), open, `${index}-${number}`, isOpen);
    if (winner !== undefined) return show("skipped", {});
    if (audience.expression === undefined) {
      winner = audience;
      return show("yes", {});
    }
    const judged = judge(audience.expression);
    const state = judged.explanation === undefined ? "error" : judged.explanation.matches ? "yes" : "no";
    if (state === "yes") winner = audience;
    return show(state, judged);
  });
  return element("article", { class: "placement" },
    element("h2", {}, code(name)),
    element("p", { class: `outcome ${winner === undefined ? "no" : "yes"}` }, winner === undefined
      ? "No audience matches: no paywall."
      : element("span", {}, "Audience ", element("strong", { text: winner.name }), ` matches: ${results(winner)}.`)),
    order.others === "undecided" ? "" : element("p", {
      class: "note coverage",
      text: order.others === "none" ? "Every user is in one of the audiences." : "Some users are in none of the audiences.",
    }),
    element("ol", { class: "audiences" }, ...items));
}

/** Returns what earlier audiences leave for one, in a sentence; and whether that is nothing. */
function relation({ matches, reached, takenBy, sharesUsersWith }, audience, audiences) {
  const names = (numbers) => {
    const all = numbers.map((number) => `\`${audiences[number].name}\``);
    return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
  };
  if (matches === "none") return { isBad: true, text: "No user matches this filter." };
  if (reached === "none") {
    return {
      isBad: true,
      text: takenBy.length === 0 ? "No user gets here."
        : `No user gets here: ${names(takenBy)} ${takenBy.length === 1 ? "takes" : "take"} all of them first.`,
    };
  }
  // That everyone shares users with others says nothing.
  return sharesUsersWith.length === 0 || audience.expression === undefined ? undefined
    : { isBad: false, text: `Shares users with ${names(sharesUsersWith)}, which ${sharesUsersWith.length === 1 ? "comes" : "come"} first.` };
}

/** Returns what the variants of an audience lead to. */
function results({ variants }) {
  if (variants.length === 0) return "it has no variants";
  const total = variants.reduce((sum, one) => sum + Math.max(0, Number(one.percentage) || 0), 0);
  return variants.map((one) => {
    const share = total === 0 ? 100 / variants.length : (100 * Math.max(0, Number(one.percentage) || 0)) / total;
    return `${Math.round(share)} % ${one.isHoldout ? "holdout" : one.paywall ?? "no paywall"}`;
  }).join(", ");
}

/** Returns a number of minutes in the largest unit that divides it. */
function period(minutes) {
  for (const [unit, length] of [["day", 1440], ["hour", 60]]) {
    if (minutes >= length && minutes % length === 0) return count(minutes / length, unit);
  }
  return count(minutes, "minute");
}

const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

const WORDS = { yes: "matches", no: "no match", error: "does not compile", skipped: "not tried" };

function item(audience, state, judged, relation, open, id, isOpen) {
  const { explanation, warnings = 0, diagnostics = [] } = judged;
  const limit = audience.limit;
  const changes = explanation?.changes ?? [];
  return element("li", { class: `audience ${state}` },
    element("div", { class: "title" },
      element("strong", { text: audience.name }), element("span", { class: `badge ${state}`, text: WORDS[state] })),
    audience.expression === undefined
      ? element("p", { class: "note", text: "Everyone." })
      : element("pre", { class: "expression", text: audience.expression }),
    ...diagnostics.slice(0, 1).map((one) => element("p", { class: "note bad" }, prose(one.message))),
    relation === undefined ? "" : element("p", { class: `note order${relation.isBad ? " bad" : ""}` }, prose(relation.text)),
    warnings === 0 ? "" : element("p", { class: "note", text: count(warnings, "warning") }),
    state !== "no" ? "" : element("p", { class: "note" }, changes.length === 0
      ? prose(explanation.headline.replace(/^no match: /, "")) : prose(changes.map((one) => one.text).join("; "))),
    limit === undefined ? "" : element("p", {
      class: "note", text: `At most ${count(limit.most, "time")}`
        + (limit.minutes === undefined ? "" : ` in ${period(limit.minutes)}`),
    }),
    explanation === undefined ? "" : element("details", { id: `why-${id}`, open: isOpen.has(`why-${id}`) },
      element("summary", { text: "Why" }), tree([explanation.root], explanation.deciding)),
    audience.expression === undefined ? "" : element("button", {
      type: "button", class: "quiet", "aria-label": `Open the filter of ${audience.name} in the editor`,
      onclick: () => open(audience.expression), text: "Open in the editor",
    }));
}
