// The providers' own clients. Each returns its result for a stream in one common form: text, calls, finish reason.

import Anthropic, { APIError as AnthropicError } from "@anthropic-ai/sdk";
import {
  BedrockRuntimeClient,
  BedrockRuntimeServiceException,
  ConverseStreamCommand,
} from "@aws-sdk/client-bedrock-runtime";
import { ApiError as GoogleError, GoogleGenAI } from "@google/genai";
import { Mistral } from "@mistralai/mistralai";
import { MistralError } from "@mistralai/mistralai/models/errors";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { CohereClientV2, CohereError } from "cohere-ai";
import { Ollama } from "ollama";
import OpenAI, { APIError as OpenAIError } from "openai";
import { $ZodError } from "zod/v4/core";

const apiKey = "none";
const maxRetries = 0;
const messages = [{ role: "user", content: "Hi" }];
const model = "m";

export const openAI = (url) => new OpenAI({ apiKey, maxRetries, baseURL: `${url}/v1` });
export const anthropic = (url) => new Anthropic({ apiKey, maxRetries, baseURL: url });
export const google = (url) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });
export const vertexAI = (url) => new GoogleGenAI({ vertexai: true, apiKey, httpOptions: { baseUrl: url } });

export const openAIStream = (url) =>
  openAI(url).chat.completions.create({ model, messages, stream: true, stream_options: { include_usage: true } });
export const openAIResponsesStream = (url) => openAI(url).responses.create({ model, input: "Hi", stream: true });
export const anthropicStream = (url) =>
  anthropic(url).messages.create({ model, messages, max_tokens: 9, stream: true });
export const googleStream = (url) => google(url).models.generateContentStream({ model, contents: "Hi" });
/** Its requests are not repeated. */
export const interactionsStream = (url) =>
  google(url).interactions.create({ model, input: "Hi", stream: true }, { maxRetries: 0 });
export const mistral = (url) => new Mistral({ apiKey, serverURL: url, retryConfig: { strategy: "none" } });
export const ollama = (url) => new Ollama({ host: url });
export const vertexAIStream = (url) => vertexAI(url).models.generateContentStream({ model, contents: "Hi" });

/** A value that a client has no place for. */
export const UNKNOWN = Symbol("unknown");

/** `pieces` is the number of pieces in which the text arrived. */
const blank = () => ({ text: "", pieces: 0, refusal: "", reasoning: "", calls: [] });
function addText(result, delta) {
  result.text += delta ?? "";
  if (delta) result.pieces++;
}
const toJson = (text) => JSON.parse(text);

// ── OpenAI ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

const openAIUsage = (usage) => ({
  input: usage?.prompt_tokens,
  output: usage?.completion_tokens,
  cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
  reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
});

/** Accumulates chunks by hand, like OpenAI's guide. */
async function openAIChunks(url, result) {
  const calls = [];
  for await (const chunk of await openAIStream(url)) {
    Object.assign(result, { id: chunk.id, model: chunk.model });
    if (chunk.usage) result.usage = openAIUsage(chunk.usage);
    for (const { index, delta, finish_reason } of chunk.choices) {
      if (index !== 0) throw new Error(`choice ${index}`);
      addText(result, delta.content);
      result.refusal += delta.refusal ?? "";
      result.reasoning += delta.reasoning_content ?? "";
      for (const { index, id, type, function: part } of delta.tool_calls ?? []) {
        calls[index] ??= { id, type, name: part.name, text: "" };
        calls[index].text += part.arguments;
      }
      if (finish_reason) result.finish = finish_reason;
    }
  }
  result.calls = calls.map(({ id, name, text }) => ({ id, name, arguments: toJson(text) }));
}

async function openAIAccumulated(url, result) {
  const stream = openAI(url).chat.completions.stream({ model, messages, stream_options: { include_usage: true } });
  stream.on("content", (delta) => addText(result, delta));
  const answer = await stream.finalChatCompletion();
  const [{ message, finish_reason }] = answer.choices;
  if (result.text !== (message.content ?? "")) throw new Error(`${result.text} is not ${message.content}`);
  const calls = message.tool_calls ?? [];
  Object.assign(result, {
    id: answer.id,
    model: answer.model,
    refusal: message.refusal ?? "",
    calls: calls.map(({ id, function: f }) => ({ id, name: f.name, arguments: toJson(f.arguments) })),
    finish: finish_reason,
    usage: openAIUsage(answer.usage),
  });
  // the client does not support reasoning, and keeps the last fragment of an unknown field
  result.reasoning = UNKNOWN;
}

