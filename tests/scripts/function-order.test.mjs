// The order of the functions in a wasm file.

import assert from "node:assert/strict";
import { test } from "node:test";
import binaryen from "binaryen";
import { namedInOrder, similarOnesTogether } from "../../scripts/build/function-order.mjs";

test("after each function comes the most similar one", () => {
  const bodies = ["abcdefghij", "0123456789", "abcdefghXY", "01234567XY"].map((text) => Buffer.from(text));
  assert.deepEqual(similarOnesTogether(bodies), [0, 2, 1, 3]);
  assert.deepEqual(similarOnesTogether([]), []);
});

test("sorted functions are called as before", async () => {
  const body = (number) => `(i32.add (i32.mul (call $given) (i32.const ${number})) (i32.const 77777))`;
  const other = "(i32.sub (i32.const 5) (i32.popcnt (call $given)))";
  const module = binaryen.parseText(`(module
    (import "m" "given" (func $given (result i32)))
    (func $a (export "a") (result i32) ${body(11111)})
    (func $b (export "b") (result i32) ${other})
    (func $c (export "c") (result i32) (i32.add (call $b) ${body(22222)})))`);
  const sorted = binaryen.readBinary(namedInOrder(Buffer.from(module.emitBinary())));
  sorted.runPasses(["reorder-functions-by-name"]);
  const names = [0, 1, 2, 3].map((index) => binaryen.getFunctionInfo(sorted.getFunctionByIndex(index)).name);
  assert.deepEqual(
    names.filter((name) => /^\d+$/.test(name)),
    ["000000", "000001", "000002"],
  );
  const { instance } = await WebAssembly.instantiate(sorted.emitBinary(), { m: { given: () => 3 } });
  const { a, b, c } = instance.exports;
  assert.deepEqual([a(), b(), c()], [111110, 3, 144446]);
});
