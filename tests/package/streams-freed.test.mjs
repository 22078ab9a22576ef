// Every way to finish or abandon a stream frees its memory.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { freshCopy } from "./support/package.mjs";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const COUNT = 40;
const event = JSON.stringify({ choices: [{ index: 0, delta: { content: "Hi" } }] });
/** An event and half of another one, which is kept in memory until the rest arrives. */
const half = new TextEncoder().encode(`data: ${event}\n\ndata: {"x":"${"x".repeat(2 ** 20)}`);
const badEnd = new TextEncoder().encode('"]\n\n');
/** Several times more than one stream takes, and a fraction of what all of them take. */
const MOST_BYTES = 12 * 2 ** 20;

const from = "openai";
const to = "gemini";
const tick = () => new Promise((resolve) => setTimeout(resolve));

/** A source that delivers half an event, and then calls `next`. */
function source(next) {
  const steps = [(controller) => controller.enqueue(half), next];
  return new ReadableStream({ pull: (controller) => steps.shift()(controller) }, { highWaterMark: 0 });
}

/** Each creates a stream that holds half an event, and finishes or abandons it. */
const ways = {
  "free()": ({ readStream, convertStream }) => {
    for (const stream of [readStream({ from }), convertStream({ from, to })]) {
      stream.push(half);
      stream.free();
    }
  },
  "Symbol.dispose": ({ readStream, convertStream }) => {
    for (const stream of [readStream({ from }), convertStream({ from, to })]) {
      stream.push(half);
      stream[Symbol.dispose]();
    }
  },
  "a pipe that ends": async ({ convertStream }) => {
    const piped = source((controller) => controller.close()).pipeThrough(convertStream({ from, to }).transform());
    await new Response(piped).text();
  },
  "a pipe that fails": async ({ convertStream }) => {
    const failing = source((controller) => controller.enqueue(badEnd));
    await assert.rejects(new Response(failing.pipeThrough(convertStream({ from, to }).transform())).text());
  },
  "a pipe that is cancelled": async ({ convertStream }) => {
    const { readable, writable } = convertStream({ from, to }).transform();
    const reader = readable.getReader();
    const read = reader.read();
    await Promise.all([writable.getWriter().write(half), read]);
    await reader.cancel();
  },
  "a pipe whose source fails": async ({ convertStream }) => {
    const failing = source((controller) => controller.error(new RangeError("gone")));
    await new Response(failing.pipeThrough(convertStream({ from, to }).transform())).text();
  },
  "a loop that ends": async ({ streamEvents }) => {
    for await (const _ of streamEvents([half], { from }));
  },
  "a loop that fails": async ({ streamEvents }) => {
    const events = streamEvents([half, badEnd], { from });
    await events.next();
    await assert.rejects(events.next());
  },
  "a loop that is left": async ({ streamEvents }) => {
    for await (const _ of streamEvents([half], { from })) break;
  },
};

/** A copy of the package, and the size of its instance's memory. */
async function load(name) {
  const { Instance } = WebAssembly;
  let memory;
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, args) {
      const instance = Reflect.construct(target, args);
      memory = instance.exports.memory;
      return instance;
    },
  });
  try {
    const toolwire = await freshCopy(`freed ${name}`);
    toolwire.readStream({ from }).free();
    return { toolwire, size: () => memory.buffer.byteLength };
  } finally {
    WebAssembly.Instance = Instance;
  }
}

/** The growth of the memory in bytes while many streams are created and finished. */
async function growth({ toolwire, size }, way, afterEach = () => {}) {
  const before = size();
  for (let round = 0; round < COUNT; round++) {
    await way(toolwire);
    await afterEach();
  }
  return size() - before;
}

for (const [name, way] of Object.entries(ways)) {
  test(`${name}: the memory is given back at once`, async () => {
    const registry = globalThis.FinalizationRegistry;
    globalThis.FinalizationRegistry = undefined;
    const loaded = await load(name);
    globalThis.FinalizationRegistry = registry;
    const bytes = await growth(loaded, way);
    assert.ok(bytes < MOST_BYTES, `the memory grew by ${bytes} bytes`);
  });
}

test("streams that are forgotten give their memory back when they are collected", async () => {
  const forget = ({ readStream, convertStream }) => {
    readStream({ from }).push(half);
    convertStream({ from, to }).push(half);
    convertStream({ from, to }).transform().writable.getWriter().write(half);
  };
  const collect = async () => {
    await tick();
    collectGarbage();
    await tick();
  };
  const bytes = await growth(await load("forgotten"), forget, collect);
  assert.ok(bytes < MOST_BYTES, `the memory grew by ${bytes} bytes`);
});
