// Streams in all ways of using them: whole, in pieces, as iterators, as pipes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { esm } from "./support/package.mjs";

const { convertStream, readStream, StreamConverter, StreamReader, streamEvents, ToolwireError } = await import(esm);

const chunk = (delta, finish_reason = null) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
});
const chunks = [
  chunk({ role: "assistant", content: "" }),
  chunk({ content: "日本 🎉" }),
  chunk({ tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"x":1}' } }] }),
  chunk({}, "tool_calls"),
];
const sse = `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("")}data: [DONE]\n\n`;
const bytes = new TextEncoder().encode(sse);
/** A stream that breaks off directly after an event. */
const unended = new TextEncoder().encode(`data: ${JSON.stringify(chunks[1])}`);
const from = "openai";

const eventTypes = ["start", "textDelta", "toolCallStart", "toolCallDelta", "toolCallEnd", "finish"];
const typesOf = (events) => events.map((event) => event.type);

async function collect(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

/** A source that reports whether its reader stopped early. */
function source(pieces, onCancel = () => {}) {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      if (next < pieces.length) controller.enqueue(pieces[next++]);
      else controller.close();
    },
    cancel: onCancel,
  });
}

test("a reader takes bytes, text and an SDK's events, and gives the same for all", () => {
  const answers = [[bytes], [sse], chunks, [...bytes].map((byte) => Uint8Array.of(byte))].map((pieces) => {
    const reader = readStream({ from });
    assert.ok(reader instanceof StreamReader);
    const events = pieces.flatMap((piece) => reader.push(piece));
    assert.deepEqual(typesOf([...events, ...reader.end()]), eventTypes);
    return reader.finish();
  });
  assert.equal(answers[0].text, "日本 🎉");
  assert.deepEqual(answers[0].toolCalls, [{ id: "a", name: "f", arguments: { x: 1 } }]);
  assert.equal(answers[0].finishReason, "tool_calls");
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test("text may be split anywhere, inside a surrogate pair as well", () => {
  for (let at = 0; at <= sse.length; at++) {
    const reader = readStream({ from });
    reader.push(sse.slice(0, at));
    reader.push(sse.slice(at));
    assert.equal(reader.finish().text, "日本 🎉");
  }
});

test("a character may come in two events", () => {
  const halves = [chunk({ content: "a\ud83d" }), chunk({ content: "\ude00b" }), chunk({}, "stop")];
  for (const pieces of [halves, halves.map((one) => `data: ${JSON.stringify(one)}\n\n`)]) {
    const warnings = [];
    const reader = readStream({ from, onWarning: (warning) => warnings.push(warning) });
    for (const piece of pieces) reader.push(piece);
    assert.equal(reader.finish().text, "a😀b");
    assert.deepEqual(warnings, []);
  }
});

test("a second finish returns the same response", () => {
  const reader = readStream({ from });
  reader.push(bytes);
  const answer = reader.finish();
  assert.deepEqual(reader.finish(), answer);
  assert.deepEqual(reader.end(), []);
  assert.deepEqual(reader.finish(), answer);
});

test("a value that is not a stream is refused with an error of the package", async () => {
  for (const nothing of [null, undefined, 5, {}, new Response(sse)]) {
    const isOurs = (error) => error instanceof ToolwireError && error.code === "invalid_type";
    await assert.rejects(collect(streamEvents(nothing, { from })), isOurs);
  }
});

test("events come with the piece that completes them", () => {
  const reader = readStream({ from });
  const last = sse.indexOf("data: [DONE]");
  const before = reader.push(sse.slice(0, last - 1));
  assert.deepEqual(typesOf(before), eventTypes.slice(0, 4));
  assert.deepEqual(typesOf(reader.push("\n")), ["toolCallEnd"]);
  // usage, calls and errors may still follow the finish reason
  assert.deepEqual(typesOf(reader.push(sse.slice(last, -1))), []);
  assert.deepEqual(typesOf(reader.push("\n")), ["finish"]);
});

test("streamEvents iterates over a body, over text and over an SDK's stream", async () => {
  async function* sdk() {
    yield* chunks;
  }
  for (const stream of [source([bytes]), new Response(sse).body, sdk(), [sse], chunks]) {
    assert.deepEqual(typesOf(await collect(streamEvents(stream, { from }))), eventTypes);
  }
});

test("streamEvents iterates over streams that are no iterables", async () => {
  let cancelled = false;
  const body = source([bytes], () => {
    cancelled = true;
  });
  const plain = { getReader: () => body.getReader() };
  assert.deepEqual(typesOf(await collect(streamEvents(plain, { from }))), eventTypes);
  assert.equal(cancelled, false);
});

test("leaving the loop cancels the source", async () => {
  const reasons = [];
  for (const wrap of [(body) => body, (body) => ({ getReader: () => body.getReader() })]) {
    for await (const event of streamEvents(wrap(source([bytes, bytes], () => reasons.push("cancelled"))), { from })) {
      if (event.type === "textDelta") break;
    }
  }
  assert.deepEqual(reasons, ["cancelled", "cancelled"]);
});

test("options are checked at once, not in the loop", () => {
  assert.throws(() => streamEvents([], {}), { code: "missing_field" });
  assert.throws(() => readStream({ from: "universal" }), { code: "unsupported" });
  assert.throws(() => convertStream({ from }), { code: "missing_field" });
});

test("a stream that broke off ends with an error and is marked", async () => {
  const warnings = [];
  const cut = sse.slice(0, sse.indexOf('data: {"id":"chatcmpl-1"', sse.indexOf('\\"x\\"')));
  const events = await collect(streamEvents([cut], { from, onWarning: (warning) => warnings.push(warning) }));
  assert.deepEqual(typesOf(events.slice(-3)), ["toolCallEnd", "error", "finish"]);
  assert.equal(events.at(-1).finishReason, "error");
  assert.deepEqual(
    warnings.map((warning) => [warning.code, warning.lossy]),
    [["stream_truncated", true]],
  );
});

test("an error has its position, earlier events are delivered, and the stream stays failed", () => {
  const reader = readStream({ from });
  const good = `data: ${JSON.stringify(chunks[1])}\n\n`;
  assert.deepEqual(typesOf(reader.push(`${good}data: {"broken\n\n${good}`)), ["start", "textDelta"]);
  const size = new TextEncoder().encode(good).length;
  assert.throws(() => reader.push(good), { name: "ToolwireError", code: "invalid_json", offset: size, event: 1 });
  assert.throws(() => reader.push(good), { code: "stream_failed" });
  const { text, finishReason, error } = reader.finish();
  assert.deepEqual([text.length > 0, finishReason, error.code, error.retryable], [true, "error", "api_error", true]);
  assert.match(error.message, /^not JSON/);
});

test("streamEvents returns the whole response when it ends", async () => {
  const reader = readStream({ from });
  reader.push(bytes);
  const response = reader.finish();
  assert.equal(response.error, undefined);
  assert.deepEqual(await returned(streamEvents([bytes], { from })), response);

  const cut = await returned(streamEvents([chunk({ content: "Hel" })], { from }));
  assert.deepEqual([cut.text, cut.finishReason, cut.error.code], ["Hel", "error", "api_error"]);
  const overloaded = { error: { message: "Overloaded", code: 503 } };
  const failed = await returned(streamEvents([chunk({ content: "Hel" }), overloaded], { from }));
  assert.deepEqual([failed.text, failed.error.code, failed.error.status], ["Hel", "overloaded", 503]);
  assert.equal(failed.error.message, "Overloaded");
});

/** What an async generator returns when it is done. */
async function returned(events) {
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
  }
}

test("numbers that lose digits are reported, and their text is kept", () => {
  const warnings = [];
  const reader = readStream({ from, onWarning: (warning) => warnings.push(warning.code) });
  reader.push(sse.replace('{\\"x\\":1}', '{\\"x\\":12345678901234567890}'));
  assert.equal(reader.finish().toolCalls[0].metadata.rawArguments, '{"x":12345678901234567890}');
  assert.deepEqual(warnings, ["inexact_number"]);
});

test("losses of the response are reported with each path, and not again by a second finish", () => {
  const paths = [];
  const reader = readStream({ from, onWarning: ({ code, path }) => paths.push([code, path]) });
  const call = (index) => ({
    index,
    id: `c${index}`,
    function: { name: "f", arguments: '{"x":12345678901234567890}' },
  });
  reader.push(chunk({ content: "\ud83d" }));
  reader.push(chunk({ tool_calls: [call(0), call(1)] }, "tool_calls"));
  reader.end();
  reader.finish();
  reader.finish();
  assert.deepEqual(paths, [
    ["lone_surrogate", "/0/choices/0/delta/content"],
    ...[0, 1].map((at) => ["inexact_number", `/choices/0/message/tool_calls/${at}/function/arguments`]),
  ]);
});

test("an exception of onWarning propagates", () => {
  const reader = readStream({
    from,
    onWarning() {
      throw new RangeError("mine");
    },
  });
  reader.push(`data: ${JSON.stringify(chunks[1])}\n\n`);
  assert.throws(() => reader.end(), RangeError);
});

test("a converter is a pipe: bytes in, bytes out", async () => {
  const converter = convertStream({ from, to: "openai" });
  assert.ok(converter instanceof StreamConverter);
  const piped = source([bytes]).pipeThrough(converter.transform());
  assert.equal(await new Response(piped).text(), sse);
});

/** A stream of many short events. */
const many = Array.from({ length: 300 }, (_, index) => chunk({ content: `word ${index} ` }));
const manyEvents = [...many, chunk({}, "stop")].map((one) =>
  new TextEncoder().encode(`data: ${JSON.stringify(one)}\n\n`),
);
const conversion = { from, to: "anthropic" };
const whole = Buffer.concat(converted([Buffer.concat(manyEvents)])).toString();

function converted(pieces, use = (piece) => piece) {
  const converter = convertStream(conversion);
  return [...pieces.map((piece) => use(converter.push(piece))), converter.finish()];
}

test("output pieces are unchanged by later pushes", () => {
  assert.ok(whole.length > 30_000);
  assert.equal(Buffer.concat(converted(manyEvents)).toString(), whole);
});

test("a piece may be given away with its buffer before the next one comes", () => {
  const given = converted(manyEvents, (piece) => structuredClone(piece, { transfer: [piece.buffer] }));
  assert.equal(Buffer.concat(given).toString(), whole);
});

test("streams do not share their output", () => {
  const converters = [convertStream(conversion), convertStream(conversion)];
  const buffers = converters.map(() => new Set());
  for (const event of manyEvents) {
    for (const [index, converter] of converters.entries()) buffers[index].add(converter.push(event).buffer);
  }
  assert.equal(new Set(buffers.flatMap((set) => [...set])).size, buffers[0].size + buffers[1].size);
  assert.ok(buffers[0].size < manyEvents.length / 10);
});

test("an error in a pipe reaches both sides, after the events before it", async () => {
  let reason;
  const bad = new TextEncoder().encode(`data: ${JSON.stringify(chunks[1])}\n\ndata: oops\n\n`);
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(bad),
    cancel: (error) => {
      reason = error;
    },
  });
  const reader = endless.pipeThrough(convertStream({ from, to: "openai" }).transform()).getReader();
  assert.match(new TextDecoder().decode((await reader.read()).value), /日本/);
  await assert.rejects(reader.read(), { name: "ToolwireError", code: "invalid_json" });
  await new Promise((resolve) => setTimeout(resolve));
  assert.ok(reason instanceof ToolwireError);
});

