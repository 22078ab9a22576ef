// Written text, in wasm: the vectors that the crate's own tests read too.

import assert from "node:assert/strict";
import { test } from "node:test";
import { callsAsText, resultsAsText, toolPrompt, writeCalls, writeResults } from "../../pkg/dist/text/index.js";
import { vectors } from "./support/vectors.mjs";

const cases = vectors("writes");

// JavaScript numbers can't hold so many digits.
const held = cases.filter(({ name }) => name !== "digits of numbers");

function written({ message, results, tools, options, format }) {
  if (message) return writeCalls(message, format);
  if (results) return writeResults(results, format);
  return { text: toolPrompt(tools, options), warnings: [] };
}

test("written text is as in the vectors", () => {
  for (const { name, text, warnings = [], ...given } of held) {
    const result = written(given);
    assert.equal(result.text, text, name);
    assert.deepEqual(
      result.warnings.map(({ path }) => path),
      warnings,
      name,
    );
  }
});

test("the short functions return the text alone", () => {
  const call = { id: "a", name: "f", arguments: {} };
  assert.match(callsAsText({ role: "assistant", content: "", toolCalls: [call] }, "json"), /"name": "f"/);
  assert.match(resultsAsText([{ toolCallId: "a", name: "f", kind: "text", value: "ok" }], "json"), /"ok"/);
});

test("an unknown format is an error with a path", () => {
  assert.throws(() => callsAsText({ role: "assistant", content: "" }, "nope"), {
    name: "ToolwireError",
    path: "/format",
  });
});
