// Errors in streams, for clients that skip them as events.

import type { Dialect } from "#conversions";

const decoder = new TextDecoder();

/** The last event, if it is an error in Google's format. */
const googleError = /(?:^|\n)data: ?(\{\s*"error"\s*:.*\})\s*$/;

/** The error at the end of a stream, by the format of the client. Other formats have an event for it that all clients read. */
const errors: { readonly [dialect in Dialect]?: RegExp } = { gemini: googleError, vertexai: googleError };

/**
 * The error that ends these events, as JSON without `data:`. Google's servers send it so, and older versions of `@google/genai` (1.52 and 2.20 were
 * checked; 2.32 reads both) read no other form. Gemini CLI 0.61 contains such a version: without this, it takes a response that broke off for a whole one.
 * Readers of server-sent events skip the line, because it is no field that they know.
 */
export function plainError(dialect: Dialect, events: Uint8Array): string | undefined {
  const pattern = errors[dialect];
  return pattern && events.length > 0 ? pattern.exec(decoder.decode(events))?.[1] : undefined;
}