test("an error in a pipe waits for no further piece", async () => {
  const bad = new TextEncoder().encode(`data: ${JSON.stringify(chunks[1])}\n\ndata: oops\n\n`);
  const silent = new ReadableStream({ start: (controller) => controller.enqueue(bad) });
  const reader = silent.pipeThrough(convertStream({ from, to: "openai" }).transform()).getReader();
  await reader.read();
  const patience = new Promise((resolve) => setTimeout(resolve, 1000));
  await assert.rejects(Promise.race([reader.read(), patience]), { code: "invalid_json" });
});

test("cancelling a pipe cancels its source", async () => {
  let isCancelled = false;
  const body = source([bytes, bytes, bytes], () => {
    isCancelled = true;
  });
  const reader = body.pipeThrough(convertStream({ from, to: "openai" }).transform()).getReader();
  await reader.read();
  await reader.cancel();
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(isCancelled, true);
});

test("a pipe reads no further than its reader does", async () => {
  let pulled = 0;
  const one = new TextEncoder().encode(`data: ${JSON.stringify(chunks[1])}\n\n`);
  const endless = new ReadableStream(
    {
      pull(controller) {
        pulled++;
        controller.enqueue(one);
      },
    },
    { highWaterMark: 0 },
  );
  const reader = endless.pipeThrough(convertStream({ from, to: "openai" }).transform()).getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(pulled <= 3, `${pulled} pieces were read for one`);
  await reader.cancel();
});

