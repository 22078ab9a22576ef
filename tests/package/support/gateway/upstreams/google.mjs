// The Gemini API and Vertex AI as providers: WIRE §4.

import * as rule from "./rules.mjs";

const { object, list, kinds, text, free } = rule;

const inlineData = object({ mimeType: rule.matching(/^image\/(png|jpeg|webp|heic|heif)$/), data: rule.base64 });
const name = rule.matching(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/);
const functionResponse = (version) =>
  object(
    { name, response: rule.anyObject },
    { id: rule.filledText, ...(version >= 3 && { parts: list(object({ inlineData })) }) },
  );
const part = (version) => (value, path, complain) => {
  object(
    {},
    {
      text,
      inlineData,
      functionCall: object({ name }, { id: rule.filledText, args: rule.anyObject }),
      functionResponse: functionResponse(version),
      thought: rule.oneOf(true, false),
      thoughtSignature: rule.filledText,
    },
  )(value, path, complain);
  const data = Object.keys(value).filter((key) => !key.startsWith("thought"));
  if (data.length !== 1) complain(path, `holds ${data.join(" and ") || "nothing"}`);
};
const declaration = object({ name }, { description: text, ...free("parametersJsonSchema parameters") });
const request = (version, isOnVertex) =>
  object(
    {
      contents: list(
        kinds("role", { user: object({ parts: list(part(version)) }), model: object({ parts: list(part(version)) }) }),
      ),
    },
    {
      systemInstruction: object({ parts: list(object({ text: rule.filledText })) }, { role: rule.anything }),
      tools: list(object({}, { functionDeclarations: list(declaration) })),
      toolConfig: object({}, { functionCallingConfig: object({}, free("mode allowedFunctionNames")) }),
      generationConfig: object(
        {},
        free(`maxOutputTokens temperature topP topK stopSequences candidateCount seed presencePenalty frequencyPenalty
          responseMimeType responseSchema responseJsonSchema thinkingConfig`),
      ),
      // the path contains it, too
      model: text,
      ...free("safetySettings cachedContent labels serviceTier"),
      // only the Gemini API has it
      ...(!isOnVertex && { store: rule.oneOf(true, false) }),
    },
  );

const versionOf = (path) => Number(/models\/gemini-(\d)/.exec(path)?.[1]);

/** A turn of the model follows one of the user. Results follow directly, one for each call, in the same order. */
function turns(contents, version, complain) {
  contents.forEach(({ role, parts }, index) => {
    const path = `/contents/${index}`;
    if (role !== "model") return;
    if (contents[index - 1]?.role !== "user") complain(path, "does not follow the user's");
    const calls = parts.filter(({ functionCall }) => functionCall);
    const next = contents[index + 1]?.parts ?? [];
    const results = next.filter(({ functionResponse }) => functionResponse).map((one) => one.functionResponse);
    const pair = ({ id, name }) => `${id} ${name}`;
    const named = calls.map(({ functionCall }) => pair(functionCall));
    if (JSON.stringify(named) !== JSON.stringify(results.map(pair)))
      complain(path, `has calls ${named} and results ${results.map(pair)}`);
    if (calls.length > 0 && version >= 3 && !calls[0].thoughtSignature) complain(path, "has a call that is not signed");
  });
}

const only = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
const isText = (value) => typeof value === "string";
const imageOf = ({ inlineData }, inResult = false) => ({ image: inlineData.data, inResult });
function resultOf({ id, response, parts = [] }) {
  const [key, ...more] = Object.keys(response);
  const isBoxed = more.length === 0 && (key === "output" || key === "error");
  const value = isBoxed ? response[key] : response;
  const output = isText(value) ? value : JSON.stringify(value);
  const result = only({ id, output, isError: isBoxed && key === "error" ? true : undefined });
  return [{ result }, ...parts.map((part) => imageOf(part, true))];
}
function itemsOfPart(role, part) {
  const { text, thought, thoughtSignature: signature, functionCall, functionResponse, inlineData } = part;
  if (functionResponse) return resultOf(functionResponse);
  if (inlineData) return [imageOf(part)];
  if (functionCall) {
    const { id, name, args = {} } = functionCall;
    return [only({ call: only({ id, name, arguments: args }), signature })];
  }
  if (thought) return [only({ reasoning: text, signature })];
  // a part without text may have a signature
  return text || signature ? [only({ [role === "model" ? "text" : "user"]: text, signature })] : [];
}

const parts = {
  text: ({ pieces }) => ({ text: pieces.join("") }),
  reasoning: ({ pieces }) => ({ text: pieces.join(""), thought: true }),
  call: ({ id, name, pieces }) => ({ functionCall: only({ id, name, args: JSON.parse(pieces.join("")) }) }),
};
const finishReasons = { stop: "STOP", length: "MAX_TOKENS", tool_calls: "STOP", content_filter: "SAFETY" };

export default {
  path: (model, streams) =>
    streams
      ? new RegExp(`^(v1beta/)?(publishers/google/)?models/${model}:streamGenerateContent\\?alt=sse$`)
      : new RegExp(`^(v1beta/)?(publishers/google/)?models/${model}:generateContent$`),
  check(body, complain, path) {
    const version = versionOf(path);
    request(version, path.includes("publishers/google"))(body, "", complain);
    turns(body.contents, version, complain);
  },
  streams: (_, path) => path.includes(":streamGenerateContent"),
  read: ({ systemInstruction, tools = [], contents }) => ({
    tools: tools
      .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
      .map(({ name, description, parametersJsonSchema }) => ({ name, description, parameters: parametersJsonSchema })),
    history: [
      ...(systemInstruction?.parts ?? []).map(({ text }) => ({ system: text })),
      ...contents.flatMap(({ role, parts }) => parts.flatMap((part) => itemsOfPart(role, part))),
    ],
  }),
  whole({ id, blocks, finish, usage: { input, output } }, model) {
    const all = blocks.map((block, index) => {
      // the part after reasoning has a signature, and so has the first call
      const before = blocks[index - 1];
      const signed = before?.type === "reasoning" ? before : block.type === "call" && block;
      const thoughtSignature = signed?.signature;
      return only({ ...parts[block.type](block), thoughtSignature });
    });
    return {
      candidates: [{ index: 0, content: { role: "model", parts: all }, finishReason: finishReasons[finish] }],
      usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
      modelVersion: model,
      responseId: id,
    };
  },
  error: ({ status, message }) => ({ error: { code: status, message, status: "RESOURCE_EXHAUSTED" } }),
};
