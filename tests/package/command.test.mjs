// The package's command: input, output, and exit codes.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { dialects } from "../../build/generated/facts.js";
import { converted, toolwire } from "./support/command.mjs";
import { esm, folder } from "./support/package.mjs";

const api = await import(esm);
let project;
before(() => {
  project = mkdtempSync(join(tmpdir(), "toolwire-command-"));
});
after(() => rmSync(project, { recursive: true, force: true }));

const definition = { name: "get_weather", description: "Weather", parameters: { type: "object", properties: {} } };
const openAI = {
  model: "m",
  messages: [{ role: "user", content: "Hi" }],
  tools: [{ type: "function", function: definition }],
};
const openAIText = JSON.stringify(openAI);
const plain = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });

test("a request from a file, from standard input, and from -", () => {
  const file = join(project, "request.json");
  writeFileSync(file, openAIText);
  const args = ["convert", "--from", "openai", "--to", "gemini"];
  const expected = `${api.convertRequest(openAIText, { from: "openai", to: "gemini" })}\n`;
  for (const outcome of [
    toolwire([...args, file]),
    toolwire([...args, "request.json"], { cwd: project }),
    toolwire(args, { input: openAIText }),
    toolwire([...args, "-"], { input: openAIText }),
  ]) {
    assert.deepEqual(outcome, { status: 0, stdout: expected, stderr: "" });
  }
});

test("a request whose format is recognised", () => {
  assert.deepEqual(converted(["--to", "gemini"], openAI), api.convertRequest(openAI, { from: "openai", to: "gemini" }));
});

test("a response, named and recognised", () => {
  const body = {
    id: "r",
    type: "message",
    role: "assistant",
    model: "m",
    content: [{ type: "text", text: "Hi" }],
    stop_reason: "end_turn",
  };
  const expected = api.convertResponse(body, { from: "anthropic", to: "canonical" });
  assert.deepEqual(converted(["--to", "canonical"], body), expected);
  assert.deepEqual(converted(["--to", "canonical", "--from", "anthropic"], body), expected);
  assert.deepEqual(converted(["--to", "canonical", "--kind", "response", "--from", "anthropic"], body), expected);
});

test("an error, where the package converts errors", () => {
  const body = { type: "error", error: { type: "overloaded_error", message: "busy" } };
  const outcome = toolwire(["convert", "--to", "openai", "--status", "529"], { input: JSON.stringify(body) });
  if (api.convertError === undefined) {
    assert.deepEqual([outcome.status, outcome.stdout], [1, ""]);
    assert.match(outcome.stderr, /does not convert errors/);
  } else {
    const expected = api.convertError(body, { from: "anthropic", to: "openai", status: 529 });
    assert.deepEqual(JSON.parse(outcome.stdout), expected);
  }
});

test("definitions of tools, alone, in an object, and in a whole request", () => {
  const anthropic = [{ name: "get_weather", description: "Weather", input_schema: definition.parameters }];
  const gemini = [
    {
      functionDeclarations: [
        { name: "get_weather", description: "Weather", parametersJsonSchema: definition.parameters },
      ],
    },
  ];
  assert.deepEqual(converted(["--to", "gemini"], [definition]), gemini);
  assert.deepEqual(converted(["--to", "canonical"], gemini), [definition]);
  assert.deepEqual(converted(["--to", "anthropic", "--kind", "tools"], { tools: gemini }), anthropic);
  assert.deepEqual(converted(["--to", "anthropic", "--kind", "tools"], openAI), anthropic);
  assert.deepEqual(converted(["--to", "gemini", "--kind", "tools", "--from", "openai"], []), []);
  for (const input of [{}, { tools: {} }, null, 1, "tools"]) {
    const outcome = toolwire(["convert", "--kind", "tools", "--from", "openai", "--to", "gemini"], {
      input: JSON.stringify(input),
    });
    assert.equal(outcome.status, 1);
    assert.match(outcome.stderr, /expected an array of tools/);
  }
});

test("definitions of tools go to every format and back", () => {
  for (const format of dialects.filter((one) => one !== "universal")) {
    const there = converted(["--from", "canonical", "--to", format, "--kind", "tools"], [definition]);
    const back = converted(["--from", format, "--to", "canonical", "--kind", "tools"], there);
    // the Responses API has a default of its own
    const plain = back.map(({ strict, ...rest }) => rest);
    assert.deepEqual(plain, [definition], `${format}: ${JSON.stringify(there)}`);
  }
});

