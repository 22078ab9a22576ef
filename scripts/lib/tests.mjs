import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./run.mjs";
import { filesBelow } from "./stamps.mjs";

/** The module that test files are run with. */
export const untracked = new URL("untracked.mjs", import.meta.url).href;

/** Runs test files under Node's test runner. Suites find the hooks around them by what the runner tracks. */
export function testFiles(files, { reporter = "spec", env } = {}) {
  const hasSuites = (file) => readFileSync(join(root, file), "utf8").includes("describe(");
  const test = (some, options) =>
    some.length > 0 && run(process.execPath, [...options, "--test", `--test-reporter=${reporter}`, ...some], { env });
  test(files.filter(hasSuites), []);
  test(
    files.filter((file) => !hasSuites(file)),
    ["--import", untracked],
  );
}

/** Runs the test files at or below a folder. */
export function testNode(folder, env) {
  testFiles(
    filesBelow([folder]).filter((file) => file.endsWith(".test.mjs")),
    { env },
  );
}
