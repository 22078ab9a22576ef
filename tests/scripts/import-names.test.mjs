// The names of the wasm's imports, without their hashes.

import assert from "node:assert/strict";
import { test } from "node:test";
import binaryen from "binaryen";
import { renameImports, shorterNames } from "../../scripts/build/import-names.mjs";

const hash = (digit) => `_${digit.repeat(16)}`;

test("names lose their hashes and stay distinct", () => {
  const imported = [
    `__wbg_new${hash("a")}`,
    `__wbg_new${hash("b")}`,
    `__wbg_new${hash("c")}`,
    `__wbg_taken${hash("1")}`,
  ];
  const names = shorterNames([...imported, "fail", "__wbindgen_generic_0000000000000001"], new Set(["__wbg_taken"]));
  assert.deepEqual(
    [...names],
    [
      [imported[0], "__wbg_new"],
      [imported[1], "__wbg_new2"],
      [imported[2], "__wbg_new3"],
      [imported[3], "__wbg_taken2"],
    ],
  );
});

test("only the names change in the wasm", async () => {
  const module = binaryen.parseText(`(module
    (import "m" "first" (func $a (result i32)))
    (import "m" "__wbg_long_name" (func $b (result i32)))
    (func (export "sum") (result i32) (i32.sub (call $a) (call $b))))`);
  const names = new Map([["__wbg_long_name", "short"]]);
  const renamed = await WebAssembly.compile(await renameImports(module.emitBinary(), names));
  assert.deepEqual(
    WebAssembly.Module.imports(renamed).map(({ name }) => name),
    ["first", "short"],
  );
  const { exports } = await WebAssembly.instantiate(renamed, { m: { first: () => 5, short: () => 2 } });
  assert.equal(exports.sum(), 3);
});
