// Truncates long results in the middle, so that they don't fill the model's context.

import type { ContentBlock, ToolResult } from "toolwire";

/** The result with at most `longest` characters of text or JSON. */
export function cutResult(result: ToolResult, longest: number): ToolResult {
  switch (result.kind) {
    case "text":
    case "error":
      return result.value.length <= longest ? result : { ...result, value: cutText(result.value, longest) };
    case "data":
      return cutData(result, longest);
    case "multimodal":
      return cutBlocks(result, longest);
  }
}

type Of<Kind extends ToolResult["kind"]> = Extract<ToolResult, { kind: Kind }>;

function cutData(result: Of<"data">, longest: number): ToolResult {
  const text = JSON.stringify(result.value);
  if (text === undefined || text.length <= longest) return result;
  const { error, error_type, ...rest } = (result.value ?? {}) as Record<string, unknown>;
  if (result.isError && typeof error === "string" && typeof error_type === "string") {
    return { ...result, value: { error: cutText(error, longest), error_type, ...rest } };
  }
  const cut = cutText(text, longest);
  if (result.isError) return { ...result, value: cut };
  const { toolCallId, name, metadata } = result;
  return { toolCallId, name, kind: "text", value: cut, ...(metadata && { metadata }) };
}

/** Media do not count. The limit is spent on the blocks in order. */
function cutBlocks(result: Of<"multimodal">, longest: number): ToolResult {
  let remaining = longest;
  const value = result.value.map((block): ContentBlock => {
    const text = textOf(block);
    if (text === undefined) return block;
    const fits = text.length <= remaining;
    const cut = fits ? block : ({ type: "text", text: cutText(text, remaining) } as ContentBlock);
    remaining = Math.max(remaining - text.length, 0);
    return cut;
  });
  return { ...result, value };
}

function textOf(block: ContentBlock): string | undefined {
  if (block.type === "text") return block.text;
  return block.type === "data" ? JSON.stringify(block.value) : undefined;
}

/** The start and the end of a text, with a note between them that states how many characters are omitted. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const note = (kept: number) =>
    `\n[${text.length - kept} of ${text.length} characters were left out here: ask for a smaller part of the result.]\n`;
  const remaining = Math.max(longest - note(0).length, 0);
  const head = wholeCharacters(text, Math.ceil(remaining / 2));
  const tail = wholeCharacters(text, text.length - Math.floor(remaining / 2));
  return text.slice(0, head) + note(head + text.length - tail) + text.slice(tail);
}

/** Adjusts a position so that it does not split a surrogate pair. */
function wholeCharacters(text: string, position: number): number {
  const isLow = (text.charCodeAt(position) & 0xfc00) === 0xdc00;
  return isLow ? position + 1 : position;
}