// ── Mistral ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Content is a text, or a list of thinking and texts. Calls arrive whole, and the counts with the finish reason. */
async function mistralChunks(url, result) {
  for await (const { data } of await mistral(url).chat.stream({ model, messages })) {
    const [{ delta, finishReason }] = data.choices;
    Object.assign(result, { id: data.id, model: data.model });
    const parts = typeof delta.content === "string" ? [{ type: "text", text: delta.content }] : (delta.content ?? []);
    for (const { type, text, thinking, signature } of parts) {
      if (type === "text") addText(result, text);
      else result.reasoning += thinking.map((piece) => piece.text).join("");
      if (signature) result.signature = signature;
    }
    for (const { id, function: f } of delta.toolCalls ?? []) {
      result.calls.push({ id, name: f.name, arguments: toJson(f.arguments) });
    }
    if (!finishReason) continue;
    const { promptTokens, completionTokens } = data.usage;
    Object.assign(result, {
      finish: finishReason,
      usage: { input: promptTokens, output: completionTokens, cached: 0, reasoning: 0 },
    });
  }
}

// ── OpenAI Responses ────────────────────────────────────────────────────────────────────────────────────────────────────

const responsesParts = {
  output_text: (result, { text }) => {
    result.text += text;
  },
  refusal: (result, { refusal }) => {
    result.refusal += refusal;
  },
};
const responsesItems = {
  message: (result, { content }) => {
    for (const part of content) responsesParts[part.type](result, part);
  },
  reasoning: (result, { summary }) => {
    result.reasoning += summary.map(({ text }) => text).join("");
  },
  function_call: (result, { call_id, name, arguments: text }) =>
    result.calls.push({ id: call_id, name, arguments: toJson(text) }),
};

/** The whole response; the text received while streaming is the same. */
function readResponses(result, response) {
  const resultOf = result.text;
  result.text = "";
  for (const item of response.output) responsesItems[item.type](result, item);
  if (resultOf !== result.text) throw new Error(`${resultOf} is not ${result.text}`);
  const { id, model, status, incomplete_details, usage } = response;
  Object.assign(result, {
    id,
    model,
    finish: incomplete_details?.reason ?? status,
    usage: {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cached: usage.input_tokens_details.cached_tokens,
      reasoning: usage.output_tokens_details.reasoning_tokens,
    },
  });
}

async function responsesAccumulated(url, result) {
  const stream = openAI(url).responses.stream({ model, input: "Hi" });
  stream.on("response.output_text.delta", ({ delta }) => addText(result, delta));
  readResponses(result, await stream.finalResponse());
}

/** Accumulates by hand, and checks the number, position and text of every event against the earlier ones. */
async function responsesEvents(url, result) {
  let count = 0;
  let response;
  const items = [];
  const grown = new Map();
  const demand = (isSo, what) => {
    if (!isSo) throw new Error(`out of order: ${what}`);
  };
  const key = ({ output_index, content_index, summary_index }) => `${output_index}/${content_index}/${summary_index}`;
  for await (const event of await openAIResponsesStream(url)) {
    demand(event.sequence_number === count++, `${event.type} ${event.sequence_number}`);
    demand(response === undefined || response.status === "in_progress", `${event.type} after the end`);
    if (event.response) response = event.response;
    else demand(response, event.type);
    if (event.type === "response.output_item.added") {
      demand(items[event.output_index] === undefined && event.output_index === items.length, event.type);
      items[event.output_index] = event.item;
    } else if (event.output_index !== undefined) {
      const { id } = items[event.output_index];
      demand((event.item_id ?? event.item?.id ?? id) === id, `${event.type} of ${event.item_id}`);
    }
    if (event.type.endsWith(".delta")) grown.set(key(event), (grown.get(key(event)) ?? "") + event.delta);
    const fields = event.type.endsWith("text.done")
      ? event.text
      : event.type.endsWith("arguments.done") && event.arguments;
    if (fields !== false) demand((grown.get(key(event)) ?? "") === fields, `${event.type}: ${fields}`);
    if (event.type === "response.output_text.delta") addText(result, event.delta);
    if (event.type === "response.output_item.done") items[event.output_index] = event.item;
  }
  demand(JSON.stringify(items) === JSON.stringify(response.output), "the items at the end");
  readResponses(result, response);
}

