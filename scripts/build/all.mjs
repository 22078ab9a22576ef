import { setUp } from "../lib/setup.mjs";
import { buildPackage } from "./package.mjs";
import { compileWasm } from "./wasm.mjs";

/** Brings pkg/ up to date, with everything that it needs; does nothing where nothing changed. */
export async function build() {
  await setUp();
  await compileWasm();
  await buildPackage();
}
