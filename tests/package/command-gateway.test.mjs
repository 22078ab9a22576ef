// `toolwire gateway`: what it prints, serves, records and refuses.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { toolwire } from "./support/command.mjs";
import { post } from "./support/gateway-server.mjs";
import { startUpstream, streamOf } from "./support/gateway-upstream.mjs";
import { folder } from "./support/package.mjs";

const KEY = "sk-secret-of-the-command";
const place = mkdtempSync(join(tmpdir(), "toolwire-gateway-"));
const running = [];
let provider;

before(async () => {
  provider = await startUpstream();
});
after(() => {
  for (const child of running) child.kill("SIGKILL");
  provider.close();
  rmSync(place, { recursive: true, force: true });
});

/** Starts the command. Resolves once its first line is there: `{ url, child, output, ended }`. */
async function start(args) {
  const env = { ...process.env, GEMINI_API_KEY: KEY, NO_COLOR: "1" };
  const command = [join(folder, "dist/command.js"), "gateway", "--port", "0", ...args];
  const child = spawn(process.execPath, command, { env });
  running.push(child);
  const output = { stdout: "", stderr: "" };
  const ended = new Promise((resolve) => child.on("close", (code) => resolve(code)));
  const first = new Promise((resolve) => {
    child.stdout.on("data", (piece) => {
      output.stdout += piece;
      if (output.stdout.includes("\n")) resolve(output.stdout.split("\n")[0]);
    });
  });
  child.stderr.on("data", (piece) => {
    output.stderr += piece;
  });
  const url = await Promise.race([first, ended.then(() => Promise.reject(new Error(output.stderr)))]);
  return { url, child, output, ended };
}

const toGemini = () => ["--to", "gemini", "--base-url", `${provider.url}/gemini`, "--model", "gemini-3-pro"];
const asked = { model: "claude-opus-5", max_tokens: 50, messages: [{ role: "user", content: "Hi" }] };

async function stop({ child, ended }) {
  child.kill("SIGINT");
  assert.equal(await ended, 0);
}

