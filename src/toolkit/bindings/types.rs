//! The TypeScript types of the inputs and outputs of the bindings.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
export type JsonSchema = { readonly [keyword: string]: unknown };
export interface CoreOptions { coerce?: boolean; clamp?: boolean; repairJson?: boolean }
/** A parameter of a tool, in a shorter form than JSON Schema. docs/guides/tools.md shows its use. */
export interface ParameterDefinition {
  name: string;
  type: "string" | "integer" | "number" | "float" | "boolean" | "array" | "object";
  description?: string;
  required?: boolean;
  default?: unknown;
  enum?: readonly unknown[];
  minValue?: number;
  maxValue?: number;
  pattern?: string;
  items?: Omit<ParameterDefinition, "name" | "required">;
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
  names?: readonly string[];
  categories?: readonly string[];
  excludeDangerous?: boolean;
  maxCostPerUse?: number;
  relevantTo?: string;
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
  coerce?: boolean;
  clamp?: boolean;
  defaults?: boolean;
  draft?: "2020-12" | "draft-07";
  /** Whether `format` is asserted. Default true. */
  formats?: boolean;
  /** Other documents that the schema may refer to, by their URI. */
  documents?: { readonly [uri: string]: JsonSchema };
}
export type Reservation = { ok: true } | { ok: false; retryAfterMs: number };
/** The state of rate limits, as plain JSON, to store between processes. */
export interface RateLimitState { readonly version: 1; readonly [key: string]: unknown }
export interface RepairOptions { schema?: JsonSchema | boolean }
/** JSON that was repaired: the value, its text, and each change. `truncated` states whether the text ended too early. */
export interface RepairedJson {
  value: unknown;
  text: string;
  changes: { kind: string; offset: number; message: string }[];
  truncated: boolean;
  others: unknown[];
}
"#;
