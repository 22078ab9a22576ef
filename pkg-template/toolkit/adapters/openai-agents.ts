// Converts tools of the OpenAI Agents SDK.

import { ToolError } from "../errors.js";
import type { Tool } from "../tool.js";
import { blockOf } from "./blocks.js";

interface OpenAIAgentsTool {
  type: "function";
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  strict: boolean;
  timeoutMs?: number;
  invoke(runContext: unknown, input: string, details?: Record<string, unknown>): Promise<unknown>;
  needsApproval(runContext: unknown, input: unknown, callId?: string): Promise<boolean>;
  isEnabled?(runContext: unknown, agent: unknown): Promise<boolean>;
}

export function isOpenAIAgentsTool(tool: object): boolean {
  const { type, invoke } = tool as Partial<OpenAIAgentsTool>;
  return type === "function" && typeof invoke === "function";
}

export function fromOpenAIAgents(tool: OpenAIAgentsTool): Tool {
  const { name, description, parameters, strict, timeoutMs } = tool;
  return {
    name,
    description,
    parameters,
    strict,
    ...(timeoutMs !== undefined && { timeoutMs }),
    needsApproval: (args, call, context) => tool.needsApproval({ context }, args, call.id),
    execute: async (args, { call, signal, context }) => {
      if ((await tool.isEnabled?.({ context }, undefined)) === false) {
        throw new ToolError(`${name} may not be used here.`, { type: "not_allowed", retryable: false });
      }
      const toolCall = { type: "function_call", callId: call.id, name, arguments: JSON.stringify(args) };
      const output = await tool.invoke({ context }, toolCall.arguments, { toolCall, signal });
      return isContent(output) ? { kind: "multimodal", value: [output].flat().map(blockOf) } : output;
    },
  };
}

const kinds = ["text", "image", "file", "input_text", "input_image", "input_file"];

/** Whether an output is one or several content blocks of the SDK. */
function isContent(output: unknown): output is object {
  const blocks = Array.isArray(output) ? output : [output];
  return blocks.length > 0 && blocks.every((block) => kinds.includes((block as { type?: string } | null)?.type ?? ""));
}
