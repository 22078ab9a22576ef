// Calls at the wrong time: from within a push, and on a pipe after its end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { convertStream, readStream, ToolwireError } from "../../pkg/dist/index.js";

const chunk = { choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: null }] };

test("a push from a getter of the pushed value is a ToolwireError, and the stream continues", () => {
  const reader = readStream({ from: "openai" });
  const caught = [];
  const attempt = (call) => {
    try {
      call();
    } catch (error) {
      caught.push([error instanceof ToolwireError, error.code]);
    }
  };
  const busy = {
    get choices() {
      attempt(() => reader.push(chunk));
      attempt(() => reader.finish());
      return chunk.choices;
    },
  };
  const events = reader.push(busy);
  assert.deepEqual(caught, [
    [true, "stream_failed"],
    [true, "stream_failed"],
  ]);
  assert.ok(events.some(({ type, text }) => type === "textDelta" && text === "Hi"));
  assert.equal(reader.finish().text, "Hi");
});

test("transform() throws for a converter that failed, ended or was freed", () => {
  const conversion = { from: "openai", to: "anthropic" };
  const make = (act) => {
    const converter = convertStream(conversion);
    act(converter);
    return converter;
  };
  const failed = make((converter) => {
    assert.throws(() => {
      converter.push(new TextEncoder().encode("data: {\n\n"));
      converter.push(new Uint8Array());
    }, ToolwireError);
  });
  const ended = make((converter) => {
    converter.push(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
    converter.finish();
  });
  const freed = make((converter) => converter.free());
  for (const converter of [failed, ended, freed]) {
    assert.throws(() => converter.transform(), { name: "ToolwireError", code: "stream_failed" });
  }
  const { readable, writable } = convertStream(conversion).transform();
  assert.ok(readable instanceof ReadableStream && writable instanceof WritableStream);
});
