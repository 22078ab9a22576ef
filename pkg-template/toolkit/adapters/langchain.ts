// Converts tools of LangChain.js.

import type { Tool } from "../tool.js";
import { blocksOf } from "./blocks.js";

interface LangChainTool {
  lc_namespace: unknown;
  name: string;
  description: string;
  schema: unknown;
  invoke(input: unknown, config: Record<string, unknown>): Promise<unknown>;
}

export function isLangChainTool(tool: object): boolean {
  return "lc_namespace" in tool && "invoke" in tool && "schema" in tool;
}

export function fromLangChain(tool: LangChainTool): Tool {
  const { name, description, schema } = tool;
  return {
    name,
    description,
    parameters: schema as NonNullable<Tool["parameters"]>,
    // the library validates the arguments itself, so it needs the original ones, not validated output
    execute: async (_args, { call, signal, context }) =>
      resultOf(
        await tool.invoke(call.arguments, { signal, configurable: context, toolCall: { ...call, type: "tool_call" } }),
      ),
  };
}

function resultOf(output: unknown): unknown {
  const content = isToolMessage(output) ? output.content : output;
  if (!Array.isArray(content) || !content.every((block) => typeof block?.type === "string")) return content;
  return { kind: "multimodal", value: blocksOf(content) };
}

function isToolMessage(output: unknown): output is { content: unknown } {
  const message = output as { lc_namespace?: unknown; tool_call_id?: unknown } | null | undefined;
  return message?.lc_namespace !== undefined && message.tool_call_id !== undefined;
}
