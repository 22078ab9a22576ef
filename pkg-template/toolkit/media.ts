// Converts bytes to content blocks, for tools that return a Response, a Blob or a buffer.

import type { ContentBlock } from "toolwire";
import { Failure } from "./failure.js";

export type Binary = ArrayBuffer | ArrayBufferView | Blob | Response;

export function isBinary(value: object): value is Binary {
  return (
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value) ||
    (typeof Blob !== "undefined" && value instanceof Blob) ||
    (typeof Response !== "undefined" && value instanceof Response)
  );
}

/** The largest body of a response that becomes a result. */
const LONGEST_BYTES = 32 * 2 ** 20;
const ERROR_BYTES = 2_000;

/** A string, a JSON value in `data`, or a block. */
export type Read = string | { data: unknown } | ContentBlock;

export async function readBinary(value: Binary): Promise<Read> {
  if (value instanceof ArrayBuffer) return readBytes(new Uint8Array(value));
  if (ArrayBuffer.isView(value)) return readBytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  if (value instanceof Response) return readResponse(value);
  return readBytes(new Uint8Array(await value.arrayBuffer()), value.type);
}

async function readResponse(response: Response): Promise<Read> {
  if (!response.ok) {
    const body = new TextDecoder().decode(await firstBytes(response, ERROR_BYTES)).slice(0, 500);
    const status = `HTTP status ${response.status} ${response.statusText}`.trim();
    throw new Failure("http_error", body ? `${status}: ${body}` : status);
  }
  const bytes = await firstBytes(response, LONGEST_BYTES + 1);
  if (bytes.length > LONGEST_BYTES)
    throw new Failure("invalid_output", `The tool ran, but its response is larger than ${LONGEST_BYTES} bytes.`);
  return readBytes(bytes, response.headers.get("content-type") ?? "");
}

/** The bytes of a body, at most this many. The rest is not read. */
async function firstBytes({ body }: Response, most: number): Promise<Uint8Array> {
  const reader = body?.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (reader && size < most) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    size += value.length;
  }
  void reader?.cancel().catch(() => {});
  const bytes = new Uint8Array(Math.min(size, most));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece.subarray(0, bytes.length - at), at);
    at += piece.length;
  }
  return bytes;
}

function readBytes(bytes: Uint8Array, contentType = ""): Read {
  const mediaType = contentType.split(";")[0]?.trim().toLowerCase() || sniff(bytes);
  const text = mediaType === undefined || isText(mediaType) ? textOf(bytes) : undefined;
  if (text !== undefined && mediaType !== undefined && /[/+]json$/.test(mediaType)) return parsed(text);
  return text ?? mediaBlock(toBase64(bytes), mediaType ?? "application/octet-stream");
}

function isText(mediaType: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml)$|^application\/(?:javascript|x-www-form-urlencoded)$/.test(mediaType);
}

/** Undefined if the bytes are not UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parsed(text: string): Read {
  try {
    return { data: JSON.parse(text) as unknown };
  } catch {
    return text;
  }
}

const signatures: readonly [mediaType: string, start: RegExp][] = [
  ["image/png", /^\x89PNG/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8/],
  ["image/webp", /^RIFF[\s\S]{4}WEBP/],
  ["application/pdf", /^%PDF-/],
];

function sniff(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  return signatures.find(([, signature]) => signature.test(start))?.[0];
}

/** A block for base64 data of a media type. */
export function mediaBlock(data: string, mediaType: string): ContentBlock {
  const family = mediaType.split("/")[0];
  const type = family === "image" || family === "audio" || family === "video" ? family : "document";
  return { type, source: { type: "base64", data }, mediaType };
}

function toBase64(bytes: Uint8Array): string {
  const chunk = 0x8000;
  let text = "";
  for (let at = 0; at < bytes.length; at += chunk) text += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return btoa(text);
}
