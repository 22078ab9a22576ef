// Writes prompts, calls and results as text.

import type { AssistantMessage, ToolChoice, ToolDefinition, ToolResult } from "toolwire";
import type { DefinitionNotation } from "#core";
import { callCore } from "./core/instance.js";

/**
 * The id of a text format. `json` is a generic format with fenced JSON, for models that were not trained on any
 * format.
 */
export type TextFormat = "json" | "hermes_json" | "qwen3_xml" | "harmony" | (string & {});

/** The options of a prompt for simulated tools. */
export interface PromptOptions {
  /** `auto` means `json`, because the model is unknown here. */
  format: TextFormat | "auto";
  /** Few-shot examples. Default: one example, generated from the first tool's schema and `inputExamples`. */
  examples?: { user: string; calls: { name: string; arguments: Record<string, unknown> }[] }[] | false;
  /** The notation of tool definitions. The default depends on the format. */
  definitions?: DefinitionNotation;
  /** What the prompt asks for: any calls, at least one, none, or one tool. Default `auto`. */
  toolChoice?: ToolChoice;
  /** `false` asks for at most one call. */
  parallelToolCalls?: boolean;
}

/** Text, with warnings about what the format could not express. `path` is a JSON Pointer into the input. */
export interface WrittenText {
  text: string;
  warnings: { path: string; message: string }[];
}

/** Returns the prompt that describes tools and how to call them, or an empty string if there are no tools. */
export function toolPrompt(tools: ToolDefinition[], options: PromptOptions): string {
  return callCore((core) => core.toolPrompt(JSON.stringify(tools), JSON.stringify(options)));
}

/** Writes an assistant message in the form that the prompt describes: content, reasoning and calls. */
export function callsAsText(message: AssistantMessage, format: TextFormat): string {
  return writeCalls(message, format).text;
}

/** Writes results in the form that the model expects. Results that contain markers of a format are escaped. */
export function resultsAsText(results: ToolResult[], format: TextFormat): string {
  return writeResults(results, format).text;
}

/** As `callsAsText`, with warnings about what the format can't express. */
export function writeCalls(message: AssistantMessage, format: TextFormat): WrittenText {
  return JSON.parse(callCore((core) => core.callsAsText(JSON.stringify(message), format)));
}

/** As `resultsAsText`, with warnings about what the format can't express. */
export function writeResults(results: ToolResult[], format: TextFormat): WrittenText {
  return JSON.parse(callCore((core) => core.resultsAsText(JSON.stringify(results), format)));
}
