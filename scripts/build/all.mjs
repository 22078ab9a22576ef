import { setUp } from "../lib/setup.mjs";
import { generateDialects } from "./dialects.mjs";
import { buildPackage } from "./package.mjs";
import { compileWasm } from "./wasm.mjs";

/** Brings pkg/ and everything that it depends on up to date. Steps whose inputs did not change are skipped. */
export async function build() {
  await setUp();
  await compileWasm();
  generateDialects();
  await buildPackage();
}
