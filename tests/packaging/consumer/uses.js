// Uses of `toolwire` with the same outcome in every runtime. `toolwire` is the package, however it was loaded.

/** @typedef {typeof import("toolwire")} Package */

/** The outcome of each kind of use; for a failure its message, so that it does not hide the others. @param {Package} toolwire */
export async function outcomes(toolwire) {
  /** @type {Record<string, unknown>} */
  const all = {};
  for (const [name, use] of Object.entries({ whole, stream, error })) {
    try {
      all[name] = await use(toolwire);
    } catch (failure) {
      all[name] = String(failure);
    }
  }
  return all;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// A JavaScript number can't hold all digits of the maximum: text and bytes keep them.
const request = `{"model":"m","max_completion_tokens":9,"messages":[
{"role":"user","content":"Weather in Zürich?"},
{"role":"assistant","content":null,"tool_calls":[
{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\\"city\\":\\"Zürich\\"}"}}]},
{"role":"tool","tool_call_id":"call_1","content":"22 °C"}],
"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object",
"properties":{"city":{"type":"string"},"days":{"type":"integer","maximum":9007199254740993}}}}}],
"seed":7}`;

/** Converts a whole body, as object, as text and as bytes. @param {Package} toolwire */
function whole({ convertRequest }) {
  /** @type {unknown[]} */
  const warnings = [];
  /** @type {import("toolwire").Conversion} */
  const options = { from: "openai", to: "anthropic", onWarning: ({ code, path }) => warnings.push(`${code} ${path}`) };
  const object = convertRequest(JSON.parse(request), options);
  const text = convertRequest(request, options);
  const bytes = decoder.decode(convertRequest(encoder.encode(request), options));
  return { object, text, bytes: bytes === text ? "the same" : bytes, warnings };
}

const events = [
  { type: "message_start", message: { id: "msg_1", role: "assistant", model: "m", content: [] } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Grüße" } },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "c1", name: "f", input: {} } },
  { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"city":' } },
  { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '"Zürich"}' } },
  { type: "content_block_stop", index: 1 },
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } },
  { type: "message_stop" },
];

/** A response as a network delivers it: in pieces that end in the middle of a character. @param {unknown[]} events */
function response(events) {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const bytes = encoder.encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + 7));
      else controller.close();
      at += 7;
    },
  });
}

/** Converts a stream, and reads a stream. @param {Package} toolwire */
async function stream({ convertStream, streamEvents }) {
  const through = convertStream({ from: "anthropic", to: "openai" }).transform();
  const converted = await new Response(response(events).pipeThrough(through)).text();
  const read = [];
  for await (const event of streamEvents(response(events), { from: "anthropic" })) read.push(event);
  return { converted: deltasOf(converted), read };
}

/** The delta of each event, and the finish reason. @param {string} text */
function deltasOf(text) {
  const data = text
    .trimEnd()
    .split("\n\n")
    .map((event) => event.slice("data: ".length));
  const end = data.pop();
  const choices = data.flatMap((event) => JSON.parse(event).choices);
  return { deltas: choices.map(({ delta }) => delta), finish: choices.at(-1).finish_reason, end };
}

/** Errors that are thrown, and errors of a stream, with their class. @param {Package} toolwire */
async function error({ convertRequest, convertStream, fromAnthropic, ToolwireError }) {
  /** @param {any} thrown */
  const fieldsOf = (thrown) => ({
    ofItsClass: thrown instanceof ToolwireError && thrown instanceof Error,
    name: thrown.name,
    code: thrown.code,
    path: thrown.path,
    dialect: thrown.dialect,
  });
  const thrown = [];
  for (const attempt of [
    () => convertRequest('{"messages":[{"role":"user","content":7}]}', { from: "openai", to: "gemini" }),
    () => fromAnthropic(/** @type {any} */ ({ role: "assistant", content: [{ type: "tool_use", name: 7 }] })),
    () => {
      const through = convertStream({ from: "anthropic", to: "openai" }).transform();
      return response([{ type: "message_start", message: 7 }])
        .pipeThrough(through)
        .getReader()
        .read();
    },
  ]) {
    try {
      await attempt();
      thrown.push("nothing");
    } catch (error) {
      thrown.push(fieldsOf(error));
    }
  }
  return thrown;
}
