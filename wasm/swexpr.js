// Audience filters for JavaScript: the engine as WebAssembly, in Node and in browsers.
//
//     import { load } from "./swexpr.js";
//     const swexpr = await load();
//     const filter = swexpr.compile('user.age >= 18 && device.platform == "iOS"');
//     filter.matches(swexpr.context({ user: { age: 25 }, device: { platform: "iOS" } }));
//
// The functions are those of swexpr.h, and its documentation holds for them. Types are in swexpr.d.ts.

const FORMATS = { plain: 0, tagged: 1, literal: 2 };
const LAYERS = { user: 0, device: 1, params: 2 };
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A mistake in a filter, a context or an option, or an evaluation without a value. */
export class SwexprError extends Error {
  name = "SwexprError";
}

/**
 * Loads the engine. A page that only evaluates loads `evaluator.wasm`, which is smaller: it has no functions for
 * editors (`explain`, `check`, `layout`, `language`).
 *
 * @param source the bytes of a module, a compiled module, or a URL; by default swexpr.wasm beside this file
 */
export async function load(source = new URL("swexpr.wasm", import.meta.url)) {
  let module = source;
  if (source instanceof URL || typeof source === "string") {
    const url = new URL(source, import.meta.url);
    if (url.protocol === "file:") {
      const { readFile } = await import("node:fs/promises");
      module = await readFile(url);
    } else {
      module = await compiled(await fetch(url), url);
    }
  }
  if (!(module instanceof WebAssembly.Module)) module = await WebAssembly.compile(module);
  const swexpr = new Swexpr();
  const instance = await WebAssembly.instantiate(module, { host: swexpr.imports });
  swexpr.start(instance.exports);
  return swexpr;
}

/** Compiles a module while it arrives, where the server names its type. */
async function compiled(response, url) {
  if (!response.ok) throw new SwexprError(`${url}: ${response.status}`);
  const type = response.headers.get("content-type") ?? "";
  return type.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response) : response.arrayBuffer();
}

/** The functions that `evaluator.wasm` lacks. */
function missing() {
  throw new SwexprError("this module only evaluates; load swexpr.wasm");
}

/** One instance of the engine, with memory of its own. Use it from one thread. */
class Swexpr {
  #c;
  /** The host functions of environments, by the number that the engine has for them. */
  #hosts = new Map();
  #nextHost = 1;
  /** Frees what nobody refers to any more. */
  #registry = new FinalizationRegistry(({ free, pointer }) => this.#c[free](pointer));

