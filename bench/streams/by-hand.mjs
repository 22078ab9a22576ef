// Fast code of a good programmer for the same work: one pass, one object for each written event, warnings for losses, no other validation.
// The benchmark compares its output with the package's before it measures.

import { finishReasons } from "../baseline/response.mjs";
import { fieldCount, warnAboutField } from "../baseline/warnings.mjs";

/** Parses server-sent events from bytes: `visit` receives the data of each. */
class ServerSentEvents {
  #decoder = new TextDecoder();
  #rest = "";

  push(bytes, visit) {
    const decoded = this.#decoder.decode(bytes, { stream: true });
    const text = this.#rest === "" ? decoded : this.#rest + decoded;
    let start = 0;
    for (;;) {
      const end = text.indexOf("\n\n", start);
      if (end < 0) break;
      const data = text.startsWith("data: ", start) ? start : text.indexOf("\ndata: ", start) + 1;
      visit(text.slice(data + 6, end));
      start = end + 2;
    }
    this.#rest = start === text.length ? "" : text.slice(start);
  }
}

/** Bytes → events → output of `add` → bytes. */
class Converter {
  #events = new ServerSentEvents();
  #encoder = new TextEncoder();
  output = "";
  #visit = (data) => {
    if (data !== "[DONE]") this.add(JSON.parse(data));
  };

  push(bytes) {
    this.#events.push(bytes, this.#visit);
    return this.#take();
  }

  finish() {
    this.end();
    return this.#take();
  }

  #take() {
    const output = this.output;
    this.output = "";
    return this.#encoder.encode(output);
  }
}

/** Fields of OpenAI's chunks that other formats have no place for: reported once, and again if the value changes. */
class Losses {
  warnings = [];
  #reported = new Map();

  chunk(chunk) {
    for (const key in chunk) {
      switch (key) {
        case "id":
        case "object":
        case "model":
        case "choices":
        case "usage":
        case "obfuscation":
          break;
        default:
          this.#warn(key, chunk[key]);
      }
    }
  }

  #warn(key, value) {
    if (this.#reported.get(key) === value) return;
    this.#reported.set(key, value);
    warnAboutField(this.warnings, "", key, value);
  }

  choice(choice) {
    if (fieldCount(choice) === 4 && fieldCount(choice.delta) <= 1) return;
    for (const key in choice) if (!choiceFields.has(key)) warnAboutField(this.warnings, "/choices/0", key, choice[key]);
    for (const key in choice.delta) {
      if (!deltaFields.has(key)) warnAboutField(this.warnings, "/choices/0/delta", key, choice.delta[key]);
    }
  }
}

const choiceFields = new Set(["index", "delta", "logprobs", "finish_reason"]);
const deltaFields = new Set(["role", "content", "refusal", "tool_calls"]);

const eventFields = {
  content_block_start: 3,
  content_block_delta: 3,
  content_block_stop: 2,
  message_start: 2,
  message_delta: 3,
};
const known = new Set(["type", "index", "delta", "content_block", "message", "usage"]);

class AnthropicToOpenAI extends Converter {
  #warnings = [];
  #message;
  #calls = -1;
  #isEmpty = false;
  #usage;