test("paths of tools refer to the input", () => {
  const tool = { ...definition, wrong: 1 };
  const line = (input) =>
    toolwire(["convert", "--kind", "tools", "--from", "canonical", "--to", "openai"], { input: JSON.stringify(input) });
  assert.match(line([tool]).stderr, /^warning: unknown_field at "\/0\/wrong" \(lossy\): .*\n$/);
  assert.match(line({ tools: [tool] }).stderr, /^warning: unknown_field at "\/tools\/0\/wrong" \(lossy\): .*\n$/);
  assert.match(line([{ name: 1 }]).stderr, /^error: invalid_type at "\/0\/name": .*\n$/);
});

test("every digit stays as it was written, indented or not", () => {
  const schema =
    '{"type":"object","properties":{"x":{"maximum":1.0,"minimum":-12345678901234567890,"enum":["a\\\\\\"","{,:["]}}}';
  const tools = `[ {"name" :"a", "parameters": ${schema} } ]`;
  const outcome = (...args) => toolwire(["convert", "--to", "anthropic", ...args], { input: tools }).stdout;
  const raw = outcome("--raw");
  assert.ok(raw.includes(schema), raw);
  assert.equal(outcome(), raw);
  const pretty = outcome("--pretty");
  const sameLayout = JSON.stringify(JSON.parse(raw), undefined, 2)
    .replace('"maximum": 1', '"maximum": 1.0')
    .replace("-12345678901234567000", "-12345678901234567890");
  assert.equal(pretty, `${sameLayout}\n`);
});

test("empty objects and arrays stay on one line", () => {
  const outcome = toolwire(["convert", "--from", "openai", "--to", "canonical", "--pretty"], {
    input: '{"messages":[]}',
  });
  assert.equal(outcome.stdout, '{\n  "messages": []\n}\n');
});

test("warnings are lines on standard error; --quiet leaves them out", () => {
  const input = JSON.stringify({ messages: [{ role: "user", content: "Hi" }], topK: 1, maxTokens: 1, "line\nend": 1 });
  const args = ["convert", "--from", "canonical", "--to", "openai"];
  const output = toolwire(args, { input });
  const warnings = [];
  api.convertRequest(input, { from: "canonical", to: "openai", onWarning: (warning) => warnings.push(warning) });
  assert.equal(warnings.length, 2);
  const lines = output.stderr.trimEnd().split("\n");
  assert.equal(lines.length, warnings.length);
  for (const { code, path, message, lossy } of warnings) {
    assert.ok(lossy);
    const line = `warning: ${code} at ${JSON.stringify(path)} (lossy): ${message}`;
    assert.ok(lines.includes(line), output.stderr);
  }
  assert.deepEqual(toolwire([...args, "--quiet"], { input }), { ...output, stderr: "" });
  assert.deepEqual(toolwire([...args, "-q"], { input }), { ...output, stderr: "" });
});

test("exit code 1: the input can't be converted", () => {
  const inputs = {
    '{"model": "m", ': /^error: invalid_json at "": .*byte 15\n$/,
    "": /^error: invalid_json/,
    "\u0000": /^error: invalid_json/,
    '{"model":"m","messages":[{"role":"user","content":7}],"max_completion_tokens":1}':
      /^error: invalid_type at "\/messages\/0\/content": /,
  };
  for (const [input, message] of Object.entries(inputs)) {
    const { status, stdout, stderr } = toolwire(["convert", "--to", "gemini"], { input });
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(stderr, message);
  }
  const noText = toolwire(["convert", "--to", "gemini"], { input: Buffer.from([0x7b, 0xff]) });
  assert.deepEqual([noText.status, noText.stdout], [1, ""]);
});

