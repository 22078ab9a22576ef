// Detects the format of the events of a stream.

import { bases } from "../../build/generated/facts.js";
import { matches } from "../formats/patterns.js";
import { Stop } from "./exits.js";

const types = (names) => names.map((name) => `type=${name}`).join("|");

const formats = {
  canonical: types(
    ["start", "textDelta", "refusalDelta", "reasoningDelta", "reasoningEnd", "toolCallStart", "toolCallDelta"].concat([
      "toolCallEnd",
      "block",
      "usage",
      "finish",
      "native",
    ]),
  ),
  openai: "choices:array|object=chat.completion.chunk",
  "openai-responses": "type~^response\\.",
  anthropic: types(
    ["message_start", "message_delta", "message_stop", "content_block_start", "content_block_delta"].concat([
      "content_block_stop",
      "ping",
    ]),
  ),
  bedrock: "messageStart|contentBlockStart|contentBlockDelta|contentBlockStop|messageStop|metadata.usage",
  cohere: types(
    ["message-start", "content-start", "content-delta", "content-end", "tool-plan-delta", "tool-call-start"].concat([
      "tool-call-delta",
      "tool-call-end",
      "message-end",
    ]),
  ),
  gemini: "candidates|promptFeedback|usageMetadata",
  "gemini-interactions": "event_type",
  ollama: "done:boolean",
};

/** The format of an event, or undefined if it matches none. */
function formatOf(event) {
  return Object.keys(formats).find((name) => matches(event, formats[name]));
}

export function detectStream(event) {
  const format = formatOf(event);
  if (format === undefined) throw new Stop("unrecognised", "the format of the stream is not recognised. Give --from");
  return format;
}

/** The format of an event that can't be of the given format. */
export function otherStream(event, from) {
  const own = bases[from] ?? from;
  const format = event && formatOf(event);
  return format !== own && !(formats[own] && matches(event, formats[own])) ? format : undefined;
}

/** Whether a line of JSON is part of a stream: Ollama's, Bedrock's, or the events of this package. */
export const isStreamLine = (value) =>
  matches(value, formats.ollama) ||
  matches(value, formats.bedrock) ||
  (matches(value, formats.canonical) && !matches(value, "role"));
