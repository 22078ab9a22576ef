// The types of the built package against the promised ones.

import { test } from "node:test";
import { assertCompiles, compilers } from "./support/compile.mjs";

for (const compiler of compilers) {
  test(`${compiler}: the types are the promised ones, no wider and no narrower`, () => {
    assertCompiles(compiler, ["tests/types/assignable.ts"]);
  });
  test(`${compiler}: bodies have the types that their dialects have`, () => {
    assertCompiles(compiler, ["tests/types/bodies.ts"]);
  });

  test(`${compiler}: conversions with simulated tools`, () => {
    assertCompiles(compiler, ["tests/types/text.ts"], { lib: "es2022,dom" });
  });
  test(`${compiler}: options may be undefined, also with exactOptionalPropertyTypes`, () => {
    const exact = ["--exactOptionalPropertyTypes", "--skipLibCheck"];
    assertCompiles(compiler, ["tests/types/undefined-options.ts"], { lib: "es2022,dom", more: exact });
  });
  test(`${compiler}: the toolkit infers the types of arguments`, () => {
    assertCompiles(compiler, ["tests/types/toolkit.ts"], { lib: "es2022,dom" });
  });
}