// ── Anthropic ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const anthropicUsage = (usage) => {
  const cached = usage.cache_read_input_tokens ?? 0;
  const input = usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0);
  const reasoning = usage.output_tokens_details?.thinking_tokens ?? 0;
  return { input, output: usage.output_tokens, cached, reasoning };
};

const anthropicContent = {
  text: (result, { text }) => {
    result.text += text;
  },
  thinking: (result, { thinking, signature }) => {
    result.reasoning += thinking;
    result.signature = signature;
  },
  tool_use: (result, { id, name, input }) => result.calls.push({ id, name, arguments: input }),
};

function readAnthropic(result, message) {
  result.text = "";
  for (const block of message.content) anthropicContent[block.type](result, block);
  const { id, model, stop_reason, usage } = message;
  Object.assign(result, { id, model, finish: stop_reason, usage: anthropicUsage(usage) });
}

async function anthropicAccumulated(url, result) {
  const stream = anthropic(url).messages.stream({ model, messages, max_tokens: 9 });
  stream.on("text", (delta) => addText(result, delta));
  const message = await stream.finalMessage();
  const resultOf = result.text;
  readAnthropic(result, message);
  if (resultOf !== result.text) throw new Error(`${resultOf} is not ${result.text}`);
}

/** Accumulates by hand, and checks the order of events that Anthropic's guide specifies. */
async function anthropicEvents(url, result) {
  let message;
  let open;
  let argumentText = "";
  const demand = (isSo, what) => {
    if (!isSo) throw new Error(`out of order: ${what}`);
  };
  const deltas = {
    text_delta: ({ text }) => {
      open.text += text;
      addText(result, text);
    },
    thinking_delta: ({ thinking }) => {
      open.thinking += thinking;
    },
    signature_delta: ({ signature }) => {
      open.signature = signature;
    },
    input_json_delta: ({ partial_json }) => {
      argumentText += partial_json;
    },
  };
  for await (const event of await anthropicStream(url)) {
    demand(message?.isStopped !== true, `${event.type} after message_stop`);
    switch (event.type) {
      case "message_start":
        demand(!message, event.type);
        message = structuredClone(event.message);
        break;
      case "content_block_start":
        demand(message && !open && event.index === message.content.length, event.type);
        open = { ...event.content_block };
        argumentText = "";
        message.content.push(open);
        break;
      case "content_block_delta":
        demand(open && event.index === message.content.length - 1, event.type);
        deltas[event.delta.type](event.delta);
        break;
      case "content_block_stop":
        demand(open && event.index === message.content.length - 1, event.type);
        if (open.type === "tool_use") open.input = toJson(argumentText || "{}");
        open = undefined;
        break;
      case "message_delta":
        demand(message && !open, event.type);
        Object.assign(message, event.delta);
        Object.assign(message.usage, event.usage);
        break;
      case "message_stop":
        demand(message?.stop_reason, event.type);
        message.isStopped = true;
        break;
      default:
        throw new Error(`an event ${event.type}`);
    }
  }
  demand(message?.isStopped, "the end");
  readAnthropic(result, message);
}

// ── Google ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

const googleUsage = (usage) => ({
  input: usage?.promptTokenCount,
  output: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
  cached: usage?.cachedContentTokenCount ?? 0,
  reasoning: usage?.thoughtsTokenCount ?? 0,
});

/** A call, or a fragment of the last one: its arguments arrive whole, or by path. */
function addCall(result, { id, name, args = {}, partialArgs = [] }) {
  if (name) result.calls.push({ id, name, arguments: args });
  for (const { jsonPath, willContinue: _, ...value } of partialArgs) {
    putAt(result.calls.at(-1).arguments, jsonPath.match(/[^$.[\]]+/g), Object.values(value)[0]);
  }
}

function putAt(object, [key, ...rest], value) {
  if (rest.length > 0) {
    object[key] ??= /^\d+$/.test(rest[0]) ? [] : {};
    putAt(object[key], rest, value);
  } else {
    object[key] = typeof value === "string" ? (object[key] ?? "") + value : value;
  }
}

