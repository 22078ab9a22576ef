// The agents of the README, of docs/toolkit/agents.md and of the guide, run unchanged against a scripted server on loopback.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { markdownBlocks } from "../package/support/snippets/blocks.mjs";
import { startProvider } from "./support/provider.mjs";

const entry = new URL("../../pkg/dist/toolkit/index.js", import.meta.url).href;
const text = (...pieces) => ({ blocks: [{ type: "text", pieces }], finish: "stop" });
const call = (name, args) => ({
  blocks: [{ type: "call", id: "call_1", name, pieces: [JSON.stringify(args)] }],
  finish: "tool_calls",
});

const agents = {
  "README.md": { script: [call("get_weather", { city: "Paris" }), text("22 °C.")], prints: "answer 22 °C." },
  "docs/guides/agent-in-ten-lines.md": {
    script: [call("get_weather", { city: "Paris" }), text("No: it is 22 °C.")],
    prints: "answer No: it is 22 °C.",
  },
  "docs/toolkit/agents.md": { script: [call("add", { a: 19.5, b: 22.5 }), text("It is 42.")], prints: "It is 42." },
};

let provider;
before(async () => {
  provider = await startProvider();
});
after(() => provider.close());

for (const [file, { script, prints }] of Object.entries(agents)) {
  test(`the agent of ${file}`, async () => {
    const { code } = markdownBlocks(file).find((block) => /await runAgent\(/.test(block.code));
    const dialect = /sendTo\(\{ to: "([\w-]+)"/.exec(code)[1];
    const program = code
      .replace('"toolwire/toolkit"', JSON.stringify(entry))
      .replace(/sendTo\(\{/, `sendTo({ baseUrl: "${provider.url}/${dialect}",`);
    provider.play(...script);
    const printed = [];
    const { log } = console;
    console.log = (...values) => printed.push(values.join(" "));
    try {
      await import(`data:text/javascript,${encodeURIComponent(program)}`);
    } finally {
      console.log = log;
    }
    assert.deepEqual(printed, [prints]);
    assert.equal(provider.received.length, 2);
  });
}
