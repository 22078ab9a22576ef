import assert from "node:assert/strict";
import { test } from "node:test";
import { adoptClass } from "../../pkg-template/runtime/classes.js";

class Public {}

function adopted() {
  class Reader {
    text = "";
    push(chunk) {
      if (chunk === undefined) throw new WebAssembly.RuntimeError("unreachable");
      this.text += chunk;
      return this.text;
    }
    get length() {
      return this.text.length;
    }
    free() {
      this.text = "freed";
    }
  }
  const instance = { alive: true };
  adoptClass(Reader, Public, () => instance.alive);
  return { reader: new Reader(), instance };
}

test("objects of every instance are instances of the public class", () => {
  assert.ok(adopted().reader instanceof Public);
  assert.ok(adopted().reader instanceof Public);
});

test("methods and getters work, and a trap in one is an internal error", () => {
  const { reader } = adopted();
  assert.equal(reader.push("ab"), "ab");
  assert.equal(reader.length, 2);
  assert.throws(() => reader.push(), { name: "ToolwireError", code: "internal" });
});

test("using an object of a dead instance is an error, and it can still be freed", () => {
  const { reader, instance } = adopted();
  instance.alive = false;
  assert.throws(() => reader.push("a"), { name: "ToolwireError", code: "internal" });
  assert.throws(() => reader.length, { code: "internal" });
  reader.free();
  assert.equal(reader.text, "");
});
