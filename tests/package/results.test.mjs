// Results of tools from any returned value: `toolResult` and conversions follow the same rules.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolwireError, toOpenAI, toolResult } from "../../pkg/dist/index.js";

const call = { id: "1", name: "f", arguments: {} };
const outcome = (value) => {
  const { role, toolCallId, name, ...rest } = toolResult(call, value);
  assert.deepEqual([role, toolCallId, name], ["tool", "1", "f"]);
  return rest;
};
const sent = (kind, value) => {
  const result = { role: "tool", toolCallId: "1", name: "f", kind, value };
  return toOpenAI({ messages: [{ role: "assistant", content: "", toolCalls: [call] }, result] }).messages[1].content;
};

test("a conversion reads an Error and undefined as toolResult does", () => {
  assert.equal(sent("error", new Error("boo")), '{"error":"boo"}');
  assert.equal(sent("error", new RangeError()), '{"error":"RangeError"}');
  assert.equal(sent("data", undefined), "");
  assert.equal(sent("text", outcome(undefined).value), "");
});

test("a value without a JSON form is an error, never {}", () => {
  const values = [() => 1, Symbol("s"), 1n, Promise.resolve(1), new Map([["a", 1]]), new Set([1])];
  for (const value of values) {
    const refused = (error) => error instanceof ToolwireError && error.message.length > 10;
    assert.throws(() => toolResult(call, value), refused, String(typeof value));
    assert.throws(() => sent("data", value), refused, String(typeof value));
  }
  assert.throws(() => toolResult(call, Promise.resolve(1)), { code: "invalid_type", message: /Promise.*await/ });
  assert.throws(() => sent("data", Promise.resolve(1)), { code: "unreadable", path: "/messages/1/value" });
});

test("an MCP result is converted according to its content", () => {
  const text = (value) => ({ type: "text", text: value });
  const image = { type: "image", data: "AA==", mimeType: "image/png" };
  const canonicalImage = { type: "image", source: { type: "base64", data: "AA==" }, mediaType: "image/png" };
  assert.deepEqual(outcome({ content: [text("Sunny")] }), { kind: "text", value: "Sunny" });
  assert.deepEqual(outcome({ content: [text("No city")], isError: true }), { kind: "error", value: "No city" });
  assert.deepEqual(outcome({ content: [], isError: false }), { kind: "text", value: "" });
  assert.deepEqual(outcome({ content: [text("a"), text("b")] }), { kind: "multimodal", value: [text("a"), text("b")] });
  assert.deepEqual(outcome({ content: [text("See"), image], isError: true }), {
    kind: "multimodal",
    value: [text("See"), canonicalImage],
    isError: true,
  });
});

test("structured content is data, and its copy as text is left out", () => {
  const structuredContent = { c: 22 };
  const text = (value) => ({ type: "text", text: value });
  assert.deepEqual(outcome({ content: [text('{ "c": 22 }')], structuredContent }), { kind: "data", value: { c: 22 } });
  assert.deepEqual(outcome({ content: [], structuredContent, isError: true }), {
    kind: "data",
    value: { c: 22 },
    isError: true,
  });
  assert.deepEqual(outcome({ content: [text("Warm")], structuredContent }), {
    kind: "multimodal",
    value: [{ type: "data", value: { c: 22 } }, text("Warm")],
  });
});

test("resources and links of MCP keep their addresses", () => {
  const link = { type: "resource_link", uri: "file:///a.txt", name: "a.txt" };
  const inline = { type: "resource", resource: { uri: "file:///b.txt", mimeType: "text/plain", text: "B" } };
  const binary = { type: "resource", resource: { uri: "file:///c.pdf", mimeType: "application/pdf", blob: "AA==" } };
  const { kind, value } = outcome({ content: [link, inline, binary] });
  assert.equal(kind, "multimodal");
  assert.deepEqual(
    value.map(({ type, text }) => [type, text]),
    [
      ["text", "a.txt: file:///a.txt"],
      ["text", "B"],
      ["document", undefined],
    ],
  );
  assert.equal(value[1].metadata.mcp.resource.uri, "file:///b.txt");
  assert.deepEqual([value[2].name, value[2].mediaType], ["file:///c.pdf", "application/pdf"]);
});

test("a value that only resembles an MCP result is data", () => {
  for (const value of [
    { content: [] },
    { content: [{ type: "text", text: "a" }], city: "Paris" },
    { content: [{ type: "text", value: "a" }] },
    { content: "text" },
    [{ type: "text", text: "a" }],
  ]) {
    assert.deepEqual(outcome(value), { kind: "data", value });
  }
});
