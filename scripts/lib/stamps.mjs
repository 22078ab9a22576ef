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

/**
 * Runs `build` unless its inputs are unchanged and its outputs exist. Paths are relative to the repository.
 * The stamp is written last, so that a build that failed or was interrupted runs again.
 */
export async function whenChanged(name, { inputs, outputs, build, stamp = `build/stamps/${name}` }) {
  const stampFile = join(root, stamp);
  const current = digest(inputs);
  const known = existsSync(stampFile) && readFileSync(stampFile, "utf8");
  if (known === current && outputs.every((path) => existsSync(join(root, path)))) return;
  console.error(`· ${name}`);
  rmSync(stampFile, { force: true });
  await build();
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, current);
}
