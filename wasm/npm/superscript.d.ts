/** The interface of the npm package of Superscript. */

export type ValueType =
  | "uint" | "string" | "bool" | "map" | "int" | "float" | "list" | "function" | "bytes" | "timestamp" | "null" | "Null";

/** A value with its type. */
export interface PassableValue {
  type: ValueType;
  value: any;
}

export interface PassableMap {
  map: { [key: string]: PassableValue };
}

/** What is evaluated: an expression, its variables, and the functions of the host with example arguments. */
export interface ExecutionContext {
  variables: PassableMap;
  expression: string;
  computed?: { [key: string]: PassableValue[] };
  device?: { [key: string]: PassableValue[] };
}

export interface StringValue extends PassableValue { type: "string"; value: string }
export interface IntValue extends PassableValue { type: "int"; value: number }
export interface UIntValue extends PassableValue { type: "uint"; value: number }
export interface FloatValue extends PassableValue { type: "float"; value: number }
export interface BoolValue extends PassableValue { type: "bool"; value: boolean }
export interface ListValue extends PassableValue { type: "list"; value: PassableValue[] }
export interface MapValue extends PassableValue { type: "map"; value: { [key: string]: PassableValue } }
export interface BytesValue extends PassableValue { type: "bytes"; value: number[] }
export interface TimestampValue extends PassableValue { type: "timestamp"; value: number }
export interface FunctionValue extends PassableValue { type: "function"; value: [string, PassableValue | null] }
export interface NullValue extends PassableValue { type: "null"; value: null }

/** The functions of the app. Each may return a promise. What it throws ends the evaluation with an `Err`. */
export interface SuperscriptHostContext {
  computed_property(name: string, args: PassableValue[]): PassableValue | Promise<PassableValue>;
  device_property(name: string, args: PassableValue[]): PassableValue | Promise<PassableValue>;
}

export type WasmHostContext = SuperscriptHostContext;

/** Loads the engine from bytes, a module or a URL; the other functions do it by themselves. */
export function initialize(source?: URL | string | BufferSource | WebAssembly.Module): Promise<void>;

/** Evaluates the expression of a definition. The result is JSON: `{"Ok": value}` or `{"Err": text}`. */
export function evaluateWithContext(
  input: ExecutionContext | string, context: SuperscriptHostContext): Promise<string>;

/** Evaluates the syntax tree of a definition. */
export function evaluateAstWithContext(input: object | string, context: SuperscriptHostContext): Promise<string>;

/** Evaluates a syntax tree without variables. */
export function evaluateAst(ast: object | string): Promise<string>;

/** Returns the syntax tree of an expression. */
export function parseToAst(expression: string): Promise<string>;

declare const superscript: {
  initialize: typeof initialize;
  evaluateWithContext: typeof evaluateWithContext;
  evaluateAstWithContext: typeof evaluateAstWithContext;
  evaluateAst: typeof evaluateAst;
  parseToAst: typeof parseToAst;
};
export default superscript;
