// Grammars that restrict a model to valid responses.

import type { JsonSchema, ToolChoice, ToolDefinition } from "toolwire";
import { callCore } from "./core/instance.js";
import type { TextFormat } from "./write.js";

/** What a grammar of calls is made for. */
export interface GrammarOptions {
  /**
   * `gbnf` is llama.cpp's, `lark` llguidance's dialect (vLLM, SGLang, OpenAI's custom tools), `regex` has no lookaround and no anchors,
   * `jsonSchema` is the union of the calls without text around them, and `structuralTag` is XGrammar's.
   */
  syntax: "gbnf" | "lark" | "regex" | "jsonSchema" | "structuralTag";
  format: TextFormat;
  /** Default: `auto`, text and calls. */
  toolChoice?: ToolChoice;
  /** `false`: one call at most. */
  parallelToolCalls?: boolean;
}

/** A grammar, and what it does not enforce; `path` is a JSON Pointer into the tools or the schema. */
export interface Grammar<Text> {
  grammar: Text;
  warnings: { path: string; message: string }[];
}

/**
 * Returns a grammar that restricts a model to valid responses: text, calls of these tools, or both. What a syntax can't express is
 * widened and reported: every valid call is accepted.
 */
export function toolGrammar(
  tools: ToolDefinition[],
  options: GrammarOptions,
): Grammar<string | Record<string, unknown>> & { syntax: string } {
  return JSON.parse(callCore((core) => core.toolGrammar(JSON.stringify(tools), JSON.stringify(options))));
}

/** Returns a grammar that restricts a model to one value of a schema (structured output). */
export function schemaGrammar(schema: JsonSchema, options: { syntax: "gbnf" | "lark" | "regex" }): Grammar<string> {
  const { grammar, warnings } = JSON.parse(
    callCore((core) => core.schemaGrammar(JSON.stringify(schema), options.syntax)),
  );
  return { grammar, warnings };
}
