// Converts tools of Vercel's AI SDK.

import { ToolError, ToolkitError } from "../errors.js";
import { isStandardSchema, type StandardSchema } from "../standard-schema.js";
import type { CallContext, Tool } from "../tool.js";
import { blocksOf } from "./blocks.js";

interface AiSdkTool {
  type?: string;
  title?: string;
  description?: string | ((options: { context: unknown }) => string);
  inputSchema: unknown;
  outputSchema?: unknown;
  strict?: boolean;
  inputExamples?: readonly { input: unknown }[];
  execute?(input: unknown, options: Record<string, unknown>): unknown;
  needsApproval?: boolean | ((input: unknown, options: Record<string, unknown>) => boolean | Promise<boolean>);
  toModelOutput?(options: { toolCallId: string; input: unknown; output: unknown }): unknown;
}

export function isAiSdkTool(tool: object): boolean {
  return "inputSchema" in tool && !("callTool" in tool);
}

export function fromAiSdk(tool: AiSdkTool, named: string | undefined): Tool {
  const { title, description, strict, execute, needsApproval, toModelOutput } = tool;
  if (tool.type === "provider") {
    throw new ToolkitError(
      "invalid_options",
      `${named} is a tool that the provider runs: pass it to the provider instead`,
    );
  }
  return {
    name: named as string,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description: textOf(description) }),
    ...(strict !== undefined && { strict }),
    ...(tool.inputExamples && { inputExamples: tool.inputExamples.map(({ input }) => input) }),
    parameters: parametersOf(tool.inputSchema),
    ...(needsApproval !== undefined && { needsApproval: approvalOf(needsApproval) }),
    ...(execute && { execute: (input, call) => execute(input, optionsOf(call)) }),
    ...(toModelOutput && {
      toResult: async (output, { call }) =>
        resultOf(await toModelOutput({ toolCallId: call.id, input: call.arguments, output })),
    }),
  };
}

function textOf(description: NonNullable<AiSdkTool["description"]>): string {
  return typeof description === "function" ? description({ context: undefined }) : description;
}

function optionsOf({ call, messages, signal, context }: CallContext<unknown>): Record<string, unknown> {
  return { toolCallId: call.id, messages, abortSignal: signal, context, experimental_context: context };
}

function approvalOf(needsApproval: NonNullable<AiSdkTool["needsApproval"]>): Tool["needsApproval"] {
  if (typeof needsApproval === "boolean") return needsApproval;
  return (input, call, context) => needsApproval(input, { toolCallId: call.id, messages: [], context });
}

/** The SDK's wrapper of a JSON Schema. It validates only if it has a `validate` function. */
interface Wrapped {
  jsonSchema: Record<string, unknown>;
  validate?(value: unknown): unknown;
}

function parametersOf(schema: unknown): NonNullable<Tool["parameters"]> {
  const resolved = typeof schema === "function" && !isStandardSchema(schema) ? (schema as () => unknown)() : schema;
  if (isStandardSchema(resolved)) return resolved;
  const { jsonSchema, validate } = resolved as Wrapped;
  if (typeof (jsonSchema as { then?: unknown } | undefined)?.then === "function") {
    throw new ToolkitError("invalid_schema", "the schema is a promise: await it first", "/inputSchema");
  }
  return validate ? asStandard(jsonSchema, validate) : jsonSchema;
}

function asStandard(jsonSchema: Record<string, unknown>, validate: (value: unknown) => unknown): StandardSchema<any> {
  const validated = async (value: unknown) => {
    const result = (await validate(value)) as { success: boolean; value?: unknown; error?: Error };
    return result.success ? { value: result.value } : { issues: [{ message: result.error?.message ?? "invalid" }] };
  };
  return {
    "~standard": { version: 1, vendor: "ai-sdk", validate: validated, jsonSchema: { input: () => jsonSchema } },
  };
}

function resultOf(output: unknown): unknown {
  const { type, value, reason } = output as { type: string; value?: unknown; reason?: string };
  switch (type) {
    case "text":
      return value;
    case "json":
      return { kind: "data", value };
    case "error-text":
      throw new ToolError(String(value), { retryable: false });
    case "error-json":
      return { kind: "data", value, isError: true };
    case "execution-denied":
      throw new ToolError(reason ?? "The call was denied.", { type: "denied", retryable: false });
    case "content":
      return { kind: "multimodal", value: blocksOf(value as unknown[]) };
    default:
      return { kind: "data", value: output };
  }
}
