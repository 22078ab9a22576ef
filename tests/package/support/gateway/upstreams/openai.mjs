// Chat Completions as a provider: WIRE §1.

import * as rule from "./rules.mjs";

const { object, list, kinds, text, free } = rule;

const textPart = object({ text: rule.filledText });
const imageURL = rule.matching(/^(https:\/\/|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$)/);
const userPart = kinds("type", {
  text: textPart,
  image_url: object({
    image_url: object({ url: imageURL }, { detail: rule.oneOf("auto", "low", "high", "original") }),
  }),
});
const id = rule.matching(/^.{1,40}$/);
const toolCall = kinds("type", {
  function: object({ id, function: object({ name: rule.toolName, arguments: rule.jsonObject }) }),
  custom: object({ id, custom: object({ name: rule.toolName, input: rule.text }) }),
});
const textOrParts = rule.textOr(list(kinds("type", { text: textPart })));
const content = rule.either((value) => value === null, rule.anything, textOrParts);
const assistant = (value, path, complain) => {
  object({}, { content, refusal: rule.anything, reasoning_content: text, tool_calls: list(toolCall) })(
    value,
    path,
    complain,
  );
  if ((value.content ?? value.refusal ?? value.tool_calls) === undefined) complain(path, "says nothing");
};
const message = kinds("role", {
  system: object({ content: textOrParts }),
  developer: object({ content: textOrParts }),
  user: object({ content: rule.textOr(list(userPart)) }),
  assistant,
  tool: object({ tool_call_id: id, content: textOrParts }),
});
const tool = kinds("type", {
  custom: object({ custom: object({ name: rule.toolName }, free("description format")) }),
  function: object({
    function: object(
      { name: rule.toolName },
      { description: text, parameters: rule.anyObject, strict: rule.oneOf(true, false, null) },
    ),
  }),
});
const request = object(
  { model: rule.filledText, messages: list(message) },
  {
    tools: list(tool),
    ...free(`tool_choice parallel_tool_calls max_completion_tokens temperature top_p stop response_format reasoning_effort
      verbosity metadata stream stream_options seed n logprobs top_logprobs logit_bias presence_penalty frequency_penalty
      modalities audio prediction store service_tier prompt_cache_key prompt_cache_options safety_identifier user`),
  },
);

/** Results follow their calls directly. */
function turns(messages, complain) {
  messages.forEach(({ role, tool_calls = [] }, index) => {
    const path = `/messages/${index}`;
    const next = messages.slice(index + 1);
    const end = next.findIndex((other) => other.role !== "tool");
    const results = next.slice(0, end < 0 ? undefined : end).map((result) => result.tool_call_id);
    if (role === "assistant")
      rule.pairUp(
        tool_calls.map((call) => call.id),
        results,
        path,
        complain,
      );
    if (role === "tool" && !["assistant", "tool"].includes(messages[index - 1]?.role))
      complain(path, "follows no call");
  });
}

const partsOf = (content) => (typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []));
const readers = {
  system: ({ content }) => partsOf(content).map(({ text }) => ({ system: text })),
  developer: (message) => readers.system(message),
  user: ({ content }) =>
    partsOf(content).map(({ text, image_url }) =>
      image_url ? { image: image_url.url.split("base64,")[1], inResult: false } : { user: text },
    ),
  assistant: ({ content, reasoning_content, tool_calls = [] }) => [
    ...(reasoning_content ? [{ reasoning: reasoning_content }] : []),
    // "" besides calls means no text
    ...(content ? partsOf(content).map(({ text }) => ({ text })) : []),
    ...tool_calls.map(({ id, function: f, custom }) => ({
      call: f ? { id, name: f.name, arguments: JSON.parse(f.arguments) } : { id, name: custom.name, arguments: custom },
    })),
  ],
  tool: ({ tool_call_id, content }) => [
    {
      result: {
        id: tool_call_id,
        output: partsOf(content)
          .map(({ text }) => text)
          .join(""),
      },
    },
  ],
};

const finishReasons = { refusal: "stop" };

export default {
  path: () => /^v1\/chat\/completions$/,
  check(body, complain) {
    request(body, "", complain);
    turns(body.messages, complain);
  },
  streams: (body) => body.stream === true,
  read: ({ model, tools = [], messages }) => ({
    model,
    tools: tools.map((one) => {
      const { name, description, parameters } = one.function ?? one.custom;
      return { name, description, parameters };
    }),
    history: messages.flatMap((message) => readers[message.role](message)),
  }),
  whole({ id, blocks, finish, usage: { input, output } }, model) {
    const join = (type) => blocks.filter((block) => block.type === type).map(({ pieces }) => pieces.join(""));
    const [content = null, refusal = null, reasoning_content] = [
      ...["text", "refusal", "reasoning"].map((type) => join(type)[0]),
    ];
    const calls = blocks.filter(({ type }) => type === "call");
    const tool_calls = calls.map(({ id, name, pieces }) => ({
      id,
      type: "function",
      function: { name, arguments: pieces.join("") },
    }));
    const message = {
      role: "assistant",
      content,
      refusal,
      ...(reasoning_content && { reasoning_content }),
      ...(tool_calls.length > 0 && { tool_calls }),
    };
    return {
      id,
      object: "chat.completion",
      created: 1,
      model,
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishReasons[finish] ?? finish }],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    };
  },
  error: ({ message }) => ({
    error: { message, type: "requests", param: null, code: "rate_limit_exceeded" },
  }),
};