  add(event) {
    if (fieldCount(event) !== eventFields[event.type]) this.#warnAboutRest(event);
    switch (event.type) {
      case "content_block_delta": {
        const { delta } = event;
        if (fieldCount(delta) !== 2) this.#warnAboutRest(delta);
        if (delta.type === "text_delta") this.#delta({ content: delta.text });
        else if (delta.type === "input_json_delta" && delta.partial_json !== "") {
          this.#isEmpty = false;
          this.#arguments(delta.partial_json);
        }
        break;
      }
      case "content_block_start": {
        const { type, id, name } = event.content_block;
        if (type !== "tool_use") break;
        this.#calls += 1;
        this.#isEmpty = true;
        this.#delta({ tool_calls: [{ index: this.#calls, id, type: "function", function: { name, arguments: "" } }] });
        break;
      }
      case "content_block_stop":
        // an empty text is not valid JSON
        if (this.#isEmpty) this.#arguments("{}");
        this.#isEmpty = false;
        break;
      case "message_start":
        this.#message = event.message;
        this.#usage = event.message.usage;
        this.#delta({ role: "assistant", content: "" });
        break;
      case "message_delta":
        this.#usage = { ...this.#usage, ...event.usage };
        this.#choice({}, finishReasons[event.delta.stop_reason] ?? "stop");
        break;
      case "message_stop":
        this.end();
    }
  }

  #warnAboutRest(object) {
    for (const key in object) {
      if (!known.has(key) && key !== "text" && key !== "partial_json")
        warnAboutField(this.#warnings, "", key, object[key]);
    }
  }

  // Usage follows the end of the response.
  end() {
    if (this.#usage === undefined) return;
    this.#chunk([], openaiUsage(this.#usage));
    this.output += "data: [DONE]\n\n";
    this.#usage = undefined;
  }

  #arguments(text) {
    this.#delta({ tool_calls: [{ index: this.#calls, function: { arguments: text } }] });
  }

  #delta(delta) {
    this.#choice(delta, null);
  }

  #choice(delta, finish_reason) {
    this.#chunk([{ index: 0, delta, logprobs: null, finish_reason }]);
  }

  #chunk(choices, usage) {
    const { id, model } = this.#message;
    const chunk = { id, object: "chat.completion.chunk", model, created: 0, choices, usage };
    this.output += `data: ${JSON.stringify(chunk)}\n\n`;
  }
}

function openaiUsage({ input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens }) {
  const input = input_tokens + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0);
  const details = {};
  if (cache_read_input_tokens != null) details.cached_tokens = cache_read_input_tokens;
  if (cache_creation_input_tokens != null) details.cache_write_tokens = cache_creation_input_tokens;
  return {
    prompt_tokens: input,
    completion_tokens: output_tokens,
    total_tokens: input + output_tokens,
    prompt_tokens_details: details,
  };
}

const stopReasons = { stop: "end_turn", length: "max_tokens", tool_calls: "tool_use", content_filter: "refusal" };

const demandedUsage = {
  cache_creation: null,
  cache_creation_input_tokens: null,
  cache_read_input_tokens: null,
  inference_geo: null,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: null,
  speed: null,
};

class OpenAIToAnthropic extends Converter {
  #losses = new Losses();
  #blocks = -1;
  /** The open block: its type, and for a call its index and its arguments so far. */
  #open;
  /** Deltas of calls that began before the open call was complete. */
  #waiting = [];
  #finish;
  #isOver = false;

  add(chunk) {
    const { id, model, choices, usage } = chunk;
    this.#losses.chunk(chunk);
    if (this.#blocks < 0) this.#start(id, model);
    if (choices.length > 0) {
      this.#losses.choice(choices[0]);
      const { delta, finish_reason } = choices[0];
      if (delta.content) this.#text(delta.content);
      if (delta.tool_calls !== undefined) for (const call of delta.tool_calls) this.#call(call);
      if (finish_reason !== null) this.#finish = stopReasons[finish_reason] ?? "end_turn";
    }
    if (usage) this.#end(usage);
  }

  end() {
    if (!this.#isOver) this.#end(undefined);
  }

  #start(id, model) {
    const usage = { input_tokens: 0, output_tokens: 0, ...demandedUsage };
    const message = { id, type: "message", role: "assistant", model, content: [], stop_reason: null };
    Object.assign(message, { stop_sequence: null, stop_details: null, container: null, diagnostics: null, usage });
    this.#write("message_start", { type: "message_start", message });
    this.#blocks = 0;
  }

  #text(text) {
    if (this.#open?.type !== "text") {
      this.#close();
      this.#begin({ type: "text", text: "", citations: null });
    }
    this.#delta({ type: "text_delta", text });
  }

