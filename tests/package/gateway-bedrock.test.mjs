// Bedrock as an upstream that streams in the binary framing of AWS.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  BedrockRuntimeClient,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from "@aws-sdk/client-bedrock-runtime";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { binaryFrames, binaryMessage } from "./support/binary-frames.mjs";
import { gatewayTo, post, stopGateways } from "./support/gateway-server.mjs";
import { call, startUpstream, streamOf, texts } from "./support/gateway-upstream.mjs";
import { esm } from "./support/package.mjs";

const { streamEvents } = await import(esm);
const KEY = "the-gateways-key";
const question = { model: "m", stream: true, messages: [{ role: "user", content: "Hi" }] };
let provider;
let url;

before(async () => {
  provider = await startUpstream();
  url = await gatewayTo({ dialect: "bedrock", baseUrl: `${provider.url}/bedrock`, key: KEY });
});
after(() => {
  provider.close();
  return stopGateways();
});

async function wholeOf(source, from) {
  const events = streamEvents(source, { from });
  for await (const event of events) assert.ok(event.type);
  return events.response;
}

for (const [from, path] of [
  ["openai", "/v1/chat/completions"],
  ["anthropic", "/v1/messages"],
]) {
  test(`a call streams from Bedrock to a client of ${from}`, { timeout: 20_000 }, async () => {
    provider.requests.length = 0;
    const response = await post(`${url}${path}`, { ...question, max_tokens: 100 });
    assert.match(response.headers.get("content-type"), /^text\/event-stream/);
    const { text, toolCalls, finishReason } = await wholeOf(response.body, from);
    assert.deepEqual([text, finishReason], [texts[0], "tool_calls"]);
    assert.deepEqual(
      toolCalls.map(({ name, arguments: given }) => [name, given]),
      [[call.name, call.arguments]],
    );
    const [request] = provider.requests;
    assert.deepEqual([request.path, request.headers.authorization], ["model/m/converse-stream", `Bearer ${KEY}`]);
  });
}

test("an exception within a response of status 200 is an error of the client's format", {
  timeout: 20_000,
}, async () => {
  const headers = { ":exception-type": "throttlingException", ":message-type": "exception" };
  const start = Buffer.concat(streamOf("bedrock", true).slice(0, 3));
  provider.instead = (_, response) => {
    response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" });
    response.end(Buffer.concat([start, binaryMessage(headers, '{"message":"Slow down"}')]));
  };
  try {
    const response = await post(`${url}/v1/chat/completions`, question);
    const { error } = await wholeOf(response.body, "openai");
    assert.deepEqual([error.code, error.message], ["rate_limit", "Slow down"]);
  } finally {
    provider.instead = undefined;
  }
});

test("messages of Converse, and chunks of Claude's on Bedrock, are read in pieces of any size", async () => {
  const converse = Buffer.concat(streamOf("bedrock", false));
  const data = Buffer.concat(streamOf("anthropic", false))
    .toString()
    .match(/(?<=^data: ).*$/gm);
  const chunks = data.map((event) => ({ chunk: { bytes: Buffer.from(event).toString("base64"), p: "abc" } }));
  const claude = binaryFrames(chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join(""));
  for (const [from, bytes] of [
    ["bedrock", converse],
    ["anthropic", claude],
  ]) {
    for (const size of [1, 13, bytes.length]) {
      const count = Math.ceil(bytes.length / size);
      const pieces = Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
      const { text, finishReason, usage } = await wholeOf(pieces, from);
      assert.deepEqual([text, finishReason, usage.output], [texts[0], "tool_calls", 4], `${from} by ${size}`);
    }
  }
});

test("the type of an error is read from AWS's header, and written there", { timeout: 20_000 }, async () => {
  provider.instead = (_, response) => {
    response.writeHead(400, { "x-amzn-errortype": "ServiceQuotaExceededException:http://example.invalid/" });
    response.end('{"message":"Too many tokens"}');
  };
  try {
    const other = await post(`${url}/v1/messages`, { ...question, stream: false, max_tokens: 100 });
    const { error } = await other.json();
    assert.deepEqual([error.type, error.message], ["rate_limit_error", "Too many tokens"]);
    const body = { messages: [{ role: "user", content: [{ text: "Hi" }] }] };
    const same = await post(`${url}/model/m/converse`, body);
    assert.equal(same.headers.get("x-amzn-errortype"), "ServiceQuotaExceededException");
    const unknown = await post(`${url}/model/m/other`, body);
    assert.deepEqual([unknown.status, unknown.headers.get("x-amzn-errortype")], [404, "ResourceNotFoundException"]);
  } finally {
    provider.instead = undefined;
  }
});

