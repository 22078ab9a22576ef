// Converts MCP's `CallToolResult` to a result.

import type { ContentBlock } from "toolwire";
import { mediaBlock } from "./media.js";

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly resource?: { uri?: string; mimeType?: string; text?: string; blob?: string };
}

export interface CallToolResult {
  readonly content: readonly Block[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

const known = ["content", "structuredContent", "isError", "_meta", "resultType"];
const types = ["text", "image", "audio", "resource", "resource_link"];

export function isCallToolResult(value: object): value is CallToolResult {
  const fields = Object.keys(value);
  if (!fields.includes("content") || !fields.every((field) => known.includes(field))) return false;
  const { content } = value as { content: unknown };
  if (!Array.isArray(content)) return false;
  return content.length > 0 ? content.every((block) => types.includes(typeOf(block))) : fields.length > 1;
}

function typeOf(block: unknown): string {
  return String((block as Partial<Block> | null)?.type);
}

/** A string, a JSON value in `data`, or blocks. */
export type Converted = string | { data: unknown } | ContentBlock[];

/**
 * Structured content replaces the text with the same content, which MCP requires servers to send. If the content is
 * only text, it becomes one string. Anything else becomes blocks.
 */
export function convertCallToolResult({ content, structuredContent }: CallToolResult): Converted {
  const media = content.filter(({ type }) => type !== "text");
  if (structuredContent !== undefined) {
    if (media.length === 0) return { data: structuredContent };
    return [{ type: "data", value: structuredContent }, ...media.map(blockOf)];
  }
  if (media.length === 0) return content.map(({ text }) => text ?? "").join("\n");
  return content.map(blockOf);
}

function blockOf(block: Block): ContentBlock {
  switch (block.type) {
    case "image":
    case "audio":
      return mediaBlock(block.data ?? "", block.mimeType ?? `${block.type}/*`);
    case "resource":
      return resourceBlock(block.resource ?? {});
    case "resource_link":
      return linkBlock(block);
    default:
      return { type: "text", text: block.text ?? "" };
  }
}

function resourceBlock({ uri, mimeType, text, blob }: NonNullable<Block["resource"]>): ContentBlock {
  const name = uri === undefined ? {} : { name: uri };
  if (blob !== undefined)
    return { ...mediaBlock(blob, mimeType ?? "application/octet-stream"), ...name } as ContentBlock;
  const source = { type: "text" as const, data: text ?? "" };
  return { type: "document", source, mediaType: mimeType ?? "text/plain", ...name };
}

function linkBlock({ uri = "", name, mimeType }: Block): ContentBlock {
  const family = mimeType?.split("/")[0];
  const type = family === "image" || family === "audio" || family === "video" ? family : "document";
  const source = { type: "url" as const, url: uri };
  return { type, source, ...(mimeType && { mediaType: mimeType }), ...(name && { name }) };
}
