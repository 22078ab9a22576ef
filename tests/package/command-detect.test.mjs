// Detection of the format of a body: the correct one, or none.

import assert from "node:assert/strict";
import { test } from "node:test";
import { detect } from "../../pkg-template/command/detect.js";
import { Stop } from "../../pkg-template/command/exits.js";
import { dialects } from "../../scripts/lib/dialects.mjs";
import { vectorCases } from "../../scripts/vectors/files.mjs";

/** The first dialect of each dialect's family. */
const bases = new Map(dialects.map(({ name, base }) => [name, base]));
const user = [{ role: "user", content: "Hi" }];
const definition = { name: "a", description: "b" };

const unmistakable = {
  "request canonical": [
    { messages: user, maxTokens: 1 },
    { messages: user, reasoning: { effort: "high", include: true } },
    { messages: user, tools: [{ ...definition, parameters: {} }] },
    { messages: [{ role: "tool", toolCallId: "1", name: "a", kind: "text", value: "" }] },
  ],
  "request openai": [
    { messages: user, max_completion_tokens: 1 },
    { messages: user, reasoning: { effort: "high", exclude: true } },
    { messages: user, max_tokens: 1, tools: [{ type: "function", function: definition }] },
    { messages: [{ role: "tool", tool_call_id: "1", content: "" }] },
  ],
  "request openai-responses": [
    { model: "m", input: "Hi" },
    { input: user, store: false, reasoning: { effort: "low" }, tools: [{ type: "function", ...definition }] },
    { prompt: { id: "p" } },
  ],
  "request anthropic": [
    { messages: user, max_tokens: 1, system: "s" },
    { messages: user, max_tokens: 1, tools: [{ ...definition, input_schema: {} }] },
    { messages: user, max_tokens: 1, tools: [{ type: "web_search_20250305", name: "web_search" }] },
    { messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "1" }] }] },
  ],
  "request gemini": [{ contents: [{ role: "user", parts: [{ text: "Hi" }] }] }],
  "request mistral": [
    { messages: user, random_seed: 1 },
    { messages: user, tool_choice: "any", tools: [{ type: "function", function: definition }] },
    { messages: [{ role: "user", content: [{ type: "document_url", document_url: "https://example.com/a.pdf" }] }] },
    {
      messages: [
        ...user,
        { role: "assistant", content: [{ type: "thinking", thinking: [{ type: "text", text: "t" }] }] },
      ],
    },
  ],
  "response canonical": [{ message: { role: "assistant", content: [] }, text: "", finishReason: "stop" }],
  "response openai": [{ choices: [{ index: 0, message: { role: "assistant", content: "" } }] }],
  "response openai-responses": [{ id: "resp_1", object: "response", status: "completed", output: [] }],
  "response anthropic": [{ type: "message", role: "assistant", content: [] }],
  "response gemini": [{ candidates: [] }, { promptFeedback: { blockReason: "SAFETY" } }],
  "request ollama": [
    { messages: user, options: { num_ctx: 4096 } },
    { messages: [{ role: "tool", tool_name: "a", content: "" }], tools: [{ type: "function", function: definition }] },
    { messages: [{ role: "user", content: "Hi", images: ["AAAA"] }], stream: false },
  ],
  "response ollama": [{ message: { role: "assistant", content: "" }, done: true, done_reason: "stop" }],
  "request universal": [
    { messages: [{ tool_calls: [{ id: "1", name: "a", arguments: {} }] }] },
    { tool_results: [{ tool_call_id: "1", name: "a", result: "" }] },
  ],
  "response universal": [{ tool_calls: [{ id: "1", name: "a", arguments: {} }] }],
  "error canonical": [{ code: "rate_limit", message: "m", retryable: true }],
  "error openai": [{ error: { message: "m", type: "t", param: "x", code: null } }],
  "error anthropic": [{ type: "error", error: { type: "t", message: "m" } }],
  "error gemini": [
    { error: { code: 400, message: "m", status: "INVALID_ARGUMENT" } },
    [{ error: { code: 400, message: "m", status: "INVALID_ARGUMENT" } }],
  ],
  "tools canonical": [[{ ...definition, parameters: {} }], [{ type: "native", provider: "openai", value: {} }]],
  "tools openai": [[{ type: "function", function: definition }], [{ type: "custom", custom: definition }]],
  "tools openai-responses": [[{ type: "function", ...definition, parameters: {}, strict: false }]],
  "tools anthropic": [[{ ...definition, input_schema: {} }]],
  "tools gemini": [[{ functionDeclarations: [definition] }], [{ googleSearch: {} }]],
};

