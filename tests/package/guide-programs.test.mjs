// The driver and the gateway of the guides against servers that respond like real ones: with lengths, gzip, limits, HTML pages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { outcomeOfDriver, outcomeOfGateway } from "../packaging/consumer/readme.js";
import { serve } from "./support/gateway-server.mjs";
import { esm } from "./support/package.mjs";
import { guidePrograms } from "./support/snippets/blocks.mjs";
import { makeProject } from "./support/snippets/programs.mjs";

const { convertRequest } = await import(esm);
const expected = JSON.parse(readFileSync(new URL("../packaging/expected-readme.json", import.meta.url), "utf8"));
const programs = guidePrograms();
const project = makeProject("readme", Object.values(programs));

before(() => project.compile("typescript"));

test("the driver: invalid calls and missing tools become error results", async () => {
  assert.deepEqual(await outcomeOfDriver(project.fileOf(programs.driver)), expected.driver);
});

test("the gateway: every kind of upstream response", async () => {
  assert.deepEqual(await outcomeOfGateway(project.fileOf(programs.gateway), serve), expected.gateway);
});

test("a stream is read", async () => {
  const { print } = await import(project.fileOf(programs.stream));
  const message = { id: "m", role: "assistant", content: [], usage: { input_tokens: 1, output_tokens: 1 } };
  const events = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "c1", name: "f", input: {} } },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"x":1}' } },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
  const printed = [];
  const [write, log] = [process.stdout.write, console.log];
  // the test runner writes bytes
  process.stdout.write = (text, ...more) =>
    typeof text === "string" ? printed.push(text) > 0 : write.call(process.stdout, text, ...more);
  console.log = (...words) => printed.push(words);
  try {
    await print(new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")).body);
  } finally {
    process.stdout.write = write;
    console.log = log;
  }
  assert.deepEqual(printed, ["Hi", ["f", { x: 1 }], ["tool_calls"]]);
});

test("the request in the canonical format is one for every provider", async () => {
  const { request } = await import(project.fileOf(programs.request));
  const googles = ["gemini", "vertexai", "gemini-interactions"];
  for (const to of ["openai", "mistral", "cohere", "openai-responses", "anthropic", ...googles, "ollama"]) {
    const warnings = [];
    convertRequest(request, { from: "canonical", to, onWarning: ({ code }) => warnings.push(code) });
    assert.deepEqual(warnings, [], to);
  }
});
