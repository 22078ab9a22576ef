// Mistral's own client with a server that sends its requests to every other provider, whole and streamed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Mistral } from "@mistralai/mistralai";
import { checkReceived, question, serveClient, tools, upstreams } from "./support/client-loopback.mjs";

const call = { id: "aB3dE6gH9", name: "get_weather", arguments: { city: "Paris" } };
const { requests, urlOf } = serveClient({ dialect: "mistral", path: "v1/chat/completions", call });

async function complete(client, messages) {
  const { choices, usage } = await client.chat.complete({ model: "m", messages, tools });
  return { ...choices[0], usage };
}

/** Accumulates the chunks, which have calls whole. */
async function completeStreamed(client, messages) {
  const found = { message: { role: "assistant", content: "" } };
  for await (const { data } of await client.chat.stream({ model: "m", messages, tools })) {
    const [{ delta, finishReason }] = data.choices;
    found.message.content += delta.content ?? "";
    if (delta.toolCalls) found.message.toolCalls = [...(found.message.toolCalls ?? []), ...delta.toolCalls];
    if (finishReason) Object.assign(found, { finishReason, usage: data.usage });
  }
  return found;
}

for (const upstream of upstreams) {
  for (const [name, ask] of Object.entries({ whole: complete, streamed: completeStreamed })) {
    test(`a call and its result by way of ${upstream}, ${name}`, { timeout: 20_000 }, async () => {
      const client = new Mistral({
        apiKey: "none",
        serverURL: urlOf(upstream),
        retryConfig: { strategy: "none" },
      });
      const first = await ask(client, [question]);
      assert.equal(first.message.content, "Let me see.");
      const [called] = first.message.toolCalls;
      assert.deepEqual([called.function.name, JSON.parse(called.function.arguments)], [call.name, call.arguments]);
      assert.deepEqual(
        [first.finishReason, first.usage.promptTokens, first.usage.completionTokens],
        ["tool_calls", 3, 4],
      );
      const result = { role: "tool", toolCallId: called.id, name: called.function.name, content: "sunny" };
      const last = await ask(client, [question, first.message, result]);
      assert.equal(last.message.content, "It is sunny.");
      assert.equal(last.finishReason, "stop");
      checkReceived(requests.at(-1));
    });
  }
}
