// `toolwire check` and `toolwire repair`: input, output, and exit codes.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { toolwire } from "./support/command.mjs";

let project;
const write = (name, value) =>
  writeFileSync(join(project, name), typeof value === "string" ? value : JSON.stringify(value));
const check = (calls, args = []) =>
  toolwire(["check", "--tools", "tools.json", ...args], { cwd: project, input: JSON.stringify(calls) });

const schema = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
};
const canonical = [{ name: "forecast", description: "Weather.", parameters: schema }];
const openAI = canonical.map((tool) => ({ type: "function", function: tool }));
const anthropic = canonical.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters }));

before(() => {
  project = mkdtempSync(join(tmpdir(), "toolwire-command-"));
  write("tools.json", canonical);
});
after(() => rmSync(project, { recursive: true, force: true }));

test("check prints each call with its arguments, problems and changes", () => {
  const { status, stdout, stderr } = check([{ id: "c1", name: "forecast", arguments: { city: "Bern", days: "3" } }]);
  assert.deepEqual([status, stderr], [0, ""]);
  const [{ call, problems, changes }] = JSON.parse(stdout);
  assert.deepEqual(call, { id: "c1", name: "forecast", arguments: { city: "Bern", days: 3 } });
  assert.deepEqual(problems, []);
  assert.deepEqual(
    changes.map(({ kind, path }) => [kind, path]),
    [["coerced", "/days"]],
  );
});

test("exit code 1: a call can't run; each problem is a line on standard error", () => {
  const calls = [
    { name: "forecast", arguments: {} },
    { name: "forcast", arguments: {} },
  ];
  const { status, stdout, stderr } = check(calls);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^problem: missing at .* of call call_1: .*\nproblem: unknown_tool at "" of call call_2: .*forecast.*\n$/,
  );
  assert.equal(JSON.parse(stdout).length, 2);
  assert.deepEqual(check(calls, ["--quiet"]), { status: 1, stdout, stderr: "" });
});

test("definitions may be of any format, alone or in a request", () => {
  const calls = { name: "forecast", arguments: '{"city":"Bern"}' };
  for (const tools of [canonical, openAI, anthropic, { tools: openAI, model: "m" }, { tools: canonical }]) {
    write("tools.json", tools);
    assert.equal(check(calls).status, 0);
  }
  write("tools.json", canonical);
});

test("calls may be those of a response in any format", () => {
  const functionCall = { name: "forecast", arguments: "{city: 'Bern'}" };
  const openAIResponse = {
    id: "r",
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason: "tool_calls",
        message: {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c9", type: "function", function: functionCall }],
        },
      },
    ],
  };
  const toolUse = { type: "tool_use", id: "c9", name: "forecast", input: { city: "Bern" } };
  const anthropicResponse = {
    id: "r",
    type: "message",
    role: "assistant",
    content: [toolUse],
    stop_reason: "tool_use",
  };
  for (const response of [openAIResponse, anthropicResponse]) {
    const { status, stdout } = check(response);
    assert.equal(status, 0);
    const [{ call }] = JSON.parse(stdout);
    assert.deepEqual([call.id, call.arguments], ["c9", { city: "Bern" }]);
  }
});

test("repair prints JSON, and its changes to standard error", () => {
  const { status, stdout, stderr } = toolwire(["repair"], { input: "Sure: {city: 'Bern', 'days': 3,} ok?" });
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(stdout), { city: "Bern", days: 3 });
  assert.match(stderr, /^(repaired: .+\n)+$/);
  write("broken.json", '{"city": "Ber');
  const cut = toolwire(["repair", "broken.json"], { cwd: project });
  assert.deepEqual(JSON.parse(cut.stdout), { city: "Ber" });
  assert.match(cut.stderr, /warning: the text ends before the value does/);
  assert.equal(toolwire(["repair", "-q"], { input: "[1,2,]" }).stderr, "");
});

test("repair with a schema decides by it", () => {
  write("schema.json", { type: "object", properties: { zip: { type: "string" } } });
  const { stdout } = toolwire(["repair", "--schema", "schema.json"], { cwd: project, input: "{zip: 007}" });
  assert.deepEqual(JSON.parse(stdout), { zip: "007" });
});

test("exit code 1: text without any JSON", () => {
  const { status, stdout, stderr } = toolwire(["repair"], { input: "" });
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /^error: not_json/);
});

test("exit code 2: wrong use", () => {
  const cases = [
    [["check"], /--tools is missing/],
    [["check", "--tools", "nowhere.json"], /nowhere\.json/],
    [["check", "--tools", "tools.json", "--to", "openai"], /check has no flag --to/],
    [["repair", "--tools", "tools.json"], /repair has no flag --tools/],
    [["repair", "--schema", "nowhere.json"], /nowhere\.json/],
    [["convert", "--to", "openai", "--schema", "x"], /convert has no flag --schema/],
  ];
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = toolwire(args, { cwd: project, input: "{}" });
    assert.deepEqual([status, stdout], [2, ""], args.join(" "));
    assert.match(stderr, message);
  }
});
