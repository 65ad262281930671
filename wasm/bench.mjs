// Measures evaluations in Node beside native ones, for the filters of the benchmarks:
//
//     swexpr bench --filters benchmarks/Data/filters.json --json > native.json
//     node wasm/bench.mjs native.json
//
// A figure is the time of one match, with the call from JavaScript: the median of batches, and the fastest one.

import { readFile } from "node:fs/promises";
import { load } from "../.build/wasm/swexpr.js";

/** The shortest batch, in milliseconds, and the number of batches. */
const BATCH = 5;
const BATCHES = 31;

const data = JSON.parse(await readFile(new URL("../benchmarks/Data/filters.json", import.meta.url), "utf8"));
const native = process.argv[2] === undefined ? {}
  : Object.fromEntries(JSON.parse(await readFile(process.argv[2], "utf8")).filters.map((one) => [one.name, one]));
const swexpr = await load();

/** Returns nanoseconds per call: the median of batches, and the fastest. */
function measure(body) {
  const time = (count) => {
    const start = performance.now();
    for (let index = 0; index < count; index++) body();
    return performance.now() - start;
  };
  let count = 100;
  while (time(count) < BATCH) count *= 2;
  const times = Array.from({ length: BATCHES }, () => (time(count) / count) * 1e6).sort((a, b) => a - b);
  return { median: times[BATCHES >> 1], least: times[0] };
}

const rows = {};
const attributes = swexpr.context(data.context);
for (const { name, expression, expected } of data.filters) {
  const filter = swexpr.compile(expression);
  if (expected !== undefined && JSON.stringify(filter.evaluate(attributes)) !== JSON.stringify(expected)) {
    throw new Error(`${name} is ${filter.evaluateText(attributes)}, and not ${JSON.stringify(expected)}`);
  }
  const { median, least } = measure(() => filter.matches(attributes));
  const other = native[name];
  rows[name] = {
    "Node, ns": Math.round(median), "fastest": Math.round(least),
    ...(other === undefined ? {} : {
      "native, ns": Math.round(other.ns_median), "fastest ": Math.round(other.ns_min),
      "ratio of the fastest": Number((least / other.ns_min).toFixed(1)),
    }),
  };
}
console.table(rows);
