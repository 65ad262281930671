// Tests the package in .build/npm as an app that installs it: node --test wasm/npm/test.mjs [CASES]. With the cases that
// `make test-wasm` writes, every definition among them runs with a host that is late, too.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";
import superscript, { evaluateWithContext, parseToAst, evaluateAst } from "swexpr/node";

const later = (value) => new Promise((resolve) => setTimeout(() => resolve(value), 1));
const user = {
  map: { user: { type: "map", value: { age: { type: "int", value: 25 }, plan: { type: "string", value: "trial" } } } },
};
const device = { daysSince: [{ type: "string", value: "x" }], level: [], broken: [] };
const computed = { score: [{ type: "string", value: "x" }] };

/** A host that writes down how it is called. */
function host(reply, log = []) {
  const note = (kind) => (name, args) => {
    log.push([kind, name, args]);
    return reply(name, args);
  };
  return { computed_property: note("computed"), device_property: note("device"), log };
}

const input = (expression) => ({ variables: user, expression, device, computed });

test("evaluates with a host that replies at once", async () => {
  const app = host(() => ({ type: "int", value: 3 }));
  const text = await evaluateWithContext(input('user.age > 18 && device.daysSince("open") == 3'), app);
  assert.equal(text, '{"Ok":{"type":"bool","value":true}}');
  assert.deepEqual(app.log, [["device", "daysSince", [{ type: "string", value: "open" }]]]);
});

test("accepts the definition as text", async () => {
  const text = await evaluateWithContext(JSON.stringify(input('user.plan == "trial"')), host(() => null));
  assert.equal(text, '{"Ok":{"type":"bool","value":true}}');
});

test("waits for promises, and calls the host once for each call, in order", async () => {
  const app = host((name, args) => later({ type: "int", value: args.length }));
  const text = await evaluateWithContext(
    input('device.daysSince("a") + computed.score("b") + device.level() == 2'), app);
  assert.equal(text, '{"Ok":{"type":"bool","value":true}}');
  assert.deepEqual(app.log.map(([kind, name]) => `${kind}.${name}`), [
    "device.daysSince", "computed.score", "device.level",
  ]);
});

test("calls the host again for an equal call", async () => {
  let count = 0;
  const app = host(() => later({ type: "int", value: ++count }));
  const text = await evaluateWithContext(input("device.level() != device.level()"), app);
  assert.equal(text, '{"Ok":{"type":"bool","value":true}}');
  assert.equal(app.log.length, 2);
});

test("mixes replies that come at once with late ones", async () => {
  let count = 0;
  const app = host((name) => (name === "level" ? { type: "int", value: ++count } : later({ type: "int", value: 5 })));
  const text = await evaluateWithContext(
    input('device.level() == 1 && device.daysSince("a") == 5 && device.level() == 2'), app);
  assert.equal(text, '{"Ok":{"type":"bool","value":true}}');
  assert.equal(app.log.length, 3);
});

test("a branch that is not reached calls no function", async () => {
  const app = host(() => later({ type: "int", value: 1 }));
  await evaluateWithContext(input("user.age > 18 ? true : device.level() == 1"), app);
  assert.deepEqual(app.log, []);
});

test("many evaluations at a time do not disturb each other", async () => {
  const all = Array.from({ length: 50 }, (_, index) =>
    evaluateWithContext(input(`device.level() == ${index}`), host(() => later({ type: "int", value: index }))));
  for (const text of await Promise.all(all)) assert.equal(text, '{"Ok":{"type":"bool","value":true}}');
});

test("an error of the host is the same at once and late", async () => {
  const thrown = await evaluateWithContext(input("device.broken() == 1"), host(() => { throw new Error("offline"); }));
  const rejected = await evaluateWithContext(
    input("device.broken() == 1"), host(() => Promise.reject(new Error("offline"))));
  assert.equal(thrown, rejected);
  assert.notEqual(thrown, '{"Ok":{"type":"bool","value":true}}');
});

test("a broken filter is an Err", async () => {
  assert.ok("Err" in JSON.parse(await evaluateWithContext(input("user.age >"), host(() => null))));
});

test("trees go out and come back", async () => {
  const tree = await parseToAst("1 + 2 == 3");
  assert.equal(await evaluateAst(tree), '{"Ok":{"type":"bool","value":true}}');
  assert.equal(await evaluateAst(JSON.parse(tree)), '{"Ok":{"type":"bool","value":true}}');
});

test("the default export and CommonJS have the same functions", async () => {
  const require_ = createRequire(import.meta.url);
  const common = require_("swexpr/node");
  assert.deepEqual(Object.keys(superscript).sort(), Object.keys(common).filter((name) => name !== "default").sort());
  assert.equal(await common.evaluateWithContext(input("1 == 1"), host(() => null)), '{"Ok":{"type":"bool","value":true}}');
});

const cases = process.env.SWEXPR_NPM_CASES;
test("late replies change no result", { skip: !existsSync(cases ?? "") && "no cases" }, async () => {
  let count = 0;
  for (const line of readFileSync(cases, "utf8").split("\n")) {
    if (!line.includes('"definition"')) continue;
    const item = JSON.parse(line);
    if (item.definition === undefined || item.refused !== undefined) continue;
    const replies = new Map(item.calls.map(([name, args, reply]) => [`${name} ${args}`, reply]));
    const find = (kind) => (name, args) => {
      const reply = replies.get(`${kind}.${name} ${JSON.stringify(args)}`);
      return reply === undefined ? undefined : later(JSON.parse(reply));
    };
    const app = { computed_property: find("computed"), device_property: find("device") };
    let late;
    try {
      late = await evaluateWithContext(item.definition, app);
    } catch (error) {
      late = String(error);
    }
    assert.equal(late, item.outcome, `${item.source} ${item.id}`);
    count++;
  }
  console.log(`${count} definitions`);
});
