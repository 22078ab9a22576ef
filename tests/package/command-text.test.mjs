// `toolwire parse`, `toolwire prompt` and `toolwire grammar`: input, output, and exit codes.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { toolwire } from "./support/command.mjs";

let project;
const run = (args, input) => toolwire(args, { cwd: project, ...(input !== undefined && { input }) });

const parameters = { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } };
const tool = { name: "forecast", description: "Weather.", parameters };
const output =
  "Look: <tool_call>\n<function=forecast>\n<parameter=city>\n007\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>";

before(() => {
  project = mkdtempSync(join(tmpdir(), "toolwire-command-"));
  writeFileSync(join(project, "tools.json"), JSON.stringify([tool]));
  writeFileSync(join(project, "openai.json"), JSON.stringify({ tools: [{ type: "function", function: tool }] }));
  writeFileSync(join(project, "output.txt"), output);
});
after(() => rmSync(project, { recursive: true, force: true }));

test("parse prints calls and text, from a file and from standard input", () => {
  for (const [format, ...rest] of [["qwen3_xml", "output.txt"], ["qwen3_xml"], ["auto", "-"]]) {
    for (const tools of ["tools.json", "openai.json"]) {
      const { status, stdout, stderr } = run(["parse", "--format", format, "--tools", tools, ...rest], output);
      assert.deepEqual([status, stderr], [0, ""]);
      const { toolCalls, text } = JSON.parse(stdout);
      const calls = toolCalls.map(({ name, arguments: args }) => [name, args]);
      // the values have the types of the schema
      assert.deepEqual(calls, [["forecast", { city: "007", days: 3 }]]);
      assert.equal(text.trim(), "Look:");
    }
  }
});

test("prompt prints text", () => {
  const { status, stdout, stderr } = run(["prompt", "--format", "hermes_json", "openai.json"]);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.match(stdout, /^# Tools\n/);
  assert.match(stdout, /"forecast".*<tool_call>/s);
});

test("grammar prints a grammar, and the keywords that it does not enforce", () => {
  const args = ["grammar", "--format", "hermes_json", "--syntax"];
  const gbnf = run([...args, "gbnf", "openai.json"]);
  assert.deepEqual([gbnf.status, gbnf.stderr], [0, ""]);
  assert.match(gbnf.stdout, /^root ::= .*"<tool_call>/);
  const only = run([...args, "gbnf", "--tool-choice", "forecast", "--single-call", "tools.json"]);
  assert.match(only.stdout, /^root ::= .*call-forecast\n/);
  const schema = run([...args, "jsonSchema", "tools.json"]);
  assert.equal(JSON.parse(schema.stdout).type, "array");
  assert.match(schema.stderr, /^warning: \/format: /);
  assert.equal(run([...args, "jsonSchema", "--quiet", "tools.json"]).stderr, "");
});

test("wrong use", () => {
  const mistakes = [
    [["parse"], /--format is missing/],
    [["parse", "--format", "hermes"], /--format: .*did you mean `hermes_json`/],
    [["prompt", "--format", "harmnoy", "tools.json"], /--format: .*did you mean `harmony`/],
    [["prompt", "--format", "json", "--pretty"], /no flag --pretty/],
    [["parse", "--format", "json", "none.txt"], /no such file/],
    [["grammar", "--format", "json"], /--syntax is missing/],
    [["grammar", "--format", "json", "--syntax", "bnf"], /--syntax must be one of/],
    [["grammar", "--format", "jsn", "--syntax", "gbnf", "tools.json"], /--format: .*did you mean/],
    [["grammar", "--format", "json", "--syntax", "gbnf", "--tool-choice", "g", "tools.json"], /--tool-choice: .*`g`/],
  ];
  for (const [args, message] of mistakes) {
    const { status, stdout, stderr } = run(args, "");
    assert.deepEqual([status, stdout], [2, ""], args.join(" "));
    assert.match(stderr, message);
  }
});
