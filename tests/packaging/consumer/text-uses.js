// Uses of `toolwire/text` with the same outcome in every runtime, however it is loaded.

/** @typedef {typeof import("toolwire/text")} Package */

const tools = [
  {
    name: "get_weather",
    parameters: { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } },
  },
];
const request = {
  model: "m",
  max_tokens: 100,
  messages: [{ role: "user", content: "Rain?" }],
  tools: tools.map(({ name, parameters }) => ({ name, input_schema: parameters })),
};
const output =
  "Look:\n<tool_call>\n<function=get_weather>\n<parameter=city>\nZürich\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>";

/** @param {Package} text */
export async function outcomes(text) {
  /** @type {Record<string, unknown>} */
  const all = {};
  for (const [name, use] of Object.entries({ reading, whole, streamed, writing, error })) {
    try {
      all[name] = await use(text);
    } catch (failure) {
      all[name] = String(failure);
    }
  }
  return all;
}

/** @param {Package} text */
function reading({ parseToolText, readToolText, textFormatOf, TEXT_FORMATS }) {
  const format = textFormatOf("Qwen3-Coder-30B") ?? "none";
  const parsed = parseToolText(output, { format, tools });
  const reader = readToolText({ format, tools });
  const events = [...[...output].flatMap((letter) => reader.push(letter)), ...reader.end()];
  const types = [...new Set(events.map(({ type }) => type))];
  return {
    format,
    arguments: parsed.toolCalls.map((call) => call.arguments),
    types,
    isListed: TEXT_FORMATS.length > 50,
  };
}

/** @param {Package} text */
const conversionOf = ({ contextOf }) => {
  const there = /** @type {const} */ ({ from: "anthropic", to: "openai", simulateTools: "qwen3_xml" });
  const context = contextOf(request, there);
  return {
    there,
    back: /** @type {const} */ ({ from: "openai", to: "anthropic", simulateTools: "qwen3_xml", context }),
  };
};

/** @param {Package} text */
function whole(text) {
  const { there, back } = conversionOf(text);
  const body = text.convertRequest(request, there);
  const message = { role: "assistant", content: output };
  const response = { id: "r", choices: [{ index: 0, message, finish_reason: "stop" }] };
  const converted = text.convertResponse(response, back);
  const call = converted.content.find((/** @type {any} */ { type }) => type === "tool_use");
  return {
    hasTools: "tools" in body,
    roles: body.messages.map((/** @type {any} */ { role }) => role),
    reason: converted.stop_reason,
    input: /** @type {any} */ (call)?.input,
  };
}

/** @param {Package} text */
async function streamed(text) {
  const { back } = conversionOf(text);
  /** @param {object} delta */
  const chunk = (delta, finish_reason = /** @type {string | null} */ (null)) =>
    `data: ${JSON.stringify({ id: "r", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const chunks = [...[...output].map((content) => chunk({ content })), chunk({}, "stop"), "data: [DONE]\n\n"];
  const encoder = new TextEncoder();
  const source = new ReadableStream({
    start(controller) {
      for (const piece of chunks) controller.enqueue(encoder.encode(piece));
      controller.close();
    },
  });
  const piped = await new Response(source.pipeThrough(text.convertStream(back).transform())).text();
  const reader = text.readStream({ from: "anthropic" });
  reader.push(piped);
  const { toolCalls, finishReason, text: rest } = reader.finish();
  return { arguments: toolCalls.map((call) => call.arguments), finishReason, rest: rest.trim() };
}

/** @param {Package} text */
function writing({ toolPrompt, callsAsText, resultsAsText }) {
  const format = "hermes_json";
  const call = { id: "c", name: "get_weather", arguments: { city: "Zürich" } };
  return {
    hasPrompt: toolPrompt(tools, { format }).includes("get_weather"),
    call: callsAsText({ role: "assistant", content: "", toolCalls: [call] }, format),
    result: resultsAsText([{ toolCallId: "c", name: "get_weather", kind: "text", value: "<tool_call>" }], format),
  };
}

/** @param {Package} text */
function error({ simulateTools, ToolwireError }) {
  try {
    simulateTools("hermes");
    return "nothing";
  } catch (/** @type {any} */ thrown) {
    return { ofItsClass: thrown instanceof ToolwireError, name: thrown.name, code: thrown.code, path: thrown.path };
  }
}
