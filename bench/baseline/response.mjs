// Anthropic Messages response → OpenAI Chat Completions response, by hand: see request.mjs.

import { fieldCount, notCovered, warn, warnAboutField } from "./warnings.mjs";

export const finishReasons = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};
/** Metadata of a response. */
const state = new Set(["container", "stop_sequence", "diagnostics"]);
const usageState = new Set(["cache_creation", "inference_geo", "speed", "service_tier", "server_tool_use"]);

export function responseToOpenAI(body, warnings = []) {
  const { text, calls, thoughts } = readContent(body.content, warnings);
  const message = { role: "assistant", content: text === "" && calls.length > 0 ? null : text, refusal: null };
  if (thoughts.length > 0) {
    message.reasoning_content = thoughts.map(({ text }) => text).join("");
    message.reasoning_details = thoughts;
  }
  if (calls.length > 0) message.tool_calls = calls;
  const output = {
    id: body.id ?? "chatcmpl-toolwire",
    object: "chat.completion",
    created: 0,
    model: body.model ?? "",
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(body.stop_reason, calls, warnings) }],
  };
  for (const key in body) {
    switch (key) {
      case "id":
      case "type":
      case "role":
      case "model":
      case "content":
      case "stop_reason":
        break;
      case "usage":
        if (body.usage !== null) output.usage = usage(body.usage, warnings);
        break;
      default:
        warnAboutState(state, "", key, body[key], warnings);
    }
  }
  return output;
}

function warnAboutState(known, path, key, value, warnings) {
  const warned = warnings.length;
  warnAboutField(warnings, path, key, value);
  if (warnings.length > warned && known.has(key)) warnings.at(-1).code = "state_dropped";
}

function finishReason(reason, calls, warnings) {
  const known = finishReasons[reason];
  if (known === undefined && reason != null) warn(warnings, "finish_changed", "/stop_reason");
  return (known ?? "stop") === "stop" && calls.length > 0 ? "tool_calls" : (known ?? "stop");
}

function readContent(content, warnings) {
  let text = "";
  const calls = [];
  const thoughts = [];
  const ids = new Set();
  let isOrdered = true;
  for (let index = 0; index < content.length; index++) {
    const block = content[index];
    switch (block.type) {
      case "text":
        if (isOrdered && calls.length > 0 && block.text !== "") {
          warn(warnings, "order_changed", `/content/${index}`);
          isOrdered = false;
        }
        text += block.text;
        if (isEmpty(block) && !content.every(isEmpty)) warn(warnings, "empty_dropped", `/content/${index}`);
        if (fieldCount(block) !== 2) warnAboutText(block, index, warnings);
        break;
      case "tool_use":
        calls.push(call(block, index, ids, warnings));
        break;
      case "thinking":
        thoughts.push(thought(block, thoughts.length));
        break;
      case "redacted_thinking":
        notCovered("redacted_thinking");
        break;
      default:
        warn(warnings, "native_dropped", `/content/${index}`);
    }
  }
  return { text, calls, thoughts };
}

/** With the signature in an envelope (docs/envelope.md). */
function thought({ thinking, signature }, index) {
  const sealed = btoa(JSON.stringify({ s: signature }))
    .replace(/=+$/, "")
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  return { type: "reasoning.text", text: thinking, signature: `tw1.anthropic.${sealed}`, index };
}

const isEmpty = (block) => block.type === "text" && block.text === "" && fieldCount(block) === 2;

function warnAboutText(block, index, warnings) {
  for (const key in block) {
    if (key !== "type" && key !== "text") warnAboutField(warnings, `/content/${index}`, key, block[key]);
  }
}

function call(block, index, ids, warnings) {
  const { id, name, input } = block;
  if (fieldCount(block) !== 4) warnAboutCall(block, index, warnings);
  return { id: callId(id, index, ids, warnings), type: "function", function: { name, arguments: json(input) } };
}

function warnAboutCall(block, index, warnings) {
  for (const key in block) {
    switch (key) {
      case "type":
      case "id":
      case "name":
      case "input":
        break;
      case "caller":
        if (block.caller?.type !== "direct") warnAboutField(warnings, `/content/${index}`, key, block.caller);
        break;
      default:
        warnAboutField(warnings, `/content/${index}`, key, block[key]);
    }
  }
}

const json = (input) => (input == null ? "{}" : JSON.stringify(input));

function callId(id, index, ids, warnings) {
  const isTaken = id !== "" && ids.size === ids.add(id).size;
  if (!isTaken && id !== "") return id;
  if (id !== "") warn(warnings, "id_rewritten", `/content/${index}/id`);
  return `made_${index}`;
}

function usage(given, warnings) {
  let input = 0;
  let output = 0;
  let cached;
  let written;
  for (const key in given) {
    const value = given[key];
    switch (key) {
      case "input_tokens":
        input = value;
        break;
      case "output_tokens":
        output = value;
        break;
      case "cache_read_input_tokens":
        cached = value ?? undefined;
        break;
      case "cache_creation_input_tokens":
        written = value ?? undefined;
        break;
      default:
        warnAboutState(usageState, "/usage", key, value, warnings);
    }
  }
  input += (cached ?? 0) + (written ?? 0);
  const all = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  if (cached === undefined && written === undefined) return all;
  const details = {};
  if (cached !== undefined) details.cached_tokens = cached;
  if (written !== undefined) details.cache_write_tokens = written;
  all.prompt_tokens_details = details;
  return all;
}
