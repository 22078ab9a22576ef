// Messages as a provider: WIRE §3.

import * as rule from "./rules.mjs";

const { object, list, kinds, text, free } = rule;

const cached = { cache_control: rule.anything };
const textBlock = object({ text: rule.filledText }, { ...cached, citations: rule.anything });
const source = kinds("type", {
  base64: object({ media_type: rule.imageType, data: rule.base64 }),
  url: object({ url: rule.matching(/^https:/) }),
});
const image = object({ source }, cached);
const id = rule.matching(/^[a-zA-Z0-9_-]+$/);
const result = object(
  { tool_use_id: id },
  {
    content: rule.textOr(list(kinds("type", { text: textBlock, image }))),
    is_error: rule.oneOf(true, false),
    ...cached,
  },
);
const userBlock = kinds("type", { text: textBlock, image, tool_result: result });
const assistantBlock = kinds("type", {
  text: textBlock,
  tool_use: object({ id, name: rule.toolName, input: rule.anyObject }, { caller: rule.anything, ...cached }),
  thinking: object({ thinking: text, signature: rule.filledText }),
});
const filledOr = (block) => rule.either((value) => typeof value === "string", rule.filledText, list(block));
const message = kinds("role", {
  user: object({ content: filledOr(userBlock) }),
  assistant: object({ content: filledOr(assistantBlock) }),
});
const inputSchema = object(
  { type: rule.oneOf("object") },
  free("$schema properties required $defs additionalProperties description"),
);
const tool = object(
  { name: rule.matching(/^[a-zA-Z0-9_-]{1,128}$/), input_schema: inputSchema },
  { description: text, ...cached, ...free("type strict eager_input_streaming") },
);
const request = object(
  { model: rule.filledText, max_tokens: rule.wholeNumber, messages: list(message) },
  {
    system: rule.textOr(list(kinds("type", { text: textBlock }))),
    tools: list(tool),
    ...free("tool_choice stop_sequences stream thinking output_config metadata service_tier cache_control container"),
  },
);

/** A turn's results are at the start of the next turn. Turns of one role may follow each other (WIRE §3.5). */
function turns(messages, complain) {
  if (messages[0]?.role !== "user") complain("/messages/0", "is not the user's");
  messages.forEach(({ role, content }, index) => {
    const path = `/messages/${index}`;
    const blocks = partsOf(content);
    if (role === "assistant") {
      const calls = blocks.filter(({ type }) => type === "tool_use").map((call) => call.id);
      const next = messages[index + 1]?.content;
      const results = (Array.isArray(next) ? next : []).filter(({ type }) => type === "tool_result");
      rule.pairUp(
        calls,
        results.map(({ tool_use_id }) => tool_use_id),
        path,
        complain,
      );
    }
    const isLate = blocks.some(
      ({ type }, at) => type === "tool_result" && blocks[at - 1] && blocks[at - 1].type !== type,
    );
    if (isLate) complain(path, "has results after something else");
  });
}

const partsOf = (content) => (typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []));
const imageOf = ({ source: { data } }, inResult = false) => ({ image: data, inResult });
const readers = {
  text: ({ text }, role) => [{ [role === "user" ? "user" : "text"]: text }],
  image: (block) => [imageOf(block)],
  thinking: ({ thinking, signature }) => [{ reasoning: thinking, signature }],
  tool_use: ({ id, name, input }) => [{ call: { id, name, arguments: input } }],
  tool_result: ({ tool_use_id, content, is_error }) => {
    const parts = partsOf(content);
    const output = parts.map(({ text }) => text ?? "").join("");
    const result = { id: tool_use_id, output, ...(is_error && { isError: true }) };
    return [{ result }, ...parts.filter(({ type }) => type === "image").map((part) => imageOf(part, true))];
  },
};

const contents = {
  text: ({ pieces }) => ({ type: "text", text: pieces.join("") }),
  reasoning: ({ pieces, signature }) => ({ type: "thinking", thinking: pieces.join(""), signature }),
  call: ({ id, name, pieces }) => ({
    type: "tool_use",
    id,
    name,
    input: JSON.parse(pieces.join("")),
    caller: { type: "direct" },
  }),
};
export const stopReasons = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
  refusal: "refusal",
  pause: "pause_turn",
};

export default {
  path: () => /^v1\/messages$/,
  headers: ["anthropic-version"],
  check(body, complain) {
    request(body, "", complain);
    turns(body.messages, complain);
  },
  streams: (body) => body.stream === true,
  read: ({ model, system = [], tools = [], messages }) => ({
    model,
    tools: tools.map(({ name, description, input_schema }) => ({ name, description, parameters: input_schema })),
    history: [
      ...partsOf(system).map(({ text }) => ({ system: text })),
      ...messages.flatMap(({ role, content }) => partsOf(content).flatMap((block) => readers[block.type](block, role))),
    ],
  }),
  whole: ({ id, blocks, finish, usage: { input, output } }, model) => ({
    id,
    type: "message",
    role: "assistant",
    model,
    content: blocks.map((block) => contents[block.type](block)),
    stop_reason: stopReasons[finish],
    stop_sequence: null,
    stop_details: null,
    usage: { input_tokens: input, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: output },
  }),
  error: ({ message }) => ({ type: "error", error: { type: "rate_limit_error", message }, request_id: "req_1" }),
};
