// The page: what is typed goes to the engine, and what the engine says is shown.

import { load, SwexprError } from "./swexpr.js";
import { readConfig, showPlacements } from "./campaign.js";
import { byId, element, setText, tabs } from "./dom.js";
import { Editor } from "./editor.js";
import { decode, encode } from "./link.js";
import { showProblems } from "./problems.js";
import { showExplanation, showNothing } from "./result.js";
import { User } from "./user.js";

/** The steps that an evaluation may take, so that the page never hangs. */
const STEPS = 2_000_000;
/** How long the page waits before it writes the address, in milliseconds. */
const LINK_DELAY = 300;

const engine = await load(new URL("playground.wasm", import.meta.url));
const examples = await (await fetch("examples.json")).json();

let mode = "filter";
let language;
let schema;
let environment;

const user = new User(() => update());
const editor = new Editor({
  changed: () => update(true),
  complete: (offset) => language.complete(editor.text, offset, user.json),
  format,
});

// The engine

/** Makes the language from the dialect and the schema. */
function renewLanguage() {
  const dialect = byId("dialect").value;
  const note = byId("schema-note");
  const own = byId("schema").value;
  let problem;
  try {
    language = engine.language({
      environment: engine.environment({ dialect }), schema: own.trim() === "" ? undefined : own,
    });
  } catch (error) {
    if (!(error instanceof SwexprError)) throw error;
    problem = error.message;
    language ??= engine.language({ environment: engine.environment({ dialect }) });
  }
  schema = language.schema;
  orders.clear();
  byId("schema").setAttribute("aria-invalid", problem !== undefined);
  note.className = problem === undefined ? "hint" : "hint bad";
  setText(note, problem ?? "Attributes of your own, added to those of the SDKs.");
  const tables = { device: {}, computed: {} };
  const host = {};
  for (const path of Object.keys(schema.functions ?? {})) {
    const [table, name] = path.split(".");
    if (tables[table] === undefined) continue;
    tables[table][name] = ["event"];
    host[path] = (...args) => user.answer(name, args.join(", "));
  }
  environment = engine.environment({ dialect, steps: STEPS, ...tables, host });
}

/** Returns an explanation of a filter, or its diagnostics if it does not compile. */
function judge(text, context) {
  try {
    return { explanation: engine.compile(text, environment).explain(context) };
  } catch (error) {
    if (!(error instanceof SwexprError)) throw error;
    return { message: error.message };
  }
}

// Showing

let isScheduled = false;

/** Shows everything anew: the diagnostics now, the rest before the next frame. */
function update(isTyped = false) {
  if (isTyped) performance.mark("key");
  showDiagnostics();
  if (isTyped) {
    performance.clearMeasures("diagnosis");
    performance.measure("diagnosis", "key");
    performance.clearMarks("key");
  }
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    showOutcome();
    keepLink();
  });
}

let analysis;

function showDiagnostics() {
  analysis = language.analyze(editor.text);
  editor.show(analysis);
  showProblems(analysis.diagnostics, editor.text, (edits) => {
    editor.apply(edits);
    editor.focus();
  });
}

function showOutcome() {
  editor.mark(undefined);
  let context;
  try {
    context = engine.context(user.attributesJSON);
    user.showError(user.object === undefined ? "The roots, such as `user`, must be objects." : undefined);
  } catch (error) {
    if (!(error instanceof SwexprError)) throw error;
    user.showError(error.message);
  }
  const needs = mode === "filter" ? showFilter(context) : showCampaign(context);
  user.show(schema, needs);
}

/** Shows the result of the filter; returns what it needs. */
function showFilter(context) {
  const hasErrors = analysis.diagnostics.some((one) => one.severity === "error");
  if (editor.text.trim() === "") showNothing("Write a filter");
  else if (hasErrors) showNothing("The filter has an error");
  else if (context === undefined) showNothing("The user is not JSON");
  else {
    const { explanation, message } = judge(editor.text, context);
    if (explanation === undefined) showNothing(message.split("\n")[0]);
    else showExplanation(explanation, (changes) => user.apply(changes), (range) => editor.mark(range));
  }
  return { ...needsOf(analysis), numbers: numbersIn(editor.text, analysis) };
}

