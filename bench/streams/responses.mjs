// Generated streams of responses in the providers' formats: a text in small deltas, two calls in fragments, usage.

const english =
  "I will read the two modules first, then run the tests that fail, and only after that change the parser. ";
const japanese = "まず二つのモジュールを読み、失敗するテストを実行してから、構文解析器を変更します。";

/** Text in tokens: a word with the space before it, or two or three characters in languages without spaces. */
const tokensOf = {
  english: english.match(/ ?[^ ]+/g),
  japanese: japanese.match(/.{1,3}/gu),
};
export const languages = Object.keys(tokensOf);

const deltas = 300;
const fragments = 40;

function textOf(language) {
  const tokens = tokensOf[language];
  return Array.from({ length: deltas }, (_, index) => (index % 25 === 24 ? "\n" : tokens[index % tokens.length]));
}

function callsOf(language) {
  return ["src/parser.rs", "tests/parser.rs"].map((path, index) => {
    const change = language === "japanese" ? japanese : english;
    const json = JSON.stringify({ path, pattern: 'fn \\w+\\("[a-z]+"', change: change.repeat(2), limit: 100 });
    const length = Math.ceil(json.length / fragments);
    const pieces = json.match(new RegExp(`[^]{1,${length}}`, "gu"));
    return { id: `call_0Bx3Zk9QmPfT7LwRvD${index}`, name: index === 0 ? "read_file" : "edit_file", pieces };
  });
}

/** An OpenAI stream: the first chunk has the role, the last has the usage. */
function openai(language) {
  const head = {
    id: "chatcmpl-CbX9Qm3ZkPfT7LwRvD0Bx3Zk9QmPf",
    object: "chat.completion.chunk",
    created: 1763000000,
    model: "model-1-2026-10-01",
    service_tier: "default",
    system_fingerprint: "fp_3f2a1b9c8d",
  };
  const chunk = (delta, finish_reason = null) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: null,
    obfuscation: "kV3wQ9",
  });
  const fragment = (index, call) => chunk({ tool_calls: [{ index, ...call }] });
  const events = [chunk({ role: "assistant", content: "", refusal: null })];
  for (const content of textOf(language)) events.push(chunk({ content }));
  for (const [index, { id, name, pieces }] of callsOf(language).entries()) {
    events.push(fragment(index, { id, type: "function", function: { name, arguments: "" } }));
    for (const piece of pieces) events.push(fragment(index, { function: { arguments: piece } }));
  }
  events.push(chunk({}, "tool_calls"));
  const prompt_tokens_details = { cached_tokens: 1024, audio_tokens: 0 };
  const completion_tokens_details = { reasoning_tokens: 0, audio_tokens: 0 };
  const usage = { prompt_tokens: 1480, completion_tokens: 412, total_tokens: 1892 };
  events.push({ ...head, choices: [], usage: { ...usage, prompt_tokens_details, completion_tokens_details } });
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), "data: [DONE]\n\n"];
}

/** An Anthropic stream: blocks one after another, each event with its name. */
function anthropic(language) {
  const usage = { input_tokens: 456, cache_creation_input_tokens: 0, cache_read_input_tokens: 1024, output_tokens: 1 };
  const message = {
    model: "model-1-2026-10-01",
    id: "msg_01AbCdEfGhIjKlMnOpQrStUv",
    type: "message",
    role: "assistant",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const events = [{ type: "message_start", message }];
  const block = (index, content_block, values) => {
    events.push({ type: "content_block_start", index, content_block });
    for (const delta of values) events.push({ type: "content_block_delta", index, delta });
    events.push({ type: "content_block_stop", index });
  };
  const text = textOf(language).map((value) => ({ type: "text_delta", text: value }));
  block(0, { type: "text", text: "" }, text);
  events.splice(2, 0, { type: "ping" });
  for (const [index, { id, name, pieces }] of callsOf(language).entries()) {
    const inputs = ["", ...pieces].map((partial_json) => ({ type: "input_json_delta", partial_json }));
    block(index + 1, { type: "tool_use", id, name, input: {} }, inputs);
  }
  const ending = { stop_reason: "tool_use", stop_sequence: null };
  events.push({ type: "message_delta", delta: ending, usage: { ...usage, output_tokens: 412 } });
  events.push({ type: "message_stop" });
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

const sources = { openai, anthropic };
const encoder = new TextEncoder();

/** The events of a streamed response, each as bytes. */
export const eventsOf = (source, language) => sources[source](language).map((event) => encoder.encode(event));

/** Ways to read a stream: event by event, or in pieces of a size. */
export const reads = { "an event": undefined, "1 kB": 1000, "64 kB": 64_000 };

export function piecesOf(events, size) {
  if (size === undefined) return events;
  const bytes = Buffer.concat(events);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => {
    return new Uint8Array(bytes.subarray(index * size, (index + 1) * size));
  });
}
