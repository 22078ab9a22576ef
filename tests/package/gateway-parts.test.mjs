// What the gateway loads: its own file for the requests that are common, and `more` for the others.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const dist = fileURLToPath(new URL("../../pkg/dist/", import.meta.url));
/** In bytes, with gzip, beyond `toolwire`. */
const most = 14_500;

for (const name of ["index.js", "node.js", "workerd.js", "edge-light.js", "index.cjs"]) {
  test(`gateway/${name} has at most ${most} bytes with gzip`, () => {
    const { length } = gzipSync(readFileSync(join(dist, "gateway", name)), { level: 9 });
    assert.ok(length <= most, `${length} bytes`);
  });
}

let place;
let createGateway;
before(async () => {
  place = mkdtempSync(join(tmpdir(), "toolwire-gateway-"));
  mkdirSync(join(place, "gateway"));
  writeFileSync(join(place, "package.json"), '{"type":"module"}');
  writeFileSync(join(place, "node.js"), `export * from ${JSON.stringify(pathToFileURL(join(dist, "node.js")))};\n`);
  copyFileSync(join(dist, "gateway/node.js"), join(place, "gateway/node.js"));
  ({ createGateway } = await import(pathToFileURL(join(place, "gateway/node.js"))));
});
after(() => rmSync(place, { recursive: true, force: true }));

const message = {
  id: "m",
  type: "message",
  role: "assistant",
  model: "m",
  stop_reason: "end_turn",
  stop_sequence: null,
};
const usage = { input_tokens: 1, output_tokens: 1 };
const whole = { ...message, content: [{ type: "text", text: "Hi." }], usage };
const streamed = [
  { type: "message_start", message: { ...message, stop_reason: null, content: [], usage } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
  { type: "message_stop" },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
const messages = [{ role: "user", content: "Hi" }];
const parameters = { type: "object", properties: { city: { type: "string" } } };
const tools = [{ type: "function", function: { name: "get_weather", parameters } }];
const requests = [
  ["/v1/chat/completions", { model: "m", messages, tools }],
  ["/v1/chat/completions", { model: "m", messages, stream: true }],
  ["/v1/responses", { model: "m", input: "Hi", store: false }],
  ["/v1/responses", { model: "m", input: "Hi", store: false, stream: true }],
  ["/v1/messages", { model: "m", max_tokens: 9, messages }],
  ["/v1/messages", { model: "m", max_tokens: 9, messages, stream: true }],
  ["/v1beta/models/m:generateContent", { contents }],
  ["/v1beta/models/m:streamGenerateContent?alt=sse", { contents }],
  ["/v2/chat", { model: "m", messages }],
  ["/api/chat", { model: "m", messages, stream: true }],
];

/** A gateway without `more`, before an upstream of Anthropic's. */
function gatewayWith(respond) {
  const upstreams = { main: { dialect: "anthropic", baseUrl: "http://upstream", key: "the-key" } };
  const routes = [{ upstream: "main", when: { model: "m", images: false } }];
  return createGateway(
    { upstreams, routes, open: true, warnings: "ignore" },
    { fetch: async (request) => respond(await request.json()) },
  );
}

const responds = ({ stream }) =>
  stream ? new Response(streamed.join(""), { headers: { "content-type": "text/event-stream" } }) : Response.json(whole);
const asked = (gateway, path, body) =>
  gateway(
    new Request(`http://localhost${path}`, {
      method: body ? "POST" : "GET",
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );

for (const [path, body] of requests) {
  test(`${path}${body.stream ? ", streamed" : ""} does without more`, async () => {
    const response = await asked(gatewayWith(responds), path, body);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /Hi\./);
  });
}

test("an error of the upstream does without more", async () => {
  const error = { type: "error", error: { type: "invalid_request_error", message: "No." } };
  const gateway = gatewayWith(() => Response.json(error, { status: 400 }));
  const response = await asked(gateway, "/v1/chat/completions", { model: "m", messages });
  assert.equal(response.status, 400);
  assert.equal((await response.json()).error.message, "No.");
});

test("a list of models needs more, which the package has for each way to load the gateway", async (t) => {
  t.mock.method(console, "error", () => {});
  assert.equal((await asked(gatewayWith(responds), "/v1/models")).status, 500);
  const ways = [
    await import("../../pkg/dist/gateway/node.js"),
    await import("../../pkg/dist/gateway/index.js"),
    createRequire(import.meta.url)("../../pkg/dist/gateway/index.cjs"),
  ];
  for (const { createGateway } of ways) {
    const gateway = createGateway({
      upstreams: { main: { dialect: "anthropic", key: "the-key", models: "m" } },
      open: true,
    });
    const { data } = await (await asked(gateway, "/v1/models")).json();
    assert.deepEqual(
      data.map(({ id }) => id),
      ["m"],
    );
  }
});

test("the engine of simulated tools comes with the simulation: the gateway does not import it", () => {
  for (const file of ["node.js", "more/node.js"]) {
    const code = readFileSync(join(dist, "gateway", file), "utf8");
    const imported = [...code.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map(([, path]) => path);
    assert.ok(imported.length > 0);
    assert.deepEqual(
      [...new Set(imported)].sort(),
      file === "node.js" ? ["../node.js", "./more/node.js"] : ["../../node.js"],
    );
  }
});

test("the Dockerfile of the gateway: one stage of a fixed version, without root, started without a shell", () => {
  const text = readFileSync(new URL("../../examples/gateway/Dockerfile", import.meta.url), "utf8");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const known = /^(FROM [\w./-]+:\d[\w.-]*|WORKDIR \/\w+|RUN \S.*|USER \w+|EXPOSE \d+|CMD \[.*\])$/;
  assert.deepEqual(
    lines.filter((line) => !known.test(line)),
    [],
  );
  const [from, last] = [lines[0], lines.at(-1)];
  assert.match(from, /^FROM /);
  assert.ok(lines.includes("USER node"));
  const [command, name, ...args] = JSON.parse(last.replace("CMD ", ""));
  assert.deepEqual([command, name, args[0]], ["npx", "toolwire", "gateway"]);
});