test("exit code 2: wrong use", () => {
  const wrong = [
    [[], /no command/],
    [["transmute"], /no command transmute/],
    [["convert"], /--to is missing/],
    [["convert", "--to"], /--to/],
    [["convert", "--to", "opnai"], /--to must be one of canonical, openai, .*, not opnai/],
    [["convert", "--to", "openai", "--from", "x"], /--from must be one of/],
    [
      ["convert", "--to", "openai", "--kind", "poem"],
      /--kind must be one of request, response, error, tools, stream, not poem/,
    ],
    [["convert", "--to", "openai", "--lossy", "maybe"], /--lossy must be one of allow, error, not maybe/],
    [["convert", "--to", "openai", "--max-depth", "deep"], /--max-depth must be a number, not deep/],
    [["convert", "--to", "openai", "--max-depth=-1"], /--max-depth must be a number, not -1/],
    [["convert", "--to", "openai", "--frm", "gemini"], /'--frm'/],
    [["convert", "--to", "openai", "--pretty", "--raw"], /can't be combined/],
    [["convert", "--to", "openai", "a.json", "b.json"], /only one file can be converted at a time, found also b.json/],
    [["convert", "--to", "openai", "no-such-file.json"], /no such file/],
    [["convert", "--to", "openai", "."], /\. is a directory/],
  ];
  for (const [args, message] of wrong) {
    const { status, stdout, stderr } = toolwire(args, { cwd: project, input: plain });
    assert.deepEqual([status, stdout], [2, ""], args.join(" "));
    assert.match(stderr, message);
    assert.match(stderr, /^error: [^\n]+\n$/);
  }
});

test("exit code 3: refused under --lossy error", () => {
  const input = JSON.stringify({ messages: [{ role: "user", content: "Hi" }], topK: 1, maxTokens: 1 });
  const outcome = toolwire(["convert", "--to", "openai", "--lossy", "error"], { input });
  assert.deepEqual([outcome.status, outcome.stdout], [3, ""]);
  assert.match(outcome.stderr, /^error: lossy at "\/topK": /);
});

test("exit code 4: a format that can't be recognised", () => {
  for (const [input, message] of [
    [plain, /^error: this may be canonical, openai or anthropic\. Choose one with --from\n$/],
    ["{}", /Give --from and --kind\n$/],
    ["3", /Give --from and --kind\n$/],
  ]) {
    const { status, stdout, stderr } = toolwire(["convert", "--to", "gemini"], { input });
    assert.deepEqual([status, stdout], [4, ""]);
    assert.match(stderr, message);
  }
});

test("a reader that closes the pipe early is not a failure", async () => {
  const { spawn } = await import("node:child_process");
  const text = JSON.stringify({ contents: [{ role: "user", parts: [{ text: "x".repeat(4_000_000) }] }] });
  const child = spawn(process.execPath, [join(folder, "dist/command.js"), "convert", "--to", "canonical"]);
  child.stdout.once("data", () => child.stdout.destroy());
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(text);
  const status = await new Promise((done) => child.on("close", done));
  assert.deepEqual([status, stderr], [0, ""]);
});

test("the help names every flag and exit code, the version is the package's", () => {
  const help = toolwire(["--help"]);
  assert.deepEqual([help.status, help.stderr], [0, ""]);
  for (const args of [["-h"], ["help"], ["convert", "--help"]]) assert.equal(toolwire(args).stdout, help.stdout);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  assert.deepEqual(toolwire(["--version"]), { status: 0, stdout: `${version}\n`, stderr: "" });
  for (const line of help.stdout.split("\n")) assert.ok(line.length <= 120, line);
});

test("the help's dialects are those of the types", () => {
  const types = readFileSync(join(folder, "dist/index.d.ts"), "utf8");
  const dialects = types
    .match(/^export type Dialect = (.*);$/m)[1]
    .split(" | ")
    .map(JSON.parse);
  assert.match(toolwire(["--help"]).stdout, new RegExp(`^DIALECT +${dialects.join(",\\s+")}$`, "m"));
});

// util-linux's `script` gives the command a terminal
const hasTerminal = spawnSync("script", ["--version"]).status === 0;

test("in a terminal, the code of a warning is a link to what it means", { skip: !hasTerminal }, () => {
  const file = join(project, "linked.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(plain), seed: 7, max_tokens: 5 }));
  const line = [process.execPath, join(folder, "dist/command.js"), "convert --from openai --to anthropic", file];
  const run = (TERM) =>
    spawnSync("script", ["-qec", line.join(" "), "/dev/null"], { encoding: "utf8", env: { ...process.env, TERM } })
      .stdout;
  const [start, ...links] = run("xterm").split("\u001b]8;;");
  const [address, code] = links[0].split("\u001b\\");
  assert.match(start, /warning: $/);
  assert.equal(code, "setting_dropped");
  assert.match(address, /\/docs\/codes\.md#setting_dropped$/);
  assert.match(readFileSync(new URL(address), "utf8"), /^### setting_dropped$/m);
  assert.ok(links[1].startsWith(`\u001b\\ at "/seed"`), links[1]);
  assert.match(run("dumb"), /warning: setting_dropped at/);
});
