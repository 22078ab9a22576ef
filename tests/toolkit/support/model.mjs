// Scripted models: a `Send` that responds from a list.

/** A response of the model: text, and calls as `[id, name, arguments]`; arguments that are a string are invalid. */
export function response(text, calls = [], more = {}) {
  const valid = calls.filter(([, , args]) => typeof args !== "string");
  const invalid = calls.filter(([, , args]) => typeof args === "string");
  const toolCalls = valid.map(([id, name, args]) => ({ id, name, arguments: args ?? {} }));
  const invalidToolCalls = invalid.map(([id, name, rawArguments]) => ({ id, name, rawArguments, error: "not JSON" }));
  const content = text ? [{ type: "text", text }] : [];
  const message = { role: "assistant", content };
  if (toolCalls.length > 0) message.toolCalls = toolCalls;
  if (invalidToolCalls.length > 0) message.invalidToolCalls = invalidToolCalls;
  const finishReason = calls.length > 0 ? "tool_calls" : "stop";
  const usage = { input: 10, output: 5, total: 15 };
  return { message, text, toolCalls, invalidToolCalls, finishReason, usage, ...more };
}

/**
 * A `Send` that returns these responses in order; functions among them are called with the request. `requests` has the received requests,
 * and is not enumerable, so that the rest can be spread into options.
 */
export function scripted(...responses) {
  const requests = [];
  const send = async (request, options) => {
    requests.push(request);
    const next = responses[requests.length - 1];
    if (next === undefined) throw new Error(`the script has no response ${requests.length}`);
    return typeof next === "function" ? next(request, options) : next;
  };
  return withRequests(send, requests);
}

const withRequests = (send, requests) => Object.defineProperty({ send }, "requests", { value: requests });

/** The same, streamed. */
export function streamed(...responses) {
  const model = scripted(...responses);
  const send = async function* (request, options) {
    const whole = await model.send(request, options);
    yield { type: "start" };
    if (whole.text) yield { type: "textDelta", block: 0, text: whole.text };
    for (const call of whole.toolCalls) {
      yield { type: "toolCallStart", block: 1, id: call.id, name: call.name };
      yield { type: "toolCallDelta", block: 1, id: call.id, text: JSON.stringify(call.arguments) };
      yield { type: "toolCallEnd", block: 1, call };
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    yield { type: "finish", finishReason: whole.finishReason };
    return whole;
  };
  return withRequests(send, model.requests);
}

export const user = (content) => ({ messages: [{ role: "user", content }] });

/** Results in a conversation, by call id. */
export function resultsIn(messages) {
  return Object.fromEntries(messages.flatMap((m) => (m.role === "tool" ? [[m.toolCallId, m.value]] : [])));
}

/** Whether every call of a conversation has exactly one result, before the next turn. */
export function isComplete(messages) {
  return messages.every((message, index) => {
    if (message.role !== "assistant") return true;
    const ids = [...(message.toolCalls ?? []), ...(message.invalidToolCalls ?? [])].map(({ id }) => id);
    const following = messages.slice(index + 1, index + 1 + ids.length);
    return following.length === ids.length && following.every((m) => m.role === "tool" && ids.includes(m.toolCallId));
  });
}

/** A tool for scripts with one number. */
export const double = {
  name: "double",
  description: "Doubles n.",
  parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  execute: ({ n }) => n * 2,
};
