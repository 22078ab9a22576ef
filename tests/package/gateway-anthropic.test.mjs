// Clients of Anthropic: conversations that they leave with the server, as the tool runner of the SDK does by default, what they state in headers, and
// those that are set up for Vertex AI.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { startProvider, upstreams } from "./support/gateway/provider.mjs";
import { playedBy, scenarios, spoken } from "./support/gateway/scenarios.mjs";
import { gatewayTo, post, stopGateways } from "./support/gateway-server.mjs";

const { name, description, parameters } = spoken.tool;
const weather = betaTool({
  name,
  description,
  inputSchema: parameters,
  run: ({ city }) => (city === "Paris" ? "sunny" : "rain"),
});
const [short, scenario] = ["text", "a call after the results"].map((wanted) =>
  scenarios.find(({ name }) => name === wanted),
);
let provider;

before(async () => {
  provider = await startProvider();
});
after(async () => {
  provider.close();
  await stopGateways();
});

const clientOf = (url) => new Anthropic({ apiKey: spoken.keyOfClient, maxRetries: 0, baseURL: url }).beta.messages;
const given = (dialect) => ({
  model: upstreams[dialect].model,
  max_tokens: 2000,
  system: spoken.system,
  messages: [{ role: "user", content: spoken.question }],
  tools: [weather],
});
const textOf = ({ content }) => content.map(({ text = "" }) => text).join("");

/** The last request that the provider received has the whole conversation. */
function assertWhole({ requests, complaints }) {
  assert.deepEqual(complaints, []);
  assert.equal(requests.length, 3);
  const last = JSON.stringify(requests.at(-1).body);
  for (const part of [spoken.system, spoken.question, "sunny", "rain", name]) assert.ok(last.includes(part), part);
}

for (const dialect of ["openai", "openai-responses", "gemini", "ollama", "bedrock"]) {
  for (const stream of [false, true]) {
    test(`the tool runner${stream ? ", streamed," : ""} goes on with the whole conversation on ${dialect}`, async () => {
      const url = await gatewayTo({ dialect, baseUrl: `${provider.url}/${dialect}`, key: "k" });
      provider.play(playedBy(dialect, scenario));
      const last = await clientOf(url).toolRunner({ ...given(dialect), stream });
      assert.equal(textOf(last), "Sunny and wet.");
      assertWhole(provider);
    });
  }
}

test("a thread of the SDK sends the whole conversation, too", async () => {
  const url = await gatewayTo({ dialect: "openai", baseUrl: `${provider.url}/openai`, key: "k" });
  provider.play(playedBy("openai", scenario));
  const { messages, ...fields } = given("openai");
  const thread = clientOf(url).thread(fields);
  let response = await thread.send(messages);
  for (const result of ["sunny", "rain"]) {
    const [{ id }] = response.content.filter(({ type }) => type === "tool_use");
    response = await thread.send({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: result }],
    });
  }
  assert.equal(textOf(response), "Sunny and wet.");
  assertWhole(provider);
});

test("Anthropic itself gets the thread", async () => {
  const url = await gatewayTo({ dialect: "anthropic", baseUrl: `${provider.url}/anthropic`, key: "k" });
  provider.play(playedBy("anthropic", scenario));
  await clientOf(url).toolRunner(given("anthropic"));
  const threads = provider.requests.map(({ body }) => body.thread.type);
  assert.deepEqual(threads, ["create", "continue", "continue"]);
  for (const { headers } of provider.requests) assert.match(headers["anthropic-beta"], /message-threads/);
});

test("the error has the status and the details of Anthropic's", async () => {
  const url = await gatewayTo({ dialect: "openai", baseUrl: `${provider.url}/openai`, key: "k" });
  const thread = { type: "continue", previous_message_id: "msg_1" };
  const response = await post(`${url}/v1/messages`, { ...given("openai"), tools: [], thread });
  assert.equal(response.status, 404);
  const { type, error } = await response.json();
  assert.equal(type, "error");
  assert.equal(error.type, "not_found_error");
  assert.deepEqual(error.details, { error_code: "thread_not_found" });
  assert.match(error.message, /send the whole conversation/);
});

const asked = { model: "claude-sonnet-4-5", max_tokens: 9, messages: [{ role: "user", content: "Hi" }] };
const stated = { "anthropic-version": "2023-06-01", "anthropic-beta": "context-management-2025-06-27" };

