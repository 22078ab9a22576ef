// The official SDKs as a `Send`, as docs/toolkit/agents.md shows them, against a scripted server on loopback.

import assert from "node:assert/strict";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { transform } from "esbuild";
import OpenAI from "openai";
import { markdownBlocks } from "../package/support/snippets/blocks.mjs";
import { resultsIn, user } from "./support/model.mjs";
import { startProvider, upstreams } from "./support/provider.mjs";
import { runAgent, Toolkit } from "./support/toolkit.mjs";

const { code } = markdownBlocks("docs/toolkit/agents.md").find((block) => /throughOpenAI/.test(block.code));
// the clients are imported for their types only
const program = (await transform(code, { loader: "ts" })).code;
const entry = new URL("../../pkg/dist/index.js", import.meta.url).href;
const sends = await import(
  `data:text/javascript,${encodeURIComponent(program.replace('"toolwire"', JSON.stringify(entry)))}`
);

const apiKey = "secret";
const clients = {
  openai: (url) => sends.throughOpenAI(new OpenAI({ apiKey, baseURL: `${url}/v1` })),
  anthropic: (url) => sends.throughAnthropic(new Anthropic({ apiKey, baseURL: url })),
  gemini: (url) => sends.throughGoogle(new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })),
};

for (const [dialect, sendThrough] of Object.entries(clients)) {
  test(`an agent that sends through the SDK of ${dialect}`, async (t) => {
    const provider = await startProvider();
    t.after(() => provider.close());
    const call = { type: "call", id: "c1", name: "double", pieces: ['{"n":4}'] };
    const text = { type: "text", pieces: ["It is 8."] };
    provider.play({ blocks: [call], finish: "tool_calls" }, { blocks: [text], finish: "stop" });
    const parameters = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const toolkit = new Toolkit([{ name: "double", parameters, execute: ({ n }) => n * 2 }]);
    const request = { model: upstreams[dialect].model, maxTokens: 100, ...user("double 4") };
    const outcome = await runAgent({ request, toolkit, send: sendThrough(`${provider.url}/${dialect}`) });
    assert.equal(outcome.reason, "answer", JSON.stringify(outcome.error));
    assert.deepEqual([outcome.text, Object.values(resultsIn(outcome.messages))], ["It is 8.", [8]]);
    assert.equal(provider.received.length, 2);
  });
}
