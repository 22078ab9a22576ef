// The same conversions as native code, to show the part of the time that neither wasm nor the engine causes.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locked, root, run } from "../scripts/lib/run.mjs";

const folder = join(root, "build/bench/native");
const target = join(folder, "target");
const inputs = join(folder, "inputs");
const program = join(target, "release/toolwire-native-speed");
/** All instructions of this processor, because engines use them for wasm, too. Old processors lack some, such as shuffles. */
const flags = { RUSTFLAGS: "-C target-cpu=native", CARGO_TARGET_DIR: target };
/** Memory of large bodies is kept, as wasm keeps its memory, instead of being returned to the system after each conversion. */
const env = { ...process.env, MALLOC_MMAP_THRESHOLD_: "1000000000", MALLOC_TRIM_THRESHOLD_: "1000000000" };

export function buildNative() {
  run("cargo", ["build", "--release", "--package", "toolwire-native-speed", ...locked], { output: 2, env: flags });
}

/** Nanoseconds for a body. */
export const nativeTime = ({ kind, from, to, make }) => timeOf(kind, from, to, [JSON.stringify(make())]);

/** Nanoseconds for a stream that is read in these pieces. */
export const nativeStreamTime = ({ from, to }, pieces) => timeOf("stream", from, to, pieces);

function timeOf(kind, from, to, pieces) {
  rmSync(inputs, { recursive: true, force: true });
  mkdirSync(inputs, { recursive: true });
  const files = pieces.map((_, index) => join(inputs, String(index)));
  for (const [index, piece] of pieces.entries()) writeFileSync(files[index], piece);
  return Number(execFileSync(program, [kind, from, to, ...files], { encoding: "utf8", env }));
}
