// Runs the cases of the corpus and of the conformance data through the module, and compares the outcomes with
// those of the native engine: node wasm/test.mjs CASES [MODULE]. `make test-wasm` writes the cases. evaluator.wasm
// only evaluates.

import { readFile } from "node:fs/promises";
import { load, SwexprError } from "../.build/wasm/swexpr.js";

const file = process.argv[3] ?? "swexpr.wasm";
const module = await WebAssembly.compile(await readFile(new URL(`../.build/wasm/${file}`, import.meta.url)));
let swexpr = await load(module);
const lines = (await readFile(process.argv[2], "utf8")).split("\n").filter((line) => line !== "");
const table = new Map();
const failures = [];

function host(calls) {
  const replies = new Map(calls.map(([name, args, reply]) => [`${name} ${args}`, reply]));
  return (name, args) => replies.get(`${name} ${args}`);
}

function outcome(item) {
  try {
    if (item.definition !== undefined) return swexpr.evaluateWithContext(item.definition, host(item.calls));
    const environment = swexpr.environment({ ...JSON.parse(item.options), host: host(item.calls) });
    const filter = swexpr.compile(item.text, environment);
    const context = swexpr.context(item.context, "tagged");
    const value = filter.evaluateText(context, "literal");
    return filter.matches(context) === (value === "true") ? value : `${value}, but matches differently`;
  } catch (error) {
    if (error instanceof SwexprError) return error.message;
    return `the module stops: ${error}`;
  }
}

/** Returns what differs among the explanation, the diagnostics and the layout; they are compared as JSON. */
async function differences(item) {
  const differing = [];
  const environment = swexpr.environment({ ...JSON.parse(item.options), host: host(item.calls) });
  const parts = {
    explanation: () => swexpr.compile(item.text, environment).explain(swexpr.context(item.context, "tagged")),
    diagnostics: () => swexpr.check(item.text, { environment }),
    layout: () => swexpr.layout(item.text, { environment, width: 80 }),
  };
  for (const [name, compute] of Object.entries(parts)) {
    let found;
    try {
      found = compute();
    } catch (error) {
      found = error instanceof SwexprError ? error.message : `the module stops: ${error}`;
    }
    const text = typeof found === "string" ? found : JSON.stringify(found);
    const expected = typeof found === "string" ? item[name] : JSON.stringify(JSON.parse(item[name]));
    if (text !== expected) differing.push(`${item.source} ${item.id}, ${name}: ${text}\n  natively: ${expected}`);
    if (text.startsWith("the module stops")) {
      swexpr = await load(module);
      break;
    }
  }
  return differing;
}

for (const line of lines) {
  const item = JSON.parse(line);
  const source = item.source.replace(/.*\/(corpus|conformance)\//, "$1/");
  const row = table.get(source) ?? { same: 0, different: 0, refused: 0, "in full": 0 };
  table.set(source, row);
  if (item.refused !== undefined) {
    row.refused++;
    continue;
  }
  const result = outcome(item);
  // Nothing can be said of an instance that has stopped.
  if (result.startsWith("the module stops")) swexpr = await load(module);
  if (result === item.outcome) row.same++;
  else {
    row.different++;
    failures.push(`${source} ${item.id}: ${result}\n  natively: ${item.outcome}`);
  }
  if (item.layout === undefined || file === "evaluator.wasm") continue;
  row["in full"]++;
  failures.push(...(await differences(item)));
}
console.table(Object.fromEntries(table));
console.log("in full: cases whose explanation, diagnostics and layout were compared, too");
console.log("refused: cases that need what the C interface does not have: declared types, switches, values without JSON");
for (const failure of failures.slice(0, Number(process.env.SHOW ?? 20))) console.log(failure);
if (failures.length > 0) {
  console.log(`${failures.length} outcomes differ`);
  process.exit(1);
}
