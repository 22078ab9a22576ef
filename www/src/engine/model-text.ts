// Reads calls in the text of a model, with the package's entry point for text, which is loaded when such text is first pasted.

import { isPage } from "../../../pkg-template/formats/stream-text.js";
import { responseOfRead } from "./text-response.ts";

/** What the formats of calls in text begin with. */
const marks = /<\|?[\w-]*(?:tool|func|invoke|call|action)[\w|-]*|\[TOOL_CALLS\]|<｜tool/i;

/** A canonical response with what was read. Undefined if the text has no calls. */
export async function responseOfText(text: string): Promise<{ text: string; step: string } | undefined> {
  if (!marks.test(text) || isPage(text)) return undefined;
  const { parseToolText } = await import("toolwire/text");
  const read = parseToolText(text, { format: "auto" });
  const { toolCalls, invalidToolCalls, format } = read;
  const count = toolCalls.length + invalidToolCalls.length;
  if (count === 0) return undefined;
  return {
    text: responseOfRead(read),
    step: `as the text of a model with ${count} ${count === 1 ? "call" : "calls"} (${format})`,
  };
}
