// The AI SDK with its default, which refers to what OpenAI stored, behind a gateway to other providers.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { APICallError, generateText, jsonSchema, tool } from "ai";
import { startProvider, upstreams } from "./support/gateway/provider.mjs";
import { playedBy, scenarios, spoken } from "./support/gateway/scenarios.mjs";
import { gatewayTo, stopGateways } from "./support/gateway-server.mjs";

globalThis.AI_SDK_LOG_WARNINGS = false;
const { name, description, parameters } = spoken.tool;
const tools = { [name]: tool({ description, inputSchema: jsonSchema(parameters), execute: () => "sunny" }) };
const scenario = scenarios.find(({ name }) => name === "reasoning, then a call");
let provider;

before(async () => {
  provider = await startProvider();
});
after(async () => {
  provider.close();
  await stopGateways();
});

const asks = (dialect, url, providerOptions) =>
  generateText({
    model: createOpenAI({ apiKey: "none", baseURL: `${url}/v1` }).responses(upstreams[dialect].model),
    prompt: spoken.question,
    tools,
    stopWhen: ({ steps }) => steps.length > 1,
    maxRetries: 0,
    ...(providerOptions && { providerOptions }),
  });

for (const dialect of ["anthropic", "gemini", "openai"]) {
  test(`the AI SDK's default on ${dialect} is refused with the way out, which works`, async () => {
    const url = await gatewayTo({ dialect, baseUrl: `${provider.url}/${dialect}`, key: "k" });
    provider.play(playedBy(dialect, scenario));
    await assert.rejects(asks(dialect, url), (error) => {
      assert.ok(APICallError.isInstance(error), error);
      assert.ok(error.statusCode >= 400 && error.statusCode < 500, `${error.statusCode}`);
      assert.match(error.message, /providerOptions\.openai\.store: false/);
      return true;
    });
    assert.equal(provider.requests.length, 1);

    provider.play(playedBy(dialect, scenario));
    const { text } = await asks(dialect, url, { openai: { store: false } });
    assert.equal(text, "It is sunny.");
    assert.deepEqual(provider.complaints, []);
  });
}
