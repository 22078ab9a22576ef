// Writes the responses of `stream-scenarios.mjs` like each provider's stream: from the providers' own descriptions, without this package.

import { binaryFrames } from "./binary-frames.mjs";
import { stopReasons } from "./gateway/upstreams/anthropic.mjs";
import { stopReasons as bedrockReasons } from "./gateway/upstreams/bedrock.mjs";
import { finishReasons } from "./gateway/upstreams/cohere.mjs";
import { gemini, interactions } from "./stream-sources-google.mjs";

const joined = (block) => block.pieces.join("");
const argumentsOf = (block) => JSON.parse(joined(block) || "{}");
const only = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** Interleaves the fragments of all calls: the first of each, the second of each … */
function inTurns(calls) {
  const most = Math.max(0, ...calls.map(({ block }) => block.pieces.length));
  const rounds = Array.from({ length: most }, (_, round) => round);
  return rounds.flatMap((round) =>
    calls.filter(({ block }) => round < block.pieces.length).map((one) => ({ ...one, piece: one.block.pieces[round] })),
  );
}

function openAI(answer) {
  const chunk = (choices, usage = null) => ({
    id: answer.id,
    object: "chat.completion.chunk",
    created: 1,
    model: answer.model,
    choices,
    usage,
  });
  const delta = (fields, finish_reason = null) => chunk([{ index: 0, delta: fields, finish_reason }]);
  const begin = ({ block, index }) =>
    delta({
      tool_calls: [{ index, id: block.id, type: "function", function: { name: block.name, arguments: "" } }],
    });
  const argument = ({ index, piece }) => delta({ tool_calls: [{ index, function: { arguments: piece } }] });
  const whole = ({ block, index }) => {
    const { id, name } = block;
    return { index, id, type: "function", function: { name, arguments: joined(block) } };
  };
  const callsOf = (group) =>
    answer.together
      ? [delta({ tool_calls: group.map(whole) })]
      : [...group.map(begin), ...inTurns(group).map(argument)];
  const keys = { text: "content", refusal: "refusal", reasoning: "reasoning_content" };

  const calls = answer.blocks
    .filter(({ type }) => type === "call")
    .map(({ pieces, ...call }, index) => ({ block: { ...call, pieces: pieces.length ? pieces : ["{}"] }, index }));
  const groups = answer.interleaved || answer.together ? [calls] : calls.map((one) => [one]);
  const events = [
    ...(answer.blocks.length ? [delta({ role: "assistant", content: "", refusal: null })] : []),
    ...answer.blocks
      .filter(({ type }) => type !== "call")
      .flatMap(({ type, pieces }) => pieces.map((piece) => delta({ [keys[type]]: piece }))),
    ...groups.flatMap(callsOf),
  ];
  if (answer.isCut) return events;
  if (answer.error) {
    const { code, message } = answer.error;
    return [...events, { error: { message, type: "server_error", param: null, code: OPENAI_ERRORS[code] } }];
  }
  const { input, output, cached, reasoning } = answer.usage;
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
  const finish = { refusal: "stop" }[answer.finish] ?? answer.finish;
  if (answer.endsWithLast) events.at(-1).choices[0].finish_reason = finish;
  else events.push(delta({}, finish));
  return [...events, chunk([], usage)];
}
/** Thinking is among the texts, calls are whole, and the last chunk has the counts. */
function mistral(answer) {
  const chunk = (delta, last = {}) => ({
    id: answer.id,
    object: "chat.completion.chunk",
    created: 1,
    model: answer.model,
    choices: [{ index: 0, delta, finish_reason: null, ...last.choice }],
    ...last.fields,
  });
  const calls = answer.blocks.filter(({ type }) => type === "call");
  const callOf = (block) => ({
    id: block.id,
    type: "function",
    index: calls.indexOf(block),
    function: { name: block.name, arguments: joined(block) || "{}" },
  });
  const deltas = {
    text: ({ pieces }) => pieces.map((content) => ({ content })),
    reasoning: ({ pieces }) =>
      pieces.map((text) => ({ content: [{ type: "thinking", thinking: [{ type: "text", text }] }] })),
    call: (block) => [{ tool_calls: [callOf(block)] }],
  };
  const all = answer.together
    ? [{ tool_calls: calls.map(callOf) }]
    : answer.blocks.flatMap((block) => deltas[block.type](block));
  const begin = answer.blocks.length ? [chunk({ role: "assistant", content: "" })] : [];
  const chunks = all.map((delta) => chunk(delta));
  if (answer.isCut) return [...begin, ...chunks];
  if (answer.error) {
    const { code, message } = answer.error;
    return [...begin, ...chunks, { object: "error", message, type: MISTRAL_ERRORS[code], param: null, code: null }];
  }
  const { input, output } = answer.usage;
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  const last = { choice: { finish_reason: answer.finish }, fields: { usage } };
  if (answer.endsWithLast) return [...begin, ...chunks.slice(0, -1), chunk(all.at(-1), last)];
  return [...begin, ...chunks, chunk({ content: "" }, last)];
}
const MISTRAL_ERRORS = { overloaded: "service_unavailable_error", rate_limit: "rate_limited" };
const OPENAI_ERRORS = { overloaded: "server_is_overloaded", rate_limit: "rate_limit_exceeded" };