  // One block at a time: a call waits until the previous one is complete.
  #call(call) {
    if (this.#open?.index === call.index) {
      const text = call.function.arguments;
      if (text === "") return;
      this.#open.arguments += text;
      this.#delta({ type: "input_json_delta", partial_json: text });
    } else if (this.#waiting.length > 0 || (this.#open?.index !== undefined && !isWhole(this.#open.arguments))) {
      this.#waiting.push(call);
    } else this.#beginCall(call);
  }

  #beginCall({ id, index, function: { name, arguments: text } }) {
    this.#close();
    this.#begin({ type: "tool_use", id, name, input: {}, caller: { type: "direct" } }, index);
    if (text !== "") this.#call({ index, function: { arguments: text } });
  }

  #begin(content_block, index) {
    this.#open = { type: content_block.type, index, arguments: "" };
    this.#write("content_block_start", { type: "content_block_start", index: this.#blocks, content_block });
  }

  #delta(delta) {
    this.#write("content_block_delta", { type: "content_block_delta", index: this.#blocks, delta });
  }

  #close() {
    if (this.#open === undefined) return;
    this.#write("content_block_stop", { type: "content_block_stop", index: this.#blocks });
    this.#blocks += 1;
    this.#open = undefined;
  }

  #end(usage) {
    this.#close();
    const waiting = this.#waiting.splice(0);
    waiting
      .sort((left, right) => left.index - right.index)
      .forEach((call) => {
        if (this.#open?.index === call.index) this.#call(call);
        else this.#beginCall(call);
      });
    this.#close();
    const delta = { stop_reason: this.#finish, stop_sequence: null, stop_details: null, container: null };
    this.#write("message_delta", { type: "message_delta", delta, usage: anthropicUsage(usage) });
    this.#write("message_stop", { type: "message_stop" });
    this.#isOver = true;
  }

  #write(name, event) {
    this.output += `event: ${name}\ndata: ${JSON.stringify(event)}\n\n`;
  }
}

function isWhole(text) {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

function anthropicUsage(usage) {
  const cached = usage?.prompt_tokens_details?.cached_tokens;
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens;
  return {
    input_tokens: (usage?.prompt_tokens ?? 0) - (cached ?? 0),
    output_tokens: usage?.completion_tokens ?? 0,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: cached ?? null,
    output_tokens_details: reasoning == null ? null : { thinking_tokens: reasoning },
    server_tool_use: null,
  };
}

const geminiReasons = { stop: "STOP", length: "MAX_TOKENS", tool_calls: "STOP", content_filter: "SAFETY" };

class OpenAIToGemini extends Converter {
  #losses = new Losses();
  /** Calls are written when they are complete. */
  #calls = [];
  #id;
  #model;
  /** The last chunk waits for the usage, which it contains. */
  #last;

  add(chunk) {
    const { id, model, choices, usage } = chunk;
    this.#losses.chunk(chunk);
    this.#id ??= id;
    this.#model ??= model;
    if (choices.length > 0) {
      this.#losses.choice(choices[0]);
      const { delta, finish_reason } = choices[0];
      if (delta.content) this.#write(candidate([{ text: delta.content }], undefined));
      if (delta.tool_calls !== undefined) for (const call of delta.tool_calls) this.#call(call);
      if (finish_reason !== null) this.#finish(geminiReasons[finish_reason] ?? "STOP");
    }
    if (usage) this.#end(geminiUsage(usage));
  }

  end() {
    this.#end(undefined);
  }

  #end(usageMetadata) {
    if (this.#last === undefined) return;
    this.#last.usageMetadata = usageMetadata;
    this.#write(this.#last);
    this.#last = undefined;
  }

  #call({ index, id, function: { name, arguments: text } }) {
    const call = this.#calls[index];
    if (call === undefined) this.#calls[index] = { id, name, arguments: text };
    else call.arguments += text;
  }

  #finish(reason) {
    const parts = this.#calls.map(({ id, name, arguments: text }) => {
      return { functionCall: { id, name, args: text === "" ? {} : JSON.parse(text) } };
    });
    this.#last = candidate(parts.length > 0 ? parts : [{ text: "" }], reason);
  }

  #write(chunk) {
    chunk.modelVersion = this.#model;
    chunk.responseId = this.#id;
    this.output += `data: ${JSON.stringify(chunk)}\n\n`;
  }
}

