// Ollama's server: WIRE §8.

import * as rule from "./rules.mjs";

const { object, list, kinds, text, free } = rule;

const images = list(rule.base64);
const toolCall = object(
  { function: object({ name: rule.filledText, arguments: rule.anyObject }, { index: rule.wholeNumber }) },
  { id: rule.filledText, type: rule.oneOf("function") },
);
const message = kinds("role", {
  system: object({ content: text }),
  user: object({ content: text }, { images }),
  assistant: object({ content: text }, { thinking: text, tool_calls: list(toolCall), images }),
  tool: object({ content: text, tool_name: rule.filledText }, { tool_call_id: rule.filledText, images }),
});
const parameters = object({ type: rule.oneOf("object") }, free("properties required $defs items"));
const tool = kinds("type", {
  function: object({ function: object({ name: rule.filledText }, { description: text, parameters }) }),
});
const request = object(
  { model: rule.filledText, messages: list(message), stream: rule.oneOf(true, false) },
  {
    tools: list(tool),
    options: object({}, free("num_predict temperature top_p top_k min_p seed stop presence_penalty frequency_penalty")),
    ...free("think format keep_alive logprobs top_logprobs"),
  },
);

/** Results follow their calls directly, in the same order. */
function turns(messages, complain) {
  messages.forEach(({ role, tool_calls = [] }, index) => {
    if (role !== "assistant") return;
    const next = messages.slice(index + 1, index + 1 + tool_calls.length);
    const named = tool_calls.map((call) => call.function.name);
    const given = next.map(({ tool_name }) => tool_name);
    const path = `/messages/${index}`;
    if (JSON.stringify(named) !== JSON.stringify(given)) complain(path, `has calls ${named} and results ${given}`);
    next.forEach(({ tool_call_id }, at) => {
      if (tool_call_id !== undefined && tool_call_id !== tool_calls[at].id)
        complain(path, `has the call ${tool_calls[at].id} and the result ${tool_call_id}`);
    });
  });
}

const only = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
const imagesOf = ({ images = [] }, inResult = false) => images.map((image) => ({ image, inResult }));
const readers = {
  system: ({ content }) => [{ system: content }],
  user: ({ content, ...rest }) => [...(content ? [{ user: content }] : []), ...imagesOf(rest)],
  assistant: ({ content, thinking, tool_calls = [] }) => [
    ...(thinking ? [{ reasoning: thinking }] : []),
    ...(content ? [{ text: content }] : []),
    ...tool_calls.map(({ id, function: f }) => ({ call: only({ id, name: f.name, arguments: f.arguments }) })),
  ],
  tool: ({ content, tool_call_id, ...rest }) => [
    { result: only({ id: tool_call_id, output: content }) },
    ...imagesOf(rest, true),
  ],
};

export default {
  path: () => /^api\/chat$/,
  streamType: "application/x-ndjson",
  check(body, complain) {
    request(body, "", complain);
    turns(body.messages, complain);
  },
  streams: (body) => body.stream,
  read: ({ model, tools = [], messages }) => ({
    model,
    tools: tools.map(({ function: { name, description, parameters } }) => ({ name, description, parameters })),
    history: messages.flatMap((message) => readers[message.role](message)),
  }),
  whole({ blocks, finish, usage: { input, output } }, model) {
    const of = (wanted) => blocks.filter(({ type }) => type === wanted);
    const join = (type) =>
      of(type)
        .map(({ pieces }) => pieces.join(""))
        .join("");
    const tool_calls = of("call").map(({ id, name, pieces }, index) => ({
      id,
      function: { index, name, arguments: JSON.parse(pieces.join("")) },
    }));
    const thinking = join("reasoning");
    const message = {
      role: "assistant",
      content: join("text"),
      ...(thinking && { thinking }),
      ...(tool_calls.length > 0 && { tool_calls }),
    };
    return {
      model,
      created_at: "2026-01-01T00:00:00Z",
      message,
      done: true,
      done_reason: finish === "length" ? "length" : "stop",
      total_duration: 5,
      prompt_eval_count: input,
      eval_count: output,
    };
  },
  error: ({ message }) => ({ error: message }),
};
