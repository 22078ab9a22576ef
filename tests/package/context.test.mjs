// The context of a request, with which a gateway converts the response of another provider.

import assert from "node:assert/strict";
import { test } from "node:test";
import { contextOf, convertRequest, convertResponse, convertStream } from "../../pkg/dist/index.js";

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
  const { echo, ...known } = context;
  assert.deepEqual(JSON.parse(echo), { model: "m", tools: body.tools, max_output_tokens: 16 });
  assert.deepEqual(known, {
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
      assert.deepEqual(asked({ ...base[from], ...setting }, from), { reasoning: true }, from);
  for (const [from, settings] of Object.entries(silent))
    for (const setting of settings) assert.deepEqual(asked({ ...base[from], ...setting }, from), {}, from);
});

function asked(request, from) {
  const { echo: _, ...rest } = contextOf(request, { from, to: "openai" });
  return rest;
}

test("an invalid context is refused", () => {
  const wrong = { from: "anthropic", to: "openai", context: { names: 5 } };
  assert.throws(() => convertResponse({}, wrong), {
    name: "ToolwireError",
    code: "invalid_type",
    path: "/options/context/names",
  });
});

// what the schema of Open Responses requires of `ResponseResource`
const REQUIRED =
  `id object created_at completed_at status incomplete_details model previous_response_id instructions output error tools tool_choice truncation
  parallel_tool_calls text top_p presence_penalty frequency_penalty top_logprobs temperature reasoning user usage max_output_tokens max_tool_calls store
  background service_tier metadata safety_identifier prompt_cache_key`.split(/\s+/);

test("a response of Responses has all fields, and repeats what its request asked for", () => {
  const body = {
    model: "gpt-5.2",
    input: "Hi",
    instructions: "Be brief.",
    tools: [{ type: "function", name: "now" }],
    tool_choice: "required",
    parallel_tool_calls: false,
    temperature: 0.5,
    top_p: null,
    reasoning: { effort: "low" },
    text: { verbosity: "low" },
    max_output_tokens: 99,
    metadata: { a: "b" },
    prompt_cache_key: "k",
    store: false,
  };
  const repeated = {
    instructions: "Be brief.",
    tools: [{ type: "function", name: "now", description: null, parameters: null, strict: null }],
    tool_choice: "required",
    parallel_tool_calls: false,
    temperature: 0.5,
    top_p: 1,
    reasoning: { effort: "low", summary: null },
    text: { format: { type: "text" }, verbosity: "low" },
    max_output_tokens: 99,
    metadata: { a: "b" },
    prompt_cache_key: "k",
    store: false,
    previous_response_id: null,
    presence_penalty: 0,
  };
  const given = { from: "openai-responses", to: "anthropic" };
  const context = { ...contextOf(body, given), time: 1700000000 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", stop_sequence: null };
  const finished = { ...message, content: [{ type: "text", text: "Hi" }], stop_reason: "end_turn" };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const back = { from: "anthropic", to: "openai-responses", context };
  const whole = convertResponse({ ...finished, usage }, back);
  assert.deepEqual(pick(whole, Object.keys(repeated)), repeated);
  assert.equal(whole.created_at, 1700000000);
  assert.equal(whole.output_text, "Hi");
  assert.equal(whole.error, null);
  assert.deepEqual(missing(whole), []);
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  const stream = convertStream(back);
  const sent = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  const pieces = [stream.push(new TextEncoder().encode(sent)), stream.finish()];
  const text = pieces.map((piece) => new TextDecoder().decode(piece)).join("");
  const received = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json));
  const versions = received.filter(({ response }) => response);
  assert.deepEqual(
    versions.map(({ type }) => type),
    ["response.created", "response.in_progress", "response.completed"],
  );
  for (const { response } of versions) {
    assert.deepEqual(missing(response), []);
    assert.deepEqual(pick(response, Object.keys(repeated)), repeated);
    assert.equal(response.created_at, 1700000000);
  }
});

test("a response without a model gets that of the request, and without a context the defaults", () => {
  const body = { model: "gpt-5.2", input: "Hi" };
  const response = { message: { role: "assistant", content: "Hi" }, done: true, done_reason: "stop" };
  const context = contextOf(body, { from: "openai-responses", to: "ollama" });
  assert.equal(convertResponse(response, { from: "ollama", to: "openai-responses", context }).model, "gpt-5.2");
  const alone = convertResponse(response, { from: "ollama", to: "openai-responses" });
  assert.equal(alone.model, "");
  assert.deepEqual(missing(alone), []);
  assert.deepEqual(pick(alone, ["created_at", "tools", "store", "temperature"]), {
    created_at: 0,
    tools: [],
    store: false,
    temperature: 1,
  });
});

test("a damaged echo is ignored", () => {
  const response = { message: { role: "assistant", content: "Hi" }, done: true, done_reason: "stop" };
  for (const echo of ["", "{", "[]", "null"]) {
    const context = { echo };
    assert.equal(convertResponse(response, { from: "ollama", to: "openai-responses", context }).store, false);
  }
});

const pick = (object, keys) => Object.fromEntries(keys.map((key) => [key, object[key]]));
const missing = (response) => REQUIRED.filter((key) => !Object.hasOwn(response, key));

test("a response of a format that names no model has the one that was asked for", () => {
  const request = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi" }] };
  const bodies = {
    bedrock: { output: { message: { role: "assistant", content: [{ text: "Hi" }] } }, stopReason: "end_turn" },
    cohere: { message: { role: "assistant", content: [{ type: "text", text: "Hi" }] }, finish_reason: "COMPLETE" },
  };
  for (const [server, body] of Object.entries(bodies)) {
    for (const client of ["openai", "anthropic", "mistral", "ollama"]) {
      const context = contextOf(request, { from: client, to: server });
      assert.equal(convertResponse(body, { from: server, to: client, context }).model, "m", `${server} → ${client}`);
    }
  }
});
