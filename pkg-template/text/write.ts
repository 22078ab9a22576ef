// Prompts, calls and results as text.

import type { AssistantMessage, ToolChoice, ToolDefinition, ToolResult } from "toolwire";
import { callCore } from "./core/instance.js";

/** The id of a text format. `json` is toolwire's own fenced JSON, for models that were not trained on any format. */
export type TextFormat = "json" | "hermes_json" | "qwen3_xml" | "harmony" | (string & {});

/** What the prompt of simulated tools is made of. */
export interface PromptOptions {
  /** `auto` means `json` here: the model is not known. */
  format: TextFormat | "auto";
  /** Few-shot examples. Default: one, generated from the first tool's schema and `inputExamples`. */
  examples?: { user: string; calls: { name: string; arguments: Record<string, unknown> }[] }[] | false;
  /** How tool definitions are written. The default depends on the format. */
  definitions?: "json" | "typescript" | "python" | "xml" | "list";
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
}

/** Text, and what the format could not express; `path` is a JSON Pointer into what was written. */
export interface WrittenText {
  text: string;
  warnings: { path: string; message: string }[];
}

/** Returns the prompt that teaches a model these tools and how to call them; an empty string if there are no tools. */
export function toolPrompt(tools: ToolDefinition[], options: PromptOptions): string {
  return callCore((core) => core.toolPrompt(JSON.stringify(tools), JSON.stringify(options)));
}

/** Writes an assistant message in the form that the prompt teaches: content, reasoning and calls. */
export function callsAsText(message: AssistantMessage, format: TextFormat): string {
  return writeCalls(message, format).text;
}

/** Writes results in the form that the model expects. A result that contains markers of a format is escaped. */
export function resultsAsText(results: ToolResult[], format: TextFormat): string {
  return writeResults(results, format).text;
}

/** `callsAsText`, with what the format can't express. */
export function writeCalls(message: AssistantMessage, format: TextFormat): WrittenText {
  return JSON.parse(callCore((core) => core.callsAsText(JSON.stringify(message), format)));
}

/** `resultsAsText`, with what the format can't express. */
export function writeResults(results: ToolResult[], format: TextFormat): WrittenText {
  return JSON.parse(callCore((core) => core.resultsAsText(JSON.stringify(results), format)));
}
