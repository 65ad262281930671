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

/** A word that may be meant, with the range of bytes that it replaces. */
export interface Completion {
  label: string;
  kind:
    | "attribute" | "object" | "function" | "method" | "variable" | "value" | "keyword" | "operator" | "event";
  detail: string;
  /** Markdown; may be empty. */
  documentation: string;
  replacement: string;
  start: number;
  end: number;
}

/** What an editor shows of a text. Ranges are in bytes. */
export interface Analysis {
  diagnostics: any[];
  /** Pieces with their role: start, length and a name such as `property`. */
  tokens: [start: number, length: number, role: string][];
  /** The attributes that the filter reads; empty for a text that does not compile. */
  attributes: string[];
  /** The functions of the app that the filter calls, with those arguments that are literals. */
  calls: [name: string, ...args: Json[]][];
}

/** Whether there are such users. */
export type Reach = "some" | "none" | "undecided";

/** What filters that are tried in order leave for each other; numbers are places in their list. */
export interface AudienceOrder {
  places: {
    /** Users who match the filter at all. */
    matches: Reach;
    /** Those who are left for it. */
    reached: Reach;
    /** The fewest earlier filters that keep all its users, if none are left. */
    takenBy: number[];
    /** The earlier filters with which it shares users. */
    sharesUsersWith: number[];
  }[];
  /** Users whom no filter keeps. */
  others: Reach;
}

/** A dialect with the attributes that exist, for editors. */
export interface Language {
  readonly pointer: number;
  /** The attributes and functions, in the form of a schema file. */
  readonly schema: any;
  analyze(text: string): Analysis;
  /** Returns words for an offset in bytes, best first; `sample` is a context in JSON, whose attributes count, too. */
  complete(text: string, offset: number, sample?: string): Completion[];
  /** An entry is a filter, or `null` for everyone, and whether those who match go no further. At most 64. */
  order(entries: [filter: string | null, keepsUsers: boolean][]): AudienceOrder;
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
  /** Creates a language; the attributes of `schema` are added to the built-in ones. */
  language(options?: { environment?: Environment; schema?: Json | string }): Language;
  evaluateWithContext(definition: string, host?: Host): string;
  evaluateAstWithContext(definition: string, host?: Host): string;
  evaluateAst(ast: string): string;
  parseToAst(expression: string): string;
}

/**
 * Loads the engine; by default from swexpr.wasm beside the module. evaluator.wasm is smaller, and lacks `explain`,
 * `check`, `layout` and `language`.
 */
export function load(source?: URL | string | BufferSource | WebAssembly.Module): Promise<Swexpr>;
