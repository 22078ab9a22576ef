// What the schema of Open Responses (https://www.openresponses.org/reference, version of 2026-04-24) requires of a response and of its events.

import * as rule from "./upstreams/rules.mjs";

const { kinds, object, oneOf, text, wholeNumber } = rule;
const list = (item) => rule.list(item, 0);
const check = (is, what) => (value, path, complain) => {
  if (!is(value)) complain(path, what);
};
const number = check(Number.isFinite, "is no number");
const flag = check((value) => typeof value === "boolean", "is neither true nor false");
const orNull = (other) => rule.either((value) => value === null, rule.anything, other);
const status = oneOf("in_progress", "completed", "incomplete");

const annotation = kinds("type", {
  url_citation: object({ url: text, start_index: wholeNumber, end_index: wholeNumber, title: text }),
});
const part = kinds("type", {
  output_text: object({ text, annotations: list(annotation) }, rule.free("logprobs")),
  refusal: object({ refusal: text }),
  summary_text: object({ text }),
  reasoning_text: object({ text }),
});
const item = kinds("type", {
  message: object(
    { id: text, status, role: oneOf("assistant"), content: list(part) },
    { phase: oneOf("commentary", "final_answer") },
  ),
  function_call: object({ id: text, call_id: text, name: text, arguments: text, status }),
  reasoning: object({ id: text, summary: list(part) }, { content: list(part), encrypted_content: text, status }),
});
const tool = kinds("type", {
  function: object({ name: text, description: orNull(text), parameters: orNull(rule.anyObject), strict: orNull(flag) }),
});
const choice = rule.either(
  (value) => typeof value === "string",
  oneOf("none", "auto", "required"),
  kinds("type", { function: object({ name: text }) }),
);
const format = kinds("type", { text: object({}), json_object: object({}), json_schema: rule.anything });
const usage = object({
  input_tokens: wholeNumber,
  output_tokens: wholeNumber,
  total_tokens: wholeNumber,
  input_tokens_details: object({ cached_tokens: wholeNumber }, rule.free("cache_write_tokens")),
  output_tokens_details: object({ reasoning_tokens: wholeNumber }),
});

/** A response: `(value, path, complain)`. */
export const checkResponse = object(
  {
    id: text,
    object: oneOf("response"),
    created_at: wholeNumber,
    completed_at: orNull(wholeNumber),
    status: oneOf("completed", "in_progress", "incomplete", "failed", "queued", "cancelled"),
    incomplete_details: orNull(object({ reason: text })),
    model: text,
    previous_response_id: orNull(text),
    instructions: orNull(text),
    output: list(item),
    error: orNull(object({ code: text, message: text })),
    tools: list(tool),
    tool_choice: choice,
    truncation: oneOf("auto", "disabled"),
    parallel_tool_calls: flag,
    text: object({ format }, { verbosity: oneOf("low", "medium", "high") }),
    top_p: number,
    presence_penalty: number,
    frequency_penalty: number,
    top_logprobs: wholeNumber,
    temperature: number,
    reasoning: orNull(object({ effort: orNull(text), summary: orNull(text) })),
    usage: orNull(usage),
    max_output_tokens: orNull(wholeNumber),
    max_tool_calls: orNull(wholeNumber),
    store: flag,
    background: flag,
    service_tier: text,
    metadata: rule.anyObject,
    safety_identifier: orNull(text),
    prompt_cache_key: orNull(text),
  },
  // of the type in OpenAI's SDK
  { output_text: text, ...rule.free("user access_programs") },
);

const inItem = { item_id: text, output_index: wholeNumber };
const inContent = { ...inItem, content_index: wholeNumber };
const inSummary = { ...inItem, summary_index: wholeNumber };
const whole = { response: checkResponse };
const ofItem = { output_index: wholeNumber, item };

/** The fields of each event, besides `type` and `sequence_number`. */
const events = {
  "response.created": whole,
  "response.in_progress": whole,
  "response.completed": whole,
  "response.output_item.added": ofItem,
  "response.output_item.done": ofItem,
  "response.content_part.added": { ...inContent, part },
  "response.content_part.done": { ...inContent, part },
  "response.output_text.delta": { ...inContent, delta: text },
  "response.output_text.done": { ...inContent, text },
  "response.function_call_arguments.delta": { ...inItem, delta: text },
  "response.function_call_arguments.done": { ...inItem, arguments: text },
  "response.reasoning_summary_part.added": { ...inSummary, part },
  "response.reasoning_summary_part.done": { ...inSummary, part },
  "response.reasoning_summary_text.delta": { ...inSummary, delta: text },
  "response.reasoning_summary_text.done": { ...inSummary, text },
};
const optional = {
  "response.output_text.delta": rule.free("logprobs obfuscation"),
  "response.output_text.done": rule.free("logprobs"),
  "response.function_call_arguments.done": { name: text },
};
const event = kinds(
  "type",
  Object.fromEntries(
    Object.entries(events).map(([type, fields]) => [
      type,
      object({ sequence_number: wholeNumber, ...fields }, optional[type]),
    ]),
  ),
);

/** The events of a stream that completes, each `{event, data}`. */
export function checkEvents(all, complain) {
  for (const [index, { event: name, data }] of all.entries()) {
    const path = `/${index}/data`;
    event(data, path, complain);
    if (name !== data.type) complain(`/${index}/event`, `is not ${data.type}`);
    if (data.sequence_number !== index) complain(`${path}/sequence_number`, `is not ${index}`);
  }
  const types = all.map(({ data }) => data.type);
  if (types[0] !== "response.created") complain("/0", "does not create the response");
  if (types.at(-1) !== "response.completed") complain(`/${all.length - 1}`, "does not complete the response");
  const ofItems = (type) => all.filter(({ data }) => data.type === type).map(({ data }) => data.item.id);
  if (ofItems("response.output_item.added").join() !== ofItems("response.output_item.done").join())
    complain("", "has items that do not begin and end in the same order");
}
