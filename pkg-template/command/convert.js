// Converts each kind of input, as text.

import * as toolwire from "toolwire";
import { bases } from "../../build/generated/facts.js";
import { Stop } from "./exits.js";
import { memberText } from "./json-text.js";
import { withoutPath } from "./report.js";

/**
 * Converts `input` (`{ bytes, value }`) to text. Warnings are passed to `conversion.onWarning`. `inRequest` converts the request that contains tools.
 */
export function convert(kind, input, conversion, inRequest = toolwire.convertRequest) {
  return converters[kind](input, conversion, inRequest);
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
const input = '"input":"Hi"';
const turns = {
  gemini: contents,
  "openai-responses": input,
  "gemini-interactions": input,
  bedrock: '"messages":[{"role":"user","content":[{"text":"Hi"}]}]',
};
const messages = '"messages":[{"role":"user","content":"Hi"}]';

/** The object that holds the tools of a format, if it is not the request. */
export const toolHolders = { bedrock: "toolConfig" };
const baseOf = (dialect) => bases[dialect] ?? dialect;

/** The tools of a request in this format: JSON text of an array. */
export function toolsIn(request, dialect) {
  const holder = toolHolders[baseOf(dialect)];
  const object = holder ? memberText(request, holder) : request;
  return (object && memberText(object, "tools")) ?? "[]";
}

/** Tool definitions are converted as part of a minimal request. */
function convertTools({ bytes, value }, { onWarning, ...conversion }, inRequest) {
  if (value === undefined) return decode(toolwire.convertRequest(bytes, conversion));
  const text = decode(bytes);
  const tools = Array.isArray(value) ? text : memberText(text, "tools");
  if (!Array.isArray(value) && !Array.isArray(value?.tools)) {
    throw new Stop("conversion", "expected an array of tools, or an object whose field tools is one");
  }
  const holder = toolHolders[baseOf(conversion.from)];
  const prefix = holder ? `/${holder}` : "";
  const pathOf = (path) => path.slice(prefix.length + (Array.isArray(value) ? "/tools".length : 0));
  const concernsTools = ({ path }) => path.startsWith(`${prefix}/tools`);
  const given = holder ? `"${holder}":{"tools":${tools}}` : `"tools":${tools}`;
  try {
    const request = inRequest(`{${turns[baseOf(conversion.from)] ?? messages},${given}}`, {
      ...conversion,
      onWarning: (warning) => concernsTools(warning) && onWarning({ ...warning, path: pathOf(warning.path) }),
    });
    return toolsIn(request, conversion.to);
  } catch (error) {
    if (!(error instanceof toolwire.ToolwireError) || !concernsTools(error)) throw error;
    throw new toolwire.ToolwireError(error.code, withoutPath(error), pathOf(error.path), error.dialect);
  }
}
