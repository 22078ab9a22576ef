// The types of the built package against those of the providers' own SDKs, and of a driver that has its own.

import { readdirSync } from "node:fs";
import { test } from "node:test";
import { assertCompiles, compilers } from "./support/compile.mjs";

const folder = new URL("../types/sdk/", import.meta.url);
const files = readdirSync(folder).map((name) => `tests/types/sdk/${name}`);
// The SDKs' declarations use names of the browser (RequestInfo, CloseEvent). Given those, they pass the same full check as ours.
const lib = "es2022,dom,dom.iterable";

for (const compiler of compilers) {
  for (const [module, resolution] of [
    ["esnext", "bundler"],
    ["nodenext", "nodenext"],
  ]) {
    test(`${compiler}, ${resolution}: the SDKs take what is written and what they answer is taken`, () => {
      assertCompiles(compiler, files, { lib, module, resolution });
    });
  }
}
