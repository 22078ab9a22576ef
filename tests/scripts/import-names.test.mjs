// The names of the wasm's imports, without their hashes.

import assert from "node:assert/strict";
import { test } from "node:test";
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

/** A module that imports functions of no arguments. */
function moduleOf(names) {
  const text = (content) => [content.length, ...Buffer.from(content)];
  const imports = [names.length, ...names.flatMap((name) => [...text("m"), ...text(name), 0, 0])];
  const types = [1, 0x60, 0, 0];
  const magic = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  return Buffer.from([...magic, 1, types.length, ...types, 2, imports.length, ...imports, 0, 5, ...text("name")]);
}

test("only the names change in the wasm", () => {
  const names = new Map([["__wbg_long_name", "short"]]);
  assert.deepEqual(
    renameImports(moduleOf(["first", "__wbg_long_name", "last"]), names),
    moduleOf(["first", "short", "last"]),
  );
});
