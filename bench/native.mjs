// The same conversions as machine code, without wasm and without an engine: what of our time neither of them is to blame for.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locked, root, run } from "../scripts/lib/run.mjs";

const folder = join(root, "build/bench/native");
const target = join(folder, "target");
const inputs = join(folder, "inputs");
const program = join(target, "release/toolwire-native-speed");
/** With all that this processor can do, as an engine for wasm has it: shuffles, for one, that the oldest of its kind don't have. */
const flags = { RUSTFLAGS: "-C target-cpu=native", CARGO_TARGET_DIR: target };
/** Memory of large bodies is kept, as wasm keeps its own: not given back to the system and taken anew for each. */
const env = { ...process.env, MALLOC_MMAP_THRESHOLD_: "1000000000", MALLOC_TRIM_THRESHOLD_: "1000000000" };

export function buildNative() {
  run("cargo", ["build", "--release", "--package", "toolwire-native-speed", ...locked], { output: 2, env: flags });
}

/** Nanoseconds of a body. */
export const nativeTime = ({ kind, from, to, make }) => timeOf(kind, from, to, [JSON.stringify(make())]);

/** Nanoseconds of a stream that is read in these pieces. */
export const nativeStreamTime = ({ from, to }, pieces) => timeOf("stream", from, to, pieces);

function timeOf(kind, from, to, pieces) {
  rmSync(inputs, { recursive: true, force: true });
  mkdirSync(inputs, { recursive: true });
  const files = pieces.map((_, index) => join(inputs, String(index)));
  for (const [index, piece] of pieces.entries()) writeFileSync(files[index], piece);
  return Number(execFileSync(program, [kind, from, to, ...files], { encoding: "utf8", env }));
}
