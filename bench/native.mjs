// The same conversions as machine code, without wasm and without an engine: what of our time neither of them is to blame for.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locked, root, run } from "../scripts/lib/run.mjs";
import { payloads } from "./payloads.mjs";

const folder = join(root, "build/bench/native");
const target = join(folder, "target");
const program = join(target, "release/toolwire-native-speed");
/** With all that this processor can do, as an engine for wasm has it: shuffles, for one, that the oldest of its kind don't have. */
const flags = { RUSTFLAGS: "-C target-cpu=native", CARGO_TARGET_DIR: target };
/** Memory of large bodies is kept, as wasm keeps its own: not given back to the system and taken anew for each. */
const env = { ...process.env, MALLOC_MMAP_THRESHOLD_: "1000000000", MALLOC_TRIM_THRESHOLD_: "1000000000" };

/** Nanoseconds by payload. */
export function nativeTimes() {
  run("cargo", ["build", "--release", "--package", "toolwire-native-speed", ...locked], { output: 2, env: flags });
  mkdirSync(folder, { recursive: true });
  const times = Object.entries(payloads).map(([name, { kind, from, to, make }]) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(make()));
    return [name, Number(execFileSync(program, [kind, from, to, file], { encoding: "utf8", env }))];
  });
  return Object.fromEntries(times);
}
