// The table of servers, in the built package.

import assert from "node:assert/strict";
import { test } from "node:test";
import { contextOf, convertRequest, convertResponse, serverFacts, serverOf, toOpenAI } from "../../pkg/dist/index.js";
import { isUpToDate, serverNames } from "../../scripts/servers/page.mjs";

test("docs/servers.md is up to date (`npm run docs:servers`)", () => {
  assert.ok(isUpToDate({ serverFacts }));
});

test("a server is found by its own URL", () => {
  const formats = ["openai", "openai-responses", "anthropic"];
  let count = 0;
  for (const server of serverNames()) {
    for (const url of formats.map((to) => serverFacts({ server, to })?.url).filter(Boolean)) {
      const isAnybodys = /localhost:(?!1234|11434)/.test(url);
      assert.equal(serverOf(url), isAnybodys ? undefined : server, url);
      count += 1;
    }
  }
  assert.ok(count > 40);
  assert.equal(serverOf("https://my.openai.azure.com/openai/deployments/d?api-version=v1"), "azure");
  assert.equal(serverOf("https://gateway.example"), undefined);
  assert.equal(serverOf(5), undefined);
});

test("a profile has the facts of its base, and its own", () => {
  const facts = (server) => serverFacts({ server, to: "openai" });
  assert.deepEqual(facts({ base: "vllm", toolChoices: [], strict: false }), {
    ...facts("vllm"),
    toolChoices: [],
    strict: false,
  });
  assert.equal(serverFacts({ server: "groq", to: "gemini" }), undefined);
});

test("mistakes in a profile are named", () => {
  const attempt = (server) => () => toOpenAI({ messages: [{ role: "user", content: "Hi" }] }, { server });
  assert.throws(attempt("grok"), { code: "invalid_value", path: "/options/server", message: /did you mean "groq"/ });
  assert.throws(attempt({ base: "vllm", tokenLimits: "max_tokens" }), { message: /did you mean tokenLimit/ });
  assert.throws(attempt({ base: "vllm", tokenLimit: "max" }), { code: "invalid_value", message: /max_tokens/ });
  assert.throws(attempt({ tokenLimit: "max_tokens" }), { message: /base/ });
  assert.throws(attempt(5), { code: "invalid_type" });
});

test("freeform tools are functions for the server, and freeform again for the client", () => {
  const options = { from: "openai", to: "openai", server: "vllm" };
  const tools = [{ type: "custom", custom: { name: "sh" } }];
  const request = { model: "m", messages: [{ role: "user", content: "Hi" }], tools };
  assert.equal(convertRequest(request, options).tools[0].type, "function");
  const call = { id: "c", type: "function", function: { name: "sh", arguments: '{"input":"ls"}' } };
  const message = { role: "assistant", content: null, tool_calls: [call] };
  const response = { id: "x", model: "m", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
  const returned = convertResponse(response, { ...options, context: contextOf(request, options) });
  assert.deepEqual(returned.choices[0].message.tool_calls, [
    { id: "c", type: "custom", custom: { name: "sh", input: "ls" } },
  ]);
});
