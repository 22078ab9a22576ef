// The JSON Schema of a response with calls, for servers that enforce JSON.

import type { JsonSchema, ToolChoice, ToolDefinition } from "toolwire";
import { embedded } from "../stages/embedded.js";

type Schema = Record<string, unknown>;

export interface CallRules {
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
}

/** The tools that may be called, and whether a call is required. */
export function callable(tools: readonly ToolDefinition[], choice: ToolChoice | undefined) {
  if (typeof choice === "string" || choice === undefined) return { tools, isForced: choice === "required" };
  const names = "name" in choice ? [choice.name] : "allowed" in choice ? choice.allowed : [];
  const isForced = "name" in choice || ("mode" in choice && choice.mode === "required");
  return { tools: tools.filter(({ name }) => names.includes(name)), isForced };
}

/** `{"text": …, "calls": […]}`, without `text` if a call is required. `text` can have a schema of its own. */
export function responseSchema(tools: readonly ToolDefinition[], rules: CallRules, text?: JsonSchema): JsonSchema {
  const { tools: allowed, isForced } = callable(tools, rules.toolChoice);
  const definitions: Schema = {};
  const items = allowed.map(({ name, parameters }, index) =>
    object({ name: { enum: [name] }, arguments: embedded(argumentsOf(parameters), `tool${index}`, definitions) }),
  );
  const calls: Schema = { type: "array", items: items.length === 1 ? items[0] : { anyOf: items } };
  if (isForced) calls.minItems = 1;
  if (rules.parallelToolCalls === false) calls.maxItems = 1;
  const content =
    text === undefined ? { type: "string" } : { anyOf: [embedded(text, "text", definitions), { type: "null" }] };
  return {
    ...object(isForced ? { calls } : { text: content, calls }),
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
}

const object = (properties: Schema): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const argumentsOf = (parameters: JsonSchema = {}): Schema => ({ type: "object", ...(parameters as Schema) });
