import { setUpBindgen, setUpNpm, setUpRust } from "../lib/setup.mjs";
import { buildCommon } from "./common.mjs";
import { generateDialects } from "./dialects.mjs";
import { buildPackage } from "./package.mjs";
import { compileModules, finishModules } from "./wasm.mjs";

/**
 * Brings pkg/ and everything that it depends on up to date. Steps whose inputs did not change are skipped. With `quick`, wasm that would
 * have to be optimised is not: the package does the same, larger and slower, has no `toolwire/common`, and can't be published.
 */
export async function build({ quick = false } = {}) {
  // npm downloads while cargo compiles
  await Promise.all([setUpNpm(), compileRust({ quick })]);
  const areOptimised = await finishModules({ quick });
  generateDialects();
  await buildPackage(areOptimised);
  if (!quick) await buildCommon();
  return areOptimised;
}

async function compileRust(options) {
  setUpRust();
  await setUpBindgen();
  await compileModules(options);
}
