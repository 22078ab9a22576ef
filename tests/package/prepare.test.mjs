// `prepareRequest` is `convertRequest`, `contextOf` and `requestPath` in one pass; cache marks over a conversation.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { esm } from "./support/package.mjs";

const { contextOf, convertRequest, prepareRequest, requestPath } = await import(esm);
const folder = new URL("../vectors/", import.meta.url);
const dialects = ["openai", "mistral", "openai-responses", "anthropic", "gemini", "vertexai", "ollama"];

/** The requests of all vectors, as providers' clients send them: `{ from, body, options }`. */
function requests() {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const cases = files.flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")));
  return cases
    .filter(({ kind }) => kind === "request")
    .flatMap(({ options, both, reads, convert = [] }) => [
      ...Object.entries({ ...both, ...reads }).map(([from, { body }]) => ({ from, body, options })),
      ...convert.map(({ from, body }) => ({ from, body, options })),
    ])
    .filter(({ from, body }) => dialects.includes(from) && body?.model !== "");
}

function outcomeOf(work) {
  try {
    return work();
  } catch (error) {
    return { error: [error.code, error.path] };
  }
}

test("for the requests of all vectors, to every format, as bytes, text and objects", () => {
  const all = requests();
  assert.ok(all.length > 500);
  let compared = 0;
  for (const { from, body, options } of all) {
    for (const to of dialects) {
      for (const form of [body, JSON.stringify(body), new TextEncoder().encode(JSON.stringify(body))]) {
        const [ours, theirs] = [[], []];
        const conversion = { model: "a-model", ...options, from, to };
        const prepared = outcomeOf(() => prepareRequest(form, { ...conversion, onWarning: (w) => ours.push(w.code) }));
        const parts = outcomeOf(() => ({
          body: convertRequest(form, { ...conversion, onWarning: (w) => theirs.push(w.code) }),
          context: contextOf(form, conversion),
          // a request of Ollama without `stream` is streamed
          path: requestPath(form, { ...(from === "ollama" && { stream: body.stream ?? true }), ...conversion }),
        }));
        if (prepared.error || parts.error) {
          assert.deepEqual(prepared, parts);
          continue;
        }
        const { body: sent, context, path } = prepared;
        assert.deepEqual({ body: sent, context, path }, parts, `${from} → ${to}: ${JSON.stringify(body)}`);
        assert.deepEqual(ours, theirs);
        compared++;
      }
    }
  }
  assert.ok(compared > 5000, compared);
});

test("facts about the converted request", () => {
  const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
  const messages = [{ role: "user", content: "Hi" }];
  const of = (body, more) => {
    const { stream, model, hasTools, asksForReasoning } = prepareRequest(body, {
      from: "openai",
      to: "anthropic",
      ...more,
    });
    return [stream, model, hasTools, asksForReasoning];
  };
  assert.deepEqual(of({ model: "claude-opus-5", messages }), [false, "claude-opus-5", false, false]);
  const all = { model: "x", messages, tools, stream: true, reasoning_effort: "high" };
  assert.deepEqual(of(all, { model: "claude-opus-5" }), [true, "claude-opus-5", true, true]);
  assert.equal(of({ messages })[1], undefined);
});

/** The texts of a request up to each mark, in the order in which the API caches them. */
function markedPrefixes({ tools = [], system = [], messages }) {
  const parts = [...tools, ...system, ...messages.flatMap(({ role, content }) => [role, ...[content].flat()])];
  const prefixes = [];
  let prefix = "";
  for (const part of parts) {
    const { cache_control, ...rest } = typeof part === "string" ? { text: part } : part;
    prefix += JSON.stringify(rest.type === "text" ? { text: rest.text } : rest);
    if (cache_control) prefixes.push(prefix);
  }
  return prefixes;
}

test("ten turns with cache marks: each request reads what the one before it wrote", () => {
  const body = {
    model: "claude-opus-5",
    max_completion_tokens: 100,
    tools: ["f", "g"].map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } })),
    messages: [{ role: "system", content: "Be brief." }],
  };
  let written = [];
  for (let turn = 0; turn < 10; turn++) {
    if (turn % 3 === 2) {
      const calls = ["f", "g"].map((name, i) => ({
        id: `c${turn}${i}`,
        type: "function",
        function: { name, arguments: "{}" },
      }));
      const results = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: `result ${turn}` }));
      body.messages.push({ role: "assistant", content: null, tool_calls: calls }, ...results);
    } else {
      if (turn > 0) body.messages.push({ role: "assistant", content: `answer ${turn}` });
      body.messages.push({ role: "user", content: `question ${turn}` });
    }
    const sent = prepareRequest(body, { from: "openai", to: "anthropic", cache: "auto" }).body;
    const marked = markedPrefixes(sent);
    assert.equal(marked.length, turn === 0 ? 3 : 4);
    // the tools, the system prompt and the last turn of the request before
    for (const prefix of written.length === 0 ? [] : [written[0], written[1], written.at(-1)])
      assert.ok(marked.includes(prefix), `turn ${turn}`);
    written = marked;
    const unmarked = prepareRequest(body, { from: "openai", to: "anthropic" }).body;
    assert.deepEqual(markedPrefixes(unmarked), []);
  }
});
