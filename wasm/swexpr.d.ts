/** Audience filters: the engine as WebAssembly. See swexpr.h for the meaning of each function. */

/** JSON that a context may consist of. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** How values are written: plain JSON, the reference evaluator's tagged JSON, or a literal of the language. */
export type Format = "plain" | "tagged" | "literal";

/** A host function, with evaluated arguments. What it throws makes the evaluation fail. */
export type HostFunction = (...args: any[]) => Json;

/** Host functions by name, such as `device.daysSince`; or one for all that gets and returns JSON text. */
export type Host =
  | { [name: string]: HostFunction }
  | ((name: string, args: string) => string | undefined);

export interface EnvironmentOptions {
  dialect?: "superscript" | "cel";
  container?: string;
  /** Host functions under `device`, with example arguments. */
  device?: { [name: string]: Json[] };
  /** Host functions under `computed`, with example arguments. */
  computed?: { [name: string]: Json[] };
  values?: "plain" | "tagged";
  steps?: number;
  memory?: number;
  sourceLength?: number;
  nesting?: number;
  host?: Host;
}

/** A dialect, limits and host functions. */
export interface Environment {
  readonly pointer: number;
}

/** Frozen attributes. */
export interface Context {
  readonly pointer: number;
}

/** A compiled filter. */
export interface Filter {
  readonly pointer: number;
  /** Returns whether the filter is true; errors and null are no match. */
  matches(context: Context): boolean;
  /** Returns the value. Integers beyond 2^53 lose digits; `evaluateText` keeps them. */
  evaluate(context: Context): Json;
  evaluateText(context: Context, format?: Format): string;
  /** Returns why the filter matches or not. */
  explain(context: Context): any;
}

/** A mistake in a filter, a context or an option, or an evaluation without a value. */
export class SwexprError extends Error {}

/** One instance of the engine. */
export interface Swexpr {
  readonly version: string;
  environment(options?: EnvironmentOptions): Environment;
  compile(text: string, environment?: Environment): Filter;
  context(value: Json | string, format?: "plain" | "tagged"): Context;
  replacing(
    context: Context, layer: "user" | "device" | "params", value: Json | string, format?: "plain" | "tagged",
  ): Context;
  matches(filter: Filter, context: Context): boolean;
  evaluateText(filter: Filter, context: Context, format?: Format): string;
  explain(filter: Filter, context: Context): any;
  /** Returns diagnostics with their ranges in bytes, also for a text that is no filter. */
  check(text: string, options?: { environment?: Environment; schema?: Json | string }): any[];
  /** Lays out a filter as `swexpr fmt` does. */
  layout(text: string, options?: { environment?: Environment; width?: number }): string;
  evaluateWithContext(definition: string, host?: Host): string;
  evaluateAstWithContext(definition: string, host?: Host): string;
  evaluateAst(ast: string): string;
  parseToAst(expression: string): string;
}

/** Loads the engine; by default from swexpr.wasm beside the module. */
export function load(source?: URL | string | BufferSource | WebAssembly.Module): Promise<Swexpr>;
