// Agent loops with one tool and a scripted model that responds at once, to measure the loop itself.

const parameters = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
};
const description = "Doubles n.";
const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

/** Conversation before the run: `bytes` of text in messages of 10 kB each. */
const historyOf = (bytes) =>
  Array.from({ length: Math.ceil(bytes / 10_000) }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `${index} `.padEnd(10_000, "lorem ipsum "),
  }));
const question = { role: "user", content: "Double every number." };

async function toolwire({ turns, bytes }) {
  const { runAgent, Toolkit } = await import("../../pkg/dist/toolkit/index.js");
  const toolkit = new Toolkit([{ name: "double", description, parameters, execute: ({ n }) => n * 2 }]);
  const messages = [...historyOf(bytes), question];
  const tokens = { input: 10, output: 5, total: 15 };
  const done = { role: "assistant", content: [{ type: "text", text: "Done." }] };
  const send = async (_request, { iteration: n }) => {
    if (n === turns)
      return { message: done, text: "Done.", toolCalls: [], invalidToolCalls: [], finishReason: "stop", usage: tokens };
    const toolCalls = [{ id: `c${n}`, name: "double", arguments: { n } }];
    const message = { role: "assistant", content: [], toolCalls };
    return { message, text: "", toolCalls, invalidToolCalls: [], finishReason: "tool_calls", usage: tokens };
  };
  return async () => {
    const outcome = await runAgent({ request: { messages }, toolkit, send, maxIterations: turns, timeoutMs: 600_000 });
    return outcome.reason === "answer" ? outcome.iterations : 0;
  };
}

async function aiSdk({ turns, bytes }) {
  const { generateText, jsonSchema, stepCountIs, tool } = await import("ai");
  const inputSchema = jsonSchema(parameters);
  const tools = { double: tool({ description, inputSchema, execute: async ({ n }) => n * 2 }) };
  const messages = [...historyOf(bytes), question];
  return async () => {
    let n = 0;
    const model = {
      specificationVersion: "v4",
      provider: "scripted",
      modelId: "scripted",
      supportedUrls: {},
      doGenerate: async () => ({
        content:
          ++n === turns
            ? [{ type: "text", text: "Done." }]
            : [{ type: "tool-call", toolCallId: `c${n}`, toolName: "double", input: JSON.stringify({ n }) }],
        finishReason: { unified: n === turns ? "stop" : "tool-calls", raw: undefined },
        usage: {
          inputTokens: { total: usage.inputTokens, noCache: 10, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: usage.outputTokens, text: 5, reasoning: 0 },
        },
        warnings: [],
      }),
    };
    const { steps } = await generateText({ model, tools, messages, stopWhen: stepCountIs(turns) });
    return steps.length;
  };
}

async function openAiAgents({ turns, bytes }) {
  const { Agent, Runner, setTracingDisabled, tool, Usage } = await import("@openai/agents");
  setTracingDisabled(true);
  const double = tool({ name: "double", description, parameters, strict: true, execute: async ({ n }) => n * 2 });
  const text = (role, content) =>
    role === "user"
      ? { role, content }
      : { role, status: "completed", content: [{ type: "output_text", text: content }] };
  const input = [...historyOf(bytes), question].map(({ role, content }) => text(role, content));
  return async () => {
    let n = 0;
    const getResponse = async () => ({
      usage: new Usage({ ...usage, requests: 1 }),
      output: [
        ++n === turns
          ? { type: "message", ...text("assistant", "Done.") }
          : {
              type: "function_call",
              callId: `c${n}`,
              name: "double",
              status: "completed",
              arguments: JSON.stringify({ n }),
            },
      ],
    });
    const agent = new Agent({ name: "scripted", model: { getResponse }, tools: [double] });
    const result = await new Runner({ tracingDisabled: true }).run(agent, input, { maxTurns: turns });
    return result.rawResponses.length;
  };
}

export const sides = { toolwire, "AI SDK 7": aiSdk, "OpenAI Agents": openAiAgents };

/** Turns of a run, and bytes of the conversation before it. */
export const tasks = {
  "5 turns": { turns: 5, bytes: 0 },
  "20 turns": { turns: 20, bytes: 0 },
  "500 turns": { turns: 500, bytes: 0 },
  "20 turns after 10 MB": { turns: 20, bytes: 10_000_000 },
};
