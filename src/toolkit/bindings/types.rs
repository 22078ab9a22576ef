//! The TypeScript types of the inputs and outputs of the bindings.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
declare const json: unique symbol;
/** The JSON text of a value. */
export type Json<Value> = string & { readonly [json]?: Value };
export type JsonSchema = { readonly [keyword: string]: unknown };
export interface CoreOptions { coerce?: boolean; clamp?: boolean; repairJson?: boolean }
/** A parameter of a tool, in a shorter form than JSON Schema. docs/guides/tools.md shows its use. */
export interface ParameterDefinition {
  /** The key of the argument. */
  name: string;
  type: "string" | "integer" | "number" | "float" | "boolean" | "array" | "object";
  /** What the model reads about it. */
  description?: string;
  /** Default true, unless there is a `default`. */
  required?: boolean;
  /** Used if the model omits the argument. */
  default?: unknown;
  /** The values that are allowed. */
  enum?: readonly unknown[];
  /** The smallest number that is allowed. */
  minValue?: number;
  /** The largest number that is allowed. */
  maxValue?: number;
  /** A regular expression that the text must match. */
  pattern?: string;
  /** The items of an array. */
  items?: Omit<ParameterDefinition, "name" | "required">;
  /** The fields of an object. */
  properties?: readonly ParameterDefinition[];
}
/** What the core must know of a tool. Other fields are ignored. */
export interface ToolRecord {
  name: string;
  title?: string;
  description?: string;
  strict?: boolean;
  /** A JSON Schema, or parameter definitions. */
  parameters?: JsonSchema | readonly ParameterDefinition[];
  outputSchema?: JsonSchema;
  inputExamples?: readonly unknown[];
  metadata?: Record<string, unknown>;
  category?: string;
  version?: string;
  dangerous?: boolean;
  costPerUse?: number;
  rateLimit?: number | { calls: number; perMs: number };
}
/** Which tools of a toolkit are used. A tool must match all fields that are present. */
export interface ToolFilter {
  /** Only tools with these names. */
  names?: readonly string[];
  /** Only tools of these categories. */
  categories?: readonly string[];
  /** Whether `dangerous` tools are left out. Default true. */
  excludeDangerous?: boolean;
  /** Only tools whose `costPerUse` is at most this. */
  maxCostPerUse?: number;
  /** Only the tools that fit this text best. */
  relevantTo?: string;
  /** How many tools `relevantTo` selects. Default 5. */
  limit?: number;
}
export type AnyCall =
  | { id: string; name: string; arguments: Record<string, unknown>; metadata?: any }
  | { id: string; name: string; rawArguments: string; error: string; metadata?: any };
/** One change made to a value. */
export interface Change {
  kind: ChangeKind;
  /** JSON Pointer into the value. */
  path: string;
  /** What was there; undefined if nothing was. */
  from: unknown;
  /** What is there now; undefined if nothing is. */
  to: unknown;
}
export interface CheckedCall {
  call: { id: string; name: string; arguments: Record<string, unknown>; metadata?: any };
  problems: Problem[];
  changes: Change[];
}
/** A value that was checked against a schema: the value with its changes, and the problems that remain. */
export interface CheckedValue { value: unknown; problems: Problem[]; changes: Change[] }
/** How values are checked: with coercion, clamping and defaults, or without. */
export interface CheckOptions {
  /** Whether values of other types are converted. Default true. */
  coerce?: boolean;
  /** Whether numbers out of bounds are moved to the bound. Default true. */
  clamp?: boolean;
  /** Whether defaults are added. Default true. */
  defaults?: boolean;
  /** The draft of JSON Schema, if `$schema` does not state it. */
  draft?: "2020-12" | "draft-07";
  /** Whether `format` is asserted. Default true. */
  formats?: boolean;
  /** Other documents that the schema may refer to, by their URI. */
  documents?: { readonly [uri: string]: JsonSchema };
}
/** What was found in a value. `value` is absent if it was not changed. */
export interface Findings { value?: unknown; problems: Problem[]; changes: Change[] }
/** What was found in a call. */
export interface Examined { name: string; arguments: Record<string, unknown>; problems: Problem[]; changes: Change[] }
/** The state of rate limits, as plain JSON, to store between processes. */
export interface RateLimitState { readonly version: 1; readonly [key: string]: unknown }
/** The distinct texts of the changes as `[kind, message]`, whether the text ended too early, and the JSON texts of further values. */
export interface RepairDetails { texts: [string, string][]; truncated: boolean; others: Json<unknown>[] }
/** JSON that was repaired: the value, its text, and each change. `truncated` states whether the text ended too early. */
export interface RepairedJson {
  value: unknown;
  text: string;
  changes: { kind: string; offset: number; message: string }[];
  truncated: boolean;
  others: unknown[];
}
"#;
