// The command recognises what it is given: streams, lines of JSON, batches; and what was meant by unknown names.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { errorCodes, warningCodes } from "../../scripts/codes/lists.mjs";
import { toolwire } from "./support/command.mjs";
import { folder } from "./support/package.mjs";

const asked = (text, more) => ({
  model: "m",
  max_completion_tokens: 5,
  messages: [{ role: "user", content: text }],
  ...more,
});
const lines = (...values) => `${values.map((value) => JSON.stringify(value)).join("\n")}\n`;
const item = (id, body) => ({ custom_id: id, method: "POST", url: "/v1/chat/completions", body });
const chunk = {
  id: "c",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }],
};

/** Runs `convert` without warnings, and returns its output. */
function convert(args, input) {
  const { status, stdout, stderr } = toolwire(["convert", "-q", ...args], { input });
  assert.equal(status, 0, stderr);
  return stdout;
}

test("a stream is recognised, and converted while it arrives", async () => {
  const child = spawn(process.execPath, [join(folder, "dist/command.js"), "convert", "--to", "canonical"]);
  const received = new Promise((resolve) => child.stdout.on("data", (data) => /textDelta/.test(data) && resolve()));
  child.stdin.write(`data: ${JSON.stringify(chunk)}\n\n`);
  // the input is still open
  await received;
  child.stdin.end("data: [DONE]\n\n");
  assert.equal(await new Promise((ended) => child.on("close", ended)), 0);
});

test("a stream in small pieces, after blank lines, with other fields first", () => {
  for (const start of ["\n\n", "event: message\n", ": comment\n", "\uFEFF"])
    assert.match(convert(["--to", "canonical"], `${start}data: ${JSON.stringify(chunk)}\n\n`), /"textDelta"/, start);
});

test("lines of Ollama are a stream", () => {
  const message = (content, more) => ({ model: "q", message: { role: "assistant", content }, done: false, ...more });
  const input = lines(message("Hi"), message("", { done: true, done_reason: "stop" }));
  assert.match(convert(["--to", "openai"], input), /"content":"Hi"[\s\S]*data: \[DONE\]/);
});

test("lines of JSON are bodies; warnings and errors name the line", () => {
  const input = `${lines(asked("a", { seed: 1 }))}\n${lines(asked("b"))}`;
  const { status, stdout, stderr } = toolwire(["convert", "--from", "openai", "--to", "anthropic"], { input });
  assert.equal(status, 0, stderr);
  const bodies = stdout.trim().split("\n").map(JSON.parse);
  assert.deepEqual(
    bodies.map(({ messages }) => messages[0].content),
    ["a", "b"],
  );
  assert.equal(stderr, 'line 1: warning: setting_dropped at "/seed" (lossy): Anthropic has no `seed`\n');
  const invalid = toolwire(["convert", "--from", "openai", "--kind", "request", "--to", "anthropic"], {
    input: lines(asked("a"), { messages: 7 }),
  });
  assert.equal(invalid.status, 1);
  assert.match(invalid.stderr, /line 2: /);
});

test("batches of requests: OpenAI, Anthropic, Google", () => {
  const openai = lines(item("r1", asked("a")), item("r2", asked("b")));
  const anthropic = convert(["--to", "anthropic"], openai);
  assert.deepEqual(
    JSON.parse(anthropic).requests.map(({ custom_id, params }) => [custom_id, params.messages[0].content]),
    [
      ["r1", "a"],
      ["r2", "b"],
    ],
  );
  const gemini = convert(["--to", "gemini"], anthropic).trim().split("\n").map(JSON.parse);
  assert.deepEqual(
    gemini.map(({ key, request }) => [key, request.contents[0].parts[0].text]),
    [
      ["r1", "a"],
      ["r2", "b"],
    ],
  );
  const back = convert(["--to", "openai"], anthropic).trim().split("\n").map(JSON.parse);
  assert.deepEqual(
    back.map(({ custom_id, url }) => [custom_id, url]),
    [
      ["r1", "/v1/chat/completions"],
      ["r2", "/v1/chat/completions"],
    ],
  );
});

test("a batch of responses, and digits that JavaScript would lose", () => {
  const body =
    '{"object":"chat.completion","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\\"n\\":12345678901234567890}"}}]}}]}';
  const one = `{"id":"b","custom_id":"r1","response":{"status_code":200,"body":${body}},"error":null}`;
  for (const input of [one, `${one}\n${one}`]) {
    const [first] = convert(["--to", "anthropic"], input).split("\n");
    assert.match(
      first,
      /^\{"custom_id":"r1","result":\{"type":"succeeded","message":\{.*"input":\{"n":12345678901234567890\}/,
    );
  }
  const nested = `{"requests":[{"custom_id":"r","params":{"max_tokens":5,"messages":[{"role":"user","content":"],[{\\"},"}],"metadata":{"n":[1,[2]]}}}]}`;
  assert.equal(JSON.parse(convert(["--to", "openai"], nested)).body.messages[0].content, '],[{"},');
});

for (const [args, meant] of [
  [["convert", "--to", "claude"], "--to anthropic"],
  [["convert", "--to", "claude-sonnet-5-5"], "--to anthropic"],
  [["convert", "--to", "google"], "--to gemini"],
  [["convert", "--to", "opnai"], "--to openai"],
  [["convert", "--to", "groq"], "--to openai --server groq"],
  [["convert", "--to", "openai", "--from", "responses"], "--from openai-responses"],
  [["convert", "--to", "openai", "--kind", "reponse"], "--kind response"],
  [["convert", "--form", "openai"], "--from"],
  [["conver"], "convert"],
]) {
  test(`${args.join(" ")}: did you mean ${meant}?`, () => {
    const { status, stderr } = toolwire(args);
    assert.equal(status, 2);
    assert.ok(stderr.endsWith(`. Did you mean ${meant}? See toolwire --help\n`), stderr);
  });
}

test("a name that is like no other has no suggestion", () => {
  assert.match(toolwire(["convert", "--to", "banana"]).stderr, /not banana\. See toolwire --help\n$/);
});

test("explain describes every code that a warning or an error can have", () => {
  const codes = toolwire(["explain"]).stdout.trim().split("\n");
  assert.deepEqual([...codes].sort(), [...warningCodes(), ...errorCodes()].map(({ code }) => code).sort());
  const { stdout } = toolwire(["explain", "setting_dropped"]);
  assert.match(stdout, /^setting_dropped: Level: loss\. A setting of the request that .*\n$/);
  assert.match(toolwire(["explain", "seting_dropped"]).stderr, /Did you mean setting_dropped\?\n$/);
});
