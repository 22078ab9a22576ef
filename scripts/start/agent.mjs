// A short agent run against a scripted server on loopback, once in each provider's format.

import { createServer } from "node:http";
import { printColumns } from "./columns.mjs";

const providers = [
  { dialect: "openai", path: "/v1/chat/completions", model: "gpt-5.4" },
  { dialect: "anthropic", path: "/v1/messages", model: "claude-sonnet-5-5" },
  { dialect: "gemini", path: "/v1beta/models/gemini-3.8-flash:generateContent", model: "gemini-3.8-flash" },
];

const question = "How warm is it in Paris and in Rome?";
const call = (id, city) => ({ id, name: "get_weather", arguments: { city } });
/** The model's responses, in order. */
const script = [
  { text: "Let me look.", toolCalls: [call("call_1", "Paris"), call("call_2", "Rome")], finishReason: "tool_calls" },
  { text: "18 °C in Paris, 24 °C in Rome.", toolCalls: [], finishReason: "stop" },
];

export async function showAgent(toolwire, toolkit) {
  console.log(`An agent is asked ${JSON.stringify(question)}; a scripted server responds in each provider's format\n`);
  const server = await startServer(toolwire);
  try {
    const columns = [];
    for (const provider of providers) columns.push(await column(provider, server.url, toolkit));
    printColumns(columns);
  } finally {
    server.close();
  }
}

async function startServer({ convertResponse }) {
  const counts = new Map();
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const { dialect } = providers.find(({ path }) => request.url.endsWith(path));
    const turn = counts.get(dialect) ?? 0;
    counts.set(dialect, turn + 1);
    const body = convertResponse(responseOf(script[turn]), { from: "canonical", to: dialect });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(body));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, close: () => server.close() };
}

function responseOf({ text, toolCalls, finishReason }) {
  const message = { role: "assistant", content: [{ type: "text", text }], toolCalls };
  return { id: "resp_1", model: "m", message, text, toolCalls, invalidToolCalls: [], finishReason };
}

async function column({ dialect, path, model }, baseUrl, { runAgent, sendTo, Toolkit, tool }) {
  const weather = tool({
    name: "get_weather",
    description: "Returns the current weather of a city.",
    parameters: [{ name: "city", type: "string" }],
    execute: ({ city }) => ({ city, celsius: city === "Rome" ? 24 : 18 }),
  });
  const lines = [];
  const outcome = await runAgent({
    request: { model, messages: [{ role: "user", content: question }] },
    toolkit: new Toolkit([weather]),
    send: sendTo({
      to: dialect,
      baseUrl,
      stream: false,
      onRequest: ({ url }) => lines.push(`POST ${url.slice(baseUrl.length)}`),
    }),
  });
  for (const { call, result } of outcome.executions) {
    lines.push(`${call.name} ${JSON.stringify(call.arguments)}`, `  → ${JSON.stringify(result.value)}`);
  }
  lines.push(outcome.text, `reason: ${outcome.reason}, requests: ${outcome.iterations}`);
  return { title: `${dialect}  ${path}`, lines };
}
