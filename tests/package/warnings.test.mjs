// Ordinary conversations cause at most one warning, so that those that there are mean something.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as toolwire from "../../pkg/dist/node.js";
import { page, requests, responses } from "../../scripts/warnings/table.mjs";

/** Two warnings each: Mistral's models have the efforts "none" and "high" only, and Cohere's have none. */
const more = [
  "a coding agent (as Claude Code): anthropic to mistral",
  "a coding agent with a freeform tool (as Codex): openai-responses to mistral",
  "a coding agent with a freeform tool (as Codex): openai-responses to cohere",
];

for (const [kind, rows] of Object.entries({ requests: requests(toolwire), responses: responses(toolwire) })) {
  test(`ordinary ${kind} cause at most one warning`, () => {
    assert.equal(rows.length, kind === "requests" ? 14 : 12);
    const noisy = rows.flatMap(({ name, from, cells }) =>
      cells
        .filter(({ shown }) => shown && shown.length > 1)
        .filter(({ to }) => !more.includes(`${name}: ${from} to ${to}`))
        .map(({ to, shown }) => `${name}: ${from} to ${to}: ${shown.map(({ code, path }) => `${code} ${path}`)}`),
    );
    assert.deepEqual(noisy, []);
  });
}

test("levels: bookkeeping is delivered only if asked for, and only losses are lossy", () => {
  const rows = [...requests(toolwire), ...responses(toolwire)].flatMap(({ cells }) => cells);
  const all = rows.flatMap(({ all }) => all ?? []);
  assert.ok(all.some(({ level }) => level === "bookkeeping"));
  assert.ok(rows.flatMap(({ shown }) => shown ?? []).every(({ level }) => level !== "bookkeeping"));
  for (const { code, level, lossy } of all) assert.equal(lossy, level === "loss", code);
});

test("messages name the target and the field", () => {
  const messages = [];
  const onWarning = ({ message }) => messages.push(message);
  const body = { model: "m", messages: [{ role: "user", content: "Hi" }], logit_bias: { 5: 1 }, seed: 5 };
  toolwire.convertRequest(body, { from: "openai", to: "gemini", onWarning });
  toolwire.convertRequest(body, { from: "openai", to: "openai-responses", onWarning });
  assert.deepEqual(messages, [
    "Gemini has no `logit_bias`",
    "OpenAI Responses has no `seed`",
    "OpenAI Responses has no `logit_bias`",
  ]);
});

test("the page is up to date", () => {
  assert.equal(readFileSync(new URL("../../docs/warnings.md", import.meta.url), "utf8"), page(toolwire));
});
