// Errors in streams, for clients that overlook the event.

import type { Dialect } from "#conversions";

const decoder = new TextDecoder();

/** The last event, if it is an error in Google's format. */
const googleError = /(?:^|\n)data: ?(\{\s*"error"\s*:.*\})\s*$/;

/** How an error ends a stream. Formats that are not listed have an event for it that all clients read. */
const errors: { readonly [dialect in Dialect]?: RegExp } = { gemini: googleError, vertexai: googleError };

/**
 * The error that ends these events, as JSON without `data:`. Google's servers send it so, and it is the only form that `@google/genai` reads before
 * version 2.32, which Gemini CLI contains (2.20 and 1.52 were checked): for them, a stream without it is a whole response. As a field without a name that
 * is known, other readers of events skip it.
 */
export function plainError(dialect: Dialect, events: Uint8Array): string | undefined {
  const pattern = errors[dialect];
  return pattern && events.length > 0 ? pattern.exec(decoder.decode(events))?.[1] : undefined;
}
