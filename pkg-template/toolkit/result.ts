// Converts the output of a tool to the result of its call.

import type { ContentBlock, Metadata, ToolResult } from "toolwire";
import { problemOfBlocks } from "./blocks.js";
import { convertCallToolResult, isCallToolResult } from "./call-tool-result.js";
import type { AnyCall } from "./execution.js";
import { Failure } from "./failure.js";
import { NotJson, toJson } from "./json.js";
import { isBinary, readBinary } from "./media.js";
import { wellFormedText } from "./well-formed.js";

/** @throws Failure, or the output itself if it is an error. */
export function resultOf(call: AnyCall, output: unknown): ToolResult | Promise<ToolResult> {
  if (typeof output === "string") return made(call, "text", wellFormedText(output));
  if (output === undefined) return made(call, "text", "");
  if (typeof output !== "object" || output === null) return made(call, "data", jsonOf(output));
  if (output instanceof Error) throw output;
  if (isBinary(output)) return readBinary(output).then((read) => converted(call, read));
  if (isTagged(output)) return tagged(call, output);
  if (!isCallToolResult(output)) return made(call, "data", jsonOf(output));
  const result = converted(call, convertCallToolResult(output));
  return output.isError ? failed(result) : result;
}

function made({ id, name }: AnyCall, kind: ToolResult["kind"], value: unknown): ToolResult {
  return { toolCallId: id, name, kind, value } as ToolResult;
}

function converted(call: AnyCall, read: string | { data: unknown } | ContentBlock | ContentBlock[]): ToolResult {
  if (typeof read === "string") return made(call, "text", wellFormedText(read));
  if (Array.isArray(read)) return made(call, "multimodal", blocksOf(read));
  if ("data" in read) return made(call, "data", jsonOf(read.data));
  return made(call, "multimodal", blocksOf([read]));
}

interface Tagged {
  kind: ToolResult["kind"];
  value: unknown;
  isError?: boolean;
  metadata?: Metadata;
}

function isTagged(output: object): output is Tagged {
  const { kind, value } = output as Partial<Tagged>;
  if (Object.keys(output).some((key) => !["kind", "value", "isError", "metadata"].includes(key))) return false;
  if (kind === "text" || kind === "error") return typeof value === "string";
  return kind === "multimodal" ? Array.isArray(value) : kind === "data" && "value" in output;
}

function tagged(call: AnyCall, { kind, value, isError, metadata }: Tagged): ToolResult {
  const rest = { ...(isError !== undefined && { isError: isError === true }), ...(metadata && metadataOf(metadata)) };
  const shown = kind === "multimodal" ? blocksOf(value as unknown[]) : jsonOf(value);
  const result = Object.assign(made(call, kind, shown), rest);
  return kind === "error" || isError ? failed(result) : result;
}

/**
 * Throws the failure of a tool that returned an error result. Text is converted to the usual error result. Other
 * content is kept.
 */
function failed(result: ToolResult): never {
  const { kind, value } = result;
  if (kind === "text") throw new Failure("tool_error", value || "The tool failed.");
  const { error, error_type } = (kind === "data" ? (value ?? {}) : {}) as Record<string, unknown>;
  const type = typeof error_type === "string" ? error_type : "tool_error";
  const message = kind === "error" ? value : typeof error === "string" ? error : "The tool failed.";
  throw new Failure(type, message, {}, "isError" in result || kind === "error" ? result : { ...result, isError: true });
}

/** @throws Failure `invalid_output` */
function blocksOf(value: readonly unknown[]): ContentBlock[] {
  const problem = problemOfBlocks(value);
  if (problem) throw invalid(`is not content for a model: ${problem}`);
  return jsonOf(value) as ContentBlock[];
}

function metadataOf(metadata: unknown): { metadata: Metadata } {
  const isObject = typeof metadata === "object" && !Array.isArray(metadata);
  if (!isObject) throw invalid("has metadata that is not an object");
  return { metadata: jsonOf(metadata) as Metadata };
}

function invalid(problem: string, cause?: unknown): Failure {
  const message = `The tool ran, but its result ${problem}. Do not repeat the call.`;
  return new Failure("invalid_output", message, cause === undefined ? {} : { cause });
}

/** @throws Failure `invalid_output` */
export function jsonOf(output: unknown): unknown {
  try {
    return toJson(output);
  } catch (error) {
    const reason =
      error instanceof NotJson
        ? `${error.path === "" ? "it" : `the value at ${error.path}`} ${error.reason}`
        : "it can't be read";
    throw invalid(`can't be represented as JSON: ${reason}`, error);
  }
}
