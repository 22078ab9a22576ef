// What a good programmer writes by hand for the same work, made to be fast: one pass, sub-objects passed on by
// reference, nothing validated. The benchmark compares its output with ours before it times anything.

const legalId = /^[a-zA-Z0-9_-]+$/;
const dataUrl = /^data:([^;,]+)(?:;[^;,]+)*;base64,/;

/** OpenAI Chat Completions request → Anthropic Messages request. */
export function requestToAnthropic(body) {
  const output = { model: body.model, max_tokens: body.max_completion_tokens ?? body.max_tokens ?? 4096 };
  const system = [];
  const messages = [];
  const ids = new CallIds();
  // The user message that collects the results of the assistant turn before it.
  let results;
  for (const message of body.messages) {
    switch (message.role) {
      case "system":
      case "developer":
        addSystem(system, message.content);
        continue;
      case "tool": {
        if (results === undefined) {
          results = [];
          messages.push({ role: "user", content: results });
        }
        results.push({
          type: "tool_result",
          tool_use_id: ids.ofResult(message.tool_call_id),
          content: message.content,
        });
        continue;
      }
      case "assistant":
        messages.push({ role: "assistant", content: assistantContent(message, ids) });
        break;
      default:
        messages.push({ role: "user", content: userContent(message.content) });
    }
    results = undefined;
  }
  if (system.length > 0) output.system = system;
  output.messages = messages;
  if (body.tools?.length > 0) {
    output.tools = body.tools.map(definition);
    const choice = toolChoice(body.tool_choice, body.parallel_tool_calls);
    if (choice !== undefined) output.tool_choice = choice;
  }
  if (body.temperature !== undefined) output.temperature = body.temperature;
  if (body.stop != null) output.stop_sequences = typeof body.stop === "string" ? [body.stop] : body.stop;
  if (body.stream !== undefined) output.stream = body.stream;
  if (body.user !== undefined) output.metadata = { user_id: body.user };
  return output;
}

/** Ids must be legal and unique in the whole request; a result gets the id of its call in the turn before. */
class CallIds {
  #seen = new Set();
  #turn = new Map();

  startTurn() {
    this.#turn.clear();
  }

  ofCall(id) {
    let own = legalId.test(id) ? id : id.replace(/[^a-zA-Z0-9_-]/g, "_");
    for (let count = 2; this.#seen.has(own); count++) own = `${id}_${count}`;
    this.#seen.add(own);
    this.#turn.set(id, own);
    return own;
  }

  ofResult(id) {
    return this.#turn.get(id) ?? id;
  }
}

function addSystem(system, content) {
  if (typeof content === "string") system.push({ type: "text", text: content });
  else for (const part of content) system.push({ type: "text", text: part.text });
}

function assistantContent(message, ids) {
  const calls = message.tool_calls;
  if (calls === undefined || calls.length === 0) return message.content;
  ids.startTurn();
  const blocks = [];
  if (message.content) blocks.push({ type: "text", text: message.content });
  for (const call of calls) {
    const input = parseArguments(call.function.arguments);
    blocks.push({ type: "tool_use", id: ids.ofCall(call.id), name: call.function.name, input });
  }
  return blocks;
}

function parseArguments(text) {
  if (text === "") return {};
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : { rawArguments: text };
  } catch {
    return { rawArguments: text };
  }
}

function userContent(content) {
  if (typeof content === "string") return content;
  return content.map((part) =>
    part.type === "image_url" ? image(part.image_url.url) : { type: "text", text: part.text },
  );
}

function image(url) {
  const match = dataUrl.exec(url);
  if (match === null) return { type: "image", source: { type: "url", url } };
  return { type: "image", source: { type: "base64", media_type: match[1], data: url.slice(match[0].length) } };
}

function definition({ function: tool }) {
  const { name, description, parameters, strict } = tool;
  const output = { name };
  if (description !== undefined) output.description = description;
  if (parameters === undefined) output.input_schema = { type: "object", properties: {} };
  else output.input_schema = parameters.type === undefined ? { type: "object", ...parameters } : parameters;
  if (strict === true) output.strict = true;
  return output;
}

function toolChoice(choice, parallel) {
  const flag = parallel === undefined ? {} : { disable_parallel_tool_use: !parallel };
  if (choice == null) return parallel === false ? { type: "auto", ...flag } : undefined;
  if (choice === "none") return { type: "none" };
  if (choice === "auto") return { type: "auto", ...flag };
  if (choice === "required") return { type: "any", ...flag };
  return { type: "tool", name: choice.function.name, ...flag };
}

const finishReasons = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

/** Anthropic Messages response → OpenAI Chat Completions response. */
export function responseToOpenAI(body) {
  let text = "";
  const calls = [];
  for (const block of body.content) {
    if (block.type === "text") text += block.text;
    else if (block.type === "tool_use") {
      const call = { name: block.name, arguments: JSON.stringify(block.input ?? {}) };
      calls.push({ id: block.id, type: "function", function: call });
    }
  }
  const message = { role: "assistant", content: text === "" && calls.length > 0 ? null : text, refusal: null };
  if (calls.length > 0) message.tool_calls = calls;
  return {
    id: body.id,
    object: "chat.completion",
    created: 0,
    model: body.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReasons[body.stop_reason] ?? "stop" }],
    usage: usage(body.usage),
  };
}

function usage({ input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens }) {
  const input = input_tokens + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0);
  const output = { prompt_tokens: input, completion_tokens: output_tokens, total_tokens: input + output_tokens };
  const details = {};
  if (cache_read_input_tokens != null) details.cached_tokens = cache_read_input_tokens;
  if (cache_creation_input_tokens != null) details.cache_write_tokens = cache_creation_input_tokens;
  if (cache_read_input_tokens != null || cache_creation_input_tokens != null) output.prompt_tokens_details = details;
  return output;
}