/** What an upstream of Anthropic's format receives of a request, by its headers and its temperature. */
async function received(upstream, headers) {
  const url = await gatewayTo({ dialect: "anthropic", baseUrl: `${provider.url}/anthropic`, key: "k", ...upstream });
  provider.play({ answers: [{ blocks: [{ type: "text", pieces: ["Hi"] }], finish: "stop", usage: {} }] });
  await post(`${url}/v1/messages`, { ...asked, temperature: 0.2 }, { headers });
  const [request] = provider.requests;
  const { "anthropic-version": version, "anthropic-beta": beta } = request.headers;
  return { version, beta, temperature: request.body.temperature };
}

test("Anthropic gets the version and the beta features that the client states", async () => {
  assert.deepEqual(await received({}, stated), {
    version: "2023-06-01",
    beta: "context-management-2025-06-27",
    temperature: 0.2,
  });
  const newer = { ...stated, "anthropic-version": "2026-10-21" };
  assert.deepEqual(await received({}, newer), {
    version: "2026-10-21",
    beta: "context-management-2025-06-27",
    temperature: undefined,
  });
});

test("what the configuration states counts, and a version that is not known does not", async () => {
  const upstream = { options: { anthropicVersion: "2026-10-21" }, headers: { "anthropic-beta": "a" } };
  assert.deepEqual(await received(upstream, stated), { version: "2026-10-21", beta: "a", temperature: undefined });
  const unknown = { "anthropic-version": "2031-01-01" };
  assert.deepEqual(await received({}, unknown), { version: "2026-10-21", beta: undefined, temperature: undefined });
});

const place = "/v1/projects/p/locations/us-east5/publishers/anthropic/models";
const hosted = { anthropic_version: "vertex-2023-10-16", max_tokens: 9, messages: asked.messages };

for (const dialect of ["anthropic", "openai", "gemini"]) {
  test(`Claude's requests on Vertex AI are served by way of ${dialect}`, async () => {
    const { model } = upstreams[dialect];
    const url = await gatewayTo({
      dialect,
      baseUrl: `${provider.url}/${dialect}`,
      key: "k",
      models: { "claude-x": model },
    });
    provider.play(playedBy(dialect, short));
    const whole = await post(`${url}${place}/claude-x:rawPredict`, hosted);
    assert.equal(textOf(await whole.json()), "Hello.");
    assert.deepEqual(provider.complaints, []);
    assert.equal(provider.requests[0].body.anthropic_version, undefined);

    provider.play(playedBy(dialect, short));
    const streamed = await post(`${url}${place}/claude-x:streamRawPredict`, { ...hosted, stream: true });
    assert.match(streamed.headers.get("content-type"), /event-stream/);
    assert.match(await streamed.text(), /event: content_block_delta\ndata: .*"Hel"[\s\S]*event: message_stop/);
    assert.deepEqual(provider.complaints, []);
  });
}

test("Anthropic gets the version that a client of Vertex AI means", async () => {
  const url = await gatewayTo({ dialect: "anthropic", baseUrl: `${provider.url}/anthropic`, key: "k" });
  for (const [version, sent] of [
    ["vertex-2023-10-16", "2023-06-01"],
    ["2026-10-21", "2026-10-21"],
  ]) {
    provider.play(playedBy("anthropic", short));
    const body = { ...hosted, anthropic_version: version, temperature: 0.2 };
    await post(`${url}${place}/claude-sonnet-4-5:rawPredict`, body);
    const [request] = provider.requests;
    assert.equal(request.headers["anthropic-version"], sent);
    assert.equal(request.body.temperature, sent === "2023-06-01" ? 0.2 : undefined);
  }
});

test("Anthropic gets the beta features that a client of Bedrock states in its body", async () => {
  const url = await gatewayTo({ dialect: "anthropic", baseUrl: `${provider.url}/anthropic`, key: "k" });
  provider.play(playedBy("anthropic", short));
  const body = {
    ...hosted,
    anthropic_version: "bedrock-2023-05-31",
    anthropic_beta: ["one-2025-01-01", "two-2025-01-01"],
  };
  await post(`${url}/model/claude-x/invoke`, body);
  const [request] = provider.requests;
  assert.equal(request.headers["anthropic-beta"], "one-2025-01-01,two-2025-01-01");
  assert.equal(request.body.anthropic_beta, undefined);
});

test("a count of tokens on Vertex AI is the upstream's or an estimate, and other actions are not served", async () => {
  const url = await gatewayTo({ dialect: "openai", baseUrl: `${provider.url}/openai`, key: "k" });
  const counted = await post(`${url}${place}/count-tokens:rawPredict`, { ...hosted, model: "claude-x" });
  assert.equal(counted.headers.get("x-toolwire-estimate"), "bytes/4");
  assert.ok((await counted.json()).input_tokens > 0);
  const other = await post(`${url}${place}/claude-x:predict`, hosted);
  assert.equal(other.status, 404);
  assert.match((await other.json()).error.message, /:rawPredict/);
});
