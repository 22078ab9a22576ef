// How bodies of the four stages are named.

import { isBinary, textOfMessages } from "../../http/binary-messages.ts";

/** The stages with a body, in order: how each is named, and whose format it has. */
export const stages = {
  received: { what: "request", dialect: ({ from }) => from },
  sent: { what: "request", dialect: ({ to }) => to },
  returned: { what: "response", dialect: ({ to }) => to },
  delivered: { what: "response", dialect: ({ from }) => from },
};

/** The text of an event's body, and whether it is JSON. Undefined for an event without one. */
export function bodyOf(event) {
  if (!Object.hasOwn(stages, event.stage) || event.body === undefined) return undefined;
  const text = isBinary(event.body) ? textOfMessages(event.body) : new TextDecoder().decode(event.body);
  return { text, isJson: /^\s*[[{]/.test(text) && !/\n\s*[[{]/.test(text.trim()) };
}
