// The context of a request, with which a gateway converts the response of another provider.

import assert from "node:assert/strict";
import { test } from "node:test";
import { contextOf, convertRequest, convertResponse } from "../../pkg/dist/index.js";

const conversion = { from: "openai", to: "anthropic" };
const request = {
  model: "m",
  max_completion_tokens: 10,
  messages: [
    { role: "user", content: "Hi" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "functions.now:0", type: "function", function: { name: "now", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "functions.now:0", content: "noon" },
  ],
  tools: [
    { type: "custom", custom: { name: "sql" } },
    { type: "function", function: { name: `${"long_".repeat(40)}name` } },
  ],
};

test("the context contains renamed tools, for every form of request", () => {
  const context = contextOf(request, conversion);
  assert.deepEqual(context.freeform, ["sql"]);
  assert.deepEqual(Object.values(context.ids), ["functions.now:0"]);
  assert.deepEqual(Object.values(context.names), [request.tools[1].function.name]);
  const text = JSON.stringify(request);
  assert.deepEqual(contextOf(text, conversion), context);
  assert.deepEqual(contextOf(new TextEncoder().encode(text), conversion), context);
  assert.deepEqual(contextOf({ messages: [] }, conversion), {});
});

test("the context knows only ids that the client knows", () => {
  const response = convertResponse(
    {
      candidates: [
        {
          content: {
            role: "model",
            parts: [{ functionCall: { id: "a.b", name: "now", args: {} }, thoughtSignature: "c2ln" }],
          },
          finishReason: "STOP",
          index: 0,
        },
      ],
    },
    { from: "gemini", to: "openai-responses" },
  );
  const call = response.output.find(({ type }) => type === "function_call");
  assert.equal(call.call_id, "a.b");
  const input = [
    { role: "user", content: "Hi" },
    call,
    { type: "function_call_output", call_id: call.call_id, output: "noon" },
  ];
  const { ids } = contextOf({ model: "m", input }, { from: "openai-responses", to: "anthropic" });
  assert.deepEqual(Object.values(ids), ["a.b"]);
});

test("the context brings calls back into their namespaces", () => {
  const namespaced = { from: "openai-responses", to: "anthropic" };
  const lookup = { type: "function", name: "lookup", parameters: { type: "object", properties: {} }, strict: false };
  const body = {
    model: "m",
    max_output_tokens: 16,
    input: "Hi",
    tools: [
      { type: "namespace", name: "crm", description: "Customers.", tools: [lookup, { type: "custom", name: "sql" }] },
    ],
  };
  const context = contextOf(body, namespaced);
  assert.deepEqual(context, {
    names: { crm__lookup: "lookup", crm__sql: "sql" },
    namespaces: { crm__lookup: "crm", crm__sql: "crm", lookup: "crm", sql: "crm" },
    freeform: ["crm__sql", "sql"],
  });
  assert.deepEqual(
    convertRequest(body, namespaced).tools.map((tool) => tool.name),
    Object.keys(context.names),
  );
  const response = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      { type: "tool_use", id: "a", name: "crm__lookup", input: {} },
      { type: "tool_use", id: "b", name: "crm__sql", input: { input: "SELECT 1" } },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const { output } = convertResponse(response, { from: "anthropic", to: "openai-responses", context });
  const calls = output.map(({ type, namespace, name, input }) => ({ type, namespace, name, input }));
  assert.deepEqual(calls, [
    { type: "function_call", namespace: "crm", name: "lookup", input: undefined },
    { type: "custom_tool_call", namespace: "crm", name: "sql", input: "SELECT 1" },
  ]);
});

test("a response gets the client's names and forms back", () => {
  const context = contextOf(request, conversion);
  const sent = convertRequest(request, conversion);
  const response = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      { type: "tool_use", id: "toolu_1", name: "sql", input: { input: "SELECT 1" } },
      { type: "tool_use", id: "toolu_2", name: sent.tools[1].name, input: {} },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const back = convertResponse(response, { from: "anthropic", to: "openai", context });
  assert.deepEqual(back.choices[0].message.tool_calls, [
    { id: "toolu_1", type: "custom", custom: { name: "sql", input: "SELECT 1" } },
    { id: "toolu_2", type: "function", function: { name: request.tools[1].function.name, arguments: "{}" } },
  ]);
});

test("the context records whether the client asked for the reasoning", () => {
  const messages = [{ role: "user", content: "Hi" }];
  const asking = {
    anthropic: [{ thinking: { type: "enabled", budget_tokens: 1024 } }, { thinking: { type: "adaptive" } }],
    "openai-responses": [{ reasoning: { effort: "high", summary: "auto" } }, { reasoning: { summary: "detailed" } }],
    gemini: [{ generationConfig: { thinkingConfig: { includeThoughts: true } } }],
    ollama: [{ think: true }, { think: "high" }],
  };
  const silent = {
    anthropic: [{}, { thinking: { type: "disabled" } }, { thinking: { type: "adaptive", display: "omitted" } }],
    "openai-responses": [{}, { reasoning: { effort: "high" } }],
    gemini: [{}, { generationConfig: { thinkingConfig: { thinkingBudget: 1024 } } }],
    ollama: [{}, { think: false }],
  };
  const base = {
    anthropic: { model: "m", max_tokens: 2000, messages },
    "openai-responses": { model: "m", input: "Hi" },
    gemini: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
    ollama: { model: "m", messages },
  };
  for (const [from, settings] of Object.entries(asking))
    for (const setting of settings)
      assert.deepEqual(contextOf({ ...base[from], ...setting }, { from, to: "openai" }), { reasoning: true }, from);
  for (const [from, settings] of Object.entries(silent))
    for (const setting of settings)
      assert.deepEqual(contextOf({ ...base[from], ...setting }, { from, to: "openai" }), {}, from);
});

test("an invalid context is refused", () => {
  const wrong = { from: "anthropic", to: "openai", context: { names: 5 } };
  assert.throws(() => convertResponse({}, wrong), {
    name: "ToolwireError",
    code: "invalid_type",
    path: "/options/context/names",
  });
});
