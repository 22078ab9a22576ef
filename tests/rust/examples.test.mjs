// The examples in Rust print the expected output.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { locked, root } from "../../scripts/lib/run.mjs";

const expected = {
  agent: String.raw`
{"id":"1","name":"add","arguments":{"a":"two","b":3}} → "invalid_a: expected an integer, received the string \"two\". Pass an integer."
{"id":"2","name":"add","arguments":{"a":2,"b":3}} → 5
Answer: 2 + 3 = 5
`,
  toolkit: String.raw`
tools: add, get_weather
1: {"sum":3}
2: {"city":"Paris","temperature":18,"unit":"Celsius"}
3: {"city":"Oslo","temperature":18,"unit":"Celsius"}
4: {"error":"invalid_city: this field is required, but missing. Add it: a string.","error_type":"invalid_arguments"}
5: {"error":"delete_everything is not allowed here.","error_type":"not_allowed"}
6: {"error":"there is no tool \"substract\". Use one of these tools: add, get_weather.","error_type":"unknown_tool"}
`,
};

for (const [name, output] of Object.entries(expected)) {
  test(`examples/rust/${name}.rs`, () => {
    const example = ["run", "--quiet", ...locked, "--features", "schemars", "--example", name];
    const { status, stdout, stderr } = spawnSync("cargo", example, { cwd: root, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.equal(stdout, output.trimStart());
  });
}
