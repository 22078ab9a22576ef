// The examples as a user runs them: in a folder of their own, with the built package and others installed.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const fromRoot = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Copies `examples/NAME` to a folder with these packages. Returns its path; it is removed when the test ends. */
export function installExample(test, name, packages = []) {
  const place = mkdtempSync(join(tmpdir(), "toolwire-example-"));
  test.after(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
  const folder = join(place, name);
  cpSync(fromRoot(`examples/${name}`), folder, { recursive: true });
  const link = (from, to) => {
    mkdirSync(dirname(join(place, "node_modules", to)), { recursive: true });
    symlinkSync(fromRoot(from), join(place, "node_modules", to));
  };
  link("pkg", "toolwire");
  for (const each of packages) link(`node_modules/${each}`, each);
  writeFileSync(join(place, "package.json"), '{ "type": "module" }');
  return folder;
}

/** The output of `node main.js`. */
export function outputOf(folder) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["main.js"], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`main.js ended with ${status}: ${stderr}`);
  return stdout;
}
