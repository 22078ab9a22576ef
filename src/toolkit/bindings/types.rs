//! The TypeScript types of what the bindings take and return.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "CoreOptions | undefined")]
    pub type CoreOptions;
    #[wasm_bindgen(typescript_type = "ToolRecord")]
    pub type ToolRecord;
    #[wasm_bindgen(typescript_type = "ToolFilter | undefined")]
    pub type ToolFilter;
    #[wasm_bindgen(typescript_type = "ToolDefinition[]")]
    pub type ToolDefinitions;
    #[wasm_bindgen(typescript_type = "Lint[]")]
    pub type Lints;
    #[wasm_bindgen(typescript_type = "AnyCall")]
    pub type AnyCall;
    #[wasm_bindgen(typescript_type = "CheckedCall")]
    pub type CheckedCall;
    #[wasm_bindgen(typescript_type = "CheckedValue")]
    pub type CheckedValue;
    #[wasm_bindgen(typescript_type = "Problem[]")]
    pub type Problems;
    #[wasm_bindgen(typescript_type = "Reservation")]
    pub type Reservation;
    #[wasm_bindgen(typescript_type = "RateLimitState")]
    pub type RateLimitState;
    #[wasm_bindgen(typescript_type = "JsonSchema | boolean")]
    pub type Schema;
    #[wasm_bindgen(typescript_type = "CheckOptions | undefined")]
    pub type CheckOptions;
    #[wasm_bindgen(typescript_type = "RepairOptions | undefined")]
    pub type RepairOptions;
    #[wasm_bindgen(typescript_type = "CoreRepairedJson")]
    pub type RepairedJson;
    #[wasm_bindgen(method, getter)]
    pub fn name(this: &AnyCall) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn arguments(this: &AnyCall) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = rawArguments)]
    pub fn raw_arguments(this: &AnyCall) -> JsValue;
    #[wasm_bindgen(method, setter)]
    pub fn set_call(this: &CheckedCall, call: &JsValue);
    #[wasm_bindgen(method, setter)]
    pub fn set_problems(this: &CheckedCall, problems: &JsValue);
    #[wasm_bindgen(method, setter)]
    pub fn set_changes(this: &CheckedCall, changes: &JsValue);
    #[wasm_bindgen(method, setter)]
    pub fn set_value(this: &CheckedValue, value: &JsValue);
    #[wasm_bindgen(method, setter, js_name = problems)]
    pub fn set_value_problems(this: &CheckedValue, problems: &JsValue);
    #[wasm_bindgen(method, setter, js_name = changes)]
    pub fn set_value_changes(this: &CheckedValue, changes: &JsValue);
    #[wasm_bindgen(typescript_type = "readonly ParameterDefinition[]")]
    pub type ParameterDefinitions;
    #[wasm_bindgen(typescript_type = "JsonSchema")]
    pub type JsonSchema;
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
export type JsonSchema = { readonly [keyword: string]: unknown };
export interface CoreOptions { coerce?: boolean; clamp?: boolean; repairJson?: boolean }
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
export interface CheckedValue { value: unknown; problems: Problem[]; changes: Change[] }
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
export interface RateLimitState { readonly version: 1; readonly [key: string]: unknown }
export interface RepairOptions { schema?: JsonSchema | boolean }
export interface RepairedJson {
  value: unknown;
  text: string;
  changes: { kind: string; offset: number; message: string }[];
  truncated: boolean;
  others: unknown[];
}
/** As the core returns it: each text stands once. */
export interface CoreRepairedJson extends Omit<RepairedJson, "changes"> {
  changes: { texts: [kind: string, message: string][]; places: [text: number, offset: number][] };
}
"#;