/** Until the condition holds. */
async function eventually(condition) {
  for (let i = 0; i < 200 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(condition());
}

test("the address, what to set, and one line for each request", async () => {
  const gateway = await start(toGemini());
  assert.match(gateway.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  const response = await post(`${gateway.url}/v1/messages`, { ...asked, temperature: 0.5, container: "c" });
  assert.equal(response.status, 200);
  const { path, headers } = provider.requests.at(-1);
  assert.equal(path, "v1beta/models/gemini-3-pro:generateContent");
  assert.equal(headers["x-goog-api-key"], KEY);
  await eventually(() => gateway.output.stdout.includes("200"));
  const { stdout } = gateway.output;
  assert.ok(stdout.includes(`ANTHROPIC_BASE_URL=${gateway.url} `));
  assert.ok(stdout.includes(`OPENAI_BASE_URL=${gateway.url}/v1 `));
  const line = stdout.trimEnd().split("\n").at(-1);
  assert.match(
    line,
    /^\d\d:\d\d:\d\d {2}anthropic → main gemini {2}claude-opus-5 → gemini-3-pro {2}200 {2}first [\d.]+ s, total [\d.]+ s {2}3 in, 4 out/,
  );
  assert.match(line, /lost: .*\/container/);
  await stop(gateway);
});

test("--log json prints JSON lines after the address", async () => {
  const gateway = await start([...toGemini(), "--log", "json"]);
  await (await post(`${gateway.url}/v1/messages`, { ...asked, stream: true })).text();
  await post(`${gateway.url}/v1/messages`, { ...asked, messages: 7 });
  await eventually(() => gateway.output.stdout.split("\n").length >= 4);
  const [, first, second] = gateway.output.stdout.split("\n");
  const { status, from, to, upstream, model, upstreamModel, attempts, usage, firstByteMs } = JSON.parse(first);
  assert.deepEqual(
    [status, from, to, upstream, model, upstreamModel, attempts, usage],
    [200, "anthropic", "gemini", "main", "claude-opus-5", "gemini-3-pro", 1, { input: 3, output: 4 }],
  );
  assert.ok(firstByteMs >= 0);
  assert.equal(JSON.parse(second).status, 400);
  assert.match(JSON.parse(second).error, /\/messages/);
  await stop(gateway);
});

test("--show and --record: the four bodies, which the command converts, without the key", async () => {
  const bodies = join(place, "bodies");
  const gateway = await start([...toGemini(), "--show", "--record", bodies]);
  await (await post(`${gateway.url}/v1/messages`, { ...asked, metadata: { user_id: KEY } })).text();
  await (await post(`${gateway.url}/v1/messages`, { ...asked, stream: true })).text();
  await eventually(() => readdirSync(bodies).length === 8);
  const names = readdirSync(bodies).sort();
  assert.deepEqual(
    names.map((name) => name.replace(/^\d{8}T\d{6}-/, "")),
    [
      "00001-1-received.anthropic.request.json",
      "00001-2-sent-1.gemini.request.json",
      "00001-3-returned-1.gemini.response.json",
      "00001-4-delivered.anthropic.response.json",
      "00002-1-received.anthropic.request.json",
      "00002-2-sent-1.gemini.request.json",
      "00002-3-returned-1.gemini.stream.txt",
      "00002-4-delivered.anthropic.stream.txt",
    ],
  );
  for (const name of names) {
    const [, dialect, kind] = /\.(\w+)\.(\w+)\.\w+$/.exec(name);
    const args = ["convert", "--from", dialect, "--kind", kind, "--to", "canonical", "-q", join(bodies, name)];
    assert.equal(toolwire(args).status, 0, name);
    assert.ok(!readFileSync(join(bodies, name), "utf8").includes(KEY), name);
  }
  for (const stage of ["received: request, anthropic", "sent: request, gemini", "returned: response, gemini 200"])
    assert.ok(gateway.output.stdout.includes(`── 1 ${stage}`), stage);
  assert.ok(!gateway.output.stdout.includes(KEY));
  await stop(gateway);
});

test("Ctrl-C lets a stream finish; a second one ends it", async () => {
  const pieces = streamOf("gemini", true).filter((piece) => piece.length > 0);
  for (const presses of [1, 2]) {
    const gateway = await start(toGemini());
    let finish;
    const begun = new Promise((resolve) => {
      provider.instead = (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(pieces[0]);
        finish = () => response.end(Buffer.concat(pieces.slice(1)));
        resolve();
      };
    });
    const response = await post(`${gateway.url}/v1/messages`, { ...asked, stream: true });
    await begun;
    provider.instead = undefined;
    const text = response.text().catch(String);
    gateway.child.kill("SIGINT");
    await eventually(() => gateway.output.stderr.includes("finishing"));
    await assert.rejects(post(`${gateway.url}/v1/messages`, asked));
    if (presses === 2) gateway.child.kill("SIGINT");
    else finish();
    assert.equal(await gateway.ended, 0);
    assert.equal(/message_stop/.test(await text), presses === 1);
  }
});

test("--config: a file with routes and the name of a simulation; --print-config", async () => {
  const file = join(place, "gateway.json");
  const config = {
    upstreams: {
      small: { dialect: "ollama", baseUrl: `${provider.url}/ollama`, models: "qwen3", simulate: "hermes_json" },
      large: { dialect: "openai", baseUrl: `${provider.url}/openai`, models: { "claude-*": "gpt-5" } },
    },
    routes: [{ upstream: "small", when: { model: "haiku-*" } }, { upstream: "large" }],
  };
  writeFileSync(file, JSON.stringify(config));
  const printed = toolwire(["gateway", "--config", file, "--print-config"]);
  assert.deepEqual(JSON.parse(printed.stdout), { ...config, open: "loopback" });
  const gateway = await start(["--config", file]);
  const tools = [{ name: "f", input_schema: { type: "object" } }];
  await post(`${gateway.url}/v1/messages`, { ...asked, model: "haiku-5", tools });
  const small = provider.requests.at(-1);
  assert.deepEqual([small.dialect, small.body.model, small.body.tools], ["ollama", "qwen3", undefined]);
  assert.match(small.body.messages[0].content, /<tool_call>/);
  await post(`${gateway.url}/v1/messages`, { ...asked, tools });
  const large = provider.requests.at(-1);
  assert.deepEqual([large.dialect, large.body.model, large.body.tools.length], ["openai", "gpt-5", 1]);
  await stop(gateway);
});

test("mistakes have a line that states them", () => {
  const bad = join(place, "bad.json");
  writeFileSync(bad, JSON.stringify({ upstreams: { a: { dialect: "opnai", modles: 3 } } }));
  writeFileSync(join(place, "no.json"), "{");
  const mistakes = [
    [[], /--to is missing/],
    [["--model", "m"], /--model is for --to/],
    [["--to", "openai", "--server", "groq"], /set GROQ_API_KEY/],
    [["--to", "openai", "--server", "grok"], /did you mean "groq"/],
    [["--to", "openai", "--key-env", "NOT_SET_HERE"], /NOT_SET_HERE is not set/],
    [["--to", "ollama", "--host", "0.0.0.0"], /reachable by others/],
    [["--to", "ollama", "--simulate-tools", "hermes_jso"], /did you mean `hermes_json`/],
    [["--to", "ollama", "--port", "x"], /must be a number/],
    [["--to", "ollama", "file.json"], /takes no file/],
    [["--config", bad], /\/upstreams\/a\/dialect.*"openai"/],
    [["--config", join(place, "no.json")], /is not JSON/],
    [["--config", join(place, "none.json")], /no such file/],
  ];
  for (const [args, message] of mistakes) {
    const { status, stdout, stderr } = toolwire(["gateway", ...args]);
    assert.deepEqual([status, stdout], [2, ""], args.join(" "));
    assert.match(stderr, message);
    assert.equal(stderr.trimEnd().split("\n").length, 1);
  }
});
