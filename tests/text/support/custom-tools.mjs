// A loopback server that speaks OpenAI's wire formats and calls custom tools. It refuses requests that OpenAI refuses.

import { startScripted } from "../../toolkit/support/scripted.mjs";
import { piecesOf } from "./texts.mjs";

/** A step of `play` is `{text?, input?}`: text, and the input of a call of the first tool. `received` has the bodies. */
export async function startCustomTools() {
  const provider = await startScripted(respond);
  provider.url += "/v1";
  return provider;
}

function respond(provider, { request, body }, response) {
  provider.received.push(body);
  const api = request.url.endsWith("/responses") ? responses : chat;
  const refusal = api.refusal(body);
  if (refusal) return response.writeHead(400).end(JSON.stringify({ error: { message: refusal } }));
  const step = { id: `call_${provider.received.length}`, ...provider.script[provider.received.length - 1] };
  const parts = api.parts(step, body);
  response.setHeader("content-type", body.stream ? "text/event-stream" : "application/json");
  return response.end(body.stream ? api.events(parts, step, body).map(framed).join("") : JSON.stringify(parts.whole));
}

const framed = (event) =>
  `${event.type ? `event: ${event.type}\n` : ""}data: ${event === "[DONE]" ? event : JSON.stringify(event)}\n\n`;

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

/** Whether calls and results pair, each result directly after its call. */
function pairing(items, { calls, result }) {
  let open = [];
  for (const item of items) {
    const id = result(item);
    if (id === undefined && open.length > 0) return `no tool output found for call ${open[0]}`;
    if (id !== undefined && !open.includes(id)) return `no tool call found for output ${id}`;
    open = id === undefined ? calls(item) : open.filter((known) => known !== id);
  }
  return open.length > 0 ? `no tool output found for call ${open[0]}` : undefined;
}

const chat = {
  refusal({ messages, tools, tool_choice: choice }) {
    const custom = tools?.[0]?.custom;
    if (custom?.format.type !== "grammar" || custom.format.grammar.syntax !== "lark") return "no custom tool";
    if (choice?.custom && choice.custom.name !== custom.name) return "tool_choice names no tool";
    return pairing(messages, {
      calls: ({ tool_calls: calls = [] }) =>
        calls.map(({ id, type, custom: { name, input } }) => {
          if (type !== "custom" || name !== custom.name || typeof input !== "string") throw new Error("a wrong call");
          return id;
        }),
      result: ({ role, tool_call_id: id }) => (role === "tool" ? id : undefined),
    });
  },
  parts({ id, text = null, input }, { model, tools }) {
    const custom = input === undefined ? undefined : { name: tools[0].custom.name, input };
    const calls = custom && [{ id, type: "custom", custom }];
    const finish_reason = calls ? "tool_calls" : "stop";
    const message = { role: "assistant", content: text, refusal: null, ...(calls && { tool_calls: calls }) };
    const base = { id: "chatcmpl-1", created: 1, model };
    const choice = { index: 0, message, finish_reason, logprobs: null };
    return { base, custom, finish_reason, whole: { ...base, object: "chat.completion", choices: [choice], usage } };
  },
  events({ base, custom, finish_reason }, { id, text, input }) {
    const chunk = (delta, finish = null) => ({
      ...base,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const call = (more) => chunk({ tool_calls: [{ index: 0, ...more }] });
    return [
      chunk({ role: "assistant", content: text ?? null }),
      ...(custom ? [call({ id, type: "custom", custom: { ...custom, input: "" } })] : []),
      ...(custom ? piecesOf(input, 3).map((piece) => call({ custom: { input: piece } })) : []),
      chunk({}, finish_reason),
      "[DONE]",
    ];
  },
};

const responses = {
  refusal({ input, tools, tool_choice: choice }) {
    const [tool] = tools ?? [];
    if (tool?.type !== "custom" || tool.format.syntax !== "lark") return "no custom tool";
    if (choice?.type === "custom" && choice.name !== tool.name) return "tool_choice names no tool";
    return pairing(input, {
      calls: ({ type, call_id: id, name }) => (type === "custom_tool_call" && name === tool.name ? [id] : []),
      result: ({ type, call_id: id }) => (type === "custom_tool_call_output" ? id : undefined),
    });
  },
  parts({ id, text, input }, { model, tools }) {
    const content = [{ type: "output_text", text, annotations: [] }];
    const message = { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
    const call = { type: "custom_tool_call", id: "ctc_1", call_id: id, name: tools[0].name, input };
    const output = [...(text === undefined ? [] : [message]), ...(input === undefined ? [] : [call])];
    const base = { id: "resp_1", object: "response", created_at: 1, model, status: "completed", error: null };
    const spent = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
    return { whole: { ...base, output, parallel_tool_calls: false, usage: spent } };
  },
  events({ whole }) {
    const items = whole.output.flatMap((item, output_index) => {
      const at = { output_index, item_id: item.id };
      const added = (value) => ({ type: "response.output_item.added", output_index, item: value });
      const done = { type: "response.output_item.done", output_index, item };
      if (item.type === "custom_tool_call") {
        const deltas = piecesOf(item.input, 3).map((delta) => ({
          ...at,
          type: "response.custom_tool_call_input.delta",
          delta,
        }));
        const end = { type: "response.custom_tool_call_input.done", ...at, input: item.input };
        return [added({ ...item, input: "" }), ...deltas, end, done];
      }
      const [part] = item.content;
      const inside = { ...at, content_index: 0 };
      return [
        added({ ...item, status: "in_progress", content: [] }),
        { type: "response.content_part.added", ...inside, part: { ...part, text: "" } },
        { type: "response.output_text.delta", ...inside, delta: part.text },
        { type: "response.output_text.done", ...inside, text: part.text },
        { type: "response.content_part.done", ...inside, part },
        done,
      ];
    });
    const created = { type: "response.created", response: { ...whole, status: "in_progress", output: [] } };
    const events = [created, ...items, { type: "response.completed", response: whole }];
    return events.map((event, sequence_number) => ({ ...event, sequence_number }));
  },
};
