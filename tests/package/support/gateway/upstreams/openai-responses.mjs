// Responses as a provider: WIRE §2.

import * as rule from "./rules.mjs";

const { object, list, kinds, text, free } = rule;

const imageURL = rule.matching(/^(https:\/\/|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$)/);
const detail = rule.oneOf("low", "high", "auto", "original");
const inputText = object({ text: rule.filledText });
const messageParts = kinds("type", {
  input_text: inputText,
  input_image: object({ detail, image_url: imageURL }),
  output_text: object({ text, annotations: list(rule.anything, 0) }, { logprobs: rule.anything }),
  refusal: object({ refusal: text }),
});
const resultParts = kinds("type", { input_text: inputText, input_image: object({ image_url: imageURL }, { detail }) });
const status = rule.oneOf("in_progress", "completed", "incomplete");
const callId = rule.matching(/^.{1,64}$/);
const summary = list(kinds("type", { summary_text: object({ text }) }), 0);
const items = kinds("type", {
  message: object(
    { role: rule.oneOf("user", "assistant", "system", "developer"), content: rule.textOr(list(messageParts)) },
    { id: text, status, phase: rule.anything },
  ),
  function_call: object(
    { call_id: callId, name: rule.toolName, arguments: rule.jsonObject },
    { id: rule.matching(/^fc_/), status, caller: rule.anything, namespace: text },
  ),
  function_call_output: object({ call_id: callId, output: rule.textOr(list(resultParts)) }, { id: text, status }),
  reasoning: object({ id: rule.matching(/^rs_/), summary }, { encrypted_content: rule.filledText, status }),
});
const item = (value, path, complain) =>
  items(rule.isObject(value) && value.role ? { type: "message", ...value } : value, path, complain);
const tool = kinds("type", {
  function: object(
    {
      name: rule.toolName,
      parameters: rule.either((value) => value === null, rule.anything, rule.anyObject),
      strict: rule.oneOf(true, false, null),
    },
    { description: text },
  ),
});
const request = object(
  { model: rule.filledText, input: rule.textOr(list(item)) },
  {
    instructions: text,
    tools: list(tool),
    ...free(`tool_choice parallel_tool_calls max_output_tokens max_tool_calls temperature top_p text reasoning include store
      previous_response_id conversation background metadata stream stream_options truncation top_logprobs prompt
      prompt_cache_key prompt_cache_options safety_identifier service_tier context_management user`),
  },
);

/** Each output refers to an earlier call, and each call has its output before the next item of the model. */
function turns(input, complain) {
  const open = new Set();
  input.forEach(({ type, role, call_id }, index) => {
    const path = `/input/${index}`;
    if (type === "function_call") open.add(call_id);
    else if (type === "function_call_output") {
      if (!open.delete(call_id)) complain(path, `is a result of ${call_id}, which waits for none`);
    } else if (type !== "reasoning" && role !== "assistant" && open.size > 0)
      complain(path, `comes before the result of ${[...open]}`);
    const next = input[index + 1];
    const isFollowed = next?.type === "function_call" || next?.type === "reasoning" || next?.role === "assistant";
    if (type === "reasoning" && !isFollowed) complain(path, "leads to nothing");
  });
  if (open.size > 0) complain("/input", `has no result of ${[...open]}`);
}

const itemsOf = (input) => (typeof input === "string" ? [{ role: "user", content: input }] : input);
const partsOf = (content) => (typeof content === "string" ? [{ text: content }] : content);
const keys = { user: "user", assistant: "text", system: "system", developer: "system" };
const imageOf = ({ image_url }, inResult = false) => ({ image: image_url.split("base64,")[1], inResult });
const readers = {
  message: ({ role, content }) =>
    partsOf(content).map((part) => (part.image_url ? imageOf(part) : { [keys[role]]: part.text ?? part.refusal })),
  function_call: ({ call_id, name, arguments: text }) => [{ call: { id: call_id, name, arguments: JSON.parse(text) } }],
  function_call_output: ({ call_id, output }) => {
    const parts = partsOf(output);
    const text = parts.map(({ text }) => text ?? "").join("");
    return [
      { result: { id: call_id, output: text } },
      ...parts.filter(({ image_url }) => image_url).map((part) => imageOf(part, true)),
    ];
  },
  reasoning: ({ summary, encrypted_content }) => [
    { reasoning: summary.map(({ text }) => text).join(""), signature: encrypted_content },
  ],
};

const outputs = {
  text: ({ pieces }, index) =>
    message(index, { type: "output_text", text: pieces.join(""), annotations: [], logprobs: [] }),
  refusal: ({ pieces }, index) => message(index, { type: "refusal", refusal: pieces.join("") }),
  reasoning: ({ pieces, signature }, index) => ({
    id: `rs_${index}`,
    type: "reasoning",
    summary: [{ type: "summary_text", text: pieces.join("") }],
    encrypted_content: signature,
  }),
  call: ({ id, name, pieces }, index) => ({
    id: `fc_${index}`,
    type: "function_call",
    status: "completed",
    arguments: pieces.join(""),
    call_id: id,
    name,
  }),
};
const message = (index, part) => ({
  id: `msg_${index}`,
  type: "message",
  status: "completed",
  content: [part],
  role: "assistant",
});

export default {
  path: () => /^v1\/responses$/,
  check(body, complain) {
    request(body, "", complain);
    if (Array.isArray(body.input)) turns(body.input, complain);
  },
  streams: (body) => body.stream === true,
  read: ({ model, instructions, tools = [], input }) => ({
    model,
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    history: [
      ...(instructions === undefined ? [] : [{ system: instructions }]),
      ...itemsOf(input).flatMap((item) => readers[item.type ?? "message"](item)),
    ],
  }),
  whole({ id, blocks, finish, usage: { input, output } }, model) {
    const isCut = finish === "length";
    return {
      id,
      object: "response",
      created_at: 1,
      model,
      status: isCut ? "incomplete" : "completed",
      error: null,
      incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
      output: blocks.map((block, index) => outputs[block.type](block, index)),
      parallel_tool_calls: true,
      tool_choice: "auto",
      tools: [],
      instructions: null,
      metadata: {},
      temperature: 1,
      top_p: 1,
      usage: {
        input_tokens: input,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: input + output,
      },
    };
  },
  error: ({ message }) => ({
    error: { message, type: "requests", param: null, code: "rate_limit_exceeded" },
  }),
};
