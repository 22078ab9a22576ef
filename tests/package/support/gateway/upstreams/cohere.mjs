// Cohere's chat API, version 2, as a provider: WIRE §7.

import * as rule from "./rules.mjs";

const { object, list, kinds, text, free } = rule;

const textPart = object({ text });
const imageURL = rule.matching(/^(https:\/\/|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$)/);
const userPart = kinds("type", {
  text: textPart,
  image_url: object({ image_url: object({ url: imageURL }, { detail: rule.oneOf("auto", "low", "high") }) }),
});
const document = object({ document: object({ data: rule.anyObject }, { id: text }) });
const toolCall = kinds("type", {
  function: object({ id: rule.filledText, function: object({ name: rule.toolName, arguments: rule.jsonObject }) }),
});
const assistantPart = kinds("type", { text: textPart, thinking: object({ thinking: text }) });
const assistant = (value, path, complain) => {
  object({}, { content: rule.textOr(list(assistantPart)), tool_plan: text, tool_calls: list(toolCall) })(
    value,
    path,
    complain,
  );
  if ((value.content ?? value.tool_calls) === undefined) complain(path, "says nothing");
};
const message = kinds("role", {
  system: object({ content: rule.textOr(list(kinds("type", { text: textPart }))) }),
  user: object({ content: rule.textOr(list(userPart)) }),
  assistant,
  tool: object({
    tool_call_id: rule.filledText,
    content: rule.textOr(list(kinds("type", { text: textPart, document }))),
  }),
});
const tool = kinds("type", {
  function: object({
    function: object({ name: rule.toolName, parameters: rule.anyObject }, { description: text }),
  }),
});
const request = object(
  { model: rule.filledText, messages: list(message) },
  {
    stream: rule.oneOf(true, false),
    tools: list(tool),
    tool_choice: rule.oneOf("REQUIRED", "NONE"),
    ...free(`strict_tools max_tokens temperature p k presence_penalty frequency_penalty seed stop_sequences thinking
      response_format`),
  },
);

/** Results follow their calls directly. */
function turns(messages, complain) {
  messages.forEach(({ role, tool_calls = [] }, index) => {
    if (role !== "assistant") return;
    const end = messages.findIndex((next, at) => at > index && next.role !== "tool");
    const results = messages.slice(index + 1, end < 0 ? undefined : end).map(({ tool_call_id }) => tool_call_id);
    rule.pairUp(
      tool_calls.map(({ id }) => id),
      results,
      `/messages/${index}`,
      complain,
    );
  });
}

const partsOf = (content) => (typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []));
const textOf = (content) =>
  partsOf(content)
    .map(({ text = "", document: given }) => (given ? JSON.stringify(given.data) : text))
    .join("");
const userParts = {
  text: ({ text }) => ({ user: text }),
  image_url: ({ image_url: { url } }) => ({ image: url.slice(url.indexOf(",") + 1), inResult: false }),
};
const readers = {
  system: ({ content }) => [{ system: textOf(content) }],
  user: ({ content }) => partsOf(content).map((part) => userParts[part.type](part)),
  assistant: ({ content, tool_calls = [] }) => [
    ...partsOf(content).map(({ text, thinking }) => (thinking === undefined ? { text } : { reasoning: thinking })),
    ...tool_calls.map(({ id, function: { name, arguments: given } }) => ({
      call: { id, name, arguments: JSON.parse(given) },
    })),
  ],
  tool: ({ tool_call_id, content }) => [{ result: { id: tool_call_id, output: textOf(content) } }],
};

const contents = {
  text: ({ pieces }) => ({ type: "text", text: pieces.join("") }),
  reasoning: ({ pieces }) => ({ type: "thinking", thinking: pieces.join("") }),
};
export const finishReasons = {
  stop: "COMPLETE",
  length: "MAX_TOKENS",
  tool_calls: "TOOL_CALL",
  content_filter: "COMPLETE",
};

export default {
  path: () => /^v2\/chat$/,
  headers: ["authorization"],
  check(body, complain) {
    request(body, "", complain);
    turns(body.messages, complain);
  },
  streams: (body) => body.stream === true,
  read: ({ model, tools = [], messages }) => ({
    model,
    tools: tools.map(({ function: { name, description, parameters } }) => ({ name, description, parameters })),
    history: messages.flatMap((message) => readers[message.role](message)),
  }),
  whole({ id, blocks, finish, usage: { input, output } }) {
    const calls = blocks.filter(({ type }) => type === "call");
    const tool_calls = calls.map(({ id, name, pieces }) => ({
      id,
      type: "function",
      function: { name, arguments: pieces.join("") },
    }));
    const content = blocks.filter(({ type }) => type !== "call").map((block) => contents[block.type](block));
    const message = {
      role: "assistant",
      ...(content.length > 0 && { content }),
      ...(calls.length > 0 && { tool_calls }),
    };
    const tokens = { input_tokens: input, output_tokens: output };
    return { id, message, finish_reason: finishReasons[finish], usage: { tokens, billed_units: tokens } };
  },
  error: ({ message }) => ({ id: "e1", message }),
};