/** Shows the placements; returns what their filters need. */
function showCampaign(context) {
  const attributes = new Set();
  const calls = new Map();
  const config = readConfig(byId("config").value);
  const judged = new Map();
  const judgeOnce = (text) => {
    if (!judged.has(text)) {
      const found = language.analyze(text);
      const warnings = found.diagnostics.filter((one) => one.severity === "warning").length;
      const errors = found.diagnostics.filter((one) => one.severity === "error");
      for (const attribute of found.attributes) attributes.add(attribute);
      for (const call of found.calls) calls.set(JSON.stringify(call), call);
      const result = context === undefined ? {} : judge(text, context);
      judged.set(text, { ...result, warnings, diagnostics: errors });
    }
    return judged.get(text);
  };
  // The attributes of all filters, also of those that are not tried.
  for (const audiences of config.placements?.values() ?? []) {
    for (const { expression } of audiences) if (expression !== undefined) judgeOnce(expression);
  }
  showPlacements(config, judgeOnce, orderOf, (text) => {
    editor.text = text;
    chooseMode("tab-filter");
    byId("tab-filter").focus();
  });
  return { attributes: [...attributes], calls: [...calls.values()], numbers: [] };
}

const orders = new Map();

/** Returns what audiences leave for each other. It does not depend on the user, and is kept. */
function orderOf(entries) {
  const key = JSON.stringify(entries);
  if (!orders.has(key)) orders.set(key, language.order(entries));
  return orders.get(key);
}

let lastNeeds = { attributes: [], calls: [] };

/** The attributes and calls of the filter; while it does not compile, those of the last one that did. */
function needsOf({ attributes, calls, diagnostics }) {
  if (!diagnostics.some((one) => one.severity === "error")) lastNeeds = { attributes, calls };
  return lastNeeds;
}

/** The numbers that a filter mentions, from which sliders get their ranges. */
function numbersIn(text, { tokens }) {
  if (!/^[\0-\x7f]*$/.test(text)) return [];
  return tokens.filter(([, , role]) => role === "number")
    .map(([start, length]) => Number(text.slice(start, start + length)));
}

function format() {
  try {
    editor.replaceAll(engine.layout(editor.text, { environment, width: 72 }));
  } catch (error) {
    // A text with mistakes stays as it is; its diagnostics are on the page.
    if (!(error instanceof SwexprError)) throw error;
  }
}

// The state and its link

const fields = ["filter", "dialect", "context", "schema", "config"];
let written = "";
let timer;

function state() {
  return { mode, ...Object.fromEntries(fields.map((id) => [id, byId(id).value])) };
}

function keepLink() {
  clearTimeout(timer);
  timer = setTimeout(writeLink, LINK_DELAY);
}

async function writeLink() {
  clearTimeout(timer);
  written = `#${await encode(state())}`;
  history.replaceState(null, "", written);
}

/** Shows a state, of which parts may be missing. */
function restore(saved) {
  for (const id of fields) if (typeof saved[id] === "string") byId(id).value = saved[id];
  editor.text = byId("filter").value;
  user.json = byId("context").value;
  if (byId("dialect").selectedIndex < 0) byId("dialect").value = "superscript";
  renewLanguage();
  chooseMode(saved.mode === "campaign" ? "tab-campaign" : "tab-filter");
}

async function restoreLink() {
  const saved = await decode(location.hash.slice(1));
  if (saved !== undefined) restore(saved);
  return saved !== undefined;
}

async function share() {
  await writeLink();
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(location.href);
  } catch {
    isCopied = false;
  }
  const text = isCopied ? "Copied" : "The link is in the address bar";
  byId("share").textContent = text;
  setText(byId("shared"), isCopied ? "The link is copied." : text);
  setTimeout(() => {
    byId("share").textContent = "Copy link";
    setText(byId("shared"), "");
  }, 2000);
}

// The controls of the page

const chooseMode = tabs(document.querySelector("header [role=tablist]"), (id) => {
  mode = id === "tab-campaign" ? "campaign" : "filter";
  byId("result").hidden = mode !== "filter";
  byId("placements").hidden = mode === "filter";
  update();
});
tabs(document.querySelector("#user [role=tablist]"), () => {});

function chooseExample() {
  const example = examples.filters[byId("examples").value];
  if (example !== undefined) restore({ ...example, context: JSON.stringify(example.context, undefined, 2) });
  byId("examples").value = "";
}

byId("examples").append(...examples.filters.map((example, index) =>
  element("option", { value: String(index), text: example.title })));
byId("examples").addEventListener("change", chooseExample);
byId("dialect").addEventListener("change", () => {
  renewLanguage();
  update();
});
byId("schema").addEventListener("input", () => {
  renewLanguage();
  update();
});
byId("config").addEventListener("input", () => update());
byId("format").addEventListener("click", format);
byId("share").addEventListener("click", share);
addEventListener("hashchange", () => {
  if (location.hash !== written) restoreLink();
});

byId("config").value = examples.config;
byId("schema").value = examples.schema;
if (!(await restoreLink())) {
  restore({ ...examples.first, context: JSON.stringify(examples.first.context, undefined, 2) });
}
setText(byId("about"), `swexpr ${engine.version}`);
byId("loading").remove();
document.body.classList.add("ready");
performance.mark("ready");