test("a key that an exception within a stream quotes is hidden, and the messages stay whole", {
  timeout: 20_000,
}, async () => {
  provider.instead = (_, response) => {
    const headers = { ":exception-type": "validationException", ":message-type": "exception" };
    response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" });
    const start = Buffer.concat(streamOf("bedrock", true).slice(0, 3));
    response.end(Buffer.concat([start, binaryMessage(headers, `{"message":"${KEY} is no key"}`)]));
  };
  try {
    const body = { messages: [{ role: "user", content: [{ text: "Hi" }] }] };
    const response = await post(`${url}/model/m/converse-stream`, body);
    assert.equal(response.headers.get("content-type"), "application/vnd.amazon.eventstream");
    const { text, error } = await wholeOf(response.body, "bedrock");
    assert.equal(error.message, "[hidden] is no key");
    assert.ok(text.length > 0);
  } finally {
    provider.instead = undefined;
  }
});

const invoked = JSON.stringify({
  anthropic_version: "bedrock-2023-05-31",
  max_tokens: 100,
  messages: [{ role: "user", content: "Hi" }],
});

async function invoking(dialect, run) {
  const endpoint = await gatewayTo({ dialect, baseUrl: `${provider.url}/${dialect}`, key: KEY });
  const client = new BedrockRuntimeClient({
    ...{ endpoint, region: "us-east-1", token: { token: "none" }, maxAttempts: 1 },
    authSchemePreference: ["httpBearerAuth"],
    // the default one speaks HTTP/2, which the server does not
    requestHandler: new NodeHttpHandler(),
  });
  provider.requests.length = 0;
  try {
    return await run(client);
  } finally {
    client.destroy();
  }
}

const jsonOf = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

for (const dialect of ["openai", "anthropic", "bedrock"]) {
  test(`Amazon's client invokes Claude by way of ${dialect}`, { timeout: 20_000 }, async () => {
    const { whole, events } = await invoking(dialect, async (client) => {
      const input = { modelId: "us.anthropic.claude-x:0", body: invoked, contentType: "application/json" };
      const whole = jsonOf((await client.send(new InvokeModelCommand(input))).body);
      const { body } = await client.send(new InvokeModelWithResponseStreamCommand(input));
      const events = [];
      for await (const { chunk } of body) events.push(jsonOf(chunk.bytes));
      return { whole, events };
    });
    assert.deepEqual([whole.content[0].text, whole.stop_reason], [texts[0], "tool_use"]);
    const streamed = events.filter(({ delta }) => delta?.type === "text_delta").map(({ delta }) => delta.text);
    assert.deepEqual([streamed.join(""), events.at(-1).type], [texts[0], "message_stop"]);
    for (const { body } of provider.requests) assert.ok(!("anthropic_version" in body), JSON.stringify(body));
    assert.deepEqual(
      provider.requests.map(({ path, body }) => decodeURIComponent(body.model ?? path.split("/")[1])),
      ["us.anthropic.claude-x:0", "us.anthropic.claude-x:0"],
    );
  });
}

test("an error within a stream that Amazon's client invoked is an exception", { timeout: 20_000 }, async () => {
  provider.instead = (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(
      'data: {"error": {"message": "Slow down", "type": "rate_limit_error", "code": "rate_limit_exceeded"}}\n\n',
    );
  };
  try {
    await invoking("openai", async (client) => {
      const input = { modelId: "m", body: invoked, contentType: "application/json" };
      const read = async () => {
        const { body } = await client.send(new InvokeModelWithResponseStreamCommand(input));
        for await (const event of body) assert.ok(event);
      };
      await assert.rejects(read, { name: "ThrottlingException", message: "Slow down" });
    });
  } finally {
    provider.instead = undefined;
  }
});

test("an error of an upstream is one of AWS for Amazon's client", { timeout: 20_000 }, async () => {
  provider.instead = (_, response) => {
    response.writeHead(429, { "content-type": "application/json" });
    response.end('{"error": {"message": "Slow down", "type": "rate_limit_error", "code": "rate_limit_exceeded"}}');
  };
  try {
    await invoking("openai", async (client) => {
      const input = { modelId: "m", body: invoked, contentType: "application/json" };
      const expected = { name: "ThrottlingException", message: "Slow down" };
      await assert.rejects(client.send(new InvokeModelCommand(input)), expected);
    });
  } finally {
    provider.instead = undefined;
  }
});