  /** What the module imports. */
  imports = {
    call: (data, name, args, reply) => this.#callHost(data, name, args, reply),
    random: (target, count) => {
      for (let start = 0; start < count; start += 65536) {
        const length = Math.min(65536, count - start);
        globalThis.crypto.getRandomValues(new Uint8Array(this.#c.memory.buffer, target + start, length));
      }
    },
    number: (start, length) => number(this.#text(start, length)),
    remainder: (dividend, divisor) => dividend % divisor,
    zone_offset: (name, length, seconds) => zoneOffset(this.#text(name, length), seconds),
  };

  start(exports) {
    const editing = ["swexpr_filter_explain", "swexpr_check", "swexpr_layout", "swexpr_wasm_language_create"];
    this.#c = { ...Object.fromEntries(editing.map((name) => [name, missing])), ...exports };
  }

  /** The version of the engine. */
  get version() {
    return this.#text(this.#c.swexpr_version());
  }

  /** Creates an environment: dialect, limits and host functions. */
  environment(options = {}) {
    const { host = {}, ...rest } = options;
    const number = this.#nextHost++;
    this.#hosts.set(number, { functions: host, tagged: rest.values === "tagged" });
    const pointer = this.#withText(JSON.stringify(rest), (text, length) =>
      this.#checked((error) =>
        this.#c.swexpr_environment_create(text, length, this.#c.swexpr_wasm_host(), number, 0, error)));
    return this.#owned(new Environment(), pointer, "swexpr_environment_free");
  }

  /** Compiles a filter. */
  compile(text, environment) {
    const pointer = this.#withText(text, (start, length) =>
      this.#checked((error) =>
        this.#c.swexpr_filter_create(start, length, environment?.pointer ?? 0, error)));
    return this.#owned(new Filter(this, environment), pointer, "swexpr_filter_free");
  }

  /** Creates a context from an object of layers, or from its JSON. */
  context(value, format = "plain") {
    const json = typeof value === "string" ? value : JSON.stringify(value);
    const pointer = this.#withText(json, (start, length) =>
      this.#checked((error) => this.#c.swexpr_context_create(FORMATS[format], start, length, error)));
    return this.#owned(new Context(), pointer, "swexpr_context_free");
  }

  /** Creates a copy of a context with another layer. */
  replacing(context, layer, value, format = "plain") {
    const json = typeof value === "string" ? value : JSON.stringify(value);
    const pointer = this.#withText(json, (start, length) =>
      this.#checked((error) =>
        this.#c.swexpr_context_replacing(
          context.pointer, LAYERS[layer], FORMATS[format], start, length, error)));
    return this.#owned(new Context(), pointer, "swexpr_context_free");
  }

  /** Returns whether a filter is true. */
  matches(filter, context) {
    return this.#c.swexpr_filter_matches(filter.pointer, context.pointer, 0) !== 0;
  }

  /** Returns the value of a filter as text. */
  evaluateText(filter, context, format = "plain") {
    return this.#taken(this.#checked((error) =>
      this.#c.swexpr_filter_evaluate(filter.pointer, context.pointer, FORMATS[format], error)));
  }

  /** Returns why a filter matches or not. */
  explain(filter, context) {
    return JSON.parse(this.#taken(this.#checked((error) =>
      this.#c.swexpr_filter_explain(filter.pointer, context.pointer, error))));
  }

  /** Returns diagnostics with their ranges, also for a text that is no filter. */
  check(text, { environment, schema } = {}) {
    const schemaText = schema === undefined || typeof schema === "string" ? schema : JSON.stringify(schema);
    return JSON.parse(this.#withText(text, (start, length) =>
      this.#withText(schemaText, (schemaStart, schemaLength) =>
        this.#taken(this.#checked((error) =>
          this.#c.swexpr_check(
            start, length, environment?.pointer ?? 0, schemaStart, schemaLength, error))))));
  }

  /** Lays out a filter. */
  layout(text, { environment, width = 100 } = {}) {
    return this.#withText(text, (start, length) =>
      this.#taken(this.#checked((error) =>
        this.#c.swexpr_layout(start, length, environment?.pointer ?? 0, width, error))));
  }

  /** Creates what an editor needs to know of a dialect and of the attributes: those of `schema` are added. */
  language({ environment, schema } = {}) {
    const schemaText = schema === undefined || typeof schema === "string" ? schema : JSON.stringify(schema);
    const pointer = this.#withText(schemaText, (start, length) =>
      this.#checked((error) =>
        this.#c.swexpr_wasm_language_create(environment?.pointer ?? 0, start, length, error)));
    return this.#owned(new Language(this), pointer, "swexpr_wasm_language_free");
  }

  /** Returns the schema of a language. */
  schema(language) {
    return JSON.parse(this.#taken(this.#checked((error) =>
      this.#c.swexpr_wasm_language_schema(language.pointer, error))));
  }

  /** Returns diagnostics, coloured tokens, attributes and calls of a text, which need not be a filter. */
  analyze(language, text) {
    return JSON.parse(this.#withText(text, (start, length) =>
      this.#taken(this.#checked((error) =>
        this.#c.swexpr_wasm_analyze(language.pointer, start, length, error)))));
  }

  /** Returns the words that may be meant at an offset in bytes. */
  complete(language, text, offset, sample) {
    return JSON.parse(this.#withText(text, (start, length) =>
      this.#withText(sample, (sampleStart, sampleLength) =>
        this.#taken(this.#checked((error) =>
          this.#c.swexpr_wasm_complete(
            language.pointer, start, length, offset, sampleStart, sampleLength, error))))));
  }

  /** Returns what filters that are tried in order leave for each other. */
  order(language, entries) {
    return JSON.parse(this.#withText(JSON.stringify(entries), (start, length) =>
      this.#taken(this.#checked((error) =>
        this.#c.swexpr_wasm_order(language.pointer, start, length, error)))));
  }

  /** The reference evaluator's functions, JSON in and out. */
  evaluateWithContext(definition, host = {}) {
    return this.#reference("swexpr_reference_evaluate_with_context", definition, host);
  }

  evaluateAstWithContext(definition, host = {}) {
    return this.#reference("swexpr_reference_evaluate_ast_with_context", definition, host);
  }

  evaluateAst(ast) {
    return this.#withText(ast, (start, length) =>
      this.#taken(this.#c.swexpr_reference_evaluate_ast(start, length)));
  }

  parseToAst(expression) {
    return this.#withText(expression, (start, length) =>
      this.#taken(this.#c.swexpr_reference_parse_to_ast(start, length)));
  }

  #reference(name, definition, host) {
    const number = this.#nextHost++;
    this.#hosts.set(number, { functions: host, tagged: true });
    try {
      return this.#withText(definition, (start, length) =>
        this.#taken(this.#c[name](start, length, this.#c.swexpr_wasm_host(), number)));
    } finally {
      this.#hosts.delete(number);
    }
  }

  #callHost(data, name, args, reply) {
    const host = this.#hosts.get(data);
    const set = (function_, text) =>
      this.#withText(text, (start, length) => this.#c[function_](reply, start, length));
    try {
      if (typeof host?.functions === "function") {
        const text = host.functions(this.#text(name), this.#text(args));
        if (text !== undefined) set("swexpr_reply_value", text);
        return;
      }
      const function_ = host?.functions[this.#text(name)];
      if (function_ === undefined) return;
      const values = JSON.parse(this.#text(args));
      set("swexpr_reply_value", JSON.stringify(function_(...values) ?? (host.tagged ? { type: "Null" } : null)));
    } catch (error) {
      set("swexpr_reply_error", String(error?.message ?? error));
    }
  }

  // Memory

  #bytes(start, length) {
    return new Uint8Array(this.#c.memory.buffer, start, length);
  }

  #text(start, length) {
    if (length === undefined) {
      const all = new Uint8Array(this.#c.memory.buffer, start);
      length = all.indexOf(0);
    }
    return decoder.decode(this.#bytes(start, length));
  }

  /** Returns a text of the engine, which is freed. */
  #taken(pointer) {
    const text = this.#text(pointer);
    this.#c.swexpr_string_free(pointer);
    return text;
  }

  /** Calls `body` with a copy of a text; `undefined` is NULL. */
  #withText(text, body) {
    if (text === undefined) return body(0, 0);
    const bytes = encoder.encode(text);
    const start = this.#c.malloc(bytes.length + 1);
    if (start === 0) throw new SwexprError("out of memory");
    try {
      this.#bytes(start, bytes.length).set(bytes);
      return body(start, bytes.length);
    } finally {
      this.#c.free(start);
    }
  }

  /** Calls `body` with a place for an error, and throws what is there afterwards. */
  #checked(body) {
    const place = this.#c.malloc(4);
    try {
      new DataView(this.#c.memory.buffer).setUint32(place, 0, true);
      const result = body(place);
      const error = new DataView(this.#c.memory.buffer).getUint32(place, true);
      if (error !== 0) throw new SwexprError(this.#taken(error));
      return result;
    } finally {
      this.#c.free(place);
    }
  }

  #owned(object, pointer, free) {
    object.pointer = pointer;
    this.#registry.register(object, { free, pointer });
    return object;
  }
}

class Environment {}

class Context {}

/** A dialect with the attributes that exist, for editors. */
class Language {
  #engine;

  constructor(engine) {
    this.#engine = engine;
  }

  /** The attributes and functions that exist. */
  get schema() {
    return this.#engine.schema(this);
  }

  /** Returns diagnostics, coloured tokens, attributes and calls of a text. */
  analyze(text) {
    return this.#engine.analyze(this, text);
  }

  /** Returns the words that may be meant at an offset in bytes; `sample` is a context in JSON. */
  complete(text, offset, sample) {
    return this.#engine.complete(this, text, offset, sample);
  }

  /**
   * Returns what filters that are tried in order leave for each other.
   *
   * @param entries for each one its text, or `null` for everyone, and whether those who match go no further
   */
  order(entries) {
    return this.#engine.order(this, entries);
  }
}

/** A compiled filter. */
class Filter {
  #engine;
  #environment;

  constructor(engine, environment) {
    this.#engine = engine;
    this.#environment = environment;
  }

  /** Returns whether the filter is true; errors and null are no match. */
  matches(context) {
    return this.#engine.matches(this, context);
  }

  /** Returns the value. */
  evaluate(context) {
    return JSON.parse(this.#engine.evaluateText(this, context));
  }

  /** Returns the value as plain or tagged JSON, or as a literal of the language. */
  evaluateText(context, format) {
    return this.#engine.evaluateText(this, context, format);
  }

  /** Returns why the filter matches or not. */
  explain(context) {
    return this.#engine.explain(this, context);
  }
}

/** Returns the number that a text is, or NaN. */
function number(text) {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  const infinity = /^([+-]?)inf(inity)?$/i.exec(text);
  return infinity === null ? NaN : infinity[1] === "-" ? -Infinity : Infinity;
}

const clocks = new Map();

/** Returns a zone's seconds east of UTC at an instant, or a number that is no offset for an unknown zone. */
function zoneOffset(name, seconds) {
  try {
    let clock = clocks.get(name);
    if (clock === undefined) {
      clock = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
        timeZone: name, hourCycle: "h23", era: "short", year: "numeric", month: "numeric", day: "numeric",
        hour: "numeric", minute: "numeric", second: "numeric",
      });
      clocks.set(name, clock);
    }
    const part = {};
    for (const { type, value } of clock.formatToParts(Number(seconds) * 1000)) part[type] = value;
    const year = part.era === "BC" ? 1 - Number(part.year) : Number(part.year);
    const shown = new Date(0);
    shown.setUTCFullYear(year, Number(part.month) - 1, Number(part.day));
    shown.setUTCHours(Number(part.hour), Number(part.minute), Number(part.second));
    return shown.getTime() / 1000 - Number(seconds);
  } catch {
    return 0x7fffffff;
  }
}
