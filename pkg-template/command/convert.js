// Converts each kind of input, as text.

import * as toolwire from "toolwire";
import { bases } from "../../build/generated/facts.js";
import { Stop } from "./exits.js";
import { memberText } from "./json-text.js";
import { withoutPath } from "./report.js";

/** Converts `input` (`{ bytes, value }`) to text. Warnings are passed to `conversion.onWarning`. */
export function convert(kind, input, conversion) {
  return converters[kind](input, conversion);
}

const converters = {
  request: ({ bytes }, conversion) => decode(toolwire.convertRequest(bytes, conversion)),
  response: ({ bytes }, conversion) => decode(toolwire.convertResponse(bytes, conversion)),
  error: ({ bytes }, conversion) => {
    if (!toolwire.convertError) throw new Stop("conversion", "this version of toolwire does not convert errors");
    return decode(toolwire.convertError(bytes, conversion));
  },
  tools: convertTools,
};

const decode = (bytes) => new TextDecoder().decode(bytes);

/** A minimal conversation for formats that don't use `messages`. */
const contents = '"contents":[{"role":"user","parts":[{"text":"Hi"}]}]';
const turns = { gemini: contents, "openai-responses": '"input":"Hi"' };
const messages = '"messages":[{"role":"user","content":"Hi"}]';

/** Tool definitions are converted as part of a minimal request. */
function convertTools({ bytes, value }, { onWarning, ...conversion }) {
  if (value === undefined) return decode(toolwire.convertRequest(bytes, conversion));
  const text = decode(bytes);
  const tools = Array.isArray(value) ? text : memberText(text, "tools");
  if (!Array.isArray(value) && !Array.isArray(value?.tools)) {
    throw new Stop("conversion", "expected an array of tools, or an object whose field tools is one");
  }
  const pathOf = (path) => (Array.isArray(value) ? path.slice("/tools".length) : path);
  const concernsTools = ({ path }) => path.startsWith("/tools");
  try {
    const request = toolwire.convertRequest(
      `{${turns[bases[conversion.from] ?? conversion.from] ?? messages},"tools":${tools}}`,
      {
        ...conversion,
        onWarning: (warning) => concernsTools(warning) && onWarning({ ...warning, path: pathOf(warning.path) }),
      },
    );
    return memberText(request, "tools") ?? "[]";
  } catch (error) {
    if (!(error instanceof toolwire.ToolwireError) || !concernsTools(error)) throw error;
    throw new toolwire.ToolwireError(error.code, withoutPath(error), pathOf(error.path), error.dialect);
  }
}
