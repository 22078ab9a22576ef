// A stage for the tests: a call is `[name{arguments}]` in the text. It has a parser of its own and uses no text format.

const CALL = /\[(\w+)(\{.*?\})\]/;

/** Records its inputs in `seen`. */
export function bracketStage(seen = []) {
  return {
    request(request) {
      seen.push(request);
      const { tools = [], toolChoice, ...rest } = request;
      const prompt = `Tools: ${tools.map(({ name }) => name).join(", ")}`;
      const messages = [{ role: "system", content: prompt }, ...rest.messages.map(asText)];
      const reading = { tools: tools.map(({ name }) => name), ...(toolChoice && { toolChoice }) };
      const warnings = tools
        .filter(({ strict }) => strict)
        .map(({ name }) => ({
          code: "strict_dropped",
          message: `${name} is text`,
          path: "/tools",
          lossy: true,
          dialect: "canonical",
        }));
      return { request: { ...rest, messages }, reading, warnings };
    },
    response(response, reading) {
      const events = [...response.message.content].map((block, index) =>
        block.type === "text"
          ? { type: "textDelta", block: index, text: block.text }
          : { type: "block", block: index, value: block },
      );
      const rewriting = this.stream(reading);
      const read = [...events.flatMap((event) => rewriting.push(event)), ...rewriting.end()];
      const toolCalls = read.filter(({ type }) => type === "toolCallEnd").map(({ call }) => call);
      const text = read.map((event) => (event.type === "textDelta" ? event.text : "")).join("");
      const content = text === "" ? [] : [{ type: "text", text }];
      const finishReason = toolCalls.length > 0 ? "tool_calls" : response.finishReason;
      return {
        ...response,
        message: { ...response.message, content, ...(toolCalls.length > 0 && { toolCalls }) },
        text,
        toolCalls,
        finishReason,
      };
    },
    stream: (reading) => new Brackets(reading),
  };
}

class Brackets {
  #held = "";
  #blocks = 0;
  #calls = 0;
  #ended = false;
  constructor({ tools }) {
    this.tools = tools;
  }

  push(event) {
    if (event.type === "textDelta") {
      this.#held += event.text;
      return this.#read();
    }
    if (event.type !== "finish") return [event];
    const rest = this.end();
    return [...rest, { ...event, finishReason: this.#calls > 0 ? "tool_calls" : event.finishReason }];
  }

  end() {
    const text = this.#held;
    this.#held = "";
    if (this.#ended || text === "") return [];
    this.#ended = true;
    return [{ type: "textDelta", block: this.#blocks++, text }];
  }

  #read() {
    const found = CALL.exec(this.#held);
    if (!found || !this.tools.includes(found[1])) return [];
    const events = [];
    if (found.index > 0)
      events.push({ type: "textDelta", block: this.#blocks++, text: this.#held.slice(0, found.index) });
    this.#held = this.#held.slice(found.index + found[0].length);
    const [id, name, block] = [`call_${this.#calls++}`, found[1], this.#blocks++];
    events.push({ type: "toolCallStart", block, id, name });
    events.push({ type: "toolCallDelta", block, id, text: found[2] });
    events.push({ type: "toolCallEnd", block, call: { id, name, arguments: JSON.parse(found[2]) } });
    return [...events, ...this.#read()];
  }
}

function asText(message) {
  if (message.role === "tool") return { role: "user", content: `${message.name}: ${JSON.stringify(message.value)}` };
  const { toolCalls, ...rest } = message;
  if (!toolCalls) return message;
  const calls = toolCalls.map(({ name, arguments: args }) => `[${name}${JSON.stringify(args)}]`).join("");
  const text = typeof rest.content === "string" ? rest.content : rest.content.map(({ text = "" }) => text).join("");
  return { ...rest, content: text + calls };
}
