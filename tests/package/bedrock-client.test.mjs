// Amazon's own client with a server that sends its requests to every other provider, whole and streamed.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from "@aws-sdk/client-bedrock-runtime";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { transform } from "esbuild";
import { runAgent, Toolkit } from "../../pkg/dist/toolkit/index.js";
import { checkReceived, serveClient, tools, upstreams } from "./support/client-loopback.mjs";
import { esm } from "./support/package.mjs";
import { markdownBlocks } from "./support/snippets/blocks.mjs";

const { fromBedrock, fromBedrockRequest, streamEvents, toBedrock } = await import(esm);

const call = { id: "get_weather_a1", name: "get_weather", arguments: { city: "Paris" } };
const paths = { path: "model/m/converse", streamed: "model/m/converse-stream" };
const { requests, urlOf } = serveClient({ dialect: "bedrock", ...paths, call });
const question = { role: "user", content: [{ text: "The weather in Paris?" }] };
const toolConfig = {
  tools: tools.map(({ function: { name, description, parameters } }) => ({
    toolSpec: { name, description, inputSchema: { json: parameters } },
  })),
};
const image = new Uint8Array([137, 80, 78, 71, 255]);
const clients = [];
after(() => {
  for (const client of clients) client.destroy();
});

function clientOf(upstream) {
  const client = new BedrockRuntimeClient({
    ...{ endpoint: urlOf(upstream), region: "us-east-1", token: { token: "none" }, maxAttempts: 1 },
    authSchemePreference: ["httpBearerAuth"],
    // the default one speaks HTTP/2, which the server does not
    requestHandler: new NodeHttpHandler(),
  });
  clients.push(client);
  return client;
}

async function complete(client, messages) {
  const { output, ...rest } = await client.send(new ConverseCommand({ modelId: "m", messages, toolConfig }));
  return { ...rest, message: output.message };
}

/** Accumulates the events. */
async function completeStreamed(client, messages) {
  const { stream } = await client.send(new ConverseStreamCommand({ modelId: "m", messages, toolConfig }));
  const blocks = [];
  const found = {};
  for await (const event of stream) {
    if (event.messageStart) found.message = { role: event.messageStart.role };
    if (event.contentBlockStart) {
      const { contentBlockIndex, start } = event.contentBlockStart;
      blocks[contentBlockIndex] = { toolUse: { ...start.toolUse, input: "" } };
    }
    if (event.contentBlockDelta) {
      const { contentBlockIndex, delta } = event.contentBlockDelta;
      if (delta.toolUse) blocks[contentBlockIndex].toolUse.input += delta.toolUse.input;
      else blocks[contentBlockIndex] = { text: (blocks[contentBlockIndex]?.text ?? "") + delta.text };
    }
    if (event.messageStop) Object.assign(found, event.messageStop);
    if (event.metadata) Object.assign(found, event.metadata);
  }
  const parsed = ({ toolUse, text }) =>
    toolUse ? { toolUse: { ...toolUse, input: JSON.parse(toolUse.input) } } : { text };
  found.message.content = blocks.map(parsed);
  return found;
}

for (const upstream of upstreams) {
  for (const [name, ask] of Object.entries({ whole: complete, streamed: completeStreamed })) {
    test(`a call and its result by way of ${upstream}, ${name}`, { timeout: 20_000 }, async () => {
      const client = clientOf(upstream);
      const first = await ask(client, [question]);
      const [text, { toolUse }] = first.message.content;
      assert.deepEqual(text, { text: "Let me see." });
      assert.deepEqual([toolUse.name, toolUse.input], [call.name, call.arguments]);
      const { inputTokens, outputTokens } = first.usage;
      assert.deepEqual([first.stopReason, inputTokens, outputTokens], ["tool_use", 3, 4]);
      const result = { toolResult: { toolUseId: toolUse.toolUseId, content: [{ text: "sunny" }] } };
      const last = await ask(client, [question, first.message, { role: "user", content: [result] }]);
      assert.deepEqual(last.message.content, [{ text: "It is sunny." }]);
      assert.equal(last.stopReason, "end_turn");
      checkReceived(requests.at(-1));
    });
  }
}

test("an agent that sends through the client, as docs/toolkit/agents.md shows it", { timeout: 20_000 }, async () => {
  const { code } = markdownBlocks("docs/toolkit/agents.md").find((block) => /throughBedrock/.test(block.code));
  const client = import.meta.resolve("@aws-sdk/client-bedrock-runtime");
  const program = (await transform(code, { loader: "ts" })).code
    .replace('"@aws-sdk/client-bedrock-runtime"', JSON.stringify(client))
    .replace('"toolwire"', JSON.stringify(String(esm)));
  const { throughBedrock } = await import(`data:text/javascript,${encodeURIComponent(program)}`);
  const [{ function: definition }] = tools;
  const toolkit = new Toolkit([{ ...definition, execute: () => "sunny" }]);
  const request = { model: "m", messages: [{ role: "user", content: "The weather in Paris?" }] };
  const outcome = await runAgent({ request, toolkit, send: throughBedrock(clientOf("openai")) });
  assert.deepEqual([outcome.reason, outcome.text], ["answer", "It is sunny."], JSON.stringify(outcome.error));
});

test("objects of the client have bytes, and text has base64", async () => {
  const data = Buffer.from(image).toString("base64");
  const part = { type: "image", source: { type: "base64", data }, mediaType: "image/png" };
  const request = { model: "m", messages: [{ role: "user", content: [{ type: "text", text: "What is it?" }, part] }] };
  const written = toBedrock(request);
  const block = written.messages[0].content[1];
  assert.deepEqual(block, { image: { format: "png", source: { bytes: image } } });
  assert.deepEqual(fromBedrockRequest(written).messages, request.messages);
  // arguments of calls are not searched
  const input = { source: { bytes: data }, redactedContent: data };
  const call = { role: "assistant", content: "", toolCalls: [{ id: "c", name: "f", arguments: input }] };
  assert.deepEqual(
    toBedrock({ model: "m", messages: [...request.messages, call] }).messages[1].content[0].toolUse.input,
    input,
  );

  const redacted = { reasoningContent: { redactedContent: image } };
  const content = [redacted, { text: "A picture." }];
  const response = { output: { message: { role: "assistant", content } }, stopReason: "end_turn" };
  const { message } = fromBedrock(response);
  assert.equal(message.content[0].redacted, data);
  const events = [
    { messageStart: { role: "assistant" } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: redacted } },
    { contentBlockStop: { contentBlockIndex: 0 } },
    { messageStop: { stopReason: "end_turn" } },
  ];
  const stream = streamEvents(events, { from: "bedrock" });
  for await (const event of stream) assert.ok(event.type);
  assert.equal((await stream.response).message.content[0].redacted, data);
});
