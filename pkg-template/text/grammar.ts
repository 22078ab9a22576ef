// Grammars that restrict a model to valid responses.

import type { JsonSchema, ToolChoice, ToolDefinition } from "toolwire";
import type { GrammarSyntax } from "#core";
import { callCore } from "./core/instance.js";
import type { TextFormat } from "./write.js";

/** The options of a grammar of calls. */
export interface GrammarOptions {
  /**
   * `gbnf` is for llama.cpp, `lark` is the dialect of llguidance (vLLM, SGLang), `openai` is the Lark of OpenAI's custom
   * tools, `regex` has no lookaround and no anchors, `jsonSchema` is the union of the calls without text around them,
   * and `structuralTag` is for XGrammar.
   */
  syntax: GrammarSyntax;
  /** The text format of the calls. */
  format: TextFormat;
  /** Default: `auto`, which allows text and calls. */
  toolChoice?: ToolChoice;
  /** `false` allows at most one call. */
  parallelToolCalls?: boolean;
}

/** A grammar, with warnings for what it does not enforce. `path` is a JSON Pointer into the tools or the schema. */
export interface Grammar<Text> {
  grammar: Text;
  warnings: { path: string; message: string }[];
}

/**
 * Returns a grammar that restricts a model to valid responses: text, calls of these tools, or both. Constraints that a
 * syntax can't express are relaxed and reported, so that every valid call is accepted.
 */
export function toolGrammar(
  tools: ToolDefinition[],
  options: GrammarOptions,
): Grammar<string | Record<string, unknown>> & { syntax: string } {
  return made(callCore((core) => core.toolGrammar(JSON.stringify(tools), JSON.stringify(options))));
}

/** A grammar that is text follows the other fields after a line break. */
function made(text: string): Grammar<string> & { syntax: string } {
  const end = text.indexOf("\n");
  return end < 0 ? JSON.parse(text) : { ...JSON.parse(text.slice(0, end)), grammar: text.slice(end + 1) };
}

/** Returns a grammar that restricts a model to one value that follows a schema (structured output). */
export function schemaGrammar(
  schema: JsonSchema,
  options: { syntax: Exclude<GrammarSyntax, "jsonSchema" | "structuralTag"> },
): Grammar<string> {
  const { grammar, warnings } = made(callCore((core) => core.schemaGrammar(JSON.stringify(schema), options.syntax)));
  return { grammar, warnings };
}