function openAIResponses(answer) {
  const events = [];
  const add = (type, fields) => events.push({ type, sequence_number: events.length, ...fields });
  const response = (fields) => ({
    id: answer.id,
    object: "response",
    created_at: 1,
    model: answer.model,
    status: "in_progress",
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
    ...fields,
  });
  const textPart = (text) => ({ type: "output_text", text, annotations: [], logprobs: [] });
  const refusalPart = (refusal) => ({ type: "refusal", refusal });
  const message = (index, block, event, key, partOf) => {
    const place = { item_id: `msg_${index}`, output_index: index, content_index: 0 };
    const item = { id: `msg_${index}`, type: "message", status: "in_progress", content: [], role: "assistant" };
    add("response.output_item.added", { output_index: index, item });
    add("response.content_part.added", { ...place, part: partOf("") });
    for (const delta of block.pieces) add(`response.${event}.delta`, { ...place, delta, obfuscation: "x" });
    add(`response.${event}.done`, { ...place, [key]: joined(block) });
    add("response.content_part.done", { ...place, part: partOf(joined(block)) });
    return { ...item, status: "completed", content: [partOf(joined(block))] };
  };
  const callItem = (index, { id, name }) => {
    return { id: `fc_${index}`, type: "function_call", status: "in_progress", arguments: "", call_id: id, name };
  };
  const argument = (index, delta) =>
    add("response.function_call_arguments.delta", { item_id: `fc_${index}`, output_index: index, delta });
  const endCall = (index, block) => {
    const text = joined(block) || "{}";
    add("response.function_call_arguments.done", { item_id: `fc_${index}`, output_index: index, arguments: text });
    return { ...callItem(index, block), status: "completed", arguments: text };
  };
  const writers = {
    text: (index, block) => message(index, block, "output_text", "text", textPart),
    refusal: (index, block) => message(index, block, "refusal", "refusal", refusalPart),
    reasoning: (index, block) => {
      const item = { id: `rs_${index}`, type: "reasoning", summary: [] };
      const place = { item_id: item.id, output_index: index, summary_index: 0 };
      add("response.output_item.added", { output_index: index, item });
      add("response.reasoning_summary_part.added", { ...place, part: { type: "summary_text", text: "" } });
      for (const delta of block.pieces) add("response.reasoning_summary_text.delta", { ...place, delta });
      add("response.reasoning_summary_text.done", { ...place, text: joined(block) });
      const summary = [{ type: "summary_text", text: joined(block) }];
      add("response.reasoning_summary_part.done", { ...place, part: summary[0] });
      return { ...item, summary, encrypted_content: block.signature };
    },
    call: (index, block) => {
      add("response.output_item.added", { output_index: index, item: callItem(index, block) });
      for (const piece of block.pieces.length ? block.pieces : ["{}"]) argument(index, piece);
      return endCall(index, block);
    },
  };
  if (answer.blocks.length) {
    add("response.created", { response: response() });
    add("response.in_progress", { response: response() });
  }
  const output = [];
  const done = (index, item) => {
    output[index] = item;
    add("response.output_item.done", { output_index: index, item });
  };
  if (answer.interleaved) {
    const calls = answer.blocks.map((block, index) => ({ block, index }));
    for (const { block, index } of calls) {
      add("response.output_item.added", { output_index: index, item: callItem(index, block) });
    }
    for (const { index, piece } of inTurns(calls)) argument(index, piece);
    for (const { block, index } of calls) done(index, endCall(index, block));
  } else {
    for (const [index, block] of answer.blocks.entries()) done(index, writers[block.type](index, block));
  }
  // a stream that broke off ends neither the item nor its text
  if (answer.isCut) return events.slice(0, events.findLastIndex(({ type }) => type.endsWith(".delta")) + 1);
  if (answer.error) {
    const { code, message } = answer.error;
    add("error", { code: OPENAI_ERRORS[code], message, param: null });
    return events;
  }
  const { input, output: tokens, cached = 0, reasoning = 0 } = answer.usage;
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: tokens,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + tokens,
  };
  const reason = { length: "max_output_tokens", content_filter: "content_filter" }[answer.finish];
  if (reason) {
    const incomplete_details = { reason };
    add("response.incomplete", { response: response({ status: "incomplete", incomplete_details, output, usage }) });
  } else {
    add("response.completed", { response: response({ status: "completed", output, usage }) });
  }
  return events;
}

