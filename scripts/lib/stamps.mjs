// Skips a build step whose inputs have the same content as when it last ran.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./run.mjs";

/** All files at or below the given paths (relative to the repository), sorted. Missing ones are skipped. */
export function filesBelow(paths) {
  const files = [];
  for (const path of paths) {
    const full = join(root, path);
    if (!existsSync(full)) continue;
    if (statSync(full).isFile()) files.push(path);
    else files.push(...filesBelow(readdirSync(full).map((name) => relative(root, join(full, name)))));
  }
  return files.sort();
}

/** Every Rust file: `cargo fmt` skips modules that a macro declares, such as the dialects. */
export function rustFiles() {
  return filesBelow(["bench/native", "build.rs", "src", "tests", "tools"]).filter((file) => file.endsWith(".rs"));
}

function digest(inputs) {
  const hash = createHash("sha256");
  for (const file of filesBelow(inputs)) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

const changedSince = (time, inputs) => filesBelow(inputs).some((file) => statSync(join(root, file)).mtimeMs >= time);

const pathsOf = ({ inputs }) => (typeof inputs === "function" ? inputs() : inputs);
const stampOf = ({ name, stamp = `build/stamps/${name}` }) => join(root, stamp);

/** Whether the inputs of a step are those of its last build, and its outputs exist. */
export function isCurrent(step) {
  const stamp = stampOf(step);
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== digest(pathsOf(step))) return false;
  return step.outputs.every((path) => existsSync(join(root, path)));
}

/**
 * Runs the `build` of a step unless it is current. Paths are relative to the repository. Where only the build can tell its inputs, `inputs`
 * is a function, which is called before and after it.
 * The stamp is written last, so that a build that failed, was interrupted, or whose inputs were edited meanwhile runs again.
 */
export async function whenChanged(step) {
  if (isCurrent(step)) return;
  console.error(`· ${step.name}`);
  rmSync(stampOf(step), { force: true });
  const start = Date.now();
  await step.build();
  if (changedSince(start, pathsOf(step))) return;
  mkdirSync(dirname(stampOf(step)), { recursive: true });
  writeFileSync(stampOf(step), digest(pathsOf(step)));
}
