// Assembles a recorded stream without the package: `{ text, calls: [{ name, arguments }], finish }`.

const openAIFinish = { stop: "stop", length: "length", tool_calls: "tool_calls", content_filter: "content_filter" };
const anthropicFinish = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  tool_use: "tool_calls",
  refusal: "refusal",
  pause_turn: "pause",
};

function ofOpenAI(chunks) {
  let text = "";
  let finish;
  let refusal = "";
  const calls = [];
  for (const choice of chunks.flatMap((chunk) => chunk.choices).filter(({ index }) => index === 0)) {
    text += choice.delta.content ?? "";
    refusal += choice.delta.refusal ?? "";
    finish = choice.finish_reason ?? finish;
    for (const { index, function: part } of choice.delta.tool_calls ?? []) {
      calls[index] ??= { name: part.name, text: "" };
      calls[index].text += part.arguments ?? "";
    }
  }
  const reason = refusal && finish === "stop" ? "refusal" : openAIFinish[finish];
  return { text, calls: calls.map(parsed), finish: reason };
}

function ofAnthropic(events) {
  const blocks = [];
  let finish;
  for (const event of events) {
    if (event.type === "content_block_start") blocks[event.index] = { ...event.content_block, json: "" };
    if (event.type === "content_block_delta") {
      const block = blocks[event.index];
      if (event.delta.type === "text_delta") block.text += event.delta.text;
      if (event.delta.type === "input_json_delta") block.json += event.delta.partial_json;
    }
    if (event.type === "message_delta") finish = event.delta.stop_reason ?? finish;
  }
  const texts = blocks.filter(({ type }) => type === "text").map(({ text }) => text);
  const calls = blocks.filter(({ type }) => type === "tool_use");
  return {
    text: texts.join(""),
    calls: calls.map(({ name, json }) => parsed({ name, text: json })),
    finish: anthropicFinish[finish],
  };
}

function ofBedrock(events) {
  const blocks = [];
  let finish;
  for (const { contentBlockStart: start, contentBlockDelta: delta, messageStop: stop } of events) {
    if (start) blocks[start.contentBlockIndex] = { ...start.start.toolUse, text: "", json: "" };
    if (delta) {
      blocks[delta.contentBlockIndex] ??= { text: "", json: "" };
      const block = blocks[delta.contentBlockIndex];
      block.text += delta.delta.text ?? "";
      block.json += delta.delta.toolUse?.input ?? "";
    }
    finish = stop?.stopReason ?? finish;
  }
  const calls = blocks.filter(({ name }) => name !== undefined);
  return {
    text: blocks.map(({ text }) => text).join(""),
    calls: calls.map(({ name, json }) => parsed({ name, text: json })),
    finish: anthropicFinish[finish],
  };
}

function ofGemini(chunks) {
  const candidates = chunks.map(({ candidates: [candidate] = [] }) => candidate).filter(Boolean);
  const parts = candidates.flatMap(({ content }) => content?.parts ?? []);
  const calls = parts.filter(({ functionCall }) => functionCall).map(({ functionCall }) => functionCall);
  const finish = candidates.map(({ finishReason }) => finishReason).findLast(Boolean);
  const stop = calls.length > 0 ? "tool_calls" : "stop";
  return {
    text: parts.map(({ text, thought }) => (thought ? "" : (text ?? ""))).join(""),
    calls: calls.map(({ name, args }) => ({ name, arguments: args ?? {} })),
    finish: { STOP: stop, MAX_TOKENS: "length" }[finish],
  };
}

/** Assembled from the deltas by item index. The response in the last event must be equal. */
function ofOpenAIResponses(events) {
  const items = [];
  let response;
  for (const event of events) {
    const { output_index: index, delta } = event;
    if (event.type === "response.output_item.added") items[index] = { ...event.item, text: "" };
    if (event.type === "response.output_text.delta") items[index].text += delta;
    if (event.type === "response.function_call_arguments.delta") items[index].text += delta;
    response = event.response ?? response;
  }
  const calls = items.filter(({ type }) => type === "function_call");
  const text = items.map(({ type, text }) => (type === "message" ? text : "")).join("");
  const whole = response.output.flatMap(({ content, arguments: args }) =>
    args === undefined ? (content ?? []).map((part) => part.text) : [args],
  );
  const found = items.flatMap(({ type, text }) => (["message", "function_call"].includes(type) ? [text] : []));
  if (JSON.stringify(whole) !== JSON.stringify(found)) throw new Error(`${found} is not ${whole}`);
  const ends = { completed: calls.length > 0 ? "tool_calls" : "stop", max_output_tokens: "length" };
  return { text, calls: calls.map(parsed), finish: ends[response.incomplete_details?.reason ?? response.status] };
}

const parsed = ({ name, text }) => ({ name, arguments: JSON.parse(text || "{}") });

export const assembled = {
  openai: ofOpenAI,
  "openai-responses": ofOpenAIResponses,
  anthropic: ofAnthropic,
  bedrock: ofBedrock,
  gemini: ofGemini,
};
