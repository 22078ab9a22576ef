// Bedrock's Converse as a provider: WIRE §5.

import * as rule from "./rules.mjs";

const { object, list, text, free } = rule;

/** Objects with one key, which states what they are. */
const one = (rules) => (value, path, complain) => {
  const keys = rule.isObject(value) ? Object.keys(value) : [];
  if (keys.length !== 1 || !Object.hasOwn(rules, keys[0])) return complain(path, `is no known block: ${keys}`);
  rules[keys[0]](value[keys[0]], `${path}/${keys[0]}`, complain);
};
const cachePoint = object({ type: rule.oneOf("default") }, { ttl: rule.oneOf("5m", "1h") });
const image = object({ format: rule.oneOf("png", "jpeg", "gif", "webp"), source: one({ bytes: rule.base64 }) });
const id = rule.matching(/^[a-zA-Z0-9_.:-]{1,64}$/);
const toolResult = object(
  { toolUseId: id, content: list(one({ text, json: rule.anyObject, image }), 0) },
  { status: rule.oneOf("success", "error") },
);
const reasoningContent = one({
  reasoningText: object({ text }, { signature: rule.filledText }),
  redactedContent: rule.base64,
});
const userBlock = one({ text: rule.filledText, image, toolResult, cachePoint });
const toolUse = object({ toolUseId: id, name: rule.toolName, input: rule.anyObject });
const assistantBlock = one({ text: rule.filledText, image, toolUse, reasoningContent, cachePoint });
const message = rule.kinds("role", {
  user: object({ content: list(userBlock) }),
  assistant: object({ content: list(assistantBlock) }),
});
const inputSchema = object({ json: object({ type: rule.oneOf("object") }, free("properties required $defs")) });
const toolSpec = object(
  { name: rule.toolName, inputSchema },
  { description: rule.filledText, strict: rule.oneOf(true, false) },
);
const toolConfig = object(
  { tools: list(one({ toolSpec, cachePoint })) },
  {
    toolChoice: one({ auto: object({}), any: object({}), tool: object({ name: rule.toolName }) }),
  },
);
const request = object(
  { messages: list(message) },
  {
    system: list(one({ text: rule.filledText, cachePoint })),
    toolConfig,
    inferenceConfig: object({}, free("maxTokens temperature topP stopSequences")),
    ...free("outputConfig additionalModelRequestFields additionalModelResponseFieldPaths"),
  },
);

/** Turns alternate, the user's is the first, and a turn's results are in the next one. */
function turns({ messages, toolConfig: config }, complain) {
  messages.forEach(({ role, content }, index) => {
    const path = `/messages/${index}`;
    if (role !== ["user", "assistant"][index % 2]) complain(path, `is the ${role}'s`);
    const calls = content.flatMap((block) => (block.toolUse ? [block.toolUse.toolUseId] : []));
    const next = messages[index + 1]?.content ?? [];
    const results = next.flatMap((block) => (block.toolResult ? [block.toolResult.toolUseId] : []));
    if (role === "assistant") rule.pairUp(calls, results, path, complain);
    if (calls.length > 0 && !config) complain(path, "has calls without tools");
  });
}

const imageOf = ({ source: { bytes } }, inResult = false) => ({ image: bytes, inResult });
const readers = {
  text: (text, role) => [{ [role === "user" ? "user" : "text"]: text }],
  image: (image) => [imageOf(image)],
  reasoningContent: ({ reasoningText: { text, signature } }) => [{ reasoning: text, signature }],
  toolUse: ({ toolUseId, name, input }) => [{ call: { id: toolUseId, name, arguments: input } }],
  toolResult: ({ toolUseId, content, status }) => {
    const output = content.map(({ text = "", json }) => (json ? JSON.stringify(json) : text)).join("");
    const result = { id: toolUseId, output, ...(status === "error" && { isError: true }) };
    return [{ result }, ...content.filter(({ image }) => image).map(({ image }) => imageOf(image, true))];
  },
};
const read = (block, role) => Object.entries(block).flatMap(([kind, value]) => readers[kind](value, role));

const contents = {
  text: ({ pieces }) => ({ text: pieces.join("") }),
  reasoning: ({ pieces, signature }) => ({
    reasoningContent: { reasoningText: { text: pieces.join(""), signature } },
  }),
  call: ({ id, name, pieces }) => ({ toolUse: { toolUseId: id, name, input: JSON.parse(pieces.join("")) } }),
};
export const stopReasons = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "content_filtered",
};

export default {
  path: (model, streams) => {
    const id = encodeURIComponent(model).replaceAll(".", "\\.");
    return new RegExp(`^model/${id}/converse${streams ? "-stream" : ""}$`);
  },
  headers: ["authorization"],
  streamType: "application/vnd.amazon.eventstream",
  check(body, complain) {
    request(body, "", complain);
    turns(body, complain);
  },
  streams: (_, path) => path.endsWith("-stream"),
  read: ({ system = [], toolConfig = { tools: [] }, messages }) => ({
    tools: toolConfig.tools.map(({ toolSpec: { name, description, inputSchema } }) => ({
      name,
      description,
      parameters: inputSchema.json,
    })),
    history: [
      ...system.map(({ text }) => ({ system: text })),
      ...messages.flatMap(({ role, content }) => content.flatMap((block) => read(block, role))),
    ],
  }),
  whole: ({ blocks, finish, usage: { input, output } }) => ({
    output: { message: { role: "assistant", content: blocks.map((block) => contents[block.type](block)) } },
    stopReason: stopReasons[finish],
    usage: { inputTokens: input, outputTokens: output, totalTokens: input + output },
    metrics: { latencyMs: 9 },
  }),
  error: ({ message }) => ({ __type: "ThrottlingException", message }),
};
