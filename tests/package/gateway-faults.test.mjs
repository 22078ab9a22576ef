// bench/gateway/faults.mjs with few requests, and examples/gateway/opentelemetry.js.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { SpanStatusCode } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { runFaults } from "../../bench/gateway/faults.mjs";
import { installExample } from "../toolkit/support/example.mjs";
import { gatewayTo, post, stopGateways } from "./support/gateway-server.mjs";
import { startUpstream } from "./support/gateway-upstream.mjs";

test("an upstream that resets, hangs and breaks off, and clients that leave", { timeout: 120_000 }, async () => {
  const { counts, problems, stillOpen } = await runFaults(500, 15_000);
  assert.deepEqual(problems, []);
  assert.equal(stillOpen, 0);
  for (const [name, count] of Object.entries(counts)) assert.ok(count > 2, `${name}: ${count}`);
});

test("spans of OpenTelemetry, by the conventions", async (t) => {
  const exporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer("test");
  const folder = installExample(t, "gateway", ["@opentelemetry"]);
  const { tracedExchanges } = await import(pathToFileURL(`${folder}/opentelemetry.js`).href);
  const provider = await startUpstream();
  t.after(stopGateways);
  t.after(() => provider.close());
  const upstream = { dialect: "anthropic", baseUrl: `${provider.url}/anthropic`, models: "claude-opus-5", retries: 1 };
  const url = await gatewayTo(upstream, { hooks: { onExchange: tracedExchanges(tracer) } });
  const ask = async (stream) => {
    const response = await post(`${url}/v1/chat/completions`, {
      model: "m",
      stream,
      messages: [{ role: "user", content: "Hi" }],
    });
    await response.text();
  };
  provider.instead = (_, response) => {
    provider.instead = undefined;
    response.writeHead(503, { "retry-after-ms": "1" }).end("{}");
  };
  await ask(false);
  await ask(true);
  const spans = exporter.getFinishedSpans();
  assert.deepEqual(
    spans.map(({ name, status, attributes }) => [name, status.code, attributes["http.response.status_code"]]),
    [
      ["chat claude-opus-5", SpanStatusCode.ERROR, 503],
      ["chat claude-opus-5", SpanStatusCode.UNSET, 200],
      ["chat claude-opus-5", SpanStatusCode.UNSET, 200],
    ],
  );
  const known = new Set(Object.values(conventions).filter((value) => typeof value === "string"));
  for (const { attributes } of spans) {
    assert.equal(attributes["gen_ai.provider.name"], "anthropic");
    const others = Object.keys(attributes).filter((name) => !known.has(name) && !name.startsWith("toolwire."));
    assert.deepEqual(others, []);
  }
  assert.equal(spans[2].attributes["gen_ai.usage.output_tokens"], 4);
});
