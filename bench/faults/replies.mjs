// What the scripted server sends. A reply is a function of the HTTP response and of whether the client asked for a stream.

const head = { id: "chatcmpl-1", created: 1, model: "scripted" };
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const types = { true: "text/event-stream", false: "application/json" };
/** Milliseconds between a part of a body and the end of its connection. */
const PAUSE = 20;

const event = (choice) =>
  `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, ...choice }] })}\n\n`;

/** The body of a response of the model. */
function bodyOf(message, finish_reason, isStream) {
  if (!isStream) {
    const choices = [{ index: 0, message: { role: "assistant", ...message }, finish_reason }];
    return JSON.stringify({ ...head, object: "chat.completion", choices, usage });
  }
  const tool_calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
  const first = { role: "assistant", content: null, ...(tool_calls && { tool_calls }) };
  const words = message.content?.match(/\S+\s*/g) ?? [];
  const deltas = [first, ...words.map((content) => ({ content }))];
  const events = deltas.map((delta) => event({ delta, finish_reason: null }));
  return `${events.join("")}${event({ delta: {}, finish_reason })}data: [DONE]\n\n`;
}

const modelReply = (message, finish) => (out, isStream) =>
  out.writeHead(200, { "content-type": types[isStream] }).end(bodyOf(message, finish, isStream));

export const text = (content, finish = "stop") => modelReply({ content }, finish);

/** `list`: `{id, name, args}`, with the text of the arguments. */
export function calls(list, finish = "tool_calls") {
  const tool_calls = list.map(({ id, name, args }) => ({ id, type: "function", function: { name, arguments: args } }));
  return modelReply({ content: null, tool_calls }, finish);
}

/** An error in the form of OpenAI. */
export function error(status, message, headers = {}) {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  const body = JSON.stringify({ error: { message, type, param: null, code: null } });
  return (out) => out.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}

export const html = (status, title) => (out) =>
  out
    .writeHead(status, { "content-type": "text/html" })
    .end(`<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`);

/** Half of the body of a text; then the connection is reset. */
export const broken = (content) => (out, isStream) => {
  const body = bodyOf({ content }, "stop", isStream);
  out.writeHead(200, { "content-type": types[isStream] }).write(body.slice(0, body.length >> 1));
  setTimeout(() => out.socket?.resetAndDestroy(), PAUSE);
};

/** A stream that is closed after a text, without a finish reason. */
export const unfinished = (content) => (out) =>
  out.writeHead(200, { "content-type": types.true }).end(event({ delta: { role: "assistant", content } }));

/** A stream that goes on as long as the client reads. */
export const endlessStream = (out) =>
  repeat(out.writeHead(200, { "content-type": types.true }), event({ delta: { content: "and " } }));

/** An error body that goes on as long as the client reads. */
export const endlessError = (status) => (out) => {
  out.writeHead(status, { "content-type": "application/json" }).write('{"error":{"message":"');
  repeat(out, "bad request ");
};

/** Writes 10 kB every few milliseconds, so that the client has time for other things. */
function repeat(out, piece) {
  const bytes = piece.repeat(Math.ceil(10_000 / piece.length));
  const timer = setInterval(() => {
    if (out.writableLength < 1_000_000) out.write(bytes);
  }, 5);
  out.on("close", () => clearInterval(timer)).on("error", () => {});
}
