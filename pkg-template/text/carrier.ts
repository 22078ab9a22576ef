// The freeform tool whose input is the calls, for servers that enforce grammars of tools' inputs only (OpenAI).

import type { ChatRequest, ToolChoice, ToolDefinition } from "#conversions";

/** The tool's name, unless a tool of the request has it. */
export const CARRIER = "call_tools";

/** The request with the tool. Text stays free, so a response without calls does not call it. */
export function carried(
  request: ChatRequest,
  name: string,
  definition: string,
  choice: ToolChoice | undefined,
): ChatRequest {
  const format = { type: "grammar", grammar: { syntax: "lark", definition } };
  const tool: ToolDefinition = {
    name,
    description: "Calls tools. The input is one or more calls, in the form that the prompt shows, and nothing else.",
    parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
    metadata: { openai: { custom: { format } } },
  };
  return { ...request, tools: [tool], toolChoice: choiceOf(name, choice), parallelToolCalls: false };
}

function choiceOf(name: string, choice: ToolChoice | undefined): ToolChoice {
  if (choice === "none") return "none";
  return isRequired(choice) ? { name } : "auto";
}

const isRequired = (choice: ToolChoice | undefined): boolean =>
  choice === "required" ||
  (typeof choice === "object" && ("name" in choice || ("mode" in choice && choice.mode === "required")));

/** The calls that the tool's input may contain. It has at least one. */
export function requiredChoice(choice: ToolChoice | undefined): ToolChoice {
  if (typeof choice !== "object") return "required";
  return "allowed" in choice ? { ...choice, mode: "required" } : choice;
}