test("a writer waits for the reader", async () => {
  const { readable, writable } = convertStream({ from, to: "openai" }).transform();
  const writer = writable.getWriter();
  const written = [];
  const writes = [bytes, bytes].map((one, index) => writer.write(one).then(() => written.push(index)));
  const tick = () => new Promise((resolve) => setTimeout(resolve));
  await tick();
  assert.deepEqual(written, []);
  const reader = readable.getReader();
  await reader.read();
  await tick();
  assert.deepEqual(written, [0]);
  await reader.cancel();
  await assert.rejects(writes[1]);
});

test("a source that breaks off ends the stream with an error event of the target", async () => {
  const reason = new Error("the network is gone");
  const broken = new ReadableStream({
    start: (controller) => controller.enqueue(bytes.slice(0, 500)),
    pull: (controller) => setTimeout(() => controller.error(reason), 20),
  });
  const piped = new Response(broken.pipeThrough(convertStream({ from, to: "gemini" }).transform()));
  assert.match(await piped.text(), /"error":\{.*before the response was complete/);

  const aborted = convertStream({ from, to: "gemini" }).transform();
  const text = new Response(aborted.readable).text();
  const writer = aborted.writable.getWriter();
  await writer.write(bytes.slice(0, 500));
  await writer.abort(reason);
  assert.match(await text, /"error":\{/);

  const untouched = convertStream({ from, to: "gemini" }).transform();
  const read = assert.rejects(new Response(untouched.readable).text(), (error) => error === reason);
  await untouched.writable.abort(reason);
  await read;
});

test("a reader that goes away ends the source, with its reason", async () => {
  const reason = new Error("the client is gone");
  const cancelled = convertStream({ from, to: "gemini" }).transform();
  const writer = cancelled.writable.getWriter();
  await cancelled.readable.cancel(reason);
  await assert.rejects(writer.write(bytes), (error) => error === reason);
});

test("an error at the end of a pipe, and one of onWarning's, reach both sides", async () => {
  const mine = () => {
    throw new RangeError("mine");
  };
  for (const [options, expected] of [
    [{ lossy: "error" }, { name: "ToolwireError", code: "lossy" }],
    [{ onWarning: mine }, RangeError],
  ]) {
    const { readable, writable } = convertStream({ from, to: "anthropic", ...options }).transform();
    const read = assert.rejects(new Response(readable).text(), expected);
    await assert.rejects(source([unended]).pipeTo(writable), expected);
    await read;
  }
});

test("a freed object may be freed again, and using it is an error", async () => {
  const piped = convertStream({ from, to: "gemini" });
  await new Response(source([bytes]).pipeThrough(piped.transform())).text();
  const cancelled = convertStream({ from, to: "gemini" });
  await cancelled.transform().readable.cancel();
  const failed = convertStream({ from, to: "gemini" });
  await assert.rejects(new Response(source([Uint8Array.of(7, 10)]).pipeThrough(failed.transform())).text());
  const freed = [readStream({ from }), convertStream({ from, to: "gemini" })];
  freed[0].free();
  freed[1][Symbol.dispose]();

  for (const stream of [piped, cancelled, failed, ...freed]) {
    stream.free();
    stream[Symbol.dispose]();
    for (const call of [() => stream.push(bytes), () => stream.finish()]) {
      assert.throws(call, { name: "ToolwireError", code: "stream_failed", message: "the stream was freed" });
    }
  }
});

test("a converter that was freed may be cancelled", async () => {
  const converter = convertStream({ from, to: "gemini" });
  const { readable } = converter.transform();
  converter.free();
  await readable.cancel();
});

test("nothing comes after the end, and a converter is one pipe", async () => {
  const isOver = { name: "ToolwireError", code: "stream_failed", message: /has ended/ };
  const reader = readStream({ from });
  reader.push(bytes);
  const answer = reader.finish();
  for (const chunk of [bytes, sse, chunks[0]]) assert.throws(() => reader.push(chunk), isOver);
  assert.deepEqual(reader.finish(), answer);

  const converter = convertStream({ from, to: "gemini" });
  converter.push(bytes);
  converter.finish();
  assert.throws(() => converter.push(bytes), isOver);
  assert.equal(converter.finish().length, 0);

  const piped = convertStream({ from, to: "openai" });
  const pipe = piped.transform();
  assert.throws(() => piped.transform(), { name: "ToolwireError", code: "stream_failed", message: /pipe/ });
  assert.equal(await new Response(source([bytes]).pipeThrough(pipe)).text(), sse);
});

test("a converter reports losses by onWarning and by its property", () => {
  const received = [];
  const converter = convertStream({ from, to: "canonical", onWarning: (warning) => received.push(warning) });
  converter.push(bytes.slice(0, 500));
  converter.finish();
  assert.deepEqual(
    converter.warnings.map((warning) => warning.code),
    ["stream_truncated"],
  );
  assert.deepEqual(received, converter.warnings);
});

test("a pipe that has ended, or was cancelled, still has its warnings", async () => {
  const piped = convertStream({ from, to: "canonical" });
  await new Response(source([bytes.slice(0, 500)]).pipeThrough(piped.transform())).text();
  const cancelled = convertStream({ from, to: "canonical" });
  await source([bytes]).pipeThrough(cancelled.transform()).cancel();
  assert.deepEqual(
    [piped, cancelled].map((converter) => converter.warnings.map((warning) => warning.code)),
    [["stream_truncated"], []],
  );
});

test("a loop gets an error at the end, after the events before it", async () => {
  const types = [];
  const loop = async () => {
    for await (const { type } of streamEvents([unended], { from, lossy: "error" })) types.push(type);
  };
  await assert.rejects(loop(), { name: "ToolwireError", code: "lossy" });
  assert.deepEqual(types, ["start", "textDelta", "error", "finish"]);
});

/** Whether rejections that nobody handles were reported while `work` ran. */
async function unhandledDuring(work) {
  const seen = [];
  const see = (error) => seen.push(error);
  process.on("unhandledRejection", see);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", see);
  return seen;
}

const simulating = await import(new URL("text/index.js", esm));
const simulateTools = simulating.simulateTools("json");
const asked = { messages: [{ role: "user", content: "Hi" }], tools: [{ name: "f", parameters: { type: "object" } }] };
const context = simulating.contextOf(asked, { from: "canonical", to: from, simulateTools });
const eventsOf = {
  "": (pieces) => streamEvents(pieces, { from }),
  ", simulated": (pieces) => simulating.streamEvents(pieces, { from, simulateTools, context }),
};
for (const [variant, events] of Object.entries(eventsOf)) {
  test(`the response of a loop over events is a promise${variant}`, async () => {
    const stream = events([bytes]);
    const early = stream.response;
    const unhandled = await unhandledDuring(async () => {
      for await (const _ of stream);
    });
    const response = await early;
    assert.equal(response.finishReason, "tool_calls");
    assert.equal(stream.response, early);
    const again = events([bytes]);
    let step = await again.next();
    while (!step.done) step = await again.next();
    assert.equal(await again.response, step.value);
    assert.deepEqual(unhandled, []);
  });

  test(`the response of a stream that is left, never read or broken rejects${variant}`, async () => {
    const broken = new TextEncoder().encode("data: {oops}\n\n");
    const streams = { left: events([bytes]), unread: events([bytes]), broken: events([broken]) };
    const unhandled = await unhandledDuring(async () => {
      for await (const _ of streams.left) break;
      await streams.unread.return();
      await assert.rejects(streams.broken.next(), { code: "invalid_json" });
    });
    assert.deepEqual(unhandled, []);
    for (const stream of [streams.left, streams.unread]) {
      await assert.rejects(stream.response, { code: "stream_failed", message: /not read to their end/ });
    }
    await assert.rejects(streams.broken.response, { code: "invalid_json" });
  });
}
