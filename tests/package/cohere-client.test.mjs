// Cohere's own client with a server that sends its requests to every other provider, whole and streamed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CohereClientV2 } from "cohere-ai";
import { checkReceived, question, serveClient, tools, upstreams } from "./support/client-loopback.mjs";

const call = { id: "get_weather_a1", name: "get_weather", arguments: { city: "Paris" } };
const { requests, urlOf } = serveClient({ dialect: "cohere", path: "v2/chat", call });

async function complete(client, messages) {
  return client.chat({ model: "m", messages, tools });
}

/** Accumulates the events. */
async function completeStreamed(client, messages) {
  const message = { role: "assistant" };
  const found = { message };
  for await (const event of await client.chatStream({ model: "m", messages, tools })) {
    const piece = event.delta?.message;
    if (event.type === "content-start") message.content = [...(message.content ?? []), { ...piece.content }];
    if (event.type === "content-delta") message.content.at(-1).text += piece.content.text;
    if (event.type === "tool-call-start") message.toolCalls = [...(message.toolCalls ?? []), piece.toolCalls];
    if (event.type === "tool-call-delta")
      message.toolCalls.at(-1).function.arguments += piece.toolCalls.function.arguments;
    if (event.type === "message-end") Object.assign(found, event.delta);
  }
  return found;
}

for (const upstream of upstreams) {
  for (const [name, ask] of Object.entries({ whole: complete, streamed: completeStreamed })) {
    test(`a call and its result by way of ${upstream}, ${name}`, { timeout: 20_000 }, async () => {
      const client = new CohereClientV2({ token: "none", environment: urlOf(upstream), maxRetries: 0 });
      const first = await ask(client, [question]);
      assert.deepEqual(first.message.content, [{ type: "text", text: "Let me see." }]);
      const [called] = first.message.toolCalls;
      assert.deepEqual([called.function.name, JSON.parse(called.function.arguments)], [call.name, call.arguments]);
      assert.deepEqual([first.finishReason, first.usage.tokens], ["TOOL_CALL", { inputTokens: 3, outputTokens: 4 }]);
      const result = { role: "tool", toolCallId: called.id, content: "sunny" };
      const last = await ask(client, [question, first.message, result]);
      assert.deepEqual(last.message.content, [{ type: "text", text: "It is sunny." }]);
      assert.equal(last.finishReason, "COMPLETE");
      checkReceived(requests.at(-1));
    });
  }
}
