// Gemini Interactions as a provider: WIRE §15.

import * as rule from "./rules.mjs";

const { object, list, kinds, text, free } = rule;

const textPart = object({ text });
const image = object({ data: rule.base64, mime_type: rule.imageType });
const contents = list(kinds("type", { text: textPart, image }));
const name = rule.matching(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/);
const summary = list(kinds("type", { text: textPart }), 0);
const isList = (value) => Array.isArray(value);
const result = rule.either(isList, contents, rule.either(rule.isObject, rule.anyObject, text));
const step = kinds("type", {
  user_input: object({ content: contents }),
  model_output: object({ content: contents }),
  thought: object({}, { signature: rule.filledText, summary }),
  // the signature is in the types of `@ai-sdk/google` only
  function_call: object({ id: rule.filledText, name, arguments: rule.anyObject }, { signature: rule.filledText }),
  function_result: object({ call_id: rule.filledText, result }, { name, is_error: rule.oneOf(true, false) }),
});
const tool = kinds("type", { function: object({ name }, { description: text, parameters: rule.anyObject }) });
const request = object(
  { model: rule.filledText, input: rule.textOr(list(step)) },
  {
    system_instruction: rule.filledText,
    tools: list(tool),
    stream: rule.oneOf(true, false),
    generation_config: object(
      {},
      free("temperature top_p seed stop_sequences max_output_tokens thinking_level thinking_summaries tool_choice"),
    ),
    ...free("response_format store previous_interaction_id service_tier"),
  },
);

const stepsOf = (input) => (isList(input) ? input : [{ type: "user_input", content: [{ type: "text", text: input }] }]);

/** The results of calls follow them, before other steps of the user. */
function turns(steps, complain) {
  const isOfModel = ({ type }) => ["model_output", "thought", "function_call"].includes(type);
  if (steps[0]?.type !== "user_input") complain("/input/0", "is not the user's");
  for (let index = 0; index < steps.length; ) {
    const from = index;
    while (index < steps.length && isOfModel(steps[index])) index++;
    const calls = steps.slice(from, index).filter(({ type }) => type === "function_call");
    const before = index;
    while (steps[index]?.type === "function_result") index++;
    const results = steps.slice(before, index).map(({ call_id }) => call_id);
    rule.pairUp(
      calls.map(({ id }) => id),
      results,
      `/input/${from}`,
      complain,
    );
    if (steps[index]?.type === "user_input") index++;
  }
}

const textOf = ({ text = "" }) => text;
const imagesOf = (parts, inResult) =>
  parts.filter(({ type }) => type === "image").map(({ data }) => ({ image: data, inResult }));
const outputOf = (given) => {
  if (isList(given)) return given.map(textOf).join("");
  return typeof given === "string" ? given : JSON.stringify(given);
};
const readers = {
  user_input: ({ content }) =>
    content.flatMap((part) => (part.type === "text" ? [{ user: part.text }] : imagesOf([part], false))),
  model_output: ({ content }) => content.map(({ text }) => ({ text })),
  thought: ({ signature, summary = [] }) => [
    { reasoning: summary.map(textOf).join(""), ...(signature !== undefined && { signature }) },
  ],
  function_call: ({ id, name, arguments: given, signature }) => [
    { call: { id, name, arguments: given }, ...(signature !== undefined && { signature }) },
  ],
  function_result: ({ call_id, result, is_error }) => [
    { result: { id: call_id, output: outputOf(result), ...(is_error && { isError: true }) } },
    ...(isList(result) ? imagesOf(result, true) : []),
  ],
};

const steps = {
  text: ({ pieces }) => ({ type: "model_output", content: [{ type: "text", text: pieces.join("") }] }),
  reasoning: ({ pieces, signature }) => ({
    type: "thought",
    signature,
    summary: [{ type: "text", text: pieces.join("") }],
  }),
  call: ({ id, name, pieces }) => ({ type: "function_call", id, name, arguments: JSON.parse(pieces.join("")) }),
};
export const statuses = {
  stop: "completed",
  length: "incomplete",
  tool_calls: "requires_action",
  content_filter: "completed",
};

export default {
  path: () => /^v1beta\/interactions$/,
  headers: ["x-goog-api-key"],
  check(body, complain) {
    request(body, "", complain);
    turns(stepsOf(body.input), complain);
  },
  streams: (body) => body.stream === true,
  read: ({ model, tools = [], system_instruction: system, input }) => ({
    model,
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    history: [...(system ? [{ system }] : []), ...stepsOf(input).flatMap((step) => readers[step.type](step))],
  }),
  whole: ({ id, blocks, finish, usage: { input, output } }, model) => ({
    id,
    object: "interaction",
    model,
    status: statuses[finish],
    steps: blocks.map((block) => steps[block.type](block)),
    usage: { total_input_tokens: input, total_output_tokens: output, total_tokens: input + output },
  }),
  error: ({ status, message }) => ({ error: { code: status, message, status: "RESOURCE_EXHAUSTED" } }),
};