for (const [what, bodies] of Object.entries(unmistakable)) {
  test(`recognised: ${what}`, () => {
    const [kind, from] = what.split(" ");
    for (const body of bodies) {
      assert.deepEqual(detect(body, {}), { from, kind });
      assert.deepEqual(detect(body, { from }), { from, kind });
      assert.deepEqual(detect(body, { kind }), { from, kind });
    }
  });
}

const unclear = [
  ["a plain chat", { model: "m", messages: user }, {}, /canonical, openai or anthropic\. Choose one with --from$/],
  [
    "a chat with an effort, which OpenRouter takes too",
    { messages: user, reasoning: { effort: "low" } },
    {},
    /canonical or openai/,
  ],
  ["a plain chat with max_tokens", { max_tokens: 1, messages: user }, {}, /openai or anthropic/],
  ["an error with a number, which gateways have too", { error: { message: "m", code: 429 } }, {}, /openai or gemini/],
  ["an error with nothing but a message", { error: { message: "m" } }, {}, /openai or gemini/],
  ["tools with nothing but names", [{ name: "a" }], {}, /canonical or anthropic/],
  ["a chat that is an answer as well", { messages: user, choices: [] }, { from: "openai" }, /--from and --kind/],
  ["marks of two formats", { messages: user, system: "s", response_format: {} }, {}, /system:string \(anthropic\)/],
  ["no body at all", { hello: "world" }, {}, /Give --from and --kind/],
  ["an empty array", [], {}, /Give --from and --kind/],
  ["null", null, {}, /Give --from and --kind/],
  ["another format than the one named", { contents: [] }, { from: "anthropic" }, /a body of anthropic/],
  [
    "another kind than the one named",
    { contents: [] },
    { kind: "response" },
    /not of the kind response .* Give --from$/,
  ],
];

for (const [name, body, known, message] of unclear) {
  test(`asked back: ${name}`, () => {
    assert.throws(
      () => detect(body, known),
      (error) => {
        assert.ok(error instanceof Stop, error.stack);
        assert.equal(error.exit, "unrecognised");
        assert.match(error.message, message);
        return true;
      },
    );
  });
}

test("a named format takes precedence over a recognised one", () => {
  const tools = [{ type: "function", function: definition }];
  assert.deepEqual(detect({ messages: user, tools }, { from: "ollama" }), { from: "ollama", kind: "request" });
  assert.deepEqual(detect(tools, { from: "ollama" }), { from: "ollama", kind: "tools" });
  assert.deepEqual(detect({ error: "m" }, { from: "ollama" }), { from: "ollama", kind: "error" });
  assert.deepEqual(detect({ contents: [] }, { from: "vertexai" }), { from: "vertexai", kind: "request" });
  // Mistral's API is used in OpenAI's format, too
  assert.deepEqual(detect({ messages: user, safe_prompt: true }, { from: "openai" }), {
    from: "openai",
    kind: "request",
  });
});

test("no vector's body is taken for something else", () => {
  const counts = { right: 0, asked: 0 };
  for (const vector of vectorCases()) {
    for (const { from, body } of bodiesOf(vector)) {
      const found = detectOrStop(body);
      if (found === undefined) counts.asked += 1;
      else if (!sameFamily(found.from, from) || found.kind !== vector.kind)
        assert.deepEqual(found, { from, kind: vector.kind }, vector.name);
      else counts.right += 1;
    }
  }
  assert.ok(counts.right > 7 * counts.asked, JSON.stringify(counts));
});

/** The bodies of a vector, except those of hosts, whose responses have formats of their own. */
function bodiesOf({ kind, options, canonical, both, writes }) {
  if (!["request", "response", "error", "tools"].includes(kind) || options?.platform) return [];
  const written = Object.entries({ ...both, ...writes }).map(([from, { body }]) => ({ from, body }));
  const all = both ? [...written, { from: "canonical", body: canonical }] : written;
  return all.filter(({ from, body }) => body !== undefined && bases.has(from));
}

/** Families whose bodies may be valid in another one: they are detected as that one, and variants as the first of their family. */
const alike = { ollama: "openai", "openai-responses": "openai", cohere: "openai" };
/** Bodies that do not have what is special about Gemini Interactions: errors, and a text as the input. */
const plain = { "gemini-interactions": ["gemini", "openai-responses"] };
const sameFamily = (found, from) =>
  [from, bases.get(from), alike[bases.get(from)], ...(plain[from] ?? [])].includes(found);

function detectOrStop(body) {
  try {
    return detect(body, {});
  } catch (error) {
    assert.ok(error instanceof Stop, error.stack);
    return undefined;
  }
}
