// OpenAI Chat Completions request → Anthropic Messages request by hand: fast code of a good programmer for the same work. It passes over
// the messages once, copies objects by reference, and builds a path only for a warning. Ids, names, results, their order and warnings
// follow the package's rules. The benchmark compares output and warnings with the package's before it measures.

import { blocksOf, inputOf } from "./content.mjs";
import { CallIds } from "./ids.mjs";
import { definitions, Names, toolChoice } from "./tools.mjs";
import { Turn } from "./turns.mjs";
import { fieldCount, isBlank, notCovered, warn, warnAboutField } from "./warnings.mjs";

const usualLimit = 4096;
const efforts = new Map([["minimal", "low"], ...["low", "medium", "high", "xhigh", "max"].map((name) => [name, name])]);

export function requestToAnthropic(body, warnings = []) {
  const settings = readSettings(body, warnings);
  const names = new Names();
  const tools = body.tools?.length > 0 ? definitions(body.tools, names, warnings) : undefined;
  const { system, messages } = new Conversation(names, warnings).convert(body.messages);
  const output = body.model == null ? {} : { model: body.model };
  output.max_tokens = settings.limit;
  if (system.length > 0) output.system = system;
  output.messages = messages;
  if (tools !== undefined) {
    output.tools = tools;
    const choice = toolChoice(body.tool_choice, body.parallel_tool_calls, tools, names, warnings);
    if (choice !== undefined) output.tool_choice = choice;
  } else if (body.tool_choice != null && body.tool_choice !== "auto" && body.tool_choice !== "none") {
    warn(warnings, "choice_dropped", "/tool_choice");
  }
  return Object.assign(output, settings.others);
}

function readSettings(body, warnings) {
  const others = {};
  let limit;
  for (const key in body) {
    const value = body[key];
    if (value === null) continue;
    switch (key) {
      case "model":
      case "messages":
      case "tools":
      case "tool_choice":
      case "parallel_tool_calls":
        break;
      case "max_completion_tokens":
        limit = wholeLimit(value, "/max_completion_tokens", warnings);
        break;
      case "max_tokens":
        if (body.max_completion_tokens == null) limit = wholeLimit(value, "/max_tokens", warnings);
        else warnAboutField(warnings, "", key, value);
        break;
      case "temperature":
      case "top_p":
        // 1 is the default
        if (value !== 1) warn(warnings, "setting_dropped", `/${key}`);
        break;
      case "presence_penalty":
      case "frequency_penalty":
      case "seed":
      case "top_logprobs":
      case "verbosity":
        warn(warnings, "setting_dropped", `/${key}`);
        break;
      case "n":
        if (value !== 1) warn(warnings, "setting_dropped", "/n");
        break;
      case "stop":
        setStop(others, value, warnings);
        break;
      case "stream":
        others.stream = value;
        break;
      case "stream_options":
        if (!(body.stream && isUsageOnly(value))) warnAboutField(warnings, "", key, value);
        break;
      case "user":
        setUser(others, value, warnings);
        break;
      case "reasoning_effort":
        setEffort(others, value, warnings);
        break;
      case "response_format":
      case "functions":
      case "function_call":
        notCovered(key);
        break;
      default:
        warnAboutField(warnings, "", key, value);
    }
  }
  if (limit === undefined) warn(warnings, "default_used", "");
  return { limit: limit ?? usualLimit, others };
}

function wholeLimit(value, path, warnings) {
  const limit = Math.max(0, Math.floor(value));
  if (limit !== value) warn(warnings, "setting_changed", path);
  return limit;
}

function setStop(others, value, warnings) {
  const given = typeof value === "string" ? [value] : value;
  const stop = given.filter((sequence) => !isBlank(sequence));
  if (stop.length > 0) others.stop_sequences = stop;
  if (stop.length < given.length) warn(warnings, stop.length > 0 ? "setting_changed" : "setting_dropped", "/stop");
}

function isUsageOnly(options) {
  for (const key in options) if (key !== "include_usage") return false;
  return options.include_usage === true;
}

function setUser(others, user, warnings) {
  if (user.length > 512 || /^[^@]+@.*\./.test(user)) warn(warnings, "setting_dropped", "/user");
  else others.metadata = { user_id: user };
}

