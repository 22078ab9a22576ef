// Arguments as text: quotes that are not escaped, and digits that numbers would lose.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Toolkit } from "./support/toolkit.mjs";

const string = { type: "string" };
const integer = { type: "integer" };

async function run(properties, rawArguments) {
  const tool = { name: "f", parameters: { type: "object", properties }, execute: (args) => args };
  const [execution] = await new Toolkit([tool]).run([{ id: "1", name: "f", rawArguments, error: "not JSON" }]);
  return execution;
}

const readings = [
  [
    { content: string, path: string },
    '{"content": "{"name": "x", "path": "b"}", "path": "a"}',
    { content: '{"name": "x", "path": "b"}', path: "a" },
  ],
  [
    { content: string, path: string },
    '{"content": "{"name": "x", "path": "b"}\\n", "path": "a"}',
    { content: '{"name": "x", "path": "b"}\n', path: "a" },
  ],
  [
    { content: string, path: string },
    "{'content': '{'name': 'x', 'path': 'b'}', 'path': 'a'}",
    { content: "{'name': 'x', 'path': 'b'}", path: "a" },
  ],
  [
    { content: string, path: string },
    `{"content": "say "x", "path": "a"} I've done it.`,
    { content: 'say "x', path: "a" },
  ],
  [
    { path: string, content: string },
    '{"path": "a", "content": "{"name": "x", "version": "1.0"}"}',
    { path: "a", content: '{"name": "x", "version": "1.0"}' },
  ],
  [{ sql: string }, '{"sql": "SELECT "id", "name" FROM "t""}', { sql: 'SELECT "id", "name" FROM "t"' }],
  [
    { command: string, timeout: integer },
    '{"command": "echo "a", "b"", "timeout": 5}',
    { command: 'echo "a", "b"', timeout: 5 },
  ],
  [{ code: string, n: integer }, '{"code": "d = {"a": 1, "b": 2}", "n": 1}', { code: 'd = {"a": 1, "b": 2}', n: 1 }],
  [{ a: string }, '{"a": "x", "more": 1,}', { a: "x", more: 1 }],
  [{ version: string }, '{"version": 1.10}', { version: "1.10" }],
  [{ id: string }, '{"id": 12345678901234567890}', { id: "12345678901234567890" }],
  [{ ids: { type: "array", items: string } }, '{"ids": [1.0, 2.50]}', { ids: ["1.0", "2.50"] }],
  [{ n: { type: "number" } }, '{"n": 1.10}', { n: 1.1 }],
];

for (const [properties, text, args] of readings) {
  test(`read as it was meant: ${text}`, async () => {
    const execution = await run(properties, text);
    assert.equal(execution.status, "done", JSON.stringify(execution.error));
    assert.deepEqual(execution.output, args);
  });
}

const refused = [
  [
    { content: string, path: string },
    '{"content": "x = {"name": "x", "path": "b"}", "path": "a"}',
    /it is not clear where a string ends/,
  ],
  [
    { content: string, path: string },
    '{"content": "say "x", "path": "b"", "path": "a"}',
    /it is not clear where a string ends, because quotes inside of it are not escaped: write them as \\"/,
  ],
  [
    { id: integer },
    '{"id": 12345678901234567890}',
    /the integer 12345678901234567890 at \/id has too many digits to be exact/,
  ],
  [{ id: integer }, '{"id": "9007199254740993"}', /invalid_id: expected an integer/],
];

for (const [properties, text, message] of refused) {
  test(`not run: ${text}`, async () => {
    const { status, error } = await run(properties, text);
    assert.deepEqual([status, error?.type], ["failed", "invalid_arguments"]);
    assert.match(error.message, message);
  });
}
