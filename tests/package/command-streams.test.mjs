// The command with streams, and with inputs of another format than the flags state.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { binaryFrames } from "./support/binary-frames.mjs";
import { toolwire } from "./support/command.mjs";
import { esm, folder } from "./support/package.mjs";

const { convertStream } = await import(esm);
const project = mkdtempSync(join(tmpdir(), "toolwire-command-"));
after(() => rmSync(project, { recursive: true, force: true }));

const sse = (events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const chunk = (delta, finish_reason = null) => ({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason }] });
const openai = `${sse([chunk({ role: "assistant", content: "Hel" }), chunk({ content: "lo" }, "stop")])}data: [DONE]\n\n`;
const message = { id: "m", type: "message", role: "assistant", model: "m", content: [] };
const anthropic = sse([
  { type: "message_start", message },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
  { type: "message_delta", delta: { stop_reason: "end_turn" } },
  { type: "message_stop" },
]);
const gemini = { candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }] };
const ollama = { model: "m", message: { role: "assistant", content: "Hi" }, done: true, done_reason: "stop" };
const streams = {
  openai,
  anthropic,
  gemini: sse([gemini]),
  vertexai: JSON.stringify([gemini], undefined, 2),
  ollama: `${JSON.stringify(ollama)}\n`,
  "openai-responses": sse([
    { type: "response.created", response: { id: "r", model: "m", status: "in_progress", output: [] } },
    { type: "response.completed", response: { id: "r", model: "m", status: "completed", output: [] } },
  ]),
  canonical: sse([
    { type: "start", id: "c" },
    { type: "textDelta", block: 0, text: "Hi" },
    { type: "finish", finishReason: "stop" },
  ]),
};

function expected(text, options) {
  const converter = convertStream(options);
  const bytes = [converter.push(new TextEncoder().encode(text)).slice(), converter.finish().slice()];
  return Buffer.concat(bytes).toString();
}

for (const [from, input] of Object.entries(streams)) {
  test(`a stream of ${from}, named and recognised`, () => {
    const to = from === "openai" ? "anthropic" : "openai";
    const stdout = expected(input, { from, to });
    assert.match(stdout, /Hi|Hel|\[DONE\]/);
    const args = ["convert", "--kind", "stream", "--quiet", "--to", to];
    assert.deepEqual(toolwire([...args, "--from", from], { input }), { status: 0, stdout, stderr: "" });
    assert.deepEqual(toolwire(args, { input }), { status: 0, stdout, stderr: "" });
  });
}

test("AWS's binary messages are read, named and recognised", () => {
  const lines = [
    { messageStart: { role: "assistant" } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "Hi" } } },
    { contentBlockStop: { contentBlockIndex: 0 } },
    { messageStop: { stopReason: "end_turn" } },
  ].map((event) => `${JSON.stringify(event)}\n`);
  const stdout = expected(lines.join(""), { from: "bedrock", to: "anthropic" });
  const input = binaryFrames(lines.join(""));
  const args = ["convert", "--quiet", "--to", "anthropic"];
  for (const more of [[], ["--kind", "stream"], ["--from", "bedrock"]]) {
    assert.deepEqual(toolwire([...args, ...more], { input }), { status: 0, stdout, stderr: "" });
  }
});

test("a stream from a file, with warnings", () => {
  const file = join(project, "stream.txt");
  writeFileSync(file, openai.slice(0, openai.lastIndexOf('data: {"id"')));
  const { status, stdout, stderr } = toolwire(["convert", "--kind", "stream", "--to", "anthropic", file]);
  assert.equal(status, 0);
  assert.match(stdout, /event: error/);
  assert.match(stderr, /^warning: stream_truncated at "\/0" \(lossy\): .*\n$/);
});

test("events leave as they come", async () => {
  const args = [join(folder, "dist/command.js"), "convert", "--kind", "stream", "--to", "gemini"];
  const child = spawn(process.execPath, args);
  child.stdin.write(openai.slice(0, openai.indexOf("\n\n") + 2));
  const first = await new Promise((done) => child.stdout.once("data", done));
  assert.match(String(first), /"text":"Hel"/);
  child.stdin.end();
  await new Promise((done) => child.on("close", done));
});

test("--lenient-streams supplies missing events", () => {
  const input = sse([{ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } }]);
  const args = ["convert", "--kind", "stream", "--to", "openai"];
  const strict = toolwire(args, { input });
  assert.equal(strict.status, 1);
  assert.match(strict.stderr, /^error: invalid_stream at /);
  const lenient = toolwire([...args, "--lenient-streams"], { input });
  assert.equal(lenient.status, 0);
  assert.match(lenient.stderr, /^warning: event_supplied at "\/0": message_start is missing/m);
  assert.match(lenient.stdout, /"content":"Hi"/);
});

test("--include-usage gives OpenAI's chunk with the usage", () => {
  const usage = { type: "usage", usage: { input: 1, output: 2, total: 3 } };
  const input = sse([{ type: "start" }, usage, { type: "finish", finishReason: "stop" }]);
  const args = ["convert", "--kind", "stream", "--from", "canonical", "--to", "openai"];
  assert.doesNotMatch(toolwire(args, { input }).stdout, /prompt_tokens/);
  assert.match(toolwire([...args, "--include-usage"], { input }).stdout, /"prompt_tokens":1/);
});

test("--max-event-bytes limits an event", () => {
  const args = ["convert", "--kind", "stream", "--to", "anthropic", "--max-event-bytes", "20"];
  assert.match(toolwire(args, { input: openai }).stderr, /^error: too_large at /);
});

const request = JSON.stringify({ messages: [{ role: "user", content: "Hi" }], max_completion_tokens: 1 });
const response = JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", content: "" } }] });

for (const [what, args, input, status, stderr] of [
  ["a response", ["--from", "anthropic"], response, 4, /^error: this looks like openai \(response\), not anthropic\n$/],
  [
    "a response of a known kind",
    ["--from", "anthropic", "--kind", "response"],
    response,
    1,
    /^error: missing_field at "\/content": .*\(this looks like an OpenAI response\)\n$/,
  ],
  ["a request", ["--from", "gemini"], request, 4, /^error: this looks like openai \(request\), not gemini\n$/],
  ["a stream", ["--from", "anthropic", "--kind", "stream"], openai, 1, /looks like openai|Chat Completions/],
  [
    "no stream",
    ["--kind", "stream"],
    "nothing",
    4,
    /^error: the format of the stream is not recognised\. Give --from\n$/,
  ],
]) {
  test(`of another format: ${what}`, () => {
    const outcome = toolwire(["convert", "--to", "canonical", "-q", ...args], { input });
    assert.equal(outcome.status, status, outcome.stderr);
    assert.match(outcome.stderr, stderr);
    assert.equal(outcome.stdout, "");
  });
}

test("a file that cannot be read", () => {
  for (const kind of [[], ["--kind", "stream"]]) {
    const args = ["convert", "--to", "openai", "--from", "gemini", ...kind];
    const missing = toolwire([...args, "no-such-file.json"], { cwd: project });
    assert.deepEqual(missing, { status: 2, stdout: "", stderr: "error: no such file: no-such-file.json\n" });
    const directory = toolwire([...args, "."], { cwd: project });
    assert.deepEqual(directory, { status: 2, stdout: "", stderr: "error: . is a directory, not a file\n" });
  }
});