function setEffort(others, effort, warnings) {
  if (effort === "none") others.thinking = { type: "disabled" };
  else {
    others.output_config = { effort: efforts.get(effort) ?? notCovered(`the effort ${effort}`) };
    if (effort === "minimal") warn(warnings, "setting_changed", "/reasoning_effort");
  }
}

const none = [];

class Conversation {
  #names;
  #warnings;
  #ids = new CallIds();
  #system = [];
  #messages = [];
  /** The current turn of the assistant, if it has calls. */
  #turn;
  #isLeading = true;
  /** The last message of the assistant, if it is the last message. */
  #prefill;

  constructor(names, warnings) {
    this.#names = names;
    this.#warnings = warnings;
  }

  convert(messages) {
    if (messages.length === 0) throw new Error("expected at least one message");
    for (let index = 0; index < messages.length; index++) this.#add(messages[index], index);
    this.#turn?.close(this.#messages, true, this.#warnings);
    if (this.#prefill !== undefined) this.#trim();
    if (this.#messages.length === 0) {
      warn(this.#warnings, "default_used", "/messages/0");
      this.#messages.push({ role: "user", content: "(The conversation starts here.)" });
    }
    return { system: this.#system, messages: this.#messages };
  }

  #add(message, index) {
    switch (message.role) {
      case "assistant":
        this.#isLeading = false;
        this.#addAssistant(message, index);
        break;
      case "tool":
        this.#isLeading = false;
        this.#addResult(message, index);
        break;
      case "user":
        this.#isLeading = false;
        this.#append(this.#userMessage(message, index));
        this.#warnAboutRest(message, index);
        break;
      case "system":
      case "developer":
        this.#addSystem(message, index);
        this.#warnAboutRest(message, index);
        break;
      default:
        throw new Error(`/messages/${index}/role: ${message.role}`);
    }
  }

  #warnAboutRest(message, index) {
    if (fieldCount(message) === 2) return;
    for (const key in message) {
      if (key !== "role" && key !== "content") warnAboutField(this.#warnings, `/messages/${index}`, key, message[key]);
    }
  }

  /** Adds a message at its position; undefined is an empty message. */
  #append(message) {
    if (message !== undefined) this.#prefill = undefined;
    if (this.#turn !== undefined) this.#turn.put(message);
    else if (message !== undefined) this.#messages.push(message);
  }

  #addSystem({ content }, index) {
    if (!this.#isLeading) {
      warn(this.#warnings, "system_moved", `/messages/${index}`);
      this.#turn?.put(undefined);
    }
    if (typeof content === "string") this.#addSystemText(content, index, undefined);
    else for (const [place, part] of content.entries()) this.#addSystemText(part.text, index, place);
  }

  #addSystemText(text, index, place) {
    if (!isBlank(text)) this.#system.push({ type: "text", text });
    else warn(this.#warnings, "empty_dropped", `/messages/${index}${place === undefined ? "" : `/content/${place}`}`);
  }

  #userMessage({ content }, index) {
    if (typeof content === "string") {
      if (!isBlank(content)) return { role: "user", content };
      warn(this.#warnings, "empty_dropped", `/messages/${index}/content`);
      return undefined;
    }
    const blocks = blocksOf(content, `/messages/${index}/content`, this.#warnings);
    if (blocks.length > 0) return { role: "user", content: blocks };
    if (content.length === 0) warn(this.#warnings, "empty_dropped", `/messages/${index}`);
    return undefined;
  }

  #addAssistant(message, index) {
    if (this.#turn?.hasFollowers) {
      this.#turn.close(this.#messages, false, this.#warnings);
      this.#turn = undefined;
    }
    const { output, calls } = this.#assistantMessage(message, index);
    if (calls.length > 0) this.#prefill = undefined;
    else if (output !== undefined) this.#prefill = { message: output, index };
    if (this.#turn !== undefined) this.#turn.add(output, calls);
    else if (calls.length > 0) this.#turn = new Turn(output, calls);
    else if (output !== undefined) this.#messages.push(output);
  }

  #assistantMessage(message, index) {
    const { content, tool_calls: given } = message;
    const known = given === undefined ? 2 : 3;
    const refusal = fieldCount(message) === known ? undefined : this.#refusal(message, index);
    if (given == null && refusal === undefined && typeof content === "string" && !isBlank(content)) {
      return { output: { role: "assistant", content }, calls: none };
    }
    return this.#blocksMessage(content, given ?? none, refusal, index);
  }

  /** Returns the refusal, if any, and reports other fields. */
  #refusal(message, index) {
    for (const key in message) {
      const value = message[key];
      switch (key) {
        case "role":
        case "content":
        case "tool_calls":
        case "refusal":
          break;
        case "reasoning":
        case "reasoning_content":
          if (value) warn(this.#warnings, "reasoning_dropped", `/messages/${index}/${key}`);
          break;
        case "function_call":
          if (value !== null) notCovered(key);
          break;
        default:
          warnAboutField(this.#warnings, `/messages/${index}`, key, value);
      }
    }
    return message.refusal ?? undefined;
  }

  #blocksMessage(content, given, refusal, index) {
    const blocks = this.#assistantTexts(content, given.length > 0 || refusal !== undefined, index);
    if (refusal !== undefined) {
      warn(this.#warnings, "refusal_as_text", `/messages/${index}/refusal`);
      if (!isBlank(refusal)) blocks.push({ type: "text", text: refusal });
    }
    const calls = [];
    for (let place = 0; place < given.length; place++) {
      const block = this.#call(given[place], index, place);
      blocks.push(block);
      calls.push({ wireId: given[place].id ?? "", id: block.id, message: index, place, answer: -1, next: undefined });
    }
    return { output: blocks.length > 0 ? { role: "assistant", content: blocks } : undefined, calls };
  }

  #assistantTexts(content, hasMore, index) {
    if (Array.isArray(content)) {
      if (content.length === 0 && !hasMore) warn(this.#warnings, "empty_dropped", `/messages/${index}`);
      return blocksOf(content, `/messages/${index}/content`, this.#warnings);
    }
    const text = content ?? "";
    if (!isBlank(text)) return [{ type: "text", text }];
    if (text !== "" || !hasMore) warn(this.#warnings, "empty_dropped", `/messages/${index}/content`);
    return [];
  }

  #call(call, index, place) {
    const { id, type, function: made } = call;
    if (type !== "function" && type !== undefined) notCovered(`calls of the type ${type}`);
    if (fieldCount(call) !== 3 || fieldCount(made) !== 2) this.#warnAboutCall(call, index, place);
    return {
      type: "tool_use",
      id: this.#ids.idFor(id, index, place, this.#warnings),
      name: this.#names.fit(made.name, "messages", index, place, this.#warnings),
      input: inputOf(made.arguments, index, place, this.#warnings),
    };
  }

  #warnAboutCall(call, index, place) {
    const path = `/messages/${index}/tool_calls/${place}`;
    for (const key in call) {
      if (key !== "id" && key !== "type" && key !== "function") warnAboutField(this.#warnings, path, key, call[key]);
    }
    for (const key in call.function) {
      if (key === "name" || key === "arguments") continue;
      warnAboutField(this.#warnings, `${path}/function`, key, call.function[key]);
    }
  }

  #addResult(message, index) {
    const { tool_call_id: id, content } = message;
    if (fieldCount(message) !== 3) this.#warnAboutResult(message, index);
    const output = Array.isArray(content)
      ? blocksOf(content, `/messages/${index}/content`, this.#warnings)
      : (content ?? "");
    const result = { type: "tool_result", tool_use_id: id };
    if (output !== "") result.content = output;
    this.#prefill = undefined;
    if (this.#turn?.answer(id, result, index, this.#warnings)) return;
    if (typeof output !== "string") notCovered("parts of a result without a call");
    warn(this.#warnings, "orphan_as_text", `/messages/${index}`);
    this.#append({ role: "user", content: `Result of tool call ${id}: ${output}` });
  }

  #warnAboutResult(message, index) {
    for (const key in message) {
      // a name is that of the call
      if (key === "role" || key === "tool_call_id" || key === "content" || key === "name") continue;
      warnAboutField(this.#warnings, `/messages/${index}`, key, message[key]);
    }
  }

  /** The target refuses white space at the end of a message that it continues. */
  #trim() {
    const { message, index } = this.#prefill;
    if (typeof message.content !== "string") return;
    const text = message.content.trimEnd();
    if (text.length === message.content.length) return;
    message.content = text;
    warn(this.#warnings, "empty_dropped", `/messages/${index}/content`);
  }
}
