// Converts tools made with Anthropic's `betaTool` and `betaZodTool`.

import { ToolError } from "../errors.js";
import type { StandardSchema } from "../standard-schema.js";
import type { Tool } from "../tool.js";
import { blocksOf } from "./blocks.js";

interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: Record<string, unknown>;
  strict?: boolean;
  input_examples?: readonly unknown[];
  run(args: unknown, context: Record<string, unknown>): unknown;
  parse(content: unknown): unknown;
}

export function isAnthropicTool(tool: object): boolean {
  const { input_schema, run, parse } = tool as Partial<AnthropicTool>;
  return typeof input_schema === "object" && typeof run === "function" && typeof parse === "function";
}

export function fromAnthropic(tool: AnthropicTool): Tool {
  const { name, description, strict, input_examples } = tool;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
    ...(input_examples && { inputExamples: input_examples }),
    parameters: schemaOf(tool),
    execute: async (args, { call, signal }) => {
      const toolUse = { type: "tool_use", id: call.id, name, input: call.arguments };
      const output = await attempted(() => tool.run(args, { toolUse, toolUseBlock: toolUse, signal }));
      return Array.isArray(output) ? { kind: "multimodal", value: blocksOf(output) } : output;
    },
  };
}

/** Tools with a JSON Schema do not parse the arguments, so the schema itself checks them. */
function schemaOf(tool: AnthropicTool): NonNullable<Tool["parameters"]> {
  const { input_schema, parse } = tool;
  const probe = {};
  if (accepts(parse, probe)) return input_schema;
  const validate = (value: unknown) => {
    try {
      return { value: parse(value) };
    } catch (error) {
      const issues = (error as { issues?: unknown }).issues;
      return { issues: Array.isArray(issues) ? issues : [{ message: (error as Error).message }] };
    }
  };
  return {
    "~standard": { version: 1, vendor: "anthropic", validate, jsonSchema: { input: () => input_schema } },
  } satisfies StandardSchema;
}

function accepts(parse: (content: unknown) => unknown, probe: object): boolean {
  try {
    return parse(probe) === probe;
  } catch {
    return false;
  }
}

/** Converts the library's own errors, which contain the content of the error result. */
async function attempted(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    const content = (error as { content?: unknown } | null)?.content;
    if (typeof content === "string") throw new ToolError(content, { cause: error });
    if (!Array.isArray(content)) throw error;
    throw new ToolError(content.map((block: { text?: string }) => block.text ?? "").join("\n"), { cause: error });
  }
}