function anthropic(answer) {
  const { input, output, cached = 0, reasoning } = answer.usage;
  const usage = { input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: 1 };
  const message = {
    id: answer.id,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const starts = {
    text: () => ({ type: "text", text: "" }),
    reasoning: () => ({ type: "thinking", thinking: "", signature: "" }),
    call: ({ id, name }) => ({ type: "tool_use", id, name, input: {} }),
  };
  const deltas = {
    text: (text) => ({ type: "text_delta", text }),
    reasoning: (thinking) => ({ type: "thinking_delta", thinking }),
    call: (partial_json) => ({ type: "input_json_delta", partial_json }),
  };
  const blocks = answer.blocks.flatMap((block, index) => {
    const given = block.pieces.map(deltas[block.type]);
    if (block.signature) given.push({ type: "signature_delta", signature: block.signature });
    return [
      { type: "content_block_start", index, content_block: starts[block.type](block) },
      ...given.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ];
  });
  const isAtOnce = answer.blocks.length === 0;
  const events = isAtOnce ? [] : [{ type: "message_start", message }, { type: "ping" }, ...blocks];
  if (answer.isCut) return events.slice(0, -1);
  if (answer.error) {
    const { code, message } = answer.error;
    return [...events, { type: "error", error: { type: `${code}_error`, message } }];
  }
  const details = reasoning && { output_tokens_details: { thinking_tokens: reasoning } };
  return [
    ...events,
    {
      type: "message_delta",
      delta: { stop_reason: stopReasons[answer.finish], stop_sequence: null },
      usage: { output_tokens: output, ...details },
    },
    { type: "message_stop" },
  ];
}

function cohere(answer) {
  const message = (type, index, fields) => ({ type, index, delta: { message: fields } });
  const content = (kind, key) => (block, index) => [
    message("content-start", index, { content: { type: kind, [key]: "" } }),
    ...block.pieces.map((piece) => message("content-delta", index, { content: { [key]: piece } })),
    { type: "content-end", index },
  ];
  const call = ({ id, name, pieces }, index) => [
    message("tool-call-start", index, { tool_calls: { id, type: "function", function: { name, arguments: "" } } }),
    ...(pieces.length ? pieces : ["{}"]).map((piece) =>
      message("tool-call-delta", index, { tool_calls: { function: { arguments: piece } } }),
    ),
    { type: "tool-call-end", index },
  ];
  const kinds = { text: content("text", "text"), reasoning: content("thinking", "thinking"), call };
  // content and calls are numbered apart
  const place = (block) =>
    answer.blocks.filter(({ type }) => (type === "call") === (block.type === "call")).indexOf(block);
  const start = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
  const events = [
    ...(answer.blocks.length ? [{ type: "message-start", id: answer.id, delta: { message: start } }] : []),
    ...answer.blocks.flatMap((block) => kinds[block.type](block, place(block))),
  ];
  if (answer.isCut) return events.slice(0, -1);
  const { input, output } = answer.usage;
  const tokens = { input_tokens: input, output_tokens: output };
  const end = answer.error
    ? { error: answer.error.message, finish_reason: "ERROR" }
    : { finish_reason: finishReasons[answer.finish], usage: { tokens, billed_units: tokens } };
  return [...events, { type: "message-end", id: answer.id, delta: end }];
}

function bedrock(answer) {
  const deltas = {
    text: (text) => ({ text }),
    reasoning: (text) => ({ reasoningContent: { text } }),
    call: (input) => ({ toolUse: { input } }),
  };
  const blocks = answer.blocks.flatMap((block, contentBlockIndex) => {
    const given = block.pieces.map(deltas[block.type]);
    if (block.signature) given.push({ reasoningContent: { signature: block.signature } });
    const start = block.type === "call" && { toolUse: { toolUseId: block.id, name: block.name } };
    return [
      ...(start ? [{ contentBlockStart: { contentBlockIndex, start } }] : []),
      ...given.map((delta) => ({ contentBlockDelta: { contentBlockIndex, delta, p: "abc" } })),
      { contentBlockStop: { contentBlockIndex } },
    ];
  });
  const events = answer.blocks.length === 0 ? [] : [{ messageStart: { role: "assistant" } }, ...blocks];
  if (answer.isCut) return events.slice(0, -1);
  if (answer.error) {
    const { code, message } = answer.error;
    return [...events, { [BEDROCK_EXCEPTIONS[code]]: { message } }];
  }
  const { input, output } = answer.usage;
  const usage = { inputTokens: input, outputTokens: output, totalTokens: input + output };
  return [
    ...events,
    { messageStop: { stopReason: bedrockReasons[answer.finish] } },
    { metadata: { usage, metrics: { latencyMs: 9 } } },
  ];
}
const BEDROCK_EXCEPTIONS = { overloaded: "serviceUnavailableException", rate_limit: "throttlingException" };

function ollama(answer) {
  const line = (message, end = { done: false }) => ({
    model: answer.model,
    created_at: "2026-01-01T00:00:00Z",
    message: { role: "assistant", content: "", ...message },
    ...end,
  });
  const calls = answer.blocks.filter(({ type }) => type === "call");
  const callOf = ({ id, name, ...block }) => {
    const index = calls.findIndex(({ pieces }) => pieces === block.pieces);
    return { id, function: { index, name, arguments: argumentsOf(block) } };
  };
  const messages = {
    text: ({ pieces }) => pieces.map((content) => ({ content })),
    reasoning: ({ pieces }) => pieces.map((thinking) => ({ thinking })),
    call: (block) => [{ tool_calls: [callOf(block)] }],
  };
  const all = answer.together
    ? [{ tool_calls: calls.map(callOf) }]
    : answer.blocks.flatMap((block) => messages[block.type](block));
  const lines = all.map((message) => line(message));
  if (answer.isCut) return lines;
  if (answer.error) return [...lines, { error: answer.error.message }];
  const end = {
    done: true,
    // Ollama has no finish reason for calls
    done_reason: answer.finish === "tool_calls" ? "stop" : answer.finish,
    total_duration: 5,
    prompt_eval_count: answer.usage.input,
    eval_count: answer.usage.output,
  };
  return answer.endsWithLast ? [...lines.slice(0, -1), line(all.at(-1), end)] : [...lines, line({}, end)];
}

function canonical(answer) {
  const begin = ({ block, index }) => ({ type: "toolCallStart", block: index, id: block.id, name: block.name });
  const argument = ({ block, index, piece }) => ({ type: "toolCallDelta", block: index, id: block.id, text: piece });
  const end = ({ block: { id, name, ...rest }, index }) => ({
    type: "toolCallEnd",
    block: index,
    call: { id, name, arguments: argumentsOf(rest) },
  });
  const delta = (type, index, { pieces }, more) => pieces.map((text) => ({ type, block: index, text, ...more }));
  const numbered = answer.blocks.map((block, index) => ({ block, index }));
  const calls = (group) => [...group.map(begin), ...inTurns(group).map(argument), ...group.map(end)];
  const blocks = {
    call: (one) => calls([one]),
    text: ({ block, index }) => {
      const signed = answer.blocks[index - 1];
      const deltas = delta("textDelta", index, block);
      if (signed?.issuer === "google") deltas[0].metadata = { thoughtSignature: signed.signature };
      return deltas;
    },
    refusal: ({ block, index }) => delta("refusalDelta", index, block),
    reasoning: ({ block, index }) => {
      const { issuer, signature } = block;
      const isSigned = issuer === "anthropic";
      return [
        ...delta("reasoningDelta", index, block, { issuer }),
        only({ type: "reasoningEnd", block: index, issuer, signature: isSigned ? signature : undefined }),
      ];
    },
  };
  const events = [
    ...(answer.blocks.length ? [{ type: "start", id: answer.id, model: answer.model }] : []),
    ...(answer.interleaved ? calls(numbered) : numbered.flatMap((one) => blocks[one.block.type](one))),
  ];
  // a call that broke off has no end event
  if (answer.isCut) return events.filter(({ type }) => type !== "toolCallEnd");
  if (answer.error) {
    const { code, status, message } = answer.error;
    return [...events, { type: "error", error: { code, status, message, retryable: true } }];
  }
  const { input, output } = answer.usage;
  return [
    ...events,
    { type: "usage", usage: { ...answer.usage, total: input + output } },
    { type: "finish", finishReason: answer.finish },
  ];
}

const writers = {
  openai: openAI,
  mistral,
  "openai-responses": openAIResponses,
  anthropic,
  bedrock,
  cohere,
  gemini,
  vertexai: gemini,
  "gemini-interactions": interactions,
  ollama,
  canonical,
};

/** The events of a response in the format of its source. */
export const eventsOf = (answer, source) => writers[source](answer);

/** The member that the name of an event repeats, where events have names. */
const NAMES = { anthropic: "type", cohere: "type", "openai-responses": "type", "gemini-interactions": "event_type" };

/** The bytes of a stream in the framing of its source. */
export function bytesOf(answer, source) {
  if (source === "bedrock")
    return new Uint8Array(
      binaryFrames(
        eventsOf(answer, source)
          .map((event) => `${JSON.stringify(event)}\n`)
          .join(""),
      ),
    );
  const frames = eventsOf(answer, source).map((event) => {
    if (source === "ollama") return `${JSON.stringify(event)}\n`;
    const name = NAMES[source] ? `event: ${event[NAMES[source]]}\n` : "";
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  const isWhole = !answer.isCut && !answer.error;
  if (["openai", "mistral", "cohere"].includes(source) && isWhole) frames.push("data: [DONE]\n\n");
  return new TextEncoder().encode(frames.join(""));
}
