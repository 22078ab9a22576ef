// The numbers of the locals in a wasm file.

import assert from "node:assert/strict";
import { test } from "node:test";
import binaryen from "binaryen";
import { withLocalsInOrder } from "../../scripts/build/local-order.mjs";
import { bodiesIn, CODE, sectionsIn } from "../../scripts/lib/wasm-format.mjs";
import { localsIn } from "../../scripts/lib/wasm-instructions.mjs";

const built = (text) => {
  const module = binaryen.parseText(text);
  module.setFeatures(binaryen.Features.All);
  return Buffer.from(module.emitBinary());
};
const bodiesOf = (wasm) => bodiesIn(sectionsIn(wasm).find(({ id }) => id === CODE).content).map(({ whole }) => whole);
const exportsOf = (wasm) => new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports;

/** The same function for any numbers of its locals `x` and `y`, which differs from its name on. */
const steps = (name, [x, y]) => `(func (export "${name}") (param i32 f64) (result i32) (local i32 i32 i64)
  (local.set ${x} (i32.add (local.get 0) (i32.const 77777)))
  (local.set ${y} (i32.mul (local.get ${x}) (i32.const 55555)))
  (local.set 4 (i64.extend_i32_s (local.get ${y})))
  (if (f64.gt (local.get 1) (f64.const 2.5)) (then (local.set ${x} (i32.sub (local.get ${y}) (local.get ${x})))))
  (i32.add (local.get ${x}) (i32.wrap_i64 (local.get 4))))`;

test("functions that differ in the numbers of their locals become the same, and do the same as before", () => {
  const wasm = built(`(module ${steps("a", [2, 3])} ${steps("b", [3, 2])})`);
  const [a, b] = bodiesOf(wasm);
  assert.notDeepEqual(a, b);
  const inOrder = withLocalsInOrder(wasm);
  const [first, second] = bodiesOf(inOrder);
  assert.deepEqual(first, second);
  const [before, after] = [wasm, inOrder].map(exportsOf);
  for (const args of [
    [1, 1],
    [1, 3],
    [-9, 7],
  ])
    for (const name of ["a", "b"]) assert.equal(after[name](...args), before[name](...args), `${name}(${args})`);
});

test("the numbers of locals are found between instructions of every form", () => {
  const wasm = built(`(module
    (memory 1) (table 2 funcref) (global $g (mut i32) (i32.const 32)) (data $d "32") (elem $e func $f)
    (type $unary (func (param i32) (result i32)))
    (func $f (param i32) (result i32) (local.get 0))
    (func (export "run") (param i32) (result i32) (local v128 funcref)
      (block $out (block $in (br_table $in $out $in (local.get 0))))
      (loop $again (br_if $again (i32.const 0)))
      (global.set $g (i32.load offset=8224 (local.get 0)))
      (local.set 1 (v128.const i32x4 0x20202020 0x21212121 0x22222222 0x20212223))
      (local.set 1 (i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 (local.get 1) (local.get 1)))
      (local.set 1 (v128.load8_lane 3 (i32.const 0) (local.get 1)))
      (local.set 2 (select (result funcref) (ref.func $f) (ref.null func) (ref.is_null (local.get 2))))
      (memory.copy (i32.const 0) (i32.const 32) (i32.const 1))
      (memory.fill (i32.const 0) (i32.const 32) (i32.const 1))
      (drop (f64.const 3.2)) (drop (f32.const 3.2)) (drop (i64.const -9000000000))
      (drop (i32.trunc_sat_f64_s (f64.const 1)))
      (drop (memory.grow (i32.const 0)))
      (i32.add (call_indirect (type $unary) (i32.const 32) (i32x4.extract_lane 1 (local.get 1))) (call $f (local.get 0)))))`);
  const [, run] = bodiesOf(wasm);
  // one byte of size for each 128, and two groups of locals
  const start = run.length > 128 ? 2 : 1;
  const locals = localsIn(run, start + 5).map(({ local }) => local);
  assert.deepEqual(locals, [0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 1, 0]);
});

test("an instruction that is not known is an error", () => {
  assert.throws(() => localsIn(Uint8Array.of(0xfe, 0x20, 0x00), 0), /is not known/);
  assert.throws(() => localsIn(Uint8Array.of(0xfc, 0x7f), 0), /is not known/);
});
