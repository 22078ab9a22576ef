// Requests that count tokens, and their responses. Nothing of them is replayed, so they may be parsed.

import { convertRequest, ToolwireError } from "../../build/generated/toolwire/api.js";

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const INNER = "generateContentRequest";

const picked = (fields) => (request) => {
  return Object.fromEntries(fields.filter((name) => name in request).map((name) => [name, request[name]]));
};
const same = (body) => body;

/**
 * The formats whose providers count: what a request contains, what it is a part of, and the field of the count.
 * Sources: MessageCountTokensParams of @anthropic-ai/sdk, TokenCountsBody of OpenAI's API description, CountTokensRequest of Google's.
 */
const counting = {
  anthropic: {
    request: same,
    body: picked([
      "model",
      "system",
      "messages",
      "tools",
      "tool_choice",
      "thinking",
      "output_config",
      "cache_control",
      "speed",
    ]),
    count: "input_tokens",
  },
  "openai-responses": {
    request: same,
    body: picked([
      ...["model", "instructions", "input", "tools", "tool_choice", "parallel_tool_calls", "text", "reasoning"],
      ...["previous_response_id", "conversation", "truncation"],
    ]),
    count: "input_tokens",
    more: { object: "response.input_tokens" },
  },
  gemini: {
    request: ({ [INNER]: inner, ...body }) => inner ?? body,
    // without it, only contents are counted
    body: ({ model, ...request }) => ({
      [INNER]: { ...(model && { model: `models/${model}` }), ...request },
    }),
    count: "totalTokens",
  },
  vertexai: {
    request: same,
    body: picked(["contents", "systemInstruction", "tools", "generationConfig"]),
    count: "totalTokens",
  },
  canonical: { request: same, body: same, count: "input" },
};

export function convertCountRequest(body, conversion) {
  check(conversion);
  const target = counting[conversion.to];
  if (!target) return undefined;
  const { request = same } = counting[conversion.from] ?? {};
  const asked = request(parsed(body));
  const model = (conversion.model ?? asked.model)?.replace(/^models\//, "");
  const named = model === undefined ? {} : { model };
  const converted = convertRequest(asked, { ...conversion, ...named, stream: undefined });
  return like(body, target.body({ ...converted, ...named }));
}

export function convertCountResponse(body, conversion) {
  check(conversion);
  const [source, target] = [conversion.from, conversion.to].map((name) => counting[name] ?? unknown(name));
  const tokens = parsed(body)[source.count];
  if (typeof tokens === "number") return like(body, { ...target.more, [target.count]: tokens });
  const path = `/${source.count}`;
  throw new ToolwireError("missing_field", `${path}: expected the number of tokens`, path, conversion.from);
}

function check(conversion) {
  if (typeof conversion === "object" && conversion !== null) return;
  throw new ToolwireError("invalid_value", "expected an object with the formats `from` and `to`", "");
}

function unknown(name) {
  throw new ToolwireError("unsupported", `${name} has no counts of tokens`, "");
}

const isBytes = (body) => ArrayBuffer.isView(body) || body instanceof ArrayBuffer;

function parsed(body) {
  if (typeof body === "object" && body !== null && !isBytes(body)) return body;
  try {
    const value = JSON.parse(typeof body === "string" ? body : decoder.decode(body));
    if (typeof value === "object" && value !== null) return value;
  } catch {}
  throw new ToolwireError("invalid_json", "expected a JSON object", "");
}

/** The value in the form of the body. */
function like(body, value) {
  if (typeof body === "string") return JSON.stringify(value);
  return isBytes(body) ? encoder.encode(JSON.stringify(value)) : value;
}
