// The entry point with the formats of OpenAI, Anthropic and Google only: it converts as the whole package does.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { esm } from "./support/package.mjs";

const [toolwire, common] = await Promise.all([import(esm), import(new URL("common/index.js", esm).href)]);

const formats = ["canonical", "openai", "mistral", "openai-responses", "anthropic", "gemini", "vertexai"];
const others = ["bedrock", "cohere", "gemini-interactions", "ollama", "universal"];

test("it exports what the package does, but the functions of the other formats", () => {
  const ofOthers = /(?:to|from)(?:Bedrock|Cohere|GeminiInteractions|Ollama|Universal)/;
  const expected = Object.keys(toolwire).filter((name) => !ofOthers.test(name));
  assert.deepEqual(Object.keys(common).sort(), expected.sort());
});

/** Requests and responses of the vectors, with the format in which they are. */
function* bodies() {
  const folder = new URL("../vectors/", import.meta.url);
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".json")) continue;
    for (const { kind, both, reads } of JSON.parse(readFileSync(new URL(name, folder), "utf8"))) {
      if (kind !== "request" && kind !== "response") continue;
      for (const [from, { body }] of Object.entries({ ...both, ...reads })) if (body) yield { kind, from, body };
    }
  }
}

/** The output and the warnings, or the error. */
function outcome({ convertRequest, convertResponse }, { kind, body, from }, to) {
  const warnings = [];
  const options = { from, to, idSeed: "1", onWarning: (warning) => warnings.push(warning) };
  try {
    return { output: (kind === "request" ? convertRequest : convertResponse)(JSON.stringify(body), options), warnings };
  } catch ({ code, path, message }) {
    return { code, path, message };
  }
}

test("it converts every body of the vectors as the package does", () => {
  let converted = 0;
  for (const one of bodies()) {
    if (others.includes(one.from)) continue;
    for (const to of formats) {
      const result = outcome(common, one, to);
      assert.deepEqual(result, outcome(toolwire, one, to), `${one.from} to ${to}: ${JSON.stringify(one.body)}`);
      if (result.output !== undefined) converted += 1;
    }
  }
  assert.ok(converted > 1500, `${converted} bodies`);
});

test("another format is an error that lists those that it has", () => {
  for (const to of others) {
    const { code, path, message } = outcome(common, { kind: "request", body: {}, from: "openai" }, to);
    assert.deepEqual([code, path], ["invalid_value", "/options/to"]);
    assert.match(message, /expected "canonical".*or "vertexai", found "/);
  }
});
