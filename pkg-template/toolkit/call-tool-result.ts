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

type Fields = { readonly [name: string]: unknown };

const known = ["content", "structuredContent", "isError", "_meta", "resultType"];

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isOptional = (value: unknown) => value === undefined || isText(value);
const isBase64 = (value: unknown) => isText(value) && /^[\w+/\s-]*={0,2}\s*$/.test(value);
const isMedia = ({ data, mimeType }: Fields) => isBase64(data) && isOptional(mimeType);

/** The types of blocks, and what their fields must be. */
const blocks: { readonly [type: string]: (block: Fields) => boolean } = {
  text: ({ text }) => isText(text),
  image: isMedia,
  audio: isMedia,
  resource: ({ resource }) =>
    isObject(resource) &&
    (isText(resource.text) || isBase64(resource.blob)) &&
    isOptional(resource.mimeType) &&
    isOptional(resource.uri),
  resource_link: ({ uri, name, mimeType }) => isText(uri) && isOptional(name) && isOptional(mimeType),
};

const isBlock = (block: unknown): block is Block =>
  isObject(block) &&
  isText(block.type) &&
  Object.hasOwn(blocks, block.type) &&
  (blocks[block.type] as (block: Fields) => boolean)(block);

/** Whether the output of a tool is a result of MCP. */
export function isCallToolResult(value: object): value is CallToolResult {
  const fields = Object.keys(value);
  if (!fields.includes("content") || !fields.every((field) => known.includes(field))) return false;
  const { content } = value as { content: unknown };
  if (!Array.isArray(content)) return false;
  return content.length > 0 ? content.every(isBlock) : fields.length > 1;
}

/**
 * What a server returned, as a result of MCP. Nothing is lost: blocks and fields of other shapes become data.
 *
 * @throws Error if the server returned nothing.
 */
export function readServerResult(output: unknown): CallToolResult {
  if (output === undefined || output === null) throw new Error("The MCP server returned no result.");
  if (!isObject(output)) return { content: listOf(output) };
  const { content, structuredContent, isError, toolResult, _meta, resultType, ...others } = output;
  const unknown = content === undefined && structuredContent === undefined ? others : {};
  const more = [toolResult, unknown].filter((value) =>
    isObject(value) ? Object.keys(value).length > 0 : value != null,
  );
  return {
    content: [...listOf(content), ...more.map((data) => ({ type: "data", data }) as unknown as Block)],
    ...(structuredContent != null && { structuredContent }),
    isError: isError === true || isError === 1 || isError === "true",
  };
}

function listOf(content: unknown): Block[] {
  const list = Array.isArray(content) ? content : content == null ? [] : [content];
  return list.map((block) => (isText(block) ? { type: "text", text: block } : block));
}

/** A string, a JSON value in `data`, or blocks. */
export type Converted = string | { data: unknown } | ContentBlock[];

/**
 * If the content is only text, it becomes one string. Structured content becomes data. Text beside it is omitted if it repeats a part of
 * it, which MCP recommends to servers. Anything else becomes blocks.
 */
export function convertCallToolResult({ content, structuredContent }: CallToolResult): Converted {
  if (structuredContent !== undefined) {
    const others = content.filter(
      (block) => !isBlock(block) || block.type !== "text" || !repeats(block.text ?? "", structuredContent),
    );
    if (others.length === 0) return { data: structuredContent };
    return [{ type: "data", value: structuredContent }, ...others.map(blockOf)];
  }
  const isTextOnly = content.every((block) => isBlock(block) && block.type === "text");
  return isTextOnly ? content.map(({ text }) => text ?? "").join("\n") : content.map(blockOf);
}

/** Whether a text states a part of the structured content, as text or as JSON. */
function repeats(text: string, structured: unknown): boolean {
  const parts: unknown[] = [text];
  try {
    parts.push(JSON.parse(text));
  } catch {
    if (text.trim() === "") return true;
  }
  return includes(structured, parts);
}

function includes(value: unknown, parts: readonly unknown[]): boolean {
  if (parts.some((part) => equal(value, part))) return true;
  return typeof value === "object" && value !== null && Object.values(value).some((member) => includes(member, parts));
}

function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [mine, theirs] = [Object.entries(one), other as Fields];
  return (
    mine.length === Object.keys(other).length &&
    mine.every(([key, member]) => Object.hasOwn(theirs, key) && equal(member, theirs[key]))
  );
}

function blockOf(block: Block): ContentBlock {
  if (!isBlock(block))
    return {
      type: "data",
      value:
        (block as { type?: unknown })?.type === "data" && Object.keys(block).length === 2
          ? (block as Fields).data
          : block,
    } as ContentBlock;
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