const candidate = (parts, finishReason) => ({
  candidates: [{ content: { parts, role: "model" }, finishReason, index: 0 }],
});

function geminiUsage({
  prompt_tokens,
  completion_tokens,
  total_tokens,
  prompt_tokens_details,
  completion_tokens_details,
}) {
  return {
    promptTokenCount: prompt_tokens,
    candidatesTokenCount: completion_tokens - (completion_tokens_details?.reasoning_tokens ?? 0),
    totalTokenCount: total_tokens,
    cachedContentTokenCount: prompt_tokens_details?.cached_tokens,
    thoughtsTokenCount: completion_tokens_details?.reasoning_tokens,
  };
}

/** Converts OpenAI's events to canonical ones, as a program that displays responses would. */
class OpenAIReader {
  #events = new ServerSentEvents();
  #given = [];
  #blocks = 0;
  #text;
  #calls = [];
  #hasStarted = false;
  #visit = (data) => {
    if (data !== "[DONE]") this.#add(JSON.parse(data));
  };

  push(bytes) {
    this.#given = [];
    this.#events.push(bytes, this.#visit);
    return this.#given;
  }

  finish() {
    return [];
  }

  #add(chunk) {
    const { id, model, choices, usage, created, service_tier, system_fingerprint } = chunk;
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      const metadata = { openai: { created, service_tier, system_fingerprint } };
      this.#given.push({ type: "start", id, model, metadata });
    }
    if (choices.length > 0) {
      const { delta, finish_reason, logprobs } = choices[0];
      if (delta.content) {
        this.#text ??= this.#blocks++;
        this.#given.push({ type: "textDelta", block: this.#text, text: delta.content });
      }
      if (delta.tool_calls !== undefined) for (const call of delta.tool_calls) this.#call(call);
      if (finish_reason !== null) this.#finish(finish_reason, logprobs);
    }
    if (usage) this.#given.push({ type: "usage", usage: canonicalUsage(usage) });
  }

  #call({ index, id, function: { name, arguments: text } }) {
    let call = this.#calls[index];
    if (call === undefined) {
      call = { block: this.#blocks++, id, name, text: "" };
      this.#calls[index] = call;
      this.#given.push({ type: "toolCallStart", block: call.block, id, name });
    }
    if (text === "") return;
    call.text += text;
    this.#given.push({ type: "toolCallDelta", block: call.block, id: call.id, text });
  }

  #finish(reason, logprobs) {
    for (const { block, id, name, text } of this.#calls) {
      const call = { id, name, arguments: text === "" ? {} : JSON.parse(text) };
      this.#given.push({ type: "toolCallEnd", block, call });
    }
    this.#given.push({
      type: "finish",
      finishReason: reason,
      rawFinishReason: reason,
      metadata: { openai: { choice: { logprobs } } },
    });
  }
}

function canonicalUsage({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: total,
  prompt_tokens_details: { cached_tokens: cached, ...prompt_tokens_details },
  completion_tokens_details: { reasoning_tokens: reasoning, ...completion_tokens_details },
}) {
  const metadata = { openai: { prompt_tokens_details, completion_tokens_details } };
  return { input, output, total, cached, reasoning, metadata };
}

export const byHand = {
  "anthropic → openai": () => new AnthropicToOpenAI(),
  "openai → anthropic": () => new OpenAIToAnthropic(),
  "openai → gemini": () => new OpenAIToGemini(),
  "openai → events": () => new OpenAIReader(),
};
