// Names that fragments of documentation use without declaring them: a type to compile with and a value to run with.

const weather = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const call = { id: "call_1", name: "get_weather", arguments: { city: "Paris" } };
const canonicalResponse = {
  message: { role: "assistant", content: [{ type: "text", text: "Let me see." }], toolCalls: [call] },
  text: "Let me see.",
  toolCalls: [call],
  invalidToolCalls: [],
  finishReason: "tool_calls",
};
const canonicalRequest = {
  model: "gpt-5-nano",
  messages: [{ role: "user", content: "What's the weather in Paris?" }],
  tools: [{ name: "get_weather", parameters: weather }],
};
const message = (block) => ({ id: "msg_1", type: "message", role: "assistant", model: "m", content: [block] });
const toolUse = { type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Paris" } };
const usage = { input_tokens: 1, output_tokens: 1 };

/** A server's response as `fetch` returns it, with a body in a format. */
const fetched = (body, status = 200) =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
const events = (list) => list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const streams = {
  openai: () => events([{ id: "c", choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }] }]),
  gemini: () =>
    events([{ candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }] }]),
};
const streamed = { type: "Response & { body: ReadableStream<Uint8Array> & AsyncIterable<Uint8Array> }" };

/** Names for every fragment. `value` is called with the package. */
export const given = {
  model: { type: "string", value: () => "gpt-5-nano" },
  tools: { type: 'import("toolwire").ToolDefinition[]', value: () => canonicalRequest.tools },
  call: { type: 'import("toolwire").ToolCall', value: () => call },
  request: { type: 'import("toolwire").ChatRequest', value: () => canonicalRequest },
  response: { type: 'import("toolwire").ChatResponse', value: () => canonicalResponse },
  history: { type: 'import("toolwire").Message[]', value: () => canonicalRequest.messages },
  messages: { type: 'import("toolwire").Message[]', value: () => [...canonicalRequest.messages] },
  context: { type: 'import("toolwire").ConversionContext', value: () => ({}) },
  run: { type: "(name: string, args: unknown) => Promise<unknown>", value: () => async () => ({ celsius: 22 }) },
  completion: {
    type: 'import("openai").OpenAI.ChatCompletion',
    value: ({ toOpenAIResponse }) => toOpenAIResponse(canonicalResponse),
  },
  message: { type: 'import("@anthropic-ai/sdk").Anthropic.Message', value: () => ({ ...message(toolUse), usage }) },
  ai: {
    type: 'import("@google/genai").GoogleGenAI',
    value: ({ toGeminiResponse }) => ({ models: { generateContent: async () => toGeminiResponse(canonicalResponse) } }),
  },
  openaiMessages: { type: 'import("openai").OpenAI.ChatCompletionMessageParam[]', value: () => [] },
  anthropicMessages: { type: 'import("@anthropic-ai/sdk").Anthropic.MessageParam[]', value: () => [] },
};

/** Names for fragments about one function: the name of the function, and its arguments. */
export const givenAbout = [
  [
    /^from(\w+)ToolCalls$/,
    (suffix) => ({
      message: { type: "object", value: (toolwire) => assistantMessage(suffix, toolwire) },
    }),
  ],
  [/^from(\w+)Request$/, (suffix) => incoming(suffix)],
  [/^toUniversalResponse$/, () => ({ response: ofProvider("Gemini") })],
  [/^from(\w+)$/, (suffix) => ({ response: ofProvider(suffix) })],
  [/^(?:convert|prepare)Request$/, () => ({ request: incoming("OpenAI").incoming })],
  [
    /^convertResponse$/,
    () => ({ upstream: { type: "Response", value: (t) => fetched(t.toAnthropicResponse(canonicalResponse)) } }),
  ],
  [
    /^convertError$/,
    () => ({
      upstream: { type: "Response", value: () => fetched({ error: { code: 429, message: "slow down" } }, 429) },
    }),
  ],
  [
    /^contextOf$/,
    () => ({
      body: { type: "object", value: ({ toOpenAI }) => toOpenAI(canonicalRequest) },
      upstream: { type: "object", value: ({ toGeminiResponse }) => toGeminiResponse(canonicalResponse) },
    }),
  ],
  [
    /^readStream$/,
    () => ({
      response: { ...streamed, value: () => fetched(streams.openai()) },
      show: { type: '(event: import("toolwire").StreamEvent) => void', value: () => () => {} },
    }),
  ],
  [
    /^streamEvents$/,
    () => ({
      response: { ...streamed, value: () => fetched(streams.gemini()) },
      run: {
        type: '(call: import("toolwire").ToolCall | import("toolwire").InvalidToolCall) => void',
        value: () => () => {},
      },
    }),
  ],
];

function ofProvider(suffix) {
  return { type: "object", value: (toolwire) => toolwire[`to${suffix}Response`](canonicalResponse) };
}

function incoming(suffix) {
  return {
    incoming: {
      type: "Request",
      value: (toolwire) =>
        new Request("http://localhost/", {
          method: "POST",
          body: JSON.stringify(toolwire[`to${suffix}`](canonicalRequest)),
        }),
    },
  };
}

function assistantMessage(suffix, toolwire) {
  const body = toolwire[`to${suffix}Response`](canonicalResponse);
  return body.choices?.[0].message ?? body.candidates?.[0].content ?? body.output?.message ?? body.message ?? body;
}
