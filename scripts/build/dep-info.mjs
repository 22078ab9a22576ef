// What a module is compiled from, as rustc wrote it down when it last compiled the module. So no list of sources is kept by hand.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";
import { filesBelow } from "../lib/stamps.mjs";

/** A line that names a source. Those that only JavaScript imports have absolute paths, which a copied folder `target` keeps. */
const source = /^(?:.*[\\/])?(src[\\/]\S+):$/gm;

/**
 * The sources in a file of rustc (`*.d`); all of them if the file does not exist yet. A new source is named in one of the known ones, which
 * changes with it.
 */
export function sourcesIn(depInfo) {
  if (!existsSync(join(root, depInfo))) return ["src", "build.rs"];
  const text = readFileSync(join(root, depInfo), "utf8");
  const sources = [...text.matchAll(source)].map(([, path]) => path);
  return text.includes("# env-dep:OUT_DIR=") ? [...sources, ...sourcesOfBuildScript()] : sources;
}

/** What the build script writes comes from these. */
function sourcesOfBuildScript() {
  return ["build.rs", ...filesBelow(["src"]).filter((file) => file.endsWith("/words.txt"))];
}
