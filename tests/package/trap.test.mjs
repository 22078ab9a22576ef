// The crate has no public way to trap, so these tests insert one between the package and its instance.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { freshCopy, openAIBody, request } from "./support/package.mjs";

const { Instance, Module } = WebAssembly;
const Registry = globalThis.FinalizationRegistry;
afterEach(() => {
  Object.assign(WebAssembly, { Instance, Module });
  globalThis.FinalizationRegistry = Registry;
});

/** Loads the package so that `sabotage.next`, if set, is thrown in place of the next call into the wasm. */
async function loadSabotaged(name) {
  const sabotage = { instances: [], modules: 0, next: undefined };
  WebAssembly.Module = new Proxy(Module, {
    construct(target, args) {
      sabotage.modules++;
      return Reflect.construct(target, args);
    },
  });
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, args) {
      const { exports } = Reflect.construct(target, args);
      const toOpenAI = (...values) => {
        const error = sabotage.next;
        sabotage.next = undefined;
        if (error) throw error;
        return exports.toOpenAI(...values);
      };
      const instance = { ...exports, toOpenAI, freed: 0 };
      instance.__wbg_streamreader_free = (...values) => {
        instance.freed++;
        exports.__wbg_streamreader_free(...values);
      };
      sabotage.instances.push(instance);
      return { exports: instance };
    },
  });
  return { toolwire: await freshCopy(name), sabotage };
}

test("importing compiles nothing; the first call does, once", async () => {
  const { toolwire, sabotage } = await loadSabotaged("lazy");
  assert.deepEqual([sabotage.modules, sabotage.instances.length], [0, 0]);
  toolwire.toOpenAI(request);
  toolwire.toOpenAI(request);
  assert.deepEqual([sabotage.modules, sabotage.instances.length], [1, 1]);
});

for (const [name, trap] of Object.entries({
  unreachable: new WebAssembly.RuntimeError("unreachable"),
  "stack overflow": new RangeError("Maximum call stack size exceeded"),
})) {
  test(`${name}: a ToolwireError, then a fresh instance of the same module`, async () => {
    const { toolwire, sabotage } = await loadSabotaged(name);
    toolwire.toOpenAI(request);
    sabotage.next = trap;
    assert.throws(
      () => toolwire.toOpenAI(request),
      (error) => {
        assert.ok(error instanceof toolwire.ToolwireError);
        assert.deepEqual([error.code, error.path, error.cause], ["internal", "", trap]);
        return true;
      },
    );
    assert.deepEqual(toolwire.toOpenAI(request), openAIBody);
    assert.deepEqual([sabotage.modules, sabotage.instances.length], [1, 2]);
  });
}

test("the class of the errors is the same before and after a trap", async () => {
  const { toolwire, sabotage } = await loadSabotaged("identity");
  assert.throws(() => toolwire.toOpenAI(7), toolwire.ToolwireError);
  sabotage.next = new WebAssembly.RuntimeError("unreachable");
  assert.throws(() => toolwire.toOpenAI(request), toolwire.ToolwireError);
  assert.throws(() => toolwire.toOpenAI(7), toolwire.ToolwireError);
});

test("nothing of the dead instance's memory is used again", async () => {
  const { toolwire, sabotage } = await loadSabotaged("memory");
  assert.throws(() => toolwire.toOpenAI(7), toolwire.ToolwireError);
  sabotage.next = new WebAssembly.RuntimeError("unreachable");
  assert.throws(() => toolwire.toOpenAI(request), toolwire.ToolwireError);
  // Code that still uses the first memory would now read wrong bytes.
  new Uint8Array(sabotage.instances[0].memory.buffer).fill(0xff);
  assert.throws(
    () => toolwire.toOpenAI(7),
    (error) => error.message.length > 0 && !error.message.includes("\ufffd") && error.code !== "internal",
  );
  assert.deepEqual(toolwire.toOpenAI(request), openAIBody);
});

test("unreachable objects are freed, but not in a dead instance", async () => {
  const collections = [];
  globalThis.FinalizationRegistry = class {
    constructor(collect) {
      this.collect = collect;
    }
    register(_, held) {
      collections.push(() => this.collect(held));
    }
  };
  const { toolwire, sabotage } = await loadSabotaged("forgotten");
  for (let count = 0; count < 2; count++) toolwire.readStream({ from: "openai" });
  const frees = () => sabotage.instances[0].freed;
  collections[0]();
  assert.equal(frees(), 1);
  sabotage.next = new WebAssembly.RuntimeError("unreachable");
  assert.throws(() => toolwire.toOpenAI(request), toolwire.ToolwireError);
  collections[1]();
  assert.equal(frees(), 1);
});

test("other errors pass as they are and cost no instance", async () => {
  const { toolwire, sabotage } = await loadSabotaged("other");
  toolwire.toOpenAI(request);
  for (const error of [new Error("mine"), new RangeError("mine"), new TypeError("mine"), "mine"]) {
    sabotage.next = error;
    assert.throws(
      () => toolwire.toOpenAI(request),
      (thrown) => thrown === error,
    );
  }
  assert.equal(sabotage.instances.length, 1);
});

test("calls from the end of the stack give an internal error, and the next call works", async () => {
  const toolwire = await freshCopy("deep");
  const thrown = [];
  const descend = () => {
    try {
      descend();
    } catch {
      // The stack is full here; each caller further up has a little more of it left.
    }
    if (thrown.length < 200) {
      try {
        toolwire.toOpenAI(request);
      } catch (error) {
        thrown.push(error);
      }
    }
  };
  descend();
  assert.ok(thrown.length > 0);
  for (const error of thrown) assert.ok(error instanceof RangeError || error.code === "internal", String(error));
  assert.deepEqual(toolwire.toOpenAI(request), openAIBody);
});
