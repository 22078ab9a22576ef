// Converts content blocks of other libraries.

import type { ContentBlock } from "toolwire";
import { mediaBlock } from "../media.js";

/** The union of the fields of the libraries' blocks. Each block has some of them. */
interface ForeignBlock {
  type?: string;
  text?: string;
  /** Anthropic. */
  source?: { type?: string; media_type?: string; data?: string; url?: string; file_id?: string };
  title?: string;
  /** OpenAI. */
  image_url?: string | { url: string };
  image?: string | { data?: unknown; url?: string; fileId?: string; mediaType?: string };
  /** AI SDK and LangChain. */
  data?: unknown;
  mediaType?: string;
  mimeType?: string;
  mime_type?: string;
  url?: string;
}

/** Converts blocks. Blocks of unknown types are kept as JSON text. */
export function blocksOf(blocks: readonly unknown[]): ContentBlock[] {
  return blocks.map((block) =>
    typeof block === "string" ? { type: "text", text: block } : blockOf(block as ForeignBlock),
  );
}

export function blockOf(block: ForeignBlock): ContentBlock {
  const mediaType = block.mediaType ?? block.mimeType ?? block.mime_type;
  const url = typeof block.image_url === "object" ? block.image_url.url : block.image_url;
  if (typeof block.text === "string" && typeof block.data === "undefined") return { type: "text", text: block.text };
  if (block.source) return ofSource(block, block.source);
  if (url !== undefined) return ofUrl(url, "image/*");
  if (typeof block.image === "string") return ofUrl(block.image, "image/*");
  if (block.image?.url !== undefined) return ofUrl(block.image.url, "image/*");
  if (block.image?.data !== undefined) return ofData(block.image.data, block.image.mediaType ?? "image/png", block);
  if (block.data !== undefined) return ofData(block.data, mediaType ?? `${block.type ?? "application"}/*`, block);
  if (typeof block.url === "string") return ofUrl(block.url, mediaType ?? `${block.type ?? "application"}/*`);
  return { type: "data", value: block };
}

function ofSource({ type, title }: ForeignBlock, source: NonNullable<ForeignBlock["source"]>): ContentBlock {
  const kind = type === "image" ? "image" : "document";
  const name = title === undefined ? {} : { name: title };
  const mediaType = source.media_type === undefined ? {} : { mediaType: source.media_type };
  if (source.url !== undefined) return { type: kind, source: { type: "url", url: source.url }, ...name };
  if (source.file_id !== undefined) return { type: kind, source: { type: "file", id: source.file_id }, ...name };
  const text = source.type === "text";
  return { type: kind, source: { type: text ? "text" : "base64", data: source.data ?? "" }, ...mediaType, ...name };
}

/** A block for a URL or a data URL. */
function ofUrl(url: string, mediaType: string): ContentBlock {
  const [, dataType, data] = url.match(/^data:([^;,]*);base64,(.*)$/s) ?? [];
  if (data !== undefined) return mediaBlock(data, dataType || mediaType);
  return { ...familyOf(mediaType), source: { type: "url", url } };
}

interface TaggedData {
  type?: string;
  data?: unknown;
  url?: unknown;
  text?: string;
}

/** A block for base64 text, bytes, or the AI SDK's tagged data. */
function ofData(data: unknown, mediaType: string, block: ForeignBlock): ContentBlock {
  if (typeof data === "string") return /^data:/.test(data) ? ofUrl(data, mediaType) : mediaBlock(data, mediaType);
  if (data instanceof Uint8Array) return mediaBlock(btoa(String.fromCharCode(...data)), mediaType);
  const tagged = data as TaggedData | null;
  if (tagged?.type === "data") return ofData(tagged.data, mediaType, block);
  if (tagged?.type === "url") return ofUrl(String(tagged.url), mediaType);
  if (tagged?.type === "text")
    return { type: "document", source: { type: "text", data: tagged.text ?? "" }, mediaType };
  return { type: "data", value: block };
}

function familyOf(mediaType: string): { type: "image" | "audio" | "video" | "document" } {
  const family = mediaType.split("/")[0];
  return { type: family === "image" || family === "audio" || family === "video" ? family : "document" };
}