const googleResponses = (open) => async (url, result) => {
  for await (const response of await open(url)) {
    result.id = response.responseId ?? result.id;
    result.model = response.modelVersion ?? result.model;
    if (response.usageMetadata) result.usage = googleUsage(response.usageMetadata);
    for (const { text, thought, functionCall, thoughtSignature } of response.candidates?.[0]?.content?.parts ?? []) {
      if (thought) result.reasoning += text;
      else addText(result, text);
      if (thoughtSignature) result.signature = thoughtSignature;
      if (functionCall) addCall(result, functionCall);
    }
    const { promptFeedback } = response;
    result.finish = response.candidates?.[0]?.finishReason ?? promptFeedback?.blockReason ?? result.finish;
  }
};

/** An event, as the client passes on errors. */
class InteractionsError extends Error {}

const interactionsUsage = (usage) => ({
  input: usage.total_input_tokens,
  output: (usage.total_output_tokens ?? 0) + (usage.total_thought_tokens ?? 0),
  cached: usage.total_cached_tokens ?? 0,
  reasoning: usage.total_thought_tokens ?? 0,
});

/** Accumulates steps by hand, and checks that they start and stop one after another. */
async function interactionsEvents(url, result) {
  let open;
  let argumentText = "";
  const deltas = {
    text: ({ text }) => addText(result, text),
    thought_summary: ({ content }) => {
      result.reasoning += content.text;
    },
    thought_signature: ({ signature }) => {
      result.signature = signature;
    },
    arguments_delta: ({ arguments: piece }) => {
      argumentText += piece;
    },
  };
  for await (const event of await interactionsStream(url)) {
    const { event_type: type, index, step, delta, interaction, error } = event;
    if (type === "error") throw new InteractionsError(error.message);
    if (type === "step.start") {
      if (open) throw new Error(`step ${index} starts within another`);
      open = { index, step };
      argumentText = "";
    }
    if (/^step\.(delta|stop)$/.test(type) && open?.index !== index) throw new Error(`${type} of step ${index}`);
    if (type === "step.delta") deltas[delta.type](delta);
    if (type === "step.stop") {
      const { type: kind, id, name, arguments: whole } = open.step;
      if (kind === "function_call")
        result.calls.push({ id, name, arguments: argumentText ? toJson(argumentText) : whole });
      open = undefined;
    }
    if (interaction) Object.assign(result, { id: interaction.id, model: interaction.model });
    if (type === "interaction.completed")
      Object.assign(result, { finish: interaction.status, usage: interactionsUsage(interaction.usage) });
  }
}

// ── Bedrock ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Requests are not repeated, and are of HTTP/1.1, as the server's. */
export const bedrock = (url) =>
  new BedrockRuntimeClient({
    ...{ endpoint: url, region: "us-east-1", token: { token: apiKey }, maxAttempts: 1 },
    authSchemePreference: ["httpBearerAuth"],
    requestHandler: new NodeHttpHandler(),
  });

const bedrockUsage = ({ inputTokens, outputTokens, cacheReadInputTokens: cached = 0, cacheWriteInputTokens = 0 }) => ({
  input: inputTokens + cached + cacheWriteInputTokens,
  output: outputTokens,
  cached,
  reasoning: 0,
});

/** Accumulates blocks by hand, and checks that they start and stop one after another. */
async function bedrockEvents(url, result) {
  // Converse states neither
  Object.assign(result, { id: UNKNOWN, model: UNKNOWN });
  const client = bedrock(url);
  let open;
  let argumentText = "";
  const enter = (index) => {
    if (open !== undefined && open !== index) throw new Error(`block ${index} starts within another`);
    open = index;
  };
  const deltas = {
    text: (text) => addText(result, text),
    reasoningContent: ({ text = "", signature }) => {
      result.reasoning += text;
      if (signature) result.signature = signature;
    },
    toolUse: ({ input }) => {
      argumentText += input;
    },
  };
  const events = {
    messageStart: () => {},
    contentBlockStart: ({ contentBlockIndex, start: { toolUse } }) => {
      enter(contentBlockIndex);
      argumentText = "";
      result.calls.push({ id: toolUse.toolUseId, name: toolUse.name });
    },
    contentBlockDelta: ({ contentBlockIndex, delta }) => {
      enter(contentBlockIndex);
      const [[kind, value]] = Object.entries(delta);
      deltas[kind](value);
    },
    contentBlockStop: ({ contentBlockIndex }) => {
      enter(contentBlockIndex);
      const call = result.calls.at(-1);
      if (call && !call.arguments) call.arguments = toJson(argumentText || "{}");
      open = undefined;
    },
    messageStop: ({ stopReason }) => {
      result.finish = stopReason;
    },
    metadata: ({ usage }) => {
      result.usage = bedrockUsage(usage);
    },
  };
  try {
    const content = [{ text: "Hi" }];
    const command = new ConverseStreamCommand({ modelId: model, messages: [{ role: "user", content }] });
    for await (const event of (await client.send(command)).stream) {
      const [[kind, value]] = Object.entries(event);
      events[kind](value);
    }
  } finally {
    client.destroy();
  }
}

