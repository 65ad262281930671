// The interface of the npm package of Superscript, over this engine: replace the package, and nothing else.
//
//     import { evaluateWithContext } from "swexpr/node";
//     const text = await evaluateWithContext({ variables, expression, device, computed }, host);
//
// A host's functions may also be asynchronous. Types are in superscript.d.ts.

import { load } from "./swexpr.js";

let loading;

/**
 * Loads the engine. The other functions do it by themselves; call this to choose the file, or the time.
 *
 * @param source the bytes of a module, a compiled module, or a URL; by default evaluator.wasm beside this file
 */
export function initialize(source = new URL("evaluator.wasm", import.meta.url)) {
  loading = load(source);
  // Without the file, the next call tries again.
  loading.catch(() => { loading = undefined; });
  return loading.then(() => undefined);
}

function engine() {
  if (loading === undefined) initialize();
  return loading;
}

/** Evaluates the expression of a definition. Returns `{"Ok": value}` or `{"Err": text}` as JSON. */
export async function evaluateWithContext(input, context) {
  return evaluate("evaluateWithContext", input, context);
}

/** Evaluates the syntax tree of a definition. */
export async function evaluateAstWithContext(input, context) {
  return evaluate("evaluateAstWithContext", input, context);
}

/** Evaluates a syntax tree without variables. */
export async function evaluateAst(ast) {
  return (await engine()).evaluateAst(text(ast));
}

/** Returns the syntax tree of an expression. */
export async function parseToAst(expression) {
  return (await engine()).parseToAst(expression);
}

export default { initialize, evaluateWithContext, evaluateAstWithContext, evaluateAst, parseToAst };

const text = (input) => (typeof input === "string" ? input : JSON.stringify(input));

/**
 * Evaluates with a host that may return promises. WebAssembly cannot wait, so an evaluation ends at a promise, and is
 * repeated when its result is there. Every call of the host happens once, in order: a repeated evaluation gets the
 * replies to the calls before, because it makes the same calls.
 */
async function evaluate(name, input, context) {
  const swexpr = await engine();
  const definition = text(input);
  const replies = [];
  for (;;) {
    let count = 0;
    let promise;
    const result = swexpr[name](definition, (path, args) => {
      // The evaluation is going to be repeated, so what follows a promise does not matter.
      if (promise !== undefined) return undefined;
      if (count === replies.length) {
        const value = attempt(() => call(context, path, args));
        if (typeof value.result?.then === "function") {
          promise = value.result;
          return undefined;
        }
        replies.push(value);
      }
      const reply = replies[count++];
      if ("error" in reply) throw reply.error;
      return JSON.stringify(reply.result);
    });
    if (promise === undefined) return result;
    replies.push(await promise.then((result) => ({ result }), (error) => ({ error })));
  }
}

function attempt(body) {
  try {
    return { result: body() };
  } catch (error) {
    return { error };
  }
}

/** Calls a function of the host: `computed_property` or `device_property`, with its name and its arguments. */
function call(context, path, args) {
  const dot = path.indexOf(".");
  const property = path.slice(0, dot) === "computed" ? "computed_property" : "device_property";
  return context[property](path.slice(dot + 1), JSON.parse(args));
}
