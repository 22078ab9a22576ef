// Converts tools of other libraries, which are recognized by their shape.

import { ToolkitError } from "../errors.js";
import type { Tool } from "../tool.js";
import { fromAiSdk, isAiSdkTool } from "./ai-sdk.js";
import { fromAnthropic, isAnthropicTool } from "./anthropic.js";
import { fromLangChain, isLangChainTool } from "./langchain.js";
import { fromOpenAIAgents, isOpenAIAgentsTool } from "./openai-agents.js";

/** The libraries, in the order in which they are tried. `named` is the key of the tool in its collection. */
const libraries: readonly { is(tool: object): boolean; from(tool: any, named: string | undefined): Tool }[] = [
  { is: isLangChainTool, from: fromLangChain },
  { is: isOpenAIAgentsTool, from: fromOpenAIAgents },
  { is: isAnthropicTool, from: fromAnthropic },
  { is: isAiSdkTool, from: fromAiSdk },
];

/**
 * Converts tools of the AI SDK, LangChain.js, the OpenAI Agents SDK and Anthropic's `betaTool`, recognized by their
 * shape.
 *
 * @param tools - An array of tools, an object of tools by name (as in the AI SDK), or one tool.
 * @throws ToolkitError `invalid_options` for any other value.
 */
export function toolsFrom(tools: unknown): Tool[] {
  if (typeof tools !== "object" || tools === null) throw unknown(tools, "");
  if (Symbol.iterator in tools) return Array.from(tools as Iterable<unknown>, (tool, index) => one(tool, `/${index}`));
  if (libraryOf(tools)) return [one(tools, "")];
  return Object.entries(tools).map(([name, tool]) => one(tool, `/${name}`, name));
}

function one(tool: unknown, path: string, named?: string): Tool {
  const library = typeof tool === "object" && tool !== null ? libraryOf(tool) : undefined;
  if (!library) throw unknown(tool, path);
  const converted = library.from(tool, named);
  if (typeof converted.name === "string") return converted;
  throw new ToolkitError("invalid_options", "a tool of the AI SDK has no name: pass an object of tools by name", path);
}

function libraryOf(tool: object) {
  return libraries.find(({ is }) => is(tool));
}

function unknown(tool: unknown, path: string): ToolkitError {
  const expected = "the AI SDK, LangChain.js, the OpenAI Agents SDK, or Anthropic's betaTool";
  return new ToolkitError("invalid_options", `expected a tool of ${expected}, received ${typeof tool}`, path);
}