// ── Cohere ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const cohere = (url) => new CohereClientV2({ token: apiKey, environment: url, maxRetries: 0 });

/** Accumulates by hand. The end states an error, which the client does not raise. */
async function cohereEvents(url, result) {
  // its events do not state the model
  result.model = UNKNOWN;
  let argumentText = "";
  const addContent = ({ text, thinking }) => {
    addText(result, text);
    result.reasoning += thinking ?? "";
  };
  const events = {
    "message-start": ({ id }) => Object.assign(result, { id }),
    "content-start": ({ delta }) => addContent(delta.message.content),
    "content-delta": ({ delta }) => addContent(delta.message.content),
    "content-end": () => {},
    "tool-call-start": ({ delta }) => {
      const { id, function: f } = delta.message.toolCalls;
      result.calls.push({ id, name: f.name });
      argumentText = f.arguments;
    },
    "tool-call-delta": ({ delta }) => {
      argumentText += delta.message.toolCalls.function.arguments;
    },
    "tool-call-end": () => Object.assign(result.calls.at(-1), { arguments: toJson(argumentText || "{}") }),
    "message-end": ({ delta: { finishReason, usage, error } }) => {
      if (error) throw new CohereError({ message: error });
      const { tokens, cachedTokens: cached = 0 } = usage;
      Object.assign(result, {
        finish: finishReason,
        usage: { input: tokens.inputTokens, output: tokens.outputTokens, cached, reasoning: 0 },
      });
    },
  };
  for await (const event of await cohere(url).chatStream({ model, messages })) events[event.type](event);
}

// ── Ollama ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

async function ollamaLines(url, result) {
  // the client has no id, and no details of the token counts
  result.id = UNKNOWN;
  for await (const line of await ollama(url).chat({ model, messages, stream: true })) {
    result.model = line.model;
    addText(result, line.message.content);
    result.reasoning += line.message.thinking ?? "";
    for (const { id, function: f } of line.message.tool_calls ?? []) {
      result.calls.push({ id, name: f.name, arguments: f.arguments });
    }
    if (!line.done) continue;
    result.finish = line.done_reason;
    result.usage = { input: line.prompt_eval_count, output: line.eval_count, cached: 0, reasoning: 0 };
  }
}

/** Clients by dialect. */
export const clients = {
  openai: { "by hand": openAIChunks, accumulated: openAIAccumulated },
  mistral: { "by hand": mistralChunks },
  "openai-responses": { "by hand": responsesEvents, accumulated: responsesAccumulated },
  anthropic: { "by hand": anthropicEvents, accumulated: anthropicAccumulated },
  gemini: { "by hand": googleResponses(googleStream) },
  vertexai: { "by hand": googleResponses(vertexAIStream) },
  "gemini-interactions": { "by hand": interactionsEvents },
  bedrock: { "by hand": bedrockEvents },
  cohere: { "by hand": cohereEvents },
  ollama: { "by hand": ollamaLines },
};

/** Ollama's client throws plain errors. */
const errorClasses = {
  openai: OpenAIError,
  // it expects a chunk in every event, and raises the error of its validator for any other
  mistral: [MistralError, $ZodError],
  "openai-responses": OpenAIError,
  anthropic: AnthropicError,
  gemini: GoogleError,
  vertexai: GoogleError,
  "gemini-interactions": InteractionsError,
  bedrock: BedrockRuntimeServiceException,
  cohere: CohereError,
  ollama: Error,
};

/** The result of a client for the stream at `url`. If the client throws, the result has its error, with the content received before. */
export async function resultOf(target, client, url) {
  const result = blank();
  try {
    await clients[target][client](url, result);
    return result;
  } catch (error) {
    const isOwn = [errorClasses[target]].flat().some((own) => error instanceof own);
    return {
      error: isOwn ? "the client's own" : `${error.constructor.name}: ${error.stack}`,
      ...before(result, error),
    };
  }
}

const before = ({ text, pieces }, { message }) => ({ text, pieces, message });
